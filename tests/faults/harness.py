"""A play: the demo in a folder of its own, driven through the real command line, and everything of it that still runs.

Its processes are known by its folder (in their environment or command line), by the length of the naps its servers
take, by the chain below the supervisor, and by the pids in the log. Whatever is started here ends with this process.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import warm
from programs import LEASH, write_programs

from console.adapters import shim


def until(look: Callable[[], Any], seconds: float, what: str) -> Any:
    """The first true value of `look`; an assertion error after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.005)
    return found


def alive(pid: int, start: int | None = None) -> bool:
    stat = shim.read_stat(pid)
    return stat is not None and not stat.dead and start in (None, stat.start)


def below(root: int) -> dict[int, int]:
    """{pid: start} of everything below `root` in one pass."""
    table = shim.proc_table()
    return {pid: table[pid].start for pid in shim.Chain(root).tree(table) if not table[pid].dead}


class Tail:
    """A second reader of the log: every event as plain data, in order, each once."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        self._db.set_busy_timeout(10_000)
        self._db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        self._db.execute("PRAGMA query_only=1")
        ready = "SELECT count(*) FROM sqlite_schema WHERE name = 'events'"
        until(lambda: self._db.execute(ready).get, 10, f"a log in {path}")  # its maker may be at it right now
        self.seen: list[dict[str, Any]] = []

    def more(self) -> list[dict[str, Any]]:
        last = self.seen[-1]["seq"] if self.seen else 0
        rows = self._db.execute("SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq", (last,))
        fresh = [{"seq": seq, "at": at, **json.loads(body)} for seq, at, body in rows]
        self.seen += fresh
        return fresh

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in self.seen if event["type"] in kinds]

    def close(self) -> None:
        self._db.close()


class Play:
    """One staged demo. Use it as a context manager: on the way out nothing of it is left running."""

    def __init__(self, folder: Path, *, pace: float = 0.1, staged: bool = True) -> None:
        self.folder = folder
        self.root, self.stubborn = folder / "shop", folder / "stubborn"
        self.nap = f"45.{random.SystemRandom().randrange(10**8, 10**9)}"  # not from a seed: it has to be unique
        self.known: dict[int, int] = {}
        self.clients: list[subprocess.Popen[str]] = []
        self.supervisors: list[subprocess.Popen[bytes]] = []
        self.env = self._environment()
        self.stubborn.touch()
        write_programs(folder, self.nap)
        if staged:
            self._stage(pace)
            self.follow()

    def __enter__(self) -> Play:
        return self

    def __exit__(self, *_: object) -> None:
        self.stubborn.unlink(missing_ok=True)
        self.tail.close()
        for process in (*self.clients, *self.supervisors):
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        deadline = time.monotonic() + 5
        while (left := self.running()) and time.monotonic() < deadline:
            if time.monotonic() > deadline - 3:  # the product had its chance; the test has failed already
                for pid, start in left.items():
                    if alive(pid, start):
                        os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    # -- what is on disk ---------------------------------------------------------------------------------

    def _environment(self) -> dict[str, str]:
        for name in ("bin", "home", "state", "data", "config", "tmp"):
            (self.folder / name).mkdir(parents=True)
        env = {name: os.environ[name] for name in ("LANG", "LC_ALL", "VIRTUAL_ENV") if name in os.environ}
        env |= {f"XDG_{name.upper()}_HOME": str(self.folder / name) for name in ("state", "data", "config")}
        env |= {"HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"), "TERM": "xterm-256color"}
        return env | {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}

    def _stage(self, pace: float) -> None:
        script = Path(__file__).with_name("stage.py")
        command = [sys.executable, str(script), str(self.root), str(self.folder / "bin" / "agent"), str(pace)]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr

    def follow(self) -> None:
        """Open the log that somebody has made by now."""
        self.tail = Tail(next((self.folder / "state" / "nightdesk").glob("*/log.db")))

    def arm(self, when: str, pattern: str, hold: float) -> None:
        """The next git command that contains `pattern` dawdles `before` or `after`; `gate`: the next gate does."""
        (self.folder / "reached").unlink(missing_ok=True)
        draft = self.folder / "arm.draft"
        draft.write_text(f"{hold}\n{pattern}\n")
        draft.rename(self.folder / f"arm.{when}")

    def reached(self) -> bool:
        return (self.folder / "reached").exists()

    # -- the product -------------------------------------------------------------------------------------

    def _leashed(self, *args: str) -> list[str]:
        leash = [sys.executable, "-I", "-S", "-c", LEASH]
        return [*leash, sys.executable, "-m", "console", "--workspace", str(self.root), *args]

    def supervise(self) -> subprocess.Popen[bytes]:
        """`nightdesk run --idle`, with the dawdling programs first on its PATH."""
        env = self.env | {"PATH": f"{self.folder / 'bin'}:{self.env['PATH']}"}
        with open(self.folder / "supervisor.err", "ab") as words:
            process = subprocess.Popen(
                self._leashed("run", "--idle"), env=env, stdin=subprocess.DEVNULL, stdout=words, stderr=words
            )
        self.supervisors.append(process)
        return process

    def start(self, *args: str) -> subprocess.Popen[str]:
        """A command of the operator, not waited for."""
        process = subprocess.Popen(
            self._leashed(*args),
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.clients.append(process)
        return process

    def ack(self, policy: str, plan: str) -> subprocess.Popen[str]:
        return self.start("policy", "ack", policy, "--approve", "--plan", plan)

    def ask(self, *args: str) -> Any:
        """A command that prints JSON, as data."""
        code, out = self.call(*args, "--json")
        assert code == 0, out
        return json.loads(out)

    def call(self, *args: str, seconds: float = 70.0) -> tuple[int, str]:
        """Exit status and words of a command that nothing is done to."""
        done = warm.run("--workspace", str(self.root), *args, cwd=self.folder, env=self.env, timeout=seconds)
        return done.returncode, done.stdout + done.stderr

    def settle(self, process: subprocess.Popen[str], seconds: float = 70.0) -> tuple[int, str]:
        """Exit status and words of a command."""
        out, _ = process.communicate(timeout=seconds)
        return process.returncode, out

    def git(self, *args: str, cwd: Path | None = None) -> str:
        env = self.env | {"GIT_OPTIONAL_LOCKS": "0"}
        command = ["git", "-C", str(cwd or self.root), *args]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    # -- what runs ---------------------------------------------------------------------------------------

    def note(self) -> None:
        """Remember who is below the supervisors now, and the pids that the log names."""
        for process in self.supervisors:
            if process.poll() is None:
                self.known |= below(process.pid)
        for event in self.tail.of("session:started"):
            for pid in (event.get("pid", 0), event.get("shim_pid", 0)):
                if pid and pid not in self.known and (stat := shim.read_stat(pid)):
                    self.known[pid] = stat.start

    def _marked(self) -> Iterator[tuple[int, int]]:
        marks = (f"{self.folder}/".encode(), self.nap.encode())
        for pid, proc in shim.proc_table().items():
            if not proc.dead and pid != os.getpid():
                words = shim.read_proc(f"/proc/{pid}/cmdline") + b"\0" + shim.read_proc(f"/proc/{pid}/environ")
                if any(mark in words for mark in marks):
                    yield pid, proc.start

    def running(self, spare: Sequence[int] = ()) -> dict[int, int]:
        """{pid: start} of everything of this play that lives, but not our commands and nothing below `spare`."""
        found = dict(self._marked()) | {pid: start for pid, start in self.known.items() if alive(pid, start)}
        spared = {process.pid for process in self.clients if process.poll() is None} | set(spare)
        for root in tuple(spared):
            spared |= set(below(root))
        return {pid: start for pid, start in found.items() if pid not in spared}

    def summoned(self) -> list[int]:
        """Supervisors that a command has started: not ours, but the product's own next start."""
        ours = {process.pid for process in self.supervisors}
        found = []
        for pid, _ in self._marked():
            words = shim.read_proc(f"/proc/{pid}/cmdline").split(b"\0")
            if b"--linger" in words and b"console" in words and pid not in ours:
                found.append(pid)
        return found

    def gone(self, since: float, limit: float, spare: Callable[[], Sequence[int]] = lambda: ()) -> float:
        """Seconds from `since` until nothing of the play was left; an assertion error names what outlived `limit`."""
        while left := self.running(spare()):
            spent = time.monotonic() - since
            names = "; ".join(f"{pid} {shim.command_line(pid)}" for pid in left)
            assert spent < limit, f"after {spent:.2f} s still running: {names}"
            time.sleep(0.01)
        return time.monotonic() - since

    def holder(self) -> int:
        """The pid of the process that supervises now, 0 while there is none; an error when ours gave up by itself."""
        for process in self.supervisors:
            assert process.poll() in (None, -signal.SIGKILL, 65), self.words()
        ours = [process.pid for process in self.supervisors if process.returncode is None]
        return next(iter(ours or self.summoned()), 0)

    def words(self) -> str:
        return (self.folder / "supervisor.err").read_text()[-2000:]

    def kill(self, pid: int) -> float:
        """SIGKILL, as the kernel's own killer would; the moment of it."""
        self.note()
        os.kill(pid, signal.SIGKILL)
        at = time.monotonic()
        until(lambda: not alive(pid), 5, f"the death of {pid}")
        return at

    def close_down(self) -> None:
        """`nightdesk stop`; afterwards nothing may be left."""
        self.stubborn.unlink(missing_ok=True)
        code, words = self.call("stop", seconds=40)
        assert code == 0, words
        self.gone(time.monotonic(), 2.0)
        for process in self.supervisors:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
