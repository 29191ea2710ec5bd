"""From the score to the verdict: the category, the rule, the words, and what a person is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from console.core.deciding.asking import options_of, question_of
from console.core.deciding.reading import Reading, Sentence, read
from console.core.deciding.rules import ENOUGH_TEXT, FAINT, OPEN, PARKS_AT, SPOKEN_AT, UNFAMILIAR, WORDS_COUNT
from console.core.deciding.scoring import Score, score
from console.core.deciding.weighing import Weighed, familiar, weigh, words_for
from console.core.records import Category, Decision, TextVerdict

_MOST_EVIDENCE = 5
_MOST_WORDS = 3
_SHOWN = 120
_GRAVE: tuple[Category, ...] = ("destructive", "security", "money", "schema", "api", "ambiguity")


def judge(title: str, body: str, hint: str = "", *, first_line: int = 1) -> TextVerdict:
    """The verdict on a ticket's text. hint: `blast_radius` of its front matter ("", low, medium, high, foundational),
    which only raises caution. first_line: the body's first line in its file, for the evidence. Any text is good; only
    the first 12,000 characters of prose are weighed."""
    reading = read(title, body, first_line)
    found = score(reading)
    weighed = weigh(reading, found)
    announced = _announced(found)
    if (weighed.margin >= PARKS_AT or OPEN in found.spoken) and (grounds := _grounds(reading, found, weighed)):
        return _park(reading, grounds, announced)
    if hint == "foundational":
        return _by_hint("its front matter says foundational: a person decides", reading, announced)
    if hint == "high" and announced:
        return _by_hint(f"its front matter says high, and the text speaks of {announced[0]}", reading, announced)
    if _is_unknown(reading, found):
        return _unknown(reading, announced)
    why = _why_not(reading, found, weighed, announced)
    return TextVerdict(rule="nothing-for-a-person", why=why, announced=announced)


def _is_unknown(reading: Reading, found: Score) -> bool:
    """No list and hardly a word known from other tickets says what kind of work this is, and there is enough text."""
    silent = not found.raw and found.harmless <= FAINT and reading.weight >= ENOUGH_TEXT
    return silent and familiar(reading) <= UNFAMILIAR


def _unknown(reading: Reading, announced: tuple[str, ...]) -> TextVerdict:
    why = "nothing in its text says what kind of work this is, neither harmless nor grave"
    return TextVerdict(
        decision="PARK",
        category="ambiguity",
        rule="unclassifiable",
        why=why,
        question=question_of("", reading),
        options=options_of("", reading),
        announced=announced,
    )


def _announced(found: Score) -> tuple[str, ...]:
    spoken = [c for c in found.raw if found.raw[c] >= SPOKEN_AT and found.totals[c] > 0]
    return tuple(sorted(spoken, key=lambda c: (-found.totals[c], _GRAVE.index(c))))


def _parking(found: Score, weighed: Weighed) -> Category:
    """The category that most speaks for: by what its rules and its words add."""
    words = weighed.by_category()
    sums = {c: found.raw.get(c, 0.0) + WORDS_COUNT * words.get(c, 0.0) for c in _GRAVE}
    return max(_GRAVE, key=lambda c: (round(sums[c], 3), -_GRAVE.index(c)))


@dataclass(frozen=True, slots=True)
class _Grounds:
    """rule: the heaviest that held, else "CATEGORY-words"; words: those it went by, in `places`' first sentence;
    also: other words that weigh for the category."""

    category: Category
    rule: str
    words: tuple[str, ...]
    places: tuple[Sentence, ...]
    also: tuple[str, ...]


def _grounds(reading: Reading, found: Score, weighed: Weighed) -> _Grounds | None:
    """What a park goes by; None when nothing in the text can be named."""
    category = _parking(found, weighed)
    signals = found.signals.get(category, [])
    said = words_for(reading, weighed, category, _MOST_WORDS)
    places = (*(signal.sentence for signal in signals), *(sentence for sentence, _ in said))
    if not places:
        return None
    rule = signals[0].rule.name if signals else f"{category}-words"
    words = signals[0].words if signals else tuple(word for sentence, word in said if sentence is places[0])
    also = tuple(word for _, word in said if not any(word in known or known in word for known in words))
    return _Grounds(category, rule, words, places, also)


def _park(reading: Reading, grounds: _Grounds, announced: tuple[str, ...]) -> TextVerdict:
    return TextVerdict(
        decision="PARK",
        category=grounds.category,
        rule=grounds.rule,
        why=_why(grounds),
        evidence=_evidence(grounds.places),
        question=question_of(grounds.category, reading),
        options=options_of(grounds.category, reading),
        announced=announced,
    )


def _why(grounds: _Grounds) -> str:
    line = grounds.places[0].line
    where = f"line {line}" if line else "the title"
    quoted = " and ".join(f'"{word}"' for word in dict.fromkeys(grounds.words))
    more = ", ".join(f'"{word}"' for word in grounds.also)
    return f"{where} speaks of {quoted}{f', the text also of {more}' if more else ''}: {_ABOUT[grounds.category]}"


_ABOUT: dict[Category, str] = {
    "schema": "how data is stored would change",
    "api": "what others call or parse would change",
    "security": "who may do or see what would change",
    "money": "what somebody pays or is paid would change",
    "destructive": "something would be gone that cannot be brought back",
    "ambiguity": "what is wanted is not settled",
}


def _evidence(sentences: tuple[Sentence, ...]) -> tuple[str, ...]:
    lines: dict[int, str] = {}
    for sentence in sentences:
        lines.setdefault(sentence.line, sentence.shown[:_SHOWN])
    picked = list(lines.items())[:_MOST_EVIDENCE]
    return tuple(f"line {number}: {text}" if number else f"title: {text}" for number, text in sorted(picked))


def _by_hint(why: str, reading: Reading, announced: tuple[str, ...]) -> TextVerdict:
    category = cast(Category, announced[0] if announced else "")
    return TextVerdict(
        decision="PARK",
        category=category,
        rule="hint",
        why=why,
        question=question_of(category, reading),
        options=options_of(category, reading),
        announced=announced,
    )


def _why_not(reading: Reading, found: Score, weighed: Weighed, announced: tuple[str, ...]) -> str:
    if not announced:
        return "nothing in its text calls for a person's decision"
    plain = next(iter(found.against.values()), "") or next((w for _, w in words_for(reading, weighed, "", 1)), "")
    because = f', and "{plain}" says that the work is elsewhere' if plain else ", but too faintly to wait for a person"
    return f"its text touches on {announced[0]}{because}"


def overridden(verdict: TextVerdict, ticket: str, overrides: Mapping[str, Decision]) -> TextVerdict:
    """The verdict after the settings' `decide:`; the ticket's id beats its category. What was found stays."""
    for key in (ticket, verdict.category):
        if key and key in overrides:
            decision = overrides[key]
            why = f"the settings say {decision} for {key}"
            return TextVerdict(
                decision=decision,
                category=verdict.category,
                rule="override",
                why=why,
                evidence=verdict.evidence,
                question=verdict.question if decision == "PARK" else "",
                options=verdict.options if decision == "PARK" else (),
                announced=verdict.announced,
            )
    return verdict
