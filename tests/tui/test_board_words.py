"""Chains, routines, judges and channels in words and rows: what the board, the lists and the header say of them."""

from __future__ import annotations

from typing import Any

import pytest
from boardplay import Chains
from deskplay import GATE, ME, NOW, DeskPlay
from hostile import PAYLOADS
from msgspec.structs import replace as changed
from queuedesk import Queue

from console.core import events as ev
from console.core.records import Gate, GateResult, Judge, Launch, Option, PolicySpec
from console.core.records_routines import Step
from console.present import attention, board, boardlines, rows
from console.tui.screens import bars
from console.tui.screens.subject import Subject, describe


@pytest.fixture
def queue(play: DeskPlay) -> Queue:
    return Queue(play)


@pytest.fixture
def chains(play: DeskPlay, queue: Queue) -> Chains:
    made = Chains(play, queue)
    made.on()
    queue.run()
    return made


def tree(play: DeskPlay) -> list[str]:
    """Glyph, word and text of every row."""
    listed = boardlines.chain_rows(board.chains(play.state), NOW)
    return [" ".join(cell[0] for cell in list(listed.cells(i))[:3]) for i in range(len(listed.keys))]


def then(play: DeskPlay) -> str:
    return board.chains(play.state)[0].then


# -- trees -------------------------------------------------------------------------------------------------


def test_a_chain_is_a_tree_with_the_gist_of_each_step_and_what_waits_for_a_person(
    play: DeskPlay, chains: Chains
) -> None:
    chains.ready()
    assert tree(play) == [
        "◐ ready T-1 Title of T-1",
        "✕ BLOCK ├ review 1 · codex · The empty cart is wrong.",
        "✓ done ├ repair 1 · claude · plan c0ffee0100",
        "✓ SHIP ├ review 2 · codex · its last line says SHIP",
        "◐ you └ its plan waits for you: p",
    ]


def test_escalated_ones_come_first_then_what_is_ready_then_what_goes_on_and_at_last_what_is_over(
    play: DeskPlay, chains: Chains
) -> None:
    landed = chains.ready("T-4")
    play.fold(ev.ApprovalRequested(policy=play.state.plans[landed].policy, plan=landed, by=ME))
    play.fold(ev.PlanLanding(policy=play.state.plans[landed].policy, plan=landed, ref="r", old=""))
    play.fold(ev.PolicyCommitted(policy=play.state.plans[landed].policy, plan=landed, sha=landed, ref="r"))
    chains.repairing("T-3")
    chains.ready("T-1")
    chains.stubborn("T-2")
    found = board.chains(play.state)
    assert [(c.root.ticket, c.root.mark.word) for c in found] == [
        ("T-2", "escalated"),
        ("T-1", "ready"),
        ("T-3", "in repair"),
        ("T-4", "landed"),
    ]
    assert board.counts(found) == {"escalated": 1, "ready": 1, "under way": 1, "over": 1}
    assert "1 of at most 1 reviews said BLOCK" in tree(play)[0] and found[-1].then == ""


def test_what_comes_next_is_said_at_every_step(play: DeskPlay, queue: Queue, chains: Chains) -> None:
    plan = queue.plan("T-1")
    review = chains.spawned("review", "T-1", plan)
    assert then(play) == "review 1 is queued, then its verdict"
    chains.begun(review)
    assert then(play) == "review 1 is working, then its verdict"
    chains.says(review, "BLOCK", "No.")
    assert then(play) == "a repair"
    play.fold(ev.ChainsSwitched(on=False, by=ME))
    assert then(play) == "chains are off: nothing follows by itself (c switches them on)"
    repair = chains.spawned("repair", "T-1", plan)
    chains.begun(repair)
    assert then(play) == "repair 1 is working, then a review of what it makes"
    play.fold(ev.RunEnded(run="run-1", status="HALTED", why="stopped"), ev.TicketBack(ticket=repair, attempt=1))
    assert then(play) == "chains are off: nothing follows by itself (c switches them on)", "no run would take it"
    play.fold(ev.ChainsSwitched(on=True, by=ME))
    assert then(play) == "repair 1 waits for a run: s on the desk starts one"
    play.fold(ev.TicketRequeued(ticket="T-1", by=ME))
    assert then(play) == "sent back: its own work waits for a run: s on the desk starts one"
    assert board.chains(play.state)[0].earlier == 2


