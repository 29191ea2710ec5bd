"""A plan made anew with other bytes, and what a plan's contents are: from the sealed store alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused

from console.adapters.git.binary import GitFailed
from console.adapters.git.freezing import rebuild
from console.adapters.git.objects import object_id
from console.adapters.git.reading import NOWHERE
from console.core.records import Frozen
from console.engine.ports import FileChange, Landed


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def rebuilt(result: object) -> Frozen:
    assert isinstance(result, Frozen), result
    return result


def test_a_rewritten_file_lands_and_the_disk_is_still_watched(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new  \n")
    repo.write("b.txt", "kept\n")
    plan = frozen(git, repo.root, "a.txt", "b.txt")
    new = rebuilt(rebuild(git.repository, plan, {"a.txt": ("100644", b"new\n")}, plan.message))
    assert new.commit != plan.commit
    assert (new.base, new.ref, new.ref_old, new.worktree, new.when) == (
        plan.base, plan.ref, plan.ref_old, plan.worktree, plan.when,
    )  # fmt: skip
    assert [(one.oid, one.disk) for one in new.paths] == [
        (object_id("blob", b"new\n"), object_id("blob", b"new  \n")),
        (object_id("blob", b"kept\n"), ""),
    ]
    assert new.notes == ("rewritten by a hook: a.txt",)
    assert git.drift(new) == () and git.same_bytes(new) == ("a.txt",)
    repo.write("a.txt", "new\n")
    assert git.drift(new) == ("a.txt",)
    assert isinstance(git.land(new), Landed)
    assert repo.git("show", "HEAD:a.txt") == b"new\n" and repo.git("status", "--porcelain") == b""


def test_another_message_alone(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt")
    new = rebuilt(rebuild(git.repository, plan, {}, "T-1: work\r\n"))
    assert (new.message, new.tree, new.paths, new.notes) == ("T-1: work", plan.tree, plan.paths, ())
    assert "needs a message" in refused(rebuild(git.repository, plan, {}, " \n")).reason


def test_files_taken_away_brought_back_and_made_equal_to_the_base(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    repo.write("other.txt", "new\n")
    (repo.root / "src/app.py").unlink()
    repo.write("x.txt", "x\n")
    plan = frozen(git, repo.root, "a.txt", "other.txt", "src/app.py", "x.txt")
    contents = {"x.txt": None, "src/app.py": ("100755", b"back\n"), "other.txt": ("100644", b"other\n")}
    new = rebuilt(rebuild(git.repository, plan, contents, plan.message))
    assert {one.path: (one.mode, one.disk) for one in new.paths} == {
        "a.txt": ("100644", ""), "src/app.py": ("100755", NOWHERE),
    }  # fmt: skip
    assert set(new.unchanged) == {"other.txt", "x.txt"}
    assert git.drift(new) == ()
    repo.write("src/app.py", "there after all\n")
    assert git.drift(new) == ("src/app.py",)
    everything = {"a.txt": ("100644", b"one\ntwo\nthree\n"), "src/app.py": ("100644", b"print('hello')\n")}
    assert "nothing to commit" in refused(rebuild(git.repository, new, everything, new.message)).reason
    assert "is not a path of it" in refused(rebuild(git.repository, plan, {"strange": None}, "x")).reason


def test_a_rewrite_of_what_was_converted_keeps_the_first_bytes_on_record(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text\n*.bin filter=lfs\n")
    repo.commit("rules")
    git = repo.plain()
    repo.write("a.txt", "a  \r\n")
    repo.write("x.bin", b"content")
    plan = frozen(git, repo.root, "a.txt", "x.bin")
    new = rebuilt(rebuild(git.repository, plan, {"a.txt": ("100644", b"a\n")}, plan.message))
    assert [one.disk for one in new.paths] == [object_id("blob", b"a  \r\n"), object_id("blob", b"content")]
    assert new.notes == (*plan.notes, "rewritten by a hook: a.txt") and git.drift(new) == ()
    assert isinstance(git.land(new), Landed)
    assert len([path for path in (repo.root / ".git/lfs/objects").rglob("*") if path.is_file()]) == 1


def test_the_mode_on_disk_is_part_of_what_was_frozen(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text\n")
    repo.commit("rules")
    git = repo.plain()
    a, b = repo.write("a.txt", "a\r\n"), repo.write("b.sh", "b\n")
    plan = frozen(git, repo.root, "a.txt", "b.sh")
    new = rebuilt(rebuild(git.repository, plan, {"b.sh": ("100755", b"b\n")}, plan.message))
    assert git.drift(plan) == git.drift(new) == (), "a hook that makes a file executable leaves the one on disk alone"
    a.chmod(0o755)
    b.chmod(0o755)
    assert git.drift(plan) == git.drift(new) == ("a.txt", "b.sh")
    a.chmod(0o644)
    b.chmod(0o644)
    again = rebuilt(rebuild(git.repository, new, {"b.sh": ("100644", b"b\n")}, plan.message))
    assert [one.disk for one in again.paths] == [one.disk for one in plan.paths] and git.drift(again) == ()
    gone = rebuilt(rebuild(git.repository, plan, {"b.sh": None, "a.txt": None}, plan.message))
    assert git.drift(gone) == ()
    a.chmod(0o755)
    assert git.drift(gone) == ("a.txt",)


def test_a_rebuilt_plan_keeps_what_the_agent_had_committed(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    base = git.turn_base(str(ticket))
    repo.write("a.txt", "by the agent\n", cwd=ticket)
    repo.commit("agent one", cwd=ticket)
    plan = frozen(git, ticket, "a.txt", base=base)
    new = rebuilt(rebuild(git.repository, plan, {"a.txt": ("100644", b"fixed\n")}, plan.message))
    assert (new.ref_old, new.replaces) == (plan.ref_old, plan.replaces) and plan.replaces
    assert isinstance(git.land(new), Landed) and repo.git("show", "nightdesk/t:a.txt") == b"fixed\n"


def test_contents_are_both_versions_from_the_store_alone(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    repo.write("large.bin", b"x" * (5 * 1024 * 1024 + 1))
    repo.write("just.bin", b"y" * (5 * 1024 * 1024))
    (repo.root / "other.txt").unlink()
    (repo.root / "link").symlink_to("a.txt")
    plan = frozen(git, repo.root, "a.txt", "large.bin", "just.bin", "other.txt", "link")
    (repo.root / ".git/objects").rename(repo.root / ".git/objects.away")
    found = {change.path: change for change in git.contents(plan)}
    absent, file = "000000", "100644"
    old = b"one\ntwo\nthree\n"
    assert found["a.txt"] == FileChange(path="a.txt", old_mode=file, mode=file, old=old, new=b"new\n")
    assert found["other.txt"] == FileChange(path="other.txt", old_mode=file, mode=absent, old=b"other\n", new=None)
    assert found["link"] == FileChange(path="link", old_mode=absent, mode="120000", old=None, new=b"a.txt")
    assert found["large.bin"].new is None and len(found["just.bin"].new or b"") == 5 * 1024 * 1024
    for place, _, names in os.walk(plan.store):
        for name in names:
            os.unlink(os.path.join(place, name))
    with pytest.raises(GitFailed):
        git.contents(plan)
