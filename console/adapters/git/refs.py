"""HEAD and refs of a git dir read as files: no process, no configuration, no replace refs. Writes nothing.

The files backend only (loose refs and packed-refs); another one is refused when a workspace is found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from console.adapters.git.plainfiles import read_small

NAMED_AT_MOST = 200_000
PACKED_CAP = 256 << 20
_OID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OWN = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Tip:
    """Where a HEAD stands: the final full ref name ("" when detached) and the object id ("" when unborn)."""

    ref: str = ""
    oid: str = ""


@dataclass(frozen=True, slots=True)
class Refs:
    """All refs of a git dir. values: {full name: object id, "ref: <name>", "link: <target>" with " (<object id>)" when
    one is behind it, or "broken: ..." for a file that says neither}. locks: lock files in `refs`, as paths. cut: there
    were more than can be looked at."""

    values: dict[str, str] = field(default_factory=dict)
    locks: list[str] = field(default_factory=list)
    cut: bool = False


def head_of(common: str, git_dir: str) -> Tip | None:
    """The HEAD of one worktree's git dir; None when it cannot be understood."""
    return _follow(common, git_dir, "HEAD", "")


def _follow(common: str, git_dir: str, name: str, ref: str) -> Tip | None:
    for _ in range(_DEPTH):
        value = _value(common, git_dir, name)
        if value is None:
            return Tip(ref) if ref else None
        if not value.startswith("ref: "):
            return Tip(ref, value)
        name = ref = value[5:]
    return None


def _value(common: str, git_dir: str, name: str) -> str | None:
    """An object id or "ref: <name>"; None when there is no such ref or its file says neither."""
    place = git_dir if name == "HEAD" or name.startswith(_OWN) else common
    if value := _loose(os.path.join(place, name)):
        return value
    return packed(common).get(name) if name != "HEAD" else None


def _loose(path: str) -> str | None:
    target = link_of(path)
    if target.startswith("refs/"):
        return f"ref: {target}" if _sound(target) else None
    content = read_small(path, 4096)
    if content is None:
        return None
    if content.startswith(b"ref:"):
        target = os.fsdecode(content[4:].strip())
        return f"ref: {target}" if _sound(target) else None
    found = _OID.match(content)
    return found[0].decode() if found else None


def _linked(path: str) -> str:
    """Where a link in the place of a ref leads, and the object id that git would take from there."""
    behind = _OID.match(read_small(path, 4096) or b"")
    return f"link: {link_of(path)}" + (f" ({behind[0].decode()})" if behind else "")


def link_of(path: str) -> str:
    """Where a symbolic link points, "" when there is none."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return ""


def _sound(name: str) -> bool:
    """False for a name that would lead out of the folder of refs."""
    return name.startswith("refs/") and "\0" not in name and ".." not in name.split("/")


def packed(common: str) -> dict[str, str]:
    """{full name: object id} of the packed refs."""
    content = read_small(os.path.join(common, "packed-refs"), PACKED_CAP) or b""
    found = {}
    for line in content.split(b"\n"):
        oid, _, name = line.partition(b" ")
        if name and _OID.fullmatch(oid):
            found[os.fsdecode(name)] = oid.decode()
    return found


def all_refs(common: str) -> Refs:
    """Every ref of the shared side, symbolic ones not followed."""
    found = Refs(values=packed(common))
    for count, (name, path, link) in enumerate(_loose_files(common)):
        if count == NAMED_AT_MOST:
            return Refs(found.values, found.locks, cut=True)
        if name.endswith(".lock"):
            found.locks.append(path)
        elif link:
            found.values[name] = _linked(path)
        else:
            found.values[name] = _loose(path) or "broken: no ref can be read from it"
    return found


def _loose_files(common: str) -> Iterator[tuple[str, str, bool]]:
    """(ref name, path, is a symbolic link) of everything in `refs` that is no real folder."""
    todo = ["refs"]
    while todo:
        folder = todo.pop()
        try:
            entries = list(os.scandir(os.path.join(common, folder)))
        except OSError:
            continue
        for entry in entries:
            name = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                todo.append(name)
            else:
                yield name, entry.path, entry.is_symlink()
