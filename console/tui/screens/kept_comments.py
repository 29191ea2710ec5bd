"""Comments on plans as a screen's memory keeps them, so that they survive the screen: reading, changing, dropping."""

from __future__ import annotations

from collections.abc import Sequence

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


def put(memory: Memory, plan: str, comment: Comment) -> str:
    """Keep it, in place of what was said there before; without words that is dropped. Why it was not kept, or ""."""
    kept = memory.get(NAME, {})
    now = comments.changed(comments.read(kept, plan), comment)
    if len(now) > comments.MOST:
        return f"a plan has {comments.MOST} comments at most: send those first"
    memory.set(NAME, comments.with_those(kept, plan, now))
    return ""


def drop(memory: Memory, said: Sequence[Said]) -> None:
    """These were sent, or are not wanted; what was changed meanwhile stays."""
    kept = memory.get(NAME, {})
    for plan in {name for name, _ in said}:
        gone = {each for name, each in said if name == plan}
        kept = comments.with_those(kept, plan, [each for each in comments.read(kept, plan) if each not in gone])
    memory.set(NAME, kept)
