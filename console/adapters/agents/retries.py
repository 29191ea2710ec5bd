"""Reads the notices of agents that wait and try again by themselves. Pure; they are never progress.

Known: claude `system/api_retry`, qwen `system/retry`, pi `auto_retry_start`, codex `Reconnecting... 1/5`; of plain text
aider's, mini's and gemini's, and whatever a preset marks.
"""

from __future__ import annotations

import re
from typing import Any

from console.adapters.agents import resets
from console.adapters.agents.payloads import brief, clean

Notice = dict[str, Any]
"""text: why; attempt, of: numbers, 0 for unknown; until: Unix seconds of the next attempt, 0 for unknown."""

WHYS = ("errorMessage", "error", "message", "reason")
STATUSES = ("error_status", "errorStatus", "statusCode", "status")
LIMITS = ("max_retries", "maxAttempts", "max_attempts", "maxRetries")
DELAYS = ("retry_delay_ms", "delayMs", "delay_ms", "retryDelayMs")
MOST, LONGEST, TEXT = 10_000, 24 * 3600.0, 500

_COUNT = re.compile(r"\b(\d{1,4})\s?(?:/|of)\s?(\d{1,4})\b")
_ATTEMPT = re.compile(r"\battempt #?(\d{1,4})\b", re.I)
_DELAY = re.compile(r"\bin ((?:\d+(?:\.\d+)?)\s?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?))(?![a-z])", re.I)
_PLAIN = re.compile(r"^\s*Retrying (?:\S+ )?in \d|^\s*Attempt \d+ failed\b.*\bretry", re.I)
_CODEX = re.compile(r"^Reconnecting\b")


def is_notice(event: dict[str, Any]) -> bool:
    """Whether a JSON line is a notice of a known agent."""
    match event.get("type"):
        case "auto_retry_start":
            return True
        case "system":
            return event.get("subtype") in ("api_retry", "retry")
        case "error":
            message = event.get("message")
            return isinstance(message, str) and _CODEX.match(message) is not None
        case _:
            return False


def of_event(event: dict[str, Any], now: float) -> Notice:
    """What the notice says."""
    data = event.get("data")
    holders = (event, data if isinstance(data, dict) else {})
    text = brief(_first(holders, WHYS) or "", TEXT)
    status = _first(holders, STATUSES)
    stated = of_text(text, now)
    delay = _seconds(_first(holders, DELAYS))
    return {
        "text": f"{text} (status {status})" if isinstance(status, int) and str(status) not in text else text,
        "attempt": _count(_first(holders, ("attempt",))) or stated["attempt"],
        "of": _count(_first(holders, LIMITS)) or stated["of"],
        "until": now + delay if delay else stated["until"],
    }


def of_text(text: str, now: float) -> Notice:
    """What a line or message says: "2/5", "attempt 2", "in 4.0 seconds"."""
    text = text[:TEXT]
    count, attempt, delay = _COUNT.search(text), _ATTEMPT.search(text), _DELAY.search(text)
    number = int(count[1]) if count else int(attempt[1]) if attempt else 0
    until = resets.within(delay[1], now) if delay else 0.0
    return {"text": clean(text.strip()), "attempt": number, "of": int(count[2]) if count else 0, "until": until}


def is_plain(line: str) -> bool:
    """Whether a line of text is a notice of a known agent."""
    return _PLAIN.match(line[:TEXT]) is not None


def _first(holders: tuple[dict[str, Any], ...], keys: tuple[str, ...]) -> Any:
    return next((holder[key] for holder in holders for key in keys if holder.get(key)), None)


def _count(value: Any) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST
    return value if good else 0


def _seconds(value: Any) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < LONGEST * 1000
    return float(value) / 1000 if good else 0.0
