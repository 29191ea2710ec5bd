"""Requests as the agents send them, and what can be read back out of answers, one way for all dialects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Steps = list[Json]


# -- requests as agents send them: a prompt, and how many answers there have been since -------------------


def anthropic(prompt: str, done: int, tool: str, stream: bool) -> tuple[str, Json]:
    history: Steps = [{"role": "user", "content": [{"type": "text", "text": prompt}]}]
    for n in range(done):
        history.append(
            {"role": "assistant", "content": [{"type": "tool_use", "id": f"t{n}", "name": tool, "input": {}}]}
        )
        result = [{"type": "tool_result", "tool_use_id": f"t{n}", "content": "ok"}]
        history.append({"role": "user", "content": [*result, {"type": "text", "text": "<system-reminder>x"}]})
    tools = [{"name": tool, "input_schema": {}}] if tool else []
    return "/v1/messages?beta=true", {"model": "m", "messages": history, "tools": tools, "stream": stream}


def responses(prompt: str, done: int, tool: str, stream: bool) -> tuple[str, Json]:
    items: Steps = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>"}]}
    ]
    items.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]})
    for n in range(done):
        items.append({"type": "function_call", "call_id": f"c{n}", "name": tool, "arguments": "{}"})
        items.append({"type": "function_call_output", "call_id": f"c{n}", "output": "Output:\none\nand two\n"})
    tools = [{"type": "function", "name": tool, "parameters": {}}] if tool else []
    return "/v1/responses", {"model": "m", "input": items, "tools": tools, "stream": stream}


def chat(prompt: str, done: int, tool: str, stream: bool) -> tuple[str, Json]:
    history: Steps = [{"role": "system", "content": "s"}, {"role": "user", "content": prompt}]
    for n in range(done):
        history.append({"role": "assistant", "content": None, "tool_calls": [{"id": f"c{n}"}]})
        history.append({"role": "tool", "tool_call_id": f"c{n}", "content": "ok"})
    tools = [{"type": "function", "function": {"name": tool}}] if tool else []
    return "/v1/chat/completions", {"model": "m", "messages": history, "tools": tools, "stream": stream}


def gemini(prompt: str, done: int, tool: str, stream: bool) -> tuple[str, Json]:
    history: Steps = [{"role": "user", "parts": [{"text": "<session_context>"}, {"text": prompt}]}]
    for _ in range(done):
        history.append({"role": "model", "parts": [{"functionCall": {"name": tool, "args": {}}}]})
        history.append({"role": "user", "parts": [{"functionResponse": {"name": tool, "response": {}}}]})
    tools = [{"functionDeclarations": [{"name": tool}]}] if tool else []
    method = "streamGenerateContent?alt=sse" if stream else "generateContent"
    return f"/v1beta/models/m:{method}", {"contents": history, "tools": tools}


Wire = Callable[[str, int, str, bool], tuple[str, Json]]


# -- answers ---------------------------------------------------------------------------------------------


def payloads(text: str) -> Steps:
    """The JSON of an answer: its events when it was streamed, else the one object."""
    if text.startswith("{"):
        return [json.loads(text)]
    data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in data if line != "[DONE]"]


def found(value: Any, key: str) -> list[Any]:
    """Every value of `key`, however deep, in order."""
    if isinstance(value, list):
        return [hit for part in value for hit in found(part, key)]
    if not isinstance(value, dict):
        return []
    own = [value[key]] if key in value else []
    return own + [hit for part in value.values() for hit in found(part, key)]


def arguments(events: Steps) -> Json:
    """The arguments of the one call in an answer, whichever dialect and however cut into pieces."""
    if whole := [hit for key in ("arguments", "args") for hit in found(events, key) if hit]:
        return dict(json.loads(whole[-1]) if isinstance(whole[-1], str) else whole[-1])
    pieces = "".join(found(events, "partial_json"))
    return dict(json.loads(pieces) if pieces else next(filter(None, found(events, "input"))))


def words(events: Steps) -> str:
    """The text of an answer, out of its pieces where there are any."""
    deltas = [event for event in events if "delta" in event or "choices" in event or "candidates" in event]
    return "".join(
        str(hit) for key in ("text", "content", "delta") for hit in found(deltas, key) if isinstance(hit, str)
    )
