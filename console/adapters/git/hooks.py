"""Commit hooks run as a gate, in a scratch repository that holds the plan and nothing else. This room builds it.

No hook runs here: the engine runs them under a shim. Hooks and their configuration come from the base, so that no plan
decides what judges it; the operator's worktree, index and refs are only read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from console.adapters.git.binary import MIB, GitFailed, shown
from console.adapters.git.building import object_folders
from console.adapters.git.checkouts import ignored, link_dependencies
from console.adapters.git.hookoutcome import MESSAGE_FILE, outcome
from console.adapters.git.hookplaces import (
    NOT_RUN,
    RUN,
    HookPlace,
    below,
    guarded,
    hook_place,
    not_executable,
    there,
    unable,
)
from console.adapters.git.indexes import index_info
from console.adapters.git.objects import GITLINK, LINK, Entry
from console.adapters.git.reading import Content, drifted, opened, read_path
from console.adapters.git.shadow import Repository, View
from console.core.paths import bytes_of, text_of
from console.core.records import Frozen, PlanPath, Refused
from console.engine.ports import HookRun

COPIED_AT_MOST = 1000
COPIED_BYTES = 20 * MIB
_NAMED_AT_MOST = 5
_KEPT_GIT = ("GIT_TERMINAL_PROMPT", "GIT_ASKPASS")


class CommitHooks:
    """`console.engine.ports.Hooks` for one workspace. gate_env: the environment that gates get."""

    def __init__(self, repo: Repository, gate_env: Callable[[], dict[str, str]]) -> None:
        self._repo = repo
        self._gate_env = gate_env

    def prepare(self, plan: Frozen, into: Path) -> HookRun | Refused | None:
        """See the port. `into` must be empty or missing; the scratch repository is `into/repo`."""
        try:
            place = hook_place(self._repo, plan.worktree)
            if place is None or not _any(self._repo, plan, place):
                return None
            return self._prepare(plan, place, into)
        except GitFailed as failed:
            return Refused(reason=f"the commit hooks could not be prepared: {failed.reason}")
        except OSError as error:
            return Refused(reason=f"the commit hooks could not be prepared in {shown(str(into))}: {error.strerror}")

    def outcome(self, plan: Frozen, run: HookRun) -> Frozen | Refused:
        """See the port."""
        try:
            place = hook_place(self._repo, plan.worktree) or HookPlace()
            return outcome(self._repo, plan, run, guarded(self._repo, plan, place))
        except GitFailed as failed:
            return Refused(reason=f"what the commit hooks left cannot be read: {failed.reason}")
        except OSError as error:
            return Refused(reason=f"what the commit hooks left cannot be read: {error.strerror}")

    def _prepare(self, plan: Frozen, place: HookPlace, into: Path) -> HookRun | Refused | None:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(into.iterdir()):
            return Refused(reason=f"{shown(str(into))} is not empty: hooks are prepared in an empty folder only")
        kept = guarded(self._repo, plan, place)
        scratch = into / "repo"
        if odd := _fill(self._repo, plan, scratch, kept):
            return Refused(reason=f"the scratch checkout does not hold the plan's bytes: {_some(odd)}", paths=odd)
        folder = _hooks_folder(self._repo, plan, place, into)
        if place.inside and led_away(scratch, place.inside) and not _in_dependencies(plan, scratch, place):
            away = f"hook files: in the plan a link leads from {shown(place.inside)} to somewhere else; no hook ran"
            return HookRun(folder=str(scratch), skipped=(away,))
        skipped = [*_not_run(folder, kept), *_changed(plan, place, kept, folder)]
        ready = tuple(name for name in RUN if there(folder, name) and not unable(folder, name, _new(kept)))
        if not ready and not skipped:
            return None
        return HookRun(
            folder=str(scratch),
            hooks=ready,
            argv={name: self._argv(folder, name) for name in ready},
            env=self._env(plan),
            skipped=tuple(skipped),
        )

    def _argv(self, folder: Path, name: str) -> tuple[str, ...]:
        # Without --ignore-missing: a hook that is gone by then must not look like one that passed.
        program = self._repo.git.program or "git"
        rest = ("--", MESSAGE_FILE) if name == "commit-msg" else ()
        return (program, "-c", f"core.hooksPath={folder}", "hook", "run", name, *rest)

    def _env(self, plan: Frozen) -> dict[str, str]:
        given = self._gate_env()
        env = {name: value for name, value in given.items() if not name.startswith("GIT_") or name in _KEPT_GIT}
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (
                ("NAME", plan.author.name), ("EMAIL", plan.author.email), ("DATE", f"@{plan.when} {plan.zone}"),
            )
        }  # fmt: skip
        return env | who | {"GIT_EDITOR": ":"}


def _any(repo: Repository, plan: Frozen, place: HookPlace) -> bool:
    """False when it is certain without a checkout that there is nothing to run and nothing to say."""
    folder = Path(place.outside)
    if place.outside:
        return any(os.path.isfile(folder / name) for name in (*RUN, *NOT_RUN))
    return True


# -- the scratch repository


def _fill(repo: Repository, plan: Frozen, scratch: Path, kept: tuple[PlanPath, ...]) -> tuple[str, ...]:
    """Make the repository; the plan's paths whose bytes on disk are not what they must be. Raises GitFailed."""
    repo.git.check(["init", "--quiet", "--template=", str(scratch)])
    dot_git = scratch / ".git"
    objects = [str(Path(repo.workspace.common, "objects")), *map(str, object_folders(plan))]
    if any("\n" in path for path in objects):
        raise GitFailed("the path of the repository or of the state folder has a line break in it")
    (dot_git / "objects" / "info" / "alternates").write_text(
        "".join(f"{path}\n" for path in objects), "utf-8", "surrogateescape"
    )
    view = View(index=dot_git / "index", worktree=str(scratch), more=object_folders(plan))
    repo.out(view, "read-tree", plan.tree)
    if kept:
        entries = {bytes_of(one.path): Entry(one.old_mode, one.old_oid) for one in kept}
        repo.out(view, "update-index", "-z", "--index-info", stdin=index_info(entries))
    repo.out(view, "checkout-index", "--all", "--quiet", "-u", timeout=600)
    # On the plan's branch, as a commit would be: hooks ask for its name.
    repo.git.check(["symbolic-ref", "HEAD", plan.ref], env={"GIT_DIR": str(dot_git)})
    if plan.base:
        repo.git.check(["update-ref", "--no-deref", plan.ref, plan.base], env={"GIT_DIR": str(dot_git)})
    (dot_git / "COMMIT_EDITMSG").write_text(f"{plan.message}\n", "utf-8")
    linked = link_dependencies(repo, plan.worktree, scratch)
    _exclude(repo, dot_git, linked)
    return drifted(str(scratch), tuple(as_checked_out(plan.paths, kept)))


