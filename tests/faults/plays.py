"""Plays one moment: the demo runs, an operator approves, the supervisor is killed, the next one goes on."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from afterwards import BRANCHES, check, open_intents
from harness import Play
from moments import Moment

GONE = 2.0
"""Seconds after a kill until nothing may be left."""

FINISH = 90.0
HOLD, LONG_HOLD = 0.6, 1.5
"""Seconds that an armed command dawdles."""


@dataclass(slots=True)
class Figures:
    """What one moment showed. open: intents without an outcome at each kill. gone: seconds until nothing was left."""

    name: str
    seed: int
    open: list[tuple[str, ...]] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def line(self) -> str:
        intents = " | ".join(",".join(names) or "-" for names in self.open)
        gone = " ".join(f"{spent:.2f}" for spent in self.gone)
        text = f"{self.name:46} seed {self.seed:<6} gone {gone} s  took {self.seconds:.1f} s  open: {intents}"
        return "; ".join([text, *self.notes])


class Operator:
    """Approves every plan by its id as soon as it waits; takes the first landed one back when the moment says so."""

    def __init__(self, play: Play, *, undo: bool = False) -> None:
        self.play, self.undo = play, undo
        self.asked: list[tuple[str, subprocess.Popen[str]]] = []
        self.undone: subprocess.Popen[str] | None = None
        self._read = 0

    def look(self) -> bool:
        """Read on in the log and do what it asks for. Always true."""
        self.play.tail.more()
        for event in self.play.tail.seen[self._read :]:
            match event["type"]:
                case "policy:commit-ready" | "plan:restored":
                    self.asked.append((event["plan"], self.play.ack(event["policy"], event["plan"])))
                case "policy:committed" if self.undo and self.undone is None:
                    self.undone = self.play.start("plan", "undo", event["plan"], "--timeout", "60")
        self._read = len(self.play.tail.seen)
        return True

    def done(self) -> bool:
        self.look()
        tail = self.play.tail
        done = {event["policy"] for event in tail.of("policy:done")}
        landed = len(tail.of("policy:committed")) - len(tail.of("plan:restored"))
        idle = not self.undo or (self.undone is not None and self.undone.poll() is not None)
        return len(done) == len(BRANCHES) == landed and idle

    def settle(self) -> None:
        """Every approval that was given has come to its end with exit 0, whatever happened meanwhile."""
        for plan, process in self.asked:
            code, words = self.play.settle(process)
            assert code == 0, f"ack of {plan} exited {code}: {words}"
        if self.undone:
            code, words = self.play.settle(self.undone)
            assert code == 0, f"undo exited {code}: {words}"


def play_moment(moment: Moment, seed: int, folder: Path) -> Figures:
    """Play the demo in `folder`, kill at the moment, start again, and check everything. Raises AssertionError."""
    began = time.monotonic()
    chance = random.Random(seed)
    figures = Figures(moment.name, seed)
    with Play(folder) as play:
        operator = Operator(play, undo=moment.undo)
        play.supervise()
        _await(play, operator, moment, chance)
        _kill(play, figures, moment)
        for event in moment.again:
            nth = len(play.tail.of(event)) + 1
            _await(play, operator, Moment(moment.name, event, nth, moment.delay / 2), chance)
            _kill(play, figures, moment)
        wait(play, operator.done, FINISH, "both plans landed")
        operator.settle()
        starts = 1 + len(figures.gone)
        wait(play, lambda: operator.look() and len(play.tail.of("supervisor:started")) >= starts, 20, "the last start")
        play.close_down()
        play.tail.more()
        figures.notes += check(play)
    figures.seconds = time.monotonic() - began
    return figures


def wait(play: Play, look: Callable[[], bool], seconds: float, what: str) -> None:
    """Until `look`, noting every now and then who is running."""
    deadline, noted = time.monotonic() + seconds, 0.0
    while not look():
        now = time.monotonic()
        assert now < deadline, f"not within {seconds:g} s: {what}; the log ends with\n{_end_of_log(play)}"
        if now > noted + 0.1:
            play.note()
            noted = now
        time.sleep(0.005)


def _end_of_log(play: Play) -> str:
    return "\n".join(str(event)[:300] for event in play.tail.seen[-12:])


def _await(play: Play, operator: Operator, moment: Moment, chance: random.Random) -> None:
    """Return when it is time to kill."""

    def come() -> bool:
        return operator.look() and bool(play.holder()) and len(play.tail.of(moment.event)) >= moment.nth

    wait(play, come, FINISH, f"{moment.nth} x {moment.event}")
    if moment.arm:
        play.arm(*moment.arm, LONG_HOLD if moment.at_once or moment.overtaken else HOLD)
        wait(play, lambda: operator.look() and play.reached(), FINISH, f"reaching {moment.arm}")
        return
    until = time.monotonic() + chance.uniform(0, moment.delay)
    wait(play, lambda: operator.look() and time.monotonic() >= until, moment.delay + 10, "the delay")


def _kill(play: Play, figures: Figures, moment: Moment) -> None:
    """Kill the supervisor, see everything gone, start the next one (or first start the next one)."""
    at = play.kill(play.holder())
    play.tail.more()
    figures.open.append(open_intents(play.tail.seen))
    if moment.overtaken and moment.arm:
        play.arm(*moment.arm, LONG_HOLD)
    following = [play.supervise().pid] if moment.at_once or moment.overtaken else []
    figures.gone.append(play.gone(at, GONE, lambda: [*following, *play.summoned()]))
    if play.summoned():
        figures.notes.append("a waiting command had started the next one")
    elif not following:
        play.supervise()
