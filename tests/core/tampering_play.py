"""How tests of the weakened-tests detector say a change and read what was found."""

from __future__ import annotations

from textwrap import dedent

from console.core.records import Finding
from console.core.tampering import FileVersions, inspect

Versions = tuple[str | None, str | None]


def found(**files: Versions) -> tuple[Finding, ...]:
    """Findings for paths given as keywords (`tests__test_a_py` is tests/test_a.py)."""
    return inspect([change(name.replace("__", "/"), *versions) for name, versions in files.items()])


def change(path: str, old: str | None, new: str | None) -> FileVersions:
    return FileVersions(
        path, None if old is None else dedent(old).encode(), None if new is None else dedent(new).encode()
    )


def rules(path: str, old: str | None, new: str | None) -> set[str]:
    """The names of the rules that one changed file meets."""
    return {finding.rule for finding in inspect([change(path, old, new)])}


def levels(*changes: FileVersions) -> dict[str, str]:
    """rule -> level of its gravest finding."""
    table: dict[str, str] = {}
    for finding in inspect(changes):
        table.setdefault(finding.rule, finding.level)
    return table
