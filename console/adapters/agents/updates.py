"""Reads the raw `session/update` notifications of an ACP agent into transcript entries.

Works on plain JSON, not on the library's models: an update kind newer than the schema is recorded, never an error.
Holds no binary content: an image becomes its type and size.
"""

from __future__ import annotations

import json
from typing import Any

from console.adapters.agents import costs
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.vitals import Signs

CHUNKS = {"agent_message_chunk": "text", "agent_thought_chunk": "thought", "user_message_chunk": "user"}
OPEN_TOOLS = 1000
BRIEF = 4096


class Updates:
    """One session's updates. `trouble`: why the turn failed although its end may look well; "" when it did not.
    `error`: the last error that codex-acp told of in this turn. `cost`: of the session so far, None for not said."""

    def __init__(self, transcript: Transcript, signs: Signs | None = None) -> None:
        self._transcript = transcript
        self.signs = signs or Signs()
        self._titles: dict[str, str] = {}
        self.muted = False
        self.trouble = ""
        self.error: Any = None
        self.cost: float | None = None
        self._before: float | None = None

    def turn(self) -> None:
        """A new turn begins: what an earlier one left behind counts no longer."""
        self.trouble, self.error = "", None
        self._before = self.cost
        self.signs.turn()

    def begin(self, *, resumed: bool) -> None:
        """The conversation is open. A fresh one has cost nothing; what a resumed one has cost is known when its replay
        told it."""
        if not resumed:
            self.cost = 0.0

    @property
    def turn_cost(self) -> float | None:
        """Dollars that this turn added; None when the agent does not say."""
        if self.cost is None or self._before is None or (self.cost == self._before == 0.0):
            return None
        return max(0.0, self.cost - self._before)

    def take(self, params: dict[str, Any]) -> None:
        """Record one notification. While a conversation is loaded (`muted`) its replayed history is left out."""
        update = params.get("update")
        if not isinstance(update, dict):
            return
        self._watch_life(update)
        self._watch_status(params, update)
        if update.get("sessionUpdate") == "usage_update":
            self._watch_cost(update.get("cost"))
        if self.muted:
            return
        match update.get("sessionUpdate"):
            case "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" as kind:
                self._chunk(CHUNKS[kind], update.get("content"))
            case "tool_call" | "tool_call_update":
                self._tool(update)
            case "plan":
                self._transcript.append("plan", text=plan_text(update.get("entries")))
            case kind:
                self._transcript.append("update", type=str(kind), text=brief(update))

    def _chunk(self, kind: str, content: Any) -> None:
        text = content_text(content)
        if isinstance(content, dict) and content.get("type") == "text":
            self._transcript.say(kind, text)
        else:
            self._transcript.append(kind, text=text)

    def _tool(self, update: dict[str, Any]) -> None:
        key = str(update.get("toolCallId", ""))
        title = update.get("title")
        if isinstance(title, str) and title:
            self._titles[key] = title
        tool = self._titles.get(key, key)
        status = str(update.get("status") or ("pending" if update["sessionUpdate"] == "tool_call" else ""))
        if status in ("completed", "failed") or len(self._titles) > OPEN_TOOLS:
            self._titles.pop(key if key in self._titles else next(iter(self._titles), key), None)
        shown = {"type": str(update.get("kind") or ""), "paths": paths_text(update), "text": tool_text(update)}
        self._transcript.append("tool", tool=tool, status=status, id=key, **{k: v for k, v in shown.items() if v})

    def _watch_life(self, update: dict[str, Any]) -> None:
        kind = str(update.get("sessionUpdate") or "")
        match kind:
            case "":
                return
            case "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk":
                self.signs.said(kind, content_text(update.get("content")))
            case "tool_call" | "tool_call_update":
                key = str(update.get("toolCallId", ""))
                status = str(update.get("status") or ("pending" if kind == "tool_call" else ""))
                title = update.get("title")
                self.signs.tool(key, title if isinstance(title, str) else "", status, update.get("rawInput"))
                self.signs.said(f"{kind} {key} {status}", f"{kind} {tool_text(update)}")
            case _:
                self.signs.said(kind, brief(update))

    def _watch_cost(self, cost: Any) -> None:
        if isinstance(cost, dict) and cost.get("currency") == "USD":
            amount = costs.dollars(cost.get("amount"))
            self.cost = self.cost if amount is None else amount

    def _watch_status(self, params: dict[str, Any], update: dict[str, Any]) -> None:
        for holder in (params, update):
            status, message = codex_status(holder.get("_meta"))
            self.error = codex_error(holder.get("_meta")) or self.error
            if status == "systemError":
                self.trouble = message or self.trouble or "the agent reported a system error"
            elif status:
                self.trouble = ""


def codex_error(meta: Any) -> Any:
    """The error that codex-acp hides in `_meta.codex`, as it is; None when there is none."""
    codex = meta.get("codex") if isinstance(meta, dict) else None
    return codex.get("error") if isinstance(codex, dict) else None


def codex_status(meta: Any) -> tuple[str, str]:
    """The thread status and error text that codex-acp hides in `_meta.codex`: it ends failed turns with `end_turn`."""
    codex = meta.get("codex") if isinstance(meta, dict) else None
    if not isinstance(codex, dict):
        return "", ""
    status, error = codex.get("threadStatus"), codex.get("error")
    kind = status.get("type") if isinstance(status, dict) else status
    message = error.get("message") if isinstance(error, dict) else error
    return str(kind or ""), str(message or "")


def content_text(content: Any) -> str:
    """The text of a content block; for anything else what it is and how big, never its bytes."""
    if not isinstance(content, dict):
        return ""
    if content.get("type") == "text":
        return str(content.get("text", ""))
    resource = content.get("resource")
    if isinstance(resource, dict) and isinstance(resource.get("text"), str):
        return f"[{resource.get('uri', 'resource')}]\n{resource['text']}"
    name = content.get("name") or content.get("uri") or content.get("mimeType") or ""
    size = len(str(content.get("data") or ""))
    return f"[{content.get('type', 'content')} {name}" + (f", {size} characters]" if size else "]")


def tool_text(update: dict[str, Any]) -> str:
    """What a tool call shows: texts, the paths of diffs, and for lack of these the raw input in brief."""
    blocks = update.get("content")
    parts = [_tool_block(block) for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    text = "\n".join(part for part in parts if part)
    return text or (brief(update["rawInput"]) if update.get("rawInput") else "")


def _tool_block(block: dict[str, Any]) -> str:
    if block.get("type") == "diff":
        return f"{block.get('path', '')}\n{block.get('newText', '')}"
    return content_text(block.get("content"))


def paths_text(update: dict[str, Any]) -> str:
    places = update.get("locations")
    named = [place for place in places if isinstance(place, dict)] if isinstance(places, list) else []
    return "\n".join(str(place.get("path", "")) for place in named)


def plan_text(entries: Any) -> str:
    steps = [step for step in entries if isinstance(step, dict)] if isinstance(entries, list) else []
    return "\n".join(f"{step.get('status', '')}: {step.get('content', '')}" for step in steps)


def brief(value: Any) -> str:
    """Any JSON as short text."""
    return json.dumps(value, ensure_ascii=False, default=str)[:BRIEF]
