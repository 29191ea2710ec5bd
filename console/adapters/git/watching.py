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
from console.adapters.git.comparing import compare
from console.adapters.git.fingerprint import Print, Taking, ref_text, refs_from
from console.adapters.git.gitconfig import Parsed, parse
from console.adapters.git.items import digest_of
from console.adapters.git.plainfiles import INDEX_CAP, read_small
from console.adapters.git.refs import all_refs
from console.adapters.git.restoring import Restoring
from console.adapters.git.shadow import Repository, View
from console.adapters.git.shelf import Shelf
from console.adapters.git.sides import Side, as_git_makes
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
            self._make_baseline(*self._take(self._shelf.load(self._shelf.baseline())))

        return self._refusing(work)

    def look(self, own_refs: frozenset[str] = frozenset(), *, strict: bool = False) -> Look | Refused:
        return self._refusing(lambda: self._look(own_refs, strict))

    def accept_refs(self, refs: frozenset[str]) -> None:
        """Does nothing without a baseline. What cannot be accepted is told by the next look."""
        self._refusing(lambda: self._accept_refs(refs))

    def accept_worktree(self, worktree: str) -> None:
        """Does nothing without a baseline, and nothing when it is not as git makes it: then the next look tells."""
        self._refusing(lambda: self._accept_worktree(os.path.realpath(worktree)))

    def adopt(self, seen: str, own_refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        def work() -> tuple[str, ...] | Refused:
            adopted = self._shelf.load(seen)
            if adopted is None:
                return _gone(seen)
            self._shelf.set_baseline(seen)
            now, content = self._take(adopted)
            later = self._compare(adopted, now, content, own_refs, strict=True)
            return tuple(f"{shown(one.item)} changed again since: it is not adopted" for one in later)

        return self._refusing(work)

    def restore(self, baseline: str, seen: str, refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        def work() -> tuple[str, ...] | Refused:
            old, then = self._shelf.load(baseline), self._shelf.load(seen)
            if old is None or then is None:
                return _gone(baseline if old is None else seen)
            wanted_back, was_seen, now = self._side(old, {}), self._side(then, {}), self._side(*self._take(old, then))
            restoring = Restoring(self._repo, self._shelf, wanted_back, was_seen, now)
            if refused := restoring.run(refs):
                return refused
            wanted = {one.item for one in self._compare(old, then, {}, strict=True) if _is_wanted(one, refs)}
            after = self._compare(old, *self._take(old, then), strict=True)
            return restoring.notes([one for one in after if one.item in wanted and one.severity != "note"])

        return self._refusing(work)

    # -- taking and comparing

    def _look(self, own_refs: frozenset[str], strict: bool) -> Look | Refused:
        name = self._shelf.baseline()
        baseline = self._shelf.load(name)
        if name and baseline is None:
            return _gone(name)
        now, content = self._take(baseline)
        if baseline is None:
            name = self._make_baseline(now, content)
            return Look(baseline=name, seen=name)
        changes = self._compare(baseline, now, content, own_refs, strict)
        return Look(baseline=name, seen=self._shelf.keep(now, content) if changes else name, changes=changes)

    def _accept_refs(self, refs: frozenset[str]) -> None:
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

    def _accept_worktree(self, folder: str) -> None:
        baseline = self._shelf.load(self._shelf.baseline())
        if baseline is None:
            return
        now, content = self._take(baseline)
        side = self._side(now, content)
        pointer = os.path.join(folder, ".git")
        home = next((f"worktrees/{one}" for one, label in side.pointers().items() if label == pointer), "")
        if not home or not as_git_makes(f"{home}/commondir", side) or not as_git_makes(pointer, side):
            return

        def of_it(label: str) -> bool:
            return label == pointer or label.startswith(f"{home}/")

        files = {label: one for label, one in baseline.files.items() if not of_it(label)}
        files |= {label: one for label, one in now.files.items() if of_it(label)}
        configs = {one for one in baseline.configs if not of_it(one)} | {one for one in now.configs if of_it(one)}
        heads = baseline.heads | {home: now.heads[home]}
        flags = baseline.flags | {folder: now.flags[folder]}
        made = replace(baseline, files=files, configs=tuple(sorted(configs)), heads=heads, flags=flags)
        self._make_baseline(made, content)

    def _make_baseline(self, seen: Print, content: dict[str, bytes]) -> str:
        self._shelf.open()
        name = self._shelf.keep(seen, content)
        self._shelf.set_baseline(name)
        return name

    def _take(self, *known: Print | None) -> tuple[Print, dict[str, bytes]]:
        """known: fingerprints whose worktrees are looked for, too."""
        workspace = self._repo.workspace
        before = (self._side(one, {}).pointers().values() for one in known if one is not None)
        taking = Taking(
            root=workspace.root, common=workspace.common, linked=linked_git_dirs(workspace.common),
            home=self._repo.environ.get("HOME", "/"), parse=self._parse, flags_of=self._flags_of,
            known=frozenset(label for labels in before for label in labels),
        )  # fmt: skip
        return taking.take(), taking.content

    def _found_in(self, content: dict[str, bytes]) -> Callable[[str], bytes | None]:
        return lambda digest: content[digest] if digest in content else self._shelf.content(digest)

    def _side(self, seen: Print, content: dict[str, bytes]) -> Side:
        workspace = self._repo.workspace
        return Side(seen, workspace.root, workspace.common, self._found_in(content), self._parse)

    def _compare(
        self,
        old: Print,
        new: Print,
        content: dict[str, bytes],
        own_refs: frozenset[str] = frozenset(),
        strict: bool = False,
    ) -> tuple[RepoChange, ...]:
        if old == new:
            return ()
        sides = self._side(old, {}), self._side(new, content)
        return compare(*sides, own_refs, ancestor=self._fast_forward, lock_cure=self._lock_cure, strict=strict)

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
        # Not beside it: below refs/ git would take the name that is left for a broken branch.
        aside = os.path.join(self._repo.workspace.common, f"{os.path.basename(label)}.old")
        move = f"mv {shlex.quote(path)} {shlex.quote(aside)}"
        return f"no process holds it open: when no git command runs here, move it away with `{move}`"

    def _refusing(self, work: Callable[[], Result]) -> Result | Refused:
        try:
            with self._lock:
                if absent := _no_git_dir(self._repo.workspace.common):
                    return absent
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


def _is_wanted(one: RepoChange, refs: frozenset[str]) -> bool:
    """What a restore is to bring back: what runs, lies or locks, and the refs that were named."""
    if one.severity == "moved":
        return one.item.removeprefix("ref ") in refs
    return one.severity != "note"


def _no_git_dir(common: str) -> Refused | None:
    parts = (os.path.join(common, name) for name in ("HEAD", "objects"))
    if os.path.isdir(common) and any(os.path.lexists(one) for one in parts):
        return None
    return Refused(
        reason=f"the git dir {shown(common)} is gone: the files beside it are there, but no git command works; put it "
        "back from a backup or a clone, and do not make a new one over it"
    )


def _gone(name: str) -> Refused:
    return Refused(
        reason=f"the fingerprint {shown(name) or 'asked for'} of the git dir is gone or damaged: nothing was changed; "
        "look at the git dir yourself, then start again with no session at work, which makes a new baseline"
    )
