"""Who is who among tickets: ids held once, dependencies that exist, circles named by their members."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from console.adapters.tickets.relations import Node, circles, one_each, unknown

NONE: frozenset[str] = frozenset()


def graph(**needs: str) -> dict[str, Node]:
    return {
        name: Node(ticket=name, file=f"{name}.md", needs=tuple(text.split()), needs_line=3)
        for name, text in needs.items()
    }


def test_the_first_by_name_keeps_an_id_and_the_others_are_told() -> None:
    nodes = [Node(ticket="X", file="b.md", id_line=2), Node(ticket="x", file="a.md"), Node(ticket="y", file="c.md")]
    kept, problems = one_each(nodes, NONE)
    assert {node.file for node in kept.values()} == {"a.md", "c.md"}
    assert problems == ["b.md:2: the id 'X' is that of a.md already; give one of the two another `id`"]


def test_who_holds_an_id_keeps_it_against_an_earlier_name() -> None:
    nodes = [Node(ticket="x", file="0-planted.md"), Node(ticket="x", file="real.md")]
    kept, problems = one_each(nodes, frozenset({"real.md"}))
    assert kept["x"].file == "real.md" and problems[0].startswith("0-planted.md:1: ")


def test_a_circle_names_its_members_and_nobody_else() -> None:
    members, problems = circles(graph(a="b", b="c", c="a", d="a", e=""))
    assert members == {"a", "b", "c"}
    assert len(problems) == 1 and problems[0].startswith("a.md:3: depends on itself: a -> b -> c -> a;")


def test_each_circle_is_told_once_and_a_ticket_can_be_one_alone() -> None:
    members, problems = circles(graph(a="b", b="a", c="d", d="c", e="e"))
    assert members == set("abcde")
    assert [line.split(":")[0] for line in sorted(problems)] == ["a.md", "c.md", "e.md"]


def test_an_unknown_dependency_says_what_would_be_right() -> None:
    nodes = graph(a="B c gone", b="")
    told = unknown(nodes, {"c": "c.md"})
    assert told[0].startswith("a.md:3: ") and "write 'b'" in told[0]
    assert "whose file c.md has problems" in told[1] and "no ticket here" in told[2]


def test_a_chain_of_thousands_and_a_ring_of_thousands_take_no_time() -> None:
    count = 5_000
    chain = graph(**{f"t{i}": f"t{i + 1}" if i + 1 < count else "" for i in range(count)})
    ring = graph(**{f"t{i}": f"t{(i + 1) % count}" for i in range(count)})
    began = time.perf_counter()
    assert circles(chain) == (NONE, [])
    members, problems = circles(ring)
    assert len(members) == count and "more)" in problems[0] and len(problems[0]) < 400
    assert time.perf_counter() - began < 2.0


def _reaches_itself(needs: dict[str, set[str]], start: str) -> bool:
    todo, seen = list(needs[start]), set()
    while todo:
        one = todo.pop()
        if one == start:
            return True
        if one not in seen:
            seen.add(one)
            todo += needs[one]
    return False


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_exactly_those_are_in_a_circle_that_reach_themselves(pairs: list[tuple[int, int]]) -> None:
    needs: dict[str, set[str]] = {f"t{i}": set() for i in range(8)}
    for start, end in pairs:
        needs[f"t{start}"].add(f"t{end}")
    members, _ = circles(graph(**{name: " ".join(sorted(to)) for name, to in needs.items()}))
    assert members == {name for name in needs if _reaches_itself(needs, name)}
