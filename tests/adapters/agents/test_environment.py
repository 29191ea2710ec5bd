"""What sessions and gates inherit: the stated list and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from console.adapters.environment import gate_env, session_env
from console.core.records import Launch

OPERATOR = {
    "HOME": "/home/o",
    "PATH": "/usr/bin:/bin",
    "TERM": "xterm",
    "LC_ALL": "C.UTF-8",
    "XDG_STATE_HOME": "/s",
    "https_proxy": "p",
    "NO_PROXY": "n",
    "SSL_CERT_FILE": "/c",
    "SSH_AUTH_SOCK": "/a",
    "GIT_DIR": "/elsewhere",
    "GIT_INDEX_FILE": "/i",
    "AWS_SECRET_ACCESS_KEY": "k",
    "SSH_TTY": "/dev/pts/1",
    "LD_PRELOAD": "/x.so",
    "PYTHONPATH": "/p",
    "ANTHROPIC_API_KEY": "a",
    "PATHOLOGY": "not PATH",
    "MY_HOME": "not HOME",
}
KEPT = {"HOME", "PATH", "TERM", "LC_ALL", "XDG_STATE_HOME", "https_proxy", "NO_PROXY", "SSL_CERT_FILE"}


def test_a_session_inherits_the_list_and_what_its_preset_names() -> None:
    launch = Launch(
        argv=("a",),
        env={"MODE": "x", "GIT_AUTHOR_NAME": "Agent", "LC_ALL": "C"},
        pass_env=("ANTHROPIC_API_KEY", "SSH_AUTH_SOCK", "GIT_DIR", "ABSENT"),
    )
    env = session_env(OPERATOR, launch)
    assert set(env) == KEPT | {"MODE", "GIT_AUTHOR_NAME", "ANTHROPIC_API_KEY", "SSH_AUTH_SOCK"}
    assert env["LC_ALL"] == "C" and env["ANTHROPIC_API_KEY"] == "a"
    assert set(session_env(OPERATOR, Launch(argv=("a",)))) == KEPT


def test_a_gate_has_no_terminal_and_no_prompts() -> None:
    env = gate_env(OPERATOR, [])
    assert set(env) == (KEPT - {"TERM"}) | {"CI", "GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "NO_COLOR"}
    assert env["GIT_TERMINAL_PROMPT"] == "0" and env["GIT_ASKPASS"] == "true"
    assert gate_env({}, [])["PATH"]


def test_a_gate_finds_no_program_inside_a_worktree(tmp_path: Path) -> None:
    tree, other = tmp_path / "tree", tmp_path / "tree-of-another"
    for folder in (tree / "bin", other):
        folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tree / "bin")
    (tree / "out").symlink_to("/usr/bin")
    (tmp_path / "alias").symlink_to(tree)
    path = f"{tree}/bin:/usr/bin:{tmp_path}/link:.::bin:{other}/../tree/bin:{other}:{tree}:{tree}/out"
    for root in (str(tree), f"{tree}/", str(tmp_path / "alias")):
        kept = gate_env({"PATH": path}, [root])["PATH"].split(":")
        assert kept[:2] == ["/usr/bin", str(other)]
    assert gate_env({"PATH": path}, [str(tree)])["PATH"] == f"/usr/bin:{other}"


def test_a_planted_program_is_not_run(tmp_path: Path) -> None:
    planted = tmp_path / "true"
    planted.write_text("#!/bin/sh\nexit 9\n")
    planted.chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"

    def run(env: dict[str, str]) -> int:
        return subprocess.run(["/usr/bin/env", "true"], env=env, check=False).returncode

    assert run({"PATH": path}) == 9
    assert run(gate_env({"PATH": path}, [str(tmp_path)])) == 0


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND"])
def test_git_variables_are_never_inherited(name: str) -> None:
    environ = {name: "x"}
    assert name not in session_env(environ, Launch(argv=("a",), pass_env=(name,)))
    assert name not in gate_env(environ, [])
