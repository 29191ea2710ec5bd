"""`policy attach` with a judge: every problem at once, confirmed presets only, models as those name them."""

from __future__ import annotations

import json
import os

import pytest
from commandline import CONFIG, CommandLine

PRESETS = """presets:
  claude: {model: opus, autonomy_confirmed: true}
  own: {command: [my-agent, --acp], autonomy_confirmed: true}
  shy: {like: claude}
"""
PROMPT = ("--judge-prompt", "Is it right?")


@pytest.fixture
def judges(line: CommandLine) -> CommandLine:
    line.settle(CONFIG + PRESETS)
    return line


def attach(line: CommandLine, *words: str) -> tuple[int, str]:
    said = line.run("policy", "attach", "--session", line.session(), *words)
    return said.code, said.err


def test_a_judge_by_options_and_the_same_by_json(judges: CommandLine) -> None:
    words = ("--judge", "own", *PROMPT, "--judge-timeout", "90s")
    by_options = judges.ok("policy", "attach", "--session", judges.session(), *words, "--json").json["spec"]["gate"]
    given = {"judge": {"adapter": "own", "prompt": "Is it right?", "timeoutMs": 90_000, "model": None}}
    words = ("--gate-json", json.dumps(given), "--json")
    by_json = judges.ok("policy", "attach", "--session", judges.session(), *words).json["spec"]["gate"]
    assert by_options == by_json
    judge = by_json["judge"]
    assert (judge["adapter"], judge["prompt"], judge["timeout"]) == ("own", "Is it right?", 90.0)
    assert judge["launch"]["argv"] == ["my-agent", "--acp"] and "argv" not in {k for k, v in by_json.items() if v}
    assert "judge own" in judges.ok("policy", "list").out
    shown = judges.ok("policy", "status", "pol-1").out
    assert "gate      judge own: not judged yet" in shown and "asked     Is it right?" in shown


def test_two_minutes_unless_said_otherwise(judges: CommandLine) -> None:
    made = judges.ok("policy", "attach", "--session", judges.session(), "--judge", "own", *PROMPT, "--json").json
    assert made["spec"]["gate"]["judge"]["timeout"] == 120.0


def test_the_prompt_may_be_a_file(judges: CommandLine) -> None:
    file = judges.home / "prompt.md"
    file.write_text("Read it all.\n")
    words = ("--judge", "own", "--judge-prompt", f"@{file}", "--json")
    made = judges.ok("policy", "attach", "--session", judges.session(), *words).json
    assert made["spec"]["gate"]["judge"]["prompt"] == "Read it all.\n"
    code, err = attach(judges, "--judge", "own", "--judge-prompt", "@nowhere")
    assert code == 2 and "--judge-prompt @nowhere" in err


def test_a_prompt_file_is_a_small_plain_file(judges: CommandLine) -> None:
    pipe, long, bytes_ = judges.home / "pipe", judges.home / "long", judges.home / "bytes"
    os.mkfifo(pipe)
    long.write_text("x" * 60_001)
    bytes_.write_bytes(b"\xff")
    for file, why in (
        (pipe, "it is no plain file"),
        ("/dev/zero", "it is no plain file"),
        (judges.home, "it is no plain file"),
        (long, "has more than 60000 bytes"),
        (bytes_, "is no UTF-8 text"),
    ):
        code, err = attach(judges, "--judge", "own", "--judge-prompt", f"@{file}")
        assert code == 2 and f"--judge-prompt @{file}: " in err and why in err
    said = judges.run("session", "start", "--prompt-file", "/dev/zero", "--", "agent")
    assert said.code == 2 and "which is no prompt" in said.err


def test_a_prompt_that_leaves_no_room_for_the_work_is_refused(judges: CommandLine) -> None:
    code, err = attach(judges, "--judge", "own", "--judge-prompt", "x" * 60_001)
    assert code == 2 and "more than 60000 bytes" in err and "put the rest into a file of the repository" in err
    judges.ok("policy", "attach", "--session", judges.session(), "--judge", "own", "--judge-prompt", "x" * 60_000)


@pytest.mark.parametrize("limit", ["1001h", "999999h", "9" * 20 + "h", "9" * 400 + "h"])
def test_times_of_judges_and_gates_have_the_same_bound_as_those_of_routines(judges: CommandLine, limit: str) -> None:
    code, err = attach(judges, "--judge", "own", *PROMPT, "--judge-timeout", limit)
    assert code == 2 and "--judge-timeout" in err and "must be at most 1000 hours" in err
    code, err = attach(judges, "--gate-timeout", limit, "--", "make")
    assert code == 2 and "--gate-timeout" in err and "must be at most 1000 hours" in err


def test_times_in_json_have_a_bound_however_many_digits_they_have(judges: CommandLine) -> None:
    judge = {"adapter": "own", "prompt": "x", "timeoutMs": 10**400}
    following = json.dumps({"gate": {"command": "make", "timeoutMs": 3_600_000_001}})
    words = ("--gate-json", json.dumps({"judge": judge}), "--next-json", following)
    code, err = attach(judges, *words)
    assert code == 2 and "policy: the judge's timeout must be at most 1000 hours" in err
    assert "policy > next: the gate's timeout must be at most 1000 hours" in err


