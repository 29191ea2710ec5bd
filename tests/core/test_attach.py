"""Attaching a policy: everything wrong at once, and which turn a late one still sees."""

from __future__ import annotations

import pytest
from play import COMMIT, GATE, ME, NUDGE, Play

from console.core import commands as cmd
from console.core.records import CommitSpec, Gate, OnFail, PolicySpec


def refusal(play: Play, spec: PolicySpec, since: int | None = None) -> list[str]:
    return play.refused(cmd.AttachPolicy(spec=spec, by=ME, since=since)).split("\n")


def test_every_problem_is_told_at_once_and_nothing_is_attached() -> None:
    play = Play()
    play.session()
    wrong = PolicySpec(
        sessions=("s-9", "s-9"),
        then="commit",
        on_fail=OnFail(nudge="again", retries=0),
        next=PolicySpec(sessions=(), gate=Gate(argv=("make",), timeout=0), commit=COMMIT),
    )
    found = refusal(play, wrong, since=999)
    assert len(found) == 10
    for words in (
        "policy: names a session twice",
        "policy: then=commit needs at least one --commit-path",
        "policy: max retries must be at least 1, not 0",
        "policy: a nudge needs a gate that can fail",
        "policy > next: names no session",
        "policy > next: commit paths were given, but then=emit commits nothing",
        "policy > next: the gate's timeout must be more than 0 seconds",
        "no session 's-9'; `nightdesk session list` shows what there is",
        "--since 999 is not a cursor of this log (0 to 3)",
    ):
        assert any(words in line for line in found), (words, found)
    assert not play.state.policies


@pytest.mark.parametrize(
    ("commit", "words"),
    [
        (CommitSpec(paths=(), message="Fix"), "needs at least one --commit-path"),
        (CommitSpec(paths=("a.txt",), message=" \n"), "needs a --commit-message"),
    ],
)
def test_a_commit_policy_needs_paths_and_a_message(commit: CommitSpec, words: str) -> None:
    play = Play()
    assert words in refusal(play, PolicySpec(sessions=(play.session(),), then="commit", commit=commit))[0]


def test_a_group_that_commits_needs_one_worktree() -> None:
    play = Play()
    group = (play.session(worktree="/w"), play.session(worktree="/other"))
    (found,) = refusal(play, PolicySpec(sessions=group, then="commit", commit=COMMIT))
    assert "must share one worktree" in found and "/other, /w" in found


def test_a_stopped_session_cannot_be_watched() -> None:
    play = Play()
    name = play.session()
    play.do(cmd.StopSession(session=name, by=ME))
    assert refusal(play, PolicySpec(sessions=(name,))) == [f"session {name} was stopped and will not end another turn"]


def test_without_since_the_running_turn_counts() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    policy = play.attach(name, gate=GATE)
    assert play.status(policy) == "watching"
    play.end(name)
    assert play.status(policy) == "gating"


def test_without_since_the_turn_that_just_ended_counts() -> None:
    play = Play()
    name = play.session()
    play.turn(name)
    assert play.status(play.attach(name, gate=GATE)) == "gating"


def test_without_since_a_queued_prompt_is_what_is_meant_and_the_ended_turn_is_not() -> None:
    play = Play()
    name = play.session()
    play.turn(name)
    play.prompt(name)
    policy = play.attach(name, gate=GATE)
    assert play.status(policy) == "watching"
    play.turn(name)
    assert play.status(policy) == "gating"


def test_since_a_cursor_before_the_turns_end_still_sees_it() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    cursor = play.state.seq
    play.end(name)
    assert play.status(play.attach(name, gate=GATE, since=cursor)) == "gating"


def test_since_now_waits_for_the_next_turn() -> None:
    play = Play()
    name = play.session()
    play.turn(name)
    policy = play.attach(name, gate=GATE, since=play.state.seq)
    assert play.status(policy) == "watching"
    play.prompt(name)
    play.turn(name)
    assert play.status(policy) == "gating"


def test_a_policy_on_an_idle_session_waits_for_its_first_turn() -> None:
    play = Play()
    name = play.session(prompt="")
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    assert play.status(policy) == "watching"
    play.prompt(name)
    play.turn(name)
    assert play.status(policy) == "gating"
