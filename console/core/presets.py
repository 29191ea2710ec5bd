"""Presets: how each kind of agent is launched, from what the settings say laid over the built-in ones. Pure.

A built-in preset is plain data (`presets/*.yaml`), handed in by name; the settings can take one as it is, change single
keys of it, or define another agent with a `command` of its own.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from console.core import settings_checks as rule
from console.core.layering import Raw, argv_of, changed
from console.core.marking import fits, marks
from console.core.records import Launch, Output, PromptBy, Protocol, Record
from console.core.settings_checks import Path, Reader

__all__ = [
    "BUILTIN",
    "LEVELS",
    "PRESET",
    "Builtin",
    "Preset",
    "Raw",
    "Shelf",
    "fits",
    "levels_of",
    "near",
    "none",
    "of_builtin",
    "read",
]

Builtin = Callable[[str], Raw | None]
"""The raw keys of the built-in preset of that name, None when there is none."""


class Shelf:
    """Built-in presets that can also tell their names. What `get` returns is not to be changed by who asks."""

    __slots__ = ("_get", "names")

    def __init__(self, get: Builtin, names: Callable[[], Iterable[str]]) -> None:
        self._get, self.names = get, names

    def __call__(self, name: str) -> Raw | None:
        return self._get(name)


none = Shelf(lambda _name: None, tuple)
"""No built-in presets."""


class Preset(Record, frozen=True, kw_only=True):
    """How one kind of agent is launched, and whether a person confirmed what it may do without asking.

    version: the command that prints its version, () for argv[0] with `--version`. builtin: the built-in preset that it
    is made from, "" for none; title, tried (the release it was last tried with), install, login: of that one, for
    people. autonomy: the level in force ("" when there are none). help, flags: a command, and words that its output
    must hold for the launch to mean what it says. mcp: its sessions are handed our tool server.
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
    mcp: bool = True

    @property
    def probe(self) -> tuple[str, ...]:
        return self.version or (self.launch.argv[0], "--version")


PROTOCOLS: tuple[Protocol, ...] = ("acp", "command", "claude-stream")
LEVELS = ("ask", "edits", "all")
"""What an agent may do without asking, least first."""

OUTPUT: dict[str, Any] = {key: marks for key in Output.__struct_fields__}

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
    "env": None,  # see _check_env
    "pass_env": rule.texts,
    "git": rule.one_of("read-only", "writable"),
    "version": rule.command,
    "output": OUTPUT,
    "autonomy_confirmed": rule.flag,
    "mcp": rule.flag,
}
"""What the settings can say of a preset."""

LEVEL: dict[str, Any] = {"args": rule.texts, "mode": rule.text, "env": None, "interactive": rule.texts}

BUILTIN: dict[str, Any] = {
    **{key: check for key, check in PRESET.items() if key not in ("like", "program", "args", "autonomy_confirmed")},
    "title": rule.text,
    "tried": rule.text,
    "install": rule.text,
    "login": rule.text,
    "last": rule.texts,
    "flags": {"command": rule.command, "has": rule.texts},
    "autonomy": {"default": rule.one_of(*LEVELS), **dict.fromkeys(LEVELS, LEVEL)},
    "model": LEVEL,
}
"""What a built-in preset can say. autonomy, model: what is added to the command, its mode and environment, and to the
command that opens a conversation (`interactive`). last: what stands behind all of that and the settings' `args`, as the
prompt comes after it."""


def read(reader: Reader, value: Any, builtin: Builtin, agent: object = "") -> dict[str, Preset]:
    """Every preset that the settings name, and the built-in one that `agent` does; problems go to the reader."""
    named = reader.mapping(value, ("presets",), None)
    made = {name: _named(reader, name, entry, builtin) for name, entry in named.items()}
    presets = {name: preset for name, preset in made.items() if preset}
    if isinstance(agent, str) and agent and agent not in named and (value is None or isinstance(value, dict)):
        if raw := builtin(agent):
            presets[agent] = of_builtin(agent, raw)
        else:
            reader.wrong(("agent",), _unknown(agent, named, builtin))
    return presets


def _unknown(name: str, named: Iterable[str], builtin: Builtin) -> str:
    here = ", ".join(sorted(named)) or "none"
    return (
        f"no preset {name!r}{near(name, builtin, named)}; presets here: {here}; `nightdesk agents` lists those built in"
    )


def near(name: str, builtin: Builtin, presets: Iterable[str] = ()) -> str:
    """The presets that are spelled much like this, as something to say behind it; "" for none."""
    known = {*presets, *(builtin.names() if isinstance(builtin, Shelf) else ())}
    found = difflib.get_close_matches(name.lower(), sorted(known), n=3, cutoff=0.6)
    return f" (did you mean {', '.join(found)}?)" if found else ""


