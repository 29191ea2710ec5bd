"""Which facts of the log are worth telling somebody, and in which words. Pure: the log in, notices out.

Words are ours; of what an agent wrote only its question and reasons go along, on one line, without controls, and cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.core import events as ev
from console.core.notify_settings import NoticeName
from console.core.records import Record
from console.core.state import State

QUESTION, REASON, NAME, TEXT = 300, 300, 80, 300
"""Characters that are kept of what somebody else wrote."""


class Notice(Record, frozen=True, kw_only=True):
    """One thing to tell. seq, at: of the fact it is about. text: one sentence. show: the command that shows it.
    session, sessions: the one that it is about, and all that it concerns. asked: id of the question. webhook: an
    address that is told besides the channels. step: of a routine, from 0."""

    seq: int
    at: float
    name: NoticeName
    text: str
    show: str
    session: str = ""
    sessions: tuple[str, ...] = ()
    label: str = ""
    ticket: str = ""
    policy: str = ""
    plan: str = ""
    decision: str = ""
    alert: str = ""
    run: str = ""
    routine: str = ""
    step: int | None = None
    status: str = ""
    exit_code: int | None = None
    reason: str = ""
    question: str = ""
    asked: str = ""
    awaiting_input: bool = False
    webhook: str = ""


def plain(text: str, limit: int) -> str:
    """Somebody else's text as part of a line of ours: nothing that a terminal obeys or hides, and not too long."""
    seen = "".join(char if char.isprintable() else " " for char in text[: 4 * limit])
    line = " ".join(seen.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}\u2026"


# -- what each fact has to say ---------------------------------------------------------------------------


def _session(state: State, session: str) -> dict[str, Any]:
    s = state.sessions.get(session)
    show = f"nightdesk session show {session}"
    known = {"session": session, "sessions": (session,), "show": show}
    return {**known, "label": plain(s.label, NAME), "ticket": s.ticket} if s else known


def _called(state: State, session: str) -> str:
    s = state.sessions.get(session)
    return plain(s.label, NAME) if s and s.label else session


def _turn_ended(fact: ev.TurnEnded, state: State) -> dict[str, Any]:
    how = "has ended" if fact.ok else f"broke off ({plain(fact.fault or fact.stop, NAME)})"
    said = f"{_called(state, fact.session)}: turn {fact.turn} {how}"
    status = "ok" if fact.ok else plain(fact.fault or fact.stop, NAME)
    return {**_session(state, fact.session), "name": "turn-end", "text": said, "status": status}


def _waits(fact: ev.AwaitingInput, state: State) -> dict[str, Any]:
    return {
        **_session(state, fact.session),
        "name": "awaiting-input",
        "text": f"{_called(state, fact.session)} waits for an answer",
        "question": plain(fact.title, QUESTION),
        "asked": fact.question,
        "awaiting_input": True,
    }


def _exited(fact: ev.Exited, state: State) -> dict[str, Any]:
    how = "was stopped" if fact.stopped else f"has ended ({fact.how})"
    return {
        **_session(state, fact.session),
        "name": "exited",
        "text": f"{_called(state, fact.session)} {how}",
        "status": fact.how,
        "exit_code": fact.code,
        "reason": plain(fact.reason, REASON),
    }


def _hung(fact: ev.SessionHung, state: State) -> dict[str, Any]:
    said = f"{_called(state, fact.session)} hangs and is ended ({fact.cause})"
    why = plain(fact.why, REASON)
    return {**_session(state, fact.session), "name": "hung", "text": said, "status": fact.cause, "reason": why}


def _given_up(fact: ev.SessionGivenUp, state: State) -> dict[str, Any]:
    said = f"{_called(state, fact.session)} is not started again: a person decides"
    why = plain(fact.why, REASON)
    return {**_session(state, fact.session), "name": "given-up", "text": said, "status": fact.cause, "reason": why}


def _policy(state: State, policy: str) -> dict[str, Any]:
    p = state.policies.get(policy)
    if p is None:
        return {"policy": policy}
    first = p.spec.sessions[0] if len(p.spec.sessions) == 1 else ""
    label = _called(state, first) if first else ""
    known = {"policy": policy, "sessions": p.spec.sessions, "session": first, "label": label}
    return {**known, "ticket": p.spec.ticket}


