"""Reads what a headless agent prints, line by line: JSON events of the known CLIs, or plain text. Touches no file.

It looks for what to show, the conversation's id, whether the last result line was an error and of which kind, and what
the turn cost. It can turn an exit 0 into a failure, never a failure into a success: text is shown, not believed.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from console.adapters.agents import costs, dialects, faults, retries
from console.adapters.agents.dialects import Event, Shown
from console.adapters.agents.faults import Fault
from console.adapters.agents.marks import Marks
from console.adapters.agents.payloads import brief, clean
from console.adapters.agents.verdicts import verdict_of
from console.adapters.agents.vitals import Signs, gist
from console.adapters.agents.wire import PARTS
from console.core.records import Output, Usage

__all__ = ["Lines", "Shown", "verdict_of"]

CONVERSATION_KEYS = ("session_id", "thread_id", "sessionID")
SPOKEN = frozenset({"text", "thought", "tool", "plan"})
DECISION = "decision"
TOOLS = 1000
STREAMED = 1_000_000
"""Characters of a streamed message that are remembered until it is said as a whole."""
_HOLE = re.compile(r"\[\.\.\. \d+ bytes dropped \.\.\.\]")
"""Written by the shim where output was lost."""
_CONVERSATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,199}")


class Lines:
    """The lines of one turn. conversation: the id, "" until one was seen; failure: why the turn failed, "" if not;
    usage: what it cost, None until a line tells; total: what the whole conversation has cost, where that is told;
    spoke: it has shown words or tools; hole: some of the output was lost; marks: what the preset's found."""

    def __init__(
        self,
        conversation_key: str,
        now: Callable[[], float] = time.time,
        signs: Signs | None = None,
        output: Output | None = None,
        before: Usage | None = costs.NOTHING,
    ) -> None:
        """before: what the conversation had cost until now, None when nobody knows."""
        self._before = before
        self._signs = signs or Signs()
        self._keys = (conversation_key, *CONVERSATION_KEYS)
        self._tools: dict[str, str] = {}
        self._now = now
        self._told = self._hint = self._rejected = faults.NONE
        self._streamed: dict[str, str] = {}
        self._plan = ""
        self._last_tool: Shown | None = None
        self._begun = self._stirred = False
        self.marks = Marks(output or Output())
        self.conversation = ""
        self.failure = ""
        self.hole = self._own = False
        self.usage: Usage | None = None
        self.total: Usage | None = None
        self.spoke = False

    @property
    def fault(self) -> Fault:
        """The kind of trouble behind a failed turn: what the preset marks, else the error line's own, else what the
        agent last retried for. A usage limit that was announced beside it tells its reset."""
        fault = self.marks.fault or self._told or self._hint
        if self._rejected and (fault.kind in ("limit", "overload") or not (fault or self._own)):
            return fault if fault.until > self._rejected.until else self._rejected
        return fault

    def read(self, line: str) -> list[Shown]:
        """What to record of one line: (entry kind, its fields)."""
        event = _json_object(line)
        retrying = self.marks.take(line, event, self._now())
        if event is None:
            if retrying or retries.is_plain(line):
                return [("retry", retries.of_text(line, self._now()))]
            self.hole = self.hole or _HOLE.fullmatch(line) is not None
            return [("line", {"text": clean(line) + "\n"})]
        self._find_conversation(event)
        verdict = verdict_of(event)
        if verdict is not None:
            self.failure = verdict
        self._watch_faults(event, verdict)
        shown = self._shown(event, retrying or retries.is_notice(event))
        self._watch_life(event, shown)
        return [*self._recorded(line, event, shown), *self._cost(event)]

    def _watch_faults(self, event: Event, verdict: str | None) -> None:
        if verdict == "":
            self._told = self._hint = self._rejected = faults.NONE
        elif verdict:
            self._own = faults.is_own(event)
            self._told = faults.of_event(event, self._now()) or self._told
        elif event.get("type") == "rate_limit_event":
            self._rejected = faults.of_rejection(event, self._now())
        elif retries.is_notice(event):
            # Its delay is the agent's own, not the end of anything.
            self._hint = Fault(kind=faults.of_event(event, self._now()).kind)

    def _find_conversation(self, event: Event) -> None:
        """The first id of the turn counts. It will be an argument of a command, so it has to look like an id."""
        for key in self._keys if not self.conversation else ():
            value = event.get(key)
            if isinstance(value, str) and _CONVERSATION.fullmatch(value):
                self.conversation = value
                return

    # -- what is shown ----------------------------------------------------------------------------------

    def _shown(self, event: Event, retrying: bool) -> list[Shown]:
        if retrying:
            return [("retry", retries.of_event(event, self._now()))]
        piece = dialects.delta(event)
        if piece:
            kind, text = piece[0], piece[1]["text"]
            self._streamed[kind] = (self._streamed.get(kind, "") + text)[:STREAMED]
            return [piece]
        return [done for shown in dialects.entries(event) for done in self._finished(*shown)]

    def _finished(self, kind: str, fields: dict[str, Any]) -> list[Shown]:
        match kind:
            case "text" | "thought":
                return [(kind, {"text": self._unsaid(kind, fields["text"])})]
            case "tool":
                return self._named(**fields)
            case "plan":
                return self._planned(fields["text"])
            case _:
                return [(kind, fields)]

    def _unsaid(self, kind: str, text: str) -> str:
        """A message as a whole, without what was streamed of it."""
        words, streamed = text.removesuffix("\n"), self._streamed.pop(kind, "")
        if not streamed or not streamed.startswith(words):
            return text
        self._streamed[kind] = streamed[len(words) :]
        return "\n"

    def _named(self, tool: str, status: str, id: str, text: str, given: Any) -> list[Shown]:
        """A tool entry; its result carries only the id of the call, so names are remembered until then."""
        if tool and status in ("pending", "in_progress"):
            self._tools[id] = tool
            if len(self._tools) > TOOLS:
                del self._tools[next(iter(self._tools))]
        tool = tool or self._tools.get(id, id)
        self._signs.tool(id, tool, status, given)
        if status in ("completed", "failed"):
            self._tools.pop(id, None)
        self._streamed.pop("given", None)
        entry: Shown = ("tool", {"tool": tool, "status": status, "id": id, "text": text})
        return [entry, *self._planned(dialects.plan(given))]

    def _planned(self, text: str) -> list[Shown]:
        if not text or text == self._plan:
            return []
        self._plan = text
        return [("plan", {"text": text})]

    def _recorded(self, line: str, event: Event, shown: list[Shown]) -> list[Shown]:
        """A line that shows nothing is recorded in brief, but for those that only frame others, and for what is no
        event of a stream: an agent that answers in JSON has said it, above all the decision of a judge."""
        kind = event.get("type")
        if not shown and (DECISION in event or not isinstance(kind, str)):
            return [("line", {"text": clean(line) + "\n"})]
        if shown or (isinstance(kind, str) and kind in dialects.HIDDEN):
            return [entry for entry in shown if entry[0] != "given" and not self._is_repeated(entry)]
        return [("event", {"type": str(kind or "")[:200], "text": brief(event)})]

    def _is_repeated(self, entry: Shown) -> bool:
        """pi tells of each call twice: when its model has made it, and when it runs."""
        if entry[0] != "tool":
            return False
        again, self._last_tool = entry == self._last_tool, entry
        return again

    # -- signs of life and cost -------------------------------------------------------------------------

    def _watch_life(self, event: Event, shown: list[Shown]) -> None:
        kind = event.get("type")
        kind = kind if isinstance(kind, str) else ""
        if kind in dialects.BEGINS and self._begun:
            self._round_over(event)
        for entry, fields in shown:
            self._hear(entry, fields)
        if not shown and not dialects.is_bare(event):
            self._signs.said("event", gist(event))
        self._begun = kind in dialects.BEGINS or (self._begun and kind not in dialects.ENDS)
        if kind in dialects.ENDS:
            self._round_over(event)

    def _hear(self, entry: str, fields: dict[str, Any]) -> None:
        text, before = str(fields.get("text", "")), self._signs.progress
        if entry == "tool":
            self._signs.said(f"tool {fields['id']} {fields['status']}", f"{fields['tool']} {text}")
        elif entry in SPOKEN or entry == "given":
            self._signs.said(entry, text)
        if entry in SPOKEN and (entry == "tool" or text.strip()):
            self.spoke = True
        if self._signs.progress > before:
            self._stirred = True
            self._signs.round(empty=False)

    def _round_over(self, event: Event) -> None:
        self._signs.round(empty=not self._stirred and not dialects.thinks(event))
        self._stirred = False

    def _cost(self, event: Event) -> list[Shown]:
        found, before = costs.of_event(event), self.usage
        if found and costs.is_total(event):
            self.total, self.usage = found, costs.since(found, self._before)
        else:
            self.usage = costs.plus(self.usage, found)
        return [("usage", costs.entry(self.usage, event))] if self.usage != before else []


def _json_object(line: str) -> Event | None:
    if not line.lstrip().startswith("{"):
        return None
    if line.count("{") + line.count("[") + line.count(",") > PARTS:
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
