"""What needs a person, worst first. The order may change with time; what an item is called never does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from console.core.commits import short
from console.core.state import State
from console.present.alerting import alert_title
from console.present.text import clean
from console.present.wording import branch, size, title


@dataclass(frozen=True, slots=True)
class Item:
    """kind and about name the thing (`plan` + commit id, `policy` + id, `session` + id); rank orders."""

    rank: int
    kind: str
    about: str
    word: str
    style: str
    key: str
    text: str
    since: float

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.about}"

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "id": self.about, "word": self.word, "text": self.text, "since": self.since}


def needs(state: State) -> list[Item]:
    """An alert that holds approvals first, then questions (an agent stands still), then plans, then what stopped;
    oldest first within each."""
    items = [*_alerts(state), *_questions(state), *_plans(state), *_blocked(state), *_exited(state)]
    return sorted(items, key=lambda item: (item.rank, item.since))


def _alerts(state: State) -> list[Item]:
    return [
        Item(-1 if a.blocks else 1, "alert", a.alert, "alert", "broke", a.alert, alert_title(a), a.at)
        for a in state.alerts.values()
        if a.state == "open"
    ]


def _questions(state: State) -> list[Item]:
    return [
        Item(
            0,
            "session",
            s.session,
            "question",
            "asks",
            s.session,
            clean(f"{s.label}: {s.question.title}"),
            s.question.at,
        )
        for s in state.sessions.values()
        if s.phase == "awaiting-input" and s.question
    ]


def _plans(state: State) -> list[Item]:
    return [
        Item(1, "plan", p.plan, "plan", "waits", short(p.plan), f"{title(p)} · {branch(p)} · {size(p)}", p.ready_at)
        for p in state.plans.values()
        if p.state == "waiting"
    ]


def _blocked(state: State) -> list[Item]:
    return [
        Item(2, "policy", p.policy, "blocked", "blocked", p.policy, clean(p.reason.split("\n")[0]), p.changed_at)
        for p in state.policies.values()
        if p.status == "blocked"
    ]


def _exited(state: State) -> list[Item]:
    """Sessions that ended although nobody stopped them and that left something undone."""
    return [
        Item(3, "session", s.session, "exited", "broke", s.session, clean(f"{s.label}: {s.exit}"), s.since)
        for s in state.sessions.values()
        if s.phase == "exited" and not s.stopped and not (s.turn and s.turn.ok)
    ]
