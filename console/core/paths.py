"""A file's name of any bytes as text, for records that are JSON, and back. Shows nothing: `shown` is for eyes."""

from __future__ import annotations

import re

_LETTERS = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_BYTES = {letter: byte for byte, letter in _LETTERS.items()}
_QUOTED = re.compile(r'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"', re.DOTALL | re.ASCII)
_PART = re.compile(r"\\([0-7]{3}|.)|([^\\]+)", re.DOTALL)


def text_of(raw: bytes) -> str:
    """The name itself when it is UTF-8 and does not begin with a quotation mark; else as git quotes it (`"a\\377b"`,
    `core.quotePath`). No two names have one text."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return quoted(raw)
    return quoted(raw) if text.startswith('"') else text


def bytes_of(text: str) -> bytes:
    """The name that `text_of` wrote. Raises ValueError for a text that it never writes."""
    raw = text.encode() if not text.startswith('"') else _unquoted(text)
    if raw is None or text_of(raw) != text:
        raise ValueError(f"{text!r} is no quoted name")
    return raw


def typed(text: str) -> bytes:
    """The name that a person means: as git prints it when it quotes, whether it had to or not; else as it stands."""
    raw = _unquoted(text)
    return text.encode("utf-8", "surrogateescape") if raw is None else raw


def _unquoted(text: str) -> bytes | None:
    found = _QUOTED.fullmatch(text)
    return b"".join(_part(*match.groups()) for match in _PART.finditer(found[1])) if found else None


def _part(escape: str | None, plain: str | None) -> bytes:
    if plain is not None:
        return plain.encode()
    assert escape is not None
    return bytes([_BYTES[escape] if escape in _BYTES else int(escape, 8)])


def quoted(raw: bytes) -> str:
    """Git's C-quoted form, in quotation marks whether it needs them or not."""
    return '"' + "".join(map(_escaped, raw)) + '"'


def _escaped(byte: int) -> str:
    if byte in _LETTERS:
        return f"\\{_LETTERS[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
