"""What the commit hooks made of a plan, read from the scratch repository they ran in.

That repository is hostile by now: its index and files are read through the shadow and by open folders, its
configuration never.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from console.adapters.git.binary import MIB, GitFailed, shown
from console.adapters.git.building import clean_message, object_folders
from console.adapters.git.freezing import rebuild
from console.adapters.git.objects import ABSENT, GITLINK, Entry, proved_in, tree_entries
from console.adapters.git.reading import SIZE_CAP, Content, Folder, Missing, Unfit, opened, read_path
from console.adapters.git.shadow import Repository, View
from console.core.paths import bytes_of
from console.core.records import Frozen, PlanPath, Refused
from console.engine.ports import HookRun

MESSAGE_FILE = ".git/COMMIT_EDITMSG"
INDEX_CAP = 200 * MIB

Contents = dict[str, tuple[str, bytes] | None]


def outcome(repo: Repository, plan: Frozen, run: HookRun, kept: tuple[PlanPath, ...]) -> Frozen | Refused:
    """See `console.engine.ports.Hooks.outcome`. kept: paths that the hooks got in the base's version.

    Files on disk count before what is staged: a fixer changes the first and leaves the second.
    Raises GitFailed, OSError.
    """
    scratch = Path(run.folder)
    if not stat.S_ISDIR(os.lstat(scratch).st_mode):
        return Refused(reason="a commit hook took the scratch checkout away: nothing was frozen")
    expected = _expected(repo, plan, kept)
    with repo.scratch() as room:
        staged = _staged(repo, scratch, room / "index")
        touched = {path for path in expected.keys() | staged.keys() if staged.get(path) != expected.get(path)}
        touched |= _changed_on_disk(repo, scratch, room / "index")
    fixed = {one.path for one in kept}
    mine = [one for one in plan.paths if one.path not in fixed]
    others = touched - {bytes_of(one.path) for one in mine}
    if others:
        return _others(others)
    contents = _contents(repo, scratch, mine, staged)
    message = _message(scratch, plan, run)
    for found in (contents, message):
        if isinstance(found, Refused):
            return found
    assert isinstance(contents, dict) and isinstance(message, str)
    if not contents and message == plan.message:
        return plan
    return rebuild(repo, plan, contents, message)


def _expected(repo: Repository, plan: Frozen, kept: tuple[PlanPath, ...]) -> dict[bytes, Entry]:
    files = tree_entries(repo, View(more=object_folders(plan)), plan.tree)
    for one in kept:
        if one.old_oid:
            files[bytes_of(one.path)] = Entry(one.old_mode, one.old_oid)
        else:
            files.pop(bytes_of(one.path), None)
    return files


# -- what is staged, and what differs from it on disk


def _staged(repo: Repository, scratch: Path, copy: Path) -> dict[bytes, Entry]:
    """The entries of the scratch index, from a private copy of it."""
    _copy_index(scratch, copy)
    found: dict[bytes, Entry] = {}
    for row in repo.out(View(index=copy), "ls-files", "--stage", "-z").split(b"\0")[:-1]:
        head, _, path = row.partition(b"\t")
        mode, oid, stage = head.decode().split(" ")
        if stage != "0":
            raise GitFailed(f"{shown(path)} has an unresolved conflict in the index that they left")
        found[path] = Entry(mode, oid)
    return found


def _copy_index(scratch: Path, copy: Path) -> None:
    with opened(str(scratch)) as root:
        folder = os.open(".git", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
        try:
            handle = os.open("index", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
    with os.fdopen(handle, "rb") as source, open(copy, "xb") as target:
        status = os.fstat(source.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > INDEX_CAP:
            raise GitFailed("the index that they left is no index")
        shutil.copyfileobj(source, target)
    # Git reads files anew that are as young as the index; a younger copy would hide their changes.
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))


def _changed_on_disk(repo: Repository, scratch: Path, index: Path) -> set[bytes]:
    view = View(index=index, worktree=str(scratch))
    repo.ran(view, "update-index", "-q", "--refresh")
    return set(repo.out(view, "ls-files", "-m", "-d", "-z").split(b"\0")) - {b""}


def _others(paths: Iterable[bytes]) -> Refused:
    names = tuple(shown(path) for path in sorted(paths))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return Refused(
        reason=f"a commit hook changed or staged files that are not the plan's: {', '.join(names[:10])}{more}. Add "
        "them to the policy's paths, or make the hook change only the files of its commit; then `policy retry`",
        paths=names,
    )


# -- what the plan's own paths have become


def _contents(
    repo: Repository, scratch: Path, mine: Iterable[PlanPath], staged: Mapping[bytes, Entry]
) -> Contents | Refused:
    contents: Contents = {}
    from_index: dict[str, Entry] = {}
    with opened(str(scratch)) as root:
        for one in mine:
            planned = Entry(one.mode, one.oid) if one.oid else ABSENT
            in_index = staged.get(bytes_of(one.path), ABSENT)
            found = read_path(root, one.path) if planned != ABSENT and planned.mode != GITLINK else Missing()
            if isinstance(found, Content) and found.entry != planned:
                contents[one.path] = (found.mode, found.body)
            elif isinstance(found, Content) or planned == ABSENT or planned.mode == GITLINK:
                if in_index != planned:
                    from_index[one.path] = in_index
            elif isinstance(found, Folder) or (isinstance(found, Missing) and not found.behind):
                contents[one.path] = None
            else:
                why = found.why if isinstance(found, Unfit) else f"is behind {shown(found.behind)}"
                return Refused(reason=f"a commit hook left {shown(one.path)} so that it {why}", paths=(one.path,))
    return _with_blobs(repo, scratch, contents, from_index)


def _with_blobs(
    repo: Repository, scratch: Path, contents: Contents, from_index: Mapping[str, Entry]
) -> Contents | Refused:
    """Add what is only staged, its bytes proved by their name."""
    if odd := tuple(path for path, entry in from_index.items() if entry.mode == GITLINK):
        return Refused(reason=f"a commit hook staged a repository at {', '.join(map(shown, odd))}", paths=odd)
    oids = [entry.oid for entry in from_index.values() if entry != ABSENT]
    view = View(more=(scratch / ".git" / "objects",))
    bodies = proved_in(repo, view, oids) if oids else {}
    for path, entry in from_index.items():
        body = bodies[entry.oid][1] if entry != ABSENT else b""
        if len(body) > SIZE_CAP:
            return Refused(reason=f"a commit hook made {shown(path)} larger than {SIZE_CAP // MIB} MiB", paths=(path,))
        contents[path] = None if entry == ABSENT else (entry.mode, body)
    return contents


def _message(scratch: Path, plan: Frozen, run: HookRun) -> str | Refused:
    if "commit-msg" not in run.hooks:
        return plan.message
    with opened(str(scratch)) as root:
        found = read_path(root, MESSAGE_FILE)
    text = found.body.decode("utf-8", "replace") if isinstance(found, Content) else ""
    message = clean_message(text)
    return message or Refused(reason="the commit-msg hook left no message: nothing was frozen")
