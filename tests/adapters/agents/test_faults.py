"""Limits, overload and logins told apart, on what real agents were seen to send; and what must never pass for one."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from console.adapters.agents import faults
from console.adapters.agents.lines import Lines

NOW = 1796032800.0


def error(code: int | None, message: str, data: Any = None) -> tuple[str, float]:
    found = faults.of_error(code, message, data, NOW)
    return found.kind, found.until - NOW if found.until else 0.0


ERRORS: list[tuple[int | None, str, Any, tuple[str, float]]] = [
    (-32603, "Internal error", {"errorKind": "overloaded"}, ("overload", 0)),
    (-32603, "Internal error", {"errorKind": "rate_limit"}, ("overload", 0)),
    (-32603, "Internal error", {"errorKind": "rate_limit", "resetsAt": NOW + 2}, ("limit", 2)),
    (-32603, "Internal error: You've hit your limit · resets 3:45pm (UTC)", None, ("limit", 20700)),
    (-32603, "Claude AI usage limit reached|1796036400", None, ("limit", 3600)),
    (-32603, "Internal error", {"errorKind": "authentication_failed"}, ("auth", 0)),
    (-32603, "Internal error", {"errorKind": "server_error"}, ("overload", 0)),
    (-32000, "Authentication required", None, ("auth", 0)),
    (401, "Unauthorized", None, ("auth", 0)),
    (429, "Too many requests", None, ("overload", 0)),
    (429, "Too many requests", {"headers": {"Retry-After": "7"}}, ("limit", 7)),
    (429, "You exceeded your current quota, please check your plan", None, ("limit", 0)),
    (429, "RESOURCE_EXHAUSTED", [{"@type": "RetryInfo", "retryDelay": "17s"}], ("limit", 17)),
    (500, "Internal error", None, ("overload", 0)),
    (529, "Overloaded", {"retry_after": 3}, ("overload", 3)),
    (-32603, "Internal error", {"details": "401 bad-key"}, ("auth", 0)),
    (-32603, "Internal error", {"details": '429 {"type":"usage_limit_reached","resets_in_seconds":90}'}, ("limit", 90)),
    (
        -32603,
        "Internal error",
        {"errorName": "APIError", "data": {"statusCode": 529, "isRetryable": True}},
        ("overload", 0),
    ),
    (
        -32603,
        "Internal error",
        {"errorName": "APIError", "data": {"statusCode": 401, "message": "bad-key"}},
        ("auth", 0),
    ),
    (None, "exceeded retry limit", {"message": "unexpected status 429", "httpStatusCode": 429}, ("overload", 0)),
    (None, "You've hit your usage limit. Try again in 5 days 3 hours 20 minutes.", None, ("limit", 444000)),
    (402, "Payment required", None, ("limit", 0)),
    (-32603, "Internal error", {"details": "terminated"}, ("overload", 0)),
    (-32603, "Internal error", {"details": "the task was terminated"}, ("", 0)),
    (
        -32603,
        "Internal error: Cannot connect to API: The socket connection was closed unexpectedly. For more information",
        {"service": "session", "errorName": "APIError"},
        ("overload", 0),
    ),
    (-32603, "Your credit balance is too low to access the API", None, ("limit", 0)),
]


@pytest.mark.parametrize(("code", "message", "data", "expected"), ERRORS)
def test_errors_of_the_protocol(code: int | None, message: str, data: Any, expected: tuple[str, float]) -> None:
    assert error(code, message, data) == pytest.approx(expected) if expected[1] else (expected[0], 0.0)
    assert error(code, message, data)[0] == expected[0]


@pytest.mark.parametrize(
    ("code", "message", "data"),
    [
        (-32603, "Internal error", {"errorKind": "timeout"}),
        (-32603, "The request timed out after 18000 seconds", None),
        (124, "timeout", None),
        (408, "Request Timeout", None),
        (-32603, "context window limit reached", None),
        (-32603, "maximum number of turns reached", None),
        (-32602, "Invalid params", {"limit": 5}),
        (400, "prompt is too long", None),
        (404, "model not found", None),
        (-32603, "Internal error", {"usage": "usage limit", "content": [{"text": "usage limit reached|1796036400"}]}),
        (-32603, "", None),
    ],
)
def test_a_time_out_and_other_errors_are_no_limit(code: int | None, message: str, data: Any) -> None:
    assert error(code, message, data) == ("", 0.0)


@pytest.mark.parametrize("data", [[[[]]] * 50, {"a": {"b": {}}}, "x" * 10**6, 5, {"code": True}, {1: {None: "é"}}])
def test_strange_data_is_survived(data: Any) -> None:
    assert error(-32603, "Internal error", data) == ("", 0.0)


def test_deep_and_wide_data_costs_little() -> None:
    deep: Any = "usage limit"
    for _ in range(500):
        deep = {"error": [deep] * 2}
    begun = time.monotonic()
    assert error(-32603, "Internal error", deep) == ("", 0.0)
    assert error(-32603, "retry" + " " * 7000 + "resets " * 1000, ["reset" * 1500] * 299)[0] == ""
    assert time.monotonic() - begun < 5


# -- lines of headless agents ----------------------------------------------------------------------------

API_RETRY = {"type": "system", "subtype": "api_retry", "attempt": 3, "retry_delay_ms": 2260, "error_status": 529}
RESULT = {"type": "result", "subtype": "success", "is_error": True, "terminal_reason": "api_error"}
REJECTED = {"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": NOW + 3600}}
ALLOWED = {"type": "rate_limit_event", "rate_limit_info": {"status": "allowed_warning", "resetsAt": NOW + 3600}}
CODEX_GONE = "exceeded retry limit, last status: unexpected status 529 Too busy"

LINES: list[tuple[list[dict[str, Any]], tuple[str, float]]] = [
    ([RESULT | {"api_error_status": 529, "result": "API Error: 529 Overloaded"}], ("overload", 0)),
    ([RESULT | {"api_error_status": 429, "result": "API Error: Rate limit reached"}], ("overload", 0)),
    ([RESULT | {"api_error_status": 401, "result": "Invalid API key · Please run /login"}], ("auth", 0)),
    ([RESULT | {"result": "Claude AI usage limit reached|1796036400"}], ("limit", 3600)),
    ([REJECTED, RESULT | {"api_error_status": 429}], ("limit", 3600)),
    ([ALLOWED, RESULT | {"api_error_status": 429}], ("overload", 0)),
    ([REJECTED, RESULT | {"api_error_status": 401}], ("auth", 0)),
    ([API_RETRY | {"error": "overloaded"}, RESULT], ("overload", 0)),
    ([API_RETRY | {"error_status": 401, "error": "authentication_failed"}, RESULT], ("auth", 0)),
    ([{"type": "error", "message": CODEX_GONE}, {"type": "turn.failed", "error": {"message": "x"}}], ("overload", 0)),
    (
        [{"type": "turn.failed", "error": {"message": "You've hit your usage limit. Try again in 2 hours."}}],
        ("limit", 7200),
    ),
    ([{"type": "error", "error": {"name": "APIError", "data": {"statusCode": 429}}}], ("overload", 0)),
    (
        [
            {
                "type": "error",
                "error": {"name": "APIError", "data": {"statusCode": 429, "responseHeaders": {"retry-after": "9"}}},
            }
        ],
        ("limit", 9),
    ),
    ([{"type": "error", "error": {"name": "APIError", "data": {"statusCode": 401}}}], ("auth", 0)),
    ([{"type": "auto_retry_end", "success": False, "finalError": "503 Service Unavailable"}], ("overload", 0)),
    (
        [{"type": "result", "status": "error", "error": {"type": "Error", "message": "[API Error: 503 busy]"}}],
        ("overload", 0),
    ),
    (
        [
            {
                "type": "result",
                "subtype": "error_during_execution",
                "is_error": True,
                "error": {"message": "[API Error: 401 bad-key]"},
            }
        ],
        ("auth", 0),
    ),
]
NO_FAULT: list[list[dict[str, Any]]] = [
    [{"type": "result", "is_error": False, "result": "usage limit reached|1796036400"}],
    [{"type": "assistant", "message": {"content": "You've hit your usage limit"}}],
    [{"type": "result", "is_error": True, "terminal_reason": "max_turns", "result": "usage limit reached|1796036400"}],
    [{"type": "result", "is_error": True, "permission_denials": [{"tool_input": {"command": "echo usage limit"}}]}],
    [API_RETRY | {"error": "overloaded"}, {"type": "result", "is_error": False}],
    [{"type": "error", "message": CODEX_GONE}, {"type": "turn.completed"}],
    [{"type": "turn_end", "message": {"stopReason": "aborted", "content": [{"text": "usage limit reached"}]}}],
    [{"type": "result", "is_error": True, "result": "Request timed out"}],
]


def read(events: list[dict[str, Any]]) -> Lines:
    lines = Lines("session_id", now=lambda: NOW)
    for event in events:
        lines.read(json.dumps(event))
    return lines


@pytest.mark.parametrize(("events", "expected"), LINES)
def test_lines_of_headless_agents(events: list[dict[str, Any]], expected: tuple[str, float]) -> None:
    lines = read(events)
    assert lines.failure
    assert (lines.fault.kind, lines.fault.until) == (expected[0], NOW + expected[1] if expected[1] else 0.0)


@pytest.mark.parametrize("events", NO_FAULT)
def test_what_the_model_says_is_no_fault(events: list[dict[str, Any]]) -> None:
    assert not read(events).fault


@pytest.mark.parametrize(
    ("program", "code", "kind"),
    [
        ("gemini", 41, "auth"),
        ("/opt/bin/gemini", 145, "auth"),
        ("gemini", 173, "overload"),
        ("gemini", 247, "overload"),
        ("gemini", 1, ""),
        ("gemini", 124, ""),
        ("codex", 173, ""),
        ("gemini", None, ""),
    ],
)
def test_only_the_exit_statuses_of_gemini_tell_anything(program: str, code: int | None, kind: str) -> None:
    assert faults.of_exit(program, code, NOW).kind == kind


UNSET = [
    "Missing environment variable: `SCRIPTED_KEY`.",
    "Please set the OPENAI_API_KEY environment variable",
    "OPENAI_API_KEY is not set",
    "environment variable FOO is not set",
    "GEMINI_API_KEY environment variable not found. Add that to your environment",
    "Missing API key for OpenAI-compatible auth. Set auth.apiKey, or set the 'OPENAI_API_KEY' environment variable.",
    "The api_key client option must be set by passing api_key or by setting the OPENAI_API_KEY environment variable",
    "Please set an Auth method in your settings.json or specify one of these environment variables: GEMINI_API_KEY",
    "No API key found for anthropic",
    "API key not found",
]


@pytest.mark.parametrize("said", UNSET)
def test_a_login_that_was_never_given_is_nobody_s_bug_and_has_a_cure(said: str) -> None:
    lines = Lines("", now=lambda: NOW)
    lines.read(json.dumps({"type": "turn.failed", "error": {"message": said}}))
    assert lines.fault.kind == "auth" == faults.of_words(said).kind
    assert faults.hinted(said, lines.fault).endswith("`pass_env` of its preset names it")


@pytest.mark.parametrize("said", ["max_tokens is required", "the token is missing a brace", "Missing parameter: input"])
def test_what_else_is_missing_is_no_login(said: str) -> None:
    assert error(-32603, said) == ("", 0.0) and not faults.of_words(said)
    assert faults.hinted("401 Unauthorized", faults.Fault(kind="auth")) == "401 Unauthorized"


@pytest.mark.parametrize("extra", [{"isUsingOverage": True}, {"overageStatus": "allowed"}])
def test_a_limit_that_is_paid_over_is_none(extra: dict[str, Any]) -> None:
    info = {"status": "rejected", "resetsAt": NOW + 3600, **extra}
    assert not faults.of_rejection({"rate_limit_info": info}, NOW)
    assert faults.of_rejection({"rate_limit_info": {**info, "isUsingOverage": False, "overageStatus": "rejected"}}, NOW)


@pytest.mark.parametrize(("subtype", "kind"), [("error_max_turns", ""), ("success", "limit")])
def test_a_reason_of_claude_s_own_is_no_limit(subtype: str, kind: str) -> None:
    lines = Lines("", now=lambda: NOW)
    lines.read(json.dumps(REJECTED))
    lines.read(json.dumps({"type": "result", "subtype": subtype, "is_error": True, "errors": ["no more"]}))
    assert lines.fault.kind == kind
