"""Would git store other bytes than the ones on disk? Decides from the base commit's attributes, converts nothing.

A plan holds raw bytes. Where `git add` would convert them (line endings, ident, LFS and other filters) the path is
refused by name instead of committing something that the repository's own rules would not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from console.adapters.git.shadow import OperatorSettings, Repository, View

NAMES = ("text", "eol", "crlf", "ident", "filter", "working-tree-encoding")
_OFF = ("unspecified", "unset")
_PRINTABLE = bytes(byte for byte in range(256) if (byte >= 32 and byte != 127) or byte in b"\b\t\x1b\f")
_IDENT = re.compile(rb"\$Id[:$]")

Attributes = dict[str, str]


def attributes_of(
    repo: Repository, index: Path, settings: OperatorSettings, paths: Iterable[str]
) -> dict[str, Attributes]:
    """{path: {attribute: value}} by the .gitattributes in `index`, the repository's and the operator's own file."""
    view = View(index=index, attributes=True)
    names = b"".join(path.encode() + b"\0" for path in paths)
    own = ("-c", f"core.attributesFile={settings.attributes}")
    output = repo.out(view, *own, "check-attr", "-z", "--cached", "--stdin", *NAMES, stdin=names)
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    found: dict[str, Attributes] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        found.setdefault(path, {})[name] = value
    return found


def conversion(attributes: Attributes, autocrlf: str, body: bytes, old_body: Callable[[], bytes]) -> str:
    """Why git would store something else than `body` ("" when it would not); completes "<path> ...".

    old_body: the base's version, asked for only when it decides (git leaves a file alone that already has CRLF).
    """
    driver = attributes.get("filter", "unspecified")
    if driver not in _OFF:
        return f"goes through the filter {driver!r}, which this version cannot run"
    if attributes.get("ident") == "set" and _IDENT.search(body):
        return "has an $Id$ keyword that git would change (ident), which this version cannot do"
    encoding = attributes.get("working-tree-encoding", "unspecified")
    if encoding not in _OFF and encoding.casefold() not in ("utf-8", "utf8"):
        return f"is kept as {encoding} on disk and as UTF-8 in git, which this version cannot convert"
    if b"\r\n" in body and _normalised(attributes, autocrlf, body, old_body):
        return "has CRLF line endings that git would change, which this version cannot do: save it with LF"
    return ""


def _normalised(attributes: Attributes, autocrlf: str, body: bytes, old_body: Callable[[], bytes]) -> bool:
    text = attributes.get("text", "unspecified")
    if text == "unspecified":
        text = {"set": "set", "unset": "unset", "input": "set"}.get(attributes.get("crlf", ""), text)
    if text == "unset":
        return False
    if text == "set" or (text == "unspecified" and attributes.get("eol") in ("lf", "crlf")):
        return True
    if text != "auto" and autocrlf not in ("true", "input", "1", "yes", "on"):
        return False
    return not _binary(body) and not _keeps_crlf(old_body())


def _keeps_crlf(old: bytes) -> bool:
    return b"\r\n" in old and not _binary(old)


def _binary(body: bytes) -> bool:
    """Git's own guess, as it decides about line endings."""
    if b"\0" in body or body.replace(b"\r\n", b"").count(b"\r"):
        return True
    rest = body.translate(None, b"\r\n")
    odd = len(rest.translate(None, _PRINTABLE)) - body.endswith(b"\x1a")
    return (len(rest) - odd) >> 7 < odd
