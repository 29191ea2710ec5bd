"""Path names as git writes them into diff headers: prefixes, and C quoting of odd bytes."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_NAMED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')


def unquoted(name: bytes, prefix: bytes) -> str:
    """The path in `name` (quoted or not) without `prefix`; bytes that are no UTF-8 become lone surrogates."""
    if name.startswith(b'"'):
        quoted = _QUOTED.match(name)
        name = _ESCAPE.sub(_byte, quoted.group()[1:-1] if quoted else name)
    else:
        name = name.partition(b"\t")[0]
    return name.removeprefix(prefix).decode("utf-8", "surrogateescape")


def _byte(escape: re.Match[bytes]) -> bytes:
    code = escape.group(1)
    if code.isdigit():
        return bytes([int(code, 8) & 0xFF])
    return _NAMED.get(code, code)


def header_paths(rest: bytes) -> tuple[str, str]:
    """Old and new path from what follows `diff --git `; the last resort for files without `---` and `+++`."""
    if rest.startswith(b'"'):
        first = _QUOTED.match(rest)
        if first is not None:
            return unquoted(first.group(), b"a/"), unquoted(rest[first.end() + 1 :], b"b/")
    if rest.endswith(b'"'):
        old, _, new = rest.partition(b' "')
        return unquoted(old, b"a/"), unquoted(b'"' + new, b"b/")
    middle = len(rest) // 2
    old, new = rest[:middle], rest[middle + 1 :]
    if old.removeprefix(b"a/") != new.removeprefix(b"b/"):
        old, _, new = rest.partition(b" b/")
        new = b"b/" + new
    return unquoted(old, b"a/"), unquoted(new, b"b/")
