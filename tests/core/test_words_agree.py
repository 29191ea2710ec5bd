"""What is told of a night with chains agrees: report, status, the list of tickets, and the last line of a run."""

from __future__ import annotations

import pytest
from chainplay import TWO
from msgspec.structs import replace
from play import ME
from test_chain_replay import Chained

from console.cli.chains import data
from console.cli.tickets import _listed
from console.core import commands as cmd
from console.core.records_chains import ReviewLimits
from console.core.report import build
from console.core.reporting import chaining, stacking, tallying
from console.core.reporting.records import Report
from console.core.state import State, open_run
from console.present import attention, board, queueing, runwords

Thing = tuple[str, str]


def in_status(state: State) -> set[Thing]:
    """What status says waits for a person, but for sessions and what is held."""
    found = set()
    for item in attention.needs(state):
        if item.kind in ("decision", "plan"):
            found.add((item.kind, item.about))
        elif item.kind == "ticket" and item.word in ("blocked", "failed", "look"):
            found.add(("ticket", item.about))
        elif item.kind == "policy":
            t = state.tickets[state.policies[item.about].spec.ticket]
            found.add(("ticket", stacking.root(state, t).ticket))
    return found


def in_report(state: State, report: Report) -> set[Thing]:
    found = set()
    for item in report.items:
        waits = item.plan in state.plans and state.plans[item.plan].state == "waiting"
        match item.section:
            case "decide":
                found.add(("decision", item.decision))
            case "look" | "done" if waits:
                found.add(("plan", item.plan))
            case "look" | "blocked" | "failed":
                found.add(("ticket", item.about))
    return found


def agree(state: State, night: Chained) -> None:
    run = next(reversed(state.runs.values()))
    report = build(state, "", night.log)
    assert isinstance(report, Report)
    told, shown = in_status(state), in_report(state, report)
    assert shown <= told, ("only the report", shown - told)
    before = {name for kind, name in told - shown if kind == "ticket"}
    assert all(kind == "ticket" for kind, _ in told - shown), ("only status", told - shown)
    assert not before & set(tallying.met(state, run)), ("only status", before)
    check_counts(state, report)
    check_chains(state, report)
    check_list(state, told)


def check_counts(state: State, report: Report) -> None:
    run = next(reversed(state.runs.values()))
    assert runwords.tally(run) == {name: n for name, n in report.tally.outcomes.items() if n}
    assert sum(runwords.chained(run).values()) == len(run.outcomes) - len(runwords.outcomes(run))
    roots = [t for t in state.tickets.values() if not t.link and t.phase != "gone"]
    assert sum(queueing.ticket_counts(state).values()) == len(roots)


def check_chains(state: State, report: Report) -> None:
    ranks = {one.root.ticket: one.rank for one in board.chains(state)}
    if report.chains:
        assert all(ranks[name] == board.SHIPPED for name in report.chains.shipped)
        assert all(ranks[name] == board.ESCALATED for name in report.chains.escalated)
    for one, told in zip(board.chains(state), data(state), strict=True):
        flying = any(state.tickets[m.ticket].in_flight for m in one.members)
        root = state.tickets[one.root.ticket]
        if not flying and not root.in_flight and not open_run(state):
            assert told["state"] != "under-way", told


def check_list(state: State, told: set[Thing]) -> None:
    """Whatever status calls a person to is in the list; each review and repair with its ticket."""
    listed = [t.ticket for t in _listed(state, chaining.families(state), False)]
    assert len(listed) == len(set(listed))
    everything = [t.ticket for t in _listed(state, chaining.families(state), True)]
    assert sorted(everything) == sorted(state.tickets)
    for kind, about in told:
        ticket = state.decisions[about].ticket if kind == "decision" else about
        if kind != "plan":
            assert ticket in listed, (kind, about)


def play(seed: int, steps: int, every: int) -> State:
    night = Chained(seed)
    night.do(cmd.SwitchChains(on=True, by=ME))
    night.do(cmd.ReadChainLimits(limits=ReviewLimits(when="always", max_cycles=2, presets=("bot", "critic"))))
    for _ in range(3):
        night.folder()
    for step in range(steps):
        if night.dice.random() < 0.1:
            night.person()
        elif not night.perform() and not open_run(night.state):
            night.folder()
            night.go(replace(TWO, ack=seed % 2 > 0))
        if night.state.runs and step % every == 0:
            agree(night.state, night)
    night.rest()
    agree(night.state, night)
    return night.state


@pytest.mark.parametrize("seed", [2002, 2004, 2009])
def test_report_status_list_and_the_end_of_a_run_agree_on_counts_and_on_what_waits_for_a_person(seed: int) -> None:
    state = play(seed, 300, 25)
    assert sum(t.link is not None for t in state.tickets.values()) > 3, "a night without chains shows nothing"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_they_agree_at_every_moment_of_many_nights(block: int) -> None:
    for seed in range(3000 + block * 15, 3015 + block * 15):
        play(seed, 300, 2)
