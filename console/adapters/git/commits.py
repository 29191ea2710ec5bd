"""Plans over plain git: the one object the supervisor is given for everything that touches a repository.

Each operation lives in its own room; here a git that cannot answer becomes a refusal where the result can say so.
Every call blocks; several threads may call at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from console.adapters.git.attributes import trusted
from console.adapters.git.behind import behind
from console.adapters.git.binary import GitBinary, GitFailed, shown
from console.adapters.git.building import object_folders
from console.adapters.git.changes import changed_inside, changed_paths, listed
from console.adapters.git.checkouts import checkout, checkout_commit, unlike_checkout
from console.adapters.git.contents import contents, diff
from console.adapters.git.freezing import freeze
from console.adapters.git.including import copy, include, matching
from console.adapters.git.landing import land, landed, moved, stays, undo
from console.adapters.git.objects import tree_entries
from console.adapters.git.reading import changed_since
from console.adapters.git.rebasing import rebase
from console.adapters.git.removing import Doomed, Held, Removed, doomed, owned, remove_worktree
from console.adapters.git.shadow import Repository, View
from console.adapters.git.stacking import stack
from console.adapters.git.surroundings import place, uncommitted
from console.adapters.git.ticketwork import ticket_worktree
from console.adapters.git.worktrees import add_worktree, linked_git_dirs, list_worktrees, worktree_of
from console.adapters.git.writeback import unlike_base, write_back
from console.core.paths import bytes_of
from console.core.records import Frozen, Identity, Refused
from console.engine.ports import Behind, FileChange, FreezeRequest, Landed, Moved, TurnBase, Workspace, Worktree

Result = TypeVar("Result")


class PlainGit:
    """`console.engine.ports.Git` for one workspace.

    state_dir: the workspace's state folder (shadow git dir, plan stores, private indexes); data_dir: where new
    worktrees go. Operations whose result cannot be `Refused` raise GitFailed when git cannot answer.
    """

    def __init__(
        self, workspace: Workspace, state_dir: Path, data_dir: Path, environ: Mapping[str, str] | None = None
    ) -> None:
        given = dict(os.environ if environ is None else environ)
        self._data = Path(os.path.realpath(data_dir))
        trees = (workspace.root, str(self._data), *(folder for _, folder in linked_git_dirs(workspace.common)))
        self._repo = Repository(workspace, Path(os.path.realpath(state_dir)), GitBinary(given, trees), given)
        self._repo.prepare()

    @property
    def repository(self) -> Repository:
        """For the other rooms that ask the same git dirs."""
        return self._repo

    # -- worktrees

    def worktrees(self) -> tuple[Worktree, ...]:
        return tuple(list_worktrees(self._repo))

    def worktree_of(self, path: str) -> Worktree | None:
        return worktree_of(self._repo, path)

    def add_worktree(self, name: str, branch: str, base: str = "") -> Worktree | Refused:
        return _refusing(lambda: add_worktree(self._repo, self._data, name, branch, base))

    def ticket_worktree(self, name: str, branch: str, base: str = "") -> Worktree | Refused:
        return _refusing(lambda: ticket_worktree(self._repo, self._data, name, branch, base))

    def stack(self, worktree: str, plan: Frozen) -> Refused | None:
        return _refusing(lambda: stack(self._repo, worktree, plan))

    def include(self, worktree: str, patterns: tuple[str, ...]) -> tuple[str, ...] | Refused:
        return _refusing(lambda: include(self._repo, worktree, patterns))

    def merged(self, commit: str) -> bool:
        head = self._repo.value("HEAD")
        return bool(head) and (head == commit or self._repo.ancestor(commit, head))

    def place(self, commit: str) -> str:
        return place(self._repo, commit)

    def uncommitted(self, limit: int = 50) -> tuple[str, ...]:
        return uncommitted(self._repo, limit)

    def owned(self) -> list[str]:
        """Folders of worktrees that nightdesk made."""
        return owned(self._repo, self._data)

    def doomed(self, path: str, held: tuple[Held, ...] = ()) -> Doomed | Refused:
        """What removing a worktree of ours would take; see `removing.doomed`."""
        return _refusing(lambda: doomed(self._repo, self._data, path, held))

    def remove_worktree(
        self, path: str, held: tuple[Held, ...] = (), *, force: bool = False, branch: bool = False
    ) -> Removed | Refused:
        """Remove a worktree of ours; see `removing.remove_worktree`."""
        return _refusing(lambda: remove_worktree(self._repo, self._data, path, held, force=force, branch=branch))

    # -- plans

    def turn_base(self, worktree: str) -> TurnBase | Refused:
        git_dir = self._repo.git_dir_of(worktree)
        if not git_dir:
            return Refused(reason=f"{shown(worktree)} is no worktree of {shown(self._repo.workspace.root)}")
        return _refusing(lambda: self._turn_base(git_dir))

    def _turn_base(self, git_dir: str) -> TurnBase:
        return TurnBase(ref=self._repo.head(git_dir), head=self._repo.value("HEAD", git_dir))

    def freeze(self, request: FreezeRequest) -> Frozen | Refused:
        return _refusing(lambda: freeze(self._repo, request))

    def rebase(self, plan: Frozen, onto: str, when: int) -> Frozen | Refused:
        return _refusing(lambda: rebase(self._repo, plan, onto, when))

    def moved(self, plan: Frozen) -> Moved | None:
        return moved(self._repo, plan)

    def behind(self, plan: Frozen) -> Behind | None:
        """How far its branch has moved, for a person who looks at it; None where it has not, or git cannot tell."""
        return behind(self._repo, plan)

    def drift(self, plan: Frozen) -> tuple[str, ...]:
        return changed_since(plan.worktree, plan.paths)

    def diff(self, plan: Frozen) -> bytes:
        """Exactly what landing changes, as a unified diff with full ids; "Binary files differ" for binaries."""
        return diff(self._repo, plan)

    def contents(self, plan: Frozen) -> tuple[FileChange, ...]:
        """Both versions of every path, from the sealed store; each is proved by its id."""
        return contents(self._repo, plan)

    def checkout(self, plan: Frozen, into: Path) -> Refused | None:
        return _refusing(lambda: checkout(self._repo, plan, into))

    def checkout_commit(
        self, commit: str, stores: tuple[str, ...], worktree: str, into: Path, include: tuple[str, ...] = ()
    ) -> Refused | None:
        return _refusing(lambda: self._checkout_commit(commit, stores, worktree, into, include))

    def _checkout_commit(
        self, commit: str, stores: tuple[str, ...], worktree: str, into: Path, patterns: tuple[str, ...]
    ) -> Refused | None:
        if refused := checkout_commit(self._repo, commit, stores, worktree, into):
            return refused
        main = self._repo.workspace.root  # what an agent made of its own copies is not what was asked for
        copied = copy(main, str(into), matching(self._repo, main, patterns))
        return copied if isinstance(copied, Refused) else None

    def same_bytes(self, plan: Frozen) -> tuple[str, ...]:
        """() when the worktree is a checkout of the plan's tree, ignored files apart. The plan's own paths are read
        anew; for the others file stats are trusted, as git does."""
        folders = object_folders(plan)
        files = tree_entries(self._repo, View(more=folders), plan.base)
        rules = trusted(self._repo, files, View(more=folders))
        differing = set(changed_paths(self._repo, plan.worktree, plan.tree, rules, folders, sparse=False))
        differing |= {bytes_of(path) for path in (*self.drift(plan), *unlike_checkout(self._repo, plan))}
        return listed(differing | changed_inside(self._repo, plan.worktree, files))

    def land(self, plan: Frozen) -> Landed | Moved | Refused:
        return _refusing(lambda: land(self._repo, plan))

    def landed(self, plan: Frozen) -> bool:
        return landed(self._repo, plan)

    def stays(self, plan: Frozen) -> str:
        """Why `undo` would refuse as things are, for a person who is about to ask for it; "" when it would not."""
        refused = _refusing(lambda: stays(self._repo, plan))
        return refused.reason if refused else ""

    def undo(self, plan: Frozen) -> Landed | Refused:
        return _refusing(lambda: undo(self._repo, plan))

    def write_back(self, plan: Frozen) -> tuple[str, ...] | Refused:
        return _refusing(lambda: write_back(self._repo, plan))

    def unlike_base(self, plan: Frozen) -> tuple[str, ...]:
        return unlike_base(self._repo, plan)

    def identity(self) -> Identity | Refused:
        """The operator's own identity for this repository; the repository's local one only when there is none."""
        return _refusing(self._identity)

    def _identity(self) -> Identity | Refused:
        settings = self._repo.operator_settings()
        name = (settings.name or settings.local_name).strip()
        email = (settings.email or settings.local_email).strip()
        cures = [] if name else ['git config --global user.name "Your Name"']
        cures += [] if email else ["git config --global user.email you@example.com"]
        if cures:
            return Refused(reason=f"git does not know who commits: {' && '.join(f'`{cure}`' for cure in cures)}")
        return Identity(name=name, email=email)


def _refusing(work: Callable[[], Result]) -> Result | Refused:
    """The result, or the reason why git could not give one."""
    try:
        return work()
    except GitFailed as failed:
        return Refused(reason=failed.reason)
    except OSError as error:
        return Refused(reason=f"{shown(str(error.filename or 'a file'))}: {error.strerror or error}")
