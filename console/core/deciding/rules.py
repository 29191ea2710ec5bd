"""The rules by which words of a ticket speak for a category, and what speaks against. Weights are set by hand.

A rule holds in one sentence, when each of its groups has a word there, no two of them far apart. Nothing here is
fitted to a ticket: a rule that needs a word gets it in the word lists, in every language. What all that holds says
together about parking is weighed in `weighing`, by fitted weights.
"""

from __future__ import annotations

from dataclasses import dataclass

from console.core.records import Category

ACT = "ADD|REMOVE|RENAME|CHANGE|STORE|MIGRATE"


@dataclass(frozen=True, slots=True)
class Rule:
    """groups: concepts, each group a list of alternatives. title: times the weight when the title says it."""

    name: str
    category: Category
    weight: float
    groups: tuple[tuple[str, ...], ...]
    title: float = 1.4


def _rule(name: str, category: Category, weight: float, *groups: str, title: float = 1.4) -> Rule:
    return Rule(name, category, weight, tuple(tuple(group.split("|")) for group in groups), title)


RULES: tuple[Rule, ...] = (
    _rule("schema-structure", "schema", 2.6, "DB_HARD", ACT),
    _rule("schema-named", "schema", 1.0, "DB_HARD"),
    _rule("schema-migration", "schema", 2.0, "MIGRATE", "ADD|CHANGE|DATUM|EXISTING|DB_HARD|DB_SOFT"),
    _rule("schema-table", "schema", 1.2, "DB_SOFT", ACT),
    _rule("schema-table-change", "schema", 0.8, "DB_TABLE", "ADD|REMOVE|RENAME"),
    _rule("schema-existing-data", "schema", 1.4, "EXISTING", "DATUM"),
    _rule("schema-file-format", "schema", 1.6, "FORMAT"),
    _rule("schema-stored-type", "schema", 1.4, "STORE", "TYPE|DB_SOFT"),
    _rule("schema-stored", "schema", 0.8, "STORE", "DATUM"),
    _rule("api-contract", "api", 2.0, "API_HARD", "REMOVE|RENAME|CHANGE"),
    _rule("api-named", "api", 0.6, "API_HARD|ROUTE|CALL|FLAG"),
    _rule("api-surface", "api", 1.5, "API_SOFT|CALL|FLAG|ROUTE|KEY|ENVVAR", "REMOVE|RENAME"),
    _rule("api-surface-change", "api", 0.9, "API_SOFT|CALL|FLAG|ROUTE|KEY|ENVVAR", "CHANGE"),
    _rule("api-breaking", "api", 1.7, "BREAKING"),
    _rule("api-version", "api", 0.9, "VERSIONED", "REMOVE|RENAME|CHANGE"),
    _rule("security-mechanism", "security", 2.0, "SEC_HARD"),
    _rule("security-change", "security", 1.0, "SEC_HARD", "ADD|REMOVE|CHANGE|REVEAL|STORE"),
    _rule("security-access", "security", 1.5, "SEC_SOFT", "ADD|REMOVE|CHANGE|REVEAL|STORE|AGED|WANT"),
    _rule("security-named", "security", 0.5, "SEC_SOFT"),
    _rule("security-others-data", "security", 2.6, "OTHERS", "REVEAL"),
    _rule("security-others", "security", 1.0, "OTHERS", "SEC_SOFT|SEC_HARD"),
    _rule("money-amount", "money", 1.8, "PAY_HARD"),
    _rule("money-computed", "money", 1.6, "PAY", "COMPUTE"),
    _rule("money-change", "money", 1.0, "PAY", "ADD|REMOVE|CHANGE"),
    _rule("schema-new-name", "schema", 1.0, "NAMED", "ADD|STORE|KEPT"),
    _rule("api-status", "api", 1.3, "STATUS", "ROUTE|API_HARD|CHANGE|DOCS|PUBLIC"),
    _rule("money-wanted", "money", 0.6, "PAY|PAY_HARD|DEAL", "WANT"),
    _rule("api-wanted", "api", 0.5, "API_SOFT|CALL|FLAG|ROUTE|KEY|API_HARD", "WANT"),
    _rule("security-wanted", "security", 0.6, "SEC_SOFT|SEC_HARD|GUARD|PERSONS", "WANT"),
    _rule("money-figure", "money", 1.0, "PAY|COMPUTE", "AMOUNT"),
    _rule("money-named", "money", 0.5, "PAY"),
    _rule("destructive-erase", "destructive", 2.4, "ERASE", "ASSET"),
    _rule("destructive-hard", "destructive", 2.2, "ERASE_HARD"),
    _rule("destructive-remove", "destructive", 1.4, "REMOVE", "ASSET"),
    _rule("destructive-aged", "destructive", 1.3, "REMOVE|ERASE", "AGED"),
    _rule("destructive-production", "destructive", 1.2, "REMOVE|ERASE", "PRODUCTION"),
    _rule("schema-kept", "schema", 1.8, "KEPT"),
    _rule("schema-kept-change", "schema", 0.8, "KEPT", ACT),
    _rule("api-public", "api", 1.6, "PUBLIC"),
    _rule("api-public-change", "api", 0.8, "PUBLIC|API_SOFT|API_HARD", "REMOVE|RENAME|CHANGE|BREAKING"),
    _rule("security-guard", "security", 1.8, "GUARD"),
    _rule("security-guard-change", "security", 0.8, "GUARD|GUARD_SOFT", "SEC_SOFT|SEC_HARD|REVEAL|OTHERS"),
    _rule("money-deal", "money", 1.5, "DEAL"),
    _rule("money-deal-change", "money", 0.8, "DEAL", "COMPUTE|CHANGE|ADD|AMOUNT|PAY"),
    _rule("destructive-gone", "destructive", 1.6, "GONE"),
    _rule("destructive-gone-remove", "destructive", 1.0, "GONE", "REMOVE|ERASE|ASSET"),
    _rule("schema-several", "schema", 1.3, "MANY", "ADD|STORE|CHANGE|MAY|SWITCHED|DATUM|ASSET"),
    _rule("money-switched", "money", 1.6, "MONEYFIG|PERCENT", "CHANGE|SWITCHED|COMPUTE|DEAL|PAY"),
    _rule("money-figure-named", "money", 0.6, "MONEYFIG"),
    _rule("security-people", "security", 1.4, "PERSONS", "MAY|REVEAL|OWN"),
    _rule("security-own", "security", 1.2, "OWN", "MAY|REVEAL|PERSONS"),
    _rule("destructive-older", "destructive", 1.3, "REMOVE|ERASE", "AGE_WORD|YEAR"),
    _rule("ambiguity-consult", "ambiguity", 1.3, "CONSULT"),
    _rule("ambiguity-asked", "ambiguity", 0.9, "QUESTION"),
    _rule("ambiguity-wish", "ambiguity", 1.6, "WISH"),
    _rule("ambiguity-undecided", "ambiguity", 2.8, "UNDECIDED"),
    _rule("ambiguity-open", "ambiguity", 2.8, "OPEN"),
    _rule("ambiguity-choice", "ambiguity", 2.0, "QUESTION", "CHOICE"),
    _rule("ambiguity-vague", "ambiguity", 1.0, "VAGUE"),
    _rule("ambiguity-hedge", "ambiguity", 0.9, "HEDGE"),
)

