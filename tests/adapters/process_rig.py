"""What the process tests share: hostile programs, a way to find what is left of them, and a driver for a bare shim.

Every program ends by itself within a minute, so a failed test leaks nothing for long. Kills go by pid only.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console.adapters import namespaces, sandbox, shim

SHIM = Path(shim.__file__)
NAMESPACES = Path(namespaces.__file__)

DAEMON = "import os,time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); time.sleep(60)"
"""A double-forked daemon that keeps holding the output."""

RESPAWN = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
end = time.time() + 40
children = []
def spawn():
    if (pid := os.fork()) == 0:
        os.setsid()
        time.sleep(40)
        os._exit(0)
    children.append(pid)
for _ in range(5):
    spawn()
print("ready", flush=True)
while time.time() < end:
    for pid in list(children):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            children.remove(pid)
            spawn()
    time.sleep(0.005)
"""
"""A parent that replaces a lost child within 5 ms."""

HYDRA = """
import os, time
end = time.time() + 20
while time.time() < end:
    time.sleep(%s)
    if os.fork():
        os._exit(0)
    os.setsid()
"""
"""Each process lives only until it has a successor, in a new session each time."""

BOMB = """
import os, time
tokens, refill = os.pipe()
os.set_blocking(tokens, False)
os.write(refill, b"x" * %d)
print("ready", flush=True)
end = time.time() + 30
while time.time() < end:
    time.sleep(0.0002)
    try:
        os.read(tokens, 1)
    except BlockingIOError:
        time.sleep(0.2)
        continue
    if os.fork() == 0:
        os.setsid()
"""
"""Every process forks on, each child in a session of its own, until so many were made; then they all stay."""

STORM = """
import os, time
for _ in range(%d):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(40)
        time.sleep(40)
        os._exit(0)
print("ready", flush=True)
time.sleep(40)
"""


def until(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """The first true value of `condition`; an assertion error after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {condition}"
        time.sleep(0.005)
    return value


def alive(pid: int) -> bool:
    stat = shim.read_stat(pid)
    return stat is not None and not stat.dead


class Mark:
    """An environment that its processes carry on, by which a test (never the product) finds them."""

    def __init__(self) -> None:
        self.token = uuid.uuid4().hex
        self.env = {"PATH": os.environ["PATH"], "MARK": self.token}

    def left(self) -> list[int]:
        word = f"MARK={self.token}".encode()
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [pid for pid in pids if word in shim.read_proc(f"/proc/{pid}/environ").split(b"\0") and alive(pid)]

    def count(self, number: int) -> bool:
        return len(self.left()) >= number

    def sweep(self) -> None:
        """For negative controls, which leave processes on purpose."""
        for pid in self.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not self.left())


@contextlib.contextmanager
def canary(folder: Path) -> Iterator[str]:
    """A program called `agent`, and a process of that name outside every chain that must survive."""
    program = folder / "agent"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    bird = subprocess.Popen([program, "100"], start_new_session=True)
    try:
        yield str(program)
        assert bird.poll() is None, "a process outside the chain was signalled"
        assert shim.read_stat(bird.pid).state != "T"  # type: ignore[union-attr]
    finally:
        bird.kill()
        bird.wait()


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def patched(folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the shim with a mechanism taken out; fails when the source no longer has what is taken."""
    source = SHIM.read_text()
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    path = folder / "patched_shim.py"
    path.write_text(source)
    for companion in ("namespaces.py", "listening.py"):
        shutil.copy(SHIM.with_name(companion), folder)
    return path


@functools.cache
def tier() -> sandbox.Tier:
    return sandbox.probe(os.environ)


def kinds() -> list[str]:
    """The kinds of sandbox that can be had here, `bare` (none) first."""
    return ["bare", *(["mounts"] if tier().mounts else []), *(["pids"] if tier().pids else [])]


def boxed(kind: str, locked: Path) -> dict[str, Any] | None:
    """The order for a sandbox that makes the new folder `locked` read-only; skips the test where there is none.

    kind: `bare` for none, `mounts`, or `pids` for a process namespace too.
    """
    if kind == "bare":
        return None
    if not (tier().pids if kind == "pids" else tier().mounts):
        pytest.skip(f"no sandbox of the kind {kind} here: {tier().reason}")
    locked.mkdir()
    return {"read_only": [os.path.realpath(locked)], "pids": kind == "pids"}


NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else")


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter and write to, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="nightdesk-open-", dir="/tmp"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def interpreter(user: int | None) -> str:
    """A Python that `user` may run and that can read the shim; ours for ourselves."""
    if user is None:
        return sys.executable
    for path in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            code = f"import sys; open({str(SHIM)!r}); assert sys.version_info >= (3, 11)"
            subprocess.run([path, "-I", "-c", code], user=user, group=user, extra_groups=[], check=True, cwd="/")
            return path
    pytest.skip(f"uid {user} can run no Python here that reads the shim")


class Driven:
    """A shim run by hand: orders on one pipe, status lines from the other. prefix: a command that executes the
    shim, and that becomes `user` when one is given."""

    def __init__(self, folder: Path, argv: list[str], env: dict[str, str], program: Path = SHIM, **more: Any) -> None:
        self.output = Path(more.get("output", folder / "output"))
        orders, self.lifeline = os.pipe()
        self.status, status = os.pipe()
        spec = {"argv": argv, "cwd": str(folder), "env": env, "output": str(self.output), "stdio": "file", "stdin": ""}
        spec |= {"head": 65536, "tail": 65536, "grace": 1.0} | more
        user = spec.pop("user", None)
        prefix = spec.pop("prefix", [])
        command = [*prefix, interpreter(user), "-I", "-S", str(program), str(orders), str(status)]
        as_user: dict[str, Any] = {} if user is None or prefix else {"user": user, "group": user, "extra_groups": []}
        self.shim = subprocess.Popen(command, pass_fds=(orders, status), start_new_session=True, **as_user)
        os.close(orders)
        os.close(status)
        self.lines: list[dict[str, Any]] = []
        self.buffer = b""
        self.order(json.dumps(spec))

    def order(self, line: str) -> None:
        os.write(self.lifeline, line.encode() + b"\n")

    def line(self, key: str, seconds: float = 30.0) -> Any:
        """The status line `key`; waits for it."""
        deadline = time.monotonic() + seconds
        while not (found := [line[key] for line in self.lines if key in line]):
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.status], [], [], left)[0], f"no {key!r} within {seconds} s"
            chunk = os.read(self.status, 65536)
            assert chunk, f"the shim ended without {key!r}: {self.lines}"
            *whole, self.buffer = (self.buffer + chunk).split(b"\n")
            self.lines += [json.loads(line) for line in whole]
        return found[0]

    def text(self) -> bytes:
        return self.output.read_bytes() if self.output.exists() else b""

    def ready(self) -> None:
        until(lambda: b"ready" in self.text())

    def close(self) -> None:
        for fd in (self.lifeline, self.status):
            with contextlib.suppress(OSError):
                os.close(fd)
        try:
            self.shim.wait(3)
        finally:
            self.shim.kill()
            self.shim.wait()
