"""What every dialect reads a request into, and what it is given to write. No scripts, no sockets in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, dialect removed.

    done: how many times the model has answered since `prompt`. tools: the names on offer with the names of their fields
    (none where the request does not say), `freeform` those that take plain text instead of JSON.
    seen: contents of files and outputs of tools, oldest first, where a dialect needs them to phrase an edit.
    prose: the agent has no tools and reads edits out of the text. submit: the command that ends the turn, where text
    alone does not. cwd: the agent's directory, where it wants absolute paths and says which.
    schema: the JSON schema that the answer has to fit, as the arguments of the tool `forced` where that is named.
    """

    prompt: str
    done: int
    tools: Mapping[str, frozenset[str]]
    freeform: frozenset[str] = frozenset()
    seen: tuple[str, ...] = ()
    prose: bool = False
    submit: str = ""
    cwd: str = ""
    schema: Json | None = None
    forced: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """Text, which ends the turn. It is streamed in `chunks` pieces with `every` seconds after each."""

    text: str
    chunks: int = 1
    every: float = 0.0

    def pieces(self) -> list[str]:
        """The text cut into at most `chunks` parts of about the same length; never none."""
        size = max(1, -(-len(self.text) // max(1, self.chunks)))
        return [self.text[at : at + size] for at in range(0, len(self.text), size)] or [""]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. freeform: `args` holds one text, `input`, and the tool takes that instead of JSON."""

    tool: str
    args: Json
    freeform: bool = False


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error. retry_after and reset in seconds from now, 0 for no such header; headers are added as they are."""

    status: int
    message: str = "as scripted"
    retry_after: float = 0
    reset: float = 0
    kind: str = ""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One piece of a streamed answer as it goes over the wire. delta: it carries (a piece of) the content."""

    wire: str
    delta: bool = False


def event(payload: Json, *, named: bool = True, delta: bool = False) -> Frame:
    """A server-sent event; `named` repeats the payload's `type` as the event's name."""
    name = f"event: {payload['type']}\n" if named else ""
    return Frame(f"{name}data: {json.dumps(payload)}\n\n", delta)


class Dialect(Protocol):
    """One wire format. All methods are pure but for the clock that makes ids unique."""

    def streams(self, path: str, body: Json) -> bool: ...

    def read(self, body: Json) -> Asked: ...

    def whole(self, reply: Say | Call, body: Json) -> Json: ...

    def stream(self, reply: Say | Call, body: Json) -> Iterator[Frame]: ...

    def error(self, fail: Fail, now: float) -> tuple[Json, dict[str, str]]:
        """The body and the extra headers of a refusal; now in seconds since 1970."""
        ...


DROPPED = "The connection dropped mid-response"
"""How Qwen Code asks to go on after an answer that broke off; the broken answer stands before it."""

ADDED = (
    "<system-reminder>",
    "[Request interrupted",
    "<session_context>",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
    "# AGENTS.md instructions",
    DROPPED,
)
"""How parts of user messages begin that an agent adds by itself."""


def spoken(content: Any) -> str:
    """What a person said in a user message: its text without the parts that the agent has added."""
    parts = [{"text": content}] if isinstance(content, str) else content or []
    return joined([part for part in parts if not str(part.get("text", "")).lstrip().startswith(ADDED)])


def joined(content: Any) -> str:
    """The text of a message's content: a plain text, or the text parts of a list."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or () if isinstance(part.get("text"), str))


def fields_of(schema: Any) -> frozenset[str]:
    """The names of a tool's parameters out of its JSON schema."""
    return frozenset((schema or {}).get("properties") or ())


def instance(schema: Json) -> Any:
    """The plainest value that fits a JSON schema: first choices, smallest numbers, false, no elements."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        return instance(variants[0])
    kind = schema.get("type", "object")
    match (kind[0] if isinstance(kind, list) else kind).lower():
        case "object":
            fields = schema.get("properties") or {}
            wanted = schema.get("required") or list(fields)
            return {name: instance(fields[name]) for name in wanted if name in fields}
        case "array":
            return []
        case "boolean":
            return False
        case "integer" | "number":
            return schema.get("minimum", 0)
        case _:
            return "Scripted work"
