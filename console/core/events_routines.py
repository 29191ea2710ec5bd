"""Facts about routines. Each step's own intents and outcomes are what its sessions say; these tie them together."""

from __future__ import annotations

from typing import Literal

from console.core.event import Event
from console.core.records import Option, Who
from console.core.records_routines import RoutineSpec

RoutineStatus = Literal["done", "failed", "cancelled"]


class RoutineStarted(Event, frozen=True, kw_only=True, tag="routine:started"):
    routine: str
    spec: RoutineSpec
    by: Who


class RoutineStepBegun(Event, frozen=True, kw_only=True, tag="routine:step-begun"):
    """Told after its own `session:added` and `session:prompted`, in one go with them. sessions: the routine's name ->
    id of the sessions that begin with it. prompted: ids that it gave something to do, those among them. since: of each
    session that it waits for (id), the log position from which a turn's end counts."""

    routine: str
    step: int
    sessions: dict[str, str] = {}
    prompted: tuple[str, ...] = ()
    since: dict[str, int] = {}


class RoutineAnswered(Event, frozen=True, kw_only=True, tag="routine:answered"):
    """A waiting session of the step was answered by the routine itself."""

    routine: str
    step: int
    session: str
    question: str = ""
    said: str = ""


class RoutineEscalated(Event, frozen=True, kw_only=True, tag="routine:escalated"):
    """A person is asked, until `until` (Unix seconds). session: the one that waits, "" for the step itself. webhook:
    called besides the channels of the settings."""

    routine: str
    step: int
    title: str
    until: float
    session: str = ""
    question: str = ""
    options: tuple[Option, ...] = ()
    webhook: str = ""


class RoutineResolved(Event, frozen=True, kw_only=True, tag="routine:resolved"):
    """A person's word on an escalation: go on (with this response), or not. session: that is given the response, ""
    for none. over: why the question is no more, when nobody gave the routine a word."""

    routine: str
    step: int
    approve: bool
    by: Who
    response: str = ""
    session: str = ""
    over: str = ""


class RoutineExpired(Event, frozen=True, kw_only=True, tag="routine:expired"):
    """Nobody answered the escalation of this step in time. asked: log position of the escalation."""

    routine: str
    step: int
    asked: int


class RoutineStepDone(Event, frozen=True, kw_only=True, tag="routine:step-done"):
    routine: str
    step: int


class RoutineEnded(Event, frozen=True, kw_only=True, tag="routine:ended"):
    routine: str
    status: RoutineStatus
    why: str = ""
    by: Who | None = None
