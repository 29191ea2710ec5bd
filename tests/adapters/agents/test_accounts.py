"""Faults and costs through the real drivers: processes that fail as agents do, and those that we end ourselves."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

ERROR = "def turn(text): fail(-32603, 'Internal error', {data})"
SPENT = "note({'sessionUpdate': 'usage_update', 'used': 5, 'size': 9, 'cost': {'amount': %s, 'currency': %r}})"


async def test_a_usage_limit_comes_with_its_reset(bench: Any) -> None:
    reset = time.time() + 2
    agent = await bench.raw(ERROR.format(data={"errorKind": "rate_limit", "resetsAt": reset}))
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.fault, result.until) == (False, "error", "limit", reset)


async def test_overload_and_login_are_told_apart(bench: Any) -> None:
    agent = await bench.raw("def turn(text): fail(-32603, 'Internal error', {'errorKind': text})")
    assert (await agent.prompt(1, "overloaded")).fault == "overload"
    assert (await agent.prompt(2, "authentication_failed")).fault == "auth"
    assert (await agent.prompt(3, "unknown")).fault == ""


@pytest.mark.parametrize("where", ["reply", "update"])
async def test_codex_hides_its_limit_behind_end_turn(bench: Any, where: str) -> None:
    meta = {
        "codex": {"threadStatus": {"type": "systemError"}, "error": {"message": "usage limit", "httpStatusCode": 429}}
    }
    told = f"note({{'sessionUpdate': 'session_info_update', '_meta': {meta!r}}}); reply()"
    agent = await bench.raw(f"def turn(text): reply(_meta={meta!r})" if where == "reply" else f"def turn(text): {told}")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.fault) == (False, "system-error", "limit")


async def test_prose_about_a_limit_is_no_fault(bench: Any) -> None:
    agent = await bench.raw("def turn(text): say('Claude AI usage limit reached|1796036400'); reply('refusal')")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.fault, result.until) == (False, "", 0.0)


async def test_a_turn_that_we_cancel_is_no_limit_whatever_the_agent_says(bench: Any, eventually: Any) -> None:
    agent = await bench.raw("def turn(text): say('up\\n'); receive(); fail(429, 'usage limit', {'retry_after': 9})")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("text"))
    await agent.cancel()
    result = await turn
    assert (result.ok, result.fault, result.until) == (False, "", 0.0)


async def test_a_turn_costs_what_the_session_cost_more(bench: Any) -> None:
    usage = {"totalTokens": 12, "inputTokens": 5, "outputTokens": 3, "cachedReadTokens": 4}
    agent = await bench.raw(f"def turn(text): {SPENT % ('float(text)', 'USD')}; reply(usage={usage})")
    first, second = await agent.prompt(1, "0.25"), await agent.prompt(2, "0.75")
    assert first.usage and second.usage and (first.usage.cost_usd, second.usage.cost_usd) == (0.25, 0.5)
    assert (second.usage.input_tokens, second.usage.output_tokens) == (9, 3)


async def test_what_a_resumed_conversation_cost_before_is_not_this_turns(bench: Any) -> None:
    agent = await bench.raw(f"def turn(text): {SPENT % ('float(text)', 'USD')}; reply()", conversation="c-1")
    assert [(await agent.prompt(n, f"{5 + n}")).usage for n in (1,)] == [None]
    second = await agent.prompt(2, "7.5")
    assert second.usage and second.usage.cost_usd == 1.5


async def test_other_currencies_and_silence_are_no_dollars(bench: Any) -> None:
    agent = await bench.raw(f"def turn(text): {SPENT % ('3', 'EUR')}; reply()")
    assert (await agent.prompt(1, "go")).usage is None


LIMITED = """
import json, sys, time
print(json.dumps({"type": "result", "is_error": True, "result": f"usage limit reached|{int(time.time()) + 99}",
                  "total_cost_usd": 0.5}), flush=True)
"""


async def test_a_headless_limit_with_its_cost(bench: Any) -> None:
    agent = await bench.command(LIMITED + "sys.exit(1)")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code, result.fault) == (False, "error", 1, "limit")
    assert 90 < result.until - time.time() < 100 and result.usage.cost_usd == 0.5


async def test_a_headless_turn_that_we_end_is_no_limit(bench: Any, eventually: Any) -> None:
    agent = await bench.command(LIMITED + "time.sleep(600)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.entries("event"))
    await agent.cancel()
    result = await turn
    assert (result.stop, result.fault, result.until, result.usage.cost_usd) == ("cancelled", "", 0.0, 0.5)


@pytest.mark.parametrize("code", [124, 1])
async def test_plain_text_and_exit_statuses_are_no_limit(bench: Any, code: int) -> None:
    agent = await bench.command(f"import sys; print('usage limit reached|1796036400'); sys.exit({code})")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.code, result.fault) == (False, code, "")
