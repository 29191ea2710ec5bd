"""Front-matter keys -> the parts of a ticket's record. One small rule a key; each problem says the cure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from console.adapters.tickets.frontmatter import Value, Wrong
from console.adapters.tickets.ids import ticket_id
from console.core.records import Gate
from console.core.settings import seconds, split_command

RADII = ("low", "medium", "high", "foundational")
PRIORITIES = {
    **{"urgent": 20, "high": 10, "medium": 0, "normal": 0, "low": -10},
    **{"p0": 20, "p1": 10, "p2": 0, "p3": -10, "p4": -20},
}
TRUE, FALSE = ("true", "yes", "on"), ("false", "no", "off")
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
LONGEST = 7 * 24 * 3600.0
MOST_ATTEMPTS = 100


class Bad(Exception):
    """A value that cannot be used: what it must be."""


Keys = Mapping[str, tuple[int, Value]]


def read_fields(keys: Keys) -> tuple[dict[str, Any], list[Wrong]]:
    """What the known keys say, by their names here, and what is wrong with them. Absent and empty keys are left out."""
    found: dict[str, Any] = {}
    problems: list[Wrong] = []
    for name, rule in RULES.items():
        if name not in keys or keys[name][1].kind == "null":
            continue
        line, value = keys[name]
        try:
            found[name] = rule(value)
        except Bad as bad:
            problems.append((line, f"`{name}` {bad}"))
    return found, problems


def _text(value: Value) -> str:
    if value.kind != "text":
        raise Bad("must be one text")
    if "\0" in value.text or any("\ud800" <= char <= "\udfff" for char in value.text):
        raise Bad("holds a character that is no text; take it out")
    return value.text.strip()


def _texts(value: Value) -> tuple[str, ...]:
    if value.kind == "text":
        return tuple(part for part in (_text(value),) if part)
    if value.kind != "list" or any(item.kind not in ("text", "null") for item in value.items):
        raise Bad("must be a text or a list of texts")
    return tuple(part for item in value.items if item.kind == "text" and (part := _text(item)))


def _gate(value: Value) -> Gate | None:
    words: Any = [_text(item) for item in value.items] if value.kind == "list" else _text(value)
    if not words:
        return None
    argv = split_command(words)
    if isinstance(argv, str):
        raise Bad(argv)
    return Gate(argv=argv)


def _radius(value: Value) -> str:
    word = _text(value).casefold()
    if word and word not in RADII:
        raise Bad(f"must be one of {', '.join(RADII)}")
    return word


def _priority(value: Value) -> int:
    """A word that means nothing here (another tool's) is the middle."""
    if value.kind != "text":
        return 0
    word = value.text.strip().casefold()
    return int(word) if WHOLE.fullmatch(word) else PRIORITIES.get(word, 0)


def _attempts(value: Value) -> int:
    word = _text(value)
    if not WHOLE.fullmatch(word) or not 1 <= int(word) <= MOST_ATTEMPTS:
        raise Bad(f"must be a whole number from 1 to {MOST_ATTEMPTS}")
    return int(word)


def _timeout(value: Value) -> float:
    length = seconds(_text(value))
    if not length or length > LONGEST:
        raise Bad('must be a duration with its unit, such as "30s", "5m" or "1h"')
    return length


def _review(value: Value) -> bool:
    word = _text(value).casefold()
    if word not in (*TRUE, *FALSE):
        raise Bad("must be true or false")
    return word in TRUE


def _dependencies(value: Value) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ticket_id(part) for part in _texts(value)))


RULES: dict[str, Callable[[Value], Any]] = {
    "id": _text,
    "title": _text,
    "agent": _text,
    "gate": _gate,
    "blast_radius": _radius,
    "paths": _texts,
    "depends_on": _dependencies,
    "priority": _priority,
    "attempts": _attempts,
    "timeout": _timeout,
    "review": _review,
}
