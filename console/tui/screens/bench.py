"""A screen that shows one thing and lets keys act on it: what the desk and the morning review have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from console.core import commands as cmd
from console.core.state import State
from console.tui import keys
from console.tui.keyguard import KeyGuard
from console.tui.screens import bars
from console.tui.screens.alert_verbs import AlertVerbs
from console.tui.screens.chain_verbs import ChainVerbs
from console.tui.screens.comment_verbs import CommentVerbs
from console.tui.screens.decision_verbs import DecisionVerbs
from console.tui.screens.editor_verbs import EditorVerbs
from console.tui.screens.finding_verbs import FindingVerbs
from console.tui.screens.inview import InView
from console.tui.screens.plan_verbs import PlanVerbs
from console.tui.screens.rollback_verbs import RollbackVerbs
from console.tui.screens.routine_verbs import RoutineVerbs
from console.tui.screens.session_verbs import SessionVerbs
from console.tui.screens.showing import Showing
from console.tui.screens.signing_verbs import SigningVerbs
from console.tui.screens.subject import Subject
from console.tui.screens.talking import Talking
from console.tui.screens.ticket_verbs import TicketVerbs
from console.tui.screens.undoing import Undoing
from console.tui.widgets.detail import Detail

if TYPE_CHECKING:
    from console.tui.app import NightdeskApp


class Bench(
    RoutineVerbs,
    ChainVerbs,
    TicketVerbs,
    Undoing,
    DecisionVerbs,
    PlanVerbs,
    SigningVerbs,
    FindingVerbs,
    CommentVerbs,
    EditorVerbs,
    AlertVerbs,
    SessionVerbs,
    RollbackVerbs,
    Talking,
    Showing,
    InView,
    Screen[None],
):
    """guard: when a key for a plan counts. subject: what is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.guard = KeyGuard()
        self.subject = Subject("")
        self._texts: dict[str, str] = {}

    if TYPE_CHECKING:

        @property
        def app(self) -> NightdeskApp: ...  # type: ignore[override]

    @property
    def state(self) -> State:
        return self.app.state

    @property
    def supervised(self) -> bool:
        return self.app.supervised

    @property
    def silent(self) -> float:
        """Seconds since who supervises, here or elsewhere, gave a sign of life; 0 while that is not long, nothing is
        known or nobody supervises."""
        return self.app.silent if self.app.silent and self.supervised else 0.0

    @property
    def holder(self) -> bars.Part:
        """Who supervises, for a header."""
        hosted = self.app.hosted
        failed = (str(hosted.failed) or type(hosted.failed).__name__) if hosted and hosted.failed else ""
        here = bool(hosted and hosted.alive)
        return bars.holder(self.state, hosted=here, failed=failed, running=self.supervised, silent=self.silent)

    @property
    def detail(self) -> Detail:
        return self.query_one(Detail)

    @property
    def detail_hidden(self) -> bool:
        """Whether what is shown is not before the eye."""
        return False

    def open_detail(self) -> None:
        """Bring what is shown before the eye."""

    def show_state(self) -> None:
        """Paint everything that the state says; only what differs reaches the terminal."""
        self.paint_detail()

    def keys_here(self) -> list[bars.Key]:
        """The footer: the keys that do something now, the most important first."""
        return []

    @property
    def tabs(self) -> str:
        """The keys that switch them: `[ ]`."""
        return f"{keys.key('previous-tab')} {keys.key('next-tab')}"

    def subject_keys(self) -> list[bars.Key]:
        """Those for the thing that is shown."""
        return [
            *self.signing_keys(),
            *self.alert_keys(),
            *self.decision_keys(),
            *self.plan_keys(),
            *self.comment_keys(),
            *self.question_keys(),
            *self.routine_keys(),
            *self.ticket_keys(),
        ]

    def paint_footer(self) -> None:
        line = bars.footer(self.keys_here(), max(0, self.size.width - 2))
        self._static("footer", [(line, "")])

    def sending(self, command: cmd.Command) -> None:
        """A verb sends this."""
        self.note_drop(command)

    def sent(self, command: cmd.Command, refused: str) -> None:
        """What a verb sent is in the log, or was refused."""
        if not refused:
            self.note_deed(command)

    def _static(self, name: str, parts: Sequence[bars.Part]) -> None:
        if self._differs(name, str(parts)):
            self.query_one(f"#{name}", Static).update(Content.assemble(*parts), layout=False)

    def _differs(self, name: str, value: str) -> bool:
        if self._texts.get(name) == value:
            return False
        self._texts[name] = value
        return True
