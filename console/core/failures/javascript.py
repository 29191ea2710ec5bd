"""Names of failing tests in what jest, vitest, mocha, playwright, bun, deno and node print. Lines in, names out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.failures.lines import NOT_LOADED

_FILE = re.compile(r"\s*FAIL\s+(\S.*)")
_TOOK = re.compile(r" [(\[]?[\d.]+ ?m?s[)\]]?$")
_PLACE = re.compile(r":\d+:\d+")
_NUMBERED = re.compile(r"\s{1,8}\d+\) (\S.*)")
_FAILING = re.compile(r"\s*\d+ failing\b.*")
_LINT = re.compile(r"\d+ problems? \(.*")
_NOT_TESTS = ("Console", "Test suite failed to run", "Validation Error", "Deprecation Warning")


def jest(lines: Sequence[str]) -> Iterator[str]:
    """`file › suite › test`; the file alone when its suite could not run."""
    file = ""
    for line in lines:
        if (found := _FILE.fullmatch(line)) and " > " not in line:
            file = _TOOK.sub("", found[1]).split(" ")[-1]
        elif line.lstrip().startswith("● "):
            name = line.strip()[2:].strip()
            if not name.startswith(_NOT_TESTS):
                yield f"{file} › {name}" if file else name
            elif name.startswith("Test suite failed") and file:
                yield file + NOT_LOADED


def vitest(lines: Sequence[str]) -> Iterator[str]:
    """` FAIL  file > suite > test`, and ` FAIL  file [ file ]` for a file that could not be loaded."""
    for line in lines:
        if found := _FILE.fullmatch(line):
            if " > " in found[1]:
                yield found[1]
            elif found[1].endswith(" ]") and " [ " in found[1]:
                yield found[1].partition(" [ ")[0] + NOT_LOADED


def mocha(lines: Sequence[str]) -> Iterator[str]:
    """The numbered list after "2 failing": a name over some lines, the last of which ends with a colon."""
    listed, parts = False, list[str]()
    for line in lines:
        if _FAILING.fullmatch(line):
            listed = True
        elif listed and (found := _NUMBERED.fullmatch(line)):
            parts = [found[1]]
        elif parts:
            parts.append(line.strip())
        if parts and parts[-1].endswith(":"):
            yield " › ".join(parts).removesuffix(":")
            parts = []
        elif len(parts) > 8:
            parts = []


def playwright(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if " › " in line and (found := _NUMBERED.fullmatch(line)):
            yield _PLACE.sub("", found[1].rstrip(" ─"))


def marked(lines: Sequence[str]) -> Iterator[str]:
    """One line a test with a mark: node's spec reporter, bats, bun, deno."""
    for line in lines:
        text = line.strip()
        if text.startswith(("✖ ", "✗ ")) and not text.endswith(("# TODO", "# SKIP")):
            name = _TOOK.sub("", text[2:])
            if name != "failing tests:" and not _LINT.fullmatch(name):
                yield name
        elif text.startswith("(fail) "):
            yield _TOOK.sub("", text.removeprefix("(fail) "))
        elif " ... FAILED (" in text and not text.startswith("test "):
            yield text.partition(" ... FAILED (")[0]
