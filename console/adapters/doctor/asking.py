"""Asks a small program of the machine (tmux, loginctl) one question. It may hang, be missing or say anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping

from console.adapters.environment import outside_path

LIMIT = 2.0
CAP = 64 * 1024


def ask(
    argv: tuple[str, ...], environ: Mapping[str, str], worktrees: Iterable[str] = (), limit: float = LIMIT
) -> str | None:
    """The first 64 KiB of its stdout; None when it is not there, fails or takes longer than `limit` seconds. A program
    that lies in a folder of `worktrees` is not started: an agent could have put it there."""
    program = shutil.which(argv[0], path=outside_path(environ.get("PATH", os.defpath), worktrees))
    if program is None:
        return None
    env = {**environ, "LC_ALL": "C.UTF-8"}
    quiet = subprocess.DEVNULL
    try:
        ran = subprocess.run(
            [program, *argv[1:]],
            stdin=quiet,
            stdout=subprocess.PIPE,
            stderr=quiet,
            cwd="/",
            env=env,
            timeout=limit,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return ran.stdout[:CAP].decode("utf-8", "replace").strip() if ran.returncode == 0 else None
