"""A ticket's own worktree: made once, found again, mended wherever it was cut off, and removed without losing work."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gitrepo import Repo, added, canary, refused

from console.adapters.git import ticketwork
from console.adapters.git.commits import PlainGit
from console.adapters.git.refs import all_refs
from console.adapters.git.removing import Doomed, Removed
from console.adapters.git.watching import Watch
from console.core.records import Refused
from console.engine.ports import Look, Worktree

BRANCH = "nightdesk/T-1"
REF = f"refs/heads/{BRANCH}"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def git(repo: Repo) -> PlainGit:
    return repo.plain()


def made(git: PlainGit, name: str = "T-1", branch: str = BRANCH, base: str = "") -> Worktree:
    result = git.ticket_worktree(name, branch, base)
    assert isinstance(result, Worktree), result
    return result


def assert_sound(repo: Repo, tree: Worktree) -> None:
    """On its branch, every file there, nothing of ours left over, and known to git once."""
    assert repo.line("symbolic-ref", "HEAD", cwd=Path(tree.path)) == REF
    assert repo.git("status", "--porcelain", cwd=Path(tree.path)) == b""
    assert Path(tree.path, "src/app.py").read_text() == "print('hello')\n"
    entries = [one for one in (repo.root / ".git/worktrees").iterdir() if (one / "gitdir").exists()]
    assert len(entries) == 1 and not (entries[0] / "locked").exists() and not (entries[0] / "index.lock").exists()


# -- made, and found again


def test_it_is_made_and_taken_as_it_is_the_next_time(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    assert tree.ref == REF and Path(tree.path) == Path(os.path.realpath(repo.data)) / "T-1"
    assert_sound(repo, tree)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    tip = repo.commit("by the agent", cwd=Path(tree.path))
    repo.write("b.txt", "more work\n", cwd=Path(tree.path))
    again = made(repo.plain())
    assert (again.path, again.head) == (tree.path, tip)
    assert Path(tree.path, "b.txt").read_text() == "more work\n"


def test_it_begins_at_any_commit_that_the_repository_has(repo: Repo, git: PlainGit) -> None:
    first = repo.line("rev-parse", "HEAD")
    repo.write("a.txt", "two\n")
    repo.commit("second")
    tree = made(git, base=first)
    assert tree.head == first and Path(tree.path, "a.txt").read_text() == "one\ntwo\nthree\n"
    assert "no commit of" in refused(git.ticket_worktree("T-2", "nightdesk/T-2", "1" * 40)).reason
    assert "no commit of" in refused(git.ticket_worktree("T-2", "nightdesk/T-2", "--output=x")).reason
    plain = git.add_worktree("x", "feature/x", first)
    assert isinstance(plain, Worktree) and plain.head == first


def test_only_the_folder_is_made_safe_and_ids_keep_theirs(git: PlainGit) -> None:
    tree = made(git, "fix: a/b", "nightdesk/fix-a/b")
    assert tree.ref == "refs/heads/nightdesk/fix-a/b" and Path(tree.path).name.startswith("fix-a-b-")
    for bad in ("feature/x", "nightdesk/", "nightdesk/a..b", "nightdesk/ x"):
        assert "cannot be a ticket's branch" in refused(git.ticket_worktree("x", bad)).reason


def test_nothing_of_the_repository_runs(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    program, mark = canary(tmp_path, "post-checkout")
    hook = repo.root / ".git/hooks/post-checkout"
    shutil.copy(program, hook)
    repo.git("config", "core.fsmonitor", str(program))
    made(git)
    assert not mark.exists()


def test_the_watch_takes_what_we_made_for_ours(repo: Repo, git: PlainGit) -> None:
    watch = Watch(git.repository)
    watch.look()
    tree = made(git)
    watch.accept_refs(frozenset({tree.ref}))
    watch.accept_worktree(tree.path)
    look = watch.look(strict=True)
    assert isinstance(look, Look) and look.changes == ()


# -- what is not ours


def test_a_foreign_branch_of_that_name_is_refused(repo: Repo, git: PlainGit) -> None:
    repo.git("switch", "-q", "-c", BRANCH)
    repo.write("a.txt", "the operator's\n")
    tip = repo.commit("operator's own")
    reason = refused(git.ticket_worktree("T-1", BRANCH)).reason
    assert "checked out in" in reason and str(repo.root) in reason
    repo.git("switch", "-q", "main")
    reason = refused(git.ticket_worktree("T-1", BRANCH)).reason
    assert f"exists already, at {tip[:10]}" in reason and "git branch -m" in reason
    assert not (repo.data / "T-1").exists() and repo.line("rev-parse", BRANCH) == tip


def test_a_branch_at_the_very_base_has_nothing_to_lose_and_is_taken(repo: Repo, git: PlainGit) -> None:
    repo.git("branch", BRANCH)
    assert_sound(repo, made(git))


def test_a_symbolic_branch_is_refused(repo: Repo, git: PlainGit) -> None:
    repo.git("symbolic-ref", REF, "refs/heads/main")
    refused(git.ticket_worktree("T-1", BRANCH))


@pytest.mark.parametrize("other", ["nightdesk/T-1/deep", "nightdesk/t-1", "NightDesk/T-1", "nightdesk/t-1/x"])
def test_names_that_cannot_be_side_by_side_are_refused(repo: Repo, git: PlainGit, other: str) -> None:
    repo.git("branch", other)
    assert other in refused(git.ticket_worktree("T-1", BRANCH)).reason


def test_folders_that_differ_only_in_case_are_refused(repo: Repo, git: PlainGit) -> None:
    (repo.data / "t-1").mkdir(parents=True)
    assert "beside t-1" in refused(git.ticket_worktree("T-1", BRANCH)).reason


def test_a_folder_with_files_and_a_link_are_left_alone(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    repo.data.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (repo.data / "T-1").symlink_to(tmp_path / "elsewhere")
    refused(git.ticket_worktree("T-1", BRANCH))
    assert list((tmp_path / "elsewhere").iterdir()) == []
    (repo.data / "T-1").unlink()
    repo.write("T-1/precious", "x", cwd=repo.data)
    assert "nothing of it is touched" in refused(git.ticket_worktree("T-1", BRANCH)).reason
    assert (repo.data / "T-1/precious").exists() and REF not in all_refs(str(repo.root / ".git")).values


def test_a_session_s_worktree_of_that_name_is_left_alone(git: PlainGit) -> None:
    session = added(git, "T-1", "feature/x")
    reason = refused(git.ticket_worktree("T-1", BRANCH)).reason
    assert session.path in reason and "feature/x" in reason


def test_an_agent_that_left_its_branch_is_told_how_to_come_back(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.git("switch", "-q", "--detach", cwd=Path(tree.path))
    assert "switch nightdesk/T-1" in refused(git.ticket_worktree("T-1", BRANCH)).reason
    repo.git("switch", "-q", "-c", "other", cwd=Path(tree.path))
    assert "switch nightdesk/T-1" in refused(git.ticket_worktree("T-1", BRANCH)).reason


# -- cut off anywhere


def test_the_folder_is_gone_and_only_our_entry_is_forgotten(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "theirs", str(tmp_path / "theirs"))
    shutil.rmtree(tmp_path / "theirs")
    tree = made(git)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    tip = repo.commit("by the agent", cwd=Path(tree.path))
    shutil.rmtree(tree.path)
    again = made(git)
    assert again.head == tip and Path(again.path, "a.txt").read_text() == "work\n"
    assert (repo.root / ".git/worktrees/theirs").is_dir()


def test_the_state_folder_was_lost(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    tip = repo.commit("by the agent", cwd=Path(tree.path))
    shutil.rmtree(repo.state)
    again = made(repo.plain())
    assert again.head == tip and repo.git("status", "--porcelain", cwd=Path(again.path)) == b""


def half_branch(repo: Repo, entry: Path, path: Path) -> None:
    shutil.rmtree(path)
    shutil.rmtree(entry)


def half_registered(_repo: Repo, entry: Path, path: Path) -> None:
    shutil.rmtree(path)
    (entry / "locked").write_text("initializing")
    (entry / "HEAD").write_text("0" * 40 + "\n")
    (entry / "index").unlink()


def half_pointed(repo: Repo, entry: Path, path: Path) -> None:
    pointer = (path / ".git").read_text()
    half_registered(repo, entry, path)
    path.mkdir()
    (path / ".git").write_text(pointer)


def half_headed(_repo: Repo, entry: Path, path: Path) -> None:
    for one in list(path.iterdir()):
        if one.name != ".git":
            shutil.rmtree(one) if one.is_dir() else one.unlink()
    (entry / "locked").write_text("initializing")
    (entry / "index").unlink()


def half_filled(_repo: Repo, entry: Path, path: Path) -> None:
    (path / "a.txt").write_text("one\n")
    (path / "other.txt").unlink()
    (entry / "index").unlink()
    (entry / "index.lock").write_bytes(b"DIRC")


@pytest.mark.parametrize("cut", [half_branch, half_registered, half_pointed, half_headed, half_filled])
def test_every_half_made_state_is_completed(repo: Repo, git: PlainGit, cut: object) -> None:
    tree = made(git)
    (entry,) = (repo.root / ".git/worktrees").iterdir()
    records = ticketwork.Records(git.repository)
    record = records.of(REF)
    assert record is not None and record.filled
    records.write(ticketwork.Made(record.name, record.ref, record.base, record.path))
    cut(repo, entry, Path(tree.path))  # type: ignore[operator]
    # What main gained meanwhile changes nothing of a ticket that has begun.
    repo.write("a.txt", "later\n")
    repo.commit("later")
    again = made(repo.plain())
    assert again == tree
    assert_sound(repo, again)


MAKER = """
import sys
from pathlib import Path
from gitrepo import Repo
git = Repo(*map(Path, sys.argv[1:])).plain()
print("up", flush=True)
git.ticket_worktree("T-1", "nightdesk/T-1")
"""


def started(repo: Repo) -> subprocess.Popen[bytes]:
    """A process that has just begun to make the worktree."""
    argv = [sys.executable, "-c", MAKER, str(repo.root), str(repo.home), str(repo.state), str(repo.data)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, env=env, start_new_session=True)
    assert child.stdout is not None and child.stdout.readline() == b"up\n"
    child.stdout.close()
    return child


def unmade(repo: Repo) -> None:
    shutil.rmtree(repo.data / "T-1", ignore_errors=True)
    repo.git("worktree", "prune")
    repo.git("branch", "-D", "-q", BRANCH)
    ticketwork.Records(repo.plain().repository).forget(REF)


KILLS = int(os.environ.get("NIGHTDESK_KILLS", "6"))


def test_killed_at_any_moment_the_next_call_completes_it(repo: Repo) -> None:
    for number in range(40):
        repo.write(f"many/{number}.txt", "x\n" * number)
    repo.commit("many")
    whole = started(repo)
    began = time.monotonic()
    assert whole.wait() == 0
    took = time.monotonic() - began
    unmade(repo)
    for kill in range(KILLS):
        child = started(repo)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(took * (kill + 0.5) / KILLS)
        child.kill()
        child.wait()
        assert_sound(repo, made(repo.plain()))
        unmade(repo)


# -- removed


def removed(git: PlainGit, path: str, *, force: bool = False, branch: bool = False) -> Removed:
    result = git.remove_worktree(path, force=force, branch=branch)
    assert isinstance(result, Removed), result
    return result


def test_a_clean_one_goes_and_its_branch_stays(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    tip = repo.commit("by the agent", cwd=Path(tree.path))
    repo.write("node_modules/x.js", "ignored\n", cwd=Path(tree.path))
    assert removed(git, tree.path) == Removed()
    assert not os.path.lexists(tree.path) and not (repo.root / ".git/worktrees").exists()
    assert repo.line("rev-parse", BRANCH) == tip and list(repo.data.iterdir()) == []
    again = made(git)
    assert again.head == tip and Path(again.path, "a.txt").read_text() == "work\n"


def test_one_with_work_stays_and_says_which(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    repo.write("new.txt", "work\n", cwd=Path(tree.path))
    result = refused(git.remove_worktree(tree.path))
    assert "2 not committed: a.txt, new.txt" in result.reason and result.paths == ("a.txt", "new.txt")
    assert Path(tree.path, "new.txt").exists()
    look = git.doomed(tree.path)
    assert isinstance(look, Doomed) and look.changed == ("a.txt", "new.txt")
    removed(git, tree.path, force=True)
    assert not os.path.lexists(tree.path)


def test_a_commit_that_no_branch_has_keeps_it(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.git("switch", "-q", "--detach", cwd=Path(tree.path))
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    tip = repo.commit("on no branch", cwd=Path(tree.path))
    assert f"{tip[:10]} is on no branch" in refused(git.remove_worktree(tree.path)).reason
    removed(git, tree.path, force=True)
    shadow = ["git", "--git-dir", str(repo.state / "shadow.git"), "cat-file", "-t", f"refs/kept/{tip}"]
    assert subprocess.run(shadow, capture_output=True, check=True, env=repo.environ).stdout == b"commit\n"


def test_a_branch_goes_only_when_another_one_has_it_all(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    assert removed(git, tree.path, branch=True).branch == BRANCH
    assert repo.line("branch", "--list", BRANCH) == ""
    tree = made(git)
    repo.write("a.txt", "work\n", cwd=Path(tree.path))
    repo.commit("by the agent", cwd=Path(tree.path))
    assert removed(git, tree.path, branch=True).branch == ""
    assert repo.line("branch", "--list", BRANCH) != ""


def test_one_that_git_was_told_to_keep_stays(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    repo.git("worktree", "lock", "--reason", "on a stick", tree.path)
    assert "on a stick" in refused(git.remove_worktree(tree.path)).reason


def test_only_ours_is_removed(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    made(git)
    repo.git("worktree", "add", "-q", "-b", "theirs", str(tmp_path / "theirs"))
    repo.write("stray/file", "x", cwd=repo.data)
    (repo.data / "way-out").symlink_to(tmp_path / "theirs")
    for path in (
        repo.root,
        tmp_path / "theirs",
        repo.data / "stray",
        repo.data / "way-out",
        repo.data,
        repo.data / "..",
    ):
        assert isinstance(git.remove_worktree(str(path), force=True, branch=True), Refused), path
    assert (
        (tmp_path / "theirs/a.txt").exists() and (repo.data / "stray/file").exists() and (repo.root / "a.txt").exists()
    )


def test_nothing_behind_a_link_is_deleted_and_closed_folders_are(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    tree = made(git)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/precious").write_text("x")
    (Path(tree.path) / "node_modules").symlink_to(tmp_path / "outside")
    (Path(tree.path) / "deep.log").mkdir()
    repo.write("deep.log/inner/file", "x", cwd=Path(tree.path))
    (Path(tree.path) / "deep.log/inner").chmod(0)
    (Path(tree.path) / "deep.log").chmod(0o500)
    assert removed(git, tree.path, force=True).left == ""
    assert not os.path.lexists(tree.path) and (tmp_path / "outside/precious").exists()


def test_what_an_interrupted_removal_left_goes_with_the_next(repo: Repo, git: PlainGit) -> None:
    made(git, "T-2", "nightdesk/T-2")
    tree = made(git)
    repo.write(".removing/0123/file", "x", cwd=repo.data)
    removed(git, tree.path)
    assert [one.name for one in repo.data.iterdir()] == ["T-2"]


@pytest.mark.parametrize("cut", [half_registered, half_pointed, half_headed, half_filled])
def test_a_half_made_one_has_nothing_to_lose(repo: Repo, git: PlainGit, cut: object) -> None:
    tree = made(git)
    (entry,) = (repo.root / ".git/worktrees").iterdir()
    cut(repo, entry, Path(tree.path))  # type: ignore[operator]
    if cut is half_filled:
        assert "a.txt" in refused(git.remove_worktree(tree.path)).reason
        (Path(tree.path) / "a.txt").write_text("one\ntwo\nthree\n")
    assert removed(git, tree.path, branch=True).left == ""
    assert not os.path.lexists(tree.path) and not (repo.root / ".git/worktrees").exists()


def test_files_that_another_commit_has_are_no_loss(repo: Repo, git: PlainGit) -> None:
    repo.git("branch", "other")
    tree = made(git)
    repo.write("a.txt", "two\n")
    held = repo.commit("second")
    repo.write("a.txt", "two\n", cwd=Path(tree.path))
    refused(git.remove_worktree(tree.path, (("1" * 40, ()),)))
    result = git.remove_worktree(tree.path, (("1" * 40, ()), (held, ())))
    assert isinstance(result, Removed) and not os.path.lexists(tree.path)


def test_a_removal_is_no_alarm(repo: Repo, git: PlainGit) -> None:
    watch = Watch(git.repository)
    tree = made(git)
    watch.look()
    removed(git, tree.path)
    look = watch.look(strict=True)
    assert isinstance(look, Look) and {one.severity for one in look.changes} <= {"note"}


def test_an_entry_that_is_a_link_is_not_followed(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    tree = made(git)
    entries = repo.root / ".git/worktrees"
    entries.rename(tmp_path / "moved")
    entries.symlink_to(tmp_path / "moved")
    shutil.rmtree(tree.path)
    assert "no entry of a linked worktree" in refused(git.remove_worktree(tree.path, force=True)).reason
    assert (tmp_path / "moved/T-1/HEAD").exists()


def test_an_entry_whose_folder_is_gone_is_forgotten(repo: Repo, git: PlainGit) -> None:
    tree = made(git)
    shutil.rmtree(tree.path)
    removed(git, tree.path)
    assert not (repo.root / ".git/worktrees").exists()


# -- what it begins beside


def test_place_says_how_the_base_stands_to_branch_and_upstream(repo: Repo, git: PlainGit, tmp_path: Path) -> None:
    first = repo.line("rev-parse", "HEAD")
    assert git.place(first) == f"main@{first[:10]}"
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "up.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "up.git"))
    repo.git("fetch", "-q", "origin")
    repo.git("branch", "-q", "-u", "origin/main")
    assert git.place(first) == f"main@{first[:10]}, level with origin/main"
    repo.write("a.txt", "two\n")
    second = repo.commit("second")
    assert git.place(second) == f"main@{second[:10]}, 1 ahead of origin/main"
    assert git.place(first) == f"{first[:10]}, 1 behind main, level with origin/main"
    repo.git("update-ref", "refs/remotes/origin/main", second)
    repo.git("reset", "-q", "--hard", first)
    assert git.place(first) == f"main@{first[:10]}, 1 behind origin/main"
    repo.write("b.txt", "b\n")
    third = repo.commit("third")
    assert git.place(third) == f"main@{third[:10]}, 1 ahead of and 1 behind origin/main"
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    assert git.place(third) == f"main@{third[:10]}, its upstream origin/main is gone"
    repo.git("switch", "-q", "--detach")
    assert git.place(third) == f"{third[:10]}, at the detached HEAD"
    assert git.place("") == "" and git.place("1" * 40) == ""


def test_uncommitted_names_what_a_worktree_will_not_see(repo: Repo, git: PlainGit) -> None:
    assert git.uncommitted() == ()
    repo.write("a.txt", "changed\n")
    repo.write("new.txt", "new\n")
    repo.write("noise.log", "ignored\n")
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    assert git.uncommitted() == ("a.txt", "new.txt", "staged.txt")
    assert git.uncommitted(1) == ("a.txt", "(and 2 more)")
