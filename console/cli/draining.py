"""One run from its start to its end, seen from a terminal: begins or goes on with it, supervises when nobody does, says
what happens, and hands signals on. Decides nothing about tickets."""

from __future__ import annotations

import signal
import time
from typing import Any

from console import supervision, wiring
from console.adapters.lock import is_taken
from console.cli import common, headless
from console.core import commands as cmd
from console.core import events as ev
from console.core.drain import Run
from console.core.policies import IN_A_SLOT
from console.core.records import Refused
from console.core.state import State, open_run
from console.engine.client import first
from console.engine.hosting import Hosted
from console.present import logline, runwords
from console.verbs import queueing

LOOK = 0.1
"""Seconds between looks at the log and at signals."""
CODES: dict[ev.RunStatus | None, int] = {"HALTED": 70, "LOW_YIELD": 71, "STOPPED": 130}
TOLD = (
    ev.TicketClaimed
    | ev.TicketWaiting
    | ev.TicketWoken
    | ev.TicketAttemptFailed
    | ev.TicketEnded
    | ev.DecisionParked
    | ev.QueueProblems
    | ev.RepositoryChanged
    | ev.SupervisorTrouble
    | ev.RunStarted
    | ev.RunPaused
    | ev.RunResumed
    | ev.RunStopRequested
    | ev.RunHalting
    | ev.RunEnded
)
"""What is worth a line of a night."""
CALM = 10.0
"""Seconds that nothing must be wrong in the tickets folder before that is said."""


def _at_work(state: State) -> list[str]:
    """Sessions in the middle of a turn, and policies that judge or land; nothing, when that cannot go on anyway."""
    if state.lacking:
        return []
    sessions = [s.session for s in state.sessions.values() if s.phase == "working" and not s.external]
    return sessions + [p.policy for p in state.policies.values() if p.status in IN_A_SLOT]


class Problems:
    """What is wrong in the tickets folder, as a night tells it: each state once, the end of it only when it lasts."""

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self._told = known
        self._well: ev.Logged | None = None

    def news(self, entry: ev.Logged) -> bool:
        """Whether this entry is worth its line now."""
        fact = entry.fact
        if not isinstance(fact, ev.QueueProblems):
            return True
        self._well = None if fact.problems else entry
        fresh = bool(fact.problems) and fact.problems != self._told
        self._told = fact.problems or self._told
        return fresh

    def over(self, now: float) -> ev.Logged | None:
        """The entry that said so, once nothing has been wrong for CALM seconds."""
        well = self._well
        if well is None or not self._told or now - well.at < CALM:
            return None
        self._told, self._well = (), None
        return well


