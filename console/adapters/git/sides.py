"""One fingerprint with the means to read what it speaks of, and which git dir belongs to which worktree by it. Writes
nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from console.adapters.git.fingerprint import GONE, Print, refs_from
from console.adapters.git.gitconfig import Parsed, remotes_of
from console.adapters.git.items import Item

TREES = ("modules", "worktrees")
_OF_WORKTREE = re.compile(r"worktrees/([^/]+)/(commondir|gitdir|HEAD)")


@dataclass(frozen=True, slots=True)
class Side:
    """root: the main worktree; common: the shared git dir. content: bytes by digest, None when not kept."""

    seen: Print
    root: str
    common: str
    content: Callable[[str], bytes | None]
    parse: Callable[[bytes], Parsed]

    def body(self, label: str) -> bytes | None:
        item = self.seen.files.get(label)
        return self.content(item.digest) if item and item.kind in ("file", "link") else None

    def settings(self, label: str) -> Parsed:
        """A configuration file's meaning; one that git could not read at all is broken."""
        item = self.seen.files.get(label)
        if item is None:
            return Parsed()
        body = self.body(label)
        if body is not None:
            return self.parse(body)
        return Parsed(broken=f"it is {kind_of(item)}")

    def remotes(self) -> frozenset[str]:
        return frozenset(name for label in self.seen.configs for name in remotes_of(self.settings(label)))

    def refs(self) -> dict[str, str]:
        return refs_from(self.content(self.seen.refs) or b"")

    def flags(self, worktree: str) -> set[str]:
        """ "a path" (assume-unchanged) and "s path" (skip-worktree)."""
        text = self.content(self.seen.flags.get(worktree, "")) or b""
        return set(os.fsdecode(text).split("\0")) - {""}

    def pointers(self) -> dict[str, str]:
        """{id of a linked worktree: label of its `.git` file}, by what the shared side says."""
        found = {}
        for name in ids(self.seen, "worktrees"):
            dot_git = (self.body(f"worktrees/{name}/gitdir") or b"").removesuffix(b"\n")
            if dot_git and b"\0" not in dot_git:
                place = os.path.dirname(os.path.join(self.common, "worktrees", name, os.fsdecode(dot_git)))
                found[name] = os.path.join(os.path.realpath(place), ".git")
        return found


def text(name: str) -> str:
    """A name as it can be written down: bytes that are no UTF-8 escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def kind_of(item: Item | None) -> str:
    if item is None or item.kind == GONE:
        return ""
    if item.kind == "odd":
        return item.digest.rpartition(" ")[0]
    words = {"link": f"link to {item.target}", "file": f"file {item.digest[:10]}, mode {item.mode:o}"}
    return words.get(item.kind, {"unreadable": "unreadable", "large": "larger than 8 MiB"}.get(item.kind, "a folder"))


def ids(seen: Print, kind: str) -> set[str]:
    """The git dirs below `modules` or `worktrees`, by a file that each of them has."""
    name = "/config" if kind == "modules" else "/gitdir"
    found = (label[len(kind) + 1 : -len(name)] for label in seen.files if label.startswith(f"{kind}/"))
    return {one for one in found if f"{kind}/{one}{name}" in seen.files}


def is_new(label: str, old: Side, new: Side, kind: str) -> bool:
    """True for what belongs to a submodule or worktree that came or went."""
    fresh = ids(new.seen, kind) ^ ids(old.seen, kind)
    return any(label.startswith(f"{kind}/{one}/") for one in fresh)


def lost(old: Side, new: Side) -> dict[str, str]:
    """{id: label of the `.git` file} of worktrees that git no longer knows although their folder is there."""
    known = ids(new.seen, "worktrees")
    return {one: label for one, label in old.pointers().items() if one not in known and label in new.seen.files}


def headless(old: Side, new: Side) -> list[str]:
    """`commondir` files that a worktree which is new does not have, so that it is a repository of its own."""
    fresh = ids(new.seen, "worktrees") - ids(old.seen, "worktrees")
    return [label for one in sorted(fresh) if (label := f"worktrees/{one}/commondir") not in new.seen.files]


def expected(label: str, old: Side, new: Side) -> bool:
    """True for what belongs to a worktree or submodule that came or went as a whole, and is as git makes it."""
    name = os.path.basename(label)
    if is_new(label, old, new, "modules"):
        return name.endswith(".sample")
    if name == ".git" and os.path.isabs(label):
        before, after = old.seen.files.get(label), new.seen.files.get(label)
        return after is None or ((before is None or before.kind == GONE) and points_home(label, new))
    if not is_new(label, old, new, "worktrees"):
        return False
    return name != "commondir" or label not in new.seen.files or as_git_makes(label, new)


def points_home(label: str, side: Side) -> bool:
    """True for the `.git` file of a worktree or submodule when it names just that one."""
    item = side.seen.files.get(label)
    if item is None or item.kind != "file":
        return False
    body = (side.body(label) or b"").removeprefix(b"gitdir: ").strip()
    target = os.path.normpath(os.path.join(os.path.dirname(label), os.fsdecode(body)))
    homes = {f"{side.common}/worktrees/{one}" for one, place in side.pointers().items() if place == label}
    return target in homes | {f"{side.common}/modules/{one}" for one in ids(side.seen, "modules")}


def made_by_git(label: str, side: Side) -> bytes | None:
    """What git itself writes into a `commondir`, or into the `.git` file of a linked worktree; None for others."""
    found = _OF_WORKTREE.fullmatch(label)
    if found:
        return b"../..\n" if found[2] == "commondir" else None
    home = next((one for one, place in side.pointers().items() if place == label), "")
    return os.fsencode(f"gitdir: {side.common}/worktrees/{home}\n") if home else None


def as_git_makes(label: str, side: Side) -> bool:
    """True for a `commondir` or a `.git` file that says what git writes there."""
    item = side.seen.files.get(label)
    if item is None or item.kind != "file":
        return False
    return points_home(label, side) if os.path.isabs(label) else (side.body(label) or b"").strip() == b"../.."


def keeps_a_worktree(label: str) -> bool:
    """True for a file without which a linked worktree is none."""
    return _OF_WORKTREE.fullmatch(label) is not None
