"""The verbs of sessions: prompt, answer, interrupt, stop; each for the session that is shown."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.sessions import LIVE, Session
from console.present.text import clean
from console.tui.screens import bars
from console.tui.screens.sheets import AskText, Choose
from console.tui.screens.verbs import Asking

TITLE = 600
"""Characters of a question that a dialog shows; the Session tab has all of it."""


class SessionVerbs(Asking):
    """Mixed into the desk."""

    def question_keys(self) -> list[bars.Key]:
        session = self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))
        return [("y", "answer", "answer")] if session and session.question else []

    def session_keys(self) -> list[bars.Key]:
        """What can be done now with the session that is shown."""
        desk = self.desk
        session = desk.state.sessions.get(desk.subject.session(desk.state))
        if session is None or desk.subject.kind != "session":
            return []
        if session.phase == "exited" and not session.stopped:
            again = [("n", "prompt it again", "prompt")] if session.given_up and session.resumable else []
            return [*again, ("x", "no restart", "no restart") if session.restart_at else ("x", "dismiss", "dismiss")]
        if session.phase not in LIVE:
            return []
        return [("n", "prompt", "prompt"), ("x", "stop", "stop")]

    def _session(self) -> Session | None:
        session = self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))
        if session is None:
            self.say("no session is shown; choose one first")
        return session

    def action_prompt(self) -> None:
        session = self._session()
        if session is None:
            return
        if not session.resumable:
            self.say(f"session {session.session} is over and takes no prompt; start a new one")
            return

        def send(text: str | None) -> None:
            if text:
                command = cmd.SendPrompt(session=session.session, text=text, by=self.desk.app.desk.who())
                self.send(command, f"queued for {session.session}")

        self.desk.app.push_screen(AskText(f"Prompt for {session.session} · {clean(session.label, limit=60)}"), send)

    def offer_answer(self) -> None:
        """Enter on a question opens it."""
        session = self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))
        if self.desk.subject.kind == "session" and session and session.question:
            self.action_answer()

    def action_answer(self) -> None:
        session = self._session()
        if session is None:
            return
        question = session.question
        if question is None:
            self.say(f"session {session.session} asks nothing")
            return
        options = [(o.id, f"{clean(o.name)} ({clean(o.kind or o.id)})") for o in question.options]

        def send(option: str | None) -> None:
            if option:
                command = cmd.AnswerQuestion(
                    session=session.session, option=option, question=question.id, by=self.desk.app.desk.who()
                )
                self.send(command, f"answered {session.session}")

        title = f"{session.session} asks: {clean(question.title, limit=TITLE)}"
        self.desk.app.push_screen(Choose(title, options), send)

    def action_interrupt(self) -> None:
        session = self._session()
        if session:
            self.when_alone("interrupted", self.interrupt)

    def interrupt(self) -> None:
        session = self._session()
        if session and session.phase not in ("working", "awaiting-input"):
            self.say(f"session {session.session} runs no turn")
        elif session:
            command = cmd.InterruptTurn(session=session.session, by=self.desk.app.desk.who())
            self.send(command, f"interrupting {session.session}")

    def action_stop(self) -> None:
        if self._stoppable():
            self.when_alone("stopped", self.stop)

    def _stoppable(self) -> Session | None:
        if self.desk.subject.kind != "session":
            self.say("choose a session first")
            return None
        session = self._session()
        if session and session.phase == "exited" and session.stopped:
            self.say(f"session {session.session} has exited already")
            return None
        return session

    def stop(self) -> None:
        """Stop the session that is shown. Asks once more."""
        session = self._stoppable()
        if not session:
            return
        verb = "dismiss" if session.phase == "exited" else "stop"
        if self.second_press(f"stop:{session.session}", f"press x again to {verb} session {session.session}"):
            command = cmd.StopSession(session=session.session, by=self.desk.app.desk.who())
            self.send(
                command,
                f"{'stopping' if verb == 'stop' else 'dismissed'} {session.session}",
                needs_hands=verb == "stop",
            )
