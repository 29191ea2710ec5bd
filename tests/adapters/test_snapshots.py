"""Snapshots: nothing of the operator's changes by taking one, and they stay small, refused where they would not."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import threading
from pathlib import Path

import pytest
from gitrepo import Repo, canary, refused
from vandal import ODD_NAME, WHEN, operator_at_work, picture, rolled_back, snapshots, taken

from console.adapters.git import snapshot_looks, snapshot_rules, snapshot_scan
from console.adapters.git.binary import GitBinary
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshots import ShadowSnapshots
from console.core.records import Refused

DAY = 24 * 3600


def everything(root: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """{path: mode, mtime, ctime, bytes} of all there is, the git dir included."""
    found = {}
    for folder, _, files in os.walk(root):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            status = path.lstat()
            body = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ctime_ns, body)
    return found


def store_of(repo: Repo) -> Path:
    return repo.state / "snapshots.git"


def test_taking_changes_nothing_at_all(tmp_path: Path) -> None:
    """Not a byte, time or mode of the worktree, its index, refs, stash, reflogs and objects."""
    repo = operator_at_work(tmp_path)
    shots = snapshots(repo)
    before = everything(repo.root)
    taken(shots, repo.root, "s-1/1")
    taken(shots, repo.root, "s-1/2")
    assert everything(repo.root) == before


def test_a_background_snapshot_leaves_no_trace_in_reflog_stash_and_history(tmp_path: Path) -> None:
    """anthropics/claude-code 40697: the operator's dirty tree, watched over a turn."""
    repo = operator_at_work(tmp_path)
    logs = repo.git("reflog", "--all"), repo.git("stash", "list"), repo.git("log", "--all"), repo.git("status")
    taken(snapshots(repo), repo.root)
    assert (
        repo.git("reflog", "--all"), repo.git("stash", "list"), repo.git("log", "--all"), repo.git("status")
    ) == logs  # fmt: skip
    copy = tmp_path / "mirror"
    repo.git("clone", "-q", "--mirror", str(repo.root), str(copy))
    assert b"snap" not in repo.git("for-each-ref", cwd=copy)


def test_pipes_sockets_repositories_and_big_files_are_named_as_not_covered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Repo.with_files(tmp_path)
    os.mkfifo(repo.root / "pipe")
    repo.git("init", "-q", "vendored")
    repo.write("vendored/inner.txt", "x")
    with open(repo.root / "big.bin", "wb") as file:
        file.truncate(snapshot_scan.FILE_CAP + 1)
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(repo.root)
        server.bind("sock")
        shot = taken(snapshots(repo), repo.root)
    assert shot.uncovered == (
        "big.bin is 20 MiB, more than 20 MiB",
        "pipe is a named pipe",
        "sock is a socket",
        "vendored is a repository of its own",
    )