def test_a_model_is_told_as_the_preset_tells_its_own(judges: CommandLine) -> None:
    def argv(*words: str) -> list[str]:
        words = ("--judge", "claude", *PROMPT, *words, "--json")
        made = judges.ok("policy", "attach", "--session", judges.session(), *words).json
        return list(made["spec"]["gate"]["judge"]["launch"]["argv"])

    usual, other = argv(), argv("--judge-model", "haiku")
    assert "opus" in usual and "haiku" not in usual
    assert other == ["haiku" if word == "opus" else word for word in usual]
    code, err = attach(judges, "--judge", "own", *PROMPT, "--judge-model", "haiku")
    assert code == 2 and "'own' takes no model 'haiku'" in err


def test_a_preset_that_is_not_there_or_that_nobody_confirmed(judges: CommandLine) -> None:
    code, err = attach(judges, "--judge", "clade", *PROMPT)
    assert code == 2 and f"{judges.config}:5: the judge's preset 'clade' is none" in err
    assert "did you mean claude" in err and "here: claude, own, shy" in err
    code, err = attach(judges, "--judge", "shy", *PROMPT)
    assert code == 2 and "is not confirmed" in err and "autonomy_confirmed: true" in err


def test_settings_that_are_not_trusted_start_no_judge(judges: CommandLine) -> None:
    judges.settle(CONFIG + PRESETS + "limits: {gates: 2}\n", trusted=False)
    code, err = attach(judges, "--judge", "own", *PROMPT)
    assert code == 2 and err == f"{judges.config} is not trusted as it is now: read it, then run `nightdesk trust`\n"


def test_every_problem_is_told_at_once(judges: CommandLine) -> None:
    judge = {"adapter": "clade", "prompt": " ", "timeoutMs": -1, "route": "x", "model": 7}
    gate = json.dumps({"judge": judge, "comand": "make", "cwd": "/"})
    code, err = attach(judges, "--then", "commit", "--gate-json", gate)
    assert code == 2
    for told in (
        "--gate-json > judge: unknown key 'route'; it can have adapter, model, prompt, timeoutMs",
        "--gate-json > judge > model: expected `str | null`, got `int`",
        "--gate-json: unknown key 'comand'",
        "policy: the judge has no prompt",
        "policy: the judge's timeout must be more than 0",
        "policy: then=commit needs at least one --commit-path",
        "the judge's preset 'clade' is none",
        "is outside the worktree that is committed",
    ):
        assert told in err, told
    assert judges.ok("policy", "list", "--json").json == {"policies": []}


def test_a_judge_in_a_policy_that_follows_is_checked_as_well(judges: CommandLine) -> None:
    following = {"gate": {"judge": {"adapter": "shy", "prompt": "", "modle": "x"}}, "onFail": {"maxRetries": 0}}
    code, err = attach(judges, "--next-json", json.dumps(following), "--", "make")
    assert code == 2 and "is not confirmed" in err and "policy > next: the judge has no prompt" in err
    assert "--next-json > gate > judge: unknown key 'modle'" in err and "max retries must be at least 1" in err
    following = {"gate": {"judge": {"adapter": "own", "prompt": "Well?"}}, "onFail": {}}
    words = ("--next-json", json.dumps(following), "--json", "--", "make")
    made = judges.ok("policy", "attach", "--session", judges.session(), *words).json["spec"]["next"]
    assert made["gate"]["judge"]["launch"]["argv"] == ["my-agent", "--acp"]
    assert "(verdict: {code})" in made["on_fail"]["nudge"] and "{output}" in made["on_fail"]["nudge"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--judge", "own", *PROMPT, "--", "make"], "give the gate as --judge or `--`, not both"),
        (["--judge", "own", *PROMPT, "--gate-json", "{}"], "give the gate as --gate-json or --judge, not both"),
        (["--judge-prompt", "x", "--", "make"], "--judge-prompt says nothing without --judge PRESET"),
        (["--judge", "own", *PROMPT, "--judge-timeout", "12"], "--judge-timeout '12' must be a duration"),
        (["--judge", "own"], "the judge has no prompt"),
        (["--gate-json", '{"judge": {"prompt": "x"}}'], "the judge names no preset"),
        (
            ["--gate-json", '{"judge": {"adapter": "own", "prompt": "x"}, "command": "make"}'],
            "a command or a judge, not",
        ),
        (["--gate-json", '{"judge": "own"}'], "--gate-json > judge: expected"),
        (["--gate-json", "[]"], "--gate-json must be a JSON object"),
        (["--gate-json", "{"], "--gate-json is not JSON"),
    ],
)
def test_what_cannot_be_a_judge(judges: CommandLine, words: list[str], said: str) -> None:
    code, err = attach(judges, *words)
    assert code == 2 and said in err
