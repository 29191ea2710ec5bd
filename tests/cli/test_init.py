"""`nightdesk init` in real repositories: what it guesses, that what it writes is valid, that it overwrites nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from console.adapters import trust
from console.adapters.agents import builtins
from console.adapters.surveying import Seen
from console.core.presets import of_builtin
from console.verbs.settling import CONFIG, EXAMPLE, IGNORES, config_text, guesses


def nightdesk(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    home = project.parent / "home"
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "console", "--workspace", str(project), *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def git(folder: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", "-C", str(folder), *who, *words], env=env, check=True, timeout=30)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(
    ("files", "gate", "because"),
    [
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest -q", "pyproject.toml"),
        ({"conftest.py": "", "tests/test_a.py": ""}, "pytest -q", "conftest.py"),
        ({"requirements.txt": "attrs\npytest>=8\n"}, "pytest -q", "requirements.txt"),
        ({"tests/__init__.py": "", "tests/test_a.py": ""}, "python3 -m unittest -q", "tests/"),
        ({"tests/test_a.py": ""}, "python3 -m unittest discover -s tests -q", "tests/"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}'}, "npm test", "package.json"),
        ({"package.json": '{"scripts": {"test": "x"}}', "pnpm-lock.yaml": ""}, "pnpm test", "package.json"),
        ({"go.mod": "module a\n"}, "go test ./...", "go.mod"),
        ({"Cargo.toml": "[package]\n"}, "cargo test", "Cargo.toml"),
        ({"Makefile": "all: test\n\ntest:\n\ttrue\n"}, "make test", "Makefile"),
        ({"Makefile": "check : all\n\ttrue\n"}, "make check", "Makefile"),
        ({"Cargo.toml": "", "Makefile": "test:\n"}, "cargo test", "Cargo.toml"),
    ],
)
def test_the_gate_is_guessed_and_what_is_written_is_valid(
    tmp_path: Path, files: dict[str, str], gate: str, because: str
) -> None:
    write(tmp_path, files)
    guess = next(guesses(tmp_path))
    assert (guess.gate, guess.because) == (gate, because)
    write(tmp_path, {CONFIG: config_text(guess)})
    loaded = trust.load(tmp_path)
    assert loaded.problems == ()
    assert loaded.settings.gate == tuple(gate.split())
    assert loaded.settings.allowed == (gate.split(maxsplit=1)[0],)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"pyproject.toml": "[project]\nname = 'a'\n"},
        {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        {"package.json": "[1, 2"},
        {"package.json": '{"scripts": [1]}'},
        {"Makefile": "latest:\n\ttrue\n"},
        {"tests/readme.md": ""},
    ],
)
def test_no_sign_is_no_guess_and_still_a_valid_file(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert list(guesses(tmp_path)) == []
    write(tmp_path, {CONFIG: config_text(None)})
    loaded = trust.load(tmp_path)
    assert loaded.problems == ()
    assert (loaded.settings.gate, loaded.settings.allowed) == ((), ())


def seen(name: str) -> Seen:
    raw = builtins.raw(name)
    assert raw is not None
    return Seen(name=name, preset=of_builtin(name, raw), path=f"/bin/{name}", may="may do much")


def test_the_presets_in_the_comments_are_valid_settings(tmp_path: Path) -> None:
    text = config_text(None)
    start = text.index("# agent:")
    live = text[:start] + "\n".join(line.removeprefix("# ") for line in text[start:].splitlines())
    write(tmp_path, {CONFIG: live})
    loaded = trust.load(tmp_path)
    assert loaded.problems == ()
    assert loaded.settings.agent in loaded.settings.presets
    assert loaded.settings.presets["opencode"].builtin == "opencode"


@pytest.mark.parametrize("name", builtins.names())
def test_any_agent_that_is_found_makes_valid_settings(tmp_path: Path, name: str) -> None:
    write(tmp_path, {CONFIG: config_text(None, [seen(name), seen("pi")])})
    loaded = trust.load(tmp_path)
    assert loaded.problems == ()
    tried = name if seen(name).preset.tried else "pi"
    assert loaded.settings.agent == tried, "an agent that nobody has tried is only named"
    assert not loaded.settings.presets[tried].autonomy_confirmed
    text = (tmp_path / CONFIG).read_text()
    assert "may do much" in text
    assert f"Also found here: {'pi' if tried == name else name}" in text


def put(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f"#!/bin/sh\ntouch {folder.parent}/started-{name}\n")
        (folder / name).chmod(0o755)


def found(project: Path, *folders: Path) -> dict[str, Any]:
    path = os.pathsep.join([*map(str, folders), str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    env = {"PATH": path, "HOME": str(project.parent / "home"), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "console", "--workspace", str(project), "init", "--json"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_an_installed_agent_is_named_and_waits_to_be_confirmed(project: Path) -> None:
    tools = project.parent / "tools"
    put(tools, "goose", "qwen", "codex")
    assert found(project, tools)["agent"] == "codex"
    text = (project / CONFIG).read_text()
    assert "\nagent: codex\n" in text
    assert "codex: {autonomy_confirmed: false}" in text
    assert "# Also found here: qwen, goose.\n" in text
    assert trust.load(project).settings.presets["codex"].builtin == "codex"
    assert not list(project.parent.glob("started-*")), "nothing was started"


def test_a_program_in_the_repository_is_no_agent(project: Path) -> None:
    put(project / "bin", "claude")
    assert found(project, project / "bin")["agent"] is None
    assert "# agent: opencode" in (project / CONFIG).read_text()


def test_it_writes_once_and_then_leaves_everything_alone(project: Path) -> None:
    write(project, {"tests/__init__.py": "", "tests/test_a.py": ""})
    first = nightdesk(project, "init")
    assert first.returncode == 0, first.stderr
    assert f"wrote {CONFIG}" in first.stdout
    assert "gate: python3 -m unittest -q" in first.stdout
    (project / CONFIG).write_text("gate: pytest -q\n")
    (project / EXAMPLE).unlink()
    second = nightdesk(project, "init", "--json")
    assert second.returncode == 0, second.stderr
    said = json.loads(second.stdout)
    assert (said["wrote"], said["kept"], said["gate"]) == ([EXAMPLE], [CONFIG, IGNORES], None)
    assert (project / CONFIG).read_text() == "gate: pytest -q\n"


def test_it_writes_to_the_main_worktree_and_trusts_nothing(project: Path) -> None:
    write(project, {"go.mod": "module a\n"})
    linked = project.parent / "linked"
    git(project, "worktree", "add", "-q", str(linked))
    assert nightdesk(linked, "init").returncode == 0
    assert not (linked / ".nightdesk").exists()
    assert "go test" in (project / CONFIG).read_text()
    shown = json.loads(nightdesk(project, "trust", "--show", "--json").stdout)
    assert shown["trusted"] is False
    assert not list(project.glob("tickets/*.md")), "an example must not be drained as a ticket"


def test_what_is_in_the_way_is_named(project: Path) -> None:
    (project / ".nightdesk").write_text("")
    done = nightdesk(project, "init")
    assert done.returncode == 2
    assert done.stderr == f"{project / '.nightdesk'} is in the way: it is no folder\n"
    assert (project / ".nightdesk").read_text() == ""


def test_a_gate_that_cannot_be_found_here_is_said(project: Path) -> None:
    write(project, {"Cargo.toml": ""})
    env = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(project.parent / "home")}
    command = [sys.executable, "-m", "console", "--workspace", str(project), "init", "--json"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    said = json.loads(done.stdout)
    there = any(Path(folder, "cargo").exists() for folder in ("/usr/bin", "/bin"))
    assert ("is not on the PATH" in said["note"]) is not there


def test_a_dangling_link_is_not_followed(project: Path, tmp_path: Path) -> None:
    (project / ".nightdesk").mkdir()
    (project / CONFIG).symlink_to(tmp_path / "elsewhere.yaml")
    done = nightdesk(project, "init", "--json")
    assert json.loads(done.stdout)["kept"] == [CONFIG]
    assert not (tmp_path / "elsewhere.yaml").exists()
    said = nightdesk(project, "trust").stderr
    assert f"{project / CONFIG}:1: (file): is a link to something that is not there; delete it" in said


def test_nothing_is_written_through_a_folder_that_is_a_link_out_of_the_repository(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project / ".nightdesk").symlink_to(tmp_path / "elsewhere")
    said = nightdesk(project, "init").stderr
    assert f"{project / '.nightdesk'} is a link out of {project}; nothing is written there" in said
    assert not list((tmp_path / "elsewhere").iterdir()) and not (project / "tickets").exists()
