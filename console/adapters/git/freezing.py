"""Freezes a worktree's listed paths as a candidate commit in a store of its own; the repository is only read.

Everything that is wrong with a request is said at once. What the branch gained during the turn is kept in the shadow.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from console.adapters.git.attributes import attributes_of, conversion
from console.adapters.git.binary import shown
from console.adapters.git.building import Built, Candidate, build, clean_message
from console.adapters.git.changes import changed_paths, listed
from console.adapters.git.indexes import unmerged
from console.adapters.git.objects import ABSENT, GITLINK, LINK, Entry, pack, proved_in, tree_entries, write_blob
from console.adapters.git.reading import Content, Folder, Found, Missing, Unfit, opened, path_problem, read_path
from console.adapters.git.shadow import Repository, View
from console.adapters.git.worktrees import HEADS
from console.core.records import Frozen, Refused
from console.engine.ports import FreezeRequest

COMMITS_NAMED = 20
_ZONE = re.compile(r"[+-]\d{4}")


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where the branch is now, and the commits ("abbrev subject") that it gained since the base."""

    now: str
    gained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """What was read: contents to store and entries to delete."""

    contents: Mapping[str, Content]
    gone: tuple[str, ...]


def freeze(repo: Repository, request: FreezeRequest) -> Frozen | Refused:
    """See `console.engine.ports.Plans.freeze`. Raises GitFailed."""
    message = clean_message(request.message)
    standing = _standing(repo, request)
    if isinstance(standing, Refused):
        return standing
    if not message or not request.paths or not _ZONE.fullmatch(request.zone):
        what = "a message" if not message else "a path" if not request.paths else "a time zone like +0200"
        return Refused(reason=f"a plan needs {what}: nothing was frozen")
    files = tree_entries(repo, View(), request.base.head)
    work = _work(repo, request, files)
    if isinstance(work, Refused):
        return work
    with repo.scratch() as quarantine:
        wanted = {
            path.encode(): Entry(one.mode, write_blob(quarantine, one.body)) for path, one in work.contents.items()
        }
        wanted |= {path.encode(): ABSENT for path in work.gone}
        candidate = Candidate(
            request.base.head, files, wanted, message, request.author, request.when, request.zone
        )  # fmt: skip
        built = build(repo, candidate, quarantine)
    if isinstance(built, Refused):
        return built
    others = set(changed_paths(repo, request.worktree, request.base.head)) - wanted.keys()
    if standing.gained:
        _keep(repo, request.base.head, standing.now)
    return frozen(
        built, candidate, ref=request.base.ref, ref_old=standing.now, worktree=request.worktree,
        others=listed(others), replaces=standing.gained,
    )  # fmt: skip


def frozen(
    built: Built, candidate: Candidate, *, ref: str, ref_old: str, worktree: str,
    others: tuple[str, ...], replaces: tuple[str, ...] = (),
) -> Frozen:  # fmt: skip
    """The record of a built candidate."""
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
        paths=built.paths,
        worktree=worktree,
        store=str(built.store),
        others=others,
        unchanged=built.unchanged,
        replaces=replaces,
        added=built.added,
        removed=built.removed,
        diff_bytes=built.diff_bytes,
    )


# -- where the worktree stands


def _standing(repo: Repository, request: FreezeRequest) -> _Standing | Refused:
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


def _branch(repo: Repository, request: FreezeRequest, git_dir: str) -> _Standing | Refused:
    base, ref = request.base.head, request.base.ref
    now = repo.value(ref)
    name = shown(ref.removeprefix(HEADS))
    if now == base:
        return _Standing(now)
    if not now:
        return Refused(reason=f"the branch {name} is gone: make it again with `git branch {name} {base[:10]}`")
    if not base or not repo.ancestor(base, now):
        return Refused(
            reason=f"the branch {name} was rewritten during the turn: it is at {now[:10]}, the turn began at "
            f"{base[:10] or 'no commit'}; the work is in {shown(request.worktree)}"
        )
    gained = _commits(repo, base, now)
    if git_dir == repo.workspace.common:
        return Refused(
            reason=f"commits appeared on {name}, which you have checked out, while the turn ran: "
            f"{'; '.join(gained)}. Nothing is lost: they are on the branch, everything else is in the worktree"
        )
    return _Standing(now, gained)


