"""In-place work: frozen, rolled back, landed, and written into the checkout again where nobody changed it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import pytest
from gitrepo import Repo, refused, request
from msgspec.structs import replace

from console.adapters.git.commits import PlainGit
from console.adapters.git.snapshots import ShadowSnapshots
from console.core.records import Frozen
from console.engine.ports import Landed, RolledBack, Snapshot


@dataclass(frozen=True)
class Place:
    repo: Repo
    git: PlainGit

    def work(self) -> None:
        """What an agent does in the checkout."""
        self.repo.write("a.txt", "changed\n")
        self.repo.write("src/deep/new.sh", "#!/bin/sh\n").chmod(0o755)
        (self.repo.root / "other.txt").unlink()
        (self.repo.root / "link").symlink_to("a.txt")

    def frozen(self) -> Frozen:
        """The work as a plan, and the checkout as it was before."""
        snapshots = ShadowSnapshots(self.git.repository)
        before = snapshots.take(str(self.repo.root), "s-1/1", 1)
        assert isinstance(before, Snapshot)
        self.work()
        plan = self.git.freeze(replace(request(self.git, self.repo.root), everything=True))
        assert isinstance(plan, Frozen), plan
        back = snapshots.restore(str(self.repo.root), before.snapshot, 2)
        assert isinstance(back, RolledBack) and back.left == (), back
        return plan

    def landed(self) -> Frozen:
        plan = self.frozen()
        assert isinstance(self.git.land(plan), Landed)
        return plan

    def status(self) -> str:
        return self.repo.git("status", "--porcelain").decode()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    repo = Repo.with_files(tmp_path)
    return Place(repo, repo.plain())


def test_the_work_is_there_again_and_the_checkout_is_clean(place: Place) -> None:
    plan = place.landed()
    assert (place.repo.root / "a.txt").read_text() == "one\ntwo\nthree\n" and place.git.unlike_base(plan) == ()
    assert set(place.git.write_back(plan)) == {"a.txt", "src/deep/new.sh", "other.txt", "link"}
    assert (place.repo.root / "a.txt").read_text() == "changed\n" and not (place.repo.root / "other.txt").exists()
    assert os.access(place.repo.root / "src/deep/new.sh", os.X_OK)
    assert os.readlink(place.repo.root / "link") == "a.txt"
    assert place.status() == "" and place.git.unlike_base(plan) == ()
    assert place.git.write_back(plan) == ()


def test_one_file_that_changed_keeps_all_as_they_are(place: Place) -> None:
    plan = place.landed()
    place.repo.write("src/deep/new.sh", "the operator's\n")
    before = place.status()
    result = refused(place.git.write_back(plan))
    assert "src/deep/new.sh" in result.reason and plan.commit[:10] in result.reason
    assert result.paths == ("src/deep/new.sh",) == place.git.unlike_base(plan)
    assert place.status() == before and (place.repo.root / "a.txt").read_text() == "one\ntwo\nthree\n"


@pytest.mark.parametrize("how", ["mode", "link", "folder", "deleted", "fifo"])
def test_anything_else_in_a_files_place_is_a_change(place: Place, how: str) -> None:
    plan = place.landed()
    path = place.repo.root / "a.txt"
    if how == "mode":
        path.chmod(0o755)
    else:
        path.unlink()
        if how == "link":
            path.symlink_to("src/app.py")
        elif how == "folder":
            path.mkdir()
        elif how == "fifo":
            os.mkfifo(path)
    assert refused(place.git.write_back(plan)).paths == ("a.txt",)


def test_a_linked_folder_leads_nowhere(place: Place, tmp_path: Path) -> None:
    plan = place.landed()
    outside = tmp_path / "outside"
    outside.mkdir()
    (place.repo.root / "src/deep").symlink_to(outside)
    assert refused(place.git.write_back(plan)).paths == ("src/deep/new.sh",)
    assert list(outside.iterdir()) == []


def test_what_was_closed_to_others_stays_closed(place: Place) -> None:
    plan = place.landed()
    (place.repo.root / "a.txt").chmod(0o600)
    assert "a.txt" in place.git.write_back(plan)
    assert stat.S_IMODE((place.repo.root / "a.txt").stat().st_mode) == 0o600


def test_other_changes_and_what_is_staged_stay(place: Place) -> None:
    plan = place.landed()
    place.repo.write("src/app.py", "mine\n")
    place.repo.write("staged.txt", "mine\n")
    place.repo.git("add", "staged.txt")
    place.git.write_back(plan)
    assert place.status().splitlines() == [" M src/app.py", "A  staged.txt"]


def test_on_another_branch_nothing_is_written(place: Place) -> None:
    plan = place.landed()
    place.repo.git("stash", "-q", "-u")
    place.repo.git("switch", "-q", "-c", "elsewhere", plan.base)
    assert "on elsewhere" in refused(place.git.write_back(plan)).reason
    assert not (place.repo.root / "link").is_symlink()


def test_cut_off_after_every_step_the_next_call_completes_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    plan, cuts = place.landed(), 0
    for steps in range(1, 30):
        left = steps
        for name in ("rename", "unlink", "mkdir", "symlink"):
            real = getattr(os, name)

            def step(*args: object, real: object = real, **how: object) -> object:
                nonlocal left
                if "dir_fd" in how or "src_dir_fd" in how:
                    left -= 1
                    if left <= 0:
                        raise Killed
                return real(*args, **how)  # type: ignore[operator]

            monkeypatch.setattr(os, name, step)
        try:
            result = place.git.write_back(plan)
        except Killed:
            cuts += 1
            monkeypatch.undo()
            continue
        monkeypatch.undo()
        assert isinstance(result, tuple), result
        break
    assert cuts >= 4 and place.status() == "" and place.git.unlike_base(plan) == ()
    assert [one.name for one in place.repo.root.rglob("*.part")] == []


def test_line_endings_are_those_of_a_checkout(place: Place) -> None:
    place.repo.write(".gitattributes", "*.txt text eol=crlf\n")
    for name in ("a.txt", "other.txt"):
        (place.repo.root / name).unlink()
    place.repo.git("add", ".gitattributes")
    place.repo.git("commit", "-q", "-m", "rules")
    place.repo.git("checkout", "-q", "--", ".")
    assert (place.repo.root / "a.txt").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    plan = place.landed()
    assert "a.txt" in place.git.write_back(plan)
    assert (place.repo.root / "a.txt").read_bytes() == b"changed\r\n" and place.status() == ""


def test_a_folder_that_is_gone_is_all_unlike(place: Place) -> None:
    plan = replace(place.landed(), worktree="/nowhere/at/all")
    assert len(place.git.unlike_base(plan)) == 4
    assert "no worktree" in refused(place.git.write_back(plan)).reason
