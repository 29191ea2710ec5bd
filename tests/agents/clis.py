"""The agents under test: where each is installed, and what makes it talk to a model server instead of its own service.

`environment` is all that another test needs. It must not import the product or pytest.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KEY = "scripted-key-0123456789"
"""Every agent's API key. Nobody checks it."""

MODEL = "scripted"


def folder() -> Path:
    """Where the agents are: $NIGHTDESK_AGENTS_DIR, else nightdesk-agents in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("NIGHTDESK_AGENTS_DIR") or Path(cache) / "nightdesk-agents").absolute()


# -- where they are --------------------------------------------------------------------------------------

EXECUTABLES = {
    "claude": "node_modules/.bin/claude",
    "claude-acp": "node_modules/.bin/claude-agent-acp",
    "codex": "node_modules/.bin/codex",
    "codex-acp": "node_modules/.bin/codex-acp",
    "gemini": "node_modules/.bin/gemini",
    "qwen": "node_modules/.bin/qwen",
    "opencode": "node_modules/.bin/opencode",
    "pi": "node_modules/.bin/pi",
    "aider": "aider/bin/aider",
    "mini": "mini/bin/mini",
}
NAMES = tuple(EXECUTABLES)
NATIVE = ("claude", "opencode", "aider", "mini")
"""Those that run without node."""


def executable(name: str, below: Path | None = None) -> Path:
    """The agent's program, whether it is there or not."""
    return (below or folder()) / EXECUTABLES[name]


def path_for(name: str, below: Path | None = None) -> str:
    """A PATH on which the agent is found first, and the node that it needs."""
    places = [(below or folder()) / "node_modules" / "node" / "bin", executable(name, below).parent]
    return os.pathsep.join([*(str(place) for place in places if place.is_dir()), os.environ.get("PATH", os.defpath)])


def missing(name: str) -> str:
    """Why the agent cannot be run here; "" when it can."""
    if not executable(name).exists():
        return f"{name} is not in {folder()}: python tests/agents/install.py FOLDER {name}, NIGHTDESK_AGENTS_DIR=FOLDER"
    if name not in NATIVE and shutil.which("node", path=path_for(name)) is None:
        return "node is neither on PATH nor in the folder of the agents"
    return ""


# -- what makes them talk to the server ------------------------------------------------------------------


def environment(name: str, url: str, home: Path) -> dict[str, str]:
    """Write the agent's configuration below `home` (created when missing) and return the variables to add.

    `HOME` and `PATH` are among them. url: the model server's, without a path. Calling it again changes nothing.
    """
    home.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), "PATH": path_for(name), "TERM": "xterm-256color", "LANG": "C.UTF-8"} | WAYS[name](
        url, home
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _claude(url: str, home: Path) -> dict[str, str]:
    """The file spares its interactive mode the first questions; as root it refuses to bypass without IS_SANDBOX."""
    known = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []}}
    if not (home / ".claude.json").exists():
        _write(home / ".claude.json", json.dumps(known))
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    }


def _codex(url: str, home: Path) -> dict[str, str]:
    """Its sandbox does not start from a CODEX_HOME below the temporary folder: it is given another one of those.

    Plugins and apps are off because they ask the network at start.
    """
    lines = [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "[features]",
        "plugins = false",
        "apps = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        f'base_url = "{url}/v1"',
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
    ]
    _write(home / ".codex" / "config.toml", "\n".join(lines) + "\n")
    (home / "tmp").mkdir(exist_ok=True)
    return {"CODEX_HOME": str(home / ".codex"), "SCRIPTED_KEY": KEY, "TMPDIR": str(home / "tmp")}


def _gemini(url: str, home: Path) -> dict[str, str]:
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    _write(home / ".gemini" / "settings.json", json.dumps(settings))
    return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": KEY, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def _qwen(url: str, home: Path) -> dict[str, str]:
    """Without the settings about memory and suggestions it has whole turns of its own after each of ours."""
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "ui": {"enableFollowupSuggestions": False},
        "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False},
    }
    _write(home / ".qwen" / "settings.json", json.dumps(settings))
    return {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}


def _opencode(url: str, home: Path) -> dict[str, str]:
    models = {MODEL: {"name": MODEL, "tool_call": True}}
    options = {"baseURL": f"{url}/v1", "apiKey": KEY}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": options, "models": models}
    config = {"model": f"scripted/{MODEL}", "provider": {"scripted": provider}}
    _write(home / ".config" / "opencode" / "opencode.json", json.dumps(config))
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "npm_config_offline": "true",
    }


