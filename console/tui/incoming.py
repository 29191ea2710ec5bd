"""What a terminal sends, taken apart before the library's parser: answers to queries are dropped, a paste is one thing,
and so is text that comes in one read like a paste without brackets. Whatever is left is keys, mouse and resizes.

The library's parser turns answers that it does not know, or that come in two reads, into keys, and so it does with
escape sequences inside of a paste. Pure: bytes are read and events are made by `driver`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

ESC = "\x1b"
BEGIN, END = "\x1b[200~", "\x1b[201~"
ANSWER = 1.0
"""Seconds that the rest of a sequence may take; what has begun like an answer and does not end is dropped then."""
PASTE = 3.0
"""Seconds without anything more after which a paste that was begun is over."""
MANY = 3
"""Characters in one read that are no typing."""
GOES_ON = 0.15
"""Seconds within which what follows such a read belongs to it."""
LONGEST = 1 << 20
"""Characters of a paste that are kept."""

_CSI = re.compile(r"\x1b\[([0-?]*)([ -/]*)([@-~])")
_CSI_CUT = re.compile(r"\x1b\[[0-?]*[ -/]*\Z")
_STRING = re.compile(r"\x1b[\]P_^X][^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)")
_STRING_CUT = re.compile(r"\x1b[\]P_^X][^\x07\x1b\x9c]*\x1b?\Z")
_STRING_BROKEN = re.compile(r"\x1b[\]P_^X][^\x07\x1b\x9c]*(?=\x1b)")
_CONSOLE = re.compile(r"\x1b\[\[[A-E]")
"""F1 to F5 of the Linux console."""
_MODE = re.compile(r"\?\d+;\d\Z")
_KEY = re.compile(r"(?:[\d:]*;?){2,3}\Z")


_SEVEN_BIT = {
    ord(short): long for short, long in zip("\x90\x9b\x9d\x9c", ("\x1bP", "\x1b[", "\x1b]", "\x1b\\"), strict=True)
}
"""The short forms of what begins and ends a sequence."""


@dataclass(frozen=True, slots=True)
class Keys:
    """To be parsed as ever: whole sequences only."""

    text: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """Between the brackets of a paste."""

    text: str


@dataclass(frozen=True, slots=True)
class Burst:
    """Came at once and without brackets: typing, a paste, or keys that piled up on the line. A field takes it."""

    text: str


Piece = Keys | Pasted | Burst


class Incoming:
    """moves: the characters that move a selection; many of one of them are a key that is held. Times are seconds of one
    monotonic clock."""

    def __init__(self, moves: Callable[[], Collection[str]] = lambda: "jk") -> None:
        self._moves = moves
        self._held = ""
        self._since = 0.0
        self._paste: list[str] | None = None
        self._burst_at = -GOES_ON

    def feed(self, text: str, now: float) -> list[Piece]:
        """What came in one read."""
        data, self._held = self._held + (text if self._paste is not None else text.translate(_SEVEN_BIT)), ""
        found = list(self._pieces(data))
        self._since = now
        plain = "".join(piece.text for piece in found if isinstance(piece, Keys) and piece.text[0] != ESC)
        if not self._comes_at_once(plain, now):
            return found
        rest: list[Piece] = [piece for piece in found if not isinstance(piece, Keys) or piece.text[0] == ESC]
        return [Burst(plain), *rest]

    def idle(self, now: float) -> list[Piece]:
        """Nothing came for a moment: what is held is a key of its own, or it is dropped when it is old."""
        if self._paste is not None:
            if now - self._since < PASTE:
                return []
            text, self._paste, self._held = "".join(self._paste) + self._held, None, ""
            return [Pasted(text)]
        held = self._held
        if held and len(held) <= 2:
            self._held = ""
            return [] if held[1:] in ("[", "]") else [Keys(held)]  # more likely an answer in two parts than Alt
        if held and now - self._since >= ANSWER:
            self._held = ""
        return []

    def _comes_at_once(self, plain: str, now: float) -> bool:
        typed = [char for char in plain if char.isprintable() or char in "\r\n\t"]
        held = len(set(typed)) == 1 and typed[0] in self._moves()
        many = len(typed) >= MANY and not held
        if not many and not (typed and now - self._burst_at < GOES_ON):
            return False
        self._burst_at = now
        return True

    def _pieces(self, data: str) -> Iterator[Piece]:
        at = 0
        while at < len(data):
            if self._paste is not None:
                end = data.find(END, at)
                if end < 0:
                    kept = _tail(data[at:])
                    self._paste.append(data[at : len(data) - len(kept)][:LONGEST])
                    self._held = kept
                    return
                yield Pasted(("".join(self._paste) + data[at:end])[:LONGEST])
                self._paste, at = None, end + len(END)
            elif data[at] != ESC:
                end = data.find(ESC, at)
                end = len(data) if end < 0 else end
                if plain := "".join(char for char in data[at:end] if not "\x80" <= char <= "\x9f"):
                    yield Keys(plain)
                at = end
            else:
                end, key = _sequence(data, at)
                if end < 0:
                    self._held = data[at:] if len(data) - at < 4096 else data[at : at + 2] + "." + data[-1]
                    return
                if key == BEGIN:
                    self._paste = []
                elif key:
                    yield Keys(key)
                at = end


def _tail(text: str) -> str:
    """The end of `text` that may be the beginning of the end of a paste."""
    return next(
        (text[-size:] for size in range(min(len(END) - 1, len(text)), 0, -1) if END.startswith(text[-size:])), ""
    )


def _sequence(data: str, at: int) -> tuple[int, str]:
    """Where the sequence that begins here ends (-1: not in `data`), and what the parser gets of it, "" for nothing."""
    if len(data) - at == 1 or (len(data) - at == 2 and data[at + 1] in "O["):
        return -1, ""
    after = data[at + 1]
    if after == ESC:
        return at + 1, ESC
    if after in "]P_^X":
        for whole in (_STRING, _STRING_BROKEN):
            if found := whole.match(data, at):
                return (-1, "") if whole is _STRING_BROKEN and _STRING_CUT.match(data, at) else (found.end(), "")
        return -1, ""
    if after == "O":
        return at + 3, data[at : at + 3]
    if after != "[":
        return at + 2, data[at : at + 2]
    if data.startswith("\x1b[[", at):
        console = _CONSOLE.match(data, at)
        return (console.end(), console[0]) if console else (-1, "") if len(data) - at == 3 else (at + 3, "")
    if data.startswith("\x1b[M", at):  # an old mouse report: three more characters
        return (at + 6, data[at : at + 6]) if len(data) - at >= 6 else (-1, "")
    if found := _CSI.match(data, at):
        return found.end(), found[0] if _for_parser(found) else ""
    return (-1, "") if _CSI_CUT.match(data, at) else (at + 2, "")


def _for_parser(found: re.Match[str]) -> bool:
    """Whether a control sequence is a key, the mouse, the focus, a resize, or an answer that the library waits for."""
    whole, given, between, last = found[0], found[1], found[2], found[3]
    if whole == BEGIN or whole in ANSI_SEQUENCES_KEYS:
        return last != "R"
    if last == "y":
        return between == "$" and bool(_MODE.match(given))
    if between or whole == END:
        return False
    if last in "Mm":
        return given.startswith("<")
    if last == "t":
        return given.startswith("48;")
    if last in "IO":
        return not given
    return last in "u~ABCDEFHPQS" and bool(_KEY.match(given))
