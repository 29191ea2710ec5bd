"""Which rows a list shows and in which order, what may be archived, and what the borders say of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tui"))

from deskplay import DeskPlay, full

from console.present import attention, captions, finding
from console.present.finding import Find
from console.present.rows import Rows, session_rows
from console.present.text import width

NAMES = ("s-2 Fix-Retry idle", "s-10 slugify working", "s-1 Tenant Scope asks")
SINCE = (5.0, 9.0, 7.0)


def rows() -> Rows:
    return Rows(
        ("session:s-2", "session:s-10", "session:s-1"),
        lambda i: [(part, "plain") for part in NAMES[i].split()],
        since=lambda i: SINCE[i],
        name=lambda i: NAMES[i].split()[0],
        word_at=2,
    )


def shown(**find: object) -> list[str]:
    return [key.partition(":")[2] for key in finding.arranged(rows(), Find(**find)).keys]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", ["s-2", "s-10", "s-1"]),
        ("retry", ["s-2"]),
        ("SCOPE tenant", ["s-1"]),  # in any order, without case
        ("working", ["s-10"]),  # a word of state
        ("s-1", ["s-10", "s-1"]),  # an id
        ("session:s-2", ["s-2"]),
        ("tenant retry", []),
    ],
)
def test_words_match_in_any_order_without_case_state_words_and_ids_too(words: str, found: list[str]) -> None:
    assert shown(words=words) == found


def test_every_order_has_the_same_rows_and_numbers_in_names_count_as_numbers() -> None:
    assert shown(order="attention") == ["s-2", "s-10", "s-1"]
    assert shown(order="age") == ["s-10", "s-1", "s-2"], "what changed last comes first"
    assert shown(order="name") == ["s-1", "s-2", "s-10"]


def test_what_is_hidden_is_left_out_what_is_marked_says_archived_and_is_found_by_that_word() -> None:
    assert shown(hidden={"session:s-2"}) == ["s-10", "s-1"]
    assert shown(only={"session:s-1"}, words="asks") == ["s-1"]
    marked = finding.arranged(rows(), Find(marked={"session:s-10"}, words="archived"))
    assert marked.keys == ("session:s-10",)
    assert marked.cells(0) == (("s-10", "quiet"), ("slugify", "quiet"), ("archived", "quiet"))


def test_what_waits_are_the_things_that_need_a_person_and_what_is_behind_them() -> None:
    play = DeskPlay()
    made = full(play)
    waits = finding.waiting(play.state, attention.needs(play.state))
    plan = play.state.plans[made["plan"]]
    assert {f"policy:{plan.policy}", f"session:{made['asking']}", f"policy:{made['blocked']}"} <= waits
    assert f"session:{made['busy']}" not in waits


def test_only_what_is_over_and_needs_nobody_is_archived_and_the_reason_is_said() -> None:
    play = DeskPlay()
    made = full(play)
    state = play.state
    waits = finding.waiting(state, attention.needs(state))
    assert "it needs you" in finding.unarchivable(state, f"session:{made['broke']}", waits)
    assert f"{made['busy']} is not over" in finding.unarchivable(state, f"session:{made['busy']}", waits)
    assert "only sessions" in finding.unarchivable(state, "alert:alert-1", waits)
    assert finding.unarchivable(state, f"session:{made['broke']}", frozenset()) == ""


def test_what_needs_a_person_or_lives_again_leaves_the_archive() -> None:
    play = DeskPlay()
    made = full(play)
    over, busy = f"session:{made['broke']}", f"session:{made['busy']}"
    assert finding.still_archived(play.state, {over, busy, "session:gone"}, set()) == {over}
    assert finding.still_archived(play.state, {over}, {over}) == frozenset()


@pytest.mark.parametrize(
    ("counts", "title"),
    [
        (captions.Counts(6, 6), "2 Sessions (6)"),
        (captions.Counts(40, 3, words="fix"), "2 Sessions (3 of 40 · /fix)"),
        (captions.Counts(12, 12, archived=30), "2 Sessions 12 (+30 archived)"),
        (captions.Counts(12, 2, archived=30, waiting=True), "2 Sessions 2 of 12 · waiting (+30 archived)"),
        (captions.Counts(12, 42, archived=30, shown_too=True), "2 Sessions (42, 30 archived)"),
        (captions.Counts(6, 6, order="by name"), "2 Sessions (6) · by name"),
    ],
)
def test_a_title_counts_what_is_shown_and_what_is_not(counts: captions.Counts, title: str) -> None:
    assert captions.upper(2, "Sessions", counts) == title


ELSEWHERE = [(2, "Sessions", "6"), (3, "Policies", "3"), (4, "Tickets", "120"), (5, "Log", "")]


def test_the_lower_border_has_the_place_always_and_the_other_lists_as_long_as_there_is_room() -> None:
    assert captions.lower((3, 31), [], [], 40) == "3 of 31"
    assert captions.lower((0, 31), [], [], 40) == "- of 31"
    assert captions.lower((3, 31), [], ELSEWHERE, 74) == "2 Sessions 6  3 Policies 3  4 Tickets 120  5 Log · 3 of 31"
    assert captions.lower((3, 31), [], ELSEWHERE, 44) == "2:6 3:3 4:120 5:Log · 3 of 31"
    assert captions.lower((3, 31), ["working 3  held 1  failed 2"], ELSEWHERE, 44) == (
        "working 3 · 2:6 3:3 4:120 5:Log · 3 of 31"
    )


@given(
    st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    st.lists(st.text(max_size=60), max_size=3),
    st.integers(0, 120),
    st.booleans(),
)
def test_the_lower_border_is_never_wider_than_asked(
    place: tuple[int, int], parts: list[str], cells: int, some: bool
) -> None:
    said = captions.lower(place, parts, ELSEWHERE if some else [], cells)
    alone = f"{place[0] or '-'} of {place[1]}" if place[1] else ""
    assert width(said) <= cells or said == alone


def test_the_rows_of_sessions_have_what_sorting_and_marking_need() -> None:
    play = DeskPlay()
    made = full(play)
    listed = session_rows(play.state, play.now, lambda _: "")
    at = listed.keys.index(f"session:{made['busy']}")
    assert listed.cells(at)[listed.word_at][0] == "working" and listed.name(at).startswith("busy")
    by_age = finding.arranged(listed, Find(order="age")).keys
    assert by_age[0] == f"session:{made['busy']}"
