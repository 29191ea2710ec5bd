"""Nights whose supervisor is killed at chosen moments: which moments there are, and one night with its kills.

A moment is the first sight of an event in the log, of the so many-th of its kind, or a time after it.
"""

from __future__ import annotations

import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nightrig import NightRig, kill

KINDS = (
    "run:started",
    "ticket:claimed",
    "session:added",
    "session:started",
    "snapshot:taken",
    "turn-start",
    "turn-end",
    "policy:gating",
    "policy:judged",
    "policy:commit-ready",
    "ticket:attempt-failed",
    "snapshot:rollback-requested",
    "snapshot:rolled-back",
    "ticket:back",
    "decision:parked",
    "ticket:ended",
)
EXPECTED = {
    "good": "DONE",
    "twice": "DONE",
    "weak": "DONE_LOW_CONFIDENCE",
    "either": "PARKED_DECISION",
    "asks": "PARKED_DECISION",
    "schema": "PARKED_FOUNDATIONAL",
    "env": "BLOCKED_ENV",
    "bug": "FAILED_BUG_IN_AGENT",
    "last": "DONE",
}
ATTEMPTS = {"good": 1, "twice": 2, "weak": 1, "asks": 1, "env": 1, "bug": 2, "last": 1, "schema": 1, "either": 1}
"""Claims a ticket: no attempt is counted twice, whatever was killed."""


@dataclass(slots=True)
class Kills:
    """At which events of one night the supervisor was killed, and how long the night took in all."""

    at: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        return f"{len(self.at)} kills in {self.seconds:.1f} s: {', '.join(self.at)}"


def prepare(room: Path) -> NightRig:
    rig = NightRig(room, limits={"sessions": 2, "attempts": 3}, allowed_commands=["python3", "no-such-runner"])
    broken = ["replace", "shop.py", "return a + b", "return a - b"]
    rig.ticket("good", [["sleep", 0.3], ["write", "good.txt", "x\n"]])
    rig.ticket("twice", [broken], [["append", "shop.py", "\n\ndef triple(a):\n    return a * 3\n"]])
    rig.ticket("weak", [["replace", "test_shop.py", "    def test_add", "    @unittest.skip('x')\n    def test_add"]])
    rig.ticket("either", text="Either rename the helper or remove it; this is not decided yet, TBD.")
    rig.ticket("asks", [["write", "half.txt", "x\n"], ["park", "--question", "Left or right?"], ["sleep", 0.5]])
    rig.ticket("schema", text="Add a column `currency` to the orders table and a migration that fills it.")
    rig.ticket("behind", depends_on="schema")
    rig.ticket("env", gate=["no-such-runner"])
    rig.ticket("bug", [broken])
    rig.ticket("last", [["write", "last.txt", "x\n"]], priority=-10, depends_on="good")
    rig.ready()
    return rig


def killed_night(room: Path, kinds: list[str], seed: int) -> Kills:
    """One night with a kill at the next event of each kind, in any order that the night brings them."""
    rig, dice, kills = prepare(room), random.Random(seed), Kills()
    began = time.monotonic()
    left = list(kinds)
    try:
        cursor, patience = 0, time.monotonic() + 180
        run = rig.start("run")
        while run.poll() is None or left:
            assert time.monotonic() < patience, f"the night does not end; killed at {kills.at}"
            if run.poll() is not None:
                break
            page = _page(rig, cursor)
            cursor = page["nextCursor"]
            seen = [event["type"] for event in page["events"]]
            found = next((kind for kind in seen if kind in left), "")
            if found:
                time.sleep(dice.choice((0.0, 0.0, 0.02, 0.1, 0.3)))
                kill(run)
                left.remove(found)
                kills.at.append(found)
                run = rig.start("run")
            time.sleep(0.02)
        out, _ = run.communicate(timeout=60)
        _check(rig, run, out)
    finally:
        rig.close()
    kills.seconds = time.monotonic() - began
    return kills


def _page(rig: NightRig, since: int) -> Any:
    from console.adapters.store import Log, LogError

    for path in rig.home.glob(".local/state/nightdesk/*/log.db"):
        try:
            log = Log(path)
        except LogError:
            continue
        try:
            entries = log.read(since)
        finally:
            log.close()
        from console.core.events import type_of

        events = [{"type": type_of(entry.fact)} for entry in entries]
        return {"events": events, "nextCursor": entries[-1].seq if entries else since}
    return {"events": [], "nextCursor": since}


def _check(rig: NightRig, run: subprocess.Popen[str], out: str) -> None:
    """The same outcomes, no attempt twice, no work lost."""
    assert run.returncode == 0, (run.returncode, out[-3000:])
    assert len(rig.events("run:started")) == 1 and rig.events("run:ended")[-1]["status"] == "DRAINED"
    outcomes = rig.outcomes()
    assert outcomes == EXPECTED, {t: (o, rig.why(t)) for t, o in outcomes.items() if EXPECTED.get(t) != o}
    claims: dict[str, list[int]] = {}
    for event in rig.events("ticket:claimed"):
        claims.setdefault(event["ticket"], []).append(event["attempt"])
    assert claims == {t: list(range(1, n + 1)) for t, n in ATTEMPTS.items()}, claims
    for name in ("good", "twice", "weak", "last"):
        shown = rig.shown(name)
        diff = rig.ok("plan", "show", shown["plan"])
        assert diff.strip(), name
        if name == "last":
            assert (Path(shown["worktree"]) / "good.txt").is_file(), "it starts from what it depends on"
    assert (Path(rig.shown("asks")["worktree"]) / "half.txt").is_file(), "parked work stays"
    failed = [event for event in rig.events("ticket:back") if not event.get("kept")]
    assert not failed, "the work of a failed attempt is kept"
