"""One name in the tickets folder -> what its file says. A name may be anything an agent can make: a link, a pipe, a
device, a file that changes while it is read."""

from __future__ import annotations

import errno
import os
import stat

from console.adapters.tickets import frontmatter
from console.adapters.tickets.ids import ticket_id
from console.adapters.tickets.parsing import SIZE, Parsed, decoded, parse, problem, stem
from console.adapters.tickets.texts import Texts
from console.core.records import Record, TicketSpec

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Entry(Record, frozen=True, kw_only=True):
    """A file as it was at `stamp`. ticket: its id, for one with problems the id that its name stands for. spec None:
    no ticket. trouble: it could not be read just now, which says nothing about the ticket; of a file that has vanished
    since it was listed the next look tells."""

    file: str
    stamp: str
    ticket: str = ""
    digest: str = ""
    spec: TicketSpec | None = None
    id_line: int = 1
    needs_line: int = 1
    problems: tuple[str, ...] = ()
    trouble: bool = False


def stamp(seen: os.stat_result) -> str:
    """Differs whenever the file was written, replaced, moved or changed its rights."""
    return f"{seen.st_mtime_ns}:{seen.st_ctime_ns}:{seen.st_size}:{seen.st_ino}"


def is_ticket_name(name: str) -> bool:
    return name.lower().endswith(".md") and not name.startswith(".")


def read_entry(folder: int, name: str, seen: os.stat_result, texts: Texts) -> tuple[Entry, str]:
    """(what the file `name` in the open folder says, its body). Its bytes are kept before this returns a ticket."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return _broken(name, stamp(seen), "has a name that is not UTF-8; rename it"), ""
    if not stat.S_ISREG(seen.st_mode):
        return _broken(name, stamp(seen), f"is {_kind(seen.st_mode)}, which is never read; put a plain file there"), ""
    try:
        fd = os.open(name, FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return Entry(file=name, stamp=stamp(seen), ticket=ticket_id(stem(name)), trouble=True), ""
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            return _broken(name, stamp(seen), "is no plain file; put one there"), ""
        return _troubled(name, stamp(seen), f"cannot be read: {error.strerror}; look at its rights"), ""
    try:
        return _read_open(fd, name, texts)
    except OSError as error:
        return _troubled(name, stamp(seen), f"cannot be read and kept: {error.strerror}; look at the disk"), ""
    finally:
        os.close(fd)


def _read_open(fd: int, name: str, texts: Texts) -> tuple[Entry, str]:
    seen = os.fstat(fd)  # before the bytes: what is written later makes another stamp
    now = stamp(seen)
    if not stat.S_ISREG(seen.st_mode):
        return _broken(name, now, f"is {_kind(seen.st_mode)}, which is never read; put a plain file there"), ""
    raw = _bytes(fd)
    if name.lower() == "readme.md" and not _has_front_matter(raw):
        return Entry(file=name, stamp=now), ""
    parsed = parse(raw, name)
    if isinstance(parsed, list):
        return Entry(file=name, stamp=now, ticket=ticket_id(stem(name)), problems=tuple(parsed)), ""
    return _ticket(name, now, texts.keep(raw), parsed), parsed.body


def _ticket(name: str, now: str, digest: str, parsed: Parsed) -> Entry:
    return Entry(
        file=name,
        stamp=now,
        ticket=parsed.ticket,
        digest=digest,
        spec=parsed.spec,
        id_line=parsed.lines.get("id", 1),
        needs_line=parsed.lines.get("depends_on", 1),
    )


def _bytes(fd: int) -> bytes:
    """The whole file, or one byte more than a ticket may have."""
    parts: list[bytes] = []
    left = SIZE + 1
    while left and (part := os.read(fd, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _has_front_matter(raw: bytes) -> bool:
    text = decoded(raw)
    return isinstance(text, str) and frontmatter.split(text).front is not None


def _broken(name: str, now: str, what: str) -> Entry:
    return Entry(file=name, stamp=now, ticket=ticket_id(stem(name)), problems=(problem(name, 1, what),))


def _troubled(name: str, now: str, what: str) -> Entry:
    return Entry(file=name, stamp=now, ticket=ticket_id(stem(name)), problems=(problem(name, 1, what),), trouble=True)


def _kind(mode: int) -> str:
    kinds = {stat.S_IFLNK: "a symbolic link", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe"}
    return kinds.get(stat.S_IFMT(mode), "a device or socket")
