"""Mutations that weaken real tests, one at a time, for the detector's recall: text in, text out, apart from it.

A test is found by its first line and its indentation, as formatters write code. Every mutation names the level that
the detector is to reach.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

EXTENSIONS = {
    "python": (".py",),
    "javascript": (".js", ".jsx", ".ts", ".tsx", ".mjs"),
    "go": (".go",),
    "rust": (".rs",),
    "jvm": (".java", ".kt", ".cs"),
    "ruby": (".rb",),
}
HEADS = {
    "python": r"(?:async )?def test\w*\(.*",
    "javascript": r"(?:it|test)\(['\"`].*\{",
    "go": r"func Test\w*\(.*\{",
    "rust": r"(?:pub |async )*fn \w+\(\).*\{",
    "jvm": r"(?:(?:public|internal|override|async|fun|void|suspend|Task|static) ?)+.*\(.*\).*",
    "ruby": r"(?:it|test|specify)\(? ?['\"].* do|def test_\w+",
}
MARKS = {"rust": r"#\[(?:\w+::)?test\]", "jvm": r"(?:@Test\b.*|\[(?:Fact|Test|TestMethod)\])"}
CHECKS = {
    "python": r"assert\b.*|self\.assert\w+\(.*\)",
    "javascript": r"(?:await )?expect\(.*\);?|assert\.\w+\(.*\);?",
    "go": r"(?:assert|require)\.\w+\(.*\)",
    "rust": r"assert(?:_eq|_ne)?!\(.*\);|eqnice!\(.*\);",
    "jvm": r"(?:Assert\.|Assertions\.)?assert\w*\(.*\);?|Assert\.\w+\(.*\);|.*\.should\w*\(.*\);?",
    "ruby": r"(?:assert|refute)\w*[ (].*|expect\(?.*\)?\.(?:to|not_to) .*|.*\.(?:should|must_\w+).*",
}
COMMENT = {"python": "# ", "ruby": "# "}


@dataclass(frozen=True)
class Block:
    """A test: its first line (with decorators), its head, its last line; indexes from 0."""

    first: int
    head: int
    last: int
    indent: str


Mutate = Callable[[list[str], Block, random.Random], list[str] | None]


@dataclass(frozen=True)
class Mutation:
    name: str
    level: str
    languages: tuple[str, ...]
    apply: Mutate


def balanced(line: str) -> bool:
    return all(line.count(one) == line.count(other) for one, other in ("()", "[]", "{}"))


def indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def blocks(lines: list[str], language: str) -> Iterator[Block]:
    """Every test of a file that is written as its formatter would write it, with at least one line in it."""
    head = re.compile(rf"\s*(?:{HEADS[language]})$")
    for number, line in enumerate(lines):
        if not head.match(line):
            continue
        if language == "python" and (in_text(lines, number) or (indent(line) and not in_class(lines, number))):
            continue
        first = number
        while first and lines[first - 1].strip() and re.match(r"\s*[@#\[]", lines[first - 1]):
            first -= 1
        if language in MARKS and not any(re.search(MARKS[language], text) for text in lines[first:number]):
            continue
        last = end_of(lines, number, language)
        if last is not None and any(text.strip() for text in lines[number + 1 : last]):
            yield Block(first, number, last, indent(line))


def in_text(lines: list[str], number: int) -> bool:
    """Whether a line of Python lies inside a long string."""
    return sum(text.count('"""') + text.count("'''") for text in lines[:number]) % 2 == 1


def in_class(lines: list[str], number: int) -> bool:
    """Whether the nearest line that is indented less opens a class."""
    own = len(indent(lines[number]))
    above = (text for text in reversed(lines[:number]) if text.strip() and len(indent(text)) < own)
    return next(above, "").lstrip().startswith("class ")


def end_of(lines: list[str], head: int, language: str) -> int | None:
    """The last line of the block: by dedent in Python, by the closing line of the same depth elsewhere."""
    own = indent(lines[head])
    if language == "python":
        last = head
        for number in range(head + 1, len(lines)):
            if lines[number].strip() and len(indent(lines[number])) <= len(own):
                break
            last = number if lines[number].strip() else last
        return last + 1 if balanced(lines[head]) and last > head else None
    start = head
    if language == "jvm" and head + 1 < len(lines) and lines[head + 1] == own + "{":
        start = head + 1
    elif language == "jvm" and not lines[head].rstrip().endswith("{"):
        return None
    for number in range(start + 1, len(lines)):
        text = lines[number]
        if text.strip() and len(indent(text)) <= len(own):
            closes = re.match(r"\s*(?:\}|end\b)", text)
            return number if closes and indent(text) == own else None
    return None


def opening(lines: list[str], block: Block) -> int:
    """The first line of the body."""
    return block.head + (2 if lines[block.head + 1].strip() == "{" else 1)


def body_indent(lines: list[str], block: Block) -> str:
    return next(indent(text) for text in lines[opening(lines, block) : block.last] if text.strip())


def checks_in(lines: list[str], block: Block, language: str) -> list[int]:
    pattern = re.compile(rf"\s*(?:{CHECKS[language]})$")
    found = range(opening(lines, block), block.last)
    return [number for number in found if pattern.match(lines[number]) and balanced(lines[number])]


