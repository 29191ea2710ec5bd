"""How a question of a session's agent is answered for a routine: by itself, or with what a person said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from console.core.records import Option, Record
from console.core.sessions import Question

ALLOWING = ("allow_once", "allow_always")
"""Kinds of options that let the agent go on, the smaller leave first."""


class Reply(Record, frozen=True, kw_only=True):
    """option, text: the answer (both "": the question is cancelled). prompt: said to the agent as its next turn, where
    its question takes no words. said: all of it, for people."""

    option: str = ""
    text: str = ""
    prompt: str = ""
    said: str = ""


def takes_text(q: Question) -> bool:
    return q.via == "inbox"


def by_itself(q: Question, prompt: str) -> Reply | None:
    """What `auto-allow` answers: the option that allows this once, else for ever, else the first one; `prompt` where
    words are taken. None when there is nothing that could be said."""
    if takes_text(q) and prompt:
        return Reply(text=prompt, said=prompt)
    option = _allowing(q.options) or next(iter(q.options), None)
    return _choosing(option) if option else None


def as_told(q: Question, response: str) -> Reply | str:
    """What a person's `response` to an escalation means for the question: an option's id or name, or words. A str says
    why it means nothing, and what would."""
    if not response:
        return _approved(q)
    if option := _named(q.options, response):
        return _choosing(option)
    if takes_text(q):
        return Reply(text=response, said=response)
    if not q.options:
        return Reply(prompt=response, said=response)
    return f"{response!r} is not one of the answers offered: {offered(q.options)}"


def offered(options: Sequence[Option]) -> str:
    """`allow (Allow once), deny (Deny)`."""
    return ", ".join(o.id if o.name in ("", o.id) else f"{o.id} ({o.name})" for o in options)


def _approved(q: Question) -> Reply | str:
    """A bare yes: only where it can mean one thing."""
    option = _allowing(q.options) or (q.options[0] if len(q.options) == 1 else None)
    if option:
        return _choosing(option)
    if q.options:
        return f"say which answer with a response: {offered(q.options)}"
    return "it asks for words: say them with a response"


def _allowing(options: Sequence[Option]) -> Option | None:
    return next((o for kind in ALLOWING for o in options if o.kind == kind), None)


def _named(options: Sequence[Option], response: str) -> Option | None:
    """By id, else by a name that only one of them has."""
    if exact := next((o for o in options if o.id == response), None):
        return exact
    wanted = response.strip().casefold()
    found = [o for o in options if wanted in (o.id.casefold(), o.name.strip().casefold())]
    return found[0] if len(found) == 1 else None


def _choosing(option: Option) -> Reply:
    return Reply(option=option.id, said=option.name or option.id)
