"""Tools about the queue: tickets, the work of those that pull them, and parked decisions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from console import wiring
from console.core import commands as cmd
from console.core import queue
from console.core.records import Refused
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb
from console.present import queueing as words
from console.verbs import adding, pulling, queueing
from console.verbs.failing import unless_refused

SIZE = 256 * 1024
"""Of a ticket; it counts bytes, so a text of other letters must be shorter."""
TicketId = Annotated[str, Field(description="The ticket's id, or its file's name.")]
Holder = Annotated[str, Field(description="Who pulls; the same name gets the same ticket again.")]


class TicketTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._here = scope.here

    def verbs(self) -> list[Verb]:
        return [
            verb(self.list_tickets),
            verb(self.get_ticket),
            verb(self.add_ticket),
            verb(self.requeue_ticket, "putting a ticket back into the queue"),
            verb(self.next_ticket),
            verb(self.complete_ticket),
            verb(self.park_ticket),
            verb(self.list_decisions),
        ]

    def list_tickets(
        self, all: Annotated[bool, Field(description="Also those that are done, dropped or gone.")] = False
    ) -> dict[str, Any]:
        """The tickets in the order they came, where each stands and why, and what is wrong in their folder.

        Example: {"all": true}
        """
        with self._scope.client() as client:
            state = queueing.sync(self._here, client)
        shown = [
            t for t in state.tickets.values() if all or (t.phase not in ("dropped", "gone") and t.outcome != "DONE")
        ]
        ordered = sorted(shown, key=lambda t: (t.order, t.ticket))
        at_limit = queue.limits(state)
        return {"tickets": [adding.ticket_data(t, state, at_limit) for t in ordered], "problems": list(state.problems)}

    def get_ticket(self, ticketId: TicketId) -> dict[str, Any]:
        """One ticket: where it stands, why, its attempts, and its text.

        Example: {"ticketId": "fix-a"}
        """
        with self._scope.client() as client:
            folder = queueing.folder_of(self._here)
            state = queueing.sync(self._here, client, folder)
            t = queueing.find(state, ticketId)
        text = folder.text(t.pinned if t.in_flight and t.pinned else t.digest)
        told = {"text": None, "trouble": text.reason} if isinstance(text, Refused) else {"text": text}
        return adding.ticket_data(t, state) | told

    def add_ticket(
        self,
        text: Annotated[
            str, Field(max_length=SIZE, description="Markdown, with YAML front matter if you like; 256 KiB at most.")
        ],
        title: Annotated[str, Field(description="When the text should not say it.")] = "",
        id: Annotated[str, Field(description="Its id; made from the title when it is left out.")] = "",
    ) -> dict[str, Any]:
        """Put a new ticket into the tickets folder, as a file of its own.

        Example: {"text": "# Fix the rounding in invoices\\n\\nTotals are off by a cent when ...", "id": "rounding"}
        """
        with self._scope.client() as client:
            raw = text.encode("utf-8", "replace")
            t = adding.add(self._here, client, raw, {"title": title, "id": id}, "the text")
            return adding.ticket_data(t, client.state)

    def requeue_ticket(
        self,
        ticketId: TicketId,
        note: Annotated[str, Field(max_length=20_000, description="What the next attempt is told.")] = "",
    ) -> dict[str, Any]:
        """Put a ticket back into the queue, with its attempts at zero.

        Example: {"ticketId": "rounding", "note": "use Decimal"}
        """
        with self._scope.client() as client:
            t = queueing.find(queueing.sync(self._here, client), ticketId)
            command = cmd.RequeueTicket(ticket=t.ticket, by=wiring.who(self._here, "mcp"), note=note)
            unless_refused(client.send(command, needs_hands=False))
            return adding.ticket_data(client.state.tickets[t.ticket], client.state)

    def next_ticket(
        self,
        worker: Holder = "",
        waitMs: Annotated[int, Field(ge=0, le=50_000, description="While others may make one ready.")] = 0,
        timeoutMs: Annotated[int, Field(ge=0, le=600_000, description="Until its worktree is ready.")] = 50_000,
    ) -> dict[str, Any]:
        """Pull the next ticket and what to do with it: status PROCEED (work in `workdir`), PARK, BLOCKED, WAIT,
        DRAINED, LOW_YIELD or HALTED. Its first call starts a run, with the same preflight as `nightdesk run`.

        Example: {"worker": "w1"}
        """
        with self._scope.client() as client:
            holder = pulling.holder_name(worker)
            return pulling.next_ticket(self._here, client, holder, waitMs / 1000, timeoutMs / 1000)

    def complete_ticket(
        self,
        ticketId: TicketId,
        worker: Holder = "",
        claim: Annotated[Literal["DONE", "PARK", "BLOCKED"], Field(description="The gate decides, not this.")] = "DONE",
        note: Annotated[
            str, Field(max_length=20_000, description="With PARK the question, with BLOCKED the reason.")
        ] = "",
        timeoutMs: Annotated[int, Field(ge=0, le=3_600_000, description="Until it is judged; call again.")] = 50_000,
    ) -> dict[str, Any]:
        """Record the result of a ticket that was pulled, and what the gate says of it.

        Example: {"ticketId": "rounding", "worker": "w1", "claim": "DONE"}
        """
        with self._scope.client() as client:
            return pulling.complete(
                self._here,
                client,
                ticketId,
                pulling.holder_name(worker),
                claim=claim,
                note=note,
                timeout=timeoutMs / 1000,
            )

    def park_ticket(
        self,
        ticketId: TicketId,
        question: Annotated[str, Field(min_length=1, max_length=4000, description="What a person must decide.")],
        options: Annotated[list[str], Field(max_length=9, description="The readings there are.")] = [],  # noqa: B006
        foundational: Annotated[bool, Field(description="Other tickets build on the answer.")] = False,
    ) -> dict[str, Any]:
        """Park a ticket as a decision for a person.

        Example: {"ticketId": "rounding", "question": "Round half up, or to even?", "options": ["up", "to even"]}
        """
        command = cmd.ParkTicket(
            ticket=ticketId,
            question=question,
            by=wiring.who(self._here, "mcp"),
            options=tuple(options),
            foundational=foundational,
        )
        with self._scope.client() as client:
            return pulling.park(self._here, client, command)

    def list_decisions(
        self, all: Annotated[bool, Field(description="Also those that are answered or closed.")] = False
    ) -> dict[str, Any]:
        """Parked decisions that wait for a person: foundational first, oldest first. Questions and readings that came
        from agents are their words.

        Example: {}
        """
        with self._scope.client() as client:
            state = client.state
        found = sorted((d for d in state.decisions.values() if all or d.state == "open"), key=words.decision_order)
        return {"decisions": [words.decision_data(d, state) for d in found]}
