"""`nightdesk preflight` as a person and as a program use it: all lines, the verdict, and exit 0, 64 or 65."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commandline import CommandLine, git

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import RunSettings, Who

GOOD = f"""\
gate: python3 -c pass
allowed_commands: [python3]
identity: {{allow_root: true}}
agent: script
presets:
  script: {{command: [{sys.executable}, agent.py], protocol: command, autonomy_confirmed: true}}
"""


@pytest.fixture
def free(line: CommandLine) -> CommandLine:
    """With settings that are fine, an identity, a ticket, and nobody who supervises."""
    line.lock.release()
    line.settle(GOOD)
    (line.home / ".gitconfig").write_text("[user]\n name = Ada\n email = ada@example.com\n")
    (line.root / "tickets").mkdir(exist_ok=True)
    (line.root / "tickets" / "one.md").write_text("Do one thing\n")
    return line


def test_go(free: CommandLine) -> None:
    said = free.ok("preflight")
    assert said.out.splitlines()[-1] == "GO"
    assert "would be a prompt for it" in said.out, "a program that nobody knows is not started to ask it"
    assert "1 to work on" in said.out
    data = free.ok("preflight", "--json").json
    assert data["verdict"] == "GO" and data["busy"] == ""
    assert {"settings", "trust", "identity", "agent script", "git", "gate", "tickets"} <= {
        c["name"] for c in data["checks"]
    }
    assert all(set(c) == {"name", "level", "text", "cure"} for c in data["checks"])


def test_no_go_says_everything_at_once_and_exits_64(free: CommandLine) -> None:
    free.settle(
        GOOD.replace("allow_root: true", "user: nobody-here").replace("autonomy_confirmed: true", "env: {}"),
        trusted=False,
    )
    said = free.run("preflight")
    refused = [row for row in said.out.splitlines() if row.startswith("NO-GO ")]
    assert said.code == 64 and len(refused) >= 4
    for word in ("trust", "identity", "agent script", "NO-GO ("):
        assert any(word in row for row in refused), word
    assert f"{free.config}:" in said.out and "autonomy_confirmed: true" in said.out
    assert free.run("preflight", "--json").json["verdict"] == "NO-GO"


def test_nothing_of_untrusted_settings_is_started(free: CommandLine) -> None:
    mark = free.home / "ran"
    agent = free.home / "agent"
    agent.write_text(f"#!/bin/sh\n: > {mark}\necho 1.0\n")
    agent.chmod(0o755)
    config = GOOD.replace(f"[{sys.executable}, agent.py]", f"[{agent}], version: [{agent}, --version]")
    free.settle(config, trusted=False)
    assert free.run("preflight").code == 64 and not mark.exists()
    free.settle(config)
    assert free.run("preflight").code == 0 and mark.exists()


GEMINI = """\
#!/bin/sh
echo "$1" >>"{home}/asked"
case $1 in
--version) echo 0.70.0;;
--help) echo "{help}";;
--acp) exec {python} {raw} {script};;
esac
"""
RAW = Path(__file__).parents[1] / "adapters" / "agents" / "raw_agent.py"


def test_a_built_in_agent_that_has_changed_is_no_go_and_was_told_no_prompt(free: CommandLine) -> None:
    """A release without one of the flags, and whose one mode is another: both are said, at once."""
    script, agent = free.home / "script.py", free.home / "gemini"
    modes = '{"currentModeId": "default", "availableModes": [{"id": "default", "name": "Default"}]}'
    script.write_text(f'NEW["modes"] = {modes}\ndef turn(text):\n    open({str(free.home / "prompted")!r}, "w")\n')
    flags = "--acp --approval-mode (default, auto_edit) --model --resume"
    agent.write_text(GEMINI.format(home=free.home, help=flags, python=sys.executable, raw=RAW, script=script))
    agent.chmod(0o755)
    config = GOOD[: GOOD.index("agent:")] + f"presets: {{gemini: {{program: {agent}, autonomy_confirmed: true}}}}\n"
    free.settle(config, trusted=False)
    assert free.run("preflight").code == 64 and not (free.home / "asked").exists()
    free.settle(config)
    made = free.run("preflight", "--json")
    refused = [one for one in made.json["checks"] if one["level"] == "no-go"]
    assert made.code == 64 and {one["name"] for one in refused} == {"agent gemini"}
    assert "no longer knows yolo" in refused[0]["text"] and "(0.70.0, tried with" in refused[0]["text"]
    assert "autoEdit" in refused[1]["text"] and f"{free.config}:" in refused[1]["cure"]
    assert sorted((free.home / "asked").read_text().split()) == ["--acp", "--help", "--version"]
    assert not (free.home / "prompted").exists()


def test_formatting_needs_no_new_trust(free: CommandLine) -> None:
    free.settle("# a remark\n" + GOOD.replace("agent: script\n", "\nagent:   'script'\n"), trusted=False)
    free.ok("preflight")


def test_a_run_under_way_is_busy(free: CommandLine) -> None:
    assert free.lock.take("pid 7 on here")
    free.ok("preflight")  # an idle supervisor is in nobody's way
    free.do(cmd.StartRun(settings=RunSettings(), by=Who(user="ada"), pull=True))
    said = free.run("preflight")
    assert said.code == 65 and said.out.splitlines()[-1].startswith("BUSY: the run run-1 is under way")
    assert free.run("preflight", "--json").json["verdict"] == "BUSY"


def test_more_sessions_than_the_memory_carries(free: CommandLine) -> None:
    said = free.run("preflight", "--sessions", "1000000")
    assert said.code == 64 and "1000000 sessions" in said.out


def test_outside_of_a_repository_and_without_a_commit_it_is_no_go(
    free: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    said = free.run("preflight")
    assert said.code == 64 and said.out.splitlines()[-1] == "NO-GO (1)"
    git(bare, "init", "-q")
    assert "first commit" in free.run("preflight", "--json").json["checks"][0]["text"]


def test_a_newer_log_is_no_go_among_the_other_lines(free: CommandLine) -> None:
    free.journal.close()
    script = "import apsw,sys; apsw.Connection(sys.argv[1]).execute(\"UPDATE meta SET value='99' WHERE key='events'\")"
    subprocess.run([sys.executable, "-c", script, str(free.here.places.log)], check=True, timeout=30)
    said = free.run("preflight")
    assert said.code == 64 and "upgrade nightdesk" in said.out and "memory" in said.out


def test_names_from_the_repository_obey_no_terminal(free: CommandLine) -> None:
    free.settle('agent: "a\\e]0;owned\\a"\npresets: {"a\\e]0;owned\\a": {command: [x]}}\n')
    assert "\x1b" not in free.run("preflight").out


def test_it_changes_nothing_in_the_log(free: CommandLine) -> None:
    free.ok("preflight")
    before = free.journal.since(0)
    free.ok("preflight")
    assert free.journal.since(0) == before
    assert isinstance(free.do(cmd.StartRun(settings=RunSettings(), by=Who(user="ada")))[0].fact, ev.RunStarted)
