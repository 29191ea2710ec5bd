"""Whether an agent's arguments let it work with nobody there: what the known command lines need, as one table.

Pure. Flags drift from release to release; what is said here was measured with the versions of late 2026.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from console.core.records import Launch
from console.core.settings import Preset

Level = Literal["ok", "warning", "no-go"]


@dataclass(frozen=True, slots=True)
class Judged:
    """text: what the agent may do without asking, or why it cannot work alone. cure: what to add to its command."""

    level: Level
    text: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Args:
    """A command's arguments as most programs read them."""

    words: tuple[str, ...]
    env: Mapping[str, str]
    stdin: bool

    def has(self, *flags: str) -> bool:
        return any(word in flags or word.split("=", 1)[0] in flags for word in self.words)

    def value(self, *flags: str) -> str:
        """What follows the last of these flags, or stands behind its `=`."""
        found = ""
        for number, word in enumerate(self.words):
            name, equals, given = word.partition("=")
            if name in flags:
                found = given if equals else "".join(self.words[number + 1 : number + 2])
        return found

    @property
    def last_flag(self) -> str:
        return next((word for word in reversed(self.words) if word.startswith("-")), "")


ANYTHING = "may edit files and run any command without asking"
EDITS = "may edit files without asking; commands that it wants to run are refused, so that much may go undone"
ASKS = "asks before it edits or runs anything: each question parks its ticket"


def judge(launch: Launch, environ: Mapping[str, str], uid: int) -> Judged:
    """What these arguments allow. environ: as the agent would see it."""
    name, words = _program(launch.argv)
    args = Args(words, environ, launch.prompt_by == "stdin")
    if launch.protocol == "acp":
        return _acp(name, args, launch.mode or "", uid)
    rule = HEADLESS.get(name)
    if rule is None:
        return Judged("warning", f"{name} is not known here: nobody can tell whether it would ask for something")
    judged = rule(args)
    return _as_root(name, args, uid) or judged


def askable(preset: Preset) -> bool:
    """Whether asking for the version does nothing else: a program that nobody knows and that takes its last argument
    for a prompt would do a turn's work with `--version` as the task."""
    known = _program(preset.launch.argv)[0] in HEADLESS
    return known or bool(preset.version) or preset.launch.protocol == "acp"


