"""The wire formats that agent CLIs speak to a model: each reads a request into `Asked` and writes a `Say` or `Call`.

It must not know scripts or sockets.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, dialect removed. done: how many times the model has answered since `prompt`."""

    prompt: str
    done: int
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    args: Json


class ChatCompletions:
    """OpenAI's `POST /v1/chat/completions`, as the clients in use read it."""

    HEAD: ClassVar[Json] = {"id": "chatcmpl-scripted", "created": 0, "model": "scripted"}
    USAGE: ClassVar[Json] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return bool(body.get("stream"))

    @staticmethod
    def read(body: Json) -> Asked:
        messages = body["messages"]
        last = max((i for i, m in enumerate(messages) if m["role"] == "user"), default=-1)
        done = sum(1 for m in messages[last + 1 :] if m["role"] == "assistant")
        prompt = _text(messages[last].get("content")) if last >= 0 else ""
        return Asked(prompt, done, frozenset(t["function"]["name"] for t in body.get("tools") or ()))

    @staticmethod
    def _message(reply: Say | Call) -> tuple[Json, str]:
        if isinstance(reply, Say):
            return {"role": "assistant", "content": reply.text}, "stop"
        call = {"name": reply.tool, "arguments": json.dumps(reply.args)}
        tool_call = {"index": 0, "id": f"call_{time.monotonic_ns()}", "type": "function", "function": call}
        return {"role": "assistant", "content": None, "tool_calls": [tool_call]}, "tool_calls"

    @classmethod
    def whole(cls, reply: Say | Call) -> Json:
        message, reason = cls._message(reply)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**cls.HEAD, "object": "chat.completion", "choices": [choice], "usage": cls.USAGE}

    @classmethod
    def stream(cls, reply: Say | Call) -> Iterator[str]:
        """Server-sent event payloads, the last one `[DONE]`."""
        message, reason = cls._message(reply)
        head = {**cls.HEAD, "object": "chat.completion.chunk"}
        for delta, finish in ((message, None), ({}, reason)):
            yield json.dumps(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        yield json.dumps(head | {"choices": [], "usage": cls.USAGE})
        yield "[DONE]"


class GenerateContent:
    """Gemini's `POST /v1beta/models/M:generateContent` and `:streamGenerateContent?alt=sse`."""

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return ":streamGenerateContent" in path

    @staticmethod
    def read(body: Json) -> Asked:
        contents = body.get("contents") or []
        last = max((i for i, c in enumerate(contents) if _is_prompt(c)), default=-1)
        done = sum(1 for c in contents[last + 1 :] if c.get("role") == "model")
        prompt = _text(contents[last]["parts"]) if last >= 0 else ""
        declared = [d for tool in body.get("tools") or () for d in tool.get("functionDeclarations", ())]
        return Asked(prompt, done, frozenset(d["name"] for d in declared))

    @staticmethod
    def whole(reply: Say | Call) -> Json:
        if isinstance(reply, Say):
            part: Json = {"text": reply.text}
        else:
            part = {"functionCall": {"name": reply.tool, "args": reply.args}}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

    @classmethod
    def stream(cls, reply: Say | Call) -> Iterator[str]:
        yield json.dumps(cls.whole(reply))


def _is_prompt(content: Json) -> bool:
    return content.get("role") == "user" and not any("functionResponse" in p for p in content["parts"])


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or () if isinstance(part.get("text"), str))


Dialect = type[ChatCompletions] | type[GenerateContent]


def dialect_of(path: str) -> Dialect | None:
    """The dialect that a request path belongs to; None when it is none of ours."""
    if path.endswith("/chat/completions"):
        return ChatCompletions
    if ":generateContent" in path or ":streamGenerateContent" in path:
        return GenerateContent
    return None
