"""A peer that speaks Claude Code's JSON lines on its pipes. argv[1]: a script that defines `turn`, and may `boot`.

The script sees: put(**line), out(bytes), say(text), tool(key, name, input), done(key), ask(name, input, *suggestions),
receive(), interrupted(), result(**fields), SESSION, ARGV.
"""

import itertools
import json
import os
import sys
import time
from typing import Any

ARGV = sys.argv[2:]
SESSION: list[str] = ["00000000-0000-4000-8000-000000000000"]
for flag in ("--session-id", "--resume"):
    if flag in ARGV:
        SESSION[0] = ARGV[ARGV.index(flag) + 1]
prompt: dict[str, Any] = {}
ids = itertools.count(1)


def out(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def put(**line: Any) -> None:
    out(json.dumps({"session_id": SESSION[0], **line}).encode() + b"\n")


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    said: dict[str, Any] = json.loads(line)
    return said


def respond(ident: str, **more: Any) -> None:
    put(type="control_response", response={"subtype": "success", "request_id": ident, "response": {}, **more})


def delta(**event: Any) -> None:
    put(type="stream_event", event=event, parent_tool_use_id=None)


def say(text: str, kind: str = "text") -> None:
    """One streamed message, and the same as a whole."""
    message = f"msg_{next(ids)}"
    delta(type="message_start", message={"id": message, "usage": {"input_tokens": 10}})
    for start in range(0, len(text), 5):
        piece = {"type": f"{kind}_delta", kind: text[start : start + 5]}
        delta(type="content_block_delta", index=0, delta=piece)
    content = [{"type": kind, kind: text}] if text else []
    put(type="assistant", parent_tool_use_id=None, message={"id": message, "role": "assistant", "content": content})
    delta(type="message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 5})
    delta(type="message_stop")


def tool(key: str, name: str, given: dict[str, Any]) -> None:
    block = {"type": "tool_use", "id": key, "name": name, "input": given}
    put(type="assistant", parent_tool_use_id=None, message={"id": f"msg_{next(ids)}", "content": [block]})


def done(key: str, content: Any = "fine", is_error: bool = False) -> None:
    block = {"type": "tool_result", "tool_use_id": key, "content": content, "is_error": is_error}
    put(type="user", message={"role": "user", "content": [block]})


def request(ident: str, **fields: Any) -> None:
    put(type="control_request", request_id=ident, request=fields)


def answer_to(ident: str) -> dict[str, Any]:
    while True:
        line = receive()
        if line.get("type") == "control_response" and line["response"]["request_id"] == ident:
            response: dict[str, Any] = line["response"]
            return response
        if line.get("type") == "control_request":
            respond(line["request_id"])


def ask(name: str, given: dict[str, Any], *suggestions: Any) -> dict[str, Any]:
    """The answer to a permission request."""
    ident = f"r-{next(ids)}"
    request(ident, subtype="can_use_tool", tool_name=name, input=given, permission_suggestions=list(suggestions))
    answer: dict[str, Any] = answer_to(ident)["response"]
    return answer


def interrupted() -> None:
    """Wait for an interrupt, acknowledge it, end the turn as the real one does."""
    line = receive()
    while line.get("request", {}).get("subtype") != "interrupt":
        line = receive()
    respond(line["request_id"])
    result(subtype="error_during_execution", is_error=True, terminal_reason="aborted_tools", result=None)


def result(**more: Any) -> None:
    fields = {"type": "result", "subtype": "success", "is_error": False, "terminal_reason": "completed"}
    more = {"stop_reason": "end_turn", "result": "Done.", "user_message_uuid": prompt.get("uuid"), **more}
    put(**{key: value for key, value in {**fields, **more}.items() if value is not None})


def greeting() -> dict[str, Any]:
    return {"claude_code_version": "9.9.9", "current_permission_mode": "default"}


def boot() -> None:
    """Before anything is read."""


def turn(text: str) -> None:
    result()


def main() -> None:
    with open(sys.argv[1]) as file:
        exec(file.read(), globals())  # noqa: S102
    boot()
    while True:
        line = receive()
        if line.get("type") == "user":
            prompt.update(line)
            put(type="system", subtype="init")
            turn(line["message"]["content"][0]["text"])
        elif line.get("type") == "control_request":
            told = greeting() if line["request"]["subtype"] == "initialize" else {}
            respond(line["request_id"], response=told)


if __name__ == "__main__":
    assert time
    main()
