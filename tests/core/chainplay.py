"""Chains on the table: a night whose reviewers and repairers are played, and the log read for what chains did."""

from __future__ import annotations

from msgspec.structs import replace
from play import ME, frozen
from queueplay import CALM, SETTINGS, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Assessment, Finding, Frozen, Launch
from console.core.records_chains import Review, ReviewLimits
from console.core.state import State, decode, encode
from console.core.verdicts import verdict

HIGH = Assessment(level=3, findings=(Finding(kind="risk", level="high", rule="auth", text="it touches logins"),))
TWO = replace(SETTINGS, presets={"bot": Launch(argv=("agent",)), "critic": Launch(argv=("critic",))})
LIMITS = ReviewLimits(max_cycles=3, presets=("bot", "critic"))
SHIP, BLOCK = "Fine.\nVERDICT: SHIP", "a.txt, line 1: it is wrong\nVERDICT: BLOCK"


class ChainNight(Night):
    """limits: as they are read at its start."""

    def __init__(self, limits: ReviewLimits = LIMITS, *, on: bool = True) -> None:
        super().__init__()
        self.limit(limits)
        if on:
            self.switch(on=True)

    def switch(self, *, on: bool) -> tuple[ev.Fact, ...]:
        return self.do(cmd.SwitchChains(on=on, by=ME))

    def limit(self, limits: ReviewLimits) -> tuple[ev.Fact, ...]:
        return self.do(cmd.ReadChainLimits(limits=limits))

    def root(self, *names: str, assessment: Assessment = HIGH) -> None:
        """Tickets that are implemented in a run that may go on."""
        for name in names:
            self.see(name)
        self.go(replace(TWO, sessions=max(2, len(names))))
        for name in names:
            self.work(name, assessment=assessment)

    def read(self, name: str, text: str) -> tuple[ev.Fact, ...]:
        """A review: prepared, a turn, and what its reviewer said at the end."""
        self.begin_turn(name)
        self.end_turn(name)
        return self.said(name, text)

    def said(self, name: str, text: str) -> tuple[ev.Fact, ...]:
        """The supervisor has read the last words of a reviewer whose turn is over."""
        t = self.t(name)
        p, found = self.state.policies[t.policy], verdict(text)
        review = Review(
            verdict=found.verdict, commit=p.spec.review, why=found.why, findings=found.findings, preset="critic"
        )
        facts = self.report(ev.PolicyJudged(policy=p.policy, attempt=p.attempt, review=review))
        self.settle()
        return facts

    def mend(self, name: str, *, plan: Frozen | None = None) -> None:
        """A repair whose work is green."""
        self.begin_turn(name)
        self.end_turn(name)
        self.judged(name, assessment=HIGH, plan=plan or "new")
        self.settle()

    def same_tree(self, commit: str) -> Frozen:
        """Another commit with the very files of a plan."""
        old = self.state.plans[commit].frozen
        self._plans += 0x10000000
        return replace(frozen(self._plans << 100, old.base), tree=old.tree)

    def facts(self, *kinds: type[ev.Event]) -> list[ev.Event]:
        return [entry.fact for entry in self.log if isinstance(entry.fact, kinds)]

    def spawned(self) -> list[str]:
        return [fact.ticket for fact in self.facts(ev.ChainSpawned)]  # type: ignore[attr-defined]

    def shipped(self) -> list[str]:
        return [fact.plan for fact in self.facts(ev.ChainShipped)]  # type: ignore[attr-defined]

    def again(self) -> State:
        """The log folded anew."""
        state = State()
        for entry in self.log:
            state.apply(entry)
        return state

    def restart(self) -> None:
        """The supervisor dies and comes back, with what its checkpoint holds."""
        self.state = decode(encode(self.state))
        self.report(ev.SupervisorStarted(pid=1, start_time=1, host="h", version="1"))


__all__ = ["BLOCK", "CALM", "HIGH", "LIMITS", "SHIP", "TWO", "ChainNight"]
