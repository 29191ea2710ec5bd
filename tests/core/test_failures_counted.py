"""How many tests a run says it ran: on real outputs of every runner, on runs of none, and on hostile text."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.core.failures import counted

OUTPUTS = Path(__file__).parents[1] / "data/failures"
REAL = {
    "automake": 3,
    "bats": 3,
    "bun": 2,
    "cargo": 4,
    "ctest": 3,
    "dotnet": 3,
    "exunit": 2,
    "go-json": 1,
    "gradle": 3,
    "gtest": 3,
    "jest": 6,
    "minitest": 3,
    "mocha": 3,
    "nextest": 3,
    "node-spec": 4,
    "node-tap": 4,
    "phpunit": 5,
    "playwright": 3,
    "prove": 3,
    "pytest": 0,
    "pytest-all": 5,
    "pytest-nosummary": 5,
    "pytest-verbose": 5,
    "pytest-xdist": 5,
    "rspec": 3,
    "surefire": 3,
    "surefire-list": 3,
    "surefire-old": 2,
    "unittest": 6,
    "vitest": 3,
}


@pytest.mark.parametrize("name", REAL)
def test_a_real_output_says_how_many(name: str) -> None:
    assert counted((OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")) == REAL[name]


@pytest.mark.parametrize("name", ["cargo-build", "go", "deno"])
def test_a_real_output_that_does_not_say_is_none(name: str) -> None:
    assert counted((OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")) is None


WRITTEN = {
    "3 passed in 0.01s": 3,
    "===== 3 passed, 2 skipped, 1 deselected, 1 xfailed, 4 warnings in 61.01s (0:01:01) =====": 4,
    "======= no tests ran in 0.01s =======": 0,
    "======= 2 skipped in 0.01s =======": 0,
    "Ran 1 test in 0.000s\n\nOK": 1,
    "Ran 0 tests in 0.000s\n\nNO TESTS RAN": 0,
    "Ran 0 tests in 0.000s\n\nOK (skipped=1)": 0,
    "Ran 5 tests in 0.000s\n\nOK (skipped=2, expected failures=1)": 3,
    "Ran 5 tests in 0.1s\n\nOK\nRan 3 tests in 0.1s\n\nOK (skipped=1)": 7,
    "ok  \texample.com/a\t0.003s": None,
    "ok  \texample.com/a\t0.003s [no tests to run]": 0,
    "?   \texample.com/a\t[no test files]": 0,
    "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t(cached)": None,
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nok  \ta\t0.003s": 1,
    "=== RUN   TestA\n=== RUN   TestA/x\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)": 2,
    "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.00s": 0,
    "Tests:       1 skipped, 4 passed, 5 total": 4,
    "Tests:       2 skipped, 2 total": 0,
    "No tests found, exiting with code 0": 0,
    "      Tests  2 passed | 3 skipped (5)": 2,
    "      Tests  no tests": 0,
    "No test files found, exiting with code 0": 0,
    "  0 passing (1ms)": 0,
    "  4 passing (1s)\n  2 pending": 4,
    "ok | 3 passed | 0 failed (12ms)": 3,
    "3 examples, 0 failures, 1 pending": 2,
    "3 runs, 4 assertions, 0 failures, 0 errors, 3 skips": 0,
    "3 tests, 4 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications": 1,
    "2 doctests, 3 tests, 0 failures, 1 skipped": 4,
    "OK (5 tests, 9 assertions)": 5,
    "Tests: 5, Assertions: 4, Skipped: 2.": 3,
    "No tests executed!": 0,
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 3": 0,
    "Passed!  - Failed:     0, Passed:     3, Skipped:     2, Total:     5, Duration: 5 ms - A.dll": 3,
    "Total tests: 5\n     Passed: 4\n    Skipped: 1": 4,
    "No tests were found!!!": 0,
    "[==========] 3 tests from 2 test suites ran. (1 ms total)": 3,
    "Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nExecuted 3 tests, with 0 failures": 3,
    "1..0 # SKIP nothing": 0,
    "1..2\nok 1 - a # skip no network\nnot ok 2 - b": 1,
    "4 passed in 0.01s\nTests:       3 passed, 3 total": 7,
    "": None,
    "build finished": None,
    "all 3 tests passed": None,
}


@pytest.mark.parametrize("output", WRITTEN)
def test_what_is_written_is_read(output: str) -> None:
    assert counted(output) == WRITTEN[output]


SUMS = "import unittest\nclass Sums(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n"


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        (SUMS, 1),
        (SUMS + "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n", 0),
        (SUMS + "def setUpModule():\n    raise unittest.SkipTest('later')\n", 0),
        (SUMS + "    def setUp(self):\n        self.skipTest('later')\n", 0),
        (SUMS + "del Sums.test_a\n", 0),
    ],
)
def test_a_run_that_was_switched_off_says_so(tmp_path: Path, text: str, ran: int) -> None:
    (tmp_path / "test_sums.py").write_text(text)
    command = [sys.executable, "-m", "unittest", "-q"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert counted(done.stdout + done.stderr) == ran


FRAGMENTS = ["1 a, ", "=", "# skip ok ", "Tests: 1, ", "Summary [", "1 passed | ", "9", "{", '"Action":"pass"', " "]


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_no_output_is_slow(fragment: str) -> None:
    """Four megabytes in lines of the longest length that is looked at."""
    line = (fragment * 1000)[:1000]
    start = time.process_time()
    counted("\n".join([line] * 4000))
    assert time.process_time() - start < 5.0


def test_numbers_that_no_run_has_are_bounded() -> None:
    assert counted("Ran " + "9" * 900 + " tests in 0.1s") == 10_000_000
