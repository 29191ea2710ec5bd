"""A workspace with an agent at work under the real console on a real terminal, and what to look at when that goes away.

Figures are compared with the machine's own: a test thread that only sleeps says how late everybody is just now.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from console.adapters import shim
from console.adapters.store import Log

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "nights")]

from nightrig import NightRig  # noqa: E402
from rawterm import NORMAL, Screen, switched_on, terminal_env  # noqa: E402

AGENT = """\
import json, os, pathlib, signal, sys, time
signal.alarm(60)
room = pathlib.Path(sys.argv[1])
(room / "agent.pid").write_text(str(os.getpid()))
while not (room / "go").exists():
    time.sleep(0.02)
print(json.dumps({"type": "result", "session_id": "c-1"}))
"""
DESK = "q leave (runs go on)"
"""On the screen once the desk is drawn."""
GAP = 1.0
"""Seconds: the supervisor's tick gap stays below that, whatever the terminal does."""
SPIN = 0.10
"""Share of a CPU that nobody uses who has nothing to do."""


class Lag:
    """How late a thread that only sleeps is at worst, while the block runs: what the machine itself costs."""

    def __enter__(self) -> Lag:
        self.worst = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def _run(self) -> None:
        before = time.monotonic()
        while not self._stop.wait(0.05):
            now = time.monotonic()
            self.worst = max(self.worst, now - before - 0.05)
            before = now

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


class Desk:
    """One workspace. `console` opens terminals on it; `agent` is at work until `finish`."""

    def __init__(self, room: Path) -> None:
        self.rig = NightRig(room)
        self.room = room
        (room / "agent.py").write_text(AGENT)
        command = [sys.executable, str(room / "agent.py"), str(room)]
        self.rig.configure(
            presets={"hold": {"command": command, "protocol": "command", "autonomy_confirmed": True}}, agent="hold"
        )
        self.rig.ready()
        self.probe = room / "probe"
        self.screens: list[Screen] = []

    # -- consoles ----------------------------------------------------------------------------------------

    def argv(self, *args: str, probe: str = "") -> list[str]:
        return [sys.executable, str(HERE / "faulty_console.py"), str(probe or self.probe), *args]

    def env(self, **more: str) -> dict[str, str]:
        return terminal_env() | self.rig.env | {"TERM": "xterm-256color", "PS1": "ready> "} | more

    def console(self, *, probe: str = "", shell: str = "", **env: str) -> Screen:
        """A terminal whose session leader is the console's front, or a shell in which it was typed."""
        argv = shlex.split(shell) if shell else self.argv(probe=probe)
        screen = Screen(argv, env=self.env(**env), cwd=str(self.rig.repo))
        self.screens.append(screen)
        screen.fresh, screen.shell = screen.tty_modes(), bool(shell)  # type: ignore[attr-defined]
        if shell:
            screen.wait_for("ready>")
            screen.fresh = screen.tty_modes()  # type: ignore[attr-defined]
            screen.send(shlex.join(self.argv(probe=probe)) + "\n")
        screen.wait_for(DESK, 60)
        return screen

    def at_work(self, screen: Screen) -> int:
        """An agent is at work under that console; its pid."""
        agent = self.starts()
        screen.wait_for("working")
        return agent

    def starts(self) -> int:
        self.rig.ok("session", "start", "--preset", "hold", "--prompt", "Go on until you are told.")
        return int(until(self.agent, 60, "an agent at work"))

    def agent(self) -> int:
        with suppress(OSError, ValueError):
            pid = int((self.room / "agent.pid").read_text())
            return pid if running(pid) else 0
        return 0

    def supervisor(self) -> int:
        """The process that ticks, as its probe says."""
        until(self.probe.exists, 60, "a tick")
        return int(self.probe.read_text().split()[0])

    def worst(self) -> float:
        return float(self.probe.read_text().split()[1])

    def last_tick(self) -> float:
        return float(self.probe.read_text().split()[2])

    def measure(self) -> None:
        """The worst gap counts from now on."""
        self.probe.with_suffix(".reset").touch()
        until(lambda: not self.probe.with_suffix(".reset").exists(), 30, "a tick")

    def ticks_on(self, seconds: float = 0.8) -> None:
        """The supervisor ticks that long from now, whatever has happened."""
        start = time.monotonic()
        until(lambda: self.last_tick() > start + seconds, 60, f"ticks for {seconds} s")

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Events of these types, read from the log itself: no command is started for it."""
        (path,) = self.rig.home.glob(".local/state/nightdesk/*/log.db")
        log = Log(path)
        try:
            facts = [msgspec.to_builtins(entry.fact) for entry in log.read(0)]
        finally:
            log.close()
        return [fact for fact in facts if fact["type"] in kinds]

    # -- afterwards --------------------------------------------------------------------------------------

    def sound(self, agent: int, lag: float) -> float:
        """The same supervisor ticked all the time, its agent lives, and nobody spins. The worst gap."""
        gap = self.worst()
        assert gap < GAP + 2 * lag, f"the supervisor did not tick for {gap:.2f} s (machine: {lag:.2f} s)"
        assert running(agent), "the agent lives"
        pid = self.supervisor()
        assert len(self.events("supervisor:started")) == 1, "the same supervisor went on"
        share = cpu_share(pid)
        assert share < SPIN + 0.1 * lag, f"{share:.0%} of a CPU"
        return gap

    def shown_again(self) -> None:
        """The next `nightdesk` shows the session at work."""
        again = self.console(probe=str(self.room / "again"))
        again.wait_for("working")
        again.wait_for("attached to pid")
        again.process.terminate()
        assert again.wait_exit() == 128 + signal.SIGTERM
        assert is_sane(again) == ""

    def finish(self) -> None:
        (self.room / "go").touch()

    def close(self) -> None:
        self.finish()
        for screen in self.screens:
            screen.close()
        self.rig.close()


def until(look: Callable[[], Any], seconds: float, what: str) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.01)
    return found


def leave(screen: Screen) -> None:
    """`q`, as a person presses it: not within moments of what was drawn."""
    time.sleep(0.6)
    screen.press("q")


def running(pid: int) -> bool:
    stat = shim.read_stat(pid)
    return stat is not None and not stat.dead


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def cpu_share(pid: int, seconds: float = 0.6) -> float:
    def ticks() -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before, at = ticks(), time.monotonic()
    time.sleep(seconds)
    return (ticks() - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - at)


def ignored_signals(pid: int) -> set[str]:
    """What a process ignores or blocks, from /proc."""
    found = set()
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("SigIgn", "SigBlk") and int(value, 16):
            found |= {f"{name} {n}" for n in range(1, 65) if int(value, 16) >> (n - 1) & 1}
    return found


def is_sane(screen: Screen) -> str:
    """What is wrong with the terminal, "" when it is as it was."""
    on = switched_on(screen.raw())
    if screen.shell:  # type: ignore[attr-defined]
        on.discard(b"2004")  # its prompt asks for bracketed paste
    wrong = [f"modes {sorted(on ^ NORMAL)}"] if on != NORMAL else []
    now, before = screen.tty_modes(), screen.fresh  # type: ignore[attr-defined]
    if now != before:
        wrong.append(f"line modes {now[:4]}, were {before[:4]}")
    return "; ".join(wrong)


def front_of(child: int) -> int:
    stat = shim.read_stat(child)
    assert stat is not None
    return stat.ppid


def children(pid: int) -> list[int]:
    return [child for child in shim.children(pid) if running(child)]


def send(pid: int, number: int) -> None:
    os.kill(pid, number)
