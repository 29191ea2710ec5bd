"""What an agent said and did, put together from the entries of its transcript: streamed text joined, the entries of one
tool call made one. Pure. Nothing here is cleaned: whoever shows it does that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Entry = Mapping[str, Any]
State = Literal["", "open", "done", "failed", "left"]
"""Of a tool call. left: its turn ended and nobody said how the call did."""

STREAMED = frozenset({"text", "thought", "line", "user"})
STATES: dict[str, State] = {"completed": "done", "success": "done", "failed": "failed", "error": "failed"}
GIVEN = ("command", "cmd", "file_path", "filePath", "path", "absolute_path", "pattern", "query", "url")
"""Keys of a tool's input that say best what it does."""
KEPT = 64 * 1024
"""Characters of one piece that are kept; the file has the rest."""


@dataclass(slots=True)
class Piece:
    """at, upto: Unix seconds of its first and last entry. key: the first entry's number. Of a tool call: state, limit
    (seconds that its input names, 0 for none), given (its input or first text) and text (what it showed last)."""

    kind: str
    at: float
    key: int
    upto: float = 0.0
    text: str = ""
    name: str = ""
    id: str = ""
    state: State = ""
    limit: float = 0.0
    given: str = ""
    paths: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """From its first to its last entry."""
        return max(0.0, self.upto - self.at)


def text_of(value: object) -> str:
    """A field that somebody else wrote, as text."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def number_of(value: object) -> float | None:
    """A field that should be a number and not less than nothing, None when it is not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        return None
    return float(value)


def together(entries: Iterable[Entry]) -> list[Piece]:
    """The pieces, in the order in which they began."""
    found: list[Piece] = []
    calls: dict[str, Piece] = {}
    for index, entry in enumerate(entries):
        kind, at = text_of(entry.get("kind")), number_of(entry.get("at")) or 0.0
        last = found[-1] if found else None
        if kind in ("turn-start", "turn-end", "ended"):
            _leave(calls)
        if kind == "tool":
            _called(found, calls, entry, at, index)
        elif kind in STREAMED and last and last.kind == kind and len(last.text) < KEPT:
            last.text += text_of(entry.get("text"))
            last.upto = at
        else:
            found.append(_piece(kind, entry, at, index))
    return found


def _piece(kind: str, entry: Entry, at: float, index: int) -> Piece:
    number = entry.get("n")
    key = number if isinstance(number, int) else index
    return Piece(kind=kind, at=at, upto=at, key=key, text=text_of(entry.get("text")), fields=entry)


def _leave(calls: dict[str, Piece]) -> None:
    for piece in calls.values():
        piece.state = "left"
    calls.clear()


def _called(found: list[Piece], calls: dict[str, Piece], entry: Entry, at: float, index: int) -> None:
    """One entry of a tool call: its first, or more of one that is open."""
    name, text, ident = (text_of(entry.get(key)) for key in ("tool", "text", "id"))
    key = ident or name
    piece = calls.get(key)
    if piece is None:
        piece = _piece("tool", entry, at, index)
        piece.id, piece.state, piece.given, piece.text = ident, "open", text, ""
        calls[key] = piece
        found.append(piece)
    elif text:
        piece.text = text
    piece.upto = at
    piece.name = name if name and name != ident else piece.name or name
    piece.paths = text_of(entry.get("paths")) or piece.paths
    piece.limit = number_of(entry.get("limit")) or piece.limit or _limit(piece.given)
    if state := STATES.get(text_of(entry.get("status"))):
        piece.state = state
        calls.pop(key, None)


# -- what a tool call is about -----------------------------------------------------------------------------


def _given(text: str) -> Mapping[str, Any]:
    if not text.startswith("{"):
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _limit(given: str) -> float:
    """Seconds, as the watchdog reads them: `timeout` is milliseconds from a thousand on."""
    known = _given(given)
    for key, unit in (("timeout_ms", 0.001), ("timeoutMs", 0.001), ("timeout", 0.0)):
        value = number_of(known.get(key))
        if value:
            return value * (unit or (0.001 if value >= 1000 else 1.0))
    return 0.0


def call_name(piece: Piece) -> str:
    """A tool call in words: its name, and what it was given when the name does not say it."""
    known = _given(piece.given)
    about = next((text_of(known[key]) for key in GIVEN if known.get(key)), "") or piece.paths.partition("\n")[0]
    name = piece.name or piece.id or "a tool"
    short = about.rpartition("/")[2] or about
    return name if not about or short in name or short[:20] in name else f"{name} {about}"


def output_of(piece: Piece) -> Sequence[str]:
    """The lines that a tool call showed, without the path that its name has already."""
    text = piece.text or ("" if _given(piece.given) else piece.given)
    lines = text.strip("\n").split("\n") if text.strip() else []
    first = lines[0].strip().partition(" (")[0] if lines else ""
    named = first and (first in piece.paths.split("\n") or ("/" in first and first.rpartition("/")[2] in piece.name))
    return lines[1:] if named else lines


# -- plans -------------------------------------------------------------------------------------------------

Mark = Literal["done", "doing", "todo"]
_MARKS: dict[str, Mark] = {"completed": "done", "done": "done", "in_progress": "doing", "doing": "doing"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the agent's own plan; the text is as it wrote it."""

    mark: Mark
    text: str


def steps_of(text: str) -> tuple[Step, ...]:
    """A `plan` entry's text: one "status: step" a line."""
    found = []
    for line in text.split("\n"):
        status, colon, step = line.partition(": ")
        if colon and step.strip():
            found.append(Step(_MARKS.get(status.strip(), "todo"), step.strip()))
    return tuple(found)
