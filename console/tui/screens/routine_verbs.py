"""The verbs of a routine: answer what it asks a person, cancel it. Each is about the step that was drawn."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.routines import Routine
from console.core.routines_reply import takes_text
from console.core.state import State
from console.present import boardlines, sessionwords
from console.present.text import clean
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.looking import Looking
from console.tui.screens.session_sheets import AskQuestion
from console.tui.screens.sheets import AskText

OPTION, GO, WORDS, NO = "option:", "go", "words", "no"


class RoutineVerbs(Looking):
    """Mixed into every screen that shows one thing, before the verbs of sessions: `y` and `x` are theirs unless a
    routine is shown."""

    def routine(self) -> Routine | None:
        """The one that is shown."""
        subject = self.desk.subject
        return self.desk.state.routines.get(subject.name) if subject.kind == "routine" else None

    def routine_keys(self) -> list[bars.Key]:
        r = self.routine()
        if r is None or self.desk.detail_hidden or not r.open:
            return []
        return self.can("stop", "cancel the routine", "cancel")

    # -- answering ---------------------------------------------------------------------------------------

    def why_not_answer(self) -> str:
        r = self.routine()
        if r is None:
            return str(super().why_not_answer())  # type: ignore[misc]
        return "" if r.status == "escalated" else f"routine {r.routine} asks nothing: it is {r.status}"

    def action_answer(self) -> None:
        r = self.routine()
        if r is None:
            super().action_answer()  # type: ignore[misc]
        elif self.able("answer"):
            self._resolve_routine(r)

    def _resolve_routine(self, r: Routine) -> None:

        def still() -> bool:
            now = self.desk.app.client.journal.state.routines[r.routine]
            return now.status == "escalated" and now.asked == r.asked

        def chosen(answer: str | None) -> None:
            if answer == WORDS:
                self._type_for(r)
            elif answer:
                option = answer.removeprefix(OPTION) if answer.startswith(OPTION) else ""
                self._tell_routine(r, approve=answer != NO, response=option)

        where = f" ({r.session} waits with it)" if r.session else ""
        title = f"{clean(r.spec.name, limit=60)}, {boardlines.step_name(r)}, asks{where}:"
        sheet = AskQuestion(title, {"text": r.title}, answers(self.desk.state, r), self.when_alone, still)
        self.desk.app.push_screen(sheet, chosen)

    def _type_for(self, r: Routine) -> None:
        def typed(text: str | None) -> None:
            if text:
                self._tell_routine(r, approve=True, response=text)

        title = f"{clean(r.spec.name, limit=60)} goes on with this answer:"
        self.desk.app.push_screen(AskText(title), typed)

    def _tell_routine(self, r: Routine, *, approve: bool, response: str) -> None:
        by = self.desk.app.desk.who()
        command = cmd.ResolveRoutine(
            routine=r.routine, step=r.step, by=by, asked=r.asked, approve=approve, response=response
        )
        self.send(command, f"routine {r.routine} {'goes on' if approve else 'is ended: it has failed'}")

    # -- cancelling --------------------------------------------------------------------------------------

    def why_not_stop(self) -> str:
        r = self.routine()
        if r is None:
            return str(super().why_not_stop())  # type: ignore[misc]
        return "" if r.open else f"routine {r.routine} is {r.status} already"

    def action_stop(self) -> None:
        r = self.routine()
        if r is None:
            super().action_stop()  # type: ignore[misc]
        elif self.able("stop"):
            self.on_this("cancelled", lambda: self._cancel_routine(r))

    def _cancel_routine(self, r: Routine) -> None:
        name = clean(r.spec.name, limit=60)
        if self.second_press(
            f"cancel:{r.routine}", f"press {keys.key('stop')} again to cancel routine {name}; its sessions stay"
        ):
            command = cmd.CancelRoutine(routine=r.routine, by=self.desk.app.desk.who())
            self.send(command, f"routine {r.routine} is cancelled", needs_hands=False)


def answers(state: State, r: Routine) -> list[tuple[str, str]]:
    """What a person can say: what was offered, one's own words where they are taken, to stop. Going on without a word
    only where the step itself asks, because a session that waits wants an answer."""
    offered = [(f"{OPTION}{o.id}", sessionwords.option_words(o.name or o.id, o.kind)) for o in r.options]
    go = [] if r.session else [(GO, "go on")]
    s = state.sessions.get(r.session)
    asked = s.question if s else None
    worded = [(WORDS, "go on, with words that I type")] if not r.options or (asked and takes_text(asked)) else []
    return [*offered, *go, *worded, (NO, "do not: the routine has failed")]
