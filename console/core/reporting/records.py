"""The morning report as data: what it says, in the order in which it says it. No behaviour."""

from __future__ import annotations

from typing import Literal

from console.core.events import RestartCause, RunStatus
from console.core.records import Outcome, Record
from console.core.records_chains import LinkKind
from console.core.reporting.actions import Action
from console.core.timeline import Night

Section = Literal["decide", "look", "blocked", "failed", "under-way", "done", "since", "not-started"]
"""In the order of the report. since: it has moved on after the run had ended it (answered, requeued, dropped, or landed
by a person although it was in doubt)."""

SECTIONS: tuple[Section, ...] = ("decide", "look", "blocked", "failed", "under-way", "done", "since", "not-started")

Reason = Literal["not reached", "over the cap", "held", "waits", "quarantined", "unknown dependency", "put aside"]
"""Why a ticket was not started. put aside: it had ended before the run, or a person had dropped it."""


ChainWord = Literal[
    "SHIP", "BLOCK", "unreadable", "repaired", "unused", "changed nothing",
    "failed", "parked", "blocked", "under way", "queued", "withdrawn",
]  # fmt: skip
"""How a review (the first three) or a repair (the next three) stands, or either. unreadable: its reviewer ended, and no
verdict could be read. unused: somebody had decided about the plan before it was repaired."""
ChainEnd = Literal["shipped", "escalated", ""]


class Said(Record, frozen=True, kw_only=True):
    """One fact of an item. name: our own words. text: as it came, neither cleaned nor cut. agent: it is in an agent's
    own words, to be quoted."""

    name: str
    text: str
    agent: bool = False


class ChainMember(Record, frozen=True, kw_only=True):
    """One review or repair of a ticket. head: the plan that it is about; plan: the one that a repair made. round: how
    often a person had sent its ticket back before. why: in our words."""

    ticket: str
    kind: LinkKind
    cycle: int
    round: int
    head: str
    word: ChainWord
    outcome: Outcome | None = None
    preset: str = ""
    why: str = ""
    plan: str = ""
    decision: str = ""


class ChainSums(Record, frozen=True, kw_only=True):
    """Reviews and repairs of a run by how they stand; none of them is in the tally. Of the tickets that they are about,
    as far as their plan still waits: shipped: the reviewer said SHIP; escalated: it goes no further by itself."""

    reviews: dict[ChainWord, int]
    repairs: dict[ChainWord, int]
    shipped: tuple[str, ...] = ()
    escalated: tuple[str, ...] = ()


class Item(Record, frozen=True, kw_only=True):
    """One thing of the report. about: what it is of (ticket, alert, plan, routine, channel) and its id. outcome: how
    the ticket ended in this run, None when it did not. since: Unix seconds. seconds: from its first claim in the run to
    its end there. until: Unix seconds, to when it waits for the end of a usage limit, or a routine for an answer.
    chain: what its reviews and repairs came to, as far as that waits for a person; members: these, oldest first."""

    section: Section
    kind: Literal["ticket", "decision", "alert", "plan", "routine", "channel"]
    about: str
    title: str
    outcome: Outcome | None = None
    word: str = ""
    since: float = 0.0
    seconds: float = 0.0
    attempts: int = 0
    nudges: int = 0
    reason: Reason | None = None
    foundational: bool = False
    decision: str = ""
    plan: str = ""
    until: float = 0.0
    facts: tuple[Said, ...] = ()
    actions: tuple[Action, ...] = ()
    chain: ChainEnd = ""
    members: tuple[ChainMember, ...] = ()


