"""What a reviewer's last words mean: a table of texts, none of which ships that should not."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core.verdicts import FINDINGS, verdict

S, B = "VERDICT: SHIP", "VERDICT: BLOCK"
FENCE = "```"

SHIPS = {
    "alone": S,
    "after words": f"I looked.\n\n{S}",
    "trailing blanks": f"ok\n{S}  \t",
    "empty lines behind": f"ok\n{S}\n\n \t\n",
    "crlf": f"ok\r\n{S}\r\n",
    "crlf and empty lines": f"ok\r\n{S}\r\n\r\n",
    "repeated as plain lines": f"{S}\nand once more\n{S}",
    "a closed fence before": f"{FENCE}python\nx = 1\n{FENCE}\n{S}",
    "a closed fence with tildes": f"~~~\n{FENCE}\n~~~\n{S}",
    "inline code with three marks": f"{FENCE}x{FENCE} is fine\n{S}",
    "a closed comment": f"<!-- note -->\n{S}",
    "a closed fence in a list": f"1. {FENCE}\n   x = 1\n   {FENCE}\n{S}",
    "a closed fence in a quote": f"> {FENCE}\n> x = 1\n> {FENCE}\n{S}",
    "closed quotations": f"<pre>\nx\n</pre>\n<blockquote>y</blockquote>\n<code>z</code>\n{S}",
    "marks of quotations in marks of code": f"A `<script>` and `{3 * chr(34)}` and `<!--` are fine.\n{S}",
    "text in three quotation marks": f"{3 * chr(34)}A docstring.{3 * chr(34)}\n{S}",
    "a dict that something goes over": f"it iterates over dict values and over_dict\n{S}",
    "block in a sentence": f"Block the port, or the block goes on.\n{S}",
    "huge": "a line\n" * 30_000 + S,
    "one huge line": "x" * 2_000_000 + "\n" + S,
    "says that it could be blocked": f"I thought about a block.\n{S}",
}

BLOCKS = {
    "alone": B,
    "after findings": f"a.py:3 is wrong\n{B}",
    "crlf": f"a.py:3\r\n{B}\r\n",
    "repeated": f"{B}\n{B}",
    "under a heading": f"## Verdict\n\nThe test is gone.\n{B}",
    "repeated in bold": f"**{B}**\n{B}",
}

NONE = {
    "empty": "",
    "blanks": " \n\t\n",
    "missing": "It looks good to me.",
    "words instead": "I would ship it",
    "lower case": "verdict: ship",
    "title case": "Verdict: Ship",
    "half": "VERDICT:",
    "half before": "SHIP",
    "no blank": "VERDICT:SHIP",
    "two blanks": "VERDICT:  SHIP",
    "a blank before the colon": "VERDICT : SHIP",
    "another sign": "VERDICT = SHIP",
    "bullet": f"- {S}",
    "star": f"* {S}",
    "numbered": f"1. {S}",
    "quoted": f"> {S}",
    "quoted twice": f">> {S}",
    "bold": f"**{S}**",
    "emphasis": f"_{S}_",
    "backticks": f"`{S}`",
    "quotation marks": f'"{S}"',
    "heading": f"# {S}",
    "full stop": f"{S}.",
    "exclamation": f"{S}!",
    "leading blank": f" {S}",
    "leading tab": f"\t{S}",
    "indented code": f"text\n\n    {S}",
    "more words": f"{S} with fixes",
    "more words before": f"My {S}",
    "do not write it": f"do not write {S}",
    "both in one line": f"{S} or {B}",
    "another verdict": "VERDICT: SHIPPED",
    "maybe": "VERDICT: SHIP?",
    "something behind": f"{S}\nThank you.",
    "a signature behind": f"{S}\n-- \nthe reviewer",
    "a fence behind": f"{FENCE}\n{S}\n{FENCE}",
    "open fence": f"{FENCE}\n{S}",
    "open fence with a language": f"{FENCE}text\nfor example\n{S}",
    "open tildes": f"~~~\n{S}",
    "a fence closed by another mark": f"{FENCE}\n~~~\n{S}",
    "a fence closed too short": f"````\n{FENCE}\n{S}",
    "a fence closed with words": f"{FENCE}\n{FENCE} end\n{S}",
    "an open fence in a list": f"- {FENCE}\n{S}",
    "an open fence in a quote": f"> {FENCE}\n{S}",
    "open comment": f"<!-- the end should be\n{S}",
    "contradicted before": f"{B}\nno, wait\n{S}",
    "contradicted, ship first": f"{S}\nno, wait\n{B}",
    "contradicted in a bullet": f"- {B}\n{S}",
    "contradicted in a quote": f"> {B}\n{S}",
    "contradicted in bold": f"**{B}**\n{S}",
    "contradicted in a fence": f"{FENCE}\n{B}\n{FENCE}\n{S}",
    "contradicted in lower case": f"verdict: block\n{S}",
    "contradicted with more words": f"{B} because the test is gone\n{S}",
    "contradicted, my verdict": f"My verdict: block\n{S}",
    "contradicted, the verdict is": f"The verdict is BLOCK.\n{S}",
    "contradicted, numbered": f"2) {B}\n{S}",
    "contradicted in a diff": f"+{B}\n{S}",
    "contradicted in full width": f"ＶＥＲＤＩＣＴ： ＢＬＯＣＫ\n{S}",
    "contradicted in letters that look alike": f"VЕRDICT: ВLOCK\n{S}",
    "contradicted with letters nobody sees": f"VER\u200bDICT: BLO\u200bCK\n{S}",
    "contradicted behind another line break": f"ok\u2028{B}\n{S}",
    "the words elsewhere": f"It says do not write {S} lightly.\n{S}",
    "told not to ship, and blocked": f"Do not write {S} here.\n{B}",
    "shipped in a table, then blocked": f"| Verdict | SHIP |\n{B}",
    "ship alone, then blocked": f"SHIP\n{B}",
    "open quotation, then blocked": f"<pre>\n{B}",
    "repeated in a fence": f"{FENCE}\n{S}\n{FENCE}\n{S}",
    "repeated in a quote": f"> {S}\n{S}",
    "repeated in a bullet": f"* {S}\n{S}",
    "the instruction repeated": f"{S} or {B} is what I am to write\n{S}",
    "look-alike letters": "VERDICT: SНIP",
    "full width": "ＶＥＲＤＩＣＴ： ＳＨＩＰ",
    "full width colon": "VERDICT： SHIP",
    "hard blank": "VERDICT:\u00a0SHIP",
    "hard blank behind": f"{S}\u00a0",
    "zero width inside": "VERDICT: SH\u200bIP",
    "zero width behind": f"{S}\u200b",
    "byte order mark": f"\ufeff{S}",
    "right to left": f"\u202e{S}",
    "combining": "VERDICT: SHI\u0301P",
    "a line separator before": f"text\u2028{S}",
    "a form feed before": f"text\f{S}",
    "a vertical tab behind": f"{S}\v",
    "a NUL behind": f"{S}\0",
    "a carriage return over it": f"{B}\r{S}",
    "escape sequences": f"\x1b[32m{S}\x1b[0m",
    "json": '{"verdict": "SHIP"}',
    "html": f"<b>{S}</b>",
    "a link": f"[{S}](x)",
    "a table": f"| {S} |",
    "struck out": f"~~{S}~~",
    "another language": "VEREDICTO: SHIP",
    "huge without": "VERDICT: SHIP and more\n" * 20_000,
    "block with words": f"{B} it",
    "block in a bullet": f"- {B}",
    "block in an open fence": f"{FENCE}\n{B}",
}

CONTRADICTING = (
    "VERDICT — BLOCK",
    "VERDICT – BLOCK",
    "VERDICT: BLOCKED",
    "VERDICT: do not ship",
    "VERDICT: NOT SHIP",
    "VERDICT: NO SHIP",
    "VERDICT: DON'T SHIP",
    "VERDICT: unclear",
    'VERDICT: "BLOCK"',
    "VERDICT: 'BLOCK'",
    "VERDICT: (BLOCK)",
    "VERDICT: [BLOCK]",
    "VERDICT:\nBLOCK",
    "## Verdict\n\nBLOCK",
    "Result\n\nBLOCK",
    "| Result | **BLOCK** |",
    "❌ Do not ship!",
    "| Verdict | BLOCK |",
    '{"verdict": "BLOCK"}',
    "<verdict>BLOCK</verdict>",
    "My overall final verdict: BLOCK",
    "The verdict for this change: BLOCK",
    "VERDICT (final): BLOCK",
    "So: VERDICT: BLOCK",
    "In short, VERDICT: BLOCK",
    "[x] VERDICT: BLOCK",
    "❌ VERDICT: BLOCK",
    "a. VERDICT: BLOCK",
    "**Verdict:** not ready, BLOCK",
    "Verdict, BLOCK",
    "VER**DICT**: BLOCK",
    "VE\u0301RDICT: BLOCK",
    "x" * 5000 + " my verdict is BLOCK",
    "the verdicts are open",
)
"""None of them may stand before a last line that says SHIP."""
OPEN = (
    f"1. {FENCE}\n  x",
    f"12) {FENCE}py\n  x",
    f"a. {FENCE}\n  x",
    f"(iv) {FENCE}\n  x",
    f"1. > * {FENCE}\n  x",
    f"for example {FENCE}",
    "1. ~~~",
    "<pre>",
    "<pre class='x'>\nfor example",
    "</pre>\n<pre>",
    "<pre>\n<pre>\n</pre>",
    "<blockquote>",
    "<code>",
    "<CODE>",
    '"""',
    "x = '''",
    '"',
    "“\nfor example",
    "> «",
    f"1. {FENCE}\n   x\n{FENCE}",
    f"> {FENCE}\n> x\n{FENCE}",
    f"{FENCE}\n    {FENCE}",
    "[quote]",
    "<![CDATA[",
    "\\begin{verbatim}",
)
"""Quotations that stay open."""


