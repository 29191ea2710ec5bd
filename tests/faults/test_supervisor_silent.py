"""A supervisor that was stopped holds the workspace and acts on nothing: who looks from elsewhere sees that."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from terminal_rig import Desk, send


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def test_an_attached_console_shows_that_the_supervisor_was_stopped_and_that_it_goes_on(desk: Desk) -> None:
    desk.starts()
    (holder,) = (fact["pid"] for fact in desk.events("supervisor:started"))
    screen = desk.console()
    screen.wait_for(f"attached to pid {holder}")
    send(holder, signal.SIGSTOP)
    try:
        screen.wait_for("! supervisor silent for", 20)
        screen.wait_for("nobody watches the agents")
    finally:
        os.kill(holder, signal.SIGCONT)
    screen.wait_for(f"attached to pid {holder}", 20)
    screen.wait_until(lambda: "supervisor silent" not in screen.text(), 20, "all is well again")
