"""What must hold after every random play, whatever happened in it. Checks raise AssertionError with the evidence."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from typing import Any

from click.testing import CliRunner
from randomstage import TOTAL_RESTARTS, Stage, Started, kill

from console.adapters import shim
from console.adapters.lock import is_taken
from console.adapters.store import Log
from console.cli import nightdesk
from console.core import events as ev
from console.core.records import WatchLimits
from console.core.state import State, encode

SETTLED = 15.0
"""Seconds after which nothing may be left once all have been told to stop; mostly it takes less than one."""
LEFT = {0, 64, 65, 70, 71, 130, -signal.SIGKILL}
"""How a command that supervises may end: its own codes (COMMANDS.md), or killed by us."""


def canaries(stage: Stage) -> None:
    stage.adopted()
    for bird in stage.canaries:
        stat = shim.read_stat(bird.pid)
        alive = stat is not None and stat.start == bird.start and not stat.dead
        assert alive, f"the canary {bird.name}, pid {bird.pid}, was signalled"
        assert stat is not None and stat.state != "T", f"the canary {bird.name}, pid {bird.pid}, was stopped"


def doubles(stage: Stage) -> None:
    """Two trees in one worktree at the same time, seen by the agents themselves."""
    found = stage.room / "locks" / "doubles"
    assert not found.exists(), f"a second tree began in a worktree beside a living one: {found.read_text()}"


def stopped(stage: Stage) -> None:
    """Whoever supervises is told to stop, as an operator does it, until nobody does."""
    for one in stage.started:
        if one.name == "standby" and one.process.poll() is None:
            one.process.send_signal(signal.SIGTERM)
            ended(stage, one, 60)
    for _ in range(4):
        held = stage.supervisor()
        argv = stage.rig.argv("stop", "--now", "--timeout", "30")
        done = subprocess.run(
            argv, cwd=stage.rig.repo, env=stage.rig.env, capture_output=True, text=True, timeout=150, check=False
        )
        stage.note(f"stop --now: exit {done.returncode}: {done.stdout.strip()}{done.stderr.strip()}")
        next_one = held != stage.supervisor()  # one that was started last has come up only now
        assert done.returncode == 0 or next_one, f"stop --now: exit {done.returncode}: {done.stdout}{done.stderr}"
        if not is_taken(stage.here.places.lock):
            for one in stage.started:
                ended(stage, one, 60)
            if not is_taken(stage.here.places.lock):
                return
    raise AssertionError(f"pid {stage.supervisor()} supervises after four stops")


def ended(stage: Stage, one: Started, seconds: float) -> None:
    """It has left in good order, or was killed by us; or it came up after the stop, then it is told to leave."""
    deadline = time.monotonic() + seconds
    while (code := one.process.poll()) is None:
        if stage.supervisor() == one.process.pid:
            return
        assert time.monotonic() < deadline, (
            f"{one.name} {one.process.pid} did not end within {seconds:g} s: {one.words.read_text()}"
        )
        time.sleep(0.02)
    said = one.words.read_text()
    unborn = one.name == "standby" and code == -signal.SIGTERM  # told to leave before it had begun
    assert "Traceback" not in said and (code in LEFT or unborn), f"{one.name} ended with {code}: {said}"


def nothing_left(stage: Stage, *, excused: bool) -> float:
    """Seconds until no process was left. excused: after a double kill, or the loss of a shim with processes that nobody
    had seen yet, some may be, and `doctor` must know each; then they are ended."""
    began = time.monotonic()
    while left := stage.processes():
        if excused and time.monotonic() - began > 3.0 and not any(names_shim(pid) for pid in left):
            cures = " ".join(one["cure"] for one in findings(stage) if "kill" in one["cure"])
            listed = {int(pid) for pid in re.findall(r"\d+", cures)}
            marked = {pid for pid in left if pid in stage.processes() and token(stage, pid)}
            assert marked <= listed, f"doctor does not list {described(marked - listed)}"
            stage.note(f"survivors that doctor lists: {described(set(left))}")
            for pid, proc in left.items():
                kill(pid, proc.start)
            excused = False
            began = time.monotonic()
            continue
        spent = time.monotonic() - began
        assert spent < SETTLED, f"{spent:.1f} s after the stop still running: {described(set(left))}"
        time.sleep(0.02)
    return time.monotonic() - began


def names_shim(pid: int) -> bool:
    return shim.read_proc(f"/proc/{pid}/comm").strip() == shim.NAME


def token(stage: Stage, pid: int) -> bool:
    return f"NIGHTDESK_SESSION={stage.here.workspace.key}/".encode() in shim.read_proc(f"/proc/{pid}/environ")


def described(pids: set[int]) -> str:
    table = shim.proc_table()
    rows = [f"{p} (parent {table[p].ppid}, {table[p].state}) {shim.command_line(p)[:150]}" for p in pids if p in table]
    return "; ".join(rows)


def findings(stage: Stage) -> list[dict[str, Any]]:
    said = asked(stage, "doctor", "--json")
    return [one for one in json.loads(said)["findings"] if one["check"] == "survivors"]


def asked(stage: Stage, *args: str) -> str:
    """A command in this process, as an operator's; what it printed. A traceback is a fault."""
    before = os.environ.copy()
    os.environ.clear()
    os.environ.update(stage.rig.env)
    try:
        done = CliRunner().invoke(nightdesk, ["--workspace", str(stage.rig.repo), *args])
    finally:
        os.environ.clear()
        os.environ.update(before)
    wrong = done.exception if not isinstance(done.exception, SystemExit) else None
    assert wrong is None, f"nightdesk {' '.join(args)}: {type(wrong).__name__}: {wrong}"
    assert done.exit_code in (0, 1), f"nightdesk {' '.join(args)}: exit {done.exit_code}: {done.output}"
    return done.stdout


