"""What the doctor says of worktrees, branches, git's locks and scratch folders that a kill left, and what it mends."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from gitrepo import Repo
from process_rig import until

from console.adapters.doctor import gitfolders, mended, peeking, scratch
from console.adapters.doctor.findings import Finding, Look
from console.adapters.doctor.ground import Ground, find
from console.adapters.git.commits import PlainGit
from console.adapters.lock import Lock
from console.core.state import State
from console.engine.ports import Worktree

HOUR = 3600


@dataclass
class Desk:
    repo: Repo
    environ: dict[str, str]
    state: State

    def ground(self, *, now: float = 0.0) -> Ground:
        g = find(self.repo.root, self.environ)
        g.__dict__["log"] = peeking.Read(self.state)
        return g if not now else Ground(environ=g.environ, workspace=g.workspace, places=g.places, now=now)

    @property
    def git(self) -> PlainGit:
        g = self.ground()
        assert g.workspace is not None and g.places is not None
        return PlainGit(g.workspace, g.places.state, g.places.data, self.environ)

    @property
    def data(self) -> Path:
        return self.ground().data

    @property
    def entries(self) -> Path:
        return self.repo.root / ".git" / "worktrees"

    def tree(self, name: str) -> Path:
        made = self.git.ticket_worktree(name, f"nightdesk/{name}")
        assert isinstance(made, Worktree), made
        return Path(made.path)

    def kill_an_adding(self, name: str) -> None:
        """A real `git worktree add`, killed as it writes the first file."""
        mark = self.repo.home / "reached"
        (self.repo.root / ".git" / "info").mkdir(exist_ok=True)
        attributes = self.repo.root / ".git" / "info" / "attributes"
        attributes.write_text("* filter=slow\n")
        slow = f"filter.slow.smudge=touch {shlex.quote(str(mark))}; exec sleep 30"
        self.data.mkdir(parents=True, exist_ok=True)
        command = ["git", "-c", slow, "worktree", "add", "-q", "-b", f"nightdesk/{name}", str(self.data / name)]
        adding = subprocess.Popen(command, cwd=self.repo.root, env=self.repo.environ, start_new_session=True)
        until(mark.exists)
        os.killpg(adding.pid, signal.SIGKILL)
        adding.wait()
        attributes.unlink()
        until(lambda: not gitfolders.gits(self.ground()))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    repo = Repo.with_files(tmp_path)
    environ = {**repo.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "XDG_DATA_HOME": str(tmp_path / "data")}
    environ |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    return Desk(repo, environ, State())


def one(look: Look) -> Finding:
    assert len(look.findings) == 1, look
    return look.findings[0]


def run(cure: str) -> None:
    subprocess.run(["bash", "-c", cure], check=True, capture_output=True, timeout=10)


# -- worktrees


def test_whole_worktrees_and_those_of_others_are_no_finding(desk: Desk, tmp_path: Path) -> None:
    desk.tree("T-1")
    desk.repo.git("worktree", "add", "-q", "-b", "theirs", str(tmp_path / "theirs"))
    shutil.rmtree(tmp_path / "theirs")
    assert gitfolders.worktrees(desk.ground()).findings == ()


def test_a_killed_worktree_add_is_told_and_mended_by_fix_alone(desk: Desk) -> None:
    desk.tree("T-0")
    desk.kill_an_adding("T-1")
    assert (desk.entries / "T-1" / "locked").read_text().strip() == "initializing"
    desk.repo.git("worktree", "prune", "--expire=now")
    assert (desk.entries / "T-1").is_dir()  # git itself never takes it away
    found = one(gitfolders.worktrees(desk.ground()))
    assert found.level == "warning" and str(desk.data / "T-1") in found.what and found.cure.endswith("doctor --fix")
    assert (desk.entries / "T-1").is_dir() and (desk.data / "T-1").is_dir()
    after = mended(found)
    assert after.fixed and after.cure == ""
    assert not (desk.entries / "T-1").exists() and not (desk.data / "T-1").exists()
    assert desk.repo.line("rev-parse", "nightdesk/T-1") == desk.repo.line("rev-parse", "HEAD")
    assert (desk.entries / "T-0").is_dir() and (desk.data / "T-0" / "a.txt").is_file()
    assert gitfolders.worktrees(desk.ground()).findings == ()
    assert desk.tree("T-1").is_dir()


def test_an_entry_that_is_being_made_is_left_alone(desk: Desk) -> None:
    desk.tree("T-0")
    desk.kill_an_adding("T-1")
    env = {**desk.repo.environ, "GIT_DIR": str(desk.repo.root / ".git")}
    git = subprocess.Popen(["git", "cat-file", "--batch"], stdin=subprocess.PIPE, env=env, cwd="/")
    try:
        until(lambda: gitfolders.gits(desk.ground()) == [git.pid])
        assert gitfolders.worktrees(desk.ground()).findings == ()
    finally:
        git.communicate(timeout=5)
    assert one(gitfolders.worktrees(desk.ground()))


def test_a_git_that_began_after_the_look_is_not_disturbed(desk: Desk) -> None:
    desk.tree("T-0")
    desk.kill_an_adding("T-1")
    found = one(gitfolders.worktrees(desk.ground()))
    git = subprocess.Popen(["git", "cat-file", "--batch"], stdin=subprocess.PIPE, cwd=desk.repo.root)
    try:
        until(lambda: gitfolders.gits(desk.ground()))
        after = mended(found)
        assert not after.fixed and f"git is at work in this repository (pid {git.pid}" in after.what
        assert (desk.entries / "T-1").is_dir()
    finally:
        git.communicate(timeout=5)


def test_an_empty_entry_goes_too(desk: Desk) -> None:
    """Git was ended right after it made the entry's folder: it names no worktree, and `locked` is not there yet."""
    desk.tree("T-0")
    (desk.entries / "T-9").mkdir()
    found = one(gitfolders.worktrees(desk.ground()))
    assert "names no folder" in found.what
    assert mended(found).fixed and not (desk.entries / "T-9").exists() and (desk.entries / "T-0").is_dir()


