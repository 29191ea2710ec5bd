"""The real product for end-to-end tests: a fresh home, a real repository, the command line as a subprocess."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import warm

AGENT = Path(__file__).resolve().parents[1] / "adapters" / "agents" / "raw_agent.py"
BOT = Path(__file__).with_name("bot.py")
CONFIG = """\
allowed_commands:
  - ls
  - git
  - grep
  - bash
presets:
  echo: {{command: [{python}, -S, {agent}, {bot}, echo], protocol: acp}}
  ask: {{command: [{python}, -S, {agent}, {bot}, ask], protocol: acp}}
  crash: {{command: [{python}, -S, {agent}, {bot}, crash], protocol: acp}}
  leftover: {{command: [{python}, -S, {agent}, {bot}, leftover], protocol: acp}}
  script: {{command: [bash, -c, 'echo "$1" > said.txt', script], protocol: command}}
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Product:
    """One home and one repository. Every command is a process of its own, as a user would start it."""

    home: Path
    repo: Path
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keep = ("PATH", "LANG", "TERM", "VIRTUAL_ENV", "TMPDIR")
        self.env = {k: os.environ[k] for k in keep if k in os.environ} | {"HOME": str(self.home)}
        self.home.mkdir(parents=True)
        self.repo.mkdir(parents=True)
        self.git("config", "--global", "user.name", "Operator")
        self.git("config", "--global", "user.email", "operator@example.org")
        self.git("init", "-q", "-b", "main")
        (self.repo / "a.txt").write_text("a\n")
        (self.repo / "sub").mkdir()
        (self.repo / "sub" / "s.txt").write_text("s\n")
        (self.repo / ".gitignore").write_text(".nightdesk/\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        (self.repo / ".nightdesk").mkdir()
        settings = CONFIG.format(python=sys.executable, agent=AGENT, bot=BOT)
        (self.repo / ".nightdesk" / "config.yaml").write_text(settings)

    def git(self, *args: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *args], cwd=cwd or self.repo, env=self.env, capture_output=True, text=True, check=True, timeout=30
        )
        return done.stdout

    def run(self, *args: str, timeout: float = 60) -> Done:
        done = warm.run(*args, cwd=self.repo, env=self.env, timeout=timeout)
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def ok(self, *args: str) -> Done:
        done = self.run(*args)
        assert done.code == 0, (args, done)
        return done

    def start(self, preset: str = "echo", branch: str = "") -> str:
        where = ("--worktree", branch) if branch else ()
        return str(self.ok("session", "start", "--preset", preset, "--idle", *where, "--json").json["sessionId"])

    def attach(self, session: str, *args: str) -> str:
        return str(self.ok("policy", "attach", "--session", session, "--json", *args).json["policyId"])

    def wait(self, policy: str) -> Done:
        return self.run("sessions", "wait", "--policy", policy, "--timeout", "40000", "--json")

    def status(self, policy: str) -> dict[str, Any]:
        return dict(self.ok("policy", "status", policy, "--json").json)

    def plan(self, policy: str) -> str:
        return str(self.status(policy)["plan"])

    def events(self, since: int = 0, types: str = "") -> list[dict[str, Any]]:
        return list(self.ok("events", "--since", str(since), "--types", types, "--json").json["events"])

    def cursor(self) -> int:
        return int(self.ok("events", "--json", "--limit", "10000").json["nextCursor"])

    def worktree(self, session: str) -> Path:
        return Path(self.ok("session", "show", session, "--json").json["cwd"])

    def log(self, ref: str) -> list[str]:
        return self.git("log", "--format=%s", ref).split("\n")[:-1]

    def hello(self, branch: str, *extra: str) -> tuple[str, str, str]:
        """An echo session on a branch whose policy waits with a plan for hello.txt: session, policy, plan."""
        session = self.start(branch=branch)
        gate = ("--then", "commit", "--commit-path", "hello.txt", "--commit-message", "say hello", *extra)
        policy = self.attach(session, *gate, "--", "ls", "hello.txt")
        self.ok("session", "prompt", session, "go")
        assert self.wait(policy).code == 0, self.status(policy)
        return session, policy, self.plan(policy)

    def close(self) -> None:
        self.run("stop")
        deadline = time.monotonic() + 10
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, left

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
