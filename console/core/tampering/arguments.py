"""Two writings of one check that differ in literals only: whether the call got other ones and the rest is equal."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from console.core.tampering.sheet import Check

_TOKEN = re.compile(
    r"""(?P<literal>[rbfu$@]*+(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)|\b\d[\w.]*+)"""
    r"""|(?P<call>(?<![\w$.:!?])[A-Za-z_$][\w$.:!?]*+(?:\[[\w., ]{0,40}\])?)\(|(?P<open>[(\[{])|(?P<close>[)\]}])""",
    re.DOTALL,
)
_HOLDS_EXPECTED = re.compile(
    r"assert\w*|expect\w*|check|verify|ensure|require\w*|should\w*|fail\w*|must\w*|that|raises|warns|match\w*|eq\w*|eql"
    r"|to[A-Z]\w*|to|is[A-Z]\w*|be\w*|Be\w*|Equal\w*|contains?\w*|include\w*|deep\w*|strict\w*|not\w*|same|throws\w*|has\w*"
    r"|Error|Errorf|Fatal|Fatalf|Log|Logf|andExpect|refute\w*|Contains\w*|Len|True|False|Empty|Greater\w*|Less\w*"
    r"|list|set|dict|tuple|str|int|float|bytes|frozenset|len|sorted|range|approx|isinstance|type|repr|bool|abs|round|any|all"
    r"|string|byte|int64|float64|new|vec!|format!|of|asList|listOf|mapOf|setOf|List\.of|Some|Ok|Err|if"
)
_GO = re.compile(r":=|\bt\.[A-Z]\w*\(|\(t, ")
_MOST = 200


def edited(gone: Sequence[Check], came: Sequence[Check]) -> bool:
    """Whether a check of `gone` is in `came` with other literals inside a call, and equal ones elsewhere."""
    by_shape: dict[str, list[Check]] = defaultdict(list)
    for check in came[:_MOST]:
        by_shape[check.shape].append(check)
    for check in gone[:_MOST]:
        if others := by_shape.get(check.shape):
            (given, rest), (now, others_rest) = _literals(check.text), _literals(others.pop(0).text)
            if given != now and rest == others_rest:
                return True
    return False


def _literals(text: str) -> tuple[list[str], list[str]]:
    """Literals inside the brackets of a call that is no assertion's and builds no value; all others."""
    inside: list[str] = []
    outside: list[str] = []
    frames: list[bool] = []
    calls = 0
    capitals = _GO.search(text) is not None
    for match in _TOKEN.finditer(text):
        if match["literal"] is not None:
            (inside if calls else outside).append(match["literal"])
        elif match["close"]:
            calls -= frames.pop() if frames else False
        else:
            product = match["call"] is not None and _is_product(match["call"], capitals)
            frames.append(product)
            calls += product
    return inside, outside


def _is_product(call: str, capitals: bool) -> bool:
    """Whether a name is one of code under test: neither an assertion, nor a class, nor what builds plain values.

    capitals: functions begin with one too.
    """
    last = re.split(r"[.:]", call.partition("[")[0])[-1]
    return not (_HOLDS_EXPECTED.fullmatch(last) or (last[:1].isupper() and not capitals and "." not in call))