def test_a_folder_that_is_gone_keeps_its_branch_and_its_detached_commit(desk: Desk) -> None:
    desk.tree("T-0")
    place = desk.tree("T-1")
    desk.repo.git("checkout", "-q", "--detach", cwd=place)
    desk.repo.write("a.txt", "work\n", cwd=place)
    tip = desk.repo.commit("only here", cwd=place)
    shutil.rmtree(place)
    found = one(gitfolders.worktrees(desk.ground()))
    assert "its folder is gone" in found.what and mended(found).fixed
    shadow = desk.git.repository.shadow_dir
    assert desk.repo.line("--git-dir", str(shadow), "rev-parse", f"refs/kept/{tip}") == tip


def test_what_git_was_told_to_keep_is_not_mended(desk: Desk) -> None:
    desk.tree("T-0")
    place = desk.tree("T-1")
    desk.repo.git("worktree", "lock", "--reason", "on a stick", str(place))
    shutil.rmtree(place)
    found = one(gitfolders.worktrees(desk.ground()))
    assert "on a stick" in found.what and found.mend is None and "unlock" in found.cure
    run(found.cure)
    assert one(gitfolders.worktrees(desk.ground())).mend is not None


def test_nothing_is_forgotten_while_the_whole_data_folder_is_not_there(desk: Desk) -> None:
    desk.tree("T-1")
    shutil.move(desk.data, desk.data.with_name("elsewhere"))
    found = one(gitfolders.worktrees(desk.ground()))
    assert "not mounted" in found.what and found.mend is None


def test_a_worktree_that_changed_after_the_look_is_left(desk: Desk) -> None:
    desk.tree("T-0")
    place = desk.tree("T-1")
    shutil.move(place, place.with_name("aside"))
    found = next(one for one in gitfolders.worktrees(desk.ground()).findings if "folder is gone" in one.what)
    shutil.move(place.with_name("aside"), place)
    after = mended(found)
    assert not after.fixed and "left as it is" in after.what and (place / "a.txt").is_file()


def test_a_folder_without_an_entry_is_moved_by_hand_only(desk: Desk) -> None:
    desk.tree("T-0")
    (desk.data / "odd 'name'").mkdir()
    (desk.data / "odd 'name'" / "work.txt").write_text("mine\n")
    found = one(gitfolders.worktrees(desk.ground()))
    assert found.mend is None and "nowhere else" in found.what
    run(found.cure)
    assert (desk.data / "odd 'name'.kept" / "work.txt").read_text() == "mine\n"


def test_an_empty_folder_without_an_entry_is_removed_when_it_is_old(desk: Desk) -> None:
    desk.tree("T-0")
    place = desk.data / "T-5"
    place.mkdir()
    assert gitfolders.worktrees(desk.ground()).findings == ()  # git makes the folder before the entry
    os.utime(place, (time.time() - HOUR,) * 2)
    found = one(gitfolders.worktrees(desk.ground()))
    os.utime(place)
    assert not mended(found).fixed and place.is_dir()
    os.utime(place, (time.time() - HOUR,) * 2)
    assert mended(found).fixed and not place.exists()


def test_what_was_half_removed_is_deleted(desk: Desk, tmp_path: Path) -> None:
    desk.tree("T-0")
    (tmp_path / "mine").write_text("keep\n")
    (desk.data / ".removing" / "ab" / "src").mkdir(parents=True)
    (desk.data / ".removing" / "ab" / "src" / "link").symlink_to(tmp_path)
    found = one(gitfolders.worktrees(desk.ground()))
    assert mended(found).fixed and not (desk.data / ".removing").exists() and (tmp_path / "mine").is_file()


# -- branches


