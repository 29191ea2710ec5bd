"""Linked worktrees, links in the place of refs, and a restore that names everything it leaves."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from gitrepo import Repo, added, refused
from test_git_dir_watch import looked, only, restored, rows

from console.adapters.git.watching import Watch


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def watch(repo: Repo) -> Watch:
    made = Watch(repo.plain().repository)
    assert made.rebase() is None
    return made


@pytest.fixture
def ticket(repo: Repo, watch: Watch) -> Path:
    """A worktree that is in the baseline."""
    path = Path(added(repo.plain(), "t", "nightdesk/t").path)
    watch.accept_worktree(str(path))
    watch.accept_refs(frozenset({"refs/heads/nightdesk/t"}))
    assert looked(watch).changes == ()
    return path


# -- links in the place of refs


@pytest.mark.parametrize("packed", [False, True])
def test_a_branch_that_is_a_link_lies_and_becomes_a_branch_again(
    repo: Repo, watch: Watch, tmp_path: Path, packed: bool
) -> None:
    if packed:
        repo.git("pack-refs", "--all")
    oid, ref, target = repo.line("rev-parse", "main"), repo.root / ".git/refs/heads/main", tmp_path / "elsewhere"
    target.write_text(f"{oid}\n")
    ref.unlink(missing_ok=True)
    ref.symlink_to(target)
    look = looked(watch, "refs/heads/main")
    assert rows(look) == [("ref refs/heads/main", "lies")] and str(target) in only(look).after
    notes = restored(watch, look)
    assert "put refs/heads/main back" in notes and "not put back" not in notes
    assert not ref.is_symlink() and repo.line("rev-parse", "main") == oid and target.exists()
    assert looked(watch).changes == ()


def test_a_link_in_the_baseline_is_told_when_another_commit_is_behind_it(
    repo: Repo, watch: Watch, tmp_path: Path
) -> None:
    target = tmp_path / "elsewhere"
    target.write_text(repo.line("rev-parse", "main"))
    (repo.root / ".git/refs/heads/linked").symlink_to(target)
    watch.rebase()
    target.write_text(repo.line("commit-tree", "-m", "evil", "HEAD^{tree}"))
    look = looked(watch)
    assert rows(look) == [("ref refs/heads/linked", "lies")]
    assert "not put back: ref refs/heads/linked: " in restored(watch, look)


def test_a_folder_of_refs_that_is_a_link_lies_and_is_named_when_it_is_left(
    repo: Repo, watch: Watch, tmp_path: Path
) -> None:
    repo.git("branch", "team/one")
    watch.rebase()
    (repo.root / ".git/refs/heads/team").rename(tmp_path / "team")
    (repo.root / ".git/refs/heads/team").symlink_to(tmp_path / "team")
    look = looked(watch)
    assert ("ref refs/heads/team", "lies") in rows(look)
    notes = restored(watch, look)
    assert "not put back: ref refs/heads/team: " in notes and f"mv {tmp_path}/team" in notes
    assert repo.line("rev-parse", "team/one")


def test_a_branch_file_that_says_nothing_lies_and_is_put_back(repo: Repo, watch: Watch) -> None:
    oid = repo.line("rev-parse", "main")
    ref = repo.root / ".git/refs/heads/main"
    ref.unlink()
    os.mkfifo(ref)
    look = looked(watch)
    assert rows(look) == [("ref refs/heads/main", "lies")]
    restored(watch, look)
    assert repo.line("rev-parse", "main") == oid and looked(watch).changes == ()


def test_a_session_s_branch_that_becomes_another_one_lies(repo: Repo, watch: Watch, ticket: Path) -> None:
    repo.git("symbolic-ref", "refs/heads/nightdesk/t", "refs/heads/main")
    look = looked(watch, "refs/heads/nightdesk/t")
    assert rows(look) == [("ref refs/heads/nightdesk/t", "lies")]
    assert "not put back: ref refs/heads/nightdesk/t: " in restored(watch, look)


# -- what is left is named


def test_a_lock_that_is_still_there_is_named_with_its_cure(repo: Repo, watch: Watch) -> None:
    lock = repo.write(".git/index.lock", "")
    notes = restored(watch, looked(watch))
    assert notes.startswith("not put back: lock index.lock: it is still there; ") and f"mv {lock}" in notes


def test_objects_that_are_a_link_stay_and_are_named(repo: Repo, watch: Watch, tmp_path: Path) -> None:
    (repo.root / ".git/objects").rename(tmp_path / "objects")
    (repo.root / ".git/objects").symlink_to(tmp_path / "objects")
    assert "not put back: file objects: a link to a folder" in restored(watch, looked(watch))
    repo.git("log")


# -- worktrees


def test_a_worktree_that_is_ours_is_accepted_only_as_git_makes_it(repo: Repo, watch: Watch) -> None:
    path = Path(added(repo.plain(), "t", "nightdesk/t").path)
    repo.write(".git/worktrees/t/commondir", "/tmp/evil\n")
    watch.accept_worktree(str(path))
    assert ("file worktrees/t/commondir", "runs") in rows(looked(watch))
    repo.write(".git/worktrees/t/commondir", "../..\n")
    watch.accept_worktree(str(path))
    assert rows(looked(watch)) == [("ref refs/heads/nightdesk/t", "note")]
    watch.accept_worktree("/nowhere")


@pytest.mark.parametrize("gone", [False, True])
def test_a_worktree_that_is_not_in_the_baseline_works_after_a_restore(repo: Repo, watch: Watch, gone: bool) -> None:
    path = Path(added(repo.plain(), "t", "nightdesk/t").path)
    commondir, pointer = repo.root / ".git/worktrees/t/commondir", path / ".git"
    commondir.unlink()
    pointer.unlink()
    if not gone:
        commondir.write_text("/tmp/evil\n")
        pointer.write_text("gitdir: /tmp/evil/worktrees/t\n")
    loud = {item for item, severity in rows(looked(watch)) if severity in ("runs", "lies")}
    assert loud == {"file worktrees/t/commondir", f"file {pointer}"}
    restored(watch, looked(watch))
    assert repo.git("status", "--porcelain", cwd=path) == b""
    assert {severity for _, severity in rows(looked(watch))} == {"note"}


def test_a_deleted_git_file_lies_and_comes_back(repo: Repo, watch: Watch, ticket: Path) -> None:
    (ticket / ".git").unlink()
    look = looked(watch)
    assert (only(look).item, only(look).severity) == (f"file {ticket}/.git", "lies")
    assert only(look).cure.endswith("worktree repair")
    restored(watch, look)
    assert repo.git("status", "--porcelain", cwd=ticket) == b"" and looked(watch).changes == ()
    (ticket / ".git").unlink()
    subprocess.run(only(looked(watch)).cure, shell=True, env=repo.environ, check=True, capture_output=True)
    assert looked(watch).changes == ()


def test_a_deleted_git_dir_of_a_worktree_lies_and_comes_back(repo: Repo, watch: Watch, ticket: Path) -> None:
    repo.write("a.txt", "work\n", cwd=ticket)
    shutil.rmtree(repo.root / ".git/worktrees/t")
    look = looked(watch)
    assert (only(look).item, only(look).severity) == ("worktree t gone", "lies")
    assert "known to git again" in restored(watch, look)
    assert repo.git("status", "--porcelain", cwd=ticket) == b" M a.txt\n"
    assert repo.line("symbolic-ref", "HEAD", cwd=ticket) == "refs/heads/nightdesk/t"
    assert looked(watch).changes == ()


def test_a_worktree_that_the_operator_removes_is_a_note(repo: Repo, watch: Watch, ticket: Path) -> None:
    repo.git("worktree", "remove", "--force", str(ticket))
    assert rows(looked(watch)) == [("worktree t gone", "note")]


def test_a_worktree_s_head_that_is_gone_lies_and_comes_back(repo: Repo, watch: Watch, ticket: Path) -> None:
    (repo.root / ".git/worktrees/t/HEAD").unlink()
    look = looked(watch)
    assert rows(look) == [("HEAD of worktrees/t", "lies")]
    restored(watch, look)
    assert repo.line("symbolic-ref", "HEAD", cwd=ticket) == "refs/heads/nightdesk/t"


# -- adopting, remotes, no git dir


def test_adopting_says_nothing_about_the_branches_of_sessions(repo: Repo, watch: Watch, ticket: Path) -> None:
    repo.git("config", "core.pager", "less")
    look = looked(watch)
    repo.git("commit", "-q", "--allow-empty", "-m", "landed", cwd=ticket)
    assert watch.adopt(look.seen, frozenset({"refs/heads/nightdesk/t"})) == ()


def test_a_new_remote_is_a_note_and_another_place_of_a_known_one_lies(repo: Repo, watch: Watch) -> None:
    repo.git("remote", "add", "fork", "https://example.com/fork")
    assert {severity for _, severity in rows(looked(watch))} == {"note"}
    watch.rebase()
    repo.write(".git/config.worktree", '[remote "fork"]\n\tpushurl = https://example.com/evil\n')
    repo.git("config", "remote.fork.url", "https://example.com/evil")
    repo.git("config", "remote.more.uploadpack", "evil")
    assert rows(looked(watch)) == [
        ("config remote.more.uploadpack", "runs"), ("config remote.fork.pushurl (config.worktree)", "lies"),
        ("config remote.fork.url", "lies"),
    ]  # fmt: skip


@pytest.mark.parametrize("file", [False, True])
def test_a_git_dir_that_is_gone_is_said_at_once(repo: Repo, watch: Watch, file: bool) -> None:
    look = looked(watch)
    shutil.rmtree(repo.root / ".git")
    if file:
        (repo.root / ".git").write_text("gitdir: /nowhere\n")
    began = time.monotonic()
    for result in (watch.look(), watch.rebase(), watch.adopt(look.seen), watch.restore(look.baseline, look.seen)):
        assert f"the git dir {repo.root}/.git is gone: " in refused(result).reason
    watch.accept_refs(frozenset({"refs/heads/main"}))
    watch.accept_worktree(str(repo.root))
    assert time.monotonic() - began < 2
