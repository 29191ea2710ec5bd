"""What a ticket's file may look like, and that everything wrong with it is said at once, with its line."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.adapters.tickets.fields import RULES
from console.adapters.tickets.parsing import SIZE, Parsed, parse
from console.core.records import Gate


def good(raw: str | bytes, file: str = "t-1.md") -> Parsed:
    found = parse(raw.encode() if isinstance(raw, str) else raw, file)
    assert isinstance(found, Parsed), found
    return found


def bad(raw: str | bytes, file: str = "t-1.md") -> list[str]:
    found = parse(raw.encode() if isinstance(raw, str) else raw, file)
    assert isinstance(found, list), found
    return found


FULL = """\
---
id: T-07
title: "Retry: the webhook"
agent: claude
gate: pytest -q 'tests/a b'
blast-radius: High
paths: [src/**, tests/**]
depends_on:
  - T-01
  - 003 schema.md
Priority: urgent
attempts: 2
timeout: 45m
review: yes
---
# Another heading

Do it.
"""


def test_every_key_is_honoured() -> None:
    found = good(FULL)
    spec = found.spec
    assert (found.ticket, spec.title, spec.agent) == ("T-07", "Retry: the webhook", "claude")
    assert spec.gate == Gate(argv=("pytest", "-q", "tests/a b"))
    assert (spec.blast_radius, spec.paths, spec.depends_on) == ("high", ("src/**", "tests/**"), ("T-01", "003-schema"))
    assert (spec.priority, spec.attempts, spec.timeout, spec.review) == (20, 2, 2700.0, True)
    assert found.body == "# Another heading\n\nDo it.\n" and found.body_line == 16
    assert found.lines["depends_on"] == 8


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("close", ["---", "...", "---  "])
def test_line_ends_marks_and_editors_make_no_difference(ends: str, mark: bytes, close: str) -> None:
    raw = mark + ends.join(["---", "title: Größe", close, "Do it.", "Now"]).encode()
    found = good(raw)
    assert (found.spec.title, found.body, found.body_line) == ("Größe", "Do it.\nNow", 4)


def test_a_text_alone_is_a_ticket() -> None:
    found = good("Make the button blue", "003-blue button.md")
    assert (found.ticket, found.spec.title, found.body) == (
        "003-blue-button",
        "Make the button blue",
        "Make the button blue",
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n# The heading #\nrest", "The heading"),
        ("```\n# not this\n```\n# This", "This"),
        ("## Only a second level\nx", "Only a second level"),
        ("- a list\n- goes on", "a list"),
        ("word " * 40, ("word " * 14).strip() + "\u2026"),
        ("---\ntitle: '  '\n---\n# Body says", "Body says"),
        ('---\ntitle: "a\\nb\\eX"\n---\nx', "a b X"),
        ("***", "t-1"),
        ("# " + "x" * 300, "x" * 199 + "\u2026"),
        ("# 日本語のタイトル 🎉", "日本語のタイトル 🎉"),
        ("# safe\u202eevil", "safe evil"),
        ("# family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
    ],
)
def test_a_title_is_found_in_every_text(text: str, title: str) -> None:
    assert good(text).spec.title == title


def test_what_other_tools_keep_there_loads_whatever_its_type() -> None:
    found = good(
        "---\nlabels: [a, {b: c}]\nassignee:\n  name: x\n  deep: [[1]]\ncreated: 2024-99-99\nstatus: !custom open\n"
        "bin: !!binary aGk=\nobj: !!python/object/apply:os.system [id]\n1: 2\n? [a, b]\n: c\nnull: x\n"
        "text: |\n  many\n  lines\nblank:\n---\nDo it."
    )
    assert found.spec.title == "Do it." and found.ticket == "t-1"


def test_keys_that_are_there_but_empty_count_as_absent() -> None:
    found = good("---\n" + "".join(f"{key}:\n" for key in RULES) + "---\nDo it.")
    assert found.spec == good("Do it.").spec and not found.named


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("7", 7), ("-3", -3), ("urgent", 20), ("HIGH", 10), ("medium", 0), ("normal", 0), ("low", -10),
        ("P0", 20), ("P1", 10), ("P2", 0), ("P3", -10), ("P4", -20),
        ("whenever", 0), ("1.5", 0), ("[1]", 0), ("9" * 40, 0), ("true", 0),
    ],
)  # fmt: skip
def test_a_priority_is_a_number_or_a_word_and_anothers_word_is_the_middle(value: str, number: int) -> None:
    assert good(f"---\npriority: {value}\n---\nx").spec.priority == number


def test_ids_are_as_they_are_written_not_as_yaml_reads_them() -> None:
    for written in ("007", "1.10", "2024-01-02", "yes", "0x1f", "1_000"):
        assert good(f"---\nid: {written}\n---\nx").ticket == written


def test_one_dependency_needs_no_list() -> None:
    assert good("---\ndepends-on: T 1\n---\nx").spec.depends_on == ("T-1",)
    assert good("---\ndepends_on: [b, b.md, a]\n---\nx").spec.depends_on == ("b", "a")


def test_all_problems_are_told_at_once_with_their_lines() -> None:
    found = bad(
        "---\ntitle: {a: b}\ngate: make | tee log\nblast_radius: huge\nattempts: 0\ntimeout: 30\nreview: maybe\n"
        "paths: {a: b}\nagent: [x]\nagent: y\nx: &a 1\ny: *a\n---\n \n"
    )
    assert [line.split(": ")[0] for line in found] == [
        "t-1.md:2", "t-1.md:3", "t-1.md:4", "t-1.md:5", "t-1.md:6", "t-1.md:7", "t-1.md:8", "t-1.md:9", "t-1.md:10",
        "t-1.md:12", "t-1.md:14",
    ]  # fmt: skip
    told = "\n".join(found)
    for words in ("needs a shell", "low, medium, high, foundational", "1 to 100", "duration", "true or false"):
        assert words in told
    assert "written twice" in told and "alias" in told and "says nothing to do" in told


def test_broken_yaml_names_the_line_and_the_empty_body_as_well() -> None:
    assert [line.split(": ")[0] for line in bad("---\ntitle: ok\n  bad: [\n---\n")] == ["t-1.md:3", "t-1.md:5"]


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (b"", 1, "says nothing to do"),
        (b" \r\n\t\n", 1, "says nothing to do"),
        (b"---\ntitle: x\n---\n", 4, "says nothing to do"),
        (b"---\ntitle: x\n", 1, "never ends"),
        (b"ok\r\nok\r\n\xff\xfe", 3, "not UTF-8 text (byte 0xff)"),
        (b"\xef\xbb\xbfok\nb\xe9d", 2, "not UTF-8 text (byte 0xe9)"),
        ("utf-16\n".encode("utf-16"), 1, "UTF-8"),
        (b"a\nb\0c", 2, "zero byte"),
        (b"x" * (SIZE + 1), 1, "256 KiB"),
        (b"---\nprose and nothing else\n---\nx", 2, "`key: value` lines"),
        (b"---\n- a\n---\nx", 2, "`key: value` lines"),
        (b"---\na: 1\nb:\n  c: *gone\n---\nx", 4, "alias"),
        (b'---\na: 1\ntitle: "a\\0b"\n---\nx', 3, "no text"),
        (b"---\nt: \x07\n---\nx", 2, "not valid YAML"),
        (b"---\ngate: [make, [x]]\n---\nx", 2, "must be one text"),
        (b"---\ngate: []\n---\n", 4, "says nothing to do"),
        (b"---\ntimeout: 8000h\n---\nx", 2, "duration"),
    ],
)
def test_a_problem_has_its_line_and_the_cure(raw: bytes, line: int, words: str) -> None:
    found = bad(raw)
    assert found[0].startswith(f"t-1.md:{line}: ") and words in found[0]


@pytest.mark.parametrize(
    "front",
    ["[" * 60_000, "- " * 30_000, "? " * 30_000, "a: {" * 15_000, "x: " * 20_000, "&a " * 20_000, "- [\n" * 10_000,
     "".join(f"k{i}: v\n" for i in range(7_000)), "a: |\n" + " x\n" * 20_000, '"' + "\\x41" * 15_000, "!t " * 20_000],
)  # fmt: skip
def test_yaml_that_is_made_to_hurt_is_answered_at_once(front: str) -> None:
    began = time.perf_counter()
    parse(f"---\n{front}\n---\nDo it.".encode(), "t.md")
    assert time.perf_counter() - began < 2.0


def test_a_hostile_name_stays_on_the_problems_own_line() -> None:
    found = bad("", "a\nb\x1b[31m\u202e.md")
    assert found == ["a\\nb\\x1b[31m\\u202e.md:1: says nothing to do; write what is wanted below the front matter"]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"---\n{text}\n---\nx".encode()))
def test_no_bytes_are_too_strange(raw: bytes) -> None:
    found = parse(raw, "t.md")
    assert found and (isinstance(found, Parsed) or all(line.startswith("t.md:") for line in found))
