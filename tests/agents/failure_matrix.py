"""What becomes of a ticket when its agent fails, for each agent and each way of failing, through the whole product.

    python tests/agents/failure_matrix.py [--agents a,b] [--failures x,y] [--jobs 5] --out FOLDER

Each cell is a workspace of its own. Most of its time is the agent's: some try again for minutes before they give up.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # warm.py, where this is a program

import clis
from rig import TICKET, WORK, Json, Rig, settled

AFTER = ("started again", "overload that ended your turn is over", "An earlier attempt failed")
"""What the prompt says that follows a failure: from then on the model does its work."""
ASKERS = ("claude", "claude-acp", "codex-acp", "gemini", "qwen", "opencode")
"""Agents that can ask. The others are refused or do it; what they may do is their level's business."""
LONGEST = 1500.0
"""Seconds of a run."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One way of failing. steps: what the model does on the first prompt. holds: whether a cell went as it should, as
    what is wrong, "" for nothing. kills: the agent's own process is killed while the model hangs."""

    steps: list[Json]
    holds: Callable[[Cell], str]
    kills: bool = False
    settings: Json = field(default_factory=dict)
    own: dict[str, Json] = field(default_factory=dict)


@dataclass(slots=True)
class Cell:
    """What came of one agent and one failure."""

    agent: str
    failure: str
    outcome: str = ""
    why: str = ""
    attempts: int = 0
    seconds: float = 0.0
    exit: int | None = None
    log: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    wrong: str = ""

    def said(self, word: str) -> bool:
        return any(word in line for line in self.log)


# -- what should come of it ----------------------------------------------------------------------------------


def _done(cell: Cell) -> str:
    if (cell.outcome, cell.attempts) != ("DONE", 1):
        return f"ended {cell.outcome or 'not at all'} in attempt {cell.attempts}"
    return ""


def _waits(fault: str) -> Callable[[Cell], str]:
    """It waits for the end of it, spends no attempt and goes on. An agent that gets over it alone is fine as well."""

    def holds(cell: Cell) -> str:
        dated = cell.said("fault=overload until")  # as good as a limit: it is waited for as long
        if not cell.said(f"fault={fault}") and not dated:
            return f"no {fault} was seen; {_done(cell)}"
        return "" if cell.said("waiting +") and not _done(cell) else f"no wait; {_done(cell)}"

    return holds


def _blocked(cell: Cell) -> str:
    if cell.outcome != "BLOCKED_ENV":
        return f"ended {cell.outcome or 'not at all'}"
    return "" if cell.said("fault=auth") else "not for its login"


def _restarted(cause: str) -> Callable[[Cell], str]:
    def holds(cell: Cell) -> str:
        return _done(cell) if cell.said(f"restarting {cause}") else f"no restart for {cause}; {_done(cell)}"

    return holds


def _parked(cell: Cell) -> str:
    if cell.agent not in ASKERS:
        return _done(cell)
    return "" if cell.outcome == "PARKED_DECISION" and cell.said("awaiting") else f"ended {cell.outcome}"


def _over_it(cell: Cell) -> str:
    return _done(cell)


RUN: Json = {"run": "python3 -m unittest -q tests.test_prices"}
ESCALATED: Json = {
    "call": {
        "tool": "exec_command",
        "args": {"cmd": "id -u", "sandbox_permissions": "require_escalated", "justification": "to see who this is"},
    }
}
LIMIT = "Rate limit reached for requests. Please try again in 40s."
"""The words of these errors are what the services say: some agents pass on nothing else of them."""
PLAN_LIMIT: Json = {"status": 429, "reset": 40, "message": LIMIT, "type": "usage_limit_reached"}
"""Codex tells a reset only of a plan's limit; another 429 is nothing but "Too Many Requests" to it."""
HUNG: Json = {"watchdog": {"quiet": "15s", "hung": "30s"}}

