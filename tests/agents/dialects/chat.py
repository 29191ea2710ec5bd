"""OpenAI's `POST /v1/chat/completions`, as qwen, opencode, pi, aider and mini read and write it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import ClassVar

from dialects.words import DROPPED, Asked, Call, Fail, Frame, Json, Say, event, fields_of, joined, spoken

KINDS = {401: "invalid_api_key", 429: "rate_limit_exceeded", 503: "server_overloaded"}

AIDER_FORMAT = "*file listing* format"
AIDER_FILES = "I have *added these files to the chat*"
AIDER_ADDED = ("I added these files to the chat", AIDER_FILES)
"""Words of aider's whole-file format: no tools, edits are in the text, and files come as user messages."""

SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What mini-swe-agent wants echoed at the end. It sends its own complaints as user messages: the first is the task."""

CWD = re.compile("I'm currently working in the directory: (.+)")
"""Where Qwen Code says it is; its file tools take absolute paths only."""


def openai_error(fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
    """The error shape of both OpenAI dialects. A reset adds what ChatGPT plans send with a usage limit."""
    code = fail.kind or KINDS.get(fail.status, "server_error")
    error: Json = {"message": fail.message, "type": code, "code": code, "param": None}
    headers = {"x-request-id": f"req_{time.monotonic_ns()}"}
    if fail.reset:
        error |= {"resets_at": int(now + fail.reset), "resets_in_seconds": int(fail.reset)}
        headers["x-ratelimit-reset-requests"] = f"{int(fail.reset)}s"
    return {"error": error}, headers


class ChatCompletions:
    """One choice an answer."""

    HEAD: ClassVar[Json] = {"id": "chatcmpl-scripted", "created": 0, "model": "scripted"}
    USAGE: ClassVar[Json] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return bool(body.get("stream"))

    @staticmethod
    def read(body: Json) -> Asked:
        messages = body["messages"]
        texts = [joined(m.get("content")) for m in messages]
        system = texts[0] if messages and messages[0]["role"] in ("system", "developer") else ""
        submits = SUBMIT in "".join(texts[:2])
        said = [spoken(m.get("content")) if m["role"] == "user" else "" for m in messages]
        users = [i for i, text in enumerate(said) if text and not text.startswith(AIDER_ADDED)]
        last = (users[0] if submits else users[-1]) if users else -1
        answers = [i for i, m in enumerate(messages) if i > last and m["role"] == "assistant"]
        done = sum(1 for i in answers if not "".join(texts[i + 1 : i + 2]).startswith(DROPPED))
        offered = [tool["function"] for tool in body.get("tools") or ()]
        return Asked(
            said[last] if users else "",
            done,
            {tool["name"]: fields_of(tool.get("parameters")) for tool in offered},
            seen=tuple(text for text in texts if text.startswith(AIDER_FILES)),
            prose=AIDER_FORMAT in system,
            schema=((body.get("response_format") or {}).get("json_schema") or {}).get("schema"),
            submit=SUBMIT if submits else "",
            cwd=next((place for text in texts for place in CWD.findall(text)), ""),
        )

    @staticmethod
    def _message(reply: Say | Call) -> tuple[Json, str]:
        if isinstance(reply, Say):
            return {"role": "assistant", "content": reply.text}, "stop"
        call = {"name": reply.tool, "arguments": json.dumps(reply.args)}
        tool_call = {"index": 0, "id": f"call_{time.monotonic_ns()}", "type": "function", "function": call}
        return {"role": "assistant", "content": None, "tool_calls": [tool_call]}, "tool_calls"

    @classmethod
    def whole(cls, reply: Say | Call, body: Json) -> Json:
        message, reason = cls._message(reply)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**cls.HEAD, "object": "chat.completion", "choices": [choice], "usage": cls.USAGE}

    @classmethod
    def stream(cls, reply: Say | Call, body: Json) -> Iterator[Frame]:
        message, reason = cls._message(reply)
        deltas = [message] if isinstance(reply, Call) else [message | {"content": piece} for piece in reply.pieces()]
        head = {**cls.HEAD, "object": "chat.completion.chunk"}
        for delta in deltas:
            choice: Json = {"index": 0, "delta": delta, "finish_reason": None}
            yield event(head | {"choices": [choice]}, named=False, delta=True)
        yield event(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, named=False)
        yield event(head | {"choices": [], "usage": cls.USAGE}, named=False)
        yield Frame("data: [DONE]\n\n")

    @staticmethod
    def error(fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
        return openai_error(fail, now)
