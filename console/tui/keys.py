"""The one table of verbs as Textual's bindings: a screen or widget takes its keys from here, each with the id that a
keymap file names. Words, help, footer and palette come from the same rows (`present.keytable`)."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from console.present.keytable import GROUPS, NO_KEY, ROWS, Row, find, key, keys_of, label, labels, rows

__all__ = ["GROUPS", "NO_KEY", "ROWS", "Row", "bindings", "digits", "find", "key", "keys_of", "label", "labels", "rows"]


def bindings(where: str) -> list[BindingType]:
    """BINDINGS of a screen ("desk", "review", "board", "night", "welcome"), of a part ("list", "text", "diff"), or of
    the app ("app"). A verb on no key has its id on a key that no terminal sends, so that a keymap can give it one."""
    return [
        Binding(
            row.keys or NO_KEY,
            row.action,
            row.title,
            show=False,
            priority=row.priority,
            id=None if row.fixed else row.id,
        )
        for row in rows(where)
        if row.action
    ]


def digits(action: str) -> list[BindingType]:
    """1 to 9, which no keymap moves: they choose what stands beside them."""
    return [Binding(str(i), f"{action}({i})", str(i), show=False) for i in range(1, 10)]
