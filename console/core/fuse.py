"""When so many agents are silent at once that the fault is not theirs, and how that ends. Pure: own time is passed in.

While the fuse is blown nobody is ended, but for one probe at a time after a long wait: a connection that is dead for
good says nothing when the network is back, and somebody must find out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from console.core.records import Record
from console.core.watchdog import Watched, is_silent

FEWEST = 3
"""Fewer agents than this are never silent "together"."""
PATIENCE = 2.0
"""The first probe comes after so many times `hung`; each wait after it is twice as long as the one before."""
LONGEST = 3600.0
"""Seconds; the most for one of these later waits: a provider that is back must not wait for the morning."""

Aside = Literal["coming", "well"]
"""How a session stands that is not watched now. coming: it is being ended to be started again, or is about to start.
well: it is up and owes nothing: its turn ended well, or it asks a person."""


class Fuse(Record, frozen=True, kw_only=True):
    """calm: own time since when fewer than half are silent while it is blown, None when they are not. hold: seconds
    for which that must last. names: the sessions of the alarm. wait, due: seconds until the next probe, and its own
    time. probe: the session that was ended for that, run: the run of it that was. cleared: own time of a probe that
    showed progress; what has been silent since before is no new alarm."""

    blown: bool = False
    calm: float | None = None
    hold: float = 0.0
    names: tuple[str, ...] = ()
    wait: float = 0.0
    due: float = 0.0
    probe: str = ""
    run: int = 0
    cleared: float = float("-inf")


class Ruling(Record, frozen=True, kw_only=True):
    """hung: these are to be ended; with a blown fuse that is its probe. blown: these were silent together, so that the
    fuse has blown now. reset: why it is whole again now, "" when it is not."""

    fuse: Fuse
    hung: tuple[str, ...] = ()
    blown: tuple[str, ...] = ()
    reset: str = ""


def rule(fuse: Fuse, fleet: Mapping[str, Watched], at: float, aside: Mapping[str, Aside]) -> Ruling:
    """What follows for all that are at work. aside: sessions that are not in the fleet now.

    The fleet is judged when the first one would be ended: by then those that fell silent with it are nearly as late,
    and after it was ended it would be too late for them to count."""
    if fuse.blown:
        return _while_blown(fuse, fleet, at, aside)
    wanted = [name for name, watched in fleet.items() if watched.condition == "hung"]
    for name in wanted:
        together = _together(fleet[name], fleet, fuse.cleared)
        if len(together) >= FEWEST and 2 * len(together) >= len(fleet):
            return Ruling(fuse=_blow(tuple(sorted(together)), fleet, at), blown=tuple(sorted(together)))
    return Ruling(fuse=fuse, hung=tuple(sorted(wanted)))


def _together(first: Watched, fleet: Mapping[str, Watched], cleared: float) -> list[str]:
    """Who fell silent within half the limit of when `first` did; with usual limits that is one `quiet`."""
    near = first.limit / 2
    silent = {name: w.changed for name, w in fleet.items() if is_silent(w) and w.changed > cleared}
    return [name for name, changed in silent.items() if abs(changed - first.changed) <= near]


def _blow(names: tuple[str, ...], fleet: Mapping[str, Watched], at: float) -> Fuse:
    hold = max(fleet[name].limits.quiet for name in names)
    wait = PATIENCE * max(fleet[name].limits.hung for name in names)
    return Fuse(blown=True, hold=hold, names=names, wait=wait, due=at + wait)


def _while_blown(fuse: Fuse, fleet: Mapping[str, Watched], at: float, aside: Mapping[str, Aside]) -> Ruling:
    """Whole again when its sessions are gone, when the probe shows progress, or when fewer than half have been silent
    for `hold` on end: those that come back a little later than the others are not ended for it, and one that comes and
    goes does not make it flap."""
    coming = {name for name in fuse.names if name not in fleet and aside.get(name) == "coming"}
    if len([name for name in fuse.names if name in fleet or name in coming]) < 2:
        return Ruling(fuse=Fuse(), reset="fewer than two of the agents that fell silent are still at work")
    if _answers(fuse, fleet, aside):
        return Ruling(fuse=Fuse(cleared=at), reset=f"{fuse.probe} was started again and shows progress")
    mute = len(coming) + sum(is_silent(w) or (name in fuse.names and _is_new(w)) for name, w in fleet.items())
    if mute and 2 * mute >= len(fleet) + len(coming):
        return _probed(replace(fuse, calm=None), fleet, at)
    since = at if fuse.calm is None else fuse.calm
    if at - since < fuse.hold:
        return Ruling(fuse=replace(fuse, calm=since))
    return Ruling(fuse=Fuse(), reset=f"fewer than half of {len(fleet)} agents at work are silent")


def _answers(fuse: Fuse, fleet: Mapping[str, Watched], aside: Mapping[str, Aside]) -> bool:
    again = fleet.get(fuse.probe)
    return again.run > fuse.run and again.spoke if again else aside.get(fuse.probe) == "well"


def _is_new(watched: Watched) -> bool:
    """Started again, and with nothing to show yet: that is no progress."""
    return not watched.spoke and watched.silence < watched.limit / 2


def _probed(fuse: Fuse, fleet: Mapping[str, Watched], at: float) -> Ruling:
    """One of those that would be ended, the one that has been silent for longest, when it is time for one."""
    wanted = [name for name, watched in fleet.items() if watched.condition == "hung"]
    if at < fuse.due or not wanted:
        return Ruling(fuse=fuse)
    name = min(wanted, key=lambda one: (fleet[one].changed, one))
    wait = max(fuse.wait, min(2.0 * fuse.wait, LONGEST))
    names = fuse.names if name in fuse.names else (*fuse.names, name)
    fuse = replace(fuse, names=names, probe=name, run=fleet[name].run, wait=wait, due=at + wait)
    return Ruling(fuse=fuse, hung=(name,))
