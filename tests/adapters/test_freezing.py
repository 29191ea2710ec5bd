"""Freezing: exactly the listed bytes on the base, everything else refused by name and all at once."""

from __future__ import annotations

import os
import socket
import zlib
from pathlib import Path

import pytest
from console.adapters.building import clean_message
from console.adapters.objects import object_id
from console.adapters.reading import SIZE_CAP
from console.core.records import Frozen, PlanPath
from console.engine.ports import TurnBase
from gitrepo import AUTHOR, WHEN, Repo, added, frozen, refused, request


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


def store_env(plan: Frozen, repo: Repo) -> dict[str, str]:
    return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": plan.store, "GIT_DIR": str(repo.root / ".git")}


# -- what is frozen


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
    env = [
        f"GIT_{role}_{what}={value}"
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", AUTHOR.name), ("EMAIL", AUTHOR.email), ("DATE", f"{WHEN} +0100"))
    ]
    args = ["-c", 'env "$@" git commit-tree "$TREE" -p HEAD', "sh", *env]
    import subprocess

    ran = subprocess.run(
        ["sh", *args], cwd=repo.root, env=repo.environ | {"TREE": tree}, input=b"subject\n\nbody\n", capture_output=True
    )
    assert plan.tree == tree
    assert plan.commit == ran.stdout.decode().strip()


def test_odd_names_are_literal(repo: Repo) -> None:
    names = ("*", ":!x", "[ab].txt", "-rf", 'quo"te', "sp ace", "new\nline", "tab\there", "back\\slash", "ünï/cödé", "?.txt")
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
    (repo.home / ".gitconfig").open("a").write("[core]\n excludesFile = ~/ignores\n")
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


# -- what is refused


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
        ".g\u200cit/x": "git's own", "": "is empty", "bad\udcff": "not UTF-8", "a.txt/under": "neither on disk",
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
    assert "20 MiB" in refused(git.freeze(request(git, repo.root, "big"))).reason


def test_a_submodule_is_refused(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    lib = Repo.with_files(tmp_path / "lib")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lib.root), "sub")
    repo.commit("submodule")
    repo.write("sub/a.txt", "x\n")
    git = repo.plain()
    result = refused(git.freeze(request(git, repo.root, "sub", "sub/a.txt")))
    assert "sub is a repository of its own" in result.reason
    assert "sub/a.txt is inside another repository" in result.reason


def test_names_that_collide_elsewhere_are_refused(repo: Repo) -> None:
    git = repo.plain()
    repo.write("A.TXT", "x\n")
    repo.write("SRC/new.py", "x\n")
    result = refused(git.freeze(request(git, repo.root, "A.TXT", "SRC/new.py")))
    assert "A.TXT and a.txt" in result.reason and "SRC/new.py and src" in result.reason
    (repo.root / "a.txt").unlink()
    assert len(frozen(git, repo.root, "A.TXT", "a.txt").paths) == 2


@pytest.mark.parametrize(
    ("rule", "body", "why"),
    [
        ("*.dat filter=lfs", b"x\n", "filter 'lfs'"),
        ("*.dat ident", b"$Id$\n", "$Id$"),
        ("*.dat ident", b"x\n", ""),
        ("*.dat working-tree-encoding=UTF-16", b"x\n", "UTF-16"),
        ("*.dat text", b"a\r\nb\r\n", "CRLF"),
        ("*.dat eol=lf", b"a\r\n", "CRLF"),
        ("* text=auto", b"a\r\n", "CRLF"),
        ("* text=auto", b"a\n", ""),
        ("* text=auto", b"\x89PNG\r\n\x1a\n\0\0", ""),
        ("* text=auto", b"lone\rcarriage\r\n", ""),
        ("*.dat -text", b"a\r\n", ""),
        ("*.dat binary", b"a\r\n", ""),
        ("*.other filter=lfs", b"a\r\n", ""),
    ],
)
def test_paths_that_git_would_convert(repo: Repo, rule: str, body: bytes, why: str) -> None:
    repo.write(".gitattributes", rule + "\n")
    repo.commit("attributes")
    repo.write(".gitattributes", "")
    repo.write("x.dat", body)
    git = repo.plain()
    result = git.freeze(request(git, repo.root, "x.dat"))
    if why:
        assert why in refused(result).reason
    else:
        repo.write(".gitattributes", rule + "\n")
        repo.git("add", "x.dat")
        assert isinstance(result, Frozen), result
        assert result.paths[0].oid == repo.line("ls-files", "-s", "x.dat").split()[1]


def test_autocrlf_of_the_operator_counts_and_old_crlf_files_stay(repo: Repo) -> None:
    repo.write("dos.txt", "a\r\nb\r\n")
    repo.commit("dos")
    repo.git("config", "--global", "core.autocrlf", "input")
    git = repo.plain()
    repo.write("new.txt", "a\r\n")
    assert "CRLF" in refused(git.freeze(request(git, repo.root, "new.txt"))).reason
    repo.write("dos.txt", "a\r\nchanged\r\n")
    plan = frozen(git, repo.root, "dos.txt")
    repo.git("add", "dos.txt")
    assert plan.paths[0].oid == repo.line("ls-files", "-s", "dos.txt").split()[1]


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
    shadow = {"GIT_DIR": str(repo.state / "shadow.git")}
    assert repo.git("--git-dir", shadow["GIT_DIR"], "rev-parse", f"refs/kept/{tip}").decode().strip() == tip
    (repo.state / "shadow.git/objects/info/alternates").unlink()
    assert repo.git("--git-dir", shadow["GIT_DIR"], "cat-file", "-p", f"{tip}:b.txt") == b"more\n"


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


# -- a repository that lies


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
    import subprocess

    shown = subprocess.run(
        ["git", "cat-file", "-p", f"{plan.tree}:other.txt"], cwd=repo.root, env=repo.environ | env, capture_output=True
    )
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
    repo.git("cat-file", "-e", plan.base, ok=False)
    assert b"-base of the plan" in before
    assert git.diff(plan) == before


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
