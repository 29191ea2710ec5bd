"""One ticket of the queue: its record, its states and how facts change it. Knows nothing of files, sessions or runs."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core import restart_limits
from console.core.records import Outcome, Record, TextVerdict, TicketSpec
from console.core.records_chains import Link, Review

Phase = Literal["queued", "claimed", "working", "judging", "waiting", "retrying", "ended", "dropped", "gone"]
"""claimed: its worktree is being made. working: its session is at a turn. judging: its gate runs. waiting: for the end
of a usage limit. retrying: an attempt failed and its work is being rolled back. gone: its file is not there."""

IN_FLIGHT: frozenset[Phase] = frozenset({"claimed", "working", "judging", "waiting", "retrying"})

DONE: frozenset[Outcome] = frozenset({"DONE", "DONE_LOW_CONFIDENCE"})
PARKED: frozenset[Outcome] = frozenset({"PARKED_DECISION", "PARKED_FOUNDATIONAL"})
OVER: frozenset[Phase] = frozenset({"ended", "dropped", "gone"})
"""Nobody works on it, and nobody is going to by itself."""
FAILED: frozenset[Outcome] = frozenset({"FAILED_RETRYABLE", "FAILED_BUG_IN_AGENT"})


class Failure(Record, frozen=True, kw_only=True):
    """One attempt that failed. kept: the snapshot that holds its work, "" when there is none."""

    attempt: int
    cause: str
    why: str
    signature: str = ""
    output: str = ""
    kept: str = ""


class Ticket(Record, frozen=True, kw_only=True):
    """held: why a person must look first, "" when not. pinned: digest of the text that the attempt under way works on.
    attempts: that count (of this round in the queue). outcome, why, flags, plan, decision: of the last end. answers:
    what people said about it, oldest first. reopens: the decision whose answer can still be taken back. waits: how
    often it met a usage limit. stalls, stalled: how often it met an overloaded provider, and the seconds it has waited
    for it in all. limited: it waits for the end of a usage limit. order: log position of its first sight.
    restarts: when its agents were started again in this round in the queue, whatever the attempt (Unix seconds).
    link: of a review or repair, which has no file. review: what its reviewer said last. rounds: how often a person sent
    it back to the queue. shipped: the plan of it whose review said SHIP; escalated: why its chain went no further."""

    ticket: str
    file: str
    digest: str
    stamp: str
    spec: TicketSpec
    verdict: TextVerdict
    phase: Phase = "queued"
    held: str = ""
    order: int = 0
    since: float = 0.0
    run: str = ""
    holder: str = ""
    pinned: str = ""
    attempt: int = 0
    attempts: int = 0
    failures: tuple[Failure, ...] = ()
    session: str = ""
    sessions: tuple[str, ...] = ()
    policy: str = ""
    worktree: str = ""
    branch: str = ""
    base: str = ""
    place: str = ""
    stacked_on: tuple[str, ...] = ()
    overdue: bool = False
    until: float = 0.0
    waits: int = 0
    stalls: int = 0
    stalled: float = 0.0
    limited: bool = False
    outcome: Outcome | None = None
    before: Outcome | None = None
    why: str = ""
    flags: tuple[str, ...] = ()
    plan: str = ""
    decision: str = ""
    answers: tuple[str, ...] = ()
    dropped: bool = False
    reopens: str = ""
    begun_at: float = 0.0
    ended_at: float = 0.0
    restarts: tuple[float, ...] = ()
    link: Link | None = None
    review: Review | None = None
    rounds: int = 0
    shipped: str = ""
    escalated: str = ""

    @property
    def in_flight(self) -> bool:
        return self.phase in IN_FLIGHT


def seen(fact: ev.TicketSeen, before: Ticket | None, seq: int, at: float) -> Ticket:
    """A new ticket, or a known one with its present text. What is under way stays pinned to the text it was claimed
    with; a ticket that had ended stays ended until somebody requeues it."""
    if before is None:
        return Ticket(
            ticket=fact.ticket,
            file=fact.file,
            digest=fact.digest,
            stamp=fact.stamp,
            spec=fact.spec,
            verdict=fact.verdict,
            held=fact.held,
            order=seq,
            since=at,
        )
    held = fact.held if fact.digest != before.digest else before.held
    phase = before.phase
    if phase == "gone":  # its file is back: it is what it was before
        phase = "dropped" if before.dropped else "ended" if before.outcome else "queued"
    return replace(
        before,
        file=fact.file,
        digest=fact.digest,
        stamp=fact.stamp,
        spec=fact.spec,
        verdict=fact.verdict,
        held=held,
        phase=phase,
    )


def spawned(fact: ev.ChainSpawned, seq: int, at: float) -> Ticket:
    """A review or repair, which is queued from the start. A plus is in no id of a ticket that has a file."""
    return Ticket(
        ticket=fact.ticket,
        file="",
        digest="",
        stamp="",
        spec=fact.spec,
        verdict=TextVerdict(rule="chain", why=fact.why),
        link=fact.link,
        order=seq,
        since=at,
    )


def fold(t: Ticket, fact: ev.Fact, seq: int, at: float) -> Ticket:
    """The ticket after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.TicketGone():
            t = replace(t, phase="gone") if not t.in_flight else t
        case ev.TicketReleased() if fact.digest == t.digest:
            t = replace(t, held="")
        case ev.TicketDropped():
            t = replace(t, phase="dropped", held="", why=fact.note, dropped=True)
        case ev.TicketRequeued():
            fresh = _fresh(t, fact.note)
            # By the queue itself: the next attempt is told what went wrong, and what broke off still counts.
            own = fact.by.via == "queue"
            kept = replace(fresh, failures=t.failures, restarts=t.restarts) if own else fresh
            t = kept if own and not t.plan else _anew(kept)
        case ev.TicketClaimed():
            t = _claimed(t, fact)
        case ev.TicketBegun():
            t = _begun(t, fact, at)
        case ev.TicketOverdue():
            return replace(t, overdue=True, why=f"its turn took longer than {fact.limit:g} s")
        case ev.TicketWaiting():
            t = replace(t, phase="waiting", until=fact.until, why=fact.why)
        case ev.TicketWoken():
            t = replace(t, phase="working", until=0.0, why="", limited=False)
        case ev.TicketAttemptFailed():
            t = _failed(t, fact)
        case ev.TicketBack():
            t = replace(t, phase="queued", holder="")
        case ev.TicketEnded():
            t = _ended(t, fact, at)
        case ev.DecisionAnswered():
            t = replace(_anew(_fresh(t, "")), reopens=fact.decision)
        case ev.ReviewJudged():
            return replace(t, review=fact.review)
        case ev.DecisionReopened():
            t = replace(t, phase="ended", outcome=t.before, answers=t.answers[:-1], decision=fact.decision, reopens="")
        case _:
            return t
    return replace(t, since=at)


