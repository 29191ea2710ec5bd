"""When an agent counts as hung. Pure: time comes with each sample. What follows for a whole fleet is in `fuse`.

Progress is what the agent's protocol says that is new, or its heartbeat. Bytes, CPU time, I/O and a changing process
tree only argue against a kill: a spinner has all of them and works on nothing, a hung process may have none or some.
They argue against silence, not against a loop: an agent that asks its model over and over for nothing is hung at once.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core.events_health import RestartCause
from console.core.records import Record, WatchLimits
from console.core.sessions import Phase

MISSES = 3
"""So many samples in a row without any activity come before a verdict."""
STILL_SHARE = 1 / 3
"""...and they must span this share of the time between SUSPECT and HUNG: three looks a second apart would be one
moment, a whole span would let a process that stirs once a minute live for ever."""
IDLE_TICKS = 5.0
"""CPU ticks (1/100 s) a second that mean nothing: the timers of an event loop that waits (opencode: 1 to 4)."""
IDLE_BYTES = 16384.0
"""Bytes moved a second that mean nothing: an eventfd or timerfd that is read eight bytes at a time (opencode: 65 to
500), and news of files that other programs open (codex watches /etc: up to 15,000 while others start programs)."""
STIR = 4.0
"""A look with activity takes back so many times its own length of the stillness before it. So an agent that looks at
git once a minute is still, and one that is busy in a fourth of the looks never becomes so."""
ROUNDS = 100
"""So many rounds with its model in a row, without a word, a thought or a tool, are a loop and no work."""
WATCHED: frozenset[Phase] = frozenset({"starting", "working"})
"""A session in any other phase waits for a person or for us: its silence is nobody's fault."""

Condition = Literal["starting", "running", "suspect", "hung"]
Verdict = Literal["", "suspect", "recovered", "hung"]


class Flight(Record, frozen=True, kw_only=True):
    """A tool call that runs. since: what tells it from another of that name, not a time of ours. budget: seconds that
    it declared, 0 for none."""

    name: str
    since: float
    budget: float = 0.0


class Look(Record, frozen=True, kw_only=True):
    """An agent's processes, seen as a whole. state: /proc letter of the first one."""

    state: str = "S"
    ticks: int = 0
    moved: int = 0
    members: int = 0


class Sample(Record, frozen=True, kw_only=True):
    """One look at one session. at: own time in seconds. turn: 0 while it starts. look: None when its processes could
    not be seen, or not all of them. rounds: with its model that ended in a row with nothing. judged: False while
    nothing may be concluded (we were away)."""

    at: float
    phase: Phase
    run: int
    turn: int
    progress: int = 0
    output: int = 0
    heartbeat: str = ""
    tools: tuple[Flight, ...] = ()
    look: Look | None = None
    rounds: int = 0
    judged: bool = True


class Watched(Record, frozen=True, kw_only=True):
    """What is known of a session in one turn of one run; another turn begins with another record.

    changed: own time when progress was last seen to change. active: since when it is still (`STIR`). misses:
    samples in a row without activity. spoke: it made progress in this turn. tools: with the own time when each was
    first seen."""

    run: int
    turn: int
    condition: Condition
    at: float
    changed: float
    active: float
    limits: WatchLimits
    misses: int = 0
    spoke: bool = False
    progress: int = 0
    output: int = 0
    heartbeat: str = ""
    tools: tuple[tuple[Flight, float], ...] = ()
    look: Look | None = None
    rounds: int = 0

    @property
    def cause(self) -> RestartCause:
        return "start" if not self.turn else "hang"

    @property
    def silence(self) -> float:
        """Seconds of own time without progress."""
        return self.at - self.changed

    @property
    def limit(self) -> float:
        """Seconds of silence after which it may count as hung."""
        return self.limits.hung if self.turn else self.limits.start

    @property
    def why(self) -> str:
        """What there is against it, as a sentence."""
        if not self.turn:
            return f"its protocol did not answer within {self.limits.start:g} s"
        if self.rounds >= ROUNDS:
            return f"its model was asked {self.rounds} times in a row and neither said nor did anything"
        stopped = "stopped by a signal; " if self.look and self.look.state in ("T", "t") else ""
        still = f"next to no output, CPU time or I/O for {self.at - self.active:.0f} s"
        return f"{stopped}no sign of progress for {self.silence:.0f} s, {still}"


