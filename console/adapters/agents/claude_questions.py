"""The permission requests that a Claude Code process has open. Holds each until somebody answers; decides nothing.

One at a time is shown: a session has one open question, and Claude Code may ask for several tools at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from console.adapters.agents.claude_lines import shown_of, title_of
from console.adapters.agents.transcripts import Transcript
from console.core.records import Option
from console.engine.ports import AgentFact, Answered, Asked

Answer = Callable[[str, dict[str, Any]], None]

ALLOW, ALWAYS, DENY = "allow", "always", "deny"
REFUSED = "The operator did not allow this."
NOBODY = "Nobody is there to answer: no turn is running."
ONE_ONLY = "Ask one question at a time, with the answers to choose from as its options."
NAME, HELD, OPTIONS = 300, 100, 20
"""Characters of a title or an option, questions that wait at most, options of one."""


@dataclass(slots=True, frozen=True)
class _Held:
    question: str
    request: str
    title: str
    shown: dict[str, str]
    replies: dict[str, dict[str, Any]]
    options: tuple[Option, ...]


class Questions:
    """Open questions of one process, named q-1, q-2, ... in the order they came. The first that is held is shown."""

    def __init__(self, answer: Answer, report: Callable[[AgentFact], None], transcript: Transcript) -> None:
        self._answer, self._report, self._transcript = answer, report, transcript
        self._held: list[_Held] = []
        self._count = 0
        self._open = False
        self.withdrawn = 0
        """Questions of this turn that the agent took back before anybody answered."""

    def reopen(self) -> None:
        """A turn begins: from now on questions reach a person."""
        self._open = True
        self.withdrawn = 0

    def ask(self, request: str, asked: dict[str, Any]) -> bool:
        """A `can_use_tool` came in. False when it is refused at once, so that nobody is asked."""
        tool, given = str(asked.get("tool_name") or "a tool"), asked.get("input")
        given = given if isinstance(given, dict) else {}
        if not self._open or len(self._held) >= HELD:
            self._answer(request, _denial(NOBODY))
            return False
        choices = _choices(given) if tool == "AskUserQuestion" else None
        if tool == "AskUserQuestion" and choices is None:
            self._answer(request, _denial(ONE_ONLY))
            return False
        self._count += 1
        made = choices or _permission(given, asked.get("permission_suggestions"))
        options, replies = tuple(option for option, _ in made), {option.id: reply for option, reply in made}
        title = str(given["questions"][0]["question"])[:NAME] if choices else title_of(tool, given)
        shown = shown_of(tool, given)
        if reason := asked.get("decision_reason"):
            shown["text"] = f"{str(reason)[:NAME]}\n{shown.get('text', '')}"
        self._held.append(_Held(f"q-{self._count}", request, title, shown, replies, options))
        if len(self._held) == 1:
            self._show(self._held[0])
        return True

    def _show(self, held: _Held) -> None:
        names = "\n".join(f"{option.id}: {option.name}" for option in held.options)
        self._transcript.append("ask", question=held.question, title=held.title, options=names, **held.shown)
        self._report(Asked(question=held.question, title=held.title, options=held.options))

    def answer(self, question: str, option: str | None) -> bool:
        """Choose an offered option, or None to refuse. False when the question is not open or does not offer it."""
        held = self._held[0] if self._held else None
        if held is None or held.question != question or (option is not None and option not in held.replies):
            return False
        self._answer(held.request, _denial(REFUSED) if option is None else held.replies[option])
        self._close(held, option or "")
        return True

    def _close(self, held: _Held, option: str) -> None:
        shown = self._held[0] is held
        self._held.remove(held)
        if not shown:
            return
        self._transcript.append("answer", question=held.question, option=option)
        self._report(Answered(question=held.question, option=option))
        if self._held:
            self._show(self._held[0])

    def withdraw(self, request: str) -> None:
        """The agent no longer wants an answer to this request."""
        for held in [held for held in self._held if held.request == request]:
            self.withdrawn += 1
            self._close(held, "")

    def close_all(self, why: str = REFUSED) -> None:
        """Refuse what is held and what still comes: else a cancelled turn may never end."""
        self._open = False
        for held in reversed(self._held):  # the one that is shown last, so that no other takes its place
            self._answer(held.request, _denial(why))
            self._close(held, "")


def _denial(message: str) -> dict[str, Any]:
    return {"behavior": "deny", "message": message}


def _permission(given: dict[str, Any], suggested: Any) -> list[tuple[Option, dict[str, Any]]]:
    allow: dict[str, Any] = {"behavior": "allow", "updatedInput": given}
    changes = [_for_session(one) for one in suggested if isinstance(one, dict)] if isinstance(suggested, list) else []
    made = [(Option(id=ALLOW, name="Allow once", kind="allow_once"), allow)]
    words = "Allow for this session: " + "; ".join(_change(one) for one in changes)
    if changes and len(words) <= NAME:  # nobody can agree to what is not shown
        made.append((Option(id=ALWAYS, name=words, kind="allow_always"), {**allow, "updatedPermissions": changes}))
    made.append((Option(id=DENY, name="Refuse", kind="reject_once"), _denial(REFUSED)))
    return made


def _for_session(change: dict[str, Any]) -> dict[str, Any]:
    """A permission for as long as the session lasts: a file of settings in the worktree would be part of its work."""
    return {**change, "destination": "session"}


def _change(change: dict[str, Any]) -> str:
    """What a suggested change of permissions would allow, in words."""
    match change:
        case {"type": "addRules" | "replaceRules", "rules": [*rules]}:
            return ", ".join(_rule(rule) for rule in rules)
        case {"type": "setMode", "mode": mode}:
            return f"mode {mode}"
        case {"type": "addDirectories", "directories": [*folders]}:
            return "folder " + ", ".join(str(folder) for folder in folders)
        case _:
            return json.dumps(change, default=str)


def _rule(rule: Any) -> str:
    if not isinstance(rule, dict):
        return str(rule)
    content = rule.get("ruleContent")
    return f"{rule.get('toolName', '')}({content})" if content else str(rule.get("toolName", ""))


def _choices(given: dict[str, Any]) -> list[tuple[Option, dict[str, Any]]] | None:
    """The options of a question to the operator; None when it asks more than one thing or offers nothing."""
    match given.get("questions"):
        case [{"question": str(question), "options": [_, *_] as offered}]:
            labels = [one["label"] for one in offered if isinstance(one, dict) and isinstance(one.get("label"), str)]
        case _:
            return None
    made = []
    for number, label in enumerate(list(dict.fromkeys(labels))[:OPTIONS], 1):
        reply = {"behavior": "allow", "updatedInput": {**given, "answers": {question: label}}}
        made.append((Option(id=f"answer-{number}", name=label[:NAME], kind=""), reply))
    return made or None
