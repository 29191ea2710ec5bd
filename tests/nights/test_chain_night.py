"""Chains in a real night: BLOCK, repair, re-review, SHIP; and one that ends at its limit with one escalation, however
often the supervisor is killed meanwhile."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from nightrig import NightRig, kill

from console.adapters.store import Log, LogError
from console.core.events import type_of

BOT = Path(__file__).resolve().parent / "chainbot.py"
BLOCK = "a.txt:1: this is not what was asked.\n\nVERDICT: BLOCK"
STORIES = {
    "fix": {"files": {"a.txt": "first\n"}, "says": "Done."},
    "fix+review-1": {"says": BLOCK},
    "fix+repair-1": {"files": {"a.txt": "second\n"}, "says": "Done, as the review asks."},
    "fix+review-2": {"files": {"mine.txt": "of the reviewer\n"}, "says": "Now it is.\n\nVERDICT: SHIP"},
    "stubborn": {"files": {"b.txt": "first\n"}, "says": "Done."},
    "stubborn+review-1": {"says": BLOCK},
    "stubborn+repair-1": {"files": {"b.txt": "another\n"}, "says": "I see it differently.\n\nVERDICT: SHIP"},
    "stubborn+review-2": {"says": BLOCK},
}
MEMBERS = sorted(name for name in STORIES if "+" in name)
PATIENCE = 100.0
MOMENTS = ("session:started", "chain:spawned", "ticket:claimed", "turn-start", "turn-end", "policy:gating")
MOMENTS += ("review:judged", "plan:superseded", "policy:commit-ready", "chain:shipped", "ticket:begun")
SEED = random.SystemRandom().randrange(10**6)


def prepared(room: Path) -> NightRig:
    """Two tickets, two presets, and chains on."""
    preset = {
        "command": [sys.executable, "-S", str(BOT), str(room / "stories.json")],
        "version": [sys.executable, "-S", "--version"],
        "protocol": "command",
        "autonomy_confirmed": True,
    }
    rig = NightRig(
        room,
        presets={"bot": preset, "second": preset},
        limits={"sessions": 2},
        review={"when": "always", "max_cycles": 2},
    )
    (room / "stories.json").write_text(json.dumps(STORIES), encoding="utf-8")
    for name in ("fix", "stubborn"):
        rig.ticket(name)
    rig.ready()
    assert "reviewed by second, at most 2 times" in rig.ok("chain", "on")
    return rig


def logged(rig: NightRig, since: int) -> tuple[list[str], int]:
    """The types of what was logged after a position, and the position after that."""
    for path in rig.home.glob(".local/state/nightdesk/*/log.db"):
        try:
            log = Log(path)
        except LogError:
            return [], since
        entries = log.read(since)
        log.close()
        return [type_of(entry.fact) for entry in entries], entries[-1].seq if entries else since
    return [], since


def killed(rig: NightRig, moments: Sequence[tuple[str, int]], dice: random.Random) -> list[str]:
    """One night whose supervisor is killed at the so many-th event of each of these kinds; where it was."""
    left, counts, at = list(moments), dict.fromkeys((kind for kind, _ in moments), 0), 0
    done: list[str] = []
    run, deadline = rig.start("run"), time.monotonic() + PATIENCE
    while run.poll() is None:
        assert time.monotonic() < deadline, f"the night does not end; killed at {done}"
        kinds, at = logged(rig, at)
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
        ripe = next(((kind, number) for kind, number in left if counts[kind] >= number), None)
        if ripe:
            time.sleep(dice.choice((0.0, 0.0, 0.02, 0.1)))  # a moment, not a wait for anything
            kill(run)
            left.remove(ripe)
            done.append(f"{ripe[0]} {ripe[1]}")
            run = rig.start("run")
        time.sleep(0.01)
    ended(run)
    return done


def ended(run: subprocess.Popen[str]) -> None:
    out, _ = run.communicate(timeout=30)
    assert run.returncode == 0, (run.returncode, out[-3000:])


def check(rig: NightRig) -> None:
    """One SHIP, one escalation, each member once, and plans that wait for a person: nothing landed."""
    facts = rig.events()
    told = {kind: [f for f in facts if f["type"] == kind] for kind in {f["type"] for f in facts}}
    (shipped,), (escalated,) = told["chain:shipped"], told["chain:escalated"]
    assert (shipped["root"], escalated["root"]) == ("fix", "stubborn")
    assert sorted(fact["ticket"] for fact in told["chain:spawned"]) == MEMBERS
    claims = sorted((fact["ticket"], fact["attempt"]) for fact in told["ticket:claimed"])
    assert claims == sorted((name, 1) for name in STORIES), claims
    verdicts = {fact["ticket"]: fact["review"]["verdict"] for fact in told["review:judged"]}
    assert verdicts == {m: "SHIP" if m == "fix+review-2" else "BLOCK" for m in MEMBERS if "review" in m}
    outcomes = {fact["ticket"]: fact["outcome"] for fact in told["ticket:ended"]}
    assert (outcomes["fix"], outcomes["stubborn"]) == ("DONE", "DONE_LOW_CONFIDENCE"), outcomes
    assert "chain:trouble" not in told and "policy:committed" not in told
    presets = {fact["ticket"]: fact["preset"] for fact in told["session:added"]}
    assert presets == {name: "second" if "review" in name else "bot" for name in STORIES}
    superseded = {fact["plan"] for fact in told["plan:superseded"]}
    ready = {fact["plan"]: fact["paths"] for fact in told["policy:commit-ready"]}
    assert len(superseded) == 2 and set(ready) - superseded == {shipped["plan"], escalated["plan"]}
    assert ready[shipped["plan"]] == ["a.txt"], "nothing that a reviewer wrote is in a plan"
    assert "+second" in rig.ok("plan", "show", shipped["plan"])
    assert rig.git("rev-list", "--count", "--all").strip() == "1"


def test_a_night_killed_three_times_has_one_ship_and_one_escalation(tmp_path: Path) -> None:
    rig = prepared(tmp_path)
    try:
        at = killed(rig, [("chain:spawned", 1), ("review:judged", 2), ("plan:superseded", 2)], random.Random(SEED))
        assert len(at) == 3, at
        check(rig)
    finally:
        rig.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_it_is_the_same_whenever_it_is_killed(tmp_path: Path, number: int) -> None:
    dice = random.Random(SEED + number)
    moments = [(dice.choice(MOMENTS), dice.randint(1, 4)) for _ in range(3)]
    rig = prepared(tmp_path)
    try:
        print(f"seed {SEED + number}: killed at {killed(rig, moments, dice)}")
        check(rig)
    finally:
        rig.close()
