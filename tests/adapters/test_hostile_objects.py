"""A repository that lies about its objects, and a worktree that changes after the freeze."""

from __future__ import annotations

import os
import subprocess
import zlib
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused, request

from console.adapters.git.objects import object_id
from console.core.records import Frozen


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def _plant(repo: Repo, oid: str, body: bytes) -> None:
    path = repo.root / ".git/objects" / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(b"blob %d\0" % len(body) + body))


def test_a_planted_object_never_gets_its_bytes_in(repo: Repo) -> None:
    git = repo.plain()
    good, evil = b"reviewed\n", b"backdoor\n"
    _plant(repo, object_id("blob", good), evil)
    repo.write("a.txt", good)
    assert repo.git("cat-file", "blob", object_id("blob", good)) == evil
    plan = frozen(git, repo.root, "a.txt")
    assert b"+reviewed" in git.diff(plan) and b"backdoor" not in git.diff(plan)
    result = git.land(plan)
    assert "COLLISION" in refused(result).reason.upper() or "planted" in refused(result).reason
    assert repo.line("rev-parse", "HEAD") == plan.base


def test_a_planted_base_object_cannot_falsify_the_diff(repo: Repo) -> None:
    _plant(repo, object_id("blob", b"one\ntwo\nthree\n"), b"forged\n")
    git = repo.plain()
    repo.write("a.txt", "new\n")
    result = git.freeze(request(git, repo.root, "a.txt"))
    assert not isinstance(result, Frozen)


def test_a_replace_ref_changes_nothing(repo: Repo) -> None:
    repo.write("other.txt", "BACKDOOR\n")
    repo.git("add", "other.txt")
    evil = repo.line("write-tree")
    repo.git("reset", "-q", "--hard")
    repo.git("replace", repo.line("rev-parse", "HEAD^{tree}"), evil)
    repo.write("a.txt", "new\n")
    plan = frozen(repo.plain(), repo.root, "a.txt")
    env = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_ALTERNATE_OBJECT_DIRECTORIES": plan.store}
    argv = ["git", "cat-file", "-p", f"{plan.tree}:other.txt"]
    shown = subprocess.run(argv, cwd=repo.root, env=repo.environ | env, capture_output=True, check=True)
    assert shown.stdout == b"other\n"


def test_the_diff_outlives_the_base(repo: Repo) -> None:
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    repo.write("a.txt", "base of the plan\n", cwd=ticket)
    repo.commit("ticket base", cwd=ticket)
    repo.write("a.txt", "new\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    before = git.diff(plan)
    repo.git("worktree", "remove", "--force", str(ticket))
    repo.git("branch", "-q", "-D", "nightdesk/t")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert repo.git("cat-file", "-t", plan.base, ok=False) == b""
    assert b"-base of the plan" in before
    assert git.diff(plan) == before


def test_a_damaged_store_is_noticed_and_made_anew(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt")
    diff = git.diff(plan)
    for pack in Path(plan.store, "pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:-30])
    refused(git.land(plan))
    assert frozen(git, repo.root, "a.txt") == plan
    assert git.diff(plan) == diff


# -- the worktree afterwards


def test_drift_and_same_bytes(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    repo.write("b.sh", "x\n")
    (repo.root / "other.txt").unlink()
    plan = frozen(git, repo.root, "a.txt", "b.sh", "other.txt")
    assert git.drift(plan) == () and git.same_bytes(plan) == ()
    stat = (repo.root / "a.txt").stat()
    repo.write("a.txt", "NEW\n")
    os.utime(repo.root / "a.txt", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (repo.root / "b.sh").chmod(0o755)
    repo.write("other.txt", "back\n")
    assert git.drift(plan) == ("a.txt", "b.sh", "other.txt")
    repo.write("src/app.py", "unlisted\n")
    repo.write("dropping.xml", "x\n")
    repo.write("x.log", "ignored\n")
    assert git.same_bytes(plan) == ("a.txt", "b.sh", "dropping.xml", "other.txt", "src/app.py")


def test_a_changed_file_of_the_same_size_is_seen_by_same_bytes(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt")
    for text in ("OTHER\n", "oThEr\n"):
        repo.write("other.txt", text)
        assert git.same_bytes(plan) == ("other.txt",)
    repo.write("other.txt", "other\n")
    assert git.same_bytes(plan) == ()


def test_checkout_is_the_plan_and_no_repository(repo: Repo, tmp_path: Path) -> None:
    repo.write("node_modules/m/index.js", "x\n")
    repo.write("venv/not-ignored", "x\n")
    repo.write("a.txt", "new\n")
    repo.write("run.sh", "x\n").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    git = repo.plain()
    plan = frozen(git, repo.root, "a.txt", "run.sh", "link")
    repo.write("a.txt", "later\n")
    into = tmp_path / "gate/plan"
    assert git.checkout(plan, into) is None
    assert (into / "a.txt").read_text() == "new\n"
    assert os.access(into / "run.sh", os.X_OK) and os.readlink(into / "link") == "a.txt"
    assert not (into / ".git").exists() and not (into / "venv").exists()
    assert os.readlink(into / "node_modules") == str(repo.root / "node_modules")
    assert "not empty" in refused(git.checkout(plan, into)).reason
