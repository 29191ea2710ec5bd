"""Rolling back a turn that wrecked the worktree: exactly the snapshot's files, undoable, nothing else touched."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from gitrepo import Repo, refused
from vandal import ODD_NAME, operator_at_work, picture, rolled_back, snapshots, taken, vandal_turn

IGNORED = (".env", "node_modules", "server.log", "build", "later.log")


def refs(repo: Repo) -> tuple[str, str, str, bytes]:
    git = repo.root / ".git"
    reflog = b"".join(path.read_bytes() for path in sorted((git / "logs").rglob("*")) if path.is_file())
    return repo.line("for-each-ref"), repo.line("stash", "list"), repo.line("count-objects", "-v"), reflog


def test_a_vandal_turn_is_rolled_back_exactly_and_the_undo_brings_it_back(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before, index = picture(repo.root), (repo.root / ".git" / "index").read_bytes()
    status = repo.git("status", "--porcelain", "-z")
    shot = taken(shots, repo.root)
    vandal_turn(repo)
    wrecked, their_index = picture(repo.root), (repo.root / ".git" / "index").read_bytes()
    done = rolled_back(shots, repo.root, shot.snapshot)
    assert picture(repo.root, "inner", "build") == before | {"later.log": wrecked["later.log"]}
    assert (repo.root / ".git" / "index").read_bytes() == index
    assert done.left == ("inner is a repository of its own",)
    shutil.move(repo.root / "inner", tmp_path / "inner")
    (repo.root / ".git" / "info" / "exclude").unlink()
    assert repo.git("status", "--porcelain", "-z") == status
    assert {"M app.py", "D hidden/payload.sh", "D selfhidden/payload.sh", "A lib/util.py", "D lib"} <= set(done.changed)
    shutil.move(tmp_path / "inner", repo.root / "inner")
    again = rolled_back(shots, repo.root, done.undo.snapshot)
    assert picture(repo.root) == wrecked
    assert (repo.root / ".git" / "index").read_bytes() == their_index
    assert again.left == ()


def test_a_second_rollback_changes_nothing(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    vandal_turn(repo)
    wrecked = picture(repo.root)
    assert rolled_back(shots, repo.root, shot.snapshot).count > 20
    stamps = {path: os.lstat(repo.root / path).st_mtime_ns for path in picture(repo.root)}
    second = rolled_back(shots, repo.root, shot.snapshot)
    assert (second.count, second.changed) == (0, ())
    assert {path: os.lstat(repo.root / path).st_mtime_ns for path in picture(repo.root)} == stamps
    assert shots.changes(str(repo.root), shot.snapshot) == ()
    rolled_back(shots, repo.root, second.undo.snapshot)
    assert picture(repo.root) == wrecked


def test_changes_say_what_a_rollback_would_do_and_do_nothing(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    vandal_turn(repo)
    wrecked = picture(repo.root)
    said = shots.changes(str(repo.root), shot.snapshot)
    assert picture(repo.root) == wrecked
    assert rolled_back(shots, repo.root, shot.snapshot).changed == said


def test_operators_refs_stash_reflog_and_objects_are_not_touched(tmp_path: Path) -> None:
    """anthropics/claude-code 40697, 68315: a background stash or reset takes the operator's edits."""
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    vandal_turn(repo)
    before = refs(repo)
    done = rolled_back(shots, repo.root, shot.snapshot)
    rolled_back(shots, repo.root, done.undo.snapshot)
    assert refs(repo) == before
    assert b"snap" not in repo.git("log", "--all", "--format=%s%d")


def test_a_rewritten_gitignore_does_not_cost_ignored_files(tmp_path: Path) -> None:
    """cline/cline 14367: the .gitignore is restored first, then a clean deletes what was ignored until then."""
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    repo.write(".gitignore", "")
    repo.git("add", "-A")
    rolled_back(shots, repo.root, shot.snapshot)
    assert picture(repo.root) == before