def _pi(url: str, home: Path) -> dict[str, str]:
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": KEY, "models": [{"id": MODEL}]}
    _write(home / ".pi" / "agent" / "models.json", json.dumps({"providers": {"scripted": provider}}))
    chosen = {"defaultProvider": "scripted", "defaultModel": MODEL}
    _write(home / ".pi" / "agent" / "settings.json", json.dumps(chosen))
    return {"PI_OFFLINE": "1"}


def _aider(url: str, home: Path) -> dict[str, str]:
    return {
        "OPENAI_API_BASE": f"{url}/v1",
        "OPENAI_API_KEY": KEY,
        "AIDER_MODEL": f"openai/{MODEL}",
        "AIDER_CHECK_UPDATE": "false",
        "AIDER_ANALYTICS_DISABLE": "true",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


def _mini(url: str, home: Path) -> dict[str, str]:
    return {
        "OPENAI_API_BASE": f"{url}/v1",
        "OPENAI_API_KEY": KEY,
        "MSWEA_MODEL_NAME": f"openai/{MODEL}",
        "MSWEA_CONFIGURED": "true",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


WAYS: dict[str, Callable[[str, Path], dict[str, str]]] = {
    "claude": _claude,
    "claude-acp": _claude,
    "codex": _codex,
    "codex-acp": _codex,
    "gemini": _gemini,
    "qwen": _qwen,
    "opencode": _opencode,
    "pi": _pi,
    "aider": _aider,
    "mini": _mini,
}


# -- how they are driven ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Acp:
    """An agent's ACP mode. mode: the session mode in which an edit asks first; env: what makes it ask instead."""

    args: tuple[str, ...] = ()
    mode: str = ""
    env: Mapping[str, str] = field(default_factory=dict)


ACP = {
    "claude-acp": Acp(mode="default"),
    "codex-acp": Acp(mode="read-only"),
    "gemini": Acp(("--acp",), mode="default"),
    "qwen": Acp(("--acp", "--auth-type", "openai"), mode="default"),
    "opencode": Acp(("acp",), env={"OPENCODE_PERMISSION": '{"edit":"ask"}'}),
}


@dataclass(frozen=True, slots=True)
class Headless:
    """An agent's one-turn mode; `{prompt}`, `{id}` and `{home}` are put in.

    key: the field of its output lines with the conversation's id. ended: what its last line must have, or a text that
    must be in the output, when the turn ended well. again: how that conversation goes on, empty where it cannot.
    """

    first: tuple[str, ...]
    ended: Mapping[str, Any] | str
    key: str = ""
    again: tuple[str, ...] = ()


_GEMINI = ("--approval-mode", "auto_edit", "--skip-trust", "-o", "stream-json")
_CLAUDE = ("-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits")
_CODEX = ("exec", "--json", "-s", "workspace-write")
_QWEN = ("--auth-type", "openai", "--approval-mode", "auto-edit", "-o", "stream-json")
_AIDER = (
    *("--edit-format", "whole", "--yes-always", "--no-pretty", "--no-stream", "--no-show-model-warnings"),
    *("--no-show-release-notes", "--no-gitignore", "--no-suggest-shell-commands", "--map-tokens", "0"),
)

HEADLESS = {
    "claude": Headless(
        first=(*_CLAUDE, "{prompt}"),
        again=(*_CLAUDE, "--resume", "{id}", "{prompt}"),
        key="session_id",
        ended={"type": "result", "is_error": False},
    ),
    "codex": Headless(
        first=(*_CODEX, "{prompt}"),
        again=(*_CODEX, "resume", "{id}", "{prompt}"),
        key="thread_id",
        ended={"type": "turn.completed"},
    ),
    "gemini": Headless(
        first=(*_GEMINI, "-p", "{prompt}"),
        again=(*_GEMINI, "--resume", "{id}", "-p", "{prompt}"),
        key="session_id",
        ended={"type": "result", "status": "success"},
    ),
    "qwen": Headless(
        first=(*_QWEN, "{prompt}"),
        again=(*_QWEN, "--resume", "{id}", "{prompt}"),
        key="session_id",
        ended={"type": "result", "is_error": False},
    ),
    "opencode": Headless(
        first=("run", "--format", "json", "{prompt}"),
        again=("run", "--format", "json", "-s", "{id}", "{prompt}"),
        key="sessionID",
        ended={"type": "step_finish", "part": {"reason": "stop"}},
    ),
    "pi": Headless(
        first=("--mode", "json", "-p", "{prompt}"),
        again=("--mode", "json", "-p", "--session", "{id}", "{prompt}"),
        key="id",
        ended={"type": "agent_settled", "aborted": False},
    ),
    "aider": Headless(first=(*_AIDER, "--message", "{prompt}"), ended="Applied edit to notes.txt"),
    "mini": Headless(
        first=("-y", "--exit-immediately", "-o", "{home}/trajectory.json", "-t", "{prompt}"),
        ended="Saved trajectory to",
    ),
}
