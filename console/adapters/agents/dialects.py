"""What one JSON line of a headless CLI shows: words, thoughts, tools, plans. Pure and without memory.

Known: claude and qwen `stream-json`, gemini `stream-json`, codex `exec --json`, opencode `run --format json`, pi
`--mode json`. A tool is ("tool", {tool, status, id, text, given}); what is missing stays empty, `given` is raw.
"""

from __future__ import annotations

from typing import Any

from console.adapters.agents.payloads import binary, brief, clean

Shown = tuple[str, dict[str, Any]]
Event = dict[str, Any]

MESSAGES = frozenset({"assistant", "user", "message", "message_end"})
TOOLS = frozenset({"tool_use", "tool_result", "tool_execution_start", "tool_execution_update", "tool_execution_end"})
TOOL_STATES = {"success": "completed", "error": "failed", "running": "in_progress", "in_progress": "in_progress"}

HIDDEN = frozenset(
    {"message_start", "message_update", "turn_start", "agent_start", "agent_end", "step_start", "turn.started"}
    | {"stream_event", "message_end", "turn_end", "step_finish"}
)
"""Lines that are not recorded when they show nothing: they frame others, or repeat all that was said."""
QUIET_SYSTEM = frozenset({"init", "status", "session_state_changed", "api_retry", "retry"})

BARE = HIDDEN | frozenset(
    {"init", "session", "thread.started", "turn.completed", "turn.failed", "error", "result", "user"}
    | {"agent_settled", "auto_retry_start", "auto_retry_end", "tool_progress"}
    | {"rate_limit_event", "keep_alive", "ping", "heartbeat"}
)
"""Lines that carry ids, times, counters, ends and retries: without words or tools in them they are no progress."""

ASKED = 1000
"""Characters of a tool's input that are shown with its result."""

BEGINS = frozenset({"step_start", "turn_start"})
ENDS = frozenset({"step_finish", "turn_end", "assistant"})


def entries(event: Event) -> list[Shown]:
    """What to record of a line; [] when it shows nothing that is known."""
    kind, part, item = event.get("type"), event.get("part"), event.get("item")
    if not isinstance(kind, str):
        return []
    if kind in MESSAGES:
        return _message(event)
    if isinstance(item, dict):
        return _item(kind, item)
    if kind in ("text", "reasoning") and isinstance(part, dict):
        return _said("text" if kind == "text" else "thought", part.get("text"))
    if kind in TOOLS:
        return [_tool(event, part if isinstance(part, dict) else {})]
    return []


def is_bare(event: Event) -> bool:
    """Whether the kind of a line, when it shows nothing, is no progress."""
    kind, subtype = event.get("type"), event.get("subtype")
    if kind == "system" and isinstance(subtype, str):
        return subtype in QUIET_SYSTEM
    return isinstance(kind, str) and kind in BARE


def delta(event: Event) -> Shown | None:
    """A piece of what a message at its end says once more: ("text" or "thought", {"text": ...}), or ("given", ...) of a
    tool's input; None when it is none."""
    inner = event.get("assistantMessageEvent") if event.get("type") == "message_update" else event.get("event")
    if not isinstance(inner, dict) or event.get("type") not in ("message_update", "stream_event"):
        return None
    piece = inner.get("delta")
    kind = str(piece.get("type") if isinstance(piece, dict) else inner.get("type"))
    keys = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}
    text = piece.get(keys.get(kind, "")) if isinstance(piece, dict) else piece
    kinds = {"text_delta": "text", "thinking_delta": "thought", "input_json_delta": "given", "toolcall_delta": "given"}
    return (kinds[kind], {"text": text}) if kind in kinds and isinstance(text, str) and text else None


def plan(given: Any) -> str:
    """The plan in the input of a tool (claude TodoWrite and its like): a "status: step" a line; "" for none."""
    steps = given.get("todos") if isinstance(given, dict) else None
    return _steps(steps) if isinstance(steps, list) else ""


