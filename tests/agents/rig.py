"""One real agent at work for the product: a demo repository, a home, a scripted model, and every `nightdesk` command.

Each command is a process of its own, as an operator would start it. What a preset says is never replaced here: the
settings name the agent, confirm its level, and pass on the variables that point it at the model server.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import clis
import warm
from modelserver import ModelServer

from console.adapters.agents import builtins
from console.adapters.demo import make_repository
from console.adapters.environment import ALLOWED

Json = dict[str, Any]

TICKET = "stock-empty-lines"
TEXT = """\
# Fix a bug: counting stumbles over empty lines

`read_counts` in shop/stock.py raises an error at an empty line. Fix it: such lines are passed over. The test for it is
there and fails.
"""
GATE = "python3 -m unittest -q tests.test_stock"
FILE = "shop/stock.py"
OLD = "    for line in text.splitlines():"
NEW = f"{OLD}\n        if not line.strip():\n            continue"
WORK: list[Json] = [
    {"read": FILE},
    {"edit": {"path": FILE, "old": OLD, "new": NEW}},
    {"say": "Empty lines are passed over now."},
]
"""What the model does about the ticket."""


class Rig:
    """A workspace of one agent. `with Rig(...) as rig`: the model server is up, and nothing is left at the end."""

    def __init__(
        self, room: Path, name: str, steps: list[Json] | None = None, *, before: Sequence[Json] = (), **settings: Any
    ) -> None:
        """room: an empty folder. steps: what the model plays on the ticket's prompt; default: the work is done.

        before: conversations that are looked at first. settings: top-level keys of the workspace's settings; `preset`
        keys are added to the agent's preset.
        """
        self.room, self.name, self.home, self.repo = room, name, room / "home", room / "shop"
        self.log = room / "requests.jsonl"
        self.started: list[subprocess.Popen[str]] = []
        room.mkdir(parents=True, exist_ok=True)
        self.model = ModelServer({"conversations": [*before, {"match": "", "steps": steps or WORK}]}, self.log)
        own = clis.environment(name, self.model.url, self.home)
        self.env = {"PATH": os.environ["PATH"], "USER": "operator", **own}
        self.tell = tuple(sorted(key for key in own if not ALLOWED.fullmatch(key)))
        preset = {"autonomy_confirmed": True, "pass_env": self._unknown(), **settings.pop("preset", {})}
        self.settings: Json = {
            "gate": GATE,
            "allowed_commands": ["python3"],
            "identity": {"allow_root": True},
            "agent": name,
            "presets": {name: preset},
            **settings,
        }
        self._make()

    def _unknown(self) -> list[str]:
        """The variables that only these tests need: those that the preset does not pass on by itself."""
        raw = builtins.raw(self.name)
        assert raw is not None, f"no built-in preset {self.name}"
        return [key for key in self.tell if key not in raw.get("pass_env", ())]

    def _make(self) -> None:
        refused = make_repository(self.repo, allow_root=True)
        assert refused is None, refused
        (self.repo / ".nightdesk" / "config.yaml").write_text(json.dumps(self.settings, indent=1), encoding="utf-8")
        (self.repo / "tickets").mkdir(exist_ok=True)
        (self.repo / "tickets" / f"{TICKET}.md").write_text(TEXT, encoding="utf-8")
        for key, value in (("name", "Operator"), ("email", "operator@example.org")):
            self.git("config", "--global", f"user.{key}", value)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "The night's ticket")

    def __enter__(self) -> Self:
        self.model.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.call("stop", "--now")
        for process in self.started:
            if not settled(lambda p=process: p.poll() is not None, 20):  # type: ignore[misc]
                process.kill()
            process.wait()
        gone = settled(lambda: not self.processes(), 20)
        self.model.__exit__(kind, error, tb)
        if not gone:
            left = self.processes()
            for pid in left:
                _end(pid)
            assert error is not None, f"left behind: {left}"

    # -- commands --------------------------------------------------------------------------------------------

    def git(self, *args: str) -> str:
        return subprocess.run(
            ["git", *args], cwd=self.repo, env=self.env, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    def argv(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "console", *args]

    def call(self, *args: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        done = warm.run(*args, cwd=self.repo, env=self.env, timeout=timeout)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def ok(self, *args: str) -> str:
        done = self.call(*args)
        assert done.returncode == 0, (args, done.returncode, done.stdout[-3000:], done.stderr[-3000:])
        return done.stdout

    def start(self, *args: str) -> subprocess.Popen[str]:
        """A command that goes on, its output in a file of the room."""
        with (self.room / "output.txt").open("a", encoding="utf-8") as out:
            process = subprocess.Popen(
                self.argv(*args),
                cwd=self.repo,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self.started.append(process)
        return process

    # -- what there is ---------------------------------------------------------------------------------------

    def events(self, *types: str) -> list[Json]:
        found: list[Json] = []
        cursor = 0
        while True:
            argv = ("events", "--json", "--since", str(cursor), "--limit", "1000")
            page = json.loads(self.ok(*argv, *(("--types", ",".join(types)) if types else ())))
            found += page["events"]
            if page["nextCursor"] == cursor or not page["events"]:
                return found
            cursor = page["nextCursor"]

    def last(self, kind: str) -> Json:
        """The last event of a kind; {} when there is none."""
        return next(iter(self.events(kind)[-1:]), {})

    def shown(self) -> str:
        """The log in short, for a test that failed."""
        kinds = ("turn-end", "exited", "session:hung", "ticket:attempt-failed", "supervisor:trouble", "policy:judged")
        return "\n".join(json.dumps(event)[:1000] for event in self.events(*kinds))

    def output(self) -> str:
        """What the commands that go on have printed."""
        path = self.room / "output.txt"
        return path.read_text(encoding="utf-8")[-4000:] if path.exists() else ""

    def all(self) -> list[Json]:
        """Every request that the model has had."""
        if not self.log.exists():
            return []
        whole, _, _ = self.log.read_text(encoding="utf-8").rpartition("\n")  # the last one may be on its way
        return [json.loads(line) for line in whole.splitlines()]

    def requests(self) -> list[Json]:
        """What the agent asked its model about the ticket, without what it asked beside that."""
        return [line for line in self.all() if TICKET in line.get("prompt", "")]

    def processes(self) -> dict[int, str]:
        """Processes below this room: it is in their environment, their arguments or their folder."""
        return processes_of(str(self.room), self.home)


# -- processes, told by what they carry ----------------------------------------------------------------------


def processes_of(mark: str, home: Path) -> dict[int, str]:
    """pid -> command line of everything that carries `mark`; zombies are none."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            where = str((entry / "cwd").readlink())
            if command and (mark.encode() in (entry / "environ").read_bytes() + command or where.startswith(mark)):
                found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")[:300]
        except OSError:
            continue
    return found


def _end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def version_of(name: str) -> str:
    """What the agent says of its version."""
    raw = builtins.raw(name) or {}
    env = {**os.environ, "PATH": clis.path_for(name)}
    ran = subprocess.run(
        raw["version"], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    found = re.search(r"\d+\.\d+\.\d+", ran.stdout + ran.stderr)
    return found[0] if found else "?"


def settled(holds: Callable[[], object], timeout: float = 60.0, every: float = 0.05) -> bool:
    """Whether it came true within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
