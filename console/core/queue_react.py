"""What follows from a fact for the queue: attempts that fail, parks, outcomes, and the run's next step. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import chains_react, drain, queue, queue_attempts, queue_flags, queue_parks, queue_plans
from console.core import events as ev
from console.core.state import State, open_run


def follow(state: State, fact: ev.Fact) -> tuple[ev.Fact, ...]:
    """What follows at once from `fact`, which has been folded already. The run's next step is asked for once: by the
    last of the facts that may bring one."""
    facts = tuple(_react(state, fact))
    later = (*ADVANCING, ev.RollbackRequested)  # what is put back asks again when it is done
    if (isinstance(fact, ADVANCING) or _judge_over(state, fact)) and not any(isinstance(one, later) for one in facts):
        facts += tuple(advance(state))
    return facts


def _react(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    match fact:
        case ev.RunStarted():
            yield from _retried(state)
        case ev.TicketClaimed():
            yield from queue_parks.claimed(state, fact)
        case ev.TurnEnded():
            yield from queue_attempts.turn_ended(state, fact)
        case ev.Exited():
            yield from queue_attempts.exited(state, fact)
        case ev.StopRequested() if state.sessions[fact.session].phase == "exited":
            yield from queue_attempts.stopped(state, fact)
        case ev.SessionInterrupted():
            yield from queue_attempts.interrupted(state, fact)
        case ev.SessionGivenUp():
            yield from queue_parks.given_up(state, fact)
        case ev.AwaitingInput():
            yield from queue_parks.asked(state, fact)
        case ev.ParkRequested():
            yield from queue_parks.park(state, fact)
        case ev.TicketOverdue():
            yield from queue_attempts.overdue(state, fact)
        case ev.TicketWoken():
            yield from queue_attempts.woken(state, fact)
        case ev.TicketAttemptFailed():
            yield from queue_attempts.attempt_failed(state, fact)
        case ev.RolledBack():
            yield from queue_attempts.rolled_back(state, fact)
        case ev.TicketEnded():
            yield from queue_attempts.ended(state, fact)
            if plan := state.plans.get(fact.plan):
                yield from queue_flags.retold(state, queue.present(state, plan).plan)
        case ev.PlanRejected():
            yield from queue_plans.rejected(state, fact)
        case ev.PlanRestored() if fact.was == "rejected":
            yield from queue_plans.restored(state, fact)
        case ev.PolicyBlocked():
            yield from queue_plans.plan_blocked(state, fact)
        case ev.PolicyCancelled() if fact.by:
            yield from queue_plans.cancelled(state, fact)
        case _:
            yield from _seldom(state, fact)


ADVANCING = (
    ev.RunStarted,
    ev.RunResumed,
    ev.RunStopRequested,
    ev.RunHalting,
    ev.TicketSeen,
    ev.TicketGone,
    ev.TicketReleased,
    ev.TicketRequeued,
    ev.TicketDropped,
    ev.TicketClaimed,
    ev.TicketBack,
    ev.TicketEnded,
    ev.TicketWaiting,
    ev.TicketWoken,
    ev.DecisionAnswered,
    ev.PolicyCommitted,
    ev.PlanRestored,
    ev.RolledBack,
    ev.Exited,
    ev.SessionInterrupted,
    ev.FuseReset,
    ev.SupervisorStarted,
    ev.ChainsSwitched,
    ev.ChainLimitsRead,
    ev.ChainSpawned,
    ev.ChainShipped,
    ev.ChainEscalated,
    ev.ChainTrouble,
)
"""Facts after which the run may have a next step."""


def advance(state: State) -> Iterator[ev.Fact]:
    """The run's next step, one at a time: the fact that follows asks again."""
    run = open_run(state)
    if not run or run.state == "paused":
        return
    flying = queue.in_flight(state)
    ending = _ending(run)
    if ending:
        if not flying and not queue.giving_back(state) and not queue.leaving(state):
            yield from _end(state, run, *ending)
        return
    if not run.pull and chains_react.follow(state):
        return  # what chains begin goes first; they take their step when all of this has settled, and ask again
    capped = drain.capped(run)
    only = queue.takes(state, run)
    if state.fuse and queue.next_ready(state, only):
        return  # one more agent would only be silent, too; its reset asks again
    if not run.pull and queue.taken(state, run) < queue.slots(state, run) and (t := queue.next_ready(state, only)):
        yield queue.claim(t, run, "loop")
    elif queue.judging(state, waiting=True) and queue.next_ready(state, only):
        return  # the end of a judge asks again
    elif not flying and not run.pull and not queue.giving_back(state) and not queue.leaving(state):
        left = capped and (capped[0] == "COST_CAP" or queue.next_ready(state))
        status, why = capped if capped and left else ("DRAINED", "nothing is left that can start")
        yield from _end(state, run, status, why)


