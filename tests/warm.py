"""`nightdesk` commands as processes that start warm: forked from one that has imported the command line already.

`run` is `subprocess.run([python, "-m", "console", ...])` with another start: a process of its own with its own folder,
environment and pipes. Importing is nine tenths of what a short command costs, and a test may give dozens of them. What
is about starting itself (Python's own arguments, terminals, the front) goes through `subprocess`. Needs Linux.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

UNUSED = ("console.tui", "console.mcp", "console.adapters.shim")
"""What no short command imports, or what is a program of its own."""
LONGEST = 1 << 18
"""Bytes of a request."""

_lock = threading.Lock()
_line: socket.socket | None = None


def run(*args: str, cwd: Path, env: Mapping[str, str], timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """One command to the end of its output. It is killed after `timeout` seconds: `subprocess.TimeoutExpired`."""
    out, err, said = os.pipe(), os.pipe(), os.pipe()
    theirs = [out[1], err[1], said[1]]
    try:
        _ask({"args": args, "cwd": str(cwd), "env": dict(env)}, theirs)
    finally:
        for fd in theirs:
            os.close(fd)
    *texts, told = _collect([out[0], err[0], said[0]], time.monotonic() + timeout)
    pid, _, code = told.partition(b" ")
    if not code:
        os.kill(int(pid), signal.SIGKILL)
        raise subprocess.TimeoutExpired(args, timeout, *texts)
    return subprocess.CompletedProcess(args, int(code), *(text.decode() for text in texts))


def cold(argv: Sequence[str], cwd: Path, env: Mapping[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """The same with a start of its own: for commands that run under another program or in another namespace."""
    quiet = subprocess.DEVNULL
    return subprocess.run(
        argv, cwd=cwd, env=env, stdin=quiet, capture_output=True, text=True, timeout=timeout, check=False
    )


def begin() -> None:
    """Start what forks; it imports with the first command and ends with its line to this process.

    Called before any test makes this process a subreaper, it is nobody's child here: tests count those.
    """
    global _line
    _line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        argv = [sys.executable, "-P", __file__, str(theirs.fileno())]
        subprocess.run(argv, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, check=True)


def _ask(request: dict[str, Any], fds: list[int]) -> None:
    with _lock:
        if _line is None:
            begin()
        assert _line is not None
        socket.send_fds(_line, [json.dumps(request).encode()], fds)


def _collect(fds: list[int], deadline: float) -> list[bytes]:
    """What comes out of each until all have ended or the deadline is over. Closes them."""
    got = {fd: b"" for fd in fds}
    with selectors.DefaultSelector() as wait:
        for fd in fds:
            wait.register(fd, selectors.EVENT_READ)
        while wait.get_map() and (left := deadline - time.monotonic()) > 0:
            for key, _ in wait.select(left):
                if data := os.read(key.fd, 1 << 16):
                    got[key.fd] += data
                else:
                    wait.unregister(key.fd)
    for fd in fds:
        os.close(fd)
    return [got[fd] for fd in fds]


# -- the process that forks ----------------------------------------------------------------------------------


def serve(line: socket.socket) -> int:
    """Until the other end has gone: one fork for each request; the exit status of each to whoever asked for it."""
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    living: dict[int, int] = {}
    with selectors.DefaultSelector() as wait:
        wait.register(line, selectors.EVENT_READ)
        wait.register(ended, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in wait.select()}
            if ended in ready:
                os.read(ended, 4096)
                _tell(living)
            if line.fileno() in ready:
                request, fds, _, _ = socket.recv_fds(line, LONGEST, 8)
                if not request:
                    return 0
                _import_all()
                out, err, said = fds
                if (pid := os.fork()) == 0:
                    wait.close()
                    _become(json.loads(request), out, err, [line.detach(), ended, wake, said, *living.values()])
                living[pid] = said
                os.write(said, b"%d " % pid)
                os.close(out)
                os.close(err)


@functools.cache
def _import_all() -> None:
    import console

    for module in pkgutil.walk_packages(console.__path__, "console."):
        if not module.name.startswith(UNUSED) and not module.name.endswith("__main__"):
            with contextlib.suppress(Exception):  # a broken one is for the command that needs it to tell
                importlib.import_module(module.name)
    assert threading.active_count() == 1
    gc.collect()
    gc.freeze()


def _tell(living: dict[int, int]) -> None:
    for pid in list(living):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            said = living.pop(pid)
            with contextlib.suppress(BrokenPipeError):  # whoever asked has given it up
                os.write(said, b"%d" % os.waitstatus_to_exitcode(status))
            os.close(said)


def _become(request: dict[str, Any], out: int, err: int, others: list[int]) -> NoReturn:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    code = 70
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        for fd in (out, err, *others):
            os.close(fd)
        code = _play(request)
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _play(request: dict[str, Any]) -> int:
    from console.cli import main

    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    sys.path.insert(0, request["cwd"])
    sys.argv = ["nightdesk", *request["args"]]
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    if os.fork():
        os._exit(0)
    sys.exit(serve(socket.socket(fileno=int(sys.argv[1]))))
