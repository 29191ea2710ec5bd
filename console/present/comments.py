"""What a person says about lines of a diff: where it is, the line as it was, the words; and the one nudge made of all.

Kept as JSON by whoever has a memory; whatever is read back and is no comment is left out. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.core.commits import short
from console.present.diffrecords import Diff
from console.present.text import clean, cut

MOST, PLANS = 50, 50
"""Comments that a plan has at most, and plans whose comments are kept; the oldest are forgotten."""
ROOM = 400_000
"""Characters of all that is kept; the plans that were commented first are forgotten beyond it."""
LONGEST = 2000
"""Characters of one comment."""
QUOTED = 200
"""Characters of the line that a comment repeats."""

Kept = dict[str, list[list[object]]]
"""Plan -> its comments, as JSON has them."""


@dataclass(frozen=True, slots=True)
class Comment:
    """old, new: line numbers from 1, 0 for a side that does not have the line; both 0 for the file as a whole. quote:
    the line with its sign."""

    path: str
    old: int
    new: int
    quote: str
    text: str = ""

    @property
    def anchor(self) -> tuple[str, int, int]:
        return self.path, self.old, self.new

    @property
    def place(self) -> str:
        """`shop/cart.py:3`; clean."""
        name = clean(self.path, limit=300)
        if self.new:
            return f"{name}:{self.new}"
        return f"{name}:{self.old} (removed)" if self.old else f"{name} (the file)"


def at(diff: Diff, index: int) -> Comment | None:
    """Without words yet: about this line, or about the file whose header it is in. None where there is no file."""
    file = diff.file_at(index)
    if file is None:
        return None
    entry, position = diff.files[file], diff.position(index)
    if position is None:
        return Comment(entry.path, 0, 0, "")
    return Comment(entry.path, position.old or 0, position.new or 0, _quoted(diff, index))


def _quoted(diff: Diff, index: int) -> str:
    raw = diff.lines[index][: 4 * QUOTED].decode("utf-8", "replace").replace("\t", "    ").rstrip()
    return cut("".join(char if char.isprintable() else "\ufffd" for char in raw), QUOTED)


def marked(diff: Diff, comments: Sequence[Comment]) -> frozenset[int]:
    """The lines that they are about, as far as this diff has them."""
    lines = (diff.line_of(c.path, c.old, c.new) for c in comments)
    return frozenset(line for line in lines if line is not None)


# -- keeping them ------------------------------------------------------------------------------------------


def read(kept: Mapping[str, object], plan: str) -> tuple[Comment, ...]:
    """Those of a plan."""
    listed = kept.get(plan)
    return tuple(c for each in listed if (c := _read(each))) if isinstance(listed, list) else ()


def _read(raw: object) -> Comment | None:
    match raw:
        case [str(path), int(old), int(new), str(quote), str(text)] if text and old >= 0 and new >= 0:
            return Comment(path, old, new, quote[:QUOTED], text[:LONGEST])
        case _:
            return None


def with_those(kept: Mapping[str, object], plan: str, comments: Sequence[Comment]) -> Kept:
    """All that is kept, where a plan's comments are now these."""
    plans = {name: [_written(c) for c in read(kept, name)] for name in kept if name != plan}
    if comments:
        plans[plan] = [_written(c) for c in comments[-MOST:]]
    kept_now: list[tuple[str, list[list[object]]]] = []
    size = 0
    for name, listed in reversed(plans.items()):
        size += sum(len(str(part)) for each in listed for part in each)
        if listed and len(kept_now) < PLANS and (size <= ROOM or not kept_now):
            kept_now.append((name, listed))
    return dict(reversed(kept_now))


def _written(c: Comment) -> list[object]:
    return [c.path, c.old, c.new, c.quote, c.text]


def changed(comments: Sequence[Comment], one: Comment) -> tuple[Comment, ...]:
    """With this one in place of what was said there before, in the order they were made; without it when it says
    nothing."""
    if one.text and any(c.anchor == one.anchor for c in comments):
        return tuple(one if c.anchor == one.anchor else c for c in comments)
    rest = tuple(c for c in comments if c.anchor != one.anchor)
    return (*rest, one) if one.text else rest


# -- telling the agent -------------------------------------------------------------------------------------


def nudge(comments: Sequence[Comment], plan: str, *, anew: bool) -> str:
    """One prompt of all of them. anew: for an agent that begins again and has seen none of it."""
    count = f"{len(comments)} comment{'' if len(comments) == 1 else 's'}"
    if anew:
        head = f"An earlier attempt at this (plan {short(plan)}) was looked at and sent back with {count}:"
    else:
        head = f"A person has looked at your changes and has {count}. Do what they ask; leave the rest as it is."
    return "\n\n".join([head, *(_told(number, c) for number, c in enumerate(comments, 1))])


def _told(number: int, c: Comment) -> str:
    quote = f"\n   {c.quote}" if c.quote else ""
    return f"{number}. {c.place}{quote}\n   {c.text}"
