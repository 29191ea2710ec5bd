"""From the score to the verdict: the category, the rule, the words, and what a person is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from console.core.deciding.asking import options_of, question_of
from console.core.deciding.reading import Reading, read
from console.core.deciding.rules import ENOUGH_TEXT, FAINT, PARKS_AT, QUIET, SPOKEN_AT
from console.core.deciding.scoring import Score, Signal, score
from console.core.records import Category, Decision, TextVerdict

_MOST_EVIDENCE = 5
_SHOWN = 120
_GRAVE: tuple[Category, ...] = ("destructive", "security", "money", "schema", "api", "ambiguity")


def judge(title: str, body: str, hint: str = "", *, first_line: int = 1) -> TextVerdict:
    """The verdict on a ticket's text. hint: `blast_radius` of its front matter ("", low, medium, high, foundational),
    which only raises caution. first_line: the body's first line in its file, for the evidence. Any text is good; only
    the first 12,000 characters of prose are weighed."""
    reading = read(title, body, first_line)
    found = score(reading)
    announced = _announced(found)
    parking = _parking(found)
    if parking:
        return _park(reading, found, parking, announced)
    if hint == "foundational":
        return _by_hint("its front matter says foundational: a person decides", reading, announced)
    if hint == "high" and announced:
        return _by_hint(f"its front matter says high, and the text speaks of {announced[0]}", reading, announced)
    if _is_unknown(reading, found):
        return _unknown(reading, announced)
    return TextVerdict(rule="nothing-for-a-person", why=_why_not(found, announced), announced=announced)


def _is_unknown(reading: Reading, found: Score) -> bool:
    """No word of the lists says what kind of work this is, though there is enough text to say it."""
    return found.harmless <= FAINT and reading.weight >= ENOUGH_TEXT


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


def _parking(found: Score) -> Category:
    """The heaviest category that parks; "" for none. Ambiguity gives way to what the doubt is about."""
    enough = PARKS_AT if found.against else PARKS_AT - QUIET
    over = [c for c in found.totals if found.totals[c] >= enough]
    if not over:
        return ""
    return max(over, key=lambda c: (round(found.totals[c], 3), -_GRAVE.index(c)))


def _park(reading: Reading, found: Score, category: Category, announced: tuple[str, ...]) -> TextVerdict:
    signals = found.signals[category]
    first = signals[0]
    words = " and ".join(f'"{word}"' for word in dict.fromkeys(first.words))
    where = f"line {first.sentence.line}" if first.sentence.line else "the title"
    return TextVerdict(
        decision="PARK",
        category=category,
        rule=first.rule.name,
        why=f"{where} speaks of {words}: {_ABOUT[category]}",
        evidence=_evidence(signals),
        question=question_of(category, reading),
        options=options_of(category, reading),
        announced=announced,
    )


_ABOUT: dict[Category, str] = {
    "schema": "how data is stored would change",
    "api": "what others call or parse would change",
    "security": "who may do or see what would change",
    "money": "what somebody pays or is paid would change",
    "destructive": "something would be gone that cannot be brought back",
    "ambiguity": "what is wanted is not settled",
}


def _evidence(signals: list[Signal]) -> tuple[str, ...]:
    lines: dict[int, str] = {}
    for signal in signals:
        lines.setdefault(signal.sentence.line, signal.sentence.shown[:_SHOWN])
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


def _why_not(found: Score, announced: tuple[str, ...]) -> str:
    if not announced:
        return "nothing in its text calls for a person's decision"
    plain = next(iter(found.against.values()), "")
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
