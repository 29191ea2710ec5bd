"""Finding the workspace and its worktrees, adding one for a ticket."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Unpack

import pytest
from gitrepo import Repo, added, frozen, refused

from console.adapters.git import finding
from console.adapters.git.binary import GitBinary, How, Ran
from console.adapters.git.commits import PlainGit
from console.adapters.git.worktrees import discover
from console.core.records import Refused
from console.engine.ports import Git, Landed, TurnBase, Worktree


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def test_root_is_found_from_everywhere(repo: Repo, tmp_path: Path) -> None:
    (repo.root / "src/deep").mkdir()
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(linked))
    here = discover(repo.root, repo.environ)
    assert here == discover(repo.root / "src/deep", repo.environ) == discover(linked / "src", repo.environ)
    assert here.root == str(repo.root)
    assert here.common == str(repo.root / ".git")
    assert here.key.startswith("shop-") and len(here.key) == len("shop-") + 10


def test_key_tells_places_apart_and_survives_a_symlink(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.root)
    assert discover(tmp_path / "link", repo.environ) == repo.workspace()
    (tmp_path / "second").mkdir()
    other = Repo.with_files(tmp_path / "second")
    assert other.workspace().key != repo.workspace().key


def test_what_is_no_workspace_is_refused_with_the_cure(tmp_path: Path) -> None:
    repo = Repo.make(tmp_path)
    assert "first commit" in refused(discover(repo.root, repo.environ)).reason
    (tmp_path / "plain").mkdir()
    assert "git init" in refused(discover(tmp_path / "plain", repo.environ)).reason
    repo.git("init", "-q", "--bare", str(tmp_path / "bare.git"))
    assert "git clone" in refused(discover(tmp_path / "bare.git", repo.environ)).reason
    assert "git's own folder" in refused(discover(repo.root / ".git", repo.environ)).reason


def test_worktree_of_a_bare_repository_is_refused(repo: Repo, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.root), str(bare))
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"), cwd=bare)
    assert "bare repository" in refused(discover(tmp_path / "w", repo.environ)).reason


def test_sha256_is_refused_by_name(tmp_path: Path) -> None:
    repo = Repo.with_files(tmp_path, "--object-format=sha256")
    assert "sha256" in refused(discover(repo.root, repo.environ)).reason


def test_sha256_and_reftable_are_known_even_when_the_configuration_says_nothing(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    long = Repo.with_files(tmp_path / "long", "--object-format=sha256")
    long.write(".git/config", "[broken\n")
    assert "sha256" in refused(discover(long.root, long.environ)).reason
    repo.git("config", "extensions.refStorage", "reftable")
    assert "reftable" in refused(discover(repo.root, repo.environ)).reason


def test_a_repository_whose_git_dir_lies_elsewhere(repo: Repo, tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "clone", Path(os.path.realpath(tmp_path / "elsewhere.git"))
    repo.git("clone", "-q", f"--separate-git-dir={elsewhere}", str(repo.root), str(place))
    found = discover(place / "src", repo.environ)
    assert (found.root, found.common) == (os.path.realpath(place), str(elsewhere))
    assert "git's own folder" in refused(discover(elsewhere, repo.environ)).reason
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"), cwd=place)
    assert "cannot be found" in refused(discover(tmp_path / "side", repo.environ)).reason
    git = PlainGit(found, repo.state, repo.data, repo.environ)
    assert [one.path for one in git.worktrees()] == [found.root, os.path.realpath(tmp_path / "side")]
    assert added(git, "t", "nightdesk/t") in git.worktrees()


def test_a_submodule_is_a_workspace_of_its_own(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    library = Repo.with_files(tmp_path / "lib")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "sub")
    found = discover(repo.root / "sub/src", repo.environ)
    assert (found.root, found.common) == (str(repo.root / "sub"), str(repo.root / ".git/modules/sub"))
    repo.git("config", "core.worktree", "/tmp", cwd=repo.root / "sub")
    assert discover(repo.root / "sub", repo.environ) == found
    git = PlainGit(found, repo.state, repo.data, repo.environ)
    ticket = Path(added(git, "t", "nightdesk/t").path)
    repo.write("a.txt", "work\n", cwd=ticket)
    plan = frozen(git, ticket, "a.txt")
    assert isinstance(git.land(plan), Landed) and git.landed(plan)


def test_packed_symbolic_and_linked_heads_are_followed(repo: Repo) -> None:
    here, head = repo.workspace(), repo.line("rev-parse", "HEAD")
    main = Worktree(path=str(repo.root), ref="refs/heads/main", head=head, main=True)
    repo.git("pack-refs", "--all")
    assert not (repo.root / ".git/refs/heads/main").exists()
    assert discover(repo.root, repo.environ) == here and repo.plain().worktrees() == (main,)
    repo.git("symbolic-ref", "refs/heads/other", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/other")
    assert discover(repo.root, repo.environ) == here and repo.plain().worktrees() == (main,)
    (repo.root / ".git/HEAD").unlink()
    (repo.root / ".git/HEAD").symlink_to("refs/heads/main")
    assert discover(repo.root, repo.environ) == here and repo.plain().worktrees() == (main,)


def test_a_git_file_that_leads_nowhere_is_said(repo: Repo, tmp_path: Path) -> None:
    ticket = Path(added(repo.plain(), "t", "nightdesk/t").path)
    for content in ("gitdir: /nowhere\n", "nonsense", "gitdir: \0\n", ""):
        (ticket / ".git").write_text(content)
        assert "git cannot read the repository" in refused(discover(ticket, repo.environ)).reason
    assert "cannot be opened" in refused(discover(tmp_path / "nowhere", repo.environ)).reason


def test_finding_the_workspace_takes_two_short_processes(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    run = GitBinary.run

    def counted(self: GitBinary, args: Sequence[str], **how: Unpack[How]) -> Ran:
        asked.append(tuple(args))
        return run(self, args, **how)

    monkeypatch.setattr(GitBinary, "run", counted)
    repo.workspace()
    assert [args[0] for args in asked] == ["version", "config"]
    repo.plain().worktrees()
    assert not any("worktree" in args for args in asked)


def test_worktrees_are_listed_main_first(repo: Repo, tmp_path: Path) -> None:
    odd = tmp_path / "odd\nname"
    repo.git("worktree", "add", "-q", "-b", "side", str(odd))
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "loose"))
    repo.git("worktree", "add", "-q", "-b", "gone", str(tmp_path / "gone"))
    (tmp_path / "gone").rename(tmp_path / "elsewhere")
    head = repo.line("rev-parse", "HEAD")
    main, *linked = repo.plain().worktrees()
    assert main == Worktree(path=str(repo.root), ref="refs/heads/main", head=head, main=True)
    assert {(one.path, one.ref, one.main) for one in linked} == {
        (os.path.realpath(odd), "refs/heads/side", False),
        (os.path.realpath(tmp_path / "loose"), "", False),
    }


def test_worktree_of_a_path(repo: Repo, tmp_path: Path) -> None:
    git: Git = repo.plain()
    inside = repo.root / "inside"
    repo.git("worktree", "add", "-q", "-b", "side", str(inside))
    (repo.root / "nested").mkdir()
    repo.git("init", "-q", cwd=repo.root / "nested")
    assert git.worktree_of(str(repo.root / "src")).path == str(repo.root)
    assert git.worktree_of(str(inside / "src")).path == str(inside)
    assert git.worktree_of(str(repo.root / "nested")) is None
    assert git.worktree_of(str(repo.root / ".git")) is None
    assert git.worktree_of(str(tmp_path)) is None


def test_turn_base(repo: Repo, tmp_path: Path) -> None:
    git = repo.plain()
    head = repo.line("rev-parse", "HEAD")
    assert git.turn_base(str(repo.root)) == TurnBase(ref="refs/heads/main", head=head)
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "loose"))
    assert git.turn_base(str(tmp_path / "loose")) == TurnBase(ref="", head=head)
    assert "no worktree" in refused(git.turn_base(str(tmp_path))).reason


def test_a_rewritten_git_file_does_not_mislead(repo: Repo, tmp_path: Path) -> None:
    git = repo.plain()
    ticket = added(git, "t", "nightdesk/t")
    (tmp_path / "evil").mkdir()
    evil = Repo.with_files(tmp_path / "evil")
    Path(ticket.path, ".git").write_text(f"gitdir: {evil.root}/.git\n")
    base = git.turn_base(ticket.path)
    assert base == TurnBase(ref="refs/heads/nightdesk/t", head=repo.line("rev-parse", "HEAD"))


def test_add_worktree(repo: Repo) -> None:
    git = repo.plain()
    ticket = added(git, "T-1", "nightdesk/T-1")
    assert ticket == Worktree(
        path=os.path.realpath(repo.data / "T-1"), ref="refs/heads/nightdesk/T-1", head=repo.line("rev-parse", "HEAD")
    )
    assert repo.git("status", "--porcelain", cwd=Path(ticket.path)) == b""
    assert Path(ticket.path, "src/app.py").read_text() == "print('hello')\n"
    assert ticket in git.worktrees()
    assert repo.git("config", "--get-regexp", r"^branch\.", ok=False) == b""


def test_only_the_folder_is_made_safe(repo: Repo) -> None:
    git = repo.plain()
    ticket = added(git, "fix/a b", "feature/auth")
    assert ticket.ref == "refs/heads/feature/auth"
    assert Path(ticket.path).parent == Path(os.path.realpath(repo.data))
    assert Path(ticket.path).name.startswith("fix-a-b-")
    other = added(git, "fix-a b", "feature/other")
    assert other.path != ticket.path
    assert Path(added(git, "../../up", "feature/up").path).parent == Path(os.path.realpath(repo.data))


def test_a_branch_in_use_names_its_holder(repo: Repo) -> None:
    git = repo.plain()
    ticket = added(git, "T-1", "nightdesk/T-1")
    reason = refused(git.add_worktree("again", "nightdesk/T-1")).reason
    assert ticket.path in reason and "nightdesk/T-1" in reason
    assert not (repo.data / "again").exists()
    assert str(repo.root) in refused(git.add_worktree("again", "main")).reason


def test_a_branch_that_cannot_be_made_names_the_cure(repo: Repo) -> None:
    git = repo.plain()
    repo.git("branch", "old")
    assert "git branch -d old" in refused(git.add_worktree("x", "old")).reason
    assert "beside old" in refused(git.add_worktree("x", "old/er")).reason
    repo.git("branch", "deep/er")
    assert "beside deep/er" in refused(git.add_worktree("x", "deep")).reason
    for bad in ("a b", "-x", "a..b", "@{-1}", ""):
        assert "branch name" in refused(git.add_worktree("x", bad)).reason
    (repo.data / "taken").mkdir(parents=True)
    assert "exists already" in refused(git.add_worktree("taken", "fresh")).reason
    assert repo.line("branch", "--list", "fresh", "deep") == ""


def test_two_threads_add_two_worktrees(repo: Repo) -> None:
    git = repo.plain()
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda n: git.add_worktree(f"t{n}", f"nightdesk/t{n}"), range(4)))
    assert all(isinstance(one, Worktree) for one in made), made
    assert len(git.worktrees()) == 5


def test_a_new_worktree_is_filled_by_the_rules_but_by_no_filter_program(repo: Repo) -> None:
    repo.write(".gitattributes", "*.win text eol=crlf\n*.big filter=nobodys\n")
    repo.write("a.win", "one\n")
    repo.write("a.big", "pointer\n")
    repo.commit("attributes")
    ticket = Path(added(repo.plain(), "t", "nightdesk/t").path)
    assert (ticket / "a.win").read_bytes() == b"one\r\n"
    assert (ticket / "a.big").read_bytes() == b"pointer\n"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("exec sleep 30", "git did not answer within 0.5 s: "),
        ("exit 0", "does not answer as git does"),
        ("echo git version 2.20.1", "or newer is needed, this is git version 2.20.1"),
        ("exit 3", "git cannot be used"),
    ],
)
def test_a_git_that_is_of_no_use_is_named_soon_and_not_blamed_on_the_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    monkeypatch.setattr(finding, "ANSWER", 0.5)
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\n{program}\n")
    fake.chmod(0o755)
    found = finding.discover(repo.root, repo.environ | {"PATH": f"{fake.parent}:{os.environ['PATH']}"})
    assert isinstance(found, Refused) and said in found.reason and found.paths == ("program",)
    assert "git dir" not in found.reason
