"""A search through the whole log, on a thread and a connection of its own: what is found streams in, and the next word
cancels it. It decides by the words that are drawn, and never runs on the screen's loop."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from console.core.events import Exited, Logged, TurnEnded
from console.engine.desk import Search
from console.present import logline
from console.present.text import clean

PAGE = 200
"""Entries put into words before the thread lets go: some two milliseconds."""
SKIPPED = 20_000
"""Entries looked at in one go where most are dropped before they are read; some ten milliseconds."""
PAUSE = 0.0005
"""Seconds between two pages, in which the screen's loop goes first."""
TELL = 0.1
"""Seconds between two words to the screen, but for the first hit, which is told at once."""
LIMIT = 2000
"""Hits that are listed; the newest of all."""
ASCII = re.compile(r"[a-z0-9_./-]+")
CERTAIN = re.compile(r"[a-z]+-[0-9]+|(?=[a-f]*[0-9])[0-9a-f]{7,}")
"""Ids and hashes: no sentence has one that its entry does not hold."""


@dataclass(frozen=True, slots=True)
class Found:
    """hits: position -> line, in no order. left: positions that have not been looked at. over: nothing more comes,
    but for new entries. full: there are more hits than are listed. trouble: why the search broke off."""

    hits: dict[int, logline.Row]
    left: int
    over: bool = False
    full: bool = False
    trouble: str = ""


@dataclass(slots=True)
class _Job:
    words: tuple[str, ...]
    last: int
    """Of the log when it began."""
    told: Callable[[Found], None]
    hits: dict[int, logline.Row] = field(default_factory=dict)
    fresh: dict[int, logline.Row] = field(default_factory=dict)
    told_at: float = 0.0

    @property
    def floor(self) -> int:
        """Position under which no hit is listed any more."""
        return sorted(self.hits, reverse=True)[LIMIT - 1] if len(self.hits) >= LIMIT else 0

    def add(self, seq: int, row: logline.Row) -> None:
        if seq not in self.hits:
            self.hits[seq] = self.fresh[seq] = row


class LogSearch:
    """One search at a time. opened: a connection, made in the searching thread. deliver: runs a call on the loop."""

    def __init__(self, opened: Callable[[], Search], deliver: Callable[[Callable[[], None]], None]) -> None:
        self._opened = opened
        self._deliver = deliver
        self._wake = threading.Condition()
        self._job: _Job | None = None
        self._last = 0
        self._done: _Job | None = None
        self._upto = 0
        """Position that the last look went from."""
        self._thread: threading.Thread | None = None

    def look(self, words: Sequence[str], last: int, told: Callable[[Found], None]) -> None:
        """Look for lines that hold every word, from position `last` back; whatever was looked for before is dropped.
        told: called on the loop, as often as there is something new; never again once another look has begun."""
        with self._wake:
            self._job, self._last = _Job(tuple(words), last, told), last
            self._wake.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="log-search", daemon=True)
            self._thread.start()

    def drop(self) -> None:
        """Look for nothing."""
        with self._wake:
            self._job = None

    def grown(self, last: int) -> None:
        """The log has more."""
        with self._wake:
            if last > self._last:
                self._last = last
                self._wake.notify()

    # -- on its thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        search: Search | None = None
        while True:
            with self._wake:
                self._wake.wait_for(self._due)
                job, last = self._job, self._last
            if job is None:
                continue
            again = job is self._done
            since, self._done, self._upto = self._upto, job, last if again else job.last
            try:
                search = search or self._opened()
                self._forward(search, job, since, last) if again else self._back(search, job)
            except Exception as error:
                search = None
                self._tell(job, 0, trouble=clean(str(error), limit=300), over=True)

    def _due(self) -> bool:
        return self._job is not None and (self._job is not self._done or self._last > self._upto)

    def _back(self, search: Search, job: _Job) -> None:
        """Entries that hold the words are found at once, as nothing else is read; then those whose sentence does."""
        texts = [word for word in job.words if ASCII.fullmatch(word)]
        if texts and not self._pass(search, job, texts, job.last):
            return
        certain = any(CERTAIN.fullmatch(word) for word in texts)
        if not certain and not self._pass(search, job, [], 0):
            return
        self._tell(job, 0, over=True)

    def _pass(self, search: Search, job: _Job, texts: Sequence[str], still: int) -> bool:
        """From the newest entry back. False: another job has come. still: positions that are left after it."""
        at, count = job.last + 1, PAGE
        while at > max(1, job.floor):
            if self._job is not job:
                return False
            entries, at = search.before(at, count, texts)
            count = min(SKIPPED, 4 * count) if texts and len(entries) < PAGE // 4 else PAGE
            for entry in entries:
                if (row := drawn(entry, job.words)) is not None:
                    job.add(entry.seq, row)
            self._tell(job, still or at)
            time.sleep(PAUSE)
        return True

    def _forward(self, search: Search, job: _Job, upto: int, last: int) -> None:
        at = last + 1
        while at > upto + 1 and self._job is job:
            entries, at = search.before(at, min(PAGE, at - upto - 1))
            for entry in entries:
                if (row := drawn(entry, job.words)) is not None:
                    job.add(entry.seq, row)
        self._tell(job, 0, over=True)

    def _tell(self, job: _Job, left: int, *, over: bool = False, trouble: str = "") -> None:
        now = time.monotonic()
        first = job.fresh and len(job.fresh) == len(job.hits)
        if not over and not first and now - job.told_at < TELL:
            return
        floor = job.floor
        hits = {seq: row for seq, row in job.fresh.items() if seq >= floor}
        job.fresh, job.told_at = {}, now
        found = Found(hits, left, over, floor > 0, trouble)
        self._deliver(lambda: job.told(found) if self._job is job else None)


def drawn(entry: Logged, words: Sequence[str]) -> logline.Row | None:
    """The line of an entry when it holds every word, else None."""
    about, text, _ = logline.sentence(entry.fact)
    said = f"{about} {text}"
    if said.isascii() and not any(char.isdigit() for word in words for char in word):  # no word of the clock
        said = said.casefold()
        if not all(word in said for word in words):
            return None
    row = logline.row(entry)
    whole = " ".join(part[0] for part in row).casefold()
    return row if all(word in whole for word in words) else None


class Forwards:
    """A `Search` over entries that are read by position, where there is no better way through the log."""

    def __init__(self, events: Callable[[int, int], Sequence[Logged]]) -> None:
        self._events = events

    def before(self, seq: int, count: int, texts: Sequence[str] = ()) -> tuple[Sequence[Logged], int]:
        """It skips nothing: every entry is looked at anyway."""
        first = max(1, seq - count)
        return tuple(reversed(self._events(first, seq - first))), first if first > 1 else 0

    def costs(self, since: int) -> tuple[dict[str, float], int]:
        """As in `Search`, an entry at a time."""
        spent: dict[str, float] = {}
        while page := self._events(since + 1, PAGE):
            for entry in page:
                if isinstance(entry.fact, TurnEnded | Exited) and entry.fact.usage and entry.fact.usage.cost_usd:
                    spent[entry.fact.session] = spent.get(entry.fact.session, 0.0) + entry.fact.usage.cost_usd
            since = page[-1].seq
        return spent, since
