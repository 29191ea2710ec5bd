"""Every kind of fact as a sentence of the log: none shows its type name, none lets a control through."""

from __future__ import annotations

import typing
from typing import Any

import msgspec
import pytest

from console.core import events as ev
from console.core.records import (
    Assessment,
    Blame,
    CommitSpec,
    Finding,
    Frozen,
    GateResult,
    Identity,
    Launch,
    PolicySpec,
    RunSettings,
    TextVerdict,
    TicketSpec,
    Usage,
    Who,
)
from console.core.records_chains import Link, Review, ReviewLimits
from console.core.records_routines import RoutineSpec
from console.present import logline

FROZEN = Frozen(
    commit="c" * 40,
    base="b" * 40,
    tree="7" * 40,
    ref="refs/heads/main",
    ref_old="b" * 40,
    message="Fix\x1b[2J",
    author=Identity(name="A", email="a@b"),
    when=1,
    zone="+0000",
    paths=(),
    worktree="/w",
    store="/s",
)
SPEC = PolicySpec(sessions=("s-1",), then="commit", commit=CommitSpec(paths=("a",), message="m"))
BY = Who(user="ada", ssh="192.0.2.7")
VALUES: dict[Any, Any] = {
    int: 3,
    float: 1.5,
    bool: True,
    Who: BY,
    Frozen: FROZEN,
    Launch: Launch(argv=("agent",)),
    PolicySpec: SPEC,
    Assessment: Assessment(
        level=3, findings=(Finding(kind="tests", level="high", rule="gone", text="1 test no longer exists\x1b[2J"),)
    ),
    TicketSpec: TicketSpec(title="Fix\x1b[2J"),
    TextVerdict: TextVerdict(why="why\x1b[2J"),
    RunSettings: RunSettings(),
    Usage: Usage(cost_usd=0.5),
    Blame: Blame(kind="introduced", why="a new failure\x1b[2J"),
    GateResult: GateResult(verdict="red", where="plan", code=1, reason="no\x1b]0;x\x07"),
    Review: Review(verdict="BLOCK", commit="c" * 40, why="it said BLOCK\x1b[2J", findings="no\x1b[2J"),
    ReviewLimits: ReviewLimits(),
    Link: Link(kind="review", root="T-1", head="c" * 40, policy="pol-1", after="T-1"),
    RoutineSpec: RoutineSpec(name="release\x1b[2J", steps=()),
}
NAMES = {"session": "s-1", "policy": "pol-1", "plan": "c" * 40, "ticket": "T-1", "decision": "dec-1", "run": "run-1"}
FACTS: tuple[type[ev.Event], ...] = typing.get_args(ev.Fact)


def made(kind: type[ev.Event]) -> ev.Event:
    """One fact of a kind, every field filled in, texts hostile."""
    hints = typing.get_type_hints(kind)
    return kind(**{field.name: value(field.name, hints[field.name]) for field in msgspec.structs.fields(kind)})


def value(name: str, hint: Any) -> Any:
    choices = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    if hint is str:
        return NAMES.get(name, f"{name}\x1b[2J\u202e")
    if typing.get_origin(hint) is tuple:
        return ()
    if typing.get_origin(hint) is typing.Literal:
        return choices[0]
    return value(name, choices[0]) if choices else VALUES[hint]


@pytest.mark.parametrize("kind", FACTS, ids=lambda kind: kind.__name__)
def test_every_fact_is_a_sentence_and_not_a_type_name(kind: type[ev.Event]) -> None:
    fact = made(kind)
    (_, _), (about, _), (text, style) = logline.row(ev.Logged(seq=1, at=0.0, fact=fact))  # type: ignore[arg-type]
    name = ev.type_of(fact)  # type: ignore[arg-type]
    assert " " in text or text == "done"
    assert name not in text or name.isalpha(), "a plain word may be in a sentence"
    assert text.isprintable() and "\u202e" not in text
    assert style in ("go", "needs", "broke", "quiet", "plain")
    assert about in ("s-1", "pol-1", "T-1", "dec-1", "run-1", "")