def test_output_that_is_too_big_to_undo_is_kept_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """github/copilot-cli 1675: a restore ran `git clean -fd` and a gigabyte of results was gone."""
    monkeypatch.setattr("console.adapters.git.snapshot_looks.UNDO_FILE_CAP", 1 << 20)
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    big = repo.write("results/big.csv", b"x" * (2 << 20))
    repo.write("results/small.csv", "1\n")
    repo.write("a.txt", b"y" * (2 << 20))
    done = rolled_back(shots, repo.root, shot.snapshot)
    assert big.exists()
    assert not (repo.root / "results" / "small.csv").exists()
    assert done.left == ("a.txt is 2 MiB, more than 1 MiB", "results/big.csv is 2 MiB, more than 1 MiB")
    rolled_back(shots, repo.root, done.undo.snapshot)
    assert (repo.root / "results" / "small.csv").read_text() == "1\n"


def test_too_many_new_files_are_refused_with_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.adapters.git.snapshot_looks.UNTRACKED_CAP", 20)
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    for number in range(21):
        repo.write(f"made/{number}", "")
    repo.write("a.txt", "edited\n")
    said = refused(shots.restore(str(repo.root), shot.snapshot, 2))
    assert "21 files" in said.reason
    assert "most of them in made" in said.reason
    assert (repo.root / "a.txt").read_text() == "edited\n"


def test_files_created_and_deleted_after_the_snapshot(tmp_path: Path) -> None:
    """entireio/cli 1408, google-gemini/gemini-cli 1111: a rewind leaves them."""
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    repo.write("created/in/turn.txt", "x")
    shutil.rmtree(repo.root / "src")
    assert rolled_back(shots, repo.root, shot.snapshot).changed == ("D created/in/turn.txt", "A src/app.py")
    assert picture(repo.root) == before


def test_staged_and_unstaged_versions_of_a_file_survive(tmp_path: Path) -> None:
    """openai/codex 8303: an undo clobbers what was staged."""
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    repo.write("both.txt", "agent\n")
    repo.git("add", "-A")
    rolled_back(shots, repo.root, shot.snapshot)
    assert repo.line("show", ":both.txt") == "staged"
    assert (repo.root / "both.txt").read_text() == "and dirty\n"