def kept(t: Ticket, snapshot: str) -> Ticket:
    """The work of its failed attempt was rolled back; the snapshot holds it."""
    if t.phase != "retrying" or not t.failures:
        return t
    return replace(t, failures=(*t.failures[:-1], replace(t.failures[-1], kept=snapshot)))


def waits(t: Ticket, fact: ev.TicketWaiting, at: float, *, overload: bool) -> Ticket:
    """What it waits for, counted."""
    if overload:
        return replace(t, stalls=t.stalls + 1, stalled=t.stalled + max(0.0, fact.until - at), limited=False)
    return replace(t, waits=t.waits + 1, limited=True)


def broke_off(t: Ticket, at: float) -> Ticket:
    """Its agent was started again."""
    return replace(t, restarts=restart_limits.noted(t.restarts, at))


def hung(t: Ticket, session: str) -> Ticket:
    """Its agent is being ended for its silence, and no longer for the time that its turn took."""
    return replace(t, overdue=False) if t.session == session and t.overdue else t


def judging(t: Ticket) -> Ticket:
    """Its policy's gate has begun."""
    return replace(t, phase="judging") if t.phase == "working" else t


def answered(t: Ticket, text: str) -> Ticket:
    """With what a person decided, for the next prompt."""
    return replace(t, answers=(*t.answers, text))


