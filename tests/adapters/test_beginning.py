"""A repository, an identity and a first commit made in real folders with a HOME of their own; settings changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from console.adapters.git import beginning
from console.adapters.settings_text import changed
from console.core.records import Identity, Refused

ADA = Identity(name="Ada", email="ada@example.invalid")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "home" / ".config" / "git").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "git" / "ignore").write_text("*.swp\n")
    return {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    for name in ("a.py", "docs/b.md", ".env", ".env.example", "deploy/id_ed25519", "old.log", ".a.swp"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(name)
    (made / ".gitignore").write_text("*.log\n")
    return made


def git(folder: Path, *words: str) -> str:
    argv = ["git", "-C", str(folder), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=30).stdout


def test_from_a_folder_to_a_first_commit_of_exactly_what_was_listed(folder: Path, environ: dict[str, str]) -> None:
    root, git_dir = str(folder), str(folder / ".git")
    assert "made" in str(beginning.make(root, environ))
    assert beginning.identity(root, git_dir, environ) is None
    assert "user.name = Ada" in str(beginning.set_identity(root, git_dir, ADA, environ))
    assert beginning.identity(root, git_dir, environ) == ADA
    assert not (Path(environ["HOME"]) / ".gitconfig").exists()

    listing = beginning.listing(root, environ)
    assert not isinstance(listing, Refused)
    assert listing.files == (".env.example", ".gitignore", "a.py", "docs/b.md"), "ignored: *.log, the operator's *.swp"
    assert [name for name, _ in listing.left] == [".env", "deploy/id_ed25519"]
    assert "4 files" in str(beginning.commit(root, listing, ADA, environ))
    assert git(folder, "ls-tree", "-r", "--name-only", "HEAD").split() == list(listing.files)
    assert git(folder, "log", "--format=%an <%ae>").strip() == "Ada <ada@example.invalid>"
    assert isinstance(beginning.commit(root, listing, ADA, environ), Refused), "there is a commit now"


def test_what_programs_make_again_is_left_out_of_a_first_commit_and_what_is_large_is_named(
    folder: Path, environ: dict[str, str]
) -> None:
    names = (
        "node_modules/a/.env",
        "node_modules/b.js",
        "env/pyvenv.cfg",
        "env/lib/c.py",
        "web/node_modules/d.js",
        "m.pyc",
    )
    for name in (*names, "environment/e.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "film.bin").write_bytes(bytes(beginning.LARGE))
    beginning.make(str(folder), environ)
    listing = beginning.listing(str(folder), environ)
    assert not isinstance(listing, Refused)
    assert listing.files == (".env.example", ".gitignore", "a.py", "docs/b.md", "environment/e.py", "film.bin")
    left = dict(listing.left)
    assert set(left) == {".env", "deploy/id_ed25519", "env/", "m.pyc", "node_modules/", "web/node_modules/"}
    assert "2 files" in left["node_modules/"] and ".gitignore" in left["m.pyc"]
    assert listing.large == (("film.bin", beginning.LARGE),)
    git(folder, "add", "node_modules/b.js")
    staged = beginning.listing(str(folder), environ)
    assert not isinstance(staged, Refused) and staged.files == ("node_modules/b.js",), "who staged it wants it"


def test_what_was_staged_is_all_that_is_committed_and_what_changed_since_is_not(
    folder: Path, environ: dict[str, str]
) -> None:
    beginning.make(str(folder), environ)
    before = beginning.listing(str(folder), environ)
    git(folder, "add", "a.py")
    assert not isinstance(before, Refused)
    assert isinstance(beginning.commit(str(folder), before, ADA, environ), Refused)
    staged = beginning.listing(str(folder), environ)
    assert not isinstance(staged, Refused)
    assert (staged.files, staged.staged) == (("a.py",), True)


def test_nothing_of_the_repository_runs_and_what_would_need_it_is_left_to_a_shell(
    folder: Path, environ: dict[str, str]
) -> None:
    beginning.make(str(folder), environ)
    ran = folder.parent / "ran"
    hook = folder / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    git(folder, "config", "filter.evil.clean", f"touch {ran}; cat")
    git(folder, "config", "core.fsmonitor", f"touch {ran}")
    listing = beginning.listing(str(folder), environ)
    assert not isinstance(listing, Refused)
    assert isinstance(beginning.commit(str(folder), listing, ADA, environ), str)
    assert not ran.exists()

    other = folder.parent / "other"
    other.mkdir()
    (other / ".gitattributes").write_text("* filter=evil\n")
    beginning.make(str(other), environ)
    refused = beginning.listing(str(other), environ)
    assert isinstance(refused, Refused) and "in a shell" in refused.reason


def test_no_repository_is_made_of_home_or_over_anything(folder: Path, environ: dict[str, str]) -> None:
    assert "no project" in beginning.unfit(environ["HOME"], environ)
    (folder / ".git").write_text("gitdir: nowhere\n")
    assert isinstance(beginning.make(str(folder), environ), Refused)
    assert (folder / ".git").read_text() == "gitdir: nowhere\n"


TEXT = "# c\ngate: pytest -q  # ours\nagent: claude\npresets:\n  # may\n  claude: {autonomy_confirmed: false}\n# end\n"


def test_a_change_of_the_settings_leaves_every_other_line_as_it_was() -> None:
    made = changed(TEXT, [(("presets", "claude", "autonomy_confirmed"), True), (("identity", "allow_root"), True)])
    assert made == TEXT.replace("false", "true") + "identity: {allow_root: true}\n"
    other = changed(TEXT, [(("agent",), "pi"), (("presets", "pi", "autonomy"), "all")])
    assert other == TEXT.replace("agent: claude", "agent: pi").replace("  claude:", "  pi: {autonomy: all}\n  claude:")
    assert changed("# only words\n", [(("presets", "pi"), {"autonomy": "all"})]) == (
        "# only words\npresets: {pi: {autonomy: all}}\n"
    )


@pytest.mark.parametrize("text", ["gate:\n  - a\n  - b\n", "gate: [a\n", "- a\n", "gate: &x a\nagent: *x\ngate: b\n"])
def test_a_text_that_cannot_be_changed_without_touching_the_rest_is_left_to_an_editor(text: str) -> None:
    assert isinstance(changed(text, [(("gate",), "make test")]), Refused)


def test_a_gate_that_ran_no_test_is_not_called_green() -> None:
    from console.core.records import GateResult
    from console.trying import words

    empty = GateResult(verdict="green", where="base", code=0, output="Ran 0 tests in 0.000s\n\nOK\n")
    some = GateResult(verdict="green", where="base", code=0, output="Ran 2 tests in 0.000s\n\nOK\n")
    assert "ran no test" in words(empty, stopped=False, limit=60) and "green" not in words(
        empty, stopped=False, limit=60
    )
    assert words(some, stopped=False, limit=60).startswith("green")
    red = GateResult(verdict="red", where="base", code=1, output="FAILED (failures=1)\n")
    assert "told as doubtful" in words(red, stopped=False, limit=60), "such work is not refused"
