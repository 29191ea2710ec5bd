"""A real temporary repository with a home of its own, driven by plain git as an operator or an agent would."""

from __future__ import annotations

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.commits import PlainGit
from console.adapters.git.worktrees import discover
from console.core.records import Frozen, Identity, Refused
from console.engine.ports import FreezeRequest, TurnBase, Workspace, Worktree

AUTHOR = Identity(name="Ada Operator", email="ada@example.com")
WHEN = 1_700_000_000


@dataclass(frozen=True)
class Repo:
    root: Path
    home: Path
    state: Path
    data: Path

    @property
    def environ(self) -> dict[str, str]:
        # Without the machine's own configuration, which may bring filters along.
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}

    @classmethod
    def make(cls, place: Path, *init: str) -> Repo:
        root, home = place / "shop", place / "home"
        root.mkdir()
        home.mkdir()
        repo = cls(Path(os.path.realpath(root)), home, place / "state", place / "data")
        (home / ".gitconfig").write_text(
            "[user]\n name = Ada Operator\n email = ada@example.com\n[init]\n defaultBranch = main\n"
        )
        repo.git("init", "-q", *init)
        return repo

    @classmethod
    def with_files(cls, place: Path, *init: str) -> Repo:
        repo = cls.make(place, *init)
        repo.write("a.txt", "one\ntwo\nthree\n")
        repo.write("src/app.py", "print('hello')\n")
        repo.write("other.txt", "other\n")
        repo.write(".gitignore", "*.log\nnode_modules/\n")
        repo.commit("first")
        return repo

    def git(self, *args: str, cwd: Path | None = None, stdin: bytes | None = None, ok: bool = True) -> bytes:
        ran = subprocess.run(
            ["git", *args], cwd=cwd or self.root, input=stdin, capture_output=True, env=self.environ, check=False
        )
        assert ran.returncode == 0 or not ok, ran.stderr.decode()
        return ran.stdout

    def line(self, *args: str, cwd: Path | None = None) -> str:
        return self.git(*args, cwd=cwd).decode().strip()

    def commit(self, message: str, cwd: Path | None = None) -> str:
        self.git("add", "-A", cwd=cwd)
        self.git("commit", "-q", "-m", message, cwd=cwd)
        return self.line("rev-parse", "HEAD", cwd=cwd)

    def write(self, name: str, text: str | bytes, cwd: Path | None = None) -> Path:
        path = (cwd or self.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def workspace(self) -> Workspace:
        found = discover(self.root, self.environ)
        assert isinstance(found, Workspace), found
        return found

    def plain(self) -> PlainGit:
        return PlainGit(self.workspace(), self.state, self.data, self.environ)


def request(
    git: PlainGit, worktree: Path, *paths: str, base: TurnBase | None = None, message: str = "work"
) -> FreezeRequest:
    now = base or git.turn_base(str(worktree))
    assert isinstance(now, TurnBase), now
    return FreezeRequest(
        worktree=str(worktree), paths=paths, message=message, base=now, author=AUTHOR, when=WHEN, zone="+0100"
    )


def frozen(git: PlainGit, worktree: Path, *paths: str, base: TurnBase | None = None, message: str = "work") -> Frozen:
    plan = git.freeze(request(git, worktree, *paths, base=base, message=message))
    assert isinstance(plan, Frozen), plan
    return plan


def refused(result: object) -> Refused:
    assert isinstance(result, Refused), result
    return result


def added(git: PlainGit, name: str, branch: str) -> Worktree:
    worktree = git.add_worktree(name, branch)
    assert isinstance(worktree, Worktree), worktree
    return worktree


def canary(folder: Path, name: str) -> tuple[Path, Path]:
    """(a program, the mark it leaves when anybody runs it). It passes stdin on, as a filter would."""
    program, mark = folder / f"{name}.sh", folder / f"{name}.ran"
    program.write_text(
        f"#!/bin/sh\n: > '{mark}'\ncase \"$0\" in *fsmonitor*) printf '\\0/\\0';; *) cat 2>/dev/null;; esac\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program, mark
