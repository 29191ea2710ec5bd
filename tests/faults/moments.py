"""When the supervisor is killed, the operator who goes on regardless, and what must be true afterwards."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import Play

GONE = 2.0
"""Seconds after a kill until nothing may be left."""

HOLD, LONG_HOLD = 0.6, 1.5
"""Seconds that an armed command dawdles."""

BRANCHES = {"fix-slugify": "shop/slugify.py", "fix-retry": "shop/retry.py"}
FINISH = 90.0
INTENTS = {
    "session:added": ("session:started", "exited"),
    "session:prompted": ("turn-start", "exited"),
    "turn-start": ("turn-end", "exited"),
    "policy:gating": ("policy:judged",),
    "plan:approved": ("plan:landing", "plan:void", "plan:rebased"),
    "plan:landing": ("policy:committed", "plan:landing-refused", "plan:void", "plan:rebased"),
    "plan:undo-requested": ("plan:restored", "plan:undo-refused"),
}
"""Intent: what closes it, for the same session, policy or plan."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill. event: after the `nth` of this type, at a random time within `delay` seconds; with `arm`, the event
    arms a dawdling command (when, pattern) and the kill comes while it dawdles. undo: the first plan that landed is
    taken back. again: kill the next supervisors, too, each at this event. at_once: the next one starts before all of
    the last one is gone; what dawdles then dawdles long enough to get in its way."""

    name: str
    event: str = "supervisor:started"
    nth: int = 1
    delay: float = 0.0
    arm: tuple[str, str] | None = None
    undo: bool = False
    again: tuple[str, ...] = ()
    at_once: bool = False


SWAP, BACK = "update-ref*nightdesk: approved", "update-ref*undone"


def _moments() -> list[Moment]:
    """Forty. The first six are those that every run of the tests plays."""
    swap_before = Moment("before the ref moves", "policy:commit-ready", arm=("before", SWAP))
    return [
        swap_before,
        Moment("the ref has moved, nobody knows", "policy:commit-ready", arm=("after", SWAP)),
        Moment("within the gate", "policy:gating", arm=("gate", "")),
        Moment("in a turn", "turn-start", delay=1.0),
        Moment("undo, before the ref moves back", "policy:commit-ready", arm=("before", BACK), undo=True, at_once=True),
        Moment("any time", delay=6.0),
        Moment("before the ref moves, next start races it", "policy:commit-ready", arm=("before", SWAP), at_once=True),
        Moment("before the second ref moves", "policy:commit-ready", 2, arm=("before", SWAP), at_once=True),
        Moment("the second ref has moved", "policy:commit-ready", 2, arm=("after", SWAP), at_once=True),
        Moment("while the objects are delivered", "policy:commit-ready", arm=("before", "index-pack")),
        Moment("objects delivered, ref not moved", "policy:commit-ready", arm=("after", "index-pack")),
        Moment("landing is in the log", "plan:landing"),
        Moment("second landing is in the log", "plan:landing", 2, delay=0.05),
        Moment("approved", "plan:approved"),
        Moment("approved, world being checked", "plan:approved", delay=0.05),
        Moment("committed", "policy:committed"),
        Moment("second committed", "policy:committed", 2),
        Moment("undo, ref is back, nobody knows", "policy:commit-ready", arm=("after", BACK), undo=True),
        Moment("undo, before the ref moves back, later start", "policy:commit-ready", arm=("before", BACK), undo=True),
        Moment("undo is in the log", "plan:undo-requested", undo=True),
        Moment("undone", "plan:restored", undo=True),
        Moment("gating is in the log", "policy:gating"),
        Moment("second gating is in the log", "policy:gating", 2, delay=0.1),
        Moment("while the tree is frozen", "turn-start", arm=("before", "write-tree")),
        Moment("while the candidate is made", "turn-start", arm=("after", "commit-tree")),
        Moment("within the third gate", "policy:gating", 3, arm=("gate", "")),
        Moment("red, nudge not begun", "policy:nudged"),
        Moment("nudge prompted, turn not begun", "policy:failed", arm=("before", "symbolic-ref")),
        Moment("prompted, turn not begun", "session:started", arm=("before", "symbolic-ref")),
        Moment("in the nudged turn", "turn-start", 3, delay=0.8),
        Moment("supervisor just up", delay=0.05),
        Moment("agents coming up", delay=0.8),
        Moment("first session up", "session:started"),
        Moment("second session up", "session:started", 2),
        Moment("a turn has ended", "turn-end"),
        Moment("a plan waits", "policy:commit-ready"),
        Moment("thrice in one turn", "turn-start", delay=0.3, again=("turn-start", "turn-start")),
        Moment("twice, the second in the landing", "turn-end", again=("plan:landing",)),
        Moment("any time, twice", delay=5.0, again=("session:started",)),
        Moment("any time, next start at once", delay=6.0, at_once=True),
    ]


MOMENTS = _moments()


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

    def __init__(self, play: Play, *, undo: bool) -> None:
        self.play, self.undo = play, undo
        self.asked: list[tuple[str, subprocess.Popen[str]]] = []
        self.undone: subprocess.Popen[str] | None = None

    def look(self) -> list[dict[str, Any]]:
        """Read on in the log and do what it asks for; the new events."""
        fresh = self.play.tail.more()
        for event in fresh:
            match event["type"]:
                case "policy:commit-ready" | "plan:restored":
                    self.asked.append((event["plan"], self.play.ack(event["policy"], event["plan"])))
                case "policy:committed" if self.undo and self.undone is None:
                    self.undone = self.play.start("plan", "undo", event["plan"], "--timeout", "60")
        return fresh

    def done(self) -> bool:
        self.look()
        done = {event["policy"] for event in self.play.tail.of("policy:done")}
        landed = len(self.play.tail.of("policy:committed")) - len(self.play.tail.of("plan:restored"))
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
        supervisor = play.supervise()
        _await(play, operator, supervisor, moment, chance)
        supervisor = _kill(play, supervisor, figures, moment.at_once)
        for event in moment.again:
            _await(play, operator, supervisor, Moment(moment.name, event, _count(play, event) + 1), chance)
            supervisor = _kill(play, supervisor, figures, moment.at_once)
        _wait(play, operator.done, FINISH, "both plans landed")
        operator.settle()
        play.close_down()
        play.tail.more()
        check(play, figures)
    figures.seconds = time.monotonic() - began
    return figures


def _count(play: Play, kind: str) -> int:
    return len(play.tail.of(kind))


def _wait(play: Play, look: Callable[[], bool], seconds: float, what: str) -> None:
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


def _await(
    play: Play, operator: Operator, supervisor: subprocess.Popen[bytes], moment: Moment, chance: random.Random
) -> None:
    """Return when it is time to kill."""

    def come() -> bool:
        operator.look()
        assert supervisor.poll() is None, f"the supervisor ended by itself: {_words(play)}"
        return _count(play, moment.event) >= moment.nth

    _wait(play, come, FINISH, f"{moment.nth} x {moment.event}")
    if moment.arm:
        play.arm(*moment.arm, LONG_HOLD if moment.at_once else HOLD)
        _wait(play, lambda: operator.look() is not None and play.reached(), FINISH, f"reaching {moment.arm}")
        return
    until = time.monotonic() + chance.uniform(0, moment.delay)
    _wait(play, lambda: operator.look() is not None and time.monotonic() >= until, moment.delay + 10, "the delay")


def _words(play: Play) -> str:
    return (play.folder / "supervisor.err").read_text()[-2000:]


def _kill(play: Play, supervisor: subprocess.Popen[bytes], figures: Figures, at_once: bool) -> subprocess.Popen[bytes]:
    """Kill it, see everything gone, start the next one (first, when `at_once`); the next one."""
    at = play.kill(supervisor)
    play.tail.more()
    figures.open.append(open_intents(play.tail.seen))
    following = play.supervise() if at_once else None
    spare = [following.pid] if following else []
    figures.gone.append(play.gone(at, GONE, lambda: [*spare, *play.summoned()]))
    following = following or play.supervise()
    if play.summoned():
        figures.notes.append("a waiting command had started the next one")
    return following


def open_intents(events: list[dict[str, Any]]) -> tuple[str, ...]:
    """The intents that had no outcome yet, by type."""
    still: dict[tuple[str, str], None] = {}
    for event in events:
        for intent, outcomes in INTENTS.items():
            about = event.get(_subject(intent), "")
            if event["type"] == intent:
                still[intent, about] = None
            elif event["type"] in outcomes:
                still.pop((intent, about), None)
    return tuple(sorted(intent for intent, _ in still))


def _subject(intent: str) -> str:
    return {"session": "session", "turn-start": "session", "policy": "policy"}.get(intent.partition(":")[0], "plan")


# -- afterwards ----------------------------------------------------------------------------------------------


def check(play: Play, figures: Figures) -> None:
    """Both plans landed exactly once; the log, the branches and the operator's checkout agree about that."""
    assert not play.tail.of("supervisor:trouble"), play.tail.of("supervisor:trouble")
    _check_plans(play)
    for branch, path in BRANCHES.items():
        _check_branch(play, branch, path)
        _check_worktree(play, branch, figures)
    assert play.git("status", "--porcelain") == "", "the main checkout was touched"
    assert play.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert play.git("rev-list", "--count", "main") == "2"
    assert play.git("fsck", "--full", "--strict", "--no-dangling") == "", "fsck complains"
    turns = Counter((event["session"], event["turn"]) for event in play.tail.of("turn-end"))
    assert turns == {("s-1", 1): 1, ("s-2", 1): 1, ("s-2", 2): 1}, turns


