"""Line endings, ident and encodings: stored as `git add` would by the base's rules, on disk as they were."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from gitrepo import Repo, added, frozen, refused, request

from console.adapters.git.attributes import (
    NAMES,
    Rules,
    Source,
    attributes_of,
    flattened,
    ruled_git_dir,
    trusted,
)
from console.adapters.git.commits import PlainGit
from console.adapters.git.objects import object_id, tree_entries
from console.adapters.git.shadow import View
from console.engine.ports import Landed

RULES = (
    "", "text", "-text", "text=auto", "eol=lf", "eol=crlf", "text=auto eol=crlf", "-text eol=crlf", "ident",
    "text ident", "binary", "crlf", "-crlf", "crlf=input", "!text", "working-tree-encoding=UTF-16",
    "text working-tree-encoding=UTF-16LE-BOM", "working-tree-encoding=UTF-8", "working-tree-encoding=latin1 text",
    "text=nonsense",
)  # fmt: skip
BODIES = (
    b"a\nb\n", b"a\r\nb\r\n", b"a\r\nb\n", b"a\rb\r\n", b"x\r\n\0", b"", b"\r\n", b"$Id: 0123 $\r\n", b"$Id$\n",
    b"\xef\xbb\xbfbom\r\n", b"end\r\n\x1a", bytes(range(128, 256)) + b"\r\n", b"$Id: a\nb $\n",
)  # fmt: skip
TEXT = "grün\r\n$Id: x $\r\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


def status(repo: Repo) -> set[bytes]:
    return set(repo.git("status", "--porcelain", "-z").split(b"\0")) - {b""}


def oids(repo: Repo) -> dict[str, str]:
    rows = repo.git("ls-files", "-s", "-z").decode().split("\0")[:-1]
    return {row.split("\t")[1]: row.split(" ")[1] for row in rows}


def bodies(rule: str) -> list[bytes]:
    encoding = rule.partition("working-tree-encoding=")[2].split(" ")[0].removesuffix("-BOM")
    if encoding in ("", "UTF-8"):
        return list(BODIES)
    marked = "\ufeff" + TEXT if encoding == "UTF-16LE" else TEXT
    return [marked.encode(encoding), ("x" + marked if encoding == "latin1" else marked).encode(encoding)]


@pytest.mark.parametrize("autocrlf", ["", "true", "input"])
def test_the_same_ids_as_git_add(repo: Repo, autocrlf: str) -> None:
    if autocrlf:
        repo.git("config", "--global", "core.autocrlf", autocrlf)
    names = {}
    for number, rule in enumerate(RULES):
        for index, body in enumerate(bodies(rule)):
            names[f"r{number}/old{index}"] = (b"was\r\n" if index % 2 else b"was\n", body)
            names[f"r{number}/new{index}"] = (None, body)
    # What was there before the rules, with CRLF, decides too.
    for name, (before, _) in names.items():
        if before:
            repo.write(name, before)
    repo.git("-c", "core.autocrlf=false", "add", "-A")
    repo.write(".gitattributes", "".join(f"/r{number}/** {rule}\n" for number, rule in enumerate(RULES) if rule))
    repo.git("add", ".gitattributes")
    repo.git("commit", "-qm", "rules")
    for name, (_, body) in names.items():
        repo.write(name, body)
    plan = frozen(repo.plain(), repo.root, *names)
    repo.git("add", "-A")
    wanted = oids(repo)
    assert {one.path: one.oid for one in plan.paths} == {one.path: wanted[one.path] for one in plan.paths}
    assert set(names) == {one.path for one in plan.paths} | set(plan.unchanged)
    for one in plan.paths:
        raw = object_id("blob", names[one.path][1])
        assert one.disk == (raw if raw != one.oid else "")
    assert len([one for one in plan.paths if one.disk]) > 30
    assert plan.tree == repo.line("write-tree")


def test_notes_say_what_differs_on_disk(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n")
    repo.commit("rules")
    repo.write("a.txt", "a\r\n")
    repo.write("b.id", "$Id: 12 $\n")
    repo.write("c.u16", "x\n".encode("utf-16"))
    repo.write("plain.txt", "a\n")
    plan = frozen(repo.plain(), repo.root, "a.txt", "b.id", "c.u16", "plain.txt")
    assert plan.notes == (
        "a.txt: CRLF on disk, LF in git (.gitattributes)",
        "b.id: $Id$ filled in on disk, empty in git (.gitattributes)",
        "c.u16: UTF-16 on disk, UTF-8 in git (.gitattributes)",
    )


def test_a_converted_plan_lands_and_the_status_is_clean(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n")
    repo.commit("rules")
    git = repo.plain()
    repo.write("a.txt", "one\r\ntwo\r\nTHREE\r\n")
    repo.write("b.id", "$Id: 12 $\n")
    repo.write("c.u16", "x\n".encode("utf-16"))
    plan = frozen(git, repo.root, "a.txt", "b.id", "c.u16")
    # A checkout fills the keyword in with another id, so what is on disk is not what it would hold.
    assert (git.drift(plan), git.same_bytes(plan)) == ((), ("b.id",))
    assert b"\r" not in git.diff(plan) and b"-three\n+THREE\n" in git.diff(plan)
    assert isinstance(git.land(plan), Landed)
    assert status(repo) == set() and repo.git("fsck", "--strict", "--no-dangling") == b""
    assert (repo.root / "a.txt").read_bytes() == b"one\r\ntwo\r\nTHREE\r\n"
    repo.write("a.txt", "one\r\ntwo\r\nthree\r\n")
    assert git.drift(plan) == ("a.txt",) and git.same_bytes(plan) == ("a.txt", "b.id")


def test_endings_that_a_checkout_would_not_have_make_the_worktree_another(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text eol=crlf\n*.md text\n")
    repo.commit("rules")
    git = repo.plain()
    repo.write("mixed.txt", "a\r\nb\n")
    repo.write("right.txt", "a\r\nb\r\n")
    repo.write("lf.md", "a\n")
    repo.write("crlf.md", "a\r\n")
    plan = frozen(git, repo.root, "mixed.txt", "right.txt", "lf.md", "crlf.md")
    assert git.drift(plan) == () and git.same_bytes(plan) == ("crlf.md", "mixed.txt")


def test_unchanged_files_of_a_crlf_repository_are_not_listed(repo: Repo) -> None:
    repo.git("config", "--global", "core.autocrlf", "true")
    repo.write(".gitattributes", "*.id ident\nsub/** working-tree-encoding=UTF-16\nraw/* text\n")
    for number in range(20):
        repo.write(f"f{number}.txt", f"{number}\n")
    repo.write("x.id", "$Id$\n")
    repo.write("sub/u", "x\n".encode("utf-16"))
    repo.commit("rules")
    repo.git("-c", "core.attributesFile=/dev/null", "rm", "-q", "--cached", "f0.txt")
    repo.git("reset", "-q")
    for path in sorted(repo.root.glob("f*.txt")):
        path.unlink()
    (repo.root / "x.id").unlink()
    repo.git("checkout", "-q", ".")
    assert (repo.root / "f1.txt").read_bytes() == b"1\r\n" and (repo.root / "x.id").read_bytes() != b"$Id$\n"
    git = repo.plain()
    repo.write("a.txt", "new\r\n")
    plan = frozen(git, repo.root, "a.txt")
    assert (plan.others, git.same_bytes(plan)) == ((), ())
    assert plan.paths[0].disk == object_id("blob", b"new\r\n")
    repo.write("f3.txt", "really\r\n")
    repo.write("x.id", "$Id: x $ and more\n")
    repo.write("sub/u", "y\n".encode("utf-16"))
    assert git.same_bytes(plan) == ("f3.txt", "sub/u", "x.id")
    assert frozen(git, repo.root, "a.txt").others == ("f3.txt", "sub/u", "x.id")


def test_old_crlf_in_the_commit_is_unchanged_while_nobody_touches_it(repo: Repo) -> None:
    repo.write("dos.txt", "a\r\nb\r\n")
    repo.commit("dos")
    repo.write(".gitattributes", "*.txt text\n")
    repo.git("add", ".gitattributes")
    repo.git("commit", "-qm", "rules")
    git = repo.plain()
    repo.write("a.txt", "new\n")
    assert frozen(git, repo.root, "a.txt").others == ()
    plan = frozen(git, repo.root, "a.txt", "dos.txt")
    assert (plan.unchanged, plan.others) == (("dos.txt",), ())
    (repo.root / "dos.txt").chmod(0o755)
    plan = frozen(git, repo.root, "dos.txt")
    assert (plan.paths[0].oid, plan.paths[0].disk) == (plan.paths[0].old_oid, "")


def test_attributes_of_the_worktree_count_for_nothing(repo: Repo) -> None:
    repo.write(".gitattributes", "*.dat text\n")
    repo.commit("rules")
    git = repo.plain()
    repo.write(".gitattributes", "* -text working-tree-encoding=UTF-16 filter=evil\n[attr]text ident\n")
    repo.write("src/.gitattributes", "* text eol=crlf\n")
    repo.write("x.dat", "a\r\n")
    repo.write("src/app.py", "print('hello')\r\n")
    repo.write("a.txt", "one\r\ntwo\r\nthree\r\n")
    plan = frozen(git, repo.root, "x.dat")
    assert plan.paths[0].oid == object_id("blob", b"a\n")
    # Only CRLF is new in these two, and by the base's rules that is a change.
    assert plan.others == (".gitattributes", "a.txt", "src/.gitattributes", "src/app.py")


def test_a_plan_that_changes_the_rules_is_stored_by_the_old_ones(repo: Repo) -> None:
    git = repo.plain()
    repo.write(".gitattributes", "* text\n")
    repo.write("x.dat", "a\r\n")
    plan = frozen(git, repo.root, ".gitattributes", "x.dat")
    by_path = {one.path: one for one in plan.paths}
    assert by_path["x.dat"].oid == object_id("blob", b"a\r\n")
    assert any("stored by the rules of its base" in note for note in plan.notes)
    assert git.same_bytes(plan) == ()


def test_bytes_that_are_not_what_the_rules_say_are_refused_by_name(repo: Repo) -> None:
    repo.write(".gitattributes", "*.u working-tree-encoding=UTF-16\n*.n working-tree-encoding=no-such-thing\n")
    repo.commit("rules")
    git = repo.plain()
    repo.write("bad.u", "no mark")
    repo.write("good.u", "x".encode("utf-16"))
    repo.write("x.n", "x")
    result = refused(git.freeze(request(git, repo.root, "bad.u", "good.u", "x.n")))
    assert set(result.paths) == {"bad.u", "x.n"}
    assert "save it as UTF-16" in result.reason and "no-such-thing" in result.reason


def test_a_clean_checkout_is_what_git_would_check_out(repo: Repo, tmp_path: Path) -> None:
    repo.write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n*.raw -text\n")
    repo.commit("rules")
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    files = {"a.txt": "one\nnew\n", "sub/b.id": "$Id$\n", "x.raw": "a\r\nb\n", "n.txt": "x\r\n", "run.txt": "x\n"}
    for name, text in files.items():
        repo.write(name, text, cwd=ticket)
    repo.write("c.u16", "ü\n".encode("utf-16"), cwd=ticket)
    (ticket / "run.txt").chmod(0o755)
    plan = frozen(git, ticket, *files, "c.u16")
    assert git.checkout(plan, tmp_path / "out") is None
    assert isinstance(git.land(plan), Landed)
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "true"), "nightdesk/t")

    def held(place: Path) -> dict[str, tuple[bytes, int]]:
        found = {str(path.relative_to(place)): path for path in place.rglob("*") if path.is_file()}
        return {
            name: (path.read_bytes(), path.stat().st_mode & 0o100) for name, path in found.items() if name != ".git"
        }

    assert held(tmp_path / "out") == held(tmp_path / "true")
    assert (tmp_path / "out/n.txt").read_bytes() == b"x\r\n"


def test_a_tickets_worktree_is_in_the_encoding_that_its_files_are_stored_from(repo: Repo) -> None:
    repo.write(".gitattributes", "*.l1 working-tree-encoding=latin1 text\n*.win text eol=crlf\n*.id ident\n")
    repo.write("x.l1", "grün\n".encode("latin1"))
    repo.write("x.win", "one\r\n")
    repo.write("x.id", "$Id$\n")
    repo.commit("rules")
    git = repo.plain()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    assert (ticket / "x.l1").read_bytes() == "grün\n".encode("latin1")
    assert repo.git("status", "--porcelain", cwd=ticket) == b""
    repo.write("a.txt", "work\n", cwd=ticket)
    assert frozen(git, ticket, "a.txt").others == ()
    repo.write("x.l1", "größer\n".encode("latin1"), cwd=ticket)
    plan = frozen(git, ticket, "x.l1")
    assert git.contents(plan)[0].new == "größer\n".encode()


def test_the_private_index_follows_the_rules(repo: Repo) -> None:
    git = repo.plain()
    repo.write("a.txt", "one\r\ntwo\r\nthree\r\n")
    repo.write("new.txt", "x\n")
    assert frozen(git, repo.root, "new.txt").others == ("a.txt",)
    repo.write(".git/info/attributes", "*.txt text\n")
    assert frozen(git, repo.root, "new.txt").others == ()
    repo.write(".git/info/attributes", "")
    assert frozen(git, repo.root, "new.txt").others == ("a.txt",)
    assert len(list((repo.state / "indexes").glob("*.index"))) <= 2


def test_more_files_than_git_is_given_at_once(repo: Repo) -> None:
    repo.write(".gitattributes", "* text\n")
    repo.commit("rules")
    names = [f"many/{number}.txt" for number in range(520)]
    for number, name in enumerate(names):
        repo.write(name, f"{number}\r\n")
    plan = frozen(repo.plain(), repo.root, *names)
    assert {one.path: one.oid for one in plan.paths} == {
        name: object_id("blob", f"{number}\n".encode()) for number, name in enumerate(names)
    }
    assert len(plan.notes) == 51 and plan.notes[-1] == "(and 470 more like these)"


def test_a_pipe_in_the_place_of_the_rules_stops_nothing(repo: Repo) -> None:
    git = repo.plain()
    (repo.root / ".git/info/attributes").unlink(missing_ok=True)
    os.mkfifo(repo.root / ".git/info/attributes")
    repo.write(".gitattributes", "* text\n")
    repo.write("a.txt", "new\n")
    plan = frozen(git, repo.root, "a.txt")
    assert git.same_bytes(plan) == (".gitattributes",)


# -- all rules as one file

PATTERNS = (
    "*", "*.txt", "a*", "/a.txt", "d/*", "d/", "**/x", "d/**", "!no", "\\!odd", '"q t"', '"\\303\\274"', "[ab].txt",
    "# x", "e.?xt", "**", "d/e/*.txt", "*.TXT",
)  # fmt: skip
STATES = (
    "text", "-text", "!text", "text=auto", "eol=lf", "eol=crlf", "ident", "-ident", "binary", "-binary", "!binary",
    "mine", "-mine", "filter=lfs", "working-tree-encoding=UTF-16", "crlf", "other=1",
)  # fmt: skip
PATHS = (
    "a.txt", "b.txt", "x", "!odd", "q t", "ü", "d/a.txt", "d/x", "d/q t", "d/e/b.txt", "d/e/x", "d/e/ü",
    "#f/[g]/a.txt", "#f/[g]/x", "g/a.txt",
)  # fmt: skip
FOLDERS = ("", "d/", "d/e/", "#f/", "#f/[g]/")


@pytest.mark.parametrize("seed", range(4))
def test_flattened_rules_answer_as_the_files_do(repo: Repo, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    git = repo.plain()
    for number in range(5):
        for folder in FOLDERS:
            lines = [f"{chance.choice(PATTERNS)} {' '.join(chance.sample(STATES, 2))}" for _ in range(4)]
            macros = ["[attr]mine text ident", "[attr]binary ident", "[attr]text crlf"]
            repo.write(f"{folder}.gitattributes", "\n".join([*chance.sample(macros, 1), *lines]) + "\n")
        repo.write(".git/info/attributes", f"{chance.choice(PATTERNS)} {chance.choice(STATES)}\n")
        for folder in FOLDERS:
            oid = repo.line("hash-object", "-w", "--no-filters", f"{folder}.gitattributes")
            repo.git("update-index", "--add", "--cacheinfo", f"100644,{oid},{folder}.gitattributes")
        rules = trusted(git.repository, tree_entries(git.repository, View(), repo.line("write-tree")))
        wanted = attributes_of(git.repository, rules, [path.encode() for path in PATHS])
        assert _flat(git, rules, tmp_path / f"{number}") == wanted


def _flat(git: PlainGit, rules: Rules, place: Path) -> dict[bytes, dict[str, str]]:
    """What the flattened rules say, in a worktree whose own rules say something else."""
    (place / "tree" / "d").mkdir(parents=True)
    (place / "tree/.gitattributes").write_text(
        "* text=auto ident filter=x -binary mine\n[attr]eol ident\n[attr]crlf ident\n"
    )
    (place / "tree/d/.gitattributes").write_text("* -text !ident eol=lf binary\n")
    git_dir = ruled_git_dir(git.repository, place / "git", flattened(rules))
    names = b"".join(path.encode() + b"\0" for path in PATHS)
    view = View(worktree=str(place / "tree"), index=place / "index")
    output = git.repository.out(
        view, "check-attr", "-z", "--stdin", *NAMES, stdin=names, env={"GIT_DIR": str(git_dir)}
    ).split(b"\0")
    found: dict[bytes, dict[str, str]] = {}
    for path, name, value in zip(output[::3], output[1::3], output[2::3], strict=False):
        found.setdefault(path, {})[name.decode()] = value.decode()
    return found


def test_rules_without_a_source_are_none() -> None:
    assert not Rules().any and Rules(autocrlf="input").any
    assert Rules(sources=(Source(b"", b"*.bin filter=lfs\n"),)).lfs
