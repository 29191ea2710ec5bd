"""The real console with a probe in its supervisor and keys that break its screen: `faulty_console.py FILE ARG...`.

FILE holds, rewritten at each tick: pid, supervisor's worst gap between two ticks in seconds, its last tick (monotonic).
`FILE.reset` makes the worst gap start anew. F5: a key's handler raises; F6: a worker; F7: a widget, while it is drawn;
F8: a handler never returns; F9: the supervisor raises; F10: a program that asks has the terminal. `FILE.paint` makes it
repaint everything all the time. NIGHTDESK_TEST_STUCK: seconds after which a screen that does not answer is abandoned.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

PROBE = Path(sys.argv.pop(1))
ASKS = str(Path(__file__).resolve().parents[1] / "tui" / "asking.py")
RESET, PAINT = PROBE.with_suffix(".reset"), PROBE.with_suffix(".paint")

from console.tui.environment import prepare  # noqa: E402

prepare(os.environ)

from textual import events  # noqa: E402
from textual.widgets import Static  # noqa: E402

from console.engine import pulse, supervisor  # noqa: E402
from console.terminal import doorway  # noqa: E402
from console.terminal.lending import Loan  # noqa: E402
from console.tui.app import NightdeskApp  # noqa: E402


def probe() -> None:
    tick = pulse.Pulse.tick

    def probed(self: pulse.Pulse) -> None:
        tick(self)
        if RESET.exists():
            RESET.unlink()
            self.own.worst = 0.0
        fresh = PROBE.with_suffix(f".{os.getpid()}")
        fresh.write_text(f"{os.getpid()} {self.own.worst} {time.monotonic()}")
        fresh.replace(PROBE)

    pulse.Pulse.tick = probed  # type: ignore[method-assign]


class Broken(Static):
    def render(self) -> Any:
        raise RuntimeError("a widget that cannot be drawn")


async def fails() -> None:
    raise RuntimeError("a worker that fails")


def break_supervisor(self: NightdeskApp) -> None:
    hosted: supervisor.Supervisor = self.hosted._hosted.supervisor  # type: ignore[union-attr]

    def broken() -> None:
        raise RuntimeError("a supervisor that fails")

    hosted._check_ground = broken  # type: ignore[method-assign]


def faults() -> None:
    on_event = NightdeskApp.on_event

    async def faulty(self: NightdeskApp, event: events.Event) -> None:
        match event.key if isinstance(event, events.Key) else "":
            case "f5":
                raise RuntimeError("a handler that fails")
            case "f6":
                self.run_worker(fails())
            case "f7":
                await self.screen.mount(Broken())
            case "f8":
                while True:
                    time.sleep(60)
            case "f9":
                break_supervisor(self)
            case "f10":
                asks = [sys.executable, ASKS, "chatty", str(PROBE.with_suffix(".given"))]
                self.lend(Loan(asks, "this asks for your key"), lambda _said: None)
            case _:
                await on_event(self, event)

    NightdeskApp.on_event = faulty  # type: ignore[method-assign]
    on_mount = NightdeskApp.on_mount

    def mounted(self: NightdeskApp) -> None:
        on_mount(self)
        self.set_interval(0.03, lambda: self.screen.refresh(layout=True) if PAINT.exists() else None)

    NightdeskApp.on_mount = mounted  # type: ignore[method-assign]


if __name__ == "__main__":
    doorway.STUCK = float(os.environ.get("NIGHTDESK_TEST_STUCK", doorway.STUCK))
    probe()
    faults()
    with PROBE.with_suffix(".stacks").open("w") as stacks:
        faulthandler.register(signal.SIGUSR1, stacks)  # for whoever looks into a test that hangs
        from console.front import main

        main()
