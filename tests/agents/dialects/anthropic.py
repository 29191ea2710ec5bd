"""Anthropic's `POST /v1/messages` and `/v1/messages/count_tokens`, as Claude Code reads and writes them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from dialects.words import Asked, Call, Fail, Frame, Json, Say, event, fields_of, spoken

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
"""Error `type` by HTTP status; every other status is an `api_error` (the API's own error page)."""


class Messages:
    """One content block an answer: a text or a tool use."""

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return bool(body.get("stream"))

    @staticmethod
    def read(body: Json) -> Asked:
        messages = body.get("messages") or []
        last = max((at for at, message in enumerate(messages) if _words(message)), default=-1)
        done = sum(1 for message in messages[last + 1 :] if message["role"] == "assistant")
        offered = {tool["name"]: tool.get("input_schema") for tool in body.get("tools") or ()}
        choice = body.get("tool_choice") or {}
        forced = choice["name"] if choice.get("type") == "tool" else ""
        schema = offered.get(forced) if forced else _format(body)
        tools = {} if forced else {name: fields_of(fields) for name, fields in offered.items()}
        prompt = _words(messages[last]) if last >= 0 else ""
        return Asked(prompt, done, tools, schema=schema, forced=forced)

    @staticmethod
    def _block(reply: Say | Call) -> tuple[Json, str]:
        if isinstance(reply, Say):
            return {"type": "text", "text": reply.text}, "end_turn"
        block = {"type": "tool_use", "id": f"toolu_{time.monotonic_ns()}", "name": reply.tool, "input": reply.args}
        return block, "tool_use"

    @staticmethod
    def _message(body: Json) -> Json:
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        head = {"id": f"msg_{time.monotonic_ns()}", "type": "message", "role": "assistant"}
        ends = {"stop_reason": None, "stop_sequence": None, "usage": usage}
        return head | {"model": body.get("model", "scripted"), "content": []} | ends

    @classmethod
    def whole(cls, reply: Say | Call, body: Json) -> Json:
        block, reason = cls._block(reply)
        return cls._message(body) | {"content": [block], "stop_reason": reason}

    @classmethod
    def stream(cls, reply: Say | Call, body: Json) -> Iterator[Frame]:
        block, reason = cls._block(reply)
        empty: Json = {"text": ""} if isinstance(reply, Say) else {"input": {}}
        yield event({"type": "message_start", "message": cls._message(body)})
        yield event({"type": "content_block_start", "index": 0, "content_block": block | empty})
        yield event({"type": "ping"})
        for delta in _deltas(reply):
            yield event({"type": "content_block_delta", "index": 0, "delta": delta}, delta=True)
        yield event({"type": "content_block_stop", "index": 0})
        ends = {"stop_reason": reason, "stop_sequence": None}
        yield event({"type": "message_delta", "delta": ends, "usage": {"output_tokens": 5}})
        yield event({"type": "message_stop"})

    @staticmethod
    def error(fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
        kind = fail.kind or KINDS.get(fail.status, "api_error")
        headers = {"request-id": f"req_{time.monotonic_ns()}"}
        if fail.reset:
            headers["anthropic-ratelimit-unified-status"] = "rejected"
            headers["anthropic-ratelimit-unified-reset"] = str(int(now + fail.reset))
        return {"type": "error", "error": {"type": kind, "message": fail.message}}, headers

    @staticmethod
    def count(body: Json) -> Json:
        """The answer to `count_tokens`: four characters a token."""
        return {"input_tokens": len(json.dumps(body.get("messages"))) // 4}


def _deltas(reply: Say | Call) -> Iterator[Json]:
    if isinstance(reply, Say):
        for piece in reply.pieces():
            yield {"type": "text_delta", "text": piece}
        return
    text = json.dumps(reply.args)
    half = len(text) // 2
    for piece in (text[:half], text[half:]):
        yield {"type": "input_json_delta", "partial_json": piece}


def _format(body: Json) -> Json | None:
    schema: Json | None = ((body.get("output_config") or {}).get("format") or body.get("output_format") or {}).get(
        "schema"
    )
    return schema


def _words(message: Json) -> str:
    return spoken(message.get("content")) if message["role"] == "user" else ""
