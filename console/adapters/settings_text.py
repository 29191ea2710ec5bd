"""One value changed in the text of a settings file, with everything else in it left as it was written.

What comes out is read back: a text that does not mean exactly the change is not returned. Writes no file.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import yaml

from console.core.records import Refused

BY_HAND = "its text cannot be changed from here without touching the rest: open it in your editor"


def changed(text: str, changes: Sequence[tuple[tuple[str, ...], Any]]) -> str | Refused:
    """`text` with each (path of keys, plain value) set, in order."""
    try:
        meant = yaml.safe_load(text)
        for path, value in changes:
            meant = _meant(meant, path, value)
            text = _set(text, path, value)
        if yaml.safe_load(text) == meant:
            return text
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError):
        pass
    return Refused(reason=BY_HAND)


def _meant(data: Any, path: tuple[str, ...], value: Any) -> Any:
    made = copy.deepcopy(data) if isinstance(data, dict) else {}
    made[path[0]] = value if len(path) == 1 else _meant(made.get(path[0]), path[1:], value)
    return made


def _set(text: str, path: tuple[str, ...], value: Any) -> str:
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for depth, key in enumerate(path):
        if not isinstance(node, yaml.MappingNode) or not (node.value or node.flow_style):
            break
        found = next((each for name, each in node.value if name.value == key), None)
        rest = path[depth + 1 :]
        if found is None:
            return _inserted(text, node, key, _nested(rest, value), top=depth == 0)
        if not rest or not isinstance(found, yaml.MappingNode):
            return _replaced(text, found, _nested(rest, value))
        node = found
    line = f"{path[0]}: {_flow(_nested(path[1:], value))}\n"  # nothing but comments is there
    return text + ("" if text.endswith("\n") or not text else "\n") + line


def _nested(rest: tuple[str, ...], value: Any) -> Any:
    return value if not rest else {rest[0]: _nested(rest[1:], value)}


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and yaml.safe_load(f"[{value}]") == [value]:
        return value
    return json.dumps(value, ensure_ascii=False)


def _replaced(text: str, node: yaml.Node, value: Any) -> str:
    """The value's own characters; those of a block would reach into what comes after it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        raise ValueError("a block")
    start, end = node.start_mark.index, node.end_mark.index
    gap = " " if start == end and text[start - 1] == ":" else ""
    return text[:start] + gap + _flow(value) + text[end:]


def _inserted(text: str, node: yaml.MappingNode, key: str, value: Any, *, top: bool) -> str:
    entry = f"{key}: {_flow(value)}"
    if node.flow_style:
        at = node.start_mark.index + 1
        return text[:at] + entry + (", " if node.value else "") + text[at:]
    if top:
        return text + ("" if text.endswith("\n") else "\n") + entry + "\n"
    at = node.value[0][0].start_mark.index
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    return text[:at] + entry + "\n" + indent + text[at:]
