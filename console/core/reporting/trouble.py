"""What hung, crashed, was started again or outlived its agent during a run, and when the night stood still. Pure; read
from the log, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from console.core import events as ev
from console.core.reporting.records import Left, Restarted, Standing, Standstill
from console.core.state import State

TYPES = (
    ev.SupervisorStarted,
    ev.SupervisorAway,
    ev.SupervisorDegraded,
    ev.SupervisorRecovered,
    ev.SessionHung,
    ev.SessionRestarting,
    ev.SessionGivenUp,
    ev.FuseBlown,
    ev.FuseReset,
    ev.Exited,
)
"""The kinds of facts that are read here."""


@dataclass(slots=True)
class Broken:
    """Of one session."""

    causes: list[ev.RestartCause] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    why: str = ""
    evidence: str = ""
    given_up: str = ""


@dataclass(slots=True)
class Trouble:
    """left: (session, process, whether it could not be ended). seen_at: of the entry before, Unix seconds."""

    broken: dict[str, Broken] = field(default_factory=dict)
    left: list[tuple[str, str, bool]] = field(default_factory=list)
    standstills: list[Standstill] = field(default_factory=list)
    seen_at: float = 0.0

    def look(self, fact: ev.Fact, at: float, *, another: bool) -> None:
        """another: a supervisor that starts now is not the run's first one."""
        match fact:
            case ev.SupervisorStarted():
                for each in self.standstills:  # it looks for itself
                    self._over(each.what, at)
                if another:
                    text = f"pid {fact.pid} on {fact.host}"
                    before = min(self.seen_at or at, at)
                    self.standstills.append(Standstill(what="takeover", at=before, until=at, text=text))
            case ev.SupervisorAway():
                self.standstills.append(Standstill(what="away", at=at - fact.seconds, until=at))
            case ev.SupervisorDegraded():
                self.standstills.append(Standstill(what=fact.kind, at=at, text=fact.why))
            case ev.SupervisorRecovered():
                self._over(fact.kind, at)
            case ev.FuseBlown():
                text = f"{len(fact.sessions)} of {fact.at_work} ({', '.join(fact.sessions)}): {fact.why}"
                self.standstills.append(Standstill(what="together", at=at, text=text))
            case ev.FuseReset():
                self._over("together", at)
            case _:
                self._of_session(fact, at)
        self.seen_at = at

    def _of_session(self, fact: ev.Fact, at: float) -> None:
        match fact:
            case ev.SessionHung():
                self._broken(fact.session).evidence = fact.evidence
            case ev.SessionRestarting():
                broken = self._broken(fact.session)
                broken.causes.append(fact.cause)
                broken.times.append(at)
                broken.why, broken.given_up = fact.why, ""
            case ev.SessionGivenUp():
                broken = self._broken(fact.session)
                broken.causes.append(fact.cause)
                broken.given_up = fact.why
            case ev.Exited():
                self.left += [(fact.session, text, False) for text in fact.leftovers]
                if fact.how == "unkillable":
                    self.left.append((fact.session, fact.reason, True))
            case _:
                pass

    def _broken(self, session: str) -> Broken:
        return self.broken.setdefault(session, Broken())

    def _over(self, what: Standing, at: float) -> None:
        for i in [i for i, each in enumerate(self.standstills) if each.what == what and not each.until]:
            self.standstills[i] = replace(self.standstills[i], until=at)


def restarted(state: State, trouble: Trouble) -> Iterator[Restarted]:
    """Those that were given up first, then by how often."""
    listed = [(s, b) for s, b in trouble.broken.items() if b.causes]
    for session, b in sorted(listed, key=lambda each: (not each[1].given_up, -len(each[1].times))):
        yield Restarted(
            session=session,
            about=about(state, session),
            causes=tuple(b.causes),
            times=tuple(b.times),
            why=b.why,
            evidence=b.evidence,
            given_up=b.given_up,
        )


def left(state: State, trouble: Trouble) -> Iterator[Left]:
    """What could not be ended first."""
    for session, text, stuck in sorted(trouble.left, key=lambda each: not each[2]):
        yield Left(session=session, about=about(state, session), text=text, stuck=stuck)


def about(state: State, session: str) -> str:
    s = state.sessions.get(session)
    return s.ticket or session if s else session
