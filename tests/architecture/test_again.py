"""What failed beside other tests has a second chance only when it is no required row, and passes alone every time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "again.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two tests, one of which fails whatever happens."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("def test_calm():\n    pass\n\n\ndef test_ill():\n    assert 0\n")
    (tmp_path / "REQUIRED").write_text("tests/test_it.py::test_firm\n")
    return tmp_path


def again(project: Path, *failed: str) -> subprocess.CompletedProcess[str]:
    cases = "".join(f'<testcase classname="tests.test_it" name="{name}"><failure/></testcase>' for name in failed)
    (project / "report.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    command = [sys.executable, str(SCRIPT), "report.xml", "REQUIRED"]
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_a_test_that_passes_alone_three_times_is_named_as_unstable(project: Path) -> None:
    done = again(project, "test_calm")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "UNSTABLE: tests/test_it.py::test_calm" in done.stdout and done.stdout.count("+ alone") == 3


def test_a_test_that_fails_alone_fails_the_run(project: Path) -> None:
    assert again(project, "test_calm", "test_ill").returncode == 1


def test_a_required_row_many_failures_and_no_report_have_no_second_chance(project: Path) -> None:
    assert again(project, "test_firm").returncode == 1
    assert again(project, *["test_calm"] * 4).returncode == 1
    assert again(project).returncode == 1
    (project / "report.xml").unlink()
    command = [sys.executable, str(SCRIPT), "report.xml", "REQUIRED"]
    assert subprocess.run(command, cwd=project, capture_output=True, timeout=60, check=False).returncode == 1
