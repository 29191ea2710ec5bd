"""What the right-hand pane shows, read without blocking, and when a plan counts as seen by the person at the keys."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from console.core.commits import Plan
from console.present import wording
from console.tui.screens.subject import Subject, describe
from console.tui.widgets.detail import Detail, Face

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.desk import DeskScreen

    _Base = Screen[None]
else:
    _Base = object


class Showing(_Base):
    """Mixed into the desk."""

    _loaded_diff: str = ""
    _drifted: tuple[str, tuple[str, ...]] = ("", ())
    _looks: tuple[object, ...] = ()
    _partial: str = ""

    @property
    def _desk(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def look_at(self, key: str) -> None:
        """Show this thing on the right."""
        desk = self._desk
        if key and key != desk.subject.id:
            desk.subject = Subject(key)
            self.unseen()
            self.paint_detail()
            desk.detail.show(desk.subject.first_tab)

    def paint_detail(self) -> None:
        desk = self._desk
        armed = desk.armed.plan if desk.armed else ""
        face = describe(desk.state, desk.subject, self._drifted, armed)
        desk.detail.head(desk.subject.id, face)
        desk.detail.set_lines("why", face.why)
        desk.detail.set_lines("gate", face.gate)
        plan = desk.state.plans.get(face.plan)
        self._note_change(plan, face)
        if plan and self._loaded_diff != plan.plan:
            self._read_diff(plan)
        elif plan is None and self._loaded_diff:
            self._loaded_diff = ""
            desk.detail.set_diff(b"", "")
        elif plan and desk.subject.kind == "plan" and not desk.guard.shown:
            desk.call_after_refresh(self._drawn, plan.plan)
        self.load_transcript()
        desk.alert_drawn()
        desk.check_armed()
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

    # -- the diff ------------------------------------------------------------------------------------------

    def _read_diff(self, plan: Plan) -> None:
        desk = self._desk
        self._loaded_diff, self._partial = plan.plan, ""
        desk.detail.set_diff(b"", "")
        wanted = desk.subject.id
        desk.app.hands.read(
            lambda: (desk.app.desk.diff(plan.frozen), tuple(desk.app.desk.drift(plan.frozen))),
            lambda found: self._diff_read(wanted, plan.plan, found),
        )

    def _diff_read(self, wanted: str, plan: str, found: object) -> None:
        desk = self._desk
        if desk.subject.id != wanted or self._loaded_diff != plan:
            return
        if isinstance(found, Exception):
            self._loaded_diff = ""
            desk.notify(f"the diff cannot be shown: {found}", severity="error")
            return
        assert isinstance(found, tuple)
        diff, drifted = found
        frozen = desk.state.plans[plan].frozen
        if len(diff) != frozen.diff_bytes:
            self._partial = plan
            desk.notify("git did not give the plan's whole diff; it cannot be approved here", severity="error")
            return
        self._drifted = (plan, drifted)
        desk.detail.set_diff(diff, plan if desk.subject.kind == "plan" else "")
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

    # -- the transcript ------------------------------------------------------------------------------------

    def load_transcript(self) -> None:
        desk = self._desk
        session = desk.subject.session(desk.state)
        if not session:
            desk.detail.set_lines("session", ("no session",))
            return
        desk.app.hands.read(
            lambda: [wording.transcript_line(entry) for entry in desk.app.desk.transcript(session)],
            lambda lines: self._transcript_read(session, lines),
        )

    def _transcript_read(self, session: str, lines: object) -> None:
        desk = self._desk
        if isinstance(lines, list) and desk.subject.session(desk.state) == session:
            desk.detail.set_lines("session", lines or ["nothing yet"])
