"""Gemini's `POST /v1beta/models/M:generateContent` and `:streamGenerateContent?alt=sse`."""

from __future__ import annotations

from collections.abc import Iterator

from dialects.words import Asked, Call, Fail, Frame, Json, Say, event, fields_of, spoken

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    504: "DEADLINE_EXCEEDED",
}
"""Error `status` by HTTP status; every other one is UNAVAILABLE."""


class GenerateContent:
    """One part an answer, or one for each piece of a streamed text."""

    @staticmethod
    def streams(path: str, body: Json) -> bool:
        return ":streamGenerateContent" in path

    @staticmethod
    def read(body: Json) -> Asked:
        contents = body.get("contents") or []
        last = max((i for i, c in enumerate(contents) if _is_prompt(c)), default=-1)
        done = sum(1 for c in contents[last + 1 :] if c.get("role") == "model")
        prompt = spoken(contents[last]["parts"]) if last >= 0 else ""
        declared = [d for tool in body.get("tools") or () for d in tool.get("functionDeclarations", ())]
        tools = {d["name"]: fields_of(d.get("parametersJsonSchema") or d.get("parameters")) for d in declared}
        wanted = body.get("generationConfig") or {}
        schema = wanted.get("responseJsonSchema") or wanted.get("responseSchema")
        return Asked(prompt, done, tools, schema=schema)

    @staticmethod
    def _answer(part: Json, ends: Json) -> Json:
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, **ends}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

    @classmethod
    def whole(cls, reply: Say | Call, body: Json) -> Json:
        if isinstance(reply, Say):
            return cls._answer({"text": reply.text}, {"finishReason": "STOP"})
        return cls._answer({"functionCall": {"name": reply.tool, "args": reply.args}}, {"finishReason": "STOP"})

    @classmethod
    def stream(cls, reply: Say | Call, body: Json) -> Iterator[Frame]:
        if isinstance(reply, Call):
            yield event(cls.whole(reply, body), named=False, delta=True)
            return
        for piece in reply.pieces():
            yield event(cls._answer({"text": piece}, {}), named=False, delta=True)
        yield event(cls.whole(Say(""), body), named=False)

    @staticmethod
    def error(fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
        status = fail.kind or STATUSES.get(fail.status, "UNAVAILABLE")
        error: Json = {"code": fail.status, "message": fail.message, "status": status}
        if wait := fail.retry_after or fail.reset:
            delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait:g}s"}
            error["details"] = [delay]
        return {"error": error}, {}


def _is_prompt(content: Json) -> bool:
    parts = content["parts"]
    return content.get("role") == "user" and spoken(parts) != "" and not any("functionResponse" in p for p in parts)
