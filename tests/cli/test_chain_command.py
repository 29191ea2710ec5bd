"""`nightdesk chain`: the switch, who may turn it, what it says, and the trees."""

from __future__ import annotations

import pytest
from commandline import CONFIG, CommandLine
from msgspec.structs import replace

from console.cli.chains import data, lines
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import TextVerdict, TicketSpec, Who
from console.core.records_chains import Link, Review, ReviewLimits
from console.core.state import State

ALONE = f"{CONFIG}agent: bot\npresets:\n  bot: {{command: bot, protocol: acp, autonomy_confirmed: true}}\n"
TWO = f"{ALONE}  apt: {{command: apt, protocol: acp, autonomy_confirmed: true}}\n"
SHY = f"{ALONE}  shy: {{command: shy, protocol: acp}}\nreview: {{assignee: shy, when: always, max_cycles: 2}}\n"


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (TWO, ["high-risk work", "reviewed by apt, at most 5 times", "repaired by the preset that did the work"]),
        (ALONE, ["reviewed by bot", "bot also does the work: confirm a second preset"]),
        (SHY, ["all work", "reviewed by shy, at most 2", "nobody confirmed the preset shy"]),
        (CONFIG, ["reviewed by nobody: there is no preset"]),
    ],
)
def test_on_says_what_is_reviewed_by_whom_and_what_is_in_the_way(
    line: CommandLine, config: str, says: list[str]
) -> None:
    line.settle(config)
    said = line.ok("chain", "on")
    assert all(words in said.out for words in [*says, "no run is under way"]), said.out
    line.journal.refresh()
    assert line.journal.state.chains_on


def test_the_switch_is_for_people_and_says_where_it_stands(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "chains are off" in line.ok("chain", "list").out
    line.ok("chain", "on")
    again = line.run("chain", "on")
    assert again.code == 2 and "on already" in again.err
    monkeypatch.setattr("console.adapters.operator.inside_a_session", lambda: True)
    for word in ("on", "off"):
        refused = line.run("chain", word)
        assert refused.code == 2 and "is for the operator" in refused.err
    monkeypatch.undo()


def test_off_is_off_and_settings_that_nobody_trusts_turn_nothing_on(line: CommandLine) -> None:
    line.ok("chain", "on")
    assert "no further review" in line.ok("chain", "off").out
    line.settle(TWO, trusted=False)
    refused = line.run("chain", "on")
    assert refused.code == 2 and "trust" in refused.err
    line.journal.refresh()
    assert not line.journal.state.chains_on
    switches = [e.fact for e in line.journal.since(0) if isinstance(e.fact, ev.ChainsSwitched)]
    assert [(fact.on, fact.by.via) for fact in switches] == [(True, "cli"), (False, "cli")]


# -- the list ------------------------------------------------------------------------------------------------


def played(line: CommandLine, *, escalate: bool = False) -> tuple[State, str]:
    """A root whose first review said BLOCK; its repair is queued, or the chain has gone to a person. Its own words
    cannot be reported to a log, so they are told to a state beside it."""
    _, _, head = line.waiting_plan()
    line.journal.refresh()
    state = line.journal.state
    link = Link(kind="review", root="root", head=head, policy="pol-1", after="root")
    mended = replace(link, kind="repair", after="root+review-1")
    spec = TicketSpec(title="Review", agent="apt")
    review = Review(verdict="BLOCK", commit=head, why="its last line", findings="\x1b[31mwrong", preset="apt")
    facts: list[ev.Fact] = [
        ev.ChainsSwitched(on=True, by=Who()),
        ev.TicketSeen(
            ticket="root", file="root.md", digest="d", stamp="d", spec=TicketSpec(title="Do"), verdict=TextVerdict()
        ),
        ev.TicketEnded(ticket="root", attempt=1, outcome="DONE_LOW_CONFIDENCE", why="level 3", plan=head),
        ev.ChainSpawned(ticket="root+review-1", link=link, spec=spec, key="review:root", why="so"),
        ev.ReviewJudged(ticket="root+review-1", attempt=1, review=review),
        ev.TicketEnded(ticket="root+review-1", attempt=1, outcome="DONE", why="read"),
    ]
    if escalate:
        facts.append(ev.ChainEscalated(root="root", ticket="root+review-1", plan=head, why="twice \x1b[2J", key="e"))
    else:
        repair = TicketSpec(title="Repair")
        facts.append(ev.ChainSpawned(ticket="root+repair-1", link=mended, spec=repair, key="repair:root", why=""))
    for fact in facts:
        state.apply(ev.Logged(seq=state.seq + 1, at=1.0, fact=fact))
    return state, head


def test_the_list_is_a_tree_of_what_was_said_of_which_commit(line: CommandLine) -> None:
    state, head = played(line)
    text = "\n".join(lines(state, False))
    assert f"├─ review 1 of {head[:10]} by apt: BLOCK\n└─ repair 1 of {head[:10]}: queued" in text
    assert "root  waiting: root+repair-1 waits for a run (`nightdesk run`)" in text
    (chain,) = data(state)
    assert [(m["ticket"], m["kind"], m["verdict"], m["cycle"]) for m in chain["members"]] == [
        ("root+review-1", "review", "BLOCK", 1),
        ("root+repair-1", "repair", "", 1),
    ]


def test_what_came_from_outside_cannot_reach_the_terminal(line: CommandLine) -> None:
    text = "\n".join(lines(played(line, escalate=True)[0], False))
    assert "\x1b" not in text and "root  escalated: twice" in text and "nightdesk plan show" in text


def test_limits_as_they_were_read_are_in_the_list(line: CommandLine) -> None:
    line.do(cmd.ReadChainLimits(limits=ReviewLimits(max_cycles=2, presets=("bot",))))
    line.do(cmd.SwitchChains(on=True, by=Who()))
    told = line.ok("chain", "list", "--json").json
    assert told["on"] is True and told["limits"]["max_cycles"] == 2 and told["chains"] == []
