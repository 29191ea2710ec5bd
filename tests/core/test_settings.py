"""Settings as rules: what the queue is given, every mistake with its key, and what a run is pinned to."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from console.core.records import Gate, RunSettings
from console.core.settings import Problem, Settings, agent_of, read, run_settings

WHOLE: dict[str, Any] = {
    "gate": "pytest -q",
    "allowed_commands": ["pytest"],
    "identity": {"allow_root": True, "user": "ada"},
    "include": [".env", "config/*.local"],
    "agent": "one",
    "presets": {
        "one": {"command": ["one", "-p"], "protocol": "command", "autonomy_confirmed": True, "version": ["one", "-V"]},
        "two": {"command": ["two"]},
    },
    "tickets": "work/tickets",
    "workspace": "worktree",
    "setup": ["npm ci", ["make", "deps"]],
    "limits": {
        "sessions": 3,
        "gates": 4,
        "attempts": 5,
        "tickets_per_run": 6,
        "turn_timeout": "90s",
        "run_cost_usd": 7.5,
    },
    "low_yield": {"after": 9, "share": 0.5},
    "commit": {"ack": False, "message": "{title} (#1)"},
    "decide": {"t-1": "PROCEED", "money": "HALT"},
}


def good(data: Any) -> Settings:
    made = read(data, lambda _path: 1)
    assert isinstance(made, Settings), made
    return made


def wrong(data: Any) -> dict[str, str]:
    made = read(data, lambda _path: 1)
    assert isinstance(made, list), made
    assert all(isinstance(one, Problem) for one in made)
    return {one.key: one.message for one in made}


def test_every_key_of_the_queue_is_a_field() -> None:
    s = good(WHOLE)
    assert (s.user, s.allow_root, s.tickets, s.workspace) == ("ada", True, "work/tickets", "worktree")
    assert s.include == (".env", "config/*.local")
    assert s.setup == (("npm", "ci"), ("make", "deps"))
    assert (s.sessions, s.gates, s.attempts, s.tickets_per_run) == (3, 4, 5, 6)
    assert (s.turn_timeout, s.run_cost_usd, s.low_after, s.low_share) == (90.0, 7.5, 9, 0.5)
    assert (s.commit_ack, s.commit_message, s.decide) == (False, "{title} (#1)", {"t-1": "PROCEED", "money": "HALT"})


def test_the_defaults_are_those_of_the_documentation() -> None:
    s = good(None)
    assert (s.sessions, s.gates, s.attempts, s.tickets_per_run, s.turn_timeout) == (2, 2, 3, 20, 1800.0)
    assert (s.run_cost_usd, s.low_after, s.low_share, s.workspace, s.tickets) == (None, 8, 0.75, "worktree", "tickets")
    assert (s.commit_ack, s.commit_message, s.decide, s.user) == (True, "{title}", {}, "")


def test_a_section_or_value_that_is_null_is_its_default() -> None:
    data = {"limits": {"run_cost_usd": None}, "identity": {"user": None}, "commit": None, "decide": None}
    assert good(data) == Settings()


def test_the_version_probe_is_argv0_unless_one_is_given() -> None:
    presets = good(WHOLE).presets
    assert presets["one"].probe == ("one", "-V")
    assert presets["two"].probe == ("two", "--version")
    assert "version" in "".join(wrong({"presets": {"x": {"command": ["x"], "version": []}}}))


@pytest.mark.parametrize("bad", ["/etc/passwd", "../.env", "a/../../b", "~/.env", "!/x"])
def test_what_is_copied_into_a_worktree_stays_inside(bad: str) -> None:
    assert bad in wrong({"include": ["ok", bad]})["include"]


@pytest.mark.parametrize("bad", ["/tickets", "../tickets", "", "  ", 7])
def test_the_tickets_folder_is_inside(bad: Any) -> None:
    assert "tickets" in wrong({"tickets": bad})


def test_an_override_names_one_of_three_words_and_each_wrong_one_is_told() -> None:
    told = wrong({"decide": {"a": "proceed", "b": "PARK", "c": True, 4: "PARK"}})
    assert set(told) == {"decide.a", "decide.c", "decide.4"}
    assert "PROCEED, PARK, HALT" in told["decide.a"]


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("run_cost_usd", float("inf")),
        ("run_cost_usd", float("nan")),
        ("run_cost_usd", -1),
        ("sessions", 10**30),
        ("turn_timeout", "9" * 400 + "h"),
        ("turn_timeout", "0s"),
    ],
)
def test_a_number_that_the_log_could_not_keep_is_refused(section: str, value: Any) -> None:
    """Infinity becomes null in JSON, and a cap of null is no cap."""
    assert f"limits.{section}" in wrong({"limits": {section: value}})


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"commit": {"message": "\ud800"}}, "commit.message"),
        ({"gate": ["make", "a\0b"]}, "gate.1"),
        ({"presets": {"x": {"command": ["x"], "env": {"A": "\0"}}}}, "presets.x.env.A"),
        ({"decide": {"\ud83d": "PARK"}}, "decide.\\ud83d"),
    ],
)
def test_text_that_no_program_and_no_log_can_take_is_refused(data: Any, key: str) -> None:
    assert key in wrong(data)


# -- what a run is pinned to -----------------------------------------------------------------------------


def test_a_run_is_pinned_to_all_of_it() -> None:
    made = run_settings(good(WHOLE), "d" * 64)
    assert made == RunSettings(
        digest="d" * 64,
        gate=Gate(argv=("pytest", "-q")),
        presets={"one": good(WHOLE).presets["one"].launch},
        agent="one",
        allowed=("pytest",),
        sessions=3,
        gates=good(WHOLE).gates,
        gate_on=good(WHOLE).gate_on,
        attempts=5,
        tickets=6,
        turn_timeout=90.0,
        cost_usd=7.5,
        low_after=9,
        low_share=0.5,
        ack=False,
        message="{title} (#1)",
        setup=(("npm", "ci"), ("make", "deps")),
        include=(".env", "config/*.local"),
        overrides={"t-1": "PROCEED", "money": "HALT"},
    )
    assert msgspec.json.decode(msgspec.json.encode(made), type=RunSettings) == made


def test_a_preset_that_nobody_confirmed_is_none_for_a_run() -> None:
    assert set(good(WHOLE).presets) == {"one", "two"}
    assert set(run_settings(good(WHOLE), "").presets) == {"one"}


def test_in_the_checkout_itself_there_is_one_session_at_a_time() -> None:
    made = run_settings(good({"workspace": "in_place", "limits": {"sessions": 5}}), "")
    assert (made.workspace, made.sessions) == ("in_place", 1)


def test_the_only_preset_is_the_runs_own_and_of_two_none_is() -> None:
    one = {"x": {"command": ["x"]}}
    assert agent_of(good({"presets": one})) == "x"
    assert agent_of(good({"presets": {**one, "y": {"command": ["y"]}}})) == ""
    assert agent_of(good(json.loads("{}"))) == ""


def test_without_a_gate_a_run_has_none() -> None:
    assert run_settings(good({}), "").gate is None
