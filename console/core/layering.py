"""What the settings say of a preset, laid over the built-in one. Pure; both were checked before (`presets.py`)."""

from __future__ import annotations

from typing import Any

from console.core.settings_checks import split_command

Raw = dict[str, Any]
"""The keys of a preset, as they stand in a file."""


def changed(base: Raw, own: Raw) -> Raw:
    """All keys: the built-in ones with those of the settings laid over them."""
    known = base.get("autonomy") or {}
    level = own.get("autonomy") or known.get("default", "")
    steps = [] if "command" in own else [known.get(level) or {}]
    steps += [_with_model(base["model"], own["model"])] if own.get("model") else []
    argv = [*argv_of(own.get("command") or base["command"]), *(word for step in steps for word in step.get("args", ()))]
    last = () if "command" in own else base.get("last", ())
    opens = [*(base.get("interactive") or ()), *(word for step in steps for word in step.get("interactive", ()))]
    modes = [base.get("mode"), *(step.get("mode") for step in steps)]
    merged = base | own
    merged |= {
        "command": [*argv, *own.get("args", ()), *last],
        "env": {**(base.get("env") or {}), **_merged(steps, "env"), **(own.get("env") or {})},
        "mode": own["mode"] if "mode" in own else next((mode for mode in reversed(modes) if mode), None),
        "pass_env": list(dict.fromkeys([*base.get("pass_env", ()), *own.get("pass_env", ())])),
        "output": {**(base.get("output") or {}), **(own.get("output") or {})},
        "interactive": own.get("interactive", opens),
        "autonomy": "" if "command" in own else level,
    }
    return _at_program(merged, argv_of(base["command"])[0], own.get("program", ""))


def _with_model(step: Raw, model: str) -> Raw:
    return {
        **{key: [word.replace("{model}", model) for word in step.get(key, ())] for key in ("args", "interactive")},
        "env": {key: text.replace("{model}", model) for key, text in (step.get("env") or {}).items()},
    }


def _merged(steps: list[Raw], key: str) -> Raw:
    return {name: text for step in steps for name, text in (step.get(key) or {}).items()}


def _at_program(merged: Raw, usual: str, program: str) -> Raw:
    """The same with `program` in the place of the usual one, wherever that is started."""
    if not program:
        return merged

    def moved(argv: Any) -> list[str]:
        words = list(argv_of(argv))
        return [program, *words[1:]] if words and words[0] == usual else words

    flags = merged.get("flags")
    return {
        **merged,
        **{key: moved(merged[key]) for key in ("command", "version", "interactive") if merged.get(key)},
        **({"flags": {**flags, "command": moved(flags["command"])}} if flags else {}),
    }


def argv_of(value: Any) -> tuple[str, ...]:
    """A command that was checked, as words."""
    argv = split_command(value)
    assert not isinstance(argv, str)
    return argv
