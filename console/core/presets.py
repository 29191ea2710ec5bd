"""Presets: how each kind of agent is launched, from what the settings say laid over the built-in ones. Pure.

A built-in preset is plain data (`presets/*.yaml`), handed in by name; the settings can take one as it is, change single
keys of it, or define another agent with a `command` of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from console.core import settings_checks as rule
from console.core.records import Launch, Mark, Output, PromptBy, Protocol, Record
from console.core.settings_checks import Path, Reader, split_command

Raw = dict[str, Any]
Builtin = Callable[[str], Raw | None]
"""The raw keys of the built-in preset of that name, None when there is none."""


def none(_name: str) -> Raw | None:
    """No built-in presets."""
    return None


class Preset(Record, frozen=True, kw_only=True):
    """How one kind of agent is launched, and whether a person confirmed what it may do without asking.

    version: the command that prints its version, () for argv[0] with `--version`. builtin: the built-in preset that it
    is made from, "" for none; title, tried (the release it was last tried with), install, login: of that one, for
    people. autonomy: the level in force ("" when there are none). help, flags: a command, and words that its output
    must hold for the launch to mean what it says.
    """

    launch: Launch
    autonomy_confirmed: bool = False
    version: tuple[str, ...] = ()
    builtin: str = ""
    title: str = ""
    tried: str = ""
    install: str = ""
    login: str = ""
    autonomy: str = ""
    help: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def probe(self) -> tuple[str, ...]:
        return self.version or (self.launch.argv[0], "--version")


PROTOCOLS: tuple[Protocol, ...] = ("acp", "command", "claude-stream")
LEVELS = ("ask", "edits", "all")
"""What an agent may do without asking, least first."""

OUTPUT: dict[str, Any] = {key: rule.marks for key in Output.__struct_fields__}

PRESET: dict[str, Any] = {
    "like": rule.text,
    "program": rule.text,
    "command": rule.command,
    "args": rule.texts,
    "autonomy": rule.one_of(*LEVELS),
    "model": rule.text,
    "protocol": rule.one_of(*PROTOCOLS),
    "prompt": rule.one_of(*get_args(PromptBy)),
    "resume": rule.texts,
    "interactive": rule.texts,
    "conversation_key": rule.text,
    "mode": rule.text_or_none,
    "env": rule.anything,
    "pass_env": rule.texts,
    "git": rule.one_of("read-only", "writable"),
    "version": rule.command,
    "output": OUTPUT,
    "autonomy_confirmed": rule.flag,
}
"""What the settings can say of a preset."""

LEVEL: dict[str, Any] = {"args": rule.texts, "mode": rule.text, "env": rule.anything}

BUILTIN: dict[str, Any] = {
    **{key: check for key, check in PRESET.items() if key not in ("like", "program", "args", "autonomy_confirmed")},
    "title": rule.text,
    "tried": rule.text,
    "install": rule.text,
    "login": rule.text,
    "flags": {"command": rule.command, "has": rule.texts},
    "autonomy": {"default": rule.one_of(*LEVELS), **dict.fromkeys(LEVELS, LEVEL)},
    "model": LEVEL,
}
"""What a built-in preset can say. autonomy, model: what is added to the command, its mode and environment."""


def read(reader: Reader, value: Any, builtin: Builtin, agent: object = "") -> dict[str, Preset]:
    """Every preset that the settings name, and the built-in one that `agent` does; problems go to the reader."""
    presets = {}
    for name, entry in reader.mapping(value, ("presets",), None).items():
        path: Path = ("presets", name)
        before = len(reader.problems)
        own = reader.mapping(entry, path, PRESET)
        reader.check(PRESET, own, path)
        base, merged = _laid_over(reader, path, name, own, builtin) if len(reader.problems) == before else ("", {})
        if len(reader.problems) == before:
            presets[name] = _preset(base, merged)
    if isinstance(agent, str) and agent and agent not in presets and (raw := builtin(agent)) and not reader.problems:
        presets[agent] = of_builtin(agent, raw)
    return presets


def of_builtin(name: str, raw: Raw) -> Preset:
    """A built-in preset as it is: at its default level, not confirmed by anybody. ValueError when its data is wrong."""
    reader = Reader(lambda _path: 1)
    reader.legible(raw, ())
    reader.check(BUILTIN, reader.mapping(raw, (), BUILTIN), ())
    _, merged = _laid_over(reader, (), name, {}, {name: raw}.get)
    if reader.problems:
        raise ValueError("; ".join(f"{name}: {p.key} {p.message}" for p in reader.problems))
    return _preset(name, merged)


def _laid_over(reader: Reader, path: Path, name: str, own: Raw, builtin: Builtin) -> tuple[str, Raw]:
    """(the built-in preset it is made from, all its keys)."""
    _check_env(reader, path, own.get("env"))
    like = own.get("like") or ("" if "command" in own else name)
    base = builtin(like) if like else None
    if base is None:
        if own.get("like"):
            reader.wrong((*path, "like"), f"no built-in preset {like!r}; `nightdesk agents` lists them")
        elif "command" not in own:
            reader.wrong(path, "needs a command: no built-in preset has this name; `nightdesk agents` lists them")
        for key in ("program", "autonomy", "model"):
            if key in own:
                reader.wrong((*path, key), "only changes a built-in preset: name one with `like`, or use `command`")
        return "", {**own, "command": [*_argv(own["command"]), *own.get("args", ())]} if "command" in own else {}
    return like, _changed(reader, path, like, base, own)


def _changed(reader: Reader, path: Path, like: str, base: Raw, own: Raw) -> Raw:
    known = base.get("autonomy") or {}
    level = own.get("autonomy") or known.get("default", "")
    if own.get("autonomy") and ("command" in own or level not in known):
        levels = ", ".join(one for one in LEVELS if one in known)
        why = f"{like} knows {levels or 'no levels'}" if level not in known else "has no effect beside `command`"
        reader.wrong((*path, "autonomy"), why)
    if own.get("model") and "model" not in base:
        reader.wrong((*path, "model"), f"{like} is told its model in its own settings, or with `args`")
    steps = [] if "command" in own else [known.get(level) or {}]
    steps += [_with_model(base["model"], own["model"])] if own.get("model") and "model" in base else []
    argv = [*_argv(own.get("command") or base["command"]), *(word for step in steps for word in step.get("args", ()))]
    merged = base | {key: own[key] for key in own if key in base or key in PRESET}
    merged |= {
        "command": [*argv, *own.get("args", ())],
        "env": {**(base.get("env") or {}), **_merged(steps, "env"), **(own.get("env") or {})},
        "mode": own.get("mode")
        or next((step["mode"] for step in reversed(steps) if step.get("mode")), base.get("mode")),
        "pass_env": list(dict.fromkeys([*base.get("pass_env", ()), *(own.get("pass_env") or ())])),
        "autonomy": "" if "command" in own else level,
    }
    return _at_program(merged, _argv(base["command"])[0], own.get("program", ""))


def _with_model(step: Raw, model: str) -> Raw:
    return {
        "args": [word.replace("{model}", model) for word in step.get("args", ())],
        "env": {key: text.replace("{model}", model) for key, text in (step.get("env") or {}).items()},
    }


def _merged(steps: list[Raw], key: str) -> Raw:
    return {name: text for step in steps for name, text in (step.get(key) or {}).items()}


def _at_program(merged: Raw, usual: str, program: str) -> Raw:
    """The same with `program` in the place of the usual one, wherever that is started."""
    if not program:
        return merged

    def moved(argv: Any) -> list[str]:
        words = list(_argv(argv))
        return [program, *words[1:]] if words and words[0] == usual else words

    flags = merged.get("flags")
    return {
        **merged,
        **{key: moved(merged[key]) for key in ("command", "version", "interactive") if merged.get(key)},
        **({"flags": {**flags, "command": moved(flags["command"])}} if flags else {}),
    }


def _check_env(reader: Reader, path: Path, value: Any) -> None:
    env = reader.mapping(value, (*path, "env"), None)
    for key, text in env.items():
        if not isinstance(text, str):
            reader.wrong((*path, "env", key), "must be a text; quote numbers")


def _preset(builtin: str, fields: Raw) -> Preset:
    flags = fields.get("flags") or {}
    return Preset(
        launch=_launch(fields),
        autonomy_confirmed=fields.get("autonomy_confirmed", False),
        version=_argv(fields["version"]) if "version" in fields else (),
        builtin=builtin,
        autonomy=fields.get("autonomy", "") if builtin else "",
        help=_argv(flags["command"]) if flags else (),
        flags=tuple(flags.get("has", ())),
        **{key: fields.get(key, "") for key in ("title", "tried", "install", "login")},
    )


def _launch(fields: Mapping[str, Any]) -> Launch:
    return Launch(
        argv=_argv(fields["command"]),
        protocol=fields.get("protocol", "acp"),
        prompt_by=fields.get("prompt", "argument"),
        resume=tuple(fields.get("resume") or ()),
        conversation_key=fields.get("conversation_key", "session_id"),
        mode=fields.get("mode"),
        env=dict(fields.get("env") or {}),
        pass_env=tuple(fields.get("pass_env") or ()),
        writable_git=fields.get("git") == "writable",
        output=_output(fields.get("output") or {}),
        interactive=tuple(fields.get("interactive") or ()),
    )


def _output(given: Raw) -> Output:
    return Output(**{key: tuple(given.get(key) or ()) for key in OUTPUT})


def _argv(value: Any) -> tuple[str, ...]:
    argv = split_command(value)
    assert not isinstance(argv, str)
    return argv


def fits(mark: Mark, line: str, event: Mapping[str, Any] | None) -> bool:
    """Whether a line of output is what the mark means. event: the line as a JSON object, None when it is none. A
    pattern is never looked for in a JSON line, which may carry a model's words."""
    if isinstance(mark, str):
        return event is None and re.search(mark, line) is not None
    return event is not None and all(_has(event, key, value) for key, value in mark.items())


def _has(event: Mapping[str, Any], dotted: str, wanted: object) -> bool:
    here: Any = event
    for key in dotted.split("."):
        if not isinstance(here, Mapping) or key not in here:
            return False
        here = here[key]
    return here is not None if wanted == "*" else type(here) is type(wanted) and here == wanted