def _program(argv: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """(name of the agent, its arguments), behind launchers such as npx and env."""
    words = list(argv)
    while len(words) > 1 and os.path.basename(words[0]) in LAUNCHERS:
        words.pop(0)
        while len(words) > 1 and (words[0].startswith("-") or "=" in words[0] or words[0] in ("exec", "run", "x")):
            words.pop(0)
    name = os.path.basename(words[0])
    package = words[0].rsplit("@", 1)[0] if "@" in words[0][1:] else words[0]
    return PACKAGES.get(package, os.path.basename(package) or name), tuple(words[1:])


LAUNCHERS = ("npx", "bunx", "pnpx", "uvx", "pipx", "env", "nice", "ionice", "stdbuf")
PACKAGES = {
    "@anthropic-ai/claude-code": "claude",
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "@qwen-code/qwen-code": "qwen",
    "@github/copilot": "copilot",
    "opencode-ai": "opencode",
    "aider-chat": "aider",
    "mini-swe-agent": "mini",
}


def _waits(name: str, cure: str) -> Judged:
    return Judged("no-go", f"{name} would open its screen and wait for a person", cure)


def _as_root(name: str, args: Args, uid: int) -> Judged | None:
    everything = args.has("--dangerously-skip-permissions") or args.value("--permission-mode") == "bypassPermissions"
    if name == "claude" and uid == 0 and everything and args.env.get("IS_SANDBOX") != "1":
        cure = "start the run as another user, or set IS_SANDBOX: '1' in the preset's env inside a container"
        return Judged("no-go", "claude refuses to skip permissions as root", cure)
    return None


# -- one process a turn ----------------------------------------------------------------------------------


def _claude(args: Args) -> Judged:
    if not args.has("-p", "--print"):
        return _waits("claude", "add -p")
    greedy = ("--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools", "--add-dir", "--tools")
    if args.last_flag.split("=")[0] in greedy and not args.stdin:
        return Judged("no-go", f"{args.last_flag} would swallow the prompt", "put another flag behind it")
    judged = _claude_may(args)
    if judged.level != "no-go" and args.value("--output-format") == "stream-json" and not args.has("--verbose"):
        return Judged("warning", "claude wants --verbose with stream-json and -p, or ends at once", "add --verbose")
    return judged


def _claude_may(args: Args) -> Judged:
    mode = args.value("--permission-mode")
    tools = args.value("--allowedTools", "--allowed-tools")
    if args.has("--dangerously-skip-permissions") or mode == "bypassPermissions":
        return Judged("ok", ANYTHING)
    if mode == "plan":
        return Judged("no-go", "claude only plans in this mode", "set --permission-mode acceptEdits")
    if mode == "auto":
        return Judged("warning", "a model of its own decides what claude may do without asking")
    if "Bash" in tools:
        return Judged("ok", f"may edit files and use {tools} without asking")
    if mode == "acceptEdits":
        return Judged(
            "warning", f"claude {EDITS}", "add --allowedTools with the commands that it needs, such as Bash(git:*)"
        )
    if tools:
        return Judged("ok", f"may use {tools} without asking, nothing else")
    return Judged("no-go", "claude would be refused every edit", "add --permission-mode acceptEdits, or more")


def _codex(args: Args) -> Judged:
    if not ({"exec", "e"} & set(args.words)):
        return _waits("codex", "write `codex exec`")
    mode = args.value("-s", "--sandbox")
    if args.has("--dangerously-bypass-approvals-and-sandbox", "--yolo") or mode == "danger-full-access":
        return Judged("ok", ANYTHING)
    if mode == "workspace-write" or args.has("--full-auto") or any("sandbox_mode" in word for word in args.words):
        return Judged("ok", "may edit files and run commands inside codex's own sandbox without asking")
    return Judged("no-go", "codex could only read", "add -s workspace-write")


def _gemini(args: Args) -> Judged:
    return _by_approval_mode("gemini", args, "auto_edit")


def _qwen(args: Args) -> Judged:
    return _by_approval_mode("qwen", args, "auto-edit")


def _by_approval_mode(name: str, args: Args, edits: str) -> Judged:
    if not (args.stdin or args.has("-p", "--prompt", "-o", "--output-format")):
        return _waits(name, "add -p as its last argument")
    mode = args.value("--approval-mode")
    if args.has("-y", "--yolo") or mode == "yolo":
        return Judged("ok", ANYTHING)
    if mode == edits:
        return Judged("warning", f"{name} {EDITS}", "use --approval-mode yolo if it may run commands too")
    if mode == "auto":
        return Judged("warning", f"a model of its own decides what {name} may do without asking")
    return Judged("no-go", f"{name} has no tools that write in this mode", f"add --approval-mode {edits}, or yolo")


def _opencode(args: Args) -> Judged:
    if "run" not in args.words:
        return _waits("opencode", "write `opencode run`")
    if args.value("--agent") == "plan":
        return Judged("no-go", "opencode's agent `plan` changes nothing", "leave out --agent plan")
    rules = args.env.get("OPENCODE_PERMISSION", "")
    if not args.has("--auto") and ('"ask"' in rules or '"deny"' in rules):
        text = "opencode ends its turn at the first thing that OPENCODE_PERMISSION does not allow"
        return Judged("warning", text, "allow what the work needs")
    return Judged("ok", ANYTHING + ", unless its own settings say otherwise")


def _copilot(args: Args) -> Judged:
    if not (args.stdin or args.has("-p", "--prompt")):
        return _waits("copilot", "add -p as its last argument")
    if args.has("--allow-all-tools", "--allow-all", "--yolo"):
        return Judged("ok", ANYTHING)
    if args.has("--allow-tool"):
        return Judged("warning", "copilot may use the tools that --allow-tool names and is refused all others")
    return Judged("no-go", "copilot would be refused every tool", "add --allow-all-tools, or --allow-tool")


def _aider(args: Args) -> Judged:
    if not args.has("--message", "-m", "--message-file", "-f", "--msg"):
        return _waits("aider", "add --message as its last argument")
    if not args.has("--yes-always", "--yes"):
        return Judged("no-go", "aider asks before it edits files that it was not given", "add --yes-always")
    return Judged("ok", "may edit files without asking; it runs what its own settings name")


def _pi(args: Args) -> Judged:
    if not (args.has("-p", "--print") or args.value("--mode") in ("json", "rpc")):
        return _waits("pi", "add -p")
    return Judged("ok", ANYTHING + ": pi knows no permissions")


def _mini(args: Args) -> Judged:
    if not args.has("-y", "--yolo"):
        return Judged("no-go", "mini asks before every command", "add -y")
    if not args.has("--exit-immediately"):
        return _waits("mini", "add --exit-immediately")
    return Judged("ok", ANYTHING)


HEADLESS: dict[str, Callable[[Args], Judged]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "qwen": _qwen,
    "opencode": _opencode,
    "copilot": _copilot,
    "aider": _aider,
    "pi": _pi,
    "mini": _mini,
}


# -- the Agent Client Protocol ---------------------------------------------------------------------------

SPEAKS: dict[str, tuple[str, ...]] = {
    "gemini": ("--acp", "--experimental-acp"),
    "qwen": ("--acp", "--experimental-acp"),
    "copilot": ("--acp",),
    "auggie": ("--acp",),
    "opencode": ("acp",),
    "goose": ("acp",),
    "kimi": ("acp",),
    "openhands": ("acp",),
    "cagent": ("acp",),
    "kiro-cli": ("acp",),
}
"""Programs that speak the protocol only when told to, and how. The others of the table below always do."""

DEFAULT_MODE = {"claude-agent-acp": "auto", "codex-acp": "agent", "gemini": "default", "qwen": "auto"}
MODES: dict[str, Judged] = {
    "auto": Judged("warning", "a model of its own decides what it may do without asking", "set the preset's `mode`"),
    "agent": Judged("ok", "may edit files and run commands inside codex's own sandbox; a model decides about more"),
    "default": Judged("warning", ASKS, "set the preset's `mode` to one that may edit"),
    "manual": Judged("warning", ASKS, "set the preset's `mode` to one that may edit"),
    "dontAsk": Judged("warning", "what it would ask for is refused", "set the preset's `mode` to one that may edit"),
    "acceptEdits": Judged("warning", EDITS.replace("are refused", "park the ticket")),
    "autoEdit": Judged("warning", EDITS.replace("are refused", "park the ticket")),
    "auto_edit": Judged("warning", EDITS.replace("are refused", "park the ticket")),
    "auto-edit": Judged("warning", EDITS.replace("are refused", "park the ticket")),
    "workspace-write": Judged("ok", "may edit files and run commands inside codex's own sandbox without asking"),
    "plan": Judged("no-go", "it only plans in this mode", "set the preset's `mode` to one that may edit"),
    "read-only": Judged("no-go", "it can only read in this mode", "set the preset's `mode` to one that may edit"),
    "agent-full-access": Judged("ok", ANYTHING),
    "bypassPermissions": Judged("ok", ANYTHING),
    "yolo": Judged("ok", ANYTHING),
    "build": Judged("ok", ANYTHING + ", unless its own settings say otherwise"),
}
OLD = {"claude-code-acp": "claude-agent-acp"}


def _acp(name: str, args: Args, mode: str, uid: int) -> Judged:
    flags = SPEAKS.get(name)
    if flags and not any(args.has(flag) for flag in flags):
        return Judged("no-go", f"{name} does not speak ACP without {flags[0]}", f"add {flags[0]}, or set the protocol")
    if name in HEADLESS and not flags:
        return Judged("no-go", f"{name} does not speak ACP", f"set `protocol: {_protocol(name)}`")
    if name in OLD:
        return Judged("warning", f"{name} does not end by itself and is no longer made", f"use {OLD[name]}")
    given = mode or args.value("--approval-mode") or DEFAULT_MODE.get(name, "")
    if name == "opencode" and not given:
        asks = '"ask"' in args.env.get("OPENCODE_PERMISSION", "")
        return MODES["default"] if asks else MODES["build"]
    if given == "bypassPermissions" and uid == 0 and args.env.get("IS_SANDBOX") != "1":
        cure = "start the run as another user, or set IS_SANDBOX: '1' in the preset's env inside a container"
        return Judged("no-go", f"{name} has no such mode as root", cure)
    known = MODES.get(given)
    if known:
        return known
    return Judged("ok", "may do without asking what its own settings allow; each question parks its ticket")


def _protocol(name: str) -> str:
    return "claude-stream" if name == "claude" else "command"
