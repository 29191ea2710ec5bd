"""One brain over one log: catch up, decide, append, in one transaction. Every writer goes through here."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from console.core import commands as cmd
from console.core import events as ev
from console.core.decide import decide
from console.core.react import settle
from console.core.records import Refused
from console.core.state import STATE_SCHEMA, State
from console.core.state import decode as decode_state
from console.core.state import encode as encode_state

CHECKPOINT_EVERY = 1000
"""Events between two checkpoints of the fold; start-up reads at most about this many."""
WAL_BYTES = 4 * 1024 * 1024
"""So much more in the WAL is folded in too, however few events it is."""
FULL_RETRY = 0.5
"""Seconds between tries of an append that the disk did not take."""


class LogStore(Protocol):
    """What the journal needs from `adapters.store.Log`."""

    def transaction(self) -> AbstractContextManager[None]: ...
    def append(self, entries: Sequence[ev.Logged]) -> None: ...
    def read(self, since: int, limit: int = ...) -> list[ev.Logged]: ...
    def load_checkpoint(self, layout: int) -> tuple[int, bytes] | None: ...
    def save_checkpoint(self, seq: int, layout: int, body: bytes) -> None: ...
    def checkpoint_wal(self) -> None: ...
    def is_full(self, error: BaseException) -> bool: ...
    def make_room(self) -> bool: ...
    @property
    def wal_bytes(self) -> int: ...
    def version(self) -> int: ...
    def close(self) -> None: ...


Result = tuple[ev.Logged, ...] | Refused


class Journal:
    """The state as of the last look, and the way to change it. One thread at a time."""

    def __init__(self, log: LogStore, now: Callable[[], float]) -> None:
        self._log = log
        self._now = now
        self._seen_version = -1
        self._torn = False
        self._state = self._load()

    @property
    def state(self) -> State:
        """The fold as of the last look, read anew when a failed append left it ahead of the log."""
        if self._torn:
            self._state = self._load()
            self._torn = False
        return self._state

    def _load(self) -> State:
        kept = self._log.load_checkpoint(STATE_SCHEMA)
        state = decode_state(kept[1]) if kept else State()
        self._fold_rest(state)
        return state

    def _fold_rest(self, state: State) -> list[ev.Logged]:
        fresh: list[ev.Logged] = []
        while page := self._log.read(state.seq):
            for entry in page:
                state.apply(entry)
            fresh += page
        return fresh

    def refresh(self) -> list[ev.Logged]:
        """Fold what others have appended; return it."""
        version = self._log.version()
        if version == self._seen_version:
            return []
        fresh = self._fold_rest(self.state)
        self._seen_version = version
        return fresh

    def submit(self, command: cmd.Command) -> Result:
        """Decide one command on the present state and append what follows from it."""
        return self.submit_all([command])[0][0]

    def submit_all(self, commands: Sequence[cmd.Command]) -> tuple[list[Result], list[ev.Logged]]:
        """Several commands in one transaction, in order. Also returns everything that is new since the last look."""
        results: list[Result] = []
        try:
            with self._log.transaction():
                fresh = self._fold_rest(self.state)
                for command in commands:
                    facts = decide(self.state, command)
                    if isinstance(facts, Refused):
                        results.append(facts)
                        continue
                    at = max(self._now(), self.state.at)
                    entries = settle(self.state, facts, at)
                    self._log.append(entries)
                    fresh += entries
                    results.append(tuple(entries))
        except BaseException:
            self._torn = True
            raise
        return results, fresh

    def since(self, seq: int) -> list[ev.Logged]:
        """Everything after `seq`, from the log itself."""
        found: list[ev.Logged] = []
        while page := self._log.read(found[-1].seq if found else seq):
            found += page
        return found

    def checkpoint(self) -> None:
        """Keep the fold and fold the WAL in. The supervisor only."""
        with self._log.transaction():
            self._fold_rest(self.state)
            self._log.save_checkpoint(self.state.seq, STATE_SCHEMA, encode_state(self.state))
        self._log.checkpoint_wal()

    def is_full(self, error: BaseException) -> bool:
        """Whether an append failed only because the disk takes no more: the same one may succeed later."""
        return self._log.is_full(error)

    def make_room(self) -> bool:
        """After such a failure: whether there is a little room now, that was kept back for this."""
        return self._log.make_room()

    @property
    def wal_bytes(self) -> int:
        return self._log.wal_bytes

    def close(self) -> None:
        self._log.close()


Deliver = Callable[[Result | BaseException], None]


class Writer:
    """The supervisor's own writing thread: everything that queues up while it commits goes into the next commit.

    open_journal is called on this thread. publish(entries) is called on this thread after each commit, with all new
    entries in log order, including those of other processes. A failed commit is delivered to every
    command of its batch as the exception. failure: what ended the writer too early. over: that, or that it was
    stopped; every later command gets it delivered.

    What the disk does not take, once it has taken anything, waits here in its order and is appended as soon as there is
    room; blocked: why it waits, "" while nothing does. It is told that it failed only when the writer stops before.
    """

    def __init__(self, open_journal: Callable[[], Journal], publish: Callable[[Sequence[ev.Logged]], None]) -> None:
        self._open = open_journal
        self._publish = publish
        self._inbox: queue.SimpleQueue[tuple[cmd.Command, Deliver] | str] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)
        self._since_checkpoint = 0
        self._wal_seen = 0
        self._published = 0
        self._waiting: list[tuple[cmd.Command, Deliver]] = []
        self._has_appended = False
        self.blocked = ""
        self.over: BaseException | None = None
        self.failure: BaseException | None = None

    def start(self, since: int = 0) -> None:
        """Begin, also with what was queued before; publish what comes after `since`."""
        self._published = since
        self._thread.start()

    def submit(self, command: cmd.Command, deliver: Deliver) -> None:
        self._inbox.put((command, deliver))
        if self.over:
            self._refuse_rest(self.over)

    def look(self) -> None:
        """Somebody else may have appended."""
        self._inbox.put("look")

    def stop(self) -> None:
        """Finish what is queued, checkpoint, close; returns when done."""
        self._inbox.put("stop")
        self._thread.join()

    def _run(self) -> None:
        try:
            journal = self._open()
            try:
                self._serve(journal)
            finally:
                journal.close()
        except BaseException as error:
            self.failure = error
        self.over = self.failure or RuntimeError("the log's writer has ended")
        self._refuse_rest(self.over)

    def _serve(self, journal: Journal) -> None:
        stopping = False
        while not stopping:
            batch, stopping = self._take()
            self._commit(journal, batch)
        for _, deliver in self._waiting:
            deliver(OSError(self.blocked))
        with contextlib.suppress(Exception):  # it only makes the next start slower
            journal.checkpoint()

    def _refuse_rest(self, why: BaseException) -> None:
        """Nobody waits for ever: what was queued when the writer ended, or after, is told so."""
        with contextlib.suppress(queue.Empty):
            while True:
                item = self._inbox.get_nowait()
                if not isinstance(item, str):
                    item[1](why)

    def _take(self) -> tuple[list[tuple[cmd.Command, Deliver]], bool]:
        items: list[tuple[cmd.Command, Deliver] | str] = []
        with contextlib.suppress(queue.Empty):  # a disk that was full is tried again also when nobody asks
            items.append(self._inbox.get(timeout=FULL_RETRY if self._waiting else None))
        while len(items) < 200:
            try:
                items.append(self._inbox.get_nowait())
            except queue.Empty:
                break
        return [item for item in items if not isinstance(item, str)], "stop" in items

    def _commit(self, journal: Journal, batch: list[tuple[cmd.Command, Deliver]]) -> None:
        batch = [*self._waiting, *batch]
        outcomes: Sequence[Result | BaseException] = []
        try:
            if batch:
                outcomes = self._outcomes(journal, [command for command, _ in batch])
            else:
                journal.refresh()
        except Exception as error:
            outcomes = [error] * len(batch)
        self._waiting = batch[len(outcomes) :]
        try:
            self._tell(journal)
        finally:
            for (_, deliver), outcome in zip(batch, outcomes, strict=False):  # what waits has none yet
                deliver(outcome)
        if self._since_checkpoint >= CHECKPOINT_EVERY or self._wal_grew(journal):
            self._since_checkpoint = 0
            with contextlib.suppress(Exception):  # it only makes the next start slower; the next thousand try again
                journal.checkpoint()

    def _outcomes(self, journal: Journal, commands: list[cmd.Command]) -> list[Result | BaseException]:
        """What became of each, in order; of fewer when the disk takes no more: all in one commit, else one by one (each
        try that fails costs a fold of the log)."""
        told: list[Result | BaseException] = []
        at_once = 1 if self.blocked else len(commands)
        while len(told) < len(commands):
            part = commands[len(told) : len(told) + at_once]
            try:
                told += journal.submit_all(part)[0]
                self._has_appended, at_once = True, len(commands)
            except Exception as error:
                if not (journal.is_full(error) and self._has_appended):
                    told += [error] * len(part)
                elif journal.make_room():
                    continue
                elif at_once > 1:
                    at_once = 1
                else:
                    self.blocked = str(error)
                    return told
        self.blocked = ""
        return told

    def _wal_grew(self, journal: Journal) -> bool:
        """By enough to fold it in, also when the last try could not reset it because somebody was reading."""
        now = journal.wal_bytes
        if now < self._wal_seen:
            self._wal_seen = 0
        grew = now - self._wal_seen > WAL_BYTES
        self._wal_seen = now if grew else self._wal_seen
        return grew

    def _tell(self, journal: Journal) -> None:
        if journal.state.seq > self._published:
            fresh = journal.since(self._published)
            self._published = fresh[-1].seq
            self._since_checkpoint += len(fresh)
            self._publish(fresh)
