"""Tickets, decisions and runs in words, lines and rows: the same for the command line and the screen. Pure; everything
that came from outside is cleaned here. Nothing here decides anything or knows a widget."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from console.core import due, queue
from console.core.records import Outcome
from console.core.reporting import standing
from console.core.state import State
from console.core.tickets import Ticket
from console.present import healthwords, landings, progress, wording
from console.present.ages import moment
from console.present.decisionwords import (
    WIDTH,
    by_agent,
    decision_data,
    decision_line,
    decision_lines,
    decision_order,
    decision_sign,
    follows,
    gist,
    open_decisions,
    question,
    reading,
    taken_back,
)
from console.present.doing import lent_words
from console.present.glyphs import Sign, sign
from console.present.rows import Cell, Rows
from console.present.runwords import latest_run, money, run_cells, run_line, run_sign, run_tally, run_word
from console.present.text import clean, cut, pad

__all__ = [
    "WIDTH",
    "by_agent",
    "decision_data",
    "decision_line",
    "decision_lines",
    "decision_order",
    "decision_rows",
    "decision_sign",
    "follows",
    "gist",
    "latest_run",
    "moment",
    "money",
    "open_decisions",
    "outcome_glyph",
    "outcome_sign",
    "outcome_word",
    "question",
    "reading",
    "run_cells",
    "run_line",
    "run_sign",
    "run_tally",
    "run_word",
    "taken_back",
    "ticket_counts",
    "ticket_line",
    "ticket_rows",
    "ticket_sign",
    "ticket_title",
    "waits",
    "why",
]

_PHASES = {
    "claimed": "starting",
    "working": "working",
    "judging": "gating",
    "waiting": "usage-limit",
    "retrying": "retrying",
    "dropped": "dropped",
}
_STANDS = {
    "ready": "queued",
    "held": "held",
    "quarantined": "quarantined",
    "waits": "waiting-for-dependency",
    "unknown": "blocked",
}


# -- outcomes and tickets --------------------------------------------------------------------------------


def outcome_sign(outcome: Outcome) -> Sign:
    """Glyph, ASCII glyph, word and tone of one of the seven outcomes."""
    return sign(outcome)


def outcome_word(outcome: Outcome) -> str:
    """`done`, `low confidence`, `parked`, ... for people; programs get the outcome itself."""
    return sign(outcome).word


def outcome_glyph(outcome: Outcome, *, ascii_only: bool = False) -> str:
    """One cell."""
    return sign(outcome).mark(ascii_only=ascii_only)


def ticket_sign(t: Ticket, state: State, at_limit: queue.Limits | None = None) -> Sign:
    """How a ticket stands now: its outcome once it has ended, else its phase, else what keeps it from starting.
    at_limit: `queue.limits` of the state, from whoever asks about many tickets."""
    if t.phase == "ended" and t.outcome:
        blocked = t.link and t.review and t.review.verdict == "BLOCK"  # it has done its part, and found something
        return sign("DONE_LOW_CONFIDENCE" if blocked else t.outcome)
    if t.phase == "gone":
        return dataclasses.replace(sign("ended"), word="gone")
    if t.phase == "queued":
        return sign(_STANDS[standing.of(state, t, at_limit).state])
    if t.phase == "working" and (word := _ailing(t, state)):
        return sign(word)
    return sign(_PHASES.get(t.phase, t.phase))


def _ailing(t: Ticket, state: State) -> str:
    """What is wrong with the session that works on it, "" when nothing is."""
    s = state.sessions.get(t.session)
    return healthwords.ailing(s) if s else ""


def waits_for_loan(t: Ticket, state: State) -> str:
    """That a claimed ticket begins only when a person leaves the conversation of an earlier attempt; "" otherwise."""
    s = due.lent_there(state, t) if t.phase == "claimed" else None
    return f"waits until {s.session} is left: it is {lent_words(s)}" if s else ""


def why(t: Ticket, state: State, now: float = 0.0, at_limit: queue.Limits | None = None) -> str:
    """One sentence: why it stands where it stands, cleaned. now: Unix seconds, for how long; 0 leaves that out.
    at_limit: as for `ticket_sign`."""
    match t.phase:
        case "queued":
            return clean(standing.of(state, t, at_limit).why, limit=300)
        case "claimed":
            told = progress.setting_up(state, t, now) if now else ""
            return waits_for_loan(t, state) or told or "its worktree is being made"
        case "working":
            told = f"attempt {t.attempt} of {_attempts(t, state)}, {t.session}" + _for(t.begun_at, now)
            s = state.sessions.get(t.session)
            word = _ailing(t, state)
            return f"{told}; {sign(word).word}{healthwords.told(state, s, now)}" if s and word else told
        case "judging":
            p = state.policies.get(t.policy)
            far = progress.gating(state, p, now) if p and now else ""
            return f"attempt {t.attempt}: its work is being judged{', ' * bool(far)}{far}"
        case "waiting":
            until = min(t.until, now + t.until - t.since)  # no wait is longer than it was when it began
            left = f", goes on at {moment(until, now)} (in {wording.age(until - now)})" if now and t.until > now else ""
            return clean(f"{t.why or 'a usage limit'}{left}; this costs no attempt", limit=300)
        case "retrying":
            return clean(f"attempt {t.attempt} failed: {t.why}; its work is rolled back and kept", limit=300)
        case "gone":
            return f"its file {clean(t.file, limit=100)} is not there any more"
        case "dropped" if t.link:
            return clean(f"withdrawn{': ' + t.why if t.why else ''}", limit=300)
        case "dropped":
            return clean(f"dropped by a person{': ' + t.why if t.why else ''}", limit=300)
        case "ended":
            return landings.why(state, t, now)


def waits(t: Ticket, state: State, now: float) -> str:
    """`waits until 18:30: usage limit of claude`; "" for a ticket that waits for nothing of that kind."""
    if t.phase != "waiting":
        return ""
    s = state.sessions.get(t.session)
    what = "usage limit" if t.limited else "overloaded provider"
    agent = s.preset if s else t.spec.agent
    until = min(t.until, now + t.until - t.since)
    return f"waits until {moment(until, now)}: {what}{f' of {clean(agent, limit=60)}' if agent else ''}"


def _attempts(t: Ticket, state: State) -> int:
    run = state.runs.get(t.run)
    return t.spec.attempts or (run.settings.attempts if run else 0) or t.attempt


def _for(since: float, now: float) -> str:
    return f" for {wording.age(now - since)}" if now and since else ""


def ticket_title(t: Ticket) -> str:
    return clean(t.spec.title or t.ticket, limit=200)


def ticket_line(t: Ticket, state: State, now: float = 0.0, *, cells: int = WIDTH, ascii_only: bool = False) -> str:
    """`✓ done  T-07  Retry webhook delivery  41s`, at most `cells` wide; the title gives way first."""
    mark = ticket_sign(t, state)
    head = f"{pad(mark.text(ascii_only=ascii_only), 20)}  {clean(t.ticket, limit=60)}"
    tail = f"  {wording.age(now - t.since)}" if now and t.since else ""
    room = max(0, cells - len(tail) - 2)
    return cut(f"{head}  {ticket_title(t)}", room, "~" if ascii_only else "…") + tail


_RANKS = ("working", "judging", "waiting", "retrying", "claimed", "queued", "ended", "dropped", "gone")


def _ticket_rank(t: Ticket) -> tuple[int, int, str]:
    return _RANKS.index(t.phase), t.order, t.ticket


def ticket_rows(state: State, now: float) -> Rows:
    """Rows for the screen's list, keys `ticket:<id>`: what moves first, then the queue, then what has ended.
    Cells: glyph, id, title, word, why, for how long."""
    listed = sorted((t for t in state.tickets.values() if t.phase != "gone"), key=_ticket_rank)

    def cells(i: int) -> Sequence[Cell]:
        t = listed[i]
        mark = ticket_sign(t, state)
        return (
            (mark.glyph, mark.tone),
            (clean(t.ticket, limit=60), "quiet"),
            (ticket_title(t), "strong"),
            (mark.word, mark.tone),
            (why(t, state, now), "plain"),
            (wording.age(now - t.since), "quiet"),
        )

    return Rows(tuple(f"ticket:{t.ticket}" for t in listed), cells)


def ticket_counts(state: State) -> dict[str, int]:
    """How many tickets stand where, in words (`queued 26  parked 4  done 9`), only what there is. Reviews and repairs
    are no tickets of their own here."""
    found, at_limit = dict[str, int](), queue.limits(state)
    for t in sorted(state.tickets.values(), key=_ticket_rank):
        if t.phase != "gone" and not t.link:
            word = ticket_sign(t, state, at_limit).word
            found[word] = found.get(word, 0) + 1
    return found


def decision_rows(state: State, now: float) -> Rows:
    """Rows for the screen's list, keys `decision:<id>`: open ones in the order to answer them, then the others.
    Cells: glyph, id, ticket, word, question, how old."""
    listed = sorted(state.decisions.values(), key=decision_order)

    def cells(i: int) -> Sequence[Cell]:
        d = listed[i]
        mark = decision_sign(d)
        word = "foundational" if d.foundational and d.state == "open" else mark.word
        return (
            (mark.glyph, mark.tone),
            (clean(d.decision), "quiet"),
            (clean(d.ticket, limit=60), "strong"),
            (word, mark.tone),
            (question(d), "plain"),
            (wording.age(now - d.at), "quiet"),
        )

    return Rows(tuple(f"decision:{d.decision}" for d in listed), cells)