def test_a_branch_of_nobody_is_advice_and_git_refuses_to_lose_work(desk: Desk) -> None:
    desk.tree("T-0")
    assert gitfolders.branches(desk.ground()).findings == ()
    desk.repo.git("branch", "nightdesk/old")
    found = one(gitfolders.branches(desk.ground()))
    assert found.level == "advice" and "nightdesk/old" in found.what
    run(found.cure)
    assert gitfolders.branches(desk.ground()).findings == ()
    desk.repo.git("checkout", "-q", "-b", "nightdesk/work")
    desk.repo.write("a.txt", "work\n")
    desk.repo.commit("work")
    desk.repo.git("checkout", "-q", "main")
    with pytest.raises(subprocess.CalledProcessError):
        run(one(gitfolders.branches(desk.ground())).cure)


# -- locks of git


def test_a_stale_lock_is_named_and_never_deleted(desk: Desk) -> None:
    assert gitfolders.locks(desk.ground()).findings == ()
    lock = desk.repo.root / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (time.time() - HOUR,) * 2)
    found = one(gitfolders.locks(desk.ground()))
    assert found.level == "warning" and "60 min" in found.what
    assert found.mend is None and mended(found) == found and lock.exists()
    run(found.cure)
    assert not lock.exists() and gitfolders.locks(desk.ground()).findings == ()


def test_a_young_lock_and_one_that_somebody_has_open_get_no_rm(desk: Desk) -> None:
    lock = desk.repo.root / ".git" / "refs" / "heads" / "main.lock"
    with open(lock, "wb"):
        os.utime(lock, (time.time() - HOUR,) * 2)
        found = one(gitfolders.locks(desk.ground()))
        assert f"pid {os.getpid()} " in found.what and found.cure.startswith("ps ")
    os.utime(lock)
    found = one(gitfolders.locks(desk.ground()))
    assert found.level == "advice" and found.cure == "" and "look again" in found.what


def test_a_lock_is_not_stale_while_a_git_is_at_work(desk: Desk) -> None:
    lock = desk.repo.root / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (time.time() - HOUR,) * 2)
    git = subprocess.Popen(["git", "cat-file", "--batch"], stdin=subprocess.PIPE, cwd=desk.repo.root)
    try:
        until(lambda: gitfolders.gits(desk.ground()))
        found = one(gitfolders.locks(desk.ground()))
        assert found.cure == "" and f"pid {git.pid}" in found.what
    finally:
        git.communicate(timeout=5)


# -- scratch folders


def folders(desk: Desk) -> tuple[Path, Path, Path]:
    places = desk.ground().places
    assert places is not None
    made = (places.checkout("p-1", 1), places.hooks("p-1", 1), places.state / "tmp" / "x")
    for folder in made:
        (folder / "sub").mkdir(parents=True)
        (folder / "sub" / "file").write_text("x")
        os.utime(folder, (time.time() - HOUR,) * 2)
    return made


def test_old_scratch_folders_are_told_and_deleted_without_following_links(desk: Desk, tmp_path: Path) -> None:
    assert scratch.look(desk.ground()).findings == ()
    made = folders(desk)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "keep").touch()
    (made[0] / "sub" / "link").symlink_to(tmp_path / "mine")
    found = scratch.look(desk.ground()).findings
    assert sorted(str(folder) for folder in made) == sorted(one.what.split(" was left ")[0] for one in found)
    assert all(mended(one).fixed for one in found)
    assert not any(folder.exists() for folder in made) and (tmp_path / "mine" / "keep").exists()
    assert scratch.look(desk.ground()).findings == ()


def test_a_scratch_folder_with_somebody_in_it_or_a_young_one_stays(desk: Desk) -> None:
    made = folders(desk)
    os.utime(made[1])
    bird = subprocess.Popen(["sleep", "30"], cwd=made[0] / "sub")
    try:
        found = one(scratch.look(desk.ground()))
        assert str(made[2]) in found.what
    finally:
        bird.kill()
        bird.wait()


def test_nothing_of_a_living_supervisor_whose_log_cannot_be_read_is_touched(desk: Desk) -> None:
    folders(desk)
    g = desk.ground()
    assert g.places is not None
    lock = Lock(g.places.lock)
    assert lock.take("the test")
    try:
        g.__dict__["log"] = peeking.Read(None, "unreadable")
        assert scratch.look(g).findings == ()
    finally:
        lock.release()


def test_missing_folders_are_made_for_us_alone(desk: Desk) -> None:
    places = desk.ground().places
    assert places is not None
    places.make()
    places.log.touch()
    (places.state / "gates").rmdir()
    found = one(scratch.look(desk.ground()))
    assert found.level == "fault" and mended(found).fixed
    assert (places.state / "gates").stat().st_mode & 0o777 == 0o700


def test_a_state_folder_that_others_can_write_is_closed_by_the_command(desk: Desk) -> None:
    places = desk.ground().places
    assert places is not None
    places.make()
    places.state.chmod(0o777)
    found = one(scratch.look(desk.ground()))
    assert found.level == "fault" and found.mend is None
    run(found.cure)
    assert scratch.look(desk.ground()).findings == ()