def _check_plans(play: Play) -> None:
    ready = {event["plan"] for event in play.tail.of("policy:commit-ready")}
    landed = Counter(event["plan"] for event in play.tail.of("policy:committed"))
    landed.subtract(event["plan"] for event in play.tail.of("plan:restored"))
    assert set(landed) == ready and set(landed.values()) == {1}, f"ready {ready}, landed {landed}"
    plans = play.ask("plan", "list", "--all")["plans"]
    assert {plan["plan"]: plan["state"] for plan in plans} == dict.fromkeys(ready, "landed")
    assert {p["status"] for p in play.ask("policy", "list")["policies"]} == {"done"}


def _check_branch(play: Play, branch: str, path: str) -> None:
    """One commit on top of main, the one that the log names; as many approvals in the branch's history as in the log."""
    tip = play.git("rev-parse", f"refs/heads/{branch}")
    named = [event for event in play.tail.of("policy:committed") if event["ref"] == f"refs/heads/{branch}"]
    assert {event["sha"] for event in named} == {tip}, f"{branch} is at {tip}, the log says {named}"
    assert play.git("rev-list", f"main..{branch}") == tip
    assert play.git("rev-parse", f"{tip}^") == play.git("rev-parse", "main")
    assert play.git("diff", "--name-only", "main", branch) == path
    moves = play.git("reflog", "--format=%gs", f"refs/heads/{branch}").splitlines()
    assert sum("approved" in move for move in moves) == len(named), f"{branch}: {moves}"


def _check_worktree(play: Play, branch: str, figures: Figures) -> None:
    """Clean, or with its old index entry and a note in the log that says so (killed between the ref and the index)."""
    trees = play.git("worktree", "list", "--porcelain").split("\n\n")
    tree = next(block.splitlines()[0] for block in trees if f"branch refs/heads/{branch}" in block.splitlines())
    dirty = play.git("status", "--porcelain", cwd=Path(tree.removeprefix("worktree ")))
    landings = (event for event in play.tail.of("policy:committed") if event["ref"] == f"refs/heads/{branch}")
    noted = [event.get("note", "") for event in landings]
    if dirty:
        assert any("index" in note for note in noted), f"{branch}: {dirty!r} and nobody says so: {noted}"
        figures.notes.append(f"{branch}: index entry left as it was, and said")
