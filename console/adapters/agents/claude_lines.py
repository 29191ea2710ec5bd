"""Reads the events of a Claude Code process (`--output-format stream-json`) into transcript entries and signs of life.

Decides nothing and holds no binary content: an image becomes its type and size.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from console.adapters.agents import blocks, diffs, faults, retries
from console.adapters.agents.claude_costs import Costs
from console.adapters.agents.claude_results import ending_of
from console.adapters.agents.faults import Fault
from console.adapters.agents.marks import Marks
from console.adapters.agents.payloads import LOOKED_AT, binary, brief, clean
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.vitals import Signs
from console.core.records import Output, Usage
from console.engine.ports import TurnResult

Event = dict[str, Any]

QUIET = frozenset({"status", "thinking_tokens", "session_state_changed", "init", "background_tasks_changed"})
"""System lines that say nothing a person would want to read."""
TELLING = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "skill", "description", "prompt")
PATHS = ("file_path", "notebook_path", "path")
TITLE, TEXT = 200, 4096
MORE = " ..."
"""Behind a title that does not say all of a command."""
OPEN_TOOLS, OPEN_MESSAGES = 1000, 50
PARTS = blocks.PARTS
"""Blocks of one message that are looked at; of more it is only told how many."""
STREAMED = 1_000_000
"""Characters of a streamed message that are remembered until it is said as a whole."""


class Stream:
    """The events of one process."""

    def __init__(
        self,
        transcript: Transcript,
        output: Output = Output(),  # noqa: B008 - frozen
        signs: Signs | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._transcript, self._output, self._now = transcript, output, now
        self.signs = signs or Signs()
        self._tools: dict[str, str] = {}
        self._streamed: dict[tuple[str, str], str] = {}
        self._message = ""
        self._filled = False
        self._hint = self._rejected = faults.NONE
        self._costs = Costs()
        self._marks = Marks(output)

    def begin(self, *, resumed: bool) -> None:
        """The conversation is open."""
        self._costs.begin(resumed=resumed)

    def turn(self) -> None:
        """A new turn begins: what an earlier one left behind counts no longer."""
        self._tools.clear()
        self._streamed.clear()
        self._hint, self._marks = faults.NONE, Marks(self._output)
        self._costs.turn()
        self.signs.turn()

    def take(self, event: Event) -> None:
        """Record one event."""
        if event.get("type") != "stream_event":
            self._marks.take("", event, self._now())
        match event.get("type"):
            case "stream_event":
                self._delta(event.get("event"), inner=event.get("parent_tool_use_id") is not None)
            case "assistant":
                self._assistant(event)
            case "user":
                self._user(event.get("message"))
            case "system":
                self._system(event)
            case "result":
                self._result(event)
            case "tool_progress":
                self._progress(event)
            case "rate_limit_event":
                self._rejected = faults.of_rejection(event, self._now())
                self._transcript.append("event", type="rate_limit_event", text=brief(event.get("rate_limit_info")))
            case "keep_alive" | "command_lifecycle":
                pass
            case kind:
                self._transcript.append("event", type=str(kind), text=brief(event))

    # -- what the model says, while it says it ----------------------------------------------------------

    def _delta(self, event: Any, *, inner: bool) -> None:
        if not isinstance(event, dict) or inner:
            return
        match event:
            case {"type": "message_start", "message": dict(message)}:
                self._break_off()
                self._message, self._filled = str(message.get("id", "")), False
                self._costs.round_begins(message.get("usage"))
            case {"type": "content_block_start", "content_block": {"type": "tool_use"}}:
                self._filled = True
            case {"type": "content_block_delta", "delta": dict(delta)}:
                self._piece(delta)
            case {"type": "message_delta"}:
                if entry := self._costs.round_ends(event.get("usage")):
                    self._transcript.append("usage", **entry)
            case {"type": "message_stop"}:
                self.signs.round(empty=not self._filled)

    def _break_off(self) -> None:
        """A message that never came to its end (a cut connection) leaves half a line, which is not the next one's."""
        for (_, kind), text in self._streamed.items():
            if not text.endswith("\n"):
                self._transcript.say(kind, "\n")
        self._streamed.clear()

    def _piece(self, delta: Event) -> None:
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                self._stream("text", text)
            case {"type": "thinking_delta", "thinking": str(text)}:
                self._stream("thought", text)
            case {"type": "input_json_delta", "partial_json": str(text)}:
                self.signs.said("input", text)

    def _stream(self, kind: str, text: str) -> None:
        if not text:
            return
        key = (self._message, kind)
        before = self._streamed.get(key, "")
        self._streamed[key] = (before + text)[:STREAMED] if len(before) < STREAMED else before
        if len(self._streamed) > OPEN_MESSAGES:
            del self._streamed[next(iter(self._streamed))]
        self._transcript.say(kind, text)
        self._filled = self._said(kind, text) or self._filled

    def _said(self, kind: str, text: str) -> bool:
        """Whether that was something new."""
        before = self.signs.progress
        self.signs.said(kind, text)
        return self.signs.progress > before

    # -- whole messages ---------------------------------------------------------------------------------

    def _assistant(self, event: Event) -> None:
        if isinstance(event.get("error"), str):
            self._hint = faults.of_event({"error": event["error"]}, self._now()) or self._hint
        message = event.get("message")
        message = message if isinstance(message, dict) else {}
        budget = diffs.Budget()
        for block in self._parts(message.get("content")):
            match block:
                case {"type": "text", "text": str(text)}:
                    self._whole(str(message.get("id", "")), "text", text)
                case {"type": "thinking", "thinking": str(text)}:
                    self._whole(str(message.get("id", "")), "thought", text)
                case {"type": "tool_use"}:
                    self._tool_use(block, budget)
                case {"type": "redacted_thinking"}:
                    pass
                case _:
                    self._transcript.append("text", text=block_text(block) + "\n")

    def _parts(self, content: Any) -> list[Event]:
        """The blocks of a message, as many as are looked at."""
        found = _blocks(content)
        if len(found) > PARTS:
            self._transcript.append("event", type="cut", text=f"... {len(found) - PARTS} more parts of one message")
        return found[:PARTS]

    def _whole(self, message: str, kind: str, text: str) -> None:
        """A block that is complete; of what was streamed before, only the rest is new."""
        if not text:
            return
        streamed = self._streamed.pop((message, kind), "")
        rest = text.removeprefix(streamed)
        if rest and self._said(kind, rest):
            self.signs.round(empty=False)
        self._transcript.say(kind, rest + ("" if text.endswith("\n") else "\n"))

    def _tool_use(self, block: Event, budget: diffs.Budget) -> None:
        key, name, given = str(block.get("id", "")), str(block.get("name", "")), block.get("input")
        given = given if isinstance(given, dict) else {}
        self.signs.round(empty=False)
        title = self._tools[key] = title_of(name, given)
        if len(self._tools) > OPEN_TOOLS:
            del self._tools[next(iter(self._tools))]
        self.signs.tool(key, title, "in_progress", given)
        self.signs.said(f"tool {key}", f"{name} {brief(given)}")
        self._tell_tool(key, title, "in_progress", shown_of(name, given, budget))
        if name == "TodoWrite":
            self._transcript.append("plan", text=blocks.plan_text(given.get("todos")))

    def _user(self, message: Any) -> None:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            self._transcript.append("user", text=content + "\n")
        for block in self._parts(content):
            if block.get("type") == "tool_result":
                self._tool_result(block)
            else:
                self._transcript.append("user", text=block_text(block) + "\n")

    def _tool_result(self, block: Event) -> None:
        key = str(block.get("tool_use_id", ""))
        title, status = self._tools.pop(key, key), "failed" if block.get("is_error") else "completed"
        content = block.get("content")
        parts = [content] if isinstance(content, str) else map(block_text, _blocks(content)[:PARTS])
        text = clean("\n".join(parts)[:LOOKED_AT])
        self.signs.tool(key, title, status)
        self.signs.said(f"tool {key} {status}", f"result {text}")
        self._tell_tool(key, title, status, {"text": text[:TEXT]})

    def _tell_tool(self, key: str, title: str, status: str, more: dict[str, str]) -> None:
        shown = {name: text for name, text in more.items() if text}
        self._transcript.append("tool", tool=title, status=status, id=key, **shown)

    # -- the rest ---------------------------------------------------------------------------------------

    def _progress(self, event: Event) -> None:
        """A tool that runs and says so is no progress; its agent within may be retrying."""
        key = str(event.get("tool_use_id", ""))
        if key in self._tools:
            self.signs.tool(key, self._tools[key], "in_progress")
        retry = event.get("subagent_retry")
        if isinstance(retry, dict):
            self._retry({"error": retry.get("error_category"), **retry})

    def _system(self, event: Event) -> None:
        subtype = str(event.get("subtype", ""))
        if subtype == "api_retry":
            self._hint = Fault(kind=faults.of_event(event, self._now()).kind)
            self._retry(event)
        elif subtype == "thinking_tokens":
            self.signs.said("thinking", str(event.get("estimated_tokens")))
        elif subtype not in QUIET or event.get("status") not in (None, "requesting"):
            self.signs.said(subtype, brief({k: v for k, v in event.items() if k != "uuid"}))
            self._transcript.append("event", type=subtype, text=brief(event))

    def _retry(self, told: Event) -> None:
        self._transcript.append("retry", **retries.of_event(told, self._now()))

    def _result(self, event: Event) -> None:
        if entry := self._costs.result(event):
            self._transcript.append("usage", **entry)

    def broken_off(self) -> Usage | None:
        """What the turn has spent, as far as it is known, when it gets no `result` any more."""
        return self._costs.broken_off()

    def outcome(self, event: Event) -> TurnResult:
        """What a `result` line says about its turn. The usage is of all results since the last outcome."""
        stop, detail = ending_of(event, self._marks)
        usage = self._costs.take()
        if not detail:
            self._rejected = faults.NONE
            return TurnResult(ok=True, stop=stop, usage=usage)
        status = event.get("api_error_status")
        fault = self._fault(event)
        return TurnResult(
            ok=False,
            stop=stop,
            detail=faults.hinted(detail, fault),
            code=status if isinstance(status, int) else None,
            fault=fault.kind,
            until=fault.until,
            usage=usage,
        )

    def _fault(self, event: Event) -> Fault:
        """The line's own trouble, else what was last retried for. A limit that was announced tells its reset."""
        fault = self._marks.fault or faults.of_event(event, self._now()) or self._hint
        fresh = self._rejected and not 0 < self._rejected.until < self._now()
        if fresh and (fault.kind in ("limit", "overload") or not (fault or faults.is_own(event))):
            return fault if fault.until > self._rejected.until else self._rejected
        return fault


