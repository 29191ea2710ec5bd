"""Freezes a worktree's listed paths as a candidate commit in a store of its own; the repository is only read.

Everything that is wrong with a request is said at once. What the branch gained during the turn is kept in the shadow.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from console.adapters.git.attributes import trusted
from console.adapters.git.binary import shown
from console.adapters.git.building import Built, Candidate, build, clean_message, object_folders
from console.adapters.git.changes import changed_inside, changed_paths, listed
from console.adapters.git.gathering import Asked, gather, listed_notes
from console.adapters.git.indexes import unmerged
from console.adapters.git.lfs import store_of
from console.adapters.git.objects import ABSENT, Entry, pack, tree_entries, write_blob
from console.adapters.git.reading import disk_of, on_disk
from console.adapters.git.shadow import Repository, View
from console.adapters.git.stacks import stands_below, unreadable
from console.adapters.git.whole import everything, nothing
from console.adapters.git.worktrees import HEADS
from console.core.paths import bytes_of, text_of
from console.core.records import Frozen, PlanPath, Refused
from console.engine.ports import FreezeRequest

COMMITS_NAMED = 20
_ZONE = re.compile(r"[+-]\d{4}")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the branch is now, and the commits ("abbrev subject") that it gained since the base."""

    now: str
    gained: tuple[str, ...] = ()


def freeze(repo: Repository, request: FreezeRequest) -> Frozen | Refused:
    """See `console.engine.ports.Plans.freeze`. Raises GitFailed."""
    message = clean_message(request.message)
    standing = _standing(repo, request)
    if isinstance(standing, Refused):
        return standing
    listed_paths = request.paths or request.everything
    if not message or not listed_paths or not _ZONE.fullmatch(request.zone):
        what = "a message" if not message else "a path" if not listed_paths else "a time zone like +0200"
        return Refused(reason=f"a plan needs {what}: nothing was frozen")
    more = tuple(Path(store) for store in request.stores)
    files = tree_entries(repo, View(more=more), request.base.head)
    rules = trusted(repo, files, View(more=more))
    paths = everything(repo, request, rules) if request.everything else request.paths
    if isinstance(paths, Refused):
        return paths
    with repo.scratch() as room:
        git_dir = repo.git_dir_of(request.worktree)
        work = gather(repo, Asked(request.worktree, git_dir, paths, files, rules, room, more))
        if isinstance(work, Refused):
            return work
        candidate = Candidate(
            request.base.head, files, work.wanted, message, request.author, request.when, request.zone
        )  # fmt: skip
        if request.everything and not candidate.changes:
            return nothing(repo, request, message, standing.now)
        built = build(repo, candidate, room / "objects", more, large=room / "kept")
    if isinstance(built, Refused):
        return built
    others = changed_inside(repo, request.worktree, files)
    if not request.everything:
        others |= set(changed_paths(repo, request.worktree, request.base.head, rules, more))
    if standing.gained:
        keep_tip(repo, request.base.head, standing.now, more)
    return frozen(
        built, candidate, ref=request.base.ref, ref_old=standing.now, worktree=request.worktree,
        others=listed(others - work.wanted.keys()), replaces=standing.gained, disk=work.disk, notes=work.notes,
        stores=request.stores,
    )  # fmt: skip


def rebuild(
    repo: Repository, plan: Frozen, contents: Mapping[str, tuple[str, bytes] | None], message: str
) -> Frozen | Refused:
    """The plan with other bytes for some of its paths, or another message: a new candidate on the same base and ref.

    contents: {path: (mode, bytes as git holds them), None to delete it}. What is on disk stays on record
    (`PlanPath.disk`), so that drift is still found. Raises GitFailed.
    """
    message, planned = clean_message(message), {one.path: one for one in plan.paths}
    strange = tuple(path for path in contents if path not in planned)
    if strange or not message:
        what = f"{', '.join(map(shown, strange))} is not a path of it" if strange else "a plan needs a message"
        return Refused(reason=f"the plan was not made anew: {what}", paths=strange)
    with repo.scratch() as room:
        wanted = {bytes_of(path): Entry(one.mode, one.oid) for path, one in planned.items()}
        for path, content in contents.items():
            stored = Entry(content[0], write_blob(room / "objects", content[1])) if content else ABSENT
            wanted[bytes_of(path)] = stored
        folders = object_folders(plan)
        files = tree_entries(repo, View(more=folders), plan.base)
        candidate = Candidate(plan.base, files, wanted, message, plan.author, plan.when, plan.zone)
        (room / "objects").mkdir(exist_ok=True)
        built = build(repo, candidate, room / "objects", folders, store_of(plan.store))
    if isinstance(built, Refused):
        return built
    disk = {path: disk_of(on_disk(planned[text_of(path)]), entry) for path, entry in wanted.items()}
    new = frozen(
        built, candidate, ref=plan.ref, ref_old=plan.ref_old, worktree=plan.worktree, others=plan.others,
        replaces=plan.replaces, disk=disk, stores=plan.stores,
        notes=listed_notes([*plan.notes, *_rewritten(planned, wanted)]),
    )  # fmt: skip
    return msgspec.structs.replace(new, unchanged=tuple(dict.fromkeys((*plan.unchanged, *new.unchanged))))


