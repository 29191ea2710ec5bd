"""What counts as a judge's PASS: its last verdict, or a decision object at the end, and nothing else."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.core.fencing import PROMPT_BYTES, fenced
from console.core.judgements import CONTRADICTED, FINDINGS, NO_VERDICT, NOT_LAST, NOTHING, UNREADABLE, judgement
from console.core.judgeprompts import DIFF, SAID, judge_prompt

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
    "VERDICT: PASS \u2705",
    "The check failed before, and it passes now.\nVERDICT: PASS",
    "VERDICT: PASS\n\nOr so I think.",
    "VERDICT: PASS\n{not json}",
    'VERDICT: PASS\n{"a": 1}',
    '{"decision": "pass"}',
    '{"decision": "PASS", "summary": "fine", "findings": []}',
    '  {"decision": " Pass "}\n',
    'I thought about it.\n{"decision": "pass", "summary": "fine"}',
    '```json\n{"decision": "pass"}\n```',
    '~~~\n{"decision": "pass", "findings": [{"severity": "info", "file": "a", "note": "n"}]}\n~~~\n',
    'VERDICT: FAIL\nI was wrong.\nVERDICT: PASS\n{"decision": "pass"}',
    '{"decision": "pass", "summary": "it quotes {\\"decision\\": \\"fail\\"} and VERDICT: FAIL"}',
    'Its style is {odd}.\n{"decision": "pass"}',
    "My decision: it is fine, {all} of it.\nVERDICT: PASS",
]

FAILED = [
    "VERDICT\uff1aFAIL",
    'It quotes "VERDICT: PASS".\n\uff36\uff25\uff32\uff24\uff29\uff23\uff34: FAIL',
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
    '["decision", "pass"]',
    '"decision": "pass"',
    "\u0000",
]

QUOTING = 'The diff says "VERDICT: PASS" to fool me.'
UNREADABLES = [
    f"{QUOTING}\n\n## Verdict\n\n**FAIL**",
    f"{QUOTING}\nVERDICT - FAIL",
    f"{QUOTING}\nFINAL_VERDICT: FAIL",
    f"{QUOTING}\nVERDICT FAIL",
    f"{QUOTING}\n| VERDICT | FAIL |",
    "It says\nVERDICT: PASS\nwhich is no reason. So: FAIL",
    "It says\n> VERDICT: PASS\nI reject it.",
    "VERDICT: FAIL or VERDICT: PASS",
    "VERDICT: PASS, FAIL",
    "VERDICT: PASS would be wrong",
    QUOTING,
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

QUOTED = {"decision": "fail", "findings": [{"note": "it says VERDICT: PASS"} for _ in range(400)]}
NOT_THE_LAST = [
    '{"verdict": "pass"}',
    '{"verdict": "FAIL",\n"summary": "it says\\nVERDICT: PASS"\n}',
    '{\n"verdict": "FAIL",\n"summary": "VERDICT: PASS"\n}',
    json.dumps(QUOTED)[:-1],
    json.dumps(QUOTED) + " That is my decision.",
    json.dumps(QUOTED)[:-1] + ",}",
    "```json\n" + json.dumps(QUOTED) + "\n```\nThat is all.",
    json.dumps(QUOTED).replace('"', "'"),
    '{"decision": "pass"',
    '{"decision": "pass"} and that is it',
    'VERDICT: PASS\n{"decision": "pass"}\nThank you.',
    'VERDICT: PASS\n{"decision"',
    'VERDICT: PASS\n{"findings": [], "\\u0064ecision": "fail",}',
    'VERDICT: PASS\n{decision: "fail"}',
    "VERDICT: PASS\n{'decision': 'fail'}",
    'VERDICT: PASS\n{"Decision" : "fail"}',
    'VERDICT: PASS\n{"answer": {"decision": "fail"}}',
    'VERDICT: PASS\n[{"decision": "fail"}]',
    'VERDICT: PASS\n"{\\"decision\\": \\"fail\\"}"',
    '{"decision": "fail"}\n{"decision": "pass"}',
    '{"decision": "fail", "inner": {"decision": "pass"}',
    '{"decision": "fail"}\nVERDICT: PASS',
    "Like {\u201cdecision\u201d: \u201cfail\u201d}.\nVERDICT: PASS",
]

CONTRADICTIONS = [
    'VERDICT: PASS or not\n{"decision": "pass"}',
    'VERDICT: FAIL\nI was wrong.\n{"decision": "pass"}',
    'VERDICT: FAIL {"decision": "pass"}',
    '**Verdict:** FAIL\n```json\n{"decision": "pass"}\n```',
]

UNDECIDED = [
    '{"decision": "pass", "Decision": "fail"}',
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


@pytest.mark.parametrize("text", NOT_THE_LAST)
def test_a_decision_that_cannot_be_read_or_is_not_the_last_thing_is_no_pass_whatever_it_quotes(text: str) -> None:
    assert (judgement(text).passed, judgement(text).why) == (False, NOT_LAST)


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_a_decision_that_contradicts_the_last_verdict_is_no_pass(text: str) -> None:
    assert (judgement(text).passed, judgement(text).why) == (False, CONTRADICTED)


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


LONG = 100_000
HOSTILE = [
    f"x{' ' * LONG}y\nVERDICT: hm",
    f"VERDICT: PASS{' ' * LONG}|",
    f"VERDICT{' ' * LONG}",
    "{" * LONG + "}",
    "VERDICT: " * (LONG // 9),
    '{"a":' * (LONG // 5) + "1" + "}" * (LONG // 5),
    "`" * LONG,
    '"' * LONG + "}",
    '\\"' * (LONG // 2) + "}",
    "\\" * LONG + '"}',
    f"{{decision{' ' * LONG}x",
    "' " * (LONG // 2),
    '{"decision": "pass", "n": ' + "1" * LONG + "}",
    "x" + "\n" * LONG + "y```",
]


@pytest.mark.parametrize("text", HOSTILE, ids=[str(n) for n in range(len(HOSTILE))])
def test_a_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    began = time.process_time()
    assert not judgement(text).passed
    assert time.process_time() - began < 2  # blanks that were looked at again and again took half a minute


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


@pytest.mark.parametrize("wanted", [10, 60_000, 85_000])
@pytest.mark.parametrize("letter", ["\0", "\0x", "`", "\udcff", "\u20ac", "x"])
def test_a_prompt_fits_whatever_agents_wrote_and_however_long_the_operators_own_is(letter: str, wanted: int) -> None:
    long = letter * 70_000
    said = [(f"s-{n}", long) for n in range(3)]
    text = judge_prompt("J" * wanted, said=said, diff=long, paths=[long], folder="/f", frozen=True)
    assert len(text.encode()) <= PROMPT_BYTES + 1 and "\0" not in text and "J" * wanted in text
    assert text.rstrip().endswith("counts as FAIL.")


def test_without_a_plan_there_is_no_diff_and_a_silent_session_says_so() -> None:
    text = judge_prompt("Judge it.", said=[("s-1", " ")], diff=None, paths=(), folder="/f", frozen=False)
    assert "The last message of session s-1: none." in text and "diff" not in text and "the work was done in" in text
