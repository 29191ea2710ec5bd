"""One lane of a night: what one ticket or session was about, when. Pure; it knows conditions, no events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from msgspec.structs import replace

from console.core.records import Record, Usage

Kind = Literal["asks", "restart", "limit", "turn", "gate", "slot", "setup", "waits", "held", "run"]
"""What a lane can be about, the weightiest first: where several hold, that one is shown. asks: a session asks, or a
person has its conversation. restart: its agent is gone and is to be started again. limit: the end of a usage limit or
of an overload is waited for. turn: its agent works. gate: its work is frozen and judged. slot: it waits for a free
place to be judged in. setup: its worktree is made, setup commands run, its agent comes up. waits: a plan or a decision
waits for a person. held, run: of the run's own lane: nothing new is started; it claims and starts."""

KINDS: tuple[Kind, ...] = get_args(Kind)
_RANK = {kind: at for at, kind in enumerate(KINDS)}

Moment = Literal["landed", "rejected", "given-up", "crash", "hang", "restart", "failed", "blocked", "parked", "done"]
"""What happens in an instant, the weightiest first: where several fall into one cell of a chart, that one is drawn."""

MOMENTS: tuple[Moment, ...] = get_args(Moment)

SPANS = 100_000
"""Spans that are kept in all; beyond that the older half is forgotten."""


class Span(Record, frozen=True, kw_only=True):
    """at, until: Unix seconds; until 0: it goes on. said: of a gate that is over its verdict, "" where nothing judged
    or nobody knows."""

    kind: Kind
    at: float
    until: float = 0.0
    said: str = ""


class Mark(Record, frozen=True, kw_only=True):
    what: Moment
    at: float


class Cost(Record, frozen=True, kw_only=True):
    """What turns said that they cost. uncosted: turns that named no cost; untold: those that named no tokens."""

    turns: int = 0
    cost_usd: float = 0.0
    uncosted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    untold: int = 0

    def turn(self, usage: Usage | None) -> Cost:
        """With one more turn."""
        u = usage or Usage()
        return Cost(
            turns=self.turns + 1,
            cost_usd=self.cost_usd + (u.cost_usd or 0.0),
            uncosted=self.uncosted + (u.cost_usd is None),
            input_tokens=self.input_tokens + (u.input_tokens or 0),
            output_tokens=self.output_tokens + (u.output_tokens or 0),
            untold=self.untold + (u.input_tokens is None and u.output_tokens is None),
        )

    def plus(self, other: Cost) -> Cost:
        return Cost(
            turns=self.turns + other.turns,
            cost_usd=self.cost_usd + other.cost_usd,
            uncosted=self.uncosted + other.uncosted,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            untold=self.untold + other.untold,
        )


class Lane(Record, frozen=True, kw_only=True):
    """One row of the chart. id: `ticket:<id>`, `session:<id>`, `run:<id>`. name: as it came, not cleaned. spans: in
    order, none over another. marks: in order. cost: of its turns."""

    id: str
    name: str
    spans: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()
    cost: Cost = Cost()


@dataclass(slots=True)
class Track:
    """A lane that is being folded. Times never go back: whoever calls sees to that."""

    id: str
    name: str
    cost: Cost = field(default_factory=Cost)
    _spans: list[Span] = field(default_factory=list)
    _marks: list[Mark] = field(default_factory=list)
    _on: dict[str, Kind] = field(default_factory=dict)
    _shown: str = ""
    _gates: dict[str, int] = field(default_factory=dict)
    """Key of a gate that runs -> index of its latest span."""
    _lane: Lane | None = None

    def begin(self, key: str, kind: Kind, at: float) -> None:
        """Something holds from now on; key: its own name, under which it ends. Again: nothing changes."""
        if self._on.get(key) != kind:
            self._on[key] = kind
            self._show(at)

    def end(self, *keys: str, at: float, said: str = "") -> None:
        """None of these holds any more. said: the verdict of the gate among them."""
        for key in keys:
            if self._on.pop(key, None) is None:
                continue
            self._show(at)
            gate = self._gates.pop(key, None)
            if gate is not None and said:
                self._spans[gate] = replace(self._spans[gate], said=said)
        self._lane = None

    def end_all(self, at: float, *, but: tuple[Kind, ...] = ()) -> None:
        self.end(*(key for key, kind in self._on.items() if kind not in but), at=at)

    def mark(self, what: Moment, at: float) -> None:
        self._marks.append(Mark(what=what, at=at))
        self._lane = None

    def call(self, name: str) -> None:
        self.name, self._lane = name, None

    def spent(self, usage: Usage | None) -> None:
        self.cost = self.cost.turn(usage)
        self._lane = None

    def holds(self, kind: Kind) -> bool:
        return kind in self._on.values()

    @property
    def at_work(self) -> bool:
        """Whether anything but waiting for a person goes on."""
        return any(kind != "waits" for kind in self._on.values())

    @property
    def size(self) -> int:
        return len(self._spans) + len(self._marks)

    def starts(self) -> list[float]:
        return [span.at for span in self._spans]

    @property
    def lane(self) -> Lane:
        """As it is now; the same object until something changes."""
        if self._lane is None:
            spans, marks = tuple(self._spans), tuple(self._marks)
            self._lane = Lane(id=self.id, name=self.name, spans=spans, marks=marks, cost=self.cost)
        return self._lane

    def forget(self, before: float) -> None:
        """Nothing from before this time is kept; what goes on begins then."""
        kept = [i for i, span in enumerate(self._spans) if not span.until or span.until > before]
        moved = {old: new for new, old in enumerate(kept)}
        self._spans = [replace(self._spans[i], at=max(before, self._spans[i].at)) for i in kept]
        self._gates = {key: moved[i] for key, i in self._gates.items() if i in moved}
        self._marks = [mark for mark in self._marks if mark.at >= before]
        self._lane = None

    @property
    def empty(self) -> bool:
        return not (self._spans or self._marks or self._on)

    def _show(self, at: float) -> None:
        """The weightiest of what holds is what the lane is about from now on."""
        key = min(self._on, key=lambda each: _RANK[self._on[each]], default="")
        if key == self._shown and (not key or self._spans[-1].kind == self._on[key]):
            return
        last = self._spans[-1] if self._spans else None
        if last and not last.until:
            self._close(last, at)
        self._shown, self._lane = key, None
        if key:
            self._spans.append(Span(kind=self._on[key], at=at))
            if self._on[key] == "gate":
                self._gates[key] = len(self._spans) - 1

    def _close(self, last: Span, at: float) -> None:
        """A moment of anything but a gate, whose verdict counts, is no span."""
        if at > last.at or last.kind == "gate":
            self._spans[-1] = replace(last, until=at)
        else:
            self._spans.pop()
