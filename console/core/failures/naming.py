"""The names of failing tests, whatever runner printed them. One that is not understood is missing, never made up."""

from __future__ import annotations

from itertools import islice

from console.core.failures import compiled, javascript, jvm, pythonic, scripting
from console.core.failures.lines import NAMES, lines_of, tidy

READERS = (
    pythonic.pytest,
    pythonic.unittest,
    javascript.jest,
    javascript.vitest,
    javascript.mocha,
    javascript.playwright,
    javascript.marked,
    compiled.go,
    compiled.cargo,
    compiled.ctest,
    compiled.gtest,
    jvm.surefire,
    jvm.gradle,
    jvm.dotnet,
    scripting.rspec,
    scripting.phpunit,
    scripting.minitest,
    scripting.exunit,
    scripting.tap,
)


def failing(output: str) -> frozenset[str]:
    """Names of the tests that failed, as their runner names them; at most `NAMES` of each runner."""
    lines = lines_of(output)
    names = (tidy(name) for reader in READERS for name in islice(reader(lines), NAMES))
    return frozenset(name for name in names if name)