class Ends:
    """Ends of tickets, each told once: an outcome that is told again says only more about work that had ended."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[str, str]] = {}

    def news(self, fact: ev.Fact) -> bool:
        if isinstance(fact, ev.TicketClaimed):
            self._told.pop(fact.ticket, None)
        if not isinstance(fact, ev.TicketEnded):
            return True
        end = (fact.outcome, fact.why)
        known, self._told[fact.ticket] = self._told.get(fact.ticket), end
        return known != end


class Drain:
    """`begin`, then `follow`. left: the run to go on with when it is still open. exit_code: valid after
    `follow`."""

    def __init__(self, here: wiring.Here, start: cmd.StartRun, left: str = "") -> None:
        self._here, self._start, self._left = here, start, left
        self._voice = headless.Voice(here.places.state / "run.log")
        self._hosting: headless.Hosting | None = None
        self._run = ""
        self._cursor = 0
        self._signals: list[int] = []
        self._handled = 0
        self._problems = Problems()
        self._ends = Ends()
        self._ended = "the run has ended"
        self.exit_code = 0

    def begin(self, *, here: bool = True) -> str | Refused:
        """The run's id. The lock first, then the run: of two that begin at once the log lets one win. here: False for a
        run that somebody else is to supervise, who is started when there is nobody."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda seen, _frame: self._signals.append(seen))
        lock = headless.take(self._here) if here else None
        hosting = headless.Hosting(self._here, lock) if lock else None
        self._client = common.client(self._here)
        self._log = supervision.log_watch(self._here)
        begun = self._started(lock is not None, summon=not here)
        if isinstance(begun, Refused):
            if lock:
                lock.release()
            return begun
        self._run = begun
        if hosting:
            self._host(hosting)
        return begun

    def _started(self, ours: bool, summon: bool) -> str | Refused:
        """The run that a supervisor left when it died, or a new one."""
        queueing.sync(self._here, self._client)
        state = self._client.state
        self._cursor, self._problems = state.seq, Problems(state.problems)
        left = open_run(state)
        # One that has appeared since the preflight was begun by somebody else at this very moment: they win.
        if left and ours and left.run == self._left:
            changed = left.settings.digest != self._start.settings.digest
            told = "; the settings have changed since then, so that it will be halted" if changed else ""
            self._say(f"going on with {left.run}, which was left open{told}")
            return left.run
        result = self._client.send(self._start, needs_hands=summon)
        if isinstance(result, Refused):
            return result
        fact = first(result, ev.RunStarted)
        assert isinstance(fact, ev.RunStarted)
        return fact.run

    def _host(self, hosting: headless.Hosting) -> None:
        self._hosting = hosting
        hosting.hosted.start()

    @property
    def run(self) -> Run:
        return self._client.state.runs[self._run]

    # -- following ---------------------------------------------------------------------------------------

    def follow(self) -> Run | Refused:
        """Until the run has ended, or nobody goes on with it here; the run as it then is. Refused: the log is gone or
        cannot be read, so that what becomes of the run is not known here."""
        try:
            while self._tell().open and self._obey() and self._supervised():
                time.sleep(LOOK)
            self._see_out()
            run = self._tell(thoroughly=True)
        except supervision.log_error() as error:
            self._ended = str(error)
            return Refused(reason=f"{error}\n{self._run} was not followed to its end")
        finally:
            self._end(self._ended)
        if not run.open:
            self.exit_code = CODES.get(run.status, 0)
        self._client.close()
        return run

    def _see_out(self) -> None:
        """Turns and judgements beside the run have nobody but us: they come to their end first. A signal ends them."""
        told = ""
        while self._hosting and self._hosting.hosted.alive and not self._tell().open:
            if not (left := _at_work(self._client.state)):
                return
            if told != (told := ", ".join(left)):
                self._say(f"the run has ended; {told} is still at work, this waits for it (Ctrl-C does not)")
            while self._handled < len(self._signals):
                number, self._handled = self._signals[self._handled], self._handled + 1
                if number != signal.SIGHUP:
                    return
                self._voice.leave_terminal()
            time.sleep(LOOK)

    def _tell(self, *, thoroughly: bool = False) -> Run:
        """Say what is new; the run as it is now. Raises a log error also when the log is not where others look for it
        (thoroughly: as of this very moment, not of a second ago)."""
        if gone := self._log.gone(now=thoroughly):
            raise supervision.log_error()(gone.reason)
        run = self.run
        if self._client.journal.state.seq > self._cursor:
            for entry in self._client.journal.since(self._cursor):
                self._cursor = entry.seq
                if isinstance(entry.fact, TOLD) and self._problems.news(entry) and self._ends.news(entry.fact):
                    self._say_entry(entry)
        if well := self._problems.over(time.time() if run.open else float("inf")):
            self._say_entry(well)
        return run

    def _say_entry(self, entry: ev.Logged) -> None:
        (at, _), (about, _), (said, _) = logline.row(entry)
        self._say(f"{at}  {about:24}  {said}")

    def _obey(self) -> bool:
        """Act on signals; False when it is time to leave."""
        while self._handled < len(self._signals):
            number = self._signals[self._handled]
            self._handled += 1
            if number == signal.SIGHUP:
                self._voice.leave_terminal()
            elif self.run.state in ("active", "paused"):
                self._client.send(cmd.StopRun(by=self._start.by), needs_hands=False)
                self._say("no further ticket is taken; once more ends everything at once")
            else:
                return self._at_once()
        return True

    def _at_once(self) -> bool:
        """The second Ctrl-C, or the first one when the run stops already."""
        self.exit_code = 130
        self._ended = "stopped at once by a person"  # what a person ended no standby goes on with
        if self._hosting:
            self._say(f"ending the sessions; {self._run} stays open, `nightdesk run` goes on with it")
            self._hosting.stop(self._ended)
        else:
            self._client.send(cmd.StopRun(by=self._start.by, now=True), needs_hands=False)
            self._say(f"{self._run} was told to stop at once; its supervisor sees to it")
        return False

    def _say(self, line: str) -> None:
        self._voice.say(line)

    def _supervised(self) -> bool:
        """Somebody supervises the run, we when nobody else does. False when our own supervisor has ended."""
        if self._hosting:
            return self._hosting.hosted.alive or self._lost(self._hosting.hosted)
        if not is_taken(self._here.places.lock) and (lock := headless.take(self._here)):
            self._say(f"the supervisor of {self._run} is gone; this command goes on with it")
            self._host(headless.Hosting(self._here, lock))
        return True

    def _lost(self, hosted: Hosted) -> bool:
        if not self._tell(thoroughly=True).open:
            return True
        self.exit_code = 70 if hosted.failed else 130
        why = f"failed: {hosted.failed!r}" if hosted.failed else "was stopped"
        self._say(f"the supervisor {why}; {self._run} stays open, `nightdesk run` goes on with it")
        return False

    def _end(self, why: str) -> None:
        if self._hosting:
            self._hosting.stop(why)
            self._hosting.hosted.join()


# -- the end in words ------------------------------------------------------------------------------------


def summary(run: Run) -> str:
    """Its status and its numbers; reviews and repairs have their own."""
    counts = ", ".join(f"{number} {name}" for name, number in runwords.tally(run).items()) or "no ticket ended"
    if beside := runwords.beside(run):
        counts += f"; {beside}"
    cost = f"; {run.cost_usd:.2f} $" if run.cost_usd else ""
    if run.open:
        return f"{run.run} is open ({run.state}): {counts}{cost}"
    return f"{run.run} {run.status}: {run.reason}; {counts}{cost}"


def report_place(here: wiring.Here, run: Run) -> str:
    """Where the report of the morning is."""
    file = here.places.state / "reports" / f"{run.run}.md"
    return f"report: {file}" if file.is_file() else f"report: `nightdesk report --run {run.run}`"


def run_data(run: Run) -> dict[str, Any]:
    return {
        "run": run.run,
        "status": run.status or run.state.upper(),
        "why": run.reason,
        "outcomes": runwords.outcomes(run),
        "tally": runwords.tally(run),
        "chained": runwords.chained(run),
        "cost_usd": run.cost_usd,
        "attempts": run.attempts,
    }
