"""Plays failed tests again, alone: `again.py JUNIT_XML REQUIRED`. Exit 0 when they were only unstable.

Tests of real terminals and processes share two cores with two others; one that missed its moment there is no broken
promise. So a few tests may fail beside others when they pass three times in a row by themselves; each is named as
UNSTABLE, for somebody to look at. Rows of tests/REQUIRED, more than `MOST` failures, and errors while collecting have
no second chance. Standard library only; run it with the Python that has the project installed.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from rows import belongs, place

MOST = 3
TIMES = 3


def main(report: Path, required: Path) -> int:
    if not report.exists():
        return 1
    failed = [case for case in ET.parse(report).iter("testcase") if broke(case)]
    rows = [line.partition("#")[0].strip() for line in required.read_text(encoding="utf-8").splitlines()]
    firm = [place(case) for case in failed if any(row and belongs(place(case), row) for row in rows)]
    nodes = [node(case) for case in failed]
    if not failed or len(failed) > MOST or firm or not all(nodes):
        return complain(f"{len(failed)} failed; no second chance", firm)
    for name in nodes:
        for number in range(1, TIMES + 1):
            print(f"+ alone, {number} of {TIMES}: {name}", flush=True)
            if subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", name], check=False).returncode:
                return complain(f"it fails alone, too: {name}", [])
    for name in nodes:
        print(f"UNSTABLE: {name} failed beside other tests and passed {TIMES} times alone")
    return 0


def broke(case: ET.Element) -> bool:
    return case.find("failure") is not None or case.find("error") is not None


def node(case: ET.Element) -> str:
    """What pytest calls the test on its command line; "" when its file cannot be found."""
    words = [word for word in case.get("classname", "").split(".") if word]
    for length in range(len(words), 0, -1):
        file = Path(*words[:length]).with_suffix(".py")
        if file.is_file():
            return "::".join([str(file), *words[length:], case.get("name", "")])
    return ""


def complain(why: str, firm: list[str]) -> int:
    print(f"again: {why}")
    for name in firm:
        print(f"again: {name} is a required row")
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
