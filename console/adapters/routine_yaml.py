"""One YAML file of a routine as plain data with the line of every key, or why it is none. Builds no value that a tag
names, follows no alias, reads no more than a routine may have."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from typing import Any

import yaml

from console.core.records import Refused

SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 40
Path = tuple[str | int, ...]


@dataclass(slots=True)
class Parsed:
    """lines: key path -> line from 1. twice: keys that their mapping has already, with the line. digest: SHA-256 of the
    file's bytes."""

    data: Any
    digest: str
    lines: dict[Path, int]
    twice: list[tuple[Path, int]]


def load(file: str) -> Parsed | Refused:
    try:
        raw = _content(file)
    except (OSError, ValueError) as error:
        return Refused(reason=f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(raw) > SIZE_LIMIT:
        return Refused(reason=f"{file}: is larger than 64 KiB, which is no routine: make two of it")
    parsed = _parsed(raw)
    return parsed if isinstance(parsed, Parsed) else Refused(reason=f"{file}:{parsed[0]}: (file): {parsed[1]}")


def _content(file: str) -> bytes:
    """As much as a routine may have and one byte more; what is no plain file is neither waited for nor read."""
    fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        return os.read(fd, SIZE_LIMIT + 1)
    finally:
        os.close(fd)


def _parsed(raw: bytes) -> Parsed | tuple[int, str]:
    """The data with the line of every key, or (line, what is wrong)."""
    try:
        text = raw.decode("utf-8-sig")
        if found := _unfit(text):
            return found
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        parsed = Parsed(yaml.safe_load(text), hashlib.sha256(raw).hexdigest(), {}, [])
    except UnicodeDecodeError as error:
        return raw[: error.start].count(b"\n") + 1, "is not UTF-8 text"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or "is nested too deeply" * isinstance(error, RecursionError)
        return (mark.line + 1 if mark else 1), f"is not valid YAML: {said or str(error) or 'it cannot be read'}"
    _walk(node, (), parsed)
    return parsed


def _unfit(text: str) -> tuple[int, str] | None:
    """What no routine needs and what costs without bound: nesting, and aliases that make a small file large."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            return line, f"uses a YAML alias (*{event.anchor}); write the value out"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH_LIMIT:
            return line, f"is nested deeper than {DEPTH_LIMIT} levels; write it flat"
    return None


def _walk(node: yaml.Node | None, path: Path, into: Parsed) -> None:
    if node is not None:
        into.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            inner = (*path, str(key.value))
            if inner[-1] in seen:
                into.twice.append((inner, key.start_mark.line + 1))
            seen.add(str(key.value))
            into.lines[inner] = key.start_mark.line + 1
            _walk(value, inner, into)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*path, index), into)
