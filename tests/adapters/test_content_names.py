"""Names of any bytes go the whole way: frozen, shown, landed, drifted, undone, rebased."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, frozen, refused, request

from console.adapters.git.objects import object_id
from console.core.paths import text_of
from console.core.records import Frozen
from console.engine.ports import Landed

NAMES = (
    b"bad\xff", b"\xc3(/in\xfe/x.txt", b'"quoted"', b"new\nline", b"tab\there", b"back\\slash", b"-rf", b":!x", b"*",
    b"[1]", b"?.txt", b" lead", b"trail ", "ünï/cödé".encode(), b"\x01\x7f", b"~", b"#x", b"!y", b"$(x)",
)  # fmt: skip


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def put(repo: Repo, name: bytes, body: bytes) -> None:
    path = os.path.join(os.fsencode(repo.root), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(os.fsdecode(path)).write_bytes(body)


def status(repo: Repo) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z", "-uall").split(b"\0")) - {b""}


def test_every_name_is_frozen_landed_and_undone(repo: Repo) -> None:
    git = repo.plain()
    base = repo.line("rev-parse", "HEAD")
    for name in (*NAMES, b"1", b"x", b"a.tx", b"other\xff"):
        put(repo, name, b"content of " + name)
    plan = frozen(git, repo.root, *map(text_of, NAMES))
    assert {one.path for one in plan.paths} == set(map(text_of, NAMES))
    assert {one.path: one.oid for one in plan.paths} == {
        text_of(name): object_id("blob", b"content of " + name) for name in NAMES
    }
    assert plan.others == ("1", "a.tx", "other\\xff", "x")
    assert git.same_bytes(plan) == ("1", "a.tx", "other\\xff", "x")
    assert b'"b/bad\\377"' in git.diff(plan)
    assert git.drift(plan) == ()
    put(repo, NAMES[0], b"changed")
    assert git.drift(plan) == ('"bad\\377"',)
    assert "bad\\xff" in git.same_bytes(plan)
    put(repo, NAMES[0], b"content of " + NAMES[0])
    assert git.land(plan) == Landed(commit=plan.commit)
    assert status(repo) == {b"?? " + name for name in (b"1", b"x", b"a.tx", b"other\xff")}
    listed = repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split(b"\0")
    assert set(NAMES) <= set(listed) and repo.git("fsck", "--strict", "--no-dangling") == b""
    assert git.undo(plan) == Landed(commit=base)
    assert {b"?? " + name for name in NAMES} <= status(repo)


def test_contents_and_checkout_of_a_name_that_is_no_text(repo: Repo, tmp_path: Path) -> None:
    git = repo.plain()
    put(repo, b"bad\xff", b"old")
    repo.commit("old")
    put(repo, b"bad\xff", b"new")
    plan = frozen(git, repo.root, '"bad\\377"')
    (change,) = git.contents(plan)
    assert (change.path, change.old, change.new) == ('"bad\\377"', b"old", b"new")
    assert git.checkout(plan, tmp_path / "out") is None
    assert (tmp_path / "out" / os.fsdecode(b"bad\xff")).read_bytes() == b"new"


def test_a_deleted_name_and_a_new_base(repo: Repo) -> None:
    git = repo.plain()
    put(repo, b"gone\xff", b"x")
    put(repo, b"stays\xfe", b"x")
    repo.commit("odd names")
    os.unlink(os.path.join(os.fsencode(repo.root), b"gone\xff"))
    plan = frozen(git, repo.root, '"gone\\377"')
    assert (plan.paths[0].mode, plan.paths[0].oid) == ("000000", "")
    put(repo, b"stays\xfe", b"y")
    repo.git("commit", "-qm", "operator's", "--", os.fsdecode(b"stays\xfe"))
    again = git.rebase(plan, repo.line("rev-parse", "main"), plan.when)
    assert isinstance(again, Frozen) and again.paths == plan.paths
    assert isinstance(git.land(again), Landed)
    assert b"gone" not in repo.git("ls-files")


@pytest.mark.parametrize("name", ['"', '"plain"', '"a\\q"', "bad\udcff", '"\\377', '"a/\\000"', '".git/\\377"'])
def test_a_text_that_is_no_name_is_refused(repo: Repo, name: str) -> None:
    git = repo.plain()
    assert "nothing was frozen" in refused(git.freeze(request(git, repo.root, name))).reason
