"""Whether finished work is reviewed by itself, and by whom."""

from __future__ import annotations

from collections.abc import Iterator

from console.adapters.preflight.facts import Facts, ok, warning
from console.core.records import Check
from console.core.settings import agent_of, review_limits


def reviews(f: Facts) -> Iterator[Check]:
    """A reviewer that cannot be started costs no run: its chains end with a person."""
    if f.loaded.problems:
        return
    limits, own = review_limits(f.settings), f.agent or agent_of(f.settings)
    if not f.chains:
        yield ok("reviews", "off: nobody but you looks at what is done (`nightdesk chain on` gets reviews)")
        return
    at = f.where("review", "presets")
    what = {"never": "what a ticket wants reviewed", "high_risk": "high-risk work", "always": "all work"}[limits.when]
    named = {"assignee": limits.reviewer, "repair_assignee": limits.repairer}
    for key, name in named.items():
        if name and name not in limits.presets:
            cure = f"look at what it may do, then set `autonomy_confirmed: true` for it ({f.where('presets')})"
            yield warning("reviews", f"{key} is {name!r}, which nobody confirmed: it is not started", cure)
    others = [name for name in limits.presets if name != own]
    if f.pull:
        yield ok("reviews", f"on: {what}, when a run starts agents itself; workers that pull tickets get none")
    elif limits.reviewer and limits.reviewer not in limits.presets:
        return  # which has been said
    elif limits.reviewer == own or not (limits.reviewer or others):
        cure = f"confirm a second preset, or name it as review.assignee ({at})"
        yield warning("reviews", f"on: {what}, by {own or 'nobody'}, which also does the work", cure)
    else:
        yield ok("reviews", f"on: {what}, by {limits.reviewer or others[0]}, at most {limits.max_cycles} times")
