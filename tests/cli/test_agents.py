"""`nightdesk agents` over small programs on the PATH: what is told of each, what is started, and what never is."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine

from console.adapters.agents import builtins

FLAGS = {name: " ".join((builtins.raw(name) or {}).get("flags", {}).get("has", ())) for name in builtins.names()}


@pytest.fixture
def tools(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = line.home / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), str(Path(sys.executable).parent), "/usr/bin", "/bin"]))
    return folder


def put(folder: Path, name: str, version: str, help: str = "", marker: Path | None = None) -> Path:
    """A program that tells a version and a help, and notes that it was started."""
    program = folder / name
    noted = f"echo {name} >> {marker}\n" if marker else ""
    program.write_text(f'#!/bin/sh\n{noted}case "$*" in *help*) echo "{help}";; *) echo "{version}";; esac\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def told(line: CommandLine, *words: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in line.ok("agents", "--json", *words).json["agents"]}


def test_what_is_installed_is_told_in_full_and_the_rest_in_one_line(line: CommandLine, tools: Path) -> None:
    put(tools, "codex", "codex-cli 0.171.0", FLAGS["codex"])
    out = line.ok("agents").out
    assert out.startswith("codex: Codex, built in, command\n")
    assert f"{tools}/codex, codex-cli 0.171.0, as tried" in out
    assert "fits         yes" in out
    assert "(edits, not confirmed) may edit files" in out
    assert "runs         codex exec --json --sandbox workspace-write\n" in out
    last = out.splitlines()[-1]
    assert last.startswith("not installed: aider, amp,")
    assert "codex," not in last


@pytest.mark.parametrize(
    ("version", "age", "said"),
    [
        ("codex-cli 0.171.0", "as tried", ", as tried"),
        ("codex-cli 0.90.12", "older", ", older; tried with 0.171.0"),
        ("codex-cli 1.0.0", "newer", ", newer; tried with 0.171.0"),
    ],
)
def test_another_release_is_a_note(line: CommandLine, tools: Path, version: str, age: str, said: str) -> None:
    put(tools, "codex", version, FLAGS["codex"])
    one = told(line, "codex")["codex"]
    assert (one["age"], one["fits"], one["tried"]) == (age, True, "0.171.0")
    assert f"{version}{said}" in line.ok("agents", "codex").out


def test_a_flag_that_is_gone_is_named(line: CommandLine, tools: Path) -> None:
    put(tools, "pi", "1.7.0", FLAGS["pi"].replace("--session", "--sessions"))
    one = told(line, "pi")["pi"]
    assert (one["drift"]["missing"], one["fits"]) == (["--session"], False)
    assert "NO: it no longer knows --session" in line.ok("agents", "pi").out


def test_a_program_that_fails_says_so_and_is_no_error_of_the_command(line: CommandLine, tools: Path) -> None:
    program = put(tools, "aider", "x")
    program.write_text("#!/bin/sh\necho broken; exit 3\n")
    one = told(line, "aider")["aider"]
    assert one["installed"]
    assert "exit 3" in one["why"]
    assert not one["fits"]


def test_everything_about_one_even_when_it_is_not_installed(line: CommandLine, tools: Path) -> None:
    out = line.ok("agents", "claude").out
    assert "not installed: 'claude' is not on the PATH" in out
    for part in ("--resume {conversation}", "npm install", "claude --resume", "level ask", "edits", "all", "login"):
        assert part in out, part
    assert "presets: {claude: {autonomy_confirmed: true}}" in out
    levels = {level["name"]: level for level in told(line, "claude")["claude"]["levels"]}
    assert list(levels) == ["ask", "edits", "all"]
    assert "bypassPermissions" in levels["all"]["argv"]


def test_no_probe_starts_nothing(line: CommandLine, tools: Path) -> None:
    marker = line.home / "started"
    put(tools, "codex", "codex-cli 0.171.0", FLAGS["codex"], marker)
    one = told(line, "--no-probe")["codex"]
    assert (one["path"], one["version"], one["notAsked"]) == (f"{tools}/codex", "", "--no-probe")
    assert "not asked for its version: --no-probe" in line.ok("agents", "--no-probe").out
    assert not marker.exists()
    assert told(line, "codex")["codex"]["version"] == "0.171.0"
    assert marker.exists()


CONFIG = "agent: codex\npresets:\n  codex: {program: PROGRAM, autonomy: all, autonomy_confirmed: true}\n"


def test_what_the_settings_start_is_started_only_when_they_are_trusted(line: CommandLine, tools: Path) -> None:
    marker = line.home / "started"
    mine = put(line.home, "mine", "codex-cli 0.171.0", FLAGS["codex"], marker)
    line.settle(CONFIG.replace("PROGRAM", str(mine)), trusted=False)
    one = told(line, "codex")["codex"]
    assert (one["fromSettings"], one["path"], one["notAsked"]) == (True, str(mine), "the settings are not trusted")
    assert not marker.exists()
    line.settle(CONFIG.replace("PROGRAM", str(mine)))
    one = told(line, "codex")["codex"]
    assert (one["version"], one["confirmed"], one["autonomy"]) == ("0.171.0", True, "all")
    assert one["argv"] == [str(mine), "exec", "--json", "--dangerously-bypass-approvals-and-sandbox"]
    assert "codex: of your settings, like codex, command" in line.ok("agents").out


def test_a_confirmation_alone_leaves_it_the_built_in_one(line: CommandLine, tools: Path) -> None:
    put(tools, "codex", "codex-cli 0.171.0", FLAGS["codex"])
    line.settle("presets: {codex: {autonomy_confirmed: true}}\n", trusted=False)
    one = told(line, "codex")["codex"]
    assert (one["fromSettings"], one["version"], one["confirmed"]) == (False, "0.171.0", True)


@pytest.mark.parametrize("where", ["root", "other"])
def test_a_program_in_a_worktree_is_never_started(
    line: CommandLine, tools: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    folder = Path(getattr(line, where)) / "bin"
    folder.mkdir(exist_ok=True)
    marker = line.home / "started"
    program = put(folder, "pi", "1.6.0", FLAGS["pi"], marker)
    try:
        put(tools, "pi", "1.6.0", FLAGS["pi"], marker)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        one = told(line, "pi")["pi"]
        assert f"started from a worktree, where an agent can write: {program}" in one["why"]
        assert not marker.exists()
    finally:
        program.unlink()


def test_an_agent_of_the_settings_is_listed_beside_those_built_in(line: CommandLine, tools: Path) -> None:
    line.settle("presets: {mine: {command: [mine, -p], protocol: command}}\n")
    out = line.ok("agents").out
    assert "mine: of your settings, command\n" in out
    assert "not installed: 'mine' is not on the PATH" in out


def test_settings_with_problems_hide_nothing_that_is_built_in(line: CommandLine, tools: Path) -> None:
    line.settle("presets: {mine: {}}\n", trusted=False)
    said = line.ok("agents", "--no-probe")
    assert "the settings are not looked at:" in said.out
    assert "presets.mine" in said.out
    assert set(told(line, "--no-probe")) == set(builtins.names())


def test_an_unknown_name_is_told_with_the_near_ones(line: CommandLine, tools: Path) -> None:
    said = line.run("agents", "codx")
    assert said.code == 3
    assert said.err == "no preset 'codx' (did you mean codex, codex-acp?); `nightdesk agents` lists them\n"


def test_it_works_outside_of_a_repository(line: CommandLine, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tools, "codex", "codex-cli 0.171.0", FLAGS["codex"])
    monkeypatch.chdir(line.home)
    assert told(line)["codex"]["version"] == "0.171.0"
    assert line.run("--workspace", str(line.home), "agents").code == 2


def test_only_names_of_the_environment_are_told(
    line: CommandLine, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_API_KEY", "not-for-eyes")
    line.settle("presets: {codex: {env: {MINE: also-not}}}\n")
    put(tools, "codex", "codex-cli 0.171.0", FLAGS["codex"])
    whole = json.dumps(told(line)) + line.ok("agents").out + line.ok("agents", "codex").out
    assert "MINE" in whole
    assert "passes on    CODEX_API_KEY\n" in whole
    assert "not-for-eyes" not in whole
    assert "also-not" not in whole