FAILURES = {
    "limit": Failure(
        [{"status": 429, "reset": 40, "message": LIMIT}],
        _waits("limit"),
        own={name: {"steps": [PLAN_LIMIT]} for name in ("codex", "codex-acp")},
    ),
    "overload": Failure([{"status": 529, "message": "Overloaded"}], _waits("overload")),
    "error": Failure([{"status": 500, "message": "Internal server error"}], _waits("overload")),
    "auth": Failure([{"status": 401, "message": "Incorrect API key provided"}], _blocked),
    "hang": Failure([{"hang": 3000}], _restarted("hang"), settings=HUNG),
    "crash": Failure(
        [WORK[0], {"hang": 3000}], _restarted("crash"), kills=True, own={"aider": {"steps": [{"hang": 3000}]}}
    ),
    "cut": Failure([{"cut": "I will begin with"}], _over_it),
    "cut-once": Failure([{"cut": "I will begin with", "times": 1}, *WORK], _over_it),
    "question": Failure([RUN, *WORK], _parked, own={"codex-acp": {"steps": [ESCALATED, *WORK]}}),
}


# -- one cell ------------------------------------------------------------------------------------------------


def play(name: str, failure: str, room: Path, patience: float = LONGEST) -> Cell:
    """Run one cell in `room`, an empty folder."""
    way, cell, began = FAILURES[failure], Cell(name, failure), time.monotonic()
    own = way.own.get(name, {})
    settings = {"limits": {"turn_timeout": "20m"}, **way.settings, **own.get("settings", {})}
    after = [{"match": words, "steps": WORK} for words in AFTER]
    with Rig(room, name, own.get("steps", way.steps), before=after, **settings) as rig:
        rig.ok("trust")
        run = rig.start("run")
        if way.kills:
            kill_in_mid_turn(rig)
        if settled(lambda: run.poll() is not None, patience - (time.monotonic() - began), every=0.25):
            cell.exit = run.returncode
        else:
            run.send_signal(signal.SIGKILL)
            run.wait()
        cell.seconds = round(time.monotonic() - began, 1)
        _read(rig, cell)
        settled(lambda: not rig.processes(), 10, every=0.25)
        cell.left = list(rig.processes().values())
    cell.wrong = f"left behind: {len(cell.left)} processes" if cell.left else way.holds(cell)
    return cell


def kill_in_mid_turn(rig: Rig, timeout: float = 120) -> int:
    """SIGKILL for the agent's own first process while it waits for the model; its pid, 0 when it never got so far."""
    if not settled(lambda: any(r["reply"].startswith("Hang") for r in rig.requests()), timeout):
        return 0
    pid = int(rig.last("session:started").get("pid") or 0)
    if pid:
        os.kill(pid, signal.SIGKILL)
    return pid


def _read(rig: Rig, cell: Cell) -> None:
    for event in rig.events():
        if line := told(event):
            cell.log.append(line)
        if event["type"] == "ticket:ended" and event["ticket"] == TICKET:
            cell.outcome, cell.why, cell.attempts = event["outcome"], event["why"], event["attempt"]


def told(event: Json) -> str:
    """One event in a few words; "" for those that do not matter here."""
    match event["type"]:
        case "session:started":
            if not event.get("conversation"):
                return ""
            return f"started run {event['run']}{' resumed' if event.get('resumed') else ''}"
        case "turn-end":
            until = f" until +{event['until'] - event['at']:.0f}s" if event.get("until") else ""
            fault = f" fault={event['fault']}" if event.get("fault") else ""
            words = (event.get("detail") or "")[:160]
            return f"turn-end {'ok' if event['ok'] else 'bad'} {event['stop']}{fault}{until} {words!r}"
        case "ticket:waiting":
            return f"waiting +{event['until'] - event['at']:.0f}s: {event['why']}"
        case "session:suspect":
            return f"suspect after {event['quiet']:.0f}s"
        case "session:hung":
            return f"hung: {event['why']}"
        case "session:restarting":
            return f"restarting {event['cause']} no. {event['count']}: {event['why']}"
        case "session:given-up":
            return f"given up: {event['why']}"
        case "exited":
            return (
                f"exited {event['how']} code={event.get('code')} signal={event.get('signal')} {event.get('reason', '')}"
            )
        case "awaiting-input":
            return f"awaiting: {event['title']}"
        case "decision:parked":
            return f"parked ({event.get('source')}): {event['question'][:160]}"
        case "ticket:attempt-failed":
            return f"attempt {event['attempt']} failed ({event['cause']}): {event['why']}"
        case "ticket:ended" | "run:ended":
            return f"{event['type']} {event.get('outcome') or event.get('status')}: {event['why']}"
        case "supervisor:trouble":
            return f"TROUBLE {event['effect']}: {event['error']}"
    return ""


