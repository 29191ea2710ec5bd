"""The blast radius of a diff: which kinds of code it touches, each as a fact with a level.

Pure: bytes of both versions in, facts out; nothing that a repository contains can change the rules or make them fail.
The table of classes and levels: level 3 destructive-migration, auth-security, money, ci-infra, runs-on-dev-machine;
level 2 migration, api-contract, public-symbol-removed, deps, gate, size; everything else is level 1.
One fact of runs-on-dev-machine is level 2: a text that becomes executable without being a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from console.core.blast_radius import contracts, database, dependencies, domains, machinery
from console.core.blast_radius.edits import MOST_LINES, Change, Edit, read
from console.core.blast_radius.touches import Touch

__all__ = ["CLASSES", "Change", "Touch", "classify"]

CLASSES = {
    "destructive-migration": 3,
    "auth-security": 3,
    "money": 3,
    "ci-infra": 3,
    "runs-on-dev-machine": 3,
    "migration": 2,
    "api-contract": 2,
    "public-symbol-removed": 2,
    "deps": 2,
    "gate": 2,
    "size": 2,
}
"""Every class with its level, the gravest first."""

_MANY_FILES = 25
_MANY_LINES = 800
_MASS = 300
_ORDER = {name: place for place, name in enumerate(CLASSES)}


def classify(changes: Iterable[Change]) -> tuple[Touch, ...]:
    """What these changes touch, the gravest class first, then by path and line. Never raises for any bytes or paths.

    One touch a class, path and fact. An empty result means level 1.
    """
    edits = read(changes)
    found: dict[tuple[str, str, str], Touch] = {}
    for rules in (database.touches, contracts.touches, domains.touches, machinery.touches, dependencies.touches, _size):
        for touch in rules(edits):
            found.setdefault((touch.name, touch.path, touch.text), touch)
    return tuple(sorted(found.values(), key=lambda touch: (_ORDER[touch.name], touch.path, touch.line, touch.text)))


def _size(edits: Sequence[Edit]) -> Iterator[Touch]:
    added = sum(len(edit.added.lines) for edit in edits)
    removed = sum(len(edit.removed.lines) for edit in edits)
    if len(edits) > _MANY_FILES or added + removed > _MANY_LINES:
        text = f"changes {len(edits)} files, {added} lines added and {removed} removed"
        yield Touch(name="size", level=2, path="", line=0, text=text)
    for edit in edits:
        if edit.is_endless and edit.changes_bytes:
            text = f"has more than {MOST_LINES} lines, which were read as one"
            yield Touch(name="size", level=2, path=edit.path, line=0, text=text)
    if removed >= _MASS and removed >= 3 * added:
        text = f"removes {removed} lines and adds {added}"
        yield Touch(name="size", level=2, path="", line=0, text=text)