def _rewritten(planned: Mapping[str, PlanPath], wanted: Mapping[bytes, Entry]) -> list[str]:
    changed = [path for path, one in planned.items() if wanted[bytes_of(path)] != Entry(one.mode, one.oid)]
    return [f"rewritten by a hook: {shown(path)}" for path in changed]


def frozen(
    built: Built, candidate: Candidate, *, ref: str, ref_old: str, worktree: str,
    others: tuple[str, ...], replaces: tuple[str, ...] = (), disk: Mapping[bytes, str], notes: tuple[str, ...] = (),
    stores: tuple[str, ...] = (),
) -> Frozen:  # fmt: skip
    """The record of a built candidate. disk: as `PlanPath.disk`, for the paths that need it."""
    paths = tuple(msgspec.structs.replace(one, disk=disk.get(bytes_of(one.path), "")) for one in built.paths)
    return Frozen(
        commit=built.commit,
        base=candidate.base,
        tree=built.tree,
        ref=ref,
        ref_old=ref_old,
        message=candidate.message,
        author=candidate.author,
        when=candidate.when,
        zone=candidate.zone,
        paths=paths,
        worktree=worktree,
        store=str(built.store),
        others=others,
        unchanged=built.unchanged,
        replaces=replaces,
        added=built.added,
        removed=built.removed,
        diff_bytes=built.diff_bytes,
        notes=notes,
        stores=stores,
    )


# -- where the worktree stands


def _standing(repo: Repository, request: FreezeRequest) -> Standing | Refused:
    git_dir = repo.git_dir_of(request.worktree)
    if not git_dir:
        return Refused(reason=f"{shown(request.worktree)} is no worktree of {shown(repo.workspace.root)}")
    if refused := position(repo, request.worktree, git_dir, request.base.ref):
        return refused
    if len(request.base.head) not in (0, 40):
        return Refused(reason="this is a sha256 repository: only sha1 repositories are supported")
    if conflicts := unmerged(repo, git_dir):
        named = ", ".join(conflicts[:5])
        return Refused(reason=f"there are unresolved conflicts in the index: {named}; resolve them first")
    if request.stores and (refused := unreadable(repo, request.base.head, request.stores)):
        return refused
    return _branch(repo, request, git_dir)


def position(repo: Repository, worktree: str, git_dir: str, ref: str) -> Refused | None:
    """Why a commit on `ref` cannot come from this worktree as it stands, or None."""
    where = shlex.quote(worktree)
    if what := repo.operation(git_dir):
        return Refused(reason=f"{what} is under way in {shown(worktree)}: finish or abort it first")
    head = repo.head(git_dir)
    if not ref:
        return Refused(
            reason=f"HEAD was detached when the turn began: make a branch first (`git -C {where} switch -c <name>`)"
        )
    if not ref.startswith(HEADS):
        return Refused(reason=f"{shown(ref)} is not a branch: plans land on branches only")
    if head != ref:
        now = f"on {shown(head.removeprefix(HEADS))}" if head else "detached"
        name = ref.removeprefix(HEADS)
        return Refused(
            reason=f"HEAD of {shown(worktree)} is {now}, the plan is for {shown(name)}: "
            f"go back with `git -C {where} switch {shlex.quote(name)}`"
        )
    return None


def _branch(repo: Repository, request: FreezeRequest, git_dir: str) -> Standing | Refused:
    base, ref = request.base.head, request.base.ref
    now = repo.value(ref)
    name = shown(ref.removeprefix(HEADS))
    if now == base:
        return Standing(now)
    if not now:
        return Refused(reason=f"the branch {name} is gone: make it again with `git branch {name} {base[:10]}`")
    common = base if base and repo.ancestor(base, now) else stands_below(repo, request, now)
    if not common:
        return Refused(
            reason=f"the branch {name} was rewritten during the turn: it is at {now[:10]}, the turn began at "
            f"{base[:10] or 'no commit'}; the work is in {shown(request.worktree)}"
        )
    if common == now:
        return Standing(now)
    gained = _commits(repo, common, now)
    if git_dir == repo.workspace.common:
        return Refused(
            reason=f"commits appeared on {name}, which you have checked out, while the turn ran: "
            f"{'; '.join(gained)}. Nothing is lost: they are on the branch, everything else is in the worktree"
        )
    return Standing(now, gained)


def _commits(repo: Repository, base: str, now: str) -> tuple[str, ...]:
    """ "abbrev subject" of base..now, newest first, at most 20 and then one line with the count of the rest."""
    output = repo.out(View(), "log", "-z", "--format=%h %s", f"{base}..{now}")
    subjects = [shown(line) for line in output.split(b"\0") if line]
    more = len(subjects) - COMMITS_NAMED
    return (*subjects[:COMMITS_NAMED], f"(and {more} more)") if more > 0 else tuple(subjects)


def keep_tip(repo: Repository, base: str, tip: str, more: tuple[Path, ...] = ()) -> None:
    """Hold a branch's commits in the shadow before landing takes them off the branch."""
    view = View(more=more)
    names = repo.out(view, "rev-list", "--objects", "--no-object-names", tip, f"^{base}").decode().split()
    repo.out(View(), "index-pack", "--stdin", stdin=pack(repo, view, names))
    repo.out(View(), "update-ref", kept_ref(tip), tip)


def kept_ref(tip: str) -> str:
    return f"refs/kept/{tip}"
