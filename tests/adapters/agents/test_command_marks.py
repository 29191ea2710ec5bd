"""What a preset's marks do to the turns of a headless command; conversations that are lost; prompts by file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents.marks import Marks
from console.core.records import Output
from console.engine.ports import Began

NOW = 1_796_056_000.0
AIDER = Output(
    ended=(r"^Tokens: .* sent",),
    failed=(r"^litellm\.\w+Error: ",),
    limit=(r"^litellm\.RateLimitError: ",),
    overload=(r"^litellm\.(InternalServer|API)Error: ",),
    auth=(r"^litellm\.AuthenticationError: ",),
    retrying=(r"^Retrying in ",),
    asked=(r"permission requested: ",),
)
SAMPLES = Path(__file__).with_name("samples")


def sample(name: str) -> str:
    """A command that prints what a real agent printed and exits with 0."""
    return f"import sys; sys.stdout.write(open({str(SAMPLES / name)!r}).read())"


# -- ended, failed, limit, overload, auth --------------------------------------------------------------------


async def test_a_real_turn_of_aider_with_its_end_is_ok(bench: Any) -> None:
    agent = await bench.command(sample("aider-good.jsonl"), output=AIDER)
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.detail, result.fault) == (True, "exit", "", "")


@pytest.mark.parametrize(
    ("name", "fault", "why"),
    [("aider-429", "limit", "RateLimitError"), ("aider-401", "auth", "Authentication"), ("aider-529", "overload", "")],
)
async def test_exit_0_of_a_failed_turn_is_no_success(bench: Any, name: str, fault: str, why: str) -> None:
    agent = await bench.command(sample(f"{name}.jsonl"), output=AIDER)
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code, result.fault) == (False, "error", 0, fault)
    assert result.detail.startswith("litellm.") and why in result.detail


async def test_without_the_end_that_is_waited_for_exit_0_is_not_ok(bench: Any) -> None:
    script = 'print(\'Applied edit to f\'); print(\'{"type": "result", "is_error": false}\')'
    agent = await bench.command(script, output=Output(ended=("^Bye$", {"type": "done"})))
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code) == (False, "no-end", 0)
    assert result.detail == "it exited with 0, but nothing said that the turn had ended well"


@pytest.mark.parametrize(("code", "stop"), [(0, "no-end"), (1, "exit 1")])
async def test_the_line_that_tells_of_a_trouble_is_the_reason(bench: Any, code: int, stop: str) -> None:
    said = "litellm.AuthenticationError: Incorrect API key"
    output = Output(ended=("^Tokens: ",), auth=(r"^litellm\.Auth",))
    agent = await bench.command(f"print({said!r}); print('more'); raise SystemExit({code})", output=output)
    result = await agent.prompt(1, "go")
    assert (result.stop, result.fault) == (stop, "auth") and result.detail.endswith(said)


@pytest.mark.parametrize("script", ["sys.exit(3)", 'print(\'{"type": "turn.failed", "error": "no"}\')'])
async def test_no_mark_makes_a_failure_a_success(bench: Any, script: str) -> None:
    script = f"import sys; print('Tokens: 1 sent', flush=True); {script}"
    assert not (await (await bench.command(script, output=AIDER)).prompt(1, "go")).ok


async def test_kinds_of_trouble_are_asked_for_only_when_the_turn_failed(bench: Any) -> None:
    words = "print('litellm.RateLimitError: x'); print('Tokens: 1 sent, 2 received.')"
    result = await (await bench.command(words, output=AIDER)).prompt(1, "go")
    assert (result.ok, result.fault, result.detail) == (True, "", "")


async def test_a_turn_that_is_cancelled_is_nobody_s_limit(bench: Any, eventually: Any) -> None:
    script = "import time; print('litellm.RateLimitError: x', flush=True); time.sleep(60)"
    agent = await bench.command(script, output=AIDER)
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("line"))
    await agent.cancel()
    assert ((await turn).stop, (await turn).fault) == ("cancelled", "")


async def test_what_it_was_refused_is_told_with_a_turn_that_ended_well(bench: Any) -> None:
    script = "print('\\x1b[93m! \\x1b[0mpermission requested: bash (ls); auto-rejecting'); print('Tokens: 1 sent')"
    result = await (await bench.command(script, output=AIDER)).prompt(1, "go")
    assert result.ok
    refused = "! permission requested: bash (ls); auto-rejecting"
    assert result.detail == f"it wanted something that it was refused: {refused}"


async def test_a_mark_for_retries_makes_an_entry_of_its_line(bench: Any) -> None:
    agent = await bench.command(
        'print("Waiting, attempt 2 of 5, in 3 seconds"); print(\'{"type": "zzz", "n": 1, "attempt": 4}\')',
        output=Output(retrying=("^Waiting", {"type": "zzz"})),
    )
    assert (await agent.prompt(1, "go")).ok
    one, two = bench.entries("retry")
    assert (one["attempt"], one["of"], one["until"] > 1e9) == (2, 5, True)
    assert two["attempt"] == 4
    assert agent.vital().progress == 0


def found(output: Output, *lines: object) -> Marks:
    marks = Marks(output)
    for line in lines:
        text = line if isinstance(line, str) else json.dumps(line)
        marks.take(text, None if isinstance(line, str) else line, NOW)  # type: ignore[arg-type]
    return marks


def test_the_time_of_a_limit_may_stand_in_a_line_that_was_wrapped() -> None:
    wrapped = ["litellm.RateLimitError: You hit your limit. Please try", "again in 2 hours", "and pay more", ""]
    assert found(AIDER, *wrapped).fault.until == NOW + 7200
    assert found(AIDER, wrapped[0], "Retrying in 32.0 seconds...").fault.until == 0
    assert found(AIDER, wrapped[0], "", wrapped[1]).fault.until == 0
    assert found(Output(limit=({"type": "full"},)), {"type": "full", "resetsAt": NOW + 9}).fault.until == NOW + 9


def test_a_later_good_end_takes_a_failure_back_and_a_later_failure_stands() -> None:
    failed, ended = "litellm.APIError: Overloaded", "Tokens: 10 sent, 5 received."
    assert found(AIDER, failed, ended).failed == "" and not found(AIDER, failed, ended).fault
    assert found(AIDER, ended, failed).failed == failed


def test_a_pattern_is_never_looked_for_in_a_json_line() -> None:
    marks = found(AIDER, {"type": "text", "text": "litellm.RateLimitError: x\nTokens: 1 sent"})
    assert (marks.failed, marks.ended, marks.fault.kind) == ("", False, "")


# -- conversations that are lost -----------------------------------------------------------------------------

RESUMES = """
import json, sys
def say(**event): print(json.dumps(event), flush=True)
if "--resume" in sys.argv:
    {body}
