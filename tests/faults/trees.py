"""What the reaper's rows share: the fixtures of the shim's tests, and agents that are hard to get rid of."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "adapters"))

SYS_EXIT = {"x86_64": 60, "aarch64": 93}.get(platform.machine(), 0)

LEADERLESS = f"""
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(40,)).start()
print("ready", flush=True)
ctypes.CDLL(None).syscall({SYS_EXIT}, 0)
"""
"""The main thread ends, another one runs on: the process is a zombie for everybody who looks at its state only."""

ZOMBIES = """
import os, time
for number in range(2000):
    if os.fork() == 0:
        if number % 4 == 0:
            os.fork()
        os._exit(0)
print("ready", flush=True)
time.sleep(40)
"""
"""Most of them stay with their parent, which never waits; every fourth leaves one more to the shim."""

HIDDEN = """
import ctypes, os, time
if os.fork() == 0:
    os.setsid()
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    if os.fork() == 0:
        os.setsid()
    print("ready", flush=True)
time.sleep(40)
"""
"""Two processes that are not dumpable: with hidepid=2 nobody but root sees them."""

HIDE = 'mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"'
HIDEPID = ["unshare", "--mount", "--propagation", "private", "sh", "-c", HIDE, "sh"]
"""Executes what follows as nobody, where other users' processes and those that are not dumpable cannot be seen."""

SMALL_DISK = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]

SERVER = """
import socket, sys, time
server = socket.create_server(("127.0.0.1", 0))
print("port", server.getsockname()[1], flush=True)
time.sleep(40)
"""

SUPERVISOR = """
import faulthandler, json, os, re, signal, subprocess, sys, time
program, spec, order_after, then = sys.argv[1:]
orders, lifeline = os.pipe()
child = subprocess.Popen(
    [sys.executable, "-I", "-S", program, str(orders), "1"], pass_fds=[orders], start_new_session=True
)
os.close(orders)
os.write(lifeline, spec.encode() + b"\\n")
print(child.pid, flush=True)
signal.alarm(40)
time.sleep(float(order_after))
os.write(lifeline, b"stop 0.1\\n")
exec(then)
time.sleep(30)
"""
"""A supervisor in a few lines, to be killed: it starts one shim, orders an end after a while and does `then`."""


def environ_with(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], **more}
