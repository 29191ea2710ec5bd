"""Turns listed paths of a worktree into what a commit holds for them: blobs, pointers, submodule commits, deletions.

Reads the worktree once. What is stored differs from what is on disk only where trusted attributes say so, and then a
note says how. Everything that is wrong is said at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from console.adapters.git import lfs
from console.adapters.git.attributes import FILE, Attributes, Rules, attributes_of, odd_driver, refuse_driver
from console.adapters.git.binary import MIB, shown
from console.adapters.git.converting import OnDisk, converted, disk_id, may_convert
from console.adapters.git.indexes import skipped
from console.adapters.git.naming import path_problem
from console.adapters.git.objects import ABSENT, GITLINK, LINK, Entry, proved_in, write_blob
from console.adapters.git.reading import (
    LARGE_CAP,
    Content,
    Folder,
    FoundLarge,
    Missing,
    Streamed,
    Unfit,
    opened,
    read_with,
    streaming,
    whole,
)
from console.adapters.git.shadow import Repository, View
from console.adapters.git.submodules import checked_out, cure
from console.core.paths import bytes_of, text_of
from console.core.records import Refused

NOTES = 50
LARGE = MIB


@dataclass(frozen=True, slots=True)
class Gathered:
    """wanted: entries for the commit (ABSENT deletes). disk: {path: id of the bytes on disk} where those are others."""

    wanted: Mapping[bytes, Entry]
    disk: Mapping[bytes, str]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """What was read so far; problems complete "<path> ...". same: large files whose content the base has as it is."""

    attributes: Mapping[bytes, Attributes]
    contents: dict[bytes, Content] = field(default_factory=dict)
    streamed: dict[bytes, Streamed] = field(default_factory=dict)
    links: dict[bytes, str] = field(default_factory=dict)
    same: dict[bytes, Entry] = field(default_factory=dict)
    gone: list[bytes] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """Paths of a worktree, and what they are judged by: the base's files and rules. room: a private folder; more: where
    the base's objects are, besides the repository."""

    worktree: str
    git_dir: str
    paths: tuple[str, ...]
    files: Mapping[bytes, Entry]
    rules: Rules
    room: Path
    more: tuple[Path, ...] = ()


def gather(repo: Repository, asked: Asked) -> Gathered | Refused:
    """Store the content of the paths in `room`/objects, and what is for LFS in `room`/kept. Raises GitFailed."""
    sound = [bytes_of(path) for path in asked.paths if not path_problem(path)]
    found = _Reading(attributes_of(repo, asked.rules, sound))
    if refused := _read(repo, asked, found):
        return refused
    stored, disk = _stored(repo, asked, found)
    if found.problems:
        return _refusal(found.problems)
    wanted = {path: Entry(GITLINK, commit) for path, commit in found.links.items()}
    wanted |= {path: ABSENT for path in found.gone} | found.same
    objects = asked.room / "objects"
    objects.mkdir()
    wanted |= {path: Entry(mode, write_blob(objects, body)) for path, (mode, body) in stored.items()}
    _remark(asked, wanted, found)
    return Gathered(wanted, disk, listed_notes(found.notes))


def listed_notes(notes: list[str]) -> tuple[str, ...]:
    more = len(notes) - NOTES
    return (*notes[:NOTES], f"(and {more} more like these)") if more > 0 else tuple(notes)


def _refusal(problems: Mapping[str, str]) -> Refused:
    named = "; ".join(f"{shown(path) or 'a path'} {why}" for path, why in problems.items())
    return Refused(reason=f"nothing was frozen: {named}", paths=tuple(shown(path) for path in problems))


# -- what the worktree holds


def _read(repo: Repository, asked: Asked, found: _Reading) -> Refused | None:
    try:
        with opened(asked.worktree) as root:
            for path in dict.fromkeys(asked.paths):
                if why := path_problem(path):
                    found.problems[path] = why
                else:
                    _read_one(repo, asked, root, path, found)
    except OSError as error:
        return Refused(reason=f"the worktree {shown(asked.worktree)} cannot be opened: {error.strerror}")
    if found.gone and not found.problems and (hidden := set(found.gone) & skipped(repo, asked.git_dir)):
        for raw in hidden:
            found.problems[text_of(raw)] = _outside(raw)
    return None


def _outside(path: bytes) -> str:
    return (
        "is outside the sparse checkout and not on disk, so it was not deleted: take it off the list, or have it with "
        f"`git sparse-checkout add {shown(os.path.dirname(path) or path)}` first"
    )


def _read_one(repo: Repository, asked: Asked, root: int, path: str, found: _Reading) -> None:
    raw = bytes_of(path)
    base = asked.files.get(raw, ABSENT)
    in_lfs = found.attributes.get(raw, {}).get("filter") == "lfs"
    match _found(root, path, asked.room / "lfs" if in_lfs else None):
        case Content() as content:
            found.contents[raw] = content
        case Streamed() as streamed:
            found.streamed[raw] = streamed
        case Folder(nested) if base.mode == GITLINK:
            commit = checked_out(repo, asked.worktree, raw) if nested else base.oid
            if commit is None:
                found.problems[path] = cure(raw, True)
            else:
                found.links[raw] = commit
        case Folder(nested=True):
            found.problems[path] = cure(raw, False)
        case other:
            if why := _no_deletion(path, other, asked):
                found.problems[path] = why
            else:
                found.gone.append(raw)


