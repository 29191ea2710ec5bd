"""Code outside the tests that keeps them from running, replaces them, or ends the run: what is new of it in a change.

A statement that was there before, word for word, is none; one of the same name with other words weighs less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from console.core.tampering import places
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File

if TYPE_CHECKING:
    from console.core.tampering.pyswitch import Switch

_SCRIPTS = re.compile(
    r"(?:^|/)(?:__main__|setup|manage|conf)\.py$|(?:^|/)(?:bin|scripts?|tools|hack|ci|\.github)/|\.gemspec$"
)
_WITH_TESTS = frozenset({"tests-chosen", "test-replaced", "setup-skips"})
_PARTS = re.compile(r"[/.@~]+")
_SCANNED = frozenset({"javascript", "go", "ruby", "jvm"})


def facts(files: Sequence[File]) -> Iterator[Fact]:
    """The new statements of every file that was read."""
    product = _product(files)
    for file in files:
        if file.large or not file.exists or file.old == file.new or places.is_fixture(file.path):
            continue
        tests = places.is_test_side(file.path)
        if not (tests or places.is_product(file.path)):
            continue
        before, after = _read(file.old, file.path, tests), _read(file.new, file.path, tests)
        for switch in _fresh(before, after):
            if (fact := _told(switch, file, tests, product)) is not None:
                yield fact


def _product(files: Sequence[File]) -> frozenset[str]:
    """How the changed files of product code are named in an import: by file, or by folder for an `__init__`."""
    names = set()
    for file in files:
        if file.existed and file.exists and places.is_product(file.path) and file.old != file.new:
            stem = places.stem(file.path)
            parts = file.path.split("/")
            names.add(parts[-2] if stem in {"__init__", "index", "mod"} and len(parts) > 1 else stem)
    return frozenset(names)


def _read(text: str, path: str, tests: bool) -> list[Switch]:
    kind = places.language(path)
    if kind == "python" and text:
        from console.core.tampering.pyswitch import read

        return read(text)
    if kind in _SCANNED and text:
        from console.core.tampering.textswitch import read as scanned

        return scanned(text, kind, tests=tests)
    return []


def _fresh(before: Sequence[Switch], after: Sequence[Switch]) -> Iterator[Switch]:
    same = Counter((switch.rule, switch.name, switch.text, switch.inside) for switch in before)
    named = Counter((switch.rule, switch.name, switch.inside) for switch in before)
    for switch in sorted(after, key=lambda switch: switch.line):
        words = (switch.rule, switch.name, switch.text, switch.inside)
        if same[words]:
            same[words] -= 1
        elif named[words[0], words[1], words[3]]:
            yield replace(switch, level="medium")
        else:
            yield switch


def _told(switch: Switch, file: File, tests: bool, product: frozenset[str]) -> Fact | None:
    level = switch.level
    match switch.rule:
        case "product-patched":
            if not tests or not _is_patched(switch, file, product):
                return None
        case "run-ends" if _SCRIPTS.search(file.path) and switch.name != "os._exit":
            return None
        case "setup-may-skip" if not (tests and file.existed):
            return None
        case "setup-skips" if not tests:
            return None
        case "always-equal" if tests:
            level = "medium"
    if switch.rule in _WITH_TESTS and not file.existed and switch.rule != "test-replaced":
        level = "medium" if places.name(file.path) not in {"__init__.py", "conftest.py"} else level
    return Fact(switch.rule, file.path, switch.line, switch.name, level=level)


def _is_patched(switch: Switch, file: File, product: frozenset[str]) -> bool:
    """Whether a patch concerns changed product code, and tests that were there before."""
    parts = [
        part.partition(".")[0] if "/" in switch.target else part for part in re.split(r"[/]|\.(?![/.])", switch.target)
    ]
    if product.isdisjoint(part for part in parts if part):
        return False
    if not file.existed or not file.before.cases:
        return switch.lasting and places.language(file.path) == "python"
    if switch.inside.startswith("test"):
        return any(case.leaf == switch.inside for case in file.before.cases.values())
    return True
