"""Fits the learned weights of `console.core.deciding` to labelled tickets and writes them as modules of data.

Run `python tests/data/tickets/fit.py` for figures (each file judged by weights that never saw it), with `--write` to
replace the weights by those of all files. It reads the named files only; the unseen half is not one of them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from pathlib import Path
from random import Random

from console.core.deciding.features import shares_of, signs_of, words_of
from console.core.deciding.reading import read
from console.core.deciding.scoring import score

HERE = Path(__file__).parent
ROOM = HERE.parents[2] / "console" / "core" / "deciding"
FILES = ("seen", "own", "more_c", "more_d", "more_e")
HELD_OUT = ("more_c", "more_d", "more_e")
OWN_SIGNS = 0.5
"""The rules were written beside own.jsonl, so there they look better than they are: its rows count half for them."""

SIGNS_C, WORDS_C = 0.03, 10.0
SIGNS_SPREAD, WORDS_SPREAD = 3.32, 1.88
"""How far each of the two sums spreads over texts it was not fitted to; both are divided by it and count alike."""

LEAST_SIGNS, LEAST_WORDS = 4, 2
MOST_WORDS = 8000
LEAD = 0.42
STEP = 5
ROUNDS = 120
CATEGORIES = ("schema", "api", "security", "money", "destructive", "ambiguity")

Row = dict[str, float]


@dataclass(frozen=True, slots=True)
class Ticket:
    file: str
    parks: bool
    categories: tuple[str, ...]
    signs: Row
    words: Row


@dataclass(frozen=True, slots=True)
class Weights:
    signs: Row
    words: Row
    bias: float


def tickets(names: Iterable[str]) -> list[Ticket]:
    found = []
    for name in names:
        for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            reading = read(row["title"], row["body"])
            categories = (row["category"], *row.get("also", ()))
            signs = signs_of(reading, score(reading))
            found.append(Ticket(name, row["decision"] == "PARK", categories, signs, words_of(reading)))
    return found


def logistic(rows: Sequence[Row], sides: Sequence[bool], costs: Sequence[float]) -> tuple[Row, float]:
    """Logistic regression with L2, by coordinate ascent on the dual; the bias is a column of ones."""
    weights: Row = defaultdict(float)
    bias, dual = 0.0, [cost * 0.01 for cost in costs]
    for row, side, a in zip(rows, sides, dual, strict=True):
        _add(weights, row, a if side else -a)
        bias += a if side else -a
    sizes = [sum(value * value for value in row.values()) + 1.0 for row in rows]
    order = list(range(len(rows)))
    for turn in range(ROUNDS):
        Random(turn).shuffle(order)
        for at in order:
            row = rows[at]
            sign = 1.0 if sides[at] else -1.0
            slope = sign * (sum(weights[key] * value for key, value in row.items()) + bias)
            step = _best(dual[at], costs[at], sizes[at], slope) - dual[at]
            dual[at] += step
            _add(weights, row, sign * step)
            bias += sign * step
    return dict(weights), bias


def _best(a: float, cost: float, size: float, slope: float) -> float:
    """Where the derivative of one dual coordinate is nought, by halving: it rises from below to above."""
    low, high = 0.0, cost
    for _ in range(40):
        middle = (low + high) / 2
        if slope + size * (middle - a) + log(max(middle, 1e-300) / max(cost - middle, 1e-300)) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _add(weights: Row, row: Row, times: float) -> None:
    for key, value in row.items():
        weights[key] = weights.get(key, 0.0) + times * value


def _kept(rows: Sequence[Row], names: set[str]) -> list[Row]:
    return [{key: value for key, value in row.items() if key in names} for row in rows]


def fitted(learned: Sequence[Ticket]) -> Weights:
    sides = [ticket.parks for ticket in learned]
    often = Counter(name for ticket in learned for name in ticket.signs)
    rows = _kept([ticket.signs for ticket in learned], {name for name in often if often[name] >= LEAST_SIGNS})
    costs = [SIGNS_C * (OWN_SIGNS if ticket.file == "own" else 1.0) for ticket in learned]
    signs, bias = logistic(rows, sides, costs)
    words, more = _words(learned, sides)
    return Weights(
        {name: weight / SIGNS_SPREAD for name, weight in signs.items()},
        {name: weight / WORDS_SPREAD for name, weight in words.items()},
        bias / SIGNS_SPREAD + more / WORDS_SPREAD,
    )


def _words(learned: Sequence[Ticket], sides: Sequence[bool]) -> tuple[Row, float]:
    often = Counter(name for ticket in learned for name in ticket.words)
    names = {name for name in often if often[name] >= LEAST_WORDS}
    costs = [WORDS_C] * len(learned)
    rows = [shares_of(row) for row in _kept([ticket.words for ticket in learned], names)]
    weights, _ = logistic(rows, sides, costs)
    there: Row = defaultdict(float)
    for row in rows:
        _add(there, {key: value * value for key, value in row.items()}, 1.0)
    best = sorted(weights, key=lambda name: (-abs(weights[name]) * sqrt(there[name]), name))[:MOST_WORDS]
    rows = [shares_of(row) for row in _kept([ticket.words for ticket in learned], set(best))]
    return logistic(rows, sides, costs)


def margin(weights: Weights, ticket: Ticket) -> float:
    known = shares_of({key: value for key, value in ticket.words.items() if key in weights.words})
    signs = sum(weights.signs.get(key, 0.0) * value for key, value in ticket.signs.items())
    return weights.bias + signs + sum(weights.words[key] * value for key, value in known.items())


def figures(judged: Sequence[tuple[bool, float]], at: float) -> str:
    found = sum(parks and value >= at for parks, value in judged)
    false = sum(not parks and value >= at for parks, value in judged)
    missed = sum(parks and value < at for parks, value in judged)
    counts = f"{found} found, {false} false parks, {missed} missed"
    return f"precision {found / (found + false):.3f}, recall {found / (found + missed):.3f} ({counts})"


def check(known: Sequence[Ticket]) -> None:
    """Each held-out file by the weights of the others, for several thresholds."""
    judged: dict[str, list[tuple[bool, float]]] = {}
    for name in HELD_OUT:
        weights = fitted([ticket for ticket in known if ticket.file != name])
        judged[name] = [(ticket.parks, margin(weights, ticket)) for ticket in known if ticket.file == name]
    judged["together"] = [pair for name in HELD_OUT for pair in judged[name]]
    for name, pairs in judged.items():
        for at in (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4):
            print(f"{name:9} at {at:5.2f}: {figures(pairs, at)}")


def _category_of(name: str, known: Sequence[Ticket], sizes: Counter[str]) -> str:
    """The category whose tickets have it most often; "any" when it has no clear lead over all of them."""
    there = Counter(c for ticket in known if ticket.parks and name in ticket.words for c in ticket.categories)
    shares = {c: there[c] / sizes[c] for c in CATEGORIES}
    best = max(CATEGORIES, key=lambda c: (shares[c], c))
    return best if shares[best] >= LEAD * sum(shares.values()) and len(name.strip("^$")) > 1 else "any"


def write(weights: Weights, known: Sequence[Ticket]) -> None:
    lines = [HEAD_SIGNS, f"BIAS = {weights.bias:.3f}\n", "SIGNS: dict[str, float] = {"]
    lines += [f'    "{name}": {weight:.3f},' for name, weight in sorted(weights.signs.items()) if abs(weight) >= 0.001]
    (ROOM / "weights_signs.py").write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")
    sizes = Counter(c for ticket in known if ticket.parks for c in ticket.categories)
    buckets: dict[str, dict[int, list[str]]] = {c: {} for c in (*CATEGORIES, "any", "none")}
    for name, weight in sorted(weights.words.items()):
        hundredths = STEP * round(100 * weight / STEP)
        category = _category_of(name, known, sizes) if hundredths > 0 else "none"
        buckets[category].setdefault(hundredths, []).append(name)
    lines = [HEAD_WORDS, "WORDS: dict[str, dict[int, str]] = {"]
    for category, by_weight in buckets.items():
        lines.append(f'    "{category}": {{')
        for hundredths, names in sorted(by_weight.items(), key=lambda item: -abs(item[0])):
            lines += [f'        {hundredths}: """', *_wrapped(names), '        """,']
        lines.append("    },")
    (ROOM / "weights_words.py").write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")


def _wrapped(names: Sequence[str]) -> list[str]:
    lines, line = [], ""
    for name in names:
        wide = sum(2 if char >= "\u1100" else 1 for char in line + name)
        if line and wide > 105:
            lines.append("            " + line)
            line = ""
        line = f"{line} {name}".strip()
    return [*lines, "            " + line]


HEAD_SIGNS = '''"""How much each sign of a ticket speaks for a person's decision (above nought) or against.

Logistic regression with L2 over the labelled tickets, by tests/data/tickets/fit.py; the names are those of
`features.signs_of`. A weight of a concept counts beside the sums of the score, so it corrects rather than says all.
Written by that program; not to be edited by hand.
"""

from __future__ import annotations
'''
HEAD_WORDS = '''"""Parts of words that go with a person's decision, by category, and those that go with plain work.

Logistic regression with L2 over the labelled tickets, by tests/data/tickets/fit.py; the names are those of
`features.parts_of`, the numbers hundredths of a weight, the category the one whose tickets have the part most often
(any: all of them alike; none: plain work).
Parts of weight 0 count for the length of a text only. Written by that program; not to be edited by hand.
"""

from __future__ import annotations
'''


if __name__ == "__main__":
    everything = tickets(FILES)
    check(everything)
    if "--write" in sys.argv:
        write(fitted(everything), everything)
