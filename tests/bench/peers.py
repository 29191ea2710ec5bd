"""Other programs that are measured beside ours where they are installed. Nothing is fetched: one is found on PATH or by
the variable NIGHTDESK_BENCH_<NAME> (its file); without it its rows are left out, and that is said."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """marker: bytes that its first useful picture holds, once `argv` was started in the right folder."""

    name: str
    argv: tuple[str, ...]
    marker: bytes


def peer(name: str, args: Sequence[str], marker: bytes) -> Peer | None:
    """A program by its usual name, None (and a word on standard error) where there is none."""
    found = os.environ.get(f"NIGHTDESK_BENCH_{name.upper()}") or shutil.which(name)
    if not found:
        print(f"{name} is not installed: its rows are left out", file=sys.stderr)
        return None
    return Peer(name, (found, *args), marker)
