"""The door to the git binary, and the repository's own code: none of it ever runs."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from gitrepo import Repo, added, canary, frozen, refused, request

from console.adapters.git.binary import GitBinary, GitFailed, shown
from console.adapters.git.shadow import Repository, View
from console.adapters.git.worktrees import discover
from console.engine.ports import Landed, Workspace

HOOKS = ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "post-commit", "pre-auto-gc")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def test_inherited_git_variables_are_dropped(repo: Repo, tmp_path: Path) -> None:
    hostile = repo.environ | {"GIT_DIR": str(tmp_path), "GIT_INDEX_FILE": "/nowhere", "GIT_CONFIG_COUNT": "bad"}
    out = GitBinary(hostile).check(["rev-parse", "--show-toplevel"], cwd=str(repo.root))
    assert out.decode().strip() == str(repo.root)


def test_every_git_variable_of_the_operator_is_dropped(repo: Repo, tmp_path: Path) -> None:
    program, mark = canary(tmp_path, "variable")
    names = (
        "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_ASKPASS", "GIT_PROXY_COMMAND",
        "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_TRACE", "GIT_TRACE2", "GIT_ATTR_SOURCE", "GIT_NAMESPACE",
    )  # fmt: skip
    hostile = repo.environ | {name: str(program) for name in names}
    hostile |= {"GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{program}'", "LD_PRELOAD": "", "PAGER": str(program)}
    ran = GitBinary(hostile).run(["-c", "alias.show-env=!env", "show-env"], cwd=str(repo.root))
    seen = dict(line.split("=", 1) for line in ran.out.decode().splitlines() if "=" in line)
    assert str(program) not in "".join(value for name, value in seen.items() if name != "PWD") and not mark.exists()
    assert {"GIT_ATTR_SOURCE", "GIT_NAMESPACE", "GIT_TRACE", "LD_PRELOAD", "PAGER"}.isdisjoint(seen)
    assert seen["GIT_NO_REPLACE_OBJECTS"] == seen["GIT_NO_LAZY_FETCH"] == seen["GIT_LITERAL_PATHSPECS"] == "1"
    assert not Path(seen["GIT_GRAFT_FILE"]).exists()


def test_a_relative_path_entry_supplies_no_git(repo: Repo) -> None:
    program, mark = canary(repo.root, "git")
    (repo.root / "git").write_bytes(program.read_bytes())
    (repo.root / "git").chmod(0o755)
    binary = GitBinary(repo.environ | {"PATH": f".:{os.environ['PATH']}"})
    binary.check(["status"], cwd=str(repo.root))
    assert not mark.exists()


def test_missing_git_is_said(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="not on PATH"):
        GitBinary({"PATH": str(tmp_path)}).run(["version"])


def test_large_input_and_output_do_not_block(repo: Repo) -> None:
    body = os.urandom(3 << 20)
    git = GitBinary(repo.environ)
    env = {"GIT_DIR": str(repo.root / ".git")}
    oid = git.check(["hash-object", "-w", "--stdin"], stdin=body, env=env).decode().strip()
    assert git.check(["cat-file", "blob", oid], env=env) == body


def test_output_over_the_cap_stops_git(repo: Repo) -> None:
    git = GitBinary(repo.environ)
    with pytest.raises(GitFailed, match="printed more than 1 MiB"):
        git.run(["cat-file", "--batch"], stdin=b"x" * (8 << 20), env={"GIT_DIR": str(repo.root / ".git")}, cap=1 << 20)


def test_a_hanging_git_is_ended_with_its_children(repo: Repo, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    git = GitBinary(repo.environ)
    alias = f"alias.hang=!echo $$ > {pid_file}; exec sleep 600"
    began = time.monotonic()
    with pytest.raises(GitFailed, match="took too long"):
        git.run(["-c", alias, "hang"], cwd=str(repo.root), timeout=1.0)
    assert time.monotonic() - began < 30
    child = int(pid_file.read_text())
    deadline = time.monotonic() + 10
    while _alive(child) and time.monotonic() < deadline:
        os.sched_yield()
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def test_names_are_shown_without_controls() -> None:
    assert shown(b"a\x1b[31m\xff\n") == "a\\x1b[31m\\xff\\n"
    assert shown("x\u202egpj.exe") == "x\\u202egpj.exe"
    assert shown("plain name.txt") == "plain name.txt"


def test_shadow_is_private_and_reads_odd_object_paths(tmp_path: Path) -> None:
    place = tmp_path / 'odd "place:\nhere'
    place.mkdir()
    repo = Repo.with_files(place)
    git = repo.plain()
    repo.write("a.txt", "new\n")
    assert b"+new" in git.diff(frozen(git, repo.root, "a.txt"))
    assert (repo.state.stat().st_mode & 0o777) == 0o700


def test_attributes_of_the_repository_are_off_in_the_shadow(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt -diff text eol=crlf\n")
    repo.commit("attributes")
    git = repo.plain()
    repo.write("a.txt", "visible\n")
    assert b"+visible" in git.diff(frozen(git, repo.root, "a.txt"))


def _hostile(repo: Repo, folder: Path) -> dict[str, Path]:
    """Arm every vector; {name: mark left when it ran}."""
    marks = {}
    folder.mkdir()
    for key, name in (
        ("core.fsmonitor", "fsmonitor"), ("diff.external", "external"), ("diff.evil.textconv", "textconv"),
        ("filter.evil.clean", "clean"), ("filter.evil.smudge", "smudge"),
    ):  # fmt: skip
        program, marks[name] = canary(folder, name)
        repo.git("config", key, str(program))
    for name in HOOKS:
        program, marks[name] = canary(folder, name)
        (repo.root / ".git/hooks").mkdir(exist_ok=True)
        (repo.root / ".git/hooks" / name).symlink_to(program)
    return marks


def test_code_of_the_repository_never_runs(repo: Repo, tmp_path: Path) -> None:
    repo.write(".gitattributes", "*.bin filter=evil diff=evil\n")
    repo.write("x.bin", "x\n")
    repo.commit("attributes")
    marks = _hostile(repo, tmp_path / "canaries")
    git = repo.plain()
    repo.write("a.txt", "changed\n")
    repo.write("x.bin", "y\n")
    repo.write("new.bin", "z\n")

    git.worktrees()
    ticket = Path(added(git, "t-1", "nightdesk/t-1").path)
    repo.write("a.txt", "ticket\n", cwd=ticket)
    for worktree in (repo.root, ticket):
        plan = frozen(git, worktree, "a.txt")
        git.freeze(request(git, worktree, "x.bin"))
        git.diff(plan)
        git.same_bytes(plan)
        git.drift(plan)
        assert git.checkout(plan, tmp_path / f"out-{worktree.name}") is None
        assert isinstance(git.land(plan), Landed)
        assert isinstance(git.undo(plan), Landed)
    git.identity()
    assert [name for name, mark in marks.items() if mark.exists()] == []


def test_the_canaries_sing_with_plain_git(repo: Repo, tmp_path: Path) -> None:
    """Without this the test above could pass for the wrong reason."""
    repo.write(".gitattributes", "*.bin filter=evil diff=evil\n")
    repo.write("x.bin", "x\n")
    repo.commit("attributes")
    marks = _hostile(repo, tmp_path / "canaries")
    repo.write("x.bin", "y\n")
    repo.git("status")
    repo.git("diff", ok=False)
    repo.git("diff", "--no-ext-diff")
    repo.git("commit", "-qam", "second")
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    silent = {name for name, mark in marks.items() if not mark.exists()}
    assert silent <= {"pre-auto-gc"}


def test_an_unreadable_configuration_is_a_refusal(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "new\n")
    asked = request(git, repo.root, "a.txt")
    plan = frozen(git, repo.root, "a.txt")
    (repo.root / ".git/config").write_text("[broken\n")
    for result in (git.freeze(asked), git.land(plan), git.turn_base(str(repo.root))):
        assert "bad config" in refused(result).reason and "nothing is lost" in refused(result).reason
    assert isinstance(discover(repo.root, repo.environ), Workspace)
    assert b"+new" in git.diff(plan)


def test_views_can_be_sealed(repo: Repo, tmp_path: Path) -> None:
    repo.plain()
    inner = Repository(repo.workspace(), repo.state, GitBinary(repo.environ), repo.environ)
    head = repo.line("rev-parse", "HEAD")
    (tmp_path / "empty").mkdir()
    assert inner.ran(View(store=tmp_path / "empty"), "cat-file", "-e", head).code == 0
    assert inner.ran(View(store=tmp_path / "empty", sealed=True), "cat-file", "-e", head).code != 0


def test_the_installed_git_is_used_by_its_absolute_path(repo: Repo) -> None:
    assert subprocess.run([str(GitBinary(repo.environ).program), "version"], check=True, capture_output=True).stdout
