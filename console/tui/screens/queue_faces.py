"""What the right-hand pane says of a ticket, a decision and the folder's problems. Pure; no widget."""

from __future__ import annotations

from console.core.decisions import Parked
from console.core.reporting import standing
from console.core.state import State
from console.core.tickets import Ticket
from console.present import landings, queueing, wording
from console.present.keytable import key
from console.present.queue_rows import held_lines, outcome_mark, stand
from console.present.text import clean, cut
from console.tui.widgets.detail import Face

LONG = 600
"""Characters of a question in the headline; the Why tab has all of it."""


def ticket(state: State, t: Ticket, gate: tuple[str, ...], now: float) -> Face:
    why, (word, tone) = queueing.why(t, state, now), stand(t, state)
    return Face(
        title=f"ticket {clean(t.ticket, limit=60)} · {queueing.ticket_title(t)}",
        facts=clean(t.branch, limit=100) or clean(t.file, limit=100),
        headline=f"{outcome_mark(t, state)} · {_hint(t, state)}{why.removeprefix(f'{word}: ')}".rstrip(" ·"),
        tone=tone,
        warnings=tuple(f"!! {clean(flag, limit=300)}" for flag in t.flags),
        why=(why, "", *_failures(t)),
        gate=gate,
        plan=t.plan if t.plan in state.plans else "",
        wrap=True,
    )


def _hint(t: Ticket, state: State) -> str:
    if landings.of_ticket(state, t):
        return f"{key('undo')} takes its landing back, {key('reject')} runs it once more · "
    if t.held and t.phase == "queued":
        return f"{key('release')} releases it · "
    if t.phase == "ended" and t.outcome not in ("DONE", "PARKED_DECISION", "PARKED_FOUNDATIONAL"):
        return f"{key('reject')} requeues it, {key('stop')} drops it · "
    return ""


def _failures(t: Ticket) -> list[str]:
    """What each attempt was told to have broken, as the next one is told."""
    lines: list[str] = []
    for f in t.failures:
        lines.append(f"attempt {f.attempt} failed ({clean(f.cause, limit=40)}): {clean(f.why, limit=500)}")
        lines += ["", *f.output.rstrip("\n").split("\n")[-40:], ""] if f.output else [""]
    return lines


def decision(state: State, d: Parked, gate: tuple[str, ...], now: float) -> Face:
    t = state.tickets.get(d.ticket)
    title = queueing.ticket_title(t) if t else ""
    headline, tone = _headline(d)
    return Face(
        title=f"decision {clean(d.decision)} · {clean(d.ticket, limit=60)} · {title}",
        facts=f"{'foundational · ' if d.foundational else ''}{wording.age(now - d.at)} old",
        headline=headline,
        tone=tone,
        why=tuple(decision_lines(state, d, now)),
        gate=gate,
        plan=t.plan if t and t.plan in state.plans else "",
        wrap=True,
    )


def _headline(d: Parked) -> tuple[str, str]:
    match d.state:
        case "open":
            count = min(9, len(d.options))
            digits = f"{'1 chooses' if count == 1 else f'1-{count} choose'} in this pane, " if count else ""
            kind = "foundational · " if d.foundational else ""
            return f"? you decide · {kind}{digits}{key('type')} types", "needs"
        case "answered":
            back = f"{key('undo')} takes it back until work begins"
            return f"✓ answered{_by(d)}: {cut(clean(d.answer), 120)} · {back}", "go"
        case "closed":
            return f"⊘ nothing is left to decide: {clean(d.reason, limit=300)}", "quiet"


def _by(d: Parked) -> str:
    return f" by {clean(d.by.user, limit=40)}" if d.by and d.by.user else ""


def decision_lines(state: State, d: Parked, now: float) -> list[str]:
    """The question first, then what it can be read as, then why and where one sees it."""
    lines = [queueing.question(d, 4000), ""]
    for number, option in enumerate(d.options, 1):
        lines.append(f" {queueing.reading(number, option, 2000)}")
    lines += [f" {key('type')}  something else: type it", ""] if d.state == "open" else [""]
    if d.state == "answered":
        lines += [f"answer    {clean(d.answer, limit=2000)}{_by(d)}", ""]
    source = {
        "rule": "a rule of nightdesk",
        "agent": "its agent",
        "question": "its agent, who asked",
        "rejected": "you, who rejected its plan",
        "nightdesk": "nightdesk",
    }
    lines.append(f"why       {clean(d.why, limit=2000)}")
    lines.append(f"parked    by {source.get(d.source, clean(d.source))}{_about(d)}, {wording.age(now - d.at)} ago")
    lines += [f"evidence  {clean(line, limit=500)}" for line in d.evidence]
    if after := standing.behind(state, d.ticket):
        lines.append(f"behind    {', '.join(clean(name, limit=60) for name in after[:12])}")
        if len(after) > 12:
            lines.append(f"          and {len(after) - 12} more")
    return lines


def _about(d: Parked) -> str:
    return f" ({d.category})" if d.category else ""


def problems(state: State) -> Face:
    count = len(state.problems)
    return Face(
        title=f"{count} problem{'s' * (count > 1)} in tickets/",
        headline="! these files are not in the queue as they are; the good ones run",
        tone="broke",
        why=tuple(f"! {clean(line, limit=1000)}" for line in state.problems),
        wrap=True,
    )


def held(state: State) -> Face:
    lines = held_lines(state)
    return Face(
        title=f"{len(lines)} held",
        headline=f"⊘ held until a person has looked: {key('open')} goes to the first, {key('release')} releases it",
        tone="needs",
        why=tuple(lines) or ("nothing is held any more",),
        wrap=True,
    )
