"""The night as rows and sentences: lanes, what a lane came to, cost and tokens over time. Pure; every number is from
the log, and what nobody said is said to be unknown. Names are cleaned here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from console.core.lanes import KINDS, Cost, Lane
from console.core.spending import spread
from console.core.timeline import Night
from console.present import charts
from console.present.charts import INKS, Scale
from console.present.doing import span, tokens
from console.present.rows import Cell, Rows
from console.present.text import clean

ZOOMS = (0, 4 * 3600, 3600, 900)
"""Seconds that are seen: the whole run, 4 h, 1 h, 15 min."""
ZOOM_WORDS = {0: "whole run", 4 * 3600: "4 h", 3600: "1 h", 900: "15 min"}


@dataclass(frozen=True, slots=True)
class Window:
    """zoom: one of ZOOMS. end: Unix seconds of its right edge, 0 for "as it comes"."""

    zoom: int = 0
    end: float = 0.0

    def scale(self, first: float, last: float, cells: int) -> Scale:
        if not self.zoom:
            return charts.scale(first, max(last, first + 1), cells)
        end = self.end or last
        return charts.scale(max(first, end - self.zoom) if not self.end else end - self.zoom, end, cells)

    def zoomed(self, steps: int) -> Window:
        """Nearer (steps > 0) or further; the right edge stays."""
        at = max(0, min(len(ZOOMS) - 1, ZOOMS.index(self.zoom) + steps))
        return Window(ZOOMS[at], self.end if ZOOMS[at] else 0.0)

    def panned(self, share: float, first: float, last: float) -> Window:
        """By a share of what is seen, later for more than 0; at the right end it follows again."""
        if not self.zoom:
            return self
        end = max(min(first + self.zoom, last), (self.end or last) + share * self.zoom)
        return Window(self.zoom, 0.0 if end >= last else end)


def last_of(night: Night, now: float, *, live: bool) -> float:
    """Where the chart ends: what goes on is drawn up to here. live: somebody supervises, so that it does go on."""
    if night.ended_at:
        return max(night.ended_at, night.last if live else night.ended_at)
    return max(night.last, now) if live else night.last


# -- lanes -----------------------------------------------------------------------------------------------


def lane_rows(night: Night, on: Scale, last: float) -> Rows:
    """Cells: name, chart, cost."""
    lanes = night.lanes

    def cells(i: int) -> Sequence[Cell]:
        each = lanes[i]
        return ((name(each), "strong"), (charts.lane(each, on, last), "plain"), (dollars(each.cost), "quiet"))

    return Rows(
        tuple(each.id for each in lanes),
        cells,
        name=lambda i: lanes[i].name,
        words=lambda i: f"{name(lanes[i])} {about(lanes[i], last)}",
    )


def name(lane: Lane) -> str:
    return clean(lane.name, limit=60)


def about(lane: Lane, last: float) -> str:
    """What a lane came to: `works 12m, gate 3m (2 green, 1 red), usage limit 5m · 0.20 $, 3 turns`."""
    took: Counter[str] = Counter()
    for each in lane.spans:
        took[each.kind] += max(0, int((each.until or max(last, each.at)) - each.at))
    gates = Counter(each.said for each in lane.spans if each.kind == "gate" and each.said)
    judged = f" ({', '.join(f'{number} {word}' for word, number in gates.items())})" if gates else ""
    kinds = [k for k in KINDS if took[k] or (k == "gate" and gates)]
    spent = [f"{_doing(k)} {span(took[k])}{judged if k == 'gate' else ''}" for k in kinds]
    seen = Counter(mark.what for mark in lane.marks)
    what = [f"{number} x {word}" if number > 1 else word for word, number in seen.items()]
    cost = f" · {spent_words(lane.cost)}" if lane.cost.turns else ""
    return f"{', '.join([*spent, *what]) or 'nothing yet'}{cost}"


def _doing(kind: str) -> str:
    return "gate" if kind == "gate" else INKS[kind].word


def legend(drawn: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """(cell, word) of what is in these charts."""
    return charts.legend(used="".join(sorted(set("".join(drawn)) - {" "})) or " ")


# -- cost ------------------------------------------------------------------------------------------------


def dollars(cost: Cost) -> str:
    """`2.10 $`, `2.10+ $` where a turn named none, `?` where none did, "" without turns."""
    if not cost.turns:
        return ""
    if cost.uncosted == cost.turns:
        return "?"
    return f"{cost.cost_usd:.2f}{'+' if cost.uncosted else ''} $"


def spent_words(cost: Cost) -> str:
    """`2.10 $ or more (3 of 14 turns named no cost), 1.2M tokens in, 30k out (2 named none)`."""
    if not cost.turns:
        return "no turn has ended yet"
    return f"{cost_words(cost)}, {token_words(cost)}, {cost.turns} turn{'s' * (cost.turns != 1)}"


def cost_words(cost: Cost) -> str:
    if cost.uncosted == cost.turns:
        return "cost unknown"
    more = f" or more ({cost.uncosted} of {cost.turns} turns named no cost)" if cost.uncosted else ""
    return f"{cost.cost_usd:.2f} ${more}"


def token_words(cost: Cost) -> str:
    if cost.untold == cost.turns:
        return "tokens unknown"
    more = f" or more ({cost.untold} of {cost.turns} turns named none)" if cost.untold else ""
    return f"{tokens(cost.input_tokens)} tokens in, {tokens(cost.output_tokens)} out{more}"


def cost_line(night: Night, on: Scale) -> tuple[str, str]:
    """(bars, one a cell of the scale; what they mean in numbers)."""
    return _line(night, on, lambda cost: cost.cost_usd, lambda value: f"{value:.2f} $")


def token_line(night: Night, on: Scale) -> tuple[str, str]:
    """Of tokens in and out together."""
    return _line(night, on, lambda cost: cost.input_tokens + cost.output_tokens, lambda value: tokens(int(value)))


def _line(night: Night, on: Scale, of: Callable[[Cost], float], words: Callable[[float], str]) -> tuple[str, str]:
    values = [float(of(cost)) for cost in spread(night.steps, on.start, on.step, on.cells)]
    some = [value for value in values if value > 0]
    if not some:
        return " " * on.cells, ""
    every = span(max([on.step, *(step.seconds for step in night.steps[:1])]))
    told = f"in {every} least {words(min(some))}, most {words(max(some))}, last {words(some[-1])}"
    return charts.bars(values), told
