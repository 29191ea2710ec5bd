"""What came to a supervisor with the death of a shim although nobody had ever seen it below that shim.

It cannot be told from anybody else's, so it is never signalled (DESIGN.md, ruling 21); it is named and waited for, and
as long as any of it may be there the shim's run is not over.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from console.adapters import proctree, shim
from console.core.records import Leftover

LOOKS = 3
"""In a row that must find nothing: a process that lives only until it has a successor is easily looked past."""
NAMED = 5

Pass = Callable[[], dict[int, shim.Proc]]
"""One pass for the children of ours that came by adoption and were never seen below a shim. OSError: could not look."""


class Newcomers:
    """before: who was there while the shim lived. since: the shim's start; what is older cannot be of it.
    live: those of the last look."""

    def __init__(self, adopted: Pass, before: proctree.Pins, since: int) -> None:
        self._adopted = adopted
        self._before, self._since = before, since
        self._dead: proctree.Pins = {}
        self.live: proctree.Pins = {}

    def look(self) -> bool:
        """Whether any is alive, or has died since the last look. OSError when we could not look."""
        fresh = {pid: p for pid, p in self._adopted().items() if p.start >= self._since and not self._known(pid, p)}
        self.live = {pid: proc.start for pid, proc in fresh.items() if not proc.dead}
        dead = {pid: proc.start for pid, proc in fresh.items() if proc.dead}
        moved = any(self._dead.get(pid) != start for pid, start in dead.items())
        self._dead = dead
        return bool(self.live) or moved

    def _known(self, pid: int, proc: shim.Proc) -> bool:
        return self._before.get(pid) == proc.start

    def there(self) -> bool:
        """Whether any may be; yes when we could not look. A chain of short lives shows by its dead."""
        try:
            return any(self.look() for _ in range(LOOKS))
        except OSError:
            return True

    def described(self) -> tuple[Leftover, ...]:
        with contextlib.suppress(OSError):
            return proctree.described(shim.proc_table(), list(self.live))
        return ()

    def words(self) -> str:
        """Who they are and what to do, for a reason."""
        found = list(self.live)
        if not found:
            return "what it left is not known: processes come and go, or /proc could not be read"
        shown = "; ".join(f"{pid} ({shim.command_line(pid)[:80]}{_where(pid)})" for pid in found[:NAMED])
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        end = "kill " + " ".join(map(str, found[:NAMED]))
        return f"it left processes that were never seen below it and so are not signalled: {shown}{more}; cure: `{end}`"


def _where(pid: int) -> str:
    try:
        return f", in {os.readlink(f'/proc/{pid}/cwd')}"
    except OSError:
        return ""
