"""The next step of a chain: review, repair, SHIP, or a person. Pure, on cards; knows neither the state nor the log.

The same cards and limits give the same decisions, whichever card is asked first. Nothing here approves or lands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Literal

from console.core.records import Record
from console.core.records_chains import Link, LinkKind, ReviewLimits, Verdict

Kind = Literal["work", "review", "repair"]
Stage = Literal["queued", "busy", "ended", "dropped", "gone"]
"""queued: or about to be queued again by itself. busy: under way. gone: its file is not there."""
Standing = Literal["", "waits", "moving", "gone"]
"""Of a plan: waits for a person; moving: a key was pressed, and git may still say no. "": there is none."""
Fired = Literal["review", "repair", "ship", "escalate"]
HIGH_RISK = 3
WHY_KEPT = 300
"""Characters of why a member came to nothing that its withdrawal repeats."""


class Card(Record, frozen=True, kw_only=True):
    """All of a ticket that decides. root: itself for work. at: log position, the older first: of the plan of work, of
    the beginning of a review or repair. ok: it ended well (DONE, however flagged). head: the plan that a review or
    repair is about; made: the plan that work or a repair ended with; each with its policy and how it stands. fired:
    what has happened once already about `commit`. escalated: its chain goes no further in this round. wanted: the
    ticket's own `review`. preset: who worked on it. why: of its end, for people."""

    ticket: str
    kind: Kind
    root: str
    at: int
    stage: Stage
    ok: bool = False
    round: int = 0
    cycle: int = 0
    head: str = ""
    head_policy: str = ""
    head_stands: Standing = ""
    made: str = ""
    made_policy: str = ""
    made_stands: Standing = ""
    level: int = 0
    wanted: bool | None = None
    verdict: Verdict = ""
    reviewed: str = ""
    fired: tuple[Fired, ...] = ()
    escalated: bool = False
    preset: str = ""
    why: str = ""

    @property
    def commit(self) -> str:
        """The candidate that its next step is about."""
        return self.made or self.head

    @property
    def stands(self) -> Standing:
        return self.made_stands if self.made else self.head_stands


class Nothing(Record, frozen=True, kw_only=True, tag="nothing"):
    """why: for people, where there is something to wait for."""

    why: str = ""


class Spawn(Record, frozen=True, kw_only=True, tag="spawn"):
    """A review or repair begins, as this ticket. preset: who does it, "" for the run's."""

    ticket: str
    link: Link
    preset: str
    key: str
    why: str


class Ship(Record, frozen=True, kw_only=True, tag="ship"):
    """The plan is ready for a person."""

    root: str
    ticket: str
    plan: str
    key: str


class Escalate(Record, frozen=True, kw_only=True, tag="escalate"):
    """Only a person can bring it further."""

    root: str
    ticket: str
    plan: str
    key: str
    why: str


class Withdraw(Record, frozen=True, kw_only=True, tag="withdraw"):
    """A member is about nothing any more that has not begun, or that came to nothing and would wait for a person."""

    ticket: str
    why: str


Decision = Nothing | Spawn | Ship | Escalate | Withdraw


