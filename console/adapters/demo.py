"""The demo on disk: where its files are, a fresh sample repository made from them, and what its night is to come to.

Runs git in an environment of its own, so that the operator's configuration, hooks and identity stay out of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import msgspec
import yaml

import console
from console.core.records import Record, Refused

AUTHOR = ("Nightdesk Demo", "demo@nightdesk.invalid")
GIT_ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


class DemoSession(Record, frozen=True, kw_only=True):
    """One session of the demo: what it is asked, the gate of its policy, and what its commit holds."""

    preset: str
    title: str
    prompt: str
    gate: tuple[str, ...]
    paths: tuple[str, ...]
    message: str
    nudge: str


Kind = Literal["policies", "night", "low-yield"]
"""policies: two sessions with a policy each. night: a queue of tickets. low-yield: the same, and more that park."""

TICKETS: dict[Kind, tuple[str, ...]] = {
    "policies": (),
    "night": ("tickets",),
    "low-yield": ("tickets", "low-yield"),
}
"""The folders whose tickets are in the queue."""


class Expected(Record, frozen=True, kw_only=True):
    """What a run of the demo comes to. status: how the run may end. tickets: id -> outcome, or `quarantined`."""

    status: tuple[str, ...]
    tickets: dict[str, str]


def demo_dir() -> Path:
    """The folder with the demo's files: inside the installed package, or beside it in a checkout."""
    package = Path(console.__file__).resolve().parent
    installed = package / "_data" / "demo"
    return installed if installed.is_dir() else package.parent / "demo"


def demo_sessions() -> tuple[DemoSession, ...]:
    """The sessions that the demo starts, in this order."""
    return msgspec.json.decode((demo_dir() / "sessions.json").read_bytes(), type=tuple[DemoSession, ...])


def expected(kind: Kind) -> Expected:
    """What the queue of this kind comes to; not for `policies`, which have none."""
    return msgspec.json.decode((demo_dir() / "expected.json").read_bytes(), type=dict[str, Expected])[kind]


def make_repository(dest: Path, *, allow_root: bool = False, kind: Kind = "policies") -> Refused | None:
    """Make the sample repository in `dest`, which must be empty or absent: one commit on main, a clean tree.

    allow_root: write the setting that lets a run start as root.
    """
    if dest.exists() and (not dest.is_dir() or any(dest.iterdir())):
        return Refused(reason=f"{dest} is not empty: name a folder that does not exist yet", paths=(str(dest),))
    try:
        shutil.copytree(
            demo_dir() / "repository", dest, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
        )
        for folder in TICKETS[kind]:
            shutil.copytree(demo_dir() / folder, dest / "tickets", dirs_exist_ok=True)
        _write_settings(dest / ".nightdesk" / "config.yaml", allow_root, kind)
    except OSError as error:
        return Refused(reason=f"the sample repository could not be written to {dest}: {error}", paths=(str(dest),))
    return _commit(dest)


def _write_settings(path: Path, allow_root: bool, kind: Kind) -> None:
    agent = [sys.executable, str(demo_dir() / "agent.py")]
    settings: dict[str, object] = {"gate": "python3 -m unittest -q", "allowed_commands": ["python3"]}
    if kind == "policies":
        settings["presets"] = {
            s.preset: {"command": [*agent, "--script", s.preset], "protocol": "acp"} for s in demo_sessions()
        }
    else:
        settings |= _night(agent)
    if allow_root:
        settings["identity"] = {"allow_root": True}
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(settings, sort_keys=False, width=120), encoding="utf-8")


def _night(agent: list[str]) -> dict[str, object]:
    """Settings for a night in a minute. The cap is what the last ticket runs into; `shop-prose` is allowed, but nobody
    has it; the agent is a script of ours, so what it may do is confirmed. The ticket about money is decided beforehand:
    high-risk work is reviewed by the other preset, at most twice."""
    return {
        "allowed_commands": ["python3", "shop-prose"],
        "agent": "night",
        "presets": {name: _script(agent) for name in ("night", "second-look")},
        "limits": {"sessions": 4, "attempts": 3, "turn_timeout": "60s", "run_cost_usd": 1.0},
        "decide": {"tax-refund": "PROCEED"},
        "review": {"when": "high_risk", "assignee": "second-look", "max_cycles": 2},
    }


def _script(agent: list[str]) -> dict[str, object]:
    return {
        "command": [*agent, "--script", "night", "--pace", "0.05"],
        "protocol": "acp",
        "version": [*agent, "--version"],
        "autonomy_confirmed": True,
    }


def _commit(dest: Path) -> Refused | None:
    name, email = AUTHOR
    for arguments in (
        ("init", "-q", "-b", "main", "--template="),
        ("config", "user.name", name),
        ("config", "user.email", email),
        ("add", "--all"),
        ("-c", "commit.gpgSign=false", "commit", "-q", "-m", "A small shop with a few bugs"),
    ):
        try:
            done = _git(dest, *arguments)
        except (OSError, subprocess.TimeoutExpired) as error:
            return Refused(reason=f"git could not be run for the sample repository: {error}")
        if done.returncode:
            return Refused(reason=f"git {arguments[0]} failed in {dest}: {done.stderr.strip()}", paths=(str(dest),))
    return None


def _git(dest: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ.get("PATH", os.defpath), **GIT_ENV}
    return subprocess.run(
        ["git", *arguments],
        cwd=dest,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
