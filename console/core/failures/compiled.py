"""Names of failing tests in what go, cargo, ctest and googletest print. Lines in, names out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

_GO = re.compile(r"\s*(?:=== FAIL: (\S+)|--- FAIL:) (\S+)(?: \([\d.]+s\))?")
_GO_PACKAGE = re.compile(r"(?:FAIL|ok  )\t(\S+)(.*)")
_NEXTEST = re.compile(r"\s*(?:TRY \d+ )?(?:FAIL|TIMEOUT|SIG[A-Z]+|ABORT) \[ *>?[\d.]+s\] (?:\( *\d+/\d+\) )?(\S.*)")
_CTEST = re.compile(r"\s*\d+ - (\S.{0,300}?) \((?:Failed|Timeout|Not Run|Subprocess [a-z]+|[A-Z_]{3,}|Bad[ \w]*)\).*")
_CTEST_LINE = re.compile(r"\s*\d+/\d+ Test +#\d+: (\S+) \.*\s?\*\*\*.*")
_GTEST = re.compile(r"\[  FAILED  \] ([\w/.]+\.[\w/<>, ]+?)(?:, where .*)?(?: \(\d+ ms\))?")


class _GoEvent(msgspec.Struct):
    """One line of `go test -json`."""

    action: str = msgspec.field(name="Action", default="")
    package: str = msgspec.field(name="Package", default="")
    test: str = msgspec.field(name="Test", default="")


_go_event = msgspec.json.Decoder(_GoEvent)


def go(lines: Sequence[str]) -> Iterator[str]:
    """`package.Test/sub`; a package that could not be built fails by its own name."""
    waiting = list[str]()
    for line in lines:
        if found := _GO.fullmatch(line):
            waiting.append(f"{found[1]}.{found[2]}" if found[1] else found[2])
        elif found := _GO_PACKAGE.fullmatch(line):
            yield from (name if name.startswith(found[1]) else f"{found[1]}.{name}" for name in waiting)
            waiting = []
            if found[2].lstrip().startswith("["):
                yield found[1] + found[2]
        elif line.startswith("{") and '"fail"' in line and '"Action"' in line:
            yield from _go_json(line)
    yield from waiting


def _go_json(line: str) -> Iterator[str]:
    try:
        event = _go_event.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return
    if event.action == "fail" and event.test:
        yield f"{event.package}.{event.test}"


def cargo(lines: Sequence[str]) -> Iterator[str]:
    """From `test a::b ... FAILED` and from the list under `failures:`, which also holds tests that printed."""
    listed = False
    for line in lines:
        if line.startswith("test ") and line.endswith("FAILED") and " ... " in line:
            yield line.removeprefix("test ").partition(" ... ")[0].removesuffix(" - should panic")
        elif line == "failures:":
            listed = True
        elif listed and line.startswith("    ") and not line.startswith("     ") and " " not in line.strip():
            yield line.strip()
        elif listed and not line.startswith(" "):
            listed = False
        elif found := _NEXTEST.fullmatch(line):
            yield found[1]


def ctest(lines: Sequence[str]) -> Iterator[str]:
    listed, found_any, single = False, False, list[str]()
    for line in lines:
        if line.startswith("The following tests FAILED"):
            listed = True
        elif listed and (found := _CTEST.fullmatch(line)):
            found_any = True
            yield found[1]
        elif "***" in line and (found := _CTEST_LINE.fullmatch(line)):
            single.append(found[1])
    if not found_any:
        yield from single


def gtest(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith("[  FAILED  ] ") and (found := _GTEST.fullmatch(line)):
            yield found[1]
