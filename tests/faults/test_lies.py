"""What does not run code but lies (each way known): what is shown and what lands is right, or it is refused by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import AUTHOR, Repo, added, frozen, refused, request

from console.adapters.git.commits import PlainGit
from console.adapters.git.worktrees import discover
from console.core.records import Frozen, Identity
from console.engine.ports import Landed, TurnBase, Workspace


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def lands(repo: Repo, git: PlainGit | None = None, text: str = "reviewed\n") -> Frozen:
    """The whole way of one plan; what is shown and what is in the branch afterwards is the file's content."""
    git = git or repo.plain()
    repo.write("a.txt", text)
    plan = frozen(git, repo.root, "a.txt")
    shown = git.diff(plan)
    assert b"diff --git a/a.txt b/a.txt\n" in shown and f"+{text}".encode() in shown and b"\x1b" not in shown
    assert isinstance(git.land(plan), Landed)
    environment = {**repo.environ, "GIT_NO_REPLACE_OBJECTS": "1"}
    assert _plain(repo, environment, "show", "refs/heads/main:a.txt") == text.encode()
    return plan


def _plain(repo: Repo, environment: dict[str, str], *args: str) -> bytes:
    import subprocess

    git_dir = {"GIT_DIR": str(repo.root / ".git"), "GIT_WORK_TREE": str(repo.root)}
    return subprocess.run(["git", *args], env=environment | git_dir, capture_output=True, check=True).stdout


def test_another_worktree_in_the_configuration(repo: Repo, tmp_path: Path) -> None:
    here = repo.workspace()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.txt").write_text("forged\n")
    repo.git("config", "core.worktree", str(elsewhere))
    assert discover(repo.root, repo.environ) == here
    git = PlainGit(here, repo.state, repo.data, repo.environ)
    assert [one.path for one in git.worktrees()] == [str(repo.root)]
    lands(repo, git)
    ticket = added(git, "t", "nightdesk/t")
    assert Path(ticket.path, "other.txt").read_text() == "other\n"
    assert sorted(path.name for path in elsewhere.iterdir()) == ["a.txt"]


def test_bare_in_the_configuration(repo: Repo) -> None:
    here = repo.workspace()
    repo.git("config", "core.bare", "true")
    assert discover(repo.root, repo.environ) == here
    plan = lands(repo, PlainGit(here, repo.state, repo.data, repo.environ))
    assert plan.commit in (repo.root / ".git/logs/refs/heads/main").read_text()


def test_a_common_folder_of_somebody_else(repo: Repo, tmp_path: Path) -> None:
    here = repo.workspace()
    (tmp_path / "evil").mkdir()
    evil = Repo.with_files(tmp_path / "evil")
    repo.write(".git/commondir", f"{evil.root}/.git\n")
    assert discover(repo.root, repo.environ) == here
    git = PlainGit(here, repo.state, repo.data, repo.environ)
    assert "commondir sends git to another" in refused(git.turn_base(str(repo.root))).reason
    (repo.root / ".git/commondir").unlink()
    ticket = added(git, "t", "nightdesk/t")
    repo.write("a.txt", "reviewed\n", cwd=Path(ticket.path))
    plan = frozen(git, Path(ticket.path), "a.txt")
    repo.write(".git/worktrees/t/commondir", f"{evil.root}/.git\n")
    assert "commondir sends git to another" in refused(git.land(plan)).reason
    assert git.diff(plan) and evil.line("branch", "--list", "nightdesk/*") == ""


def test_a_replaced_commit_and_tree(repo: Repo) -> None:
    head = repo.line("rev-parse", "HEAD")
    repo.write("other.txt", "BACKDOOR\n")
    repo.git("add", "other.txt")
    tree = repo.line("write-tree")
    repo.git("reset", "-q", "--hard")
    repo.git("replace", head, repo.line("commit-tree", "-m", "first", tree))
    plan = lands(repo)
    assert plan.base == head and [one.path for one in plan.paths] == ["a.txt"]
    environment = {**repo.environ, "GIT_NO_REPLACE_OBJECTS": "1"}
    assert _plain(repo, environment, "show", f"{plan.commit}:other.txt") == b"other\n"