def _found(root: int, path: str, large: Path | None) -> FoundLarge:
    """large: the folder for a file that is too large to hold; it is kept there under its sha256."""
    if large is None:
        return read_with(root, path, whole)
    large.mkdir(exist_ok=True)
    part = large / "part"
    with open(part, "wb") as file:
        found = read_with(root, path, streaming(file, LARGE_CAP))
    if isinstance(found, Streamed):
        os.replace(part, large / found.sha256)
    else:
        part.unlink()
    return found


def _no_deletion(path: str, found: FoundLarge, asked: Asked) -> str:
    """Why a path without content cannot be frozen as deleted ("" when it can)."""
    in_base = bytes_of(path) in asked.files
    match found:
        case Unfit(why):
            return why
        case Folder():
            if in_base and any(other.startswith(f"{path}/") for other in asked.paths):
                return ""
            return "is a directory: list its files"
        case Missing(behind, "link") if not (in_base and behind in asked.paths):
            link = shown(behind)
            return f"is behind the symbolic link {link}: list {link} itself, or the file by its path without the link"
        case _:
            return "" if in_base else "is neither on disk nor in the base commit"


# -- what git stores for it

Bodies = dict[bytes, tuple[str, bytes]]


def _stored(repo: Repository, asked: Asked, found: _Reading) -> tuple[Bodies, dict[bytes, str]]:
    """({path: (mode, stored bytes)}, {path: id on disk}); adds to the problems and notes of `found`."""
    stored: Bodies = {}
    disk: dict[bytes, str] = {}
    files: dict[bytes, OnDisk] = {}
    for path, content in found.contents.items():
        attributes = found.attributes.get(path, {})
        if content.mode == LINK or content.entry.oid == asked.files.get(path, ABSENT).oid:
            stored[path] = (content.mode, content.body)
        elif driver := odd_driver(attributes):
            found.problems[text_of(path)] = refuse_driver(driver, text_of(path))
        else:
            matters = may_convert(attributes, asked.rules.autocrlf, content.body)
            old = _old(repo, asked.more, asked.files.get(path, ABSENT)) if matters else None
            files[path] = OnDisk(attributes, content.body, old)
    for path, result in converted(repo, asked.rules, files).items():
        if isinstance(result, str):
            found.problems[text_of(path)] = result
            continue
        stored[path] = (found.contents[path].mode, result.body)
        if result.body != files[path].body:
            disk[path] = disk_id(files[path].body, result.body)
            found.notes.append(f"{shown(path)}: {result.how}")
    _pointers(repo, asked, found, stored, disk)
    return stored, disk


def _old(repo: Repository, more: tuple[Path, ...], entry: Entry) -> bytes | None:
    if not entry.mode.startswith("100"):
        return None
    return proved_in(repo, View(more=more), [entry.oid])[entry.oid][1]


def _pointers(repo: Repository, asked: Asked, found: _Reading, stored: Bodies, disk: dict[bytes, str]) -> None:
    """Replace what is kept in LFS by its pointer. A pointer on disk, and an empty file, are stored as they are."""
    why = lfs.unusual(repo) if found.streamed else ""
    for path, one in found.streamed.items():
        kept = asked.room / "lfs" / one.sha256
        if one.size == 0 or (one.size < lfs.POINTER_CAP and lfs.pointer_in(one.head)):
            stored[path] = (one.mode, one.head)
        elif one.oid == asked.files.get(path, ABSENT).oid:
            found.same[path] = one.entry
        elif why:
            found.problems[text_of(path)] = why
        else:
            pointer = lfs.Pointer(one.sha256, one.size)
            place = asked.room / "kept" / pointer.place
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                os.link(kept, place)
            stored[path] = (one.mode, pointer.body)
            disk[path] = one.oid
            found.notes.append(f"{shown(path)}: kept in LFS, {one.size} bytes")


# -- what a person should know


def _remark(asked: Asked, wanted: Mapping[bytes, Entry], found: _Reading) -> None:
    """Notes about what is unusual in what was read, as far as it changes anything."""
    changed = {path for path, entry in wanted.items() if asked.files.get(path, ABSENT) != entry}
    if any(path == FILE or path.endswith(b"/" + FILE) for path in changed):
        found.notes.append("a .gitattributes changes here: this plan is still stored by the rules of its base")
    for path in sorted(changed):
        name = shown(path)
        content = found.contents.get(path) or found.streamed.get(path)
        if isinstance(content, Content) and content.mode == LINK:
            if _leads_out(path, content.body):
                found.notes.append(f"{name}: a symbolic link out of the worktree, to {shown(content.body)}")
        elif content and content.links > 1:
            found.notes.append(f"{name}: has {content.links} names on disk (hard links), a change to one changes all")
        if isinstance(content, Content) and len(content.body) > LARGE:
            found.notes.append(f"{name}: {len(content.body) / MIB:.1f} MiB")
        if path in found.links:
            found.notes.append(
                f"{name}: submodule at {found.links[path][:10]}; push that commit too. What is not committed inside it "
                "is not in this plan"
            )


def _leads_out(path: bytes, target: bytes) -> bool:
    if target.startswith(b"/"):
        return True
    return os.path.normpath(os.path.join(os.path.dirname(path), target)).split(b"/")[0] == b".."
