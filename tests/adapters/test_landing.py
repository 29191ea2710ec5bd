"""Landing: one compare-and-swap; nothing of the operator's moves but the ref and the plan's index entries."""

from __future__ import annotations

import os
import subprocess
import zlib
from pathlib import Path

import msgspec
import pytest
from gitrepo import Repo, added, frozen, refused

from console.adapters.git.commits import PlainGit
from console.adapters.git.objects import object_id
from console.core.records import Frozen
from console.engine.ports import Landed


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def landed(git: PlainGit, plan: Frozen) -> Landed:
    result = git.land(plan)
    assert isinstance(result, Landed), result
    return result


def status(repo: Repo, cwd: Path | None = None) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z", cwd=cwd).split(b"\0")) - {b""}


def entries(repo: Repo, *but: str) -> list[bytes]:
    rows = repo.git("ls-files", "-s", "-z").split(b"\0")
    return [row for row in rows if row.partition(b"\t")[2].decode() not in but]


def plan_of_a(repo: Repo, git: PlainGit) -> Frozen:
    repo.write("a.txt", "approved\n")
    return frozen(git, repo.root, "a.txt")


def test_landing_makes_exactly_the_shown_commit(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "approved\n")
    repo.write("bin.dat", b"\0\1\2")
    repo.write("run.sh", "x\n").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    (repo.root / "other.txt").unlink()
    plan = frozen(git, repo.root, "a.txt", "bin.dat", "run.sh", "link", "other.txt", message="subject\n\nbody")
    diff = git.diff(plan)
    assert not git.landed(plan)
    assert landed(git, plan) == Landed(commit=plan.commit)
    assert git.landed(plan)
    assert repo.line("rev-parse", "HEAD", "refs/heads/main").split() == [plan.commit] * 2
    assert repo.git("show", "--format=", "--full-index", "--no-renames", plan.commit) == diff == git.diff(plan)
    assert repo.line("log", "-1", "--format=%an %ae %cn %at %B") == (
        "Ada Operator ada@example.com Ada Operator 1700000000 subject\n\nbody"
    )
    assert status(repo) == set()
    assert repo.git("fsck", "--full", "--strict") == b""
    assert repo.line("reflog", "-1", "--format=%gs", "main") == f"nightdesk: approved {plan.commit[:10]}"
    assert repo.line("reflog", "-1", "--format=%gs", "HEAD") == f"nightdesk: approved {plan.commit[:10]}"


def test_other_work_of_the_operator_is_untouched(repo: Repo) -> None:
    git = repo.plain()
    repo.write("src/app.py", "staged\n")
    repo.write("added.txt", "staged new\n")
    repo.git("add", "src/app.py", "added.txt")
    repo.write("src/app.py", "staged, then edited\n")
    repo.write("other.txt", "unstaged\n")
    repo.write("untracked.txt", "untracked\n")
    before_status, before_entries = status(repo), entries(repo)
    repo.git("stash", "list")
    repo.write("a.txt", "approved\n")
    repo.write("new.txt", "approved too\n")
    files = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in repo.root.rglob("*.*") if path.is_file()}
    files = {path: facts for path, facts in files.items() if ".git" not in path.parts}
    plan = frozen(git, repo.root, "a.txt", "new.txt")
    assert landed(git, plan).index_note == ""
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files} == files
    assert status(repo) == before_status
    assert entries(repo, "a.txt", "new.txt") == [row for row in before_entries if not row.endswith(b"\ta.txt")]
    assert repo.line("diff", "--cached", "--name-only").split() == ["added.txt", "src/app.py"]


