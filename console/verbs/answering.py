"""Answering a session's question: exactly one that was seen, and told as answered when its agent has the answer."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from console import wiring
from console.core import commands as cmd
from console.core import events as ev
from console.core.sessions import Session
from console.core.state import State
from console.engine.client import Client, first
from console.verbs.failing import Fail, session_named, unless_refused
from console.verbs.reading import entry

FRESH = 30.0
"""Seconds. A question that is younger, and not the first one of its turn, has to be named: who answers may have seen
the one before."""
GIVEN = 15.0
"""Seconds until an answer is with the agent."""


def answer(here: wiring.Here, client: Client, command: cmd.AnswerQuestion) -> str:
    """What was asked, in its agent's words, when it is answered. Raises Fail: it is not, or that is not known yet.
    Without a `question` in the command it is the one that is open, unless another one was asked just before it."""
    s = session_named(client.state, command.session)
    if s.question and not command.question and time.time() - s.question.at < FRESH and _asked_before(here, s):
        raise Fail(
            f"{s.session} asked {_title(s)!r} just now, after another question: name the one that you mean, "
            f"with --question {s.question.id}"
        )
    question = command.question or (s.question.id if s.question else "")
    entries = unless_refused(client.send(replace(command, session=s.session, question=question)))
    requested = first(entries, ev.AnswerRequested)
    assert isinstance(requested, ev.AnswerRequested)
    since = max(entry.seq for entry in entries)
    client.await_effect(lambda state: _settled(state, requested), GIVEN)
    _given(here, client.state, requested, since)
    return _title(s)


def _settled(state: State, asked: ev.AnswerRequested) -> bool | None:
    open_now = state.sessions[asked.session].question
    return None if open_now and open_now.id == asked.question and open_now.answer is not None else True


def _given(here: wiring.Here, state: State, asked: ev.AnswerRequested, since: int) -> None:
    open_now = state.sessions[asked.session].question
    if open_now and open_now.id == asked.question:
        if open_now.answer is None:
            raise Fail(f"the answer could not be left for the agent of {asked.session}: its question stays open")
        raise Fail(f"the answer to {asked.session} is recorded, not yet given after {GIVEN:g} s")
    rows = _rows(here, asked.session, since, "input-answered")
    if not any(row.get("question") == asked.question and row.get("option", "") == asked.option for row in rows):
        raise Fail(f"the answer did not reach the agent of {asked.session}: it does not wait for it any more")


def _asked_before(here: wiring.Here, s: Session) -> bool:
    since, now = s.turn.start_seq if s.turn else 0, s.question.id if s.question else ""
    return any(row.get("question") != now for row in _rows(here, s.session, since, "awaiting-input"))


def _rows(here: wiring.Here, session: str, since: int, kind: str) -> list[dict[str, Any]]:
    return [entry(row) for row in wiring.rows(here, session, kind, since)]


def _title(s: Session) -> str:
    return s.question.title if s.question else ""
