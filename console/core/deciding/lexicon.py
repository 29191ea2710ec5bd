"""Finds the words of the lists in a sentence: each as concept, place and the text that was there.

One pass over the words: the time is linear in the text whatever it contains.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache

from console.core.deciding.words_actions import ACTIONS
from console.core.deciding.words_doubt import DOUBT
from console.core.deciding.words_guarded import GUARDED
from console.core.deciding.words_hints import HINTS
from console.core.deciding.words_lost import LOST
from console.core.deciding.words_paid import PAID
from console.core.deciding.words_plain import PLAIN
from console.core.deciding.words_public import PUBLIC
from console.core.deciding.words_stored import STORED

_WORD = re.compile(r"[^\W_]+(?:[-'.][^\W_]+)*\??")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LONGEST_WORD = 40
TABLES = (ACTIONS, STORED, LOST, PUBLIC, GUARDED, PAID, DOUBT, PLAIN, HINTS)


@dataclass(frozen=True, slots=True)
class Hit:
    at: int
    text: str


Hits = dict[str, list[Hit]]


@dataclass(slots=True)
class _Index:
    exact: dict[str, set[str]]
    stems: dict[str, set[str]]
    inner: list[tuple[str, str]]
    phrases: dict[str, list[tuple[tuple[str, ...], str]]]
    east: dict[str, list[tuple[str, str]]]


@cache
def _index() -> _Index:
    index = _Index(defaultdict(set), defaultdict(set), [], defaultdict(list), defaultdict(list))
    for table in TABLES:
        for concept, words in table.items():
            for word in words.casefold().replace("ß", "ss").split():
                _file(index, concept, word)
    return index


def _file(index: _Index, concept: str, word: str) -> None:
    if _EAST.search(word):
        index.east[word[0]].append((word.replace("_", " "), concept))
    elif "_" in word:
        first, *rest = word.split("_")
        index.phrases[first].append((tuple(rest), concept))
    elif word.startswith("*"):
        index.inner.append((word.strip("*"), concept))
    elif word.endswith("*"):
        index.stems[word[:-1]].add(concept)
    else:
        index.exact[word].add(concept)


@cache
def _longest_stem() -> int:
    return max(len(stem) for stem in _index().stems)


@lru_cache(maxsize=20_000)
def concepts_of(word: str) -> frozenset[str]:
    """The concepts of one word, by itself."""
    index = _index()
    bare = word.rstrip("?")
    found = set(index.exact.get(bare, ()))
    for end in range(2, min(len(bare), _longest_stem()) + 1):
        found |= index.stems.get(bare[:end], set())
    if len(bare) >= 8:
        found |= {concept for part, concept in index.inner if part in bare}
    return frozenset(found)


def find(text: str) -> Hits:
    """Every word of the lists in this (folded) text."""
    index, hits = _index(), defaultdict(list)
    words = [(m.start(), m[0][:_LONGEST_WORD]) for m in _WORD.finditer(text)]
    for place, (at, word) in enumerate(words):
        for concept in concepts_of(word):
            hits[concept].append(Hit(at, word.rstrip("?")))
        for start in _starts(word):
            for rest, concept in index.phrases[start]:
                if _follows(words, place + 1, rest):
                    hits[concept].append(Hit(at, " ".join(w for _, w in words[place : place + 1 + len(rest)])))
    if _EAST.search(text):
        for at, char in enumerate(text):
            for word, concept in index.east.get(char, ()):
                if text.startswith(word, at):
                    hits[concept].append(Hit(at, word))
    return hits


@cache
def _open_starts() -> frozenset[str]:
    return frozenset(start for start in _index().phrases if start.endswith("*"))


@lru_cache(maxsize=20_000)
def _starts(word: str) -> list[str]:
    found = [word] if word in _index().phrases else []
    return found + [word[:end] + "*" for end in range(2, min(len(word), 14) + 1) if word[:end] + "*" in _open_starts()]


def _follows(words: list[tuple[int, str]], place: int, rest: tuple[str, ...]) -> bool:
    if place + len(rest) > len(words):
        return False
    for offset, wanted in enumerate(rest):
        word = words[place + offset][1]
        if not (word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted or word.rstrip("?") == wanted):
            return False
    return True
