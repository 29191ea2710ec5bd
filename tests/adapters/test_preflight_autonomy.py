"""What the arguments of real agents allow with nobody there, as `facts` about their command lines have it."""

from __future__ import annotations

import pytest

from console.adapters.agents import builtins
from console.adapters.preflight.autonomy import Level, judge, of_preset
from console.core import presets
from console.core.presets import Preset
from console.core.records import Launch, Protocol

CLAUDE = "claude -p --output-format stream-json --verbose"


def level(command: str, protocol: Protocol = "command", *, mode: str = "", uid: int = 1000, **how: object) -> Level:
    env = {key.upper(): str(value) for key, value in how.items() if key != "stdin"}
    launch = Launch(
        argv=tuple(command.split()),
        protocol=protocol,
        prompt_by="stdin" if how.get("stdin") else "argument",
        mode=mode or None,
    )
    judged = judge(launch, env, uid)
    assert judged.text and (judged.level != "no-go" or judged.cure), judged
    return judged.level


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"{CLAUDE} --permission-mode acceptEdits", "warning"),
        (f"{CLAUDE} --permission-mode=acceptEdits", "warning"),
        (f"{CLAUDE} --permission-mode acceptEdits --allowedTools Bash(git:*) --model m", "ok"),
        (f"{CLAUDE} --permission-mode bypassPermissions", "ok"),
        (f"{CLAUDE} --dangerously-skip-permissions", "ok"),
        (f"{CLAUDE} --permission-mode auto", "warning"),
        (f"{CLAUDE} --permission-mode plan", "no-go"),
        (CLAUDE, "no-go"),
        ("claude --permission-mode acceptEdits", "no-go"),
        (f"{CLAUDE} --permission-mode acceptEdits --allowedTools Bash Edit", "no-go"),
        ("claude -p --output-format stream-json --dangerously-skip-permissions", "warning"),
        ("/opt/bin/claude -p --dangerously-skip-permissions", "ok"),
        ("npx -y @anthropic-ai/claude-code@latest -p --dangerously-skip-permissions", "ok"),
        ("npx -y @anthropic-ai/claude-code", "no-go"),
        ("codex exec --json -s workspace-write", "ok"),
        ("codex exec --json --sandbox=workspace-write", "ok"),
        ("codex exec --json -s danger-full-access", "ok"),
        ("codex exec --json --dangerously-bypass-approvals-and-sandbox", "ok"),
        ("codex exec --json", "no-go"),
        ("codex exec --json --full-auto", "no-go"),
        ('codex exec --json -c sandbox_mode="workspace-write"', "ok"),
        ('codex exec --json -c sandbox_mode="read-only"', "no-go"),
        ("codex exec --json -s read-only", "no-go"),
        ("codex -s workspace-write", "no-go"),
        ("gemini --approval-mode yolo -o stream-json -p", "ok"),
        ("gemini -y -p", "ok"),
        ("gemini --approval-mode auto_edit -p", "warning"),
        ("gemini --approval-mode plan -p", "no-go"),
        ("gemini -p", "no-go"),
        ("gemini --yolo", "no-go"),
        ("qwen --auth-type openai --approval-mode auto-edit -o stream-json", "warning"),
        ("qwen --approval-mode yolo -o stream-json", "ok"),
        ("opencode run --format json", "ok"),
        ("opencode --format json", "no-go"),
        ("opencode run --agent plan", "no-go"),
        ("copilot --allow-all-tools -p", "ok"),
        ("copilot --allow-tool write -p", "warning"),
        ("copilot -p", "no-go"),
        ("copilot --allow-all-tools", "no-go"),
        ("aider --yes-always --message", "ok"),
        ("aider --message", "no-go"),
        ("aider --yes-always", "no-go"),
        ("pi --mode json -p", "ok"),
        ("pi", "no-go"),
        ("mini -y --exit-immediately -t", "ok"),
        ("mini -y -t", "no-go"),
        ("mini --exit-immediately -t", "no-go"),
        ("my-own-agent --go", "warning"),
    ],
)
def test_a_command_line_that_would_wait_or_write_nothing_is_no_go(command: str, expected: str) -> None:
    assert level(command) == expected


