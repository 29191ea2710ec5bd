"""A night with the real command line: a home, a repository with tests, tickets, a worker that does as it is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import warm

BOT = Path(__file__).resolve().parent / "nightbot.py"
GATE = "python3 -m unittest -q"
TESTS = """\
import unittest

from shop import add, double


class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_double(self):
        self.assertEqual(double(4), 8)
"""
SHOP = "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return a * 2\n"

Actions = list[list[Any]]


class NightRig:
    """Every command is a process of its own, as a user would start it. warm: it may be forked (warm.py)."""

    warm = True

    def __init__(self, room: Path, **settings: Any) -> None:
        self.room, self.home, self.repo, self.scripts = room, room / "home", room / "repo", room / "scripts"
        for folder in (self.home, self.repo, self.scripts, self.repo / ".nightdesk", self.repo / "tickets"):
            folder.mkdir(parents=True)
        keep = ("PATH", "LANG", "TERM", "VIRTUAL_ENV")
        self.env = {k: os.environ[k] for k in keep if k in os.environ} | {"HOME": str(self.home)}
        self.git("config", "--global", "user.name", "Operator")
        self.git("config", "--global", "user.email", "operator@example.org")
        self.git("init", "-q", "-b", "main")
        self.write("shop.py", SHOP)
        self.write("test_shop.py", TESTS)
        self.write(".gitignore", "__pycache__/\n.nightdesk/night-report.md\n")
        self.settings = {
            "gate": GATE,
            "allowed_commands": ["python3"],
            "identity": {"allow_root": True},
            "agent": "bot",
            "presets": {
                "bot": {
                    "command": [sys.executable, str(BOT), str(self.scripts)],
                    "protocol": "command",
                    "autonomy_confirmed": True,
                }
            },
        } | settings
        self.configure()

    def configure(self, **settings: Any) -> None:
        self.settings |= settings
        self.write(".nightdesk/config.yaml", json.dumps(self.settings, indent=1))

    # -- the repository

    def write(self, path: str, text: str) -> None:
        (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
        (self.repo / path).write_text(text, encoding="utf-8")

    def git(self, *args: str) -> str:
        argv = ["git", *args]
        return subprocess.run(
            argv, cwd=self.repo, env=self.env, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    def commit(self, message: str = "first") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def ticket(self, name: str, *attempts: Actions, text: str = "", **front: Any) -> None:
        """A ticket's file, and what its worker does in each attempt."""
        head = f"---\n{json.dumps(front)}\n---\n" if front else ""
        self.write(f"tickets/{name}.md", f"{head}{text or f'Add the file {name}.txt with one line in it.'}\n")
        made = attempts or ([["write", f"{name}.txt", "done\n"]],)
        (self.scripts / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")

    def prompts(self, name: str) -> list[str]:
        return (self.scripts / f"{name}.prompts").read_text(encoding="utf-8").split("\n=====\n")[:-1]

    def ready(self) -> None:
        """Committed and trusted: what an operator has done before the first night."""
        self.commit()
        self.ok("trust")

    # -- commands

    def argv(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "console", *args]

    def call(self, *args: str, timeout: float = 120, **env: str) -> subprocess.CompletedProcess[str]:
        if self.warm:
            done = warm.run(*args, cwd=self.repo, env=self.env | env, timeout=timeout)
        else:
            done = warm.cold(self.argv(*args), self.repo, self.env | env, timeout)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def ok(self, *args: str, **env: str) -> str:
        done = self.call(*args, **env)
        assert done.returncode == 0, (args, done.returncode, done.stdout[-2000:], done.stderr[-3000:])
        return done.stdout

    def json(self, *args: str, **env: str) -> Any:
        return json.loads(self.ok(*args, **env))

    def start(self, *args: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.argv(*args),
            cwd=self.repo,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def night(self, code: int = 0, *args: str) -> str:
        done = self.call("run", *args, timeout=180)
        assert done.returncode == code, (done.returncode, done.stdout[-3000:], done.stderr[-3000:])
        return done.stderr

    # -- what there is

    def events(self, *types: str, since: int = 0) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor = since
        while True:
            page = self.json("events", "--json", "--since", str(cursor), "--limit", "1000", "--types", ",".join(types))
            found += page["events"]
            if page["nextCursor"] == cursor or not page["events"]:
                return found
            cursor = page["nextCursor"]

    def outcomes(self) -> dict[str, str]:
        """ticket -> the outcome of its last end."""
        return {event["ticket"]: event["outcome"] for event in self.events("ticket:ended")}

    def why(self, ticket: str) -> str:
        return str([e["why"] for e in self.events("ticket:ended") if e["ticket"] == ticket][-1])

    def shown(self, ticket: str) -> Any:
        return self.json("ticket", "show", ticket, "--json")

    def close(self) -> None:
        self.call("stop", "--now")
        deadline = time.monotonic() + 15
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, [(pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in left]

    def processes(self) -> list[int]:
        """Processes that carry this home in their environment."""
        mark = f"HOME={self.home}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if mark in (entry / "environ").read_bytes().split(b"\0"):
                        found.append(int(entry.name))
                except OSError:
                    continue
        return found


def until(holds: Callable[[], object], timeout: float = 60.0) -> None:
    deadline = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()
