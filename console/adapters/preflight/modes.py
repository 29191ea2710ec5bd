"""What agents of the Agent Client Protocol may do without asking, by the mode they are in. Pure, like `headless`."""

from __future__ import annotations

from console.adapters.preflight.headless import HEADLESS
from console.adapters.preflight.judged import (
    ANYTHING,
    ASKS,
    EDITS,
    OPENCODE_DENIED,
    PARKS,
    REFUSED,
    ROOT_CURE,
    Args,
    Judged,
    opencode_rules,
)

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
    "cursor-agent": ("acp",),
    "openclaw": ("acp",),
    "grok": ("stdio",),
}
"""Programs that speak the protocol only when told to, and how. The others always do (claude-agent-acp, codex-acp,
vibe-acp, amp-acp), or are not known here: Cursor's `agent acp` has a name that any program may have. Grok is told by
`grok agent stdio`."""

DEFAULT_MODE = {"claude-agent-acp": "auto", "codex-acp": "agent", "gemini": "default", "qwen": "auto"}
MODES: dict[str, Judged] = {
    "auto": Judged("warning", "a model of its own decides what it may do without asking", "set the preset's `mode`"),
    "agent": Judged("ok", "may edit files and run commands inside codex's own sandbox; a model decides about more"),
    "default": Judged("warning", ASKS, "set the preset's `mode` to one that may edit"),
    "manual": Judged("warning", ASKS, "set the preset's `mode` to one that may edit"),
    "dontAsk": Judged("warning", REFUSED, "set the preset's `mode` to one that may edit"),
    "acceptEdits": Judged("warning", PARKS),
    "autoEdit": Judged("warning", PARKS),
    "auto_edit": Judged("warning", PARKS),
    "auto-edit": Judged("warning", PARKS),
    "workspace-write": Judged("ok", "may edit files and run commands inside codex's own sandbox without asking"),
    "plan": Judged("no-go", "it only plans in this mode", "set the preset's `mode` to one that may edit"),
    "read-only": Judged("no-go", "it can only read in this mode", "set the preset's `mode` to one that may edit"),
    "agent-full-access": Judged("ok", ANYTHING),
    "bypassPermissions": Judged("ok", ANYTHING),
    "yolo": Judged("ok", ANYTHING),
    "build": Judged("ok", ANYTHING + ", unless its own settings say otherwise"),
}
OLD = {"claude-code-acp": "claude-agent-acp", "zed-codex-acp": "@agentclientprotocol/codex-acp"}


def acp(name: str, args: Args, mode: str, uid: int) -> Judged:
    flags = SPEAKS.get(name)
    if flags and not any(args.has(flag) for flag in flags):
        return Judged("no-go", f"{name} does not speak ACP without {flags[0]}", f"add {flags[0]}, or set the protocol")
    if name in HEADLESS and not flags:
        return Judged("no-go", f"{name} does not speak ACP", f"set `protocol: {_protocol(name)}`")
    if name in OLD:
        return Judged("warning", f"{name} does not end by itself and is no longer made", f"use {OLD[name]}")
    given = mode or _mode_of_its_own(name, args)
    if name == "opencode" and given in ("", "build"):
        return _opencode_acp(args)
    if given == "bypassPermissions" and uid == 0 and args.env.get("IS_SANDBOX") != "1":
        return Judged("no-go", f"{name} has no such mode as root", ROOT_CURE)
    if name == "claude-agent-acp" and uid == 0 and args.env.get("IS_SANDBOX", "1") not in ("", "1"):
        said = f"{name} takes IS_SANDBOX={args.env['IS_SANDBOX'][:40]!r} for a yes and claude does not: only '1' counts"
        return Judged("no-go", f"{said}, so it would not start as root", "set IS_SANDBOX to '1', or unset it")
    if name == "codex-acp" and given == "read-only":
        return Judged("warning", "can only read; each edit or command beyond that is a question that parks its ticket")
    if known := MODES.get(given):
        return known
    text = "may do without asking what its own settings allow; each question parks its ticket"
    return Judged("ok", f"in its mode {given!r} it {text}" if given else text, known=False)


def _mode_of_its_own(name: str, args: Args) -> str:
    """The mode that it begins in when nobody sets one."""
    told = args.value("--approval-mode") or ("yolo" if name in ("gemini", "qwen") and args.has("-y", "--yolo") else "")
    if name == "codex-acp":
        told = args.env.get("INITIAL_AGENT_MODE", "")
    return told or DEFAULT_MODE.get(name, "")


def _opencode_acp(args: Args) -> Judged:
    """It has no mode that asks: its rules come from the environment, and a question parks the ticket."""
    match opencode_rules(args):
        case ("allow", "allow"):
            return MODES["build"]
        case ("allow", "deny"):
            return Judged("warning", EDITS)
        case ("allow", _):
            return Judged("warning", PARKS)
        case ("deny", _):
            return OPENCODE_DENIED
        case _:
            return Judged("warning", ASKS, "let OPENCODE_PERMISSION allow `edit`")


def _protocol(name: str) -> str:
    return "claude-stream" if name == "claude" else "command"
