"""Long lines folded to a number of cells. Pure; what comes back is clean."""

from __future__ import annotations

from console.present.text import Sgr, clean, prefix, width


def folded(line: str, cells: int, indent: str = "   ", sgr: Sgr = "show") -> list[str]:
    """One line in pieces of at most `cells`, cut at a blank where that is not wasteful; all but the first indented."""
    out: list[str] = []
    rest, before = clean(line, sgr=sgr), ""
    while width(before + rest) > cells > 8:
        piece = prefix(rest, cells - len(before)) or rest[:1]
        blank = piece.rfind(" ")
        piece = piece[: blank + 1] if blank > len(piece) // 2 else piece
        out.append(before + piece.rstrip())
        rest, before = rest[len(piece) :], indent
    return [*out, before + rest]