def test_a_planted_shallow_file(repo: Repo) -> None:
    old = repo.line("rev-parse", "HEAD")
    repo.write("other.txt", "second\n")
    head = repo.commit("second")
    repo.write(".git/shallow", f"{head}\n")
    git = repo.plain()
    plan = lands(repo, git)
    assert plan.base == head != old
    assert isinstance(git.undo(plan), Landed)
    assert (repo.root / ".git/refs/heads/main").read_text().strip() == head


def test_grafts_never_make_a_plan_landed(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "reviewed\n")
    plan = frozen(git, repo.root, "a.txt")
    other = repo.line("commit-tree", "-m", "unrelated", "HEAD^{tree}")
    repo.git("update-ref", "refs/heads/main", other)
    repo.write(".git/info/grafts", f"{other} {plan.commit}\n")
    assert not git.landed(plan)


def test_a_commit_graph_that_lies_about_parents(repo: Repo) -> None:
    """The graph says what a replaced history says; the objects say otherwise."""
    git = repo.plain()
    plan = lands(repo, git)
    repo.git("commit-graph", "write", "--reachable")
    graph = repo.root / ".git/objects/info/commit-graph"
    other = repo.line("commit-tree", "-m", "unrelated", "HEAD^{tree}")
    body = bytearray(graph.read_bytes())
    at = body.find(bytes.fromhex(plan.commit))
    body[at : at + 20] = bytes.fromhex(other)
    graph.chmod(0o600)
    graph.write_bytes(body)
    repo.git("update-ref", "refs/heads/main", other)
    assert not git.landed(plan)


def test_excludes_hide_nothing_that_is_listed(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*\n")
    repo.git("config", "core.excludesFile", str(repo.write(".git/everything", "*\n")))
    repo.git("config", "status.showUntrackedFiles", "no")
    git = repo.plain()
    repo.write("new.py", "print('new')\n")
    plan = frozen(git, repo.root, "new.py")
    assert b"+print('new')" in git.diff(plan)
    assert isinstance(git.land(plan), Landed)


def test_index_flags_hide_no_edit(repo: Repo) -> None:
    repo.git("update-index", "--assume-unchanged", "other.txt")
    repo.git("update-index", "--skip-worktree", "src/app.py")
    repo.write("other.txt", "hidden\n")
    repo.write("src/app.py", "hidden\n")
    assert repo.git("status", "--porcelain") == b""
    git = repo.plain()
    repo.write("a.txt", "reviewed\n")
    plan = frozen(git, repo.root, "a.txt")
    assert plan.others == ("other.txt", "src/app.py")
    assert git.same_bytes(plan) == ("other.txt", "src/app.py")
    both = frozen(git, repo.root, "a.txt", "other.txt")
    assert b"+hidden" in git.diff(both)


def test_stat_settings_hide_no_edit_of_the_same_size(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "good1\n")
    plan = frozen(git, repo.root, "a.txt")
    repo.git("config", "core.trustctime", "false")
    repo.git("config", "core.checkStat", "minimal")
    stat = (repo.root / "a.txt").stat()
    repo.write("a.txt", "evil1\n")
    os.utime(repo.root / "a.txt", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert git.drift(plan) == ("a.txt",) and git.same_bytes(plan) == ("a.txt",)
    assert b"+evil1" in git.diff(frozen(git, repo.root, "a.txt"))


def test_attributes_hide_no_diff(repo: Repo) -> None:
    repo.write(".gitattributes", "* -diff binary\n")
    repo.write(".git/info/attributes", "* -diff\n")
    repo.commit("attributes")
    lands(repo)


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true", "diff.mnemonicPrefix=true", "color.ui=always", "color.diff=always", "diff.srcPrefix=x/",
        "diff.dstPrefix=x/", "diff.renames=copies", "diff.context=0", "diff.orderFile=/dev/null", "core.quotePath=true",
        "diff.wordRegex=.", "diff.colorMoved=zebra", "diff.submodule=diff", "core.abbrev=4", "diff.relative=true",
    ],
)  # fmt: skip
def test_settings_change_no_diff(repo: Repo, setting: str) -> None:
    repo.git("config", *setting.split("=", 1))
    lands(repo)