def as_checked_out(paths: Iterable[PlanPath], kept: tuple[PlanPath, ...]) -> Iterable[PlanPath]:
    """The plan's paths as the scratch repository holds them: the base's version of those that hooks depend on.

    Without submodules, which are empty folders there.
    """
    names = {one.path for one in kept}
    for one in paths:
        if GITLINK in (one.mode, one.old_mode):
            continue
        if one.path in names:
            yield PlanPath(
                path=one.path, old_mode=one.old_mode, old_oid=one.old_oid, mode=one.old_mode, oid=one.old_oid
            )  # fmt: skip
        else:
            yield one


def _exclude(repo: Repository, dot_git: Path, linked: Iterable[str]) -> None:
    """The operator's own list, and the linked folders: a pattern with a final slash does not cover a link."""
    try:
        own = Path(repo.workspace.common, "info", "exclude").read_bytes()[:MIB]
    except OSError:
        own = b""
    (dot_git / "info").mkdir(exist_ok=True)
    names = "".join(f"/{name}\n" for name in linked).encode()
    (dot_git / "info" / "exclude").write_bytes(own + b"\n" + names)


# -- the hooks themselves


def _in_dependencies(plan: Frozen, scratch: Path, place: HookPlace) -> bool:
    """True when the hooks are in a dependency folder that we linked ourselves."""
    top = place.inside.split("/")[0]
    return os.path.realpath(scratch / top) == os.path.join(os.path.realpath(plan.worktree), top)


def _hooks_folder(repo: Repository, plan: Frozen, place: HookPlace, into: Path) -> Path:
    """The absolute folder for core.hooksPath, filled with what the base (or the operator) has there."""
    if place.inside:
        _bring_untracked(repo, plan, place, into / "repo")
        return into / "repo" / place.inside
    return _without_links(place, into)


