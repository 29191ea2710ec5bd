"""Comments on plans as a screen's memory keeps them, so that they survive the screen: reading, changing, dropping."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from console.core.state import State
from console.engine.desk import Memory
from console.present import comments
from console.present.comments import Comment
from console.present.difftext import Diff

NAME = "comments"

Said = tuple[str, Comment]
"""A comment, after the plan that it was made on."""


def of_policy(memory: Memory, state: State, plan: str) -> list[Said]:
    """What was said on this plan, and on earlier ones of its policy and never sent; the plan's own last."""
    kept = memory.get(NAME, {})
    if not kept or plan not in state.plans:
        return []
    policy = state.plans[plan].policy
    names = [name for name in kept if name != plan and name in state.plans and state.plans[name].policy == policy]
    return [(name, each) for name in (*names, plan) for each in comments.read(kept, name)]


def marks(memory: Memory, state: State, plan: str, diff: Diff) -> frozenset[int]:
    """The lines of the plan's diff that something was said about."""
    return comments.marked(diff, [each for name, each in of_policy(memory, state, plan) if name == plan])


def put(memory: Memory, plan: str, comment: Comment, before: str = "") -> str:
    """Keep it, in place of what was said there `before`; without words that is dropped. What another console said there
    meanwhile stays, too. Why it was not kept, or "" (whether it was written, `memory.settle` says)."""
    known = memory.get(NAME, {})
    if comment.text and (why := comments.no_room(known, plan, comments.changed(comments.read(known, plan), comment))):
        return why

    def make(found: object) -> comments.Kept:
        kept = _kept(found)
        listed = comments.read(kept, plan)
        there = next((each.text for each in listed if each.anchor == comment.anchor), "")
        both = comment
        if there and there != before and comment.text not in there:
            both = replace(comment, text=f"{there} / {comment.text}") if comment.text else replace(comment, text=there)
        elif there and there != before:
            both = replace(comment, text=there)
        return comments.with_those(kept, plan, comments.changed(listed, both))

    memory.amend(NAME, make)
    return ""


def drop(memory: Memory, said: Sequence[Said]) -> None:
    """These are not wanted; what was changed meanwhile stays."""
    memory.amend(NAME, lambda found: _without(_kept(found), said))


# -- sending: what is on its way is kept apart, so that no other console sends it and no crash loses it ----------------


def claim(memory: Memory, said: Sequence[Said]) -> tuple[list[Said], str]:
    """Those of them that are still to be sent, for this console alone; and why that was not written. Waits."""
    memory.refresh()
    taken: list[Said] = []

    def make(found: object) -> comments.Kept:
        kept = _kept(found)
        mine = [each for each in said if each[1] in comments.read(kept, _away(each[0]))]
        taken[:] = [each for each in said if each[1] in comments.read(kept, each[0]) or each in mine]
        kept = _without(kept, taken)
        for plan in {name for name, _ in taken}:
            kept = comments.with_those(kept, _away(plan), [each for name, each in taken if name == plan])
        return kept

    memory.amend(NAME, make)
    return taken, memory.settle()


def release(memory: Memory, taken: Sequence[Said], *, back: bool) -> None:
    """They were sent; or they were not, and are kept as before (`back`). Waits."""

    def make(found: object) -> comments.Kept:
        kept = _without(_kept(found), [(_away(name), each) for name, each in taken])
        return _returned(kept, taken) if back else kept

    memory.amend(NAME, make)
    memory.settle()


def reread(memory: Memory) -> None:
    """What other consoles wrote; what one that died was sending is to be sent again. Waits."""
    memory.refresh()
    lost = [name for name in memory.get(NAME, {}) if _orphaned(name)]
    if lost:

        def make(found: object) -> comments.Kept:
            kept = _kept(found)
            orphans = [(name, each) for name in lost for each in comments.read(kept, name)]
            return _returned(_without(kept, orphans), [(name.split("!")[0], each) for name, each in orphans])

        memory.amend(NAME, make)
        memory.settle()


def _away(plan: str) -> str:
    """Where this process keeps what it is sending."""
    return f"{plan}!{os.getpid()}"


def _orphaned(name: str) -> bool:
    _, mark, pid = name.partition("!")
    if not mark or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


def _kept(found: object) -> comments.Kept:
    return (
        {name: listed for name, listed in found.items() if isinstance(listed, list)} if isinstance(found, dict) else {}
    )


def _without(kept: comments.Kept, said: Sequence[Said]) -> comments.Kept:
    for plan in {name for name, _ in said}:
        gone = {each for name, each in said if name == plan}
        kept = comments.with_those(kept, plan, [each for each in comments.read(kept, plan) if each not in gone])
    return kept


def _returned(kept: comments.Kept, said: Sequence[Said]) -> comments.Kept:
    """With these; what was said at the same place since stays."""
    for plan in {name for name, _ in said}:
        there = comments.read(kept, plan)
        old = [each for name, each in said if name == plan and each not in there]
        kept = comments.with_those(kept, plan, [*old, *there])
    return kept
