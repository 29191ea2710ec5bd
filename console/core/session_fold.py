"""How facts change a session: what starts, stops, begins, breaks off and is put back. It knows nothing but sessions."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import events as ev
from console.core import prompting, restart_limits, snapshots
from console.core.sessions import (
    INTERRUPTIONS,
    LIVE,
    Lent,
    Phase,
    Prompt,
    Question,
    Session,
    Turn,
    broken_turn,
    open_turn,
    snapshot_before,
)


def added(fact: ev.SessionAdded, seq: int, at: float) -> Session:
    return Session(
        session=fact.session,
        label=fact.label,
        preset=fact.preset,
        launch=fact.launch,
        cwd=fact.cwd,
        worktree=fact.worktree,
        ticket=fact.ticket,
        read_only=fact.read_only,
        notify_url=fact.notify_url,
        notify_secret=fact.notify_secret,
        since=at,
        last_seq=seq,
    )


def fold(s: Session, fact: ev.Fact, seq: int, at: float) -> Session:
    """The session after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.SessionStarted():
            s = _started(s, fact, at)
        case ev.SessionInterrupted():
            s = replace(_interrupted(s, fact, seq, at), gone_at=at, unproven=True)
        case ev.PromptQueued():
            s = _prompted(s, fact)
        case ev.TurnStarted():
            s = _turn_started(s, fact, seq, at)
        case ev.TurnEnded():
            s = _turn_ended(s, fact, seq, at)
        case ev.AwaitingInput():
            question = Question(id=fact.question, title=fact.title, options=fact.options, at=at, via=fact.via)
            s = replace(s, phase="awaiting-input", question=question)
        case ev.AnswerRequested() if s.question:
            s = replace(s, question=replace(s.question, answer=fact.option, text=fact.text))
        case ev.InputAnswered():
            s = replace(s, phase="working" if s.phase == "awaiting-input" else s.phase, question=None)
        case ev.SessionLent():
            s = replace(s, lent=Lent(by=fact.by, pid=fact.pid, start_time=fact.start_time, at=at))
        case ev.SessionReturned():
            s = replace(s, lent=None, unproven=s.unproven or fact.code is None)
        case ev.CancelRequested():
            s = replace(s, cancel=fact.turn)
        case ev.AgentCommitted() if s.turn and s.turn.number == fact.turn:
            return replace(s, turn=replace(s.turn, end_ref=fact.ref, end_head=fact.after))
        case ev.StopRequested():
            s = _resting(s) if fact.rest else _stopping(s, seq, fact.by.user or f"the {fact.by.via}")
        case ev.Exited():
            s = replace(_exited(s, fact, seq), gone_at=at)
        case ev.SnapshotTaken():
            return _snapshot_taken(s, fact, at)
        case ev.RollbackRequested():
            return replace(s, rollback=fact.snapshot, rollback_seq=seq, rollback_asked=fact.by.via != "queue")
        case ev.RolledBack():
            return _rolled_back(s, fact, at)
        case _:
            return _watched(s, fact, at)
    return replace(s, last_seq=seq, since=at)


def _watched(s: Session, fact: ev.Fact, at: float) -> Session:
    """What the watchdog says of it, and how it is started again."""
    match fact:
        case ev.SessionSuspect():
            return replace(s, suspect_at=at - fact.quiet, evidence=fact.evidence)
        case ev.SessionRecovered():
            return replace(s, suspect_at=0.0, evidence="")
        case ev.SessionHung():
            said = fact.evidence or s.evidence
            s = replace(s, for_loan=False)  # its end is no rest, and is not begun again like one
            return replace(s, phase="stopping", since=at, hung=fact.why, hung_cause=fact.cause, evidence=said)
        case ev.SessionRestarting():
            restarts = restart_limits.noted(s.restarts, at)
            return replace(s, restarts=restarts, restart_at=fact.until, restart_why=fact.why)
        case ev.SessionRestartDue():
            idle = not broken_turn(s) and not s.undelivered  # it never came up, and nobody has asked it anything yet
            return replace(s, restart_at=0.0, phase="starting" if idle else s.phase)
        case ev.PolicyPassed():
            return replace(s, restarts=())
        case ev.SessionGivenUp():
            return replace(s, given_up=fact.why, restart_at=0.0)
        case ev.TurnProcesses():
            return replace(s, processes=fact.processes)
        case _:
            return s


