"""The rules by name, their levels and their words, and how single facts become findings.

Facts of one rule in one file are one finding. Every text states what is so, never why somebody may have done it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from console.core.records import Finding, FindingLevel

MOST = 100
_NAMED = 3
_WIDTH = 60

RULES: dict[str, tuple[FindingLevel, str, str]] = {
    "test-file-deleted": ("high", "a file of tests no longer exists", "{n} files of tests no longer exist"),
    "test-removed": ("high", "1 test no longer exists", "{n} tests no longer exist"),
    "module-skipped": ("high", "all tests of this file are now skipped", "all tests of this file are now skipped"),
    "test-skipped": ("high", "1 existing test is now skipped", "{n} existing tests are now skipped"),
    "focus-added": ("high", "1 test is focused: the others do not run", "{n} tests are focused: the others do not run"),
    "test-emptied": ("high", "1 test has an empty body now", "{n} tests have an empty body now"),
    "early-return": ("high", "1 test now ends before its last lines", "{n} tests now end before their last lines"),
    "assertion-swallowed": (
        "high",
        "failures of checks are now caught in 1 test",
        "failures of checks are now caught in {n} tests",
    ),
    "vacuous-assertion": (
        "high",
        "a check that cannot fail is new in 1 test",
        "checks that cannot fail are new in {n} tests",
    ),
    "last-assertion-removed": ("high", "1 test no longer checks anything", "{n} tests no longer check anything"),
    "assertion-weakened": (
        "high",
        "an exact check became a weak one in 1 test",
        "exact checks became weak ones in {n} tests",
    ),
    "coverage-lowered": ("high", "a required coverage is lower or gone", "{n} required coverages are lower or gone"),
    "gate-disabled": (
        "high",
        "a line now lets a check pass or leaves it out",
        "{n} lines now let a check pass or leave it out",
    ),
    "gate-command-removed": ("high", "this file no longer runs any check", "this file no longer runs any check"),
    "runner-shadowed": (
        "high",
        "a new file takes the place of the test runner",
        "new files take the place of the test runner",
    ),
    "collection-hook": (
        "high",
        "a hook can change which tests run or how they end",
        "{n} hooks can change which tests run or how they end",
    ),
    "tests-chosen": (
        "high",
        "code of this file now chooses which tests are loaded",
        "code of this file now chooses which tests are loaded",
    ),
    "setup-skips": (
        "high",
        "1 set-up now skips the tests that it prepares",
        "{n} set-ups now skip the tests that they prepare",
    ),
    "test-replaced": (
        "high",
        "a statement now replaces or deletes a test or what runs it",
        "{n} statements now replace or delete tests or what runs them",
    ),
    "runner-patched": (
        "high",
        "a part of the test runner is replaced",
        "{n} parts of the test runner are replaced",
    ),
    "code-replaced": (
        "high",
        "code of another module is replaced at import",
        "code of other modules is replaced at import in {n} places",
    ),
    "run-ends": (
        "high",
        "1 statement can now end the process before all tests ran",
        "{n} statements can now end the process before all tests ran",
    ),
    "always-equal": (
        "high",
        "a comparison now says equal to everything",
        "{n} comparisons now say equal to everything",
    ),
    "test-moved-aside": (
        "high",
        "a file of tests is now where runners do not look",
        "{n} files of tests are now where runners do not look",
    ),
    "module-shadowed": (
        "high",
        "a new folder takes the place of a module of the same name",
        "new folders take the place of modules of the same name",
    ),
    "test-detection": (
        "high",
        "product code asks whether it is being tested",
        "product code asks in {n} new places whether it is being tested",
    ),
    "not-inspected": ("high", "1 file is too large to be compared", "{n} files are too many to be compared"),
    "test-removed-with-product": (
        "medium",
        "1 test no longer exists, with product code that it names",
        "{n} tests no longer exist, with product code that they name",
    ),
    "test-support-deleted": (
        "medium",
        "a file beside the tests no longer exists",
        "{n} files beside the tests no longer exist",
    ),
    "new-test-skipped": ("medium", "1 new test is skipped", "{n} new tests are skipped"),
    "conditional-return": ("medium", "1 test has a new early way out", "{n} tests have a new early way out"),
    "assertions-reduced": ("medium", "1 test checks less", "{n} tests check less"),
    "assertion-touched": (
        "medium",
        "an existing check was changed in 1 test",
        "existing checks were changed in {n} tests",
    ),
    "arguments-edited": (
        "medium",
        "an existing check calls with other arguments and expects the same in 1 test",
        "existing checks call with other arguments and expect the same in {n} tests",
    ),
    "setup-may-skip": (
        "medium",
        "1 set-up now skips the tests that it prepares under a condition",
        "{n} set-ups now skip the tests that they prepare under a condition",
    ),
    "product-patched": (
        "medium",
        "changed product code is replaced while tests run",
        "changed product code is replaced while tests run, in {n} places",
    ),
    "import-redirected": (
        "medium",
        "a name that checks use comes from another module now",
        "{n} names that checks use come from another module now",
    ),
    "test-moved": (
        "medium",
        "tests are in another folder now, where a runner may not find them",
        "tests are in another folder now, where a runner may not find them",
    ),
    "surroundings-asked": (
        "medium",
        "product code asks who calls it or whether it runs in CI",
        "product code asks in {n} new places who calls it or whether it runs in CI",
    ),
    "cases-reduced": ("medium", "1 test has fewer cases", "{n} tests have fewer cases"),
    "suppression-added": ("medium", "1 more warning is silenced", "{n} more warnings are silenced"),
    "gate-config-changed": ("medium", "what the checks run was changed", "what the checks run was changed"),
    "gate-config-deleted": (
        "medium",
        "a configuration of checks no longer exists",
        "a configuration of checks no longer exists",
    ),
    "timeout-raised": ("medium", "a timeout is longer or retries are more", "{n} timeouts are longer or retries more"),
    "expected-value-edited": (
        "info",
        "expected values were edited in 1 test",
        "expected values were edited in {n} tests",
    ),
    "snapshot-changed": ("info", "stored expected output was changed", "stored expected output was changed"),
}
"""rule -> (level, words for one, words for more), the gravest first."""

_ORDER = {rule: place for place, rule in enumerate(RULES)}
_LEVELS = {"high": 0, "medium": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class Fact:
    """One place where a rule holds. name: the test or line it is about; level: other than the rule's own."""

    rule: str
    path: str
    line: int = 0
    name: str = ""
    level: FindingLevel | None = None


