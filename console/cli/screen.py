"""The console itself: embeds the supervisor when the lock is free, attaches when it is taken, and leaves neither alone.

However the screen ends (`q`, a signal, a closed terminal, a fault of its own, a thread of it that is stuck), what runs
goes on in this process without a terminal.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from console import beginning, front, supervision, wiring
from console.adapters.lock import Lock, LockUnusable, is_taken
from console.cli import common, leaving
from console.core import events as ev
from console.core.records import Refused
from console.engine.hosting import Hosted, Post
from console.terminal.doorway import Doorway
from console.tui import environment

if TYPE_CHECKING:
    from console.engine.client import Client

LAST_EVENTS = 20
"""How far from the log's end the last supervisor's farewell is looked for."""


def open_console(workspace: str | None, theme: str = "") -> int:
    """Open the screen on a workspace, in a theme named for this start. Returns the exit code."""
    need_terminal()
    found = wiring.locate(common.start_folder(workspace), os.environ)
    if isinstance(found, Refused) and beginning.unready(found):
        return _from_the_start(common.start_folder(workspace), theme)
    if isinstance(found, Refused):
        raise common.Fail(found.reason)
    return show(found, theme)


def _from_the_start(folder: Path, theme: str) -> int:
    """The first steps until there is a workspace, then the console on it. Returns the exit code."""
    environment.prepare(os.environ)
    from console.tui.welcome_app import WelcomeApp

    steps = beginning.bare(folder, os.environ)
    door = Doorway(front.front.life if front.front else None, lambda _code: None)
    door.open()
    app = WelcomeApp(
        steps,
        steps.look(),
        memory=wiring.memory_of(os.environ),
        config_dir=wiring.config_dir(os.environ),
        environ=os.environ,
        theme=theme,
        beat=door.beat,
    )
    if door.opens(app):
        app.run(mouse=environment.wants_mouse(os.environ))
    door.left()
    if app.crash:
        raise app.crash
    if not app.ready or door.asked:
        return door.code or app.return_code or 0
    found = wiring.locate(folder, os.environ)
    if isinstance(found, Refused):
        raise common.Fail(found.reason)
    return show(found, theme)


def need_terminal() -> None:
    """Refuse where no screen can be drawn, before anything is made or started for it."""
    if why := environment.unusable(sys.stdin.isatty(), sys.stderr.isatty(), os.environ):
        raise common.Fail(why)


def show(here: wiring.Here, theme: str = "") -> int:
    """The screen on `here`; when it is left with work going on, the process goes on without a terminal."""
    environment.prepare(os.environ)
    common.open_log_or_fail(here)
    told: list[str] = []
    post = post_of(here, told)
    leave = leaving.Leaving(here, post)
    door = Doorway(front.front.life if front.front else None, leave.abandoned, leave.heard)
    door.open()
    post.open()
    crash, code = _run(here, post, door, told, theme)
    door.left()
    return leave.by_itself(common.BUG if crash else door.code or code, crash)


def _run(here: wiring.Here, post: Post, door: Doorway, told: list[str], theme: str) -> tuple[BaseException | None, int]:
    """The screen from its first to its last frame: what ended it (None when it was left in order), its exit code."""
    try:
        from console.tui.app import NightdeskApp

        app = NightdeskApp(
            client=wiring.client(here),
            desk=wiring.desk(here),
            hosted=post,
            environ=os.environ,
            beat=door.beat,
            troubles=told,
            theme=theme,
        )
        if door.opens(app):
            app.run(mouse=environment.wants_mouse(os.environ, app.desk.memory.get("mouse", True)))
    except BaseException as error:  # whatever it is, the supervisor in this process outlives it
        return error, common.BUG
    return app.crash, app.return_code or 0


def post_of(here: wiring.Here, told: list[str]) -> Post:
    """The supervisor's post of this workspace. told: gets a sentence for each supervisor of ours that failed."""
    lock = Lock(here.places.lock, Path(here.workspace.common))
    last = _Farewell(here)

    def take() -> bool:
        try:
            return lock.take(supervision.lock_text())
        except LockUnusable as error:
            raise common.Fail(str(error)) from error

    def failed(error: BaseException, wait: float) -> None:
        file = leaving.note(here, "supervisor-crash.txt", "".join(traceback.format_exception(error)))
        told.append(f"the supervisor failed ({type(error).__name__}: {error}); next try in {wait:g} s; see {file}")

    return Post(
        take=take,
        make=lambda: Hosted(supervision.supervisor(here, lock), supervision.serve_on(here), lock.release),
        release=lock.release,
        taken=lambda: is_taken(here.places.lock),
        orphaned=last.missing,
        failed_here=failed,
    )


class _Farewell:
    """Whether the last supervisor said in the log why it went. Used by one thread."""

    def __init__(self, here: wiring.Here) -> None:
        self._here = here
        self._client: Client | None = None

    def missing(self) -> bool:
        """True when it died, or failed; False when it was told to stop or had nothing left to do."""
        try:
            self._client = client = self._client or wiring.client(self._here)
            state = client.state
            if state.supervisor is None or state.supervisor.running:
                return state.supervisor is not None
            recent = client.journal.since(max(0, state.seq - LAST_EVENTS))
        except (supervision.log_error(), OSError):
            self._client = None
            return False
        said = [entry.fact.reason for entry in recent if isinstance(entry.fact, ev.SupervisorStopped)]
        return bool(said) and not said[-1]