def _without_links(place: HookPlace, into: Path) -> Path:
    """A hook that is a link into a worktree is that worktree's file: the scratch checkout's is to run instead."""
    folder = Path(place.outside)
    if not place.links:
        return folder
    own = into / "hooks"
    own.mkdir(mode=0o700)
    for name in os.listdir(folder):
        inside = place.links.get(name)
        (own / name).symlink_to(into / "repo" / inside if inside else folder / name)
    return own


def _bring_untracked(repo: Repository, plan: Frozen, place: HookPlace, scratch: Path) -> None:
    """Copy what git does not track of the hooks folder: all of one that the base does not know, else what is ignored.

    From the plan's worktree, or from the main one: hooks are installed once a clone, linked worktrees do without.
    """
    sources = [os.path.realpath(tree) for tree in (plan.worktree, repo.workspace.root)]
    source = next((tree for tree in sources if _plain_folder(tree, place.inside)), "")
    if not source or place.inside == "." or led_away(scratch, place.inside):
        return
    tracked = os.path.lexists(scratch / place.root)
    top = place.root if tracked else place.inside
    planned = {one.path for one in plan.paths}
    plain = [name for name in _files(source, top) if text_of(os.fsencode(name)) == name and name not in planned]
    names = [name for name in plain if not os.path.lexists(scratch / name)]
    if tracked:
        names = ignored(repo, source, names)
    with opened(source) as root:
        for name in names:
            found = read_path(root, name)
            if isinstance(found, Content) and not led_away(scratch, os.path.dirname(name)):
                _write(scratch / name, found)


def _write(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if content.mode == LINK:
        path.symlink_to(os.fsdecode(content.body))
    else:
        path.write_bytes(content.body)
        path.chmod(0o755 if content.mode == "100755" else 0o644)


def led_away(scratch: Path, inside: str) -> bool:
    """True when a link in the checkout leads out of it on the way to this path: it may be the plan's."""
    return not below(os.path.realpath(scratch / inside), os.path.realpath(scratch))


def _plain_folder(root: str, inside: str) -> bool:
    """No link on the way: it would lead to files that nobody called hooks."""
    path = os.path.join(root, inside)
    return os.path.isdir(path) and os.path.realpath(path) == os.path.normpath(path)


def _files(root: str, top: str) -> list[str]:
    """Files and links below a folder, relative to `root`. Raises GitFailed when there are too many to copy."""
    found: list[str] = []
    size = 0
    for folder, folders, files in os.walk(os.path.join(root, top)):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        for name in files:
            path = os.path.join(folder, name)
            if os.path.isfile(path) or os.path.islink(path):
                size += os.lstat(path).st_size
                found.append(os.path.relpath(path, root))
        if len(found) > COPIED_AT_MOST or size > COPIED_BYTES:
            raise GitFailed(
                f"the hooks folder {shown(top)} holds more than {COPIED_AT_MOST} files or {COPIED_BYTES // MIB} MiB"
            )
    return found


# -- what does not run, and why


def _new(kept: tuple[PlanPath, ...]) -> tuple[PlanPath, ...]:
    return tuple(one for one in kept if not one.old_oid)


def _not_run(folder: Path, kept: tuple[PlanPath, ...]) -> Iterable[str]:
    for name in RUN:
        if there(folder, name):
            if why := unable(folder, name, _new(kept)):
                yield f"{name}: {why}"
        elif not_executable(folder, name):
            yield f"{name}: it is not executable, so git does not run it"
    if names := [name for name in NOT_RUN if there(folder, name)]:
        yield f"{', '.join(names)}: not run for plans"


def _changed(plan: Frozen, place: HookPlace, kept: tuple[PlanPath, ...], folder: Path) -> Iterable[str]:
    ran = "the base's version ran" if any(there(folder, name) for name in RUN) else "no hook of the base ran"
    if kept:
        yield f"hook files: the plan changes {_some([one.path for one in kept])}; {ran}"
    if others := [name for name in plan.others if place.covers(name.rstrip("/"))]:
        yield f"hook files: the worktree has other versions of {_some(others)}; {ran}"
    if place.inside and not folder.is_dir():
        yield f"hook files: core.hooksPath is {shown(place.configured)}, and the base has no such folder: no hook ran"


def _some(names: Iterable[str]) -> str:
    every = [shown(name) for name in names]
    more = len(every) - _NAMED_AT_MOST
    return ", ".join(every[:_NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
