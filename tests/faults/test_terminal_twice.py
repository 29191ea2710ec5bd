"""Row E4: two consoles on one workspace, one of them killed in the middle of a command: applied once, or not at all."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from terminal_rig import HERE, Desk, Screen, children, is_sane, running, send

BOT = HERE.parent / "nights" / "nightbot.py"
TICKETS = ("a", "b")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Two plans wait for a key."""
    made = Desk(tmp_path)
    command = [sys.executable, str(BOT), str(made.rig.scripts)]
    made.rig.configure(
        presets={"bot": {"command": command, "protocol": "command", "autonomy_confirmed": True}}, agent="bot"
    )
    for name in TICKETS:
        made.rig.ticket(name)
    made.rig.ready()
    made.rig.night()
    yield made
    made.close()


def look_at_a_plan(screen: Screen) -> str:
    """The ticket whose plan the next key would land, once a person has looked at it."""
    screen.press("w")
    screen.wait_for("a lands it on nightdesk/")
    time.sleep(0.6)
    return screen.text().partition("a lands it on nightdesk/")[2][0]


def has_landed(desk: Desk, count: int) -> bool:
    return len(desk.events("policy:committed")) == count


@pytest.mark.row("E4")
def test_a_console_killed_while_it_approves_has_approved_once_or_not_at_all(desk: Desk) -> None:
    first = desk.console()
    dice = random.Random(4)
    for landed in range(1, len(TICKETS) + 1):
        second = desk.console(probe=str(desk.room / "second"))
        ticket = look_at_a_plan(second)
        (inner,) = children(second.process.pid)
        second.press("a")
        time.sleep(dice.uniform(0.11, 0.19))  # the key counts after 0.12 s: before, amid and after its transaction
        send(inner, signal.SIGKILL)
        assert second.wait_exit() == 128 + signal.SIGKILL and is_sane(second) == ""
        branch = f"nightdesk/{ticket}"
        if len(desk.events("plan:approved")) < landed:
            assert look_at_a_plan(first) in TICKETS, "still waiting: another console may approve it"
            first.press("a")
        first.wait_until(partial(has_landed, desk, landed), 30, "a plan landed")
        assert branch in desk.rig.git("branch", "--list", "nightdesk/*")
    assert len(desk.events("plan:approved")) == len(desk.events("policy:committed")) == len(TICKETS)
    for ticket in TICKETS:
        assert desk.rig.git("rev-list", "--count", f"main..nightdesk/{ticket}").strip() == "1"
    assert running(first.process.pid) and len(desk.events("supervisor:started")) == 2, "one for the night, one here"
