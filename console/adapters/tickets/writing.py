"""A new ticket file: complete from the moment it has its name, and never over another one."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from pathlib import Path

from console.adapters.tickets import frontmatter
from console.adapters.tickets.ids import shortened, ticket_id
from console.adapters.tickets.parsing import decoded, problem
from console.core.records import Refused

NAME_BYTES = 60
"""Of a name made from a title, so that a number still fits."""
TRIES = 10_000


def slug(title: str) -> str:
    """A file's stem, and so an id, made from a title."""
    whole = ticket_id(title.casefold())
    return shortened(whole, title, NAME_BYTES)


def with_keys(raw: bytes, keys: dict[str, str], file: str) -> bytes | list[str]:
    """`raw` with these front-matter keys, which it must not have yet. What it has stays as it is."""
    text = decoded(raw)
    if isinstance(text, list):
        return [problem(file, line, what) for line, what in text]
    if not keys:
        return raw
    parts = frontmatter.split(text)
    there, _ = frontmatter.read(parts.front) if parts.front is not None else ({}, [])
    if twice := [
        problem(file, there[key][0], f"has a `{key}` of its own; take it out, or leave --{key} out")
        for key in keys
        if key in there
    ]:
        return twice
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in keys.items())
    if parts.front is None:
        return f"{frontmatter.MARK}\n{lines}{frontmatter.MARK}\n\n{text}".encode()
    first, _, rest = text.partition("\n")
    return f"{first}\n{lines}{rest}".encode()


def write_new(folder: Path, raw: bytes, name: str, taken: frozenset[str] = frozenset()) -> str | Refused:
    """The new file's name in `folder` (made when it is not there): `<name>.md`, or with a number when that is there or
    in `taken` (stems, compared as they are). Safe with any number of others at the same moment."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        return Refused(reason=f"cannot use the tickets folder {folder}: {error.strerror}")
    try:
        return _written(fd, raw, name, taken)
    except OSError as error:
        return Refused(reason=f"cannot write a ticket into {folder}: {error.strerror}")
    finally:
        os.close(fd)


def _written(fd: int, raw: bytes, name: str, taken: frozenset[str]) -> str | Refused:
    made = f".{secrets.token_hex(8)}.tmp"
    _create(fd, made, raw)
    try:
        for number in range(1, TRIES):
            stem = name if number == 1 else f"{name}-{number}"
            if stem not in taken and _named(fd, made, f"{stem}.md", raw):
                os.fsync(fd)
                return f"{stem}.md"
    finally:
        with contextlib.suppress(OSError):
            os.unlink(made, dir_fd=fd)
    return Refused(reason=f"there are {TRIES} tickets named {name!r} already; give this one another title")


def _create(fd: int, name: str, raw: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, 0o666, dir_fd=fd), "wb") as out:
        out.write(raw)
        out.flush()
        os.fsync(out.fileno())


def _named(fd: int, made: str, name: str, raw: bytes) -> bool:
    """False when the name is taken. A file system without hard links gets the file under its name at once."""
    try:
        os.link(made, name, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError:
        try:
            _create(fd, name, raw)
        except FileExistsError:
            return False
    return True