def _plan_waits(fact: ev.PolicyCommitReady, state: State) -> dict[str, Any]:
    known = _policy(state, fact.policy)
    frozen = fact.frozen
    size = f"{len(fact.paths)} file(s), +{frozen.added} -{frozen.removed}"
    what = known.get("ticket") or known.get("label") or fact.policy
    return {
        **known,
        "name": "awaiting-ack",
        "text": f"a plan waits for you: {what} ({size})",
        "plan": fact.plan,
        "show": f"nightdesk plan show {fact.plan[:12]}",
    }


def _blocked(fact: ev.PolicyBlocked, state: State) -> dict[str, Any] | None:
    known = _policy(state, fact.policy)
    if known.get("ticket"):  # its ticket's end tells
        return None
    return {
        **known,
        "name": "blocked",
        "text": f"{fact.policy} ({known.get('label') or 'several sessions'}) is blocked: a person decides",
        "reason": plain(fact.reason, REASON),
        "show": f"nightdesk policy status {fact.policy}",
    }


_ENDS: dict[str, tuple[NoticeName, str]] = {
    "BLOCKED_ENV": ("blocked", "is blocked"),
    "FAILED_BUG_IN_AGENT": ("given-up", "has used up its attempts"),
}


def _ticket_ended(fact: ev.TicketEnded, state: State) -> dict[str, Any] | None:
    if fact.outcome not in _ENDS:
        return None
    name, words = _ENDS[fact.outcome]
    known = _of_ticket(state, fact.ticket)
    status, why = fact.outcome, plain(fact.why, REASON)
    return {**known, "name": name, "text": f"{fact.ticket} {words}", "status": status, "reason": why, "run": fact.run}


def _of_ticket(state: State, ticket: str) -> dict[str, Any]:
    t = state.tickets.get(ticket)
    known: dict[str, Any] = {"ticket": ticket, "show": f"nightdesk ticket show {ticket}"}
    if t and t.session:
        known |= {"session": t.session, "sessions": (t.session,), "label": _called(state, t.session)}
    return known


def _parked(fact: ev.DecisionParked, state: State) -> dict[str, Any] | None:
    if fact.source == "rejected":  # a person has just done it
        return None
    return {
        **_of_ticket(state, fact.ticket),
        "name": "parked",
        "text": f"{fact.ticket} is parked: it wants a decision",
        "question": plain(fact.question, QUESTION),
        "reason": plain(fact.why, REASON),
        "status": "PARKED_FOUNDATIONAL" if fact.foundational else "PARKED_DECISION",
        "decision": fact.decision,
        "show": f"nightdesk decision show {fact.decision}",
    }


def _fuse(fact: ev.FuseBlown, _state: State) -> dict[str, Any]:
    said = f"{len(fact.sessions)} of {fact.at_work} agents were silent at once; none of them is ended"
    return {"name": "fuse", "text": said, "reason": plain(fact.why, REASON), "show": "nightdesk status"}


def _degraded(fact: ev.SupervisorDegraded, _state: State) -> dict[str, Any]:
    said = f"{fact.kind} is short: nothing new is started"
    why = plain(fact.why, REASON)
    return {"name": "degraded", "text": said, "status": fact.kind, "reason": why, "show": "nightdesk doctor"}


def _alert(fact: ev.RepositoryChanged, _state: State) -> dict[str, Any]:
    said = f"the git dir is not as you left it: {len(fact.changes)} change(s)"
    show = f"nightdesk alert show {fact.alert}"
    return {"name": "alert", "text": said, "alert": fact.alert, "session": fact.session, "show": show}


def _chained(state: State, root: str, plan: str) -> dict[str, Any]:
    """Whoever worked on the plan of a chain, and on what it began with."""
    p, known = state.plans.get(plan), _of_ticket(state, root)
    sessions = (*known.get("sessions", ()), *(p.sessions if p else ()))
    return {**known, "plan": plan, "sessions": tuple(dict.fromkeys(sessions))}


