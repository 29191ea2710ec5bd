"""Fails when a row that tests/REQUIRED names was skipped or not run: `rows.py JUNIT_XML REQUIRED`.

A row is a test file, or `file::test`; a name without `[...]` stands for all its parameters. Blank lines and comments
(`#`) are allowed. Standard library only: it runs with any Python.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def main(report: Path, required: Path) -> int:
    cases = [(place(case), outcome(case)) for case in ET.parse(report).iter("testcase")]
    rows = [line.partition("#")[0].strip() for line in required.read_text(encoding="utf-8").splitlines()]
    complaints = [said for row in rows if row and (said := complaint(row, cases))]
    for said in complaints:
        print(said)
    if not complaints:
        print(f"rows: all {sum(map(bool, rows))} of {required} were run")
    return 1 if complaints else 0


def place(case: ET.Element) -> str:
    """Dotted module (and class), two colons, the test's name with its parameters."""
    return f"{case.get('classname', '')}::{case.get('name', '')}"


def outcome(case: ET.Element) -> str:
    """ "" when it ran; else why it was skipped."""
    skipped = case.find("skipped")
    return "" if skipped is None else skipped.get("message") or "skipped"


def complaint(row: str, cases: list[tuple[str, str]]) -> str:
    """What is wrong with a required row, or "" """
    mine = [(where, why) for where, why in cases if belongs(where, row)]
    if not mine:
        return f"REQUIRED {row}: was not run"
    return next((f"REQUIRED {row}: {where} was skipped: {why}" for where, why in mine if why), "")


def belongs(where: str, row: str) -> bool:
    file, _, test = row.partition("::")
    module = file.removesuffix(".py").replace("/", ".")
    classname, _, name = where.partition("::")
    if classname != module and not classname.startswith(f"{module}."):
        return False
    return not test or test in (name, name.partition("[")[0])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
