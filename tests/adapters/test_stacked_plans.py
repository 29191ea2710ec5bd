"""Work on top of another ticket's candidate: from its files in a worktree to a landing after the other's."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from gitrepo import AUTHOR, WHEN, Repo, canary, refused
from msgspec.structs import replace

from console.adapters.git.commits import PlainGit
from console.adapters.git.hooks import CommitHooks
from console.core.records import Frozen, Refused
from console.engine.ports import FreezeRequest, Landed, Moved, TurnBase, Worktree


@dataclass(frozen=True)
class Desk:
    """A repository in which ticket a has a candidate that is not landed."""

    repo: Repo
    git: PlainGit

    def worktree(self, ticket: str) -> Path:
        made = self.git.ticket_worktree(ticket, f"nightdesk/{ticket}")
        assert isinstance(made, Worktree), made
        return Path(made.path)

    def freeze(self, place: Path, on: Frozen | None = None, when: int = WHEN) -> Frozen:
        base = self.git.turn_base(str(place))
        assert isinstance(base, TurnBase), base
        stores = (on.store, *on.stores) if on else ()
        plan = self.git.freeze(
            FreezeRequest(
                worktree=str(place),
                paths=(),
                message=f"work in {place.name}",
                author=AUTHOR,
                when=when,
                zone="+0000",
                base=TurnBase(ref=base.ref, head=on.commit if on else base.head),
                everything=True,
                stores=stores,
            )
        )
        assert isinstance(plan, Frozen), plan
        return plan

    def stacked(self, ticket: str, on: Frozen) -> Path:
        place = self.worktree(ticket)
        result = self.git.stack(str(place), on)
        assert result is None, result
        return place

    def lands(self, plan: Frozen) -> None:
        result = self.git.land(plan)
        assert isinstance(result, Landed) and result.index_note == "", result


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    repo = Repo.with_files(tmp_path)
    return Desk(repo, repo.plain())


@pytest.fixture
def a(desk: Desk) -> Frozen:
    place = desk.worktree("a")
    desk.repo.write("a.txt", "by a\n", cwd=place)
    desk.repo.write("src/new.py", "new by a\n", cwd=place).chmod(0o755)
    (place / "other.txt").unlink()
    (place / "link").symlink_to("a.txt")
    return desk.freeze(place)


def git_files(repo: Repo) -> dict[str, bytes]:
    """Everything in the shared git dir but times."""
    root = repo.root / ".git"
    return {str(one.relative_to(root)): one.read_bytes() for one in sorted(root.rglob("*")) if one.is_file()}


# -- the files of a candidate in another worktree


def test_the_files_become_the_candidates_and_nothing_else_changes(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("b")
    before, untouched = git_files(desk.repo), (place / "src/app.py").stat()
    assert desk.git.stack(str(place), a) is None
    assert (place / "a.txt").read_text() == "by a\n"
    assert os.access(place / "src/new.py", os.X_OK) and not (place / "other.txt").exists()
    assert os.readlink(place / "link") == "a.txt"
    assert git_files(desk.repo) == before
    assert (place / "src/app.py").stat() == untouched
    assert desk.git.stack(str(place), a) is None


def test_a_file_that_is_neither_is_refused_and_nothing_is_written(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("b")
    desk.repo.write("a.txt", "somebody's\n", cwd=place)
    result = refused(desk.git.stack(str(place), a))
    assert "a.txt" in result.reason and result.paths == ("a.txt",)
    assert (place / "other.txt").exists() and not (place / "src/new.py").exists()


def test_a_new_file_that_is_in_the_way_is_refused(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("b")
    desk.repo.write("src/new.py", "mine\n", cwd=place)
    assert refused(desk.git.stack(str(place), a)).paths == ("src/new.py",)


def test_no_link_is_followed_out_of_the_worktree(desk: Desk, a: Frozen, tmp_path: Path) -> None:
    place, outside = desk.worktree("b"), tmp_path / "outside"
    (place / "src/app.py").rename(tmp_path / "app.py")
    (place / "src").rmdir()
    outside.mkdir()
    (place / "src").symlink_to(outside)
    assert "src/new.py" in refused(desk.git.stack(str(place), a)).reason
    assert list(outside.iterdir()) == []


def test_files_and_folders_that_change_places(desk: Desk) -> None:
    first = desk.worktree("a")
    (first / "a.txt").unlink()
    desk.repo.write("a.txt/inside", "x\n", cwd=first)
    (first / "src/app.py").unlink()
    (first / "src").rmdir()
    desk.repo.write("src", "a file now\n", cwd=first)
    plan = desk.freeze(first)
    second = desk.stacked("b", plan)
    assert (second / "a.txt/inside").read_text() == "x\n" and (second / "src").read_text() == "a file now\n"
    assert desk.git.stack(str(second), plan) is None


def test_attributes_of_the_candidate_decide_how_files_lie_on_disk(desk: Desk) -> None:
    desk.repo.write(".gitattributes", "*.win text eol=crlf\n")
    desk.repo.write("x.win", "one\n")
    desk.repo.commit("rules")
    first = desk.worktree("a")
    desk.repo.write("x.win", "one\r\ntwo\r\n", cwd=first)
    desk.repo.write("y.win", "new\r\n", cwd=first)
    plan = desk.freeze(first)
    second = desk.stacked("b", plan)
    assert (second / "x.win").read_bytes() == b"one\r\ntwo\r\n" and (second / "y.win").read_bytes() == b"new\r\n"
    assert desk.freeze(second, plan).paths == ()


def test_cut_off_after_every_single_step_it_is_completed_by_the_next_call(
    desk: Desk, a: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a kill would: nothing of ours runs after it."""

    class Killed(BaseException):
        pass

    done, place = 0, desk.worktree("b")
    for steps in range(1, 20):
        left = steps
        for name in ("rename", "unlink", "symlink"):
            real = getattr(os, name)

            def step(*args: object, real: object = real, **how: object) -> object:
                nonlocal left
                if "dir_fd" in how or "src_dir_fd" in how:
                    left -= 1
                    if left == 0:
                        raise Killed
                    if left < 0:  # even the cleaning up
                        raise Killed
                return real(*args, **how)  # type: ignore[operator]

            monkeypatch.setattr(os, name, step)
        try:
            assert desk.git.stack(str(place), a) is None
            monkeypatch.undo()
            break
        except Killed:
            done += 1
        monkeypatch.undo()
    assert done >= 4
    plan = desk.freeze(place, a)
    assert plan.paths == (), [one.path for one in plan.paths]