def title_of(tool: str, given: Event) -> str:
    """A tool call in one line: "Bash: npm test"."""
    told = next((given[key] for key in TELLING if isinstance(given.get(key), str) and given[key].strip()), "")
    first = next(iter(told[:TEXT].strip().splitlines()), "")
    title = (f"{tool}: {first}" if first else tool)[: TITLE - len(MORE)]
    return title + MORE if first and not title.endswith(told.strip()) else title


def shown_of(tool: str, given: Event, budget: diffs.Budget | None = None) -> dict[str, str]:
    """What a tool call is about to do, for a person: its paths, and the change, the command or the input in brief.
    budget: what the message as a whole may spend on changes."""
    path = next((str(given[key]) for key in PATHS if isinstance(given.get(key), str)), "")
    before, after = given.get("old_string"), given.get("new_string", given.get("content"))
    text = blocks.capped(diffs.diff_text(path, before, after, budget)) if path and isinstance(after, str) else ""
    shown = {"type": tool, "paths": path, "command": blocks.command_text(given), "text": text or brief(given)}
    return {name: words for name, words in shown.items() if words}


def block_text(block: Event) -> str:
    """The text of a content block; for anything else what it is and how big, never its bytes."""
    if isinstance(block.get("text"), str):
        return clean(str(block["text"]))
    return binary(block) or f"[{str(block.get('type') or 'content')[:100]}]"


def _blocks(content: Any) -> list[Event]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
