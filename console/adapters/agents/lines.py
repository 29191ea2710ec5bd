"""Reads what a headless agent prints, line by line: JSON events of the known CLIs, or plain text. Touches no file.

It looks for what to show, the conversation's id, whether the last result line was an error and of which kind, and what
the turn cost. It can turn an exit 0 into a failure, never a failure into a success: text is shown, not believed.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from console.adapters.agents import costs, faults
from console.adapters.agents.faults import Fault
from console.adapters.agents.updates import brief
from console.adapters.agents.vitals import Signs
from console.core.records import Usage

Shown = tuple[str, dict[str, str]]
Event = dict[str, Any]

CONVERSATION_KEYS = ("session_id", "thread_id", "sessionID")
MESSAGES = frozenset({"assistant", "user", "message", "message_end"})
TOOL_STATES = {"success": "completed", "error": "failed", "running": "in_progress", "in_progress": "in_progress"}
_CONVERSATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,199}")


class Lines:
    """The lines of one turn. conversation: the id, "" until one was seen; failure: why the turn failed, "" if not;
    usage: what it cost, None until a line tells."""

    def __init__(self, conversation_key: str, now: Callable[[], float] = time.time, signs: Signs | None = None) -> None:
        self._signs = signs or Signs()
        self._keys = (conversation_key, *CONVERSATION_KEYS)
        self._tools: dict[str, str] = {}
        self._now = now
        self._told = self._hint = self._rejected = faults.NONE
        self.conversation = ""
        self.failure = ""
        self.usage: Usage | None = None

    @property
    def fault(self) -> Fault:
        """The kind of trouble behind a failed turn: the error line's own, else what the agent last retried for. A usage
        limit that was announced beside it tells its reset."""
        fault = self._told or self._hint
        if self._rejected and fault.kind in ("", "limit", "overload"):
            return fault if fault.until > self._rejected.until else self._rejected
        return fault

    def read(self, line: str) -> list[Shown]:
        """What to record of one line: (entry kind, its fields)."""
        event = _json_object(line)
        if event is None:
            return [("line", {"text": line + "\n"})]
        self._signs.said("event", line)
        self._find_conversation(event)
        verdict = verdict_of(event)
        if verdict is not None:
            self.failure = verdict
        self._watch_faults(event, verdict)
        self.usage = costs.plus(self.usage, costs.of_event(event))
        return list(self._shown(event)) or [("event", {"type": str(event.get("type", "")), "text": brief(event)})]

    def _watch_faults(self, event: Event, verdict: str | None) -> None:
        kind = event.get("type")
        if verdict == "":
            self._told = self._hint = faults.NONE
        elif verdict:
            self._told = faults.of_event(event, self._now()) or self._told
        elif kind == "rate_limit_event":
            self._rejected = faults.of_rejection(event, self._now())
        elif kind == "auto_retry_start" or (kind == "system" and event.get("subtype") in ("api_retry", "retry")):
            # Its delay is the agent's own, not the end of anything.
            self._hint = Fault(kind=faults.of_event(event, self._now()).kind)

    def _find_conversation(self, event: Event) -> None:
        """The first id of the turn counts. It will be an argument of a command, so it has to look like an id."""
        for key in self._keys if not self.conversation else ():
            value = event.get(key)
            if isinstance(value, str) and _CONVERSATION.fullmatch(value):
                self.conversation = value
                return

    def _shown(self, event: Event) -> list[Shown]:
        kind, part, item = str(event.get("type")), event.get("part"), event.get("item")
        if kind in MESSAGES:
            return self._message(event)
        if isinstance(item, dict):
            return self._item(kind, item)
        if kind == "text" and isinstance(part, dict):
            return [("text", {"text": str(part.get("text", "")) + "\n"})]
        if kind in ("tool_use", "tool_result", "tool_execution_start", "tool_execution_end"):
            return [self._tool(event, part if isinstance(part, dict) else {})]
        return []

    def _message(self, event: Event) -> list[Shown]:
        message = event.get("message", event)
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            role = message.get("role", event.get("type"))
            return [("user" if role == "user" else "text", {"text": content + ("" if event.get("delta") else "\n")})]
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        return [shown for block in blocks for shown in self._block(block)]

    def _block(self, block: Event) -> list[Shown]:
        match block.get("type"):
            case "text":
                return [("text", {"text": str(block.get("text", "")) + "\n"})]
            case "thinking":
                return [("thought", {"text": str(block.get("thinking", "")) + "\n"})]
            case "tool_use" | "toolCall":
                name, given = str(block.get("name", "")), block.get("input", block.get("arguments"))
                return [self._named(str(block.get("id", "")), name, "in_progress", brief(given), given)]
            case "tool_result":
                status = "failed" if block.get("is_error") else "completed"
                return [self._named(str(block.get("tool_use_id", "")), "", status, brief(block.get("content")))]
            case _:
                return []

    def _item(self, event_type: str, item: Event) -> list[Shown]:
        text = str(item.get("text", "")) + "\n"
        match item.get("type"):
            case "agent_message":
                return [("text", {"text": text})]
            case "reasoning":
                return [("thought", {"text": text})]
            case "command_execution" | "mcp_tool_call" | "file_change" as kind:
                name = str(item.get("command") or item.get("tool") or kind)
                status = "in_progress" if event_type != "item.completed" else "completed"
                failed = item.get("status") == "failed" or item.get("exit_code") not in (0, None)
                shown = brief(item.get("aggregated_output") or item.get("changes") or "")
                return [self._named(str(item.get("id", "")), name, "failed" if failed else status, shown)]
            case _:
                return []

    def _tool(self, event: Event, part: Event) -> Shown:
        state = part.get("state")
        state = state if isinstance(state, dict) else event
        ended = str(event.get("type")).endswith(("result", "end"))
        status = TOOL_STATES.get(str(state.get("status")), str(state.get("status") or ""))
        if not status:
            status = "in_progress" if not ended else "failed" if event.get("isError") else "completed"
        key = _first(part, event, "callID", "tool_id", "toolCallId")
        shown = next((state[k] for k in ("output", "input", "parameters", "args", "result") if state.get(k)), "")
        given = next((state[k] for k in ("input", "parameters", "args") if state.get(k)), None)
        return self._named(key, _first(part, event, "tool", "tool_name", "toolName"), status, brief(shown), given)

    def _named(self, key: str, name: str, status: str, text: str, given: Any = None) -> Shown:
        """A tool entry; its result carries only the id of the call, so names are remembered until then."""
        if name and status in ("pending", "in_progress"):
            self._tools[key] = name
        name = name or self._tools.get(key, key)
        self._signs.tool(key, name, status, given)
        if status in ("completed", "failed"):
            self._tools.pop(key, None)
        return "tool", {"tool": name, "status": status, "id": key, "text": text}


def verdict_of(event: Event) -> str | None:
    """None when the line says nothing about the turn's end, "" when it says well, else why it failed.

    Known: claude, qwen and gemini `result`; codex `turn.*` and `error`; opencode `step_finish`, where a last reason
    other than `stop` is a rejected permission or a cut stream; pi `turn_end`, `auto_retry_end`, `agent_settled`.
    """
    match event.get("type"):
        case "result":
            bad = event.get("is_error") or event.get("status") == "error" or _starts(event.get("subtype"), "error")
            return _why(event) if bad else ""
        case "turn.completed":
            return ""
        case "turn.failed" | "error":
            return _why(event)
        case "step_finish":
            reason = event["part"].get("reason") if isinstance(event.get("part"), dict) else None
            return "" if reason == "stop" else f"the last step ended with reason {reason!r}"
        case "turn_end":
            message = event.get("message")
            stop = message.get("stopReason") if isinstance(message, dict) else event.get("stopReason")
            return _why(event) if stop in ("error", "aborted") else ""
        case "auto_retry_end":
            return None if event.get("success", True) else _why(event)
        case "agent_settled":
            return "the turn was aborted" if event.get("aborted") else None
        case _:
            return None


def _why(event: Event) -> str:
    for key in ("finalError", "errorMessage", "error", "message", "result", "errors"):
        value = event.get(key)
        if isinstance(value, dict):
            value = value.get("errorMessage") or value.get("message") or value
        if value:
            return (value if isinstance(value, str) else brief(value))[:2000]
    return brief(event)[:2000]


def _starts(value: Any, prefix: str) -> bool:
    return isinstance(value, str) and value.startswith(prefix)


def _first(part: Event, event: Event, *keys: str) -> str:
    return next((str(holder[key]) for holder in (part, event) for key in keys if holder.get(key)), "")


def _json_object(line: str) -> Event | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
