"""A gate run once before anybody relies on it: under a shim, in a clean checkout of HEAD, as a ticket's gate would be.
Imports are late."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from console.core.records import GateResult, Refused
from console.engine.first_steps import Tried

if TYPE_CHECKING:
    from console.core.settings import Settings
    from console.engine.ports import ProcessSpec
    from console.wiring import Here

LOOK = 0.1
"""Seconds between looks whether somebody wants it to stop."""


def attempt(here: Here, gate: str, stop: threading.Event, limit: float) -> Tried | Refused:
    """gate: in words, "" for the one of the settings. Blocks until it has ended, at most `limit` seconds. Raises
    GitFailed."""
    from console import wiring
    from console.adapters.git.refs import head_of

    try:
        argv = tuple(shlex.split(gate)) or wiring.settings_of(here).settings.gate
    except ValueError as error:
        return Refused(reason=f"the gate cannot be read as a command: {error}")
    if not argv:
        return Refused(reason="there is no gate to try: settings come first")
    if why := _forbidden(here, argv):
        return Refused(reason=why)
    head = head_of(here.workspace.common, here.workspace.common)
    if head is None or not head.oid:
        return Refused(reason="there is no commit to try it on")
    base = here.places.cache / "checkouts"
    base.mkdir(parents=True, exist_ok=True, mode=0o700)
    room = Path(tempfile.mkdtemp(prefix="try-", dir=base))
    try:
        spec = _prepared(here, argv, head.oid, room)
        if isinstance(spec, Refused):
            return spec
        result = asyncio.run(_run(spec, stop, limit))
        return Tried(
            argv=argv,
            verdict=result.verdict,
            words=words(result, stopped=stop.is_set(), limit=limit),
            where=f"a clean checkout of {head.oid[:10]}",
            output=result.output,
        )
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _forbidden(here: Here, argv: tuple[str, ...]) -> str:
    """Why this must not start here; "" when it may. The settings' words are the repository's until they are trusted."""
    from console import wiring

    loaded = wiring.settings_of(here)
    if why := wiring.distrust(here, loaded):
        return f"nothing was started: {why}"
    return unlisted(argv, loaded.settings) if loaded.exists else ""


def unlisted(argv: tuple[str, ...], settings: Settings) -> str:
    """Why the settings' own list does not let this gate start; "" when it does."""
    return "" if argv[0] in settings.allowed else f"{argv[0]} is not among allowed_commands: add it there"


def _prepared(here: Here, argv: tuple[str, ...], commit: str, room: Path) -> ProcessSpec | Refused:
    """The checkout is made; what would run in it."""
    from console import wiring

    tree = room / "tree"
    tree.mkdir()
    loaded = wiring.settings_of(here)
    if refused := wiring.git_of(here).checkout_commit(commit, (), str(here.root), tree, loaded.settings.include):
        return refused
    return _spec(here, argv, tree, room / "output")


def _spec(here: Here, argv: tuple[str, ...], tree: Path, output: Path) -> ProcessSpec | Refused:
    from console import wiring
    from console.adapters.environment import gate_env, token
    from console.engine.ports import ProcessSpec
    from console.supervision import find_command, sandbox_of

    trees = [each.path for each in wiring.git_of(here).worktrees()]
    env = gate_env(here.environ, trees) | token(here.workspace.key)
    program = find_command(argv[0], env)
    if isinstance(program, Refused):
        return program
    sandbox, _ = sandbox_of(here, str(tree), False)
    if isinstance(sandbox, Refused):
        return sandbox
    where = os.path.realpath(tree)
    return ProcessSpec(argv=(program, *argv[1:]), cwd=where, env=env, output=str(output), sandbox=sandbox)


async def _run(spec: ProcessSpec, stop: threading.Event, limit: float) -> GateResult:
    from console.adapters.processes import ShimProcesses
    from console.engine.running import run_limited

    running = asyncio.ensure_future(run_limited(ShimProcesses(), spec, limit, "base"))
    while not running.done():
        await asyncio.wait({running}, timeout=LOOK)
        if stop.is_set() and not running.done():
            running.cancel()
            await asyncio.wait({running})
    if running.cancelled():
        return GateResult(verdict="unjudged", where="base", reason="it was stopped")
    return running.result()


def words(result: GateResult, *, stopped: bool, limit: float) -> str:
    """How it ended, for somebody who sees a gate for the first time."""
    from console.core.failures.counting import counted

    took = f" after {result.seconds:.1f} s"
    match result.verdict:
        case "green" if counted(result.output) == 0:
            return (
                f"exit 0{took}, but it ran no test: a gate that runs no test proves nothing. Choose another, or add one"
            )
        case "green":
            return f"green: it ended with exit 0{took}, so work that leaves it like this passes"
        case "timeout":
            return f"it was not done after {limit:g} s and was ended; no work would pass like that"
        case "red" if result.code == 5:
            return f"red: exit 5{took}; pytest says so when it finds no test. A gate that runs no test proves nothing"
        case "red" if result.signal:
            return f"red: signal {result.signal} ended it{took}"
        case "red":
            return (
                f"red: exit {result.code}{took}. A ticket whose work makes this green passes; one that leaves it as "
                "red as it is now is not simply done: its plan waits for you, told as doubtful"
            )
        case _:
            return "stopped by you" if stopped else f"could not judge: {result.reason}"
