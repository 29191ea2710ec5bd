"""What the screen remembers between two starts (theme, split, what is archived), in one small JSON file.

It decides nothing, but comments that a person has not sent yet are in it: what is there is never replaced unread, and
what could not be written is said by whoever asks (`settle`).
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LIMIT = 4 * 1024 * 1024
"""Bytes; a larger file is not ours."""
PATIENCE = 10.0
"""Seconds to wait for another console that writes."""

Change = tuple[str, Callable[[Any], Any]]


class Remembered:
    """path: read at the first use. What changed is written by a thread of its own: a slow disk stalls no key. A change
    is made again on what the file holds then, under a lock: two consoles take nothing from each other. What could not
    be written stays known here, and is tried again with the next change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] | None = None
        self._pending: list[Change] = []
        self._writing = False
        self._why = ""
        self._guard = threading.Condition()

    def get(self, name: str, default: Any = None) -> Any:
        """The value set last; `default` when there is none, or one of another type than `default` (unless None)."""
        with self._guard:
            found = self._here().get(name, default)
        fits = default is None or isinstance(found, type(default))
        return found if fits else default

    def set(self, name: str, value: Any) -> None:
        """value: anything that JSON holds."""
        self.amend(name, lambda _: value, whole=True)

    def amend(self, name: str, make: Callable[[Any], Any], *, whole: bool = False) -> None:
        """make: the new value of the one that is there (None: there is none); called more than once, so it must come
        to the same when it is made twice. whole: what was to be made of it before does not matter."""
        with self._guard:
            self._here()[name] = make(self._here().get(name))
            before = [each for each in self._pending if not whole or each[0] != name]
            self._pending = [*before, (name, make)]
            if self._writing:
                return
            self._writing = True
        threading.Thread(target=self._write, name="remembering", daemon=True).start()

    def settled(self) -> bool:
        """Whether all that was set has been written, or given up."""
        with self._guard:
            return not self._writing

    def settle(self) -> str:
        """Wait until all is written: why it could not be, or "". Not for the screen's loop."""
        with self._guard:
            self._guard.wait_for(lambda: not self._writing)
            return self._why

    def refresh(self) -> None:
        """Read what other consoles wrote since. Not for the screen's loop."""
        self.settle()
        with suppress(OSError):
            found = _read(self._path)
            with self._guard:
                self._known = _with(found, self._pending)

    def _here(self) -> dict[str, Any]:
        if self._known is None:
            try:
                self._known = _read(self._path)
            except OSError:
                self._known = {}
        return self._known

    def _write(self) -> None:
        while True:
            with self._guard:
                changes = list(self._pending)
                if not changes:
                    return self._over("")
            try:
                with _alone(self._path):
                    found = _with(_readable(self._path), changes)
                    _replace(self._path, found)
            except (OSError, ValueError, TypeError) as error:
                with self._guard:
                    return self._over(getattr(error, "strerror", None) or str(error) or type(error).__name__)
            with self._guard:
                self._pending = [each for each in self._pending if each not in changes]
                self._known = _with(found, self._pending)

    def _over(self, why: str) -> None:
        self._writing, self._why = False, why
        self._guard.notify_all()


def _with(values: dict[str, Any], changes: Sequence[Change]) -> dict[str, Any]:
    values = dict(values)
    for name, make in changes:
        values[name] = make(values.get(name))
    return values


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other console changes it meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise OSError("another console does not let go of it") from None
                time.sleep(0.005)
        yield
    finally:
        os.close(handle)


def _readable(path: Path) -> dict[str, Any]:
    """What it holds, for somebody who will replace it: one that cannot be understood is kept beside it, under a name of
    its own. OSError: what it holds is not known, and must not be replaced."""
    known = _understood(path)
    if known is None:
        os.replace(path, path.with_name(f"{path.name}.broken-{time.time_ns()}"))
    return known or {}


def _read(path: Path) -> dict[str, Any]:
    return _understood(path) or {}


def _understood(path: Path) -> dict[str, Any] | None:
    """None: somebody else wrote this, or it is damaged."""
    try:
        with path.open("rb") as file:
            raw = file.read(LIMIT + 1)
        known = json.loads(raw) if len(raw) <= LIMIT else None
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None


def _replace(path: Path, values: dict[str, Any]) -> None:
    """Whole or not at all, whenever the power goes."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False)
    handle, name = tempfile.mkstemp(prefix=".screen-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
