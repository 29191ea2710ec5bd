"""Who wants to hear of a notice, what goes out together, and what is written in it. Pure.

The same log gives the same groups with the same ids, so that what is sent again after a crash can be told as such.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from console.core import events as ev
from console.core.chains import key, wanted
from console.core.chains_board import board
from console.core.chains_react import known_limits
from console.core.notices import Notice
from console.core.notify_settings import Ask, Channel, for_routine, for_session, signer
from console.core.records import Record
from console.core.state import State

STALE = 600.0
"""Seconds after which what nobody was told is history: more than `FEW` such are told in one notice."""
FEW = 3
LISTED = 20
"""Notices that one about several of them lists, the newest first."""
ABOUT = 200
"""Log positions that an outcome names."""
MOST = 500
"""Notices that go out as one; whoever asks for the next group knows of at least so many, or of all there are."""


class Told(Record, frozen=True, kw_only=True):
    """What became of telling: as in `notify:settled`. said: what a command printed, for whoever tries it himself; it
    may hold what its arguments do, and is in no log."""

    outcome: ev.NoticeOutcome
    tries: int = 1
    status: int = 0
    detail: str = ""
    said: str = ""


def wants(channel: Channel, n: Notice) -> bool:
    return any(_wanted(channel, ask, n) for ask in channel.asks)


def _wanted(channel: Channel, ask: Ask, n: Notice) -> bool:
    # A plan that a chain has in hand waits for a person when that is done with it: then and so it is told.
    ready = n.name in ("shipped", "escalated") and "awaiting-ack" in ask.events
    if n.name not in ask.events and not ready:
        return False
    if ask.webhook:
        return bool(n.webhook) and for_routine(n.webhook).id == channel.id
    return not ask.session or ask.session in n.sessions


def moot(n: Notice, state: State) -> str:
    """Why nobody needs to hear of it any more, "" while somebody does."""
    if n.name == "awaiting-input":
        s = state.sessions.get(n.session)
        q = s.question if s else None
        if s and (s.phase in ("stopping", "exited") or ((t := state.tickets.get(s.ticket)) and not t.in_flight)):
            return "its work was parked or is over"
        return "" if q and q.id == n.asked and q.answer is None else "it has its answer, or asks no more"
    if n.name in ("awaiting-ack", "shipped", "escalated") and (plan := state.plans.get(n.plan)):
        return _moot_plan(n, state) if plan.state == "waiting" else f"the plan is {plan.state}"
    if n.name in ("blocked", "given-up"):
        if state.chains_on and (member := state.tickets.get(n.ticket)) and member.link:
            return "its chain tells what comes of it"
        return _worked_on(n, state)
    if n.name == "fuse":
        return "" if state.fuse and state.fuse.at == n.at else "the fuse is in again"
    if n.name == "parked" and (d := state.decisions.get(n.decision)):
        return "" if d.state == "open" else f"the decision is {d.state}"
    if n.name == "routine-escalated" and (r := state.routines.get(n.routine)):
        return "" if r.asked == n.seq else "the routine has gone on"
    if n.name == "degraded":
        return "" if n.status in state.lacking else "it is no longer short"
    if n.name == "alert" and (a := state.alerts.get(n.alert)):
        return "" if a.state == "open" else f"the alert is {a.state}"
    return ""


def _moot_plan(n: Notice, state: State) -> str:
    """Of a plan that waits."""
    if n.name == "awaiting-ack" and in_hand(state, n.plan):
        return "a chain of reviews has it in hand, and tells when it is done with it"
    if n.name == "escalated" and key("ship", n.ticket, n.plan) in state.ledger:
        return "its review said SHIP after all"
    return ""


def in_hand(state: State, plan: str) -> bool:
    """Whether a chain reviews this plan, is about to, or has told already what came of it."""
    made = next((c for c in board(state) if c.made == plan), None) if state.chains_on else None
    if made is None:
        return False
    if set(made.fired) & {"review", "ship", "escalate"}:
        return True
    trouble = f"trouble:{made.ticket}:"
    if made.escalated or not made.ok or made.stage != "ended" or any(k.startswith(trouble) for k in state.ledger):
        return False
    return made.kind == "repair" or wanted(made.wanted, made.level, known_limits(state))


def _worked_on(n: Notice, state: State) -> str:
    """Of what could not go on: whether somebody has seen to it."""
    if n.status in ("BLOCKED_ENV", "FAILED_BUG_IN_AGENT") and (t := state.tickets.get(n.ticket)):
        return "" if t.phase == "ended" and t.outcome == n.status else f"the ticket is {t.outcome or t.phase}"
    if n.name == "blocked" and (p := state.policies.get(n.policy)):
        return "" if p.status == "blocked" else f"the policy is {p.status}"
    if n.name == "given-up" and (s := state.sessions.get(n.session)):
        return "" if s.given_up or not n.reason else "it is at work again"
    return ""


def named_in(state: State, *, over: bool = False) -> list[Channel]:
    """The addresses that sessions and routines brought along. over: also those of sessions and routines that ended;
    their secrets count in any case, where somebody else names the same address."""
    named = [
        (over or s.phase != "exited", for_session(s.session, s.notify_url, s.notify_secret))
        for s in state.sessions.values()
        if s.notify_url
    ]
    sessions = [channel if told else signer(channel) for told, channel in named if told or channel.secret]
    routines = [
        for_routine(step.on_wait.webhook)
        for r in state.routines.values()
        if over or r.status in ("running", "escalated")
        for step in r.spec.steps
        if step.on_wait.webhook
    ]
    return [*sessions, *routines]


# -- what goes out together ------------------------------------------------------------------------------


def next_group(
    pending: Sequence[Notice], debounce: float, now: float, *, hurry: bool = False
) -> tuple[tuple[Notice, ...], float]:
    """What to tell next, and how long to wait when that is nothing yet (seconds, 0: until there is more).

    Only the times in the log and round moments decide what belongs together, so that the same group comes again after
    a crash, and with it the same id. hurry: what collects is told as far as it has come.
    """
    if not pending:
        return (), 0.0
    history = math.floor(now / STALE) * STALE - STALE - debounce
    stale = [n for n in pending if n.at < history]
    if len(stale) > FEW:
        return tuple(stale[:MOST]), 0.0
    closes = pending[0].at + debounce
    if debounce and now < closes and not hurry:
        return (), closes - now
    return tuple([n for n in pending if n.at < closes][:MOST]) if debounce else (pending[0],), 0.0


def id_of(workspace: str, channel: str, group: Sequence[Notice]) -> str:
    """The same for the same notices on the same channel, whenever they are sent. The time tells a log that was begun
    anew from the one before."""
    about = ",".join(f"{n.seq}@{n.at!r}" for n in group)
    return "msg_" + hashlib.sha256(f"{workspace}\0{channel}\0{about}".encode()).hexdigest()[:32]


def timestamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


_KEYS = {
    "session": "sessionId",
    "label": "label",
    "ticket": "ticket",
    "policy": "policy",
    "plan": "plan",
    "decision": "decision",
    "alert": "alert",
    "run": "run",
    "routine": "routine",
    "step": "step",
    "status": "status",
    "exit_code": "exitCode",
    "reason": "reason",
    "question": "question",
}


def data(n: Notice) -> dict[str, Any]:
    """One notice as JSON; keys that have nothing to say are left out."""
    values = ((key, getattr(n, field)) for field, key in _KEYS.items())
    known = {key: value for key, value in values if value not in ("", None)}
    waits = {"awaitingInput": True} if n.awaiting_input else {}
    return {"event": n.name, "ts": timestamp(n.at), "seq": n.seq, "text": n.text, **known, **waits, "console": n.show}


def payload(group: Sequence[Notice], id: str, workspace: str, lost: int = 0) -> dict[str, Any]:
    """The body of what is sent. lost: notices that this channel did not take before, when the last one was such."""
    head: dict[str, Any] = {"id": id, "workspace": workspace}
    tail = {"lost": lost} if lost else {}
    if len(group) == 1:
        return {**head, "type": group[0].name, **data(group[0]), **tail}
    listed = [data(n) for n in reversed(group[-LISTED:])]
    return {
        **head,
        "type": "several",
        "event": "several",
        "ts": timestamp(group[-1].at),
        "text": summary(group),
        "counts": dict(Counter(n.name for n in group)),
        "notices": listed,
        "leftOut": len(group) - len(listed),
        "console": "nightdesk status",
        **tail,
    }


def summary(group: Iterable[Notice]) -> str:
    """Several notices in one line."""
    counts = Counter(n.name for n in group)
    return f"{counts.total()} notices: " + ", ".join(f"{count} {name}" for name, count in counts.most_common())
