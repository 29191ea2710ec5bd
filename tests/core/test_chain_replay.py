"""Chains decide by the log alone: replays, a recorded board, and random plays that never break their promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from chainplay import BLOCK, HIGH, LIMITS, SHIP, TWO, ChainNight
from hypothesis import given
from hypothesis import settings as given_settings
from hypothesis import strategies as st
from msgspec.structs import replace
from play import ME
from queueplay import PARK, PROCEED
from test_random_queue import Random

from console.core import chains, chains_react, queue
from console.core import commands as cmd
from console.core import events as ev
from console.core.chains import Card, Decision, Escalate, Ship, Spawn, Withdraw
from console.core.chains_board import board, card
from console.core.records import Record
from console.core.records_chains import Review, ReviewLimits
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.core.verdicts import verdict

BOARDS = Path(__file__).parents[1] / "fixtures" / "boards"


class Recorded(Record, frozen=True, kw_only=True):
    """A board as it was, and what was decided for each of its cards, in their order."""

    limits: ReviewLimits
    cards: tuple[Card, ...]
    decisions: tuple[Decision, ...]


def test_the_recorded_board_still_gives_the_recorded_decisions() -> None:
    found = msgspec.json.decode((BOARDS / "busy.json").read_bytes(), type=Recorded)
    assert tuple(chains.plan(c, found.cards, found.limits) for c in found.cards) == found.decisions
    kinds = {type(d).__name__ for d in found.decisions}
    assert kinds == {"Nothing", "Spawn", "Ship", "Escalate", "Withdraw"}
    backwards = found.cards[::-1]
    assert tuple(chains.plan(c, backwards, found.limits) for c in found.cards) == found.decisions, "in any order"


def test_the_log_folded_anew_is_the_same_state_and_deciding_again_decides_nothing() -> None:
    night = ChainNight(replace(LIMITS, max_chains=2))
    night.root("a", "b", "c")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.read("b+review-1", SHIP)
    night.read("a+review-2", SHIP)
    again = night.again()
    assert again == night.state and board(again) == board(night.state)
    assert chains_react.follow(again) == () == chains_react.follow(night.state)


def test_every_step_of_a_log_was_the_one_that_its_fold_decides() -> None:
    """Each fact of a chain follows from the log up to it: nothing else was known to who decided."""
    night = ChainNight()
    night.root("a", "b")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.read("b+review-1", "hm")
    night.read("a+review-2", SHIP)
    state = State()
    decided = 0
    for entry in night.log:
        if isinstance(entry.fact, (ev.ChainSpawned, ev.ChainShipped, ev.ChainEscalated)):
            assert chains_react.follow(state) == (entry.fact,)
            decided += 1
        state.apply(entry)
    assert decided == 5


def check_auto(state: State, fact: ev.ApprovalRequested) -> None:
    """A run without keys lands by itself only what no chain has to do with."""
    spec = state.policies[fact.policy].spec
    own, level = state.tickets[spec.ticket].spec.review, state.plans[fact.plan].level
    assert not spec.replaces, fact
    assert not (state.chains_on and chains.wanted(own, level, state.review_limits)), fact


def under_way(state: State) -> set[str]:
    """Roots with a chain that has begun and goes on, by the tickets alone."""
    latest: dict[str, Ticket] = {}
    for t in state.tickets.values():
        root = state.tickets[t.link.root] if t.link else None
        if t.link and root and root.rounds == t.link.round and root.phase not in ("dropped", "gone"):
            latest[root.ticket] = t
    found = set()
    for name, t in latest.items():
        plan = t.plan or (t.link.head if t.link else "")
        lives = state.plans[plan].state in ("waiting", "approved", "landing", "undoing")
        if lives and not state.tickets[name].escalated and f"ship:{name}:{plan}" not in state.ledger:
            found.add(name)
    return found


# -- random plays ----------------------------------------------------------------------------------------


class Chained(Random):
    """Random nights with chains: reviewers say anything, limits and the switch change under way."""

    def folder(self) -> None:
        self.named += 1
        after = (f"t{self.named - 1}",) if self.named > 1 and self.dice.random() < 0.2 else ()
        self.see(f"t{self.named}", after=after, verdict=PARK if self.dice.random() < 0.1 else PROCEED)

    def person(self) -> None:
        if self.dice.random() < 0.75:
            super().person()
        elif self.dice.random() < 0.4:
            self.ask(cmd.SwitchChains(on=self.dice.random() < 0.8, by=ME))
        else:
            limits = ReviewLimits(
                when=self.dice.choice(("never", "high_risk", "always", "always")),
                max_cycles=self.dice.choice((1, 2, 3)),
                max_chains=self.dice.choice((1, 2, 3)),
                presets=("bot", "critic"),
            )
            self.ask(cmd.ReadChainLimits(limits=limits))

    def verdict(self, policy: str) -> None:
        p = self.state.policies[policy]
        if not p.spec.review:
            super().verdict(policy)
            return
        read = verdict(self.dice.choice((SHIP, BLOCK, BLOCK, "hm")))
        commit = p.spec.review if self.dice.random() < 0.95 else "f" * 40
        review = Review(verdict=read.verdict, commit=commit, why=read.why, preset="critic")
        made = review if self.dice.random() < 0.95 else None
        self.report(ev.PolicyJudged(policy=policy, attempt=p.attempt, review=made))

    def check(self) -> None:
        super().check()
        assert not chains_react.follow(self.state), "what chains can decide is decided when a command has settled"
        for t in self.state.tickets.values():
            if t.link and t.phase == "queued" and self.state.chains_on:
                assert queue.readiness(self.state, t).state in ("ready", "waits"), t
            if t.phase == "ended" and t.outcome == "DONE" and t.plan and not t.link:
                self.check_done(t)

    def check_done(self, t: Ticket) -> None:
        """DONE, as long as its plan waits, has no BLOCK against it, and no repair that nobody has reviewed."""
        plan = queue.present(self.state, self.state.plans[t.plan])
        if plan.state != "waiting":
            return
        said = [r.verdict for r in plan.reviews if r.verdict][-1:]
        repaired = bool(self.state.policies[plan.policy].spec.replaces)
        assert said == ["SHIP"] if repaired else said != ["BLOCK"], (t, plan)

    def promises(self) -> None:
        """Of the whole log."""
        stamps: Counter[tuple[str, str, str]] = Counter()
        keys: Counter[str] = Counter()
        read: dict[str, list[str]] = {}
        for entry in self.log:
            match entry.fact:
                case ev.ChainSpawned(link=link, key=key):
                    stamps[link.kind, link.root, link.head] += 1
                    keys[key] += 1
                case ev.ChainShipped(key=key, plan=plan):
                    keys[key] += 1
                    assert read[plan][-1] == "SHIP", "only a SHIP for exactly this commit ships it"
                case ev.ChainEscalated(key=key):
                    keys[key] += 1
                case ev.ReviewJudged(review=review):
                    read.setdefault(review.commit, []).append(review.verdict)
                case ev.ChainTrouble():
                    raise AssertionError(entry.fact)
                case _:
                    pass
        assert not [one for one in (*stamps.items(), *keys.items()) if one[1] > 1]
        self.bounds()

    def bounds(self) -> None:
        """Each review is the next of its chain, within the limits of that moment."""
        per_round: Counter[tuple[str, int]] = Counter()
        state = State()
        for entry in self.log:
            before = under_way(state) if isinstance(entry.fact, ev.ChainSpawned) else set()
            if isinstance(entry.fact, ev.ApprovalRequested) and entry.fact.by != ME:
                check_auto(state, entry.fact)
            state.apply(entry)
            if isinstance(entry.fact, ev.ChainSpawned) and entry.fact.link.kind == "review":
                link, limits = entry.fact.link, state.review_limits
                per_round[link.root, link.round] += 1
                assert link.cycle == per_round[link.root, link.round] <= limits.max_cycles
                assert link.root in before or len(under_way(state)) <= limits.max_chains


@pytest.mark.parametrize("block", range(3))
def test_random_nights_with_chains_keep_every_promise_and_end(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * 4 + 1000, block * 4 + 1004):
        night = Chained(seed)
        night.do(cmd.SwitchChains(on=True, by=ME))
        night.do(cmd.ReadChainLimits(limits=ReviewLimits(when="always", max_cycles=2, presets=("bot", "critic"))))
        settings = replace(TWO, ack=seed % 3 > 0, workspace="in_place" if seed % 4 == 3 else "worktree")
        for _ in range(3):
            night.folder()
        for _ in range(500):
            kind = night.dice.random()
            if kind < 0.1:
                night.person()
            elif kind < 0.13:
                night.disturb()
            elif not night.perform() and not open_run(night.state):
                night.folder()
                night.go(settings)
        night.rest()
        assert open_run(night.state) is None, (seed, night.flying())
        night.promises()
        night.check_counts()
        night.check_durable()
        seen.update(ev.type_of(entry.fact) for entry in night.log)
    assert seen["chain:spawned"] > 10 and seen["chain:shipped"] and seen["chain:escalated"], seen


# -- the plan alone --------------------------------------------------------------------------------------

COMMITS = ("", *(letter * 40 for letter in "abc"))


def cards(root: str) -> st.SearchStrategy[list[Card]]:
    stands = st.sampled_from(("waits", "waits", "moving", "gone"))
    fields = {
        "root": st.just(root),
        "at": st.integers(1, 50),
        "stage": st.sampled_from(("queued", "busy", "ended", "ended", "ended", "dropped", "gone")),
        "ok": st.booleans(),
        "round": st.integers(0, 1),
        "made_stands": stands,
        "fired": st.lists(st.sampled_from(("review", "repair", "ship", "escalate")), max_size=2).map(tuple),
        "escalated": st.sampled_from((False, False, True)),
    }
    work = st.builds(
        Card,
        ticket=st.just(root),
        kind=st.just("work"),
        made=st.sampled_from(COMMITS),
        level=st.integers(1, 3),
        **fields,
    )
    member = st.builds(
        Card,
        ticket=st.integers(0, 99).map(lambda n: f"{root}+member-{n}"),
        kind=st.sampled_from(("review", "repair")),
        head=st.sampled_from(COMMITS[1:]),
        head_stands=stands,
        made=st.sampled_from(COMMITS),
        cycle=st.integers(1, 4),
        verdict=st.sampled_from(("SHIP", "BLOCK", "")),
        reviewed=st.sampled_from(COMMITS),
        **fields,
    )
    return st.builds(lambda one, more: [one, *more], work, st.lists(member, max_size=3))


@given_settings(max_examples=150, deadline=None)
@given(
    st.tuples(cards("r1"), cards("r2"), cards("r3")).map(lambda found: tuple(c for one in found for c in one)),
    st.builds(ReviewLimits, max_cycles=st.integers(0, 4), max_chains=st.integers(0, 3), when=st.just("always")),
)
def test_no_board_ships_without_a_ship_or_goes_beyond_its_limits(found: tuple[Card, ...], limits: ReviewLimits) -> None:
    for c in found:
        match chains.plan(c, found, limits):
            case Ship(plan=plan):
                assert (c.kind, c.verdict, c.reviewed, c.stands, c.stage) == ("review", "SHIP", plan, "waits", "ended")
                assert "ship" not in c.fired
            case Spawn(link=link) as spawn:
                assert link.cycle <= limits.max_cycles and c.stands == "waits" and not c.escalated
                assert not [o for o in found if (o.kind, o.root, o.head) == (link.kind, link.root, link.head)]
                assert link.kind not in c.fired and spawn.key == chains.key(link.kind, link.root, link.head)
            case Escalate():
                assert "escalate" not in c.fired and not c.escalated and c.stands == "waits"
            case Withdraw():
                assert (c.stage == "queued" or (c.stage == "ended" and not c.ok)) and c.kind != "work"


A, B = "a" * 40, "b" * 40
ROOT = Card(ticket="r", kind="work", root="r", at=1, stage="ended", ok=True, made=A, made_stands="waits", level=3)
READ = Card(
    ticket="r+review-1",
    kind="review",
    root="r",
    at=2,
    stage="ended",
    ok=True,
    cycle=1,
    head=A,
    head_stands="waits",
    verdict="SHIP",
    reviewed=A,
)


@pytest.mark.parametrize(
    "other",
    [
        {"reviewed": B},
        {"reviewed": ""},
        {"verdict": "BLOCK"},
        {"verdict": ""},
        {"ok": False},
        {"stage": "busy"},
        {"stage": "queued"},
        {"stage": "dropped"},
        {"head_stands": "moving"},
        {"head_stands": "gone"},
        {"round": 1},
        {"fired": ("ship",)},
    ],
)
def test_a_ship_takes_a_review_that_ended_well_about_exactly_the_plan_that_waits(other: dict[str, object]) -> None:
    assert isinstance(chains.plan(READ, (ROOT, READ), LIMITS), Ship)
    worse = replace(READ, **other)
    assert not isinstance(chains.plan(worse, (ROOT, worse), LIMITS), Ship)


def test_what_the_ledger_holds_is_not_begun_again_though_its_ticket_is_gone_from_the_board() -> None:
    assert isinstance(chains.plan(ROOT, (ROOT,), LIMITS), Spawn)
    begun = replace(ROOT, fired=("review",))
    assert not isinstance(chains.plan(begun, (begun,), LIMITS), Spawn)
    block = replace(READ, verdict="BLOCK")
    assert isinstance(chains.plan(block, (ROOT, block), LIMITS), Spawn)
    repaired = replace(block, fired=("repair",))
    assert not isinstance(chains.plan(repaired, (ROOT, repaired), LIMITS), Spawn)


def test_a_card_holds_nothing_that_the_state_does_not_say() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    found = card(night.state, night.t("a+review-1"))
    assert (found.kind, found.root, found.cycle, found.verdict) == ("review", "a", 1, "BLOCK")
    assert (found.head, found.head_stands, found.fired) == (night.t("a").plan, "waits", ("review", "repair"))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Card) == found
    assert HIGH.level == card(night.state, night.t("a")).level