@pytest.mark.parametrize(
    ("command", "mode", "expected"),
    [
        ("claude-agent-acp", "", "warning"),
        ("claude-agent-acp", "acceptEdits", "warning"),
        ("claude-agent-acp", "bypassPermissions", "ok"),
        ("claude-agent-acp", "plan", "no-go"),
        ("claude-code-acp", "acceptEdits", "warning"),
        ("codex-acp", "", "ok"),
        ("codex-acp", "read-only", "warning"),
        ("gemini --acp", "", "warning"),
        ("gemini --acp", "yolo", "ok"),
        ("gemini --acp --approval-mode yolo", "", "ok"),
        ("gemini", "yolo", "no-go"),
        ("qwen --acp", "auto-edit", "warning"),
        ("opencode acp", "", "ok"),
        ("opencode", "", "no-go"),
        ("claude -p", "acceptEdits", "no-go"),
        ("opencode acp", "plan", "no-go"),
        ("opencode acp", "build", "ok"),
        ("cursor-agent", "", "no-go"),
        ("grok agent stdio", "", "ok"),
        ("grok", "", "no-go"),
        ("openclaw acp", "", "ok"),
        ("vibe-acp", "", "ok"),
        ("npx -y amp-acp", "", "ok"),
        ("npx -y @zed-industries/codex-acp", "workspace-write", "warning"),
        ("some-acp-agent", "", "ok"),
    ],
)
def test_an_acp_agent_counts_for_what_its_mode_lets_it_do(command: str, mode: str, expected: str) -> None:
    assert level(command, "acp", mode=mode) == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("", "warning"),
        ("-p --permission-mode manual", "warning"),
        ("-p --permission-mode acceptEdits", "warning"),
        ("-p --permission-mode acceptEdits --allowedTools Bash(git:*)", "ok"),
        ("-p --permission-mode bypassPermissions", "ok"),
        ("-p --permission-mode dontAsk", "warning"),
        ("-p --permission-prompts none", "warning"),
        ("-p --permission-mode auto", "warning"),
        ("-p --permission-mode plan", "no-go"),
        ("-p --output-format json", "no-go"),
        ("-p --input-format text", "no-go"),
    ],
)
def test_claude_held_open_asks_where_it_would_be_refused_in_a_turn_of_its_own(flags: str, expected: str) -> None:
    assert level(f"claude {flags}", "claude-stream") == expected


def test_what_is_refused_and_what_parks_is_said_apart() -> None:
    manual = Launch(argv=("claude", "-p", "--permission-mode", "manual"), protocol="claude-stream")
    assert "each question parks its ticket" in judge(manual, {}, 1000).text
    mute = Launch(argv=("claude", "-p", "--permission-mode", "dontAsk"), protocol="claude-stream")
    assert "is refused" in judge(mute, {}, 1000).text


@pytest.mark.parametrize("name", builtins.names())
def test_every_level_of_a_built_in_preset_can_work_with_nobody_there(name: str) -> None:
    """And says what the level promises: `all` without a question, less with one."""
    raw = builtins.raw(name) or {}
    for one in presets.LEVELS:
        if one in raw.get("autonomy", {}):
            preset = presets.of_builtin(name, raw, one)
            judged = of_preset(preset, preset.launch.env, 1000)
            assert judged.known and (judged.level == "ok" or one != "all"), (one, judged)
            assert judged.level != "no-go", (one, judged)


def test_of_an_agent_that_nobody_knows_the_level_that_it_is_at_counts() -> None:
    launch = Launch(argv=("/opt/agent-7", "acp"), mode="wild")
    assert [of_preset(Preset(launch=launch, autonomy=one), {}, 1000).level for one in ("", *presets.LEVELS)] == [
        *("ok", "warning", "warning", "ok")
    ]
    mute = Launch(argv=("/opt/agent-7",), protocol="command")
    assert "refused" in of_preset(Preset(launch=mute, autonomy="edits"), {}, 1000).text


def test_a_prompt_on_stdin_swallows_nothing_and_needs_no_flag_for_it() -> None:
    assert level(f"{CLAUDE} --permission-mode acceptEdits --allowedTools Bash", stdin=True) == "ok"
    assert level("gemini --yolo", stdin=True) == "ok"


def test_claude_refuses_to_skip_permissions_as_root_outside_a_container() -> None:
    command = f"{CLAUDE} --dangerously-skip-permissions"
    assert level(command, uid=0) == "no-go"
    assert level(command, uid=0, is_sandbox=1) == "ok"
    assert level("claude-agent-acp", "acp", mode="bypassPermissions", uid=0) == "no-go"
    assert level("/opt/my-claude --dangerously-skip-permissions", "claude-stream", uid=0) == "no-go"


@pytest.mark.parametrize(
    ("command", "protocol"), [(f"{CLAUDE} --dangerously-skip-permissions", "command"), ("claude-agent-acp", "acp")]
)
def test_only_the_value_1_says_that_root_is_in_a_sandbox(command: str, protocol: Protocol) -> None:
    launch = Launch(argv=tuple(command.split()), protocol=protocol, mode="acceptEdits")
    judged = judge(launch, {"IS_SANDBOX": "yes"}, 0)
    assert judged.level == "no-go" and "only" in judged.text and "'1'" in judged.text and "IS_SANDBOX" in judged.cure
    assert judge(launch, {"IS_SANDBOX": "1"}, 0).level != "no-go"
    assert protocol == "command" or judge(launch, {"IS_SANDBOX": "yes"}, 1000).level != "no-go"


def test_an_opencode_that_asks_is_a_warning() -> None:
    rules = '{"edit":"ask"}'
    assert level("opencode run", opencode_permission=rules) == "warning"
    assert level("opencode run --auto", opencode_permission=rules) == "ok"
    assert level("opencode acp", "acp", opencode_permission=rules) == "warning"
    assert level("opencode acp", "acp", mode="build", opencode_permission=rules) == "warning"
    for rules in ('{"edit":"allow","bash":{"*":"ask"}}', '{"edit":"allow","bash":"deny"}', "no json", '"ask"'):
        assert level("opencode acp", "acp", opencode_permission=rules) == "warning"
    assert level("opencode acp", "acp", opencode_permission='{"edit":"deny"}') == "no-go"
    assert level("opencode run", opencode_permission='{"*":"deny"}') == "no-go"
    assert level("opencode acp", "acp", opencode_permission='{"edit":{"*":"allow"},"bash":[1]}') == "warning"
