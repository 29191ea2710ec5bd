"""The permission requests that an ACP agent has open. Holds each until somebody answers; decides nothing itself.

One is asked at a time, for the log holds one a session: what comes meanwhile waits for its turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from console.adapters.agents import blocks, owntools
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.updates import Tool
from console.core.records import Option
from console.engine.ports import AgentFact, Answered, Asked

RequestId = int | str
Reply = Callable[[RequestId, dict[str, Any]], None]
CANCELLED = {"outcome": {"outcome": "cancelled"}}
VERBS = {"execute": "run", "other": "", "switch_mode": "switch the mode"}
"""Kinds of tools that are no verb by themselves, as "edit" and "read" are."""
KINDS = ("allow_once", "allow_always", "reject_once", "reject_always")
HELD, OPTIONS, TITLE, NAME = 100, 20, 500, 200
"""Questions that wait at most, options of one, characters of a title and of an option's name."""
WITHDRAWN = 100
"""Questions that an agent may take back in one turn. Each is in the log, which is for good."""
TOO_MANY = f"the agent took back more than {WITHDRAWN} questions in one turn"


@dataclass(slots=True, frozen=True)
class _Held:
    request: RequestId
    asked: Asked
    shown: dict[str, str]

    @property
    def options(self) -> frozenset[str]:
        return frozenset(option.id for option in self.asked.options)


class Questions:
    """Questions of one agent process, named q-1, q-2, ... in the order they came. `known`: what the agent has said of a
    tool call, as a question may only name it. `ours`: whether it is for a tool that we handed it."""

    def __init__(
        self,
        reply: Reply,
        report: Callable[[AgentFact], None],
        transcript: Transcript,
        known: Callable[[str], Tool] = lambda _key: Tool(),
        ours: owntools.Ours = owntools.nobodys,
    ) -> None:
        self._ours = ours
        self._reply, self._report, self._transcript, self._known = reply, report, transcript, known
        self._held: dict[str, _Held] = {}
        self._asked = ""
        self._count = 0
        self._open = False
        self.withdrawn = 0
        """Questions of this turn that the agent took back before anybody answered."""

    def reopen(self) -> None:
        """From now on questions reach a person; before the first turn and after a cancel none does."""
        self._open = True
        self.withdrawn = 0

    def ask(self, request: RequestId, params: dict[str, Any]) -> bool:
        """A `session/request_permission` came in. False when it is refused at once, so that nobody is asked."""
        if not self._open or len(self._held) >= HELD:
            self._reply(request, CANCELLED)
            return False
        self._count += 1
        question, options = f"q-{self._count}", _options(params.get("options"))
        tool = params.get("toolCall")
        tool = tool if isinstance(tool, dict) else {}
        key = str(tool.get("toolCallId") or "")
        shown = self._known(key).after(tool)
        once = next((option.id for option in options if option.kind == "allow_once"), "")
        command = blocks.command_text(tool.get("rawInput"))
        if once and self._ours(shown.title, shown.type, {"paths": shown.paths, "command": command}):
            self._reply(request, {"outcome": {"outcome": "selected", "optionId": once}})
            self._transcript.append("answer", question=question, option=once, text=f"{shown.title} is a tool of ours")
            return True
        asked = Asked(question=question, title=_title(shown, tool, key), options=options)
        self._held[question] = _Held(request, asked, _shown(shown, tool))
        self._next()
        return True

    def _next(self) -> None:
        """Ask the oldest one that waits, when none is being asked."""
        if self._asked or not self._held:
            return
        held = next(iter(self._held.values()))
        self._asked = held.asked.question
        names = "\n".join(f"{option.id}: {option.name}" for option in held.asked.options)
        self._transcript.append(
            "ask", question=held.asked.question, title=held.asked.title, options=names, **held.shown
        )
        self._report(held.asked)

    def answer(self, question: str, option: str | None) -> bool:
        """Choose an offered option, or None to cancel. False when the question is not asked or does not offer it."""
        held = self._held.get(question)
        if question != self._asked or held is None or (option is not None and option not in held.options):
            return False
        del self._held[question]
        self._asked = ""
        chosen = {"outcome": {"outcome": "selected", "optionId": option}}
        self._reply(held.request, CANCELLED if option is None else chosen)
        self._transcript.append("answer", question=question, option=option or "")
        self._report(Answered(question=question, option=option or ""))
        self._next()
        return True

    def withdraw(self, request: object) -> None:
        """The agent no longer wants an answer to this request."""
        for question, held in list(self._held.items()):
            if held.request == request:
                self.withdrawn += 1
                self._drop(question)

    def _drop(self, question: str) -> None:
        if question == self._asked:
            self.answer(question, None)
        elif held := self._held.pop(question, None):
            self._reply(held.request, CANCELLED)  # nobody has been asked

    def close_all(self) -> None:
        """Answer what is held, and what still comes, with cancelled: else a cancelled turn may never end."""
        self._open = False
        for question in reversed(list(self._held)):
            self._drop(question)


def _shown(tool: Tool, given: dict[str, Any]) -> dict[str, str]:
    """What a person needs to decide: kind, paths, the command, and the diff or what else the tool shows."""
    command = blocks.command_text(given.get("rawInput"))
    said = {"type": tool.type, "paths": tool.paths, "command": command, "text": tool.text}
    return {key: text for key, text in said.items() if text}


def _title(tool: Tool, given: dict[str, Any], key: str) -> str:
    """What it asks for, with the kind of action where the agent's own title is no more than a path, a command or the
    name of a tool (opencode's is a bare path)."""
    command = next(iter(blocks.command_text(given.get("rawInput")).splitlines()), "")
    about = command or next(iter(tool.paths.splitlines()), "")
    title = tool.title or (about if about else key) or "permission"
    if title in (command, *tool.paths.splitlines()) or ("/" in title and not re.search(r"\s", title)):
        verb = "run" if command and title == command else VERBS.get(tool.type, tool.type)
        title = f"{verb or 'permission for'}: {title}"
    elif re.fullmatch(r"\w+", title) and tool.title and about:
        title = f"{title}: {about}"
    return title[:TITLE]


def _options(offered: Any) -> tuple[Option, ...]:
    """Those with an id of their own. Of too many the first are kept, and the first of each kind."""
    known = [item for item in offered if isinstance(item, dict)] if isinstance(offered, list) else []
    made: dict[str, Option] = {}
    for item in known:
        name = item.get("optionId")
        if isinstance(name, str) and 0 < len(name) <= NAME:
            option = Option(id=name, name=str(item.get("name") or name)[:NAME], kind=_kind(item.get("kind")))
            made.setdefault(name, option)
    options = list(made.values())
    firsts = [next((o for o in options if o.kind == kind), None) for kind in KINDS]
    kept = {o.id for o in options[:OPTIONS]} | {o.id for o in firsts if o}
    return tuple(option for option in options if option.id in kept)


def _kind(kind: Any) -> str:
    """One of the protocol's four, however it is written; anything else as it is."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(kind or ""))[:60].lower().replace("-", "_")
    return words if words in KINDS else str(kind or "")[:60]
