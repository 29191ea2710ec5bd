"""Branches that move between freezing and landing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused

from console.adapters.git.commits import PlainGit
from console.core.records import Frozen
from console.engine.ports import Behind, Landed, Moved


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def landed(git: PlainGit, plan: Frozen) -> Landed:
    result = git.land(plan)
    assert isinstance(result, Landed), result
    return result


def status(repo: Repo, cwd: Path | None = None) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z", cwd=cwd).split(b"\0")) - {b""}


def test_moved_without_overlap_is_rebased(repo: Repo) -> None:
    git = repo.plain()
    repo.write("src/app.py", "agent\n")
    repo.write("new.py", "agent\n")
    plan = frozen(git, repo.root, "src/app.py", "new.py")
    assert git.moved(plan) is None
    repo.write("other.txt", "operator\n")
    repo.git("commit", "-qm", "operator's", "other.txt")
    now = repo.line("rev-parse", "main")
    assert git.moved(plan) == git.land(plan) == Moved(now=now)
    again = git.rebase(plan, now, plan.when + 60)
    assert isinstance(again, Frozen)
    assert (again.base, again.ref_old, again.paths, again.when) == (now, now, plan.paths, plan.when + 60)
    assert (again.message, again.author, again.worktree) == (plan.message, plan.author, plan.worktree)
    assert git.diff(again) == git.diff(plan)
    assert git.moved(again) is None and git.same_bytes(again) == ()
    landed(git, again)
    assert repo.line("log", "--format=%s") == "work\noperator's\nfirst"
    assert status(repo) == set() and repo.git("fsck", "--no-dangling") == b""


@pytest.mark.parametrize(("name", "hit"), [("a.txt", "a.txt"), ("src/app.py", "src"), ("fresh", "fresh/inner")])
def test_moved_with_overlap_is_void(repo: Repo, name: str, hit: str) -> None:
    git = repo.plain()
    ticket = Path(added(git, "T", "nightdesk/T").path)
    repo.write("a.txt", "agent\n", cwd=ticket)
    (ticket / "src/app.py").unlink()
    (ticket / "src").rmdir()
    repo.write("src", "file\n", cwd=ticket)
    repo.write("fresh/inner", "x\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt", "src", "src/app.py", "fresh/inner")
    repo.write(name, "operator\n")
    now = repo.commit("operator's")
    repo.git("update-ref", "refs/heads/nightdesk/T", now)
    moved = git.moved(plan)
    assert moved is not None and moved.now == now and hit in moved.overlap
    assert hit in refused(git.rebase(plan, now, plan.when)).reason
    assert git.land(plan) == moved


def test_a_rewritten_or_deleted_branch_voids_everything(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "T", "nightdesk/T").path)
    repo.write("a.txt", "agent\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    repo.git("commit", "-q", "--amend", "-m", "rewritten", cwd=ticket)
    assert git.moved(plan) == Moved(now=repo.line("rev-parse", "nightdesk/T"), overlap=("a.txt",))
    repo.git("update-ref", "-d", "refs/heads/nightdesk/T")
    assert git.moved(plan) == Moved(now="", overlap=("a.txt",)) == git.land(plan)


def test_only_one_of_many_racing_plans_lands(repo: Repo) -> None:
    git = repo.plain()
    plans = []
    for number in range(4):
        repo.write("a.txt", f"version {number}\n")
        plans.append(frozen(git, repo.root, "a.txt"))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(git.land, plans))
    winners = [one for one in results if isinstance(one, Landed)]
    assert len(winners) == 1, results
    assert all(isinstance(one, Landed | Moved) or ".lock" in one.reason for one in results), results
    assert repo.line("rev-parse", "main") == winners[0].commit
    assert repo.git("fsck", "--no-dangling") == b""


def test_threads_freeze_at_once(repo: Repo) -> None:
    git = repo.plain()
    for number in range(6):
        repo.write(f"f{number}", f"{number}\n")
    with ThreadPoolExecutor(6) as pool:
        plans = list(pool.map(lambda n: frozen(git, repo.root, f"f{n}"), range(6)))
    assert [plan.paths[0].path for plan in plans] == [f"f{n}" for n in range(6)]
    assert all(len(plan.others) == 5 for plan in plans)


def test_commits_of_the_agent_are_taken_off_and_come_back_with_undo(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    base = git.turn_base(str(ticket))
    repo.write("a.txt", "by the agent\n", cwd=ticket)
    repo.write("other.txt", "not yet\n", cwd=ticket)
    tip = repo.commit("agent's own", cwd=ticket)
    repo.write("b.txt", "final\n", cwd=ticket)
    repo.write("other.txt", "final\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt", "b.txt", "other.txt", base=base)
    assert landed(git, plan).index_note == ""
    assert repo.line("log", "--format=%s", "nightdesk/t") == "work\nfirst"
    assert status(repo, ticket) == set()
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert repo.git("cat-file", "-t", tip, ok=False) == b""
    assert git.undo(plan) == Landed(commit=tip)
    assert repo.git("show", f"{tip}:a.txt") == b"by the agent\n"
    assert status(repo, ticket) == {b"?? b.txt", b" M other.txt"}
    assert repo.git("fsck", "--full", "--no-dangling") == b""


def test_how_far_a_branch_has_moved_is_told_to_whoever_looks(repo: Repo) -> None:
    git = repo.plain()
    repo.write("src/app.py", "agent\n")
    plan = frozen(git, repo.root, "src/app.py")
    assert git.behind(plan) is None
    for n in range(3):
        repo.write("other.txt", f"{n}\n")
        repo.git("add", "other.txt")
        repo.git("commit", "-qm", f"operator's {n}", "other.txt")
    assert git.behind(plan) == Behind(commits=3)
    repo.git("commit", "-qm", "the same file", "src/app.py")
    assert git.behind(plan) == Behind(commits=4, overlap=("src/app.py",))
    repo.git("update-ref", "refs/heads/main", repo.line("commit-tree", "-m", "other", "main^{tree}"))
    assert git.behind(plan) == Behind(commits=0, lost=True)
