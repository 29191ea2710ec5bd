"""The right-hand pane: the thing itself. It draws a plan, session or policy and says which plan is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import ContentSwitcher, Static

from console.present.difftext import Diff
from console.present.doinglines import Part
from console.present.talk import Line
from console.present.text import clean, cut
from console.tui import keys
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LinePane, LineView
from console.tui.widgets.talk import TalkPane

Tab = Literal["diff", "gate", "ticket", "session", "why"]
TABS: tuple[Tab, ...] = ("diff", "gate", "ticket", "session", "why")
NAMES = {"diff": "Diff", "gate": "Gate", "ticket": "Ticket", "session": "Session", "why": "Why"}
LOOKS = {"!!": "bold $state-broke", "!": "$state-needs"}
"""Colour of a warning by its mark; the mark itself says the same without colour."""
TONES = {"go": "$state-go", "needs": "$state-needs", "broke": "$state-broke", "quiet": "$state-quiet"}
HEAD_ROWS, HEAD_FEW = 9, 3
"""Lines of the Session tab's head in a pane of at least TALL rows, and in a lower one."""
ROOMY, SCANT, TALL = 6, 3, 24
"""Rows of warnings in a pane of at least TALL rows, and in a lower one."""
LOW, LOWEST = 13, 9
"""Rows of the pane, its border included, under which headline and warnings have one row each so that the thing itself
has some; and under which the names of the tabs and the lower border give theirs."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the pane says of its subject. title, facts: the border's upper and lower line. plan: whose diff it holds.
    warnings: the gravest first, each with its mark (`!!`, `!`, `-`). more: how many further ones there are.
    ticket: what is known of its ticket, () when it has none and thus no such tab. wrap: `why` is sentences."""

    title: str
    headline: str
    facts: str = ""
    tone: str = "quiet"
    warnings: tuple[str, ...] = ()
    more: int = 0
    why: tuple[str, ...] = ()
    gate: tuple[str, ...] = ()
    plan: str = ""
    ticket: tuple[str, ...] = ()
    wrap: bool = False