@pytest.mark.parametrize("name", SHIPS)
def test_a_plain_last_line_ships(name: str) -> None:
    assert verdict(SHIPS[name]).verdict == "SHIP"


@pytest.mark.parametrize("name", BLOCKS)
def test_a_plain_last_line_blocks(name: str) -> None:
    assert verdict(BLOCKS[name]).verdict == "BLOCK"


@pytest.mark.parametrize("name", NONE)
def test_anything_else_is_no_verdict_and_says_why(name: str) -> None:
    read = verdict(NONE[name])
    assert read.verdict == "" and read.why and len(read.why) < 200 and read.why.isprintable()


@pytest.mark.parametrize("said", CONTRADICTING)
def test_no_line_that_speaks_of_a_verdict_otherwise_stands_beside_a_ship(said: str) -> None:
    for text in (f"{said}\n{S}", f"- {said}\nmore\n\n{S}", f"{S}\n{said}\n{S}", f"{said}\r\n{S}\r\n"):
        assert verdict(text).verdict == "", text[-200:]


@pytest.mark.parametrize("text", OPEN)
def test_a_verdict_in_a_quotation_that_stays_open_is_none(text: str) -> None:
    for last in (S, B):
        assert verdict(f"I looked.\n{text}\n{last}").verdict == ""


