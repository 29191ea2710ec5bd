"""The board in rows and lines: trees of chains, routines, and everything about one of them. Pure; `board` has the
trees. Findings come out raw, because what draws them folds and cleans them."""

from __future__ import annotations

from collections.abc import Sequence

from console.core.commits import short
from console.core.records_chains import ReviewLimits
from console.core.routines import Routine
from console.core.state import State
from console.core.tickets import Ticket
from console.present import board, landings
from console.present.ages import age, clock
from console.present.board import Chain, Member
from console.present.routinewords import routine_gist, routine_lines, routine_name, routine_order, routine_sign
from console.present.rows import Cell, Rows
from console.present.text import clean

# -- chains ----------------------------------------------------------------------------------------------


def chain_rows(found: Sequence[Chain], now: float) -> Rows:
    """Keys `chain:<ticket>` and `next:<root>`. Cells: glyph, word, the tree, age."""
    rows: list[tuple[str, Sequence[Cell]]] = []
    for c in found:
        said = f": {c.root.said}" if c.root.said else ""
        rows.append((f"chain:{c.root.ticket}", _cells(c.root, f"{c.root.name}{said}", now)))
        below = [(f"chain:{m.ticket}", m) for m in c.members]
        for i, (key, m) in enumerate(below):
            limb = "└" if i == len(below) - 1 and not c.then else "├"
            rows.append((key, _cells(m, f"{limb} {_told(m)}", now)))
        if c.then:
            rows.append((f"next:{c.root.ticket}", _then(c)))
    return Rows(tuple(key for key, _ in rows), lambda i: rows[i][1])


def _cells(m: Member, text: str, now: float) -> tuple[Cell, ...]:
    return (
        (m.mark.glyph, m.mark.tone),
        (m.mark.word, m.mark.tone),
        (text, "strong" if text.startswith(m.name) else "plain"),
        (age(now - m.since), "quiet"),
    )


def _told(m: Member) -> str:
    return " · ".join(part for part in (m.name, m.who, m.said) if part)


def _then(c: Chain) -> tuple[Cell, ...]:
    return (c.turn.glyph, c.turn.tone), (c.turn.word, c.turn.tone), (f"└ {c.then}", c.turn.tone), ("", "quiet")


def limit_words(state: State) -> str:
    """`reviews of high risk, at most 5 a chain`."""
    return f"reviews {WHEN[state.review_limits.when]}, at most {state.review_limits.max_cycles} a chain"


WHEN = {"never": "only where a ticket asks", "high_risk": "of high risk", "always": "of everything"}


def switch_lines(state: State, on: bool) -> list[str]:
    """What switching them does, before it is done."""
    if not on:
        return ["No review and no repair is begun from here on; those under way finish.", "No plan changes by it."]
    limits: ReviewLimits = state.review_limits
    whom = {
        "never": "A finished ticket that says `review: true` gets a review",
        "high_risk": "Finished work of high risk (level 3, or `review: true`) gets a review",
        "always": "All finished work gets a review",
    }[limits.when]
    reviewer, repairer = limits.reviewer or "another preset than its own", limits.repairer or "the one that did it"
    return [
        f"{whom} by {clean(reviewer, limit=60)}; what it blocks gets a repair by {clean(repairer, limit=60)}.",
        f"At most {limits.max_cycles} reviews a chain, {limits.max_chains} chains at once; each costs an agent's turn.",
        "Nothing is ever approved, merged or landed by it.",
    ]


