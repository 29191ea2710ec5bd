"""The search in the log: newest first, cancelled by the next word, grows with the log; and the file's part in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from console.adapters.logsearch import Backwards
from console.adapters.store import Log, LogError
from console.core import events as ev
from console.core.records import Usage
from console.tui.costs import Costs
from console.tui.logsearch import LIMIT, Forwards, Found, LogSearch


def entry(seq: int, text: str) -> ev.Logged:
    return ev.Logged(seq=seq, at=1_750_000_000.0 + seq, fact=ev.SupervisorTrouble(effect=text, error="no", tries=0))


def filled(path: Path, texts: list[str]) -> Log:
    log = Log(path)
    with log.transaction():
        log.append([entry(seq, text) for seq, text in enumerate(texts, 1)])
    return log


class Seen:
    def __init__(self) -> None:
        self.found: list[Found] = []

    def __call__(self, found: Found) -> None:
        self.found.append(found)

    @property
    def hits(self) -> list[int]:
        return sorted({seq for found in self.found for seq in found.hits}, reverse=True)

    @property
    def over(self) -> bool:
        return bool(self.found) and self.found[-1].over


def soon(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 8
    while not holds():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


def test_hits_come_by_text_and_by_the_words_of_a_sentence_and_new_entries_follow(tmp_path: Path) -> None:
    log = filled(tmp_path / "log.db", ["alpha", "beta", "Alpha two", "gamma"] * 300)
    search = LogSearch(lambda: Backwards(tmp_path / "log.db"), lambda call: call())
    seen, words = Seen(), Seen()
    search.look(("alpha", "two"), 1200, seen)
    soon(lambda: seen.over)
    assert seen.hits == list(range(1199, 0, -4))
    search.look(("itself", "gamma"), 1200, words)  # "nightdesk itself failed at": of the sentence, in no entry
    soon(lambda: words.over)
    assert words.hits == list(range(1200, 0, -4))
    with log.transaction():
        log.append([entry(1201, "gamma"), entry(1202, "alpha two")])
    search.grown(1202)
    soon(lambda: 1201 in words.hits)
    assert 1202 not in words.hits and 1202 not in seen.hits, "the former search is over"


def test_the_next_word_cancels_the_search_and_nothing_of_it_is_told_any_more() -> None:
    events = [entry(seq, f"word {seq}") for seq in range(1, 20_001)]
    begun, go = threading.Event(), threading.Event()

    class Slow(Forwards):
        def before(self, seq: int, count: int, texts: Sequence[str] = ()) -> tuple[Sequence[ev.Logged], int]:
            begun.set()
            assert go.wait(8)
            return super().before(seq, count)

    search = LogSearch(lambda: Slow(lambda first, count: events[first - 1 : first - 1 + count]), lambda call: call())
    first, second = Seen(), Seen()
    search.look(("word",), len(events), first)
    assert begun.wait(8)
    search.look(("19999",), len(events), second)
    go.set()
    soon(lambda: second.over)
    assert second.hits == [19999] and not first.found


def test_of_too_many_hits_the_newest_are_listed() -> None:
    events = [entry(seq, "same") for seq in range(1, 3 * LIMIT)]
    seen = Seen()
    opened = lambda: Forwards(lambda first, count: events[first - 1 : first - 1 + count])  # noqa: E731
    LogSearch(opened, lambda call: call()).look(("same",), len(events), seen)
    soon(lambda: seen.over)
    assert seen.hits[:LIMIT] == list(range(len(events), len(events) - LIMIT, -1)) and seen.found[-1].full


def test_a_log_that_cannot_be_read_is_said_and_the_next_search_opens_it_again(tmp_path: Path) -> None:
    search, seen, again = LogSearch(lambda: Backwards(tmp_path / "log.db"), lambda call: call()), Seen(), Seen()
    search.look(("x",), 1, seen)
    soon(lambda: seen.over)
    assert "cannot be" in seen.found[-1].trouble
    filled(tmp_path / "log.db", ["x"])
    search.look(("x",), 1, again)
    soon(lambda: again.over)
    assert again.hits == [1]


def test_the_way_back_through_the_file_cannot_write_and_takes_signs_of_patterns_as_they_are(tmp_path: Path) -> None:
    filled(tmp_path / "log.db", ["100% of it", "100 of it", "a_b", "axb"])
    back = Backwards(tmp_path / "log.db")
    assert [e.seq for e in back.before(5, 10)[0]] == [4, 3, 2, 1] and back.before(5, 2)[1] == 3
    assert [e.seq for e in back.before(5, 9, ["100% OF"])[0]] == [1]
    assert [e.seq for e in back.before(5, 9, ["a_b"])[0]] == [3]
    with pytest.raises(Exception, match="readonly"):
        back._db.execute("DELETE FROM events")
    with pytest.raises(LogError, match="cannot be opened"):
        Backwards(tmp_path / "none.db")


def test_costs_are_added_up_by_session_and_looked_at_again_only_after_a_while(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.db")
    ends = [
        ev.TurnEnded(session="s-1", turn=turn, ok=True, stop="end_turn", head="b" * 40, usage=Usage(cost_usd=0.5))
        for turn in (1, 2)
    ]
    with log.transaction():
        log.append([ev.Logged(seq=seq, at=1.0, fact=fact) for seq, fact in enumerate(ends, 1)])
    asked: list[object] = []

    def aside(what: Callable[[], Any], done: Callable[[Any], None]) -> None:
        asked.append(what)
        done(what())

    costs = Costs(lambda: Backwards(tmp_path / "log.db"), aside)
    costs.look(2, 100.0)
    assert (costs.of("s-1"), costs.of("s-2"), costs.known) == ("1.00 $", "", True)
    costs.look(2, 200.0)
    assert len(asked) == 1, "nothing new"
    listed = [ev.Logged(seq=seq, at=1.0, fact=fact) for seq, fact in enumerate(ends, 1)]
    assert Forwards(lambda first, count: listed[first - 1 : first - 1 + count]).costs(0) == ({"s-1": 1.0}, 2)
