"""A desk on which everything ails that can: silent, hung, started again and given-up sessions, and what runs short."""

from __future__ import annotations

from deskplay import NOW, DeskPlay
from queuedesk import Queue

from console.core import events as ev
from console.core.records import WatchLimits

EVIDENCE = "S in do_poll, 3 connections, youngest child: node build.js"
SERVER = "4711 node server.js, port 8080, 42 s old"
STUCK = "could not be killed: 4812 (D nfs_wait: cp -r big)"


class Sickbay:
    """Each method makes a session in one state; its id."""

    def __init__(self, play: DeskPlay) -> None:
        self.play, self.queue = play, Queue(play)

    def run(self) -> None:
        self.queue.run(sessions=8, watchdog=WatchLimits())

    def suspect(self, label: str = "slugify", ago: float = 360.0, evidence: str = EVIDENCE) -> str:
        session = self.play.working(label)
        self.play.now = NOW - ago
        self.play.fold(ev.SessionSuspect(session=session, run=1, turn=1, quiet=0.0, evidence=evidence))
        return session

    def hung(self, label: str = "importer", cause: ev.RestartCause = "hang", why: str = "no sign of progress") -> str:
        session = self.play.working(label)
        self.play.fold(ev.SessionHung(session=session, run=1, turn=1, cause=cause, why=why, evidence=EVIDENCE))
        return session

    def exits(self, session: str, leftovers: tuple[str, ...] = (), **how: object) -> None:
        run = self.play.state.sessions[session].run
        given = {"how": "signaled", "signal": 9} | how
        self.play.fold(ev.Exited(session=session, run=run, leftovers=leftovers, **given))  # type: ignore[arg-type]

    def restarts(self, ticket: str = "T-07", wait: float = 12.0, why: str = "its process hung") -> str:
        """A ticket's session that was started again once and waits for the second time."""
        self.queue.ticket(ticket, "Retry webhooks")
        session, _ = self.queue.begun(ticket)
        for count, at in ((1, NOW - 300), (2, NOW - 8)):
            self.play.now = at
            run = self.play.state.sessions[session].run
            hung = ev.SessionHung(session=session, run=run, turn=1, cause="hang", why="silent", evidence=EVIDENCE)
            self.play.fold(hung)
            self.exits(session)
            run = self.play.state.sessions[session].run
            again = ev.SessionRestarting(
                session=session, run=run, turn=1, cause="hang", why=why, count=count, until=at + 8 + wait
            )
            self.play.fold(again)
            if count == 1:
                self.play.now += 20
                self.play.fold(
                    ev.SessionRestartDue(session=session, run=run),
                    ev.PromptQueued(session=session, turn=2, text="again", cause="restart"),
                )
                run = self.play.state.sessions[session].run
                self.play.fold(
                    ev.SessionStarted(session=session, run=run, pid=12, shim_pid=11),
                    ev.TurnStarted(session=session, turn=2, head="b" * 40),
                )
        return session

    def given_up(self, label: str = "crasher", why: str = "it was started again 6 times already") -> str:
        session = self.play.working(label)
        self.exits(session)
        self.play.fold(ev.SessionGivenUp(session=session, turn=1, cause="crash", why=why))
        return session

    def stuck(self, label: str = "copier", reason: str = STUCK) -> str:
        session = self.play.working(label)
        self.exits(session, how="unkillable", signal=None, reason=reason)
        return session

    def leaves(self, label: str = "server", *processes: str) -> str:
        """Its turn has ended and left these running."""
        session = self.play.working(label)
        self.play.ends_turn(session)
        self.play.fold(ev.TurnProcesses(session=session, turn=1, processes=processes or (SERVER,)))
        return session

    def short(self, kind: ev.Lack = "disk", why: str = "") -> None:
        text = why or "the disk of the log (/var/lib/nd) has 3 MB left, at least 64 MB is needed"
        self.play.fold(ev.SupervisorDegraded(kind=kind, why=text))

    def blow(self, *sessions: str, of: int = 8) -> None:
        why = "6 fell silent within 40 s of each other"
        self.play.fold(ev.FuseBlown(sessions=sessions, at_work=of, why=why))


def ward(play: DeskPlay, *, alarm: bool = True) -> dict[str, str]:
    """One of each; without the alarm nothing holds up everything."""
    bay = Sickbay(play)
    bay.run()
    made = {"busy": play.working("fix-cart"), "given-up": bay.given_up(), "stuck": bay.stuck(), "leaves": bay.leaves()}
    made["asking"] = play.working("ask-me")
    play.asks(made["asking"])
    made["suspect"] = bay.suspect()
    made["restarts"] = bay.restarts()
    made["hung"] = bay.hung()
    if alarm:
        silent = [made["suspect"], *(bay.suspect(f"fleet-{i}", 200.0) for i in range(5))]
        play.now = NOW - 180
        made["more"] = play.working("more")
        bay.blow(*silent)
        bay.short("memory", "120 MB of memory is free, one more session needs 300 MB: 255 MB is missing")
        bay.short()
    return made
