"""The forty moments at which the supervisor is killed, as a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill. event: after the `nth` of this type, at a random time within `delay` seconds; with `arm`, the event
    arms a dawdling command (when, pattern) and the kill comes while it dawdles. undo: the first plan that landed is
    taken back. again: kill the next supervisors, too, each at this event (and half the delay). at_once: the next one
    starts before all of the last one is gone, so that what dawdles gets in its way. overtaken: what dawdles even gets
    there first."""

    name: str
    event: str = "supervisor:started"
    nth: int = 1
    delay: float = 0.0
    arm: tuple[str, str] | None = None
    undo: bool = False
    again: tuple[str, ...] = ()
    at_once: bool = False
    overtaken: bool = False


SWAP, BACK = "update-ref*nightdesk: approved", "update-ref*undone"
CHECK = "rev-parse*refs/heads/fix-"


def _moments() -> list[Moment]:
    """Forty. The first six are those that every run of the tests plays."""
    swap_before = Moment("before the ref moves", "policy:commit-ready", arm=("before", SWAP))
    return [
        swap_before,
        Moment("the ref has moved, nobody knows", "policy:commit-ready", arm=("after", SWAP)),
        Moment("within the gate", "policy:gating", arm=("gate", "")),
        Moment("in a turn", "turn-start", delay=1.0),
        Moment(
            "undo, before the ref moves back", "policy:commit-ready", arm=("before", BACK), undo=True, overtaken=True
        ),
        Moment("any time", delay=6.0),
        Moment(
            "before the ref moves, next start overtaken", "policy:commit-ready", arm=("before", SWAP), overtaken=True
        ),
        Moment("before the second ref moves", "policy:commit-ready", 2, arm=("before", SWAP), at_once=True),
        Moment("the second ref has moved", "policy:commit-ready", 2, arm=("after", SWAP), at_once=True),
        Moment("while the objects are delivered", "policy:commit-ready", arm=("before", "index-pack")),
        Moment("objects delivered, ref not moved", "policy:commit-ready", arm=("after", "index-pack")),
        Moment("landing is in the log", "plan:landing"),
        Moment("second landing is in the log", "plan:landing", 2, delay=0.05),
        Moment("approved", "plan:approved"),
        Moment("approved, world being checked", "policy:commit-ready", 2, arm=("before", CHECK)),
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
        Moment("any time, twice", delay=5.0, again=("supervisor:started",)),
        Moment("any time, next start at once", delay=6.0, at_once=True),
    ]


MOMENTS = _moments()
