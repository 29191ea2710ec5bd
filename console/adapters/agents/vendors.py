"""What ACP agents hide in `_meta`: codex-acp its errors and retries, gemini its tokens. Pure, and tolerant of anything.

Source: what the agents were seen to send; none of it is part of the protocol.
"""

from __future__ import annotations

import re
from typing import Any

from console.adapters.agents import costs
from console.core.records import Usage

RETRY = re.compile(r"^Reconnecting\b")
_MODE = re.compile(r"\[MODE_UPDATE\] ([\w-]{1,60})\s*")


def _codex(meta: Any) -> dict[str, Any]:
    codex = meta.get("codex") if isinstance(meta, dict) else None
    return codex if isinstance(codex, dict) else {}


def codex_error(meta: Any) -> Any:
    """The error that codex-acp hides in `_meta.codex`, as it is; None when there is none."""
    return _codex(meta).get("error")


def codex_status(meta: Any) -> tuple[str, str]:
    """The thread status and error text that codex-acp hides in `_meta.codex`: it ends failed turns with `end_turn`."""
    status, error = _codex(meta).get("threadStatus"), _codex(meta).get("error")
    kind = status.get("type") if isinstance(status, dict) else status
    message = error.get("message") if isinstance(error, dict) else error
    return str(kind or ""), str(message or "")


def retry(meta: Any) -> dict[str, Any] | None:
    """codex-acp tries again: {"type": "error", "message", ...}, as codex's own lines say it; None when it does not."""
    error = codex_error(meta)
    message = error.get("message") if isinstance(error, dict) else error
    if not isinstance(message, str) or not RETRY.match(message):
        return None
    status = error.get("httpStatusCode") if isinstance(error, dict) else None
    return {"type": "error", "message": message[:1000], "status": status}


def told_mode(content: Any) -> str:
    """gemini tells the mode it is in as a message of the model: `[MODE_UPDATE] autoEdit`; "" when it does not."""
    text = content.get("text") if isinstance(content, dict) else None
    found = _MODE.fullmatch(text) if isinstance(text, str) else None
    return found[1] if found else ""


def tokens(meta: Any) -> Usage | None:
    """The tokens of a turn in `_meta.quota.token_count` of its answer."""
    quota = meta.get("quota") if isinstance(meta, dict) else None
    return costs.usage(quota.get("token_count"), None) if isinstance(quota, dict) else None


def round_tokens(update: dict[str, Any]) -> Usage | None:
    """The tokens of one round with the model, which qwen hangs on an empty message."""
    meta = update.get("_meta")
    return costs.usage(meta.get("usage"), None) if isinstance(meta, dict) else None
