"""Chains as trees: a root with its reviews and repairs, where each stands and what comes next. Pure; decides nothing,
and whatever came from outside is cleaned here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from console.core import queue, queue_flags
from console.core.commits import Plan, short
from console.core.records_chains import Review
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.present import chainnext, queueing
from console.present.glyphs import Sign, sign
from console.present.text import clean

VERDICTS: Mapping[str, Sign] = {
    "SHIP": Sign("✓", "+", "SHIP", "go"),
    "BLOCK": Sign("✕", "x", "BLOCK", "needs"),
    "": Sign("!", "!", "no verdict", "needs"),
}
"""How a review that has ended looks."""
READY = Sign("◐", "%", "ready", "needs")
ESCALATED, SHIPPED, ASKS = chainnext.ESCALATED, chainnext.SHIPPED, chainnext.ASKS
GOING, OVER = chainnext.GOING, chainnext.OVER
NEXT, YOURS = Sign("→", ">", "next", "quiet"), Sign("◐", "%", "you", "needs")


@dataclass(frozen=True, slots=True)
class Member:
    """One line of a tree; its words are clean. ticket: its id. said: the gist of where it stands. since: Unix seconds.
    session, plan: what of it can be opened, "" for nothing."""

    ticket: str
    name: str
    mark: Sign
    who: str
    said: str
    since: float
    session: str = ""
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """members: of the present round, oldest first. earlier: how many there were before a person sent the root back.
    turn: YOURS or NEXT, with `then`: what a person has to do, or what happens by itself; "" when it is over."""

    root: Member
    members: tuple[Member, ...]
    rank: int
    turn: Sign
    then: str
    earlier: int = 0


def chains(state: State) -> list[Chain]:
    """Escalated ones first, then those that are ready for a person, what goes on, and what is over, latest first."""
    found = [
        _chain(state, state.tickets[root], members)
        for root, members in _families(state.tickets.values()).items()
        if root in state.tickets
    ]
    return sorted(found, key=lambda c: (c.rank, -c.root.since if c.rank == OVER else c.root.since))


def _families(tickets: Iterable[Ticket]) -> dict[str, list[Ticket]]:
    found: dict[str, list[Ticket]] = {}
    for t in tickets:
        if t.link:
            found.setdefault(t.link.root, []).append(t)
        elif t.shipped or t.escalated:
            found.setdefault(t.ticket, [])
    return found


def chain_of(state: State, ticket: str) -> Chain | None:
    """The chain that this root, review or repair belongs to."""
    t = state.tickets.get(ticket)
    if t is None:
        return None
    root = state.tickets.get(t.link.root) if t.link else t
    members = _families(state.tickets.values()).get(root.ticket) if root else None
    return _chain(state, root, members) if root and members is not None else None


def counts(found: Sequence[Chain]) -> dict[str, int]:
    """How many stand where, in words; only what there is."""
    names = {ESCALATED: "escalated", SHIPPED: "ready", ASKS: "waiting", GOING: "under way", OVER: "over"}
    tally = {word: sum(c.rank == rank for c in found) for rank, word in names.items()}
    return {word: count for word, count in tally.items() if count}


# -- one chain -------------------------------------------------------------------------------------------


def _chain(state: State, root: Ticket, members: Sequence[Ticket]) -> Chain:
    now = sorted((t for t in members if t.link and t.link.round == root.rounds), key=lambda t: t.order)
    plan = head(state, root, now)
    rank, then = chainnext.follows(state, root, now, plan)
    mark = _root_mark(state, root, now, plan, rank)
    changed = max([root.since, *(t.since for t in now)])
    top = Member(
        ticket=root.ticket,
        name=f"{clean(root.ticket, limit=60)} {queueing.ticket_title(root)}",
        mark=mark,
        who=_who(state, root),
        said=clean(root.escalated, limit=300) if rank == ESCALATED else "",
        since=plan.changed_at if plan and rank == OVER else changed,
        session=root.session if root.session in state.sessions else "",
        plan=plan.plan if plan else "",
    )
    turn = YOURS if rank in (ESCALATED, SHIPPED, ASKS) else NEXT
    return Chain(top, tuple(_member(state, t) for t in now), rank, turn, then, len(members) - len(now))


def head(state: State, root: Ticket, members: Sequence[Ticket]) -> Plan | None:
    """The plan that the chain is about now: of its latest repair that made one, else of the root."""
    repairs = [t.plan for t in members if t.link and t.link.kind == "repair" and t.plan]
    plan = next((state.plans[name] for name in reversed([root.plan, *repairs]) if name in state.plans), None)
    seen: set[str] = set()
    while plan and plan.state == "superseded" and plan.successor in state.plans and plan.plan not in seen:
        seen.add(plan.plan)  # frozen anew on a branch that moved
        plan = state.plans[plan.successor]
    return plan


def _root_mark(state: State, root: Ticket, members: Sequence[Ticket], plan: Plan | None, rank: int) -> Sign:
    if rank in (ESCALATED, SHIPPED):
        return sign("escalated") if rank == ESCALATED else READY
    if root.phase == "ended" and plan and plan.state != "waiting":
        return sign(plan.state)
    if root.phase != "ended" or plan is None:
        return queueing.ticket_sign(root, state)
    link = members[-1].link if members else None
    return Sign("●", "*", f"in {link.kind if link else 'review'}", "go")


# -- one member ------------------------------------------------------------------------------------------


def _who(state: State, t: Ticket) -> str:
    s = state.sessions.get(t.session)
    return clean((s.preset if s else "") or t.spec.agent, limit=40)


def _member(state: State, t: Ticket) -> Member:
    assert t.link
    mark, said = _stands(state, t)
    return Member(
        ticket=t.ticket,
        name=chainnext.name(t),
        mark=mark,
        who=_who(state, t),
        said=said,
        since=t.since,
        session=t.session if t.session in state.sessions else "",
        plan=t.link.head if t.link.kind == "review" else t.plan,
    )


def _stands(state: State, t: Ticket) -> tuple[Sign, str]:
    usual, why = queueing.ticket_sign(t, state), queueing.why(t, state)
    if (t.phase == "queued" or queue.taken_again(t)) and not open_run(state):
        why = "waits for a run"
    if t.phase == "dropped":
        return Sign(usual.glyph, usual.ascii, "withdrawn", "quiet"), clean(t.why, limit=300)
    if t.phase != "ended":
        at = f"in {t.session}" if t.in_flight and t.session else ""
        return usual, at or why
    if t.link and t.link.kind == "review" and t.review:
        return VERDICTS[t.review.verdict], first_line(t.review)
    return usual, f"plan {short(t.plan)}" if t.plan else why


def first_line(review: Review) -> str:
    """The first words of its findings, else what we say of it."""
    lines = (line.strip() for line in review.findings.split("\n"))
    said = next((line for line in lines if line), "") if review.verdict != "SHIP" else ""
    return clean(said or review.why, limit=200)


# -- a plan and its reviews ------------------------------------------------------------------------------


def members_at(state: State) -> dict[str, Ticket]:
    """Plan -> the review or repair of it that is queued or under way."""
    return {t.link.head: t for t in state.tickets.values() if t.link and (t.in_flight or t.phase == "queued")}


def review_word(p: Plan, at: Ticket | None) -> str:
    """What reviewers say of exactly this plan and what is done about it (`BLOCK: a repair is under way in s-7`, `SHIP
    by codex`); "" when nobody has looked and nobody does. at: of it in `members_at`."""
    last = p.reviews[-1] if p.reviews else None
    said = (last.verdict or "no verdict") if last else ""
    if at and at.link and p.state == "waiting":
        how = f"is under way in {at.session}" if at.in_flight and at.session else "is queued"
        return f"{said}{': ' if said else ''}a {at.link.kind} {how}"
    by = f" by {clean(last.preset, limit=40)}" if last and last.preset else ""
    return f"{said}{by}" if said else ""


def beside_review(p: Plan, review: str, doubts: Sequence[str]) -> list[str]:
    """What a row says of a plan: its reviewers' word, then the doubts, what that word says already left out. review:
    its `review_word`."""
    if not review.startswith("BLOCK"):
        return [review, *doubts]
    again = next((d.removeprefix(SAID_AGAIN) for d in doubts if d.startswith(SAID_AGAIN)), "")
    return [f"{review}, {again}" if again else review, *(d for d in doubts if not told_by_review(p, d))]


SAID_AGAIN = "its review said BLOCK, "
"""How the reason begins why a chain ended with one BLOCK too many."""


def told_by_review(p: Plan, doubt: str) -> bool:
    """Whether a doubt says nothing but that the last review, which is told with its gist, blocked this plan."""
    blocked = bool(p.reviews) and p.reviews[-1].verdict == "BLOCK"
    return blocked and (doubt == queue_flags.BLOCKED or doubt.startswith(SAID_AGAIN))


def review_warnings(p: Plan, at: Ticket | None) -> list[str]:
    """For the head of a plan: what is under way, and every review with its gist, what is the same once."""
    going = [f"! {review_word(p, at)}"] if at and p.state == "waiting" else []
    return list(dict.fromkeys((*going, *(f"{_MARKS[r.verdict]} {review_line(r)}" for r in reversed(p.reviews)))))


_MARKS = {"SHIP": "-", "BLOCK": "!!", "": "!"}


def review_line(r: Review) -> str:
    """`review by codex: BLOCK, slugs lose their dashes`."""
    by = f" by {clean(r.preset, limit=40)}" if r.preset else ""
    return f"review{by}: {r.verdict or 'no verdict'}, {first_line(r)}"


def review_lines(p: Plan) -> list[str]:
    """Every review with all of its findings, latest first."""
    lines: list[str] = []
    for r in reversed(p.reviews):
        lines += finding_lines(r)
    return lines


FINDINGS = 400
"""Lines of one review's findings that are shown; the transcript of its session has the rest."""


def finding_lines(r: Review) -> list[str]:
    """One review in full: what we say of it, then its own words, raw: whoever draws them folds and cleans them."""
    by = f" by {clean(r.preset, limit=40)}" if r.preset else ""
    where = f" ({r.session})" if r.session else ""
    own = r.findings.strip("\n").split("\n") if r.findings.strip() else ["(it found nothing to say)"]
    left = len(own) - FINDINGS
    more = [f"  ... {left} more lines; its session has them"] if left > 0 else []
    head = f"review{by}{where}: {r.verdict or 'no verdict'} for {short(r.commit)}: {clean(r.why, limit=400)}"
    return [head, *(f"  {line[:4000]}" for line in own[:FINDINGS]), *more, ""]
