"""Watches a git dir for what runs programs or lies, against one baseline a workspace; puts it back on request.

Everything is read as files or through the shadow, so that a hostile or broken configuration neither runs nor hides
anything. Deletes nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.comparing import Side, compare
from console.adapters.git.fingerprint import Print, Taking, ref_text, refs_from
from console.adapters.git.gitconfig import Parsed, parse
from console.adapters.git.items import digest_of
from console.adapters.git.plainfiles import INDEX_CAP, read_small
from console.adapters.git.refs import all_refs
from console.adapters.git.restoring import Restoring
from console.adapters.git.shadow import Repository, View
from console.adapters.git.shelf import Shelf
from console.adapters.git.worktrees import linked_git_dirs
from console.core.records import Refused, RepoChange
from console.engine.ports import Look

Result = TypeVar("Result")
_FLAGGED = re.compile(rb"(?:\A|\0)([a-zS]) ([^\0]+)")
_MEMORY = 200


class Watch:
    """`console.engine.ports.GitDirWatch` for one workspace. Several threads may call."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._shelf = Shelf(repo.state / "fingerprints")
        self._lock = threading.Lock()
        self._parsed: dict[str, Parsed] = {}
        self._indexes: dict[str, tuple[tuple[int, ...], bytes]] = {}

    def rebase(self) -> Refused | None:
        def work() -> None:
            self._make_baseline(*self._take())

        return self._refusing(work)

    def look(self, own_refs: frozenset[str] = frozenset()) -> Look | Refused:
        return self._refusing(lambda: self._look(own_refs))

    def accept_refs(self, refs: frozenset[str]) -> None:
        """Does nothing without a baseline. Raises OSError when the state folder cannot be written."""
        with self._lock:
            baseline = self._shelf.load(self._shelf.baseline())
            kept = self._shelf.content(baseline.refs) if baseline else None
            if baseline is None or kept is None:
                return
            values, now = refs_from(kept), all_refs(self._repo.workspace.common).values
            for name in refs:
                values.pop(name, None)
                if name in now:
                    values[name] = now[name]
            body = ref_text(values)
            self._make_baseline(replace(baseline, refs=digest_of(body)), {digest_of(body): body})

    def adopt(self, seen: str) -> tuple[str, ...] | Refused:
        def work() -> tuple[str, ...] | Refused:
            adopted = self._shelf.load(seen)
            if adopted is None:
                return _gone(seen)
            self._shelf.set_baseline(seen)
            now, content = self._take()
            later = self._compare(adopted, now, content)
            return tuple(f"{shown(one.item)} changed again since: it is not adopted" for one in later)

        return self._refusing(work)

    def restore(self, baseline: str, seen: str, refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        def work() -> tuple[str, ...] | Refused:
            sides = []
            for name in (baseline, seen):
                found = self._shelf.load(name)
                if found is None:
                    return _gone(name)
                sides.append(Side(found, self._shelf.content, self._parse))
            now, content = self._take()
            return Restoring(
                self._repo, self._shelf, sides[0], sides[1], Side(now, self._found_in(content), self._parse)
            ).run(refs)

        return self._refusing(work)

    # -- taking and comparing

    def _look(self, own_refs: frozenset[str]) -> Look | Refused:
        now, content = self._take()
        name = self._shelf.baseline()
        if not name:
            name = self._make_baseline(now, content)
            return Look(baseline=name, seen=name)
        baseline = self._shelf.load(name)
        if baseline is None:
            return _gone(name)
        changes = self._compare(baseline, now, content, own_refs)
        return Look(baseline=name, seen=self._shelf.keep(now, content) if changes else name, changes=changes)

    def _make_baseline(self, seen: Print, content: dict[str, bytes]) -> str:
        self._shelf.open()
        name = self._shelf.keep(seen, content)
        self._shelf.set_baseline(name)
        return name

    def _take(self) -> tuple[Print, dict[str, bytes]]:
        workspace = self._repo.workspace
        taking = Taking(
            root=workspace.root, common=workspace.common, linked=linked_git_dirs(workspace.common),
            home=self._repo.environ.get("HOME", "/"), parse=self._parse, flags_of=self._flags_of,
        )  # fmt: skip
        return taking.take(), taking.content

    def _found_in(self, content: dict[str, bytes]) -> Callable[[str], bytes | None]:
        return lambda digest: content[digest] if digest in content else self._shelf.content(digest)

    def _compare(
        self, old: Print, new: Print, content: dict[str, bytes], own_refs: frozenset[str] = frozenset()
    ) -> tuple[RepoChange, ...]:
        if old == new:
            return ()
        old_side = Side(old, self._shelf.content, self._parse)
        new_side = Side(new, self._found_in(content), self._parse)
        return compare(old_side, new_side, own_refs, self._fast_forward, self._lock_cure)

    def _parse(self, body: bytes) -> Parsed:
        digest = digest_of(body)
        if digest not in self._parsed:
            if len(self._parsed) > _MEMORY:
                self._parsed.clear()
            self._parsed[digest] = parse(self._repo.git, body)
        return self._parsed[digest]

    def _fast_forward(self, old: str, new: str) -> bool:
        """By the objects alone: neither grafts nor a shallow file count, unless the history really ends early."""
        with contextlib.suppress(GitFailed):
            ran = self._repo.ran(View(), "merge-base", "--is-ancestor", old, new)
            return ran.code == 0 or (ran.code == 128 and self._repo.ancestor(old, new))
        return False

    def _flags_of(self, git_dir: str, folder: str) -> bytes:
        """ "a path" and "s path" of an index's entries that git is told not to look at, NUL after each."""
        index = os.path.join(git_dir, "index")
        try:
            status = os.stat(index)
        except OSError:
            return b""
        facts = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        known = self._indexes.get(index)
        if known is None or known[0] != facts:
            known = self._indexes[index] = (facts, self._read_flags(Path(index)))
        return known[1]

    def _read_flags(self, index: Path) -> bytes:
        body = read_small(str(index), INDEX_CAP)
        if body is None:
            return b"a (the whole index is no file)\0"
        with self._repo.scratch() as room:
            (room / "index").write_bytes(body)
            for shared in index.parent.glob("sharedindex.*"):
                with contextlib.suppress(FileExistsError):
                    (self._repo.shadow_dir / shared.name).symlink_to(shared)
            ran = self._repo.ran(View(index=room / "index"), "ls-files", "-v", "-z")
        if ran.code != 0:
            return b"a (the whole index cannot be read)\0"
        rows = (
            b"".join(
                letter + b" " + path + b"\0"
                for letter, on in ((b"a", tag.islower()), (b"s", tag.upper() == b"S"))
                if on
            )
            for tag, path in _FLAGGED.findall(ran.out)
        )
        return b"".join(rows)

    def _lock_cure(self, label: str) -> str:
        path = os.path.join(self._repo.workspace.common, label)
        if who := holders(path):
            return f"{', '.join(who)} holds it open: wait for that to end"
        quoted = shlex.quote(path)
        return f"no process holds it open: when no git command runs here, move it away with `mv {quoted} {quoted}.left`"

    def _refusing(self, work: Callable[[], Result]) -> Result | Refused:
        try:
            with self._lock:
                self._shelf.open()
                return work()
        except GitFailed as failed:
            return Refused(reason=failed.reason)
        except OSError as error:
            return Refused(
                reason=f"the git dir could not be looked at: {shown(str(error.filename or 'a file'))}: {error.strerror}"
            )


def holders(path: str) -> list[str]:
    """Processes that have this very file open ("pid 12 (git)"), as far as we may see."""
    try:
        wanted = os.stat(path)
    except OSError:
        return []
    found = []
    for pid in (name for name in os.listdir("/proc") if name.isdigit()) if os.path.isdir("/proc") else ():
        with contextlib.suppress(OSError):
            for handle in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    if os.path.samestat(os.stat(f"/proc/{pid}/fd/{handle}"), wanted):
                        name = Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
                        found.append(f"pid {pid} ({name})")
                        break
    return found


def _gone(name: str) -> Refused:
    return Refused(
        reason=f"the fingerprint {shown(name) or 'asked for'} of the git dir is gone or damaged: nothing was changed; "
        "look at the git dir yourself, then start again with no session at work, which makes a new baseline"
    )
