"""What systemd wants to hear of a service (`sd_notify`): ready, alive, stopping. Silent without systemd."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

SOCKET, LIMIT, WHOSE = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
OURS = frozenset({SOCKET, LIMIT, WHOSE})
"""Variables that are about this very process, and must not reach one that it starts."""


class Systemd:
    """`socket` is `NOTIFY_SOCKET`: a path, or an abstract name with a leading `@`. Nothing here raises or waits."""

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._address = _address(environ.get(SOCKET, ""))
        self._pause = _pause(environ)
        self._clock = clock
        self._last = float("-inf")

    def tell(self, **facts: object) -> None:
        """`tell(READY=1, STATUS="waiting")`. A line break would begin another variable."""
        if not self._address:
            return
        lines = "\n".join(f"{name}={' '.join(str(value).split())}" for name, value in facts.items())
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.setblocking(False)
            to.sendto(lines.encode("utf-8", "replace"), self._address)

    def ready(self, status: str) -> None:
        self.tell(READY=1, STATUS=status)

    def stopping(self, status: str) -> None:
        self.tell(STOPPING=1, STATUS=status)

    def alive(self) -> None:
        """To be called often, from what must not hang; tells at half the limit that the unit sets."""
        now = self._clock()
        if self._pause is not None and now - self._last >= self._pause:
            self._last = now
            self.tell(WATCHDOG=1)


def _address(name: str) -> str:
    """As the socket module wants it; "" for what is no unix socket (a vsock address has a scheme)."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else ""


def _pause(environ: Mapping[str, str]) -> float | None:
    """Seconds between two signs of life; None when nobody waits for them."""
    limit = environ.get(LIMIT, "")
    if environ.get(WHOSE, str(os.getpid())) != str(os.getpid()) or not limit.isdecimal() or not int(limit):
        return None
    return int(limit) / 2e6