def member_lines(state: State, t: Ticket, c: Chain) -> list[str]:
    """Everything about one root, review or repair: what comes next and what was found before all else."""
    m = next((m for m in c.members if m.ticket == t.ticket), c.root)
    lines = [f"{c.turn.word:9} {c.then}", ""] if c.then else []
    lines += _findings(state, t, c)
    if t.link:
        lines += [
            f"of        {clean(t.link.root, limit=100)}, cycle {t.link.cycle}, after {clean(t.link.after, limit=100)}",
            f"looks at  plan {short(t.link.head)} ({t.link.policy})",
        ]
    lines += [f"chain     {_told(each)}: {each.mark.word}" for each in (c.root, *c.members)] if not t.link else []
    if c.earlier and not t.link:
        lines.append(f"earlier   {c.earlier} reviews and repairs of work that was sent back")
    lines += [f"by        {m.who}"] * bool(m.who) + [f"session   {t.session}"] * bool(t.session)
    lines += [f"plan      {short(m.plan)}"] * bool(m.plan)
    return [*lines, f"why       {landings.why(state, t)}"] if t.why else lines


def _findings(state: State, t: Ticket, c: Chain) -> list[str]:
    """Of the review itself; of a repair what it answers; of a root the latest."""
    if t.link and t.link.kind == "review":
        return board.finding_lines(t.review) if t.review else ["it has not said anything yet", ""]
    plan = state.plans.get(t.link.head if t.link else c.root.plan)
    reviews = plan.reviews if plan else ()
    if not reviews and not t.link:
        last = [state.tickets[m.ticket].review for m in c.members]
        return board.finding_lines(found[-1]) if (found := [r for r in last if r]) else []
    return board.finding_lines(reviews[-1]) if reviews else []


# -- routines --------------------------------------------------------------------------------------------


def routine_rows(state: State, now: float) -> Rows:
    """Keys `routine:<id>`. Cells: glyph, word, what it is at, time left of an escalation or how long ago."""
    listed = sorted(state.routines.values(), key=routine_order)

    def cells(i: int) -> Sequence[Cell]:
        r = listed[i]
        mark = routine_sign(r)
        asks = r.status == "escalated"
        last = (f"{left(r, now)} left", "needs") if asks else (age(now - r.changed_at), "quiet")
        told = f"{routine_name(r)} {step_words(r).removeprefix('step ')}{said(state, r, now)}"
        return (mark.glyph, mark.tone), (mark.word, mark.tone), (told, "strong"), last

    return Rows(tuple(f"routine:{r.routine}" for r in listed), cells)


def step_words(r: Routine) -> str:
    """`step 2 of 3`."""
    count = len(r.spec.steps)
    return f"step {min(r.step + 1, count)} of {count}"


def step_name(r: Routine) -> str:
    """`step 2 of 3, check`."""
    return f"{step_words(r)}, {clean(r.now.name, limit=60)}" if r.now else step_words(r)


def left(r: Routine, now: float) -> str:
    """Until its escalation runs out."""
    return age(r.until - now)


def first_words(r: Routine) -> str:
    """Of what an escalation asks, the first line that says something."""
    lines = (line.strip() for line in r.title.split("\n"))
    return clean(next((line for line in lines if line), "it asks a person"), limit=300)


def routine_now(state: State, r: Routine, now: float) -> str:
    """`step 2 of 3: waits for s-4, s-5`."""
    return f"{step_words(r)}{said(state, r, now)}"


def said(state: State, r: Routine, now: float) -> str:
    """What it asks or waits for, with its separator; "" for nothing."""
    asks = r.status == "escalated"
    who = f" ({r.session})" if asks and r.session else ""
    words = f"{first_words(r)}{who}" if asks else routine_gist(r, state, now)
    return f": {words}" if words else ""


def routine_all(state: State, r: Routine, now: float) -> list[str]:
    """What it asks in full and what can be said to it, then everything about it."""
    if r.status != "escalated":
        return routine_lines(r, state, now)
    first, *rest = r.title[:4000].strip().split("\n")
    return [
        f"asks      {clean(first)}",
        *(f"          {clean(line)}" for line in rest[:60]),
        *(f"offers    {clean(o.name or o.id, limit=300)}" for o in r.options[:20]),
        f"until     {clock(r.until)} ({left(r, now)} left); then the routine has failed",
        "",
        *routine_lines(r, state, now),
    ]
