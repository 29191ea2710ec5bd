"""Ignored files that a project needs, copied from the main worktree into a ticket's and nowhere else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from gitrepo import Repo, refused

from console.adapters.git import including
from console.adapters.git.commits import PlainGit
from console.engine.ports import Worktree


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo.with_files(tmp_path)
    repo.write(".gitignore", "*.log\nnode_modules/\n.env*\nlocal/\n")
    repo.commit("ignores")
    repo.write(".env", "SECRET=1\n").chmod(0o600)
    return repo


@pytest.fixture
def git(repo: Repo) -> PlainGit:
    return repo.plain()


@pytest.fixture
def place(git: PlainGit) -> Path:
    made = git.ticket_worktree("T-1", "nightdesk/T-1")
    assert isinstance(made, Worktree), made
    return Path(made.path)


def test_what_matches_is_copied_with_its_mode(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write("local/deep/run.sh", "#!/bin/sh\n").chmod(0o750)
    repo.write("local/other.txt", "x\n")
    repo.write("pkg/.env", "DEEP=1\n")
    assert git.include(str(place), (".env", "local/**/*.sh")) == (".env", "local/deep/run.sh", "pkg/.env")
    assert (place / ".env").read_text() == "SECRET=1\n"
    assert stat.S_IMODE((place / ".env").stat().st_mode) == 0o600
    assert stat.S_IMODE((place / "local/deep/run.sh").stat().st_mode) == 0o750
    assert not (place / "local/other.txt").exists()
    assert repo.git("status", "--porcelain", cwd=place) == b""
    assert git.include(str(place), (".env", "local/**/*.sh")) == ()


def test_anchored_folder_and_negated_patterns_are_as_in_gitignore(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write("pkg/.env", "DEEP=1\n")
    repo.write("local/one", "1\n")
    repo.write("local/two", "2\n")
    assert git.include(str(place), ("/.env", "local/*", "!local/two")) == (".env", "local/one")


def test_tracked_and_merely_untracked_files_are_not(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write("a.txt", "changed here\n")
    repo.write("untracked.txt", "x\n")
    assert git.include(str(place), ("*.txt",)) == ()
    assert not (place / "untracked.txt").exists() and (place / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_nothing_is_overwritten(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write(".env", "OWN=1\n", cwd=place)
    (place / ".env.local").symlink_to("/nowhere/at/all")
    repo.write(".env.local", "x\n")
    assert git.include(str(place), (".env*",)) == ()
    assert (place / ".env").read_text() == "OWN=1\n" and (place / ".env.local").is_symlink()


def test_no_link_is_followed_on_either_side(repo: Repo, git: PlainGit, place: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "key").write_text("private\n")
    (repo.root / ".env.link").symlink_to(outside / "key")
    (repo.root / "local").symlink_to(outside)
    repo.write("logs.log/in.log", "x\n")
    (place / "logs.log").symlink_to(outside)
    os.mkfifo(repo.root / ".env.pipe")
    assert git.include(str(place), (".env.link", "local/*", "*.log", ".env.pipe")) == ()
    assert sorted(one.name for one in outside.iterdir()) == ["key"]
    assert not os.path.lexists(place / ".env.link") and not os.path.lexists(place / "local")


def test_installed_dependencies_are_not_searched_unless_named(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write("node_modules/pkg/.env", "x\n")
    assert git.include(str(place), (".env",)) == (".env",)
    assert not (place / "node_modules").exists()
    assert git.include(str(place), ("node_modules/pkg/.env",)) == ("node_modules/pkg/.env",)


def test_what_the_worktree_would_commit_is_refused(repo: Repo, git: PlainGit, place: Path) -> None:
    repo.write(".gitignore", "*.log\nnode_modules/\n.env*\nlocal/\nfresh.key\n")
    repo.write("fresh.key", "secret\n")
    result = refused(git.include(str(place), ("fresh.key",)))
    assert "fresh.key" in result.reason and "commit the .gitignore" in result.reason
    assert not (place / "fresh.key").exists()


def test_too_large_is_refused_by_name_before_anything_is_copied(
    repo: Repo, git: PlainGit, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(".env.big", b"x" * (including.EACH + 1))
    result = refused(git.include(str(place), (".env*",)))
    assert ".env.big" in result.reason and "10 MiB" in result.reason
    assert not (place / ".env").exists()
    (repo.root / ".env.big").unlink()
    monkeypatch.setattr(including, "ALL", 5)
    assert "more than" in refused(git.include(str(place), (".env*",))).reason


def test_an_interrupted_copy_leaves_nothing_behind(repo: Repo, git: PlainGit, place: Path) -> None:
    assert git.include(str(place), (".env",)) == (".env",)
    (place / ".nightdesk-include.part").write_text("half")
    assert git.include(str(place), (".env",)) == ()
    assert not (place / ".nightdesk-include.part").exists()


def test_no_pattern_no_copy(git: PlainGit, place: Path, repo: Repo) -> None:
    assert git.include(str(place), ()) == ()
    assert git.include(str(place), ("",)) == ()
    assert git.include(str(repo.root), (".env",)) == ()