class Tally(Record, frozen=True, kw_only=True):
    """Of tickets that have a file; reviews and repairs have their own sums. Two sums that add up:
    `claimed + unclaimed` = the outcomes + under_way + put_back; and `total` = those + the not started.

    outcomes: all seven, also those with none. unclaimed: ended in the run without being worked on. put_back: were
    begun, and are in the queue again without an outcome. problems: files that are no tickets (not part of the total).
    """

    total: int
    claimed: int
    unclaimed: int
    outcomes: dict[Outcome, int]
    under_way: int
    put_back: int
    not_started: dict[Reason, int]
    problems: int = 0

    @property
    def met(self) -> int:
        """Tickets that the run dealt with."""
        return self.claimed + self.unclaimed

    @property
    def done(self) -> int:
        return self.outcomes["DONE"] + self.outcomes["DONE_LOW_CONFIDENCE"]

    @property
    def wanted(self) -> int:
        """Tickets that the run was there for."""
        return self.total - self.not_started.get("put aside", 0)


class BlindSpot(Record, frozen=True, kw_only=True):
    """Something that nobody watched, or a guarantee that was weaker than it could be. what: one of our own words. cure:
    "" when there is none."""

    what: str
    text: str
    cure: str = ""


class Restarted(Record, frozen=True, kw_only=True):
    """What broke off in one session and was started again, or given up. about: its ticket, else its session. causes: of
    each time, in order; times: Unix seconds of each restart. why, evidence: of the last time, neither cleaned nor cut.
    given_up: why it was not started once more, "" when it was."""

    session: str
    about: str
    causes: tuple[RestartCause, ...] = ()
    times: tuple[float, ...] = ()
    why: str = ""
    evidence: str = ""
    given_up: str = ""


class Left(Record, frozen=True, kw_only=True):
    """A process that had to be ended after its agent, or could not be (stuck). text: command, with port and age where
    they are known, neither cleaned nor cut."""

    session: str
    about: str
    text: str
    stuck: bool = False


Standing = Literal["together", "disk", "memory", "descriptors", "away", "takeover"]
"""together: so many agents were silent at once that none was ended. away: the supervisor itself stood still. takeover:
another supervisor went on."""


class Standstill(Record, frozen=True, kw_only=True):
    """A time in which nothing new was started, or nobody watched. at, until: Unix seconds (until 0: it still lasts)."""

    what: Standing
    at: float
    until: float = 0.0
    text: str = ""


class Merge(Record, frozen=True, kw_only=True):
    """One merge command. ready: its work has landed; otherwise it can be run once `plan` is approved. brings: other
    branches whose work this one holds, so that they need no merge of their own."""

    ticket: str
    branch: str
    commit: str
    command: str
    ready: bool
    plan: str
    brings: tuple[str, ...] = ()


class Spent(Record, frozen=True, kw_only=True):
    """seconds: from GO to the end (or to now). turns: that have begun. uncosted: those that did not say what they cost;
    of a run that is over also those that broke off."""

    seconds: float
    attempts: int
    retries: int
    nudges: int
    turns: int
    cost_usd: float
    uncosted: int


class Report(Record, frozen=True, kw_only=True):
    """A run, as the log tells it at `as_of`. status: None while it is under way. loud: most of the work is not done, or
    the run did not end by itself. headline: one sentence. bases: commits that the work starts from, with their place.
    restarted, left, standstills: what hung, what outlived its agent, and when the night stood still. chains: None when
    no review or repair was called for. night: who ran when, and what it cost over time; None where the log
    was not read.
    """

    run: str
    as_of: float
    started_at: float
    ended_at: float
    state: str
    status: RunStatus | None
    why: str
    headline: str
    loud: bool
    by: str
    attended: bool
    pull: bool
    digest: str
    caps: tuple[str, ...]
    supervisor: str
    sandbox: str
    bases: tuple[str, ...]
    spent: Spent
    tally: Tally
    items: tuple[Item, ...]
    blind: tuple[BlindSpot, ...]
    merges: tuple[Merge, ...]
    restarted: tuple[Restarted, ...] = ()
    left: tuple[Left, ...] = ()
    standstills: tuple[Standstill, ...] = ()
    chains: ChainSums | None = None
    night: Night | None = None

    def section(self, name: Section) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.section == name)
