"""Rows of the screen's lists: state -> keys and cells. Pure; the tables draw them, nothing here knows a widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from console.core.commits import short
from console.core.policies import CLOSED, Policy
from console.core.sessions import Session
from console.core.state import State
from console.present import healthwords, progress, wording
from console.present.doing import span
from console.present.glyphs import sign
from console.present.text import clean

if TYPE_CHECKING:
    from console.present.attention import Item

Cell = tuple[str, str]

EXITED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Rows:
    """keys[i] names the thing of row i; cells(i) draws it, those of columns that a narrow pane leaves out too. since:
    when it last changed; name: what it is ordered by; words: what a filter searches besides its key, else its cells.
    word_at: which cell is the word of its state."""

    keys: tuple[str, ...]
    cells: Callable[[int], Sequence[Cell]]
    since: Callable[[int], float] = field(default=lambda _: 0.0, kw_only=True)
    name: Callable[[int], str] = field(default=lambda _: "", kw_only=True)
    words: Callable[[int], str] | None = field(default=None, kw_only=True)
    word_at: int = field(default=0, kw_only=True)

    def text(self, index: int) -> str:
        """What a filter searches, without case."""
        said = self.words(index) if self.words else " ".join(cell[0] for cell in self.cells(index))
        return f"{said} {self.keys[index]}".casefold()


def needs_rows(items: Sequence[Item], now: float) -> Rows:
    def cells(i: int) -> Sequence[Cell]:
        item = items[i]
        known = {"plan": "waiting", "exited": "failed", "routine": "question", "channel": "look"}
        mark = sign(known.get(item.word, item.word))
        return (
            (mark.glyph, mark.tone),
            (mark.word if item.word == "given-up" else item.word, mark.tone),
            (item.text, "strong"),
            (clean(item.key, limit=60), "quiet"),
            (wording.age(now - item.since), "quiet"),
        )

    return Rows(
        tuple(item.id for item in items),
        cells,
        since=lambda i: items[i].since,
        name=lambda i: items[i].text,
        word_at=1,
    )


def session_rows(
    state: State, now: float, pulse: Callable[[str], str], cost: Callable[[str], str] = lambda _: ""
) -> Rows:
    """What asks and what ails first, then working ones, those between turns, what is over; within each in the order
    of their start. pulse: what it does; cost: what its turns cost, "" when nobody knows."""
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
            (_branch(s), "quiet"),
            (f"{s.turns} turn{'s' * (s.turns != 1)}", "quiet"),
            (cost(s.session), "quiet"),
            (wording.age(now - healthwords.since(s)), "quiet"),
        )

    return Rows(
        tuple(f"session:{s.session}" for s in listed),
        cells,
        since=lambda i: healthwords.since(listed[i]),
        name=lambda i: f"{listed[i].label} {listed[i].session}",
        word_at=3,
    )


def _branch(s: Session) -> str:
    """Where its latest turn began."""
    return clean(s.turn.ref.removeprefix("refs/heads/"), limit=100) if s.turn else ""


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
            (gate_words(p, now, state), "plain"),
            (_result(state, p), "quiet"),
            (f"{p.retries} of {p.spec.on_fail.retries}" if p.spec.on_fail and p.retries else "", "quiet"),
            (clean(p.reason.split("\n")[0], limit=200), "plain"),
            (wording.age(now - p.changed_at), "quiet"),
        )

    return Rows(
        tuple(f"policy:{p.policy}" for p in listed),
        cells,
        since=lambda i: listed[i].changed_at,
        name=lambda i: listed[i].policy,
        word_at=2,
    )


def _result(state: State, p: Policy) -> str:
    """Where its plan goes and how much it holds; of one without a plan where its work lies."""
    plan = state.plans.get(p.plan)
    return f"{wording.branch(plan)} {wording.size(plan)}" if plan else clean(p.base_ref.removeprefix("refs/heads/"))


def gate_words(p: Policy, now: float, state: State | None = None) -> str:
    """Its gate; while it judges, for how long and, where that is known, of about how long. state: for the latter."""
    gate = p.spec.gate
    if gate is None:
        return f"reviews {short(p.spec.review)}" if p.spec.review else wording.gate_text(p)
    if gate.judge is not None and p.status == "gating":
        return f"{clean(gate.words, limit=200)} judges, {span(now - p.changed_at)}"
    far = progress.gating(state, p, now) if state else ""
    return f"{far}  {clean(gate.words, limit=200)}" if far else clean(gate.words, limit=200)


def _policy_rank(p: Policy) -> tuple[int, int]:
    order = {"awaiting-ack": 0, "blocked": 1}
    return order.get(p.status, 3 if p.status in CLOSED else 2), int(p.policy.split("-")[-1])
