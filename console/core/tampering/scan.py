"""A text with its comments and literals told apart from its code, in one linear pass.

Every pattern consumes to the end of the line or text when a literal is never closed, and never backs out of what it
took, so that no text makes it slow. It is a reader for people's code, not a compiler: odd code is read roughly.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_LINE = r"//[^\n]*+"
_BLOCK = r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
_DOUBLE = r'"(?:[^"\\\n]++|\\.)*+"?+'
_SINGLE = r"'(?:[^'\\\n]++|\\.)*+'?+"
_INNER = r"`(?:[^`\\]++|\\.)*+`"
_HOLE = rf"\$\{{(?:[^{{}}\"'`]++|{_DOUBLE}|{_SINGLE}|{_INNER}|\{{[^{{}}]*+\}})*+\}}"
_BACKTICK = rf"`(?:[^`\\$]++|\\.|{_HOLE}|\$)*+`?+"
_TRIPLE = r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)'
_CHARACTER = r"'(?:\\[^\n'][^'\n]{0,8}|\\'|[^\\'\n])'"
_REGEX = r"(?<=[(,=:\[!&|?;{])[ \t]*+/(?![*/])(?:[^/\\\n\[]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\]?+)++/"

_PATTERNS = {
    "javascript": (f"(?<!:){_LINE}|{_BLOCK}", f"{_DOUBLE}|{_SINGLE}|{_BACKTICK}|{_REGEX}"),
    "go": (f"{_LINE}|{_BLOCK}", rf"{_DOUBLE}|`[^`]*+`?+|{_CHARACTER}"),
    "rust": (
        f"{_LINE}|{_BLOCK}",
        rf'r#+"(?:[^"]++|"(?!#))*+(?:"#+|\Z)|\br"[^"]*+"?+|"(?:[^"\\]++|\\.)*+"?+|{_CHARACTER}',
    ),
    "jvm": (f"{_LINE}|{_BLOCK}", rf'{_TRIPLE}|@"(?:[^"]++|"")*+"?+|{_DOUBLE}|{_CHARACTER}'),
    "ruby": (r"^=begin\b(?:[^\n]*+\n(?!=end))*+[^\n]*+|(?<![\w$&?\\])#(?!\{)[^\n]*+", f"{_DOUBLE}|{_SINGLE}"),
    "python": (r"#[^\n]*+", rf"'''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\Z)|{_TRIPLE}|{_DOUBLE}|{_SINGLE}"),
}
_BRACKET = re.compile(r"[()\[\]{}]")
_NOT_NEWLINE = re.compile(r"[^\n]")
_CLOSES = {")": "(", "]": "[", "}": "{"}


@cache
def _tokens(language: str) -> re.Pattern[str]:
    comment, literal = _PATTERNS[language]
    return re.compile(f"(?P<comment>{comment})|(?:{literal})", re.DOTALL | re.MULTILINE)


def blanked(text: str, fill: str = " ") -> str:
    """The text with every character but newlines replaced."""
    return _NOT_NEWLINE.sub(fill, text) if "\n" in text else fill * len(text)


@dataclass(frozen=True, slots=True)
class Source:
    """One text, three times with equal offsets. kept: comments are blank. bare: the insides of literals are `_` too.

    pairs: where each opening bracket of `bare` closes (the text's end when it never does).
    """

    kept: str
    bare: str
    pairs: dict[int, int]
    newlines: list[int]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.newlines, offset - 1) + 1

    def within(self, start: int, end: int, heads: list[int]) -> tuple[int, int]:
        """A body's span, ended early where the next test begins: no text belongs to two tests, whatever is unclosed."""
        following = bisect_right(heads, start)
        return start, min(end, heads[following]) if following < len(heads) else end

    def close(self, opening: int) -> int:
        return self.pairs.get(opening, len(self.bare))

    def flat(self, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches of a pattern between two offsets that are inside no bracket opened there."""
        place = start
        while place < end:
            bracket = _BRACKET.search(self.bare, place, end)
            stop = bracket.start() if bracket else end
            yield from pattern.finditer(self.bare, place, stop)
            if not bracket:
                return
            place = self.close(stop) + 1 if bracket[0] in "([{" else stop + 1

    def outside(self, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches of a pattern that may hold brackets and begin inside none that was opened between the offsets."""
        place = start
        for match in pattern.finditer(self.bare, start, end):
            while place <= match.start():
                bracket = _BRACKET.search(self.bare, place, match.start())
                if not bracket:
                    yield match
                    break
                place = self.close(bracket.start()) + 1 if bracket[0] in "([{" else bracket.end()

    def arguments(self, opening: int) -> list[tuple[int, int]]:
        """Where the arguments between a bracket and its end lie: (start, end) each, at most the first twelve."""
        end = self.close(opening)
        found, start = [], opening + 1
        for comma in self.flat(opening + 1, end, _COMMA):
            found.append((start, comma.start()))
            start = comma.end()
            if len(found) == 12:
                return found
        if _INK.search(self.bare, start, end):
            found.append((start, end))
        return found


_COMMA = re.compile(",")
_INK = re.compile(r"\S")


def source(text: str, language: str) -> Source:
    """Read a text of one of the languages that have patterns here."""
    kept: list[str] = []
    bare: list[str] = []
    last = 0
    for token in _tokens(language).finditer(text):
        start, end = token.span()
        code, literal = text[last:start], token[0]
        last = end
        kept.append(code)
        bare.append(code)
        if token["comment"] is not None:
            blank = blanked(literal)
            kept.append(blank)
            bare.append(blank)
        else:
            kept.append(literal)
            bare.append(literal if len(literal) < 3 else literal[0] + blanked(literal[1:-1], "_") + literal[-1])
    kept.append(text[last:])
    bare.append(text[last:])
    code = "".join(bare)
    return Source("".join(kept), code, _pairs(code), [place.start() for place in re.finditer("\n", text)])


def _pairs(bare: str) -> dict[int, int]:
    """Each kind of bracket is matched by itself, so that one stray bracket does not unsettle the others."""
    pairs: dict[int, int] = {}
    open_places: dict[str, list[int]] = {"(": [], "[": [], "{": []}
    for bracket in _BRACKET.finditer(bare):
        kind = _CLOSES.get(bracket[0])
        if kind is None:
            open_places[bracket[0]].append(bracket.start())
        elif open_places[kind]:
            pairs[open_places[kind].pop()] = bracket.start()
    return pairs
