"""What importing costs: the brain loads no library, the quick commands load no heavy one, and the arrows hold."""

from __future__ import annotations

import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import console.core
import console.engine

ROOT = Path(__file__).parents[2]
HEAVY = {"textual", "rich", "git", "psutil", "watchfiles", "yaml", "apsw", "acp", "pydantic", "click", "asyncio"}

COMMAND = """
import json, sys
sys.argv = ["nightdesk", *json.loads(sys.argv[1])]
from console.front import main
try:
    main()
except SystemExit as end:
    print("\\n" + json.dumps([end.code or 0, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def loaded_by(modules: list[str]) -> set[str]:
    code = f"import sys, {', '.join(modules)}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def rooms(package: str, path: list[str]) -> list[str]:
    return [f"{package}.{module.name}" for module in pkgutil.iter_modules(path)]


def test_the_brain_loads_no_library_but_msgspec() -> None:
    modules = rooms("console.core", list(console.core.__path__))
    assert "console.core.decide" in modules
    loaded = loaded_by(modules)
    assert "msgspec" in loaded and loaded & HEAVY == set()


def test_the_engine_loads_no_library_that_touches_the_world() -> None:
    loaded = loaded_by(rooms("console.engine", list(console.engine.__path__)))
    assert loaded & HEAVY <= {"asyncio"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    place = tmp_path_factory.mktemp("imports")
    home, root = place / "home", place / "repo"
    home.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    subprocess.run(["git", "init", "-q", str(root)], env=env, check=True)
    subprocess.run(["git", "-C", str(root), *who, "commit", "-q", "--allow-empty", "-m", "x"], env=env, check=True)
    return root, env


@pytest.mark.parametrize("words", [["status"], ["events"], ["policy", "list"], ["plan", "list"], ["session", "list"]])
def test_the_quick_commands_load_no_heavy_library(repository: tuple[Path, dict[str, str]], words: list[str]) -> None:
    root, env = repository
    command = [sys.executable, "-c", COMMAND, json.dumps(words)]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=True, timeout=60)
    code, loaded = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done
    assert set(loaded) & HEAVY == {"click", "apsw"}


def test_the_version_is_told_without_opening_anything(repository: tuple[Path, dict[str, str]]) -> None:
    root, env = repository
    command = [sys.executable, "-c", COMMAND, json.dumps(["--version"])]
    done = subprocess.run(command, cwd=root.parent, env=env, capture_output=True, text=True, check=True, timeout=60)
    code, loaded = json.loads(done.stdout.splitlines()[-1])
    assert code == 0 and done.stdout.startswith("nightdesk ")
    assert set(loaded) & HEAVY <= {"click", "apsw"}


def test_the_arrows_hold() -> None:
    """The contracts of .importlinter, as `lint-imports` checks them."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--config", ".importlinter", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