def test_what_was_not_covered_is_kept_by_a_rollback_and_its_changes_are_named(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    with open(repo.root / "big.bin", "wb") as file:
        file.truncate(snapshot_scan.FILE_CAP + 1)
    repo.write("app.log", "ignored\n")
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    with open(repo.root / "big.bin", "r+b") as file:
        file.truncate(5)
    (repo.root / "app.log").unlink()
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert left == (
        "app.log is gone: it was ignored, and ignored files are not covered",
        "big.bin has changed; it is not covered: it is 20 MiB, more than 20 MiB",
    )
    assert (repo.root / "big.bin").stat().st_size == 5


def test_what_is_ignored_is_named_before_a_rollback_leaves_it_out(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    repo.write(".gitignore", "*.log\n.venv/\n.env\n")
    for name in (".venv/bin/python", ".env", "src/app.log"):
        repo.write(name, "ignored\n")
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    assert shot.uncovered == (".env (ignored)", ".venv/ (ignored)", "src/app.log (ignored)")
    shutil.rmtree(repo.root / ".venv")
    repo.write(".env", "changed by the agent\n")
    repo.write("agent.log", "made by the agent\n")
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert left == (".venv/ is gone: it was ignored, and ignored files are not covered",)
    said = {line.split(" (ignored)")[0] for line in shot.uncovered}
    assert {line.split(" ")[0] for line in left} <= said


def test_many_ignored_files_are_counted(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    for number in range(25):
        repo.write(f"{number:02}.log", "ignored\n")
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    assert len(shot.uncovered) == 21 and shot.uncovered[0] == "00.log (ignored)"
    assert shot.uncovered[-1] == "and 5 more ignored files and folders"
    for file in repo.root.glob("*.log"):
        file.unlink()
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert len(left) == 21 and left[-1] == "and 5 more ignored files and folders are gone"


def test_a_home_folder_is_refused(tmp_path: Path) -> None:
    """openai/codex 19588, 28750: checkpoints of a home folder filled the disk."""
    repo = Repo.with_files(tmp_path)
    environ = {**repo.environ, "HOME": str(repo.root)}
    shots = ShadowSnapshots(Repository(repo.workspace(), repo.state, GitBinary(environ), environ))
    assert "home or the root folder" in refused(shots.take(str(repo.root), "s-1/1", WHEN)).reason


def test_too_many_untracked_files_are_refused_with_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """openai/codex 29388."""
    monkeypatch.setattr(snapshot_scan, "UNTRACKED_CAP", 30)
    repo = Repo.with_files(tmp_path)
    for number in range(31):
        repo.write(f"cache/{number}", "")
    said = refused(snapshots(repo).take(str(repo.root), "s-1/1", WHEN)).reason
    assert "most of them in cache" in said
    assert ".gitignore" in said
    repo.write(".gitignore", "cache/\n")
    taken(snapshots(repo), repo.root)


def test_too_much_new_content_is_refused_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """openai/codex 29388, 28241: caps on size."""
    monkeypatch.setattr(snapshot_looks, "NEW_CAP", 1 << 20)
    repo = Repo.with_files(tmp_path)
    for number in range(3):
        repo.write(f"data/{number}", os.urandom(400_000))
    said = refused(snapshots(repo).take(str(repo.root), "s-1/1", WHEN)).reason
    assert "more than 1 MiB of files" in said
    assert list((store_of(repo) / "new").iterdir()) == []
    assert sum(path.stat().st_size for path in (store_of(repo) / "objects").rglob("*.pack")) == 0


def test_unchanged_files_beyond_the_copy_cap_are_borrowed_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_looks, "COPY_CAP", 100)
    repo = Repo.with_files(tmp_path)
    repo.write("large.txt", b"y" * 1000)
    repo.commit("large")
    shots = snapshots(repo)
    first, second = taken(shots, repo.root, "s-1/1"), taken(shots, repo.root, "s-1/2")
    said = ("1 unchanged files are kept by the repository alone: together they are too big to copy",)
    assert first.uncovered == second.uncovered == said
    (repo.root / "large.txt").unlink()
    assert rolled_back(shots, repo.root, second.snapshot).left == ()
    assert (repo.root / "large.txt").stat().st_size == 1000
    (repo.root / "large.txt").unlink()
    shutil.rmtree(repo.root / ".git" / "objects")
    (repo.root / ".git" / "objects").mkdir()
    assert any("its bytes are lost" in line for line in rolled_back(shots, repo.root, second.snapshot).left)


def test_a_planted_object_is_not_written_into_the_worktree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_looks, "COPY_CAP", 0)
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    oid = repo.line("rev-parse", "HEAD:a.txt")
    evil = repo.git("hash-object", "-w", "--stdin", stdin=b"evil\n").decode().strip()
    objects = repo.root / ".git" / "objects"
    place = objects / oid[:2] / oid[2:]
    place.chmod(0o644)
    place.write_bytes((objects / evil[:2] / evil[2:]).read_bytes())
    (repo.root / "a.txt").unlink()
    (repo.root / "other.txt").unlink()
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert any(line.startswith("a.txt cannot be put back") for line in left)
    assert not (repo.root / "a.txt").exists()
    assert (repo.root / "other.txt").read_text() == "other\n"


def test_names_of_snapshots_and_worktrees_are_checked(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    for name in ("", "../x", "a b", "-x", "a//b", "a/", "x.lock", "undo/1"):
        assert "no name for a snapshot" in refused(shots.take(str(repo.root), name, WHEN)).reason
    assert "no worktree" in refused(shots.take(str(tmp_path), "s-1/1", WHEN)).reason
    assert "there is no snapshot" in refused(shots.restore(str(repo.root), "f" * 40, WHEN)).reason
    assert "there is no snapshot" in refused(shots.restore(str(repo.root), "--all", WHEN)).reason
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(linked))
    shot = taken(shots, repo.root)
    assert "is of" in refused(shots.restore(str(linked), shot.snapshot, WHEN)).reason


def test_the_same_name_again_replaces_the_snapshot(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    taken(shots, repo.root, "s-1/1")
    repo.write("a.txt", "new\n")
    second = taken(shots, repo.root, "s-1/1")
    listed = repo.line("for-each-ref", "--format=%(objectname) %(refname)", cwd=store_of(repo))
    assert listed == f"{second.snapshot} refs/snap/s-1/1"


def test_odd_names_modes_and_empty_folders_are_in_the_record(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    (repo.root / "empty").chmod(0o700)
    (repo.root / "app.py").chmod(0o640)
    before = picture(repo.root)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    for path in ("app.py", "secret.key", ODD_NAME):
        (repo.root / path).unlink()
    shutil.rmtree(repo.root / "empty")
    assert rolled_back(shots, repo.root, shot.snapshot).count == 5
    assert picture(repo.root) == before


def test_nothing_of_the_repository_runs_while_it_is_looked_at(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    program, mark = canary(tmp_path, "fsmonitor")
    repo.git("config", "core.fsmonitor", str(program))
    repo.git("config", "filter.evil.clean", str(program))
    repo.git("config", "filter.evil.smudge", str(program))
    repo.write(".gitattributes", "* filter=evil\n")
    hook = repo.write(".git/hooks/post-index-change", f"#!/bin/sh\n: > '{mark}'\n")
    hook.chmod(0o755)
    repo.git("status", ok=False)
    assert mark.exists()
    mark.unlink()
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    repo.write("app.py", "agent\n")
    rolled_back(shots, repo.root, shot.snapshot)
    assert not mark.exists()


def test_files_come_back_when_the_whole_git_dir_is_gone(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    before = picture(repo.root)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    shutil.rmtree(repo.root / ".git")
    (repo.root / "app.py").unlink()
    repo.write("new.txt", "agent\n")
    left = rolled_back(shots, repo.root, shot.snapshot).left
    assert picture(repo.root) == before
    assert any("what was staged was not put back" in line for line in left)


@pytest.mark.parametrize("index", [b"no index at all", None])
def test_an_unreadable_or_missing_index_does_not_stop_a_snapshot(tmp_path: Path, index: bytes | None) -> None:
    repo = operator_at_work(tmp_path)
    place = repo.root / ".git" / "index"
    place.unlink()
    if index:
        place.write_bytes(index)
    before = picture(repo.root)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    repo.write("forced.log", "agent\n")
    place.unlink(missing_ok=True)
    repo.git("add", "-f", "forced.log")
    assert rolled_back(shots, repo.root, shot.snapshot).changed == ("M forced.log",)
    assert picture(repo.root) == before
    assert (place.read_bytes() if place.exists() else None) == index


def test_locks_that_a_killed_git_left_in_our_store_are_in_nobodys_way(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    taken(shots, repo.root, "s-1/1", WHEN - 30 * DAY)
    for name in ("refs/snap/s-1/1.lock", "refs/snap/s-1/2.lock", "packed-refs.lock", "objects/pack/tmp_pack_x"):
        (store_of(repo) / name).touch()
    taken(shots, repo.root, "s-1/1", WHEN - 30 * DAY)
    assert shots.collect(frozenset(), WHEN) > 0
    assert not [path for path in store_of(repo).rglob("*.lock") if path.parent != store_of(repo)]
    assert not list(store_of(repo).rglob("tmp_*"))


def test_a_pipe_on_which_git_would_wait_for_ever_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_rules, "PATIENCE", 0.5)
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    (repo.root / ".gitignore").unlink()
    os.mkfifo(repo.root / ".gitignore")
    assert ".gitignore is no regular file" in refused(shots.take(str(repo.root), "s-1/2", WHEN)).reason
    assert rolled_back(shots, repo.root, shot.snapshot).changed == ("A .gitignore",)
    taken(shots, repo.root, "s-1/2")


def test_an_unborn_branch(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    repo.git("checkout", "-q", "--orphan", "unborn")
    shot = taken(shots, repo.root)
    repo.write("a.txt", "agent\n")
    repo.write("b.txt", "agent\n")
    assert shot.files == 4
    assert rolled_back(shots, repo.root, shot.snapshot).changed == ("M a.txt", "D b.txt")


def test_collect_forgets_old_snapshots_and_frees_their_space(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    repo.write("noise.bin", os.urandom(500_000))
    old = taken(shots, repo.root, "s-1/1", WHEN - 30 * DAY)
    (repo.root / "noise.bin").unlink()
    kept = taken(shots, repo.root, "s-2/1", WHEN - 30 * DAY)
    new = taken(shots, repo.root, "s-3/1", WHEN)
    assert shots.collect(frozenset((old.snapshot, kept.snapshot)), WHEN) < 100_000
    assert shots.collect(frozenset((kept.snapshot,)), WHEN) > 400_000
    assert "there is no snapshot" in refused(shots.restore(str(repo.root), old.snapshot, WHEN)).reason
    for shot in (kept, new):
        repo.write("a.txt", "agent\n")
        assert rolled_back(shots, repo.root, shot.snapshot).changed == ("M a.txt",)
    repo.git("fsck", "--strict", cwd=store_of(repo))


def test_collect_waits_for_nobody(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path)
    shots = snapshots(repo)
    taken(shots, repo.root, "s-1/1", WHEN - 30 * DAY)
    with open(store_of(repo) / "store.lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)  # as a snapshot under way elsewhere holds it
        assert shots.collect(frozenset(), WHEN) == 0
        assert repo.line("for-each-ref", cwd=store_of(repo))
    shots.collect(frozenset(), WHEN)
    assert not repo.line("for-each-ref", cwd=store_of(repo))


def test_threads_and_worktrees_at_the_same_time(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(linked))
    shots, found = snapshots(repo), []

    def work(root: Path, name: str) -> None:
        found.append(shots.take(str(root), name, WHEN))

    threads = [
        threading.Thread(target=work, args=(root, f"{letter}/{number}"))
        for letter, root in (("a", repo.root), ("b", linked))
        for number in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert not [one for one in found if isinstance(one, Refused)]


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not stop root")
def test_what_the_agent_closed_is_opened_for_the_rollback(tmp_path: Path) -> None:
    repo = operator_at_work(tmp_path)
    before = picture(repo.root)
    shots = snapshots(repo)
    shot = taken(shots, repo.root)
    repo.write("docs/b.md", "agent\n").chmod(0)
    (repo.root / "lib" / "deep").chmod(0)
    (repo.root / "docs").chmod(0o500)
    (repo.root / "app.py").chmod(0o200)
    repo.write("shut/in/new.txt", "agent\n")
    (repo.root / "shut").chmod(0)
    done = rolled_back(shots, repo.root, shot.snapshot)
    assert picture(repo.root) == before
    rolled_back(shots, repo.root, done.undo.snapshot)
    assert (repo.root / "shut").stat().st_mode & 0o777 == 0
    assert (repo.root / "docs" / "b.md").stat().st_mode & 0o777 == 0
