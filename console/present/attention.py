"""What needs a person, worst first. The order may change with time; what an item is called never does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from console.core.commits import short
from console.core.outbox import Outlet
from console.core.policies import Policy
from console.core.reporting import stacking
from console.core.sessions import Session
from console.core.state import State, open_run
from console.core.tickets import DONE, FAILED, Ticket
from console.present import board, boardlines, conditions, healthwords, noticewords, queue_rows, queueing
from console.present.ages import clock
from console.present.alerting import alert_title
from console.present.text import clean, cut
from console.present.wording import branch, size, title

STANDING, HOLDING, QUESTION, FOUNDATIONAL, DECISION, DOUBT, PLAN, BLOCKED, LEFT, LIMITED, HELD = range(-2, 9)
"""Ranks, worst first: what holds up everything, every approval, an agent that stands still, what others wait for."""
LONG = 3600.0
"""Seconds that everything under way waits for a usage limit before that is worth a line."""
NAME_CELLS = 24
"""Of a ticket's id before its question, so that the question is seen."""


@dataclass(frozen=True, slots=True)
class Item:
    """kind and about name the thing (`plan` + commit id, `policy` + id, `session` + id); rank orders."""

    rank: int
    kind: str
    about: str
    word: str
    style: str
    key: str
    text: str
    since: float

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.about}"

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "id": self.about, "word": self.word, "text": self.text, "since": self.since}


def needs(state: State, supervised: bool = True, silent: float = 0.0, now: float = 0.0) -> list[Item]:
    """What holds up everything first, then an alert that holds approvals, questions and agents that were given up (one
    stands still), decisions (foundational ones first), doubtful work, plans, what stopped, a night that stands still,
    what is held. Within each the oldest first, but of decisions the newest: an old one that nobody answers must not
    bury it. supervised, silent, now: see `conditions`."""
    standing = conditions.conditions(state, supervised, silent, now)
    items = [
        *_unheard(state, now),
        *(Item(STANDING, "health", c.name, c.word, "broke", c.name, c.text, c.since) for c in standing),
        *_alerts(state),
        *_routines(state, now),
        *_questions(state),
        *_decisions(state),
        *_plans(state),
        *_tickets(state),
        *_blocked(state),
        *_ailing(state),
        *_exited(state),
        *_limited(state),
        *_waits_for_loan(state),
        *_held(state),
    ]
    return sorted(items, key=lambda item: _order(item, standing))


def _order(item: Item, standing: Sequence[conditions.Condition]) -> tuple[int, float]:
    if item.rank == STANDING:  # these are in their own order, worst first
        return item.rank, float([c.name for c in standing].index(item.about))
    return item.rank, -item.since if item.kind == "decision" else item.since


def newest(items: list[Item]) -> Item | None:
    """What came last, for a list that is longer than its pane."""
    return max(items, key=lambda item: item.since, default=None)


def _alerts(state: State) -> list[Item]:
    return [
        Item(HOLDING if a.blocks else PLAN, "alert", a.alert, "alert", "broke", a.alert, alert_title(a), a.at)
        for a in state.alerts.values()
        if a.state == "open"
    ]


def _routines(state: State, now: float) -> list[Item]:
    """Those that ask a person; with the time that is left, as they fail when it has passed."""
    found = []
    for r in state.routines.values():
        if r.status == "escalated":
            left = f"{boardlines.left(r, now)} left" if now else f"until {clock(r.until)}"
            said = clean(f"{r.spec.name}{boardlines.said(state, r, now)} · {left}", limit=400)
            found.append(Item(QUESTION, "routine", r.routine, "routine", "asks", r.routine, said, r.changed_at))
    return found


def _asked_by_routine(state: State) -> set[tuple[str, str]]:
    """Questions that a person is called to by a routine already."""
    return {(r.session, r.question) for r in state.routines.values() if r.status == "escalated" and r.session}


def _questions(state: State) -> list[Item]:
    told = _asked_by_routine(state)
    return [
        Item(
            QUESTION,
            "session",
            s.session,
            "question",
            "asks",
            s.session,
            clean(f"{s.label}: {s.question.title}"),
            s.question.at,
        )
        for s in state.sessions.values()
        if s.phase == "awaiting-input" and s.question and (s.session, s.question.id) not in told
    ]


def _decisions(state: State) -> list[Item]:
    return [
        Item(
            FOUNDATIONAL if d.foundational else DECISION,
            "decision",
            d.decision,
            "decide",
            "asks",
            d.decision,
            f"{cut(clean(d.ticket, limit=60), NAME_CELLS)}: {queueing.gist(d)}",
            d.at,
        )
        for d in state.decisions.values()
        if d.state == "open"
    ]


def _plans(state: State) -> list[Item]:
    """A plan of doubtful work is told by its doubts, one that its key would not land by why."""
    found, at = [], board.members_at(state)
    for p in state.plans.values():
        if p.state != "waiting":
            continue
        stuck, doubts = queue_rows.stuck(state, p), queue_rows.doubts(state, p)
        above = "" if stuck else stacking.obstacle(state, p)
        review = board.review_word(p, at.get(p.plan))
        plain = [above or review, f"{branch(p)} · {size(p)}"]
        told = [stuck, *board.beside_review(p, review, doubts)] if stuck or doubts else plain
        more = clean("; ".join(part for part in told if part), limit=300)
        rank, word = (DOUBT, "look") if stuck or doubts else (PLAN, "plan")
        found.append(Item(rank, "plan", p.plan, word, "waits", short(p.plan), f"{title(p)} · {more}", p.ready_at))
    return found


