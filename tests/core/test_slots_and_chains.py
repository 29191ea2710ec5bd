"""Eight gates at once, what follows a policy that is done, and what the work is measured against."""

from __future__ import annotations

from play import COMMIT, GATE, MAIN, ME, NUDGE, Play, kinds

from console.core import commands as cmd
from console.core import events as ev
from console.core.policies import CONCURRENCY
from console.core.records import PolicySpec

# -- slots -----------------------------------------------------------------------------------------


def crowd(play: Play, count: int) -> list[str]:
    """Policies whose sessions all end their turn, in this order."""
    names = [play.session() for _ in range(count)]
    attached = [play.attach(name, gate=GATE) for name in names]
    for name in names:
        play.turn(name)
    return attached


def test_eight_gate_at_once_and_the_others_follow_in_order() -> None:
    play = Play()
    attached = crowd(play, 11)
    assert [play.status(p) for p in attached] == ["gating"] * CONCURRENCY + ["queued"] * 3
    play.judge(attached[3], "red")
    play.judge(attached[0])
    assert [play.status(p) for p in attached[CONCURRENCY:]] == ["gating", "gating", "queued"]
    play.do(cmd.CancelPolicy(policy=attached[1], by=ME))
    assert play.status(attached[-1]) == "gating"


def test_a_slot_that_a_finished_undo_frees_is_taken_at_once() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    play.land(policy)
    play.do(cmd.Undo(plan=plan, by=ME))
    attached = crowd(play, 8)
    assert play.status(attached[-1]) == "queued"
    play.report(ev.PlanRestored(policy=policy, plan=plan, was="landed"))
    assert play.status(attached[-1]) == "gating"


def test_a_chain_that_ends_while_others_queue_starts_each_gate_once() -> None:
    play = Play()
    name = play.session()
    first = play.attach(name, gate=GATE, next=PolicySpec(sessions=(name,), gate=GATE))
    play.turn(name)
    attached = crowd(play, 9)
    facts = play.judge(first)
    begun = [fact.policy for fact in facts if isinstance(fact, ev.PolicyGating)]
    assert begun == [attached[CONCURRENCY - 1]]


# -- chains ----------------------------------------------------------------------------------------


def test_next_starts_only_when_done_and_sees_the_same_turn() -> None:
    play = Play()
    name = play.session()
    first = play.attach(name, gate=GATE, next=PolicySpec(sessions=(name,), then="commit", gate=GATE, commit=COMMIT))
    since = play.state.policies[first].since
    play.turn(name)
    assert len(play.state.policies) == 1
    facts = play.judge(first)
    assert kinds(facts)[2:] == ["policy:done", "policy:attached", "policy:queued", "policy:gating"]
    done = play.state.policies[first]
    following = play.state.policies[done.next_policy]
    assert (following.parent, following.since, following.by) == (first, since, ME)


def test_next_of_a_commit_waits_for_the_landing_and_an_undo_does_not_start_it_twice() -> None:
    play = Play()
    name = play.session()
    _, first, plan = play.waiting_plan(name, next=PolicySpec(sessions=(name,), gate=GATE))
    assert len(play.state.policies) == 1
    for _ in range(2):
        play.approve(first)
        play.land(first)
        assert len(play.state.policies) == 2
        play.do(cmd.Undo(plan=plan, by=ME))
        play.report(ev.PlanRestored(policy=first, plan=plan, was="landed"))


def test_a_blocked_policy_starts_nothing() -> None:
    play = Play()
    name = play.session()
    first = play.attach(name, gate=GATE, next=PolicySpec(sessions=(name,)))
    play.turn(name)
    play.judge(first, "red")
    assert list(play.state.policies) == [first]


# -- what the work is measured against -------------------------------------------------------------


def gating(play: Play, policy: str) -> tuple[str, str]:
    found = [e.fact for e in play.log if isinstance(e.fact, ev.PolicyGating) and e.fact.policy == policy]
    return found[-1].base_ref, found[-1].base_head


def test_the_base_is_where_the_turn_began() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
    play.turn(name, head="h0", end_head="h1")
    assert gating(play, policy) == (MAIN, "h0")


def test_the_base_stays_through_nudges_even_when_the_agent_commits() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT, on_fail=NUDGE)
    play.turn(name, head="h0", end_head="h1")
    play.judge(policy, "red")
    play.turn(name, head="h1", end_head="h2")
    assert gating(play, policy) == (MAIN, "h0")


def test_what_the_agent_committed_in_an_earlier_turn_of_the_watch_belongs_to_the_work() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
    play.prompt(name)
    play.turn(name, head="h0", end_head="h1")
    play.turn(name, head="h1")
    assert gating(play, policy) == (MAIN, "h0")


def test_turns_before_the_watch_do_not_belong_to_the_work() -> None:
    play = Play()
    name = play.session()
    play.turn(name, head="h0", end_head="h1")
    play.prompt(name)
    play.begin(name, head="h1")
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
    play.end(name, head="h1")
    assert gating(play, policy) == (MAIN, "h1")


def test_a_commit_of_the_operators_between_turns_is_never_taken_for_the_agents() -> None:
    """The branch moved h0 -> h5 by hand; measuring from h0 would drop that commit from the branch when landing."""
    play = Play()
    name, policy, _ = play.waiting_plan()
    play.prompt(name)
    play.prompt(name)
    play.turn(name, head="h5")
    assert play.status(policy) == "watching"
    play.turn(name, head="h5")
    assert gating(play, policy) == (MAIN, "h5")
