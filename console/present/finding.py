"""Finding in lists: which rows are shown and in which order. Pure; a row is found by what it says, not by its place.

What is kept out by an archive comes back by itself as soon as it needs a person or lives again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from console.core.policies import CLOSED
from console.core.state import State
from console.present import keytable
from console.present.attention import Item
from console.present.queue_rows import HELD, PROBLEMS, held
from console.present.rows import Cell, Rows

Order = Literal["attention", "age", "name"]
ORDERS: tuple[Order, ...] = ("attention", "age", "name")
"""attention: what asks, then what ails, then what works. age: what changed last first. name: by its name, `2` before
`10`."""
ORDER_WORDS = {"attention": "by attention", "age": "latest first", "name": "by name"}


@dataclass(frozen=True, slots=True)
class Find:
    """words: a row holds all of them, in any order and case. only: the keys that may be shown, None for any. hidden:
    keys that are not; marked: archived ones that are shown all the same."""

    words: str = ""
    only: Collection[str] | None = None
    hidden: Collection[str] = ()
    marked: Collection[str] = ()
    order: Order = "attention"


def words_of(text: str) -> tuple[str, ...]:
    """What is looked for: words without case."""
    return tuple(dict.fromkeys(text.casefold().split()))


def arranged(rows: Rows, find: Find) -> Rows:
    """The rows that are shown, in order."""
    hidden, only, words = find.hidden, find.only, words_of(find.words)
    if not words and only is None and not hidden and not find.marked and find.order == "attention":
        return rows
    kept = [
        i
        for i, key in enumerate(rows.keys)
        if key not in hidden and (only is None or key in only) and _holds(rows, i, words, find.marked)
    ]
    if find.order != "attention":
        kept.sort(key=lambda i: rank(rows, i, find.order))
    cells = (lambda i: rows.cells(kept[i])) if not find.marked else (lambda i: _marked(rows, kept[i], find.marked))
    return Rows(tuple(rows.keys[i] for i in kept), cells, word_at=rows.word_at)


def _holds(rows: Rows, index: int, words: Sequence[str], marked: Collection[str]) -> bool:
    if not words:
        return True
    text = rows.text(index) + (" archived" if rows.keys[index] in marked else "")
    return all(word in text for word in words)


def rank(rows: Rows, index: int, order: Order) -> tuple[object, ...]:
    """For sorting; ties keep the rows' own order."""
    return (-rows.since(index),) if order == "age" else natural(rows.name(index))


def natural(text: str) -> tuple[object, ...]:
    """Numbers in a name count as numbers."""
    parts = re.split(r"(\d+)", text.casefold())
    return tuple((int(part), "") if part.isdecimal() and len(part) < 19 else (-1, part) for part in parts)


def _marked(rows: Rows, index: int, marked: Collection[str]) -> Sequence[Cell]:
    cells = rows.cells(index)
    if rows.keys[index] not in marked:
        return cells
    return tuple(("archived" if at == rows.word_at else text, "quiet") for at, (text, _) in enumerate(cells))


# -- what waits ------------------------------------------------------------------------------------------


def waiting(state: State, items: Iterable[Item]) -> frozenset[str]:
    """Keys of the sessions, policies and tickets that need a person, by what needs one."""
    found: set[str] = {PROBLEMS}
    for item in items:
        found.add(item.id)
        found.update(_behind(state, item))
    return frozenset(found)


def _behind(state: State, item: Item) -> Sequence[str]:
    match item.kind:
        case "plan":
            p = state.plans.get(item.about)
            policy = state.policies.get(p.policy) if p else None
            return (f"policy:{p.policy}", f"ticket:{policy.spec.ticket}" if policy else "") if p else ()
        case "policy":
            policy = state.policies.get(item.about)
            return (f"ticket:{policy.spec.ticket}",) if policy else ()
        case "decision":
            d = state.decisions.get(item.about)
            return (f"ticket:{d.ticket}",) if d else ()
        case "session":
            s = state.sessions.get(item.about)
            return (f"ticket:{s.ticket}",) if s else ()
        case "routine":
            r = state.routines.get(item.about)
            return (f"session:{r.session}",) if r else ()
        case _:
            return [f"ticket:{t.ticket}" for t in held(state)] if item.id == HELD else ()


# -- the archive -----------------------------------------------------------------------------------------


def over(state: State, key: str) -> str:
    """ "" for what is over and may be archived, else why it may not."""
    kind, _, name = key.partition(":")
    match kind:
        case "session" if name in state.sessions:
            s = state.sessions[name]
            ended = s.phase == "exited" and not s.restart_at
            return "" if ended else f"{name} is not over; {keytable.key('stop')} stops it"
        case "policy" if name in state.policies:
            return "" if state.policies[name].status in CLOSED else f"{name} is not done"
        case "ticket" if name in state.tickets:
            ended = state.tickets[name].phase in ("ended", "dropped")
            return "" if ended else f"{name} has not ended"
    return "only sessions, policies and tickets that are over are archived"


def unarchivable(state: State, key: str, waits: Collection[str]) -> str:
    """Why a row is not archived, "" when it can be."""
    return "it needs you; what needs you is never archived" if key in waits else over(state, key)


def still_archived(state: State, archive: Collection[str], waits: Collection[str]) -> frozenset[str]:
    """What stays in the archive: neither alive again, nor in need of a person, nor gone."""
    return frozenset(key for key in archive if key not in waits and not over(state, key))
