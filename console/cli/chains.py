"""`nightdesk chain list|on|off`: reviews and repairs of finished work, and the switch for them."""

from __future__ import annotations

from typing import Any

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core.commits import short
from console.core.records import Refused
from console.core.records_chains import ReviewLimits
from console.core.reporting import chaining
from console.core.settings import Settings, agent_of, review_limits
from console.core.state import State, open_run
from console.present import landings
from console.present.board import Chain, chains
from console.present.chainnext import asks
from console.present.text import clean

WHAT = {
    "never": "only tickets that say `review: true`",
    "high_risk": "high-risk work, and tickets that say `review: true`",
    "always": "all work, but for tickets that say `review: false`",
}


@click.group()
def chain() -> None:
    """Reviews of finished work, repairs of what they find, and where each stands. Nothing of it lands by itself."""


# -- the list ----------------------------------------------------------------------------------------------


@chain.command("list")
@click.option("--all", "all_", is_flag=True, help="Also chains that are over.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """Every chain as a tree: the ticket, its reviews and repairs, and what comes next."""
    state = common.client(common.here(ctx)).state
    if json_:
        common.as_json({"on": state.chains_on, "limits": state.review_limits, "chains": data(state)})
        return
    for line in lines(state, all_):
        click.echo(line)


def lines(state: State, all_: bool) -> list[str]:
    """For a terminal. all_: also chains that are over."""
    shown = [one for one in data(state) if all_ or one["state"] != "over"]
    head = f"chains are {'on' if state.chains_on else 'off'}"
    none = "no chain yet" if state.chains_on else "nothing is reviewed by itself; `nightdesk chain on`"
    return [head, *(clean(line) for one in shown for line in tree(one))] if shown else [head, none]


STATES = ("escalated", "ready", "waiting", "under-way", "over")
"""By the ranks of `present.board`."""


def data(state: State) -> list[dict[str, Any]]:
    """Each chain with its members of the present round, for programs; those that need a person first."""
    return [
        {
            "root": one.root.ticket,
            "state": STATES[one.rank],
            "plan": one.root.plan,
            "next": following(state, one),
            "members": [member(state, m.ticket) for m in one.members],
            "earlier": one.earlier,
        }
        for one in chains(state)
    ]


def following(state: State, one: Chain) -> str:
    """What comes next, as a command where a person has to do it."""
    look = f"`nightdesk plan show {short(one.root.plan)}`"
    match STATES[one.rank]:
        case "escalated":
            return f"{state.tickets[one.root.ticket].escalated}; {look}, then decide"
        case "ready":
            return f"the review said SHIP; {look}, then approve or reject it"
        case "waiting":
            return _waits(state, one)
        case _:
            return one.then


def _waits(state: State, one: Chain) -> str:
    root = state.tickets[one.root.ticket]
    members = [m for member in one.members if (m := state.tickets[member.ticket]).phase != "dropped"]
    if root.phase == "ended" and not members:
        return "its first review waits for a run (`nightdesk run`)"
    last = members[-1] if root.phase == "ended" else root
    match asks(state, last):
        case "run":
            return f"{last.ticket} waits for a run (`nightdesk run`)"
        case "decision":
            return f"{last.ticket} is parked (`nightdesk decision show {last.decision}`)"
        case _:
            return "chains are off, so nothing follows by itself (`nightdesk chain on`)"


def member(state: State, ticket: str) -> dict[str, Any]:
    """One review or repair. plan: that a repair made; verdict: what a review said last, "" for none."""
    t = state.tickets[ticket]
    assert t.link
    session = state.sessions.get(t.session)
    return {
        "ticket": ticket,
        "kind": t.link.kind,
        "cycle": t.link.cycle,
        "head": t.link.head,
        "phase": t.phase,
        "outcome": t.outcome or "",
        "word": chaining.word(t) if t.phase in ("ended", "dropped") else t.phase,
        "verdict": t.review.verdict if t.review else "",
        "preset": session.preset if session else t.spec.agent,
        "plan": t.plan,
        "why": landings.why(state, t) if landings.of_ticket(state, t) else t.why,
    }


def tree(one: dict[str, Any]) -> list[str]:
    lines = [f"{one['root']}  {one['state']}{': ' + one['next'] if one['next'] else ''}"]
    for number, m in enumerate(one["members"], 1):
        branch = "└─" if number == len(one["members"]) else "├─"
        who = f" by {m['preset']}" if m["preset"] else ""
        lines.append(f"{branch} {m['kind']} {m['cycle']} of {m['head'][:10]}{who}: {m['word']}")
    if one["earlier"]:
        lines.append(f"   ({one['earlier']} more from before it was sent back)")
    return lines


# -- the switch --------------------------------------------------------------------------------------------


@chain.command()
@click.pass_context
def on(ctx: click.Context) -> None:
    """Finished work gets reviews from now on, and what they find is repaired; a person still decides."""
    here, settings = _switch(ctx, True)
    for line in said(settings, review_limits(settings)):
        click.echo(clean(line))
    client = common.client(here)
    if not open_run(client.state):
        click.echo("no run is under way: reviews wait for the next one (`nightdesk run`)")


@chain.command()
@click.pass_context
def off(ctx: click.Context) -> None:
    """No further review or repair begins; those under way finish."""
    _switch(ctx, False)
    click.echo("chains are off: no further review or repair begins; what is under way finishes")


def _switch(ctx: click.Context, on: bool) -> tuple[wiring.Here, Settings]:
    common.people_only(f"switching chains {'on' if on else 'off'}")
    here = common.here(ctx)
    loaded = wiring.settings_of(here)
    if on and (trouble := wiring.distrust(here, loaded)):
        raise common.Fail(trouble)
    result = common.client(here).send(cmd.SwitchChains(on=on, by=wiring.who(here)), needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    return here, loaded.settings


def said(settings: Settings, limits: ReviewLimits) -> list[str]:
    """What is reviewed and by whom, and what stands in its way."""
    own = agent_of(settings)
    others = [name for name in limits.presets if name != own]
    reviewer = limits.reviewer or (others[0] if others else own)
    lines = [
        f"chains are on: {WHAT[limits.when]}",
        f"reviewed by {reviewer or 'nobody: there is no preset'}, at most {limits.max_cycles} times a chain, "
        f"{limits.max_chains} chains at once; repaired by {limits.repairer or 'the preset that did the work'}",
    ]
    for name in dict.fromkeys((reviewer, limits.repairer)):
        if name and name not in limits.presets:
            lines.append(f"nobody confirmed the preset {name}: it is not started (`autonomy_confirmed: true` for it)")
    if reviewer and reviewer == own:
        lines.append(f"{own} also does the work: confirm a second preset, or name one as review.assignee")
    return lines
