"""Puts a git dir back to an earlier fingerprint, as far as each thing is still as it was seen; says what it did not.

Files whole, refs by compare-and-swap, index flags under git's own lock. Nothing is deleted, no worktree file touched.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.comparing import grave_files
from console.adapters.git.fingerprint import GONE, STASH_LOG
from console.adapters.git.gitconfig import differences
from console.adapters.git.items import Item, digest_of, item_at
from console.adapters.git.objects import pack
from console.adapters.git.refchanges import NO_REF, sound_head
from console.adapters.git.reflagging import reflag
from console.adapters.git.refs import packed
from console.adapters.git.relinking import relink
from console.adapters.git.replacing import CannotReplace, move_away, put
from console.adapters.git.shadow import NO_COMMIT, Repository, View
from console.adapters.git.shelf import Shelf
from console.adapters.git.sides import Side, keeps_a_worktree, lost, made_by_git, text
from console.core.records import Refused, RepoChange

_FLAGS = {"a": "assume-unchanged", "s": "skip-worktree"}
_WHO = {"GIT_COMMITTER_NAME": "nightdesk", "GIT_COMMITTER_EMAIL": "nightdesk@localhost"}
_FOLDERS = ("objects", "worktrees", "modules", "refs")
"""Without one of these, or a folder below `refs`, there is no repository: a link in its place stays."""


class Restoring:
    """One restore. old: what is wanted back; seen: what the operator was shown; now: what is there."""

    def __init__(self, repo: Repository, shelf: Shelf, old: Side, seen: Side, now: Side) -> None:
        self._repo = repo
        self._shelf = shelf
        self._old, self._seen, self._now = old, seen, now
        self._common = repo.workspace.common
        self._notes: list[str] = []
        self._failed: dict[tuple[str, ...], str] = {}
        self._moved: set[str] = set()
        self._rest: Path | None = None

    def run(self, refs: frozenset[str]) -> Refused | None:
        """Put back what can be; `notes` has what became of it. Raises OSError and GitFailed."""
        if self._old.seen.places.get(self._common) != self._now.seen.places.get(self._common):
            return Refused(
                reason=f"{shown(self._common)} is another folder than the one that is wanted back: nothing was "
                "touched; find out where the right one went and put it in its place"
            )
        missed = lost(self._old, self._seen)
        for name in sorted(missed):
            self._try(f"worktree {name} gone", partial(self._worktree, name, os.path.dirname(missed[name])))
        for label, items in grave_files(self._old, self._seen).items():
            if not any(label.startswith(f"worktrees/{name}/") for name in missed):
                self._try(items, partial(self._file, label))
        self._heads(refs)
        self._refs(refs)
        for folder in sorted(self._old.seen.flags.keys() & self._seen.seen.flags.keys()):
            rows = sorted(self._old.flags(folder) ^ self._seen.flags(folder))
            if rows:
                items = [f"index flag {_FLAGS[row[0]]} {row[2:]} ({folder})" for row in rows]
                self._try(items, partial(self._flags, folder))
        return None

    def notes(self, left: list[RepoChange]) -> tuple[str, ...]:
        """Everything that was or was not put back. left: what was to be put back and still differs."""
        said = {shown(text(item)) for items in self._failed for item in items}
        for items, why in self._failed.items():
            more = f" and {len(items) - 10} more" if len(items) > 10 else ""
            self._notes.append(f"not put back: {', '.join(shown(text(one)) for one in items[:10])}{more}: {why}")
        for one in left:
            if shown(one.item) not in said:
                why = one.cure or "it is not as it was: look at it yourself"
                still = "it is still there; " if one.severity == "lock" else ""
                self._notes.append(f"not put back: {shown(one.item)}: {still}{why}")
        return tuple(self._notes) or ("there was nothing left to put back",)

    def _room(self) -> Path:
        if self._rest is None:
            self._rest = self._shelf.room()
        return self._rest

    def _try(self, what: str | list[str], work: Callable[[], None]) -> None:
        items = (what,) if isinstance(what, str) else tuple(what)
        try:
            work()
        except CannotReplace as cannot:
            self._failed[items] = str(cannot)
        except GitFailed as failed:
            self._failed[items] = failed.reason
        except FileExistsError as error:
            self._failed[items] = f"{shown(str(error.filename))} is there; see who holds it"
        except OSError as error:
            self._failed[items] = error.strerror or "it cannot be written"

    # -- files

    def _file(self, label: str) -> None:
        old, seen, now = (side.seen.files.get(label) for side in (self._old, self._seen, self._now))
        if any(label.startswith(f"{one}/") for one in self._moved) and old is None:
            return
        made = made_by_git(label, self._seen) if old is None else None
        if now == old and made is None:
            return
        if now != seen:
            raise CannotReplace(f"it changed again since it was seen{self._key_cures(label)}")
        base, below = self._place(label)
        # What a link that is no longer there led to is not what stands in its place now.
        missing = seen is None or seen.kind == GONE or any(label.startswith(f"{one}/") for one in self._moved)
        expected = None if missing else seen
        if old is None and made is None:
            self._away(label, base, below, seen)
            return
        wanted = old if old is not None and made is None else Item("file", 0o644, digest_of(made or b""))
        if wanted.kind == GONE:
            raise CannotReplace("there was none before: it is left as it is")
        put(base, below, wanted, self._body(label, wanted) if made is None else made,
            expected=expected, room=self._room())  # fmt: skip
        self._notes.append(f"put {shown(text(label))} back{'' if made is None else ' as git writes it'}")

    def _away(self, label: str, base: str, below: str, seen: Item | None) -> None:
        if seen is None or keeps_a_worktree(label):
            raise CannotReplace("its worktree is new and would be none without it: look at it yourself")
        if label in _FOLDERS or label.startswith("refs/"):
            raise CannotReplace(_folder_cure(os.path.join(self._common, label), seen.target))
        kept = move_away(base, below, seen, self._room())
        self._moved.add(label)
        self._notes.append(f"moved {shown(text(label))} away to {shown(str(kept))}")

    def _worktree(self, name: str, folder: str) -> None:
        new = relink(self._repo, self._old, name, self._body)
        self._notes.append(f"made the worktree {shown(folder)} known to git again{new}")

    def _body(self, label: str, item: Item) -> bytes:
        if item.kind == "link":
            return b""
        body = self._old.body(label) if item.kind == "file" else None
        if body is None:
            raise CannotReplace("its earlier content was not kept")
        return body

    def _place(self, label: str) -> tuple[str, str]:
        """(a folder that is trusted to be ours to write, the path below it)."""
        if not os.path.isabs(label):
            return self._common, label
        for base in (self._repo.workspace.root, *self._seen.seen.flags, *self._old.seen.flags):
            if label.startswith(f"{base}/"):
                return base, label[len(base) + 1 :]
        raise CannotReplace("it is outside the repository: put it back yourself")

    def _key_cures(self, label: str) -> str:
        """For a configuration that changed again: which keys still differ, and how to set them."""
        if label not in self._old.seen.configs:
            return ""
        rows = differences(self._old.settings(label), self._now.settings(label), label)
        keys = [row.item.removeprefix("config ") for row in rows if row.severity in ("runs", "lies")]
        path = shlex.quote(os.path.join(self._common, label))
        return f"; these keys differ: {', '.join(keys[:10])}: mend them with `git config --file {path} --edit`"

    def _heads(self, refs: frozenset[str]) -> None:
        for label, before in sorted(self._old.seen.heads.items()):
            broken = not sound_head(self._seen.seen.heads.get(label, before))
            if broken or (label == "" and "HEAD" in refs):
                self._try(f"HEAD of {label}" if label else "HEAD", partial(self._head, label))

    def _head(self, label: str) -> None:
        old, seen, now = (side.seen.heads.get(label, "") for side in (self._old, self._seen, self._now))
        if now == old:
            return
        if now != seen or not sound_head(old):
            raise CannotReplace("it changed again since it was seen, or was no plain file")
        name = os.path.join(label, "HEAD")
        there = self._now_item(name)
        put(self._common, name, Item("file", 0o644), os.fsencode(old), expected=there, room=self._room())
        root = shlex.quote(self._repo.workspace.root)
        where = f"; files and index stay, see `git -C {root} status`" if not label else ""
        self._notes.append(f"put {shown(text(name))} back to {old.strip()}{where}")

    def _now_item(self, name: str) -> Item | None:
        return item_at(os.path.join(self._common, name))

    # -- refs

    def _refs(self, refs: frozenset[str]) -> None:
        old, seen, now = self._old.refs(), self._seen.refs(), self._now.refs()
        wanted = {name for name in old.keys() | seen.keys() if text(name) in refs or _lies(name, old, seen)}
        for name in sorted(wanted):
            one, two, three = old.get(name, ""), seen.get(name, ""), now.get(name, "")
            if one in (two, three):
                continue
            self._try(f"ref {name}", partial(self._ref, name, one, two, three))
        if "refs/stash" in refs:
            self._try("the list of stashes", self._stash_log)

    def _ref(self, name: str, old: str, seen: str, now: str) -> None:
        if now != seen:
            raise CannotReplace(f"it moved again since it was seen, to {now[:200] or 'nothing'}")
        if old.startswith(NO_REF):
            raise CannotReplace(f"it was no plain ref before ({old}): look at it yourself")
        if seen.startswith(NO_REF):
            seen = self._unlinked(name)
            if seen == old:
                self._notes.append(f"put {shown(text(name))} back{f' to {old[:10]}' if old else ': it was not there'}")
                return
        if old.startswith("ref: ") or seen.startswith("ref: "):
            self._symbolic(name, old)
            return
        if not old and not name.startswith("refs/replace/"):
            raise CannotReplace("it is new and may be somebody's work: delete it yourself if it is not wanted")
        if old and self._repo.ran(View(), "cat-file", "-e", old).code != 0:
            raise CannotReplace(f"{old[:10]}, where it was, is no longer in the repository")
        if seen:
            self._hold(old, seen)
        change = (name, old, seen or NO_COMMIT) if old else ("-d", name, seen)
        ran = self._repo.real("update-ref", "--no-deref", "-m", "nightdesk: put back", *change, env=_WHO)
        if ran.code != 0:
            raise CannotReplace(ran.complaint())
        done = f"put {name} back to {old[:10]}" if old else f"took {name} away"
        self._notes.append(f"{shown(text(done))}; it was at {seen[:10] or 'nothing'}")

    def _unlinked(self, name: str) -> str:
        """Move away what stands in the place of a ref; the value that is in force then."""
        there, path = self._now_item(name), os.path.join(self._common, name)
        if there is None:
            return packed(self._common).get(name, "")
        if os.path.isdir(path):
            raise CannotReplace(_folder_cure(path, there.target))
        kept = move_away(self._common, name, there, self._room())
        what = f"{name} (a link to {there.target})" if there.kind == "link" else name
        self._notes.append(f"moved {shown(text(what))} away to {shown(str(kept))}")
        return packed(self._common).get(name, "")

    def _symbolic(self, name: str, old: str) -> None:
        cure = f"git symbolic-ref {shlex.quote(text(name))} {shlex.quote(text(old.removeprefix('ref: ')))}"
        if not old.startswith("ref: "):
            cure = f"git update-ref --no-deref {shlex.quote(text(name))} {old or '-d'}"
        raise CannotReplace(f"it is or was a symbolic one: set it with `{cure}`")

    def _hold(self, old: str, tip: str) -> None:
        """Keep in the shadow what a ref that is moved back lets go."""
        past = (f"^{old}",) if old else ()
        listed = self._repo.ran(View(), "rev-list", "--objects", "--no-object-names", tip, *past)
        names = listed.out.decode().split() if listed.code == 0 else [tip]
        self._repo.out(View(), "index-pack", "--stdin", stdin=pack(self._repo, View(), names))
        self._repo.out(View(), "update-ref", f"refs/kept/{tip}", tip)

    def _stash_log(self) -> None:
        old, seen, now = (side.seen.files.get(STASH_LOG) for side in (self._old, self._seen, self._now))
        if now == old or old is None:
            return
        if now != seen:
            raise CannotReplace("it changed again since it was seen")
        there, body = self._now_item(STASH_LOG), self._body(STASH_LOG, old)
        put(self._common, STASH_LOG, old, body, expected=there, room=self._room())
        self._notes.append("put the list of stashes back")

    # -- index flags

    def _flags(self, folder: str) -> None:
        old, seen, now = (side.flags(folder) for side in (self._old, self._seen, self._now))
        if now == old:
            return
        if now != seen:
            raise CannotReplace("they changed again since they were seen")
        reflag(self._repo, folder, old, now)
        self._notes.append(f"put the index flags of {shown(folder)} back")


def _lies(name: str, old: dict[str, str], seen: dict[str, str]) -> bool:
    """True for a ref that is put back without being named: one of those that lie, whoever is asked."""
    value = seen.get(name, "")
    broken = name in old and value.startswith("broken: ")
    other = name.startswith("refs/heads/") and name in old and value.startswith("ref: ")
    return name.startswith("refs/replace/") or value.startswith("link: ") or broken or other


def _folder_cure(path: str, target: str) -> str:
    place, led = shlex.quote(shown(text(path))), shlex.quote(shown(text(target)))
    return f"a link to a folder, in which git's own data is now; look there, then `rm {place} && mv {led} {place}`"
