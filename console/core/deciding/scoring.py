"""Scores a reading by the rules: what speaks for each category, by which words, and what speaks against."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from console.core.deciding import rules
from console.core.deciding.lexicon import Hit, Hits, find
from console.core.deciding.reading import Reading, Sentence
from console.core.deciding.rules import AGAINST, HINTS, RULES, SHARE, Rule
from console.core.records import Category

_NEAR = 110
_REPEATED = 0.35
SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
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
    """totals: by category, after what speaks against. raw: before. signals: the heaviest of each rule. against:
    concepts of harmless work, each with a word; harmless: what they take off together. spoken: every concept and every
    rule that held, by name; titled: those in the title."""

    totals: dict[Category, float] = field(default_factory=dict)
    raw: dict[Category, float] = field(default_factory=dict)
    signals: dict[Category, list[Signal]] = field(default_factory=dict)
    against: dict[str, str] = field(default_factory=dict)
    harmless: float = 0.0
    spoken: set[str] = field(default_factory=set)
    titled: set[str] = field(default_factory=set)


def score(reading: Reading) -> Score:
    best: dict[Rule, Signal] = {}
    seconds: dict[Rule, float] = defaultdict(float)
    against: dict[str, tuple[float, str]] = {}
    spoken: set[str] = set()
    titled: set[str] = set()
    for sentence in reading.sentences:
        hits = hits_of(sentence)
        _plain_work(hits, sentence, against)
        held = [] if "SAME" in hits else _held(hits, sentence)
        names = {concept for concept, there in hits.items() if there} | {signal.rule.name for signal in held}
        spoken |= names
        titled |= set() if sentence.line else names
        for signal in held:
            known = best.get(signal.rule)
            if known is None or signal.weight > known.weight:
                best[signal.rule] = signal
            if known is not None:
                seconds[signal.rule] = max(seconds[signal.rule], min(known.weight, signal.weight))
    if reading.has_trace and "CRASH" not in against:
        against["CRASH"] = (AGAINST["CRASH"], "a stack trace")
    result = _sum(best, seconds, against)
    result.spoken, result.titled = spoken, titled
    return result


def hits_of(sentence: Sentence) -> Hits:
    """Words of the lists, and the shapes of code: routes, flags, calls, amounts."""
    hits = find(sentence.text)
    for name, shape in SHAPES:
        if found := shape.search(sentence.text):
            hits.setdefault(name, []).append(Hit(found.start(), found[0]))
    _only_places(hits, sentence.text)
    _without_harmless(hits)
    if "RHETORIC" in hits:
        hits.pop("QUESTION", None)
        hits.pop("UNDECIDED", None)
    return hits


_GUARDED = ("PAY", "PAY_HARD", "DEAL", "SEC_SOFT", "SEC_HARD", "GUARD", "GUARD_SOFT")
_OF = re.compile(r"\s(?:de|del|della|di|do|da|du|des|der|of|la|le|el|w|z)\s")
_BESIDE = 3


def _only_places(hits: Hits, text: str) -> None:
    """Drop guarded words that only name a place on the screen: "login page", "liste des factures", "结算页面"."""
    places = hits.get("PLACE", ())
    if not places:
        return
    for concept in _GUARDED:
        kept = [hit for hit in hits.get(concept, ()) if not any(_names(hit, place, text) for place in places)]
        if len(kept) < len(hits.get(concept, ())):
            hits.setdefault("ONSCREEN", []).extend(places[:1])
            hits[concept] = kept


def _without_harmless(hits: Hits) -> None:
    """Drop the guarded words inside phrases that only look like them: "permission denied", "sort key"."""
    spans = [(hit.at, hit.at + len(hit.text)) for hit in hits.get("HARMLESS", ())]
    for concept in hits.keys() - {"HARMLESS"} - AGAINST.keys() - HINTS.keys() if spans else ():
        hits[concept] = [hit for hit in hits[concept] if not any(start <= hit.at < end for start, end in spans)]


def _names(hit: Hit, place: Hit, text: str) -> bool:
    end = hit.at + len(hit.text)
    if end <= place.at <= end + _BESIDE:
        return not text[end : place.at].strip(" -")
    between = text[place.at + len(place.text) : hit.at]
    return place.at < hit.at and len(between) <= 8 and bool(_OF.match(between) and len(between.split()) <= 2)


def _plain_work(hits: Hits, sentence: Sentence, against: dict[str, tuple[float, str]]) -> None:
    for concept, weight in (*AGAINST.items(), *HINTS.items()):
        if concept in hits:
            taken = weight * (1.0 if sentence.line else rules.IN_TITLE)
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
    for group in rule.groups:
        if not any(hits.get(concept) for concept in group):
            return ()
    groups = [[hit for concept in group for hit in hits.get(concept, ())] for group in rule.groups]
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
        result.signals.setdefault(rule.category, []).append(signal)
    for category, signals in result.signals.items():
        weights = sorted((s.weight + _REPEATED * seconds[s.rule] for s in signals), reverse=True)
        result.raw[category] = sum(weight * rules.FADING**place for place, weight in enumerate(weights))
    plain = sum(weight for concept, (weight, _) in against.items() if concept in AGAINST)
    off = plain + min(rules.HINTS_MOST, sum(weight for concept, (weight, _) in against.items() if concept in HINTS))
    result.harmless = off
    for category, raw in result.raw.items():
        result.totals[category] = raw - off * SHARE[category]
        result.signals[category].sort(key=lambda signal: -signal.weight)
    return result
