"""A disk of a chosen size for a test: a tmpfs in a mount namespace of its own, held by a process that ends by itself.

What runs `inside` sees it at `place`; the test looks at it through `seen`. `resize` fills it without writing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

LIMIT = 100
"""Seconds after which the disk goes away, whatever became of the test."""
HOLD = f"""
import ctypes, os, signal, subprocess, sys
ctypes.CDLL(None).prctl(1, 9)
signal.alarm({LIMIT})
subprocess.run(["mount", "-t", "tmpfs", "-o", sys.argv[2], "none", sys.argv[1]], check=True)
print("ready", flush=True)
sys.stdin.read()
"""
WITHOUT = """
import ctypes, os, sys
for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: what lets root write where nobody may
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs a program for which permissions count, also as root."""


class SmallDisk:
    def __init__(self, place: Path, options: str) -> None:
        self.place = place
        self._root = os.getuid() == 0
        unshare = ["unshare", "--mount", "--propagation", "private"] + ([] if self._root else ["-Ur"])
        self._holder = subprocess.Popen(
            [*unshare, sys.executable, "-c", HOLD, str(place), options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout and self._holder.stderr
        if self._holder.stdout.readline() != "ready\n":
            self.close()
            pytest.skip(f"no tmpfs can be mounted here: {self._said.strip()}")

    @property
    def seen(self) -> Path:
        return Path(f"/proc/{self._holder.pid}/root{self.place}")

    def inside(self, *argv: str) -> list[str]:
        users = [] if self._root else ["-U", "--preserve-credentials"]
        return ["nsenter", "-t", str(self._holder.pid), "-m", *users, "--", *argv]

    def remount(self, options: str) -> None:
        command = self.inside("mount", "-o", f"remount,{options}", str(self.place))
        subprocess.run(command, check=True, timeout=20, capture_output=True)

    def resize(self, left: int) -> None:
        """So many bytes are left on it from now on (whole pages)."""
        fs = os.statvfs(self.seen)
        used = (fs.f_blocks - fs.f_bfree) * fs.f_frsize
        self.remount(f"size={used + left}")

    def files_left(self, count: int) -> None:
        fs = os.statvfs(self.seen)
        self.remount(f"nr_inodes={fs.f_files - fs.f_ffree + count}")

    def close(self) -> None:
        self._holder.kill()
        _, self._said = self._holder.communicate()


@contextlib.contextmanager
def small_disk(place: Path, options: str = "size=2g,mode=700") -> Iterator[SmallDisk]:
    for tool in ("unshare", "nsenter", "mount"):
        if not shutil.which(tool):
            pytest.skip(f"needs {tool} (util-linux)")
    place.mkdir(parents=True, exist_ok=True)
    disk = SmallDisk(place, options)
    try:
        yield disk
    finally:
        disk.close()
