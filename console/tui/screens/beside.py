"""For a screen that asks the world something slow: on a thread of its own, the answer on the screen's loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from console.core.records import Refused

if TYPE_CHECKING:
    from textual.screen import Screen

    _Base = Screen[Any]
else:
    _Base = object


class Beside(_Base):
    """Mixed into a screen."""

    def beside(self, act: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """`then` gets what `act` gives, or a Refused that tells what it raised; nothing once the screen is gone."""
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()

        def told(got: Any) -> None:
            if self.is_attached and self.is_running:
                then(got)

        def job() -> None:
            try:
                got = act()
            except Exception as error:
                got = Refused(reason=f"that failed: {error}")
            with suppress(RuntimeError):  # the loop is over
                loop.call_soon_threadsafe(told, got, context=context)

        threading.Thread(target=job, name="beside", daemon=True).start()
