"""What the screen remembers between two starts (theme, split, what is archived), in one small JSON file.

It is convenience, never truth: a file that cannot be read or written means that something is forgotten, no more.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

LIMIT = 1024 * 1024
"""Bytes; a larger file is not ours."""


class Remembered:
    """path: read at the first use. A value that changed is written by a thread of its own: a slow disk stalls no key;
    only the names that were set here are replaced, so that two consoles do not forget for each other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] | None = None
        self._pending: dict[str, Any] = {}
        self._writing = False
        self._guard = threading.Lock()

    def get(self, name: str, default: Any = None) -> Any:
        """The value set last; `default` when there is none, or one of another type than `default` (unless None)."""
        with self._guard:
            if self._known is None:
                self._known = _read(self._path)
            found = self._known.get(name, default)
        fits = default is None or isinstance(found, type(default))
        return found if fits else default

    def set(self, name: str, value: Any) -> None:
        """value: anything that JSON holds."""
        with self._guard:
            if self._known is None:
                self._known = _read(self._path)
            self._known[name] = self._pending[name] = value
            if self._writing:
                return
            self._writing = True
        threading.Thread(target=self._write, name="remembering", daemon=True).start()

    def settled(self) -> bool:
        """Whether all that was set has been written, or given up."""
        with self._guard:
            return not self._writing

    def _write(self) -> None:
        while changed := self._taken():
            with suppress(OSError, ValueError, TypeError):
                _replace(self._path, {**_read(self._path), **changed})

    def _taken(self) -> dict[str, Any]:
        with self._guard:
            taken, self._pending = self._pending, {}
            self._writing = bool(taken)
            return taken


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            raw = file.read(LIMIT + 1)
        known = json.loads(raw) if len(raw) <= LIMIT else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


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
