"""The section "The night" of the report: the timeline as a block of text that reads in Markdown and in a mail, and what
each hour cost. ASCII, 100 columns. Pure."""

from __future__ import annotations

import time
from collections.abc import Iterator

from console.core.lanes import Cost
from console.core.spending import spread
from console.core.timeline import Night
from console.present import charts, timeline
from console.present.charts import Scale
from console.present.doing import tokens
from console.present.mdtext import COLUMNS, plain, wrapped
from console.present.text import cut, fit, width

LANES = 40
"""That are drawn; the rest is counted."""
NAME = 18
HOURS = 24
"""Lines of the table of costs, at most."""
HOUR = 3600


def night(n: Night | None) -> list[str]:
    """Nothing where the log was not read, or nothing ran."""
    if n is None or not n.lanes:
        return []
    last = timeline.last_of(n, n.last, live=False)
    chart = charts.scale(n.since, max(last, n.since + 1), COLUMNS - NAME - 1)
    lines = ["## The night", "", "```text", *_chart(n, chart, last), "```"]
    if n.cost.turns:
        lines += ["", *wrapped(f"Spent: {timeline.spent_words(n.cost)}."), "", "```text", *_hours(n, last), "```"]
    return lines


def _chart(n: Night, on: Scale, last: float) -> Iterator[str]:
    yield (" " * (NAME + 1) + charts.axis(on, ascii_only=True)).rstrip()
    shown = n.lanes[:LANES]
    drawn = [charts.lane(each, on, last, ascii_only=True) for each in shown]
    for each, cells in zip(shown, drawn, strict=True):
        yield f"{fit(cut(plain(each.name), NAME, '~'), NAME)} {cells}".rstrip()
    if len(n.lanes) > LANES:
        yield f"and {len(n.lanes) - LANES} more, which nightdesk report --json has"
    if n.forgot:
        yield "what was before is too much to be drawn"
    yield ""
    used = "".join(set("".join(drawn)) - {" "})
    yield from _flowed([f"{cell} {word}" for cell, word in charts.legend(ascii_only=True, used=used or " ")])


def _flowed(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and width(line) + width(word) + 3 > COLUMNS:
            yield line
            line = ""
        line += f"{'   ' if line else ''}{word}"
    if line:
        yield line


def _hours(n: Night, last: float) -> Iterator[str]:
    """A line an hour, or as many hours as make a table that is not longer than HOURS."""
    zone = time.localtime(n.since).tm_gmtoff
    start = (n.since + zone) // HOUR * HOUR - zone
    step = HOUR * max(1, -(-int(last - start + 1) // (HOUR * HOURS)))
    count = max(1, -(-int(last - start + 1) // step))
    costs = spread(n.steps, start, step, count)
    most = max((c.cost_usd for c in costs), default=0.0)
    yield f"{'from':<12} {'turns':>6} {'cost':>11} {'tokens in':>10} {'out':>8}"
    for number, cost in enumerate(costs):
        yield _hour(start + number * step, cost, most)


def _hour(at: float, cost: Cost, most: float) -> str:
    when = time.strftime("%m-%d %H:%M", time.localtime(at))
    into, out = _told(cost, cost.input_tokens), _told(cost, cost.output_tokens)
    bar = "#" * (round(30 * cost.cost_usd / most) if most else 0)
    return f"{when:<12} {cost.turns:>6} {timeline.dollars(cost) or '-':>11} {into:>10} {out:>8}  {bar}".rstrip()


def _told(cost: Cost, number: int) -> str:
    """`12.3k`, with a plus where some turns named none, `?` where none did."""
    return "?" if cost.turns and cost.untold == cost.turns else f"{tokens(number)}{'+' * bool(cost.untold)}"
