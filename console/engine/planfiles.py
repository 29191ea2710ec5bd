"""What a screen may ask about the files of a plan, as a record of functions: the wiring fills it, tests fill it with
less. Nothing here reads a file or knows an editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from console.core.records import Frozen, Refused
from console.engine.ports import Behind


@dataclass(frozen=True, slots=True)
class Editing:
    """A program of the operator's with a file of a plan: what to run where. done: to be called when it has ended, on
    any thread; throws a copy away."""

    argv: tuple[str, ...]
    cwd: str
    done: Callable[[], None] = lambda: None


def _no_editor(*_: object) -> Editing | Refused:
    return Refused(reason="this console was opened without the means to start a program")


@dataclass(frozen=True, slots=True)
class PlanFiles:
    """All of them block: never on the screen's loop. Paths are as the diff has them (`surrogateescape`), lines count
    from 1. behind: how far the branch has moved, None where it has not. missing: why the file cannot be opened in its
    worktree, "" when it can. edit: that file in the operator's editor; copy: what the plan has of it, read-only; page:
    the whole diff in the operator's pager. stays: why what landed cannot be taken off its branch, "" when it can."""

    behind: Callable[[Frozen], Behind | None] = lambda _: None
    missing: Callable[[Frozen, str], str] = lambda _plan, _path: ""
    edit: Callable[[Frozen, str, int], Editing | Refused] = _no_editor
    copy: Callable[[Frozen, str, int], Editing | Refused] = _no_editor
    page: Callable[[Frozen], Editing | Refused] = _no_editor
    stays: Callable[[Frozen], str] = lambda _: ""
