"""What comes in on standard input, before the SDK reads it: it leaves a line that it cannot take without an answer, so
such a line becomes one that is answered; and that the input has ended is known at once, whatever calls are at work."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable
from typing import Any

DEEPEST = 100
"""Brackets within brackets of one line; the SDK's reader takes about 200."""
UNREADABLE = "unreadable"
"""The only argument of a call that could not be read: why."""
ANY_TOOL = "poll_events"
"""Of both sets; it is never run with that argument."""
DEEP = f"the request is nested more than {DEEPEST} deep"
LONE = "the request has half of a surrogate pair (\\ud800 to \\udfff) where a character should be"
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
VALUE = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})', re.DOTALL)
HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def relayed(ended: Callable[[], None]) -> None:
    """Put a pipe in the place of standard input, fed with its lines by a thread; `ended` is called at its end."""
    source = os.dup(0)
    out, into = os.pipe()
    os.dup2(out, 0)
    os.close(out)
    os.set_inheritable(source, False)
    threading.Thread(target=_relay, args=(source, into, ended), name="stdin", daemon=True).start()


def _relay(source: int, into: int, ended: Callable[[], None]) -> None:
    try:
        with open(source, "rb") as lines, open(into, "wb", buffering=0) as out:
            for line in lines:
                out.write(fit(line))
            ended()  # before our end of the pipe is closed: who sees that end knows it already
    except OSError:  # nobody reads that pipe any more, or standard input cannot be read
        ended()


def fit(line: bytes) -> bytes:
    """The line, or in its place one with the same id that says what is wrong with it."""
    if line.count(b"{") + line.count(b"[") > DEEPEST and (why := _too_deep(line)):
        return _unreadable(line, why)
    if HALF.search(line):
        try:
            json.dumps(json.loads(line), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return _unreadable(line, LONE)
        except ValueError:
            return line
    return line


def _too_deep(line: bytes) -> str:
    depth = 0
    for token in TOKEN.finditer(line):
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(token[0], 0)
        if depth > DEEPEST:
            return DEEP
    return ""


def _unreadable(line: bytes, why: str) -> bytes:
    """The id is looked for in the outermost object only: what lies deeper may have one of its own."""
    depth, told = 0, {}
    for token in TOKEN.finditer(line):
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(token[0], 0)
        if depth == 1 and token[0] in (b'"id"', b'"method"') and (value := VALUE.match(line, token.end())):
            told[token[0][1:-1].decode()] = json.loads(value[1].decode("utf-8", "replace"))
    if "id" not in told:
        return b"\n"
    call = told.get("method") == "tools/call"
    params: dict[str, Any] = {"name": ANY_TOOL, "arguments": {UNREADABLE: why}}
    made = {"jsonrpc": "2.0", "id": told["id"], "method": "tools/call" if call else f"{UNREADABLE}: {why}"}
    return json.dumps(made | ({"params": params} if call else {})).encode() + b"\n"
