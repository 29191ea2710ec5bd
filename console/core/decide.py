"""The composition of the brain: command -> facts or refusal, fact -> further facts. Pure; time is a parameter."""

from __future__ import annotations

from console.core import (
    alerts,
    chains_decide,
    commits,
    policies,
    queue,
    queue_decide,
    routines_decide,
    sessions,
    snapshots,
)
from console.core import commands as cmd
from console.core import events as ev
from console.core.late import fits
from console.core.records import Refused
from console.core.reporting import stacking
from console.core.state import State, open_alert, ticket_of


def decide(state: State, command: cmd.Command) -> tuple[ev.Fact, ...] | Refused:
    """The facts a command leads to, before any reaction. Never changes the state."""
    match command:
        case cmd.StartSession():
            return _start_session(state, command)
        case cmd.SendPrompt():
            return _send_prompt(state, command)
        case cmd.AnswerQuestion():
            return _answer(state, command)
        case cmd.InterruptTurn():
            return _interrupt(state, command)
        case cmd.StopSession():
            return _stop(state, command)
        case cmd.LendSession():
            return _lend(state, command)
        case cmd.ReturnSession():
            return _return(state, command)
        case cmd.AttachPolicy():
            return _attach(state, command)
        case cmd.CancelPolicy():
            return _cancel(state, command)
        case cmd.RetryPolicy():
            return _retry(state, command)
        case cmd.Approve():
            return _approve(state, command)
        case cmd.Reject():
            return _reject(state, command)
        case cmd.Undo():
            return _undo(state, command)
        case cmd.AnswerAlert():
            return _answer_alert(state, command)
        case cmd.RollBack():
            return _roll_back(state, command)
        case cmd.StopSupervisor():
            return (ev.SupervisorStopRequested(by=command.by),)
        case cmd.Report():
            return tuple(fact for fact in command.facts if fits(state, fact))
        case cmd.SwitchChains() | cmd.ReadChainLimits():
            return chains_decide.decide(state, command)
        case cmd.StartRoutine() | cmd.ResolveRoutine() | cmd.CancelRoutine():
            return routines_decide.decide(state, command)
        case _:
            return queue_decide.decide(state, command)


def new_id(prefix: str, known: dict[str, object]) -> str:
    return f"{prefix}-{len(known) + 1}"


def missing(kind: str, name: str) -> Refused:
    return Refused(reason=f"no {kind} {name!r}; `nightdesk {kind} list` shows what there is", paths=("missing",))


# -- sessions --------------------------------------------------------------------------------------------


def _start_session(state: State, c: cmd.StartSession) -> tuple[ev.Fact, ...]:
    session = new_id("s", dict(state.sessions))
    added = ev.SessionAdded(
        session=session,
        label=c.label or session,
        preset=c.preset,
        launch=c.launch,
        cwd=c.cwd,
        worktree=c.worktree,
        by=c.by,
        notify_url=c.notify_url,
        notify_secret=c.notify_secret,
    )
    if not c.prompt:
        return (added,)
    return (added, ev.PromptQueued(session=session, turn=1, text=c.prompt, by=c.by))


def _send_prompt(state: State, c: cmd.SendPrompt) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    if not c.text.strip():
        return Refused(reason="the prompt is empty; say what the agent should do")
    if s.ticket and (t := queue.occupied(state, s.worktree)) and (t.session != s.session or t.phase == "claimed"):
        if t.phase == "claimed":
            why = f"attempt {t.attempt} of {t.ticket} is about to begin in the worktree of {s.session}"
            return Refused(reason=f"{why}: prompt that one's session when it is there")
        return Refused(reason=f"{t.session or t.ticket} works in the worktree of {s.session} now: prompt that one")
    if refused := _starting_again(s):
        return refused
    if not s.resumable:
        why = "was stopped" if s.stopped else f"has exited ({s.exit}) and cannot be resumed"
        return Refused(reason=f"session {s.session} {why}; start a new one")
    return (ev.PromptQueued(session=s.session, turn=sessions.next_turn(s), text=c.text, cause=c.cause, by=c.by),)


def _starting_again(s: sessions.Session) -> Refused | None:
    """A prompt now would be a second start beside the one that is on its way."""
    if s.restart_at:
        why = f"is about to be started again ({s.restart_why})"
    elif s.hung and s.phase == "stopping":
        why = f"is being ended ({s.hung}), and may be started again"
    else:
        return None
    return Refused(reason=f"session {s.session} {why}: wait for that, or `nightdesk session stop {s.session}`")