def test_a_locked_index_is_named_and_nothing_else_waits_for_it(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before, index = picture(repo.root), (repo.root / ".git" / "index").read_bytes()
    shot = taken(shots, repo.root)
    repo.write("app.py", "agent\n")
    repo.git("add", "-A")
    lock = repo.write(".git/index.lock", "theirs")
    (said,) = rolled_back(shots, repo.root, shot.snapshot).left
    assert "index.lock is there" in said
    assert lock.read_text() == "theirs"
    assert picture(repo.root) == before
    lock.unlink()
    assert rolled_back(shots, repo.root, shot.snapshot).left == ()
    assert (repo.root / ".git" / "index").read_bytes() == index


@pytest.mark.parametrize("verb", ["restore", "take"])
def test_our_own_index_lock_of_a_rollback_that_was_killed_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    index, lock = (repo.root / ".git" / "index").read_bytes(), repo.root / ".git" / "index.lock"
    shot = taken(shots, repo.root)
    repo.git("add", "-A")
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr("console.adapters.git.rollback_index._drop_own", lambda *_: None)
        patch.setattr("os.rename", killed)
        shots.restore(str(repo.root), shot.snapshot, 2)
    assert lock.exists()
    if verb == "take":
        taken(shots, repo.root)
    else:
        assert rolled_back(shots, repo.root, shot.snapshot).left == ()
        assert (repo.root / ".git" / "index").read_bytes() == index
    assert not lock.exists()
    assert not list((repo.root / ".git").glob(".nightdesk*"))


def test_a_commit_of_the_agent_is_reported_and_its_branch_stays(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    repo.write("a.txt", "agent\n")
    tip = repo.commit("by the agent")
    (said,) = rolled_back(shots, repo.root, shot.snapshot).left
    assert said.startswith(f"refs/heads/main is at {tip[:10]}, it was at ")
    assert repo.line("rev-parse", "HEAD") == tip
    assert picture(repo.root) == before


def test_a_repository_made_around_tracked_files_does_not_hide_them(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    repo.git("init", "-q", "lib")
    shutil.rmtree(repo.root / "lib" / "deep")
    repo.write("lib/util.py", "agent\n")
    done = rolled_back(shots, repo.root, shot.snapshot)
    assert picture(repo.root) == before
    assert done.left == ("lib/.git is the git folder of another repository",)


def test_the_operators_objects_may_all_be_gone(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    shutil.rmtree(repo.root / ".git" / "objects")
    (repo.root / ".git" / "objects").mkdir()
    for path in ("app.py", "docs/b.md", "run.sh", "lib/deep/er/x.py"):
        (repo.root / path).unlink()
    assert rolled_back(shots, repo.root, shot.snapshot).count == 4
    assert picture(repo.root) == before


def test_an_edit_that_keeps_size_and_mtime_is_found(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    taken(shots, repo.root)
    shot = taken(shots, repo.root)
    path = repo.root / "a.txt"
    now = path.stat()
    path.write_text("TWO\nONE\nthree\n")
    os.utime(path, ns=(now.st_atime_ns, now.st_mtime_ns))
    repo.git("update-index", "--assume-unchanged", "a.txt")
    assert shots.changes(str(repo.root), shot.snapshot) == ("M a.txt",)


def test_a_pipe_in_the_place_of_a_file_gives_way(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    (repo.root / "a.txt").unlink()
    os.mkfifo(repo.root / "a.txt")
    os.mkfifo(repo.root / "new")
    done = rolled_back(shots, repo.root, shot.snapshot)
    assert done.left == ("new is a named pipe",)
    (repo.root / "new").unlink()
    assert picture(repo.root) == before


def test_sockets_and_pipes_that_a_server_left_in_a_worktree_of_ours_go_with_their_folders(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    worktree = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(worktree))
    shots = snapshots(repo)
    os.mkfifo(worktree / "kept")
    before = picture(worktree)
    shot = taken(shots, worktree)
    (worktree / "run").mkdir()
    os.mkfifo(worktree / "run" / "pipe")
    os.mknod(worktree / "sock", 0o600 | stat.S_IFSOCK)
    assert rolled_back(shots, worktree, shot.snapshot).left == ()
    assert picture(worktree) == before


@pytest.mark.parametrize("split", [False, True])
def test_linked_worktree_and_split_index(tmp_path: Path, split: bool) -> None:
    repo = Repo.with_files(tmp_path)
    worktree = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(worktree))
    if split:
        repo.git("update-index", "--split-index", cwd=worktree)
    repo.write("a.txt", "staged\n", cwd=worktree)
    repo.git("add", "a.txt", cwd=worktree)
    repo.write("a.txt", "dirty\n", cwd=worktree)
    shots = snapshots(repo)
    before, status = picture(worktree), repo.git("status", "--porcelain", cwd=worktree)
    main = picture(repo.root)
    shot = taken(shots, worktree)
    repo.write("a.txt", "agent\n", cwd=worktree)
    repo.git("add", "-A", cwd=worktree)
    repo.git("update-index", "--no-split-index", cwd=worktree)
    for shared in (repo.root / ".git" / "worktrees" / "linked").glob("sharedindex.*"):
        shared.unlink()
    assert rolled_back(shots, worktree, shot.snapshot).left == ()
    assert (picture(worktree), repo.git("status", "--porcelain", cwd=worktree)) == (before, status)
    assert picture(repo.root) == main


def test_names_are_shown_escaped(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    (repo.root / ODD_NAME).unlink()
    (line,) = rolled_back(shots, repo.root, shot.snapshot).changed
    assert line.isprintable()
    assert (repo.root / ODD_NAME).read_text() == "odd\n"


def test_a_folder_swapped_for_a_link_in_between_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent goes on while we work: the folder it swaps is not written through, and the next try completes."""
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before = picture(repo.root)
    shot = taken(shots, repo.root)
    repo.write("lib/util.py", "agent\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    from console.adapters.git.rollback import Rollback

    run = Rollback.run

    def swapped(self: Rollback, *args: object) -> None:
        (repo.root / "lib").rename(tmp_path / "aside")
        (repo.root / "lib").symlink_to(outside)
        run(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Rollback, "run", swapped)
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert any(line.startswith("lib/util.py cannot be rolled back") for line in left)
    assert list(outside.iterdir()) == []
    monkeypatch.undo()
    assert rolled_back(shots, repo.root, shot.snapshot).left == ()
    assert picture(repo.root) == before
