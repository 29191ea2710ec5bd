"""One parked decision: a question that only a person can answer, and what was answered. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Category, Interpretation, Record, Refused, Who


class Parked(Record, frozen=True, kw_only=True):
    """state: open, answered (work on it may have begun), closed (nothing is left to decide; see `reason`)."""

    decision: str
    ticket: str
    foundational: bool
    why: str
    question: str
    at: float
    seq: int
    state: Literal["open", "answered", "closed"] = "open"
    options: tuple[Interpretation, ...] = ()
    evidence: tuple[str, ...] = ()
    category: Category = ""
    source: str = "rule"
    choice: int = 0
    text: str = ""
    by: Who | None = None
    answered_at: float = 0.0
    reason: str = ""

    @property
    def answer(self) -> str:
        """What the next attempt is told."""
        chosen = self.options[self.choice - 1].text if self.choice else ""
        return "; ".join(part for part in (chosen, self.text) if part)


def parked(fact: ev.DecisionParked, seq: int, at: float) -> Parked:
    return Parked(
        decision=fact.decision,
        ticket=fact.ticket,
        foundational=fact.foundational,
        why=fact.why,
        question=fact.question,
        at=at,
        seq=seq,
        options=fact.options,
        evidence=fact.evidence,
        category=fact.category,
        source=fact.source,
    )


def fold(d: Parked, fact: ev.Fact, at: float) -> Parked:
    match fact:
        case ev.DecisionAnswered():
            return replace(d, state="answered", choice=fact.choice, text=fact.text, by=fact.by, answered_at=at)
        case ev.DecisionReopened():
            return replace(d, state="open", choice=0, text="", by=None, answered_at=0.0)
        case ev.DecisionClosed():
            return replace(d, state="closed", reason=fact.reason)
        case _:
            return d


def answerable(d: Parked, choice: int, text: str) -> Refused | None:
    """None when this answer can be taken, else why not and what can."""
    if d.state != "open":
        return Refused(reason=f"{d.decision} is {d.state} already; `nightdesk decision show {d.decision}` tells how")
    if not choice and not text.strip():
        return Refused(reason=f"{d.decision} wants an answer: one of its {len(d.options)} readings, or a text")
    if choice and not 1 <= choice <= len(d.options):
        offered = f"1 to {len(d.options)}" if d.options else "none: answer with a text"
        return Refused(reason=f"{d.decision} has no reading {choice}; there is {offered}")
    return None
