"""Facts that arrive late: whether what the supervisor reports still belongs to the present. Pure."""

from __future__ import annotations

from console.core import commits, queue, sessions, tickets
from console.core import events as ev
from console.core.state import State, open_alert


def fits(state: State, fact: ev.Fact) -> bool:
    """Whether a reported fact still belongs to the present: same run, same turn, same attempt, legal next state."""
    match fact:
        case ev.SessionStarted() | ev.Exited():
            s = state.sessions.get(fact.session)
            return bool(s and s.run == fact.run and s.phase != "exited")
        case ev.SessionInterrupted():
            s = state.sessions.get(fact.session)
            return bool(s and s.run == fact.run and s.phase in sessions.LIVE)
        case ev.TurnStarted():
            s = state.sessions.get(fact.session)
            return bool(s and s.phase == "ready" and any(p.turn == fact.turn for p in s.prompts))
        case ev.AgentCommitted():
            s = state.sessions.get(fact.session)
            return bool(s and s.turn and s.turn.number == fact.turn)
        case ev.TurnEnded() | ev.CommandDone() | ev.AwaitingInput():
            s = state.sessions.get(fact.session)
            at_work = bool(s and s.phase in ("working", "awaiting-input", "stopping"))
            return bool(at_work and s and s.turn and s.turn.number == fact.turn and not s.turn.end_seq)
        case ev.InputAnswered():
            s = state.sessions.get(fact.session)
            return bool(s and s.question and s.question.id == fact.question)
        case ev.SessionSuspect() | ev.SessionRecovered():
            s = state.sessions.get(fact.session)
            return bool(s and s.run == fact.run and s.phase in sessions.LIVE and s.phase != "stopping")
        case ev.SessionHung():
            s = state.sessions.get(fact.session)
            coming = bool(s and (s.phase == "starting" or (s.phase == "suspended" and s.prompts)) and not s.lent)
            up = bool(s and s.phase in sessions.LIVE and s.phase != "stopping")
            free = fact.probe or not state.fuse
            return bool(s and s.run == fact.run and (up or coming) and not s.external and free)
        case ev.SessionReturned():
            s = state.sessions.get(fact.session)
            return bool(s and s.lent and (s.lent.pid, s.lent.start_time) == (fact.pid, fact.start_time))
        case ev.SessionRestartDue():
            s = state.sessions.get(fact.session)
            return bool(s and s.run == fact.run and s.restart_at)
        case ev.PolicyJudged():
            p = state.policies.get(fact.policy)
            mine = fact.plan is None or _is_free(state, fact.policy, fact.plan.commit)
            return bool(p and p.status == "gating" and p.attempt == fact.attempt and mine)
        case ev.PlanLanding() | ev.PlanRebased() | ev.PlanVoided() | ev.LandingRefused() | ev.PolicyCommitted():
            plan = state.plans.get(fact.plan)
            return bool(plan and commits.fits(plan, fact))
        case ev.PlanRestored() | ev.UndoRefused():
            plan = state.plans.get(fact.plan)
            return bool(plan and plan.state == "undoing")
        case ev.RepositoryChanged():
            return not (open_alert(state) and _same_alert(state, fact))
        case ev.AlertSettled():
            a = state.alerts.get(fact.alert)
            return bool(a and a.state == ("open" if fact.outcome == "gone" else "answered"))
        case ev.RolledBack():
            s = state.sessions.get(fact.session)
            return bool(s and s.rollback == fact.snapshot)
        case ev.TicketEnded() | ev.TicketOverdue() | ev.TicketWoken() | ev.ParkRequested():
            t = state.tickets.get(fact.ticket)
            fitting = t and t.attempt == fact.attempt and t.phase in _FITTING[type(fact)]
            return bool(t and fitting and _happens(state, t, fact))
        case ev.RunHalting():
            run = state.runs.get(fact.run)
            return bool(run and run.open and run.state != "halting")
        case ev.SupervisorStopped():
            return bool(state.supervisor and state.supervisor.pid == fact.pid)
        case _:
            return _of_chains(state, fact)


def _of_chains(state: State, fact: ev.Fact) -> bool:
    """The same for judges, chains and routines."""
    match fact:
        case ev.RoutineExpired():
            r = state.routines.get(fact.routine)
            return bool(r and r.status == "escalated" and (r.step, r.asked) == (fact.step, fact.asked))
        case ev.JudgeStarted():
            p = state.policies.get(fact.policy)
            return bool(p and p.status == "gating" and p.attempt == fact.attempt)
        case ev.ReviewJudged() | ev.ChainSpawned() | ev.ChainShipped() | ev.ChainEscalated() | ev.ChainTrouble():
            return False  # the brain's own words, which nobody reports
        case _:
            return True


_FITTING: dict[type[ev.Event], frozenset[tickets.Phase]] = {
    ev.TicketEnded: frozenset({"claimed", "working"}),
    ev.TicketOverdue: frozenset({"working"}),
    ev.TicketWoken: frozenset({"waiting"}),
    ev.ParkRequested: frozenset({"claimed", "working", "judging", "waiting"}),
}
"""What a ticket must be at for a report about its attempt to belong to the present."""


def _happens(state: State, t: tickets.Ticket, fact: ev.Fact) -> bool:
    """A wait ends only into a free slot; no turn is overdue that has broken off."""
    if isinstance(fact, ev.TicketWoken):
        return queue.may_wake(state, t)
    s = state.sessions.get(t.session)
    return not isinstance(fact, ev.TicketOverdue) or bool(s and s.phase in ("working", "awaiting-input"))


def _same_alert(state: State, fact: ev.RepositoryChanged) -> bool:
    """Whether the open alert says this already, or is another that a person is just answering."""
    a = open_alert(state)
    return bool(a and ((a.alert, a.changes) == (fact.alert, fact.changes) or a.state == "answered"))


def _is_free(state: State, policy: str, commit: str) -> bool:
    """Whether this commit names no plan of another policy: two worktrees may freeze the same commit in one second.
    What is dropped for it is judged again, and then frozen with another time."""
    known = state.plans.get(commit)
    return known is None or known.policy == policy
