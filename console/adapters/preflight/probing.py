"""Asks programs, first of all for their version: under a shim each, at most 30 s, in the agent's environment.

Only for presets of settings that somebody trusts; who calls this has asked.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from console.adapters.environment import outside_path, session_env
from console.adapters.preflight import autonomy
from console.adapters.preflight.facts import VERSION, Probe
from console.adapters.preflight.helptext import plain
from console.adapters.processes import ShimProcesses
from console.core.records import ProcessEnd, Refused
from console.core.settings import Preset
from console.engine.ports import ProcessSpec

LIMIT = 30.0
"""Seconds. On a busy machine the slowest (Node programs of 100 MB) take half of that."""
READ = 256 * 1024
SHOWN = 80
_ERROR = re.compile(r"(?:Uncaught )?[\w.]*(?:Error|Exception): .")
_NODE = re.compile(r"Node\.js v[\d.]+")


def programs(presets: Mapping[str, Preset], environ: Mapping[str, str], worktrees: Sequence[str]) -> dict[str, Probe]:
    """Where each preset's program is. Starts nothing."""
    return {name: _found(preset.launch.argv[0], environ, preset, worktrees) for name, preset in presets.items()}


def _found(program: str, environ: Mapping[str, str], preset: Preset, worktrees: Sequence[str]) -> Probe:
    path = session_env(environ, preset.launch).get("PATH", os.defpath)
    if os.path.isabs(program):
        return _at(program, worktrees)
    if "/" in program:
        reason = f"{program!r} is a file of whatever worktree the agent works in, which it can write"
        return Probe(found=Refused(reason=f"{reason}: write a bare name or a whole path"))
    found = shutil.which(program, path=outside_path(path, worktrees))
    if not found:
        return Probe(found=Refused(reason=f"{program!r} is not on the PATH (folders of this workspace are left out)"))
    first = shutil.which(program, path=path) or found
    same = os.path.realpath(first) == os.path.realpath(found)
    return Probe(found=found, elsewhere="" if same else first)


def _at(program: str, worktrees: Sequence[str]) -> Probe:
    if not os.access(program, os.X_OK) or not os.path.isfile(program):
        return Probe(found=Refused(reason=f"{program} is no program that can be started"))
    folder = os.path.dirname(program)
    safe = outside_path(folder, worktrees) == folder
    return Probe(found=program, elsewhere="" if safe else program)


def able(presets: Mapping[str, Preset], found: Mapping[str, Probe]) -> dict[str, Preset]:
    """Those whose program was found, and not where an agent could have put it: only these may be started."""
    sure = [name for name, probe in found.items() if isinstance(probe.found, str) and not probe.elsewhere]
    return {name: presets[name] for name in sure if name in presets}


def versions(
    presets: Mapping[str, Preset], found: Mapping[str, Probe], environ: Mapping[str, str], worktrees: Sequence[str]
) -> dict[str, Probe]:
    """The same, with what each program says of itself. Blocks at most some 30 s; not for a thread with a loop."""
    with asking(environ, worktrees) as a:
        return asyncio.run(told(a, presets, found))


async def told(a: Asking, presets: Mapping[str, Preset], found: Mapping[str, Probe]) -> dict[str, Probe]:
    """What `versions` gives, for a loop that asks more than that."""
    names = [name for name, preset in able(presets, found).items() if autonomy.askable(preset)]
    said = await asyncio.gather(*(_version(a, presets[name]) for name in names))
    merged = dict(found)
    for name, (version, failed) in zip(names, said, strict=True):
        merged[name] = Probe(found=found[name].found, asked=True, said=version, failed=failed)
    return merged


async def _version(a: Asking, preset: Preset) -> tuple[str, str]:
    """(the line that tells it, why there is none)"""
    heard = await a.run(preset, preset.probe, LIMIT)
    return "" if heard.failed else version_line(heard.text), heard.failed


@dataclass(frozen=True, slots=True)
class Heard:
    """What a program printed, both streams, and why that is no answer ("" when it is one)."""

    text: str
    failed: str


class Asking:
    """Asks programs, some at the same time. place: a folder for what they print."""

    def __init__(self, environ: Mapping[str, str], worktrees: Sequence[str], place: Path) -> None:
        self.processes = ShimProcesses()
        self.environ, self._worktrees, self._place = environ, worktrees, place
        self._turns = asyncio.Semaphore(max(4, 2 * (os.cpu_count() or 1)))
        self._count = 0

    def env(self, preset: Preset) -> dict[str, str]:
        """As the agent would have it, without programs out of a worktree."""
        env = session_env(self.environ, preset.launch)
        return env | {"PATH": outside_path(env.get("PATH", os.defpath), self._worktrees)}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Path]:
        """An empty folder, once few enough others are at it."""
        async with self._turns:
            self._count += 1
            folder = self._place / str(self._count)
            folder.mkdir()
            yield folder

    async def run(self, preset: Preset, argv: tuple[str, ...], limit: float, **env: str) -> Heard:
        """What it prints with nothing to read, within so many seconds; its tree is gone afterwards."""
        async with self.turn() as folder:
            return await self._run(argv, limit, self.env(preset) | env, folder)

    async def _run(self, argv: tuple[str, ...], limit: float, env: dict[str, str], folder: Path) -> Heard:
        work, output = folder / "work", folder / "out"
        work.mkdir()
        spec = ProcessSpec(
            argv=argv, cwd=str(work), env=env, output=str(output), grace=0.2, head=READ // 2, tail=READ // 2
        )
        run = await self.processes.launch(spec)
        if isinstance(run, ProcessEnd):
            return Heard("", run.reason or "it could not be started")
        try:
            end = await asyncio.wait_for(run.wait(), limit)
        except TimeoutError:
            run.stop(0.0)
            await run.wait()
            return Heard(_read(output), f"no answer within {limit:g} s")
        text = _read(output)
        return Heard(text, _complaint(end, text))


@contextmanager
def asking(environ: Mapping[str, str], worktrees: Sequence[str]) -> Iterator[Asking]:
    with tempfile.TemporaryDirectory(prefix="nightdesk-", ignore_cleanup_errors=True) as folder:
        yield Asking(environ, worktrees, Path(folder))


def _complaint(end: ProcessEnd, text: str) -> str:
    if end.how != "exited":
        return end.reason or (f"it was ended by signal {end.signal}" if end.signal else f"it was {end.how}")
    said = error_line(text)
    if end.code:
        return f"exit {end.code}{f': {said}' if said else ''}"
    return "" if said else "it said nothing"


def _read(output: Path) -> str:
    with suppress(OSError), open(output, "rb") as file:
        return file.read(2 * READ).decode("utf-8", "replace")
    return ""


def version_line(text: str) -> str:
    """The first line with a version number, else the first one with something on it. Still to be cleaned."""
    lines = _lines(text)
    return _cut(next((line for line in lines if VERSION.search(line)), lines[0] if lines else ""))


def error_line(text: str) -> str:
    """What a failed program says: the name and text of its error rather than where in its files that was; with the
    Node.js that ran it, which may be too old for it."""
    lines = _lines(text)
    line = next((line for line in lines if _ERROR.match(line)), lines[0] if lines else "")
    node = next((line for line in lines if _NODE.fullmatch(line)), "")
    return _cut(line, 200) + (f" (run by {node})" if node else "")


def _lines(text: str) -> list[str]:
    return [line for line in (line.strip() for line in plain(text).splitlines()) if line]


def _cut(line: str, most: int = SHOWN) -> str:
    return line if len(line) <= most else f"{line[:most]}…"