def _escalated(fact: ev.ChainEscalated, state: State) -> dict[str, Any]:
    return {
        **_chained(state, fact.root, fact.plan),
        "name": "escalated",
        "text": f"the reviews of {fact.root} go no further: a person decides",
        "reason": plain(fact.why, REASON),
    }


def _shipped(fact: ev.ChainShipped, state: State) -> dict[str, Any]:
    return {
        **_chained(state, fact.root, fact.plan),
        "name": "shipped",
        "text": f"{fact.root} was reviewed and is ready for you",
        "show": f"nightdesk plan show {fact.plan[:12]}",
    }


def _run_started(fact: ev.RunStarted, state: State) -> dict[str, Any]:
    queued = sum(1 for t in state.tickets.values() if t.phase == "queued")
    return {
        "name": "run-started",
        "text": f"a run begins: {queued} queued",
        "run": fact.run,
        "show": "nightdesk status",
    }


def _run_ended(fact: ev.RunEnded, state: State) -> dict[str, Any]:
    run = state.runs.get(fact.run)
    waited = ""
    if run and run.left:
        plans, asked, held = run.left
        more = f"; {held} ticket(s) were held until you look at them" if held else ""
        waited = f"; {plans} plan(s) and {asked} decision(s) then waited for you{more}"
    return {
        "name": "run-ended",
        "text": f"the run has ended: {fact.status}{waited}",
        "run": fact.run,
        "status": fact.status,
        "reason": plain(fact.why, REASON),
        "show": f"nightdesk report --run {fact.run}",
    }


def _routine(state: State, routine: str) -> str:
    r = state.routines.get(routine)
    return f"{routine} ({plain(r.spec.name, NAME)})" if r else routine


def _asks(fact: ev.RoutineEscalated, state: State) -> dict[str, Any]:
    known = _session(state, fact.session) if fact.session else {}
    return {
        **known,
        "name": "routine-escalated",
        "text": f"routine {_routine(state, fact.routine)} asks you, at step {fact.step + 1}",
        "routine": fact.routine,
        "step": fact.step,
        "question": plain(fact.title, QUESTION),
        "asked": fact.question,
        "awaiting_input": True,
        "webhook": fact.webhook,
        "show": f"nightdesk routine status {fact.routine}",
    }


def _routine_ended(fact: ev.RoutineEnded, state: State) -> dict[str, Any]:
    return {
        "name": "routine-ended",
        "text": f"routine {_routine(state, fact.routine)} has ended: {fact.status}",
        "routine": fact.routine,
        "status": fact.status,
        "reason": plain(fact.why, REASON),
        "show": f"nightdesk routine status {fact.routine}",
    }


_SAYS: dict[type[ev.Event], Callable[[Any, State], dict[str, Any] | None]] = {
    ev.TurnEnded: _turn_ended,
    ev.AwaitingInput: _waits,
    ev.Exited: _exited,
    ev.SessionHung: _hung,
    ev.SessionGivenUp: _given_up,
    ev.PolicyCommitReady: _plan_waits,
    ev.PolicyBlocked: _blocked,
    ev.TicketEnded: _ticket_ended,
    ev.DecisionParked: _parked,
    ev.FuseBlown: _fuse,
    ev.SupervisorDegraded: _degraded,
    ev.RepositoryChanged: _alert,
    ev.ChainEscalated: _escalated,
    ev.ChainShipped: _shipped,
    ev.RunStarted: _run_started,
    ev.RunEnded: _run_ended,
    ev.RoutineEscalated: _asks,
    ev.RoutineEnded: _routine_ended,
}


def may_tell(fact: ev.Fact) -> bool:
    """Whether anybody could want to hear of a fact of this kind; cheap."""
    return type(fact) in _SAYS


def notice(entry: ev.Logged, state: State) -> Notice | None:
    """What there is to tell about one entry. state: at that entry or later; only names and numbers come from it."""
    says = _SAYS.get(type(entry.fact))
    said = says(entry.fact, state) if says else None
    if not said:
        return None
    # Names are somebody else's, too.
    ours = {key: plain(said[key], TEXT) for key in ("text", "show")}
    return Notice(seq=entry.seq, at=entry.at, **{**said, **ours})