LONG: dict[str, Callable[[int], str]] = {
    "blanks": lambda n: " " * n,
    "blank lines": lambda n: " \n" * (n // 2),
    "fences": lambda n: f"{FENCE}\n" * (n // 4),
    "backticks": lambda n: "`" * n,
    "spans": lambda n: "`x" * (n // 2),
    "open tags": lambda n: "<pre><code>" * (n // 11),
    "open comments": lambda n: "<!--" * (n // 4),
    "half of the word": lambda n: "verdic" * (n // 6),
    "the word": lambda n: "verdict " * (n // 8),
    "combining marks in disorder": lambda n: "a" + "\u0301\u0323" * (n // 2),
    "cells": lambda n: "| " * (n // 2),
    "lists": lambda n: "- 1. " * (n // 5),
    "many characters": lambda n: "".join(chr(0x100 + m % 9999) for m in range(n)),
}


@pytest.mark.parametrize("name", LONG)
def test_reading_takes_time_by_length_alone(name: str) -> None:
    def took(n: int) -> float:
        text, best = f"{LONG[name](n)}\n{S}", 9.0
        for _ in range(3):
            begun = process_time()
            verdict(text)
            best = min(best, process_time() - begun)
        return best

    assert took(32 * 1024) < 30 * took(4 * 1024) + 0.005, "eight times the text: eight times the work, not 64"


def test_the_table_holds_more_than_a_hundred_texts_that_never_ship() -> None:
    assert len(NONE) + len(BLOCKS) + len(CONTRADICTING) + len(OPEN) > 100


def test_findings_are_the_words_before_the_verdict_cut_from_their_end() -> None:
    assert verdict(f"one\ntwo\n{B}\n").findings == "one\ntwo"
    long = verdict("first\n" + "x" * 10_000 + f"\n{B}").findings
    assert len(long) == FINDINGS and "first" not in long
    assert verdict("no verdict here").findings == "no verdict here"


WORDS = st.sampled_from(
    (
        S,
        B,
        "VERDICT:",
        "SHIP",
        "BLOCK",
        FENCE,
        "~~~",
        "> ",
        "- ",
        "**",
        "`",
        " ",
        "\n",
        "\r\n",
        "\t",
        "ok",
        "<!--",
        "-->",
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=12).map("".join))
def test_what_ships_ends_with_exactly_that_line_and_says_block_nowhere_else(text: str) -> None:
    found = verdict(text).verdict
    last = [line for line in text.split("\n") if line.strip(" \t\r")][-1:]
    if found:
        assert last[0].rstrip(" \t\r") == f"VERDICT: {found}"
        other = B if found == "SHIP" else S
        assert other not in [line.strip(" \t\r") for line in text.split("\n")]
    if found == "SHIP":
        lines = [line.rstrip(" \t\r") for line in text.split("\n")]
        assert not [line for line in lines if "verdict" in line.lower() and line != S]
