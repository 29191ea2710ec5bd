"""Undoing an approval, and who commits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, frozen, refused

from console.adapters.git.commits import PlainGit
from console.core.records import Frozen, Identity
from console.engine.ports import Landed


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def landed(git: PlainGit, plan: Frozen) -> Landed:
    result = git.land(plan)
    assert isinstance(result, Landed), result
    return result


def status(repo: Repo, cwd: Path | None = None) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z", cwd=cwd).split(b"\0")) - {b""}


def plan_of_a(repo: Repo, git: PlainGit) -> Frozen:
    repo.write("a.txt", "approved\n")
    return frozen(git, repo.root, "a.txt")


def test_undo_puts_the_branch_and_the_index_back(repo: Repo) -> None:
    git = repo.plain()
    repo.git("branch", "unrelated")
    repo.write("other.txt", "operator's staged\n")
    repo.git("add", "other.txt")
    repo.write("a.txt", "approved\n")
    repo.write("new.txt", "approved\n")
    before = status(repo)
    plan = frozen(git, repo.root, "a.txt", "new.txt")
    landed(git, plan)
    assert git.undo(plan) == Landed(commit=plan.base)
    assert repo.line("rev-parse", "main") == plan.base
    assert (repo.root / "a.txt").read_text() == "approved\n"
    assert status(repo) == before
    assert git.undo(plan) == Landed(commit=plan.base)
    assert not git.landed(plan) and git.moved(plan) is None
    landed(git, plan)


def test_undo_leaves_what_was_staged_since(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    landed(git, plan)
    repo.write("a.txt", "staged since\n")
    repo.git("add", "a.txt")
    undone = git.undo(plan)
    assert isinstance(undone, Landed) and "a.txt were staged differently" in undone.index_note
    assert repo.git("show", ":a.txt") == b"staged since\n"


@pytest.mark.parametrize("holder", ["branch", "tag", "remote", "detached", "later"])
def test_undo_is_refused_when_something_else_holds_the_commit(repo: Repo, tmp_path: Path, holder: str) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    landed(git, plan)
    match holder:
        case "branch":
            repo.git("branch", "keeper")
        case "tag":
            repo.git("tag", "-a", "-m", "x", "v1")
        case "remote":
            repo.git("update-ref", "refs/remotes/origin/main", plan.commit)
        case "detached":
            repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "loose"))
        case "later":
            repo.write("b.txt", "x\n")
            repo.commit("later")
    tip = repo.line("rev-parse", "main")
    named = {"branch": "keeper", "tag": "v1", "remote": "origin/main", "detached": "loose", "later": tip[:10]}
    reason = refused(git.undo(plan)).reason
    assert named[holder] in reason and "git revert" in reason
    assert repo.line("rev-parse", "main") == tip


def test_undo_of_what_never_landed(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    repo.git("commit", "-q", "--allow-empty", "-m", "other")
    assert "nothing to undo" in refused(git.undo(plan)).reason


# -- who commits


def test_identity_is_the_operators_own(repo: Repo) -> None:
    repo.git("config", "user.name", "Agent Written")
    assert repo.plain().identity() == Identity(name="Ada Operator", email="ada@example.com")
    (repo.home / "work").write_text("[user]\n email = ada@work.example\n")
    repo.git("config", "--global", f"includeIf.gitdir:{repo.root}/.path", str(repo.home / "work"))
    assert repo.plain().identity() == Identity(name="Ada Operator", email="ada@work.example")


def test_identity_falls_back_or_names_the_cure(repo: Repo) -> None:
    (repo.home / ".gitconfig").write_text("")
    git = repo.plain()
    reason = refused(git.identity()).reason
    assert "git config --global user.name" in reason and "user.email" in reason
    repo.git("config", "user.name", "Local")
    assert "user.name" not in refused(git.identity()).reason
    repo.git("config", "user.email", "local@example.com")
    assert git.identity() == Identity(name="Local", email="local@example.com")


def test_identity_honours_the_operators_configuration_file(repo: Repo, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("[user]\n name = Else\n email = else@example.com\n")
    environ = repo.environ | {"GIT_CONFIG_GLOBAL": str(elsewhere)}
    git = PlainGit(repo.workspace(), repo.state, repo.data, environ)
    assert git.identity() == Identity(name="Else", email="else@example.com")
    assert os.path.isdir(repo.state)