def _anew(t: Ticket) -> Ticket:
    """A person sent it back, or what it was built on is gone: what reviewers said of the work before counts no more."""
    return replace(t, rounds=t.rounds + 1, shipped="", escalated="", review=None)


def in_chain(t: Ticket, fact: ev.ChainShipped | ev.ChainEscalated) -> Ticket:
    """Of the root of a chain, and of who made the plan: how far it came."""
    if isinstance(fact, ev.ChainShipped):
        return replace(t, shipped=fact.plan, escalated="")
    return replace(t, escalated=fact.why, shipped="")


def _fresh(t: Ticket, note: str) -> Ticket:
    answers = (*t.answers, note) if note else t.answers
    return replace(
        t,
        phase="queued",
        before=t.outcome,
        outcome=None,
        attempts=0,
        failures=(),
        why="",
        flags=(),
        plan="",
        decision="",
        held="",
        waits=0,
        stalls=0,
        stalled=0.0,
        limited=False,
        restarts=(),
        dropped=False,
        reopens="",
        answers=answers,
    )


def _claimed(t: Ticket, fact: ev.TicketClaimed) -> Ticket:
    return replace(
        t,
        phase="claimed",
        run=fact.run,
        holder=fact.holder,
        pinned=fact.digest,
        attempt=fact.attempt,
        attempts=t.attempts + 1,
        overdue=False,
        reopens="",
        outcome=None,
        why="",
        flags=(),
        plan="",
        decision="",
    )


def _begun(t: Ticket, fact: ev.TicketBegun, at: float) -> Ticket:
    return replace(
        t,
        phase="working",
        session=fact.session,
        sessions=(*t.sessions, fact.session),
        policy=fact.policy,
        worktree=fact.worktree,
        branch=fact.branch,
        base=fact.base,
        place=fact.place,
        stacked_on=fact.stacked_on,
        begun_at=at,
    )


def _failed(t: Ticket, fact: ev.TicketAttemptFailed) -> Ticket:
    failure = Failure(
        attempt=fact.attempt, cause=fact.cause, why=fact.why, signature=fact.signature, output=fact.output
    )
    return replace(t, phase="retrying", failures=(*t.failures, failure), why=fact.why)


def _ended(t: Ticket, fact: ev.TicketEnded, at: float) -> Ticket:
    # What spent no attempt: the machine's trouble and a person's question.
    free = t.in_flight and (fact.outcome == "BLOCKED_ENV" or fact.outcome in PARKED)
    return replace(
        t,
        phase=t.phase if t.phase in ("dropped", "gone") else "ended",  # told again of what had ended before
        before=t.outcome,
        outcome=fact.outcome,
        why=fact.why,
        flags=fact.flags,
        plan=fact.plan,
        decision=fact.decision,
        reopens="",
        ended_at=at,
        limited=False,
        restarts=() if fact.outcome in DONE else t.restarts,
        attempts=max(0, t.attempts - 1) if free else t.attempts,
    )


def repeated(t: Ticket, signature: str) -> bool:
    """Whether the attempt before failed in the very same way."""
    return bool(signature and t.failures and t.failures[-1].signature == signature)


def of_chain(ticket: str) -> bool:
    """Whether this is the id of a review or repair: a plus is in no id of a ticket that has a file."""
    return "+" in ticket


def chain_kind(ticket: str) -> str:
    """`review` or `repair`, of the id of one."""
    return ticket.rpartition("+")[2].partition("-")[0]


def label(ticket: str) -> str:
    """The branch of a ticket, without `refs/heads/`."""
    return f"nightdesk/{ticket}"
