"""Install real agent CLIs into a folder of yours, for the tests in this one.

    python tests/agents/install.py FOLDER [NAME...] [--update]

Names are those of the table in README.md, `small` (what CI takes) or `all` (the default). Without a FOLDER it is
$NIGHTDESK_AGENTS_DIR, else nightdesk-agents in the user's cache folder. What is there already stays, unless --update.
What cannot be installed is said with the reason, and the rest goes on: exit 0 when everything chosen is there, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import clis


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to install. package: with what it needs beside it. megabytes: what it takes on disk. node: the oldest
    release that runs it, () for none. own: in a folder of its own, as others here need another release of it."""

    package: str
    megabytes: int
    node: tuple[int, ...] = ()
    pip: bool = False
    own: bool = False


TARGETS = {
    "claude": Target("@anthropic-ai/claude-code@latest", 390),
    "claude-acp": Target("@agentclientprotocol/claude-agent-acp@latest", 330, (22,)),
    "codex": Target("@openai/codex@latest", 430, (16,)),
    "codex-acp": Target("@agentclientprotocol/codex-acp@latest", 440, (20,)),
    "gemini": Target("@google/gemini-cli@latest", 100, (20,)),
    "qwen": Target("@qwen-code/qwen-code@latest", 130, (22,)),
    "opencode": Target("opencode-ai@latest", 360),
    "pi": Target("@earendil-works/pi-coding-agent@latest", 100, (22, 19)),
    "aider": Target("aider-chat", 700, pip=True),
    "mini": Target("mini-swe-agent", 760, pip=True),
    "acp-sdk": Target("@agentclientprotocol/sdk@1 zod", 30, (20,), own=True),
    "mcp-everything": Target("@modelcontextprotocol/server-everything@latest", 32, (20,), own=True),
    "node": Target("node@22", 190),
}
"""`@latest` is deliberate: without it npm silently takes an older release that fits an older node. The SDK has its
examples up to 1.9 only."""

GROUPS = {"all": [name for name in TARGETS if name != "node"], "small": ["gemini", "opencode"]}
AIDER_PYTHON = ("python3.12", "python3.11")
"""aider does not install on Python 3.13 and newer."""


# -- what is there ---------------------------------------------------------------------------------------


