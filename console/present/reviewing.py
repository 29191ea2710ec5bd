"""The order of the morning review: everything that waits for a person, one thing at a time. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from console.core.commits import approvable, short
from console.core.state import State
from console.present import attention, queue_rows
from console.present.attention import Item
from console.present.text import clean

_ORDER = {
    "alarm": -1,
    "short": -1,
    "question": 0,
    "routine": 0,
    "given-up": 0,
    "decide": 1,
    "alert": 2,
    "look": 3,
    "plan": 4,
    "blocked": 5,
    "failed": 5,
    "stuck": 5,
    "exited": 6,
}
SAYS = {
    "alarm": "everything stands still",
    "short": "something is short: nothing new is started",
    "given-up": "a session was given up",
    "stuck": "a process that no signal ends",
    "question": "an agent asks and stands still",
    "routine": "a routine asks, and fails when nobody answers in time",
    "decide": "decision",
    "alert": "alert",
    "look": "doubtful work",
    "plan": "plan",
    "blocked": "blocked",
    "failed": "failed",
    "exited": "a session broke off",
    "held": "held ticket",
}


@dataclass(frozen=True, slots=True)
class Thing:
    """id: as a subject of the screen. word: of which kind. name: for people, one line."""

    id: str
    word: str
    name: str


def things(state: State, supervised: bool = True, silent: float = 0.0) -> list[Thing]:
    """What holds up everything, then questions, given-up agents and decisions (foundational first), then doubtful work
    (alerts, low confidence), plans from the highest level down (what a plan's work starts from before it), what is
    blocked or failed, held tickets."""
    items = attention.needs(state, supervised, silent)
    rest = [item for item in items if item.word not in ("plan", "held", "limit", "channel")]
    rest.sort(key=lambda item: _ORDER.get(item.word, 6))  # stable: within a kind as in the list
    plans = _plans(state, [item for item in items if item.word == "plan"])
    before = [item for item in rest if _ORDER.get(item.word, 6) < _ORDER["plan"]]
    after = [item for item in rest if _ORDER.get(item.word, 6) > _ORDER["plan"]]
    listed = [Thing(item.id, item.word, item.text) for item in (*before, *plans, *after)]
    held = [
        Thing(f"ticket:{t.ticket}", "held", clean(f"{t.spec.title or t.ticket}: {t.held}", limit=300))
        for t in queue_rows.held(state)
    ]
    return [*listed, *held]


def _plans(state: State, items: list[Item]) -> list[Item]:
    waiting = sorted(items, key=lambda item: (-state.plans[item.about].level, item.since))
    placed: list[Item] = []
    while waiting:
        names = {item.about for item in waiting}
        free = next((item for item in waiting if not _rests_on_one_of(state, item, names)), waiting[0])
        waiting.remove(free)
        placed.append(free)
    return placed


def _rests_on_one_of(state: State, item: Item, names: set[str]) -> bool:
    below = queue_rows.rests_on(state, state.plans[item.about])
    return below is not None and below.plan in names and below.plan != item.about


def gone(state: State, thing: str) -> str:
    """Why a thing waits no longer, in a sentence."""
    kind, _, name = thing.partition(":")
    if kind == "plan" and (plan := state.plans.get(name)):
        refused = approvable(plan)
        by = f", by {clean(plan.by.user, limit=40)}" if plan.by and plan.by.user else ""
        return f"{clean(refused.reason, limit=300) if refused else f'plan {short(name)} changed'}{by}"
    if kind == "decision" and (d := state.decisions.get(name)):
        by = f" by {clean(d.by.user, limit=40)}" if d.by and d.by.user else ""
        said = f"answered{by}: {clean(d.answer, limit=200)}" if d.state == "answered" else clean(d.reason, limit=200)
        return f"{d.decision} was {said}" if d.state == "answered" else f"{d.decision} is closed: {said}"
    if kind == "ticket" and (t := state.tickets.get(name)):
        return f"{clean(name, limit=60)} is {queue_rows.stand(t, state)[0]} now"
    if kind == "alert" and (a := state.alerts.get(name)):
        return f"{name} is {a.outcome or a.state}"
    if kind == "routine" and (r := state.routines.get(name)):
        return f"routine {name} is {r.status} now"
    if kind == "session" and (s := state.sessions.get(name)):
        return f"{name} is {s.phase} now"
    if kind == "policy" and (p := state.policies.get(name)):
        return f"{name} is {p.status} now"
    if kind == "health":
        return f"{'the alarm' if name in ('fuse', 'supervisor') else name} is over"
    return "it is there no longer"
