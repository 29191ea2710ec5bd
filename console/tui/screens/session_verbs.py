"""The verbs of sessions: prompt, answer, interrupt, stop; each for the session that is shown. One that cannot be done
now says why."""

from __future__ import annotations

from collections.abc import Callable

from console.core import commands as cmd
from console.core.sessions import LIVE, Question, Session
from console.present import sessionwords
from console.present.text import clean
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.opening_verbs import OpeningVerbs
from console.tui.screens.session_sheets import AskPrompt, AskQuestion
from console.tui.screens.sheets import AskText

OPTION, WORDS = "option:", "words"
NOT_CHOSEN = "choose a session first"
TITLE = 600
"""Characters of a question that a dialog shows; the Session tab has all of it."""


class SessionVerbs(OpeningVerbs):
    """Mixed into the desk."""

    def _shown(self) -> Session | None:
        return self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))

    def question_keys(self) -> list[bars.Key]:
        return self.can("answer", "answer")

    def session_keys(self) -> list[bars.Key]:
        """What can be done now with the session that is shown."""
        session = self._shown()
        if session is None or self.desk.subject.kind != "session" or session.lent:
            return []
        opens = self.can("open-own", "its own program", "own")
        if session.phase == "exited" and not session.stopped:
            again = self.can("prompt", "prompt it again", "prompt") if session.given_up else []
            return [*again, *self.can("stop", "no restart" if session.restart_at else "dismiss"), *opens]
        if session.phase not in LIVE:
            return [*(self.can("prompt", "prompt") if session.phase == "suspended" else []), *opens]
        return [*self.can("prompt", "prompt"), *self.can("interrupt", "interrupt"), *self.can("stop", "stop"), *opens]

    def _lacking(self, check: Callable[[Session], str]) -> str:
        session = self._shown()
        return check(session) if session else "no session is shown; choose one first"

    # -- prompting ---------------------------------------------------------------------------------------

    def why_not_prompt(self) -> str:
        return self._lacking(sessionwords.not_promptable)

    def action_prompt(self) -> None:
        session = self._shown()
        if not self.able("prompt") or session is None:
            return

        def look() -> tuple[int, int]:
            now = self.desk.app.client.journal.state.sessions[session.session]
            return now.turns if now.phase in ("working", "awaiting-input") else 0, len(now.prompts)

        sheet = AskPrompt(f"Prompt for {session.session} · {clean(session.label, limit=60)}", look)

        def send(text: str | None) -> None:
            if text:
                self._prompt(session.session, text, sheet.turn if sheet.at_once else 0)

        self.desk.app.push_screen(sheet, send)

    def _prompt(self, name: str, text: str, interrupts: int) -> None:
        """interrupts: the turn that is to end first, 0 for none; one that has ended meanwhile is left alone."""
        by, now = self.desk.app.desk.who(), self.desk.state.sessions[name]
        running = now.phase in ("working", "awaiting-input")
        if interrupts and running and now.turns == interrupts and not now.cancel:
            self.send(cmd.InterruptTurn(session=name, by=by), "")
            count = len(now.prompts)
            done = f"interrupting {name}; then it gets the prompt" + (f", behind {count} that waited" if count else "")
        else:
            done = f"queued behind turn {now.turns} of {name}" if running else f"sent to {name}"
        self.send(cmd.SendPrompt(session=name, text=text, by=by), done)

    # -- answering ---------------------------------------------------------------------------------------

    def offer_answer(self) -> None:
        """Enter on a question opens it."""
        session = self._shown()
        if self.desk.subject.kind == "session" and session and session.question and not session.lent:
            self.action_answer()

    def why_not_answer(self) -> str:
        return self._lacking(sessionwords.not_answerable)

    def action_answer(self) -> None:
        session = self._shown()
        if not self.able("answer") or session is None:
            return
        question = session.question
        assert question
        if question.via == "inbox":
            self._ask_with(session, question, {"text": question.title})  # its agent put all of it into the question
            return
        if entry := self.desk.question_entry(session.session, question.id):
            self._ask_with(session, question, entry)
            return
        self.desk.app.hands.read(
            lambda: self.desk.app.desk.transcript(session.session),
            lambda found: self._ask_with(session, question, _asked(found, question.id)),
        )

    def _ask_with(self, session: Session, question: Question, entry: object) -> None:
        if self.desk.app.screen is not self.desk:
            return  # another dialog has come up meanwhile

        def send(option: str | None) -> None:
            if option == WORDS:
                self._type_answer(session, question)
            elif option:
                self._answer_with(session, question, option.removeprefix(OPTION), "")

        options = [(OPTION + o.id, sessionwords.option_words(o.name or o.id, o.kind)) for o in question.options]
        options += [(WORDS, "an answer that I type")] * (question.via == "inbox")
        first = question.title.strip().partition("\n")[0]  # of a long one; the rest stands below
        shown_first = clean(first if question.via == "inbox" else question.title, limit=TITLE)
        title = f"{session.session} asks: {shown_first}"
        shown = entry if isinstance(entry, dict) else {}

        def still() -> bool:
            now = self.desk.app.client.journal.state.sessions[session.session]
            return bool(now.question and now.question.id == question.id and now.question.answer is None)

        self.desk.app.push_screen(AskQuestion(title, shown, options, self.when_alone, still), send)

    def _answer_with(self, session: Session, question: Question, option: str, text: str) -> None:
        by = self.desk.app.desk.who()
        command = cmd.AnswerQuestion(session=session.session, option=option, question=question.id, by=by, text=text)
        self.send(command, f"answered {session.session}")

    def _type_answer(self, session: Session, question: Question) -> None:
        """In words of one's own; the brain refuses it when the question has been answered meanwhile."""

        def typed(text: str | None) -> None:
            if text:
                self._answer_with(session, question, "", text)

        title = f"Answer {session.session}: {clean(question.title, limit=TITLE)}"
        self.desk.app.push_screen(AskText(title), typed)

    # -- ending ------------------------------------------------------------------------------------------

    def why_not_interrupt(self) -> str:
        return self._lacking(sessionwords.not_interruptible)

    def action_interrupt(self) -> None:
        if self.able("interrupt"):
            self.when_alone("interrupted", self.interrupt)

    def interrupt(self) -> None:
        session = self._shown()
        if self.able("interrupt") and session:
            command = cmd.InterruptTurn(session=session.session, by=self.desk.app.desk.who())
            self.send(command, f"interrupting {session.session}")

    def why_not_stop(self) -> str:
        return self._lacking(sessionwords.not_stoppable) if self.desk.subject.kind == "session" else NOT_CHOSEN

    def action_stop(self) -> None:
        if self.able("stop"):
            self.when_alone("stopped", self.stop)

    def stop(self) -> None:
        """Stop the session that is shown. Asks once more."""
        session = self._shown()
        if not self.able("stop") or session is None:
            return
        verb = "dismiss" if session.phase == "exited" else "stop"
        if self.second_press(
            f"stop:{session.session}", f"press {keys.key('stop')} again to {verb} session {session.session}"
        ):
            command = cmd.StopSession(session=session.session, by=self.desk.app.desk.who())
            self.send(
                command,
                f"{'stopping' if verb == 'stop' else 'dismissed'} {session.session}",
                needs_hands=verb == "stop",
            )


def _asked(entries: object, question: str) -> object:
    """The `ask` entry of this question, None when the transcript's end does not have it."""
    known = entries if isinstance(entries, list | tuple) else ()  # else it could not be read
    return next((e for e in reversed(known) if e.get("kind") == "ask" and e.get("question") == question), None)
