"""The table of the first steps: what is done, what can be taken, and when they are shown by themselves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from console.core.first_steps import Look, Progress, newcomer, next_step, steps
from console.core.state import State
from console.present import firstwords

EMPTY = Look(folder="/shop")
MADE = replace(EMPTY, repository=True)
KNOWN = replace(MADE, who="Ada <ada@example.invalid>")
COMMITTED = replace(KNOWN, head="main at 1a2b3c")
SETTLED = replace(COMMITTED, config=True, gate="pytest -q", digest="d" * 64, installed=("claude",))
CHOSEN = replace(SETTLED, agent="claude", agent_title="Claude Code", agent_path="/usr/bin/claude", may="edit files")
AGREED = replace(CHOSEN, confirmed=True)
TRUSTED = replace(AGREED, trusted=True)
TICKET = Progress(tickets=1, ticket="hello: Say hello")


@pytest.mark.parametrize(
    ("look", "done", "upcoming"),
    [
        (EMPTY, Progress(), "repository"),
        (MADE, Progress(), "identity"),
        (KNOWN, Progress(), "commit"),
        (COMMITTED, Progress(), "settings"),
        (replace(SETTLED, problems=("config.yaml:3: gat: no such key",)), Progress(), "settings"),
        (replace(SETTLED, gate_trouble="'pytest' is not on the PATH"), Progress(), "settings"),
        (replace(SETTLED, root=True, rooted=True), Progress(), "root"),
        (SETTLED, Progress(), "agent"),
        (replace(CHOSEN, agent_path=""), Progress(), "agent"),
        (CHOSEN, Progress(), "agent"),
        (AGREED, Progress(), "trust"),
        (TRUSTED, Progress(), "ticket"),
        (TRUSTED, TICKET, "run"),
        (TRUSTED, replace(TICKET, ran=True, run="run-1"), None),
        (TRUSTED, replace(TICKET, ran=True, waiting=True), "landed"),
        (TRUSTED, replace(TICKET, ran=True, landed="1a2b3c on nightdesk/hello"), None),
    ],
)
def test_each_step_comes_when_what_it_needs_is_there(look: Look, done: Progress, upcoming: str | None) -> None:
    assert next_step(steps(look, done)) == upcoming
    for row in firstwords.rows(steps(look, done), look, done):
        assert row.title and row.does and not row.text.endswith(".")


def test_a_change_of_trusted_settings_asks_for_trust_again_and_a_run_waits_for_it() -> None:
    changed = steps(replace(TRUSTED, trusted=False), TICKET)
    standing = {step.name: step.standing for step in changed}
    assert (standing["trust"], standing["run"]) == ("open", "later")


def test_nobody_is_asked_to_trust_an_agent_that_was_not_agreed_to() -> None:
    assert {s.name: s.standing for s in steps(CHOSEN)}["trust"] == "later"


def test_the_root_row_is_there_for_root_only() -> None:
    assert "root" not in [step.name for step in steps(SETTLED)]
    assert {s.name: s.standing for s in steps(replace(SETTLED, root=True))}["root"] == "done"


def test_the_steps_open_by_themselves_only_where_nothing_was_and_nothing_can_be_worked_on() -> None:
    assert newcomer(COMMITTED, State())
    assert newcomer(AGREED, State())
    assert not newcomer(TRUSTED, State()), "a ticket is all that is missing: the desk says so"


def test_without_an_agent_it_is_told_how_to_get_one_and_that_the_demo_needs_none() -> None:
    look = replace(SETTLED, installed=())
    step = next(step for step in steps(look) if step.name == "agent")
    said = "\n".join(firstwords.lines(step, look, Progress()))
    assert "docs/agents.md" in said and "nightdesk demo" in said
