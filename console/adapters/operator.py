"""Who is at this command line: a person for the log, or an agent that must not approve its own work."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping

from console.adapters.processes import ancestors
from console.core.records import Who

SHIM = "adapters/shim.py"


def who(environ: Mapping[str, str], via: str) -> Who:
    """User, terminal and SSH client as far as this process can tell."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = str(os.getuid())
    tty = ""
    for fd in (0, 1, 2):
        try:
            tty = os.ttyname(fd)
            break
        except OSError:
            continue
    return Who(user=user, tty=tty, ssh=environ.get("SSH_CONNECTION", "").split(" ")[0], via=via)


def inside_a_session() -> bool:
    """True when a process above us is one of our shims: then this command was started by an agent or a gate.

    Defence in depth only: without a sandbox a hostile agent of the same user has other ways.
    """
    return any(_is_shim(pid) for pid, _ in ancestors(os.getpid()))


def _is_shim(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return False
    return any(word.endswith(SHIM.encode()) for word in words[1:5])
