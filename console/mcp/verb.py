"""One tool: its arguments checked as a whole, its failures told in one sentence, nothing of a traceback let out."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from functools import partial
from inspect import getdoc
from typing import Any, cast

import anyio
import anyio.from_thread
import anyio.to_thread
import msgspec
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent
from pydantic import ValidationError

from console.adapters.git.binary import GitFailed
from console.adapters.lock import LockUnusable
from console.adapters.store import LogError
from console.mcp.leaving import check
from console.mcp.lines import UNREADABLE
from console.verbs.failing import Fail, people_only

WAITS = 64
"""Calls that wait, at once, of one server."""
ITEMS = 1000
"""Of a list or object in an argument; schemas say less where less makes sense."""
SURROGATE = re.compile("[\ud800-\udfff]")
waiting: set[anyio.CapacityLimiter] = set()
BUG = "this is a fault of nightdesk itself; what is in the log stays as it is (its server's stderr has more)"


class Verb(Tool):
    """people: what a session or gate of ours is told that it may not do, "" for a tool that it may use. waits: it may
    take as long as its caller says, so each call has a thread of its own, at most `WAITS` at once: short ones never
    stand behind them."""

    people: str = ""
    waits: bool = False

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        try:
            given = self.checked(arguments)
            if self.people:
                people_only(self.people)
            direct = {self.context_kwarg: context} if self.context_kwarg else {}
            result = await self._called(partial(self.fn, **given, **direct))
        except Fail as error:
            raise ToolError(error.reason) from error
        except (LogError, GitFailed, LockUnusable, OSError) as error:
            raise ToolError(str(error)) from error
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            raise ToolError(BUG) from error
        return self._answer(result) if convert_result else result

    async def _called(self, call: Callable[[], Any]) -> Any:
        if not self.waits:
            return await anyio.to_thread.run_sync(call)
        if len(waiting) >= WAITS:
            raise Fail(f"{WAITS} calls wait already: let one of them end, or wait for several things with one call")
        own = anyio.CapacityLimiter(1)
        waiting.add(own)
        try:
            return await anyio.to_thread.run_sync(call, limiter=own)
        finally:
            waiting.discard(own)

    def _answer(self, result: Any) -> CallToolResult:
        """Structured, and the same as text for clients that know no other: on one line, which costs a model less."""
        made = self.fn_metadata.convert_result(result)
        assert isinstance(made, CallToolResult)
        text = msgspec.json.encode(made.structured_content).decode()
        return made.model_copy(update={"content": [TextContent(type="text", text=text)]})

    def checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments as the function takes them, or every problem at once."""
        known = self.parameters.get("properties", {})
        if list(arguments) == [UNREADABLE]:
            raise Fail(str(arguments[UNREADABLE]))
        if unfit := _unfit(arguments):
            raise Fail(f"{self.name}: {unfit}")
        found = [f"{name}: there is no such argument" for name in arguments if name not in known]
        try:
            given = self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            found += [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
            given = {}
        if found:
            takes = ", ".join(known) or "nothing"
            raise Fail(f"{self.name}: {'; '.join(sorted(found))[:2000]} (it takes: {takes})")
        return given


def _unfit(value: Any, where: str = "") -> str:
    """What no tool takes, wherever it stands; "" for nothing."""
    if isinstance(value, str):
        if "\0" in value:
            return f"{where}: a text with a NUL character, which nothing of the system takes"
        return f"{where}: half of a surrogate pair is no character" if SURROGATE.search(value) else ""
    if not isinstance(value, dict | list):
        return ""
    if len(value) > ITEMS:
        return f"{where or 'arguments'}: {len(value)} items; {ITEMS} are the most"
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    below = (_unfit(key, where) or _unfit(one, f"{where}.{key}".lstrip(".")) for key, one in inside)
    return next((one for one in below if one), "")


def verb(function: Callable[..., Any], people: str = "") -> Verb:
    """A tool of this function's name; its docstring is what a program reads, with an example."""
    made = cast(Verb, Verb.from_function(function, description=getdoc(function)))
    made.people = people
    made.waits = bool({"timeoutMs", "waitMs"} & set(made.parameters["properties"]))
    made.parameters["additionalProperties"] = False
    return made


class Patience:
    """Inside a call that waits: whether its client still wants the answer, and signs of life for one that asked."""

    EVERY = 5.0

    def __init__(self, context: Context[Any, Any], total: float, now: Callable[[], float]) -> None:
        self._context, self._total, self._now = context, total, now
        self._since = self._told = now()

    def over(self) -> bool:
        """To be asked now and then, in the thread of the call. Raises when the call was cancelled."""
        check()
        now = self._now()
        if now - self._told >= self.EVERY:
            self._told = now
            anyio.from_thread.run(self._context.report_progress, now - self._since, self._total, "waiting")
        return False
