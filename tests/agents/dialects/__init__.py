"""The wire formats that agent CLIs speak to a model, and which of them a request path belongs to."""

from __future__ import annotations

from dialects.anthropic import Messages
from dialects.chat import ChatCompletions
from dialects.gemini import GenerateContent
from dialects.responses import Responses
from dialects.words import Dialect


def dialect_of(path: str) -> Dialect | None:
    """The dialect of a request path, without its query; None when it is none of ours."""
    if path.endswith("/messages"):
        return Messages()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/chat/completions"):
        return ChatCompletions()
    if path.endswith((":generateContent", ":streamGenerateContent")):
        return GenerateContent()
    return None