def test_a_worktree_with_commits_of_its_own_is_refused(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("b")
    desk.repo.write("b.txt", "b\n", cwd=place)
    desk.repo.commit("own", cwd=place)
    assert "does not descend" in refused(desk.git.stack(str(place), a)).reason


def test_in_place_work_is_stacked_in_the_checkout_itself(desk: Desk, a: Frozen, tmp_path: Path) -> None:
    desk.repo.write("notes.txt", "the operator's\n")
    assert desk.git.stack(str(desk.repo.root), a) is None
    assert desk.repo.git("diff", "--cached", "--name-only") == b""
    desk.repo.write("b.txt", "by b\n")
    plan = desk.freeze(desk.repo.root, a)
    assert [one.path for one in plan.paths] == ["b.txt", "notes.txt"] and plan.ref == "refs/heads/main"
    assert "no worktree" in refused(desk.git.stack(str(tmp_path), a)).reason


def test_content_in_lfs_comes_from_the_other_plans_store(desk: Desk) -> None:
    desk.repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    desk.repo.commit("rules")
    body, first = os.urandom(50_000), desk.worktree("a")
    desk.repo.write("x.bin", body, cwd=first)
    plan = desk.freeze(first)
    assert plan.notes == ("x.bin: kept in LFS, 50000 bytes",)
    second = desk.stacked("b", plan)
    assert (second / "x.bin").read_bytes() == body
    assert desk.freeze(second, plan).paths == () and desk.git.stack(str(second), plan) is None


def test_a_candidate_whose_objects_are_gone_is_refused(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("b")
    os.rename(a.store, a.store + ".away")
    reason = refused(desk.git.stack(str(place), a)).reason
    assert "cannot be read" in reason and a.store in reason


# -- a plan on top of it


@pytest.fixture
def b(desk: Desk, a: Frozen) -> Frozen:
    place = desk.stacked("b", a)
    desk.repo.write("b.txt", "by b\n", cwd=place)
    desk.repo.write("a.txt", "by a\nand b\n", cwd=place)
    return desk.freeze(place, a)


def test_it_holds_only_its_own_changes(desk: Desk, a: Frozen, b: Frozen) -> None:
    main = desk.repo.line("rev-parse", "main")
    assert [one.path for one in b.paths] == ["a.txt", "b.txt"]
    assert (b.base, b.ref_old, b.ref, b.stores) == (a.commit, main, "refs/heads/nightdesk/b", (a.store,))
    assert desk.git.moved(b) is None and desk.git.drift(b) == () and desk.git.same_bytes(b) == ()
    shown = desk.git.diff(b).decode()
    assert "+and b" in shown and "src/new.py" not in shown
    by_path = {one.path: one for one in desk.git.contents(b)}
    assert by_path["a.txt"].old == b"by a\n" and by_path["b.txt"].new == b"by b\n"


def test_its_checkout_has_both(desk: Desk, b: Frozen, tmp_path: Path) -> None:
    assert desk.git.checkout(b, tmp_path / "out") is None
    assert (tmp_path / "out/a.txt").read_text() == "by a\nand b\n" and (tmp_path / "out/src/new.py").exists()
    assert not (tmp_path / "out/other.txt").exists()


def test_hooks_see_what_it_stands_on(desk: Desk, b: Frozen, tmp_path: Path) -> None:
    hook = desk.repo.root / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    run = CommitHooks(desk.git.repository, lambda: desk.repo.environ).prepare(b, tmp_path / "scratch")
    assert not isinstance(run, Refused) and run is not None, run
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=run.folder, env=desk.repo.environ, capture_output=True, check=True
    )
    assert log.stdout.decode().splitlines() == ["work in a", "first"]


def test_it_waits_for_the_other_and_says_which(desk: Desk, a: Frozen, b: Frozen) -> None:
    before = git_files(desk.repo)
    reason = refused(desk.git.land(b)).reason
    assert a.commit[:10] in reason and "work in a" in reason
    assert git_files(desk.repo) == before
    assert not desk.git.landed(b)


def test_after_the_other_it_lands_and_both_worktrees_are_clean(desk: Desk, a: Frozen, b: Frozen) -> None:
    desk.lands(a)
    assert desk.git.moved(b) is None
    desk.lands(b)
    assert desk.repo.line("log", "--format=%s", "nightdesk/b").splitlines() == ["work in b", "work in a", "first"]
    for place in (b.worktree, a.worktree):
        assert desk.repo.git("status", "--porcelain", cwd=Path(place)) == b""
    desk.lands(b)
    assert desk.git.landed(b)


def test_undo_goes_back_to_where_the_branch_was(desk: Desk, a: Frozen, b: Frozen) -> None:
    desk.lands(a)
    desk.lands(b)
    assert "nightdesk/b" in refused(desk.git.undo(a)).reason
    assert isinstance(desk.git.undo(b), Landed)
    assert desk.repo.line("rev-parse", "nightdesk/b") == b.ref_old
    assert desk.repo.git("diff", "--cached", "--name-only", cwd=Path(b.worktree)) == b""
    assert isinstance(desk.git.undo(a), Landed)
    assert "on no branch" in refused(desk.git.land(b)).reason


def test_nothing_of_the_other_enters_the_repository_with_it(desk: Desk, a: Frozen, b: Frozen) -> None:
    desk.lands(a)
    packs = {one.name for one in (desk.repo.root / ".git/objects/pack").glob("*.idx")}
    desk.lands(b)
    new = [one for one in (desk.repo.root / ".git/objects/pack").glob("*.idx") if one.name not in packs]
    listed = desk.repo.git("show-index", stdin=new[0].read_bytes()).decode()
    assert len(new) == 1 and b.commit in listed and a.commit not in listed


def test_a_chain_of_three_lands_in_order(desk: Desk, a: Frozen, b: Frozen) -> None:
    place = desk.stacked("c", b)
    desk.repo.write("c.txt", "by c\n", cwd=place)
    c = desk.freeze(place, b)
    assert c.stores == (b.store, a.store) and [one.path for one in c.paths] == ["c.txt"]
    desk.lands(a)
    assert b.commit[:10] in refused(desk.git.land(c)).reason
    desk.lands(b)
    desk.lands(c)
    assert desk.repo.git("status", "--porcelain", cwd=place) == b""


def test_the_other_landed_as_another_commit(desk: Desk, a: Frozen, b: Frozen) -> None:
    """As a signature makes it: the same tree, another id."""
    signed = replace(desk.freeze(Path(a.worktree), when=WHEN + 60))
    assert signed.commit != a.commit and signed.tree == a.tree
    desk.lands(signed)
    assert a.commit[:10] in refused(desk.git.land(b)).reason
    fresh = desk.git.rebase(b, signed.commit, WHEN + 90)
    assert isinstance(fresh, Frozen), fresh
    assert (fresh.base, fresh.ref_old, fresh.stores, fresh.tree) == (signed.commit, b.ref_old, (), b.tree)
    assert desk.git.moved(fresh) is None and desk.git.drift(fresh) == ()
    desk.lands(fresh)
    assert desk.repo.git("status", "--porcelain", cwd=Path(b.worktree)) == b""


def test_the_other_got_another_message_and_waits_still(desk: Desk, a: Frozen, b: Frozen) -> None:
    place = desk.git.turn_base(a.worktree)
    assert isinstance(place, TurnBase)
    anew = desk.git.freeze(
        FreezeRequest(
            worktree=a.worktree, paths=(), message="other words", base=place, author=AUTHOR, when=WHEN, zone="+0000",
            everything=True,
        )
    )  # fmt: skip
    assert isinstance(anew, Frozen), anew
    fresh = desk.git.rebase(b, anew.commit, WHEN)
    assert isinstance(fresh, Frozen), fresh
    assert (fresh.base, fresh.stores, fresh.ref_old) == (anew.commit, (anew.store,), b.ref_old)
    assert anew.commit[:10] in refused(desk.git.land(fresh)).reason
    desk.lands(anew)
    desk.lands(fresh)
    assert desk.repo.line("log", "--format=%s", "nightdesk/b").splitlines() == ["work in b", "other words", "first"]


def test_a_plan_that_is_not_stacked_does_not_become_so(desk: Desk, a: Frozen) -> None:
    place = desk.worktree("c")
    desk.repo.write("c.txt", "by c\n", cwd=place)
    assert "not a commit of this repository" in refused(desk.git.rebase(desk.freeze(place), a.commit, WHEN)).reason


def test_the_other_changed_what_it_changes_too(desk: Desk, a: Frozen, b: Frozen) -> None:
    desk.repo.write("a.txt", "by a, differently\n", cwd=Path(a.worktree))
    other = desk.freeze(Path(a.worktree))
    desk.lands(other)
    result = refused(desk.git.rebase(b, other.commit, WHEN))
    assert "void" in result.reason and result.paths == ("a.txt",)


def test_a_commit_on_its_own_branch_is_a_move_that_no_rebase_mends(desk: Desk, b: Frozen) -> None:
    desk.repo.git("commit", "-q", "--allow-empty", "-m", "by somebody", cwd=Path(b.worktree))
    moved = desk.git.moved(b)
    assert isinstance(moved, Moved) and moved.overlap == ("a.txt", "b.txt")
    assert isinstance(desk.git.land(b), Moved)


def test_what_the_agent_committed_on_top_is_taken_off(desk: Desk, a: Frozen) -> None:
    place = desk.stacked("b", a)
    desk.repo.write("b.txt", "by b\n", cwd=place)
    tip = desk.repo.commit("by the agent", cwd=place)
    plan = desk.freeze(place, a)
    assert [one.path for one in plan.paths] == ["b.txt"] and plan.ref_old == tip
    assert len(plan.replaces) == 1 and "by the agent" in plan.replaces[0]
    desk.lands(a)
    desk.lands(plan)
    assert desk.repo.line("log", "--format=%s", "nightdesk/b").splitlines() == ["work in b", "work in a", "first"]
    assert desk.repo.git("status", "--porcelain", cwd=place) == b""
    assert isinstance(desk.git.undo(plan), Landed)
    assert desk.repo.line("rev-parse", "nightdesk/b") == tip


def test_without_the_stores_it_is_refused_not_guessed(desk: Desk, a: Frozen, b: Frozen) -> None:
    os.rename(a.store, a.store + ".away")
    base = TurnBase(ref=b.ref, head=a.commit)
    asked = FreezeRequest(
        worktree=b.worktree, paths=("b.txt",), message="m", base=base, author=AUTHOR, when=WHEN, zone="+0000",
        stores=(a.store,),
    )  # fmt: skip
    assert "cannot be read" in refused(desk.git.freeze(asked)).reason
    refused(desk.git.freeze(replace(asked, stores=())))


# -- any commit


def test_a_commit_of_another_ticket_is_checked_out_from_its_store(desk: Desk, a: Frozen, tmp_path: Path) -> None:
    program, mark = canary(tmp_path, "smudge")
    desk.repo.git("config", "filter.evil.smudge", str(program))
    desk.repo.write("node_modules/x.js", "dep\n", cwd=Path(a.worktree))
    desk.repo.write("local.log", "the agent's\n", cwd=Path(a.worktree))
    desk.repo.write("local.log", "secret\n")
    into = tmp_path / "out"
    result = desk.git.checkout_commit(a.commit, (a.store,), a.worktree, into, ("*.log",))
    assert result is None, result
    assert (into / "a.txt").read_text() == "by a\n" and not (into / "other.txt").exists()
    assert (into / "node_modules/x.js").read_text() == "dep\n" and (into / "local.log").read_text() == "secret\n"
    assert not (into / ".git").exists() and not mark.exists()
    assert "not empty" in refused(desk.git.checkout_commit(a.commit, (a.store,), a.worktree, into)).reason
    refused(desk.git.checkout_commit("1" * 40, (), a.worktree, tmp_path / "none"))


def test_a_planted_object_is_noticed_in_a_checkout(desk: Desk, tmp_path: Path) -> None:
    head = desk.repo.line("rev-parse", "HEAD")
    one, two = (desk.repo.line("rev-parse", f"HEAD:{name}") for name in ("a.txt", "other.txt"))
    objects = desk.repo.root / ".git/objects"
    target = objects / one[:2] / one[2:]
    target.chmod(0o644)
    target.write_bytes((objects / two[:2] / two[2:]).read_bytes())
    refused(desk.git.checkout_commit(head, (), str(desk.repo.root), tmp_path / "out"))
