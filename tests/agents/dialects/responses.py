"""OpenAI's `POST /v1/responses`, as Codex reads and writes it: one output item an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from dialects.chat import openai_error
from dialects.words import Asked, Call, Fail, Frame, Json, Say, event, fields_of, joined, spoken

ANSWERS = ("function_call", "custom_tool_call", "local_shell_call")
RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


class Responses:
    """Text becomes a `message` item, a call a `function_call`, or a `custom_tool_call` where the tool is freeform."""

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return bool(body.get("stream"))

    @staticmethod
    def read(body: Json) -> Asked:
        items = body.get("input") or []
        if isinstance(items, str):
            items = [{"role": "user", "content": items}]
        last = max((at for at, item in enumerate(items) if _is_prompt(item)), default=-1)
        done = sum(1 for item in items[last + 1 :] if item.get("type") in ANSWERS or item.get("role") == "assistant")
        named = [tool for tool in body.get("tools") or () if "name" in tool]
        tools = {tool["name"]: fields_of(tool.get("parameters")) for tool in named}
        freeform = frozenset(tool["name"] for tool in named if tool["type"] == "custom")
        prompt = spoken(items[last].get("content")) if last >= 0 else ""
        seen = tuple(joined(item.get("output")) for item in items if item.get("type") in RESULTS)
        schema = ((body.get("text") or {}).get("format") or {}).get("schema")
        return Asked(prompt, done, tools, freeform, seen, schema=schema)

    @staticmethod
    def _item(reply: Say | Call) -> Json:
        now = time.monotonic_ns()
        if isinstance(reply, Say):
            part = {"type": "output_text", "text": reply.text, "annotations": []}
            return {"type": "message", "id": f"msg_{now}", "role": "assistant", "content": [part]}
        call = {"call_id": f"call_{now}", "name": reply.tool, "status": "completed"}
        if reply.freeform:
            return {"type": "custom_tool_call", "id": f"ctc_{now}", "input": reply.args["input"], **call}
        return {"type": "function_call", "id": f"fc_{now}", "arguments": json.dumps(reply.args), **call}

    @staticmethod
    def _response(item: Json | None, body: Json) -> Json:
        response = {"id": f"resp_{time.monotonic_ns()}", "object": "response", "model": body.get("model", "scripted")}
        if item is None:
            return response | {"status": "in_progress", "output": []}
        usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
        usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
        return response | {"status": "completed", "output": [item], "usage": usage}

    @classmethod
    def whole(cls, reply: Say | Call, body: Json) -> Json:
        return cls._response(cls._item(reply), body)

    @classmethod
    def stream(cls, reply: Say | Call, body: Json) -> Iterator[Frame]:
        item = cls._item(reply)
        yield event({"type": "response.created", "response": cls._response(None, body)})
        empty: Json = {"content": []} if isinstance(reply, Say) else {"status": "in_progress"}
        yield event({"type": "response.output_item.added", "output_index": 0, "item": item | empty})
        for kind, piece in _deltas(reply, item):
            where = {"item_id": item["id"], "output_index": 0, "content_index": 0}
            yield event({"type": kind, **where, "delta": piece}, delta=True)
        yield event({"type": "response.output_item.done", "output_index": 0, "item": item})
        yield event({"type": "response.completed", "response": cls._response(item, body)})

    @staticmethod
    def error(fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
        return openai_error(fail, now)


def _deltas(reply: Say | Call, item: Json) -> list[tuple[str, str]]:
    if isinstance(reply, Say):
        return [("response.output_text.delta", piece) for piece in reply.pieces()]
    if reply.freeform:
        return [("response.custom_tool_call_input.delta", item["input"])]
    return [("response.function_call_arguments.delta", item["arguments"])]


def _is_prompt(item: Json) -> bool:
    return item.get("role") == "user" and spoken(item.get("content")) != ""
