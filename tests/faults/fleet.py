"""A supervisor with many agents for a long time, as an operator has it: for tests/full, by hand.

watched: eight agents, three of which hang once; then six of the eight fall silent together. idling: many agents that
wait for a prompt, and what that costs. Every command is the real one; what is started here is ended here, by pid.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import Tail, until

from console.adapters import shim

AGENT = Path(__file__).resolve().parents[2] / "demo" / "agent.py"
TICKS = os.sysconf("SC_CLK_TCK")


class Fleet:
    """A home, a repository, a supervisor without a screen, and sessions in folders of their own."""

    def __init__(self, room: Path, **watchdog: Any) -> None:
        self.room, self.home, self.repo = room, room / "home", room / "repo"
        for folder in (self.home, self.repo / ".nightdesk"):
            folder.mkdir(parents=True)
        keep = ("PATH", "LANG", "TERM", "VIRTUAL_ENV")
        self.env = {k: os.environ[k] for k in keep if k in os.environ} | {"HOME": str(self.home)}
        for words in (("config", "--global", "user.name", "Operator"), ("config", "--global", "user.email", "o@e.org")):
            self.run("git", *words)
        self.run("git", "init", "-q", "-b", "main")
        settings = {"identity": {"allow_root": True}, "watchdog": watchdog}
        (self.repo / ".nightdesk" / "config.yaml").write_text(json.dumps(settings))
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", "first")
        self.nightdesk("trust")

    def run(self, *argv: str) -> str:
        done = subprocess.run(
            argv, cwd=self.repo, env=self.env, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, (argv, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def nightdesk(self, *args: str) -> str:
        return self.run(sys.executable, "-m", "console", *args)

    @contextmanager
    def supervised(self) -> Iterator[subprocess.Popen[bytes]]:
        argv = [sys.executable, "-m", "console", "run", "--idle"]
        with open(self.room / "supervisor.log", "ab") as log:
            process = subprocess.Popen(
                argv, cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)

    def session(self, script: str, number: int, prompt: str) -> Path:
        """Start one; its folder."""
        folder = self.repo / f"agent{number}"
        folder.mkdir()
        words = ["--cwd", str(folder), *(("--prompt", prompt) if prompt else ("--idle",))]
        agent = [sys.executable, str(AGENT), "--script", script, "--pace", "2"]
        self.nightdesk("session", "start", *words, "--label", script, "--", *agent)
        return folder

    def log(self) -> Tail:
        found = until(lambda: list(self.home.glob(".local/state/nightdesk/*/log.db")), 30, "a log")
        return Tail(found[0])


def of_kind(tail: Tail, kind: str) -> list[dict[str, Any]]:
    tail.more()
    return [event for event in tail.seen if event["type"] == kind]


def watched(room: Path, seconds: float, say: Callable[[str], None]) -> str:
    """Eight agents for `seconds`, three of which hang in their first turn: exactly those are started again. Then six
    fall silent at once: an alarm, and nobody is ended."""
    fleet = Fleet(room, start="60s", quiet="15s", hung="45s")
    with fleet.supervised():
        scripts = ["stalls-once" if number in (1, 4, 6) else "steady" for number in range(8)]
        folders = [fleet.session(script, number, "go on") for number, script in enumerate(scripts)]
        tail, began = fleet.log(), time.monotonic()
        while time.monotonic() - began < seconds:
            time.sleep(min(30.0, seconds))
            hung = [event["session"] for event in of_kind(tail, "session:hung")]
            say(f"{time.monotonic() - began:5.0f} s  hung {hung}, fuse {len(of_kind(tail, 'watchdog:fuse-blown'))}")
        ill = [f"s-{number + 1}" for number, script in enumerate(scripts) if script == "stalls-once"]
        hung = sorted(event["session"] for event in of_kind(tail, "session:hung"))
        assert hung == ill, f"hung {hung}, expected {ill}"
        assert sorted(event["session"] for event in of_kind(tail, "session:restarting")) == ill
        assert not of_kind(tail, "watchdog:fuse-blown") and len(of_kind(tail, "exited")) == 3
        sessions = json.loads(fleet.nightdesk("session", "list", "--json"))
        listed = sessions["sessions"] if isinstance(sessions, dict) else sessions
        assert [s["phase"] for s in listed] == ["working"] * 8, listed
        for folder in folders[:6]:
            (folder / "hush").touch()
        until(lambda: of_kind(tail, "watchdog:fuse-blown"), 120, "the fuse")
        blown = of_kind(tail, "watchdog:fuse-blown")[0]
        time.sleep(60)
        assert len(of_kind(tail, "session:hung")) == 3, "nobody may be ended while the fuse is blown"
        for folder in folders[:6]:
            (folder / "hush").unlink()
        until(lambda: of_kind(tail, "watchdog:fuse-reset"), 60, "the end of the alarm")
    return (
        f"{seconds:.0f} s: {len(ill)} hung and started again, 5 untouched; {len(blown['sessions'])} of 8 silent: alarm"
    )


# -- doing nothing


def idling(room: Path, sessions: int, seconds: float, say: Callable[[str], None]) -> str:
    """What a supervisor with so many idle agents costs, and whether anything of it grows."""
    fleet = Fleet(room)
    with fleet.supervised() as process:
        for number in range(sessions):
            fleet.session("echo", number, "")
        time.sleep(10)
        rows, began, forked = [cost(process.pid)], time.monotonic(), forks()
        while time.monotonic() - began < seconds:
            time.sleep(min(60.0, seconds))
            rows.append(cost(process.pid))
            last, before = rows[-1], rows[-2]
            used = (last["cpu"] - before["cpu"]) / (last["at"] - before["at"])
            say(
                f"{last['at'] - rows[0]['at']:5.0f} s  cpu {used:.2%}  rss {last['rss'] / 1024:.1f} MB"
                f"  fds {last['fds']}  threads {last['threads']}"
                f"  children {last['children']}  forks on the host {forks() - forked}"
            )
        share = (rows[-1]["cpu"] - rows[0]["cpu"]) / (rows[-1]["at"] - rows[0]["at"])
        assert rows[-1]["fds"] <= rows[1]["fds"] + 2, "descriptors grow"
        assert rows[-1]["children"] == rows[0]["children"] == sessions, "one shim a session, and nothing else"
        assert rows[-1]["rss"] <= rows[1]["rss"] * 1.1, "memory grows"
    return (
        f"{sessions} idle sessions, {seconds:.0f} s: cpu {share:.2%} of a core, rss {rows[1]['rss'] / 1024:.1f} ->"
        f" {rows[-1]['rss'] / 1024:.1f} MB, fds {rows[1]['fds']} -> {rows[-1]['fds']}"
    )


def cost(pid: int) -> dict[str, float]:
    """cpu: seconds so far; rss: KB."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return {
        "at": time.monotonic(),
        "cpu": (int(fields[11]) + int(fields[12])) / TICKS,
        "rss": float(status["VmRSS"].split()[0]),
        "fds": len(os.listdir(f"/proc/{pid}/fd")),
        "threads": float(status["Threads"]),
        "children": len([p for p in shim.proc_table().values() if p.ppid == pid]),
    }


def forks() -> int:
    """Processes that the host has started since it booted."""
    return next(
        int(line.split()[1]) for line in Path("/proc/stat").read_text().splitlines() if line.startswith("processes")
    )
