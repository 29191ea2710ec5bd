"""Git LFS without its program: the pointer is committed, the object is in the repository before the ref moves."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused, request

from console.adapters.git.commits import PlainGit
from console.adapters.git.lfs import Pointer, pointer_in
from console.adapters.git.objects import object_id
from console.adapters.git.reading import LARGE_CAP, SIZE_CAP
from console.core.records import Frozen
from console.engine.ports import Landed

LFS = shutil.which("git-lfs")
STOCK = {
    "clean": "git-lfs clean -- %f",
    "smudge": "git-lfs smudge -- %f",
    "process": "git-lfs filter-process",
    "required": "true",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo.with_files(tmp_path)
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    repo.commit("rules")
    return repo


def pointer(body: bytes) -> Pointer:
    return Pointer(hashlib.sha256(body).hexdigest(), len(body))


def in_repository(repo: Repo, body: bytes) -> Path:
    return repo.root / ".git/lfs/objects" / pointer(body).place


def plan_of(repo: Repo, git: PlainGit, body: bytes) -> Frozen:
    repo.write("x.bin", body)
    return frozen(git, repo.root, "x.bin")


def test_the_pointer_is_committed_and_the_object_lands_first(repo: Repo) -> None:
    git, body = repo.plain(), os.urandom(100_000)
    plan = plan_of(repo, git, body)
    (one,) = plan.paths
    assert (one.oid, one.disk) == (object_id("blob", pointer(body).body), object_id("blob", body))
    assert plan.notes == ("x.bin: kept in LFS, 100000 bytes",)
    assert f"+oid sha256:{pointer(body).oid}\n+size 100000\n".encode() in git.diff(plan)
    assert (git.drift(plan), git.same_bytes(plan), plan.others) == ((), (), ())
    assert not in_repository(repo, body).exists()
    (repo.root / ".git/refs/heads/main.lock").touch()
    refused(git.land(plan))
    assert in_repository(repo, body).read_bytes() == body
    (repo.root / ".git/refs/heads/main.lock").unlink()
    assert git.land(plan) == Landed(commit=plan.commit)
    assert [path.name for path in (repo.root / ".git/lfs").rglob("*") if path.is_file()] == [pointer(body).oid]
    repo.write("x.bin", body[:-1] + b"x")
    assert git.drift(plan) == ("x.bin",) and git.same_bytes(plan) == ("x.bin",)


def test_unchanged_content_and_pointers_are_not_listed(repo: Repo) -> None:
    git, body = repo.plain(), os.urandom(3000)
    plan = plan_of(repo, git, body)
    assert isinstance(git.land(plan), Landed)
    repo.write("y.bin", pointer(b"elsewhere").body)
    repo.git("-c", "filter.lfs.clean=cat", "add", "y.bin")
    repo.git("commit", "-qm", "a pointer whose content is not here")
    repo.write("a.txt", "new\n")
    for _ in range(2):
        later = frozen(git, repo.root, "a.txt")
        assert later.others == () and git.same_bytes(later) == ()
    os.truncate(repo.root / "x.bin", 2999)
    assert git.same_bytes(later) == ("x.bin",)
    repo.write("x.bin", body[:-1] + bytes([body[-1] ^ 1]))
    assert git.same_bytes(later) == ("x.bin",)
    (repo.root / "x.bin").unlink()
    assert git.same_bytes(later) == ("x.bin",)


def test_what_git_lfs_leaves_alone(repo: Repo) -> None:
    git = repo.plain()
    repo.write("empty.bin", b"")
    repo.write("pointer.bin", pointer(b"elsewhere").body)
    (repo.root / "link.bin").symlink_to("a.txt")
    plan = frozen(git, repo.root, "empty.bin", "pointer.bin", "link.bin")
    assert [one.disk for one in plan.paths] == ["", "", ""] and plan.notes == ()
    assert isinstance(git.land(plan), Landed)
    assert not (repo.root / ".git/lfs").exists()


def test_content_that_was_committed_as_it_is_stays_so_until_it_changes(repo: Repo) -> None:
    repo.write("raw.bin", b"raw" * 700_000)
    repo.git("-c", "filter.lfs.clean=cat", "add", "raw.bin")
    repo.git("commit", "-qm", "raw")
    git = repo.plain()
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt", "raw.bin")
    assert (plan.unchanged, plan.others) == (("raw.bin",), ())
    (repo.root / "raw.bin").chmod(0o755)
    plan = frozen(git, repo.root, "raw.bin")
    assert (plan.paths[0].mode, plan.paths[0].oid) == ("100755", plan.paths[0].old_oid)
    assert isinstance(git.land(plan), Landed)


def test_a_file_above_the_cap_goes_into_lfs_and_not_through_memory(repo: Repo) -> None:
    git = repo.plain()
    with (repo.root / "big.bin").open("wb") as file:
        file.truncate(SIZE_CAP + 12_345)
        file.write(b"head")
    plan = frozen(git, repo.root, "big.bin")
    assert plan.notes == (f"big.bin: kept in LFS, {SIZE_CAP + 12_345} bytes",)
    assert git.drift(plan) == () and isinstance(git.land(plan), Landed)
    found = pointer_in(repo.git("show", "HEAD:big.bin"))
    assert found and (repo.root / ".git/lfs/objects" / found.place).stat().st_size == SIZE_CAP + 12_345


def test_more_than_two_gibibytes_are_refused_with_the_cure(repo: Repo) -> None:
    with (repo.root / "huge.bin").open("wb") as file:
        file.truncate(LARGE_CAP + 1)
    git = repo.plain()
    reason = refused(git.freeze(request(git, repo.root, "huge.bin"))).reason
    assert "2048 MiB" in reason and "commit it by hand" in reason


@pytest.mark.parametrize(
    ("key", "value"),
    [("filter.lfs.clean", "evil clean %f"), ("filter.lfs.process", "x"), ("lfs.storage", "/tmp/elsewhere"),
     ("lfs.extension.zip.clean", "zip"), ("filter.lfs.clean", "git-lfs clean -- %f; evil")],
)  # fmt: skip
def test_rules_that_are_not_stock_are_refused_by_name(repo: Repo, key: str, value: str) -> None:
    git = repo.plain()
    for name, stock in STOCK.items():
        repo.git("config", f"filter.lfs.{name}", stock)
    plan_of(repo, git, b"fine")
    repo.git("config", key, value)
    repo.write("x.bin", b"content")
    assert f"{key} is not the stock one" in refused(git.freeze(request(git, repo.root, "x.bin"))).reason


def test_another_content_under_the_name_is_never_overwritten(repo: Repo) -> None:
    git, body = repo.plain(), b"content" * 100
    plan = plan_of(repo, git, body)
    place = in_repository(repo, body)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"planted" * 100)
    assert "does not hold what its name says" in refused(git.land(plan)).reason
    assert place.read_bytes() == b"planted" * 100 and repo.line("rev-parse", "main") == plan.base
    place.write_bytes(body)
    before = place.stat()
    assert isinstance(git.land(plan), Landed)
    assert (place.stat().st_ino, place.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("where", ["lfs", "lfs/objects", "the object"])
def test_a_link_in_the_place_of_the_store_is_not_followed(repo: Repo, tmp_path: Path, where: str) -> None:
    git, body = repo.plain(), b"content" * 100
    plan = plan_of(repo, git, body)
    outside = tmp_path / "outside"
    outside.mkdir()
    link = in_repository(repo, body) if where == "the object" else repo.root / ".git" / where
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / "new" if where == "the object" else outside)
    refused(git.land(plan))
    assert list(outside.iterdir()) == [] and repo.line("rev-parse", "main") == plan.base


def test_damaged_content_of_a_plan_does_not_land(repo: Repo) -> None:
    git, body = repo.plain(), b"content" * 100
    plan = plan_of(repo, git, body)
    kept = Path(plan.store).parent / "lfs" / pointer(body).place
    kept.write_bytes(b"damaged" * 100)
    assert "does not hold what its name says" in refused(git.land(plan)).reason
    assert repo.line("rev-parse", "main") == plan.base
    assert [path for path in (repo.root / ".git/lfs").rglob("*") if path.is_file()] == []


def test_it_follows_the_plan_to_a_new_base(repo: Repo) -> None:
    git, body = repo.plain(), b"content" * 100
    plan = plan_of(repo, git, body)
    repo.write("other.txt", "operator\n")
    repo.git("commit", "-qm", "operator's", "other.txt")
    again = git.rebase(plan, repo.line("rev-parse", "main"), plan.when)
    assert isinstance(again, Frozen) and (again.paths, again.notes) == (plan.paths, plan.notes)
    shutil.rmtree(Path(plan.store).parent)
    assert isinstance(git.land(again), Landed)
    assert in_repository(repo, body).read_bytes() == body


def test_a_clean_checkout_holds_the_content(repo: Repo, tmp_path: Path) -> None:
    git, old, new = repo.plain(), b"old" * 50, b"new" * 60
    assert isinstance(git.land(plan_of(repo, git, old)), Landed)
    repo.write("sub/y.bin", new).chmod(0o755)
    repo.write("gone.bin", pointer(b"nowhere").body)
    plan = frozen(git, repo.root, "sub/y.bin", "gone.bin")
    assert git.checkout(plan, tmp_path / "out") is None
    assert (tmp_path / "out/x.bin").read_bytes() == old and (tmp_path / "out/sub/y.bin").read_bytes() == new
    assert (tmp_path / "out/sub/y.bin").stat().st_mode & 0o100
    assert (tmp_path / "out/gone.bin").read_bytes() == pointer(b"nowhere").body
    in_repository(repo, old).write_bytes(b"bad" * 50)
    assert git.checkout(plan, tmp_path / "again") is None
    assert (tmp_path / "again/x.bin").read_bytes() == pointer(old).body


def test_a_tickets_worktree_has_the_content_or_the_pointer(repo: Repo) -> None:
    git, body, other = repo.plain(), b"content" * 100, b"lost" * 100
    assert isinstance(git.land(plan_of(repo, git, body)), Landed)
    repo.write("y.bin", other)
    assert isinstance(git.land(frozen(git, repo.root, "y.bin")), Landed)
    in_repository(repo, other).unlink()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    assert (ticket / "x.bin").read_bytes() == body
    assert (ticket / "y.bin").read_bytes() == pointer(other).body
    repo.write("a.txt", "work\n", cwd=ticket)
    assert frozen(git, ticket, "a.txt").others == ()


def test_the_index_of_a_tickets_worktree_does_not_give_the_pointers_size_for_the_content(repo: Repo) -> None:
    git, body, other = repo.plain(), b"content" * 100, b"lost" * 100
    assert isinstance(git.land(plan_of(repo, git, body)), Landed)
    repo.write("y.bin", other)
    assert isinstance(git.land(frozen(git, repo.root, "y.bin")), Landed)
    in_repository(repo, other).unlink()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    sizes = {}
    for row in repo.git("ls-files", "--debug", cwd=ticket).decode().splitlines():
        if not row.startswith(" "):
            name = row
        elif "size:" in row:
            sizes[name] = int(row.split("size:")[1].split()[0])
    assert sizes["x.bin"] == 0, "git asks the filter about an entry without a size"
    assert sizes["y.bin"] == len(pointer(other).body) and sizes["a.txt"] == (ticket / "a.txt").stat().st_size
    assert repo.git("diff-index", "--cached", "HEAD", cwd=ticket) == b""


@pytest.mark.skipif(LFS is None, reason="git-lfs is not installed")
def test_a_tickets_worktree_is_clean_for_git_with_its_lfs_filter(repo: Repo) -> None:
    for name, stock in STOCK.items():
        repo.git("config", "--global", f"filter.lfs.{name}", stock)
    git = repo.plain()
    repo.write("sub/y.bin", b"\r\n" * 70).chmod(0o755)
    repo.write("x.bin", os.urandom(50_000))
    assert isinstance(git.land(frozen(git, repo.root, "x.bin", "sub/y.bin")), Landed)
    ticket = Path(added(git, "t", "nightdesk/t").path)
    assert repo.git("status", "--porcelain", cwd=ticket) == b""
    repo.write("x.bin", b"changed", cwd=ticket)
    assert repo.git("status", "--porcelain", cwd=ticket) == b" M x.bin\n"


@pytest.mark.skipif(LFS is None, reason="git-lfs is not installed")
def test_it_is_what_git_lfs_would_have_done(repo: Repo) -> None:
    for name, stock in STOCK.items():
        repo.git("config", "--global", f"filter.lfs.{name}", stock)
    git = repo.plain()
    bodies = {"x.bin": os.urandom(50_000), "sub/y.bin": b"", "z.bin": b"a\r\nb", "copy.bin": b"a\r\nb"}
    bodies["p.bin"] = pointer(b"a\r\nb").body
    for name, body in bodies.items():
        repo.write(name, body)
    plan = frozen(git, repo.root, *bodies)
    repo.git("add", *bodies)
    assert repo.line("write-tree") == plan.tree
    repo.git("reset", "-q")
    shutil.rmtree(repo.root / ".git/lfs")
    assert isinstance(git.land(plan), Landed)
    assert repo.git("status", "--porcelain") == b"" and repo.git("fsck", "--strict", "--no-dangling") == b""
    assert repo.git("lfs", "fsck") == b"Git LFS fsck OK\n"
    listed = sorted(line.split()[-1] for line in repo.git("lfs", "ls-files", "-l").decode().splitlines())
    assert listed == sorted(name for name in bodies if name != "sub/y.bin")
    (repo.root / "x.bin").unlink()
    repo.git("checkout", "-q", "x.bin")
    assert (repo.root / "x.bin").read_bytes() == bodies["x.bin"]
