"""Validated configuration: plain data from `.nightdesk/config.yaml` -> Settings, or every problem at once.

Reads no file: the caller passes the data and a function that tells the line of a key path.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from console.core.records import Launch, PromptBy, Protocol, Record

Path = tuple[str | int, ...]


class Problem(Record, frozen=True, kw_only=True):
    """One thing wrong: where (file, line from 1, dotted key) and what to do about it."""

    line: int
    key: str
    message: str


class Preset(Record, frozen=True, kw_only=True):
    """How one kind of agent is launched, and whether a person confirmed its autonomy flags."""

    launch: Launch
    autonomy_confirmed: bool = False


class Settings(Record, frozen=True, kw_only=True):
    """What the operator trusts. allowed: bare command names that gates may start (default: none). sandbox_tier: auto
    (where the machine allows one), off or require; sandbox_pids: with a process namespace."""

    gate: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    gate_on: str = "plan"
    allow_root: bool = False
    agent: str = ""
    presets: dict[str, Preset] = {}
    gates: int = 8
    commit_message: str = "{title}"
    commit_ack: bool = True
    sandbox_tier: str = "auto"
    sandbox_pids: bool = False


PROTOCOLS: dict[str, tuple[Protocol, str]] = {
    "acp": ("acp", "session_id"),
    "command": ("command", "session_id"),
    "claude-stream": ("command", "session_id"),
}

DURATION = re.compile(r"^(\d+(?:\.\d+)?)(ms|s|m|h)$")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
SHELL_SIGNS = re.compile(r"(?:^|\s)(\|\|?|&&?|;|[<>]{1,2}|\d>&\d)(?:\s|$)|[|;&<>`]|\$\(")


def seconds(value: Any) -> float | None:
    """`30s`, `5m`, `1h`, `250ms` -> seconds; None when it is not a duration with a unit."""
    found = DURATION.match(value) if isinstance(value, str) else None
    return float(found[1]) * UNITS[found[2]] if found else None


def split_command(value: Any) -> tuple[str, ...] | str:
    """A gate as argv: a list as it is, a string split like a shell would. A str is the reason why not."""
    if isinstance(value, list):
        if value and all(isinstance(part, str) and part for part in value):
            return tuple(value)
        return "must be a non-empty list of texts"
    if not isinstance(value, str) or not value.strip():
        return "must be a command, as a text or a list"
    quoted = re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", "q", value)
    if SHELL_SIGNS.search(quoted):
        return f'needs a shell; write it out: ["bash", "-o", "pipefail", "-c", {value!r}] and allow bash'
    try:
        return tuple(shlex.split(value))
    except ValueError as error:
        return f"cannot be split like a shell would: {error}"


class _Reader:
    """Walks the data once and collects problems; the result is only used when there are none."""

    def __init__(self, line_of: Callable[[Path], int]) -> None:
        self.line_of = line_of
        self.problems: list[Problem] = []

    def wrong(self, path: Path, message: str) -> None:
        dotted = ".".join(str(part) for part in path) or "(file)"
        self.problems.append(Problem(line=self.line_of(path), key=dotted, message=message))

    def mapping(self, value: Any, path: Path, known: Mapping[str, Any] | None) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(path, "must be a mapping of keys to values")
            return {}
        for key in value:
            if not isinstance(key, str):
                self.wrong((*path, str(key)), "keys must be texts")
            elif known is not None and key not in known:
                self.wrong((*path, key), f"unknown key; known here: {', '.join(sorted(known))}")
        return {k: v for k, v in value.items() if isinstance(k, str)}

    def check(self, table: Mapping[str, Any], data: dict[str, Any], path: Path) -> None:
        for key, value in data.items():
            rule = table.get(key)
            if isinstance(rule, dict):
                self.check(rule, self.mapping(value, (*path, key), rule), (*path, key))
            elif rule is not None and (message := rule(value)):
                self.wrong((*path, key), message)


def _text(value: Any) -> str:
    return "" if isinstance(value, str) else "must be a text"


def _text_or_none(value: Any) -> str:
    return "" if value is None or isinstance(value, str) else "must be a text or null"


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _count(value: Any) -> str:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 1
    return "" if good else "must be a whole number from 1"


def _money(value: Any) -> str:
    good = value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0)
    return "" if good else "must be a number above 0, or null"


def _share(value: Any) -> str:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1
    return "" if good else "must be a number above 0 and up to 1"


def _duration(value: Any) -> str:
    return "" if seconds(value) else 'must be a duration with its unit, such as "30s", "5m" or "1h"'


def _texts(value: Any) -> str:
    good = isinstance(value, list) and all(isinstance(part, str) and part for part in value)
    return "" if good else "must be a list of texts"


def _bare_names(value: Any) -> str:
    if message := _texts(value):
        return message
    bad = [name for name in value if "/" in name or name.split() != [name]]
    return f"must be bare command names, without folders or arguments: {', '.join(bad)}" if bad else ""


def _command(value: Any) -> str:
    result = split_command(value)
    return result if isinstance(result, str) else ""


def _one_of(*words: str) -> Callable[[Any], str]:
    return lambda value: "" if value in words else f"must be one of {', '.join(words)}"


def _tier(value: Any) -> str:
    # YAML reads a bare `off` as false.
    return "" if value is False or value in ("auto", "off", "require") else "must be one of auto, off, require"


def _commands(value: Any) -> str:
    return "" if isinstance(value, list) and not any(_command(v) for v in value) else "must be a list of commands"


def _anything(value: Any) -> str:
    return "" if isinstance(value, (list, dict, type(None))) else "must be a list"


PRESET: dict[str, Any] = {
    "command": _command,
    "protocol": _one_of(*PROTOCOLS),
    "prompt": _one_of("argument", "stdin"),
    "resume": _texts,
    "conversation_key": _text,
    "mode": _text_or_none,
    "env": _anything,
    "pass_env": _texts,
    "git": _one_of("read-only", "writable"),
    "version": _anything,
    "autonomy_confirmed": _flag,
}

KEYS: dict[str, Any] = {
    "gate": _command,
    "allowed_commands": _bare_names,
    "gate_on": _one_of("plan", "worktree"),
    "identity": {"allow_root": _flag, "user": _text_or_none},
    "include": _texts,
    "agent": _text,
    "presets": _anything,
    "tickets": _text,
    "workspace": _one_of("worktree", "in_place"),
    "setup": _commands,
    "limits": {
        "sessions": _count,
        "gates": _count,
        "attempts": _count,
        "tickets_per_run": _count,
        "turn_timeout": _duration,
        "run_cost_usd": _money,
    },
    "watchdog": {
        "start": _duration,
        "quiet": _duration,
        "hung": _duration,
        "restarts": _count,
        "window": _duration,
        "total_restarts": _count,
    },
    "sandbox": {"tier": _tier, "pids": _flag},
    "low_yield": {"after": _count, "share": _share},
    "commit": {"ack": _flag, "message": _text},
    "review": {
        "when": _one_of("never", "high_risk", "always"),
        "assignee": _text_or_none,
        "repair_assignee": _text_or_none,
        "max_cycles": _count,
        "max_chains": _count,
        "interval": _duration,
    },
    "notify": _anything,
}


def read(data: Any, line_of: Callable[[Path], int]) -> Settings | list[Problem]:
    """Settings from parsed data, or every problem with its line."""
    reader = _Reader(line_of)
    top = reader.mapping(data, (), KEYS)
    reader.check(KEYS, top, ())
    presets = _presets(reader, top.get("presets"))
    agent = top.get("agent", "")
    if isinstance(agent, str) and agent and agent not in presets and not reader.problems:
        reader.wrong(("agent",), f"no preset {agent!r}; presets here: {', '.join(sorted(presets)) or 'none'}")
    if reader.problems:
        return sorted(reader.problems, key=lambda p: p.line)
    gate = split_command(top["gate"]) if "gate" in top else ()
    assert not isinstance(gate, str)
    commit = top.get("commit") or {}
    sandbox = top.get("sandbox") or {}
    return Settings(
        gate=gate,
        allowed=tuple(top.get("allowed_commands") or ()),
        gate_on=top.get("gate_on", "plan"),
        allow_root=(top.get("identity") or {}).get("allow_root", False),
        agent=agent,
        presets=presets,
        gates=(top.get("limits") or {}).get("gates", 8),
        commit_message=commit.get("message", "{title}"),
        commit_ack=commit.get("ack", True),
        sandbox_tier=sandbox.get("tier", "auto") or "off",
        sandbox_pids=sandbox.get("pids", False),
    )


def _presets(reader: _Reader, value: Any) -> dict[str, Preset]:
    presets = {}
    for name, entry in reader.mapping(value, ("presets",), None).items():
        path = ("presets", name)
        fields = reader.mapping(entry, path, PRESET)
        before = len(reader.problems)
        reader.check(PRESET, fields, path)
        env = reader.mapping(fields.get("env"), (*path, "env"), None)
        for key, text in env.items():
            if not isinstance(text, str):
                reader.wrong((*path, "env", key), "must be a text; quote numbers")
        if "command" not in fields:
            reader.wrong(path, "needs a command")
        if len(reader.problems) == before:
            presets[name] = Preset(
                launch=_launch(fields, env), autonomy_confirmed=fields.get("autonomy_confirmed", False)
            )
    return presets


def _launch(fields: dict[str, Any], env: dict[str, Any]) -> Launch:
    argv = split_command(fields["command"])
    assert not isinstance(argv, str)
    protocol, key = PROTOCOLS[fields.get("protocol", "acp")]
    prompt_by: PromptBy = fields.get("prompt", "argument")
    return Launch(
        argv=argv,
        protocol=protocol,
        prompt_by=prompt_by,
        resume=tuple(fields.get("resume") or ()),
        conversation_key=fields.get("conversation_key", key),
        mode=fields.get("mode"),
        env=dict(env),
        pass_env=tuple(fields.get("pass_env") or ()),
        writable_git=fields.get("git") == "writable",
    )
