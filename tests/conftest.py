"""For all tests: the fault matrix at the end of a run."""

from __future__ import annotations

import matrix
import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    matrix.remember(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if lines := matrix.table(terminalreporter.stats):
        terminalreporter.section("fault matrix")
        for line in lines:
            terminalreporter.write_line(line)