def test_the_name_in_the_repository_is_nobody(repo: Repo) -> None:
    repo.git("config", "user.name", "Somebody Else")
    repo.git("config", "user.email", "else@example.com")
    repo.git("config", "author.name", "Another")
    git = repo.plain()
    assert git.identity() == Identity(name="Ada Operator", email="ada@example.com")
    plan = lands(repo, git)
    assert repo.line("log", "-1", "--format=%an %ae %cn %ce", plan.commit) == " ".join(
        (AUTHOR.name, AUTHOR.email, AUTHOR.name, AUTHOR.email)
    )


def test_the_encoding_of_commits_in_the_repository_changes_no_message(repo: Repo) -> None:
    repo.git("config", "i18n.commitEncoding", "latin1")
    repo.git("config", "i18n.logOutputEncoding", "latin1")
    repo.git("config", "commit.template", "/etc/passwd")
    git = repo.plain()
    repo.write("a.txt", "reviewed\n")
    plan = frozen(git, repo.root, "a.txt", message="Größe")
    assert isinstance(git.land(plan), Landed)
    body = repo.git("cat-file", "commit", plan.commit)
    assert body.endswith("\n\nGröße\n".encode()) and b"encoding" not in body


BROKEN = {
    "syntax": "[broken\n",
    "extension": "[core]\n repositoryformatversion = 1\n[extensions]\n nonsense = true\n",
    "version": "[core]\n repositoryformatversion = 99\n",
    "include": "[include]\n path = /etc/passwd\n",
    "endless include": "[include]\n path = config\n",
    "number": "[core]\n repositoryformatversion = many\n",
    "boolean": "[core]\n bare = perhaps\n filemode = perhaps\n",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_configuration_that_stops_git_is_one_sentence_and_hides_nothing(repo: Repo, content: str) -> None:
    here = repo.workspace()
    git = repo.plain()
    base = git.turn_base(str(repo.root))
    repo.write("a.txt", "reviewed\n")
    plan = frozen(git, repo.root, "a.txt")
    config = repo.root / ".git/config"
    before = config.read_bytes()
    config.write_text(content)
    assert discover(repo.root, repo.environ) == here
    assert [(one.ref, one.head) for one in git.worktrees()] == [("refs/heads/main", plan.base)]
    assert git.identity() == Identity(name="Ada Operator", email="ada@example.com")
    assert b"+reviewed" in git.diff(plan) and git.drift(plan) == () and git.same_bytes(plan) == ()
    result = git.land(plan)
    sentence = refused(result).reason
    assert "nothing is lost" in sentence and f"--file {config} --edit" in sentence
    assert isinstance(git.turn_base(str(repo.root)), TurnBase) or "nothing is lost" in refused(
        git.turn_base(str(repo.root))
    ).reason  # fmt: skip
    config.write_bytes(before)
    assert git.turn_base(str(repo.root)) == base
    assert isinstance(git.land(plan), Landed)


def test_the_operators_conditional_identity_survives_a_broken_configuration(repo: Repo) -> None:
    with (repo.home / ".gitconfig").open("a") as file:
        file.write(f'[includeIf "gitdir:{repo.root}/"]\n path = {repo.home}/work\n')
    (repo.home / "work").write_text("[user]\n email = ada@work.example.com\n")
    git = repo.plain()
    at_work = Identity(name="Ada Operator", email="ada@work.example.com")
    assert git.identity() == at_work
    repo.write(".git/config", "[broken\n")
    assert git.identity() == at_work


def test_a_configuration_of_the_operators_own_that_is_broken_is_said(repo: Repo) -> None:
    git = repo.plain()
    (repo.home / ".gitconfig").write_text("[broken\n")
    assert "your own git configuration" in refused(git.identity()).reason


def test_escapes_and_bidi_in_a_diff_are_the_files_own_bytes(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "\x1b[2Jevil\u202e\n")
    plan = frozen(git, repo.root, "a.txt")
    assert "+\x1b[2Jevil\u202e\n".encode() in git.diff(plan)
    assert isinstance(git.freeze(request(git, repo.root, "a.txt", message="\x1b[2Jx")), Frozen)
    assert isinstance(repo.workspace(), Workspace)
