"""Refs, HEAD and the stash under the watch: what moved is told, and put back by compare-and-swap."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen
from test_git_dir_watch import looked, only, restored, rows

from console.adapters.git.watching import Watch
from console.core.records import RepoChange
from console.engine.ports import Landed, Look


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def watch(repo: Repo) -> Watch:
    made = Watch(repo.plain().repository)
    assert made.rebase() is None
    return made


def test_a_deleted_branch_is_moved_and_restored(repo: Repo, watch: Watch) -> None:
    repo.git("branch", "feature")
    watch.rebase()
    repo.git("branch", "-D", "feature")
    look = looked(watch)
    assert rows(look) == [("ref refs/heads/feature", "moved")]
    assert "put refs/heads/feature back" in restored(watch, look, "refs/heads/feature")
    assert repo.line("rev-parse", "feature") == only(look).before
    assert looked(watch).changes == ()


def test_only_the_refs_that_are_named_are_put_back(repo: Repo, watch: Watch) -> None:
    repo.git("branch", "feature")
    watch.rebase()
    repo.git("branch", "-D", "feature")
    look = looked(watch)
    assert "nothing left" in restored(watch, look)
    assert repo.git("branch", "--list", "feature") == b""


def test_a_rewritten_branch_goes_back_and_its_tip_is_kept(repo: Repo, watch: Watch) -> None:
    old = repo.line("rev-parse", "HEAD")
    repo.git("commit", "-q", "--amend", "-m", "rewritten")
    tip = repo.line("rev-parse", "HEAD")
    look = looked(watch)
    assert only(look) == RepoChange(item="ref refs/heads/main", severity="moved", before=old, after=tip)
    restored(watch, look, "refs/heads/main")
    assert repo.line("rev-parse", "HEAD") == old
    kept = subprocess.run(
        ["git", "--git-dir", repo.state / "shadow.git", "rev-parse", f"refs/kept/{tip}"],
        capture_output=True,
        check=True,
    )
    assert kept.stdout.decode().strip() == tip


def test_a_ref_that_moved_again_is_left_alone(repo: Repo, watch: Watch) -> None:
    repo.git("commit", "-q", "--amend", "-m", "rewritten")
    look = looked(watch)
    repo.git("commit", "-q", "--allow-empty", "-m", "the operator's own")
    tip = repo.line("rev-parse", "HEAD")
    assert "moved again" in restored(watch, look, "refs/heads/main")
    assert repo.line("rev-parse", "HEAD") == tip


def test_a_lost_commit_is_said_and_nothing_is_moved(repo: Repo, watch: Watch) -> None:
    repo.git("branch", "feature", repo.line("commit-tree", "-m", "lonely", "HEAD^{tree}"))
    watch.rebase()
    oid = repo.line("rev-parse", "feature")
    repo.git("branch", "-D", "feature")
    look = looked(watch)
    (repo.root / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert "no longer in the repository" in restored(watch, look, "refs/heads/feature")


def test_new_refs_are_worth_a_line_and_a_fast_forward_is_moved(repo: Repo, watch: Watch) -> None:
    old = repo.line("rev-parse", "HEAD")
    repo.git("commit", "-q", "--allow-empty", "-m", "second")
    repo.git("branch", "feature")
    repo.git("tag", "v1")
    repo.git("update-ref", "refs/remotes/o/main", "HEAD")
    look = looked(watch)
    assert rows(look) == [
        ("ref refs/heads/main", "moved"), ("ref refs/heads/feature", "note"), ("ref refs/remotes/o/main", "note"),
        ("ref refs/tags/v1", "note"),
    ]  # fmt: skip
    restored(watch, look, "refs/heads/main")
    assert repo.line("rev-parse", "HEAD") == old


def test_what_only_the_operator_can_have_moved_is_a_note(repo: Repo, watch: Watch) -> None:
    for name in ("deleted", "renamed", "rewritten"):
        repo.git("branch", name)
    repo.write("a.txt", "stashed\n")
    repo.git("stash", "-q")
    watch.rebase()
    repo.git("branch", "-D", "deleted")
    repo.git("branch", "-m", "renamed", "other")
    repo.git("branch", "-f", "rewritten", repo.line("commit-tree", "-m", "new", "HEAD^{tree}"))
    repo.git("commit", "-q", "--allow-empty", "-m", "forward")
    repo.git("checkout", "-q", "--detach")
    repo.git("stash", "drop", "-q")
    look = watch.look()
    assert isinstance(look, Look) and {one.severity for one in look.changes} == {"note"} and len(look.changes) == 7
    assert ("HEAD", "moved") in rows(looked(watch))


def test_grafts_make_no_rewrite_a_fast_forward(repo: Repo, watch: Watch) -> None:
    old = repo.line("rev-parse", "HEAD")
    new = repo.line("commit-tree", "-m", "unrelated", "HEAD^{tree}")
    repo.git("update-ref", "refs/heads/main", new)
    repo.write(".git/info/grafts", f"{new} {old}\n")
    assert ("ref refs/heads/main", "moved") in rows(looked(watch))


def test_refs_of_our_sessions_are_no_change(repo: Repo, watch: Watch) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    assert rows(looked(watch)) == [("ref refs/heads/nightdesk/t", "note"), ("worktree t added", "note")]
    watch.rebase()
    repo.write("a.txt", "work\n", cwd=ticket)
    repo.commit("work", cwd=ticket)
    repo.git("commit", "-q", "--amend", "-m", "other", cwd=ticket)
    assert looked(watch, "refs/heads/nightdesk/t").changes == ()
    assert rows(looked(watch)) == [("ref refs/heads/nightdesk/t", "moved")]


def test_what_we_landed_is_accepted(repo: Repo, watch: Watch) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt")
    assert isinstance(git.land(plan), Landed)
    assert rows(looked(watch)) == [("ref refs/heads/main", "moved")]
    watch.accept_refs(frozenset({"refs/heads/main"}))
    assert looked(watch).changes == ()
    assert isinstance(git.undo(plan), Landed)
    assert rows(looked(watch)) == [("ref refs/heads/main", "moved")]


def test_a_switched_head_goes_back(repo: Repo, watch: Watch) -> None:
    repo.git("switch", "-q", "-c", "elsewhere")
    look = looked(watch)
    assert ("HEAD", "moved") in rows(look)
    assert "put HEAD back to ref: refs/heads/main" in restored(watch, look, "HEAD")
    assert repo.line("symbolic-ref", "HEAD") == "refs/heads/main"


def test_a_dropped_stash_is_moved_and_comes_back_whole(repo: Repo, watch: Watch) -> None:
    for text in ("one\n", "two\n"):
        repo.write("a.txt", text)
        repo.git("stash", "-q")
    assert rows(looked(watch)) == [("ref refs/stash", "note")]
    watch.rebase()
    before = repo.git("stash", "list")
    repo.git("stash", "clear")
    look = looked(watch)
    assert rows(look) == [("ref refs/stash", "moved")]
    restored(watch, look, "refs/stash")
    assert repo.git("stash", "list") == before
    assert b"one" in repo.git("stash", "show", "-p", "stash@{1}")
    assert looked(watch).changes == ()
