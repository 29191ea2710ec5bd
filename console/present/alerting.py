"""Alerts and assessments in words: what changed in the git dir, what a diff touches. Pure; everything is cleaned."""

from __future__ import annotations

from typing import Any

import msgspec

from console.core.alerts import Alert
from console.core.commits import Plan
from console.core.records import Finding, RepoChange
from console.present.text import clean

SEVERITY = {
    "runs": "runs a program",
    "lies": "hides or falsifies",
    "moved": "a branch was moved",
    "lock": "a lock is in the way",
    "note": "worth knowing",
}
FINDINGS_SHOWN = 12


def alert_state(a: Alert) -> str:
    if a.state == "open":
        return "holds approvals" if a.blocks else "open"
    return a.outcome if a.state == "settled" else f"{a.action} asked for"


def alert_title(a: Alert) -> str:
    """One line for a list."""
    first = clean(a.changes[0].item, limit=120) if a.changes else "nothing"
    more = f" and {len(a.changes) - 1} more" if len(a.changes) > 1 else ""
    after = f" after turn {a.turn} of {a.session}" if a.session else ""
    return f"git dir: {first}{more} changed{after}"


def alert_data(a: Alert) -> dict[str, Any]:
    return {**msgspec.to_builtins(a), "blocks": a.blocks}


def alert_lines(a: Alert) -> list[str]:
    when = {
        "turn": f"seen after turn {a.turn} of {a.session}",
        "approval": "seen when a plan was approved",
        "judging": "seen when work was judged",
    }
    lines = [f"alert     {a.alert}  {alert_state(a)}", f"seen      {when.get(a.when, 'seen at a start')}"]
    for change in a.changes:
        lines += change_lines(change)
    lines += [f"note      {clean(note)}" for note in a.notes]
    if a.state == "open":
        lines += ["", "adopt     takes what is there as right", "restore   puts back what was there; deletes nothing"]
    return lines


def change_lines(change: RepoChange) -> list[str]:
    lines = ["", f"{SEVERITY[change.severity]}: {clean(change.item)}"]
    if change.before or change.after:
        lines += [
            f"  was       {clean(change.before) or '(absent)'}",
            f"  is now    {clean(change.after) or '(absent)'}",
        ]
    if change.cure:
        lines.append(f"  do        {clean(change.cure)}")
    return lines


# -- what a diff touches


def level_word(p: Plan) -> str:
    """What has to be typed at level 3; "" below that."""
    return f"level 3: type {p.policy}" if p.level == 3 else ""


def finding_line(f: Finding) -> str:
    where = f" ({f.path}:{f.line})" if f.path and f.line else f" ({f.path})" if f.path else ""
    return f"{clean(f.text, limit=300)}{clean(where)}"


def finding_lines(p: Plan, shown: int | None = FINDINGS_SHOWN) -> list[str]:
    """The facts about a diff, the gravest first: `!!` high, `!` medium, `-` info; the first `shown`, None for all."""
    if not p.assessment:
        return []
    mark = {"high": "!!", "medium": "!", "info": "-"}
    named = p.assessment.findings[:shown]
    lines = [f"{mark[f.level]} {finding_line(f)}" for f in named]
    more = len(p.assessment.findings) - len(named)
    return [*lines, f"- and {more} more; the Why tab has all"] if more > 0 else lines


def assessment_lines(p: Plan) -> list[str]:
    """All of it, for the command line and the Why tab."""
    if not p.assessment:
        return ["risk      not assessed (frozen by an older nightdesk)"]
    a = p.assessment
    touches = f", touches {', '.join(a.classes)}" if a.classes else ""
    lines = [f"risk      level {a.level}{touches}"]
    return lines + [f"  {f.level:8}{finding_line(f)}" for f in a.findings]
