"""On which TCP ports processes listen, from /proc alone. Only for words in a report; it signals nobody.

The shim imports it by its path, so it must import nothing but the standard library and need no `site`.
"""

from __future__ import annotations

import itertools
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping
    from typing import Any

LIMIT = 0.1
"""Seconds that a look may take; what it has not reached by then has no ports."""
LOOKED_AT = 64
"""Processes that a look takes in, in the order given: a tree of hundreds is no dev server, and has to end soon."""
LISTEN = b"0A"
SOCKET = "socket:["


def add_to(leftovers: MutableMapping[tuple[int, int], list[Any]]) -> None:
    """Put the ports into the shim's leftovers: (pid, start) -> [pid, command, ports, age]."""
    found = ports([pid for pid, _ in leftovers])
    for (pid, _), words in leftovers.items():
        words[2] = list(found.get(pid, words[2]))


def ports(pids: Iterable[int], limit: float = LIMIT) -> dict[int, tuple[int, ...]]:
    """{pid: its ports, ascending} of those that listen. What may not be read, or took too long, is left out."""
    deadline = time.monotonic() + limit
    tables: dict[str, dict[str, int]] = {}
    found: dict[int, tuple[int, ...]] = {}
    for pid in itertools.islice(pids, LOOKED_AT):
        if time.monotonic() > deadline:
            break
        if held := sockets(pid, deadline):
            network = target_of(f"/proc/{pid}/ns/net")
            if network not in tables:
                tables[network] = listeners(pid)
            if mine := {tables[network][inode] for inode in held if inode in tables[network]}:
                found[pid] = tuple(sorted(mine))
    return found


def target_of(link: str) -> str:
    """ "" when it is gone or may not be read."""
    try:
        return os.readlink(link)
    except OSError:
        return ""


def sockets(pid: int, deadline: float) -> list[str]:
    """The inodes of the sockets that it holds."""
    folder = f"/proc/{pid}/fd"
    held: list[str] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return held
    for name in names:
        target = target_of(f"{folder}/{name}")
        if target.startswith(SOCKET):
            held.append(target[len(SOCKET) : -1])
        if time.monotonic() > deadline:
            break
    return held


def listeners(pid: int) -> dict[str, int]:
    """{inode: port} of everything that listens in the network namespace of `pid`."""
    found: dict[str, int] = {}
    for kind in ("tcp", "tcp6"):
        try:
            with open(f"/proc/{pid}/net/{kind}", "rb") as file:
                rows = [line.split() for line in file]
        except OSError:
            continue
        for row in rows:
            if len(row) > 9 and row[3] == LISTEN:
                found[row[9].decode()] = int(row[1].rpartition(b":")[2], 16)
    return found