def test_who_did_it_and_where_it_lands_are_said_in_words() -> None:
    approved = ev.ApprovalRequested(policy="pol-1", plan="c" * 40, by=BY)
    assert logline.sentence(approved)[1] == "plan cccccccccc approved, by ada from 192.0.2.7"
    landed = ev.PolicyCommitted(policy="pol-1", plan="c" * 40, sha="c" * 40, ref="refs/heads/fix/a")
    assert logline.sentence(landed)[1] == "plan cccccccccc landed on fix/a"
    ended = ev.TurnEnded(session="s-1", turn=2, ok=True, stop="end_turn")
    assert logline.sentence(ended)[1] == "turn 2 ended"
    cut_off = ev.TurnEnded(session="s-1", turn=2, ok=False, stop="max_tokens", detail="too long")
    assert logline.sentence(cut_off)[1] == "turn 2 ended: max_tokens too long"


def test_who_is_to_blame_and_what_a_turn_met_are_said() -> None:
    red = GateResult(verdict="red", where="worktree", code=1)
    blamed = ev.PolicyJudged(policy="pol-1", attempt=1, results=(red,), blame=Blame(kind="flaky", why="green again"))
    assert logline.sentence(blamed)[1] == "its gate ended red: exit 1; flaky: green again"
    limit = ev.TurnEnded(session="s-1", turn=2, ok=False, stop="error", fault="limit")
    assert logline.sentence(limit)[1] == "turn 2 ended: error, a usage limit"


def test_the_queue_speaks_of_its_ticket_its_decision_and_its_run() -> None:
    parked = ev.DecisionParked(decision="dec-1", ticket="T-1", foundational=True, why="w", question="Which tenant?")
    assert logline.sentence(parked)[:2] == ("dec-1", "T-1 is parked, foundational, you decide: Which tenant?")
    answered = ev.DecisionAnswered(decision="dec-1", ticket="T-1", by=BY, choice=2)
    assert logline.sentence(answered)[1] == "T-1 answered, by ada from 192.0.2.7: reading 2"
    ended = ev.TicketEnded(ticket="T-1", attempt=1, outcome="BLOCKED_ENV", why="no pytest")
    assert logline.sentence(ended) == ("T-1", "ended: blocked, environment: no pytest", "broke")
    low = ev.RunEnded(run="run-1", status="LOW_YIELD", why="6 of 8 are not done")
    assert logline.sentence(low) == ("run-1", "run ended LOW_YIELD: 6 of 8 are not done", "broke")
    wrong = ev.QueueProblems(problems=("a.md:1: no", "b"))
    assert logline.sentence(wrong) == ("", "in tickets/: a.md:1: no and 1 more", "broke")
    assert logline.sentence(ev.QueueProblems())[2] == "go"


def test_what_hangs_and_what_is_short_is_said_in_plain_words() -> None:
    def said(fact: ev.Fact) -> tuple[str, str]:
        return logline.sentence(fact)[1:]

    suspect = ev.SessionSuspect(session="s-1", run=1, turn=2, quiet=360, evidence="S in do_poll")
    assert said(suspect) == ("suspect: no progress in turn 2 for 6m: S in do_poll", "needs")
    hung = ev.SessionHung(session="s-1", run=1, turn=2, cause="start", why="no answer within 60 s")
    assert said(hung) == ("it never began to answer, its processes are ended: no answer within 60 s", "broke")
    blown = ev.FuseBlown(sessions=tuple(f"s-{i}" for i in range(10)), at_work=12, why="together")
    text, style = said(blown)
    assert text.startswith("10 of 12 agents are silent at once, so none is ended: network or provider?")
    assert text.endswith("s-7 and 2 more)") and style == "broke" and "fuse" not in text
    assert "fuse" not in said(ev.FuseReset(why="they go on"))[0]
    left = ev.TurnProcesses(session="s-1", turn=2, processes=("77 node, port 80", "78 tail"))
    assert said(left) == ("turn 2 left running: 77 node, port 80; 78 tail", "needs")
    away = ev.SupervisorAway(seconds=90.4)
    assert said(away)[0] == "the supervisor itself stood still for 1m; no deadline counts that time"
    short = ev.SupervisorDegraded(kind="descriptors", why="240 of 256 are open")
    assert said(short)[0].startswith("short of file descriptors: 240 of 256 are open; nothing new is started")
