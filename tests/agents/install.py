"""Install real agent CLIs with npm into a folder of yours, for the tests in this one. Needs node and npm, nothing else.

    python tests/agents/install.py FOLDER [opencode] [gemini]

Without a FOLDER it is $NIGHTDESK_AGENTS_DIR, else nightdesk-agents in the user's cache folder.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = {"opencode": "opencode-ai@latest", "gemini": "@google/gemini-cli@latest"}
"""`@latest` is deliberate: without it npm silently takes an older release that fits an older node."""


def default_folder() -> Path:
    """Where the tests look when nothing else is said."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("NIGHTDESK_AGENTS_DIR") or Path(cache) / "nightdesk-agents")


def install(folder: Path, agents: list[str]) -> int:
    """Run npm and print each agent's version. Returns 0, npm's own exit code, or 1 for an agent that does not start."""
    npm = shutil.which("npm")
    if npm is None:
        sys.stderr.write("npm is not on PATH: install node 20 or newer first.\n")
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    packages = [PACKAGES[agent] for agent in agents]
    code = subprocess.call([npm, "install", "--no-audit", "--no-fund", *packages], cwd=folder)
    if code:
        return code
    for agent in agents:
        binary = folder / "node_modules" / ".bin" / agent
        probe = subprocess.run(
            [binary, "--version"], check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        if probe.returncode:
            sys.stderr.write(f"{agent} does not start: {probe.stderr.strip()}\n")
            return 1
        sys.stdout.write(f"{agent} {probe.stdout.strip()}\n")
    sys.stdout.write(f"export NIGHTDESK_AGENTS_DIR={folder.resolve()}\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Install agent CLIs for the tests.")
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("agents", nargs="*", help=f"some of: {' '.join(PACKAGES)}")
    options = parser.parse_args()
    if unknown := set(options.agents) - set(PACKAGES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return install(options.folder, options.agents or list(PACKAGES))


if __name__ == "__main__":
    sys.exit(main())
