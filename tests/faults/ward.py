"""A supervisor with real shims, real agents and a real watchdog on a faked repository.

As a program: argument 1 is a folder, 2 the limits as JSON, the rest are prompts, one an agent. It prints every fact as
a line of JSON and ends when its stdin does, at the latest after a minute.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engine"))

from night import H0, Night

from console.adapters import inbox
from console.adapters.agents import RealAgents
from console.adapters.evidence import ProcEvidence
from console.adapters.processes import ShimProcesses
from console.core import events as ev
from console.core.records import Launch, WatchLimits
from console.engine import supervisor as room

BOT = Path(__file__).resolve().parent / "hangbot.py"
POLL = 0.2


class Git:
    """A repository in which nothing ever happens."""

    def turn_base(self, worktree: str) -> Any:
        return H0

    def worktrees(self) -> tuple[Any, ...]:
        return ()


class Ward(Night):
    """`supervised` as in `Night`; sessions are agents of `hangbot`."""

    def __init__(self, place: Path, **limits: Any) -> None:
        super().__init__(place)
        self.place = place
        self.limits = WatchLimits(**{"start": 2.0, "quiet": 0.6, "hung": 1.5, "tool": 30.0, "restarts": 0} | limits)
        self.evidence = ProcEvidence()
        processes = ShimProcesses()
        places = self.world.places
        self.world = dataclasses.replace(
            self.world,
            git=Git(),  # type: ignore[arg-type]
            processes=processes,
            agents=RealAgents(processes, patience=0.5),
            evidence=self.evidence,
            limits=lambda: self.limits,
            heartbeat=lambda session: inbox.heartbeat(places.inbox(session)),
            session_env=lambda launch: (
                {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)} | launch.env
            ),
        )

    def agent(self, prompt: str, protocol: str = "command") -> str:
        """Start one; its session."""
        number = len(self.state.sessions) + 1
        argv = (sys.executable, str(BOT), *((prompt,) if protocol == "acp" else ()))
        env = {"BOT": str(number)}
        return self.session(prompt, Launch(argv=argv, protocol=protocol, env=env))  # type: ignore[arg-type]

    def hush(self, session: str) -> None:
        (self.worktree / f"hush-{session.removeprefix('s-')}").touch()

    def speak(self, session: str) -> None:
        (self.worktree / f"hush-{session.removeprefix('s-')}").unlink()

    def of(self, kind: type[ev.Event]) -> list[str]:
        """The sessions that such facts name, in order."""
        return [fact.session for fact in self.facts(kind)]


async def _run(ward: Ward, prompts: list[str]) -> None:
    over = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    threading.Thread(
        target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(over.set_result, None)), daemon=True
    ).start()
    async with ward.supervised():
        for prompt in prompts:
            ward.agent(prompt)
        told = 0
        while not over.done():
            facts = ward.facts()
            for fact in facts[told:]:
                print(json.dumps({"type": type(fact).__name__, "session": getattr(fact, "session", "")}), flush=True)
            told = len(facts)
            await asyncio.wait({over}, timeout=0.05)


def main() -> None:
    signal.alarm(60)
    limits = json.loads(sys.argv[2])
    if limits.pop("own_time", True) is False:  # the negative control
        from console.engine import pulse, watching

        pulse.AWAY = watching.LATE = float("inf")
    room.POLL = POLL
    ward = Ward(Path(sys.argv[1]), **limits)
    asyncio.run(_run(ward, sys.argv[3:]))
    ward.journal.close()


if __name__ == "__main__":
    main()