say(type="system", session_id="fresh-1")
print("args", sys.argv[1:])
"""
LOST = Output(lost=("^No conversation found", "^Session not found"))


def resumes(body: str) -> str:
    return RESUMES.replace("{body}", body)


async def resumed(bench: Any, body: str, output: Output = LOST, conversation: str = "old-1") -> Any:
    launch = {"resume": ("--resume", "{conversation}"), "output": output, "conversation": conversation}
    return await bench.command(resumes(body), **launch)


async def test_a_lost_conversation_is_begun_afresh_once_and_that_is_said(bench: Any) -> None:
    agent = await resumed(bench, "print('No conversation found with session ID: old-1'); sys.exit(1)")
    result = await agent.prompt(1, "go")
    assert result.ok
    assert bench.text("line").splitlines()[-1] == "args ['go']"
    told = [began for began in bench.facts.of(Began) if "fresh" in began.detail]
    why = "started a fresh conversation: No conversation found with session ID: old-1"
    assert [(began.detail, began.conversation, began.resumed, began.pid > 0) for began in told] == [
        (why, "", False, True)
    ]
    assert [entry["text"] for entry in bench.entries("began")][1:] == [why]
    assert bench.facts.of(Began)[-1].conversation == "fresh-1"
    await agent.prompt(2, "more")
    assert "args ['--resume', 'fresh-1'" not in bench.text("line"), "the script ends where it is asked to resume"


@pytest.mark.parametrize("sample_name", ["codex-badid", "pi-badid", "gemini-badid", "qwen-badid", "opencode-badid"])
async def test_what_real_agents_print_for_an_unknown_id_can_be_marked(bench: Any, sample_name: str) -> None:
    output = Output(
        lost=("no rollout found", "^No session found", "^Error resuming session: ", "^No saved session", "not found$")
    )
    body = f"sys.stderr.write(open({str(SAMPLES / sample_name) + '.jsonl'!r}).read()); sys.exit(1)"
    agent = await resumed(bench, body, output)
    assert (await agent.prompt(1, "go")).ok
    assert bench.facts.of(Began)[-1].conversation == "fresh-1"


@pytest.mark.parametrize(
    "body",
    [
        "say(type='text', part={'text': 'I did it'}); print('No conversation found'); sys.exit(1)",
        "print('some other trouble'); sys.exit(1)",
    ],
    ids=["it had begun to work", "another trouble"],
)
async def test_nothing_else_is_run_twice(bench: Any, body: str) -> None:
    agent = await resumed(bench, body)
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "exit 1")
    assert "args" not in bench.text("line")


async def test_a_fresh_conversation_that_is_lost_too_is_not_begun_again(bench: Any) -> None:
    agent = await bench.command(
        "import sys; print('No conversation found', len(sys.argv)); sys.exit(1)",
        resume=("--resume", "{conversation}"),
        output=LOST,
        conversation="old-1",
    )
    assert (await agent.prompt(1, "go")).stop == "exit 1"
    assert bench.text("line") == "No conversation found 4\nNo conversation found 2\n"


async def test_another_conversation_than_the_one_asked_for_is_said(bench: Any) -> None:
    agent = await resumed(bench, "say(type='system', session_id='other-9'); sys.exit(0)")
    assert (await agent.prompt(1, "go")).ok
    began = bench.facts.of(Began)[-1]
    assert (began.conversation, began.resumed) == ("other-9", False)
    assert began.detail == "started a fresh conversation: the agent went on in other-9 when it was asked for old-1"
    assert bench.entries("began")[-1]["text"] == began.detail


async def test_the_conversation_that_was_asked_for_needs_no_word(bench: Any) -> None:
    agent = await resumed(bench, "say(type='system', session_id='old-1'); sys.exit(0)")
    assert (await agent.prompt(1, "go")).ok
    assert [began.detail for began in bench.facts.of(Began)] == ["", ""]
    assert len(bench.entries("began")) == 1


async def test_each_turn_of_a_conversation_costs_what_it_added(bench: Any) -> None:
    counts = "n = 1 + ('old' in sys.argv); print(json.dumps({'type': 'turn.completed', 'thread_id': 'old', "
    script = f"import json, sys; {counts}'usage': {{'input_tokens': 100 * n, 'output_tokens': 10 * n}}}}))"
    agent = await bench.command(script, resume=("{conversation}",))
    first, second = await agent.prompt(1, "a"), await agent.prompt(2, "b")
    assert [(turn.usage.input_tokens, turn.usage.output_tokens) for turn in (first, second)] == [(100, 10), (100, 10)]


# -- prompts by file -----------------------------------------------------------------------------------------


async def test_a_prompt_of_any_length_by_file_for_this_user_only_and_for_its_turn_only(bench: Any) -> None:
    script = (
        "import os, sys; path = sys.argv[2]; print(sys.argv[1], len(sys.argv), os.path.getsize(path), "
        "oct(os.stat(path).st_mode)[-3:], path)"
    )
    agent = await bench.command(script, "--message-file", "{prompt_file}")
    assert (await agent.prompt(1, "x" * 300_000)).ok
    *said, path = bench.text("line").split()
    assert said == ["--message-file", "3", "300000", "600"]
    assert Path(path).parent == Path(bench.transcript).parent
    assert not Path(path).exists()


async def test_a_file_that_lies_where_the_prompt_goes_is_replaced_and_never_followed(bench: Any) -> None:
    target = bench.folder / "target"
    target.write_text("mine")
    Path(bench.transcript).with_suffix(".prompt").symlink_to(target)
    agent = await bench.command("import sys; print(open(sys.argv[1]).read())", "{prompt_file}")
    assert (await agent.prompt(1, "-do this\nand that")).ok
    assert bench.text("line") == "-do this\nand that\n"
    assert target.read_text() == "mine"


async def test_a_prompt_file_that_cannot_be_written_is_a_reason(bench: Any) -> None:
    Path(bench.transcript).with_suffix(".prompt").mkdir()
    agent = await bench.command("print('never')", "{prompt_file}")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "not-started") and "the prompt cannot be written" in result.detail


async def test_a_trouble_behind_the_end_of_one_request_fails_the_turn(bench: Any) -> None:
    """aider ends each request with such a line, and its exit code is always 0."""
    words = "print('Tokens: 1 sent, 2 received.'); print('litellm.AuthenticationError: invalid x-api-key')"
    output = Output(ended=AIDER.ended, auth=AIDER.auth)
    result = await (await bench.command(words, output=output)).prompt(1, "go")
    assert (result.ok, result.stop, result.fault) == (False, "no-end", "auth") and "x-api-key" in result.detail


def test_a_request_that_ends_well_behind_a_trouble_counts() -> None:
    marks = found(AIDER, "litellm.APIError: Overloaded", "Tokens: 1 sent", "litellm.APIError: x", "Tokens: 2 sent")
    assert marks.ended and not marks.fault and not marks.failed
    assert not found(AIDER, "Tokens: 1 sent", "litellm.APIError: x").ended


@pytest.mark.parametrize(
    "said", ["No API key found for the selected model.", "Missing environment variable: `MY_KEY`."]
)
async def test_a_program_that_misses_its_login_says_whose_trouble_that_is(bench: Any, said: str) -> None:
    result = await (await bench.command(f"raise SystemExit({said!r})")).prompt(1, "go")
    assert (result.ok, result.fault) == (False, "auth")
    assert result.detail == f"{said}; a variable of yours reaches an agent only when `pass_env` of its preset names it"


async def test_words_of_a_program_that_has_worked_name_no_fault(bench: Any) -> None:
    event = json.dumps({"type": "text", "part": {"text": "I set the API_KEY environment variable"}})
    script = f"print({event!r}); raise SystemExit('API_KEY environment variable is not set')"
    result = await (await bench.command(script)).prompt(1, "go")
    assert (result.ok, result.fault) == (False, "") and "pass_env" not in result.detail