AGAINST: dict[str, float] = {
    "TYPO": 2.4,
    "DOCS": 1.4,
    "LOOKS": 1.4,
    "TESTS": 1.5,
    "CRASH": 1.0,
    "PERF": 0.6,
    "INSIDE": 1.5,
    "LOGLINE": 1.3,
    "WORDS": 1.3,
    "SAME": 1.3,
}
"""What a concept of harmless work takes off, once a ticket."""

HINTS: dict[str, float] = {
    "BUG_SHAPE": 0.4,
    "EPHEMERAL": 0.8,
    "UI": 0.7,
    "DEVICE": 0.6,
    "BROKEN": 0.7,
    "EASY": 0.5,
    "CRAFT": 0.6,
    "HARMLESS": 0.8,
    "PIXELS": 1.0,
    "FILEREF": 0.5,
    "ADDITIVE": 0.8,
    "ONSCREEN": 1.0,
    "FIXED": 0.4,
    "NEGATED": 0.15,
}
"""The same for words that go with harmless work more often than not; all of them together take off HINTS_MOST."""

HINTS_MOST = 1.6
IN_TITLE = 1.8
"""How many times as much a word of harmless work counts in the title."""

SHARE: dict[Category, float] = {
    "schema": 1.0,
    "api": 1.0,
    "security": 1.0,
    "money": 1.0,
    "destructive": 1.0,
    "ambiguity": 0.5,
}
"""How much of that counts against a category."""

FADING = 0.75
"""What each further rule of a category counts for, compared with the one before it."""

PARKS_AT = 0.15
"""The margin (see weighing) from which a ticket parks. Chosen on texts that the weights had not seen."""

OPEN = "ambiguity-open"
"""The rule that parks whatever else a text says: it states that something is not decided."""

WORDS_COUNT = 2.0
"""What the words of a category count for beside its rules when the category of a park is chosen."""

SPOKEN_AT = 0.9
"""The score from which a category counts as announced."""

ENOUGH_TEXT = 30
"""Letters of prose (an ideograph or syllable counts as three) from which a text without any known word is a riddle."""

FAINT = 0.16
"""The most that speaks for harmless work in a text of which nothing is known."""

UNFAMILIAR = 0.3
"""Up to this share of known words a text without any word of the lists says nothing that can be classed."""