def _started(s: Session, fact: ev.SessionStarted, at: float) -> Session:
    if s.phase in ("starting", "suspended", "exited"):
        s = _risen(s)  # else it only tells more of itself, in the middle of its life
    return replace(
        s,
        run=fact.run,
        conversation=fact.conversation or s.conversation,
        pid=fact.pid,
        shim_pid=fact.shim_pid,
        shim_start=fact.shim_start,
        detail=fact.detail,
        exit="",
        sandbox=fact.sandbox,
        writes_git=fact.writes_git,
        writes_tickets=fact.writes_tickets,
        up_at=s.up_at or at,
        gone_at=0.0,
        start_time=fact.start_time,
        suspect_at=0.0,
        evidence="" if s.phase != "stopping" else s.evidence,
    )


def _risen(s: Session) -> Session:
    """It has come up: what became of its last processes is over."""
    return replace(
        s,
        phase="ready",
        resting=False,
        for_loan=False,
        hung="",
        restart_at=0.0,
        restart_why="",
        given_up="",
        leftovers=(),
        undelivered=(),
        dropped=0,
        unproven=False,
        stuck="",
        turn=replace(s.turn, cut=True) if s.turn and not s.turn.end_seq else s.turn,
    )


def _interrupted(s: Session, fact: ev.SessionInterrupted, seq: int, at: float) -> Session:
    if s.phase == "stopping" and s.for_loan and not s.stopped:
        return _laid_aside(s, fact.run)
    if s.resting and s.phase == "stopping":  # it was to end anyway; its conversation can still go on later
        return replace(s, phase="exited", exit=_how_over(s), exit_seq=seq, question=None, run=s.run + 1)
    again: tuple[Prompt, ...] = ()
    count = s.interruptions
    if s.turn and not s.turn.end_seq and s.cancel == s.turn.number:  # a person wanted its end: it does not begin again
        s = replace(s, turn=replace(s.turn, end_seq=seq, ended_at=at, stop="cancelled", interrupted=True), cancel=0)
    elif s.turn and (s.phase in ("working", "awaiting-input") or (s.phase == "stopping" and s.hung and open_turn(s))):
        again = (Prompt(turn=s.turn.number, text=s.turn.text, cause="resume"),)
        if not fact.orderly:
            count += 1
            s = replace(s, restarts=restart_limits.noted(s.restarts, at))
    if s.stopped or count > INTERRUPTIONS:
        why = _how_over(s) if s.stopped else f"its supervisor died {count} times in turn {s.turns}"
        return replace(s, phase="exited", exit=why, exit_seq=seq, question=None, prompts=())
    return replace(
        s, phase="suspended", question=None, prompts=(*again, *s.prompts), interruptions=count, run=s.run + 1, pid=0
    )


def _prompted(s: Session, fact: ev.PromptQueued) -> Session:
    prompt = Prompt(turn=fact.turn, text=fact.text, cause=fact.cause, policy=fact.policy)
    if fact.by and fact.cause == "operator":  # a person goes on with it: what broke off before counts no more
        s = replace(s, restarts=(), given_up="")
    if s.restart_at:
        return replace(s, undelivered=(*s.undelivered, prompt))
    run = s.run + 1 if s.phase == "exited" else s.run
    phase: Phase = "suspended" if s.phase == "exited" else s.phase
    return replace(s, prompts=(*s.prompts, prompt), phase=phase, run=run)


def _turn_started(s: Session, fact: ev.TurnStarted, seq: int, at: float) -> Session:
    prompt = next((p for p in s.prompts if p.turn == fact.turn), None)
    rest = tuple(p for p in s.prompts if p.turn != fact.turn)
    before = s.turn
    if before and before.number == fact.turn:  # begun again after an interruption: its base stays what it was
        turn = replace(before, start_seq=seq, cut=False)
    else:
        follows = before if before and _same_place(before, fact) else None
        turn = Turn(
            number=fact.turn,
            text=prompt.text if prompt else "",
            cause=prompt.cause if prompt else "operator",
            ref=fact.ref,
            head=fact.head,
            problem=fact.problem,
            start_seq=seq,
            started_at=at,
            origin_ref=follows.origin_ref if follows else fact.ref,
            origin_head=follows.origin_head if follows else fact.head,
            origin_seq=follows.origin_seq if follows else seq,
        )
    turns = max(s.turns, fact.turn)
    return replace(
        s, phase="working", turn=turn, turns=turns, prompts=rest, cancel=0, rolled_back="", rolled_to=""
    )  # fmt: skip


def _same_place(before: Turn, fact: ev.TurnStarted) -> bool:
    """Whether this turn begins where the one before left the branch; one that broke off left it where it began, or
    where its agent moved it."""
    if before.end_head:
        return (before.end_ref, before.end_head) == (fact.ref, fact.head)
    return bool(before.cut and before.head) and (before.ref, before.head) == (fact.ref, fact.head)