def plan(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
    """The one next step that this card calls for; cards: the whole board, itself included."""
    if card.kind == "work":
        return _worked(card, cards, limits)
    if why := _stale(card, cards):
        return _withdrawn(card, why)
    if card.stage in ("queued", "busy"):
        return Nothing(why="under way")
    if card.stands != "waits":
        return Nothing(why="its plan is being landed or taken back")
    return _reviewed(card, cards, limits) if card.kind == "review" else _repaired(card, cards, limits)


def _withdrawn(card: Card, why: str) -> Decision:
    if card.stage == "ended" and not card.ok:
        return Withdraw(ticket=card.ticket, why=f"{why}; it had come to nothing: {card.why[:WHY_KEPT]}".rstrip(": "))
    return Withdraw(ticket=card.ticket, why=why) if card.stage == "queued" else Nothing(why=why)


def wanted(own: bool | None, level: int, limits: ReviewLimits) -> bool:
    """Whether work is to be reviewed; own: what its ticket says."""
    if own is not None:
        return own
    return limits.when == "always" or (limits.when == "high_risk" and level >= HIGH_RISK)


def key(kind: Fired, root: str, commit: str) -> str:
    """What may happen once."""
    return f"{kind}:{root}:{commit}"


def name(kind: LinkKind, root: str, cycle: int, round: int) -> str:
    """The id of a member. A plus is in no id of a ticket that has a file."""
    return f"{root}+{kind}-{cycle}" + (f".{round}" if round else "")


# -- each kind of card -----------------------------------------------------------------------------------


def _worked(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
    if not _calls(card, cards, limits):
        return Nothing()
    if limits.max_cycles < 1 or _next_cycle(card, cards) > limits.max_cycles:
        return _escalate(card, f"no further review of it is left ({limits.max_cycles} a chain)")
    if not _has_room(card, cards, limits):
        return Nothing(why=f"{limits.max_chains} chains are under way, the most at once")
    return _review(card, cards, limits, f"{card.ticket} has ended and wants a review")


def _has_room(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> bool:
    """Whether its chain may begin beside those under way, and those of older work that begin before it."""
    under_way = _under_way(cards)
    free = limits.max_chains - len(under_way)
    if card.root in under_way or free <= 0:
        return card.root in under_way
    older = (c for c in cards if c.kind == "work" and c.at < card.at and c.root not in under_way)
    before = islice((c for c in older if _calls(c, cards, limits)), free)
    return sum(1 for _ in before) < free


def _calls(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> bool:
    """Whether work waits for its first review."""
    finished = card.stage == "ended" and card.ok and bool(card.made) and card.stands == "waits" and not card.escalated
    return finished and wanted(card.wanted, card.level, limits) and not _asked(card, "review", cards)


def _reviewed(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
    read = card.verdict if card.ok and card.stage == "ended" and card.reviewed == card.head else ""
    if read == "SHIP":
        if "ship" in card.fired:
            return Nothing(why="ready for a person")
        return Ship(root=card.root, ticket=card.ticket, plan=card.head, key=key("ship", card.root, card.head))
    if card.escalated:
        return Nothing(why="a person decides")
    if read == "BLOCK":
        if _asked(card, "repair", cards):
            return Nothing(why="it is being repaired")
        if card.cycle < limits.max_cycles:
            return _repair(card, cards, limits)
        return _escalate(card, f"its review said BLOCK, for the {_nth(card.cycle)} time of {limits.max_cycles}")
    if card.stage == "dropped":
        return _escalate(card, f"no review of it could be read: {card.ticket} was dropped")
    return _escalate(card, f"no review of it could be read: {card.why or 'nobody knows why'}")


def _repaired(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
    if card.escalated:
        return Nothing(why="a person decides")
    if not (card.stage == "ended" and card.ok and card.made and card.made != card.head):
        return _escalate(card, f"its repair came to nothing: {_end(card)}")
    if _asked(card, "review", cards):
        return Nothing(why="it is being reviewed")
    if _next_cycle(card, cards) > limits.max_cycles:
        return _escalate(card, f"it is repaired, but no further review is left ({limits.max_cycles} a chain)")
    return _review(card, cards, limits, f"{card.ticket} has repaired it")


def _end(card: Card) -> str:
    if card.stage == "dropped":
        return f"{card.ticket} was dropped"
    return card.why or ("it made no other plan" if card.ok else "nobody knows why")


# -- what they have in common ----------------------------------------------------------------------------


def _review(card: Card, cards: Sequence[Card], limits: ReviewLimits, why: str) -> Spawn:
    return _spawn("review", card, _next_cycle(card, cards), _reviewer(card, cards, limits), why)


def _repair(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Spawn:
    preset = limits.repairer or _startable(_maker(card, cards), limits)
    return _spawn("repair", card, card.cycle, preset, f"{card.ticket} said BLOCK")


def _spawn(kind: LinkKind, card: Card, cycle: int, preset: str, why: str) -> Spawn:
    policy = card.made_policy if card.made else card.head_policy
    link = Link(
        kind=kind,
        root=card.root,
        head=card.commit,
        policy=policy,
        after=card.ticket,
        cycle=cycle,
        round=card.round,
    )
    ticket = name(kind, card.root, cycle, card.round)
    return Spawn(ticket=ticket, link=link, preset=preset, key=key(kind, card.root, card.commit), why=why)


def _escalate(card: Card, why: str) -> Decision:
    if card.escalated or "escalate" in card.fired:
        return Nothing(why="a person decides")
    return Escalate(
        root=card.root, ticket=card.ticket, plan=card.commit, key=key("escalate", card.root, card.commit), why=why
    )


def _asked(card: Card, kind: LinkKind, cards: Iterable[Card]) -> bool:
    """Whether such a member was begun about its candidate already, as far as the ledger or the board knows."""
    return kind in card.fired or any((c.kind, c.root, c.head) == (kind, card.root, card.commit) for c in cards)


def _stale(card: Card, cards: Iterable[Card]) -> str:
    """Why a member is about nothing any more, "" when it still is."""
    root = next(c for c in cards if c.kind == "work" and c.ticket == card.root)
    if root.stage in ("dropped", "gone"):
        return f"{root.ticket} was dropped" if root.stage == "dropped" else f"the file of {root.ticket} is gone"
    if root.round != card.round:
        return f"{root.ticket} was sent back to the queue"
    return "the plan that it is about waits for nobody any more" if card.stands == "gone" else ""


def _members(root: Card, cards: Iterable[Card]) -> list[Card]:
    """Of the chain of this round, the oldest first."""
    return sorted(
        (c for c in cards if c.kind != "work" and (c.root, c.round) == (root.root, root.round)), key=lambda c: c.at
    )


def _under_way(cards: Sequence[Card]) -> set[str]:
    """Roots whose chain has begun and is neither shipped nor escalated nor over."""
    roots = {c.ticket: c for c in cards if c.kind == "work" and c.stage not in ("dropped", "gone") and not c.escalated}
    latest: dict[str, Card] = {}
    for c in sorted(cards, key=lambda c: c.at):
        if c.kind != "work" and c.root in roots and c.round == roots[c.root].round:
            latest[c.root] = c
    return {root for root, c in latest.items() if c.stands != "gone" and "ship" not in c.fired}


def _next_cycle(card: Card, cards: Iterable[Card]) -> int:
    return 1 + max((c.cycle for c in _members(card, cards) if c.kind == "review"), default=0)


def _maker(card: Card, cards: Iterable[Card]) -> str:
    """Who made the plan that a review is about."""
    return next((c.preset for c in cards if c.kind != "review" and c.root == card.root and c.made == card.head), "")


def _reviewer(card: Card, cards: Iterable[Card], limits: ReviewLimits) -> str:
    """Another preset than those at work before, else another than this plan's, else the same in a new session."""
    if limits.reviewer:
        return limits.reviewer
    known = sorted(limits.presets)
    workers = {c.preset for c in cards if c.kind != "review" and (c.root, c.round) == (card.root, card.round)}
    others = [p for p in known if p not in workers] or [p for p in known if p != card.preset]
    return next(iter(others), _startable(card.preset, limits))


def _startable(preset: str, limits: ReviewLimits) -> str:
    """A preset that did the work, "" (the run's) when it is none of ours: a worker that pulled its ticket."""
    return preset if preset in limits.presets or not limits.presets else ""


def _nth(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