# -- all of them ---------------------------------------------------------------------------------------------


def table(cells: list[Cell]) -> str:
    """Markdown: the overview, then what the log says of each cell."""
    names = [name for name in clis.NAMES if any(cell.agent == name for cell in cells)]
    kinds = [kind for kind in FAILURES if any(cell.failure == kind for cell in cells)]
    found = {(cell.agent, cell.failure): cell for cell in cells}
    lines = ["| agent | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for name in names:
        row = [_brief(found[name, kind]) if (name, kind) in found else "" for kind in kinds]
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    lines += ["", "| agent | failure | outcome | attempts | s | left | as expected | the log |", "|---" * 8 + "|"]
    for cell in sorted(cells, key=lambda c: (kinds.index(c.failure), names.index(c.agent))):
        log = "<br>".join(line.replace("|", "\\|").replace("\n", " ")[:300] for line in cell.log)
        lines.append(
            f"| {cell.agent} | {cell.failure} | {cell.outcome} | {cell.attempts} | {cell.seconds:.0f} | "
            f"{len(cell.left)} | {cell.wrong or 'yes'} | {log} |"
        )
    return "\n".join(lines) + "\n"


def _brief(cell: Cell) -> str:
    waited = " waited" if cell.said("waiting +") else ""
    again = sum("restarting" in line for line in cell.log)
    restarts = f" {again} restart{'s' * (again > 1)}" if again else ""
    return f"{'**!** ' if cell.wrong else ''}{cell.outcome or '?'}{waited}{restarts}, {cell.seconds:.0f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agents", default=",".join(clis.NAMES))
    parser.add_argument("--failures", default=",".join(FAILURES))
    parser.add_argument("--jobs", type=int, default=5)
    parser.add_argument("--rooms", type=Path, default=Path("/var/tmp/nightdesk-matrix"), help="outside of /tmp")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    wanted = [(a, f) for f in options.failures.split(",") for a in options.agents.split(",") if not clis.missing(a)]
    options.out.mkdir(parents=True, exist_ok=True)
    cells: list[Cell] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        rooms = {(a, f): options.rooms / f"{a}-{f}" for a, f in wanted}
        for room in rooms.values():
            shutil.rmtree(room, ignore_errors=True)
        todo = {pool.submit(play, a, f, rooms[a, f]): (a, f) for a, f in wanted}
        for one in as_completed(todo):
            try:
                cell = one.result()
            except Exception as error:  # a cell that broke is a cell of the table
                cell = Cell(*todo[one], wrong=f"{type(error).__name__}: {error}"[:500])
            cells.append(cell)
            sys.stderr.write(f"{len(cells)}/{len(wanted)} {cell.agent} {cell.failure}: {_brief(cell)} {cell.wrong}\n")
            (options.out / "matrix.md").write_text(table(cells), encoding="utf-8")
            (options.out / "matrix.json").write_text(json.dumps([asdict(c) for c in cells], indent=1), encoding="utf-8")
    return int(any(cell.wrong for cell in cells))


if __name__ == "__main__":
    raise SystemExit(main())