def _tickets(state: State) -> list[Item]:
    """What has ended and needs a look, but for work that waits as a plan or has landed. What became of a review or
    repair is told with the plan that it is about, as long as that waits."""
    found = []
    for t in state.tickets.values():
        if t.phase == "ended" and not t.link and (seen := _looked_for(state, t)):
            rank, word = seen
            said = clean(f"{t.spec.title or t.ticket}: {t.why}", limit=400)
            found.append(Item(rank, "ticket", t.ticket, word, "broke", clean(t.ticket, limit=60), said, t.ended_at))
    return found


def _looked_for(state: State, t: Ticket) -> tuple[int, str] | None:
    if t.outcome == "BLOCKED_ENV":
        return BLOCKED, "blocked"
    if t.outcome in FAILED:
        return BLOCKED, "failed"
    if t.outcome == "DONE_LOW_CONFIDENCE" and t.plan not in state.plans:
        return DOUBT, "look"
    return None


def _blocked(state: State) -> list[Item]:
    return [
        Item(BLOCKED, "policy", p.policy, "blocked", "blocked", p.policy, clean(p.reason.split("\n")[0]), p.changed_at)
        for p in state.policies.values()
        if p.status == "blocked" and not _told_by_ticket(state, p)
    ]


def _told_by_ticket(state: State, p: Policy) -> bool:
    """Whether the ticket itself says how this ended: all but a done one, whose landing is what is blocked. What an
    earlier attempt of it was blocked by is over."""
    t = state.tickets.get(p.spec.ticket)
    return t is not None and not (t.phase == "ended" and t.outcome in DONE and t.policy == p.policy)


def _ailing(state: State) -> list[Item]:
    """Processes that no signal ends, and agents that are not started again. Of one that works on a ticket the ticket's
    decision tells."""
    found = []
    for s in state.sessions.values():
        word = healthwords.ailing(s)
        if word == "stuck" and not _forgotten(state, s):
            said = clean(f"{s.label}: {s.exit}", limit=400)
            found.append(Item(BLOCKED, "session", s.session, "stuck", "broke", s.session, said, s.since))
        elif word == "given-up" and s.ticket not in state.tickets:
            said = clean(f"{s.label}: not started again, {s.given_up}", limit=400)
            found.append(Item(QUESTION, "session", s.session, "given-up", "broke", s.session, said, s.since))
    return found


def _forgotten(state: State, s: Session) -> bool:
    """Whether a person has dismissed it, or another supervisor has come since: then `doctor` knows what is left."""
    seen_since = state.supervisor is not None and state.supervisor.at > s.since
    return seen_since or (s.stopped and s.exit_seq < s.last_seq)


def _exited(state: State) -> list[Item]:
    """Sessions that ended although nobody stopped them and that left something undone."""
    return [
        Item(LEFT, "session", s.session, "exited", "broke", s.session, clean(f"{s.label}: {s.exit}"), s.since)
        for s in state.sessions.values()
        if s.phase == "exited" and not s.stopped and not (s.turn and s.turn.ok) and s.ticket not in state.tickets
        if not healthwords.ailing(s)
    ]


def _limited(state: State) -> list[Item]:
    """One row when nothing at all goes on before a usage limit has ended, and that is long."""
    moving = [t for t in state.tickets.values() if t.in_flight]
    if not open_run(state) or not moving or any(t.phase != "waiting" for t in moving):
        return []
    first, began = min(moving, key=lambda t: t.until), max(t.since for t in moving)
    if first.until - began <= LONG:
        return []
    said = f"all sessions wait for a usage limit until {queueing.moment(first.until, began)}"
    return [Item(LIMITED, "ticket", first.ticket, "limit", "needs", clean(first.ticket, limit=60), said, began)]


def _waits_for_loan(state: State) -> list[Item]:
    """Tickets of a run that stand still because somebody has a conversation open."""
    return [
        Item(QUESTION, "ticket", t.ticket, "lent", "needs", clean(t.ticket, limit=60), clean(said, limit=400), t.since)
        for t in state.tickets.values()
        if (said := queueing.waits_for_loan(t, state))
    ]


def _unheard(state: State, now: float) -> list[Item]:
    """Ways to reach people that lead nowhere."""
    found = [each for each in state.outlets.values() if noticewords.is_failing(each, now or each.at)]
    return [
        Item(
            LEFT,
            "outlet",
            each.channel,
            "channel",
            "broke",
            each.channel,
            _unheard_words(each, now or each.at),
            each.at,
        )
        for each in found
    ]


def _unheard_words(outlet: Outlet, now: float) -> str:
    how = "was not reached" if outlet.last == "failed" else "said no"
    lost = f"{outlet.lost} notice{'s' * (outlet.lost != 1)} lost"
    return clean(f"{clean(outlet.words)} {how}: {clean(outlet.detail, limit=200)} · {lost}", limit=400)


def _held(state: State) -> list[Item]:
    """One row for all of them."""
    held = queue_rows.held(state)
    if not held:
        return []
    one = f"{clean(held[0].ticket, limit=60)} is held: {clean(held[0].held, limit=200)}"
    said = one if len(held) == 1 else f"{len(held)} tickets are held; Enter shows them"
    kind, _, about = queue_rows.HELD.partition(":")
    return [Item(HELD, kind, about, "held", "quiet", "held", said, max(t.since for t in held))]
