"""Names of failing tests in what rspec, minitest, phpunit, exunit and everything that speaks TAP print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from console.core.failures.lines import NOT_LOADED

_RSPEC = re.compile(r"rspec ['\"]?([^'\"\s:\[]+)[^\s#]*\s+# (.*)")
_RSPEC_LOADING = "An error occurred while loading "
_PHPUNIT = re.compile(r"\d+\) ([\w\\]+::\S.*)")
_PEST = re.compile(r"\s*FAILED\s{2,}(\S.* > .*)")
_MINITEST = re.compile(r"(?:\s*\d+\) )?(?:Failure|Error):")
_MINITEST_NAME = re.compile(r"(\S+#[^\[:]+?)(?: \[.*|:)?")
_EXUNIT = re.compile(r"\s+\d+\) ((?:test|property|doctest) .+ \([\w.]+\))")
_TAP = re.compile(r"not ok\b\s*(\d*)\s*(?:- )?(.*)")
_PERL = re.compile(r"#\s+Failed test '(.+)'")


def rspec(lines: Sequence[str]) -> Iterator[str]:
    """File and description; the line number moves with every edit above it."""
    for line in lines:
        if line.startswith("rspec ") and (found := _RSPEC.fullmatch(line)):
            yield f"{found[1]} {found[2]}"
        elif line.startswith(_RSPEC_LOADING):
            yield line.removeprefix(_RSPEC_LOADING).rstrip(".") + NOT_LOADED


def phpunit(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        pattern = _PHPUNIT if line[:1].isdigit() else _PEST
        if ("::" in line or "FAILED" in line) and (found := pattern.fullmatch(line)):
            yield found[1]


def minitest(lines: Sequence[str]) -> Iterator[str]:
    for line, after in pairwise(lines):
        if _MINITEST.fullmatch(line) and (found := _MINITEST_NAME.fullmatch(after.strip())):
            yield found[1]


def exunit(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith(")") and (found := _EXUNIT.fullmatch(line)):
            yield found[1]


def tap(lines: Sequence[str]) -> Iterator[str]:
    """`not ok` without a TODO or SKIP directive, perl's diagnostics, and the files in prove's summary."""
    for line in lines:
        text = line.strip()
        if text.startswith("not ok") and (found := _TAP.fullmatch(text)):
            name, _, directive = found[2].partition(" # ") if not found[2].startswith("# ") else ("", "", found[2][2:])
            if not directive.strip().upper().startswith(("TODO", "SKIP")):
                yield name.strip() or f"test {found[1]}".strip()
        elif text.startswith("#") and (found := _PERL.fullmatch(text)):
            yield found[1]
        elif " (Wstat: " in text:
            yield text.split(" ", 1)[0]
