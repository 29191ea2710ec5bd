"""The built-in presets as files: each loads, says what it must, and names conversations by their id."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from console.adapters.agents import builtins
from console.core import presets, settings
from console.core.marking import fits
from console.core.presets import LEVELS, Preset, levels_of, of_builtin
from console.core.records import Mark

TRIED = {"claude", "claude-acp", "codex", "codex-acp", "gemini", "qwen", "opencode", "pi", "aider", "mini"}
UNTRIED = {
    *("copilot", "auggie", "goose", "kimi", "openhands", "vibe", "cursor", "cagent", "grok", "kiro", "openclaw", "amp"),
}
NAMES = builtins.names()
LATEST = {"--continue", "-c", "--last", "latest"}
"""Words with which agents go on with whatever conversation was the last."""


def raw(name: str) -> dict[str, Any]:
    found = builtins.raw(name)
    assert found is not None
    return found


def made(name: str) -> Preset:
    return of_builtin(name, raw(name))


def test_these_are_built_in() -> None:
    assert set(NAMES) == TRIED | UNTRIED
    assert {name for name in NAMES if made(name).tried} == TRIED
    assert builtins.raw.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_file_loads_and_says_what_it_must(name: str) -> None:
    one = made(name)
    assert set(raw(name)) <= set(presets.BUILTIN)
    assert one.title
    assert one.install
    assert one.login
    assert one.builtin == name
    assert not one.autonomy_confirmed
    assert one.launch.protocol in presets.PROTOCOLS
    assert (builtins.folder() / f"{name}.yaml").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", NAMES)
def test_every_file_has_each_key_once(name: str) -> None:
    node = yaml.compose((builtins.folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    stack: list[Any] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, yaml.MappingNode):
            keys = [key.value for key, _ in here.value]
            assert len(keys) == len(set(keys)), keys
            stack += [value for _, value in here.value]
        elif isinstance(here, yaml.SequenceNode):
            stack += here.value


@pytest.mark.parametrize("name", sorted(TRIED))
def test_what_was_tried_says_with_what_and_how_much_it_may_do(name: str) -> None:
    one, levels = made(name), set(raw(name)["autonomy"]) - {"default"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", one.tried)
    assert one.autonomy in levels <= set(LEVELS)
    assert one.autonomy == "edits" or levels == {"all"}, "no more than edits, unless the agent knows nothing else"
    assert one.launch.pass_env


@pytest.mark.parametrize("name", sorted(TRIED))
def test_every_word_with_a_dash_that_it_writes_is_one_that_the_help_must_have(name: str) -> None:
    one = made(name)
    if not one.help:
        assert name in ("claude-acp", "codex-acp"), "only these have no help to look at"
        return
    for level in set(raw(name)["autonomy"]) - {"default"}:
        found = settings.read({"presets": {name: {"autonomy": level, "model": "m"}}}, lambda _: 1, builtins.raw)
        assert isinstance(found, settings.Settings), found
        launch = found.presets[name].launch
        written = {word for word in (*launch.argv, *launch.resume, *launch.interactive[1:]) if word.startswith("--")}
        assert written <= set(one.flags)


@pytest.mark.parametrize("name", NAMES)
def test_a_conversation_is_named_by_its_id_never_the_last_one(name: str) -> None:
    launch = made(name).launch
    for words in (launch.resume, launch.interactive):
        assert not words or "{conversation}" in words
        assert not LATEST & set(words)


@pytest.mark.parametrize("name", ["claude", "claude-acp", "codex", "codex-acp", "gemini", "qwen"])
def test_its_own_program_is_told_the_level_too_as_it_would_choose_another(name: str) -> None:
    seen = {level: of_builtin(name, raw(name), level).launch.interactive for level in levels_of(raw(name))}
    assert len(set(seen.values())) == len(seen), "each level says something else"
    for words in seen.values():
        assert {"--permission-mode", "--sandbox", "--approval-mode"} & set(words) or "bypass" in words[-1]
        assert not {"auto", "--approve-for-me"} & set(words), "no mode in which a model decides"


@pytest.mark.parametrize("name", sorted(TRIED))
def test_a_model_is_taken(name: str) -> None:
    found = settings.read({"presets": {name: {"model": "the-model"}}}, lambda _path: 1, builtins.raw)
    assert isinstance(found, settings.Settings), found
    launch = found.presets[name].launch
    assert "the-model" in " ".join([*launch.argv, *launch.env.values()])


def test_what_the_prompt_follows_stands_last() -> None:
    for name, last in (("aider", "--message"), ("mini", "--task")):
        found = settings.read({"presets": {name: {"model": "m", "args": ["--x"]}}}, lambda _path: 1, builtins.raw)
        assert isinstance(found, settings.Settings), found
        assert found.presets[name].launch.argv[-1] == last


def test_no_secret_and_no_address_stands_in_a_file() -> None:
    for name in NAMES:
        text = (builtins.folder() / f"{name}.yaml").read_text(encoding="utf-8")
        assert "://" not in text
        assert not [key for key in made(name).launch.env if re.search(r"KEY|TOKEN|SECRET|BASE_URL", key)]


# Lines as the releases in the files print them.
LINES: list[tuple[str, str, Any]] = [
    ("codex", "ended", {"type": "turn.completed", "usage": {"input_tokens": 1}}),
    (
        "codex",
        "failed",
        {"type": "turn.failed", "error": {"message": "exceeded retry limit, last status: 429 Too"}},
    ),
    (
        "codex",
        "failed overload",
        {"type": "turn.failed", "error": {"message": "unexpected status 529 <unknown status code>: Overloaded"}},
    ),
    ("codex", "failed auth", {"type": "turn.failed", "error": {"message": "unexpected status 401 Unauthorized: x"}}),
    ("codex", "retrying", {"type": "error", "message": "Reconnecting... 1/5 (unexpected status 529)"}),
    ("codex", "", {"type": "item.completed", "item": {"type": "error", "message": "Model metadata not found"}}),
    ("codex", "lost", "Error: thread/resume: thread/resume failed: no rollout found for thread id 01a2 (code -32600)"),
    ("pi", "ended", {"type": "turn_end", "message": {"role": "assistant", "stopReason": "stop"}}),
    ("pi", "", {"type": "turn_end", "message": {"role": "assistant", "stopReason": "toolUse"}}),
    (
        "pi",
        "failed auth",
        {"type": "turn_end", "message": {"stopReason": "error", "errorMessage": '401: {"type": "a"}'}},
    ),
    (
        "pi",
        "failed",
        {"type": "turn_end", "message": {"stopReason": "error", "errorMessage": '429: {"type": "a"}'}},
    ),
    ("pi", "failed overload", {"type": "turn_end", "message": {"stopReason": "error", "errorMessage": "529: {}"}}),
    ("pi", "retrying", {"type": "auto_retry_start", "attempt": 1, "maxAttempts": 3, "delayMs": 2000}),
    ("pi", "failed", {"type": "auto_retry_end", "success": False, "attempt": 3}),
    ("pi", "", {"type": "agent_settled", "aborted": False}),
    ("pi", "lost", "No session found matching '01a22d45-0000'"),
    ("aider", "ended", "Tokens: 10 sent, 5 received."),
    ("aider", "ended", "Tokens: 4.5k sent, 1.2k received. Cost: $0.01 message, $0.02 session."),
    ("aider", "retrying", "Retrying in 16.0 seconds..."),
    ("aider", "overload", "litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached"),
    ("aider", "limit overload", "litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your quota"),
    ("aider", "overload", "litellm.APIError: APIError: OpenAIException - Overloaded"),
    ("aider", "auth", "litellm.AuthenticationError: AuthenticationError: OpenAIException - invalid"),
    ("mini", "ended", "Saved trajectory to "),
    ("mini", "", "Exit:"),
    ("mini", "retrying", "Retrying <unknown> in 4 seconds as it raised RateLimitError: litellm.RateLimitError: x"),
    ("mini", "auth", "AuthenticationError: litellm.AuthenticationError: AuthenticationError: "),
    ("mini", "overload", "RateLimitError: litellm.RateLimitError: RateLimitError: OpenAIException - x"),
    ("mini", "limit overload", "RateLimitError: litellm.RateLimitError: OpenAIException - quota exceeded"),
    ("mini", "overload", "APIError: litellm.APIError: APIError: OpenAIException - Overloaded."),
]


@pytest.mark.parametrize(("name", "kinds", "line"), LINES)
def test_the_lines_of_the_tried_release_mean_what_they_say(name: str, kinds: str, line: Any) -> None:
    output = made(name).launch.output
    event = line if isinstance(line, dict) else None
    text = str(line)

    def fit(marks: tuple[Mark, ...]) -> bool:
        return any(fits(mark, text, event) for mark in marks)

    found = {kind for kind in output.__struct_fields__ if fit(getattr(output, kind))}
    assert found == set(kinds.split())


def test_a_name_that_is_no_plain_word_reads_no_file(tmp_path: Path) -> None:
    for name in ("", "../presets/pi", "pi.yaml", "PI", "a/b", "nobody", "pi\n"):
        assert builtins.raw(name) is None


def test_data_that_is_wrong_is_refused_with_its_key() -> None:
    good = raw("pi")
    for bad, key in (
        ({"colour": "red"}, "colour"),
        ({"env": {"A": 1}}, "env.A"),
        ({"autonomy": {"default": "all", "all": {"env": {"A": 1}}}}, "autonomy.all.env.A"),
        ({"output": {"ended": ["(a+)+"]}}, "output.ended"),
        ({"autonomy": {"default": "edits", "all": {}}}, "autonomy.default"),
    ):
        with pytest.raises(ValueError, match=re.escape(key)):
            of_builtin("pi", good | bad)
    with pytest.raises(ValueError, match="no command"):
        of_builtin("pi", {"title": "pi"})