class Detail(Vertical):
    """subject: id of what is shown (`plan:<commit>`, `session:s-1`, ...)."""

    class Drawn(Message):
        """A plan's diff is on the screen now."""

        def __init__(self, plan: str) -> None:
            super().__init__()
            self.plan = plan

    class Shown(Message):
        """The pane has come into view."""

    def __init__(self) -> None:
        super().__init__(id="detail")
        self.subject = ""
        self.tab: Tab = "why"
        self.tabs: tuple[Tab, ...] = _tabs(ticket=False)
        self._texts: dict[str, object] = {}
        self._facts = ""
        self._warned: tuple[Sequence[str], int] = ((), 0)

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Static(id="warnings", markup=False)
        yield Static(id="tabs", markup=False)
        yield Static(id="doing", markup=False)
        with ContentSwitcher(initial="view-why", id="views"):
            yield LineDiff(id="view-diff")
            yield LineView(id="view-gate")
            yield LineView(id="view-ticket", sgr="show")
            yield TalkPane(id="view-session")
            yield LineView(id="view-why", sgr="show")

    def on_show(self) -> None:
        self.post_message(self.Shown())

    def on_resize(self) -> None:
        rows = self.outer_size.height
        self.set_class(rows < LOW, "-low")
        self.set_class(rows < LOWEST, "-lowest")
        self._warnings(*self._warned)

    def pane(self, tab: Tab) -> LinePane:
        return self.query_one(f"#view-{tab}", LinePane)

    @property
    def current(self) -> LinePane:
        return self.pane(self.tab)

    @property
    def talk(self) -> TalkPane:
        return self.query_one("#view-session", TalkPane)

    def show(self, tab: Tab) -> None:
        self.tab = tab
        self.query_one("#doing", Static).set_class(tab == "session" and bool(self._texts.get("doing")), "-some")
        focused = self.has_focus_within
        self.query_one(ContentSwitcher).current = f"view-{tab}"
        if focused:
            self.current.focus()
        self._draw_tabs()
        self._foot()

    def step_tab(self, step: int) -> None:
        self.show(self.tabs[(self.tabs.index(self.tab) + step) % len(self.tabs)])

    def _draw_tabs(self) -> None:
        parts: list[str | tuple[str, str]] = []
        for tab in self.tabs:
            name = f"[{NAMES[tab]}]" if tab == self.tab else f" {NAMES[tab]} "
            parts.append((name, "bold $foreground") if tab == self.tab else name)
        hint = f"   {keys.key('previous-tab')} and {keys.key('next-tab')} switch"
        if sum(len(NAMES[tab]) + 2 for tab in self.tabs) + len(hint) <= self.app.size.width - 4:
            parts.append(hint)
        self.query_one("#tabs", Static).update(Content.assemble(*parts), layout=False)

    def head(self, subject: str, face: Face) -> bool:
        """What is shown, in one line, and what to know before a key. True when the subject is another than before."""
        changed = subject != self.subject
        self.subject = subject
        if self._differs("title", face.title):
            self.border_title = Content(clean(face.title, limit=200))
        self._facts = face.facts
        self._foot()
        if self.tabs != (tabs := _tabs(ticket=bool(face.ticket))):
            self.tabs = tabs
            if self.tab not in tabs:
                self.show("why")
            self._draw_tabs()
        self._headline(face.headline, face.tone)
        self._warned = (face.warnings, face.more)
        self._warnings(*self._warned)
        if changed:
            self._draw_tabs()
            for view in self.query(LineView):
                view.action_top()
            self.talk.restart()
            self.set_doing(())
        return changed

    def on_line_diff_file_changed(self) -> None:
        self._foot()

    def _foot(self) -> None:
        """The lower border: the file under the cursor of a diff, then the facts."""
        place = self.query_one(LineDiff).place(max(12, self.size.width // 3)) if self.tab == "diff" else ""
        said = " · ".join(part for part in (place, self._facts) if part)
        if self._differs("foot", said):
            self.border_subtitle = Content(clean(said, limit=300))

    def _warnings(self, lines: Sequence[str], more: int) -> None:
        """As many as leave room for the thing itself, a row each; how many are left out is said. In a low pane the
        gravest and how many more there are, in one row."""
        notes = self.query_one("#warnings", Static)
        low = 0 < self.outer_size.height < LOW
        room = 1 if low else ROOMY if self.size.height >= TALL else SCANT
        some = lines if not low and len(lines) + more == room + 1 else lines[:room]
        left = len(lines) - len(some) + more
        told = f"{left} more: Why tab" if left else ""
        cells = max(8, self.size.width - 2 - (len(told) + 2 if low and told else 0))
        shown = [cut(clean(line), cells) for line in some]
        if self._differs("warnings", (shown, left, low)):
            end = "  " if low else "\n"
            parts = [(line + end, LOOKS.get(line.partition(" ")[0], "$state-quiet")) for line in shown]
            rest = [(told, "bold $state-needs")] if told else []
            notes.update(Content.assemble(*parts, *rest).rstrip())
            notes.set_class(bool(shown), "-some")

    @property
    def doing_rows(self) -> int:
        """Lines that the head of the Session tab may have, so that the conversation below it stays readable."""
        return HEAD_ROWS if self.size.height >= TALL else HEAD_FEW

    def set_doing(self, lines: Sequence[Part]) -> None:
        """The head of the Session tab; clean lines, each as wide as the pane at most. Ages in it tick: where it has as
        many lines as before, nothing around it moves."""
        if not self._differs("doing", tuple(lines)):
            return
        head = self.query_one("#doing", Static)
        parts = [(text + "\n", TONES.get(tone, "")) for text, tone in lines]
        head.update(Content.assemble(*parts).rstrip(), layout=False)
        if self._differs("doing-rows", len(lines)):
            head.styles.height = max(1, len(lines))
        head.set_class(self.tab == "session" and bool(lines), "-some")

    def set_talk(self, of_whom: str, lines: Sequence[Line]) -> None:
        """The conversation of a session."""
        if self._differs("talk-of", of_whom):
            self.talk.restart()
        self.talk.show_lines(lines)

    def _headline(self, headline: str, tone: str) -> None:
        line = self.query_one("#headline", Static)
        if self._differs("headline", headline):
            line.update(Content(clean(headline)))
        line.set_classes(f"-{tone}")

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
        of_whom, was_of = self.subject, self._texts.get(f"{tab}-subject")
        self._texts[f"{tab}-subject"] = of_whom
        if not self._differs(tab, tuple(lines)) and of_whom == was_of:
            return
        view = self.pane(tab)
        assert isinstance(view, LineView)
        view.set_lines(lines)


def _tabs(*, ticket: bool) -> tuple[Tab, ...]:
    """No tab without a use: only what belongs to a ticket has the ticket's."""
    return tuple(tab for tab in TABS if ticket or tab != "ticket")
