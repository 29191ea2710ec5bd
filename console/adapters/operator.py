"""Who is at this command line: a person for the log, or an agent that must not approve its own work."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from itertools import pairwise

from console.adapters.processes import ancestors
from console.core.records import Who

SHIM = b"adapters/shim.py"
BORROWER, AGENT = b"terminal/borrower.py", b"--agent="


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
    """True when a process above us is one of our shims, or waits for an agent's interactive mode: then this command was
    started by an agent or a gate, whoever looks on.

    Defence in depth only: without a sandbox a hostile agent of the same user has other ways.
    """
    return any(_runs_agents(pid) for pid, _ in ancestors(os.getpid()))


def _runs_agents(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return False
    if any(word.endswith(SHIM) for word in words[1:5]):
        return True
    return any(word.endswith(BORROWER) and told.startswith(AGENT) for word, told in pairwise(words[1:6]))
