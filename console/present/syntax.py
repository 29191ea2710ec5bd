"""Which parts of a line of code are comments, strings, keywords and numbers, by the name of its file. Pure.

Patterns are few and linear: whoever wrote the file must not be able to make the screen think for long. What begins on
an earlier line of the same hunk (a comment, a long string) is known from a state that goes from line to line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from console.present.diffrecords import ADDED, NOTE, REMOVED, SIGNED, Diff

Part = Literal["string", "comment", "keyword", "number"]
Found = tuple[int, int, Part]

_IN_HUNK = SIGNED | {NOTE}

_STRINGS = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'"
_STRAY = r"""(?P<stray>["'](?:[^"'\\]|\\.)*+)"""
"""A quote without its end, up to the next one: it is no part, and is not looked at again."""
_NUMBER = r"(?P<number>\b\d[\w.]*)"
_ORDINARY = (
    "and as assert async await break case catch class const continue def default defer del do elif else enum except "
    "export extends extern finally fn for from func function global go if impl import in interface is lambda let loop "
    "match mod module mut namespace new nonlocal not or package pass private protected pub public raise range return "
    "self static struct super switch template this throw throws trait try type typedef union unless until use using "
    "var virtual void when where while with yield None True False null nil undefined true false"
)
_SQL = (
    "select from where insert into update delete create alter drop table index view join left right inner outer on and "
    "or not null primary key foreign references values set begin commit rollback grant revoke default unique check "
    "case when then else end as in is like limit order by group having union all distinct"
)
_SHELL = (
    "if then else elif fi for while until do done case esac in function return local export set unset exit trap source"
)


@dataclass(frozen=True, slots=True)
class Language:
    """token: the next part of a line, its group names the part; `open` begins what `closers` ends, maybe on a later
    line, and what is then a comment or a string by its opening."""

    token: re.Pattern[str]
    closers: dict[str, tuple[str, Part]] = field(default_factory=dict)


def _language(line_comment: str, blocks: dict[str, tuple[str, Part]], words: str, flags: int = 0) -> Language:
    opens = "|".join(re.escape(opening) for opening in sorted(blocks, key=len, reverse=True))
    parts = [f"(?P<open>{opens})" if opens else "", f"(?P<comment>{line_comment})" if line_comment else ""]
    parts += [f"(?P<string>{_STRINGS})", _STRAY]
    parts += [rf"(?P<keyword>\b(?:{'|'.join(words.split())})\b)" if words else "", _NUMBER]
    return Language(re.compile("|".join(part for part in parts if part), flags), blocks)


_C_BLOCK: dict[str, tuple[str, Part]] = {"/*": ("*/", "comment")}
_TICK: dict[str, tuple[str, Part]] = {"`": ("`", "string")}
_HASH = r"(?:(?<=\s)|^.?)\#.*"

_MADE = {
    "python": _language(r"\#.*", {'"""': ('"""', "string"), "'''": ("'''", "string")}, _ORDINARY),
    "c": _language(r"//.*", _C_BLOCK, _ORDINARY),
    "script": _language(r"//.*", _C_BLOCK | _TICK, _ORDINARY),
    "hash": _language(_HASH, {}, _ORDINARY),
    "shell": _language(_HASH, {}, _SHELL),
    "php": _language(r"(?://|\#).*", _C_BLOCK, _ORDINARY),
    "sql": _language(r"--.*", _C_BLOCK, _SQL, re.IGNORECASE),
    "lua": _language(r"--.*", {"--[[": ("]]", "comment")}, _ORDINARY),
    "markup": _language("", {"<!--": ("-->", "comment")}, ""),
    "css": _language("", _C_BLOCK, ""),
    "json": _language("", {}, "true false null"),
    "ini": _language(r"(?:(?<=\s)|^.?)[\#;].*", {}, "true false yes no on off"),
    "any": _language(_HASH, _C_BLOCK, _ORDINARY),
    "prose": Language(re.compile(r"(?P<string>`[^`]+`)")),
}
_ENDINGS = {
    "python": "py pyi pyw",
    "c": "c h cc cpp cxx hh hpp java kt kts rs cs swift scala dart m mm zig proto groovy gradle v",
    "script": "js jsx mjs cjs ts tsx mts cts go vue svelte",
    "hash": "rb pl pm r ex exs tcl nix cmake mk awk graphql",
    "shell": "sh bash zsh fish ksh",
    "php": "php",
    "sql": "sql",
    "lua": "lua hs elm",
    "markup": "html htm xml svg xhtml xsd xsl",
    "css": "css scss less",
    "json": "json",
    "ini": "yaml yml toml ini cfg conf properties env tf tfvars",
    "prose": "md rst txt adoc log",
}
_BY_ENDING = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
_BY_NAME = {"dockerfile": "shell", "makefile": "hash", "gemfile": "hash", "rakefile": "hash", "jenkinsfile": "c"}


@lru_cache(maxsize=256)
def language(path: str) -> Language:
    """By the file's name; one that nobody knows gets what most have in common."""
    name = path.rpartition("/")[2].casefold()
    known = _BY_NAME.get(name) or _BY_ENDING.get(name.rpartition(".")[2]) or "any"
    return _MADE[known]


def scan(text: str, start: int, end: int, how: Language, state: str = "") -> tuple[list[Found], str]:
    """The parts of `text` between two offsets, and the state for the next line: "" or what is still open.

    state: as the line before left it.
    """
    found: list[Found] = []
    at = start
    while at < end:
        since = at
        if not state:
            token = how.token.search(text, at, end)
            if token is None:
                break
            at, since, kind = max(token.end(), at + 1), token.start(), token.lastgroup or ""
            if kind != "open":
                if kind != "stray":
                    found.append((since, at, kind))  # type: ignore[arg-type]
                continue
            state = token.group()
        closer, part = how.closers[state]
        where = text.find(closer, at, end)
        at = end if where < 0 else where + len(closer)
        found.append((since, at, part))
        state = state if where < 0 else ""
    return found, state


COLOURED = 400
"""Characters of one line that are looked at; the rest keeps the colour of its kind."""
REACH = 200
"""Lines of a hunk, before one that is drawn, in which a comment or string that is still open may have begun."""
_KEPT = 20_000


class Colouring:
    """Of one diff; what was open after a line is remembered."""

    def __init__(self, diff: Diff) -> None:
        self._diff = diff
        self._after: dict[tuple[bool, int], str] = {}

    def parts(self, index: int, text: str) -> list[Found]:
        """Of a line of code, as offsets into `text`, the line as it is shown."""
        file = self._diff.file_at(index)
        how = language(self._diff.files[file].path if file is not None else "")
        state = self._before(index, self._diff.kinds[index] == REMOVED, how)
        return scan(text, 1, min(len(text), COLOURED), how, state)[0]

    def _before(self, index: int, old: bool, how: Language) -> str:
        """What is still open before a line of the old or the new side."""
        if not how.closers:
            return ""
        kinds, other, between = self._diff.kinds, ADDED if old else REMOVED, []
        at = index - 1
        while at >= 0 and index - at <= REACH and kinds[at] in _IN_HUNK and (old, at) not in self._after:
            if kinds[at] not in (other, NOTE):
                between.append(at)
            at -= 1
        state = self._after.get((old, at), "")
        if len(self._after) > _KEPT:
            self._after.clear()
        for line in reversed(between):
            text = self._diff.lines[line][:COLOURED].decode("latin-1")
            _, state = scan(text, 1, len(text), how, state)
            self._after[old, line] = state
        return state
