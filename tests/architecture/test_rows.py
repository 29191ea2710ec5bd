"""The check that required rows were run: it must fail when one was skipped, renamed or lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REPORT = """<testsuites><testsuite>
<testcase classname="tests.e2e.test_desk" name="test_keys"/>
<testcase classname="tests.e2e.test_desk" name="test_sizes[80x24]"/>
<testcase classname="tests.e2e.test_desk" name="test_sizes[50x20]"><skipped message="no tmux"/></testcase>
<testcase classname="tests.e2e.test_desk_more.TestLeave" name="test_quit"/>
<testcase classname="" name="tests.e2e.test_whole"><skipped message="collection skipped"/></testcase>
</testsuite></testsuites>"""


def rows(folder: Path, required: str) -> subprocess.CompletedProcess[str]:
    (folder / "report.xml").write_text(REPORT)
    (folder / "REQUIRED").write_text(required)
    command = [sys.executable, str(ROOT / "scripts" / "rows.py"), "report.xml", "REQUIRED"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize(
    "row",
    [
        "tests/e2e/test_desk.py::test_keys",
        "tests/e2e/test_desk.py::test_sizes[80x24]",
        "tests/e2e/test_desk_more.py",
        "tests/e2e/test_desk_more.py::test_quit",
    ],
)
def test_a_row_that_ran_is_fine(tmp_path: Path, row: str) -> None:
    done = rows(tmp_path, f"# must run\n\n{row}  # said why\n")
    assert (done.returncode, done.stdout) == (0, "rows: all 1 of REQUIRED were run\n")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("tests/e2e/test_desk.py", "was skipped: no tmux"),
        ("tests/e2e/test_desk.py::test_sizes", "was skipped: no tmux"),
        ("tests/e2e/test_desk.py::test_key", "was not run"),
        ("tests/e2e/test_des.py", "was not run"),
        ("tests/e2e/test_whole.py", "was not run"),
    ],
)
def test_a_row_that_was_skipped_or_is_gone_fails(tmp_path: Path, row: str, why: str) -> None:
    done = rows(tmp_path, f"tests/e2e/test_desk.py::test_keys\n{row}\n")
    assert done.returncode == 1
    assert done.stdout.startswith(f"REQUIRED {row}: ")
    assert why in done.stdout


def test_every_required_file_exists() -> None:
    lines = (ROOT / "tests" / "REQUIRED").read_text(encoding="utf-8").splitlines()
    files = {line.partition("#")[0].strip().partition("::")[0] for line in lines} - {""}
    assert files
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []
