"""Facts about what hangs, what is started again, and what the supervisor itself lacks. Part of `events`."""

from __future__ import annotations

from typing import Literal

from console.core.event import Event

Lack = Literal["disk", "memory", "descriptors"]
"""What the supervisor can run out of. While it does nothing new is started; what runs goes on."""

RestartCause = Literal["hang", "crash", "start"]
"""hang: no sign of progress. crash: the process is gone in the middle of its turn. start: its protocol never
answered."""


class SupervisorAway(Event, frozen=True, kw_only=True, tag="supervisor:away"):
    """The supervisor itself did not run for `seconds` (stopped, suspended, blocked): no deadline counted them."""

    seconds: float


class SupervisorDegraded(Event, frozen=True, kw_only=True, tag="supervisor:degraded"):
    """Something is short: nothing new is started until `supervisor:recovered` of the same kind."""

    kind: Lack
    why: str


class SupervisorRecovered(Event, frozen=True, kw_only=True, tag="supervisor:recovered"):
    kind: Lack


class SessionSuspect(Event, frozen=True, kw_only=True, tag="session:suspect"):
    """No progress for `quiet` seconds. evidence: what its processes looked like then, in words."""

    session: str
    run: int
    turn: int
    quiet: float
    evidence: str


class SessionRecovered(Event, frozen=True, kw_only=True, tag="session:recovered"):
    """A suspect showed progress again."""

    session: str
    run: int
    turn: int


class SessionHung(Event, frozen=True, kw_only=True, tag="session:hung"):
    """Intent: its processes end; what follows is `session:restarting` or `session:given-up`. probe: one of a
    fleet that has been silent for long, to see whether a new start answers."""

    session: str
    run: int
    turn: int
    cause: RestartCause
    why: str
    evidence: str = ""
    probe: bool = False


class SessionRestarting(Event, frozen=True, kw_only=True, tag="session:restarting"):
    """Intent: the turn that broke off begins again, not before `until` (Unix seconds). count: restarts so far, this one
    included, of the ticket it works on (of the session, without one)."""

    session: str
    run: int
    turn: int
    cause: RestartCause
    why: str
    count: int
    until: float


class SessionRestartDue(Event, frozen=True, kw_only=True, tag="session:restart-due"):
    """The wait before a restart is over."""

    session: str
    run: int


class SessionGivenUp(Event, frozen=True, kw_only=True, tag="session:given-up"):
    """It broke off once more and is not started again: a person decides."""

    session: str
    turn: int
    cause: RestartCause
    why: str


class TurnProcesses(Event, frozen=True, kw_only=True, tag="session:processes"):
    """What a turn left running below its agent, one line a process (`Leftover.text`)."""

    session: str
    turn: int
    processes: tuple[str, ...]


class FuseBlown(Event, frozen=True, kw_only=True, tag="watchdog:fuse-blown"):
    """So many agents were silent at once that the fault is not theirs: none is ended until `watchdog:fuse-reset`.
    at_work: how many were watched."""

    sessions: tuple[str, ...]
    at_work: int
    why: str


class FuseReset(Event, frozen=True, kw_only=True, tag="watchdog:fuse-reset"):
    why: str
