"""The verb that opens the session that is shown in its agent's own program: asks, takes the conversation, lends the
terminal, gives the conversation back, and says how that ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from console.core.records import Refused
from console.core.sessions import Session
from console.engine import borrowing
from console.engine.client import Client
from console.engine.desk import Opening
from console.present import sessionwords
from console.present.text import clean
from console.terminal import lending
from console.tui import keys
from console.tui.screens.session_sheets import ConfirmOpening, Resting
from console.tui.screens.verbs import Asking

T = TypeVar("T")


class OpeningVerbs(Asking):
    """Mixed into the desk."""

    _taking: bool = False

    def why_not_open_own(self) -> str:
        state = self.desk.state
        session = state.sessions.get(self.desk.subject.session(state))
        return sessionwords.not_openable(session, state) if session else "no session is shown; choose one first"

    def action_open_own(self) -> None:
        desk = self.desk
        session = desk.state.sessions.get(desk.subject.session(desk.state))
        if self.able("open-own") and session:
            self.when_alone("opened", lambda: self.open_own(session))

    def open_own(self, session: Session) -> None:
        """Look for the program, then ask with its command line."""
        desk, name = self.desk, session.session
        desk.app.hands.aside(lambda: desk.app.desk.opening(name), lambda found: self._confirm(session, found))

    def _confirm(self, session: Session, found: object) -> None:
        desk, name = self.desk, session.session
        if not isinstance(found, Opening):
            self.say(found.reason if isinstance(found, Refused) else f"{name} cannot be opened: {found}")
            return
        if desk.app.screen is not desk:
            return  # another dialog has come up meanwhile
        agent = clean(session.preset or session.launch.argv[0].rpartition("/")[2], limit=60)

        def chosen(answer: str | None) -> None:
            if answer and not self._taking:
                self._take(name, found)

        desk.app.push_screen(ConfirmOpening(name, found, agent), chosen)

    # -- taking the conversation -------------------------------------------------------------------------

    def _take(self, name: str, wanted: Opening) -> None:
        desk = self.desk
        self._taking, sheet = True, Resting(name, borrowing.PATIENCE)
        desk.app.push_screen(sheet)

        def wanted_still() -> bool:
            return desk.app.there and not sheet.given_up

        def take(client: Client) -> Opening | Refused:
            return borrowing.take(client, desk.app.desk, name, borrowing.PATIENCE, wanted_still)

        def dropped(got: object) -> None:
            if isinstance(got, Opening):
                self._with_client(lambda client: self._not_opened(client, name, "the screen was left"))

        desk.app.hands.offer(
            lambda: self._with_client(take), lambda got: self._taken(name, wanted, sheet, got), dropped
        )

    def _not_opened(self, client: Client, name: str, why: str) -> None:
        borrowing.give_back(client, self.desk.app.desk, name, borrowing.NOT_OPENED, why)

    def _with_client(self, act: Callable[[Client], T]) -> T:
        """A connection for the thread that this runs in."""
        client = self.desk.app.desk.new_client()
        try:
            return act(client)
        finally:
            client.close()

    def _taken(self, name: str, wanted: Opening, sheet: Resting, got: object) -> None:
        self._taking = False
        if sheet.is_attached:
            sheet.dismiss(None)
        if not isinstance(got, Opening):
            self.say(got.reason if isinstance(got, Refused) else f"{name} was not opened: {got}", 10)
        elif sheet.given_up or (got.argv, got.cwd) != (wanted.argv, wanted.cwd):
            why = "you left it" if sheet.given_up else "its command line is another one by now; look at it again"
            self.say(f"{name} was not opened: {why}")
            self._give_back(name)
        else:
            self._lend(name, got)

    # -- the loan ----------------------------------------------------------------------------------------

    def _lend(self, name: str, opening: Opening) -> None:
        app, loan = self.desk.app, lending.of_agent(opening, name, clear=True)

        def returned(said: int | str) -> None:
            code = said if isinstance(said, int) else None
            note = said if isinstance(said, str) else loan.ending(said)
            self._with_client(lambda client: borrowing.give_back(client, app.desk, name, code, note))

        def over(said: int | str) -> None:
            why = said if isinstance(said, str) else loan.outcome(said)
            now = sessionwords.returned(app.client.state.sessions[name])
            if why or app.client.state.sessions[name].stopped:
                self.say(f"{now}: {why}" if why else now, 10)
            else:
                app.notify(now if ";" in now else f"{now}; {keys.key('prompt')} sends it a prompt", timeout=6)

        app.lend(loan, over, returned)

    def _give_back(self, name: str) -> None:
        desk = self.desk
        desk.app.hands.aside(
            lambda: self._with_client(lambda client: self._not_opened(client, name, "it was not opened")),
            lambda failed: self.say(f"{name} is still lent: {failed}") if isinstance(failed, Exception) else None,
        )
