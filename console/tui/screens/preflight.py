"""The sheet of the preflight: every check, then GO or NO-GO. Only GO can be started, and only by a key of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from console.core.records import Check
from console.present.glyphs import sign
from console.present.keytable import key
from console.present.text import clean
from console.tui.keyguard import SETTLE
from console.tui.screens.confirming import room_for, wrapped
from console.tui.screens.sheets import Sheet
from console.tui.widgets.lines import LineView

MARKS = {"ok": "done", "warning": "look", "no-go": "failed"}


class Preflight(Sheet):
    """Dismissed with "unattended" or "attended" to start a run, None for nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", show=False, priority=True),
        Binding("t", "attend", "Attended", show=False),
        Binding("q", "close", "Close", show=False),
    ]

    def __init__(self, *, when_alone: Callable[[str, Callable[[], None]], None]) -> None:
        super().__init__("Preflight", "checking; Esc leaves it")
        self.checks: Sequence[Check] = ()
        self.trouble = ""
        self.attended = False
        self._when_alone = when_alone
        self._since: float | None = None

    def body(self) -> ComposeResult:
        yield LineView(("checking settings, trust, git, agents, the gate ...",), sgr="show")

    def on_mount(self) -> None:
        self.query_one(LineView).focus()
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    @property
    def go(self) -> bool:
        return bool(self.checks) and not self.trouble and all(check.level != "no-go" for check in self.checks)

    def found(self, checks: object) -> None:
        """What the preflight found: its checks, or the exception that it raised."""
        if isinstance(checks, Exception):
            self.trouble = f"the preflight itself failed: {checks}"
        else:
            assert isinstance(checks, Sequence)
            self.checks = tuple(checks)
        self._since = time.monotonic()
        self._show()

    def _show(self) -> None:
        if self._since is None or not self.query(".hint"):
            return
        self.query_one(".title", Static).update(Content(clean(verdict(self.checks, self.trouble))))
        self.query_one(".hint", Static).update(Content(self._keys()))
        self._fit()
        self.call_after_refresh(self._fit)  # the words below may take another number of rows now

    def _keys(self) -> str:
        if not self.go:
            return "nothing can be started; Esc leaves it"
        how = "attended: questions wait for you" if self.attended else "unattended: questions become decisions"
        return f"Enter starts the run, t changes how ({how}), Esc leaves it"

    def _fit(self) -> None:
        view = self.query_one(LineView)
        if self._since is not None:
            view.set_lines(wrapped(check_lines(self.checks, self.trouble), max(10, view.size.width - 1)))
        view.styles.height = max(3, min(view.count, room_for(view)))

    def action_attend(self) -> None:
        self.attended = not self.attended
        self._show()

    def action_start(self) -> None:
        if self._since is None:
            return self._tell("the checks are still running")
        if not self.go:
            again = f"then press {key('start-run')} again; Esc leaves it"
            return self._tell(f"NO-GO: the run is not started. Cure what is marked, {again}")
        if time.monotonic() - self._since < SETTLE:
            return self._tell("this has only just appeared; look at it, then press Enter again")
        self._when_alone("started", self._start)
        return None

    def _start(self) -> None:
        if self.is_current:
            self.dismiss("attended" if self.attended else "unattended")

    def _tell(self, text: str) -> None:
        hint = self.query_one(".hint", Static)
        hint.update(Content(text))
        hint.add_class("-refused")
        self.call_after_refresh(self._fit)


def verdict(checks: Sequence[Check], trouble: str = "") -> str:
    """`GO: 12 checks, 2 warnings` or `NO-GO: 2 of 12 checks forbid it`"""
    bad, warned = (sum(check.level == level for check in checks) for level in ("no-go", "warning"))
    if trouble or not checks:
        return f"NO-GO: {trouble or 'nothing was checked'}"
    if bad:
        return f"NO-GO: {bad} of {len(checks)} checks forbid{'s' * (bad == 1)} it"
    return f"GO: {len(checks)} checks" + (f", {warned} warning{'s' * (warned > 1)}" if warned else "")


def check_lines(checks: Sequence[Check], trouble: str = "") -> list[str]:
    """One line a check, the cure under it."""
    lines = [f"{sign('failed').glyph} {clean(trouble)}"] if trouble else []
    for check in checks:
        mark = sign(MARKS[check.level]).glyph
        lines.append(f"{mark} {clean(check.name, limit=40):12} {clean(check.text, limit=400)}")
        if check.cure and check.level != "ok":
            here = f"; or here: First steps, in the palette ({key('palette')})"
            trusting = "nightdesk trust" in check.cure
            lines.append(f"  do: {clean(check.cure, limit=300)}{here * trusting}")
    return lines
