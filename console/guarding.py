"""What a standby sees of who holds the lock, and what it may do about one that is silent (DESIGN ruling 23). A part of
the wiring: it opens the log, looks at the lock and the beat, and signals nobody but the pinned holder of our own lock.

Silence is the beat's counter standing still, in time that this process really had. A holder that is silent is woken
(CONT) and rung at; one that neither beats nor takes the ring is killed. Whoever cannot be traced is left alone.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from console.adapters import beat, doorbell, holder
from console.adapters.boot import boot_id
from console.adapters.lock import is_taken
from console.core import events as ev
from console.core.due import due
from console.core.records import Refused
from console.core.sessions import LIVE
from console.core.state import State, open_run
from console.engine.journal import Journal
from console.engine.pulse import BEAT, TICK
from console.wiring import Here

PATIENCE = 3 * (BEAT + TICK)
"""Three missed beats, in seconds."""
ANSWER = 3.0
"""Seconds that a holder has to beat again, once it was woken."""
DYING = 5.0
"""Seconds after which a killed process that still holds the lock is worth a word."""
NOT_SOON = 60.0
"""Seconds until a holder that runs without a beat is asked again."""
HANDED_OVER = "the standby was told to leave"
NOTHING_LEFT = "nothing is left to do; standing by again"
UNWANTED = frozenset({"", HANDED_OVER, NOTHING_LEFT, "nothing left to do", "the run has ended"})
"""Why a supervisor ended without anybody having wanted open work to end: a fault of its own (""), or an end for want of
work, in whose last moment somebody brought some."""

Kind = Literal["free", "held", "starting", "asked", "back", "unseen", "untraceable", "killed", "stuck"]


@dataclass(frozen=True, slots=True)
class Step:
    """How it stands with the holder. free: nobody has the lock. held: it beats, or is not silent for long. starting:
    the holder has not begun to beat. asked: silent, woken, and given time. back: it was asked, and beats again.
    unseen: its loop runs although its beat stands still. untraceable: silent, and not to be named for sure. killed, and
    stuck: killed, but not dead. why: for people."""

    kind: Kind
    pid: int = 0
    why: str = ""


FREE = Step("free")


class Guard:
    """`look` some times a second. own: seconds without those in which we did not run ourselves."""

    def __init__(
        self, here: Here, own: Callable[[], float], patience: float = PATIENCE, answer: float = ANSWER
    ) -> None:
        self._here = here
        self._lock, self._beat, self._bell = here.places.lock, here.places.beat, here.places.doorbell
        self._own, self._patience, self._answer = own, patience, answer
        self._seen: beat.Beat | None = None
        self._since = own()
        self._pinned: holder.Pinned | None = None
        self._asked = self._killed = 0.0
        self._step = FREE

    def again(self) -> Guard:
        """The same, with nothing seen yet."""
        return Guard(self._here, self._own, self._patience, self._answer)

    def look(self) -> Step:
        now = self._own()
        self._step = self._look(now)
        return self._step

    def _look(self, now: float) -> Step:
        if not is_taken(self._lock):
            self._anew(now)
            self._seen = None
            return FREE
        seen = beat.read(self._beat)
        if self._step is FREE or _moved(self._seen, seen):
            asked = self._pinned is not None
            self._seen = seen or self._seen
            self._anew(now)
            pid = self._holder_pid()
            return Step("back", pid, "gives signs of life again and is left alone") if asked else Step("held", pid)
        if self._killed:
            return self._dying(now)
        if self._pinned and now - self._asked >= self._answer:
            return self._no_answer(self._pinned, now)
        if self._pinned:
            if holder.unheard(self._bell) == 0:
                doorbell.ring(self._bell)  # it may have run for a moment only: the last ring counts
            return self._step
        return self._step if now - self._since < self._patience else self._ask(now)

    def _anew(self, now: float) -> None:
        self._since, self._asked, self._killed = now, 0.0, 0.0
        if self._pinned:
            self._pinned.close()
            self._pinned = None

    def _holder_pid(self) -> int:
        found = holder.find(self._lock)
        return 0 if isinstance(found, Refused) else found.pid

    # -- a silent one ------------------------------------------------------------------------------------

    def _ask(self, now: float) -> Step:
        """The lock and the beat must name the same process of this boot; else it is not the beat that we waited for."""
        found = holder.find(self._lock)
        if isinstance(found, Refused):
            return Step("untraceable", 0, found.reason)
        last = self._seen
        if last is None or last.process != (found.pid, found.start, boot_id()):
            return Step("starting", found.pid, "holds the lock, no sign of life yet; nothing is done about that")
        pinned = holder.pin(self._lock, found)
        if isinstance(pinned, Refused):
            return Step("untraceable", found.pid, pinned.reason)
        self._pinned, self._asked = pinned, now
        doorbell.ring(self._bell)
        pinned.send(signal.SIGCONT)
        how = {"T": "is stopped", "D": "waits in the kernel"}.get(found.state, "is alive but hangs")
        silent = f"no sign of it for {now - self._since:.1f} s"
        why = f"{how}, {silent}; it was told to continue and has {self._answer:g} s to do so, else it is ended"
        return Step("asked", found.pid, why)

    def _no_answer(self, pinned: holder.Pinned, now: float) -> Step:
        found, pid = holder.find(self._lock), pinned.holder.pid
        if isinstance(found, Refused) or (found.pid, found.start) != (pid, pinned.holder.start):
            self._anew(now)
            return Step("held", 0 if isinstance(found, Refused) else found.pid)
        if holder.unheard(self._bell) == 0:
            self._anew(now + NOT_SOON)
            return Step("unseen", pid, f"works, though its sign of life in {self._beat} stands still; left alone")
        pinned.send(signal.SIGKILL)
        self._killed = now
        return Step("killed", pid, f"did not continue within {self._answer:g} s and was ended (SIGKILL)")

    def _dying(self, now: float) -> Step:
        if now - self._killed < DYING or self._pinned is None:
            return self._step
        found, was = holder.find(self._lock), self._pinned.holder
        if isinstance(found, Refused) or (found.pid, found.start) != (was.pid, was.start):
            self._anew(now)  # another standby was faster
            return Step("held", 0 if isinstance(found, Refused) else found.pid)
        return Step("stuck", was.pid, f"was killed and has not died (state {found.state}); waiting for its lock")


def _moved(before: beat.Beat | None, now: beat.Beat | None) -> bool:
    """A file that cannot be read just now tells nothing."""
    return now is not None and (before is None or (before.process, before.count) != (now.process, now.count))


# -- what there would be to take over --------------------------------------------------------------------


class Owed:
    """Whether work was left without anybody having wanted that. Follows the log for its last `supervisor:stopped`."""

    BACK = 5000

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._stop: ev.Logged | None = None
        self._cursor = max(0, journal.state.seq - self.BACK)

    @property
    def state(self) -> State:
        self._journal.refresh()
        state = self._journal.state
        if state.seq > self._cursor:
            for entry in self._journal.since(self._cursor):
                self._cursor = entry.seq
                if isinstance(entry.fact, ev.SupervisorStopped):
                    self._stop = entry
        return state

    def work(self) -> str:
        """What is open, in words; "" when nothing is."""
        state = self.state
        live = [s for s in state.sessions.values() if s.phase in LIVE and not s.external]
        if run := open_run(state):
            return run.run
        if live:
            return f"{len(live)} session{'s' if len(live) > 1 else ''}"
        return "an effect that is owed" if any(due(state)) else ""

    def left(self) -> bool:
        """Whether the last supervisor ended without having been told to, or the run began after it."""
        last = self.state.supervisor
        if last is None or last.running:
            return True
        if self._stop is None:
            return False
        assert isinstance(self._stop.fact, ev.SupervisorStopped)
        run = open_run(self.state)
        return self._stop.fact.reason in UNWANTED or bool(run and run.started_at > self._stop.at)


def unsafe(here: Here) -> str:
    """Why a lock in the state folder may hold on this machine only, "" when it is on a disk of this machine."""
    from console.adapters.preflight import looking, machine

    kind = looking.file_system(here.places.state, looking.text_of("/proc/self/mounts"))
    if kind not in machine.REMOTE:
        return ""
    return (
        f"{here.places.state} lies on {kind}: whether somebody on another machine holds the lock cannot be told; "
        "point XDG_STATE_HOME to a folder on a disk of this machine"
    )