def test_a_chain_whose_ticket_is_dropped_or_gone_is_over_when_nothing_of_it_is_under_way(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    review = chains.spawned("review", "T-1", queue.plan("T-1"))
    chains.begun(review)
    play.fold(ev.TicketGone(ticket="T-1"))
    assert then(play) == "it has no file any more: nothing follows from review 1"
    chains.says(review, "BLOCK", "No.")
    play.fold(ev.TicketDropped(ticket="T-1", by=ME))
    (found,) = board.chains(play.state)
    assert (found.rank, found.then, found.root.mark.word) == (board.OVER, "", "dropped")


def test_what_a_run_left_and_the_next_one_takes_again_waits_for_a_run(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    chains.repairing("T-1")
    end = ev.TicketEnded(
        ticket="T-1+repair-1", attempt=1, outcome="FAILED_RETRYABLE", why="run-1 was stopped", run="run-1"
    )
    play.fold(end, ev.RunEnded(run="run-1", status="STOPPED", why="by me"))
    assert then(play) == "repair 1 waits for a run: s on the desk starts one"
    assert board.counts(board.chains(play.state)) == {"waiting": 1}


def test_a_review_without_a_verdict_says_so_and_never_looks_like_one(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    review = chains.spawned("review", "T-1", queue.plan("T-1"))
    chains.says(review, "", why="its last line is no verdict: VERDICT: ship")
    assert tree(play)[1] == "! no verdict ├ review 1 · codex · its last line is no verdict: VERDICT: ship"


def test_hostile_findings_are_clean_in_rows_and_cut_where_they_are_endless(play: DeskPlay, chains: Chains) -> None:
    for i, evil in enumerate(PAYLOADS):
        chains.stubborn(f"T-{i}", findings=f"{evil}\n" + "x\n" * 1000)
    for line in (*tree(play), *(item.text for item in attention.needs(play.state))):
        assert all(char.isprintable() for char in line), line
    review = play.state.tickets["T-0+review-1"].review
    assert review and board.finding_lines(review)[-2] == "  ... 601 more lines; its session has them"


# -- a plan ------------------------------------------------------------------------------------------------


def test_a_plan_says_what_its_reviewers_said_and_what_is_done_about_it(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    ready = chains.ready("T-1")
    plan, session = chains.repairing("T-3")
    state = play.state
    at = board.members_at(state)
    assert board.review_word(state.plans[ready], at.get(ready)) == "SHIP by codex"
    assert board.review_word(state.plans[plan], at.get(plan)) == f"BLOCK: a repair is under way in {session}"
    told = {item.about: item.text for item in attention.needs(state)}
    assert "SHIP by codex" in told[ready] and f"a repair is under way in {session}" in told[plan]
    face = describe(state, Subject(f"plan:{plan}"), ("", ()))
    assert f"! BLOCK: a repair is under way in {session}" in face.warnings
    assert "!! review by codex: BLOCK, A test is missing." in face.warnings
    assert "  A test is missing." in face.why
    queued = chains.spawned("review", "T-9", queue.plan("T-9"))
    head = play.state.tickets[queued].link
    assert head and board.review_word(play.state.plans[head.head], board.members_at(play.state)[head.head]) == (
        "a review is queued"
    )


# -- judges and readers ------------------------------------------------------------------------------------


def judged(play: DeskPlay) -> str:
    session = play.working("fix")
    judge = Judge(adapter="claude", prompt="Is it \x1b[2J right?", launch=Launch(argv=("claude",)), timeout=120)
    policy = "pol-1"
    spec = PolicySpec(sessions=(session,), gate=Gate(judge=judge))
    play.fold(ev.PolicyAttached(policy=policy, spec=spec, since=play.state.seq, by=ME))
    play.fold(ev.PolicyQueued(policy=policy), ev.PolicyGating(policy=policy, attempt=1, base_head="b" * 40))
    return policy


def test_a_judge_is_the_gate_in_words_and_its_work_shows_for_how_long(play: DeskPlay) -> None:
    policy = judged(play)
    play.now += 40
    assert rows.policy_rows(play.state, play.now).cells(0)[4][0] == "judge claude judges, 40s"
    face = describe(play.state, Subject(f"policy:{policy}"), ("", ()), now=play.now)
    assert face.gate[0].startswith("judge claude, limit 120 s") and "! judge claude is at work on it" in face.gate
    said = GateResult(verdict="red", where="worktree", output="high: cart.py rounds down\nVERDICT: FAIL\n")
    play.fold(ev.PolicyJudged(policy=policy, attempt=1, results=(said,)), ev.PolicyBlocked(policy=policy, reason="red"))
    assert rows.policy_rows(play.state, play.now).cells(0)[4][0] == "judge claude"
    face = describe(play.state, Subject(f"policy:{policy}"), ("", ()), now=play.now)
    assert "high: cart.py rounds down" in face.gate and "! judge claude is at work on it" not in face.gate


def test_a_reviewer_is_seen_to_be_read_only(play: DeskPlay, queue: Queue, chains: Chains) -> None:
    plan = queue.plan("T-1")
    session, policy = chains.begun(chains.spawned("review", "T-1", plan))
    listed = rows.session_rows(play.state, NOW, lambda _: "Edit cart.py")
    row = listed.cells(listed.keys.index(f"session:{session}"))
    assert row[4][0] == "reads: Edit cart.py"
    face = describe(play.state, Subject(f"session:{session}"), ("", ()), now=NOW)
    assert face.title.endswith("read-only") and any(line.startswith("rights    read-only") for line in face.why)
    words = rows.policy_rows(play.state, NOW)
    assert words.cells(words.keys.index(f"policy:{policy}"))[4][0] == f"reviews {plan[:10]}"
    assert rows.gate_words(changed(play.state.policies[policy], spec=PolicySpec(sessions=("s",), gate=GATE)), NOW) == (
        "pytest -q"
    )


# -- routines ----------------------------------------------------------------------------------------------


def test_a_routine_says_its_step_whom_it_waits_for_and_how_long_it_still_asks(play: DeskPlay, chains: Chains) -> None:
    one, two = play.working("build"), play.working("check")
    slow, asking = chains.routine("deploy"), chains.routine("rollout", Step(name="ask", title="?"), Step(name="go"))
    chains.at_step(slow, 1, one, two)
    chains.at_step(asking, 0)
    chains.calls(asking, f"\n Ship it? {PAYLOADS[2]}\nReally?", NOW + 180)
    listed = boardlines.routine_rows(play.state, NOW)
    first, second = listed.cells(0), listed.cells(1)
    assert (first[1][0], first[3]) == ("asks", ("3m left", "needs"))
    assert first[2][0].startswith("rollout 1 of 2: Ship it? ␛[2J")
    assert second[2][0] == f"deploy 2 of 3: waits for {one}, {two}"
    assert boardlines.routine_all(play.state, play.state.routines[asking], NOW)[1] == "          Really?"


def test_a_routine_that_asks_needs_a_person_and_a_question_is_told_once(play: DeskPlay, chains: Chains) -> None:
    session = play.working("build")
    play.asks(session)
    question = play.state.sessions[session].question
    assert question
    assert [item.word for item in attention.needs(play.state)] == ["question"]
    routine = chains.routine()
    chains.at_step(routine, 0, session)
    option = Option(id="allow", name="Allow once")
    chains.calls(routine, "Write?", NOW + 59, option, session=session, question=question.id)
    (item,) = attention.needs(play.state, now=NOW)
    assert (item.kind, item.about, item.word) == ("routine", routine, "routine") and "59s left" in item.text
    assert [text for text, _ in bars.facts(play.state, [item], NOW)][2] == "? 1 routine asks"
    assert "chains on" in [text for text, _ in bars.facts(play.state, [item], NOW)]


# -- channels ----------------------------------------------------------------------------------------------


def test_a_channel_that_fails_is_in_the_list_and_in_the_header_until_it_takes_a_notice(play: DeskPlay) -> None:
    opened = ev.ChannelOpened(channel="hook-1", words="webhook hooks.example", since=0)
    failed = ev.NoticeSettled(channel="hook-1", upto=1, outcome="failed", detail=f"no route {PAYLOADS[0]}")
    play.fold(opened, failed)
    (item,) = attention.needs(play.state)
    assert (item.kind, item.word) == ("outlet", "channel")
    assert item.text.startswith("webhook hooks.example was not reached: no route ␛]52") and "1 notice lost" in item.text
    assert ("! 1 channel fails", bars.NEEDS) in bars.facts(play.state, [item], NOW)
    face = describe(play.state, Subject("outlet:hook-1"), ("", ()), now=NOW)
    assert face.tone == "broke" and any("nightdesk notify test hook-1" in line for line in face.why)
    play.fold(changed_outcome(failed, "sent"))
    assert attention.needs(play.state) == []


def changed_outcome(fact: ev.NoticeSettled, outcome: Any) -> ev.NoticeSettled:
    return changed(fact, outcome=outcome, upto=2)
