"""The desk on a real terminal with a plan whose signing key is locked: `locked.py TICKS PROGRAM ARG...`.

A thread stands for the supervisor: it writes a line to TICKS every 20 ms, and the log grows with it.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parents[1])]

from deskplay import DeskPlay  # noqa: E402


def main(ticks: str, *unlock: str) -> int:
    play = DeskPlay()
    plan = play.plan("fix-cart")
    play.locked(plan, unlock)
    busy = play.working("busy")
    stop = threading.Event()

    def supervise() -> None:
        with open(ticks, "a", encoding="ascii") as file:
            while not stop.wait(0.02):
                file.write("tick\n")
                file.flush()
                play.transcripts[busy] = [{"at": 0, "kind": "text", "text": "working"}]
            file.write("over\n")

    thread = threading.Thread(target=supervise)
    thread.start()
    app = play.app()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: app.leave_soon())
    app.run()
    stop.set()
    thread.join()
    with suppress(OSError):
        print("sent:", [type(command).__name__ for command in play.sent], flush=True)
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