@pytest.mark.parametrize("how", ["version4", "split", "untracked-cache", "sparse", "intent-to-add"])
def test_every_kind_of_index_stays_readable(repo: Repo, how: str) -> None:
    for number in range(20):
        repo.write(f"f{number}.txt", f"{number}\n")
    repo.commit("more")
    git = repo.plain()
    match how:
        case "version4":
            repo.git("update-index", "--index-version", "4")
        case "split":
            repo.git("update-index", "--split-index")
        case "untracked-cache":
            repo.git("update-index", "--force-untracked-cache")
        case "sparse":
            repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/src/")
        case "intent-to-add":
            repo.write("new.txt", "new\n")
            repo.git("add", "-N", "new.txt")
    repo.write("f3.txt", "staged\n")
    repo.git("add", "f3.txt")
    repo.write("a.txt", "approved\n")
    repo.write("new.txt", "new\n")
    # Many, so that git would write a split index's shared half anew.
    many = [f"f{number}.txt" for number in range(4, 20)]
    for name in many:
        repo.write(name, "approved\n")
    plan = frozen(git, repo.root, "a.txt", "new.txt", *many)
    assert landed(git, plan).index_note == ""
    assert status(repo) == {b"M  f3.txt"}
    assert repo.git("fsck", "--no-dangling") == b""
    repo.git("commit", "-qm", "operator goes on")
    assert repo.line("show", "--format=", "--name-only", "HEAD") == "f3.txt"


