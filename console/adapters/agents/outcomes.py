"""What the answer to `session/prompt` means: the end of a turn, good or bad, what it cost and whose trouble it was."""

from __future__ import annotations

import time

import acp
from acp import schema
from msgspec.structs import replace
from pydantic import ValidationError

from console.adapters.agents import costs, faults, vendors
from console.adapters.agents.jsonrpc import error_text, first_problem
from console.adapters.agents.updates import Updates
from console.adapters.agents.wire import LOST
from console.core.records import Usage
from console.engine.ports import TurnResult


def of_reply(reply: schema.PromptResponse, updates: Updates) -> TurnResult:
    """Only `end_turn` is a good end, and codex-acp's not when it told of a system error."""
    status, message = vendors.codex_status(reply.field_meta)
    trouble = (message or "system error") if status == "systemError" else updates.trouble
    usage = costs.usage(reply.usage.model_dump(by_alias=True) if reply.usage else None, None)
    usage = usage or vendors.tokens(reply.field_meta) or updates.tokens
    if reply.stop_reason != "end_turn" or not trouble:
        return TurnResult(ok=reply.stop_reason == "end_turn", stop=reply.stop_reason, usage=usage)
    error = vendors.codex_error(reply.field_meta) or updates.error
    fault = faults.of_error(None, trouble, error, time.time())
    detail = faults.hinted(trouble, fault)
    return TurnResult(ok=False, stop="system-error", detail=detail, fault=fault.kind, until=fault.until, usage=usage)


def of_error(error: acp.RequestError) -> TurnResult:
    """An error answer; `protocol` when the answer itself could not be read."""
    if error.code == LOST:
        return TurnResult(ok=False, stop="protocol", detail=str(error))
    fault = faults.of_error(error.code, str(error), error.data, time.time())
    detail = faults.hinted(error_text(error), fault)
    return TurnResult(ok=False, stop="error", detail=detail, code=error.code, fault=fault.kind, until=fault.until)


def of_misfit(error: ValidationError) -> TurnResult:
    """An answer that does not fit the protocol."""
    return TurnResult(ok=False, stop="protocol", detail=f"the turn's answer: {first_problem(error)}")


def accounted(result: TurnResult, cost: float | None, *, ours: bool) -> TurnResult:
    """With what the turn cost. ours: we ended it, so it is nobody's limit, whatever its agent says on the way out, and
    no good end (opencode says `end_turn` when it is cancelled while it waits to try again)."""
    if ours and result.ok:
        result = replace(result, ok=False, stop="cancelled")
    if cost is not None:
        result = replace(result, usage=replace(result.usage or Usage(), cost_usd=cost))
    return replace(result, fault="", until=0.0) if ours else result


def spent(usage: Usage | None) -> dict[str, float]:
    """The fields of a `usage` entry of the transcript; empty when nothing is known."""
    said = {"input": usage.input_tokens, "output": usage.output_tokens, "usd": usage.cost_usd} if usage else {}
    return {key: value for key, value in said.items() if value is not None}
