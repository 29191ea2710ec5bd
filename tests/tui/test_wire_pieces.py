"""What goes to the terminal at once."""

from __future__ import annotations

from console.terminal.wire import _piece


def test_what_is_written_at_once_ends_with_a_whole_character() -> None:
    text = "│─é漢👩x".encode() * 50
    for most in range(4, 40):
        rest, pieces = text, []
        while rest:
            pieces.append(_piece(rest, most))
            rest = rest[len(pieces[-1]) :]
        assert b"".join(pieces) == text
        assert all(piece.decode() and len(piece) <= most for piece in pieces)


def test_what_is_no_text_at_all_goes_on_too() -> None:
    assert _piece(b"\x80" * 9, 4) == b"\x80" * 4
