"""What tickets are to each other: two with one id, dependencies that do not exist, circles. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from console.adapters.tickets.ids import sameness
from console.adapters.tickets.parsing import problem
from console.core.records import Record

SHOWN = 8
"""Members of a circle that a problem names."""


class Node(Record, frozen=True, kw_only=True):
    """A ticket as far as others concern it. id_line, needs_line: where its file says so (1 when it does not)."""

    ticket: str
    file: str
    needs: tuple[str, ...] = ()
    id_line: int = 1
    needs_line: int = 1


def one_each(nodes: Iterable[Node], holders: frozenset[str]) -> tuple[dict[str, Node], list[str]]:
    """One node an id, and a problem for every other. The file in `holders` keeps its id, else the first by name."""
    by_id: dict[str, list[Node]] = {}
    for node in sorted(nodes, key=lambda n: (n.file not in holders, n.file)):
        by_id.setdefault(sameness(node.ticket), []).append(node)
    problems = [
        problem(
            other.file,
            other.id_line,
            f"the id {other.ticket!r} is that of {kept[0].file} already; give one of the two another `id`",
        )
        for kept in by_id.values()
        for other in kept[1:]
    ]
    return {kept[0].ticket: kept[0] for kept in by_id.values()}, problems


def unknown(nodes: Mapping[str, Node], broken: Mapping[str, str]) -> list[str]:
    """A problem for each dependency that is no ticket. broken: ids that files with problems would have -> file."""
    alike = {sameness(ticket): ticket for ticket in nodes}
    return [
        problem(node.file, node.needs_line, _unknown(need, alike, broken))
        for node in nodes.values()
        for need in node.needs
        if need not in nodes
    ]


def _unknown(need: str, alike: Mapping[str, str], broken: Mapping[str, str]) -> str:
    if near := alike.get(sameness(need)):
        return f"depends on {need!r}, which is no ticket; write {near!r}"
    if file := broken.get(sameness(need)):
        return f"depends on {need!r}, whose file {file} has problems of its own; correct that first"
    return (
        f"depends on {need!r}, which is no ticket here; it cannot start until there is one, or until that is taken out"
    )


def circles(nodes: Mapping[str, Node]) -> tuple[frozenset[str], list[str]]:
    """Every ticket that depends on itself through others, and one problem a circle."""
    problems: list[str] = []
    members: set[str] = set()
    for group in _strong(nodes):
        first = nodes[group[0]]
        if len(group) == 1 and first.ticket not in first.needs:
            continue
        members.update(group)
        problems.append(problem(first.file, first.needs_line, _circle(nodes, group)))
    return frozenset(members), problems


def _circle(nodes: Mapping[str, Node], group: Sequence[str]) -> str:
    path = _around(nodes, group)
    ring = path if len(path) <= SHOWN + 1 else [*path[: SHOWN - 1], f"({len(path) - SHOWN} more)", *path[-1:]]
    others = len(set(group) - set(path))
    more = f" (and {others} more that hang together with these)" if others else ""
    return f"depends on itself: {' -> '.join(ring)}{more}; take one of these out of a `depends_on`; none of them runs"


def _around(nodes: Mapping[str, Node], group: Sequence[str]) -> list[str]:
    """One way around inside a group, from its first member back to where it closes."""
    inside, path, at = set(group), [group[0]], {group[0]: 0}
    while True:
        step = min(need for need in nodes[path[-1]].needs if need in inside)
        if step in at:
            return [*path[at[step] :], step]
        at[step] = len(path)
        path.append(step)


def _strong(nodes: Mapping[str, Node]) -> list[list[str]]:
    """Groups of tickets that reach each other (Tarjan, without recursion: a chain may be thousands long)."""
    edges = {ticket: [need for need in node.needs if need in nodes] for ticket, node in nodes.items()}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    held: set[str] = set()
    groups: list[list[str]] = []
    for root in sorted(nodes):
        todo = [(root, 0)] if root not in index else []
        while todo:
            ticket, step = todo.pop()
            if step == 0:
                index[ticket] = low[ticket] = len(index)
                stack.append(ticket)
                held.add(ticket)
            elif edges[ticket][step - 1] in held:  # back from there
                low[ticket] = min(low[ticket], low[edges[ticket][step - 1]])
            rest = edges[ticket][step:]
            fresh = next((i for i, need in enumerate(rest) if need not in index), len(rest))
            low[ticket] = min([low[ticket], *(index[need] for need in rest[:fresh] if need in held)])
            if fresh < len(rest):
                todo += [(ticket, step + fresh + 1), (rest[fresh], 0)]
            elif low[ticket] == index[ticket]:
                groups.append(_popped(stack, held, ticket))
    return groups


def _popped(stack: list[str], held: set[str], last: str) -> list[str]:
    group = [stack.pop()]
    while group[-1] != last:
        group.append(stack.pop())
    held.difference_update(group)
    return sorted(group)
