"""A supervisor that dies or falls silent under `nightdesk standby`: one goes on in its place, nothing is done twice.

Nobody is replaced who only paused."""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "nights"))

from nightrig import NightRig, kill, until

from console.adapters import beat, holder, shim
from console.adapters.store import Log
from console.core import events as ev
from console.core.records import Refused

SILENT = 3.75 + 3.0
"""Seconds of silence, and those to answer in, that a holder has at least."""

ROUNDS = int(os.environ.get("NIGHTDESK_ROUNDS", "20"))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[NightRig]:
    made = NightRig(tmp_path)
    made.ticket("one", [["sleep", 1], ["write", "one.txt", "x\n"]])
    made.ready()
    yield made
    for standing in Standing.all:
        standing.process.kill()
        standing.ended()
    Standing.all.clear()
    made.close()


def state(rig: NightRig) -> Path:
    return next((rig.home / ".local" / "state" / "nightdesk").glob("*/log.db")).parent


class Standing:
    """A standby as a process; `lines` are its changes so far. Whatever is left of `all` ends with its test."""

    all: ClassVar[list[Standing]] = []

    def __init__(self, rig: NightRig, *args: str) -> None:
        self.process = subprocess.Popen(
            rig.argv("standby", "--json", *args),
            cwd=rig.repo,
            env=rig.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.all.append(self)

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as out:
            for line in out:
                self.lines.append(json.loads(line) if line.startswith("{") else {"state": "?", "why": line})

    def said(self, what: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["state"] == what]

    def until(self, *what: str, timeout: float = 40.0) -> None:
        until(lambda: any(self.said(word) for word in what), timeout)

    def ended(self) -> int:
        """Its exit code, when it has left by itself."""
        code = self.process.wait(timeout=40)
        self._reader.join(10)
        return code

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.ended()


def working(rig: NightRig, run: subprocess.Popen[Any]) -> None:
    """The run is in the middle of the first ticket's turn, and its beat is there."""
    until(lambda: list((rig.home / ".local" / "state" / "nightdesk").glob("*/beat")))
    until(lambda: (seen := beat.read(state(rig) / "beat")) is not None and seen.pid == run.pid)
    until((rig.scripts / "one.prompts").exists)


def logged(rig: NightRig, kind: type[ev.Event]) -> list[ev.Logged]:
    """Read here, because a process for every look is slow."""
    log = Log(state(rig) / "log.db")
    try:
        return [entry for entry in log.read(0, 10_000) if isinstance(entry.fact, kind)]
    finally:
        log.close()


def done_once(rig: NightRig, *tickets: str) -> None:
    """Every ticket ended once, as DONE, in one run, and no attempt was counted twice."""
    until(lambda: logged(rig, ev.RunEnded))
    ends = [entry.fact for entry in logged(rig, ev.RunEnded)]
    assert [fact.status for fact in ends if isinstance(fact, ev.RunEnded)] == ["DRAINED"]
    assert len(logged(rig, ev.RunStarted)) == 1
    ended = [e.fact for e in logged(rig, ev.TicketEnded)]
    names = ["one", *tickets]
    assert sorted((f.ticket, f.outcome) for f in ended if isinstance(f, ev.TicketEnded)) == [(n, "DONE") for n in names]
    claimed = [e.fact for e in logged(rig, ev.TicketClaimed)]
    assert sorted((f.ticket, f.attempt) for f in claimed if isinstance(f, ev.TicketClaimed)) == [(n, 1) for n in names]


def took(rig: NightRig, since: float) -> float:
    """Seconds from `since` (Unix) until the next supervisor was there."""
    return logged(rig, ev.SupervisorStarted)[-1].at - since


@pytest.mark.row("F1", "B6")
def test_a_killed_run_is_gone_on_with_by_one_of_two_standbys_and_nothing_is_counted_twice(rig: NightRig) -> None:
    rig.ticket("two", depends_on="one")
    run = rig.start("run")
    working(rig, run)
    both = [Standing(rig, "--once"), Standing(rig, "--once")]
    for standing in both:
        standing.until("held")
        assert standing.said("held")[0]["pid"] == run.pid, "found through the lock"
    at = time.time()
    kill(run)
    done_once(rig, "two")
    seconds = took(rig, at)
    codes = [standing.ended() for standing in both]
    winners = [standing for standing in both if standing.said("took-over")]
    assert len(winners) == 1, [standing.lines for standing in both]
    assert codes == [0, 0] and len(logged(rig, ev.SupervisorStarted)) == 2
    assert seconds < 5.0, seconds
    print(f"taken over {seconds:.2f} s after kill -9")


@pytest.mark.slow
@pytest.mark.row("C4")
def test_a_stopped_supervisor_is_told_to_go_on_and_left_alone_when_it_does(rig: NightRig) -> None:
    """And one with more patience does not even ask, because somebody continues it in time."""
    run = rig.start("run")
    working(rig, run)
    standing, patient = Standing(rig, "--once"), Standing(rig, "--once", "--patience", "30")
    standing.until("held")
    patient.until("held")
    run.send_signal(signal.SIGSTOP)
    standing.until("asked")
    standing.until("back", "ended")  # its agent may have been done meanwhile
    done_once(rig)
    assert run.wait(timeout=40) == 0 and standing.ended() == 0 and patient.ended() == 0
    assert not standing.said("killed") and not standing.said("took-over")
    assert {line["state"] for line in patient.lines} <= {"held", "free", "ended"}, patient.lines
    assert len(logged(rig, ev.SupervisorStarted)) == 1
    run.communicate()


@pytest.mark.row("B4")
def test_a_supervisor_that_stays_silent_is_killed_and_gone_on_with(rig: NightRig) -> None:
    run = rig.start("run")
    working(rig, run)
    standing = Standing(rig, "--once")
    standing.until("held")
    over = threading.Event()

    def hold_down() -> None:
        """Somebody who stops it again and again."""
        while not over.wait(0.002) and run.poll() is None:
            run.send_signal(signal.SIGSTOP)

    at = time.time()
    stopper = threading.Thread(target=hold_down)
    stopper.start()
    try:
        standing.until("killed")
        assert time.time() - at >= SILENT - 1.5, "not before it was silent and had time to answer"
    finally:
        over.set()
        stopper.join()
    assert run.wait(timeout=40) == -signal.SIGKILL
    done_once(rig)
    assert standing.ended() == 0 and len(standing.said("took-over")) == 1
    print(f"taken over {took(rig, at):.2f} s after SIGSTOP")
    run.communicate()


@pytest.mark.slow
def test_a_standby_that_is_told_to_leave_hands_over_to_the_next_and_holds_no_lock_in_the_end(rig: NightRig) -> None:
    run = rig.start("run")
    working(rig, run)
    first = Standing(rig)
    first.until("held")
    kill(run)
    first.until("took-over")
    second = Standing(rig, "--once")
    second.until("held")
    assert first.end() == 130 and first.said("leaving")
    second.until("took-over")
    done_once(rig)
    assert second.ended() == 0
    assert rig.call("stop").stdout == "nobody supervises this workspace\n"


def one_round(rig: NightRig, number: int, pause: float) -> float | None:
    """A run that is killed `pause` seconds after it began; seconds until it was gone on with, None when it was over."""
    rig.ticket(f"r{number}", [["sleep", 0.5], ["write", f"r{number}.txt", "x\n"]])
    run = rig.start("run")
    until(lambda: len(logged(rig, ev.RunStarted)) == number)
    time.sleep(pause)
    over, before, at = len(logged(rig, ev.RunEnded)) == number, len(logged(rig, ev.SupervisorStarted)), time.time()
    kill(run)
    until(lambda: len(logged(rig, ev.RunEnded)) == number)
    return None if over or len(logged(rig, ev.SupervisorStarted)) == before else took(rig, at)


@pytest.mark.slow
@pytest.mark.row("B6")
def test_killed_at_twenty_moments_every_run_is_gone_on_with_within_seconds(rig: NightRig) -> None:
    """The seed and the times are printed."""
    seed = random.SystemRandom().randrange(10**6)
    dice, standing, seconds = random.Random(seed), Standing(rig), list[float]()
    standing.until("free")
    for number in range(1, ROUNDS + 1):
        if (spent := one_round(rig, number, dice.uniform(0.0, 2.0))) is not None:
            seconds.append(spent)
        until(lambda: standing.lines[-1]["state"] == "free")
    assert standing.end() == 130
    facts = [entry.fact for entry in logged(rig, ev.TicketClaimed)]
    claims = [(fact.ticket, fact.attempt) for fact in facts if isinstance(fact, ev.TicketClaimed)]
    assert len(claims) == len(set(claims)) and {attempt for _, attempt in claims} == {1}
    print(
        f"seed {seed}: {len(seconds)} takeovers, median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s"
    )


HANGING = """
import sys, time
from pathlib import Path
from console.adapters.deadman import Deadman
from console.engine.supervisor import Supervisor
Deadman.__init__.__kwdefaults__["limit"] = 1.5
pause = Supervisor._pause

trigger = Path(sys.argv.pop())
sys.argv.append("run")

async def hang_here(self):
    if trigger.exists():
        time.sleep(50)
    await pause(self)

Supervisor._pause = hang_here
from console.front import main
main()
"""


@pytest.mark.row("B4")
@pytest.mark.slow
def test_a_supervisor_whose_loop_hangs_ends_itself_its_agents_go_and_the_next_goes_on(rig: NightRig) -> None:
    trigger = rig.room / "hang"
    command = [sys.executable, "-c", HANGING, str(trigger)]
    run = subprocess.Popen(
        command, cwd=rig.repo, env=rig.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    working(rig, run)
    standing = Standing(rig, "--once", "--patience", "60")
    standing.until("held")
    trigger.touch()
    out, _ = run.communicate(timeout=40)
    assert run.returncode == 70, out
    assert b"has not run for" in out and "hang_here" in (state(rig) / "deadman.txt").read_text()
    trigger.unlink()
    done_once(rig)
    assert standing.ended() == 0 and standing.said("took-over")


@pytest.mark.row("F1")
def test_a_holder_that_cannot_be_traced_is_not_signalled(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    script = (
        "import fcntl, os, signal, sys\nsignal.alarm(60)\nfd = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)\n"
        "fcntl.flock(fd, fcntl.LOCK_EX)\nif not os.fork():\n    signal.alarm(60)\n    print(os.getpid(), flush=True)\n"
        "signal.pause()\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    child = int(owner.stdout.readline())
    found = holder.find(lock)
    assert not isinstance(found, Refused) and found.pid == owner.pid
    owner.kill()
    owner.wait(timeout=30)
    found = holder.find(lock)
    assert isinstance(found, Refused) and "nobody is signalled" in found.reason, found
    pinned = holder.pin(lock, holder.Holder(child, shim.read_stat(child).start, "S", ""))  # type: ignore[union-attr]
    assert isinstance(pinned, Refused), "the child is not who locked"
    os.kill(child, signal.SIGKILL)
    owner.stdout.close()
