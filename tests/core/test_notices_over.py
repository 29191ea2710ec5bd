"""Nothing is told about what is over, and a plan that a chain has in hand is told when that is done with it."""

from __future__ import annotations

from chainplay import BLOCK, SHIP, ChainNight
from msgspec.structs import replace
from play import ME

from console.core import commands as cmd
from console.core import events as ev
from console.core.notice_groups import moot, wants
from console.core.notices import Notice, notice
from console.core.notify_settings import Ask, Channel, NoticeName, for_session
from console.core.state import State


def told(night: ChainNight) -> list[tuple[str, str, str]]:
    """(name, ticket, plan) of what is still to be told about plans."""
    return [(n.name, n.ticket, n.plan) for n in _plans(night) if not moot(n, night.state)]


def _plans(night: ChainNight) -> list[Notice]:
    names = ("awaiting-ack", "shipped", "escalated")
    return [n for entry in night.log if (n := notice(entry, night.state)) and n.name in names]


def test_a_plan_that_waits_for_its_review_or_was_blocked_is_not_told_as_waiting_for_a_person() -> None:
    night = ChainNight()
    night.root("a")
    assert told(night) == []
    night.read("a+review-1", BLOCK)
    assert told(night) == []
    night.mend("a+repair-1")
    assert told(night) == []
    night.read("a+review-2", SHIP)
    assert told(night) == [("shipped", "a", night.t("a+repair-1").plan)]


def test_while_chains_are_off_or_a_ticket_wants_no_review_its_plan_is_told_at_once() -> None:
    night = ChainNight(on=False)
    night.root("a")
    assert told(night) == [("awaiting-ack", "a", night.t("a").plan)]
    calm = ChainNight(replace(ChainNight().state.review_limits, when="never"))
    calm.root("a")
    assert told(calm) == [("awaiting-ack", "a", calm.t("a").plan)]


def test_whoever_asked_for_plans_that_wait_hears_what_became_of_one_in_a_chain() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", SHIP)
    shipped = _plans(night)[-1]
    assert shipped.name == "shipped"
    plans = Channel(kind="url", where="http://h/", asks=(Ask(events=frozenset({"awaiting-ack"})),))
    others = Channel(kind="url", where="http://h/", asks=(Ask(events=frozenset({"parked"})),))
    assert wants(plans, shipped) and not wants(others, shipped)
    assert all(wants(for_session(s, "http://h/", ""), shipped) for s in night.state.plans[shipped.plan].sessions)


def test_shipped_and_escalated_are_over_when_their_plan_is() -> None:
    for verdict, name in ((SHIP, "shipped"), ("no verdict at all", "escalated")):
        night = ChainNight()
        night.root("a")
        night.read("a+review-1", verdict)
        for _ in range(9):
            if told(night):
                break
            night.read("a+review-1", verdict)
        plan = night.t("a").plan
        assert told(night) == [(name, "a", plan)]
        night.do(cmd.Reject(policy=night.t("a").policy, plan=plan, by=ME, note="no"))
        assert told(night) == []


def test_what_could_not_go_on_is_over_when_somebody_has_seen_to_it() -> None:
    def said(name: NoticeName, **more: str) -> Notice:
        return Notice(seq=1, at=1.0, name=name, text="t", show="s", **more)  # type: ignore[arg-type]

    night = ChainNight(on=False)
    night.root("a")
    assert moot(said("blocked", status="BLOCKED_ENV", ticket="a"), night.state) == "the ticket is DONE_LOW_CONFIDENCE"
    policy = night.t("a").policy
    assert moot(said("blocked", policy=policy), night.state) == "the policy is awaiting-ack"
    session = night.t("a").session
    assert moot(said("given-up", session=session, reason="twice"), night.state) == "it is at work again"
    assert moot(said("fuse"), night.state) == "the fuse is in again"


def test_a_fuse_that_is_still_blown_is_told() -> None:
    state = State()
    blown = ev.Logged(seq=1, at=5.0, fact=ev.FuseBlown(sessions=("s-1",), at_work=3, why="w"))
    state.apply(blown)
    n = notice(blown, state)
    assert n and not moot(n, state)
    state.apply(ev.Logged(seq=2, at=6.0, fact=ev.FuseReset(why="all speak again")))
    assert moot(n, state)
