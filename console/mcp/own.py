"""The smaller set: what the agent of a session may ask for. It reads the log and nothing else, and asks through its
inbox, so it works where a sandbox makes our state read-only."""

from __future__ import annotations

import os
import time
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from console.adapters import asknotes, inbox
from console.adapters.tickets.texts import Texts
from console.core.records import Refused
from console.core.records_asking import Answer
from console.mcp.events import Events, Limit, Since, Types
from console.mcp.scope import Scope
from console.mcp.verb import Patience, Verb, verb
from console.present import wording
from console.verbs.failing import Fail, unless_refused
from console.verbs.pulling import leave_note
from console.verbs.reading import entry

Question = Annotated[
    str, Field(min_length=1, max_length=asknotes.QUESTION, description="What exactly a person must say.")
]
Options = Annotated[list[str], Field(max_length=asknotes.OPTIONS, description="The answers you see; none for text.")]
AGAIN = (
    "nobody has answered yet: call ask_human again with the same words to go on waiting, or end your turn; a ticket is "
    "then parked with this question, and what you have done for it is not judged"
)


class OwnTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def verbs(self) -> list[Verb]:
        return [
            verb(self.ask_human),
            verb(self.park_ticket),
            verb(self.heartbeat),
            verb(self.my_ticket),
            verb(self.poll_events),
            verb(self.get_policy_status),
        ]

    def ask_human(
        self,
        question: Question,
        ctx: Context[Any, Any],
        options: Options = [],  # noqa: B006
        waitMs: Annotated[int, Field(ge=0, le=3_600_000, description="Milliseconds to wait.")] = 50_000,
    ) -> dict[str, Any]:
        """Ask the operator. status: answered (`option` with its `choice`, or `text`), waiting (call again with the same
        words), parked (nobody attends: the ticket waits for a person now, end your turn), refused or closed (`why`).
        One question at a time; ask only what neither the ticket nor the code can tell you.

        Example: {"question": "Round half up, or to even?", "options": ["up", "to even"]}
        """
        if not question.strip():
            raise Fail("the question is empty: say what exactly a person must decide")
        folder = self._scope.own_inbox()
        patience = Patience(ctx, waitMs / 1000, time.monotonic)
        try:
            note = unless_refused(asknotes.ask(folder, question, tuple(options)))
            said = asknotes.wait(folder, note.ident, waitMs / 1000, patience.over)
        except OSError as error:
            raise Fail(f"the question could not be left in {folder}: {error.strerror}") from error
        return _told(said)

    def park_ticket(
        self,
        question: Annotated[str, Field(min_length=1, max_length=4000, description="What a person must decide.")],
        options: Options = [],  # noqa: B006
        foundational: Annotated[bool, Field(description="Other tickets build on the answer.")] = False,
    ) -> dict[str, Any]:
        """Give your ticket to a person as a decision, when it cannot go on without one. Then end your turn: the ticket
        is taken up again with the answer.

        Example: {"question": "Which of the two schemas is meant?", "options": ["orders_v1", "orders_v2"]}
        """
        ticket = self._ticket()
        if not ticket:
            raise Fail("this session works on no ticket: ask_human asks the operator")
        told = leave_note(self._scope.own_inbox(), ticket, question, tuple(options), foundational)
        return told | {"next": "end your turn"}

    def heartbeat(self) -> dict[str, Any]:
        """A sign of life, for work that is silent for long.

        Example: {}
        """
        folder = self._scope.own_inbox()
        try:
            inbox.beat(folder)
        except OSError as error:
            raise Fail(f"the sign of life could not be left in {folder}: {error.strerror}") from error
        return {"beat": True}

    def my_ticket(self) -> dict[str, Any]:
        """The ticket that this session works on: its text as it was claimed, the attempt, the gate that will judge it,
        and answers that were given before.

        Example: {}
        """
        with self._scope.reading() as (_, state):
            s = state.sessions.get(self._scope.session)
            t = state.tickets.get(s.ticket) if s else None
            if not s or not t:
                return {"session": self._scope.session, "ticket": None}
            run = state.runs.get(t.run)
        gate = t.spec.gate or (run.settings.gate if run else None)
        text = Texts(self._scope.here.places.tickets).raw(t.pinned or t.digest)
        return {
            "session": s.session,
            "ticket": t.ticket,
            "title": t.spec.title,
            "text": None if isinstance(text, Refused) else text.decode("utf-8-sig", "replace"),
            "attempt": t.attempt,
            "gate": list(gate.argv) if gate else None,
            "answers": list(t.answers),
            "attended": bool(run and run.attended),
        }

    def poll_events(self, since: Since = 0, types: Types = [], limit: Limit = 100) -> Events:  # noqa: B006
        """What happened to this session, in order, since a cursor; `nextCursor` is where the next look goes on.

        Example: {"since": 0, "types": ["turn-start", "input-answered"]}
        """
        with self._scope.reading() as (log, _):
            rows, cursor = log.find(since, types=types, sessions=[self._scope.session], limit=limit)
        return {"events": [entry(row) for row in rows], "nextCursor": cursor}

    def get_policy_status(
        self, policyId: Annotated[str, Field(description='"" for every policy of this session.')] = ""
    ) -> dict[str, Any]:
        """The policies that watch this session: what gate will judge its work, and what the last one said.

        Example: {}
        """
        with self._scope.reading() as (_, state):
            mine = [p for p in state.policies.values() if self._scope.session in p.spec.sessions]
        shown = [wording.policy_data(p) for p in mine if policyId in ("", p.policy)]
        if policyId and not shown:
            raise Fail(f"no policy {policyId!r} watches this session")
        return shown[0] if policyId else {"policies": shown}

    def _ticket(self) -> str:
        with self._scope.reading() as (_, state):
            s = state.sessions.get(self._scope.session)
        return s.ticket if s else os.environ.get("NIGHTDESK_TICKET", "")


def _told(said: Answer | None) -> dict[str, Any]:
    if said is None:
        return {"status": "waiting", "why": AGAIN}
    told = {"status": said.status, "option": said.option, "choice": said.choice, "text": said.text, "why": said.why}
    return {key: value for key, value in told.items() if value}
