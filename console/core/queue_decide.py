"""Commands about the queue, its decisions and runs: each becomes facts, or is refused with the reason. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import commands as cmd
from console.core import decisions, drain, queue, tickets
from console.core import events as ev
from console.core.records import CommitSpec, PolicySpec, Refused, Who
from console.core.state import State, open_run

Facts = tuple[ev.Fact, ...] | Refused

NO_RUN = Refused(reason="no run is under way; `nightdesk run` starts one", paths=("no-run",))


def decide(state: State, command: cmd.QueueCommand) -> Facts:
    match command:
        case cmd.SyncTickets():
            return _sync(state, command)
        case cmd.StartRun():
            return _start_run(state, command)
        case cmd.PauseRun() | cmd.ResumeRun() | cmd.StopRun():
            return _brake(state, command)
        case cmd.NextTicket():
            return _next(state, command)
        case cmd.BeginWork():
            return _begin(state, command)
        case cmd.CompleteTicket():
            return _complete(state, command)
        case cmd.ParkTicket():
            return _park(state, command)
        case cmd.RequeueTicket():
            return _requeue(state, command)
        case cmd.DropTicket():
            return _drop(state, command)
        case cmd.ReleaseTicket():
            return _release(state, command)
        case cmd.AnswerDecision():
            return _answer(state, command)
        case cmd.ReopenDecision():
            return _reopen(state, command)


def missing(kind: str, name: str) -> Refused:
    return Refused(reason=f"no {kind} {name!r}; `nightdesk {kind} list` shows what there is", paths=("missing",))


# -- the folder ------------------------------------------------------------------------------------------


def _sync(state: State, c: cmd.SyncTickets) -> Facts:
    facts: list[ev.Fact] = []
    for one in c.seen:
        known = state.tickets.get(one.ticket)
        here = known is not None and known.phase != "gone"
        if here and known and (known.digest, known.stamp, known.file) == (one.digest, one.stamp, one.file):
            continue
        held = c.held or ("" if c.by else _suspect(state, one.stamp))
        same = known is not None and known.digest == one.digest
        facts.append(replace(one, held=known.held if same and known else held, by=c.by))
    for name in c.gone:
        known = state.tickets.get(name)
        if known and known.phase != "gone" and not known.in_flight:
            facts.append(ev.TicketGone(ticket=name))
    if c.whole and c.problems != state.problems:
        facts.append(ev.QueueProblems(problems=c.problems))
    return tuple(facts)


def _suspect(state: State, stamp: str) -> str:
    """Why what is found in the folder may be an agent's (ruling 17), "" when no session could have put it there.

    The kernel's own time of the file's last change (the second field of its stamp) tells, however late it is found.
    """
    changed = _changed_at(stamp) or state.at
    writers = [
        s.session
        for s in state.sessions.values()
        if s.writes_tickets and s.up_at and s.up_at - SLACK <= changed <= (s.gone_at or changed) + SLACK
    ]
    if not writers:
        return ""
    return f"it appeared or changed while {', '.join(writers[:3])} could write in the tickets folder"


SLACK = 1.0
"""Seconds by which a session's beginning and end may be told late, or the file system's clock be coarse."""


def _changed_at(stamp: str) -> float:
    """Unix seconds of a file's last change, 0 when the stamp does not tell."""
    parts = stamp.split(":")
    return int(parts[1]) / 1e9 if len(parts) > 1 and parts[1].isdigit() else 0.0


