"""What a person says about lines of a diff: where it is, the line as it was, the words; and the one nudge made of all.

Kept as JSON by whoever has a memory; whatever is read back and is no comment is left out. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.core.commits import short
from console.present.diffrecords import Diff
from console.present.text import clean, cut

MOST, ALL = 50, 2000
"""Comments that a plan has at most, and all plans together."""
ROOM = 400_000
"""Characters of all that is kept. Beyond it nothing more is taken: no comment is forgotten for another one."""
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
        return self._at(clean(self.path, limit=300))

    @property
    def told(self) -> str:
        """The place for an agent: a name that is odd is quoted as `git status` does, whole."""
        return self._at(quoted(self.path))

    def _at(self, name: str) -> str:
        if self.new:
            return f"{name}:{self.new}"
        return f"{name}:{self.old} (removed)" if self.old else f"{name} (the file)"


ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


def quoted(path: str) -> str:
    """As git quotes a name in C style (quote.c; core.quotePath=false): only one that needs it; one line, no control."""
    parts = [f"\\{ESCAPES[char]}" if char in ESCAPES else char if char.isprintable() else _octal(char) for char in path]
    text = "".join(parts)
    return f'"{text}"' if text != path or path != path.strip() else path


def _octal(char: str) -> str:
    how = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", how))


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
    lines = {diff.line_of(c.path, c.old, c.new) for c in comments if c.old or c.new} - {None}
    whole = {c.path for c in comments if not (c.old or c.new)}
    heads = {entry.line for entry in diff.files if whole and entry.path in whole}
    return frozenset(line for line in (*lines, *heads) if line is not None)


# -- keeping them ------------------------------------------------------------------------------------------


def read(kept: Mapping[str, object], plan: str) -> tuple[Comment, ...]:
    """Those of a plan."""
    listed = kept.get(plan)
    return tuple(c for each in listed if (c := _read(each))) if isinstance(listed, list) else ()


def _read(raw: object) -> Comment | None:
    match raw:
        case [str(path), int(old), int(new), str(quote), str(text)] if text and old >= 0 and new >= 0:
            return Comment(path, old, new, quote[:QUOTED], text[: 4 * LONGEST])
        case _:
            return None


def with_those(kept: Mapping[str, object], plan: str, comments: Sequence[Comment]) -> Kept:
    """All that is kept, where a plan's comments are now these."""
    plans = {name: [_written(c) for c in read(kept, name)] for name in kept if name != plan}
    if comments:
        plans[plan] = [_written(c) for c in comments]
    return {name: listed for name, listed in plans.items() if listed}


def no_room(kept: Mapping[str, object], plan: str, comments: Sequence[Comment]) -> str:
    """Why this plan cannot have these comments beside all that is kept; "" when it can."""
    if len(comments) > MOST:
        return f"a plan has {MOST} comments at most: send or drop some first"
    every = [part for listed in with_those(kept, plan, comments).values() for part in listed]
    if len(every) > ALL or sum(len(str(part)) for each in every for part in each) > ROOM:
        return "too many comments on all plans were never sent: send or drop some first"
    return ""


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
    return f"{number}. {c.told}{quote}\n   {c.text}"