def _answer(state: State, c: cmd.AnswerQuestion) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    if not s.question or (c.question and c.question != s.question.id):
        return Refused(reason=f"session {s.session} is not waiting for that answer (any more)")
    if c.text and s.question.via != "inbox":
        return Refused(reason=f"the question of {s.session} takes one of its answers, no text")
    if c.option and c.option not in {o.id for o in s.question.options}:
        offered = ", ".join(o.id for o in s.question.options)
        return Refused(reason=f"{c.option!r} is not one of the answers offered: {offered}")
    return (ev.AnswerRequested(session=s.session, question=s.question.id, option=c.option, by=c.by, text=c.text),)


def _interrupt(state: State, c: cmd.InterruptTurn) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    if s.phase not in ("working", "awaiting-input"):
        return Refused(reason=f"session {s.session} runs no turn ({s.phase})")
    return (ev.CancelRequested(session=s.session, turn=s.turns, by=c.by),)


def _stop(state: State, c: cmd.StopSession) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    if s.phase == "exited" and s.stopped:
        return Refused(reason=f"session {s.session} has exited already ({s.exit})")
    if s.lent:
        who = f"{s.lent.by.user or 'somebody'}{f' on {s.lent.by.tty}' if s.lent.by.tty else ''}, pid {s.lent.pid}"
        return Refused(reason=f"session {s.session} is open in its agent's own program ({who}): leave that first")
    return (ev.StopRequested(session=s.session, by=c.by),)


# -- policies --------------------------------------------------------------------------------------------


def _lend(state: State, c: cmd.LendSession) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    t = ticket_of(state, s.session)
    if why := sessions.not_lendable(s, t.ticket if t and t.in_flight and t.session == s.session else ""):
        return Refused(reason=why)
    if s.ticket and (other := queue.occupied(state, s.worktree)):
        return Refused(reason=f"{other.session or other.ticket} works in the worktree of {s.session} now: wait for it")
    if back := [o.session for o in state.sessions.values() if o.rollback and o.worktree == s.worktree]:
        return Refused(reason=f"the files in {s.worktree} are being put back for {back[0]}: wait for the end of that")
    lent = ev.SessionLent(session=s.session, by=c.by, pid=c.pid, start_time=c.start_time)
    return (lent, ev.StopRequested(session=s.session, by=c.by, rest=True)) if s.phase == "ready" else (lent,)


def _return(state: State, c: cmd.ReturnSession) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    if not s.lent or s.lent.pid != c.pid:
        return Refused(reason=f"session {s.session} is not open in that program")
    had = s.lent
    return (
        ev.SessionReturned(session=s.session, pid=had.pid, start_time=had.start_time, code=c.code, note=c.note),
    )  # fmt: skip


def _attach(state: State, c: cmd.AttachPolicy) -> tuple[ev.Fact, ...] | Refused:
    found = policies.problems(c.spec) + _session_problems(state, c)
    if found:
        return Refused(reason="\n".join(found))
    members = [state.sessions[name] for name in c.spec.sessions]
    since = c.since if c.since is not None else min(sessions.current_turn_seq(s) for s in members)
    policy = new_id("pol", dict(state.policies))
    return (ev.PolicyAttached(policy=policy, spec=c.spec, since=since, by=c.by),)


def _session_problems(state: State, c: cmd.AttachPolicy) -> list[str]:
    found = []
    spec = c.spec
    while spec:
        unknown = [name for name in spec.sessions if name not in state.sessions]
        found += [f"no session {name!r}; `nightdesk session list` shows what there is" for name in unknown]
        if not unknown:
            trees = {state.sessions[name].worktree for name in spec.sessions}
            if spec.then == "commit" and len(trees) > 1:
                found.append("a group that commits must share one worktree; these do not: " + ", ".join(sorted(trees)))
            gone = [n for n in spec.sessions if state.sessions[n].stopped]
            found += [f"session {name} was stopped and will not end another turn" for name in gone]
        if not spec.next:
            break
        spec = spec.next
    if c.since is not None and not 0 <= c.since <= state.seq:
        found.append(f"--since {c.since} is not a cursor of this log (0 to {state.seq})")
    return found


