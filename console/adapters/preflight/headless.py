"""What the known command lines need to work with nobody there, as one table: one process a turn, or claude held open.

Pure. Flags drift from release to release; what is said here was measured with the versions of late 2026.
"""

from __future__ import annotations

from collections.abc import Callable

from console.adapters.preflight.judged import (
    ANYTHING,
    ASKS,
    EDITS,
    OPENCODE_DENIED,
    PARKS,
    REFUSED,
    Args,
    Judged,
    opencode_rules,
)


def _waits(name: str, cure: str) -> Judged:
    return Judged("no-go", f"{name} would open its screen and wait for a person", cure)


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


def claude_stream(args: Args) -> Judged:
    """The same program, held open: what it would be refused in a turn of its own is a question here. The driver adds
    what makes it listen (`claude_opening.NEEDED`) unless the command says otherwise."""
    for flag in ("--input-format", "--output-format"):
        if args.has(flag) and args.value(flag) != "stream-json":
            return Judged("no-go", f"claude would not speak to us with {flag} {args.value(flag)}", f"leave out {flag}")
    mode = args.value("--permission-mode")
    if args.has("--dangerously-skip-permissions") or mode in ("bypassPermissions", "plan", "auto"):
        return _claude_may(args)
    if mode == "dontAsk" or args.value("--permission-prompts") == "none":
        return Judged("warning", REFUSED, "use --permission-mode acceptEdits, or more")
    if args.has("--permission-prompt-tool") and args.value("--permission-prompt-tool") != "stdio":
        return Judged("warning", f"{REFUSED}, or asked elsewhere", "leave out --permission-prompt-tool")
    tools = args.value("--allowedTools", "--allowed-tools")
    if "Bash" in tools:
        return Judged("ok", f"may edit files and use {tools} without asking; each other question parks its ticket")
    if mode == "acceptEdits":
        return Judged("warning", PARKS)
    return Judged("warning", f"may use {tools} without asking and asks for all else" if tools else ASKS)


def _codex(args: Args) -> Judged:
    if not ({"exec", "e"} & set(args.words)):
        return _waits("codex", "write `codex exec`")
    mode = args.value("-s", "--sandbox")
    if args.has("--dangerously-bypass-approvals-and-sandbox", "--yolo") or mode == "danger-full-access":
        return Judged("ok", ANYTHING)
    if args.has("--full-auto"):
        return Judged("no-go", "codex no longer knows --full-auto", "write -s workspace-write in its place")
    settled = next((word for word in args.words if "sandbox_mode" in word), "")
    if mode == "workspace-write" or (not mode and "workspace-write" in settled):
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
    edits, runs = opencode_rules(args)
    if edits == "deny":
        return OPENCODE_DENIED
    if not args.has("--auto") and {edits, runs} != {"allow"}:
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
