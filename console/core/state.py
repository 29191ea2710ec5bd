"""The state is the fold of the log, and nothing else. `State.apply` is the only way it changes."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from console.core import alerts, commits, decisions, drain, outbox, policies, routines, session_fold, sessions, tickets
from console.core import events as ev
from console.core.records_chains import ReviewLimits

STATE_SCHEMA = 5
"""Version of the checkpoint's layout. A checkpoint of another version is ignored and the log folded from its start."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """The supervisor that last said it started. running: it has not said that it stopped."""

    pid: int
    start_time: int
    host: str
    version: str
    at: float
    running: bool
    sandbox: str = ""
    boot: str = ""


class Lacking(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the supervisor ran out of, since when (Unix seconds)."""

    kind: ev.Lack
    why: str
    at: float


class Fuse(msgspec.Struct, frozen=True, kw_only=True):
    """The fleet fuse is blown: these sessions were silent together, since when (Unix seconds)."""

    sessions: tuple[str, ...]
    why: str
    at: float
    at_work: int = 0


class State(msgspec.Struct, kw_only=True):
    """Everything there is to know at log position `seq`. problems: of the tickets folder. active_at: when a key was
    last pressed on a screen. lacking: by kind. fuse: None while the watchdog may end agents. chains_on: reviews and
    repairs begin by themselves. ledger: what may happen once and did, key -> log position. outlets: by channel."""

    seq: int = 0
    at: float = 0.0
    sessions: dict[str, sessions.Session] = {}
    policies: dict[str, policies.Policy] = {}
    plans: dict[str, commits.Plan] = {}
    alerts: dict[str, alerts.Alert] = {}
    tickets: dict[str, tickets.Ticket] = {}
    decisions: dict[str, decisions.Parked] = {}
    runs: dict[str, drain.Run] = {}
    problems: tuple[str, ...] = ()
    active_at: float = 0.0
    supervisor: Holder | None = None
    lacking: dict[str, Lacking] = {}
    fuse: Fuse | None = None
    chains_on: bool = False
    review_limits: ReviewLimits = ReviewLimits()
    ledger: dict[str, int] = {}
    routines: dict[str, routines.Routine] = {}
    outlets: dict[str, outbox.Outlet] = {}

    def apply(self, logged: ev.Logged) -> None:
        """Fold one event in. Events must come in order, without gaps."""
        if logged.seq != self.seq + 1:
            raise ValueError(f"event {logged.seq} cannot follow {self.seq}")
        fact, seq, at = logged.fact, logged.seq, logged.at
        self.seq, self.at = seq, at
        match fact:
            case ev.SupervisorStarted():
                self.supervisor = Holder(
                    pid=fact.pid,
                    start_time=fact.start_time,
                    host=fact.host,
                    version=fact.version,
                    at=at,
                    running=True,
                    sandbox=fact.sandbox,
                    boot=fact.boot,
                )
                self.lacking, self.fuse = {}, None
            case ev.SupervisorStopped() if self.supervisor:
                self.supervisor, self.fuse = replace(self.supervisor, running=False), None
            case ev.SupervisorDegraded():
                self.lacking[fact.kind] = Lacking(kind=fact.kind, why=fact.why, at=at)
            case ev.SupervisorRecovered():
                self.lacking.pop(fact.kind, None)
            case ev.FuseBlown():
                self.fuse = Fuse(sessions=fact.sessions, why=fact.why, at=at, at_work=fact.at_work)
                if run := open_run(self):
                    self.runs[run.run] = drain.blew(run)
            case ev.FuseReset():
                self.fuse = None
            case ev.SessionAdded():
                self.sessions[fact.session] = session_fold.added(fact, seq, at)
            case ev.PolicyAttached():
                self.policies[fact.policy] = policies.attached(fact, at)
            case ev.RepositoryChanged():
                self.alerts[fact.alert] = alerts.opened(fact, self.alerts.get(fact.alert), at)
            case ev.AlertAnswered() | ev.AlertSettled():
                self.alerts[fact.alert] = alerts.fold(self.alerts[fact.alert], fact, seq, at)
            case ev.QueueProblems():
                self.problems = fact.problems
            case ev.OperatorActive():
                self.active_at = at
            case ev.RunStarted():
                self.runs[fact.run] = drain.started(fact, seq, at)
            case ev.TicketSeen():
                self.tickets[fact.ticket] = tickets.seen(fact, self.tickets.get(fact.ticket), seq, at)
            case _:
                self._chains(fact, seq, at)
                self._queue(fact, seq, at)
                self._touch(fact, seq, at)

    def _chains(self, fact: ev.Fact, seq: int, at: float) -> None:
        """Chains, routines and the outbox."""
        match fact:
            case ev.ChainsSwitched():
                self.chains_on = fact.on
            case ev.ChainLimitsRead():
                self.review_limits = fact.limits
            case ev.ChainSpawned():
                self.tickets[fact.ticket] = tickets.spawned(fact, seq, at)
                self.ledger[fact.key] = seq
            case ev.ChainShipped() | ev.ChainEscalated():
                self._chained(fact, seq)
            case ev.ChainTrouble():
                self.ledger[f"trouble:{fact.ticket}:{fact.error}"] = seq
            case ev.RoutineStarted():
                self.routines[fact.routine] = routines.started(fact, seq, at)
            case ev.ChannelOpened() | ev.ChannelClosed() | ev.NoticeSending() | ev.NoticeSettled():
                self.outlets[fact.channel] = outbox.fold(self.outlets.get(fact.channel), fact, at)
            case _:
                pass

    def _chained(self, fact: ev.ChainShipped | ev.ChainEscalated, seq: int) -> None:
        """Told once a plan; the root knows, and who made the plan."""
        self.ledger[fact.key] = seq
        plan = self.plans.get(fact.plan)
        maker = self.policies[plan.policy].spec.ticket if plan else ""
        for name in {fact.root, maker} & set(self.tickets):
            self.tickets[name] = tickets.in_chain(self.tickets[name], fact)

    def _queue(self, fact: ev.Fact, seq: int, at: float) -> None:
        """What a fact means for the ticket, the decision and the run that it names."""
        ticket = self.tickets.get(getattr(fact, "ticket", ""))
        if ticket:
            self.tickets[ticket.ticket] = tickets.fold(ticket, fact, seq, at)
        if isinstance(fact, ev.DecisionParked):
            self.decisions[fact.decision] = decisions.parked(fact, seq, at)
        elif known := self.decisions.get(getattr(fact, "decision", "")):
            now = self.decisions[known.decision] = decisions.fold(known, fact, at)
            if isinstance(fact, ev.DecisionAnswered) and ticket:
                self.tickets[ticket.ticket] = tickets.answered(self.tickets[ticket.ticket], _told(now))
        if run := self.runs.get(getattr(fact, "run", "")):
            self.runs[run.run] = drain.fold(run, fact, seq, at)
            if isinstance(fact, ev.RunEnded):
                self.runs[run.run] = replace(self.runs[run.run], left=_left(self))
        if isinstance(fact, ev.TicketWaiting) and (own := self.tickets.get(fact.ticket)):
            s = self.sessions.get(own.session)
            overload = bool(s and s.turn and s.turn.fault == "overload")
            self.tickets[own.ticket] = tickets.waits(own, fact, at, overload=overload)
        if isinstance(fact, ev.RolledBack) and (own := ticket_of(self, fact.session)) and own.session == fact.session:
            self.tickets[own.ticket] = tickets.kept(own, fact.undo)
        if isinstance(fact, ev.PolicyGating) and (own := self.tickets.get(self.policies[fact.policy].spec.ticket)):
            self.tickets[own.ticket] = tickets.judging(own)
        told = isinstance(fact, ev.TurnEnded) or (isinstance(fact, ev.Exited) and fact.usage is not None)
        if isinstance(fact, (ev.TurnEnded, ev.Exited)) and told and (run := self._run_of(fact.session)):
            self.runs[run.run] = drain.spent(run, fact)

    def _again(self, session: str, at: float) -> None:
        """A restart counts for the ticket that its session is at work on, a resumed turn like any other."""
        own = ticket_of(self, session)
        if own and own.session == session and own.phase == "working":
            self.tickets[own.ticket] = tickets.broke_off(own, at)

    def _run_of(self, session: str) -> drain.Run | None:
        ticket = ticket_of(self, session)
        return self.runs.get(ticket.run) if ticket else None

    def _touch(self, fact: ev.Fact, seq: int, at: float) -> None:
        session = self.sessions.get(getattr(fact, "session", ""))
        if session:
            now = self.sessions[session.session] = session_fold.fold(session, fact, seq, at)
            if isinstance(fact, (ev.SessionRestarting, ev.SessionInterrupted)) and now.restarts != session.restarts:
                self._again(session.session, at)
            if now.turns > session.turns and (run := self._run_of(session.session)):
                self.runs[run.run] = drain.turned(run)
            if isinstance(fact, ev.SessionHung) and (own := ticket_of(self, session.session)):
                self.tickets[own.ticket] = tickets.hung(own, session.session)
        if isinstance(fact, ev.PolicyPassed):
            for one in fact.sessions:
                self.sessions[one] = session_fold.fold(self.sessions[one], fact, seq, at)
        if routine := self.routines.get(getattr(fact, "routine", "")):
            self.routines[routine.routine] = routines.fold(routine, fact, seq, at)
        if isinstance(fact, ev.ReviewJudged) and (seen := self.plans.get(fact.review.commit)):
            self.plans[seen.plan] = commits.reviewed(seen, fact.review)
        policy = self.policies.get(getattr(fact, "policy", ""))
        if policy:
            self.policies[policy.policy] = policies.fold(policy, fact, seq, at)
        if isinstance(fact, ev.PolicyCommitReady):
            self.plans[fact.plan] = commits.ready(fact, seq, at)
            self._succeed(fact.replaced, fact.plan)
        elif plan := self.plans.get(getattr(fact, "plan", "") if not isinstance(fact, ev.PolicyJudged) else ""):
            self.plans[plan.plan] = commits.fold(plan, fact, seq, at)

    def _succeed(self, old: str, new: str) -> None:
        """The plan that a newer one replaces says which, so that a late approval can be pointed there."""
        plan = self.plans.get(old)
        if plan and old != new:
            self.plans[old] = replace(plan, successor=new)


def _left(state: State) -> tuple[int, int, int]:
    """What waits for a person: plans, decisions, tickets that are held."""
    plans = sum(1 for plan in state.plans.values() if plan.state == "waiting")
    asked = sum(1 for decision in state.decisions.values() if decision.state == "open")
    return plans, asked, sum(1 for t in state.tickets.values() if t.held and t.phase == "queued")


def _told(d: decisions.Parked) -> str:
    """A decision as the next attempt is told of it."""
    if d.source == "rejected":
        return f"the change that may still be in these files was rejected ({d.why}); instead: {d.answer}"
    return f"{d.question} -> {d.answer}"


def ticket_of(state: State, session: str) -> tickets.Ticket | None:
    """The ticket that a session works on, or worked on last."""
    s = state.sessions.get(session)
    return state.tickets.get(s.ticket) if s and s.ticket else None


def open_run(state: State) -> drain.Run | None:
    """The run that is under way; there is one at most."""
    latest = next(reversed(state.runs.values()), None)
    return latest if latest and latest.open else None


def open_alert(state: State) -> alerts.Alert | None:
    """The alert that nobody has settled yet; there is one at most."""
    return next((a for a in state.alerts.values() if a.state != "settled"), None)


def encode(state: State) -> bytes:
    return msgspec.json.encode(state)


def decode(raw: bytes) -> State:
    return msgspec.json.decode(raw, type=State)
