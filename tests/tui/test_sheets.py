"""Every dialog names its keys, and every key that it names does something there (T15)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from deskplay import DeskPlay, screen, toasts, until
from textual.pilot import Pilot
from textual.widgets import Static

from console.core.records import Check
from console.engine.desk import Opening
from console.tui.keyguard import SETTLE
from console.tui.screens.chain_verbs import Switch
from console.tui.screens.confirming import Preview, TypeId
from console.tui.screens.preflight import Preflight
from console.tui.screens.session_sheets import AskPrompt, AskQuestion, ConfirmOpening, Resting
from console.tui.screens.sheets import AskText, Choose, KeyHelp, Sheet

LINES = [f"line {number}" for number in range(80)]
OPTIONS = [("one", "the first"), ("two", "the second")]
KEYS = {
    "Enter": "enter",
    "Esc": "escape",
    "Tab": "tab",
    "j": "j",
    "k": "k",
    "/": "slash",
    "?": "question_mark",
    "PgUp": "pageup",
    "PgDn": "pagedown",
    "arrows": "down",
    "1-9": "1",
    "t": "t",
}
CLOSING = ("Enter", "Esc", "?", "1-9")
AFTER = {"k": ("j",), "PgUp": ("pagedown",)}
"""What to press before, so that the key has something to do."""


def alone(_: str, act: Callable[[], None]) -> None:
    act()


def ready(sheet: Sheet) -> Sheet:
    """A preflight that has been looked at."""
    assert isinstance(sheet, Preflight)
    sheet.call_after_refresh(lambda: sheet.found((Check(name="git", level="ok", text="fine"),)))
    return sheet


SHEETS: dict[str, Callable[[], Sheet]] = {
    "AskText": lambda: AskText("Tell it:"),
    "Choose": lambda: Choose("Which?", OPTIONS),
    "KeyHelp": lambda: KeyHelp(lambda cells, wanted: [line for line in LINES if wanted in line], "Keys"),
    "Preview": lambda: Preview("Go back?", LINES, OPTIONS),
    "Switch": lambda: Switch("Switch chains on?", LINES, OPTIONS),
    "TypeId": lambda: TypeId("Level 3", "about", LINES, "pol-1", refused=lambda _: "not that", when_alone=alone),
    "AskPrompt": lambda: AskPrompt("Prompt", lambda: (1, 0)),
    "AskQuestion": lambda: AskQuestion("It asks", {"text": "\n".join(LINES)}, OPTIONS, alone),
    "ConfirmOpening": lambda: ConfirmOpening("s-1", Opening(("claude",), "/w", {}), "claude"),
    "Resting": lambda: Resting("s-1", 5.0),
    "Preflight": lambda: ready(Preflight(when_alone=alone)),
}


def named(hint: str) -> list[str]:
    """The keys of a hint: `j/k move, Enter chooses, Esc leaves it`."""
    words = re.findall(r"1-9|/(?= )|[?]|\b(?:Enter|Esc|Tab|PgUp|PgDn|arrows)\b|\b[jkt]\b", hint)
    return list(dict.fromkeys(words))


def looks(pilot: Pilot[Any], sheet: Sheet) -> object:
    shown = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
    return shown, pilot.app.screen is sheet, str(pilot.app.focused), toasts(pilot), getattr(sheet, "given_up", None)


async def opened(pilot: Pilot[Any], name: str) -> Sheet:
    sheet = SHEETS[name]()
    pilot.app.push_screen(sheet)
    await until(pilot, lambda: pilot.app.screen is sheet and sheet.is_mounted and sheet.query(".hint"))
    if isinstance(sheet, Preflight):
        await until(pilot, lambda: sheet.go)
        assert sheet._since
        sheet._since -= SETTLE
    if isinstance(sheet, AskQuestion):
        sheet._since = time.monotonic() - SETTLE * 2
    return sheet


async def test_every_key_that_a_dialog_names_does_something_there(play: DeskPlay) -> None:
    async with screen(play) as (pilot, desk):
        for name in SHEETS:
            sheet = await opened(pilot, name)
            hint = str(sheet.query_one(".hint", Static).render())
            found = sorted(named(hint), key=lambda key: key in CLOSING)
            assert "Esc" in found, f"{name} says how it is left: {hint!r}"
            for key in found:
                if pilot.app.screen is desk:
                    sheet = await opened(pilot, name)
                for first in AFTER.get(key, ()):
                    await pilot.press(first)
                await pilot.pause()
                before = looks(pilot, sheet)
                await pilot.press(KEYS[key])
                await until(pilot, lambda sheet=sheet, before=before: looks(pilot, sheet) != before)  # type: ignore[misc]
                if key == "/":
                    await pilot.press("escape")
            if pilot.app.screen is not desk:
                pilot.app.pop_screen()
