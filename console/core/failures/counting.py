"""How many tests a run says it ran, whatever runner printed it. Output can lie: fewer tells, more is no proof."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from console.core.failures.lines import lines_of

_MOST = 10_000_000
_PYTEST = re.compile(r"=* ?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s\b.*")
_UNITTEST = re.compile(r"Ran (\d+) tests? in [\d.]+s")
_UNITTEST_END = re.compile(r"(?:OK|FAILED|NO TESTS RAN)\b(?: \((.*)\))?")
_COUNT = re.compile(r"(\d+) ([a-z]+)")
_CARGO = re.compile(r"test result: \w+\. (\d+) passed; (\d+) failed;.*")
_NEXTEST = re.compile(r"\s*Summary \[.*?\]\s+(\d+)(?:/\d+)? tests? run:.*")
_JEST = re.compile(r"Tests:\s+((?:\d+ \w+, )*)\d+ total")
_VITEST = re.compile(r"\s*Tests\s+((?:\d+ \w+ \| )*\d+ \w+|no tests)(?: \(\d+\))?.*")
_MOCHA = re.compile(r"\s*(\d+) (passing|failing)\b(?: \(.*\))?")
_PLAYWRIGHT = re.compile(r"\s{2}(\d+) (passed|failed|flaky|timed out|interrupted)(?: \([\d.]+m?[sm]\))?")
_BUN = re.compile(r"\s(\d+) (pass|fail)")
_DENO = re.compile(r"(?:ok|FAILED) \| (\d+) passed\b.*?\| (\d+) failed\b.*")
_RSPEC = re.compile(r"(\d+) examples?, \d+ failures?(?:, (\d+) pending)?.*")
_RUNS = re.compile(r"(\d+) runs?, \d+ assertions?, \d+ failures?, \d+ errors?(?:, (\d+) skips?)?")
_TEST_UNIT = re.compile(
    r"(\d+) tests?, \d+ assertions?, \d+ failures?, \d+ errors?, (\d+) pendings?, (\d+) omissions?.*"
)
_EXUNIT = re.compile(r"(?:(\d+) doctests?, )?(\d+) tests?, \d+ failures?(?:, \d+ excluded)?(?:, (\d+) skipped)?.*")
_PHPUNIT_OK = re.compile(r"OK \((\d+) tests?, \d+ assertions?\)")
_PHPUNIT = re.compile(r"Tests: (\d+), Assertions: \d+.*")
_SKIPPED = re.compile(r"\b(?:Skipped|Incomplete): (\d+)")
_MAVEN = re.compile(r"(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+)(.*)")
_GRADLE = re.compile(r"(\d+) tests? completed(?:, \d+ failed)?(?:, (\d+) skipped)?")
_DOTNET = re.compile(r"(?:Passed|Failed|Skipped)!\s+- Failed:\s*(\d+), Passed:\s*(\d+), Skipped:.*")
_VSTEST = re.compile(r"\s*Total tests: (\d+)")
_VSTEST_SKIPPED = re.compile(r"\s*Skipped: (\d+)")
_CTEST = re.compile(r"\d+% tests passed, \d+ tests? failed out of (\d+)")
_GTEST = re.compile(r"\[=+\] (\d+) tests? from .* ran\..*|\[==========\] Running (\d+) tests? from .*")
_GTEST_END = re.compile(r"\[  (?:PASSED|FAILED)  \] (\d+) tests?(?:\.|, listed below:)")
_AUTOMAKE = re.compile(r"# (TOTAL|SKIP): +(\d+)")
_XCTEST = re.compile(r"\s*Executed (\d+) tests?, with .*")
_NODE = re.compile(r"\s*(?:#|ℹ) (tests|skipped) (\d+)")
_PROVE = re.compile(r"Files=\d+, Tests=(\d+),.*")
_TAP_PLAN = re.compile(r"1\.\.\d+\b.*")
_TAP_LINE = re.compile(r"(?:not )?ok\b(?: \d+)?(?!.*# *skip\b).*", re.IGNORECASE)
_GO_EMPTY = re.compile(r"(?:ok|\?)\s+\S+\s.*\[no test(?:s to run| files)\]")
_GO_PACKAGE = re.compile(r"(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)).*")
_GO_TEST = re.compile(r"\s*--- (?:PASS|FAIL): \S+ \([\d.]+s\)")
_GO_RUN = re.compile(r"=== RUN\s+\S+")
_GO_JSON = re.compile(r'\{(?=.*"Action":"(?:pass|fail)")(?=.*"Test":").*\}')
_NOTHING = (
    "No test files found",
    "No tests found, exiting with code 0",
    "No tests executed!",
    "No tests were found!!!",
    "No test is available in ",
)

Lines = Sequence[str]


def counted(output: str) -> int | None:
    """How many tests a run says that it ran to an end, passed or not; None when it does not say.

    Skipped ones are not counted where the runner tells them. Several runners in one output are added up.
    """
    lines = lines_of(output)
    found = [count for reader in _READERS if (count := reader(lines)) is not None]
    if not found and any(line.strip().startswith(_NOTHING) for line in lines):
        return 0
    return min(sum(found), _MOST) if found else None


def _number(text: str | None) -> int:
    """A number of an output, which may have any length."""
    return min(int(text[:9]), _MOST) if text else 0


def _sum(
    lines: Lines, pattern: re.Pattern[str], *, less: tuple[int, ...] = (), more: tuple[int, ...] = (1,)
) -> int | None:
    """The groups `more` minus the groups `less` of every line that is of this form."""
    counts = [
        max(0, sum(_number(match[group]) for group in more) - sum(_number(match[group]) for group in less))
        for line in lines
        if (match := pattern.fullmatch(line))
    ]
    return sum(counts) if counts else None


def _named(text: str, wanted: frozenset[str]) -> int:
    return sum(_number(number) for number, word in _COUNT.findall(text) if word in wanted)


def _words(lines: Lines, pattern: re.Pattern[str], *wanted: str) -> int | None:
    """Lines that hold "3 passed, 1 skipped": the sum of the wanted words."""
    found = [match[1] for line in lines if (match := pattern.fullmatch(line))]
    return sum(_named(text, frozenset(wanted)) for text in found) if found else None


def _pytest(lines: Lines) -> int | None:
    return _words(lines, _PYTEST, "passed", "failed", "xfailed", "xpassed")


def _unittest(lines: Lines) -> int | None:
    """ "Ran 3 tests" counts skipped ones, which the next line tells."""
    total, pending = 0, -1
    seen = False
    for line in lines:
        if match := _UNITTEST.fullmatch(line):
            total += max(pending, 0)
            pending, seen = _number(match[1]), True
        elif pending >= 0 and (end := _UNITTEST_END.fullmatch(line)):
            skipped = re.search(r"skipped=(\d+)", end[1] or "")
            total += max(0, pending - _number(skipped[1] if skipped else None))
            pending = -1
    return total + max(pending, 0) if seen else None


def _javascript(lines: Lines) -> int | None:
    found = [
        _words(lines, _JEST, "passed", "failed"),
        _words(lines, _VITEST, "passed", "failed"),
        _sum(lines, _MOCHA),
        _sum(lines, _PLAYWRIGHT),
        _sum(lines, _DENO, more=(1, 2)),
        _sum(lines, _BUN) if any(line.startswith("bun test ") for line in lines) else None,
    ]
    known = [count for count in found if count is not None]
    return sum(known) if known else None


def _go(lines: Lines) -> int | None:
    """Only `-v` and `-json` name what passed; a package without tests says so in any case."""
    packages = sum(1 for line in lines if _GO_PACKAGE.fullmatch(line) and not _GO_EMPTY.fullmatch(line))
    if any(_GO_RUN.fullmatch(line) for line in lines):
        return sum(1 for line in lines if _GO_TEST.fullmatch(line))
    if any(line.startswith('{"Time":') and '"Package":' in line for line in lines):
        return sum(1 for line in lines if _GO_JSON.fullmatch(line))
    return 0 if not packages and any(_GO_EMPTY.fullmatch(line) for line in lines) else None


def _rust(lines: Lines) -> int | None:
    nextest = _sum(lines, _NEXTEST)
    cargo = _sum(lines, _CARGO, more=(1, 2))
    return cargo if nextest is None else nextest + (cargo or 0)


def _maven(lines: Lines) -> int | None:
    """The totals of each module; those of each class when no total is there."""
    found = [match for line in lines if (match := _MAVEN.fullmatch(line))]
    totals = [match for match in found if not match[3].strip()]
    chosen = totals or found
    return sum(max(0, _number(match[1]) - _number(match[2])) for match in chosen) if chosen else None


def _phpunit(lines: Lines) -> int | None:
    good = _sum(lines, _PHPUNIT_OK)
    if good is not None:
        return good
    found = [line for line in lines if _PHPUNIT.fullmatch(line)]
    if not found:
        return None
    return sum(
        max(0, _number(line[7:].partition(",")[0]) - sum(map(_number, _SKIPPED.findall(line)))) for line in found
    )


def _dotnet(lines: Lines) -> int | None:
    each = _sum(lines, _DOTNET, more=(1, 2))
    if each is not None:
        return each
    total = _sum(lines, _VSTEST)
    return None if total is None else max(0, total - (_sum(lines, _VSTEST_SKIPPED) or 0))


def _native(lines: Lines) -> int | None:
    """ctest, else what the test programs themselves print."""
    ctest = _sum(lines, _CTEST)
    if ctest is not None:
        return ctest
    ran = [match for line in lines if (match := _GTEST.fullmatch(line))]
    done = [_number(match[1]) for match in ran if match[1]]
    begun = [_number(match[2]) for match in ran if match[2]]
    if done or begun:
        return sum(done or begun)
    return _sum(lines, _GTEST_END)


def _automake(lines: Lines) -> int | None:
    found = {match[1]: _number(match[2]) for line in lines if (match := _AUTOMAKE.fullmatch(line))}
    return max(0, found["TOTAL"] - found.get("SKIP", 0)) if "TOTAL" in found else None


def _ruby(lines: Lines) -> int | None:
    for pattern, less, more in (
        (_RSPEC, (2,), (1,)),
        (_RUNS, (2,), (1,)),
        (_TEST_UNIT, (2, 3), (1,)),
        (_EXUNIT, (3,), (1, 2)),
    ):
        found = _sum(lines, pattern, less=less, more=more)
        if found is not None:
            return found
    return None


def _xctest(lines: Lines) -> int | None:
    """A total is printed for each suite around it: the largest is all."""
    found = [_number(match[1]) for line in lines if (match := _XCTEST.fullmatch(line))]
    return max(found) if found else None


def _tap(lines: Lines) -> int | None:
    """prove's and node's totals; else the lines of one test each, when a plan is there."""
    prove = _sum(lines, _PROVE)
    if prove is not None:
        return prove
    node = [(match[1], _number(match[2])) for line in lines if (match := _NODE.fullmatch(line))]
    if any(word == "tests" for word, _ in node):
        return max(0, sum(number if word == "tests" else -number for word, number in node))
    if not any(_TAP_PLAN.fullmatch(line) for line in lines):
        return None
    return sum(1 for line in lines if _TAP_LINE.fullmatch(line))


_READERS: tuple[Callable[[Lines], int | None], ...] = (
    _pytest,
    _unittest,
    _javascript,
    _go,
    _rust,
    _maven,
    lambda lines: _sum(lines, _GRADLE, less=(2,)),
    _phpunit,
    _dotnet,
    _native,
    _automake,
    _ruby,
    _xctest,
    _tap,
)
