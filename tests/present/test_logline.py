"""Every kind of fact as a sentence of the log: none shows its type name, none lets a control through."""

from __future__ import annotations

import typing
from typing import Any

import msgspec
import pytest

from console.core import events as ev
from console.core.records import Assessment, CommitSpec, Finding, Frozen, GateResult, Identity, Launch, PolicySpec, Who
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
    GateResult: GateResult(verdict="red", where="plan", code=1, reason="no\x1b]0;x\x07"),
}
FACTS: tuple[type[ev.Event], ...] = typing.get_args(ev.Fact)


def made(kind: type[ev.Event]) -> ev.Event:
    """One fact of a kind, every field filled in, texts hostile."""
    hints = typing.get_type_hints(kind)
    return kind(**{field.name: value(field.name, hints[field.name]) for field in msgspec.structs.fields(kind)})


def value(name: str, hint: Any) -> Any:
    choices = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    if hint is str:
        return {"session": "s-1", "policy": "pol-1", "plan": "c" * 40}.get(name, f"{name}\x1b[2J\u202e")
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
    assert about in ("s-1", "pol-1", "")


def test_who_did_it_and_where_it_lands_are_said_in_words() -> None:
    approved = ev.ApprovalRequested(policy="pol-1", plan="c" * 40, by=BY)
    assert logline.sentence(approved)[1] == "plan cccccccccc approved, by ada from 192.0.2.7"
    landed = ev.PolicyCommitted(policy="pol-1", plan="c" * 40, sha="c" * 40, ref="refs/heads/fix/a")
    assert logline.sentence(landed)[1] == "plan cccccccccc landed on fix/a"
    ended = ev.TurnEnded(session="s-1", turn=2, ok=True, stop="end_turn")
    assert logline.sentence(ended)[1] == "turn 2 ended"
    cut_off = ev.TurnEnded(session="s-1", turn=2, ok=False, stop="max_tokens", detail="too long")
    assert logline.sentence(cut_off)[1] == "turn 2 ended: max_tokens too long"
