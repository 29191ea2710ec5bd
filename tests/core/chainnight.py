"""A night with reviews and repairs as it stands in the log, written fact by fact; nothing here decides."""

from __future__ import annotations

from msgspec.structs import replace
from nightlog import ME, Night

from console.core import events as ev
from console.core.records import TicketSpec
from console.core.records_chains import Link, LinkKind, Review, Verdict


class Chained(Night):
    """Chains as the log has them; nothing here decides."""

    def spawn(self, root: str, kind: LinkKind, head: str, cycle: int = 1, after: str = "") -> str:
        round_ = self.state.tickets[root].rounds
        name = f"{root}+{kind}-{cycle}{f'.{round_}' if round_ else ''}"
        policy = self.state.plans[head].policy if head in self.state.plans else "pol-0"
        link = Link(kind=kind, root=root, head=head, policy=policy, after=after or root, cycle=cycle, round=round_)
        spec = TicketSpec(title=f"{kind} of {root}")
        self.add(ev.ChainSpawned(ticket=name, link=link, spec=spec, key=f"{kind}:{root}:{head}", why="it is done"))
        return name

    def review(
        self, root: str, head: str, verdict: Verdict, cycle: int = 1, *, preset: str = "other", findings: str = ""
    ) -> str:
        """A review that has ended."""
        name = self.spawn(root, "review", head, cycle)
        self.claim(name)
        self.begin(name)
        why = f"its last line is {verdict}" if verdict else "its last line is no verdict"
        review = Review(verdict=verdict, commit=head, why=why, findings=findings, preset=preset, session="s")
        self.add(ev.ReviewJudged(ticket=name, attempt=1, review=review))
        self.end(name, "DONE" if verdict else "FAILED_BUG_IN_AGENT", why)
        return name

    def repair(self, root: str, head: str, cycle: int = 1, *, level: int = 3) -> str:
        """A repair that made a plan in the place of `head`."""
        name = self.spawn(root, "repair", head, cycle)
        self.claim(name)
        self.begin(name)
        plan, old = self.plan(name, level=level), self.state.plans[head]
        made = self.log.pop()
        fact = made.fact
        assert isinstance(fact, ev.PolicyCommitReady)
        self._again(replace(made, fact=replace(fact, replaced=head)))
        self.add(
            ev.PolicyCancelled(policy=old.policy, reason="repaired", by=None),
            ev.PlanSuperseded(policy=old.policy, plan=head, reason="repaired"),
            wait=0.0,
        )
        self.end(name, "DONE", "the gate is green", plan=plan)
        return plan

    def _again(self, entry: ev.Logged) -> None:
        """The last entry is another one: the state is what the log says."""
        self.log.append(entry)
        self.state = type(self.state)()
        for one in self.log:
            self.state.apply(one)

    def ship(self, root: str, ticket: str, plan: str) -> None:
        self.add(ev.ChainShipped(root=root, ticket=ticket, plan=plan, key=f"ship:{root}:{plan}"))
        self.end(root, "DONE", "green, and other reviewed it: SHIP", plan=plan)

    def escalate(self, root: str, ticket: str, plan: str, why: str = "5 reviews, and it is not done") -> None:
        self.add(ev.ChainEscalated(root=root, ticket=ticket, plan=plan, why=why, key=f"escalate:{root}:{plan}"))


def whole_night() -> Chained:
    """BLOCK, repair and SHIP; an escalation; a review whose verdict nobody can read; and one that is queued."""
    n = Chained()
    n.add(ev.ChainsSwitched(on=True, by=ME), wait=0.0)
    for name in ("good", "stubborn", "plain", "late"):
        n.ticket(name)
    n.run()
    first, bad, plain, late = (n.done(name, level=3, outcome="DONE_LOW_CONFIDENCE") for name in n.state.tickets)
    n.review("good", first, "BLOCK", findings="slugs lose [their](http://evil) dashes")
    fixed = n.repair("good", first)
    n.ship("good", n.review("good", fixed, "SHIP", 2), fixed)
    n.escalate("stubborn", n.review("stubborn", bad, "BLOCK", findings="it is wrong"), bad)
    n.escalate("plain", n.review("plain", plain, ""), plain, "no review of it could be read")
    n.spawn("late", "review", late)
    return n
