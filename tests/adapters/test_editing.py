"""A file of a plan in the operator's own editor: which program, which arguments, and what is never opened."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from console.adapters.editing import copy, edit, in_worktree, page
from console.core.records import Frozen, Identity, Refused
from console.engine.planfiles import Editing
from console.engine.ports import FileChange


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a b;$(x).py").write_text("x\n")
    (root / "-R.py").write_text("x\n")
    (root / "link").symlink_to("/etc/passwd")
    (root / "out").symlink_to("/etc")
    (root / "twin").hardlink_to(root / "-R.py")
    os.mkfifo(root / "fifo")
    (root / ".git").write_text("gitdir: elsewhere\n")
    return root


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Programs of our own in a PATH of our own."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name in ("vim", "odd", "hx", "less"):
        (bin_ / name).write_text("#!/bin/sh\n")
        (bin_ / name).chmod(0o755)
    return {"PATH": str(bin_), "HOME": str(tmp_path), "EDITOR": "vim"}


def plan(worktree: Path) -> Frozen:
    return Frozen(
        commit="c" * 40, base="b" * 40, tree="t", ref="refs/heads/main", ref_old="b" * 40, message="m",
        author=Identity(name="A", email="a@example.com"), when=0, zone="+0000", paths=(),
        worktree=str(worktree), store="",
    )  # fmt: skip


def argv(found: Editing | Refused) -> list[str]:
    assert isinstance(found, Editing), found
    return [os.path.basename(found.argv[0]), *found.argv[1:]]


def test_the_editor_gets_one_full_name_and_the_line_where_it_takes_one(tree: Path, env: dict[str, str]) -> None:
    name = "src/a b;$(x).py"
    full = str(tree / name)
    assert argv(edit(plan(tree), name, 7, env)) == ["vim", "+7", full]
    assert argv(edit(plan(tree), name, 0, env)) == ["vim", full]
    assert argv(edit(plan(tree), name, 7, env | {"VISUAL": "odd --wait 'a b'"})) == ["odd", "--wait", "a b", full]
    assert argv(edit(plan(tree), name, 7, env | {"VISUAL": "hx"})) == ["hx", f"{full}:7"]
    assert argv(edit(plan(tree), name, 7, env | {"EDITOR": ""})) == ["vim", "+7", full], "what is there is taken"
    found = edit(plan(tree), name, 7, env)
    assert isinstance(found, Editing) and found.cwd == env["HOME"] and os.path.isabs(found.argv[0])


@pytest.mark.parametrize(
    "path",
    [
        "link",
        "out/passwd",
        "fifo",
        "twin",
        "-R.py",
        ".git",
        ".GIT/config",
        "../x",
        "a//b",
        "/etc/passwd",
        "src",
        "gone",
        "",
    ],
)
def test_what_is_no_plain_file_of_the_worktree_is_refused_with_the_reason(
    tree: Path, env: dict[str, str], path: str
) -> None:
    found = edit(plan(tree), path, 1, env)
    assert isinstance(found, Refused) and (path[:8] in found.reason or not path)
    assert isinstance(in_worktree(str(tree), os.fsencode(path)), Refused)


def test_a_worktree_that_is_gone_and_programs_that_are_not_there_are_said(tree: Path, env: dict[str, str]) -> None:
    def why(found: Editing | Refused) -> str:
        assert isinstance(found, Refused)
        return found.reason

    name = "src/a b;$(x).py"
    assert "is gone" in why(edit(plan(tree / "no"), name, 1, env))
    assert "$VISUAL cannot be read" in why(edit(plan(tree), name, 1, env | {"VISUAL": "vim 'x"}))
    assert "$EDITOR names no program that is here" in why(edit(plan(tree), name, 1, env | {"EDITOR": "nope"}))
    assert "$EDITOR names no program" in why(edit(plan(tree), name, 1, env | {"EDITOR": "./vim"}))
    assert "$EDITOR names no program" in why(edit(plan(tree), name, 1, env | {"PATH": "bin:.:"}))
    assert "set $EDITOR" in why(edit(plan(tree), name, 1, {"PATH": "/nowhere"}))


def test_a_copy_is_read_only_has_a_plain_name_and_is_thrown_away(tree: Path, env: dict[str, str]) -> None:
    odd = "x/-\x1b[2J$(id) ü.py"
    held = [
        FileChange(path=odd, old_mode="100644", mode="100644", old=b"old", new=b"new"),
        FileChange(path="gone.md", old_mode="100644", mode="000000", old=b"was", new=None),
        FileChange(path="sub", old_mode="160000", mode="160000", old=None, new=None),
    ]
    found = copy(plan(tree), odd, 3, held, env)
    assert isinstance(found, Editing) and found.argv[1] == "+3"
    file = Path(found.argv[2])
    assert file.read_bytes() == b"new" and stat.S_IMODE(file.stat().st_mode) == 0o400
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700 and file.name == "_2J_id_.py"
    found.done()
    assert not file.parent.exists()
    old = copy(plan(tree), "gone.md", 0, held, env)
    assert isinstance(old, Editing) and Path(old.argv[1]).read_bytes() == b"was"
    old.done()
    for path in ("sub", "not-in-it"):
        assert isinstance(copy(plan(tree), path, 1, held, env), Refused)


def test_a_diff_goes_to_the_pager(tree: Path, env: dict[str, str]) -> None:
    found = page(plan(tree), b"text", env)
    assert isinstance(found, Editing) and argv(found)[0] == "less" and found.argv[1].endswith("plan-cccccccccc.diff")
    found.done()
    assert argv(page(plan(tree), b"text", env | {"PAGER": "odd -x"}))[:2] == ["odd", "-x"]
