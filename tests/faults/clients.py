"""Plays in which the operator's commands are killed, doubled or raced; each returns what it saw."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

from harness import Play, until
from plays import GONE, wait

BUSY = 65
WINDOW = 0.3
"""Seconds within which a command is killed at random, around the time when it takes effect."""

STEP = 0.02
"""The window moves this much after every kill, later when nothing was recorded and earlier when it was."""


def _waiting(play: Play) -> tuple[str, str]:
    """Policy and plan of the first plan that waits."""
    play.supervise()
    wait(play, lambda: bool(play.tail.more()) and bool(play.tail.of("policy:commit-ready")), 60, "a plan")
    event = play.tail.of("policy:commit-ready")[0]
    return event["policy"], event["plan"]


def _count(play: Play, kind: str, plan: str) -> int:
    play.tail.more()
    return sum(event["plan"] == plan for event in play.tail.of(kind))


def _landed(play: Play, plan: str) -> int:
    """How many times it landed and was not taken back: 0 or 1."""
    return _count(play, "policy:committed", plan) - _count(play, "plan:restored", plan)


def _take_back(play: Play, plan: str) -> None:
    code, words = play.call("plan", "undo", plan)
    assert code == 0, words
    assert _landed(play, plan) == 0


def _branch(play: Play, plan: str) -> list[str]:
    """What the plan's branch holds on top of main."""
    ref = next(event["frozen"]["ref"] for event in play.tail.of("policy:commit-ready") if event["plan"] == plan)
    return play.git("rev-list", f"main..{ref}").split()


def killed_acks(folder: Path, times: int, seed: int) -> Counter[str]:
    """`policy ack` killed at `times` random moments: the approval is in the log once and lands once, or not at all."""
    chance, seen = random.Random(seed), Counter[str]()
    with Play(folder) as play:
        policy, plan = _waiting(play)
        began = time.monotonic()
        assert play.settle(play.ack(policy, plan))[0] == 0
        middle = 0.8 * (time.monotonic() - began)
        _take_back(play, plan)
        for _ in range(times):
            applied = _killed_ack(play, policy, plan, middle + chance.uniform(-WINDOW / 2, WINDOW / 2))
            seen["applied" if applied else "not"] += 1
            middle += -STEP if applied else STEP
        assert play.settle(play.ack(policy, plan))[0] == 0
        _finish(play, plan)
    return seen


def _killed_ack(play: Play, policy: str, plan: str, delay: float) -> int:
    """Kill an approval after `delay` seconds and take back what it did; how often it was applied, 0 or 1."""
    before = _count(play, "plan:approved", plan)
    kill_at = time.monotonic() + delay
    command = play.ack(policy, plan)
    until(lambda: time.monotonic() >= kill_at, delay + 5, "the delay")
    command.kill()
    command.wait()
    applied = _count(play, "plan:approved", plan) - before
    assert applied in (0, 1), f"approved {applied} times by one command"
    if applied:
        until(lambda: _landed(play, plan), 20, "the landing of what was approved")
        assert _branch(play, plan) == [plan]
        _take_back(play, plan)
    assert _branch(play, plan) == []
    return applied


def _finish(play: Play, plan: str) -> None:
    """The plan has landed once, the repository is sound, the checkout clean, and nothing is left running."""
    assert _landed(play, plan) == 1 and _branch(play, plan) == [plan]
    assert play.git("fsck", "--full", "--strict", "--no-dangling") == ""
    assert play.git("status", "--porcelain") == ""
    play.close_down()
    assert play.tail.of("supervisor:trouble") == []


def doubled_acks(folder: Path, times: int) -> Counter[str]:
    """The same approval from two processes at once, `times` times: it lands once, both exit 0."""
    seen = Counter[str]()
    with Play(folder) as play:
        policy, plan = _waiting(play)
        for number in range(times):
            if number:
                _take_back(play, plan)
            before = _count(play, "plan:approved", plan)
            both = [play.ack(policy, plan), play.ack(policy, plan)]
            ends = [play.settle(command) for command in both]
            assert [code for code, _ in ends] == [0, 0], ends
            assert _landed(play, plan) == 1 and _branch(play, plan) == [plan]
            seen["landed once"] += 1
            assert _count(play, "plan:approved", plan) == before + 1
        _finish(play, plan)
    return seen


def doubled_supervisors(folder: Path, times: int) -> Counter[str]:
    """Two supervisors at once, `times` times: one holds the workspace, the other exits 65. The holder is killed."""
    seen = Counter[str]()
    with Play(folder) as play:
        for _ in range(times):
            both = [play.supervise(), play.supervise()]
            until(lambda pair=both: any(one.poll() is not None for one in pair), 20, "the end of one of two")
            loser = next(one for one in both if one.poll() is not None)
            winner = next(one for one in both if one is not loser)
            assert loser.returncode == BUSY, play.words()
            starts = len(play.tail.of("supervisor:started"))
            until(
                lambda was=starts: play.tail.more() and len(play.tail.of("supervisor:started")) > was, 20, "its start"
            )
            assert winner.poll() is None, play.words()
            play.gone(play.kill(winner.pid), GONE)
            seen["one won"] += 1
        assert len(play.tail.of("supervisor:started")) == times
    return seen
