"""Validated configuration: plain data from `.nightdesk/config.yaml` -> Settings, or every problem at once.

Reads no file: the caller passes the data and a function that tells the line of a key path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from console.core import notify_settings
from console.core import presets as of_agents
from console.core import settings_checks as rule
from console.core.notify_settings import Channel
from console.core.presets import Preset
from console.core.records import Decision, Gate, Record, RunSettings, WatchLimits
from console.core.records_chains import ReviewLimits
from console.core.settings_checks import Path, Problem, Reader, seconds, split_command

__all__ = ["Path", "Preset", "Problem", "Settings", "agent_of", "read", "run_settings", "seconds", "split_command"]


class Settings(Record, frozen=True, kw_only=True):
    """What the operator trusts. allowed: bare command names that gates may start (default: none). user: the login name
    that may start a run, "" for anybody. sandbox_tier: auto (where the machine allows one), off or require;
    sandbox_pids: with a process namespace. gates, sessions: at once. turn_timeout: seconds. decide: ticket id or
    category -> decision. keep_days: how long files of what is over are kept; keep_megabytes: of all such
    files together. The others are as in `RunSettings`."""

    gate: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    gate_on: str = "plan"
    allow_root: bool = False
    user: str = ""
    agent: str = ""
    presets: dict[str, Preset] = {}
    tickets: str = "tickets"
    workspace: str = "worktree"
    setup: tuple[tuple[str, ...], ...] = ()
    include: tuple[str, ...] = ()
    sessions: int = 2
    gates: int = 2
    attempts: int = 3
    tickets_per_run: int = 20
    turn_timeout: float = 1800.0
    gate_timeout: float = 600.0
    run_cost_usd: float | None = None
    low_after: int = 8
    low_share: float = 0.75
    commit_message: str = "{title}"
    commit_ack: bool = True
    sandbox_tier: str = "auto"
    sandbox_pids: bool = False
    decide: dict[str, Decision] = {}
    watchdog: WatchLimits = WatchLimits()
    keep_days: int = 30
    keep_megabytes: int = 2048
    notify: tuple[Channel, ...] = ()
    review: ReviewLimits = ReviewLimits()


KEYS: dict[str, Any] = {
    "gate": rule.command,
    "allowed_commands": rule.bare_names,
    "gate_on": rule.one_of("plan", "worktree"),
    "identity": {"allow_root": rule.flag, "user": rule.text_or_none},
    "include": rule.patterns,
    "agent": rule.text,
    "presets": rule.anything,
    "tickets": rule.relative,
    "workspace": rule.one_of("worktree", "in_place"),
    "setup": rule.commands,
    "limits": {
        "sessions": rule.count,
        "gates": rule.count,
        "attempts": rule.count,
        "tickets_per_run": rule.count,
        "turn_timeout": rule.duration,
        "gate_timeout": rule.duration,
        "run_cost_usd": rule.money,
    },
    "watchdog": {
        "start": rule.duration,
        "quiet": rule.duration,
        "hung": rule.duration,
        "tool": rule.duration,
        "restarts": rule.count,
        "window": rule.duration,
        "total_restarts": rule.count,
    },
    "sandbox": {"tier": rule.tier, "pids": rule.flag},
    "retention": {"days": rule.count, "megabytes": rule.count},
    "low_yield": {"after": rule.count, "share": rule.share},
    "commit": {"ack": rule.flag, "message": rule.text},
    "review": {
        "when": rule.one_of("never", "high_risk", "always"),
        "assignee": rule.text_or_none,
        "repair_assignee": rule.text_or_none,
        "max_cycles": rule.count,
        "max_chains": rule.count,
        "interval": rule.duration,
    },
    "notify": rule.anything,
    "decide": rule.anything,
}


def read(
    data: Any, line_of: Callable[[Path], int], builtin: of_agents.Builtin = of_agents.none
) -> Settings | list[Problem]:
    """Settings from parsed data, or every problem with its line. builtin: the built-in presets."""
    reader = Reader(line_of)
    reader.legible(data, ())
    top = reader.mapping(data, (), KEYS)
    reader.check(KEYS, top, ())
    presets = of_agents.read(reader, top.get("presets"), builtin, top.get("agent"))
    decide = _overrides(reader, top.get("decide"))
    notify = notify_settings.read(reader, top.get("notify"))
    _check_reviewers(reader, top, presets, builtin)
    if reader.problems:
        return sorted(reader.problems, key=lambda p: p.line)
    return replace(_settings(top, presets, decide), notify=notify)


def _settings(top: dict[str, Any], presets: dict[str, Preset], decide: dict[str, Decision]) -> Settings:
    identity, sandbox, limits = (top.get(key) or {} for key in ("identity", "sandbox", "limits"))
    commit, low, kept = (top.get(key) or {} for key in ("commit", "low_yield", "retention"))
    known = {
        "gate": _argv(top["gate"]) if "gate" in top else None,
        "allowed": tuple(top["allowed_commands"]) if "allowed_commands" in top else None,
        "setup": tuple(_argv(one) for one in top["setup"]) if "setup" in top else None,
        "include": tuple(top["include"]) if "include" in top else None,
        "turn_timeout": seconds(limits.get("turn_timeout")),
        "gate_timeout": seconds(limits.get("gate_timeout")),
        "allow_root": identity.get("allow_root"),
        "user": identity.get("user"),
        "low_after": low.get("after"),
        "low_share": low.get("share"),
        "commit_message": commit.get("message"),
        "commit_ack": commit.get("ack"),
        # YAML reads a bare `off` as false.
        "sandbox_tier": "off" if sandbox.get("tier") is False else sandbox.get("tier"),
        "sandbox_pids": sandbox.get("pids"),
        "keep_days": kept.get("days"),
        "keep_megabytes": kept.get("megabytes"),
        "watchdog": _watch_limits(top.get("watchdog") or {}),
        "review": _review(top.get("review") or {}),
        **{key: top.get(key) for key in ("gate_on", "agent", "tickets", "workspace")},
        **{key: limits.get(key) for key in ("sessions", "gates", "attempts", "tickets_per_run", "run_cost_usd")},
    }
    given: dict[str, Any] = {key: value for key, value in known.items() if value is not None}
    return Settings(presets=presets, decide=decide, **given)


def _watch_limits(given: dict[str, Any]) -> WatchLimits:
    times = {key: seconds(given.get(key)) for key in ("start", "quiet", "hung", "tool", "window")}
    counts = {key: given.get(key) for key in ("restarts", "total_restarts")}
    known: dict[str, Any] = {key: value for key, value in {**times, **counts}.items() if value is not None}
    return WatchLimits(**known)


def _review(given: dict[str, Any]) -> ReviewLimits:
    told = {
        "when": given.get("when"),
        "reviewer": given.get("assignee"),
        "repairer": given.get("repair_assignee"),
        "max_cycles": given.get("max_cycles"),
        "max_chains": given.get("max_chains"),
        "interval": seconds(given.get("interval")),
    }
    known: dict[str, Any] = {key: value for key, value in told.items() if value is not None}
    return ReviewLimits(**known)


def _check_reviewers(
    reader: Reader, top: dict[str, Any], presets: dict[str, Preset], builtin: of_agents.Builtin
) -> None:
    """Who reviews and repairs is a preset of these settings. One with problems of its own is told of there."""
    review, named = top.get("review"), top.get("presets")
    known = {*presets, *(name for name in (named if isinstance(named, dict) else ()) if isinstance(name, str))}
    for key in ("assignee", "repair_assignee"):
        name = review.get(key) if isinstance(review, dict) else None
        if not isinstance(name, str) or not name or name in known:
            continue
        here = ", ".join(sorted(known)) or "none"
        cure = f"take it in with `{name}: {{}}` below `presets`" if builtin(name) else "name one of these, or null"
        reader.wrong(("review", key), f"no preset {name!r}{of_agents.near(name, builtin, known)}; here: {here}; {cure}")


def _argv(value: Any) -> tuple[str, ...]:
    argv = split_command(value)
    assert not isinstance(argv, str)
    return argv


def _overrides(reader: Reader, value: Any) -> dict[str, Decision]:
    """Of tickets by their id, and of categories by their name; a ticket's own counts first."""
    decide: dict[str, Decision] = {}
    for name, word in reader.mapping(value, ("decide",), None).items():
        if message := rule.decision(word):
            reader.wrong(("decide", name), message)
        else:
            decide[name] = cast("Decision", word)
    return decide


