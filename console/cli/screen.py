"""The console itself: embeds the supervisor when the lock is free, attaches when it is taken."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

import click

from console import supervision, wiring
from console.adapters.lock import Lock
from console.cli import common
from console.core.records import Refused
from console.engine.hosting import Hosted
from console.tui import environment

DETACHED_LINGER = 30.0
"""Seconds that a supervisor whose screen was left stays after its last work."""


def open_console(workspace: str | None) -> int:
    """Open the screen on a workspace. Returns the exit code."""
    need_terminal()
    found = wiring.locate(common.start_folder(workspace), os.environ)
    if isinstance(found, Refused):
        raise common.Fail(found.reason)
    return show(found)


def need_terminal() -> None:
    """Refuse where no screen can be drawn, before anything is made or started for it."""
    if why := environment.unusable(sys.stdin.isatty(), sys.stderr.isatty(), os.environ):
        raise common.Fail(why)


def show(here: wiring.Here) -> int:
    """The screen on `here`; when it is left with work going on, the process goes on without a terminal."""
    environment.prepare(os.environ)
    common.open_log_or_fail(here)
    lock = Lock(here.places.lock)
    hosted = (
        Hosted(supervision.supervisor(here, lock), supervision.serve_on(here), lock.release)
        if lock.take(supervision.lock_text())
        else None
    )
    if hosted:
        hosted.start()
    from console.tui.app import NightdeskApp

    app = NightdeskApp(
        client=wiring.client(here),
        desk=wiring.desk(here),
        hosted=hosted,
        environ=os.environ,
    )
    _leave_on_signals(app)
    app.run(mouse=environment.wants_mouse(os.environ))
    code = app.return_code or 0
    if hosted:
        _leave(hosted, here)
    return code


def _leave_on_signals(app: Any) -> None:
    """HUP (the line dropped) and TERM leave the screen; what runs goes on."""

    def leave(_number: int, _frame: Any) -> None:
        app.leave_soon()

    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, leave)


def _leave(hosted: Hosted, here: wiring.Here) -> None:
    """End the supervisor when nothing of ours lives, else go on without a terminal."""
    if hosted.failed is None and hosted.busy():
        from console.front import leave_terminal

        hosted.linger(DETACHED_LINGER)
        with contextlib.suppress(OSError):  # the terminal may be gone, and what runs must not be
            click.echo(f"left; what runs goes on. `nightdesk --workspace {here.root}` opens it again", err=True)
        leave_terminal()
        for number in (signal.SIGHUP, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: hosted.stop("SIGTERM"))
        hosted.join()
    else:
        hosted.stop("the screen was left with nothing running")
        hosted.join()