def findings(facts: Iterable[Fact]) -> tuple[Finding, ...]:
    """One finding a rule, level and path; the gravest first, at most `MOST` and one that counts the rest."""
    groups: dict[tuple[int, int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        level = fact.level or RULES[fact.rule][0]
        groups[_LEVELS[level], _ORDER[fact.rule], fact.path].append(fact)
    ordered = [_finding(groups[key]) for key in sorted(groups)]
    if len(ordered) <= MOST:
        return tuple(ordered)
    rest = ordered[MOST:]
    more = Finding(kind="tests", level=rest[0].level, rule="more", text=f"and {len(rest)} more findings about tests")
    return (*ordered[:MOST], more)


def _finding(group: list[Fact]) -> Finding:
    first = min(group, key=lambda fact: fact.line)
    level, one, many = RULES[first.rule]
    text = one if len(group) == 1 else many.format(n=len(group))
    names = list(dict.fromkeys(_shown(fact.name) for fact in sorted(group, key=lambda fact: fact.line) if fact.name))
    if names:
        text += ": " + ", ".join(names[:_NAMED])
        text += f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Finding(
        kind="tests", level=first.level or level, rule=first.rule, text=text, path=first.path, line=first.line
    )


def _shown(name: str) -> str:
    """A name out of the repository as it can stand in a sentence: printable, one line, not long."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= _WIDTH else clean[: _WIDTH - 1] + "…"
