"""For all tests: commands that start warm, and the fault matrix at the end of a run."""

from __future__ import annotations

import matrix
import pytest
import warm


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rows", default="", help="only tests that play these rows of the fault matrix, e.g. A4,B1")


def pytest_sessionstart() -> None:
    warm.begin()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    matrix.remember(items)
    if wanted := set(str(config.getoption("--rows")).replace(",", " ").split()):
        left_out = [item for item in items if not wanted & set(matrix.rows_of(item))]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if wanted & set(matrix.rows_of(item))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if lines := matrix.table(terminalreporter.stats):
        terminalreporter.section("fault matrix")
        for line in lines:
            terminalreporter.write_line(line)
