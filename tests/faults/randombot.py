"""The agent of the random plays: whatever a hostile one does, told by its prompt; nothing of it outlives a minute.

Run as `randombot.py LOCKS [--exec PROGRAM ARG...] [PROMPT]`, LOCKS a folder or `-`. One lock a worktree: it is
inherited by all that is started, so a second tree that comes up while any of the first one lives is seen, and written
down in LOCKS/doubles. With --exec it becomes another agent. It needs the standard library only.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import sys
import time

LEASH = 60
"""Seconds after which every process ends by itself."""


def say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def claim(locks: str) -> None:
    """Hold the folder's lock as long as any process of ours lives, or write down who could not."""
    mine = os.path.join(locks, re.sub(r"\W", "+", os.getcwd()))
    fd = os.open(mine, os.O_CREAT | os.O_RDWR, 0o600)
    os.set_inheritable(fd, True)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with open(os.path.join(locks, "doubles"), "a", encoding="utf-8") as file:
            file.write(f"{os.environ.get('NIGHTDESK_SESSION')} {os.getcwd()} at {time.time():.2f} {sys.argv[-1]!r}\n")


def child(*steps: object) -> None:
    """Fork one that does these steps and then sleeps."""
    if os.fork() == 0:
        signal.alarm(LEASH)
        for step in steps:
            if callable(step):
                step()
        while True:
            time.sleep(LEASH)


def daemon(*steps: object) -> None:
    """Double fork with a session of its own."""
    if (pid := os.fork()) == 0:
        os.setsid()
        child(*steps)
        os._exit(0)
    os.waitpid(pid, 0)


def deaf() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def closed() -> None:
    """Without any descriptor, and with another name."""
    ctypes.CDLL(None).prctl(15, b"systemd", 0, 0, 0)
    os.closerange(0, 64)


def forever() -> None:
    number = 0
    while True:
        number += 1
        say(type="text", part={"text": f"step {number}"})
        time.sleep(0.1)


def behave(what: str) -> None:
    """ends, code, crash, abort, hang, steady, deaf, daemons, crowd, stopped, homeless, subreaper."""
    match what:
        case "code":
            sys.exit(7)
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case "abort":
            os.abort()
        case "hang":
            time.sleep(LEASH)
        case "steady":
            forever()
        case "deaf":
            deaf()
            child(deaf, os.setsid)
            forever()
        case "daemons":
            daemon()
            daemon(closed)
            daemon(deaf, lambda: child(os.setsid))
        case "crowd":
            for _ in range(15):
                child(os.setsid, lambda: child(deaf))
            time.sleep(LEASH)
        case "stopped":
            child(lambda: os.kill(os.getpid(), signal.SIGSTOP))
            os.kill(os.getpid(), signal.SIGSTOP)
        case "homeless":
            daemon()
            shutil.rmtree(os.getcwd(), ignore_errors=True)
            time.sleep(0.3)
        case "subreaper":
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
            daemon(lambda: child(closed))
            time.sleep(0.2)
        case "ends":
            pass
        case _:
            raise ValueError(what)


def main() -> None:
    signal.alarm(LEASH)
    locks, *rest = sys.argv[1:]
    if locks != "-":
        claim(locks)
    if rest and rest[0] == "--exec":
        os.execv(rest[1], rest[1:])
    told = re.findall(r"behave: (\w+)", rest[-1] if rest else "")
    say(type="text", part={"text": "I begin"})
    behave(told[-1] if told else "ends")
    say(type="result", session_id="c-1")


if __name__ == "__main__":
    main()
