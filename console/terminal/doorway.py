"""How a screen is left, whatever becomes of it: by a signal, because its front is gone, or because it answers no more.

A thread of its own hears all of that, also when the screen's thread is stuck in C code. It asks the screen to leave,
and abandons one that does not: the terminal is put back, the process goes on without it. Nothing here supervises.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

GRACE = 2.0
"""Seconds that a screen has to leave when it was told to."""
LENT = 5.0
"""The same while another program has the terminal."""
STUCK = 20.0
"""Seconds without a beat from a screen that was well before; then it is abandoned."""
LOOK = 0.25
LEAVE = {signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP}

BACKGROUND = (signal.SIGTTOU, signal.SIGTTIN)
"""Sent to who touches a terminal that is not in front. They must not stop us, and mean nothing else."""


class Screen(Protocol):
    """What is asked of the screen, from another thread."""

    @property
    def on_loan(self) -> bool: ...

    def leave_soon(self) -> None: ...

    def abandon(self) -> None: ...


class Doorway:
    """Make it in the main thread. life: a descriptor that ends when the front does, None without a front.

    abandoned(code): called on a thread of its own once a screen was given up; it puts the terminal back, and returns
    when the process has nothing more to do: then the process ends with `code`. told(signal): called for each signal
    that comes when the screen is gone.
    """

    def __init__(
        self,
        life: int | None,
        abandoned: Callable[[int], None],
        told: Callable[[int], None] = lambda _number: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.code = 0
        """The exit code that goes with the way the screen was told to leave: 128 + the signal, 0 for none."""
        self._life = life
        self._abandoned = abandoned
        self._told = told
        self._clock = clock
        self._screen: Screen | None = None
        self._asked: float | None = None
        self._beaten: float | None = None
        self._over = threading.Lock()
        self._gone = False
        self._given_up = False
        self._heard, self._hears = os.pipe()
        for fd in (self._heard, self._hears):
            os.set_blocking(fd, False)
        self._thread = threading.Thread(target=self._run, daemon=True, name="doorway")

    def open(self) -> None:
        """Hear signals from now on. Handlers, never SIG_IGN: what we start must not inherit a deaf ear."""
        for number in (*LEAVE, *BACKGROUND):
            signal.signal(number, _heard)
        signal.set_wakeup_fd(self._hears, warn_on_full_buffer=False)
        self._thread.start()

    def opens(self, screen: Screen) -> bool:
        """There is a screen now; False when it is not to be opened any more."""
        self._screen = screen
        return self._asked is None

    def beat(self) -> None:
        """The screen's loop runs (called by it, about once a second)."""
        self._beaten = self._clock()

    @property
    def asked(self) -> bool:
        """Something wants the screen to leave."""
        return self._asked is not None

    def left(self) -> None:
        """The screen has left by itself. Never returns when it was abandoned before: its thread has no more to do."""
        with self._over:
            if not self._given_up:
                self._gone = True
                return
        threading.Event().wait()

    # -- the thread --------------------------------------------------------------------------------------

    def _run(self) -> None:
        last = self._clock()
        while True:
            self._listen()
            now = self._clock()
            if now - last > 2 * LOOK and self._beaten is not None:
                self._beaten += now - last  # nobody ran, so that nobody could beat
            last = now
            if not self._gone and not self._given_up and self._late(now):
                self._give_up()

    def _listen(self) -> None:
        waiter = select.poll()
        waiter.register(self._heard, select.POLLIN)
        if self._life is not None:
            waiter.register(self._life, select.POLLIN)
        for fd, _ in waiter.poll(LOOK * 1000):
            if fd == self._heard:
                with suppress(BlockingIOError):
                    for number in os.read(self._heard, 512):
                        self._signal(number)
            else:
                self._life = None  # whoever kept the terminal's modes is gone
                self._leave(0)

    def _signal(self, number: int) -> None:
        if number not in LEAVE:
            return
        if self._gone or self._given_up:
            self._told(number)
        else:
            self._leave(0 if number == signal.SIGTSTP else 128 + number)

    def _leave(self, code: int) -> None:
        if self._gone or self._given_up:
            return
        if self._asked is None:
            self.code, self._asked = code, self._clock()
        if self._screen:
            self._screen.leave_soon()

    def _late(self, now: float) -> bool:
        if self._asked is not None:
            return now - self._asked > (LENT if self._screen and self._screen.on_loan else GRACE)
        return self._beaten is not None and now - self._beaten > STUCK

    def _give_up(self) -> None:
        with self._over:
            if self._gone:
                return
            self._given_up = True
        if self._screen:
            self._screen.abandon()
        threading.Thread(target=self._end, name="abandoned", daemon=True).start()

    def _end(self) -> None:
        """The screen's thread is stuck, so that this process cannot end like others do; by now it has no work."""
        code = self.code or STUCK_CODE
        try:
            self._abandoned(code)
        finally:
            os._exit(code)


STUCK_CODE = 70


def _heard(_number: int, _frame: Any) -> None:
    """The number is on its way through the wakeup descriptor, which works even when this is never called."""


def stacks(file: Any) -> None:
    """What every thread is doing, for the file of a screen that is stuck."""
    faulthandler.dump_traceback(file, all_threads=True)
