"""The names that product code defines, to tell a test that went with its subject from one that just went."""

from __future__ import annotations

import re
from collections.abc import Iterable

from console.core.tampering import places
from console.core.tampering.reading import File

_PATTERNS = {
    "python": re.compile(r"^[ \t]*(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]{1,80})?=(?!=)", re.MULTILINE),
    "javascript": re.compile(
        r"\b(?:function\*?|class|interface|type|enum|const|let|var)\s+(\w+)|^[ \t]+(?:async\s+"
        r"|static\s+|get\s+|set\s+)*(\w+)\s*\([^()\n]{0,200}\)\s*(?::[^{\n]{0,80})?\{",
        re.MULTILINE,
    ),
    "go": re.compile(
        r"^func\s+(?:\([^)\n]{0,200}\)\s*)?(\w+)|^(?:type|var|const)\s+(\w+)|^\t(\w+)\s*(?:=|[\w*.\[\]]+\s*=)",
        re.MULTILINE,
    ),
    "rust": re.compile(r"\b(?:fn|struct|enum|trait|type|const|static|mod|macro_rules!)\s+(\w+)"),
    "jvm": re.compile(
        r"\b(?:class|interface|enum|record|object|fun|val|var|typealias)\s+(?:\w+\.)?(\w+)"
        r"|^[ \t]+(?:[\w<>\[\],.?]+\s+){1,6}(\w+)\s*\([^;{}\n]{0,200}\)\s*[\w\s,]{0,80}\{",
        re.MULTILINE,
    ),
    "ruby": re.compile(
        r"\b(?:def|class|module)\s+(?:self\.)?(?:\w+::)*(\w+[?!]?)|^\s*([A-Z]\w*)\s*=|\battr_\w+\s+:(\w+)", re.MULTILINE
    ),
    "other": re.compile(
        r"\b(?:function|func|def|class|struct|enum|sub|defmodule)\s+(\w+)|^(\w+)\s*\(\)\s*\{", re.MULTILINE
    ),
}
_UNIT_TESTS = re.compile(r"#\[cfg\(test\)\]\s*(?:pub )?mod \w+ \{")
_COMMON = re.compile(r"main|init|run|get|set|new|test|name|data|value|self|this|args|kwargs|result|config|index|log")
_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def removed(files: Iterable[File]) -> frozenset[str]:
    """Names (lower case, without underscores) that product code defined and no longer defines anywhere in the set."""
    before: set[str] = set()
    after: set[str] = set()
    for file in files:
        kind = places.language(file.path)
        if file.large or not kind or not places.is_product(file.path):
            continue
        before |= _names(kind, _product(kind, file.old)) - {plain(case.leaf) for case in file.before.cases.values()}
        after |= _names(kind, file.new)
        if file.existed and not file.exists:
            before.add(plain(places.stem(file.path)))
        elif file.exists:
            after.add(plain(places.stem(file.path)))
    return frozenset(name for name in before - after if len(name) > 3 and not _COMMON.fullmatch(name))


def _names(kind: str, text: str) -> set[str]:
    return {plain(name) for match in _PATTERNS[kind].finditer(text) for name in match.groups() if name}


def _product(kind: str, text: str) -> str:
    """The text in front of a module of unit tests."""
    unit_tests = _UNIT_TESTS.search(text) if kind == "rust" else None
    return text[: unit_tests.start()] if unit_tests else text


def plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").rstrip("?!").lower()


def words(title: str) -> frozenset[str]:
    """The words of a test's title, lower case, without `test`."""
    return frozenset(token.lower() for token in _TOKEN.findall(title[:300])) - {"test", "tests"}


def names_one_of(gone: frozenset[str], title: str, body: str) -> bool:
    """Whether a test's title or body uses one of these names."""
    if not gone:
        return False
    if any(plain(word) in gone for word in set(re.findall(r"\w+[?!]?", body[:50_000]))):
        return True
    tokens = [token.lower() for token in _TOKEN.findall(title[:300])][:24]
    return any(
        "".join(tokens[first:last]) in gone
        for first in range(len(tokens))
        for last in range(first + 1, min(first + 7, len(tokens) + 1))
    )
