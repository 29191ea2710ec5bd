"""One alert: something in the git dir that is no longer as the operator left it. Knows nothing of git."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Record, Refused, RepoChange, Severity

AlertState = Literal["open", "answered", "settled"]
"""answered: a person chose, the supervisor is to do it. settled: adopted, restored, or gone by itself."""

LOUD: frozenset[Severity] = frozenset({"runs", "lies", "moved", "lock"})
"""What makes an alert; a note alone does not."""
BLOCKING: frozenset[Severity] = frozenset({"runs", "lies"})
"""What holds every approval until a person has answered (facts: git 3.4)."""


UNDER_ALERT = "judged-under-alert"
"""The rule of the finding that a plan carries when it was judged while an alert held approvals."""


class Alert(Record, frozen=True, kw_only=True):
    """session, turn: whose turn it was seen after ("" and 0: nobody's). request: log position of the answer."""

    alert: str
    when: str
    changes: tuple[RepoChange, ...]
    baseline: str
    seen: str
    at: float
    session: str = ""
    turn: int = 0
    state: AlertState = "open"
    action: str = ""
    request: int = 0
    outcome: str = ""
    notes: tuple[str, ...] = ()
    changed_at: float = 0.0

    @property
    def blocks(self) -> bool:
        """Whether it holds approvals."""
        return self.state != "settled" and any(change.severity in BLOCKING for change in self.changes)


def opened(fact: ev.RepositoryChanged, before: Alert | None, at: float) -> Alert:
    """A new alert, or the open one with what is true now."""
    first = before.at if before and before.state != "settled" else at
    return Alert(
        alert=fact.alert,
        when=fact.when,
        changes=fact.changes,
        baseline=fact.baseline,
        seen=fact.seen,
        session=fact.session,
        turn=fact.turn,
        at=first,
        changed_at=at,
    )


def fold(a: Alert, fact: ev.Fact, seq: int, at: float) -> Alert:
    """The alert after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.AlertAnswered():
            return replace(a, state="answered", action=fact.action, request=seq, changed_at=at)
        case ev.AlertSettled(outcome="failed"):
            return replace(a, state="open", notes=fact.notes, changed_at=at)
        case ev.AlertSettled():
            return replace(a, state="settled", outcome=fact.outcome, notes=fact.notes, changed_at=at)
        case _:
            return a


def answerable(a: Alert) -> Refused | None:
    """None when a person may adopt or restore, else why not."""
    if a.state == "open":
        return None
    done = f"is {a.outcome} already" if a.state == "settled" else f"is being answered ({a.action})"
    return Refused(reason=f"{a.alert} {done}")


def loud(changes: tuple[RepoChange, ...]) -> tuple[RepoChange, ...]:
    """Those that a person must see, the gravest first."""
    order: list[Severity] = ["runs", "lies", "moved", "lock"]
    return tuple(sorted((c for c in changes if c.severity in LOUD), key=lambda c: order.index(c.severity)))


def sentence(a: Alert) -> str:
    """What changed, in one line."""
    first = a.changes[0].item if a.changes else "nothing"
    more = f" and {len(a.changes) - 1} more" if len(a.changes) > 1 else ""
    return f"{first}{more} changed in the git dir"