def _commits(repo: Repository, base: str, now: str) -> tuple[str, ...]:
    """ "abbrev subject" of base..now, newest first, at most 20 and then one line with the count of the rest."""
    output = repo.out(View(), "log", "-z", "--format=%h %s", f"{base}..{now}")
    subjects = [shown(line) for line in output.split(b"\0") if line]
    more = len(subjects) - COMMITS_NAMED
    return (*subjects[:COMMITS_NAMED], f"(and {more} more)") if more > 0 else tuple(subjects)


def _keep(repo: Repository, base: str, tip: str) -> None:
    """Hold a branch's commits in the shadow before landing takes them off the branch."""
    names = repo.out(View(), "rev-list", "--objects", "--no-object-names", tip, f"^{base}").decode().split()
    repo.out(View(), "index-pack", "--stdin", stdin=pack(repo, View(), names))
    repo.out(View(), "update-ref", kept_ref(tip), tip)


def kept_ref(tip: str) -> str:
    return f"refs/kept/{tip}"


# -- what the worktree holds


def _work(repo: Repository, request: FreezeRequest, files: Mapping[bytes, Entry]) -> _Work | Refused:
    problems: dict[str, str] = {}
    contents: dict[str, Content] = {}
    gone: list[str] = []
    asked = tuple(dict.fromkeys(request.paths))
    try:
        with opened(request.worktree) as root:
            for path in asked:
                if why := path_problem(path):
                    problems[path] = why
                elif isinstance(found := read_path(root, path), Content):
                    contents[path] = found
                elif why := _no_deletion(path, found, asked, files):
                    problems[path] = why
                else:
                    gone.append(path)
    except OSError as error:
        return Refused(reason=f"the worktree {shown(request.worktree)} cannot be opened: {error.strerror}")
    for path in (*contents, *gone):
        if files.get(path.encode(), ABSENT).mode == GITLINK:
            problems[path] = "is a submodule, which this version cannot freeze"
    problems |= _conversions(repo, request.base.head, contents, files)
    if problems:
        return _refusal(problems)
    return _Work(contents, tuple(gone))


def _refusal(problems: Mapping[str, str]) -> Refused:
    named = "; ".join(f"{shown(path) or 'a path'} {why}" for path, why in problems.items())
    return Refused(reason=f"nothing was frozen: {named}", paths=tuple(shown(path) for path in problems))


def _no_deletion(path: str, found: Found, asked: tuple[str, ...], files: Mapping[bytes, Entry]) -> str:
    """Why a path without content cannot be frozen as deleted ("" when it can)."""
    in_base = path.encode() in files
    match found:
        case Unfit(why):
            return why
        case Folder(nested):
            if in_base and not nested and any(other.startswith(f"{path}/") for other in asked):
                return ""
            return "is a repository of its own" if nested else "is a directory: list its files"
        case Missing(behind, "link") if not (in_base and behind in asked):
            return f"is behind the symbolic link {shown(behind)}"
        case _:
            return "" if in_base else "is neither on disk nor in the base commit"


def _conversions(
    repo: Repository, base: str, contents: Mapping[str, Content], files: Mapping[bytes, Entry]
) -> dict[str, str]:
    """{path: why} for files that `git add` would store with other bytes."""
    regular = {path: content for path, content in contents.items() if content.mode != LINK}
    settings = repo.operator_settings()
    with repo.scratch() as room:
        repo.out(View(index=room / "index"), "read-tree", base or "--empty")
        attributes = attributes_of(repo, room / "index", settings, regular)
    found = {}
    for path, content in regular.items():
        old = _old_body(repo, files.get(path.encode(), ABSENT))
        if why := conversion(attributes.get(path, {}), settings.autocrlf, content.body, old):
            found[path] = why
    return found


def _old_body(repo: Repository, entry: Entry) -> Callable[[], bytes]:
    if entry.mode not in ("100644", "100755"):
        return lambda: b""
    return lambda: proved_in(repo, View(), [entry.oid])[entry.oid][1]
