"""The ticket queue for the screen: the rows of its pane, the counts of its header, and all of one ticket in lines.
Pure; words come from `queueing`, everything that came from outside is cleaned."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from console.core import queue
from console.core.commits import Plan, short
from console.core.records import TextVerdict
from console.core.reporting import chaining, stacking, standing
from console.core.state import State
from console.core.tickets import DONE, FAILED, PARKED, Failure, Ticket
from console.present import queueing
from console.present.ages import age
from console.present.glyphs import sign
from console.present.rows import Cell, Rows
from console.present.text import clean

PROBLEMS = "problems:tickets"
"""Key of the row that stands for everything wrong in the tickets folder."""
HELD = "held:tickets"
"""Key of the row that stands for every held ticket."""

_FLIGHT = ("judging", "working", "waiting", "retrying", "claimed")
_SHORT = {
    "DONE_LOW_CONFIDENCE": "done, doubtful",
    "PARKED_FOUNDATIONAL": "foundational",
    "BLOCKED_ENV": "blocked, env",
    "FAILED_RETRYABLE": "failed, retry",
}


# -- the pane --------------------------------------------------------------------------------------------


def stand(t: Ticket, state: State, at_limit: queue.Limits | None = None) -> tuple[str, str]:
    """Where a ticket stands, short enough for a column of 16 cells, and its style. at_limit: as in `queueing`."""
    mark = queueing.ticket_sign(t, state, at_limit)
    if t.link and t.phase in ("ended", "dropped"):
        return chaining.word(t), mark.tone
    if t.phase == "queued":
        ready = standing.of(state, t, at_limit)
        other = state.tickets.get(ready.by)
        limit = ready.by not in t.spec.depends_on and other is not None and other.phase == "waiting"
        words = {
            "waits": "usage limit" if limit else f"waits for {ready.by}" if ready.by else "waits",
            "unknown": f"needs {ready.by}",
            "ready": "ready",
        }
        return clean(words.get(ready.state, ready.state), limit=60), mark.tone
    if t.phase == "waiting":
        return _until(t), mark.tone
    if t.phase == "ended" and t.outcome:
        return _SHORT.get(t.outcome, mark.word), mark.tone
    return "judging" if t.phase == "judging" else mark.word, mark.tone


def _until(t: Ticket) -> str:
    """With the day when the limit ends on another one than the wait began."""
    if not t.until:
        return "waiting"
    at = queueing.moment(t.until, t.since)
    return f"to {at}" if " " in at else f"waiting to {at}"


def _rank(t: Ticket, state: State) -> tuple[int, int, float, str]:
    """In flight, then ready by priority, then what cannot start, then what is over with the latest end first."""
    if t.in_flight:
        return 0, _FLIGHT.index(t.phase), t.begun_at, t.ticket
    if t.phase == "queued":
        ready = _startable(t, state)
        return (1 if ready else 2), -t.spec.priority, float(t.order), t.ticket
    return 3, 0 if t.phase == "ended" else 1, -(t.ended_at or t.since), t.ticket


def _startable(t: Ticket, state: State) -> bool:
    """Without looking further down than at what it names, which for a long chain costs too much for each ticket."""
    deps = [state.tickets.get(name) for name in t.spec.depends_on]
    if t.held or not all(dep and queue.met(state, dep) for dep in deps):
        return False
    return (not deps and not t.link) or queue.readiness(state, t).state == "ready"


class Queue:
    """The pane's order, worked out once for each state of the log: with 2,000 tickets it costs some milliseconds, a
    row that is drawn nearly nothing."""

    def __init__(self) -> None:
        self._seq = -1
        self._listed: list[Ticket] = []
        self._cells: dict[int, Sequence[Cell]] = {}
        self._texts: dict[int, str] = {}
        self._keys: tuple[str, ...] = ()
        self._limits: queue.Limits = {}
        self.counts: dict[str, int] = {}

    def rows(self, state: State, now: float = 0.0) -> Rows:
        """Keys `ticket:<id>`, before them PROBLEMS if there are any. Cells: glyph, id and title, where it stands,
        attempts, why, branch, for how long. now: Unix seconds, 0 leaves that out."""
        if state.seq != self._seq:
            self._seq = state.seq
            self._listed = sorted(
                (t for t in state.tickets.values() if t.phase != "gone"), key=lambda t: _rank(t, state)
            )
            self._cells, self._texts, self._limits = {}, {}, queue.limits(state)
            problem = (PROBLEMS,) if state.problems else ()
            self._keys = problem + tuple(f"ticket:{t.ticket}" for t in self._listed)
            self.counts = counts(self._listed, quarantined(state))
        listed, problems = self._listed, len(state.problems)
        first = 1 if problems else 0

        known = self._cells

        def cells(i: int) -> Sequence[Cell]:
            if i not in known:
                known[i] = (
                    _problem_cells(problems) if i < first else ticket_cells(listed[i - first], state, self._limits)
                )
            return (*known[i], (_age(listed[i - first], now) if i >= first else "", "quiet"))

        return Rows(
            self._keys,
            cells,
            since=lambda i: (listed[i - first].ended_at or listed[i - first].since) if i >= first else float("inf"),
            name=lambda i: listed[i - first].ticket if i >= first else "",
            words=lambda i: self._words(i, first, state),
            word_at=2,
        )

    def _words(self, index: int, first: int, state: State) -> str:
        """What a filter searches: id, title, where it stands; worked out once for a state of the log."""
        if index not in self._texts:
            t = self._listed[index - first] if index >= first else None
            said = (
                f"{t.ticket} {queueing.ticket_title(t)} {stand(t, state, self._limits)[0]}"
                if t
                else "problems in tickets/"
            )
            self._texts[index] = said
        return self._texts[index]


def _problem_cells(count: int) -> Sequence[Cell]:
    said = f"{count} problem{'s' * (count > 1)}"
    return (("!", "broke"), (said, "broke"), ("in tickets/", "broke"), *[("", "quiet")] * 3)


def ticket_cells(t: Ticket, state: State, at_limit: queue.Limits | None = None) -> tuple[Cell, ...]:
    mark = queueing.ticket_sign(t, state, at_limit)
    return (
        (mark.glyph, mark.tone),
        (f"{clean(t.ticket, limit=60)} {queueing.ticket_title(t)}", "strong"),
        stand(t, state, at_limit),
        (f"try {t.attempt}" if t.attempt else "", "quiet"),
        (queueing.why(t, state, 0.0, at_limit), "plain"),
        (clean(t.branch, limit=100), "quiet"),
    )


def _age(t: Ticket, now: float) -> str:
    since = t.ended_at or t.since
    return age(now - since) if now and since else ""


def counts(listed: Sequence[Ticket], behind: Collection[str] = ()) -> dict[str, int]:
    """How many stand where, in the words of the border; only what there is, and no reviews and repairs. behind: the
    tickets that open decisions quarantine (`quarantined`)."""
    listed = [t for t in listed if not t.link]
    found = {
        "queued": sum(t.phase == "queued" and not t.held and t.ticket not in behind for t in listed),
        "parked": sum(t.phase == "ended" and t.outcome in PARKED for t in listed),
        "done": sum(t.phase == "ended" and t.outcome in DONE for t in listed),
        "working": sum(t.in_flight for t in listed),
        "held": sum(bool(t.held) and t.phase == "queued" for t in listed),
        "failed": sum(t.phase == "ended" and t.outcome in FAILED for t in listed),
        "blocked": sum(t.phase == "ended" and t.outcome == "BLOCKED_ENV" for t in listed),
        "quarantined": sum(t.ticket in behind for t in listed),
    }
    return {word: number for word, number in found.items() if number}


UPPER = ("queued", "parked", "done")
"""What the upper border counts; the lower one has the rest."""


def quarantined(state: State) -> frozenset[str]:
    """What waits behind an open decision about the foundations; asked only where there is one."""
    opened = (d for d in state.decisions.values() if d.state == "open" and d.foundational)
    return frozenset(name for d in opened for name in standing.held_back(state, d))


def counted(found: dict[str, int], *, upper: bool) -> str:
    """`queued 26  parked 4  done 9`, or the others."""
    return "  ".join(f"{word} {number}" for word, number in found.items() if (word in UPPER) is upper)


def held(state: State) -> list[Ticket]:
    """Tickets that a person must look at before they run, in the order they came."""
    return sorted((t for t in state.tickets.values() if t.held and t.phase == "queued"), key=lambda t: t.order)


# -- one ticket ------------------------------------------------------------------------------------------


def ticket_lines(t: Ticket, state: State, now: float) -> list[str]:
    """Everything about a ticket but its text."""
    return [
        *_said_of_itself(t),
        *(_verdict(t.verdict) if not t.link else ()),
        *dependency_lines(t, state),
        *_attempts(t),
        *_place(t),
        *(f"flag      {clean(flag, limit=300)}" for flag in t.flags),
        *(f"answer    {clean(answer, limit=1000)}" for answer in t.answers),
        f"now       {queueing.why(t, state, now) or stand(t, state)[0]}",
    ]


def _said_of_itself(t: Ticket) -> list[str]:
    spec = t.spec
    facts = [
        f"agent {spec.agent}" if spec.agent else "",
        f"priority {spec.priority}" if spec.priority else "",
        f"blast radius {spec.blast_radius}" if spec.blast_radius else "",
        f"attempts {spec.attempts}" if spec.attempts else "",
        f"timeout {spec.timeout:g} s" if spec.timeout else "",
        {True: "review wanted", False: "no review", None: ""}[spec.review],
    ]
    lines = [
        f"ticket    {clean(t.ticket, limit=100)}  {queueing.ticket_title(t)}",
        f"about     {clean(chaining.about(t), limit=200)}" if t.link else f"file      {clean(t.file, limit=200)}",
    ]
    if named := ", ".join(clean(fact, limit=80) for fact in facts if fact):
        lines.append(f"says      {named}")
    if spec.gate:
        lines.append(f"gate      {clean(spec.gate.words, limit=300)}")
    if spec.paths:
        lines.append(f"paths     {clean(', '.join(spec.paths), limit=300)}")
    if t.held:
        lines.append(f"held      {clean(t.held, limit=300)}")
    return lines


def _verdict(v: TextVerdict) -> list[str]:
    about = f", {v.category}" if v.category else ""
    why = f": {clean(v.why, limit=300)}" if v.why else ""
    rule = f" by rule {clean(v.rule, limit=80)}" if v.rule else ""
    return [
        f"verdict   {v.decision}{about}{rule}{why}",
        *(f"evidence  {clean(line, limit=300)}" for line in v.evidence),
    ]


def dependency_lines(t: Ticket, state: State) -> list[str]:
    """What it depends on and what depends on it, each with where it stands."""
    lines = []
    for name in t.spec.depends_on:
        other = state.tickets.get(name)
        how = stand(other, state)[0] if other else "no ticket of that id"
        lines.append(f"needs     {clean(name, limit=100)}: {how}")
    after = standing.behind(state, t.ticket)
    if after:
        named = ", ".join(clean(name, limit=60) for name in after[:8])
        more = f" and {len(after) - 8} more" if len(after) > 8 else ""
        lines.append(f"behind    {named}{more}")
    return lines


def _attempts(t: Ticket) -> list[str]:
    lines = []
    for f in t.failures:
        lines.append(f"attempt   {f.attempt} failed, {_cause(f)}: {clean(f.why, limit=400)}")
        if f.kept:
            lines.append(f"          its work is kept as {clean(f.kept[:10])}")
    if t.attempt and len(t.failures) < t.attempt:
        whose = "the run's own" if t.holder in ("", "loop") else f"pulled by {clean(t.holder, limit=60)}"
        lines.append(f"attempt   {t.attempt}, {whose}; {t.attempts} counted")
    return lines


def _cause(f: Failure) -> str:
    return {"gate": "the gate", "agent": "the agent", "crash": "a crash", "timeout": "the time limit"}.get(
        f.cause, clean(f.cause, limit=40)
    )


def _place(t: Ticket) -> list[str]:
    lines = []
    if t.branch:
        base = f", from {short(t.base)}" if t.base else ""
        stacked = f" ({clean(t.place, limit=200)})" if t.place else ""
        lines.append(f"branch    {clean(t.branch, limit=200)}{base}{stacked}")
    if t.worktree:
        lines.append(f"worktree  {clean(t.worktree, limit=300)}")
    if t.stacked_on:
        lines.append(f"stacked   on {', '.join(short(plan) for plan in t.stacked_on)}")
    return lines


LINES, LINE = 4000, 4000
"""Lines of a text, and characters of a line, that are shown: what is longer would let the screen stand still."""


def text_lines(text: str) -> list[str]:
    """A ticket's file as it is, cleaned where it is drawn; what is left out is said."""
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    shown = [line if len(line) <= LINE else f"{line[:LINE]}\u2026(+{len(line) - LINE})" for line in lines[:LINES]]
    left = len(lines) - len(shown)
    return [*shown, f"(and {left} more lines; look at the file)"] if left else shown