def observe(watched: Watched | None, sample: Sample, limits: WatchLimits) -> tuple[Watched | None, Verdict]:
    """What is known after this sample. `hung` is said again with every sample for which it is true: whether something
    follows from it is for `fuse.rule` to say. Data of a run or turn that is over changes nothing."""
    if watched and (sample.run, sample.turn) < (watched.run, watched.turn):
        return watched, ""
    if sample.phase not in WATCHED:
        return None, ""
    if watched is None or (sample.run, sample.turn) != (watched.run, watched.turn):
        return _begun(sample, limits), ""
    now = _taken(watched, sample, limits)
    if sample.judged and now.turn and now.rounds >= ROUNDS:
        return replace(now, condition="hung"), "hung"
    if _progressed(watched, sample):
        now = replace(now, condition="running", changed=sample.at, active=sample.at, misses=0, spoke=True)
        return now, "recovered" if watched.condition in ("suspect", "hung") else ""
    if sample.judged:
        return _aged(now, sample)
    condition: Condition = "suspect" if now.turn else "starting"
    return replace(now, misses=0, condition=condition if now.condition == "hung" else now.condition), ""


def _begun(sample: Sample, limits: WatchLimits) -> Watched:
    """A new run or turn: what it brings along from before is no progress of its own."""
    return Watched(
        run=sample.run,
        turn=sample.turn,
        condition="running" if sample.turn else "starting",
        at=sample.at,
        changed=sample.at,
        active=sample.at,
        limits=limits,
        progress=sample.progress,
        output=sample.output,
        heartbeat=sample.heartbeat,
        tools=tuple((flight, sample.at) for flight in sample.tools),
        look=sample.look,
        rounds=sample.rounds,
    )


def _progressed(watched: Watched, sample: Sample) -> bool:
    # A heartbeat that cannot be read for once is no sign of life, nor is the same one afterwards.
    beat = bool(sample.heartbeat) and sample.heartbeat != watched.heartbeat
    return sample.progress > watched.progress or beat


def _taken(watched: Watched, sample: Sample, limits: WatchLimits) -> Watched:
    known = {(flight.name, flight.since): seen for flight, seen in watched.tools}
    tools = tuple((flight, known.get((flight.name, flight.since), sample.at)) for flight in sample.tools)
    active, misses = watched.active, watched.misses
    if sample.look is None:
        active, misses = sample.at, 0
    elif _active(watched, sample):
        active, misses = min(sample.at, active + STIR * (sample.at - watched.at)), 0
    elif watched.look is not None:
        misses += 1
    return replace(
        watched,
        at=sample.at,
        limits=limits,
        active=active,
        misses=misses,
        progress=max(watched.progress, sample.progress),
        output=sample.output,
        heartbeat=sample.heartbeat or watched.heartbeat,
        tools=tools,
        look=sample.look,
        rounds=sample.rounds,
    )


def _active(watched: Watched, sample: Sample) -> bool:
    """Whether anything moved since the last sample, be it progress or not."""
    if sample.output != watched.output:
        return True
    before, now = watched.look, sample.look
    if before is None or now is None:
        return False
    seconds = sample.at - watched.at
    ticks, moved = now.ticks - before.ticks, now.moved - before.moved
    return now.members != before.members or ticks > 1 + IDLE_TICKS * seconds or moved > IDLE_BYTES * seconds


def _aged(now: Watched, sample: Sample) -> tuple[Watched, Verdict]:
    if not now.turn:
        late = now.silence >= now.limits.start
        return replace(now, condition="hung" if late else "starting"), "hung" if late else ""
    if now.silence < now.limits.quiet:
        return replace(now, condition="running"), ""
    if now.condition == "running":
        return replace(now, condition="suspect"), "suspect"
    hung = now.silence >= now.limits.hung and sample.look is not None and _is_still(now) and not _in_budget(now)
    return replace(now, condition="hung" if hung else "suspect"), "hung" if hung else ""


def _is_still(now: Watched) -> bool:
    """Whether nothing argues against a kill. An agent that says nothing which could be read has only its activity to
    show, so for that the whole limit counts."""
    return now.misses >= MISSES and now.at - now.active >= _stillness(now)


def _stillness(now: Watched) -> float:
    limits = now.limits
    return max(0.0, limits.hung - limits.quiet) * STILL_SHARE if now.spoke else limits.hung


def _in_budget(now: Watched) -> bool:
    return any(now.at - seen < (flight.budget or now.limits.tool) for flight, seen in now.tools)


def is_silent(watched: Watched) -> bool:
    """On its way to be hung: half the limit is over, and nothing has stirred for a third of what a verdict takes: with
    less, an agent that shows something every few seconds would be silent in between. So is one in the middle of a loop:
    when a provider cuts every answer, it is nobody's own fault."""
    if watched.turn and 2 * watched.rounds >= ROUNDS:
        return True
    if watched.silence < watched.limit / 2:
        return False
    still = watched.misses >= MISSES and watched.at - watched.active >= _stillness(watched) / 3
    return not watched.turn or (still and not _in_budget(watched))
