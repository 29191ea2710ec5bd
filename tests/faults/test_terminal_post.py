"""The supervisor's post, with a real lock and no screen: one of many takes it, failures wait longer and longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console.adapters.lock import Lock, is_taken
from console.engine import hosting
from console.engine.hosting import Post

until_ = 10.0


class Held:
    """Stands for a hosted supervisor: alive until told, then its lock is free."""

    def __init__(self, lock: Lock, fails: BaseException | None = None) -> None:
        self._lock, self._fails = lock, fails
        self.failed: BaseException | None = None
        self.alive = False

    def start(self) -> None:
        self.alive = self._fails is None
        if self._fails:
            self.end(self._fails)

    def end(self, failed: BaseException | None = None) -> None:
        self.failed, self.alive = failed, False
        self._lock.release()


class Room:
    """Posts that share one lock file, as consoles on one workspace do."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self.posts: list[Post] = []
        self.made: list[Held] = []
        self.told: list[tuple[str, float]] = []
        self.orphaned = threading.Event()

    def post(self, failing: Callable[[], BaseException | None] = lambda: None) -> Post:
        lock = Lock(self.path)

        def make() -> Any:
            self.made.append(Held(lock, failing()))
            return self.made[-1]

        post = Post(
            take=lock.take,
            make=make,
            release=lock.release,
            taken=lambda: is_taken(self.path),
            orphaned=self.orphaned.is_set,
            failed_here=lambda error, wait: self.told.append((str(error), wait)),
        )
        self.posts.append(post)
        post.open()
        return post

    def until(self, look: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + until_
        while not look():
            assert time.monotonic() < deadline, what
            time.sleep(0.005)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(hosting, "LOOK", 0.02)
    monkeypatch.setattr(hosting, "WAITS", (0.05, 0.1, 0.2))
    made = Room(tmp_path)
    yield made
    for post in made.posts:
        post.close()


@pytest.mark.row("B4")
def test_of_many_consoles_exactly_one_takes_over(room: Room) -> None:
    posts = [room.post() for _ in range(6)]
    assert [post.alive for post in posts] == [True, *[False] * 5]
    room.orphaned.set()
    for round_ in range(1, 6):
        room.made[-1].end(RuntimeError("died"))
        room.until(lambda seen=round_: len(room.made) == seen + 1, "another one")
        room.until(lambda: any(post.alive for post in posts), "it is up")
        assert sum(post.alive for post in posts) == 1


def test_a_supervisor_that_was_told_to_stop_is_not_replaced(room: Room) -> None:
    looks: list[int] = []
    room.orphaned.is_set = lambda: looks.append(1) is not None  # type: ignore[method-assign, func-returns-value]
    first, second = room.post(), room.post()
    room.made[0].end()
    room.until(lambda: len(looks) > 6, "looks of both")
    assert not first.alive and not second.alive and len(room.made) == 1 and first.failed is None


@pytest.mark.row("B4")
def test_failures_in_a_row_wait_longer_and_are_told(room: Room) -> None:
    left = [RuntimeError("one"), RuntimeError("two"), RuntimeError("three")]
    post = room.post(lambda: left.pop(0) if left else None)
    room.until(lambda: str(post.failed) == "one", "what failed")
    room.until(lambda: post.alive, "a supervisor in the end")
    assert room.told == [("one", 0.05), ("two", 0.1), ("three", 0.2)] and post.failed is None


def test_a_failure_is_no_news_once_somebody_else_supervises(room: Room) -> None:
    left = [RuntimeError("one")]
    post = room.post(lambda: left.pop(0) if left else None)
    other = Lock(room.path)
    room.until(lambda: other.take() or post.alive, "the lock")
    room.until(lambda: post.failed is None, "no failure any more")
    other.release()


def test_a_closed_post_takes_nothing(room: Room) -> None:
    first, second = room.post(), room.post()
    second.close()
    room.orphaned.set()
    first.close()
    room.made[0].end(RuntimeError("died"))
    assert not is_taken(room.path) and len(room.made) == 1
