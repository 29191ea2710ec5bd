"""`nightdesk status`: who supervises, the counts, and what needs a person."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import click

from console import wiring
from console.adapters.lock import is_taken
from console.cli import common
from console.core.reporting import calls
from console.core.sessions import LIVE
from console.core.state import State, open_run
from console.core.tickets import of_chain
from console.present import attention, board, conditions, healthwords, noticewords, queueing, runwords, wording
from console.present.glyphs import sign
from console.present.text import clean

WAITS = 5
"""Tickets that wait for the end of a limit, each in a line of its own."""


@dataclass(frozen=True, slots=True)
class Beat:
    """age: seconds since the supervisor's last sign of life. worst: its longest gap so far."""

    age: float
    worst: float


@click.command()
@common.json_option
@click.pass_context
def status(ctx: click.Context, json_: bool) -> None:
    """Supervisor, counts, and what needs a person, worst first."""
    here = common.here(ctx)
    state = common.client(here).state
    running = is_taken(here.places.lock)
    beat = _beat(here, state) if running else None
    now = time.time()
    items = attention.needs(state, running, wiring.silence(here, state), now)
    if json_:
        common.as_json(
            {
                "workspace": str(here.root),
                "supervisor": wording.supervisor_data(state, running) | _beat_data(beat),
                "counts": wording.counts(state),
                "run": _run_data(state),
                "tickets": queueing.ticket_counts(state),
                "chains": _chain_data(state),
                "routines": [r.routine for r in calls.escalated(state)],
                "channels": [o for o in state.outlets.values() if noticewords.is_failing(o, now)],
                "needs": [item.data() for item in items],
                "cursor": state.seq,
                "trouble": here.trouble,
            }
        )
        return
    click.echo(f"{here.root}: {wording.supervisor_sentence(state, running, now)}")
    if beat:
        click.echo(f"  last sign of life {_seconds(beat.age)} ago, longest gap so far {_seconds(beat.worst)}")
    if here.trouble:
        click.echo(f"  {clean(wiring.gone(here))}")
    click.echo(wording.counts_sentence(state))
    _say_health(state, running, now)
    _say_queue(state, running, now)
    _say_chains(state)
    for line in noticewords.failing(state, now):
        click.echo(f"  {clean(line)}")
    cut_off = sum(s.phase in LIVE for s in state.sessions.values())
    going_back = [s.session for s in state.sessions.values() if s.rollback]
    if not running and cut_off:
        click.echo(f"  nobody supervises and {cut_off} session(s) were cut off; `nightdesk` goes on with them")
    if going_back:
        stands = "" if running else "; nobody supervises, `nightdesk run --idle` or any other command finishes it"
        click.echo(f"  the files of {', '.join(going_back)} are going back to a snapshot{stands}")
    for item in items:
        click.echo(f"  {sign(item.word).word:8} {item.key:14} {wording.age(now - item.since):>5}  {item.text}")
    if not items and (running or not cut_off):
        click.echo("nothing needs you")


def _beat(here: wiring.Here, state: State) -> Beat | None:
    """Of the supervisor that the log knows of and that lives, None when its beat cannot be read or is another's."""
    from console.adapters import beat as beating

    last = beating.read(here.places.beat)
    if not last or not state.supervisor or last.pid != state.supervisor.pid:
        return None
    return Beat(max(0.0, time.monotonic() - last.monotonic), last.worst)


def _beat_data(beat: Beat | None) -> dict[str, Any]:
    return {"beatAge": round(beat.age, 3) if beat else None, "longestGap": beat.worst if beat else None}


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else wording.age(seconds)


def _say_health(state: State, running: bool, now: float) -> None:
    """What is silent, ended and started again just now, and what is held; what needs a person comes further down."""
    for s in state.sessions.values():
        if healthwords.ailing(s) in ("suspect", "hung", "crashed", "restarts") and running:
            word = wording.session_word(s)
            click.echo(f"  {word:8} {s.session:6} {clean(s.label, limit=30)}{healthwords.told(state, s, now)}")
    if waiting := conditions.held_work(state):
        more = f" and {len(waiting) - 12} more" if len(waiting) > 12 else ""
        click.echo(f"  held until there is enough again: {', '.join(map(clean, waiting[:12]))}{more}")


def _chain_data(state: State) -> dict[str, Any]:
    found = board.chains(state)
    named = {"ready": board.SHIPPED, "escalated": board.ESCALATED, "waiting": board.ASKS, "underWay": board.GOING}
    return {"on": state.chains_on} | {
        word: [chain.root.ticket for chain in found if chain.rank == rank] for word, rank in named.items()
    }


def _say_chains(state: State) -> None:
    """Whether work is reviewed by itself, and where that stands; nothing where nobody ever asked for it."""
    found = board.counts(board.chains(state))
    if state.chains_on or found:
        told = "  ".join(f"{word} {number}" for word, number in found.items())
        click.echo(f"chains: {'on' if state.chains_on else 'off'}{'  ' + told if told else ''}")


def _run_data(state: State) -> dict[str, Any] | None:
    run = queueing.latest_run(state)
    if not run:
        return None
    return {
        "run": run.run,
        "state": run.state,
        "status": run.status,
        "why": run.reason,
        "claimed": sum(not of_chain(ticket) for ticket in run.claimed),
        "outcomes": runwords.outcomes(run),
        "costUsd": run.cost_usd,
    }


def _say_queue(state: State, running: bool, now: float) -> None:
    """The latest run and where the tickets stand; nothing when there were none."""
    run = queueing.latest_run(state)
    if run:
        click.echo(clean(f"{run.run}: {queueing.run_line(state, now)}{'  ' + run.reason if run.reason else ''}"))
        if open_run(state) and not running:
            click.echo("  nobody supervises and the run is not over; `nightdesk run` goes on with it")
    if counts := queueing.ticket_counts(state):
        click.echo("tickets: " + "  ".join(f"{word} {number}" for word, number in counts.items()))
    waiting = [(t, said) for t in state.tickets.values() if (said := queueing.waits(t, state, now))]
    for t, said in sorted(waiting, key=lambda each: each[0].until)[:WAITS]:
        click.echo(f"  {clean(t.ticket, limit=60)} {said}")
    if len(waiting) > WAITS:
        click.echo(f"  and {len(waiting) - WAITS} more")
    for problem in state.problems[:5]:
        click.echo(f"  {clean(problem)}")