def _release(state: State, c: cmd.ReleaseTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return missing("ticket", c.ticket)
    if not t.held:
        return Refused(reason=f"{t.ticket} is not held; it is {t.outcome or t.phase}")
    if c.digest and c.digest != t.digest:
        return Refused(reason=f"{t.ticket} has changed since you saw it: look at it again (`nightdesk ticket show`)")
    return (ev.TicketReleased(ticket=t.ticket, digest=t.digest, by=c.by),)


def _requeue(state: State, c: cmd.RequeueTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return missing("ticket", c.ticket)
    if t.in_flight:
        return Refused(reason=f"{t.ticket} is being worked on ({t.phase}); stop its session first")
    if t.phase == "queued":
        return Refused(reason=f"{t.ticket} is in the queue already")
    if t.phase == "gone":
        return Refused(reason=f"{t.ticket} has no file any more ({t.file}); put it back first")
    if busy := _landing(state, t):
        return busy
    facts: list[ev.Fact] = [
        *_plan_given_up(state, t, f"{t.ticket} was queued again"),
        *queue.closed(state, t, "queued again"),
    ]
    return (*facts, ev.TicketRequeued(ticket=t.ticket, by=c.by, note=c.note))


def _drop(state: State, c: cmd.DropTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return missing("ticket", c.ticket)
    if t.in_flight:
        return Refused(reason=f"{t.ticket} is being worked on ({t.phase}); stop its session first")
    if t.phase == "dropped":
        return Refused(reason=f"{t.ticket} is dropped already")
    if busy := _landing(state, t):
        return busy
    facts = (*_plan_given_up(state, t, f"{t.ticket} was dropped"), *queue.closed(state, t, "dropped"))
    return (*facts, ev.TicketDropped(ticket=t.ticket, by=c.by, note=c.note))


def _landing(state: State, t: tickets.Ticket) -> Refused | None:
    plan = state.plans.get(t.plan)
    if plan and plan.state in ("approved", "landing", "undoing"):
        return Refused(reason=f"the plan of {t.ticket} is {plan.state} right now: wait for its outcome")
    return None


def _plan_given_up(state: State, t: tickets.Ticket, why: str) -> tuple[ev.Fact, ...]:
    plan = state.plans.get(t.plan)
    if not plan or plan.state != "waiting":
        return ()
    void = ev.PlanVoided(policy=plan.policy, plan=plan.plan, reason=why)
    return (void, ev.PolicyCancelled(policy=plan.policy, reason=why))


# -- runs ------------------------------------------------------------------------------------------------


def _start_run(state: State, c: cmd.StartRun) -> Facts:
    if run := open_run(state):
        return Refused(
            reason=f"{run.run} is under way already ({run.state}); `nightdesk status` shows it", paths=("busy",)
        )
    return (
        ev.RunStarted(
            run=f"run-{len(state.runs) + 1}",
            settings=c.settings,
            by=c.by,
            attended=c.attended,
            pull=c.pull,
            warnings=c.warnings,
        ),
    )


def _brake(state: State, c: cmd.PauseRun | cmd.ResumeRun | cmd.StopRun) -> Facts:
    run = open_run(state)
    if not run:
        return NO_RUN
    match c:
        case cmd.PauseRun() if run.state == "active":
            return (ev.RunPaused(run=run.run, by=c.by),)
        case cmd.ResumeRun() if run.state == "paused":
            return (ev.RunResumed(run=run.run, by=c.by),)
        case cmd.StopRun() if run.state in ("active", "paused") or (c.now and run.state == "stopping" and not run.now):
            return (ev.RunStopRequested(run=run.run, by=c.by, now=c.now),)
        case _:
            return Refused(reason=f"{run.run} is {run.state} already")


# -- work ------------------------------------------------------------------------------------------------


def held_by(state: State, holder: str) -> tickets.Ticket | None:
    """The ticket that a worker holds."""
    return next((t for t in state.tickets.values() if t.in_flight and t.holder == holder), None)


def _next(state: State, c: cmd.NextTicket) -> Facts:
    """Facts are none when the worker holds a ticket already, when the run takes none, or while others may yet make one
    ready; the state then says which."""
    run = open_run(state)
    if not run:
        return NO_RUN
    if c.holder == "loop":
        return Refused(reason="'loop' is the name of the run's own sessions: pull under another one (--as NAME)")
    if run.state != "active" or held_by(state, c.holder) or drain.low_yield(run):
        return ()
    if len(queue.in_flight(state)) >= queue.slots(state, run):
        return ()
    only = frozenset(run.claimed) if drain.capped(run) else None
    t = queue.next_ready(state, only)
    if t:
        return (queue.claim(t, run, c.holder),)
    if queue.in_flight(state) or queue.giving_back(state) or not run.pull:
        return ()
    capped = drain.capped(run)
    status, why = capped or ("DRAINED", "nothing is left that can start")
    return (ev.RunEnded(run=run.run, status=status, why=why),)


def _begin(state: State, c: cmd.BeginWork) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t or t.phase != "claimed" or t.attempt != c.attempt:
        return Refused(reason=f"attempt {c.attempt} of {c.ticket} is over")
    run = state.runs[t.run]
    session, policy = f"s-{len(state.sessions) + 1}", f"pol-{len(state.policies) + 1}"
    label = t.ticket if c.attempt == 1 else f"{t.ticket}#{c.attempt}"
    by = Who(via=run.run) if t.holder == "loop" else Who(user=t.holder, via="next")
    added = ev.SessionAdded(
        session=session,
        label=label,
        preset=c.preset,
        launch=c.launch,
        cwd=c.worktree,
        worktree=c.worktree,
        by=by,
        ticket=t.ticket,
    )
    attached = ev.PolicyAttached(policy=policy, spec=_spec(t, run, c, session), since=state.seq, by=by)
    begun = ev.TicketBegun(
        ticket=t.ticket,
        attempt=c.attempt,
        session=session,
        policy=policy,
        worktree=c.worktree,
        branch=c.branch,
        base=c.base,
        place=c.place,
        stacked_on=c.stacked_on,
    )
    return (added, *_first_turn(c, session), attached, begun)


def _spec(t: tickets.Ticket, run: drain.Run, c: cmd.BeginWork, session: str) -> PolicySpec:
    message = run.settings.message.replace("{title}", t.spec.title).replace("{id}", t.ticket)
    commit = CommitSpec(
        paths=(),
        message=message,
        ack=run.settings.ack,
        everything=True,
        in_place=run.settings.workspace == "in_place",
    )
    return PolicySpec(
        sessions=(session,),
        then="commit",
        gate=t.spec.gate or run.settings.gate,
        commit=commit,
        ticket=t.ticket,
        base=c.base,
        stores=c.stores,
    )


def _first_turn(c: cmd.BeginWork, session: str) -> tuple[ev.Fact, ...]:
    prompted = ev.PromptQueued(session=session, turn=1, text=c.prompt, cause="ticket")
    if c.launch.protocol != "external":
        return (prompted,)
    # A worker that pulled it is at work from now on; nothing of ours is to be started for it.
    taken = ev.SnapshotTaken(
        session=session, turn=1, snapshot=c.snapshot, refused="" if c.snapshot else "none was taken"
    )
    return (
        prompted,
        ev.SessionStarted(session=session, run=1, detail="a worker that pulls its tickets", writes_git=True),
        taken,
        ev.TurnStarted(session=session, turn=1, ref=c.ref, head=c.head),
    )


def _complete(state: State, c: cmd.CompleteTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return missing("ticket", c.ticket)
    s = state.sessions.get(t.session)
    if t.phase != "working" or not s:
        return Refused(reason=f"{t.ticket} is not being worked on; it is {t.outcome or t.phase}")
    if not s.external:
        return Refused(
            reason=f"{t.ticket} is worked on by {s.session}, which nightdesk drives: its turn's end completes it"
        )
    if t.holder != c.holder:
        return Refused(
            reason=f"{t.ticket} is held by {t.holder!r}, not by {c.holder!r}: say who you are with --as NAME"
        )
    if c.claim == "PARK":
        note = c.note or "the worker could not go on without a decision"
        return (ev.ParkRequested(ticket=t.ticket, attempt=t.attempt, question=note, by=c.by),)
    if c.claim == "BLOCKED":
        why = f"its worker says that the environment blocks it: {c.note or 'no reason given'}"
        return (ev.TicketEnded(ticket=t.ticket, attempt=t.attempt, outcome="BLOCKED_ENV", why=why, run=t.run),)
    ref = s.turn.ref if s.turn else ""
    return (ev.TurnEnded(session=s.session, turn=s.turns, ok=True, stop="complete", ref=ref, head=c.head),)


def _park(state: State, c: cmd.ParkTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return missing("ticket", c.ticket)
    if not c.question.strip():
        return Refused(reason="the question is empty: say what exactly a person must decide")
    if not t.in_flight and t.phase != "queued":
        return Refused(reason=f"{t.ticket} is {t.outcome or t.phase}; only what is queued or under way can be parked")
    return (
        ev.ParkRequested(
            ticket=t.ticket,
            attempt=t.attempt,
            question=c.question,
            options=c.options,
            foundational=c.foundational,
            by=c.by,
        ),
    )


# -- decisions -------------------------------------------------------------------------------------------


def _answer(state: State, c: cmd.AnswerDecision) -> Facts:
    d = state.decisions.get(c.decision)
    if not d:
        return missing("decision", c.decision)
    if refused := decisions.answerable(d, c.choice, c.text):
        return refused
    t = state.tickets[d.ticket]
    if t.phase == "gone":
        return Refused(reason=f"{t.ticket} has no file any more ({t.file}): put it back first, or leave it")
    if busy := _landing(state, t):
        return busy
    answered = ev.DecisionAnswered(decision=d.decision, ticket=d.ticket, by=c.by, choice=c.choice, text=c.text.strip())
    return (*_plan_given_up(state, t, f"{d.decision} was answered"), answered)


def _reopen(state: State, c: cmd.ReopenDecision) -> Facts:
    d = state.decisions.get(c.decision)
    if not d:
        return missing("decision", c.decision)
    if d.state != "answered":
        return Refused(reason=f"{d.decision} is {d.state}; there is no answer to take back")
    t = state.tickets[d.ticket]
    if t.phase != "queued" or t.reopens != d.decision:
        return Refused(reason=f"work on {t.ticket} has begun with this answer ({t.outcome or t.phase}); it stays")
    return (ev.DecisionReopened(decision=d.decision, ticket=d.ticket, by=c.by),)
