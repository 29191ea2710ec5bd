"""The report's section about what broke off, what outlived its agent and when the night stood still, as Markdown. Pure;
texts from outside stand in code spans."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from console.core.events import RestartCause
from console.core.reporting.records import Left, Report, Restarted, Standstill
from console.present.ages import age
from console.present.mdtext import fact, plain, span, wrapped

MOST = 40
"""Entries of each kind that are told one by one."""
SHOWN = 3
"""Processes of one session that are named."""

_CAUSES: dict[RestartCause, str] = {"hang": "hung", "crash": "crashed", "start": "did not come up"}
_STANDING = {
    "together": "so many agents were silent at once that none was ended",
    "disk": "disk space was short, nothing new was started",
    "memory": "memory was short, nothing new was started",
    "descriptors": "file descriptors were short, nothing new was started",
    "away": "the supervisor itself stood still",
    "takeover": "another supervisor took over",
}


def troubles(r: Report, now: float) -> list[str]:
    """[] when nothing of the kind happened. now: Unix seconds."""
    left = _gathered(r.left)
    count = len(r.restarted) + len(left) + len(r.standstills)
    if not count:
        return []
    lines = [f"## Started again, left over, stood still ({count})"]
    lines += _part(r.restarted, _restarted)
    lines += _part(left, _left)
    return lines + _part(r.standstills, lambda each: _stood(each, r.ended_at, now))


def lasting(r: Report) -> str:
    """What holds everything up as of the end of the run, or now; "" when nothing does."""
    found = [_STANDING[each.what] for each in r.standstills if not each.until]
    if not found:
        return ""
    return f"{'As the run ended' if r.ended_at else 'Just now'}: {'; '.join(dict.fromkeys(found))}."


def given_up(r: Report) -> int:
    """Sessions that are not started again and that no ticket's own item tells of."""
    return sum(bool(each.given_up) and each.about == each.session for each in r.restarted)


def _part(listed: Sequence[Any], draw: Callable[[Any], Iterator[str]]) -> list[str]:
    if not listed:
        return []
    lines = [""]
    for each in listed[:MOST]:
        lines += draw(each)
    return [*lines, *([f"- and {len(listed) - MOST} more"] if len(listed) > MOST else [])]


def _restarted(r: Restarted) -> Iterator[str]:
    how = ", ".join(f"{_CAUSES[cause]} {_times(n)}" for cause, n in Counter(r.causes).items())
    when = f"; started again at {', '.join(_clock(at) for at in r.times[:10])}" if r.times else ""
    over = "; **given up**" if r.given_up else ""
    yield from wrapped(f"- {span(r.about)}{_in(r.session, r.about)}: {how}{when}{over}", "  ")
    for name, text in (("why", r.given_up or r.why), ("evidence", r.evidence)):
        if text:
            yield from fact(f"  - {name}", text, "    ", limit=300)


def _gathered(left: Sequence[Left]) -> list[list[Left]]:
    """Those of one session together: an agent may leave a hundred of them."""
    groups: dict[tuple[str, str, bool], list[Left]] = {}
    for each in left:
        groups.setdefault((each.session, each.about, each.stuck), []).append(each)
    return list(groups.values())


def _left(group: list[Left]) -> Iterator[str]:
    left, many = group[0], len(group)
    if left.stuck:
        how = "**could not be ended**, look with `nightdesk doctor`"
    elif many == 1:
        how = "outlived its agent and was ended"
    else:
        how = f"{many} processes outlived their agent and were ended"
    yield from wrapped(f"- {span(left.about)}{_in(left.session, left.about)}: {how}", "  ")
    for each in group[:SHOWN]:
        yield from fact("  - process", each.text, "    ", limit=300)
    if many > SHOWN:
        yield f"  - and {many - SHOWN} more"


def _stood(each: Standstill, ended_at: float, now: float) -> Iterator[str]:
    until = each.until or ended_at or now
    open_end = "to the end of the run, and on" if ended_at else "and it still lasts"
    end = f"to {_clock(each.until)}" if each.until else open_end
    told = _STANDING[each.what]
    if each.what == "takeover":
        gap = f"{_long(until - each.at)} after the last sign of the one before"
        yield from wrapped(f"- at {_clock(until)}: {told}, {gap}", "  ")
    else:
        yield from wrapped(f"- {_clock(each.at)} {end} ({_long(until - each.at)}): {told}", "  ")
    if each.text:
        yield from fact(f"  - {'by' if each.what == 'takeover' else 'why'}", each.text, "    ", limit=300)


def _in(session: str, about: str) -> str:
    return f" in {plain(session)}" if session != about else ""


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _long(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else age(seconds)


def _clock(at: float) -> str:
    """Local time, `06:11`."""
    return time.strftime("%H:%M", time.localtime(at))
