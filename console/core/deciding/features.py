"""What the learned weights are about: the signs of a ticket (concepts, rules, sums of the score) and its plain words.

The same functions feed the fit (tests/data/tickets/fit.py) and the judgement, so that both mean the same by a name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from math import log, sqrt

from console.core.deciding.reading import Reading
from console.core.deciding.scoring import Score

MOST_WORDS = 600
"""So many words of a text are weighed; the first ones say what is wanted."""

TITLE_COUNTS = 1.6
SHORT = 40.0
"""Added to the length of every text, so that the few words of a short one do not count for everything."""

_PREFIXES = (4, 5, 6, 8)
_PAIR = 6
_EAST_LONGEST = 3
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


def signs_of(reading: Reading, found: Score) -> dict[str, float]:
    """Concept or rule name -> 1 ("title:" before it when the title says it), and the sums of the score, bounded."""
    signs = dict.fromkeys(found.spoken, 1.0)
    signs |= {f"title:{name}": 1.0 for name in found.titled}
    signs |= {f"against:{concept}": 1.0 for concept in found.against}
    signs |= {f"raw:{category}": min(raw, 6.0) for category, raw in found.raw.items()}
    first, second = (*sorted(found.totals.values(), reverse=True), -3.0, -3.0)[:2]
    signs["score-first"] = max(-3.0, min(first, 5.0))
    signs["score-second"] = max(-3.0, min(second, 5.0))
    signs["score-raw"] = min(6.0, max(found.raw.values(), default=0.0))
    signs["score-harmless"] = min(found.harmless, 6.0)
    signs["score-nothing-harmless"] = float(not found.harmless)
    signs["score-nothing-grave"] = float(not found.raw)
    signs["trace"], signs["code"] = float(reading.has_trace), float(reading.has_code)
    return signs


def words_of(reading: Reading) -> dict[str, float]:
    """Each part of a word that is there -> how much it is there; see `parts_of`."""
    counted: dict[str, float] = defaultdict(float)
    left = MOST_WORDS
    for sentence in reading.sentences:
        words = [m[0] for m in _WORD.finditer(sentence.text)][:left]
        left -= len(words)
        for part in parts_of(words):
            counted[part] += 1.0 if sentence.line else TITLE_COUNTS
    return {part: 1.0 + log(count) if count > 1.0 else count for part, count in counted.items()}


def shares_of(words: dict[str, float]) -> dict[str, float]:
    """The words by their share of the text: a long text does not weigh more than a short one."""
    length = sqrt(SHORT + sum(value * value for value in words.values()))
    return {part: value / length for part, value in words.items()}


def parts_of(words: list[str]) -> Iterator[str]:
    """ "^table$" for a word, "^tabl" for its beginnings, "old_table" for two side by side; in Chinese, Japanese and
    Korean one to three characters side by side."""
    before = ""
    for given in words:
        word = given[:80]
        if _EAST.match(word):
            before = ""
            for size in range(1, _EAST_LONGEST + 1):
                yield from (word[at : at + size] for at in range(len(word) - size + 1))
            continue
        yield from _beginnings(word)
        if before:
            yield f"{before}_{word[:_PAIR]}"
        before = word[:_PAIR]


@lru_cache(maxsize=20_000)
def _beginnings(word: str) -> tuple[str, ...]:
    return (f"^{word}$", *("^" + word[:size] for size in _PREFIXES if len(word) >= size))
