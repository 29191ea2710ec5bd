"""Nothing that an agent started outlives its session: its MCP servers, what those start, and what its tools leave.

Every one of those programs is in a process session of its own, where no signal to the agent's group reaches it. Each
has a command line that nothing else on the machine has, so that it is found whatever became of its environment. A
program outside, which is none of ours, has the same name and must live on.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import clis
import pytest
from rig import Json, Rig, settled

HERE = Path(__file__).parent
NAMES = tuple(name for name in clis.NAMES if name != "aider")
"""aider runs no commands and knows no MCP."""
LEVELS = {name: {"autonomy": "all"} for name in NAMES}
"""At which level the tool's command runs without a question."""
WITHOUT_MCP = ("pi", "mini")
REAL = "mcp-server-everything"
"""The reference MCP server of npm (@modelcontextprotocol/server-everything), where it is installed."""


def servers(nap: str) -> dict[str, list[str]]:
    """The MCP servers: one of ours that starts a program which sleeps, and a real one where there is one."""
    found = {"sleeper": [sys.executable, str(HERE / "mcp_sleeper.py"), nap]}
    real = clis.folder() / "mcp-everything" / "node_modules" / ".bin" / REAL
    if real.exists():
        found["everything"] = [str(real), "stdio"]
    return found


# -- how each agent is told of them --------------------------------------------------------------------------


def _merge(path: Path, more: Json) -> None:
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(known | more), encoding="utf-8")


def configure(name: str, home: Path, found: dict[str, list[str]]) -> None:
    """Write the servers into the agent's own settings below `home`."""
    plain = {key: {"command": argv[0], "args": argv[1:]} for key, argv in found.items()}
    match name:
        case "claude" | "claude-acp":
            _merge(home / ".claude.json", {"mcpServers": plain})
        case "codex" | "codex-acp":
            lines = [
                f"[mcp_servers.{key}]\ncommand = {json.dumps(argv[0])}\nargs = {json.dumps(argv[1:])}\n"
                for key, argv in found.items()
            ]
            with (home / ".codex" / "config.toml").open("a", encoding="utf-8") as out:
                out.write("\n".join(["", *lines]))
        case "gemini" | "qwen":
            _merge(home / f".{name}" / "settings.json", {"mcpServers": plain})
        case "opencode":
            local = {key: {"type": "local", "command": argv, "enabled": True} for key, argv in found.items()}
            _merge(home / ".config" / "opencode" / "opencode.json", {"mcp": local})


# -- what lives ----------------------------------------------------------------------------------------------


def alive(*marks: str) -> dict[int, str]:
    """pid -> command line of every process, zombies aside, whose command line has one of `marks` as its last word."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word in marks for word in words):
            found[int(entry.name)] = " ".join(words)[:200]
    return found


class Nest(Rig):
    """A session whose tool left one program behind, and whose MCP servers have another."""

    def __init__(self, room: Path, name: str) -> None:
        self.tool, self.nap, self.canary = (f"{n}00300.{os.getpid()}" for n in (1, 2, 3))
        run = {"run": f"setsid -f sleep {self.tool} </dev/null >/dev/null 2>&1; sleep 1; echo left"}
        steps: list[Json] = [run, {"hang": 900, "times": 1}, {"say": "Done."}]
        super().__init__(room, name, before=[{"match": "Leave it", "steps": steps}], preset=self._preset(name))
        self.mcp = {} if name in WITHOUT_MCP else servers(self.nap)
        configure(name, self.home, self.mcp)

    def _preset(self, name: str) -> Json:
        return {"autonomy_confirmed": True, **LEVELS[name]}

    def begin(self) -> str:
        """The session, in the middle of its turn, with all that is to be left."""
        self.ok("trust")
        self.supervisor = self.start("run", "--idle")
        assert settled(lambda: self.events("supervisor:started")), self.output()
        self.ok("session", "start", "--prompt", "Leave it running.", "--label", "nest")
        there = settled(lambda: any(r["reply"].startswith("Hang") for r in self.all()), 90)
        assert there, (self.shown(), self.output(), [r["reply"][:100] for r in self.all()])
        assert settled(lambda: not self.missing(), 60), (self.missing(), self.left())
        return str(self.last("session:started")["session"])

    def missing(self) -> list[str]:
        """What should be running by now and is not."""
        lines = list(self.left().values())
        wanted = [f"sleep {self.tool}", *([f"sleep {self.nap}", "mcp_sleeper.py"] if self.mcp else [])]
        wanted += [REAL] if "everything" in self.mcp else []
        return [word for word in wanted if not any(word in line for line in lines)]

    def left(self) -> dict[int, str]:
        return alive(self.tool, self.nap) | {p: c for p, c in self.processes().items() if REAL in c}


def turn_ends(rig: Nest, session: str) -> None:
    rig.ok("session", "interrupt", session)
    assert settled(lambda: rig.events("turn-end"), 60), rig.output()
    rig.ok("session", "prompt", session, "Leave it running.")
    assert settled(lambda: any(e["ok"] for e in rig.events("turn-end")), 90), rig.shown()
    rig.ok("session", "stop", session)


def interrupted(rig: Nest, session: str) -> None:
    rig.ok("session", "interrupt", session)
    assert settled(lambda: rig.events("turn-end"), 60), rig.output()
    rig.ok("session", "stop", session)


def stopped_in_mid_turn(rig: Nest, session: str) -> None:
    rig.ok("session", "stop", session)


def agent_killed(rig: Nest, session: str) -> None:
    """What is left of the first run is gone before the second begins, and at its end the second's is as well."""
    before = set(rig.left())
    os.kill(rig.last("session:started")["pid"], signal.SIGKILL)
    assert settled(lambda: rig.events("exited"), 30), rig.output()
    assert not before & set(rig.left()), rig.left()
    rig.call("session", "stop", session)


def supervisor_killed(rig: Nest, session: str) -> None:
    rig.supervisor.kill()
    rig.supervisor.wait()


ENDS: list[Callable[[Nest, str], None]] = [turn_ends, interrupted, stopped_in_mid_turn, agent_killed, supervisor_killed]


@pytest.fixture
def canaries() -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def start(mark: str) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["sleep", mark], start_new_session=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


QUICK = [("gemini", supervisor_killed)]
"""What CI has the time for."""


def cases() -> Iterator[Any]:
    for name in NAMES:
        for end in ENDS:
            marks = () if (name, end) in QUICK else (pytest.mark.slow,)
            yield pytest.param(name, end, marks=marks, id=f"{name}-{end.__name__}")


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("name", "end"), [*cases()])
def test_nothing_outlives_the_session(
    name: str, end: Callable[[Nest, str], None], room: Path, canaries: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    if reason := clis.missing(name):
        pytest.skip(reason)
    with Nest(room, name) as rig:
        canary = canaries(rig.canary)
        session = rig.begin()
        end(rig, session)
        assert settled(lambda: not rig.left(), 15), rig.left()
        assert canary.poll() is None
