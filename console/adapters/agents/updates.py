"""Reads the raw `session/update` notifications of an ACP agent into transcript entries.

Works on plain JSON, not on the library's models: an update kind newer than the schema is recorded, never an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from console.adapters.agents import blocks, costs, retries, vendors
from console.adapters.agents.blocks import plan_text
from console.adapters.agents.payloads import brief
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.vitals import OVER, Signs
from console.core.records import Usage

CHUNKS = {"agent_message_chunk": "text", "agent_thought_chunk": "thought", "user_message_chunk": "user"}
TOOL_KINDS = frozenset({"tool_call", "tool_call_update"})
UNTOLD = "the agent reported a system error"
TOOLS = 300
KEY = 200


class Tool(NamedTuple):
    """What is known of a tool call: updates name only what changes."""

    title: str = ""
    status: str = "pending"
    type: str = ""
    paths: str = ""
    text: str = ""

    def after(self, update: dict[str, Any], text: str | None = None) -> Tool:
        """text: what the update shows, where that is known already."""
        title, status, kind = (update.get(key) for key in ("title", "status", "kind"))
        return Tool(
            title[:500] if isinstance(title, str) and title else self.title,
            status[:KEY] if isinstance(status, str) and status else self.status,
            kind[:KEY] if isinstance(kind, str) and kind else self.type,
            blocks.paths_text(update) or self.paths,
            (blocks.tool_text(update) if text is None else text) or self.text,
        )


class Updates:
    """One session's updates.

    `trouble`: why the turn failed although its end may look well; "" when it did not. `error`: the last error that
    codex-acp told of in this turn. `tokens`: of the turn's rounds, as far as the agent tells them. `cost`: of the
    session so far, None for not said. `on_mode`: is told each mode that the agent says it is in.
    """

    def __init__(self, transcript: Transcript, signs: Signs | None = None) -> None:
        self._transcript = transcript
        self.signs = signs or Signs()
        self.on_mode: Callable[[str], None] = lambda _mode: None
        self._tools: dict[str, Tool] = {}
        self._usage: dict[str, Any] = {}
        self.muted = False
        self.trouble = ""
        self.error: Any = None
        self.tokens: Usage | None = None
        self.cost: float | None = None
        self._before: float | None = None

    def turn(self) -> None:
        """A new turn begins: what an earlier one left behind counts no longer."""
        self.trouble, self.error, self.tokens = "", None, None
        self._before = self.cost
        self._tools.clear()
        self.signs.turn()

    def begin(self, cost: float | None) -> None:
        """The conversation is open. cost: what it has cost before, None for unknown; its replay may have told more."""
        self.cost = cost if self.cost is None else self.cost

    @property
    def turn_cost(self) -> float | None:
        """Dollars that this turn added; None when the agent does not say. One that counts anew in a new process says
        less than before: then all of it is this turn's."""
        if self.cost is None or self._before is None or (self.cost == self._before == 0.0):
            return None
        return self.cost - self._before if self.cost >= self._before else self.cost

    def known(self, key: str) -> Tool:
        """What this turn has told of a tool call."""
        return self._tools.get(key[:KEY], Tool())

    def take(self, params: dict[str, Any]) -> None:
        """Record one notification. While a conversation is loaded (`muted`) its replayed history is left out."""
        update = params.get("update")
        if not isinstance(update, dict):
            return
        again = next((found for holder in (params, update) if (found := vendors.retry(holder.get("_meta")))), None)
        self._watch_status(params, update)
        if update.get("sessionUpdate") == "usage_update":
            self._watch_cost(update.get("cost"))
        if again:
            self._transcript.append("retry", **retries.of_event(again, time.time()))
            return
        shown = blocks.tool_text(update) if str(update.get("sessionUpdate")) in TOOL_KINDS else ""
        self._watch_life(update, shown)
        if not self.muted:
            self._record(update, shown)

    def _record(self, update: dict[str, Any], shown: str) -> None:
        match update.get("sessionUpdate"):
            case "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" as kind:
                self.tokens = costs.plus(self.tokens, vendors.round_tokens(update))
                self._chunk(CHUNKS[kind], update.get("content"))
            case "tool_call" | "tool_call_update":
                self._tool(update, shown)
            case "plan":
                self._transcript.append("plan", text=plan_text(update.get("entries")))
            case "plan_update" | "plan_removed":
                self._transcript.append("plan", text=blocks.plan_update_text(update.get("plan")))
            case "usage_update":
                self._used(update)
            case kind:
                self._told(str(kind), update)

    def _told(self, kind: str, update: dict[str, Any]) -> None:
        """What is no part of the work itself. A change of mode is recorded by who watches it."""
        match kind:
            case "current_mode_update":
                self.on_mode(str(update.get("currentModeId") or ""))
            case "available_commands_update":
                self._transcript.append("update", type=kind, text=_names(update.get("availableCommands")))
            case "config_option_update":
                self._transcript.append("update", type=kind, text=_settings(update.get("configOptions")))
                self.on_mode(_mode_of(update.get("configOptions")))
            case _:
                self._transcript.append("update", type=kind[:100], text=brief(update))

    def _chunk(self, kind: str, content: Any) -> None:
        if kind == "text" and (mode := vendors.told_mode(content)):
            self.on_mode(mode)
            return
        text = blocks.content_text(content)
        if self.trouble == UNTOLD and text.strip():
            self.trouble = text.strip()[:2000]  # no model speaks any more: codex-acp says what went wrong
        if isinstance(content, dict) and content.get("type") == "text":
            self._transcript.say(kind, text)
        else:
            self._transcript.append(kind, text=text)

    def _tool(self, update: dict[str, Any], text: str) -> None:
        """An update that repeats what is known is left out: some agents say everything several times."""
        key = str(update.get("toolCallId", ""))[:KEY]
        before = self._tools.pop(key, None)
        tool = (before or Tool()).after(update, text)
        self._tools[key] = tool
        if len(self._tools) > TOOLS:
            del self._tools[next(iter(self._tools))]
        if tool == before:
            return
        news = tool.text if before is None or tool.text != before.text else ""
        shown = {"type": tool.type, "paths": tool.paths, "text": news}
        said = {k: v for k, v in shown.items() if v}
        self._transcript.append("tool", tool=tool.title or key, status=tool.status, id=key, **said)

    def _used(self, update: dict[str, Any]) -> None:
        counts = {"used": update.get("used"), "window": update.get("size")}
        said: dict[str, Any] = {key: n for key, n in counts.items() if isinstance(n, int) and n >= 0}
        if (cost := self.turn_cost) is not None:
            said |= {"usd": cost, "total": self.cost}
        if said and said != self._usage:
            self._usage = said
            self._transcript.append("usage", **said)

    def _watch_life(self, update: dict[str, Any], shown: str) -> None:
        kind = str(update.get("sessionUpdate") or "")
        match kind:
            case "":
                return
            case "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk":
                self.signs.said(kind, blocks.content_text(update.get("content")))
            case "tool_call" | "tool_call_update":
                self._watch_tool(kind, update, shown)
            case _:
                self.signs.said(kind, brief(update))

    def _watch_tool(self, kind: str, update: dict[str, Any], shown: str) -> None:
        key = str(update.get("toolCallId", ""))[:KEY]
        status = str(update.get("status") or ("pending" if kind == "tool_call" else ""))
        title = update.get("title")
        if not status and self.known(key).status in OVER:
            return  # says more of a tool that has ended
        self.signs.tool(key, title if isinstance(title, str) else "", status, update.get("rawInput"))
        self.signs.said(f"{kind} {key} {status}", f"{kind} {shown}")

    def _watch_cost(self, cost: Any) -> None:
        if isinstance(cost, dict) and cost.get("currency") == "USD":
            amount = costs.dollars(cost.get("amount"))
            self.cost = self.cost if amount is None else amount

    def _watch_status(self, params: dict[str, Any], update: dict[str, Any]) -> None:
        for holder in (params, update):
            status, message = vendors.codex_status(holder.get("_meta"))
            self.error = vendors.codex_error(holder.get("_meta")) or self.error
            if status == "systemError":
                self.trouble = message or self.trouble or UNTOLD
            elif status:
                self.trouble = ""


def _names(commands: Any) -> str:
    named = [c.get("name") for c in commands if isinstance(c, dict)] if isinstance(commands, list) else []
    return ", ".join(str(name)[:100] for name in named[:100])


def _options(options: Any) -> list[dict[str, Any]]:
    return [option for option in options[:100] if isinstance(option, dict)] if isinstance(options, list) else []


def _settings(options: Any) -> str:
    return ", ".join(f"{str(o.get('id'))[:100]}={str(o.get('currentValue'))[:100]}" for o in _options(options))


def _mode_of(options: Any) -> str:
    """The mode among configuration options; "" when they name none."""
    held = next((o.get("currentValue") for o in _options(options) if o.get("category") == "mode"), None)
    return held if isinstance(held, str) else ""
