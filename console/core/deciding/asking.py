"""What a person is asked about a parked ticket, and the readings to choose from."""

from __future__ import annotations

import re

from console.core.deciding.reading import Reading
from console.core.records import Category

_QUESTIONS: dict[Category, str] = {
    "schema": "May the stored data change as the ticket says, and what becomes of the rows that are there?",
    "api": "May callers see this change now, and how long shall the old form go on working?",
    "security": "Who exactly may do or see this from now on, and who must not?",
    "money": "Which amounts shall change, for whom, and from when?",
    "destructive": "May this be deleted for good, exactly what, and is there a copy to go back to?",
    "ambiguity": "What exactly shall be built?",
    "": "Shall this be built as it is written?",
}
_READINGS: dict[Category, tuple[str, ...]] = {
    "schema": (
        "change the stored data in one migration that can be undone",
        "only add beside what is there; convert the rows in a later step",
        "leave the stored data alone and do it in code",
    ),
    "api": (
        "keep the old form working beside the new one, marked as deprecated",
        "break with the old form in this change",
    ),
    "security": (
        "make the rule stricter as written",
        "write the plan and the tests first; a person looks before the rule changes",
    ),
    "money": (
        "apply the new amounts to new transactions only",
        "apply them to what is open already as well",
    ),
    "destructive": (
        "write it so that it only lists what it would delete; a person runs it",
        "archive instead of deleting",
        "delete for good, as written",
    ),
    "ambiguity": ("build the smallest reading of the title", "leave it until the text says what is wanted"),
    "": ("build it as written", "leave it"),
}
_EITHER = re.compile(
    r"\b(?:either|whether (?:we should |to |it should )?|entweder|soit|ou bien|o bien|czy|либо)\s+"
    r"(.{3,160}?),?\s+(?:or|oder|ou|soit|o|albo|czy|либо|или)\s+(.{3,160})",
    re.I,
)
_OR = re.compile(r"^(.{4,160}?),?\s+(?:or|oder|ou|oppure|o|albo|lub|czy|или|либо)\s+(.{4,160})\?", re.I)
_EAST_OR = re.compile(r"^(.{2,80}?)[,，、]?\s?(?:还是|或者|それとも|または|아니면|또는)\s?(.{2,80})")
_LETTERED = re.compile(r"^(?:[-*+]\s+)?(?:option\s+)?\(?([a-e1-5])[).:]\s+(.{3,200})", re.I)
_MOST = 3


def question_of(category: Category, reading: Reading) -> str:
    """The exact question; an open one that the text asks itself goes before it."""
    if category == "ambiguity":
        asked = next((s.shown for s in reading.sentences if s.shown.endswith(("?", "？"))), "")
        if asked:
            return asked[:300]
    return _QUESTIONS[category]


def options_of(category: Category, reading: Reading) -> tuple[str, ...]:
    """Two or three readings: those that the text offers itself, else those of the category."""
    offered = _lettered(reading) or _alternatives(reading)
    return offered if len(offered) >= 2 else _READINGS[category]


def _lettered(reading: Reading) -> tuple[str, ...]:
    found = [(m[1].lower(), m[2].strip()) for s in reading.sentences if (m := _LETTERED.match(s.shown))]
    letters = [letter for letter, _ in found]
    # Numbered lines are steps more often than alternatives.
    return tuple(text for _, text in found[:_MOST]) if letters[:2] == ["a", "b"] else ()


def _alternatives(reading: Reading) -> tuple[str, ...]:
    for sentence in reading.sentences:
        text = sentence.shown[:400]
        if found := _EITHER.search(text) or _OR.match(text) or (_EAST_OR.match(text) if "?" in text else None):
            return tuple(part.strip(" ?.,;") for part in found.groups())
    return ()