def probe(command: list[str], path: str) -> str:
    """The first version number that a command says on either stream; "" when it does not start or says none."""
    with tempfile.TemporaryDirectory() as home:
        try:
            said = subprocess.run(
                command,
                env={"PATH": path, "HOME": home, "MSWEA_CONFIGURED": "true"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=60,
                check=False,
            ).stdout
        except (OSError, subprocess.TimeoutExpired):
            return ""
    found = re.search(r"\d+\.\d+\.\d+", said)
    return found.group() if found else ""


def version(folder: Path, name: str) -> str:
    """The version of what is installed below `folder`; "" when it is not there or does not start."""
    if TARGETS[name].own:
        package = TARGETS[name].package.split()[0].rpartition("@")[0]
        about = folder / name / "node_modules" / package / "package.json"
        return str(json.loads(about.read_text())["version"]) if about.exists() else ""
    program = folder / "node_modules/node/bin/node" if name == "node" else clis.executable(name, folder)
    path = clis.path_for(name, folder) if name in clis.NAMES else os.defpath
    return probe([str(program), "--version"], path) if program.exists() else ""


def with_node(folder: Path, names: list[str]) -> list[str]:
    """The names, node first where a chosen one needs a newer one than there is on PATH."""
    needed = max((TARGETS[name].node for name in names), default=())
    there = probe(["node", "--version"], os.environ.get("PATH", os.defpath))
    enough = tuple(int(part) for part in there.split(".") if part) >= needed
    return names if enough or "node" in names else ["node", *names]


# -- installing ------------------------------------------------------------------------------------------


def run(command: list[str], folder: Path) -> str:
    """Run an installer. Returns "" or the reason why it failed, out of its own words."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False
        )
    except subprocess.TimeoutExpired:
        return "it took longer than 15 minutes"
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if "rror" in line]
    telling = [line for line in lines if not re.match("npm error (code|errno|syscall|type) ", line)]
    return " / ".join(telling[:2])[:400] or f"{Path(command[0]).name} ended with {done.returncode}"


def install_npm(folder: Path, packages: list[str]) -> str:
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not on PATH: install Node 20 or newer first"
    folder.mkdir(exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}\n')
    quiet = ["--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error"]
    return run([npm, "install", *quiet, *packages], folder)


def install_pip(folder: Path, name: str) -> str:
    python: str | None = sys.executable
    if name == "aider" and sys.version_info >= (3, 13):
        python = next((found for found in map(shutil.which, AIDER_PYTHON) if found), None)
    if python is None:
        return "aider needs Python 3.11 or 3.12, and neither is on PATH"
    failed = run([python, "-m", "venv", str(folder / name)], folder)
    pip = [str(folder / name / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-U"]
    return failed or run([*pip, TARGETS[name].package], folder)


def fitting(folder: Path, names: list[str]) -> tuple[list[str], dict[str, str]]:
    """The names that there is room for, in order, and why not for the others."""
    room = shutil.disk_usage(folder).free >> 20
    fits, refused = [], {}
    for name in names:
        needed = TARGETS[name].megabytes
        if needed > room:
            refused[name] = f"it takes about {needed} MB and {room} MB are left"
        else:
            room -= needed
            fits.append(name)
    return fits, refused


def install(folder: Path, names: list[str]) -> dict[str, str]:
    """Install the names, npm's in one go and, if that fails, one by one. Returns why, for each that failed."""
    names, failed = fitting(folder, names)
    by_npm = [name for name in names if not TARGETS[name].pip and not TARGETS[name].own]
    failed |= {name: install_npm(folder / name, TARGETS[name].package.split()) for name in names if TARGETS[name].own}
    if by_npm and install_npm(folder, [TARGETS[name].package for name in by_npm]):
        failed |= {name: install_npm(folder, [TARGETS[name].package]) for name in by_npm}
    failed |= {name: install_pip(folder, name) for name in names if TARGETS[name].pip}
    return {name: reason for name, reason in failed.items() if reason}


def report(folder: Path, names: list[str], failed: dict[str, str]) -> int:
    """Say what is there and what is not. Returns the exit code."""
    missing = 0
    for name in names:
        if there := version(folder, name):
            note = f"  (not updated: {failed[name]})" if name in failed else ""
            sys.stdout.write(f"{name:<11} {there}{note}\n")
        else:
            missing += 1
            reason = failed.get(name) or "installed, but it does not start"
            sys.stdout.write(f"{name:<11} NOT INSTALLED: {reason}\n")
    sys.stdout.write(f"export NIGHTDESK_AGENTS_DIR={folder}\n")
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Install agent CLIs for the tests.")
    parser.add_argument("folder", nargs="?", type=Path, default=clis.folder())
    parser.add_argument("names", nargs="*", metavar="name", help=f"some of: {' '.join([*GROUPS, *TARGETS])}")
    parser.add_argument("--update", action="store_true", help="take the newest release of what is there already")
    options = parser.parse_args()
    if unknown := set(options.names) - set(GROUPS) - set(TARGETS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if str(options.folder) in {*GROUPS, *TARGETS}:
        parser.error(f"FOLDER comes first: {sys.argv[0]} FOLDER {options.folder}")
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = list(dict.fromkeys(own for name in options.names or ["all"] for own in GROUPS.get(name, [name])))
    chosen = with_node(folder, chosen)
    failed = install(folder, [name for name in chosen if options.update or not version(folder, name)])
    return report(folder, chosen, failed)


if __name__ == "__main__":
    sys.exit(main())
