"""What one JSON line of a headless CLI says about its turn's end: nothing, that it ended well, or why not. Pure."""

from __future__ import annotations

from typing import Any

from console.adapters.agents.payloads import brief

LONGEST = 2000
WHYS = ("finalError", "errorMessage", "error", "message", "result", "errors")


def verdict_of(event: dict[str, Any]) -> str | None:
    """None when the line says nothing about the turn's end, "" when it says well, else why it failed.

    Known: claude, qwen and gemini `result`; codex `turn.*` and `error`; opencode `step_finish`, where a last reason
    other than `stop` is a rejected permission or a cut stream; pi `turn_end`, `auto_retry_end`, `agent_settled`.
    """
    match event.get("type"):
        case "result":
            bad = event.get("is_error") or event.get("status") == "error" or _starts(event.get("subtype"), "error")
            return why(event) if bad else ""
        case "turn.completed":
            return ""
        case "turn.failed" | "error":
            return why(event)
        case "step_finish":
            reason = event["part"].get("reason") if isinstance(event.get("part"), dict) else None
            return "" if reason == "stop" else f"the last step ended with reason {reason!r}"
        case "turn_end":
            message = event.get("message")
            stop = message.get("stopReason") if isinstance(message, dict) else event.get("stopReason")
            return why(event) if stop in ("error", "aborted") else ""
        case "auto_retry_end":
            return None if event.get("success", True) else why(event)
        case "agent_settled":
            return "the turn was aborted" if event.get("aborted") else None
        case _:
            return None


def why(event: dict[str, Any]) -> str:
    """The reason that an error line gives, in at most LONGEST characters; never empty."""
    for key in WHYS:
        value = event.get(key)
        if isinstance(value, dict):
            data = value.get("data")
            said = data.get("message") if isinstance(data, dict) else ""
            value = value.get("errorMessage") or value.get("message") or (said and f"{value.get('name')}: {said}")
            value = _with_status(value, data) or event.get(key)
        if value:
            return brief(value, LONGEST)
    return brief(event, LONGEST)


def _with_status(value: Any, data: Any) -> Any:
    """opencode keeps the HTTP status beside the message."""
    status = data.get("statusCode") if isinstance(data, dict) else None
    return f"{value} (status {status})" if value and isinstance(status, int) else value


def _starts(value: Any, prefix: str) -> bool:
    return isinstance(value, str) and value.startswith(prefix)
