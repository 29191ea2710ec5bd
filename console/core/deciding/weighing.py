"""Weighs a whole ticket: how much its signs and its words, taken together, speak for a person's decision.

The weights are data, fitted to labelled tickets (weights_signs, weights_words); this room only adds them up, and keeps
apart what spoke for which category, so that the verdict can say it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from console.core.deciding.features import shares_of, signs_of, words_of
from console.core.deciding.reading import Reading, Sentence
from console.core.deciding.scoring import Score
from console.core.deciding.weights_signs import BIAS, SIGNS
from console.core.deciding.weights_words import WORDS
from console.core.records import Category

_WORD = re.compile(r"[^\W\d_]+")
_LONGER_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,}")
_EAST_PAIR = re.compile(r"(?=([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}))")


@dataclass(frozen=True, slots=True)
class Weighed:
    """margin: above nought for a person's decision. said: part of a word -> what it adds, the heaviest first."""

    margin: float
    said: dict[str, float]

    def by_category(self) -> dict[Category, float]:
        """What the words add for each category that they speak for."""
        sums: dict[Category, float] = {}
        for part, adds in self.said.items():
            if adds > 0:
                category = _category(part)
                sums[category] = sums.get(category, 0.0) + adds
        return sums


@cache
def _vocabulary() -> dict[str, tuple[float, str]]:
    return {
        part: (hundredths / 100, category)
        for category, by_weight in WORDS.items()
        for hundredths, parts in by_weight.items()
        for part in parts.split()
    }


def _category(part: str) -> Category:
    category = _vocabulary()[part][1]
    match category:
        case "schema" | "api" | "security" | "money" | "destructive" | "ambiguity":
            return category
        case _:
            return ""


def weigh(reading: Reading, found: Score) -> Weighed:
    """Both sums, and the words behind the second."""
    vocabulary = _vocabulary()
    known = shares_of({part: value for part, value in words_of(reading).items() if part in vocabulary})
    said = {part: vocabulary[part][0] * share for part, share in known.items()}
    signs = sum(SIGNS.get(name, 0.0) * value for name, value in signs_of(reading, found).items())
    ordered = dict(sorted(said.items(), key=lambda item: (-abs(item[1]), item[0])))
    return Weighed(BIAS + signs + sum(said.values()), ordered)


def familiar(reading: Reading) -> float:
    """The share of the text's longer words (in East Asian scripts: pairs) of which anything is known."""
    text = " ".join(sentence.text for sentence in reading.sentences)
    east, west = {m[1] for m in _EAST_PAIR.finditer(text)}, set(_LONGER_WORD.findall(text))
    known = len(east & _vocabulary().keys()) + sum(_is_known(word) for word in west)
    return known / (len(east) + len(west) or 1)


def _is_known(word: str) -> bool:
    vocabulary = _vocabulary()
    return f"^{word}$" in vocabulary or any(f"^{word[:size]}" in vocabulary for size in (5, 6, 8) if len(word) >= size)


def words_for(reading: Reading, weighed: Weighed, category: Category, most: int) -> list[tuple[Sentence, str]]:
    """The words of the text that speak most for a category ("" for plain work), each with its first sentence."""
    found: dict[str, tuple[Sentence, str]] = {}
    telling = sorted(weighed.said.items(), key=lambda item: _is_short(item[0]))
    for part, adds in telling:
        if len(found) == most:
            break
        if (adds > 0) == bool(category) and adds and _category(part) == category:
            place = _place(part, reading)
            if place and not any(place[1] in known or known in place[1] for known in found):
                found[place[1]] = place
    return list(found.values())


def _is_short(part: str) -> bool:
    """An article or the like: such a word weighs, and is named only when there is no other."""
    return part[0] == "^" and len(part.strip("^$")) < 4


def _place(part: str, reading: Reading) -> tuple[Sentence, str] | None:
    first, _, second = part.removeprefix("^").partition("_")
    for sentence in reading.sentences:
        if part[0] not in "^" and "_" not in part:
            if part in sentence.text:
                return sentence, part
            continue
        words = [m[0] for m in _WORD.finditer(sentence.text)]
        for at, word in enumerate(words):
            if not _fits(first, word):
                continue
            if not second:
                return sentence, word
            if at + 1 < len(words) and words[at + 1].startswith(second):
                return sentence, f"{word} {words[at + 1]}"
    return None


def _fits(part: str, word: str) -> bool:
    return word == part[:-1] if part.endswith("$") else word.startswith(part)
