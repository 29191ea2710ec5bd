"""The desk on a real terminal, as the environment says: `anyterminal.py`. When it is left it prints NO_COLOR as a
program that it starts would see it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parents[1]), str(TESTS.parents[0])]

from console.tui import environment  # noqa: E402

environment.prepare(os.environ)

from deskplay import NOW, DeskPlay, Noting  # noqa: E402

from console.tui.app import NightdeskApp  # noqa: E402


def main() -> int:
    play = DeskPlay()
    play.working("busy")
    play.plan("fix-cart")
    app = NightdeskApp(client=Noting(play), desk=play.desk(), hosted=None, environ=os.environ, now=lambda: NOW)
    app.run(mouse=environment.wants_mouse(os.environ))
    program = "import os; print('NO_COLOR', repr(os.environ.get('NO_COLOR')))"
    print(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout, flush=True
    )
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