def _judge_over(state: State, fact: ev.Fact) -> bool:
    """Whether a slot is free again that a judge had."""
    over = (ev.PolicyDone, ev.PolicyBlocked, ev.PolicyCancelled, ev.PolicyNudged, ev.PolicyCommitReady)
    return isinstance(fact, over) and queue.takes_slot(state.policies[fact.policy])


def _seldom(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    match fact:
        case ev.PlanVoided() | ev.PlanSuperseded():
            yield from queue_plans.base_gone(state, fact.plan, fact.reason)
        case ev.FuseBlown():
            yield from _blown(state)
        case ev.TicketBegun():
            yield from queue_attempts.alone(state, fact)
        case ev.DecisionAnswered():
            yield from queue_parks.answered(state, fact)
        case ev.ReviewJudged():
            yield from queue_flags.retold(state, fact.review.commit)
        case ev.ChainShipped() | ev.ChainEscalated() | ev.LandingRefused() | ev.PlanRestored():
            yield from queue_flags.retold(state, fact.plan)
        case ev.RunStopRequested():
            yield from queue_attempts.stop_all(state, f"{fact.run} was stopped", only_waiting=not fact.now)
        case ev.RunHalting():
            yield from queue_attempts.stop_all(state, f"{fact.run} was halted: {fact.reason}")
        case _:
            pass


MOST_FUSES = 2
"""So often in one run the fleet may fall silent before the run halts (DESIGN.md, ruling 19)."""


def _blown(state: State) -> Iterator[ev.Fact]:
    run = open_run(state)
    if run and state.fuse and run.fuses >= MOST_FUSES and run.state != "halting":
        why = f"the whole fleet was silent {run.fuses} times in this run ({state.fuse.why})"
        yield ev.RunHalting(run=run.run, reason=f"{why}: look at the network and the provider, then start a run anew")


def _retried(state: State) -> Iterator[ev.Fact]:
    for t in state.tickets.values():
        if queue.taken_again(t):
            yield ev.TicketRequeued(ticket=t.ticket, by=queue.QUEUE)


def _ending(run: drain.Run) -> tuple[ev.RunStatus, str] | None:
    """How the run ends as soon as nothing is under way any more."""
    if run.state == "stopping":
        return "STOPPED", run.reason
    if run.state == "halting":
        return "HALTED", run.reason
    if why := drain.low_yield(run):
        return "LOW_YIELD", why
    return None


def _end(state: State, run: drain.Run, status: ev.RunStatus, why: str) -> Iterator[ev.Fact]:
    """What waits for another attempt ends with the run (ruling 18), and the run after it."""
    for t in queue.queued(state):
        if t.run == run.run and t.failures and t.attempts:
            left = queue.allowed_attempts(t, run) - t.attempts
            told = f"{t.failures[-1].why}; {left} attempt(s) were left as the run ended"
            yield queue.outcome(state, t, "FAILED_RETRYABLE", told)
            return  # its end asks again
    yield ev.RunEnded(run=run.run, status=status, why=why)
