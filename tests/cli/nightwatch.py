"""A workspace in which `nightdesk run` is started as a process, with an agent that does what a ticket's text says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import warm
from commandline import git

from console import wiring
from console.adapters import trust
from console.adapters.lock import is_taken
from console.core import events as ev
from console.core.drain import Run
from console.core.records import Refused
from console.core.state import State

T = TypeVar("T")
AGENT = """\
import os, pathlib, re, sys, time
text = sys.argv[-1]
for verb, word in re.findall(r"(WRITE|AWAIT) ([^ \\n]+)", text):
    if verb == "WRITE":
        pathlib.Path(word).write_text("done\\n")
    else:
        pathlib.Path(word + ".begun").touch()
        while not os.path.exists(word):
            time.sleep(0.02)
"""
DEADLINE = 40.0


class Watch:
    """The processes that were started are ended with the test, by their pids."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder / "repo", folder / "home"
        self.home.mkdir()
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        (self.home / ".gitconfig").write_text("[user]\n name = Ada\n email = ada@example.com\n")
        (self.home / "agent.py").write_text(AGENT)
        git(folder, "init", "-q", "-b", "main", str(self.root))
        git(self.root, "commit", "-q", "--allow-empty", "-m", "first")
        (self.root / "tickets").mkdir()
        self.started: list[subprocess.Popen[bytes]] = []
        self.configure()

    def configure(self, more: str = "", *, trusted: bool = True) -> None:
        file = self.root / ".nightdesk" / "config.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(
            'gate: ["true"]\nallowed_commands: ["true"]\nidentity: {allow_root: true}\nagent: script\npresets:\n'
            f"  script: {{command: [{sys.executable}, -S, {self.home}/agent.py], protocol: command, "
            f"version: [{sys.executable}, -S, --version], autonomy_confirmed: true}}\n{more}"
        )
        if trusted:
            trust.record_trust(self.here.places.trust, self.root, trust.load(self.root).digest)

    @property
    def here(self) -> wiring.Here:
        here = wiring.locate(self.root, self.environ)
        assert not isinstance(here, Refused), here
        return here

    def ticket(self, name: str, body: str) -> None:
        (self.root / "tickets" / f"{name}.md").write_text(f"# {name}\n\n{body}\n")

    def gate(self, name: str) -> Path:
        """A file that a ticket with `AWAIT <file>` waits for."""
        return self.home / name

    # -- processes ---------------------------------------------------------------------------------------

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "console", *words],
            cwd=self.root,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.started.append(process)
        return process

    def end(self, process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
        out, err = process.communicate(timeout=DEADLINE)
        return process.returncode, out.decode(), err.decode()

    def run(self, *words: str) -> tuple[int, str, str]:
        done = warm.run(*words, cwd=self.root, env=self.environ, timeout=DEADLINE)
        return done.returncode, done.stdout, done.stderr

    def close(self) -> None:
        """Pipes are closed and nobody supervises any more."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.wait(lambda: not is_taken(self.here.places.lock) or self._end_detached())

    def _end_detached(self) -> bool:
        holder = self.state().supervisor
        if holder and holder.pid not in [process.pid for process in self.started]:
            os.kill(holder.pid, signal.SIGTERM)
        return False

    # -- what the log says -------------------------------------------------------------------------------

    def state(self) -> State:
        journal = wiring.open_journal(self.here)
        try:
            return journal.state
        finally:
            journal.close()

    def facts(self, kind: type[ev.Event]) -> list[ev.Fact]:
        journal = wiring.open_journal(self.here)
        try:
            return [entry.fact for entry in journal.since(0) if isinstance(entry.fact, kind)]
        finally:
            journal.close()

    def latest(self) -> Run:
        return list(self.state().runs.values())[-1]

    def wait(self, look: Callable[[], T]) -> T:
        deadline = time.monotonic() + DEADLINE
        while not (found := look()):
            assert time.monotonic() < deadline, "it did not come to that"
            time.sleep(0.02)
        return found

    def begun(self, *gates: Path) -> None:
        """The agents that wait for these files are at it."""
        self.wait(lambda: all(gate.with_name(gate.name + ".begun").exists() for gate in gates))