def commands(stage: Stage) -> None:
    """What an operator looks at in the morning works."""
    for words in (("status",), ("status", "--json"), ("session", "list"), ("ticket", "list"), ("doctor",)):
        assert asked(stage, *words).strip(), words
    for session in stage.sessions():
        assert asked(stage, "session", "show", session.session).strip()
    with stage.client() as client:
        runs = list(client.state.runs)
    for run in runs:
        assert asked(stage, "report", "--run", run).strip()


def untouched(stage: Stage) -> None:
    """The operator's own checkouts: same commit, same files."""
    rig = stage.rig
    for root in (rig.repo, stage.room / "operators"):
        assert rig.git("-C", str(root), "status", "--porcelain") == "", f"{root} was touched"
    heads = {rig.git("rev-parse", name) for name in ("HEAD", "main", "operators")}
    assert len(heads) == 1, f"a branch of the operator was moved: {heads}"


# -- the log ---------------------------------------------------------------------------------------------


def logged(stage: Stage) -> dict[str, Any]:
    """Read from the beginning, fold, and look at what must be true of it. Returns figures."""
    log, entries, state = Log(stage.here.places.log), list[ev.Logged](), State()
    try:
        while page := log.read(entries[-1].seq if entries else 0):
            entries += page
    finally:
        log.close()
    for entry in entries:
        state.apply(entry)
    with stage.client() as client:
        assert encode(client.state) == encode(state), "the checkpoint's state is not that of the log"
    facts = [entry.fact for entry in entries]
    _restarts(facts)
    _tickets(facts)
    _gates(facts)
    trouble = [f"{fact.effect}: {fact.error}" for fact in facts if isinstance(fact, ev.SupervisorTrouble)]
    assert not trouble, f"faults of nightdesk itself: {trouble}"
    kinds = Counter(type(fact).__name__ for fact in facts)
    names = ("SupervisorStarted", "SessionStarted", "TurnStarted", "SessionHung", "SessionRestarting", "TicketEnded")
    return {"events": len(facts)} | {name: kinds[name] for name in names}


def _restarts(facts: list[ev.Fact]) -> None:
    """Never more than allowed, of a ticket whatever its attempts; the count only grows."""
    ticket = {fact.session: fact.ticket for fact in facts if isinstance(fact, ev.SessionAdded)}
    seen: dict[str, list[int]] = {}
    for fact in facts:
        if isinstance(fact, ev.SessionRestarting):
            seen.setdefault(ticket[fact.session] or fact.session, []).append(fact.count)
    for name, counts in seen.items():
        cap = TOTAL_RESTARTS if name not in ticket else WatchLimits().restarts
        # A supervisor that died under a turn counts too, without a restart of its own.
        assert counts == sorted(set(counts)) and counts[-1] <= cap, f"restarts of {name}: {counts}"


def _tickets(facts: list[ev.Fact]) -> None:
    """A claim is made once and ends once; what cannot be done is not done."""
    claims = Counter((fact.run, fact.ticket, fact.attempt) for fact in facts if isinstance(fact, ev.TicketClaimed))
    assert all(count == 1 for count in claims.values()), f"claimed twice: {claims}"
    ends = Counter((fact.run, fact.ticket) for fact in facts if isinstance(fact, ev.TicketEnded))
    assert all(count == 1 for count in ends.values()), f"ended twice: {ends}"
    green = {p for p, _ in _green(facts)}
    policies = {(fact.ticket, fact.attempt): fact.policy for fact in facts if isinstance(fact, ev.TicketBegun)}
    for fact in facts:
        if isinstance(fact, ev.TicketEnded) and fact.outcome.startswith("DONE"):
            assert policies[fact.ticket, fact.attempt] in green, f"{fact.ticket} is {fact.outcome} without a green gate"
            assert fact.ticket != "bad", "a ticket whose gate is red is done"


def _green(facts: list[ev.Fact]) -> set[tuple[str, int]]:
    """Policies and attempts whose last gate was seen to exit with 0."""
    judged = [fact for fact in facts if isinstance(fact, ev.PolicyJudged) and fact.results]
    return {(f.policy, f.attempt) for f in judged if f.results[-1].verdict == "green" and f.results[-1].code == 0}


def _gates(facts: list[ev.Fact]) -> None:
    """Nothing passes that was not judged green before."""
    green: set[str] = set()
    gated = {fact.policy for fact in facts if isinstance(fact, ev.PolicyAttached) and fact.spec.gate}
    for fact in facts:
        green |= {policy for policy, _ in _green([fact])}
        if isinstance(fact, (ev.PolicyPassed, ev.PolicyCommitReady)) and fact.policy in gated:
            assert fact.policy in green, f"{fact.policy} passed without a green gate"
    for fact in facts:
        if isinstance(fact, ev.PolicyJudged):
            for result in fact.results:
                assert (result.verdict == "green") <= (result.code == 0), f"{fact.policy} is green with {result.code}"
