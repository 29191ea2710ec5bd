"""Every row of the fault matrix has a test, and no test names a row that there is not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import matrix

TESTS = Path(__file__).resolve().parents[1]


def marked() -> Iterator[tuple[str, str]]:
    """(row, file) of every `mark.row(...)` in the tests."""
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "mark.row(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "row":
                yield from ((str(a.value), file.name) for a in node.args if isinstance(a, ast.Constant))


def test_every_row_is_played_by_some_test() -> None:
    assert sorted(set(matrix.ROWS) - {row for row, _ in marked()}) == []


def test_no_test_names_an_unknown_row() -> None:
    assert sorted({(row, file) for row, file in marked() if row not in matrix.ROWS}) == []