def _cancel(state: State, c: cmd.CancelPolicy) -> tuple[ev.Fact, ...] | Refused:
    p = state.policies.get(c.policy)
    if not p:
        return missing("policy", c.policy)
    if refused := policies.cancellable(p):
        return refused
    facts: list[ev.Fact] = []
    plan = state.plans.get(p.plan)
    if plan and plan.state == "waiting":
        facts.append(ev.PlanVoided(policy=p.policy, plan=plan.plan, reason="its policy was cancelled"))
    facts.append(ev.PolicyCancelled(policy=p.policy, reason=c.note or "cancelled by a person", by=c.by))
    return tuple(facts)


def _retry(state: State, c: cmd.RetryPolicy) -> tuple[ev.Fact, ...] | Refused:
    p = state.policies.get(c.policy)
    if not p:
        return missing("policy", c.policy)
    if p.status != "blocked":
        return Refused(reason=f"{p.policy} is {p.status}; only a blocked policy can be judged again")
    if refused := _retriable(state, p):
        return refused
    if any(state.sessions[s].busy for s in p.spec.sessions):
        return Refused(reason=f"{p.policy}: a session of it is at work; wait for the end of its turn")
    trees = {state.sessions[s].worktree for s in p.spec.sessions}
    if lent := [o.session for o in state.sessions.values() if o.lent and o.worktree in trees]:
        why = f"the conversation of {', '.join(lent)} is open in its agent's own program, which works there"
        return Refused(reason=f"{p.policy}: {why}: leave that first")
    return (ev.PolicyRetried(policy=p.policy, by=c.by), ev.PolicyQueued(policy=p.policy))


def _retriable(state: State, p: policies.Policy) -> Refused | None:
    """Why the work of a ticket's policy is not what the ticket is about any more."""
    t = state.tickets.get(p.spec.ticket)
    if not t or (t.policy == p.policy and t.phase == "ended" and not t.decision):
        return None
    what = f"waits for {t.decision}" if t.phase == "ended" and t.decision else f"is {t.outcome or t.phase}"
    return Refused(
        reason=f"{p.policy} belongs to an earlier round of {t.ticket}, which {what}; `ticket requeue` goes on"
    )


# -- plans -----------------------------------------------------------------------------------------------


def find_plan(state: State, policy: str, commit: str) -> commits.Plan | Refused:
    """The plan of `policy` that `commit` names ("" for its latest)."""
    p = state.policies.get(policy)
    if not p:
        return missing("policy", policy)
    if not commit:
        plan = state.plans.get(p.plan)
        return plan or Refused(reason=f"{policy} has no plan (it is {p.status})")
    found = [plan for plan in state.plans.values() if plan.policy == policy and commits.named(plan, commit)]
    if len(found) == 1:
        return found[0]
    now = f"; its plan now is {p.plan}" if p.plan else ""
    return Refused(reason=f"{policy} has no plan {commit!r}{now}")


def _approve(state: State, c: cmd.Approve) -> tuple[ev.Fact, ...] | Refused:
    plan = find_plan(state, c.policy, c.plan)
    if isinstance(plan, Refused):
        return plan
    if refused := commits.approvable(plan) or _held(state) or _stacked(state, plan) or _confirmed(state, plan, c):
        return refused
    commit = state.policies[plan.policy].spec.commit
    if commit and commit.in_place and (queue.occupied(state, plan.frozen.worktree) or queue.giving_back(state)):
        return Refused(reason="a ticket is being worked on in this checkout: approve when it has ended")
    return (ev.ApprovalRequested(policy=plan.policy, plan=plan.plan, by=c.by),)


def _held(state: State) -> Refused | None:
    """Why nothing may land now: what runs or lies in the git dir waits for a person's word."""
    alert = open_alert(state)
    if not alert or not alert.blocks:
        return None
    return Refused(
        reason=f"{alert.alert} holds every approval: {alerts.sentence(alert)}; "
        f"look at it (`nightdesk alert show {alert.alert}`), then adopt or restore"
    )


def _confirmed(state: State, plan: commits.Plan, c: cmd.Approve) -> Refused | None:
    ticket = state.policies[plan.policy].spec.ticket
    return commits.unconfirmed(plan, c.confirm, ticket)


