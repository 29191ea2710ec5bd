"""What the right-hand pane shows, read without blocking, and when a plan counts as seen by the person at the keys."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from console.core.commits import Plan
from console.core.tickets import Ticket
from console.present.queue_rows import shown_whole, text_lines
from console.present.text import clean
from console.present.visible import in_ascii
from console.tui import nudges
from console.tui.screens.confirming import wrapped
from console.tui.screens.diff_facts import DiffFacts
from console.tui.screens.subject import Subject, describe
from console.tui.widgets.detail import Detail, Face

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench

    _Base = Screen[None]
else:
    _Base = object

NO_TEXT = "(its text is not kept here; look at its file)"


class Showing(DiffFacts):
    """Mixed into the desk."""

    _looks: tuple[object, ...] = ()
    _text: tuple[str, str, str] = ("", "", "")
    """Ticket, digest and text of what was read last."""
    text_shown: tuple[str, str] = ("", "")
    """Ticket and digest of the text that is drawn in the Ticket tab."""

    @property
    def _desk(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    def look_at(self, key: str) -> None:
        """Show this thing on the right."""
        desk = self._desk
        if key and key != desk.subject.id:
            desk.subject = Subject(key)
            self.unseen()
            self.paint_detail()
            desk.detail.show(desk.subject.first_tab)
            desk.thing_drawn()

    def paint_detail(self) -> None:
        desk = self._desk
        armed = desk.armed.plan if desk.armed else ""
        face = describe(
            desk.state,
            desk.subject,
            self.drifted,
            armed,
            desk.app.now(),
            supervised=desk.supervised,
            silent=desk.silent,
        )
        face = self.with_facts(face)
        desk.detail.head(desk.subject.id, face)
        why = self._fitted(face.why) if face.wrap else face.why
        desk.detail.set_lines("why", [*why, *nudges.lines(self._nudge_texts())])
        desk.detail.set_lines("gate", face.gate)
        self._paint_text(face)
        plan = desk.state.plans.get(face.plan)
        self._note_change(plan, face)
        if self.load_diff(plan) and plan and desk.subject.kind == "plan" and not desk.guard.shown:
            desk.call_after_refresh(self._drawn, plan.plan)
        desk.load_transcript()
        desk.alert_drawn()
        desk.thing_drawn()
        desk.check_armed()
        desk.undo_answered()
        desk.paint_footer()

    @property
    def looks(self) -> tuple[object, ...]:
        """What the plan that is shown looks like, apart from its diff."""
        return self._looks

    def _note_change(self, plan: Plan | None, face: Face) -> None:
        """A plan that looks different than a moment ago has to be looked at again before a key approves it."""
        looks = (plan.plan, plan.state, face.warnings) if plan else ()
        if looks != self._looks and plan and self._desk.guard.shown == plan.plan:
            self._desk.guard.renewed(time.monotonic())
        self._looks = looks

    def _fitted(self, lines: Sequence[str]) -> Sequence[str]:
        """Sentences are read without moving sideways."""
        return wrapped(lines, self._cells)

    @property
    def _cells(self) -> int:
        """Of a line in the right-hand pane, beside its scrollbar; before it has a size, as if the screen were it."""
        return max(16, (self._desk.detail.size.width or self._desk.size.width - 2) - 3)

    # -- nudges --------------------------------------------------------------------------------------------

    _nudged: tuple[str, int] = ("", 0)
    """Policy and number of the nudges that were asked for."""
    _nudge_found: tuple[str, tuple[str, ...]] = ("", ())

    def _nudge_texts(self) -> Sequence[str]:
        """What the nudges of the policy that is shown said, as far as it has been read."""
        desk = self._desk
        ticket = desk.subject.ticket(desk.state)
        policy = desk.subject.policy(desk.state) or (desk.state.policies.get(ticket.policy) if ticket else None)
        if policy is None or not policy.retries:
            return ()
        if self._nudged != (policy.policy, policy.retries):
            self._nudged = (policy.policy, policy.retries)
            desk.app.hands.read(
                lambda: desk.app.nudges.texts(policy.policy),
                lambda found: self._nudges_read(policy.policy, found),
            )
        return self._nudge_found[1] if self._nudge_found[0] == policy.policy else ()

    def _nudges_read(self, policy: str, found: object) -> None:
        if isinstance(found, tuple):
            self._nudge_found = (policy, found)
            self.paint_detail()

    # -- the ticket's text ---------------------------------------------------------------------------------

    def _paint_text(self, face: Face) -> None:
        desk = self._desk
        t = desk.subject.ticket(desk.state)
        if t is None:
            self.text_shown = ("", "")
            return
        read = self._text[:2] == (t.ticket, t.digest)
        text: tuple[str, ...] = _as_read(self._text[2], self._cells, desk.app.ascii) if read else ("reading ...",)
        facts = self._fitted(face.ticket)
        rule = ["", f"-- {clean(t.file, limit=200)} --", ""]
        if t.link:
            text, rule = (), []  # it has no file; what it was told is its session's first prompt
        lines = [*text, *rule, *facts] if t.held else [*facts, *rule, *text]  # what must be read first stands first
        desk.detail.set_lines("ticket", lines)
        whole = read and self._text[2] and shown_whole(self._text[2])
        self.text_shown = (t.ticket, t.digest) if whole else ("", "")
        if not t.link and not read and self._wanted_text != (t.ticket, t.digest):
            self._read_text(t)

    _wanted_text: tuple[str, str] = ("", "")

    def _read_text(self, t: Ticket) -> None:
        desk = self._desk
        self._wanted_text = (t.ticket, t.digest)
        desk.app.hands.read(
            lambda: desk.app.desk.ticket_text(t.digest), lambda found: self._text_read(t.ticket, t.digest, found)
        )

    def _text_read(self, ticket: str, digest: str, found: object) -> None:
        desk = self._desk
        self._wanted_text = ("", "")
        t = desk.subject.ticket(desk.state)
        if t and (t.ticket, t.digest) == (ticket, digest):
            self._text = (ticket, digest, found if isinstance(found, str) else "")
            self.paint_detail()

    def text_trouble(self, t: Ticket) -> str:
        """Why the text of this ticket is not all before the eye and never will be; "" when it is, or will be."""
        if self._text[:2] != (t.ticket, t.digest):
            return ""
        how = f"look at its file, then `nightdesk ticket release {t.ticket}`"
        if not self._text[2]:
            return f"its text cannot be read here; {how}"
        return "" if shown_whole(self._text[2]) else f"its text is too long to be shown here; {how}"

    def open_text(self) -> None:
        """To the Ticket tab of what is shown."""
        desk = self._desk
        desk.open_detail()
        desk.detail.show("ticket")
        self.paint_detail()

    # -- what was seen -------------------------------------------------------------------------------------

    def on_detail_drawn(self, event: Detail.Drawn) -> None:
        self._drawn(event.plan)

    def on_detail_shown(self) -> None:
        self.paint_detail()

    def _drawn(self, plan: str) -> None:
        desk = self._desk
        whole = self._loaded_diff == plan != self._partial
        if desk.subject.id == f"plan:{plan}" and whole and desk.detail.region.area:
            desk.guard.drawn(plan, time.monotonic())
            desk.paint_footer()

    def unseen(self) -> None:
        """No plan is before the eye any more: nothing to approve until one is drawn again."""
        self._desk.guard.drawn("", time.monotonic())
        self._desk.disarm()


@lru_cache(maxsize=4)
def _as_read(text: str, cells: int, ascii: bool = False) -> tuple[str, ...]:
    """A ticket's text for a pane of `cells`; painted often, worked out once."""
    return tuple(wrapped(text_lines(in_ascii(text.replace("\r\n", "\n")) if ascii else text), cells)) or (NO_TEXT,)