def test_landing_twice_touches_nothing(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    landed(git, plan)
    index = repo.root / ".git/index"
    before = (index.read_bytes(), index.stat().st_mtime_ns, repo.git("reflog"))
    assert landed(git, plan) == Landed(commit=plan.commit)
    repo.write("b.txt", "x\n")
    assert (index.read_bytes(), index.stat().st_mtime_ns, repo.git("reflog")) == before
    repo.commit("later")
    assert landed(git, plan) == Landed(commit=plan.commit)


def test_a_landing_cut_off_before_the_index_is_told_and_made_good_later(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    (repo.root / ".git/index.lock").touch()
    note = landed(git, plan).index_note
    assert "index.lock" in note
    assert (repo.root / ".git/index.lock").read_bytes() == b""
    assert b"MM a.txt" in status(repo)
    (repo.root / ".git/index.lock").unlink()
    assert landed(git, plan).index_note == ""
    assert b"MM a.txt" not in status(repo) and b"M  a.txt" not in status(repo)


def test_an_own_staged_version_stays(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    repo.write("a.txt", "operator's\n")
    repo.git("add", "a.txt")
    assert "a.txt were staged differently" in landed(git, plan).index_note
    assert repo.git("show", ":a.txt") == b"operator's\n"


def test_files_changed_after_freezing_do_not_get_in(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    repo.write("a.txt", "tampered\n")
    landed(git, plan)
    assert repo.git("show", "HEAD:a.txt") == b"approved\n"
    assert status(repo) == {b" M a.txt"}


def test_a_linked_worktree_outside_the_checkout(repo: Repo) -> None:
    git = repo.plain()
    repo.write("other.txt", "operator's own\n")
    before, main_index = status(repo), (repo.root / ".git/index").read_bytes()
    ticket = Path(added(git, "T-1", "nightdesk/T-1").path)
    repo.write("a.txt", "by the agent\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    assert git.same_bytes(plan) == ()
    landed(git, plan)
    assert repo.line("rev-parse", "nightdesk/T-1") == plan.commit
    assert repo.line("rev-parse", "main") == plan.base
    assert status(repo, ticket) == set()
    assert status(repo) == before and (repo.root / ".git/index").read_bytes() == main_index
    assert repo.line("reflog", "-1", "--format=%gs", cwd=ticket).startswith("nightdesk: approved")


def test_a_plan_outlives_its_worktree(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "T-1", "nightdesk/T-1").path)
    repo.write("a.txt", "by the agent\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    repo.git("worktree", "remove", "--force", str(ticket))
    assert git.drift(plan) == ("a.txt",)
    landed(git, plan)
    assert repo.git("show", "nightdesk/T-1:a.txt") == b"by the agent\n"


def test_an_unborn_branch_lands_and_is_undone(repo: Repo, tmp_path: Path) -> None:
    ticket = tmp_path / "orphan"
    repo.git("worktree", "add", "-q", "--detach", str(ticket))
    repo.git("checkout", "-q", "--orphan", "fresh", cwd=ticket)
    repo.git("rm", "-rqf", ".", cwd=ticket)
    repo.write("first.txt", "hello\n", cwd=ticket)
    git = repo.plain()
    plan = frozen(git, ticket, "first.txt")
    landed(git, plan)
    assert repo.line("log", "--format=%H", "fresh") == plan.commit
    assert status(repo, ticket) == set()
    assert git.undo(plan) == Landed(commit="")
    assert repo.line("branch", "--list", "fresh") == ""
    assert status(repo, ticket) == {b"?? first.txt"}


def test_what_an_undo_would_refuse_is_known_before_it_is_asked_for(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "T-1", "nightdesk/T-1").path)
    repo.write("a.txt", "x\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    landed(git, plan)
    assert git.stays(plan) == ""
    repo.git("commit", "-q", "--allow-empty", "-m", "more", cwd=ticket)
    why = git.stays(plan)
    assert "nightdesk/T-1 has gone on to " in why and refused(git.undo(plan)).reason == why


def test_head_switched_or_busy_after_freezing(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    repo.git("switch", "-q", "-c", "side")
    reason = refused(git.land(plan)).reason
    assert "on side" in reason and "for main" in reason
    assert repo.line("rev-parse", "main", "side").split() == [plan.base] * 2
    repo.git("switch", "-q", "main")
    (repo.root / ".git/MERGE_HEAD").write_text(plan.base + "\n")
    assert "a merge is under way" in refused(git.land(plan)).reason
    (repo.root / ".git/MERGE_HEAD").unlink()
    landed(git, plan)


def test_a_branch_turned_into_an_alias_is_refused(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "T-1", "nightdesk/T-1").path)
    repo.write("a.txt", "x\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    repo.git("symbolic-ref", "refs/heads/nightdesk/T-1", "refs/heads/main")
    assert "not a plain branch" in refused(git.land(plan)).reason
    assert repo.line("rev-parse", "main") == plan.base


def test_a_locked_ref_is_refused_with_the_cure(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    lock = repo.root / ".git/refs/heads/main.lock"
    with open(lock, "wb"):
        reason = refused(git.land(plan)).reason
        assert f"{lock} is held by pid {os.getpid()} (" in reason and "wait for that to end" in reason
    reason = refused(git.land(plan)).reason
    assert "no process holds it" in reason and reason.endswith("nothing was landed, and the plan waits")
    assert "remove the file" not in reason and reason.count("main.lock` ") == 0
    subprocess.run(["sh", "-c", reason.split("`")[1]], check=True)
    assert not lock.exists()
    ran = subprocess.run(["git", "for-each-ref"], cwd=repo.root, env=repo.environ, capture_output=True, check=True)
    assert ran.stderr == b"", "what was moved away is no broken branch"
    landed(git, plan)
    lock.touch()
    assert refused(git.undo(plan)).reason.endswith("nothing was undone")


def test_a_lost_or_changed_plan_is_refused(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)

    other = msgspec.structs.replace(plan, message="another message")
    assert "not the one" in refused(git.land(other)).reason
    fewer = msgspec.structs.replace(plan, paths=())
    assert "would not change exactly" in refused(git.land(fewer)).reason
    Path(plan.store).rename(Path(plan.store).with_name("away"))
    assert "are gone" in refused(git.land(plan)).reason
    assert repo.line("rev-parse", "main") == plan.base


def test_an_object_planted_after_freezing_is_refused(repo: Repo) -> None:
    git = repo.plain()
    plan = plan_of_a(repo, git)
    oid = object_id("blob", b"approved\n")
    planted = repo.root / ".git/objects" / oid[:2] / oid[2:]
    planted.parent.mkdir(exist_ok=True)
    planted.write_bytes(zlib.compress(b"blob 9\0backdoor!"))
    assert b"+approved" in git.diff(plan)
    refused(git.land(plan))
    assert repo.line("rev-parse", "main") == plan.base
    planted.unlink()
    landed(git, plan)
    assert repo.git("show", "main:a.txt") == b"approved\n"
