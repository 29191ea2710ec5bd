"""Asks programs for their version: under a shim each, at most 10 s, in the environment that the agent would have.

Only for presets of settings that somebody trusts; who calls this has asked.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from console.adapters.environment import outside_path, session_env
from console.adapters.preflight import autonomy
from console.adapters.preflight.facts import Probe
from console.adapters.processes import ShimProcesses
from console.core.records import ProcessEnd, Refused
from console.core.settings import Preset
from console.engine.ports import ProcessSpec

LIMIT = 10.0
READ = 64 * 1024
SHOWN = 80
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


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


def versions(
    presets: Mapping[str, Preset], found: Mapping[str, Probe], environ: Mapping[str, str], worktrees: Sequence[str]
) -> dict[str, Probe]:
    """The same, with what each program says of itself. Blocks at most some 10 s; not for a thread with a loop."""
    able = [
        name
        for name, probe in found.items()
        if isinstance(probe.found, str) and not probe.elsewhere and autonomy.askable(presets[name])
    ]
    if not able:
        return dict(found)
    asked = asyncio.run(_ask_all([(name, presets[name]) for name in able], environ, worktrees))
    merged = dict(found)
    for name, (said, failed) in asked.items():
        merged[name] = Probe(found=found[name].found, asked=True, said=said, failed=failed)
    return merged


async def _ask_all(
    presets: Iterable[tuple[str, Preset]], environ: Mapping[str, str], worktrees: Sequence[str]
) -> dict[str, tuple[str, str]]:
    shims = ShimProcesses()
    with tempfile.TemporaryDirectory(prefix="nightdesk-") as place:
        asked = {
            name: _ask(shims, preset, environ, worktrees, os.path.join(place, f"{number}.out"))
            for number, (name, preset) in enumerate(presets)
        }
        said = await asyncio.gather(*asked.values())
    return dict(zip(asked, said, strict=True))


async def _ask(
    shims: ShimProcesses, preset: Preset, environ: Mapping[str, str], worktrees: Sequence[str], output: str
) -> tuple[str, str]:
    """(first line, why it failed)"""
    env = session_env(environ, preset.launch)
    env["PATH"] = outside_path(env.get("PATH", os.defpath), worktrees)
    run = await shims.launch(
        ProcessSpec(argv=preset.probe, cwd=os.path.dirname(output), env=env, output=output, grace=0.2)
    )
    if isinstance(run, ProcessEnd):
        return "", run.reason or "it could not be started"
    timed_out = False
    try:
        end = await asyncio.wait_for(run.wait(), LIMIT)
    except TimeoutError:
        timed_out = True
        run.stop(0.0)
        end = await run.wait()
    said = first_line(_read(output))
    if timed_out:
        return said, f"no answer within {LIMIT:g} s"
    return said, _complaint(end, said)


def _complaint(end: ProcessEnd, said: str) -> str:
    if end.how != "exited":
        return end.reason or (f"it was ended by signal {end.signal}" if end.signal else f"it was {end.how}")
    if end.code:
        return f"exit {end.code}{f': {said}' if said else ''}"
    return "" if said else "it said nothing"


def _read(output: str) -> str:
    with suppress(OSError), open(Path(output), "rb") as file:
        return file.read(READ).decode("utf-8", "replace")
    return ""


def first_line(text: str) -> str:
    """The first line with something on it, without colours, cut. Still to be cleaned before it is shown."""
    lines = (line.strip() for line in _COLOURS.sub("", text).splitlines())
    line = next((line for line in lines if line), "")
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
