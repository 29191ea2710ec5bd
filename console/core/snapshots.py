"""The snapshots that a session remembers: files before each turn, and before each rollback. Knows nothing of git."""

from __future__ import annotations

from console.core import events as ev
from console.core.records import Record

REMEMBERED = 20
"""Of a session's snapshots, so many of the newest are remembered."""


class Kept(Record, frozen=True, kw_only=True):
    """A snapshot of the worktree. turn: the turn it was taken before; 0: before a rollback, which it can undo.
    uncovered: what a rollback to it cannot bring back."""

    snapshot: str
    turn: int
    at: float
    uncovered: tuple[str, ...] = ()


def taken(kept: tuple[Kept, ...], fact: ev.SnapshotTaken, at: float) -> tuple[Kept, ...]:
    return _with(kept, Kept(snapshot=fact.snapshot, turn=fact.turn, at=at, uncovered=fact.uncovered))


def before_rollback(kept: tuple[Kept, ...], fact: ev.RolledBack, at: float) -> tuple[Kept, ...]:
    return _with(kept, Kept(snapshot=fact.undo, turn=0, at=at)) if fact.undo else kept


def _with(kept: tuple[Kept, ...], one: Kept) -> tuple[Kept, ...]:
    return (*(other for other in kept if other.snapshot != one.snapshot), one)[-REMEMBERED:]


def sentence(fact: ev.RolledBack) -> str:
    """What a rollback did, for a person."""
    if fact.refused:
        return f"not rolled back: {fact.refused}"
    left = f"; still different: {', '.join(fact.left)}" if fact.left else ""
    undo = f"; {fact.undo[:10]} undoes it" if fact.undo else ""
    return f"rolled back to {fact.snapshot[:10]}, {fact.count} path(s){left}{undo}"


def find(kept: tuple[Kept, ...], name: str) -> Kept | None:
    """By id or its first 7 or more digits; "" is the one before the latest turn."""
    if not name:
        return next((one for one in reversed(kept) if one.turn), None)
    found = [one for one in kept if len(name) >= 7 and one.snapshot.startswith(name.lower())]
    return found[0] if len(found) == 1 else None
