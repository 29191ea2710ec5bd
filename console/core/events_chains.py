"""Facts about reviews, repairs and judges."""

from __future__ import annotations

from console.core.event import Event
from console.core.records import TicketSpec, Who
from console.core.records_chains import Link, Review, ReviewLimits


class ChainsSwitched(Event, frozen=True, kw_only=True, tag="chain:switched"):
    """Whether finished tickets get reviews and repairs by themselves (DESIGN.md, ruling 19)."""

    on: bool
    by: Who


class ChainLimitsRead(Event, frozen=True, kw_only=True, tag="chain:limits"):
    """`review` of the settings is another than it was. Decisions of chains go by the last one of these."""

    limits: ReviewLimits


class ChainSpawned(Event, frozen=True, kw_only=True, tag="chain:spawned"):
    """A review or repair joins the queue as a ticket without a file. key: what may happen once: its kind, root and
    commit. why: what called for it."""

    ticket: str
    link: Link
    spec: TicketSpec
    key: str
    why: str


class ChainShipped(Event, frozen=True, kw_only=True, tag="chain:shipped"):
    """The review of exactly this plan said SHIP: it is ready for a person. Nothing lands by it."""

    root: str
    ticket: str
    plan: str
    key: str


class ChainEscalated(Event, frozen=True, kw_only=True, tag="chain:escalated"):
    """The chain goes no further by itself; its plan waits for a person, with what was found. ticket: the member that
    it ended at."""

    root: str
    ticket: str
    plan: str
    why: str
    key: str


class ChainTrouble(Event, frozen=True, kw_only=True, tag="chain:trouble"):
    """A fault of ours while the next step of this ticket's chain was decided; the other chains went on."""

    ticket: str
    error: str


class ReviewJudged(Event, frozen=True, kw_only=True, tag="review:judged"):
    """What the reviewer of `ticket` said in this attempt."""

    ticket: str
    attempt: int
    review: Review


class JudgeStarted(Event, frozen=True, kw_only=True, tag="judge:started"):
    """An agent judges the work of a policy. session: the name of its transcript and output; pid, start_time: of it
    (clock ticks)."""

    policy: str
    attempt: int
    session: str
    preset: str
    pid: int = 0
    start_time: int = 0


class JudgeEnded(Event, frozen=True, kw_only=True, tag="judge:ended"):
    """It is gone, and everything that it started. leftovers: what had to be ended after it."""

    policy: str
    attempt: int
    session: str
    how: str = ""
    leftovers: tuple[str, ...] = ()
