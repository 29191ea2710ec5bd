"""Whether an agent's arguments let it work with nobody there, and what it may then do: asks the tables of `headless`
and `modes` under the agent's name. Pure.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from console.adapters.preflight.headless import HEADLESS, claude_stream
from console.adapters.preflight.judged import ANYTHING, ASKS, PARKS, REFUSED, Args, Judged, Level, as_root
from console.adapters.preflight.modes import acp
from console.core.records import Launch
from console.core.settings import Preset

__all__ = ["Judged", "Level", "askable", "judge", "of_preset"]

LEVELS = {"ask": Judged("warning", ASKS), "edits": Judged("warning", PARKS), "all": Judged("ok", ANYTHING)}
"""What a built-in preset means by its levels, for an agent that is not in the tables below."""


def of_preset(preset: Preset, environ: Mapping[str, str], uid: int) -> Judged:
    """What a preset allows: by its arguments and mode, else by the level that it says it is at."""
    judged = judge(preset.launch, environ, uid)
    level = LEVELS.get(preset.autonomy)
    if judged.known or level is None:
        return judged
    asks = preset.launch.protocol != "command"
    return level if asks or level.level == "ok" else Judged("warning", REFUSED)


def judge(launch: Launch, environ: Mapping[str, str], uid: int) -> Judged:
    """What these arguments allow. environ: as the agent would see it."""
    name, words = _program(launch.argv)
    args = Args(words, environ, launch.prompt_by == "stdin")
    if launch.protocol == "acp":
        return acp(name, args, launch.mode or "", uid)
    if launch.protocol == "claude-stream":
        return as_root("claude", args, uid) or claude_stream(args)
    rule = HEADLESS.get(name)
    return as_root(name, args, uid) or (rule(args) if rule else _stranger(name))


def _stranger(name: str) -> Judged:
    text = f"{name} is not known here: nobody can tell whether it would ask for something"
    return Judged("warning", text, known=False)


def askable(preset: Preset) -> bool:
    """Whether asking for the version does nothing else: a program that nobody knows and that takes its last argument
    for a prompt would do a turn's work with `--version` as the task."""
    known = _program(preset.launch.argv)[0] in HEADLESS
    return known or bool(preset.version) or preset.launch.protocol != "command"


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
    "@zed-industries/codex-acp": "zed-codex-acp",
    "@earendil-works/pi-coding-agent": "pi",
    "@mariozechner/pi-coding-agent": "pi",
    "opencode-ai": "opencode",
    "aider-chat": "aider",
    "mini-swe-agent": "mini",
}
