"""The installer where there is nothing to install with: it says why, keeps what is there and goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, str(Path(__file__).with_name("install.py"))]


def install(*words: str, path: Path) -> subprocess.CompletedProcess[str]:
    env = {"PATH": str(path), "HOME": str(path)}
    return subprocess.run([*COMMAND, *words], env=env, capture_output=True, text=True, timeout=60, check=False)


def test_without_npm_each_agent_is_named_with_the_reason_and_one_that_is_there_is_kept(tmp_path: Path) -> None:
    there = tmp_path / "agents" / "node_modules" / ".bin" / "opencode"
    there.parent.mkdir(parents=True)
    there.write_text("#!/bin/sh\necho 1.2.3\n")
    there.chmod(0o755)
    done = install(str(tmp_path / "agents"), "small", path=tmp_path)
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert done.returncode == 1
    assert "NOT INSTALLED: npm is not on PATH" in lines["gemini"]
    assert lines["opencode"].split() == ["opencode", "1.2.3"]
    assert "NOT INSTALLED" in lines["node"], "gemini needs a node, and there is none"
    alone = install(str(tmp_path / "agents"), "opencode", path=tmp_path)
    assert (alone.returncode, alone.stdout.splitlines()[0].split()) == (0, ["opencode", "1.2.3"])


def test_a_name_where_the_folder_belongs_installs_nothing(tmp_path: Path) -> None:
    done = install("gemini", path=tmp_path)
    assert done.returncode == 2
    assert "FOLDER comes first" in done.stderr
