"""What a `result` line of Claude Code says: whose turn it ends and how. Never believes prose."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Any

from console.adapters.agents.marks import Marks
from console.adapters.agents.payloads import clean
from console.adapters.agents.verdicts import verdict_of

Event = dict[str, Any]

AGENTS = 100
"""Agents of its own in the background that are told apart: each is stopped by a request of ours."""

CUT_SHORT = frozenset({"max_tokens", "refusal", "model_context_window_exceeded", "pause_turn"})
"""Reasons of the model to stop that are no end of its work, although nothing went wrong."""


class Turn:
    """One prompt, the `result` line that answers it, and what goes on after that. `changed` is set by every line that
    may end it.

    A turn whose agents still work in the background is not over: when they are done, the model goes on by itself, with
    a result of its own. The session's state is `idle` then; releases that do not tell it end a turn with its result.
    """

    def __init__(self, ident: str) -> None:
        self.ident = ident
        self.changed = asyncio.Event()
        self.result: Event | None = None
        self.tasks: tuple[str, ...] = ()
        """Ids of the agents that work in the background."""
        self.cut = False
        """We ended it between its result and its end."""
        self._known = False
        self._idle: bool | None = None
        self._working = False

    @property
    def over(self) -> bool:
        return self.result is not None and self._idle is not False

    @property
    def goes_on(self) -> bool:
        """Something is under way, of the model or of its agents."""
        return self._working or bool(self.tasks)

    def cut_short(self) -> tuple[str, ...]:
        """It is to end now: the agents that have to be stopped, which an interrupt does not reach."""
        self.cut = self.result is not None and not self.over
        return self.tasks

    def take(self, event: Event) -> None:
        """Any line of the agent."""
        match event:
            case {"type": "result"}:
                self._take_result(event)
            case {"type": "command_lifecycle"}:
                self._note(event)
            case {"type": "system", "subtype": "init"}:
                self._working = True
            case {"type": "system", "subtype": "session_state_changed"}:
                self._idle = event.get("state") == "idle"
            case {"type": "system", "subtype": "background_tasks_changed"}:
                self.tasks = _agents(event.get("tasks"))
            case _:
                return
        self.changed.set()

    def _note(self, event: Event) -> None:
        """It knows our prompt by its id, so its result will carry it; one that is cancelled too early has none."""
        if event.get("command_uuid") != self.ident:
            return
        self._known = True
        if event.get("state") == "cancelled" and self.result is None:
            self.result = {"type": "result", "is_error": True, "errors": ["cancelled before it began"]}

    def _take_result(self, event: Event) -> None:
        """Ours, or one of what goes on after it: the first bad one counts, else the last. Behind the end only a bad one
        that is ours does."""
        self._working = False
        if self.result is None:
            self.result = event if self._is_ours(event) else None
        elif self.result.get("is_error") is False:
            worse = event.get("is_error") is not False and self._is_ours(event)
            self.result = event if worse or not self.over else self.result

    def _is_ours(self, event: Event) -> bool:
        several = event.get("user_message_uuids")
        named = several if isinstance(several, list) else [event.get("user_message_uuid")]
        named = [one for one in named if one]
        origin = event.get("origin")
        foreign = isinstance(origin, dict) and origin.get("kind") not in (None, "human")
        return self.ident in named if named or self._known else not foreign


def _agents(tasks: Any) -> tuple[str, ...]:
    """Without shells: a server that was started for the work runs for as long as it likes."""
    known = [task for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
    named = (str(task.get("task_id"))[:200] for task in known if "bash" not in str(task.get("task_type")))
    return tuple(islice(named, AGENTS))


def ending_of(event: Event, marks: Marks) -> tuple[str, str]:
    """(stop, why the turn failed: "" when it did not) of a `result` line: well only with is_error false and the subtype
    `success`, and, where they are told, the terminal reason `completed` and a stop reason that is an end."""
    reason, stop = event.get("terminal_reason"), str(event.get("stop_reason") or "end_turn")
    if event.get("is_error") is not False or event.get("subtype") != "success":
        return "error", why_of(event)
    if reason not in (None, "completed"):
        return str(reason), f"the turn ended with {reason!r}"
    if stop in CUT_SHORT:
        return stop, f"the model stopped with {stop!r}"
    if marks.failed or (marks.needs_end and not marks.ended):
        return "error", marks.failed or why_of(event)
    return stop, ""


def why_of(event: Event) -> str:
    """Why a `result` line is bad, in the agent's words."""
    result, errors = event.get("result"), event.get("errors")
    told = [one for one in errors if isinstance(one, str)] if isinstance(errors, list) else []
    text = result if isinstance(result, str) and result else "; ".join(told)
    return (clean(text) or verdict_of(event) or f"the result is {event.get('subtype')!r}")[:2000]
