"""What no plan may hold is refused by name, everything at once, with nothing kept."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused, request

from console.adapters.git.reading import SIZE_CAP


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def test_all_problems_are_named_at_once(repo: Repo) -> None:
    os.mkfifo(repo.root / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(repo.root)
        server.bind("sock")
        os.chdir(before)
    (repo.root / "lnk").symlink_to("src")
    repo.write("nested/file", "x\n")
    repo.git("init", "-q", cwd=repo.root / "nested")
    repo.write("a.txt", "fine\n")
    reasons = {
        "fifo": "named pipe", "sock": "socket", "src": "is a directory", "lnk/app.py": "behind the symbolic link lnk",
        "nested": "repository of its own", "nested/file": "inside another repository", "absent": "neither on disk",
        "../up": "component", "/etc/passwd": "absolute", "src//app.py": "component", "./a.txt": "component",
        ".git/config": "git's own", "src/.GIT/x": "git's own", "git~1/x": "git's own", ".git /x": "git's own",
        ".g\u200cit/x": "git's own", "": "is empty", "bad\udcff": "is no name", "a.txt/under": "neither on disk",
    }  # fmt: skip
    git = repo.plain()
    result = refused(git.freeze(request(git, repo.root, "a.txt", *reasons)))
    assert len(result.paths) == len(reasons)
    for why in reasons.values():
        assert why in result.reason
    assert "a.txt is" not in result.reason.replace("a.txt/under", "")
    assert "\\udcff" in result.reason or "\\xff" in result.reason
    assert list((repo.state / "plans").iterdir()) == []


def test_a_file_over_the_cap_is_refused(repo: Repo) -> None:
    with (repo.root / "big").open("wb") as file:
        file.truncate(SIZE_CAP + 1)
    git = repo.plain()
    reason = refused(git.freeze(request(git, repo.root, "big"))).reason
    assert "20 MiB" in reason and "Git LFS" in reason and "by hand" in reason


def test_names_that_collide_elsewhere_are_refused(repo: Repo) -> None:
    git = repo.plain()
    repo.write("A.TXT", "x\n")
    repo.write("SRC/new.py", "x\n")
    result = refused(git.freeze(request(git, repo.root, "A.TXT", "SRC/new.py")))
    assert "A.TXT and a.txt" in result.reason and "SRC/new.py and src" in result.reason
    (repo.root / "a.txt").unlink()
    assert len(frozen(git, repo.root, "A.TXT", "a.txt").paths) == 2


def test_a_filter_of_somebody_is_refused_with_the_cure(repo: Repo) -> None:
    repo.write(".gitattributes", "*.secret filter=git-crypt\n")
    repo.write("x.secret", "old\n")
    repo.commit("attributes")
    repo.write(".gitattributes", "")
    git = repo.plain()
    repo.write("x.secret", "new\n")
    result = refused(git.freeze(request(git, repo.root, "x.secret", ".gitattributes")))
    assert result.paths == ("x.secret",)
    assert "the filter 'git-crypt'" in result.reason and "git add -- x.secret && git commit" in result.reason


@pytest.mark.parametrize(
    "name", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG"]
)
def test_an_operation_under_way_is_refused(repo: Repo, name: str) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    ticket = Path(added(git, "t", "nightdesk/t").path)
    repo.write("a.txt", "new\n", cwd=ticket)
    (repo.root / ".git" / name).write_text("x\n")
    assert "is under way" in refused(git.freeze(request(git, repo.root, "a.txt"))).reason
    frozen(git, ticket, "a.txt")
    (repo.root / ".git/worktrees/t" / name).mkdir()
    assert "is under way" in refused(git.freeze(request(git, ticket, "a.txt"))).reason


def test_unresolved_conflicts_are_refused(repo: Repo) -> None:
    repo.write("a.txt", "stashed\n")
    repo.git("stash", "-q")
    repo.write("a.txt", "committed\n")
    repo.commit("second")
    repo.git("stash", "pop", "-q", ok=False)
    git = repo.plain()
    assert "conflicts in the index: a.txt" in refused(git.freeze(request(git, repo.root, "a.txt"))).reason


def test_detached_and_switched_heads_are_refused(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    base = git.turn_base(str(repo.root))
    repo.git("switch", "-q", "-c", "side")
    reason = refused(git.freeze(request(git, repo.root, "a.txt", base=base))).reason
    assert "on side" in reason and "for main" in reason and "switch main" in reason
    repo.git("checkout", "-q", "--detach")
    assert "switch -c" in refused(git.freeze(request(git, repo.root, "a.txt"))).reason
    assert "detached" in refused(git.freeze(request(git, repo.root, "a.txt", base=base))).reason
    assert "no worktree" in refused(git.freeze(request(git, repo.home, "a.txt", base=base))).reason


def test_a_refusal_says_what_to_list_instead(repo: Repo) -> None:
    git = repo.plain()
    (repo.root / "ld").symlink_to("src")
    reason = refused(git.freeze(request(git, repo.root, "ld/app.py", "x/.git/config"))).reason
    assert "list ld itself, or the file by its path without the link" in reason
    assert "x/.git/config reaches into git's own folder, which no commit holds: take it off the list" in reason
    (repo.root / "src/app.py").unlink()
    (repo.root / "src").rmdir()
    repo.write("src", "a file now\n")
    reason = refused(git.freeze(request(git, repo.root, "src"))).reason
    assert "add what is missing to the list: --commit-path src/app.py" in reason
    frozen(git, repo.root, "src", "src/app.py")