# -- what a run is pinned to


def agent_of(settings: Settings) -> str:
    """The preset for tickets that name none: `agent`, or the only one there is; "" when nobody can say."""
    return settings.agent or (next(iter(settings.presets)) if len(settings.presets) == 1 else "")


def run_settings(settings: Settings, digest: str) -> RunSettings:
    """What a run started now would be pinned to. A preset that nobody confirmed is none: no ticket can start it."""
    return RunSettings(
        digest=digest,
        gate=Gate(argv=settings.gate, timeout=settings.gate_timeout) if settings.gate else None,
        gate_timeout=settings.gate_timeout,
        presets={name: preset.launch for name, preset in settings.presets.items() if preset.autonomy_confirmed},
        agent=agent_of(settings),
        allowed=settings.allowed,
        sessions=1 if settings.workspace == "in_place" else settings.sessions,
        gates=settings.gates,
        attempts=settings.attempts,
        tickets=settings.tickets_per_run,
        turn_timeout=settings.turn_timeout,
        cost_usd=settings.run_cost_usd,
        low_after=settings.low_after,
        low_share=settings.low_share,
        ack=settings.commit_ack,
        message=settings.commit_message,
        workspace=settings.workspace,
        gate_on=settings.gate_on,
        setup=settings.setup,
        include=settings.include,
        overrides=dict(settings.decide),
        watchdog=settings.watchdog,
    )


def review_limits(settings: Settings) -> ReviewLimits:
    """What chains go by. A preset that nobody confirmed starts no review, either."""
    confirmed = tuple(sorted(name for name, preset in settings.presets.items() if preset.autonomy_confirmed))
    return replace(settings.review, presets=confirmed)
