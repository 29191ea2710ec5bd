"""Rows C of the fault matrix: agents that hang, and those that only look as if, under the real watchdog."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import ward as ward_program
from harness import alive, until
from ward import POLL, Ward

from console.core import events as ev
from console.core import watchdog
from console.engine import supervisor as room

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the watchdog's eyes need /proc")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "POLL", POLL)


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    made = Ward(tmp_path)
    yield made
    made.journal.close()


def working(ward: Ward, *sessions: str) -> bool:
    return all(ward.state.sessions[session].phase == "working" for session in sessions)


async def for_a_while(ward: Ward, seconds: float) -> None:
    """What is to be seen is that nothing happens: this long."""
    end = asyncio.get_running_loop().time() + seconds
    await ward.until(lambda state: asyncio.get_running_loop().time() >= end)


@pytest.mark.row("C1")
async def test_a_silent_tool_inside_its_budget_lives_and_beyond_it_does_not(tmp_path: Path) -> None:
    ward = Ward(tmp_path, tool=2.6)
    async with ward.supervised():
        lives, ends = ward.agent("tool 2.2"), ward.agent("tool 50")
        await ward.until(lambda state: ends in ward.of(ev.SessionHung))
    assert ward.of(ev.SessionHung) == [ends]
    assert lives in ward.of(ev.TurnEnded), "it was silent for longer than the limit, and finished"
    ward.journal.close()


@pytest.mark.row("C9")
async def test_an_agent_that_says_nothing_at_its_start_is_ended_as_a_start(tmp_path: Path) -> None:
    ward = Ward(tmp_path, start=1.0)
    async with ward.supervised():
        mute = ward.agent("mute", "acp")
        await ward.until(lambda state: ward.of(ev.Exited))
    (hung,) = ward.facts(ev.SessionHung)
    assert (hung.session, hung.cause, hung.turn) == (mute, "start", 0)
    ward.journal.close()


@pytest.mark.row("C2", "C5")
async def test_of_eight_agents_exactly_the_three_that_hang_are_ended(ward: Ward) -> None:
    """One waits on a dead line, one has stopped itself, and for one there lies the heartbeat of an earlier run. The
    others say something new, or only beat; a spinner and a busy loop are left to the limit of their turn."""
    inbox = ward.world.places.inbox("s-3")
    inbox.mkdir(parents=True)
    (inbox / "heartbeat").write_text("41")
    prompts = ["hang", "stop", "hang", "steady", "steady", "beat", "spin", "burn"]
    async with ward.supervised():
        sessions = [ward.agent(prompt) for prompt in prompts]
        hung, well = sessions[:3], sessions[3:]
        await ward.until(lambda state: all(state.sessions[session].pid for session in sessions))
        pids = {session: ward.state.sessions[session].pid for session in sessions}
        await ward.until(lambda state: sorted(ward.of(ev.SessionHung)) == hung)
        await ward.until(lambda state: sorted(ward.of(ev.Exited)) == hung)
        await for_a_while(ward, 1.0)
        assert working(ward, *well)
        assert [alive(pid) for pid in pids.values()] == [False] * 3 + [True] * 5
    assert sorted(ward.of(ev.SessionHung)) == hung
    assert not ward.facts(ev.FuseBlown)
    assert set(ward.of(ev.SessionSuspect)) >= {*hung, sessions[6], sessions[7]}, "a spinner and a loop show no progress"
    told = {fact.session: fact for fact in ward.facts(ev.SessionHung)}
    assert f"pid {pids['s-1']} is sleeping (state S)" in told["s-1"].evidence
    assert "stopped by a signal" in told["s-2"].why


async def silence_of_five(ward: Ward) -> tuple[list[str], list[str]]:
    """Eight agents, five of which fall silent at once. Returns both."""
    sessions = [ward.agent("steady") for _ in range(8)]
    await ward.until(lambda state: working(ward, *sessions))
    await for_a_while(ward, 0.5)
    for session in sessions[:5]:
        ward.hush(session)
    return sessions[:5], sessions[5:]


@pytest.mark.row("C6")
async def test_five_of_eight_that_fall_silent_together_are_an_alarm_and_no_kill(ward: Ward) -> None:
    async with ward.supervised():
        silent, others = await silence_of_five(ward)
        await ward.until(lambda state: state.fuse)
        await for_a_while(ward, 1.2)
        assert working(ward, *silent, *others)
        for session in silent:
            ward.speak(session)
        await ward.until(lambda state: ward.facts(ev.FuseReset) and not state.fuse)
        assert working(ward, *silent, *others)
    (blown,) = ward.facts(ev.FuseBlown)
    assert blown.at_work == 8 and len(set(blown.sessions) & set(silent)) >= 4
    assert not ward.facts(ev.SessionHung)


@pytest.mark.slow
@pytest.mark.row("C6")
async def test_negative_control_without_a_fuse_the_five_are_ended(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "FEWEST", 99)
    async with ward.supervised():
        silent, _ = await silence_of_five(ward)
        await ward.until(lambda state: sorted(ward.of(ev.SessionHung)) == silent)


# -- a supervisor that is stopped itself -----------------------------------------------------------------


class Stopped:
    """A supervisor in a process of its own; `facts` are those that it has told so far."""

    def __init__(self, place: Path, *prompts: str, **limits: Any) -> None:
        argv = [sys.executable, str(ward_program.__file__), str(place), json.dumps(limits), *prompts]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts: list[dict[str, str]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.facts.append(json.loads(line))

    def of(self, kind: str) -> list[str]:
        return [fact["session"] for fact in list(self.facts) if fact["type"] == kind]

    def pause(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)  # the fault itself
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self._reader.join(10)
        self.process.stdout.close()


def stopped_for_three_limits(place: Path, hung: float, speaks_after: float, **limits: Any) -> Stopped:
    """A supervisor whose only agent has just fallen silent is stopped for three times the limit; the agent speaks again
    a moment after it has gone on."""
    sup = Stopped(place, "steady", quiet=0.6, hung=hung, **limits)
    hush = place / "w" / "hush-1"
    try:
        until(lambda: sup.of("TurnStarted"), 20, "a turn")
        until(lambda: list(place.glob("s-1.1.err")) and (place / "s-1.1.err").stat().st_size > 200, 20, "its words")
        hush.touch()
        time.sleep(0.8)  # silent for more than three looks
        sup.pause(3 * hung)
        time.sleep(speaks_after)
        hush.unlink()
        end = time.monotonic() + 0.7
        until(lambda: time.monotonic() > end or sup.of("SessionHung"), 10, "what follows")
    finally:
        sup.end()
    assert len(sup.of("TurnStarted")) == 1
    return sup


@pytest.mark.row("C4")
def test_a_supervisor_that_was_stopped_for_three_limits_ends_nobody(tmp_path: Path) -> None:
    sup = stopped_for_three_limits(tmp_path, 1.4, 0.3)
    assert sup.of("SessionHung") == []
    assert len(sup.of("SupervisorAway")) == 1


@pytest.mark.slow
@pytest.mark.row("C4")
def test_negative_control_in_time_that_is_not_our_own_the_agent_is_ended(tmp_path: Path) -> None:
    sup = stopped_for_three_limits(tmp_path, 2.6, 1.2, own_time=False)
    assert sup.of("SessionHung") == ["s-1"]
