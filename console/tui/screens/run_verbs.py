"""The verbs of a run: preflight and start, pause and resume, stop. The desk's callables start it, never the screen."""

from __future__ import annotations

from collections.abc import Sequence

from console.core import commands as cmd
from console.core.drain import Run
from console.core.records import Check
from console.core.sessions import LIVE
from console.core.state import open_run
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.preflight import Preflight
from console.tui.screens.sheets import Choose
from console.tui.screens.verbs import Asking


class RunVerbs(Asking):
    """Mixed into the desk."""

    def run(self) -> Run | None:
        return open_run(self.desk.state)

    def run_keys(self) -> list[bars.Key]:
        run = self.run()
        if run is None:
            return self.can("start-run", "start run", "start") if self.desk.state.tickets else []
        word = "resume" if run.state == "paused" else "pause"
        return self.can("pause", f"{word} run", word)

    # -- start -------------------------------------------------------------------------------------------

    def why_not_start_run(self) -> str:
        run = self.run()
        hint = f"{keys.key('pause')} pauses it, {keys.key('stop-all')} stops it"
        return f"{run.run} is under way: {hint}" if run else ""

    def action_start_run(self) -> None:
        """The preflight, off the loop, in a sheet; a run only from there and only on GO."""
        desk = self.desk
        if not self.able("start-run"):
            return
        sheet = Preflight(when_alone=self.when_alone)

        def answered(answer: str | None) -> None:
            if answer:
                self._start(sheet.checks, answer == "attended")

        desk.app.push_screen(sheet, answered)
        desk.app.hands.aside(desk.app.desk.preflight, sheet.found)

    def _start(self, checks: Sequence[Check], attended: bool) -> None:
        desk = self.desk
        if run := self.run():
            self.say(f"{run.run} has been started meanwhile; nothing was done")
            return
        desk.notify("starting the run", timeout=3)
        desk.app.hands.aside(lambda: desk.app.desk.start_run(checks, attended), self._started)

    def _started(self, refused: object) -> None:
        if refused:
            self.say(f"the run was not started: {refused}", seconds=12)

    # -- pause, stop -------------------------------------------------------------------------------------

    def why_not_pause(self) -> str:
        run = self.run()
        if run is None:
            return f"no run is under way; {keys.key('start-run')} starts one"
        return "" if run.state in ("active", "paused") else f"{run.run} is {run.state}; it cannot be paused any more"

    def action_pause(self) -> None:
        run, by = self.run(), self.desk.app.desk.who()
        if not self.able("pause") or run is None:
            return
        if run.state == "active":
            self.when_alone("paused", lambda: self.send(cmd.PauseRun(by=by), "paused: what is under way goes on"))
        else:
            self.when_alone("resumed", lambda: self.send(cmd.ResumeRun(by=by), "the run goes on"))

    def action_stop_all(self) -> None:
        desk = self.desk
        run = self.run()
        live = [s for s in desk.state.sessions.values() if s.phase in LIVE]
        options = [("stop", "stop everything" if run is None else "everything: the run, all sessions, the supervisor")]
        if run:
            now = ("now", "the run, now: what is under way is stopped and goes back to the queue")
            after = ("after", "the run, after what is under way: nothing new is begun")
            options = [*([after] if run.state in ("active", "paused") else []), now, *options]
        desk.app.push_screen(Choose(_stop_title(run, len(live)), options), self._stop)

    def _stop(self, answer: str | None) -> None:
        desk, by = self.desk, self.desk.app.desk.who()
        if answer == "after":
            self.send(cmd.StopRun(by=by), "the run stops after what is under way")
        elif answer == "now":
            self.send(cmd.StopRun(by=by, now=True), "the run is being stopped")
        elif answer == "stop":
            if self.run():
                self.send(cmd.StopRun(by=by, now=True), "")
            for session in [s for s in desk.state.sessions.values() if s.phase in LIVE]:
                self.send(cmd.StopSession(session=session.session, by=by), "")
            self.send(cmd.StopSupervisor(by=by), "", needs_hands=False)
            desk.app.stop_when_quiet()


def _stop_title(run: Run | None, live: int) -> str:
    if run is None:
        return f"Stop {live} running session(s) and the supervisor?"
    return f"{run.run} is {run.state}, {live} session(s) run. Stop what?"
