"""A ticket's plan: every path of the worktree that is not ignored and differs from the base, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from gitrepo import Repo, added, refused, request
from msgspec.structs import replace

from console.adapters.git import whole
from console.adapters.git.commits import PlainGit
from console.adapters.git.objects import object_id
from console.core.records import Frozen
from console.engine.ports import TurnBase


@dataclass(frozen=True)
class Ticket:
    repo: Repo
    git: PlainGit
    place: Path
    base: TurnBase

    def freeze(self) -> object:
        return self.git.freeze(replace(request(self.git, self.place, base=self.base), everything=True))

    def frozen(self) -> Frozen:
        plan = self.freeze()
        assert isinstance(plan, Frozen), plan
        return plan


@pytest.fixture
def ticket(tmp_path: Path) -> Ticket:
    repo = Repo.with_files(tmp_path)
    git = repo.plain()
    place = Path(added(git, "T-1", "nightdesk/T-1").path)
    base = git.turn_base(str(place))
    assert isinstance(base, TurnBase)
    return Ticket(repo, git, place, base)


def test_changed_deleted_and_new_files_are_all_in_it_and_ignored_ones_are_not(ticket: Ticket) -> None:
    ticket.repo.write("a.txt", "changed\n", cwd=ticket.place)
    (ticket.place / "other.txt").unlink()
    ticket.repo.write("new/deep.txt", "new\n", cwd=ticket.place)
    (ticket.place / "link").symlink_to("/etc/passwd")
    ticket.repo.write("run.sh", "#!/bin/sh\n", cwd=ticket.place).chmod(0o755)
    ticket.repo.write("noise.log", "ignored\n", cwd=ticket.place)
    ticket.repo.write("node_modules/x.js", "ignored\n", cwd=ticket.place)
    plan = ticket.frozen()
    modes = {one.path: one.mode for one in plan.paths}
    assert modes == {
        "a.txt": "100644", "other.txt": "000000", "new/deep.txt": "100644", "link": "120000", "run.sh": "100755",
    }  # fmt: skip
    assert plan.others == () and plan.unchanged == ()
    assert ticket.git.same_bytes(plan) == () and ticket.git.drift(plan) == ()
    landed = ticket.git.land(plan)
    assert getattr(landed, "commit", "") == plan.commit, landed
    assert ticket.repo.git("status", "--porcelain", cwd=ticket.place) == b""


def test_a_file_that_appears_later_is_listed_as_a_difference(ticket: Ticket) -> None:
    ticket.repo.write("a.txt", "changed\n", cwd=ticket.place)
    plan = ticket.frozen()
    ticket.repo.write("dropping.txt", "by the gate\n", cwd=ticket.place)
    assert ticket.git.same_bytes(plan) == ("dropping.txt",)


def test_nothing_differs_gives_no_paths_and_the_base_itself(ticket: Ticket) -> None:
    plan = ticket.frozen()
    head = ticket.repo.line("rev-parse", "HEAD")
    assert (plan.paths, plan.commit, plan.base, plan.store) == ((), head, head, "")
    assert plan.tree == ticket.repo.line("rev-parse", "HEAD^{tree}")


def test_a_touched_file_and_one_written_back_are_no_difference(ticket: Ticket) -> None:
    (ticket.place / "a.txt").touch()
    ticket.repo.write("other.txt", "x\n", cwd=ticket.place)
    ticket.repo.write("other.txt", "other\n", cwd=ticket.place)
    assert ticket.frozen().paths == ()


def test_what_the_agent_committed_is_in_it_as_one_commit(ticket: Ticket) -> None:
    ticket.repo.write("a.txt", "first\n", cwd=ticket.place)
    ticket.repo.commit("by the agent", cwd=ticket.place)
    ticket.repo.write("b.txt", "second\n", cwd=ticket.place)
    plan = ticket.frozen()
    assert [one.path for one in plan.paths] == ["a.txt", "b.txt"]
    assert plan.base == ticket.base.head and plan.ref_old != plan.base
    assert len(plan.replaces) == 1 and "by the agent" in plan.replaces[0]


def test_index_flags_and_staging_of_the_agent_hide_nothing(ticket: Ticket) -> None:
    ticket.repo.write("a.txt", "hidden\n", cwd=ticket.place)
    ticket.repo.git("update-index", "--assume-unchanged", "a.txt", cwd=ticket.place)
    ticket.repo.write("src/app.py", "skipped\n", cwd=ticket.place)
    ticket.repo.git("update-index", "--skip-worktree", "src/app.py", cwd=ticket.place)
    ticket.repo.git("rm", "-q", "--cached", "other.txt", cwd=ticket.place)
    assert [one.path for one in ticket.frozen().paths] == ["a.txt", "src/app.py"]


def test_a_file_becomes_a_folder_and_a_folder_a_link(ticket: Ticket) -> None:
    (ticket.place / "a.txt").unlink()
    ticket.repo.write("a.txt/inside", "x\n", cwd=ticket.place)
    (ticket.place / "src/app.py").unlink()
    (ticket.place / "src").rmdir()
    (ticket.place / "src").symlink_to("/etc")
    plan = ticket.frozen()
    assert {one.path: one.mode for one in plan.paths} == {
        "a.txt": "000000", "a.txt/inside": "100644", "src/app.py": "000000", "src": "120000",
    }  # fmt: skip


def test_names_of_any_bytes(ticket: Ticket) -> None:
    Path(str(ticket.place), b"caf\xe9 \n".decode("utf-8", "surrogateescape")).write_bytes(b"x")
    (plan_path,) = ticket.frozen().paths
    assert plan_path.path == '"caf\\351 \\n"' and plan_path.oid == object_id("blob", b"x")


def test_a_repository_inside_is_refused_by_its_name(ticket: Ticket) -> None:
    ticket.repo.write("a.txt", "changed\n", cwd=ticket.place)
    ticket.repo.git("init", "-q", "vendored", cwd=ticket.place)
    ticket.repo.write("vendored/x", "x\n", cwd=ticket.place)
    ticket.repo.commit("inside", cwd=ticket.place / "vendored")
    reason = refused(ticket.freeze()).reason
    assert "vendored is a repository of its own" in reason


def test_too_many_files_are_refused_with_the_number_and_the_cure(
    ticket: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole, "PATHS_AT_MOST", 3)
    for number in range(4):
        ticket.repo.write(f"out/{number}.o", "x\n", cwd=ticket.place)
    reason = refused(ticket.freeze()).reason
    assert reason.startswith("4 files changed, more than the 3") and "most of them in out" in reason
    assert ".gitignore" in reason
    (ticket.place / "out/0.o").unlink()
    assert len(ticket.frozen().paths) == 3


def test_too_many_bytes_are_refused_with_the_number(ticket: Ticket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "BYTES_AT_MOST", 1 << 20)
    ticket.repo.write("big.bin", b"x" * (3 << 20), cwd=ticket.place)
    reason = refused(ticket.freeze()).reason
    assert "have 3 MiB, more than the 1 MiB" in reason and "big.bin" in reason
