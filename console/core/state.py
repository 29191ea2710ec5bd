"""The state is the fold of the log, and nothing else. `State.apply` is the only way it changes."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from console.core import alerts, commits, policies, sessions
from console.core import events as ev

STATE_SCHEMA = 1
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


class State(msgspec.Struct, kw_only=True):
    """Everything there is to know at log position `seq`."""

    seq: int = 0
    at: float = 0.0
    sessions: dict[str, sessions.Session] = {}
    policies: dict[str, policies.Policy] = {}
    plans: dict[str, commits.Plan] = {}
    alerts: dict[str, alerts.Alert] = {}
    supervisor: Holder | None = None

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
                )
            case ev.SupervisorStopped() if self.supervisor:
                self.supervisor = replace(self.supervisor, running=False)
            case ev.SessionAdded():
                self.sessions[fact.session] = sessions.added(fact, seq, at)
            case ev.PolicyAttached():
                self.policies[fact.policy] = policies.attached(fact, at)
            case ev.RepositoryChanged():
                self.alerts[fact.alert] = alerts.opened(fact, self.alerts.get(fact.alert), at)
            case ev.AlertAnswered() | ev.AlertSettled():
                self.alerts[fact.alert] = alerts.fold(self.alerts[fact.alert], fact, seq, at)
            case _:
                self._touch(fact, seq, at)

    def _touch(self, fact: ev.Fact, seq: int, at: float) -> None:
        session = self.sessions.get(getattr(fact, "session", ""))
        if session:
            self.sessions[session.session] = sessions.fold(session, fact, seq, at)
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


def open_alert(state: State) -> alerts.Alert | None:
    """The alert that nobody has settled yet; there is one at most."""
    return next((a for a in state.alerts.values() if a.state != "settled"), None)


def encode(state: State) -> bytes:
    return msgspec.json.encode(state)


def decode(raw: bytes) -> State:
    return msgspec.json.decode(raw, type=State)
