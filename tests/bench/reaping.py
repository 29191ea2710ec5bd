"""Ending a tree: our shim beside the usual psutil recipe, on the same trees in the same run.

The recipe ends the victims of a process of its own; what it leaves is counted, and then ended by a shim around all of
it, so that a benchmark leaves nothing either.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil

from bench.ground import Ground
from bench.measure import Figure, Sample, interleaved
from console.adapters import shim

LIMIT = 60.0
SLEEPERS = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.alarm(120)
for number in range(%d):
    if os.fork() == 0:
        signal.alarm(120)
        if number %% 3 == 0:
            os.setsid()
        time.sleep(120)
        os._exit(0)
time.sleep(120)
"""
"""So many that sleep below one parent, every third in a session of its own."""

BOMB = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
tokens, refill = os.pipe()
os.set_blocking(tokens, False)
os.write(refill, b"x" * %d)
while True:
    signal.alarm(120)
    time.sleep(0.0002)
    try:
        os.read(tokens, 1)
    except BlockingIOError:
        time.sleep(0.2)
        continue
    if os.fork() == 0:
        os.setsid()
"""
"""Every process forks on, until so many were made; the end comes when half of them are there."""

RESPAWNING = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.alarm(120)
children = []
while True:
    for pid in list(children):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            children.remove(pid)
    while len(children) < %d:
        pid = os.fork()
        if pid == 0:
            signal.alarm(120)
            os.setsid()
            time.sleep(120)
            os._exit(0)
        children.append(pid)
    time.sleep(0.005)
"""
"""A parent that is deaf to TERM and replaces a lost child within 5 ms."""

OUTER = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
time.sleep(120)
"""
"""Stands between a shim and a victim, so that the recipe can end the victim while the shim still holds all of it."""


class Held:
    """A command under a shim of our own, driven by hand."""

    def __init__(self, folder: Path, code: str, between: bool) -> None:
        orders, self.lifeline = os.pipe()
        self.status, status = os.pipe()
        python = [sys.executable, "-I", "-S", "-c"]
        argv = [*python, OUTER, *python[1:], code] if between else [*python, code]
        spec = {"argv": argv, "cwd": str(folder), "env": {"PATH": os.environ["PATH"]}, "stdio": "file", "stdin": ""}
        spec |= {"output": str(folder / "output"), "head": 1000, "tail": 1000, "grace": 2.0}
        command = [sys.executable, "-I", "-S", str(shim.__file__), str(orders), str(status)]
        self.process = subprocess.Popen(command, pass_fds=(orders, status), start_new_session=True)
        os.close(orders)
        os.close(status)
        os.write(self.lifeline, json.dumps(spec).encode() + b"\n")
        self.leader = json.loads(self.line())["started"]

    def line(self) -> bytes:
        said = b""
        while not said.endswith(b"\n"):
            assert select.select([self.status], [], [], LIMIT)[0], "the shim says nothing"
            said += os.read(self.status, 65536)
        return said

    def victims(self) -> list[int]:
        """The living processes below the one that the recipe would be asked to end, or below the shim."""
        table = shim.proc_table()
        return [pid for pid in shim.Chain(self.process.pid).tree(table) if not table[pid].dead]

    def end(self) -> dict[str, object]:
        os.write(self.lifeline, b"stop 0\n")
        end: dict[str, object] = json.loads(self.line())["end"]
        self.process.wait()
        return end

    def close(self) -> None:
        os.close(self.lifeline)
        os.close(self.status)
        self.process.wait()


@contextlib.contextmanager
def held(code: str, many: int, between: bool) -> Iterator[Held]:
    """Such a tree, once it has so many processes."""
    folder = Path(tempfile.mkdtemp(prefix="nightdesk-reaping-"))
    one = Held(folder, code, between)
    try:
        deadline = time.monotonic() + LIMIT
        while len(one.victims()) < many:
            assert time.monotonic() < deadline, "the tree did not grow"
            time.sleep(0.01)
        yield one
    finally:
        one.close()
        shutil.rmtree(folder, ignore_errors=True)


def by_shim(code: str, many: int) -> Sample:
    with held(code, many, between=False) as one:
        began = time.perf_counter()
        end = one.end()
        spent = time.perf_counter() - began
        assert end["how"] == "signaled", end
        return {"ms": spent * 1000, "left": 0.0}  # the shim has gone, which it does on ECHILD only


def by_recipe(code: str, many: int) -> Sample:
    """children(recursive=True), terminate each, wait_procs, kill who is left; then the parent the same way."""
    with held(code, many + 1, between=True) as one:
        outer = psutil.Process(one.leader)
        victim = outer.children()[0]
        began = time.perf_counter()
        with contextlib.suppress(psutil.NoSuchProcess):
            _recipe(victim.children(recursive=True))
            _recipe([victim])
        spent = time.perf_counter() - began
        return {"ms": spent * 1000, "left": float(len(set(one.victims()) - {one.leader}))}


def _recipe(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    _, alive = psutil.wait_procs(processes, timeout=1)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, timeout=1)


def reaping(ground: Ground) -> list[Figure]:
    """Sleeping processes, a fork bomb in the middle of its growth, and a parent that replaces what is lost."""
    sleeping, forking = ground.scale.sleepers, ground.scale.forks
    trees = {
        f"{sleeping} that sleep": (SLEEPERS % sleeping, sleeping + 1),
        f"a fork bomb of {forking}": (BOMB % forking, forking // 2),
        "5 that are replaced": (RESPAWNING % 5, 6),
    }
    figures = []
    for name, (code, many) in trees.items():
        probes = {f"shim: {name}": partial(by_shim, code, many), "psutil recipe": partial(by_recipe, code, many)}
        samples = interleaved(max(1, ground.scale.rounds // 3), probes, ground.scale.warm)
        ours, recipe = samples[f"shim: {name}"], samples["psutil recipe"]
        for unit in ("ms", "left"):
            mine, theirs = (tuple(one[unit] for one in side) for side in (ours, recipe))
            figures.append(Figure(f"shim: {name}", unit, mine, "psutil recipe", theirs))
    return figures


def looking(ground: Ground) -> list[Figure]:
    """One pass over /proc for all that is below a shim, beside what psutil needs for the same, on a full host."""
    many = ground.scale.sleepers
    with held(SLEEPERS % many, many + 1, between=False) as one:
        probes = {f"one pass, {many} more processes": partial(_pass, one.process.pid)}
        probes |= {"psutil children": partial(_children, one.process.pid)}
        samples = interleaved(ground.scale.rounds, probes, ground.scale.warm)
        ours, theirs = (tuple(sample["ms"] for sample in samples[name]) for name in probes)
    return [Figure(next(iter(probes)), "ms", ours, "psutil children", theirs)]


def _pass(root: int) -> Sample:
    began = time.perf_counter()
    found = shim.Chain(root).tree(shim.proc_table())
    assert found
    return {"ms": (time.perf_counter() - began) * 1000}


def _children(root: int) -> Sample:
    began = time.perf_counter()
    for child in psutil.Process(root).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess), child.oneshot():
            child.status()
            child.cpu_times()
    return {"ms": (time.perf_counter() - began) * 1000}
