"""Channels that reach people, in words and rows: how far each was told, and those that keep failing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.core.notify_settings import Channel
from console.core.outbox import Outlet
from console.core.state import State
from console.present.ages import age
from console.present.text import clean

RECENT = 24 * 3600.0
"""Seconds after which the failure of a channel that nobody has used since is history."""


def failing(state: State, now: float) -> list[str]:
    """One sentence for every channel that did not take its last notice."""
    return [_failure(one, now) for one in state.outlets.values() if is_failing(one, now)]


def is_failing(outlet: Outlet, now: float) -> bool:
    return outlet.open and outlet.last in ("failed", "refused") and now - outlet.at < RECENT


def _failure(outlet: Outlet, now: float) -> str:
    how = "was not reached" if outlet.last == "failed" else "said no"
    return (
        f"{clean(outlet.words)} {how} {age(now - outlet.at)} ago ({clean(outlet.detail, limit=200)}); {outlet.lost} "
        f"notice(s) lost so far. `nightdesk notify test {outlet.channel}` tries it now"
    )


def outcome(outlet: Outlet | None, now: float) -> str:
    """How the latest notice went."""
    if outlet is None or not outlet.last:
        return "nothing told yet"
    detail = f": {clean(outlet.detail, limit=200)}" if outlet.detail else ""
    return f"{outlet.last} {age(now - outlet.at)} ago{detail}"


def wanted(channel: Channel) -> str:
    """What a channel hears, in words."""
    said = []
    for ask in channel.asks:
        names = ", ".join(sorted(ask.events))
        said.append("routines that name it" if ask.webhook else f"{ask.session}: {names}" if ask.session else names)
    return "; ".join(said)


def row(channel: Channel, outlet: Outlet | None, now: float) -> tuple[str, ...]:
    """CHANNEL, WHERE, TOLD, LOST, UP TO, LAST."""
    if channel.kind == "terminal":
        return (channel.id, channel.words, "-", "-", "-", "rung by every open console")
    sent, lost, cursor = (outlet.sent, outlet.lost, outlet.cursor) if outlet else (0, 0, 0)
    return (channel.id, clean(channel.words), str(sent), str(lost), str(cursor), outcome(outlet, now))


def outlet_row(o: Outlet, now: float) -> tuple[str, ...]:
    """The same of one that only the supervisor knows."""
    return (o.channel, clean(o.words), str(o.sent), str(o.lost), str(o.cursor), outcome(o, now))


def apart(state: State, channels: Sequence[Channel], supervised: bool, distrusted: str) -> list[str]:
    """Where the running supervisor does not go by what is read here. distrusted: why nothing of the settings' `notify`
    counts, "" when it does."""
    still = supervised and any(o.open for o in left_over(state, channels))
    said = []
    if distrusted:
        then = (
            "the running supervisor goes on with the channels that it knew from the settings before; the next one "
            "tells nobody of them"
            if still
            else "nobody is told by them"
        )
        said.append(f"the settings are not used: {distrusted}. Until then {then}")
    elif still:
        said.append(
            "the running supervisor goes by another environment or settings: it tells channels named nowhere here"
        )
    open_ = {o.channel for o in state.outlets.values() if o.open}
    idle = [c.words for c in channels if c.kind != "terminal" and c.id not in open_] if supervised else []
    if idle:
        said.append(f"not told by the running supervisor (yet, or its environment names another): {', '.join(idle)}")
    return said


def channel_data(channel: Channel, outlet: Outlet | None, *, in_use: bool = True) -> dict[str, Any]:
    """As JSON; without anything that an address may hold of secrets."""
    return {
        "channel": channel.id,
        "kind": channel.kind,
        "where": channel.words,
        "secret": channel.secret,
        "events": sorted({name for ask in channel.asks for name in ask.events}),
        "sessions": [ask.session for ask in channel.asks if ask.session],
        "debounce": channel.debounce,
        "quiet": channel.quiet,
        "inUse": in_use,
        **outlet_data(outlet),
    }


def outlet_data(outlet: Outlet | None) -> dict[str, Any]:
    o = outlet or Outlet(channel="")
    last = {"outcome": o.last or None, "detail": o.detail, "at": o.at or None}
    return {"cursor": o.cursor, "sent": o.sent, "lost": o.lost, "last": last}


def left_over(state: State, channels: Sequence[Channel]) -> list[Outlet]:
    """Channels that the log knows and nobody names any more."""
    known = {channel.id for channel in channels}
    return [outlet for name, outlet in state.outlets.items() if name not in known]
