"""Submodules, sparse checkouts, every kind of index, links: committed exactly, or refused by name with the cure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gitrepo import Repo, added, canary, frozen, refused, request

from console.adapters.git.commits import PlainGit
from console.core.records import Frozen
from console.engine.ports import Landed


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def nested(repo: Repo, tmp_path: Path) -> Repo:
    """A repository with the submodule `sub`."""
    (tmp_path / "lib").mkdir()
    library = Repo.with_files(tmp_path / "lib")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "sub")
    repo.commit("submodule")
    return repo


def status(repo: Repo, cwd: Path | None = None) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z", cwd=cwd).split(b"\0")) - {b""}


def landed(repo: Repo, git: PlainGit, plan: Frozen, cwd: Path | None = None) -> None:
    assert isinstance(git.land(plan), Landed)
    assert status(repo, cwd) == set()
    assert repo.git("fsck", "--strict", "--no-dangling") == b""


# -- submodules


def test_a_moved_submodule_is_a_change_of_its_commit(nested: Repo, tmp_path: Path) -> None:
    git, sub = nested.plain(), nested.root / "sub"
    nested.write("a.txt", "new\n")
    assert frozen(git, nested.root, "a.txt").others == ()
    nested.write("a.txt", "in the submodule\n", cwd=sub)
    plan = frozen(git, nested.root, "a.txt")
    assert plan.others == ("sub",) == git.same_bytes(plan)
    head = nested.commit("inside", cwd=sub)
    assert frozen(git, nested.root, "a.txt").others == ("sub",)
    plan = frozen(git, nested.root, "a.txt", "sub")
    one = plan.paths[1]
    assert (one.path, one.mode, one.oid, one.old_mode, one.disk) == ("sub", "160000", head, "160000", "")
    assert any(head[:10] in note and "push" in note for note in plan.notes)
    assert f"+Subproject commit {head}\n".encode() in git.diff(plan)
    assert [change.new for change in git.contents(plan)] == [b"new\n", None]
    assert (git.drift(plan), git.same_bytes(plan)) == ((), ())
    assert git.checkout(plan, tmp_path / "out") is None and list((tmp_path / "out/sub").iterdir()) == []
    landed(nested, git, plan)
    assert nested.line("rev-parse", "HEAD:sub") == head
    nested.git("checkout", "-q", "--detach", "HEAD~1", cwd=sub)
    assert git.drift(plan) == ("sub",) and git.same_bytes(plan) == ("sub",)


def test_a_submodule_that_was_never_filled_or_was_taken_away(nested: Repo) -> None:
    git = nested.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    nested.write("a.txt", "new\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt", "sub")
    assert (plan.unchanged, plan.others) == (("sub",), ())
    if (ticket / "sub").exists():
        (ticket / "sub").rmdir()
    plan = frozen(git, ticket, "a.txt", "sub")
    assert {one.path: one.mode for one in plan.paths}["sub"] == "000000"
    landed(nested, git, plan, ticket)


def test_a_submodule_that_is_not_clear_is_refused_with_the_cure(nested: Repo, tmp_path: Path) -> None:
    git, sub = nested.plain(), nested.root / "sub"
    module = nested.root / ".git/modules/sub"
    (tmp_path / "far").mkdir()
    elsewhere = Repo.with_files(tmp_path / "far")

    def reason() -> str:
        return refused(git.freeze(request(git, nested.root, "sub"))).reason

    before = (sub / ".git").read_bytes()
    (sub / ".git").write_text(f"gitdir: {elsewhere.root}/.git\n")
    assert "git add -- sub && git commit" in reason()
    for content in ("gitdir: /nowhere\n", "nonsense", ""):
        (sub / ".git").write_text(content)
        assert "cannot be told" in reason()
    nested.write("a.txt", "new\n")
    assert frozen(git, nested.root, "a.txt").others == ("sub",)
    (sub / ".git").unlink()
    (sub / ".git").symlink_to(module)
    assert "cannot be told" in reason()
    (sub / ".git").unlink()
    (sub / ".git").write_bytes(before)
    (module / "HEAD").write_text("1" * 40 + "\n")
    assert "cannot be told" in reason()
    (module / "HEAD").unlink()
    os.mkfifo(module / "HEAD")
    assert "cannot be told" in reason()


def test_files_inside_a_submodule_and_strange_repositories_are_refused(nested: Repo) -> None:
    git = nested.plain()
    nested.write("sub/a.txt", "x\n")
    nested.write("own/file", "x\n")
    nested.git("init", "-q", cwd=nested.root / "own")
    result = refused(git.freeze(request(git, nested.root, "sub/a.txt", "own", "own/file")))
    assert "sub/a.txt is inside another repository (sub)" in result.reason
    assert "own is a repository of its own" in result.reason and "git submodule add" in result.reason


def test_nothing_of_a_submodules_configuration_runs(nested: Repo, tmp_path: Path) -> None:
    git, sub = nested.plain(), nested.root / "sub"
    nested.write("a.txt", "in the submodule\n", cwd=sub)
    nested.commit("inside", cwd=sub)
    program, mark = canary(tmp_path, "fsmonitor")
    nested.git("config", "core.fsmonitor", str(program), cwd=sub)
    nested.git("config", "core.hooksPath", str(tmp_path), cwd=sub)
    nested.git("status", cwd=sub)
    assert mark.exists()
    mark.unlink()
    plan = frozen(git, nested.root, "sub")
    git.same_bytes(plan)
    git.drift(plan)
    assert isinstance(git.land(plan), Landed)
    assert not mark.exists()


# -- sparse


@pytest.mark.parametrize("how", ["cone", "no-cone", "sparse-index"])
def test_what_a_sparse_checkout_leaves_out_is_no_deletion(repo: Repo, how: str) -> None:
    repo.write("docs/deep/x.md", "x\n")
    repo.write("src/keep.py", "x\n")
    repo.commit("more")
    match how:
        case "cone":
            repo.git("sparse-checkout", "set", "--cone", "src")
        case "no-cone":
            repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs/")
        case "sparse-index":
            repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert not (repo.root / "docs").exists()
    git = repo.plain()
    repo.write("a.txt", "new\n")
    (repo.root / "src/keep.py").unlink()
    plan = frozen(git, repo.root, "a.txt")
    assert plan.others == ("src/keep.py",)
    # A gate that ran here did not run on all of what is committed, whoever marked the files so.
    assert git.same_bytes(plan) == ("docs/deep/x.md", "src/keep.py")
    reason = refused(git.freeze(request(git, repo.root, "a.txt", "docs/deep/x.md"))).reason
    assert "docs/deep/x.md is outside the sparse checkout" in reason and "sparse-checkout add docs/deep" in reason
    landed(repo, git, frozen(git, repo.root, "a.txt", "src/keep.py"))
    assert not (repo.root / "docs").exists()
    assert repo.line("show", "HEAD:docs/deep/x.md") == "x"


# -- every kind of change in every kind of index


def change_everything(repo: Repo, cwd: Path) -> list[str]:
    """Modes, links, swaps, deletions and a rename; the paths."""
    repo.write("a.txt", "changed\n", cwd=cwd).chmod(0o755)
    (cwd / "was-exec").chmod(0o644)
    (cwd / "link").unlink()
    (cwd / "link").symlink_to("other.txt")
    (cwd / "to-link").unlink()
    (cwd / "to-link").symlink_to("a.txt")
    (cwd / "from-link").unlink()
    repo.write("from-link", "a file now\n", cwd=cwd)
    (cwd / "folder/inner").unlink()
    (cwd / "folder").rmdir()
    repo.write("folder", "a file now\n", cwd=cwd)
    (cwd / "file").unlink()
    repo.write("file/inner", "a folder now\n", cwd=cwd)
    (cwd / "old-name").rename(cwd / "new-name")
    (cwd / "gone").unlink()
    repo.write("empty", "", cwd=cwd)
    return [
        "a.txt", "was-exec", "link", "to-link", "from-link", "folder", "folder/inner", "file", "file/inner",
        "old-name", "new-name", "gone", "empty",
    ]  # fmt: skip


@pytest.mark.parametrize("how", ["plain", "version4", "split", "untracked-cache", "linked", "packed"])
def test_every_kind_of_change_lands_clean(repo: Repo, tmp_path: Path, how: str) -> None:
    for name in ("was-exec", "to-link", "folder/inner", "file", "old-name", "gone"):
        repo.write(name, f"{name}\n")
    (repo.root / "was-exec").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    (repo.root / "from-link").symlink_to("a.txt")
    repo.commit("all kinds")
    place = repo.root
    match how:
        case "version4":
            repo.git("update-index", "--index-version", "4")
        case "split":
            repo.git("update-index", "--split-index")
        case "untracked-cache":
            repo.git("update-index", "--force-untracked-cache")
        case "linked":
            place = tmp_path / "linked"
            repo.git("worktree", "add", "-q", "-b", "side", str(place))
        case "packed":
            repo.git("gc", "-q")
    git = repo.plain()
    paths = change_everything(repo, place)
    plan = frozen(git, place, *paths)
    assert {one.path for one in plan.paths} == set(paths) and plan.others == ()
    assert (git.drift(plan), git.same_bytes(plan)) == ((), ())
    landed(repo, git, plan, place)
    assert isinstance(git.undo(plan), Landed)
    assert status(repo, place) != set() and repo.git("fsck", "--strict", "--no-dangling") == b""


def test_an_unborn_branch_of_the_main_worktree(repo: Repo) -> None:
    git = repo.plain()
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.git("rm", "-rqf", ".")
    repo.write(".gitattributes", "* text\n")
    repo.write("sub/run", "x\r\n").chmod(0o755)
    plan = frozen(git, repo.root, ".gitattributes", "sub/run")
    # The empty tree has no rules yet, so these bytes stay as they are.
    assert (plan.base, plan.ref_old, plan.paths[1].disk) == ("", "", "")
    assert git.same_bytes(plan) == ()
    assert isinstance(git.land(plan), Landed)
    assert repo.line("rev-parse", "fresh") == plan.commit
    assert repo.git("show", "fresh:sub/run") == b"x\r\n" and repo.git("fsck", "--strict", "--no-dangling") == b""


def test_case_and_accents_against_folders_and_links(repo: Repo) -> None:
    repo.write("café/menu", "x\n")
    repo.commit("accent")
    git = repo.plain()
    repo.write("cafe\u0301", "x\n")
    (repo.root / "SRC").symlink_to("/etc")
    repo.write("A.TXT/x", "x\n")
    result = refused(git.freeze(request(git, repo.root, "cafe\u0301", "SRC", "A.TXT/x")))
    assert set(result.paths) == {"cafe\u0301", "SRC", "A.TXT/x"}


# -- notes


def test_links_and_large_files_are_noted(repo: Repo) -> None:
    (repo.root / "out").symlink_to("/etc/passwd")
    (repo.root / "up").symlink_to("../../elsewhere")
    (repo.root / "src/in").symlink_to("../a.txt")
    os.link(repo.root / "other.txt", repo.root / "twin.txt")
    repo.write("large.txt", "x" * (1024 * 1024 + 1))
    plan = frozen(repo.plain(), repo.root, "out", "up", "src/in", "twin.txt", "large.txt", "other.txt")
    assert plan.notes == (
        "large.txt: 1.0 MiB",
        "out: a symbolic link out of the worktree, to /etc/passwd",
        "twin.txt: has 2 names on disk (hard links), a change to one changes all",
        "up: a symbolic link out of the worktree, to ../../elsewhere",
    )
