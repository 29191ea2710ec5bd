"""How the room is shared: heights that follow the lists and stand still, splits that come back as they were put."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.tui.screens import room

NAMES = ("needs", "sessions", "policies", "tickets")
CONTENT = st.tuples(*[st.integers(0, 300)] * 4).map(lambda rows: dict(zip(NAMES, rows, strict=True)))


@given(CONTENT, st.integers(14, 80), st.sampled_from(["needs", "sessions", "policies", "tickets"]))
def test_heights_fill_the_body_empty_lists_are_one_line_and_attention_is_never_squeezed(
    content: dict[str, int], total: int, active: str
) -> None:
    found = room.heights(content, total, {}, active)
    assert sum(found.values()) == total and min(found.values()) >= 1
    assert found["needs"] >= min(content["needs"], 3) + room.BORDERS or not content["needs"]
    some = [name for name, rows in content.items() if rows]
    assert all(found[name] == 1 for name in content if name not in some and (some or name != "needs"))
    short = [name for name in some if found[name] < content[name] + room.BORDERS]
    idle = [name for name in some if found[name] > content[name] + room.BORDERS]
    assert not (short and idle), "nothing is empty while another list lacks a row"


@given(CONTENT, CONTENT, st.integers(14, 80))
def test_heights_move_only_when_that_shows_more(content: dict[str, int], later: dict[str, int], total: int) -> None:
    before = room.heights(content, total, {}, "needs")
    assert room.heights(content, total, before, "needs") == before
    after = room.heights(later, total, before, "needs")
    fresh = room.heights(later, total, {}, "needs")
    lacks = any(before[name] < min(later[name] + room.BORDERS, fresh[name]) for name in later)
    emptied = any((before[name] == 1) != (fresh[name] == 1) for name in later)
    assert (after == before) or lacks or emptied


def test_one_row_more_in_a_list_with_room_moves_nothing() -> None:
    content = {"needs": 5, "sessions": 6, "policies": 3, "tickets": 0}
    before = room.heights(content, 38, {}, "needs")
    assert room.heights({**content, "needs": 7, "sessions": 5}, 38, before, "needs") == before


def test_where_the_least_does_not_fit_the_active_list_has_the_room() -> None:
    content = {"needs": 9, "sessions": 9, "policies": 9, "tickets": 9}
    assert room.heights(content, 12, {}, "policies") == {"needs": 1, "sessions": 1, "policies": 9, "tickets": 1}


@given(st.integers(110, 400), st.integers(1, 999))
def test_a_split_side_by_side_leaves_room_on_both_sides_and_comes_back_as_it_was_put(columns: int, share: int) -> None:
    left = room.left_columns(columns, room.Usual(), share)
    assert room.NARROWEST <= left <= columns - room.SLIMMEST
    assert room.left_columns(columns, room.Usual(), room.share_of(left, columns)) == left


@given(st.integers(14, 60), st.integers(0, 500), st.integers(0, 999))
def test_a_stacked_split_leaves_room_for_both(rows: int, longest: int, share: int) -> None:
    above = room.list_rows(rows, longest, room.Usual(), share)
    assert room.LOWEST_LIST <= above <= rows - room.LOWEST_DETAIL


def test_the_usual_sizes() -> None:
    assert room.kind_of(160, 48) == room.kind_of(120, 38) == "wide"
    assert room.kind_of(80, 22) == "stacked" and room.kind_of(50, 18) == room.kind_of(20, 3) == "single"
    assert 160 - room.left_columns(160, room.Usual()) >= 92, "the thing itself has 90 columns beside its border"
    assert room.left_columns(120, room.Usual()) == 46
    assert room.list_rows(22, 31, room.Usual()) == 7 and room.list_rows(22, 2, room.Usual()) == 5
    assert room.log_rows(48) > room.log_rows(38)
