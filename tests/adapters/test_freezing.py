"""Freezing: exactly the listed bytes on the base, as the commit that plain git would make."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from gitrepo import AUTHOR, WHEN, Repo, added, frozen, refused, request

from console.adapters.git.building import clean_message
from console.adapters.git.objects import object_id
from console.core.records import PlanPath
from console.engine.ports import TurnBase


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, git's own included: {name: (mode, bytes)}."""
    return {
        str(path.relative_to(root)): (path.lstat().st_mode, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def test_one_file(repo: Repo) -> None:
    git = repo.plain()
    base = repo.line("rev-parse", "HEAD")
    repo.write("a.txt", "one\nTWO\nthree\nfour\n")
    plan = frozen(git, repo.root, "a.txt", message="change a")
    assert (plan.base, plan.ref, plan.ref_old) == (base, "refs/heads/main", base)
    assert (plan.author, plan.when, plan.zone, plan.message) == (AUTHOR, WHEN, "+0100", "change a")
    assert plan.paths == (
        PlanPath(
            path="a.txt",
            old_mode="100644",
            old_oid=object_id("blob", b"one\ntwo\nthree\n"),
            mode="100644",
            oid=object_id("blob", b"one\nTWO\nthree\nfour\n"),
        ),
    )
    assert (plan.added, plan.removed, plan.others, plan.unchanged, plan.replaces) == (2, 1, (), (), ())
    assert plan.diff_bytes == len(git.diff(plan))
    assert Path(plan.store).is_dir() and plan.commit in plan.store


def test_freezing_twice_gives_the_same_plan(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    assert frozen(git, repo.root, "a.txt") == frozen(repo.plain(), repo.root, "a.txt")


def test_freezing_changes_nothing_in_the_repository(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    repo.write("untracked.txt", "x\n")
    repo.write("src/app.py", "staged\n")
    repo.git("add", "src/app.py")
    before = snapshot(repo.root)
    plan = frozen(git, repo.root, "a.txt")
    git.diff(plan)
    git.same_bytes(plan)
    assert snapshot(repo.root) == before


def test_the_commit_is_what_plain_git_would_make(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt", message="subject\n\nbody")
    repo.git("add", "a.txt")
    tree = repo.line("write-tree")
    env = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", AUTHOR.name), ("EMAIL", AUTHOR.email), ("DATE", f"{WHEN} +0100"))
    }
    argv = ["git", "commit-tree", tree, "-p", "HEAD", "-m", "subject", "-m", "body"]
    ran = subprocess.run(argv, cwd=repo.root, env=repo.environ | env, capture_output=True, check=True)
    assert plan.tree == tree
    assert plan.commit == ran.stdout.decode().strip()


def test_odd_names_are_literal(repo: Repo) -> None:
    names = (
        "*",
        ":!x",
        "[ab].txt",
        "-rf",
        'quo"te',
        "sp ace",
        "new\nline",
        "tab\there",
        "back\\slash",
        "ünï/cödé",
        "?.txt",
    )
    for name in (*names, "a1.txt", "b.txt", "x"):
        repo.write(name, f"content of {name!r}\n")
    git = repo.plain()
    plan = frozen(git, repo.root, *names)
    assert {one.path for one in plan.paths} == set(names)
    assert plan.others == ("a1.txt", "b.txt", "x")
    for one in plan.paths:
        assert one.oid == object_id("blob", f"content of {one.path!r}\n".encode())


def test_modes_links_and_deletions(repo: Repo) -> None:
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (repo.root / "link").symlink_to("/etc/passwd")
    (repo.root / "a.txt").chmod(0o755)
    (repo.root / "other.txt").unlink()
    plan = frozen(repo.plain(), repo.root, "run.sh", "link", "a.txt", "other.txt")
    by_path = {one.path: one for one in plan.paths}
    assert (by_path["run.sh"].mode, by_path["a.txt"].mode) == ("100755", "100755")
    assert (by_path["link"].mode, by_path["link"].oid) == ("120000", object_id("blob", b"/etc/passwd"))
    assert (by_path["other.txt"].mode, by_path["other.txt"].oid) == ("000000", "")


def test_a_file_takes_the_place_of_a_folder_and_back(repo: Repo) -> None:
    git = repo.plain()
    (repo.root / "src/app.py").unlink()
    (repo.root / "src").rmdir()
    repo.write("src", "now a file\n")
    (repo.root / "a.txt").unlink()
    repo.write("a.txt/inner", "now a folder\n")
    plan = frozen(git, repo.root, "src", "src/app.py", "a.txt", "a.txt/inner")
    assert len(plan.paths) == 4
    assert git.same_bytes(plan) == ()
    assert "would not change exactly" in refused(git.freeze(request(git, repo.root, "src"))).reason


def test_a_link_takes_the_place_of_a_folder(repo: Repo) -> None:
    (repo.root / "src/app.py").unlink()
    (repo.root / "src").rmdir()
    (repo.root / "src").symlink_to("/etc")
    git = repo.plain()
    assert len(frozen(git, repo.root, "src", "src/app.py").paths) == 2
    assert "behind the symbolic link src" in refused(git.freeze(request(git, repo.root, "src/app.py"))).reason


def test_unchanged_paths_are_reported(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    assert frozen(git, repo.root, "a.txt", "other.txt").unchanged == ("other.txt",)
    assert "nothing to commit" in refused(git.freeze(request(git, repo.root, "other.txt"))).reason


def test_others_are_everything_else_that_is_not_ignored(repo: Repo) -> None:
    repo.git("config", "--global", "core.excludesFile", "~/ignores")
    (repo.home / "ignores").write_text("*.mine\n")
    repo.write(".git/info/exclude", "*.local\n")
    git = repo.plain()
    repo.write("a.txt", "new\n")
    repo.write("src/app.py", "changed\n")
    (repo.root / "other.txt").unlink()
    for name in ("extra.txt", "x.log", "x.mine", "x.local", "node_modules/m.js"):
        repo.write(name, "x\n")
    (repo.root / os.fsdecode(b"bad\xff")).write_bytes(b"")
    repo.git("add", "src/app.py")
    plan = frozen(git, repo.root, "a.txt")
    assert plan.others == ("bad\\xff", "extra.txt", "other.txt", "src/app.py")


def test_many_others_are_counted(repo: Repo) -> None:
    for number in range(250):
        repo.write(f"many/{number:03}", "x")
    repo.write("a.txt", "new\n")
    others = frozen(repo.plain(), repo.root, "a.txt").others
    assert len(others) == 201 and others[-1] == "(and 50 more)"


def test_assume_unchanged_hides_nothing(repo: Repo) -> None:
    repo.git("update-index", "--assume-unchanged", "other.txt")
    repo.git("update-index", "--skip-worktree", "src/app.py")
    repo.write("other.txt", "hidden\n")
    repo.write("src/app.py", "hidden\n")
    repo.write("a.txt", "new\n")
    assert frozen(repo.plain(), repo.root, "a.txt").others == ("other.txt", "src/app.py")


def test_message_is_cleaned_and_capped() -> None:
    assert clean_message("\n a\x1b[31m\x00b\u0085\r\n\tc \n\n") == " a[31mb\n\tc"
    assert clean_message(" \x07 \n") == ""
    assert len(clean_message("é" * 65536).encode()) == 65536


def test_a_plan_needs_a_message_and_a_path(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    assert "needs a message" in refused(git.freeze(request(git, repo.root, "a.txt", message=" \n"))).reason
    assert "needs a path" in refused(git.freeze(request(git, repo.root))).reason


# -- branches that moved during the turn


def test_commits_of_the_agent_become_one_candidate(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    base = git.turn_base(str(ticket))
    repo.write("a.txt", "by the agent\n", cwd=ticket)
    repo.commit("agent one", cwd=ticket)
    repo.write("b.txt", "more\n", cwd=ticket)
    tip = repo.commit("agent two", cwd=ticket)
    repo.write("a.txt", "final\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt", "b.txt", base=base)
    assert (plan.base, plan.ref_old) == (base.head, tip)
    assert [line.split(" ", 1)[1] for line in plan.replaces] == ["agent two", "agent one"]
    assert git.same_bytes(plan) == ()
    shadow = ("--git-dir", str(repo.state / "shadow.git"))
    assert repo.line(*shadow, "rev-parse", f"refs/kept/{tip}") == tip
    (repo.state / "shadow.git/objects/info/alternates").unlink()
    assert repo.git(*shadow, "cat-file", "-p", f"{tip}:b.txt") == b"more\n"


def test_commits_on_the_operators_branch_are_refused(repo: Repo) -> None:
    git = repo.plain()
    base = git.turn_base(str(repo.root))
    repo.write("a.txt", "x\n")
    repo.commit("surprise")
    repo.write("a.txt", "y\n")
    reason = refused(git.freeze(request(git, repo.root, "a.txt", base=base))).reason
    assert "surprise" in reason and "nothing is lost" in reason.lower()


def test_a_rewritten_branch_is_refused(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    base = git.turn_base(str(ticket))
    repo.git("commit", "-q", "--amend", "-m", "rewritten", cwd=ticket)
    repo.write("a.txt", "y\n", cwd=ticket)
    assert "was rewritten" in refused(git.freeze(request(git, ticket, "a.txt", base=base))).reason


def test_an_unborn_branch(repo: Repo, tmp_path: Path) -> None:
    ticket = tmp_path / "orphan"
    repo.git("worktree", "add", "-q", "--detach", str(ticket))
    repo.git("checkout", "-q", "--orphan", "fresh", cwd=ticket)
    repo.git("rm", "-rqf", ".", cwd=ticket)
    repo.write("first.txt", "hello\n", cwd=ticket)
    git = repo.plain()
    assert git.turn_base(str(ticket)) == TurnBase(ref="refs/heads/fresh", head="")
    plan = frozen(git, ticket, "first.txt")
    assert (plan.base, plan.ref_old, plan.added) == ("", "", 1)
    assert b"+hello" in git.diff(plan)
    assert git.same_bytes(plan) == ()
