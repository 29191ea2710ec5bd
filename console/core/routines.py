"""One routine: its record and how facts change it. Knows nothing of sessions."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Option, Record, Who
from console.core.records_routines import RoutineSpec

Status = Literal["running", "escalated", "done", "failed", "cancelled"]


class Routine(Record, frozen=True, kw_only=True):
    """step: the one it is at, from 0. sessions: the routine's name -> id. since: log position from which turn ends
    count for this step. asked, until, title, session, question, options: of the open escalation."""

    routine: str
    spec: RoutineSpec
    by: Who
    started_at: float
    changed_at: float
    status: Status = "running"
    step: int = 0
    begun: bool = False
    sessions: dict[str, str] = {}
    since: int = 0
    asked: int = 0
    until: float = 0.0
    title: str = ""
    session: str = ""
    question: str = ""
    options: tuple[Option, ...] = ()
    why: str = ""
    ended_at: float = 0.0


def started(fact: ev.RoutineStarted, seq: int, at: float) -> Routine:
    return Routine(routine=fact.routine, spec=fact.spec, by=fact.by, started_at=at, changed_at=at, since=seq)


def fold(r: Routine, fact: ev.Fact, seq: int, at: float) -> Routine:
    """The routine after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.RoutineStepBegun():
            sessions = {**r.sessions, **fact.sessions}
            r = replace(r, step=fact.step, begun=True, sessions=sessions, since=fact.since)
        case ev.RoutineEscalated():
            r = replace(r, status="escalated", asked=seq, until=fact.until, title=fact.title)
            r = replace(r, session=fact.session, question=fact.question, options=fact.options)
        case ev.RoutineResolved():
            r = replace(r, status="running", asked=0, until=0.0, title="", session="", question="", options=())
        case ev.RoutineStepDone():
            r = replace(r, step=fact.step + 1, begun=False)
        case ev.RoutineEnded():
            r = replace(r, status=fact.status, why=fact.why, ended_at=at)
        case _:
            return r
    return replace(r, changed_at=at)
