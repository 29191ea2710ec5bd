"""YAML front matter -> its top-level keys with their lines, or every problem. Builds no value that a tag names, follows
no alias, and what other tools keep there is passed over whatever its type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from console.adapters.trust import DEPTH_LIMIT, SIZE_LIMIT, _too_deep

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MARK = "---"
ENDS = (MARK, "...")

Kind = Literal["text", "null", "list", "map"]
Wrong = tuple[int, str]
"""(line in the file from 1, what is wrong and the cure)"""


@dataclass(slots=True)
class Value:
    """One YAML value as it is written. plain: without quotes, so that `yes` or `3` may be meant as such. items: of a
    list its values; of a map key, value, key, value."""

    line: int
    kind: Kind
    text: str = ""
    plain: bool = False
    items: list[Value] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Split:
    """front: the lines between the marks, None when the file has no front matter. body_line: its first line. open: the
    front matter never ends."""

    front: str | None
    body: str
    body_line: int
    open: bool = False


def split(text: str) -> Split:
    """`text` with LF line ends, cut at its front matter."""
    lines = text.split("\n")
    if lines[0].rstrip() != MARK:
        return Split(None, text, 1)
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ENDS:
            return Split("\n".join(lines[1:number]), "\n".join(lines[number + 1 :]), number + 2)
    return Split("\n".join(lines[1:]), "", len(lines), open=True)


def read(front: str, first_line: int = 2) -> tuple[dict[str, tuple[int, Value]], list[Wrong]]:
    """Top-level keys -> (line of the key, value), and what is wrong. A key is compared without case, `-` as `_`."""
    if len(front) > SIZE_LIMIT:
        return {}, [(first_line, "front matter is larger than 64 KiB; that belongs into the text below it")]
    if deep := _too_deep(front):
        return {}, [(first_line + deep - 1, f"is nested deeper than {DEPTH_LIMIT} brackets; write it flat")]
    try:
        top, problems = _tree(yaml.parse(front, Loader=LOADER), first_line)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = f"is not valid YAML: {_said(error)}; correct it, or quote the text"
        return {}, [(first_line + _line_of(error, front), what)]
    if top is None or top.kind == "null":
        return {}, problems
    if top.kind != "map":
        what = "front matter must be `key: value` lines; for none, take the `---` lines out"
        return {}, [*problems, (top.line, what)]
    keys, twice = _keys(top)
    return keys, problems + twice


def _keys(top: Value) -> tuple[dict[str, tuple[int, Value]], list[Wrong]]:
    keys: dict[str, tuple[int, Value]] = {}
    twice: list[Wrong] = []
    for key, value in zip(top.items[::2], top.items[1::2], strict=True):
        if key.kind != "text":
            continue
        name = key.text.strip().casefold().replace("-", "_")
        if name in keys:
            twice.append((key.line, f"`{key.text}` is written twice; keep one"))
        keys.setdefault(name, (key.line, value))
    return keys, twice


def _tree(events: Iterable[Any], first_line: int) -> tuple[Value | None, list[Wrong]]:
    """The document's value. Iterative: nesting by indentation is not bounded by the bracket count."""
    stack = [Value(0, "list")]
    problems: list[Wrong] = []
    for event in events:
        line = first_line + event.start_mark.line
        match event:
            case yaml.AliasEvent():
                problems.append((line, f"uses a YAML alias (*{event.anchor}); write the value out"))
                stack[-1].items.append(Value(line, "null"))
            case yaml.ScalarEvent():
                stack[-1].items.append(_scalar(event, line))
            case yaml.CollectionStartEvent():
                made = Value(line, "list" if isinstance(event, yaml.SequenceStartEvent) else "map")
                stack[-1].items.append(made)
                stack.append(made)
                if len(stack) > DEPTH_LIMIT + 1:
                    return None, [*problems, (line, f"is nested deeper than {DEPTH_LIMIT} levels; write it flat")]
            case yaml.CollectionEndEvent():
                stack.pop()
    return (stack[0].items[0] if stack[0].items else None), problems


def _scalar(event: Any, line: int) -> Value:
    plain = bool(event.implicit[0])
    null = plain and event.value in ("", "~", "null", "Null", "NULL")
    return Value(line, "null" if null else "text", event.value, plain)


def _line_of(error: Exception, front: str) -> int:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return min(int(mark.line), front.count("\n"))
    position = getattr(error, "position", None)
    return front.encode("utf-8", "replace")[:position].count(b"\n") if isinstance(position, int) else 0


def _said(error: Exception) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read")
