"""The right-hand pane: the thing itself. It draws a plan, session or policy and says which plan is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import ContentSwitcher, Static

from console.present.difftext import Diff
from console.present.text import clean
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LinePane, LineView

Tab = Literal["diff", "gate", "session", "why"]
TABS: tuple[Tab, ...] = ("diff", "gate", "session", "why")
NAMES = {"diff": "Diff", "gate": "Gate", "session": "Session", "why": "Why"}


class Detail(Vertical):
    """subject: id of what is shown (`plan:<commit>`, `session:s-1`, ...)."""

    class Drawn(Message):
        """A plan's diff is on the screen now."""

        def __init__(self, plan: str) -> None:
            super().__init__()
            self.plan = plan

    def __init__(self) -> None:
        super().__init__(id="detail")
        self.subject = ""
        self.tab: Tab = "why"
        self._texts: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Static(id="warnings", markup=False)
        yield Static(id="tabs", markup=False)
        with ContentSwitcher(initial="view-why", id="views"):
            yield LineDiff(id="view-diff")
            yield LineView(id="view-gate")
            yield LineView(id="view-session", follow=True)
            yield LineView(id="view-why", sgr="show")

    def pane(self, tab: Tab) -> LinePane:
        return self.query_one(f"#view-{tab}", LinePane)

    @property
    def current(self) -> LinePane:
        return self.pane(self.tab)

    def show(self, tab: Tab) -> None:
        self.tab = tab
        focused = self.has_focus_within
        self.query_one(ContentSwitcher).current = f"view-{tab}"
        if focused:
            self.current.focus()
        self._draw_tabs()

    def step_tab(self, step: int) -> None:
        self.show(TABS[(TABS.index(self.tab) + step) % len(TABS)])

    def _draw_tabs(self) -> None:
        parts: list[str | tuple[str, str]] = []
        for tab in TABS:
            name = f"[{NAMES[tab]}]" if tab == self.tab else f" {NAMES[tab]} "
            parts.append((name, "bold $foreground") if tab == self.tab else name)
        parts.append("   \\[ and ] switch".replace("\\", ""))
        self.query_one("#tabs", Static).update(Content.assemble(*parts), layout=False)

    def head(self, subject: str, title: str, headline: str, tone: str, warnings: Sequence[str]) -> bool:
        """What is shown, in one line, and what to know before a key. True when the subject is another than before."""
        changed = subject != self.subject
        self.subject = subject
        self.border_title = Content(clean(title, limit=200))
        line = self.query_one("#headline", Static)
        if self._differs("headline", headline):
            line.update(Content(headline))
        line.set_classes(f"-{tone}")
        notes = self.query_one("#warnings", Static)
        if self._differs("warnings", tuple(warnings)):
            notes.update(Content("\n".join(warnings)))
            notes.set_class(bool(warnings), "-some")
        if changed:
            self._draw_tabs()
        return changed

    def _differs(self, name: str, value: object) -> bool:
        if self._texts.get(name) == value:
            return False
        self._texts[name] = value
        return True

    def set_diff(self, diff: Diff | bytes, plan: str) -> None:
        """Draw a plan's diff; `Drawn` is posted after it has been painted."""
        self.query_one(LineDiff).set_diff(diff)
        if plan:
            self.call_after_refresh(lambda: self.post_message(self.Drawn(plan)))

    def set_lines(self, tab: Tab, lines: Sequence[str]) -> None:
        """Replace a text view, only when it changed."""
        if self._differs(tab, tuple(lines)):
            view = self.pane(tab)
            assert isinstance(view, LineView)
            view.set_lines(lines)
            if tab == "session":
                view.call_after_refresh(view.action_bottom)
