"""JUnit reports that a gate wrote, as names of tests. The gate ran where an agent decides what lies around.

Nothing outside the tree is opened and no link is followed; size, number, depth and age are bounded; a document type
or an entity is refused before anything of it is expanded. Element names: the schema of Ant's and Jenkins' reports.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from xml.parsers import expat

from console.core.failures import JUnit
from console.core.failures.lines import NOT_LOADED, tidy
from console.core.records import Refused

LARGEST = 8 * 1024 * 1024
"""Bytes of one report; more is refused, as half a report would name half of the failures."""

FILES = 200
FOLDERS = 4000
LEVELS = 12
CASES = 100_000
_NESTED = 64
_GRAIN = 0.05
"""Seconds that a file's time may lie before the clock's: the kernel stamps files with a coarser clock."""

_OPTIONS = ("--junitxml", "--junit-xml", "--junit-output", "--output-junit", "--junitfile", "--junit")
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "vendor"})
_NAMES = frozenset({"junit.xml", "test-results.xml"})
_WRONG = frozenset({"failure", "error"})


def read(path: Path) -> JUnit | Refused:
    """The report at `path`; the last part of it may be no link. Refused: too big, no file, no XML, a document type."""
    try:
        with _folder(path.parent) as folder:
            raw = _bytes(folder, path.name, 0.0)
    except OSError as error:
        return Refused(reason=f"{path} cannot be read: {error.strerror}")
    if raw is None:
        return Refused(reason=f"{path} is not a regular file of at most {LARGEST} bytes")
    return parse(raw, str(path))


def find(argv: Sequence[str], root: Path, cwd: Path, since: float) -> JUnit | None:
    """All reports that a gate with this command line wrote since then (Unix seconds); None when there is none.

    Those that it was told to write, else those in the usual places below its folder `cwd`, which is in `root`.
    """
    named = [parts for option in _named(argv) if (parts := _parts(root, cwd / option))]
    raws = [raw for parts in named if (raw := _below(root, parts, since)) is not None]
    if not raws:
        with suppress(OSError):
            raws = list(_usual(root, cwd, since))
    reports = [report for raw in raws if isinstance(report := parse(raw), JUnit)]
    if not reports:
        return None
    failing = frozenset[str]().union(*(report.failing for report in reports))
    passing = frozenset[str]().union(*(report.passing for report in reports))
    return JUnit(failing=failing, passing=passing - failing)


# -- where they are ------------------------------------------------------------------------------------------


def _named(argv: Sequence[str]) -> Iterator[str]:
    for number, argument in enumerate(argv):
        option, equals, value = argument.partition("=")
        if option in _OPTIONS:
            yield from [value] if equals else argv[number + 1 : number + 2]


def _parts(root: Path, path: Path) -> tuple[str, ...]:
    """The parts of a path below the root, () when it leads elsewhere."""
    top = os.path.realpath(root)
    whole = os.path.normpath(os.path.join(top, path))
    return Path(whole).relative_to(top).parts if whole.startswith(top + os.sep) else ()


def _below(root: Path, parts: tuple[str, ...], since: float) -> bytes | None:
    with suppress(OSError), _folder(root, parts[:-1]) as folder:
        return _bytes(folder, parts[-1], since)
    return None


def _usual(root: Path, cwd: Path, since: float) -> Iterator[bytes]:
    """Reports below the gate's folder. Raises OSError when that is not there any more."""
    parts = _parts(root, cwd)
    start = root if parts or os.path.realpath(root) == os.path.realpath(cwd) else cwd  # in another worktree of ours
    left, files, size = FOLDERS, 0, 0
    with _folder(start, parts) as top:
        for here, folders, names, descriptor in os.fwalk(".", dir_fd=top, follow_symlinks=False):
            left -= 1
            place = Path(here).parts
            deep = len(place) >= LEVELS or left <= 0
            folders[:] = [] if deep else sorted(name for name in folders if name not in _SKIPPED)
            for name in sorted(name for name in names if _usual_name(place, name)):
                with suppress(OSError):
                    if (raw := _bytes(descriptor, name, since)) is not None:
                        files, size = files + 1, size + len(raw)
                        yield raw
                if files >= FILES or size >= 4 * LARGEST:
                    return


def _usual_name(parts: tuple[str, ...], name: str) -> bool:
    if not name.endswith(".xml"):
        return False
    if parts and parts[-1] in ("surefire-reports", "failsafe-reports"):
        return name.startswith("TEST-")
    if any(pair == ("build", "test-results") for pair in pairwise(parts)):
        return True
    return name in _NAMES or (bool(parts) and parts[-1] == "reports" and name.startswith("junit"))


# -- reading -------------------------------------------------------------------------------------------------


@contextmanager
def _folder(root: Path, parts: Sequence[str] = ()) -> Iterator[int]:
    """A folder, opened part by part below `root` so that no link on the way is followed. Raises OSError."""
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _bytes(folder: int, name: str, since: float) -> bytes | None:
    """None for what is no regular file, too big, or older. Raises OSError."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with open(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST or about.st_mtime < since - _GRAIN:
            return None
        raw = file.read(LARGEST + 1)
        return raw if len(raw) <= LARGEST else None


class _Unwanted(Exception):
    """Something in a report that no test runner writes."""


class _Cases:
    """The test cases of one report, element by element."""

    def __init__(self) -> None:
        self.failing: set[str] = set()
        self.passing: set[str] = set()
        self._open: list[str] = []
        self._case = ""
        self._state = "passing"

    def start(self, element: str, attributes: dict[str, str]) -> None:
        tag = element.rpartition(":")[2]
        self._open.append(tag)
        if len(self._open) > _NESTED or len(self.failing) + len(self.passing) > CASES:
            raise _Unwanted("holds too many elements")
        if tag == "testcase":
            group, name = attributes.get("classname", ""), attributes.get("name", "")
            self._case, self._state = tidy(f"{group}.{name}" if group else name), "passing"
        elif len(self._open) > 1 and self._open[-2] == "testcase":
            if tag in _WRONG:
                self._state = "failing"
                if attributes.get("message") == "collection failure":  # pytest's words for a file it cannot import
                    self._case = self._case.removesuffix(NOT_LOADED) + NOT_LOADED
            elif tag == "skipped" and self._state == "passing":
                self._state = "skipped"

    def end(self, _element: str) -> None:
        if self._open.pop() == "testcase" and self._case:
            if self._state == "failing":
                self.failing.add(self._case)
            elif self._state == "passing":
                self.passing.add(self._case)

    def refuse(self, *_args: object) -> None:
        raise _Unwanted("holds a document type or an entity")


def parse(raw: bytes, what: str = "the report") -> JUnit | Refused:
    cases = _Cases()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = cases.start, cases.end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = cases.refuse
    try:
        parser.Parse(raw, True)
    except _Unwanted as unwanted:
        return Refused(reason=f"{what} {unwanted}, so it is not read")
    except (expat.ExpatError, LookupError, ValueError) as error:
        return Refused(reason=f"{what} is no XML: {error}")
    failing = frozenset(cases.failing)
    return JUnit(failing=failing, passing=frozenset(cases.passing) - failing)
