"""Large workspaces, each made once a run and used by every benchmark that wants it: a million events, ten thousand
tickets, two hundred live sessions. The facts are folded by the real state; nothing is decided for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice

from bench.ground import IDLE, ME, PROMPT, Ground, working_sessions
from console import wiring
from console.adapters.store import Log
from console.core import events as ev
from console.core.records import Refused
from console.core.state import STATE_SCHEMA, State, encode
from console.verbs import queueing

TURNS = 160
"""Of a session of the long history: with three events a turn, a million events are some two thousand sessions."""
BATCH = 5000


def _once(ground: Ground, name: str, fill: Callable[[wiring.Here], object]) -> wiring.Here:
    if (root := ground.place / name).exists():
        known = wiring.locate(root, ground.environ)
        assert not isinstance(known, Refused), known
        return known
    here = ground.workspace(name)
    fill(here)
    return here


def million(ground: Ground) -> wiring.Here:
    """As a supervisor leaves it: the log in one file, a checkpoint some hundred events before its end."""
    return _once(ground, "million", lambda here: _history(here, ground.scale.million))


def many_tickets(ground: Ground) -> wiring.Here:
    """Files in the folder, brought into the log by the product's own look at it."""
    return _once(ground, "tickets", lambda here: _queue(here, ground.scale.tickets))


def many_files(ground: Ground) -> wiring.Here:
    return _once(ground, "files", lambda here: _queue(here, ground.scale.files))


def crowd(ground: Ground, count: int) -> wiring.Here:
    """So many sessions in the middle of a turn."""
    return _once(ground, f"crowd-{count}", lambda here: working_sessions(here, count))


def _history(here: wiring.Here, events: int) -> None:
    wiring.open_journal(here).close()  # makes the tables
    log, state = Log(here.places.log), State()
    facts = _facts()
    with log.transaction():
        while state.seq < events:
            if state.seq + BATCH >= events:
                log.save_checkpoint(state.seq, STATE_SCHEMA, encode(state))
            log.append([_applied(state, fact) for fact in islice(facts, min(BATCH, events - state.seq))])
    log.checkpoint_wal()
    log.close()


def _applied(state: State, fact: ev.Fact) -> ev.Logged:
    entry = ev.Logged(seq=state.seq + 1, at=state.at + 1 if state.at else time.time() - 1e6, fact=fact)
    state.apply(entry)
    return entry


def _facts() -> Iterator[ev.Fact]:
    """The lives of sessions, one after the other."""
    number = 0
    while True:
        number += 1
        name = f"s-{number}"
        yield ev.SessionAdded(
            session=name, label=f"agent-{number:02}", launch=IDLE, cwd="/w", worktree="/w", by=ME, preset="claude"
        )
        yield ev.SessionStarted(session=name, run=1, conversation=f"c-{number}", pid=1, shim_pid=1)
        for turn in range(1, TURNS + 1):
            yield ev.PromptQueued(session=name, turn=turn, text=PROMPT, by=ME)
            yield ev.TurnStarted(session=name, turn=turn, ref="refs/heads/main", head="0" * 40)
            yield ev.TurnEnded(session=name, turn=turn, ok=True, stop="end_turn", head="0" * 40)
        yield ev.StopRequested(session=name, by=ME)
        yield ev.Exited(session=name, run=1, how="stopped", code=0, stopped=True)


def _queue(here: wiring.Here, count: int) -> None:
    folder = here.root / "tickets"
    folder.mkdir()
    for number in range(count):
        needs = f"depends_on: [q{number - 1:05}]\n" if number % 10 == 9 else ""
        text = f"---\npriority: {number % 5}\n{needs}---\n# Fix the typo in line {number}\n\nOf notes-{number}.txt.\n"
        (folder / f"q{number:05}.md").write_text(text)
    queueing.sync(here)
    journal = wiring.open_journal(here)
    journal.checkpoint()
    journal.close()