def _turn_ended(s: Session, fact: ev.TurnEnded, seq: int, at: float) -> Session:
    if not s.turn or s.turn.number != fact.turn:
        return s
    turn = replace(
        s.turn,
        end_seq=seq,
        ended_at=at,
        end_head=fact.head,
        end_ref=fact.ref,
        ok=fact.ok,
        stop=fact.stop,
        detail=fact.detail,
        interrupted=s.cancel == fact.turn,
        fault=fact.fault,
    )
    phase: Phase = "ready" if s.phase in ("working", "awaiting-input") else s.phase
    return replace(s, phase=phase, turn=turn, question=None, interruptions=0, cancel=0)


def _laid_aside(s: Session, run: int) -> Session:
    """Its processes are gone because a person took the conversation: nothing is over, and what was asked meanwhile
    waits."""
    return replace(s, phase="suspended", question=None, pid=0, run=run + 1, suspect_at=0.0)


def _exited(s: Session, fact: ev.Exited, seq: int) -> Session:
    if s.for_loan and s.phase == "stopping" and not (s.stopped or fact.stopped) and fact.how != "unkillable":
        leftovers, unproven = fact.leftovers, s.unproven or fact.how == "lost"
        return replace(_laid_aside(s, fact.run), leftovers=leftovers, unproven=unproven)
    why = fact.reason or (f"exit {fact.code}" if fact.code is not None else f"signal {fact.signal}")
    if fact.how != "unkillable" and not fact.reason and (s.stopped or s.resting):
        why = _how_over(s)
    if s.prompts:
        why += f"; {len(s.prompts)} queued prompt(s) were not delivered"
    return replace(
        s,
        phase="exited",
        exit=why,
        exit_seq=seq,
        question=None,
        prompts=(),
        for_loan=False,
        pid=0,
        run=fact.run + 1,
        stopped=s.stopped or fact.stopped,
        suspect_at=0.0,
        leftovers=fact.leftovers,
        undelivered=s.prompts,
        # The end of a run that never came up says nothing about the processes of the one before.
        unproven=s.unproven or fact.how in ("lost", "unkillable"),
        stuck=why if fact.how == "unkillable" else "",
    )


def _how_over(s: Session) -> str:
    """How it ended, when somebody ended it, and what was not delivered because of that."""
    if s.stopped:
        how = f"stopped by {s.stopped_by or 'a person'}"
    else:
        how = f"its work on ticket {s.ticket} is over" if s.ticket else "ended with its supervisor"
    return f"{how}; {s.dropped} queued prompt(s) were not delivered" if s.dropped else how


def _stopping(s: Session, seq: int, who: str) -> Session:
    if s.phase == "exited":  # it broke off, and a person has seen it
        return replace(s, stopped=True, restart_at=0.0)
    s = replace(s, stopped=True, stopped_by=who, dropped=_dropped(s), prompts=())
    if s.phase in LIVE:
        return replace(s, phase="stopping")
    return replace(s, phase="exited", exit=_how_over(s), exit_seq=seq)


def _dropped(s: Session) -> int:
    """Prompts that nobody will deliver: those that the console itself queued are no loss to tell of."""
    return s.dropped + sum(p.cause == "operator" for p in s.prompts)


def _resting(s: Session) -> Session:
    """Its processes end, its conversation may go on: a later prompt starts it again."""
    if s.phase == "exited":
        return replace(s, restart_at=0.0)
    if s.phase not in LIVE:
        return s
    if s.lent:
        return replace(s, phase="stopping", resting=True, prompts=(), for_loan=True)
    return replace(s, phase="stopping", resting=True, dropped=_dropped(s), prompts=(), for_loan=False)


def _snapshot_taken(s: Session, fact: ev.SnapshotTaken, at: float) -> Session:
    if not fact.snapshot:
        return replace(s, no_snapshot=fact.refused)
    first = s.first_snapshot or (fact.snapshot if fact.turn else "")
    return replace(s, snapshots=snapshots.taken(s.snapshots, fact, at), no_snapshot="", first_snapshot=first)


def _rolled_back(s: Session, fact: ev.RolledBack, at: float) -> Session:
    kept = snapshots.before_rollback(s.snapshots, fact, at)
    done = "" if fact.refused or fact.left else fact.snapshot
    said = snapshots.sentence(fact)
    s = replace(s, rollback="", rollback_seq=0, rolled_back=said, rolled_to=done, snapshots=kept)
    first = s.prompts[0] if s.prompts else None
    if not done or not first or first.cause != "resume" or not s.turn or first.turn != s.turn.number:
        return s
    text = prompting.restarted("interrupted", s.turn.text, put_back=done == snapshot_before(s, s.turn.number))
    return replace(s, prompts=(replace(first, text=text), *s.prompts[1:]))
