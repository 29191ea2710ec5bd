"""Tickets that a person must decide: parked by their text, by their agent, by a question. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import queue
from console.core.records import FOUNDATIONAL, Interpretation, Outcome
from console.core.sessions import Session
from console.core.state import State, open_run
from console.core.tickets import Ticket


def claimed(state: State, fact: ev.TicketClaimed) -> Iterator[ev.Fact]:
    t, verdict = state.tickets[fact.ticket], fact.verdict
    if verdict.decision == "PROCEED":
        return
    options = tuple(Interpretation(text=text, source="rule") for text in verdict.options)
    made = ev.DecisionParked(
        decision=next_decision(state),
        ticket=t.ticket,
        foundational=verdict.category in FOUNDATIONAL or t.spec.blast_radius == "foundational",
        why=verdict.why,
        question=verdict.question or f"What exactly is to be done for {t.ticket}?",
        options=options,
        evidence=verdict.evidence,
        category=verdict.category,
        source="rule",
    )
    yield from parked(state, t, made)
    if verdict.decision == "HALT":
        yield ev.RunHalting(run=fact.run, reason=f"{t.ticket}: {verdict.why or 'the settings say HALT for it'}")


def next_decision(state: State) -> str:
    return f"dec-{len(state.decisions) + 1}"


def parked(state: State, t: Ticket, made: ev.DecisionParked) -> Iterator[ev.Fact]:
    yield made
    outcome: Outcome = "PARKED_FOUNDATIONAL" if made.foundational else "PARKED_DECISION"
    yield queue.outcome(state, t, outcome, made.why, decision=made.decision)


def park(state: State, fact: ev.ParkRequested) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    by_person = bool(fact.by and fact.by.via not in ("agent", "next"))
    who = "a person" if by_person else "its agent"
    made = ev.DecisionParked(
        decision=next_decision(state),
        ticket=t.ticket,
        foundational=fact.foundational,
        why=f"{who} asks for a decision",
        question=fact.question,
        options=tuple(Interpretation(text=text, source="agent") for text in fact.options),
        evidence=(*_where(t), *_asked_before(state, t, fact.question)),
        category=t.verdict.category,
        source="nightdesk" if by_person else "agent",
    )
    yield from parked(state, t, made)


def _where(t: Ticket) -> tuple[str, ...]:
    return (f"session {t.session}, attempt {t.attempt}",) if t.session and t.in_flight else ()


def _asked_before(state: State, t: Ticket, question: str) -> tuple[str, ...]:
    """The same question, put again: what was said the last time."""
    before = [d for d in state.decisions.values() if d.ticket == t.ticket and d.question.strip() == question.strip()]
    if not before:
        return ()
    last = before[-1]
    said = f"answered: {last.answer}" if last.answer else f"{last.state} without an answer"
    return (f"asked {len(before)} time(s) before, last in {last.decision}, {said}",)


def asked(state: State, fact: ev.AwaitingInput) -> Iterator[ev.Fact]:
    """Unattended, a question is a park at once: nobody is there to answer it (rulings 14)."""
    t = queue.at_work(state, fact.session)
    run = open_run(state)
    if t and run and run.run == t.run and not run.attended:
        yield from question(state, t, fact.title, tuple(option.name for option in fact.options))


def question(state: State, t: Ticket, title: str, options: tuple[str, ...]) -> Iterator[ev.Fact]:
    made = ev.DecisionParked(
        decision=next_decision(state),
        ticket=t.ticket,
        foundational=False,
        why="its agent asked for a permission, and nobody attends the run",
        question=title or "the agent asks for a permission",
        options=tuple(Interpretation(text=text, source="agent") for text in options),
        evidence=(f"session {t.session}, attempt {t.attempt}",),
        source="question",
    )
    yield from parked(state, t, made)


TRY_AGAIN = "try it again: it is queued anew, and its restarts are counted from the start"
DROP = "drop the ticket"


def given_up(state: State, fact: ev.SessionGivenUp) -> Iterator[ev.Fact]:
    """Its agent broke off more often than the settings allow: no further one is spent on it before a person decides."""
    t = queue.at_work(state, fact.session)
    if not t:
        return
    s = state.sessions[fact.session]
    run = state.runs.get(t.run)
    again = f"{len(t.restarts)} time(s)"
    made = ev.DecisionParked(
        decision=next_decision(state),
        ticket=t.ticket,
        foundational=False,
        why=f"its agent breaks off again and again: {fact.why}",
        question=(
            f"The agent at work on {t.ticket} broke off and was started again {again}, and then once more: {fact.why}. "
            f"What is to become of the ticket? Look first: `nightdesk session show {s.session}`"
        ),
        options=tuple(Interpretation(text=text, source="nightdesk") for text in (TRY_AGAIN, DROP)),
        evidence=tuple(_found(t, s, in_place=bool(run and run.settings.workspace == "in_place"))),
        category=t.verdict.category,
        source="nightdesk",
    )
    yield from parked(state, t, made)


def _found(t: Ticket, s: Session, *, in_place: bool) -> Iterator[str]:
    yield f"session {s.session}, attempt {t.attempt}"
    if in_place:
        yield f"what it had done is taken out of the checkout; `nightdesk snapshot list {s.session}` shows where it is"
    else:
        yield f"what it had done stays in {s.worktree}"
    if s.evidence:
        yield f"what its processes looked like: {s.evidence}"


def answered(state: State, fact: ev.DecisionAnswered) -> Iterator[ev.Fact]:
    """Of a ticket that was given up, one answer is not for the next attempt: there is none."""
    d = state.decisions[fact.decision]
    if d.source == "nightdesk" and fact.choice and d.options[fact.choice - 1].text == DROP:
        yield ev.TicketDropped(ticket=fact.ticket, by=fact.by, note=f"{d.decision}: {d.answer}")
