"""What a path alone says: its words, and whether it is code, a test, prose, a translation, or made by a machine."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Kind = Literal["code", "test", "prose", "locale", "generated", "asset"]


def terms(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")

_TEST_FOLDERS = terms(
    "test tests testing __tests__ __test__ spec specs e2e cypress playwright testdata test-data test_data "
    "fixtures __fixtures__ testutils test_utils test-utils testsuite factories cassettes mocks __mocks__ stories "
    "benchmark benchmarks testing_support conformance"
)
_TEST_NAME = re.compile(
    r"^(?:test_.*|tests|conftest|.*_tests?|.*_spec|.*[.-](?:test|spec|stories|cy|e2e)|.*(?:Tests?|Spec|IT))"
    r"\.\w+$"
)
_PROSE = re.compile(
    r"\.(?:md|mdx|rst|adoc|markdown|org|tex|ipynb)$|^(?:CHANGELOG|CHANGES|HISTORY|NEWS|LICENSE|AUTHORS)\b", re.I
)
_PROSE_FOLDERS = terms("docs doc documentation website examples example samples blog changelog changelogs")
_LOCALE_FOLDERS = terms("locale locales i18n translations lang langs l10n messages intl")
_LOCALE = re.compile(r"\.(?:po|pot|mo|xlf|xliff|arb|strings|ftl)$")
_GENERATED = re.compile(
    r"(?:^|/)(?:gen|generated|__generated__|vendor|third_party|node_modules|dist|__snapshots__|snapshots)/|"
    r"\.min\.(?:js|css)$|\.map$|\.snap$|_pb2(?:_grpc)?\.pyi?$|_(?:grpc_)?pb\.(?:d\.)?[jt]s$|\.pb(?:\.\w+)?\.go$|[._-]generated\.|\.gen\.\w+$|_gen\.go$|"
    r"(?:^|/)assets/[^/]{1,80}-[A-Za-z0-9_-]{8}\.(?:js|css)$"
)
_ASSET = re.compile(
    r"\.(?:png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|pdf|css|scss|sass|less|txt|csv|tsv|log)$",
    re.I,
)


@lru_cache(maxsize=4096)
def words(path: str) -> frozenset[str]:
    """The words of a path in lower case: `src/OAuthTokens.py` -> src, o, auth, tokens, token, py."""
    found = [word.lower() for word in _WORD.findall(path)]
    return frozenset(found) | frozenset(word[:-1] for word in found if word.endswith("s") and len(word) > 3)


@lru_cache(maxsize=4096)
def kind(path: str) -> Kind:
    """What kind of file this is, by its path; the domain rules look at code only."""
    *folders, name = path.split("/")
    held = {folder.lower() for folder in folders}
    if held & _TEST_FOLDERS or any(folder.endswith(("-tests", "_tests", "-test")) for folder in held):
        return "test"
    if _TEST_NAME.match(name):
        return "test"
    if held & _LOCALE_FOLDERS or _LOCALE.search(name):
        return "locale"
    if _GENERATED.search(path):
        return "generated"
    if _PROSE.search(name) or held & _PROSE_FOLDERS:
        return "prose"
    return "asset" if _ASSET.search(name) else "code"
