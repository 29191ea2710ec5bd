"""The desk on a real terminal with twelve things that wait: `morning.py`. A thread stands for the supervisor and lands
what was approved. Prints the names of the commands that were sent."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parents[1]), str(TESTS.parents[0])]

from deskplay import DeskPlay  # noqa: E402
from hostile import PAYLOADS  # noqa: E402
from queuedesk import Queue, a_morning  # noqa: E402


def main() -> int:
    play = DeskPlay()
    a_morning(play, Queue(play), question="".join(PAYLOADS[:8]))
    stop = threading.Event()

    def supervise() -> None:
        while not stop.wait(0.02):
            for plan in [p for p in play.state.plans.values() if p.state == "approved"]:
                play.lands(plan.plan)

    thread = threading.Thread(target=supervise)
    thread.start()
    app = play.app()
    app.run()
    stop.set()
    thread.join()
    with suppress(OSError):
        print("sent:", [type(command).__name__ for command in play.sent], flush=True)
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
