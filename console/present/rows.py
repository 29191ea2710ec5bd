"""Rows of the screen's lists: state -> keys and cells. Pure; the tables draw them, nothing here knows a widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.core.commits import short
from console.core.policies import CLOSED, Policy
from console.core.sessions import Session
from console.core.state import State
from console.present import healthwords, wording
from console.present.doing import span
from console.present.glyphs import sign
from console.present.text import clean

if TYPE_CHECKING:
    from console.present.attention import Item

Cell = tuple[str, str]

EXITED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Rows:
    """keys[i] names the thing of row i; cells(i) draws it; texts[i] is what a filter searches."""

    keys: tuple[str, ...]
    cells: Callable[[int], Sequence[Cell]]

    def matching(self, wanted: str) -> Rows:
        """Only the rows that hold every word of `wanted`."""
        words = wanted.casefold().split()
        if not words:
            return self
        kept = [i for i in range(len(self.keys)) if all(word in self._text(i) for word in words)]
        return Rows(tuple(self.keys[i] for i in kept), lambda i: self.cells(kept[i]))

    def _text(self, index: int) -> str:
        return " ".join(cell[0] for cell in self.cells(index)).casefold() + " " + self.keys[index].casefold()


def needs_rows(items: Sequence[Item], now: float) -> Rows:
    def cells(i: int) -> Sequence[Cell]:
        item = items[i]
        known = {"plan": "waiting", "exited": "failed", "routine": "question", "channel": "look"}
        mark = sign(known.get(item.word, item.word))
        return (
            (mark.glyph, mark.tone),
            (mark.word if item.word == "given-up" else item.word, mark.tone),
            (item.text, "strong"),
            (wording.age(now - item.since), "quiet"),
        )

    return Rows(tuple(item.id for item in items), cells)


def session_rows(state: State, now: float, pulse: Callable[[str], str]) -> Rows:
    """What asks and what ails first, then working ones, those between turns, what is over; within each in the order
    of their start."""
    listed = sorted(state.sessions.values(), key=lambda s: _session_rank(state, s))

    def cells(i: int) -> Sequence[Cell]:
        s = listed[i]
        mark = sign(wording.session_word(s))
        moves = s.phase == "working" and not healthwords.ailing(s)
        doing = pulse(s.session) if moves else wording.session_brief(s, state, now)
        doing = _reading(doing, at_work=moves) if s.read_only else doing
        return (
            (mark.glyph, mark.tone),
            (s.session, "quiet"),
            (clean(s.label), "strong"),
            (mark.word, mark.tone),
            (clean(doing, limit=200), "plain"),
            (wording.age(now - healthwords.since(s)), "quiet"),
        )

    return Rows(tuple(f"session:{s.session}" for s in listed), cells)


def _reading(doing: str, *, at_work: bool) -> str:
    """Of a session that reviews: its worktree is not written."""
    return f"reads: {doing}" if at_work and doing else " · ".join(part for part in ("read-only", doing) if part)


def _decided(state: State, s: Session) -> bool:
    """Whether its ticket has moved on since it was given up."""
    t = state.tickets.get(s.ticket)
    d = state.decisions.get(t.decision) if t else None
    return t is not None and not (d and d.state == "open")


_RANKS = ("awaiting-input", "working", "starting", "stopping", "ready", "suspended", "exited")
_AILING = ("stuck", "given-up", "hung", "crashed", "suspect", "restarts")


def _session_rank(state: State, s: Session) -> tuple[int, int, int]:
    """What asks, then what ails, then what works."""
    number = int(s.session.split("-")[-1])
    word = healthwords.ailing(s)
    if word and not (word == "given-up" and _decided(state, s)):
        return 1, _AILING.index(word), number
    return 0 if s.phase == "awaiting-input" else 2, _RANKS.index(s.phase), number


def policy_rows(state: State, now: float) -> Rows:
    listed = sorted(state.policies.values(), key=_policy_rank)

    def cells(i: int) -> Sequence[Cell]:
        p = listed[i]
        mark = sign(p.status)
        return (
            (mark.glyph, mark.tone),
            (p.policy, "strong"),
            (mark.word, mark.tone),
            (",".join(p.spec.sessions), "quiet"),
            (gate_words(p, now), "plain"),
            (wording.age(now - p.changed_at), "quiet"),
        )

    return Rows(tuple(f"policy:{p.policy}" for p in listed), cells)


def gate_words(p: Policy, now: float) -> str:
    """Its gate; of a judge that is at work, for how long."""
    gate = p.spec.gate
    if gate is None:
        return f"reviews {short(p.spec.review)}" if p.spec.review else wording.gate_text(p)
    at_work = gate.judge is not None and p.status == "gating"
    return f"{clean(gate.words, limit=200)}{f' judges, {span(now - p.changed_at)}' if at_work else ''}"


def _policy_rank(p: Policy) -> tuple[int, int]:
    order = {"awaiting-ack": 0, "blocked": 1}
    return order.get(p.status, 3 if p.status in CLOSED else 2), int(p.policy.split("-")[-1])
