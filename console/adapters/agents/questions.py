"""The permission requests that an ACP agent has open. Holds each until somebody answers; decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.updates import tool_text
from console.core.records import Option
from console.engine.ports import AgentFact, Answered, Asked

RequestId = int | str
Reply = Callable[[RequestId, dict[str, Any]], None]
CANCELLED = {"outcome": {"outcome": "cancelled"}}


@dataclass(slots=True, frozen=True)
class _Held:
    request: RequestId
    options: frozenset[str]


class Questions:
    """Open questions of one agent process, named q-1, q-2, ... in the order they came."""

    def __init__(self, reply: Reply, report: Callable[[AgentFact], None], transcript: Transcript) -> None:
        self._reply, self._report, self._transcript = reply, report, transcript
        self._held: dict[str, _Held] = {}
        self._count = 0
        self._open = False

    def reopen(self) -> None:
        """From now on questions reach a person; before the first turn and after a cancel none does."""
        self._open = True

    def ask(self, request: RequestId, params: dict[str, Any]) -> None:
        """A `session/request_permission` came in."""
        if not self._open:
            self._reply(request, CANCELLED)
            return
        self._count += 1
        question, options = f"q-{self._count}", _options(params.get("options"))
        tool = params.get("toolCall")
        tool = tool if isinstance(tool, dict) else {}
        title = str(tool.get("title") or tool.get("toolCallId") or "permission")
        self._held[question] = _Held(request, frozenset(option.id for option in options))
        names = "\n".join(f"{option.id}: {option.name}" for option in options)
        self._transcript.append("ask", question=question, title=title, options=names, text=tool_text(tool))
        self._report(Asked(question=question, title=title, options=options))

    def answer(self, question: str, option: str | None) -> bool:
        """Choose an offered option, or None to cancel. False when the question is closed or does not offer it."""
        held = self._held.get(question)
        if held is None or (option is not None and option not in held.options):
            return False
        del self._held[question]
        chosen = {"outcome": {"outcome": "selected", "optionId": option}}
        self._reply(held.request, CANCELLED if option is None else chosen)
        self._transcript.append("answer", question=question, option=option or "")
        self._report(Answered(question=question, option=option or ""))
        return True

    def withdraw(self, request: object) -> None:
        """The agent no longer wants an answer to this request."""
        for question, held in list(self._held.items()):
            if held.request == request:
                self.answer(question, None)

    def close_all(self) -> None:
        """Answer what is held, and what still comes, with cancelled: else a cancelled turn may never end."""
        self._open = False
        for question in list(self._held):
            self.answer(question, None)


def _options(offered: Any) -> tuple[Option, ...]:
    known = [item for item in offered if isinstance(item, dict)] if isinstance(offered, list) else []
    return tuple(
        Option(id=item["optionId"], name=str(item.get("name", "")), kind=str(item.get("kind", "")))
        for item in known
        if isinstance(item.get("optionId"), str)
    )