def thinks(event: Event) -> bool:
    """Whether the end of a round counts tokens of thoughts that are not shown (opencode)."""
    part = event.get("part")
    tokens = part.get("tokens") if isinstance(part, dict) else None
    count = tokens.get("reasoning") if isinstance(tokens, dict) else None
    return isinstance(count, int) and count > 0


def _steps(steps: list[Any]) -> str:
    lines = []
    for step in (step for step in steps[:100] if isinstance(step, dict)):
        text = next((step[key] for key in ("content", "text", "step", "description") if step.get(key)), "")
        done = "completed" if step.get("completed") is True else "pending"
        lines.append(f"{brief(step.get('status') or done, 40)}: {brief(text, 300)}")
    return "\n".join(lines)


def _said(kind: str, text: Any, end: str = "\n") -> list[Shown]:
    return [(kind, {"text": clean(text) + end})] if isinstance(text, str) and text else []


def _message(event: Event) -> list[Shown]:
    message = event.get("message", event)
    content = message.get("content") if isinstance(message, dict) else None
    role = message.get("role", event.get("type")) if isinstance(message, dict) else ""
    if role in ("system", "toolResult"):
        return []
    kind = "user" if role == "user" else "text"
    if isinstance(content, str):
        return _said(kind, content, "" if event.get("delta") else "\n")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return [shown for block in blocks for shown in _block(block, kind)]


def _block(block: Event, kind: str) -> list[Shown]:
    match block.get("type"):
        case "text":
            return _said(kind, block.get("text"))
        case "thinking":
            return _said("thought", block.get("thinking"))
        case "tool_use" | "toolCall":
            given = block.get("input", block.get("arguments"))
            return [_call(block.get("id"), block.get("name"), "in_progress", brief(given), given)]
        case "tool_result":
            status = "failed" if block.get("is_error") else "completed"
            return [_call(block.get("tool_use_id"), "", status, brief(block.get("content", "")))]
        case _:
            return _said(kind, binary(block))


def _item(event_type: str, item: Event) -> list[Shown]:
    match item.get("type"):
        case "agent_message":
            return _said("text", item.get("text"))
        case "reasoning":
            return _said("thought", item.get("text"))
        case "todo_list":
            steps = item.get("items")
            return [("plan", {"text": _steps(steps if isinstance(steps, list) else [])})]
        case "command_execution" | "mcp_tool_call" | "file_change" | "web_search" as kind:
            name = item.get("command") or item.get("tool") or item.get("query") or kind
            status = "in_progress" if event_type != "item.completed" else "completed"
            failed = item.get("status") == "failed" or item.get("exit_code") not in (0, None)
            shown = next((item[k] for k in ("aggregated_output", "changes", "result", "error") if item.get(k)), "")
            return [_call(item.get("id"), name, "failed" if failed else status, brief(shown), item.get("arguments"))]
        case _:
            return []


def _tool(event: Event, part: Event) -> Shown:
    state = part.get("state")
    state = state if isinstance(state, dict) else event
    ended = str(event.get("type")).endswith(("result", "end"))
    status = TOOL_STATES.get(str(state.get("status")), str(state.get("status") or "")[:40])
    if not status:
        status = "in_progress" if not ended else "failed" if event.get("isError") else "completed"
    key = _first(part, event, "callID", "tool_id", "toolCallId")
    texts = ("output", "error", "partialResult", "result", "input", "parameters", "args")
    shown = next((state[k] for k in texts if state.get(k)), "")
    given = next((state[k] for k in ("input", "parameters", "args") if state.get(k)), None)
    text = brief(shown)
    if state is not event and given and shown is not given:  # opencode tells of a call only when it is over
        text = f"{brief(given, ASKED)}\n{text}"
    return _call(key, _first(part, event, "tool", "tool_name", "toolName"), status, text, given)


def _call(key: Any, name: Any, status: str, text: str, given: Any = None) -> Shown:
    fields = {"tool": str(name or "")[:500], "status": status, "id": str(key or "")[:200], "text": text, "given": given}
    return "tool", fields


def _first(part: Event, event: Event, *keys: str) -> str:
    return next((str(holder[key]) for holder in (part, event) for key in keys if holder.get(key)), "")
