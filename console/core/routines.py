"""One routine: its record and how facts change it. Knows nothing of sessions."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Option, Record, Who
from console.core.records_routines import RoutineSpec, Step

Status = Literal["running", "escalated", "done", "failed", "cancelled"]
OPEN: frozenset[Status] = frozenset({"running", "escalated"})
ANSWERS = 20
"""Automatic answers in one step; a session that asks once more is not asking for leave any longer."""


class Routine(Record, frozen=True, kw_only=True):
    """step: the one it is at, from 0; begun: its sessions have been told. sessions: the routine's name -> id. since: of
    each session that the step waits for (id), the log position from which a turn's end counts. told: id -> log position
    where the routine last gave it something to do. answers: automatic ones in this step. granted: a person has approved
    the step. asked, until, title, session, question, options: of the open escalation."""

    routine: str
    spec: RoutineSpec
    by: Who
    started_at: float
    changed_at: float
    status: Status = "running"
    step: int = 0
    begun: bool = False
    sessions: dict[str, str] = {}
    since: dict[str, int] = {}
    told: dict[str, int] = {}
    answers: int = 0
    granted: bool = False
    asked: int = 0
    until: float = 0.0
    title: str = ""
    session: str = ""
    question: str = ""
    options: tuple[Option, ...] = ()
    why: str = ""
    ended_at: float = 0.0

    @property
    def open(self) -> bool:
        return self.status in OPEN

    @property
    def now(self) -> Step | None:
        """The step it is at, None behind the last one."""
        return self.spec.steps[self.step] if self.step < len(self.spec.steps) else None

    def id_of(self, name: str) -> str:
        """The session that a step calls by this name."""
        return self.sessions.get(name, name)

    def members(self, step: Step) -> tuple[str, ...]:
        """Ids of the sessions that a step has begun with, prompts or waits for, each once."""
        names = (*(one.name for one in step.start), *step.prompts, *step.wait_for)
        return tuple(dict.fromkeys(map(self.id_of, names)))


def started(fact: ev.RoutineStarted, seq: int, at: float) -> Routine:
    return Routine(routine=fact.routine, spec=fact.spec, by=fact.by, started_at=at, changed_at=at)


def fold(r: Routine, fact: ev.Fact, seq: int, at: float) -> Routine:
    """The routine after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.RoutineStepBegun():
            told = r.told | dict.fromkeys((*fact.sessions.values(), *fact.prompted), seq)
            sessions = r.sessions | fact.sessions
            r = replace(r, step=fact.step, begun=True, sessions=sessions, since=fact.since, told=told)
        case ev.RoutineAnswered():
            r = replace(r, answers=r.answers + 1)
        case ev.RoutineEscalated():
            r = replace(r, status="escalated", asked=seq, until=fact.until, title=fact.title)
            r = replace(r, session=fact.session, question=fact.question, options=fact.options)
        case ev.RoutineResolved():
            granted = r.granted or (fact.approve and not fact.over and not r.session)
            r = replace(_asks_nobody(r), status="running", granted=granted)
        case ev.RoutineStepDone():
            r = replace(r, step=fact.step + 1, begun=False, since={}, answers=0, granted=False)
        case ev.RoutineEnded():
            r = replace(_asks_nobody(r), status=fact.status, why=fact.why, ended_at=at)
        case _:
            return r
    return replace(r, changed_at=at)


def _asks_nobody(r: Routine) -> Routine:
    return replace(r, asked=0, until=0.0, title="", session="", question="", options=())
