"""The fault matrix: its rows, and what became of each in this test run, printed row by row at the end.

A test says with `@pytest.mark.row("A1", ...)` which rows it plays. A row passed when all its tests that ran did, and at
least one ran. Race rows run once here and many times behind `-m slow` (tests/full).
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

ROWS = {
    "A1": "double fork, setsid, everything closed: dead at the end",
    "A2": "a subreaper inside the agent: dead at the end",
    "A3": "the parent exits before its child forks: dead at the end",
    "A4": "fork bomb of 300, hydra at 0, 1 and 5 ms: none left",
    "A5": "a parent that respawns every 5 ms: none left",
    "A6": "TERM, HUP, INT ignored; stopped by itself; a stopped child: killed after the grace",
    "A7": "zombie leader with a living thread: seen as alive, then killed",
    "A8": "a set-uid descendant: told as foreign, the rest killed",
    "A9": "a process that cannot be killed: UNKILLABLE in time, the loop alive, gone when it can be",
    "A10": "2,000 zombies: reaped",
    "A11": "a pid reused within one tick: the innocent lives",
    "A12": "a group id after its leader was reaped: never signalled",
    "A13": "a process with the agent's name outside of the chain: untouched",
    "A14": "an escape over a daemon from outside: shown by doctor, not killed",
    "A15": "600 processes on the host: the look stays cheap",
    "A16": "/proc unreadable or no descriptors: an error, never 'nothing found'",
    "B1": "SIGKILL of the supervisor at any moment: none left",
    "B2": "SIGKILL or SIGSTOP of the shim: noticed, its tree ended",
    "B3": "both killed: survivors listed, their worktree not used again",
    "B4": "the supervisor raises, or its loop is blocked: it ends with a traceback, lifelines close",
    "B5": "status pipe closed, output disk full, lifeline not in the agent: the shim completes its kill",
    "B6": "restart after a crash: INTERRUPTED once, counters kept, nothing started twice",
    "B7": "memory runs out: the agent goes before its supervisor",
    "C1": "silent, but a tool is in flight: no kill within its budget",
    "C2": "a spinner's output, CPU, or both: no progress; the wall budget ends it",
    "C3": "the wall clock jumps an hour: no false kill, none missed",
    "C4": "the supervisor itself stopped or blocked: no kill",
    "C5": "a late sign of life of an earlier run: ignored",
    "C6": "5 of 8 silent together: alarm, no kill",
    "C7": "crash loops, fast, dripping, with a banner, alternating: parked at the cap",
    "C8": "operator's stop during the back-off, two restarts at once: stays stopped, one run",
    "C9": "not a byte at the start: the deadline of STARTING",
    "D1": "a gate that wants stdin, a terminal, a prompt: ends at once",
    "D2": "a gate that leaves something in the background: judged at its own end, nothing left",
    "D3": "exit statuses under reaping load: exact",
    "D4": "timeout, signals, 126, 127, all 256 codes: exact",
    "D5": "1 GB of output, no newline, invalid bytes, controls: bounded",
    "D6": "a gate that deletes its folder, changes its session, stops itself: classified",
    "E1": "the terminal goes away: the screen ends, runs go on",
    "E2": "the terminal takes no output: the supervisor does not notice",
    "E3": "HUP, INT, TERM, QUIT, faults in the screen: terminal restored, runs go on",
    "E4": "two consoles, one killed in mid-command: applied once or not at all",
    "E5": "no terminal: one sentence, nothing started",
    "E6": "HUP to a supervisor without a screen: it stays, and agents do not inherit that",
    "F1": "a second instance, a holder killed with a living agent: refused, then free",
    "F2": "lock file gone, read-only, on a network, stale text: detected, refused with the reason, or started",
    "F3": "disk full before, during, while saving: nothing truncated, DEGRADED, recovers",
    "F4": "no inodes, read-only, no permission: a clear error, no run",
    "F5": "no descriptors: kill and save still work",
    "F6": "a log torn in mid-record, another boot: the last good record, all runs INTERRUPTED once",
}
"""Every row (the fault that is injected: what must hold)."""

ENOUGH = 20
"""The matrix is printed when at least so many of its rows were played; a look at one file needs none."""


def rows_of(item: pytest.Item) -> list[str]:
    found = [str(row) for mark in item.iter_markers("row") for row in mark.args]
    unknown = sorted(set(found) - set(ROWS))
    if unknown:
        raise pytest.UsageError(f"{item.nodeid}: no such row of the fault matrix: {', '.join(unknown)}")
    return found


def remember(items: Iterable[pytest.Item]) -> None:
    """With each test its rows, where reports from other processes keep them."""
    for item in items:
        if found := rows_of(item):
            item.user_properties.append(("rows", " ".join(found)))


def table(stats: dict[str, list[object]]) -> list[str]:
    """One line a row, from the reports of a run by outcome."""
    seen: dict[str, dict[str, list[pytest.TestReport]]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in stats.get(outcome, []):
            if isinstance(report, pytest.TestReport):
                for row in dict(report.user_properties).get("rows", "").split():
                    seen.setdefault(row, {}).setdefault(outcome, []).append(report)
    return [] if len(seen) < ENOUGH else [_line(row, seen.get(row, {})) for row in ROWS]


def _line(row: str, seen: dict[str, list[pytest.TestReport]]) -> str:
    broken = seen.get("failed", []) + seen.get("error", [])
    skipped = seen.get("skipped", [])
    if broken:
        said = f"FAILED   {len(broken)}: {broken[0].nodeid}"
    elif passed := len(seen.get("passed", [])):
        left_out = f", {len(skipped)} skipped: {_why(skipped[0])}" if skipped else ""
        said = f"passed   {passed}{left_out}"
    elif skipped:
        said = f"skipped  {_why(skipped[0])}"
    else:
        said = "not played here"
    return f"{row:<4}{said:<14}  {ROWS[row]}"


def _why(report: pytest.TestReport) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)[:120]
