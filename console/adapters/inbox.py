"""What a session's agent can ask for although our state is read-only for it: small files in a folder of its own.

The folder is the agent's to write, so everything in it is hostile: nothing is followed, little is read, and all that it
can lead to is a parked ticket.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

import msgspec

from console.core.records import Record

SIZE = 32 * 1024
MOST = 20
OPTIONS = 9
HEARTBEAT = "heartbeat"
BEAT_SIZE = 64


class ParkNote(Record, frozen=True, kw_only=True):
    """A request to park the session's ticket."""

    ticket: str
    question: str
    options: tuple[str, ...] = ()
    foundational: bool = False


def leave(folder: Path, note: ParkNote) -> None:
    """Put a note there, whole or not at all. Raises OSError, also when so many lie there that it would not be read."""
    if len(_names(folder)) >= MOST:
        raise OSError(errno.ENOSPC, f"{MOST} notes or more lie there already")
    temporary = folder / f".{secrets.token_hex(8)}"
    temporary.write_bytes(msgspec.json.encode(note))
    os.replace(temporary, folder / f"{secrets.token_hex(8)}.json")


def read(folder: Path) -> tuple[ParkNote, ...]:
    """Every note that makes sense, at most 20; what makes none is passed over."""
    try:
        names = _names(folder)
    except OSError:
        return ()
    notes = (_note(folder / name) for name in names[:MOST])
    return tuple(note for note in notes if note)


def _names(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))


def _note(path: Path) -> ParkNote | None:
    raw = _content(path, SIZE + 1)
    try:
        note = msgspec.json.decode(raw, type=ParkNote) if raw and len(raw) <= SIZE else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if note is None or not note.question.strip():
        return None
    return ParkNote(
        ticket=note.ticket,
        question=note.question[:4000],
        options=tuple(text[:1000] for text in note.options[:OPTIONS]),
        foundational=note.foundational,
    )


def beat(folder: Path) -> None:
    """Leave a sign of life: a count that is one higher than the last. Raises OSError; makes the folder if need be."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    said = heartbeat(folder)
    count = int(said) if said.isascii() and said.isdigit() else 0
    temporary = folder / f".{secrets.token_hex(8)}"
    temporary.write_text(str((count + 1) % 10**18), encoding="ascii")
    try:
        os.replace(temporary, folder / HEARTBEAT)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def heartbeat(folder: Path) -> str:
    """What stands there as a sign of life, at most 64 bytes of a plain file; "" for none. It decides nothing but by
    being another text than before."""
    return _content(folder / HEARTBEAT, BEAT_SIZE).decode("utf-8", "replace")


def _content(path: Path, most: int) -> bytes:
    """The first bytes of a plain file; nothing of anything else that an agent may have put there."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, most) if stat.S_ISREG(os.fstat(fd).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(fd)
