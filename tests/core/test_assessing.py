"""The level that a diff asks for, and the order and number of what is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.core.assessing import MOST, assess
from console.core.records import Assessment, Finding, FindingKind, FindingLevel


@dataclass(frozen=True)
class Changed:
    path: str
    old: bytes | None
    new: bytes | None
    old_mode: str = "100644"
    mode: str = "100644"


PLAIN = Changed("shop/cart.py", b"a = 1\n", b"a = 2\n")
LOCK = Changed("uv.lock", b"a\n", b"b\n")
DOCKER = Changed("Dockerfile", b"a\n", b"b\n")
TOKEN = Changed("shop/cart.py", b"a = 1\n", b"t = 'gh" + b"p_" + b"kJ8sQ2vLx9TzWm4RnB7cYd3FhG6pXa1EuVoK" + b"'\n")


def finding(kind: FindingKind, level: FindingLevel, rule: str = "r", text: str = "t") -> Finding:
    return Finding(kind=kind, level=level, rule=rule, text=text)


def test_a_plain_diff_asks_for_one_key_and_says_nothing() -> None:
    assert assess([PLAIN], (), ()) == Assessment()


@pytest.mark.parametrize(("change", "level", "word"), [(LOCK, 2, "medium"), (DOCKER, 3, "high")])
def test_a_class_brings_its_level_and_its_finding(change: Changed, level: int, word: str) -> None:
    found = assess([PLAIN, change], (), ())
    assert found.level == level
    assert {(each.kind, each.level, each.path) for each in found.findings} == {("risk", word, change.path)}
    assert found.classes == tuple(dict.fromkeys(each.rule for each in found.findings))


def test_a_secret_asks_for_the_id() -> None:
    found = assess([TOKEN], (), ())
    assert (found.level, found.classes) == (3, ("secrets",))
    assert [each.kind for each in found.findings] == ["secret"]


@pytest.mark.parametrize(
    ("tests", "level", "classes"),
    [
        (finding("tests", "high"), 3, ("gate-weakened",)),
        (finding("tests", "medium"), 1, ()),
        (finding("tests", "medium", "gate-config-changed"), 2, ()),
        (finding("tests", "info"), 1, ()),
    ],
)
def test_what_was_found_about_tests_weighs_by_its_level(tests: Finding, level: int, classes: tuple[str, ...]) -> None:
    assert assess([PLAIN], (tests,), ()) == Assessment(level=level, findings=(tests,), classes=classes)


@pytest.mark.parametrize(("word", "level"), [("high", 3), ("medium", 2), ("info", 1)])
def test_what_hooks_found_weighs_by_its_level(word: FindingLevel, level: int) -> None:
    assert assess([PLAIN], (), (finding("hook", word),)).level == level


def test_the_gravest_come_first_and_tests_before_all_within_a_level() -> None:
    tests = (finding("tests", "info"), finding("tests", "high"))
    found = assess([LOCK, DOCKER, TOKEN], tests, (finding("hook", "high"),))
    assert [(each.level, each.kind) for each in found.findings] == [
        ("high", "tests"),
        ("high", "secret"),
        ("high", "hook"),
        ("high", "risk"),
        ("medium", "risk"),
        ("info", "tests"),
    ]
    assert found.classes == ("gate-weakened", "secrets", "ci-infra", "deps")


def test_a_long_list_is_cut_and_says_how_much_is_missing() -> None:
    many = [Changed(f"infra/{i}.tf", b"a\n", b"b\n") for i in range(100)]
    found = assess(many, (finding("tests", "info", text="last"),), ())
    assert len(found.findings) == MOST + 1
    assert found.findings[-1].text == f"and {100 + 1 + 1 - MOST} more"
    assert found.findings[-1].level == "high"


LEVELS = st.sampled_from(get_args(FindingLevel))
TESTS = st.builds(finding, st.just("tests"), LEVELS, st.sampled_from(["r", "gate-config-changed"]))
HOOKS = st.builds(finding, st.just("hook"), LEVELS)


@given(
    st.lists(st.sampled_from([PLAIN, LOCK, DOCKER, TOKEN]), max_size=3, unique=True),
    st.lists(TESTS, max_size=3),
    st.lists(HOOKS, max_size=3),
)
def test_more_findings_never_lower_the_level(
    changes: list[Changed], tests: list[Finding], hooks: list[Finding]
) -> None:
    whole = assess(changes, tuple(tests), tuple(hooks))
    assert 1 <= whole.level <= 3
    assert whole.level >= assess(changes, (), ()).level
    assert whole.level >= assess([], tuple(tests), ()).level
    assert whole.level >= assess([], (), tuple(hooks)).level
    ranks = [("high", "medium", "info").index(each.level) for each in whole.findings]
    assert ranks == sorted(ranks)
