"""A supervisor in a thread of its own, inside a process that does something else (a screen, the headless demo)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from console.engine.supervisor import Supervisor


class Hosted:
    """failed: the exception that ended the supervisor, None while all is well."""

    def __init__(
        self,
        supervisor: Supervisor,
        serve: Callable[[Supervisor], Coroutine[Any, Any, str]],
        ended: Callable[[], None],
    ) -> None:
        """ended: called on the supervisor's thread when it is over, however it ended (to let the lock go)."""
        self.supervisor = supervisor
        self._serve = serve
        self._ended = ended
        self.failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve(self.supervisor))
        except BaseException as error:
            self.failed = error
        finally:
            self._ended()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def busy(self) -> bool:
        return self.alive and self.supervisor.busy()

    def linger(self, seconds: float) -> None:
        """From now on leave after so many seconds without work."""
        self.supervisor.linger(seconds)

    def stop(self, why: str) -> None:
        self.supervisor.request_stop(why)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the supervisor has ended; True when it has."""
        while self._thread.is_alive():
            self._thread.join(1.0 if timeout is None else timeout)  # short waits, so that signals are served
            if timeout is not None:
                break
        return not self._thread.is_alive()
