"""Names of failing tests in what pytest and unittest print. Lines in, names out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.failures.lines import NOT_LOADED

_WORDS = ("FAILED ", "ERROR ", "SUBFAIL ", "SUBFAILED ")
_HEADING = re.compile(r"_{3,} (\S.*\S|\S) _{3,}")
_UNITTEST = re.compile(r"(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S+) \(([^()\s]+)\)(.*)")
_ALONE = re.compile(r"(?:FAIL|XPASS): (\S+)")
_LOADER = "unittest.loader._FailedTest."


def pytest(lines: Sequence[str]) -> Iterator[str]:
    """From its summary or its verbose lines; from the headings of the reports when there is neither."""
    summary = [name for line in lines if (name := _node(line))]
    yield from summary
    if not summary:
        for line in lines:
            if line.startswith("___") and (found := _HEADING.fullmatch(line)):
                name = _without(found[1], "ERROR at setup of ", "ERROR at teardown of ")
                whole = name.removeprefix("ERROR collecting ")
                yield name if whole == name else whole + NOT_LOADED


def _node(line: str) -> str:
    if line.startswith("[gw") and "] " in line:  # xdist: "[gw0] [ 50%] FAILED node"
        line = line.rpartition("%] ")[2]
    for word in _WORDS:
        if line.startswith(word):
            node = _before_message(line.removeprefix(word))
            if node[:1] == " " or not ("::" in node or node.endswith(".py")):
                return ""
            return node if "::" in node else node + NOT_LOADED
    for word in (" FAILED", " ERROR"):  # verbose: "node FAILED   [ 50%]"
        node, found, rest = line.partition(word)
        if found and ".py::" in node and " " not in node.partition("::")[0] and rest.strip()[:1] in ("", "["):
            return node
    return ""


def _before_message(text: str) -> str:
    """The node id of "node - message"; a dash in a parameter's brackets belongs to the id."""
    opened, dash = text.find("["), text.find(" - ")
    if 0 <= opened < dash:
        closed = text.find("] - ", opened)
        return text[: closed + 1] if closed >= 0 else text if text.endswith("]") else text[:dash]
    return text[:dash] if dash >= 0 else text


def unittest(lines: Sequence[str]) -> Iterator[str]:
    """`module.Class.test`, with the parameters of a subtest; automake and meson share the first word."""
    for line in lines:
        if not line.startswith(("FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: ", "XPASS: ")):
            continue
        if found := _UNITTEST.fullmatch(line):
            test, place, rest = found.groups()
            whole = place if place.rpartition(".")[2] == test else f"{place}.{test}"
            name = whole.removeprefix(_LOADER)
            yield name + rest.rstrip() if name == whole else name + NOT_LOADED
        elif found := _ALONE.fullmatch(line):
            yield found[1]


def _without(text: str, *prefixes: str) -> str:
    for prefix in prefixes:
        text = text.removeprefix(prefix)
    return text
