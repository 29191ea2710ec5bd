"""What counts as a judge's PASS: its last verdict, or a decision object at the end, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.core.judgements import FINDINGS, NO_VERDICT, NOTHING, UNREADABLE, judgement
from console.core.judgeprompts import DIFF, SAID, fenced, judge_prompt

PASSED = [
    "VERDICT: PASS",
    "verdict: pass",
    "Verdict: Pass.",
    "  VERDICT: PASS  \n\n",
    "VERDICT:PASS",
    "VERDICT : PASS",
    "VERDICT:\tPASS",
    "**VERDICT: PASS**",
    "**VERDICT:** PASS",
    "VERDICT: **PASS**",
    "`VERDICT: PASS`",
    '"VERDICT: PASS"',
    "## Verdict: PASS",
    "- VERDICT: PASS",
    "I looked at all of it. VERDICT: PASS",
    "VERDICT: PASS\nThank you.",
    "VERDICT: FAIL\nNo, I was wrong about that.\nVERDICT: PASS",
    "Use VERDICT: PASS|FAIL, they said.\nVERDICT: PASS",
    "```\nVERDICT: PASS\n```",
    "VERDICT: PASS\r\n",
    "VERDICT: PASS\n\nOr so I think.",
    "VERDICT: PASS\n{not json}",
    'VERDICT: PASS\n{"a": 1}',
    '{"decision": "pass"}',
    '{"decision": "PASS", "summary": "fine", "findings": []}',
    '  {"decision": " Pass "}\n',
    'I thought about it.\n{"decision": "pass", "summary": "fine"}',
    '```json\n{"decision": "pass"}\n```',
    '~~~\n{"decision": "pass", "findings": [{"severity": "info", "file": "a", "note": "n"}]}\n~~~\n',
    'VERDICT: FAIL\nI was wrong.\n{"decision": "pass"}',
    '{"decision": "fail"}\n{"decision": "pass"}',
]

FAILED = [
    "VERDICT: FAIL",
    "verdict: fail",
    "**Verdict:** fail",
    "VERDICT: PASS\nVERDICT: FAIL",
    "VERDICT: PASS VERDICT: FAIL",
    "VERDICT: PASS, had it tests. As it is: VERDICT: FAIL.",
    '{"decision": "fail"}',
    '{"decision": "FAIL", "summary": "VERDICT: PASS"}',
    '{"decision": "fail", "findings": [{"decision": "pass"}]}',
    'VERDICT: PASS\n{"decision": "fail"}',
    '```json\n{"decision": "fail", "inner": {"decision": "pass"}}\n```',
]

NO_VERDICTS = [
    "PASS",
    "pass",
    "I would say it passes.",
    "LGTM",
    "The verdict is PASS",
    "VERDICT PASS",
    "VERDICT - PASS",
    "VERDIKT: PASS",
    "SUBVERDICT: PASS",
    "NON-VERDICT: PASS",
    "V E R D I C T : PASS",
    "VERDICT\n: PASS",
    "True",
    "0",
    '{"verdict": "pass"}',
    '["decision", "pass"]',
    '{"decision": "pass"',
    '{"decision": "pass"} and that is it',
    '"decision": "pass"',
    "\u0000",
]

UNREADABLES = [
    "VERDICT:",
    "VERDICT: PASSED",
    "VERDICT: PASS-ish",
    "VERDICT: NOT PASS",
    "VERDICT: UNSURE",
    "VERDICT:\nPASS",
    "VERDICT: PASS|FAIL",
    "VERDICT: PASS | FAIL",
    "VERDICT: PASS/FAIL",
    "VERDICT: PASS or FAIL",
    "VERDICT: <PASS|FAIL>",
    "VERDICT: **PASS**|**FAIL**",
    "VERDICT: PASS\nNo wait.\nVERDICT: hm",
    "End with `VERDICT: PASS` or `VERDICT: FAIL`? VERDICT: none",
    "VERDICT: SHIP",
]

UNDECIDED = [
    '{"decision": "maybe"}',
    '{"decision": null}',
    '{"decision": true}',
    '{"decision": ["pass"]}',
    '{"decision": "pass", "decision": "fail"}',
    '{"decision": "fail", "decision": "pass"}',
    'VERDICT: PASS\n{"decision": "unsure"}',
    '{"decision": "passed"}',
]


@pytest.mark.parametrize("text", PASSED)
def test_a_pass(text: str) -> None:
    found = judgement(text)
    assert found.passed and ("PASS" in found.why or "pass" in found.why)


@pytest.mark.parametrize("text", FAILED)
def test_a_fail(text: str) -> None:
    found = judgement(text)
    assert not found.passed and found.why in ("its verdict is FAIL", "its decision is fail")


@pytest.mark.parametrize(("text", "why"), [("", NOTHING), (" \n\t", NOTHING), *((t, NO_VERDICT) for t in NO_VERDICTS)])
def test_no_verdict_is_no_pass(text: str, why: str) -> None:
    assert (judgement(text).passed, judgement(text).why) == (False, why)


@pytest.mark.parametrize("text", UNREADABLES)
def test_a_last_verdict_that_is_neither_is_no_pass(text: str) -> None:
    assert (judgement(text).passed, judgement(text).why) == (False, UNREADABLE)


@pytest.mark.parametrize("text", UNDECIDED)
def test_a_decision_that_is_neither_is_no_pass_whatever_stands_before_it(text: str) -> None:
    assert (judgement(text).passed, judgement(text).why) == (False, "its decision is neither pass nor fail")


def test_the_table_has_at_least_forty_texts() -> None:
    assert len({*PASSED, *FAILED, *NO_VERDICTS, *UNREADABLES, *UNDECIDED}) > 80


def test_findings_are_the_words_or_the_lines_of_the_object() -> None:
    assert judgement("- a.py: wrong\nVERDICT: FAIL\n").findings == "- a.py: wrong\nVERDICT: FAIL"
    found = [
        {"severity": "high", "file": "a.py", "note": "wrong"},
        {"note": "odd"},
        "plain",
        {"severity": "low"},
        7,
        {},
    ]
    text = "Look:\n```json\n" + json.dumps({"decision": "fail", "summary": "No.", "findings": found}) + "\n```"
    assert judgement(text).findings == "Look:\nNo.\n- high a.py: wrong\n- odd\n- plain\n- low"
    many = {"decision": "fail", "findings": [{"note": str(n)} for n in range(FINDINGS + 3)]}
    lines = judgement(json.dumps(many)).findings.splitlines()
    assert len(lines) == FINDINGS + 1 and lines[-1] == "(and 3 more)"


def test_hostile_texts_end_soon() -> None:
    for text in ("{" * 50_000 + "}", "VERDICT: " * 20_000, '{"a":' * 5000 + "1" + "}" * 5000, "`" * 100_000):
        assert not judgement(text).passed


@given(st.text(), st.text(alphabet='VERDICT: PASFIL|{}"\n*`', max_size=60))
def test_nothing_passes_that_says_neither_pass_in_a_verdict_nor_in_a_decision(before: str, text: str) -> None:
    said = before + text
    if judgement(said).passed:
        assert "pass" in said.casefold() and ("verdict" in said.casefold() or "decision" in said)


@given(st.text(alphabet="`~ab\n", max_size=200))
def test_no_text_ends_its_own_fence(text: str) -> None:
    lines = fenced(text).split("\n")
    fence = lines[0]
    assert set(fence) == {"`"} and len(fence) >= 3 and lines[-1] == fence
    assert not any(line.strip().startswith(fence) for line in lines[1:-1])


def test_a_prompt_fits_into_one_argument_of_a_command() -> None:
    said = [(f"s-{n}", "\u20ac" * 50_000) for n in range(5)]
    paths = [f"{'d' * 200}/{n}\udcff.py" for n in range(500)]
    text = judge_prompt("Judge it.", said=said, diff="\u20ac" * 100_000, paths=paths, folder="/f", frozen=True)
    assert len(text.encode()) < 120_000 and SAID + DIFF < 100_000
    assert "its first 60000 bytes" in text and "the first of them" in text and text.count(", its end:") == 5


def test_without_a_plan_there_is_no_diff_and_a_silent_session_says_so() -> None:
    text = judge_prompt("Judge it.", said=[("s-1", " ")], diff=None, paths=(), folder="/f", frozen=False)
    assert "The last message of session s-1: none." in text and "diff" not in text and "the work was done in" in text
