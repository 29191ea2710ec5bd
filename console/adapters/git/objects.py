"""Git objects as bytes: naming, writing loose, reading back with the name proved, moving between stores.

Nothing here trusts an object because of its name: a planted one under the right name must be noticed.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from console.adapters.git.binary import GitFailed
from console.adapters.git.shadow import EMPTY_TREE, Repository, View

LINK = "120000"
GITLINK = "160000"
TREE = "040000"


class Entry(NamedTuple):
    """What a tree or an index holds at one path: mode of six octal digits and object id."""

    mode: str
    oid: str


ABSENT = Entry("000000", "")


class Change(NamedTuple):
    """One row of a tree comparison; path as bytes."""

    path: bytes
    old: Entry
    new: Entry


def object_id(kind: str, body: bytes) -> str:
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(body)) + body, usedforsecurity=False).hexdigest()


def write_blob(store: Path, body: bytes) -> str:
    """Write a loose blob and return its id. The store is private and without alternates, so nothing that stands
    elsewhere under the same name can keep these bytes from being written."""
    oid = object_id("blob", body)
    folder = store / oid[:2]
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f"new-{oid[2:]}"
    temporary.write_bytes(zlib.compress(b"blob %d\0" % len(body) + body, 1))
    os.replace(temporary, folder / oid[2:])
    return oid


def read_proved(cat_file: Callable[[bytes], bytes], oids: Iterable[str]) -> dict[str, tuple[str, bytes]]:
    """Read objects as {id: (kind, body)} and hash each anew.

    cat_file: takes the input of `cat-file --batch`, returns its output. Raises GitFailed when one is missing or its
    bytes do not have its name.
    """
    wanted = list(dict.fromkeys(oids))
    if not wanted:
        return {}
    output = cat_file("".join(f"{oid}\n" for oid in wanted).encode())
    found: dict[str, tuple[str, bytes]] = {}
    at = 0
    for oid in wanted:
        end = output.index(b"\n", at)
        head = output[at:end].split()
        if len(head) != 3:
            raise GitFailed(f"object {oid} is missing")
        kind, size = head[1].decode(), int(head[2])
        body = output[end + 1 : end + 1 + size]
        at = end + 2 + size
        if object_id(kind, body) != oid:
            raise GitFailed(f"object {oid} does not hold the bytes its name stands for: somebody planted it")
        found[oid] = (kind, body)
    return found


def proved_in(repo: Repository, view: View, oids: Iterable[str]) -> dict[str, tuple[str, bytes]]:
    return read_proved(lambda names: repo.out(view, "cat-file", "--batch", stdin=names), oids)


def proved_in_real(repo: Repository, oids: Iterable[str]) -> dict[str, tuple[str, bytes]]:
    return read_proved(lambda names: repo.real_out("cat-file", "--batch", stdin=names), oids)


def sizes_in(repo: Repository, view: View, oids: Iterable[str]) -> dict[str, int]:
    """{id: bytes}. Raises GitFailed when one is missing."""
    wanted = sorted(set(oids))
    if not wanted:
        return {}
    rows = repo.out(
        view, "cat-file", "--batch-check=%(objectsize)", stdin="".join(f"{oid}\n" for oid in wanted).encode()
    )
    try:
        return {oid: int(size) for oid, size in zip(wanted, rows.split(b"\n")[:-1], strict=True)}
    except ValueError as error:
        raise GitFailed("an object is missing") from error


def pack(repo: Repository, view: View, oids: Iterable[str]) -> bytes:
    """A self-contained pack of exactly these objects."""
    names = "".join(f"{oid}\n" for oid in oids).encode()
    return repo.out(view, "pack-objects", "--stdout", "-q", "--window=0", "--threads=1", stdin=names)


def tree_entries(repo: Repository, view: View, treeish: str) -> dict[bytes, Entry]:
    """Every file of a tree: {path bytes: Entry}. "" is the empty tree."""
    if not treeish:
        return {}
    entries: dict[bytes, Entry] = {}
    for row in repo.out(view, "ls-tree", "-r", "-z", "--full-tree", treeish).split(b"\0")[:-1]:
        head, _, path = row.partition(b"\t")
        mode, _, oid = head.decode().split(" ")
        entries[path] = Entry(mode, oid)
    return entries


def compare(repo: Repository, view: View, old: str, new: str, *, trees: bool = False) -> list[Change]:
    """The files (and with `trees` the folders) in which two trees differ; a rename is a deletion and an addition."""
    depth = ("-r", "-t") if trees else ("-r",)
    output = repo.out(view, "diff-tree", *depth, "-z", "--raw", "--no-renames", old or EMPTY_TREE, new or EMPTY_TREE)
    fields = output.split(b"\0")[:-1]
    changes = []
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_oid, new_oid, _ = head[1:].decode().split(" ")
        changes.append(Change(path, _entry(old_mode, old_oid), _entry(new_mode, new_oid)))
    return changes


def _entry(mode: str, oid: str) -> Entry:
    return ABSENT if mode == ABSENT.mode else Entry(mode, oid)
