"""Which git dir is asked for what: our own shadow for all computing, the operator's real one for a few verbs.

The shadow is a bare git dir in the state folder with its own configuration, no hooks and attributes that switch
every filter off; it borrows the real objects. The real configuration is therefore never applied to content.
Real verbs: symbolic-ref, rev-parse, for-each-ref, worktree add, merge-base, index-pack, cat-file, update-ref, config.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from console.adapters.git.binary import GitBinary, GitFailed, How, Ran, shown
from console.adapters.git.ourfiles import link_to, quoted, rename_new, write_whole
from console.adapters.git.plainfiles import is_file, read_small
from console.engine.ports import Workspace

RAW = "* -text -eol -ident -filter -working-tree-encoding !merge !diff\n"
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
NO_COMMIT = "0" * 40
PATIENCE = 20.0
"""Seconds for a question that git answers at once, unless a file that it reads never ends (a fifo that is included)."""
_QUESTIONS = ("rev-parse", "symbolic-ref", "for-each-ref", "merge-base", "config", "check-ref-format", "update-ref")
OPERATIONS = (
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase or am"),
    ("sequencer", "a series of picks"),
    ("BISECT_LOG", "a bisection"),
)
_BROKEN = re.compile(
    rb"bad (config|numeric|boolean)|unknown repository extension|unknown ref storage|repo version|include depth|"
    rb"unable to access '[^']*config|invalid value for '|read config file|parse config|core\.bare and core\.worktree"
)


@dataclass(frozen=True, slots=True)
class View:
    """What one shadow call sees.

    store: where new objects go ("": the shadow's own). sealed: that store alone, nothing borrowed. more: further
    object folders. index, worktree: as GIT_INDEX_FILE and GIT_WORK_TREE. attributes: let .gitattributes count.
    """

    store: Path | None = None
    sealed: bool = False
    more: tuple[Path, ...] = ()
    index: Path | None = None
    worktree: str = ""
    attributes: bool = False


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """What the operator's own git configuration says; `local_*` come from the repository (agent-writable)."""

    name: str = ""
    email: str = ""
    local_name: str = ""
    local_email: str = ""
    excludes: str = ""
    attributes: str = ""
    autocrlf: str = ""


@dataclass(frozen=True)
class Repository:
    """One workspace's git, real and shadow. No state of its own but folders; safe from several threads."""

    workspace: Workspace
    state: Path
    git: GitBinary
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def shadow_dir(self) -> Path:
        return self.state / "shadow.git"

    @property
    def attributes_dir(self) -> Path:
        return self.state / "attributes.git"

    def prepare(self) -> None:
        """Create or refresh our folders (0700). Idempotent, safe against a second process doing the same."""
        for folder in (self.state, self.state / "tmp", self.state / "plans", self.state / "indexes"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = Path(self.workspace.common, "info")
        self._make(self.shadow_dir, Path(self.workspace.common, "objects"))
        write_whole(self.shadow_dir / "info" / "attributes", RAW.encode())
        link_to(info / "exclude", self.shadow_dir / "info" / "exclude")
        self._make(self.attributes_dir, self.shadow_dir / "objects")
        link_to(info / "attributes", self.attributes_dir / "info" / "attributes")

    def _make(self, place: Path, objects: Path) -> None:
        if not place.exists():
            with self.scratch() as room:
                self.git.check(["init", "--bare", "--quiet", "--template=", str(room / "new.git")])
                with contextlib.suppress(FileExistsError):
                    rename_new(room / "new.git", place)
        for folder in ("info", "objects/info"):
            (place / folder).mkdir(parents=True, exist_ok=True)
        write_whole(place / "objects" / "info" / "alternates", quoted(objects) + b"\n")

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        """A private folder on the state folder's own file system, gone afterwards."""
        with tempfile.TemporaryDirectory(dir=self.state / "tmp", ignore_cleanup_errors=True) as name:
            yield Path(name)

    # -- the real git dir

    def real(self, *args: str, git_dir: str = "", **how: Unpack[How]) -> Ran:
        """Ask the operator's git dir (default: the shared one); any exit status is a result.

        Where the tree and the shared git dir are is said by us, whatever its configuration says. One that stops git is
        explained in the result's `err`. Raises GitFailed when a `commondir` would send git to other refs.
        """
        self._must_be_plain(git_dir)
        if args[0] in _QUESTIONS:
            how = {"timeout": PATIENCE, **how}
        env = {"GIT_DIR": git_dir or self.workspace.common, **self._places()}
        ran = self.git.run(args, **_with(how, env, self.workspace.root))
        if ran.code == 128 and _BROKEN.search(ran.err):
            return Ran(ran.code, ran.out, os.fsencode(self._broken(ran.complaint().removeprefix("fatal: "))))
        return ran

    def real_out(self, *args: str, git_dir: str = "", **how: Unpack[How]) -> bytes:
        """Like `real`; raises GitFailed unless git exits 0."""
        ran = self.real(*args, git_dir=git_dir, **how)
        if ran.code != 0:
            raise GitFailed(f"git {args[0]}: {ran.complaint()}")
        return ran.out

    def _must_be_plain(self, git_dir: str) -> None:
        """Git looks for refs where `commondir` says, and waits for ever where a file is a fifo."""
        common = self.workspace.common
        config = os.path.join(common, "config")
        if os.path.exists(config) and not is_file(config):
            raise GitFailed(self._broken("it is no regular file"))
        pointer = os.path.join(git_dir or common, "commondir")
        if git_dir in ("", common):
            wrong = os.path.lexists(pointer)
        else:
            target = os.fsdecode((read_small(pointer) or b"").rstrip(b"\r\n").replace(b"\0", b""))
            wrong = os.path.realpath(os.path.join(git_dir, target)) != common
        if wrong:
            raise GitFailed(
                f"{shown(pointer)} sends git to another repository's refs: nothing was touched; somebody put it there, "
                "move it away or restore it where the change of the git dir is shown"
            )

    def _places(self) -> dict[str, str]:
        return {"GIT_COMMON_DIR": self.workspace.common, "GIT_WORK_TREE": self.workspace.root}

    def _broken(self, words: str) -> str:
        config = os.path.join(self.workspace.common, "config")
        return (
            f"git stops at this repository's configuration ({words[:300]}); nothing is lost, no commit and no file is "
            f"touched: mend it with `cd / && git config --file {shlex.quote(shown(config))} --edit`, or restore it "
            "where the change of the git dir is shown"
        )

    def value(self, ref: str, git_dir: str = "") -> str:
        """The commit a full ref name points at, "" when there is none. Raises GitFailed when git cannot tell."""
        name = f"{ref}^{{commit}}"
        return self._answer("rev-parse", "--quiet", "--verify", "--end-of-options", name, git_dir=git_dir)

    def head(self, git_dir: str) -> str:
        """The full ref name HEAD finally stands for, "" when detached. Raises GitFailed when git cannot tell."""
        return self._answer("symbolic-ref", "--quiet", "HEAD", git_dir=git_dir)

    def _answer(self, *args: str, git_dir: str) -> str:
        """One line of a `--quiet` question: exit 1 means no, anything above is no answer at all."""
        ran = self.real(*args, git_dir=git_dir)
        if ran.code not in (0, 1):
            raise GitFailed(f"git {args[0]}: {ran.complaint()}")
        return os.fsdecode(ran.out).rstrip("\n") if ran.code == 0 else ""

    def ancestor(self, old: str, new: str) -> bool:
        """True when `new` descends from `old` or is it; False too when one of them is not in the repository."""
        return self.real("merge-base", "--is-ancestor", old, new).code == 0

    def git_dir_of(self, worktree: str) -> str:
        """The worktree's own git dir ("" when it is not ours), found from the shared side: a `.git` file in the
        worktree is the agent's to rewrite."""
        if os.path.realpath(worktree) == self.workspace.root:
            return self.workspace.common
        entries = Path(self.workspace.common, "worktrees")
        for entry in sorted(entries.iterdir()) if entries.is_dir() else ():
            dot_git = (read_small(str(entry / "gitdir")) or b"").rstrip(b"\n")
            if dot_git and b"\0" not in dot_git:
                place = os.path.dirname(os.path.join(entry, os.fsdecode(dot_git)))
                if os.path.realpath(place) == os.path.realpath(worktree):
                    return str(entry)
        return ""

    def operation(self, git_dir: str) -> str:
        """What is under way in a worktree ("a merge", ...), "" when nothing."""
        return next((what for name, what in OPERATIONS if os.path.lexists(os.path.join(git_dir, name))), "")

    def operator_settings(self) -> OperatorSettings:
        """The operator's identity and content settings, includes and conditional includes resolved for this repo.

        A local configuration that cannot be read leaves the operator's own, and `local_*` empty.
        """
        own: dict[str, str] = {}
        local: dict[str, str] = {}
        fields = os.fsdecode(self._settings_output()).split("\0")
        for scope, item in zip(fields[::2], fields[1::2], strict=False):
            key, _, value = item.partition("\n")
            if scope != "command":
                (own if scope in ("global", "system") else local)[key] = value
        return OperatorSettings(
            name=own.get("user.name", ""),
            email=own.get("user.email", ""),
            local_name=local.get("user.name", ""),
            local_email=local.get("user.email", ""),
            excludes=self._own_file(own.get("core.excludesfile"), "ignore"),
            attributes=self._own_file(own.get("core.attributesfile"), "attributes"),
            autocrlf=local.get("core.autocrlf", own.get("core.autocrlf", "")).lower(),
        )

    def _settings_output(self) -> bytes:
        wanted = r"^(user\.(name|email)|core\.(excludesfile|attributesfile|autocrlf))$"
        args = ("config", "--show-scope", "--includes", "-z", "--get-regexp", wanted)
        with contextlib.suppress(GitFailed):
            ran = self.real(*args, operator=True)
            if ran.code in (0, 1):
                return ran.out
        # The local settings then come from the shadow, the place by which conditional includes are chosen stays.
        env = {"GIT_DIR": self.workspace.common, "GIT_COMMON_DIR": str(self.shadow_dir)}
        ran = self.git.run(args, env=env, operator=True, timeout=PATIENCE)
        if ran.code not in (0, 1):
            raise GitFailed(f"your own git configuration cannot be read: {ran.complaint()}")
        return ran.out

    def _own_file(self, named: str | None, default: str) -> str:
        home = self.environ.get("HOME", "/")
        if named is None:
            settings = self.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
            return os.path.join(settings, "git", default)
        return os.path.join(home, named[2:]) if named.startswith("~/") else named

    # -- the shadow

    def ran(self, view: View, *args: str, **how: Unpack[How]) -> Ran:
        """Compute in the shadow; any exit status is a result."""
        return self.git.run(args, **_with(how, self._environment(view), view.worktree or str(self.shadow_dir)))

    def out(self, view: View, *args: str, **how: Unpack[How]) -> bytes:
        """Like `ran`; raises GitFailed unless git exits 0."""
        return self.git.check(args, **_with(how, self._environment(view), view.worktree or str(self.shadow_dir)))

    def _environment(self, view: View) -> dict[str, str]:
        env = {"GIT_DIR": str(self.attributes_dir if view.attributes else self.shadow_dir)}
        if view.worktree:
            env["GIT_WORK_TREE"] = view.worktree
        if view.index:
            env["GIT_INDEX_FILE"] = str(view.index)
        borrowed = list(view.more)
        if view.store:
            env["GIT_OBJECT_DIRECTORY"] = str(view.store)
            borrowed += [] if view.sealed else [self.shadow_dir / "objects"]
        if borrowed:
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(os.fsdecode(quoted(one)) for one in borrowed)
        return env


def _with(how: How, env: Mapping[str, str], cwd: str) -> How:
    made: How = {"cwd": cwd, **how}
    made["env"] = {**env, **how.get("env", {})}
    return made