def _stacked(state: State, plan: commits.Plan) -> Refused | None:
    """Why a plan that builds on others cannot land yet (ruling 6)."""
    obstacle = stacking.obstacle(state, plan)
    return Refused(reason=f"plan {commits.short(plan.plan)} stays: {obstacle}") if obstacle else None


def _reject(state: State, c: cmd.Reject) -> tuple[ev.Fact, ...] | Refused:
    plan = find_plan(state, c.policy, c.plan)
    if isinstance(plan, Refused):
        return plan
    if refused := commits.approvable(plan):
        return refused
    return (
        ev.PlanRejected(policy=plan.policy, plan=plan.plan, by=c.by, note=c.note),
        ev.PolicyCancelled(policy=plan.policy, reason=f"rejected{': ' + c.note if c.note else ''}", by=c.by),
    )


def _undo(state: State, c: cmd.Undo) -> tuple[ev.Fact, ...] | Refused:
    found = [p for p in state.plans.values() if commits.named(p, c.plan)]
    if len(found) != 1:
        return missing("plan", c.plan)
    plan = found[0]
    if plan.state not in ("landed", "rejected"):
        return Refused(reason=f"plan {commits.short(plan.plan)} is {plan.state}; there is nothing to take back")
    request = ev.UndoRequested(policy=plan.policy, plan=plan.plan, by=c.by)
    if plan.state == "landed":
        return (request,)
    if state.policies[plan.policy].plan != plan.plan:
        return Refused(reason=f"plan {commits.short(plan.plan)} is no longer the latest of {plan.policy}")
    later = [name for name in plan.sessions if _ended_after(state.sessions[name], plan.ready_seq)]
    if later:
        why = f"session {', '.join(later)} has ended a later turn; attach a policy anew to judge the work as it is now"
        return Refused(reason=f"the rejection of {commits.short(plan.plan)} stays: {why}")
    return (request, ev.PlanRestored(policy=plan.policy, plan=plan.plan, was="rejected"))


def _answer_alert(state: State, c: cmd.AnswerAlert) -> tuple[ev.Fact, ...] | Refused:
    alert = state.alerts.get(c.alert)
    if not alert:
        return missing("alert", c.alert)
    if c.seen and c.seen != alert.seen:
        return Refused(reason=f"{alert.alert} says more now than what you saw: look at it again, then answer")
    return alerts.answerable(alert) or (ev.AlertAnswered(alert=alert.alert, action=c.action, by=c.by),)


def _roll_back(state: State, c: cmd.RollBack) -> tuple[ev.Fact, ...] | Refused:
    s = state.sessions.get(c.session)
    if not s:
        return missing("session", c.session)
    kept = snapshots.find(s.snapshots, c.snapshot)
    if not kept:
        why = f" ({s.no_snapshot})" if s.no_snapshot else ""
        what = f"no snapshot {c.snapshot!r}" if c.snapshot else f"no snapshot{why}"
        return Refused(reason=f"session {s.session} has {what}; `nightdesk snapshot list {s.session}` shows its own")
    working = [o.session for o in state.sessions.values() if o.worktree == s.worktree and _at_work(o)]
    if working:
        return Refused(reason=f"{', '.join(working)} works in {s.worktree} now: interrupt or stop it first")
    if lent := [o.session for o in state.sessions.values() if o.worktree == s.worktree and o.lent]:
        why = f"the conversation of {', '.join(lent)} is open in its agent's own program"
        return Refused(reason=f"{why}, which works in {s.worktree}: leave that first")
    judged = [p.policy for p in state.policies.values() if p.status in policies.IN_A_SLOT and _in(state, p, s.worktree)]
    if judged:
        return Refused(reason=f"{', '.join(judged)} is judging or landing the work in {s.worktree}: wait for its end")
    if s.rollback:
        return Refused(reason=f"session {s.session} is being rolled back to {s.rollback[:10]} already")
    return (ev.RollbackRequested(session=s.session, snapshot=kept.snapshot, by=c.by),)


def _in(state: State, p: policies.Policy, worktree: str) -> bool:
    return any(state.sessions[name].worktree == worktree for name in p.spec.sessions)


def _at_work(s: sessions.Session) -> bool:
    return s.phase in sessions.AT_WORK or bool(s.prompts)


def _ended_after(s: sessions.Session, seq: int) -> bool:
    return bool(s.turn and s.turn.end_seq > seq)
