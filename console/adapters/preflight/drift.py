"""Whether an agent still takes what its preset says: its help names the flags, and over ACP a session begins in the
wanted mode. Asked before a run, so that no token is spent to find out. Only for settings that somebody trusts.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from console.adapters.agents import claude_opening
from console.adapters.agents.knocking import Knock, knock
from console.adapters.places import state_root
from console.adapters.preflight import helptext, probing
from console.adapters.preflight.facts import Drift, Probe
from console.core.settings import Preset

__all__ = ["Drift", "asked", "drifts"]

HELP = 15.0
"""Seconds for a help."""
BEGIN = 40.0
"""Seconds for a session to begin."""
WIDE = "400"
"""Columns that we claim to have, so that a help breaks as few lines as it can."""


def drifts(
    presets: Mapping[str, Preset], found: Mapping[str, Probe], environ: Mapping[str, str], worktrees: Sequence[str]
) -> dict[str, Drift]:
    """Of each preset whose program was `found`. Blocks for as long as the slowest takes, at most some 25 s for a few;
    not for a thread with a running loop."""
    with probing.asking(environ, worktrees) as a:
        return asyncio.run(_all(a, presets, found))


def asked(
    presets: Mapping[str, Preset], found: Mapping[str, Probe], environ: Mapping[str, str], worktrees: Sequence[str]
) -> tuple[dict[str, Probe], dict[str, Drift]]:
    """Versions and drifts, at the same time. See `drifts`."""

    async def both(a: probing.Asking) -> tuple[dict[str, Probe], dict[str, Drift]]:
        return await asyncio.gather(probing.told(a, presets, found), _all(a, presets, found))

    with probing.asking(environ, worktrees) as a:
        return asyncio.run(both(a))


async def _all(a: probing.Asking, presets: Mapping[str, Preset], found: Mapping[str, Probe]) -> dict[str, Drift]:
    able = probing.able(presets, found)
    made = await asyncio.gather(*(_of(a, preset) for preset in able.values()))
    return dict(zip(able, made, strict=True))


async def _of(a: probing.Asking, preset: Preset) -> Drift:
    began = time.monotonic()
    (missing, unhelpful), met = await asyncio.gather(_flags(a, preset), _met(a, preset))
    return Drift(
        checked=bool(helps(preset)) or met is not None,
        missing=missing,
        why=(met.refused if met else "") or unhelpful,
        said=met.said if met else "",
        login=bool(met and met.login),
        seconds=time.monotonic() - began,
    )


# -- flags -----------------------------------------------------------------------------------------------


def helps(preset: Preset) -> tuple[str, ...]:
    """The command that prints the help of the very program that would run, () when there is none to ask."""
    if not wanted(preset):
        return ()
    mine, its = preset.launch.argv[0], preset.help[0]
    same = mine == its or os.path.basename(mine) == os.path.basename(its)
    return (mine, *preset.help[1:]) if same else ()


def wanted(preset: Preset) -> tuple[str, ...]:
    """The words that the help must hold, with those that a driver adds. Of a command that the settings wrote
    themselves, only those that it uses."""
    if not preset.help:
        return ()
    added = tuple(more[0] for more in claude_opening.NEEDED) if preset.launch.protocol == "claude-stream" else ()
    if preset.autonomy or not preset.builtin:
        return (*preset.flags, *added)
    launch = preset.launch
    used = {part for word in (*launch.argv, *launch.resume, *launch.interactive) for part in word.split("=")}
    return (*(word for word in preset.flags if set(word.split()) <= used), *added)


async def _flags(a: probing.Asking, preset: Preset) -> tuple[tuple[str, ...], str]:
    """(the flags that are gone, why nobody can tell)"""
    command = helps(preset)
    if not command:
        return (), ""
    heard = await a.run(preset, command, HELP, COLUMNS=WIDE)
    gone = helptext.missing(wanted(preset), heard.text)
    if gone and heard.failed:
        return (), f"`{' '.join(command)}` does not tell its options: {heard.failed}"
    return gone, ""


# -- the handshake ---------------------------------------------------------------------------------------


async def _met(a: probing.Asking, preset: Preset) -> Knock | None:
    if preset.launch.protocol != "acp":
        return None
    async with a.turn() as folder:
        work = _ground(a.environ) or folder / "work"
        work.mkdir(exist_ok=True)
        return await knock(a.processes, preset.launch, a.env(preset), work, folder, limit=BEGIN)


def _ground(environ: Mapping[str, str]) -> Path | None:
    """An empty folder that is the same every time: agents remember for good each folder that they ever began in. It
    lies where no sandboxed agent can write. None when there is something in it or it cannot be had."""
    folder = state_root(environ) / "preflight"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return None if folder.is_symlink() or any(folder.iterdir()) else folder
    return None
