"""What a reviewer's turn is worth: its last words are read once, of exactly that turn, and nothing else ships."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from night import ENDED, H0, MAIN, Night, frozen

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, PolicySpec, Refused, Sandbox, Who
from console.core.records_chains import ReviewLimits
from console.core.state import State
from console.engine.pulse import OwnTime
from console.engine.reviewing import FINDINGS, LimitsWatch, Reviewing

HEAD = "c" * 40


def reviewed(night: Night, words: str, *, ok: bool = True, spec: PolicySpec | None = None) -> ev.PolicyJudged:
    """What is judged of a reviewer whose turn ended with these words."""
    state, asked = State(), []

    def last_words(session: str, turn: int) -> str:
        asked.append((session, turn))
        return words

    facts: Sequence[ev.Fact] = (
        ev.SessionAdded(
            session="s-1", label="r", preset="other", launch=Launch(argv=("bot",)), cwd="/w", worktree="/w", by=Who()
        ),
        ev.PromptQueued(session="s-1", turn=1, text="review it", cause="ticket"),
        ev.SessionStarted(session="s-1", run=1),
        ev.TurnStarted(session="s-1", turn=1, ref=MAIN, head=H0.head),
        ev.TurnEnded(
            session="s-1", turn=1, ok=ok, stop="end_turn" if ok else "refusal", detail="" if ok else "it broke"
        ),
        ev.PolicyAttached(policy="pol-1", spec=spec or PolicySpec(sessions=("s-1",), review=HEAD), since=0),
    )
    for seq, fact in enumerate(facts, 1):
        state.apply(ev.Logged(seq=seq, at=float(seq), fact=fact))
    world = replace_world(night, last_words=last_words)
    judged = asyncio.run(Reviewing(world, lambda: state).judged(state.policies["pol-1"]))
    assert asked in ([("s-1", 1)], [])
    return judged


def replace_world(night: Night, **changes: Any) -> Any:
    from dataclasses import replace as changed

    return changed(night.world, **changes)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Looks right.\n\nVERDICT: SHIP\n", "SHIP"),
        ("a.py:1: wrong\nVERDICT: BLOCK", "BLOCK"),
        ("VERDICT: SHIP it", ""),
        ("VERDICT: BLOCK\nVERDICT: SHIP", ""),
        ("```\nVERDICT: SHIP", ""),
        ("", ""),
        (" \n", ""),
    ],
)
def test_the_last_line_of_the_turn_is_the_verdict(night: Night, words: str, verdict: str) -> None:
    judged = reviewed(night, words)
    review = judged.review
    assert review and (review.verdict, review.commit, review.preset, review.session) == (verdict, HEAD, "other", "s-1")
    assert review.why and judged.plan is None and judged.results == ()


def test_a_turn_that_did_not_end_well_says_nothing_whatever_its_words(night: Night) -> None:
    review = reviewed(night, "VERDICT: SHIP", ok=False).review
    assert review and review.verdict == "" and "it broke" in review.why


@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        ("a.py:1: wrong\nVERDICT: BLOCK", ""),
        ("I would say: VERDICT: BLOCK", ""),
        ("VERDICT: SHIP", "SHIP"),
        ("", "SHIP"),
    ],
)
def test_what_an_earlier_turn_said_counts_when_somebody_has_talked_with_the_reviewer_since(
    night: Night, first: str, verdict: str
) -> None:
    state = State()
    facts: list[ev.Fact] = [
        ev.SessionAdded(
            session="s-1", label="r", preset="other", launch=Launch(argv=("bot",)), cwd="/w", worktree="/w", by=Who()
        ),
        ev.SessionStarted(session="s-1", run=1),
        ev.PolicyAttached(policy="pol-1", spec=PolicySpec(sessions=("s-1",), review=HEAD), since=0),
    ]
    for turn in (1, 2):
        facts += [
            ev.PromptQueued(session="s-1", turn=turn, text="review it", cause="ticket" if turn == 1 else "operator"),
            ev.TurnStarted(session="s-1", turn=turn, ref=MAIN, head=H0.head),
            ev.TurnEnded(session="s-1", turn=turn, ok=True, stop="end_turn"),
        ]
    for seq, fact in enumerate(facts, 1):
        state.apply(ev.Logged(seq=seq, at=float(seq), fact=fact))
    world = replace_world(night, last_words=lambda session, turn: ("", first, "Which?\n\nVERDICT: SHIP")[turn])
    review = asyncio.run(Reviewing(world, lambda: state).judged(state.policies["pol-1"])).review
    assert review and review.verdict == verdict


def test_findings_are_kept_up_to_a_limit(night: Night) -> None:
    review = reviewed(night, "x" * 10 * FINDINGS + "\nVERDICT: BLOCK").review
    assert review and review.verdict == "BLOCK" and 0 < len(review.findings) <= FINDINGS


# -- in a supervisor ---------------------------------------------------------------------------------------


def review_session(night: Night, *, read_only: bool = True) -> None:
    folder = str(night.worktree)
    night.report(
        ev.SessionAdded(
            session="s-1",
            label="r",
            preset="other",
            launch=Launch(argv=("bot",), writable_git=True),
            cwd=folder,
            worktree=folder,
            by=Who(),
            read_only=read_only,
        ),
        ev.PromptQueued(session="s-1", turn=1, text="review it", cause="ticket"),
        ev.PolicyAttached(
            policy="pol-1", spec=PolicySpec(sessions=("s-1",), review=frozen(night.worktree).commit), since=0
        ),
    )


async def test_a_supervisor_reads_the_words_and_looks_at_no_file(night: Night) -> None:
    box = Sandbox(read_only=("/g", str(night.worktree)))
    night.world = replace_world(
        night,
        last_words=lambda session, turn: f"{session} {turn}\nVERDICT: SHIP",
        sandbox_read_only=lambda worktree: box,
        sandbox_words=lambda made: f"box {made == box}",
    )
    review_session(night)
    night.script.expect("turn_base", H0, H0)
    night.script.expect("start", "conversation")
    night.script.expect("prompt", ENDED)
    async with night.supervised():
        await night.until(lambda state: night.facts(ev.PolicyJudged))
    (judged,) = night.facts(ev.PolicyJudged)
    assert judged.review.verdict == "SHIP" and judged.review.findings == "s-1 1"
    assert night.agents.started[0].spec.sandbox == box
    assert night.facts(ev.SessionStarted)[0].sandbox == "box True"


@pytest.mark.parametrize("answer", [None, Refused(reason="no sandbox can be made")])
async def test_without_a_sandbox_a_review_runs_and_says_so_and_one_that_is_required_refuses(
    night: Night, answer: Refused | None
) -> None:
    night.world = replace_world(
        night,
        last_words=lambda session, turn: "VERDICT: BLOCK",
        sandbox_read_only=lambda worktree: answer,
        sandbox_words=lambda made: "no sandbox" if made is None else "a sandbox",
    )
    review_session(night)
    if answer is None:
        night.script.expect("turn_base", H0, H0)
        night.script.expect("start", "conversation")
        night.script.expect("prompt", ENDED)
    async with night.supervised():
        await night.until(lambda state: night.facts(ev.PolicyJudged if answer is None else ev.Exited))
    if answer is None:
        assert night.facts(ev.SessionStarted)[0].sandbox == "no sandbox"
        assert night.facts(ev.PolicyJudged)[0].review.verdict == "BLOCK"
    else:
        assert "no sandbox can be made" in night.facts(ev.Exited)[0].reason


# -- limits ------------------------------------------------------------------------------------------------

MINE = ReviewLimits(when="always", interval=10.0, presets=("bot",))


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def watched(night: Night, answers: Callable[[], ReviewLimits | None]) -> tuple[LimitsWatch, Clock, State, list[Any]]:
    clock, state, sent = Clock(), State(), []

    async def append(command: cmd.Command) -> Any:
        assert isinstance(command, cmd.ReadChainLimits)
        sent.append(command.limits)
        state.review_limits = command.limits
        return ()

    world = replace_world(night, review_limits=answers)
    return LimitsWatch(world, lambda: state, append, OwnTime(clock, lambda: 0.0)), clock, state, sent


async def test_limits_are_told_at_the_start_and_when_they_change_after_the_interval(night: Night) -> None:
    now = [MINE]
    watch, clock, _, sent = watched(night, lambda: now[0])
    await watch.look()
    assert sent == [MINE]
    now[0] = replace(MINE, max_cycles=2)
    clock.now += 2.0
    await watch.look()
    assert sent == [MINE], "not before the interval is over"
    for _ in range(6):
        clock.now += 2.0
        await watch.look()
    assert sent == [MINE, replace(MINE, max_cycles=2)], "told once"


async def test_settings_that_nobody_trusts_change_nothing(night: Night) -> None:
    watch, clock, _, sent = watched(night, lambda: None)
    for _ in range(3):
        await watch.look()
        clock.now += 2.5
    assert sent == []


async def test_a_supervisor_knows_the_limits_before_it_begins_anything(night: Night) -> None:
    night.world = replace_world(night, review_limits=lambda: MINE)
    night.session()
    night.script.expect("turn_base", H0)
    night.script.expect("start", "conversation")
    night.script.expect("prompt", None)
    async with night.supervised():
        await night.until(lambda state: night.prompted)
    kinds = [type(fact) for fact in night.facts()]
    assert night.state.review_limits == MINE and kinds.count(ev.ChainLimitsRead) == 1
    assert kinds.index(ev.ChainLimitsRead) < kinds.index(ev.SessionStarted)
