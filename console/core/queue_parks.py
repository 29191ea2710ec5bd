"""Tickets that a person must decide: parked by their text, by their agent, by a question. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import queue
from console.core.decisions import Parked
from console.core.records import FOUNDATIONAL, Interpretation, Option, Outcome
from console.core.sessions import Question, Session
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
    s = state.sessions.get(t.session)
    if s and s.question and not fact.by and _is_of(s.question, fact):  # nobody answered it in time
        yield from question(state, t, s, s.question.title, s.question.options)
        return
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
        yield from question(state, t, state.sessions[fact.session], fact.title, fact.options)


def _is_of(question: Question, fact: ev.ParkRequested) -> bool:
    names = tuple(option.name for option in question.options)
    return (fact.question, fact.options) == (question.title or NO_TITLE, names)


NO_TITLE = "the agent asks for a permission"
WITHOUT = "do it without that: the permission is not given"


def question(state: State, t: Ticket, s: Session, title: str, options: tuple[Option, ...]) -> Iterator[ev.Fact]:
    """What an agent asked over its protocol. Its process is ended, so an answer reaches the next attempt in words only:
    of a permission, the choices that the agent offered are none here, as no word of a person can grant it. (A title
    does not say all of what would be done; a later request under the same title may be for something else.)"""
    asked, run = title or NO_TITLE, open_run(state)
    before = _last_asked(state, t, asked)
    if any(option.kind.startswith(("allow", "reject")) for option in options):
        readings = tuple(Interpretation(text=text, source="nightdesk") for text in (WITHOUT, _raised(s), DROP))
        evidence = _no_grant(state, s, options, before)
        again = f"asked again for the permission of {before.decision}" if before else "asked for a permission"
        why = f"its agent {again}, which its level does not give it by itself"
    else:
        readings = tuple(Interpretation(text=option.name, source="agent") for option in options)
        evidence = _asked_before(state, t, asked)
        why = "its agent asked a question"
    made = ev.DecisionParked(
        decision=next_decision(state),
        ticket=t.ticket,
        foundational=False,
        why=f"{why}, and {'nobody answered in time' if run and run.attended else 'nobody attends the run'}",
        question=asked,
        options=readings,
        evidence=(f"session {t.session}, attempt {t.attempt}", *evidence),
        source="question",
    )
    yield from parked(state, t, made)


def _last_asked(state: State, t: Ticket, question: str) -> Parked | None:
    same = (d for d in state.decisions.values() if (d.ticket, d.source, d.question) == (t.ticket, "question", question))
    return next(reversed(list(same)), None)


def _raised(s: Session) -> str:
    return f"it may do that now: I have raised its level in presets.{s.preset or 'NAME'}"


def _no_grant(state: State, s: Session, options: tuple[Option, ...], before: Parked | None) -> tuple[str, ...]:
    """What an answer can do here and what it cannot, and what would let the agent do it."""
    if before:
        said = f"answered “{before.answer}”" if before.answer else f"{before.state} without an answer"
        first = (
            f"the same question as {before.decision}, {said}: an answer does not let the agent do it"
            f"{_as_then(state, s, before)}"
        )
    else:
        first = "an answer is told to the next attempt; by itself it does not let the agent do it"
    offered = ", ".join(option.name for option in options)
    return (
        first,
        f"to let it: raise `autonomy` (or change the agent's own arguments) in presets.{s.preset or 'NAME'} of "
        ".nightdesk/config.yaml, `nightdesk trust`, answer, run again",
        f"to be asked while the agent waits (it offered: {offered}): `nightdesk run --attended`",
    )


def _as_then(state: State, s: Session, before: Parked) -> str:
    """Whether it is started as it was when it asked before."""
    names = [line.removeprefix("session ").split(",")[0] for line in before.evidence if line.startswith("session ")]
    earlier = state.sessions.get(names[0]) if names else None
    same = earlier is not None and (earlier.preset, earlier.launch) == (s.preset, s.launch)
    return f", and presets.{s.preset or 'NAME'} starts it as it did then" if same else ""


TRY_AGAIN = "try it again: it is queued anew, and its restarts are counted from the start"
DROP = "drop the ticket"


def given_up(state: State, fact: ev.SessionGivenUp) -> Iterator[ev.Fact]:
    """Its agent broke off more often than the settings allow: no further one is spent on it before a person decides."""
    t = queue.at_work(state, fact.session)
    if not t:
        return
    s = state.sessions[fact.session]
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
        evidence=tuple(_found(t, s, in_place=queue.in_checkout(state, t))),
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
    """One answer of ours is not for the next attempt: there is none."""
    d = state.decisions[fact.decision]
    chosen = d.options[fact.choice - 1] if fact.choice else None
    if chosen and chosen.source == "nightdesk" and chosen.text == DROP:
        yield ev.TicketDropped(ticket=fact.ticket, by=fact.by, note=f"{d.decision}: {d.answer}")