def with_line(lines: list[str], place: int, line: str) -> list[str]:
    return [*lines[:place], line, *lines[place:]]


def replaced(lines: list[str], number: int, line: str) -> list[str] | None:
    return None if lines[number] == line else [*lines[:number], line, *lines[number + 1 :]]


# --- mutations of a whole test


def delete(lines: list[str], block: Block, _: random.Random) -> list[str]:
    end = block.last if not re.match(r"\s*(?:\}|end\b)", [*lines, ""][block.last]) else block.last + 1
    return lines[: block.first] + lines[end:]


def before(mark: str) -> Mutate:
    return lambda lines, block, _: with_line(lines, block.head, block.indent + mark)


def inside(text: str) -> Mutate:
    return lambda lines, block, _: with_line(lines, opening(lines, block), body_indent(lines, block) + text)


def head(pattern: str, new: str) -> Mutate:
    def apply(lines: list[str], block: Block, _: random.Random) -> list[str] | None:
        return replaced(lines, block.head, re.sub(pattern, new, lines[block.head], count=1))

    return apply


def unmark(language: str) -> Mutate:
    def apply(lines: list[str], block: Block, _: random.Random) -> list[str] | None:
        for number in range(block.first, block.head):
            if re.fullmatch(MARKS[language], lines[number].strip()):
                return lines[:number] + lines[number + 1 :]
        return None

    return apply


def emptied(filler: str | None) -> Mutate:
    def apply(lines: list[str], block: Block, _: random.Random) -> list[str]:
        kept = [body_indent(lines, block) + filler] if filler else []
        return lines[: opening(lines, block)] + kept + lines[block.last :]

    return apply


def wrapped(above: str, below: tuple[str, ...]) -> Mutate:
    def apply(lines: list[str], block: Block, _: random.Random) -> list[str] | None:
        start, deep = opening(lines, block), body_indent(lines, block)
        if any('"""' in text or "`" in text for text in lines[start : block.last]):
            return None
        body = ["    " + text if text.strip() else text for text in lines[start : block.last]]
        return [*lines[:start], deep + above, *body, *(deep + text for text in below), *lines[block.last :]]

    return apply


def having_checks(language: str, mutate: Mutate) -> Mutate:
    return lambda lines, block, chance: mutate(lines, block, chance) if checks_in(lines, block, language) else None


# --- mutations of one assertion


def on_check(language: str, pattern: str, new: str, only: int = 0) -> Mutate:
    """Rewrite one assertion by a pattern. only: the test must have exactly so many single-line assertions."""

    def apply(lines: list[str], block: Block, chance: random.Random) -> list[str] | None:
        found = [number for number in checks_in(lines, block, language) if re.search(pattern, lines[number].strip())]
        if not found or (only and len(checks_in(lines, block, language)) != only):
            return None
        number = chance.choice(found)
        line = lines[number]
        return replaced(lines, number, indent(line) + re.sub(pattern, new, line.strip(), count=1))

    return apply


def without_check(language: str, comment: bool) -> Mutate:
    def apply(lines: list[str], block: Block, chance: random.Random) -> list[str] | None:
        found = checks_in(lines, block, language)
        if not found:
            return None
        number = chance.choice(found)
        mark = COMMENT.get(language, "// ")
        kept = [indent(lines[number]) + mark + lines[number].strip()] if comment else []
        if language == "python" and not comment:
            kept = [indent(lines[number]) + "pass"]
        return lines[:number] + kept + lines[number + 1 :]

    return apply


def fewer_rows(lines: list[str], block: Block, chance: random.Random) -> list[str] | None:
    """Drop one line that is one parameter set of a `parametrize` above a Python test."""
    start = block.head
    while start and "parametrize" not in lines[start] and block.head - start < 40:
        start -= 1
    rows = [
        number
        for number in range(start + 1, block.head)
        if re.fullmatch(r"\s+(?:\(.*\)|\".*\"|'.*'|[\d.]+),", lines[number])
    ]
    rows = [number for number in rows if balanced(lines[number]) and len(rows) > 2]
    if (
        "parametrize" not in lines[start]
        or not rows
        or any(re.match(r"\s*(?:async )?def ", text) for text in lines[start : block.head])
    ):
        return None
    number = chance.choice(rows[1:])
    return lines[:number] + lines[number + 1 :]


def at_top(text: str) -> Mutate:
    return lambda lines, block, _: with_line(lines, top_level(lines), text)


def top_level(lines: list[str]) -> int:
    """A line of a Python module that begins a function or class, with its decorators."""
    return next(number for number, text in enumerate(lines) if re.match(r"(?:async )?def |class |@", text))


def group(pattern: str, new: str) -> Mutate:
    """Rewrite the first group above a test."""

    def apply(lines: list[str], block: Block, _: random.Random) -> list[str] | None:
        for number in range(block.head - 1, -1, -1):
            if re.match(pattern, lines[number].strip()) and len(indent(lines[number])) < len(block.indent):
                return replaced(lines, number, re.sub(pattern, new, lines[number], count=1))
        return None

    return apply


def literal(language: str) -> Mutate:
    return on_check(language, r"(?<![\w.\"'])(\d+)(?![\w.\"'])", r"\g<1>1")