def shown_whole(text: str) -> bool:
    """Whether `text_lines` leaves nothing out."""
    return text.count("\n") <= LINES and all(len(line) <= LINE for line in text.split("\n"))


# -- plans of tickets ------------------------------------------------------------------------------------


def ticket_of_plan(state: State, p: Plan) -> Ticket | None:
    return stacking.owner(state, p)


def doubts(state: State, p: Plan) -> tuple[str, ...]:
    """Why the ticket of this plan is not plainly done; () when it is, or when the plan is of no ticket."""
    t = ticket_of_plan(state, p)
    if not t or t.outcome != "DONE_LOW_CONFIDENCE":
        return ()
    return t.flags or (t.why or "low confidence",)


def rests_on(state: State, p: Plan) -> Plan | None:
    """The plan that has to land before this one, as its work starts from it (DESIGN.md, ruling 6)."""
    return stacking.under(state, p)


def starts(state: State, p: Plan) -> str:
    """How it stands to the plan that has to land before it, up to that plan's id."""
    old = stacking.replaced(state, p)
    return f"its work starts from {short(old.plan)}, now plan" if old else "its work starts from plan"


def stuck(state: State, p: Plan) -> str:
    """Why this plan can never land and what to do instead, "" when it can."""
    below = stacking.under(state, p)
    return clean(stacking.obstacle(state, p), limit=300) if below and stacking.never(below) else ""


def outcome_mark(t: Ticket, state: State) -> str:
    """Glyph and word, for a headline."""
    mark = queueing.ticket_sign(t, state)
    return f"{mark.glyph} {stand(t, state)[0]}"


def held_lines(state: State) -> list[str]:
    """Every held ticket and why."""
    return [
        f"{sign('held').glyph} {clean(t.ticket, limit=60)}  {queueing.ticket_title(t)}: {clean(t.held, limit=200)}"
        for t in held(state)
    ]
