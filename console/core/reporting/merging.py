"""The merge commands, dependencies first, each branch once: one that holds another brings it along. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from console.core.commits import Plan
from console.core.reporting.actions import word
from console.core.reporting.facts import plan_of
from console.core.reporting.records import Merge
from console.core.state import State
from console.core.tickets import DONE, Ticket

OURS = "refs/heads/nightdesk/"


def merges(state: State, tickets: Iterable[Ticket]) -> tuple[Merge, ...]:
    """For what has landed, and for what lands once it is approved; the first only in the first's order."""
    plans = {t.ticket: (t, p) for t in tickets if (p := _mergeable(state, t))}
    order = _sorted({name: t for name, (t, _) in plans.items()})
    lands = {p.to_land.commit: name for name, (_, p) in plans.items()}
    found = []
    for ready in (True, False):
        group = [name for name in order if (plans[name][1].state == "landed") == ready]
        held = {name: _holds(*plans[name], lands) & set(group) for name in group}
        carried = set().union(*held.values()) if held else set()
        found += [_merge(*plans[name], ready, held[name]) for name in group if name not in carried]
    return tuple(found)


def _mergeable(state: State, t: Ticket) -> Plan | None:
    p = plan_of(state, t)
    return p if p and t.outcome in DONE and p.state in ("landed", "waiting") and p.frozen.ref.startswith(OURS) else None


def _sorted(tickets: dict[str, Ticket]) -> list[str]:
    """Dependencies before what builds on them, else as they were first seen. A cycle is cut where it is met."""
    done: dict[str, None] = {}

    def visit(name: str, path: frozenset[str]) -> None:
        if name in done or name in path or name not in tickets:
            return
        for wanted in tickets[name].spec.depends_on:
            visit(wanted, path | {name})
        done[name] = None

    for name in sorted(tickets, key=lambda n: (tickets[n].order, n)):
        visit(name, frozenset())
    return list(done)


def _holds(t: Ticket, p: Plan, lands: dict[str, str]) -> set[str]:
    """The tickets whose very commits are in this one's history. lands: commit -> ticket, as each would land; a signed
    commit is another one than the candidate that was stacked on."""
    return {lands[commit] for commit in (p.frozen.base, *t.stacked_on) if commit in lands} - {t.ticket}


def _merge(t: Ticket, p: Plan, ready: bool, brings: set[str]) -> Merge:
    branch = p.frozen.ref.removeprefix("refs/heads/")
    return Merge(
        ticket=t.ticket,
        branch=branch,
        commit=p.to_land.commit,
        command=f"git merge --no-ff --no-edit {word(branch)}",
        ready=ready,
        plan=p.plan,
        brings=tuple(sorted(brings)),
    )
