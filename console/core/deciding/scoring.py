"""Scores a reading by the rules: what speaks for each category, by which words, and what speaks against."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from console.core.deciding.lexicon import Hit, Hits, find
from console.core.deciding.reading import Reading, Sentence
from console.core.deciding.rules import AGAINST, RULES, SHARE, Rule
from console.core.records import Category

_NEAR = 110
_REPEATED = 0.35
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ROUTE", re.compile(r"\b(?:get|post|put|patch|delete) /[\w{]|(?<![\w./])/(?:api|v\d)(?:/[\w{}-]{1,40})?")),
    ("FLAG", re.compile(r"(?<![\w-])--[a-z][\w-]{1,30}")),
    ("CALL", re.compile(r"\b\w{2,40}\(\)")),
    ("KEY", re.compile(r"`[a-z]\w{1,30}\.\w{1,30}`|^[a-z]\w{1,30}\.\w{1,30}:")),
    ("ENVVAR", re.compile(r"\b[a-z]{2,20}_[a-z]{2,20}_[a-z_]{2,20}=")),
    ("AMOUNT", re.compile(r"\d ?(?:%|€|\$|£|¥|usd|eur|zł|руб|円|元|원)|[€$£¥] ?\d")),
    (
        "VERSIONED",
        re.compile(r"(?:\b(?:in|from|since|with|ab|seit|desde|depuis|dalla|da|od|na|с|в)|从|v) ?v?\d{1,3}\.\d"),
    ),
    ("QUESTION", re.compile(r"[?？]")),
    ("UNDECIDED", re.compile(r"^(?:option )?[ab12]\)|^option [ab12]\b")),
)


@dataclass(frozen=True, slots=True)
class Signal:
    """One rule that held. words: those it went by."""

    rule: Rule
    weight: float
    sentence: Sentence
    words: tuple[str, ...]


@dataclass(slots=True)
class Score:
    """totals: by category, after what speaks against. raw: before. signals: the heaviest of each rule."""

    totals: dict[Category, float] = field(default_factory=dict)
    raw: dict[Category, float] = field(default_factory=dict)
    signals: dict[Category, list[Signal]] = field(default_factory=dict)
    against: dict[str, str] = field(default_factory=dict)


def score(reading: Reading) -> Score:
    best: dict[Rule, Signal] = {}
    seconds: dict[Rule, float] = defaultdict(float)
    against: dict[str, tuple[float, str]] = {}
    for sentence in reading.sentences:
        hits = hits_of(sentence)
        _plain_work(hits, sentence, against)
        if "SAME" in hits:
            continue
        for signal in _held(hits, sentence):
            known = best.get(signal.rule)
            if known is None or signal.weight > known.weight:
                best[signal.rule] = signal
            if known is not None:
                seconds[signal.rule] = max(seconds[signal.rule], min(known.weight, signal.weight))
    if reading.has_trace and "CRASH" not in against:
        against["CRASH"] = (AGAINST["CRASH"], "a stack trace")
    return _sum(best, seconds, against)


def hits_of(sentence: Sentence) -> Hits:
    """Words of the lists, and the shapes of code: routes, flags, calls, amounts."""
    hits = find(sentence.text)
    for name, shape in _SHAPES:
        if found := shape.search(sentence.text):
            hits.setdefault(name, []).append(Hit(found.start(), found[0]))
    return hits


def _plain_work(hits: Hits, sentence: Sentence, against: dict[str, tuple[float, str]]) -> None:
    for concept, weight in AGAINST.items():
        if concept in hits:
            taken = weight * (1.0 if sentence.line else 1.5)
            if taken > against.get(concept, (0.0, ""))[0]:
                against[concept] = (taken, hits[concept][0].text)


def _held(hits: Hits, sentence: Sentence) -> list[Signal]:
    found = []
    for rule in RULES:
        words = _words(hits, rule)
        if words:
            weight = rule.weight * (1.0 if sentence.line else rule.title)
            found.append(Signal(rule, weight, sentence, words))
    return found


def _words(hits: Hits, rule: Rule) -> tuple[str, ...]:
    """One word a group, none of them the same place; empty when the rule does not hold."""
    groups = [[hit for concept in group for hit in hits.get(concept, ())] for group in rule.groups]
    if not all(groups):
        return ()
    if len(groups) == 1:
        return (groups[0][0].text,)
    for one in groups[0][:8]:
        for other in groups[1][:8]:
            if one.at != other.at and abs(one.at - other.at) <= _NEAR:
                return (one.text, other.text)
    return ()


def _sum(best: dict[Rule, Signal], seconds: dict[Rule, float], against: dict[str, tuple[float, str]]) -> Score:
    result = Score(against={concept: word for concept, (_, word) in against.items()})
    for rule, signal in best.items():
        weight = signal.weight + _REPEATED * seconds[rule]
        result.raw[rule.category] = result.raw.get(rule.category, 0.0) + weight
        result.signals.setdefault(rule.category, []).append(signal)
    off = sum(weight for weight, _ in against.values())
    for category, raw in result.raw.items():
        result.totals[category] = raw - off * SHARE[category]
        result.signals[category].sort(key=lambda signal: -signal.weight)
    return result