def of_builtin(name: str, raw: Raw, level: str = "") -> Preset:
    """A built-in preset as it is: at its default level or at one of its others, not confirmed by anybody. ValueError
    when its data is wrong."""
    reader = Reader(lambda _path: 1)
    reader.legible(raw, ())
    reader.check(BUILTIN, reader.mapping(raw, (), BUILTIN), ())
    for path in ((), ("model",), *(("autonomy", level) for level in LEVELS)):
        _check_env(reader, path, _at(raw, path).get("env"))
    if reader.problems or "command" not in raw:
        raise ValueError("; ".join(f"{name}: {p.key} {p.message}" for p in reader.problems) or f"{name}: no command")
    if raw.get("autonomy") and raw["autonomy"].get("default") not in raw["autonomy"]:
        raise ValueError(f"{name}: autonomy.default names no level of it")
    return _preset(name, changed(raw, {"autonomy": level} if level else {}))


def levels_of(raw: Raw) -> tuple[str, ...]:
    """The levels of autonomy that a built-in preset knows, least first."""
    return tuple(one for one in LEVELS if one in (raw.get("autonomy") or {}))


def _at(raw: Raw, path: tuple[str, ...]) -> Raw:
    here: Any = raw
    for key in path:
        here = here.get(key) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else {}


def _named(reader: Reader, name: str, entry: Any, builtin: Builtin) -> Preset | None:
    """One preset of the settings; what is wrong with single keys hides nothing of the others."""
    path, before = ("presets", name), len(reader.problems)
    own = reader.mapping(entry, path, PRESET)
    reader.check(PRESET, own, path)
    _check_env(reader, path, own.get("env"))
    like = own.get("like") or ("" if "command" in own else name)
    base = builtin(like) if isinstance(like, str) and like else None
    if entry is not None and not isinstance(entry, dict):
        return None
    if base is None:
        _check_own(reader, path, name, own, builtin)
    else:
        _check_changes(reader, path, like, base, own)
    if len(reader.problems) > before:
        return None
    return _preset(like, changed(base, own)) if base else _preset("", _alone(own))


def _check_own(reader: Reader, path: Path, name: str, own: Raw, builtin: Builtin) -> None:
    like = own.get("like")
    if like and isinstance(like, str):
        why = f"no built-in preset {like!r}{near(like, builtin)}; `nightdesk agents` lists them"
        reader.wrong((*path, "like"), why)
    elif "command" not in own and not like:
        reader.wrong(path, f"needs a command: {_no_command(name, own, builtin)}")
    for key in ("program", "autonomy", "model"):
        if key in own and not like:
            reader.wrong((*path, key), "only changes a built-in preset: name one with `like`, or use `command`")


def _no_command(name: str, own: Raw, builtin: Builtin) -> str:
    """Who misspelled `command` means an agent of their own: another name is no cure for that."""
    if slip := next((key for key in own if key not in PRESET and "command" in rule.meant(key, PRESET)), ""):
        return f"it has {slip}; write command"
    here = near(name, builtin)
    cure = "write `command: [program, argument]` for an agent of your own, or a name that `nightdesk agents` lists"
    return f"no built-in preset has this name{here}; {cure}"


def _alone(own: Raw) -> Raw:
    """An agent that the settings define themselves."""
    return {**own, "command": [*argv_of(own["command"]), *own.get("args", ())]}


def _check_changes(reader: Reader, path: Path, like: str, base: Raw, own: Raw) -> None:
    known = base.get("autonomy") or {}
    if (level := own.get("autonomy")) in LEVELS:
        levels = ", ".join(one for one in LEVELS if one in known)
        why = f"{like} knows {levels or 'no levels'}" if level not in known else "has no effect beside `command`"
        if level not in known or "command" in own:
            reader.wrong((*path, "autonomy"), why)
    if own.get("model") and "model" not in base:
        reader.wrong((*path, "model"), f"{like} is told its model in its own settings, or with `args`")
    if own.get("program") and "command" in own:
        reader.wrong((*path, "program"), "has no effect beside `command`")


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
        version=argv_of(fields["version"]) if "version" in fields else (),
        builtin=builtin,
        autonomy=fields.get("autonomy", "") if builtin else "",
        help=argv_of(flags["command"]) if flags else (),
        flags=tuple(flags.get("has", ())),
        mcp=fields.get("mcp", True),
        **{key: fields.get(key, "") for key in ("title", "tried", "install", "login")},
    )


def _launch(fields: Mapping[str, Any]) -> Launch:
    return Launch(
        argv=argv_of(fields["command"]),
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
