"""What else of the present calls for a person: a routine that asks, and a way to reach people that fails. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core.outbox import Outlet
from console.core.reporting.actions import Action, word
from console.core.reporting.records import Item, Said
from console.core.routines import Routine
from console.core.state import State

FAILING = ("failed", "refused")
"""How the latest notice of a channel went when nobody is reached there."""
RECENT = 24 * 3600.0
"""Seconds after which a failure of a channel that nobody has used since is history."""


def escalated(state: State) -> list[Routine]:
    """Routines that ask a person, the one whose time ends first in front."""
    return sorted((r for r in state.routines.values() if r.status == "escalated"), key=lambda r: r.until)


def failing(state: State) -> list[Outlet]:
    """Channels whose latest notice did not arrive, unless that is history."""
    return [o for o in state.outlets.values() if o.last in FAILING and state.at - o.at < RECENT]


def routines(state: State) -> Iterator[Item]:
    for r in escalated(state):
        agents = bool(r.session)  # a session's own question
        options = tuple(
            Said(name=f"option {number}", text=f"{o.id}: {o.name}", agent=agents)
            for number, o in enumerate(r.options, 1)
        )
        yield Item(
            section="decide",
            kind="routine",
            about=r.routine,
            title=r.spec.name,
            word="asks",
            since=r.changed_at,
            until=r.until,
            facts=(Said(name="question", text=r.title, agent=agents), *options),
            actions=_resolving(r),
        )


def _resolving(r: Routine) -> tuple[Action, ...]:
    command = f"nightdesk routine resolve {word(r.routine)} --step {r.step + 1} --asked {r.asked}"
    said = " --response '...'" if r.session else ""
    return (
        Action(says="let it go on", command=f"{command}{said}"),
        Action(says="or end it", command=f"{command} --reject"),
    )


def channels(state: State) -> Iterator[Item]:
    for o in failing(state):
        lost = f"{o.lost} notice{'' if o.lost == 1 else 's'} lost, {o.sent} sent"
        yield Item(
            section="look",
            kind="channel",
            about=o.words or o.channel,
            title="notices do not arrive there",
            word="failed",
            since=o.at,
            facts=(Said(name="why", text=o.detail or o.last), Said(name="so far", text=lost)),
            actions=(Action(says="try it now", command=f"nightdesk notify test {word(o.channel)}"),),
        )
