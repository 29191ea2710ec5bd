"""Commands about runs and claims: start, brake, take a ticket, begin, complete, park. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import commands as cmd
from console.core import drain, queue, tickets
from console.core import events as ev
from console.core.records import CommitSpec, PolicySpec, Refused, Who
from console.core.state import State, open_run

Facts = tuple[ev.Fact, ...] | Refused

NO_RUN = Refused(reason="no run is under way; `nightdesk run` starts one", paths=("no-run",))


# -- runs ------------------------------------------------------------------------------------------------


def start_run(state: State, c: cmd.StartRun) -> Facts:
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


def brake(state: State, c: cmd.PauseRun | cmd.ResumeRun | cmd.StopRun) -> Facts:
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


def next_ticket(state: State, c: cmd.NextTicket) -> Facts:
    """Facts are none when the worker holds a ticket already, when the run takes none, or while others may yet make one
    ready; the state then says which."""
    run = open_run(state)
    if not run:
        return NO_RUN
    if c.holder == "loop":
        return Refused(reason="'loop' is the name of the run's own sessions: pull under another one (--as NAME)")
    if run.state != "active" or held_by(state, c.holder) or drain.low_yield(run):
        return ()
    if queue.taken(state, run) >= queue.slots(state, run):
        return ()
    t = queue.next_ready(state, queue.takes(state, run))
    if t:
        return (queue.claim(t, run, c.holder),)
    if queue.in_flight(state) or queue.giving_back(state) or not run.pull:
        return ()
    capped = drain.capped(run)
    status, why = capped or ("DRAINED", "nothing is left that can start")
    return (ev.RunEnded(run=run.run, status=status, why=why),)


def begin(state: State, c: cmd.BeginWork) -> Facts:
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
        read_only=bool(t.link and t.link.kind == "review"),
    )
    spec = _review_spec(t, c, session) if added.read_only else _spec(state, t, run, c, session)
    attached = ev.PolicyAttached(policy=policy, spec=spec, since=state.seq, by=by)
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


def _review_spec(t: tickets.Ticket, c: cmd.BeginWork, session: str) -> PolicySpec:
    """What its reviewer says is all there is to judge: nothing of its worktree is ever used."""
    head = t.link.head if t.link else ""
    return PolicySpec(sessions=(session,), ticket=t.ticket, base=c.base, stores=c.stores, review=head)


def _spec(state: State, t: tickets.Ticket, run: drain.Run, c: cmd.BeginWork, session: str) -> PolicySpec:
    """Of work, and of a repair, which takes the place of the plan that it repairs: the same words, a person's key."""
    of = state.tickets[t.link.root] if t.link else t
    commit = CommitSpec(
        paths=(),
        message=run.settings.message.replace("{title}", of.spec.title).replace("{id}", of.ticket),
        ack=run.settings.ack or bool(t.link),
        everything=True,
        in_place=queue.in_checkout(state, t),
    )
    own = t.spec.gate and replace(t.spec.gate, timeout=run.settings.gate_timeout)
    return PolicySpec(
        sessions=(session,),
        then="commit",
        gate=own or run.settings.gate,
        commit=commit,
        ticket=t.ticket,
        base=c.base,
        stores=c.stores,
        replaces=t.link.head if t.link else "",
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


def complete(state: State, c: cmd.CompleteTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return queue.missing("ticket", c.ticket)
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


def park(state: State, c: cmd.ParkTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return queue.missing("ticket", c.ticket)
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
