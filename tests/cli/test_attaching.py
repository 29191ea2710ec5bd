"""`policy attach` as programs see it: refusals name file, line and cure; what is attached is what was written."""

from __future__ import annotations

import json

import pytest
from commandline import CONFIG, CommandLine


def test_a_gate_that_is_not_allowed_is_refused_with_file_line_and_cure(line: CommandLine) -> None:
    session = line.session()
    said = line.run("policy", "attach", "--session", session, "--", "test", "-f", "x")
    assert said.code == 2
    assert said.err == (
        f"gate command 'test' is not allowed: {line.config}:4: allowed_commands lists make, python3; "
        "add 'test' there, then run `nightdesk trust`\n"
    )
    assert line.ok("policy", "list", "--json").json == {"policies": []}


def test_a_gate_with_a_folder_is_refused_even_when_its_name_is_allowed(line: CommandLine) -> None:
    said = line.run("policy", "attach", "--session", line.session(), "--", "./make")
    assert said.code == 2 and "must be a bare name" in said.err


def test_settings_that_are_not_trusted_run_nothing(line: CommandLine) -> None:
    session = line.session()
    line.settle(CONFIG + "limits: {gates: 2}\n", trusted=False)
    said = line.run("policy", "attach", "--session", session, "--", "make")
    assert said.code == 2
    assert said.err == f"{line.config} is not trusted as it is now: read it, then run `nightdesk trust`\n"
    line.ok("trust")
    line.ok("policy", "attach", "--session", session, "--", "make")


def test_settings_with_mistakes_are_told_with_every_line(line: CommandLine) -> None:
    line.settle("gaet: make\n\nallowed_commands: make\n", trusted=False)
    for words in (["trust"], ["policy", "attach", "--session", line.session(), "--", "make"]):
        said = line.run(*words)
        assert said.code == 2
        assert [text.split(": ")[0] for text in said.err.splitlines()] == [f"{line.config}:1", f"{line.config}:3"]


@pytest.mark.parametrize("commits", [False, True])
def test_a_gate_folder_outside_lists_what_is_allowed(line: CommandLine, commits: bool) -> None:
    outside = line.home / "elsewhere"
    outside.mkdir()
    words = ["--then", "commit", "--commit-path", "a.txt", "--commit-message", "Fix"] if commits else []
    said = line.run("policy", "attach", "--session", line.session(), "--gate-cwd", str(outside), *words, "--", "make")
    assert said.code == 2 and str(outside) in said.err
    allowed = [text.strip() for text in said.err.splitlines() if text.startswith("  ")]
    assert allowed == ([str(line.root)] if commits else [str(line.root), str(line.other)])


def test_every_linked_worktree_is_a_gate_folder(line: CommandLine) -> None:
    words = ["--gate-cwd", str(line.other), "--json", "--", "make", "check"]
    attached = line.ok("policy", "attach", "--session", line.session(), *words).json
    assert attached["spec"]["gate"]["cwd"] == "../linked"


def test_what_is_attached_is_what_was_written(line: CommandLine) -> None:
    session = line.session()
    following = json.dumps({"gate": {"command": "python3 -m pytest -q", "timeoutMs": 1500}})
    attached = line.ok(
        *("policy", "attach", "--session", session, "--then", "commit", "--commit-path", "./sub/../a.txt"),
        *("--commit-message", "Fix a", "--nudge", "again {code}", "--max-retries", "5", "--gate-timeout", "90s"),
        *("--next-json", following, "--json", "--", "make", "check"),
    ).json
    spec = attached["spec"]
    assert (attached["policyId"], attached["status"], attached["lastGate"]) == ("pol-1", "watching", None)
    assert (spec["gate"]["argv"], spec["gate"]["timeout"]) == (["make", "check"], 90.0)
    assert spec["commit"]["paths"] == ["a.txt"]
    assert spec["on_fail"] == {"nudge": "again {code}", "retries": 5}
    following_gate = spec["next"]["gate"]
    assert (following_gate["argv"], following_gate["timeout"]) == (["python3", "-m", "pytest", "-q"], 1.5)
    assert spec["next"]["sessions"] == [session]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--gate-timeout", "90", "--", "make"], "must be a duration"),
        (["--gate-json", '{"command": "make"}', "--", "make"], "not both"),
        (["--gate-json", '{"comand": "make"}'], "--gate-json"),
        (["--gate-json", '{"command": "make | tee log"}'], '["bash", "-o", "pipefail", "-c", \'make | tee log\']'),
        (["--gate-json", '{"judge": {"prompt": "ok?"}}'], "judge"),
        (["--then", "commit", "--", "make"], "needs at least one --commit-path"),
        (["--then", "commit", "--commit-path", "../x", "--commit-message", "m"], "not a file inside the worktree"),
        (["--max-retries", "0", "--", "make"], "max retries must be at least 1"),
        (["--nudge", "again", "--no-gate"], "a nudge needs a gate"),
        (["--since", "9999", "--", "make"], "--since 9999 is not a cursor of this log"),
        (["--next-json", "{", "--", "make"], "--next-json"),
        (["--next-json", '{"then": "fly"}', "--", "make"], "emit or commit"),
    ],
)
def test_what_cannot_be_attached(line: CommandLine, words: list[str], said: str) -> None:
    result = line.run("policy", "attach", "--session", line.session(), *words)
    assert result.code == 2 and said in result.err
    assert line.journal.refresh() == [] and not line.journal.state.policies
