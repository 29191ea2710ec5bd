"""The Session tab: reads the end of a transcript on the reading thread, lays it out there, keeps its head ticking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from console.present import doing, doinglines, pieces, talk
from console.present.text import clean
from console.present.visible import theirs_in_ascii

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench

    _Base = Screen[None]
else:
    _Base = object

NONE = (talk.Line("no session", "quiet", (0, 0)),)
NOTHING = (talk.Line("nothing yet", "quiet", (0, 0)),)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be laid out: of whom, for how many cells, with everything or not, in ASCII alone or not."""

    session: str
    cells: int
    whole: bool
    ascii: bool


@dataclass(frozen=True, slots=True)
class Read:
    """What was read. mark: tells one reading from the next one that found the same."""

    wanted: Wanted
    mark: object
    entries: Sequence[pieces.Entry]
    glance: doing.Glance
    lines: Sequence[talk.Line]
    spent: doing.Spent
    origins: Mapping[int, talk.Origin]


class Talking(_Base):
    """Mixed into every screen that shows one thing."""

    _read: Read | None = None
    _reading: Wanted | None = None
    _again: bool = False

    @property
    def _pane(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    def load_transcript(self) -> None:
        """Read what is new of the session that is shown; what was read before is told at once."""
        desk = self._pane
        session = desk.subject.session(desk.state)
        if not session:
            self._read = None
            desk.detail.set_talk("", NONE)
            desk.detail.set_doing(())
            return
        self.tell_doing()
        wanted = Wanted(session, max(20, desk.detail.size.width - 3), desk.detail.talk.in_full, desk.app.ascii)
        if self._reading == wanted:
            self._again = True  # one reading at a time: a busy log must not pile them up
            return
        self._reading, self._again = wanted, False
        before = self._read
        desk.app.hands.read(lambda: self._look(wanted, before), self._was_read)

    def _look(self, wanted: Wanted, before: Read | None) -> tuple[Read, bool]:
        """On the reading thread. And whether the log has more to say of its prompts and costs."""
        app = self._pane.app
        more = app.ledger.read_on()
        entries = app.desk.transcript(wanted.session)
        origins, spent = app.ledger.origins(wanted.session), app.ledger.spent(wanted.session)
        mark = (len(entries), entries[0] if entries else None, entries[-1] if entries else None, origins)
        if before and before.wanted == wanted and before.mark == mark:
            found = before
        else:
            put = pieces.together(theirs_in_ascii(entries) if wanted.ascii else entries)
            lines = talk.lines(put, wanted.cells, origins, whole=wanted.whole)
            found = Read(wanted, mark, entries, doing.glance(put), lines, spent, origins)
        return found, more

    def on_talk_pane_other_glyphs(self) -> None:
        self.load_transcript()

    def _was_read(self, result: object) -> None:
        desk = self._pane
        wanted, self._reading = self._reading, None
        session = desk.subject.session(desk.state)
        if isinstance(result, Exception) and wanted and wanted.session == session:
            said = clean(f"the transcript cannot be read: {result}", limit=300)
            desk.detail.set_talk(session, (talk.Line(said, "broke", (0, 0)),))
            return
        if not isinstance(result, tuple):
            return
        found, more = result
        if found.wanted.session == session:
            self._read = found
            desk.detail.set_talk(session, found.lines or NOTHING)
            self.tell_doing()
        if self._again or more:
            self.load_transcript()

    def tell_doing(self) -> None:
        """The head of the Session tab as of now, from what was read last."""
        desk = self._pane
        session = desk.state.sessions.get(desk.subject.session(desk.state))
        if session is None:
            return
        read = self._read if self._read and self._read.wanted.session == session.session else None
        told = doing.tell(
            read.glance if read else doing.Glance(), desk.app.now(), session, read.spent if read else doing.Spent()
        )
        cells = max(12, desk.detail.size.width - 4)
        desk.detail.set_doing(doinglines.head(told, cells, desk.detail.doing_rows))

    def why_not_whole(self) -> str:
        desk = self._pane
        shown = not desk.detail_hidden and desk.detail.tab == "session" and desk.subject.session(desk.state)
        return "" if shown else "no conversation is shown; open a session and its Session tab first"

    def action_whole(self) -> None:
        """Outputs and prompts in full, or brief again."""
        desk = self._pane
        if not desk.able("whole"):
            return
        desk.detail.talk.in_full = not desk.detail.talk.in_full
        desk.notify("outputs in full" if desk.detail.talk.in_full else "outputs in brief", timeout=2)
        self.load_transcript()

    def question_entry(self, session: str, question: str) -> pieces.Entry | None:
        """What the transcript has of a question, as far as it has been read."""
        read = self._read
        if not read or read.wanted.session != session:
            return None
        asked = (e for e in reversed(read.entries) if e.get("kind") == "ask" and e.get("question") == question)
        return next(asked, None)
