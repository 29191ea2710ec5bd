"""What to know of a plan's diff before the key, beside what its assessment says: each a line with its mark. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from console.core.commits import Plan
from console.core.records import TicketSpec
from console.present.diffrecords import Diff
from console.present.keytable import key
from console.present.text import clean
from console.present.wording import branch

NAMED = 3
"""Files that a warning names; how many more there are is said."""


def of_diff(diff: Diff) -> list[str]:
    """What only the lines themselves tell."""
    found = []
    if not diff.whole:
        found.append("!! this diff is too big to be drawn, so it cannot be approved here: below are its files")
    if diff.conflicts:
        places = dict.fromkeys(diff.files[at].path for i in diff.conflicts if (at := diff.file_at(i)) is not None)
        found.append(f"!! adds conflict markers of an unresolved merge: {_some(places)}")
    if said := cut_lines(diff):
        found.append(f"!! {said}")
    return found


def cut_lines(diff: Diff) -> str:
    """That lines are longer than is shown, where, and what shows them whole; "" when none is."""
    if not diff.cut:
        return ""
    places = dict.fromkeys(diff.files[at].path for i in diff.cut if (at := diff.file_at(i)) is not None)
    many = len(diff.cut) != 1
    lines, how = (f"{len(diff.cut)} lines are", "one shows them") if many else ("1 line is", "it shows it")
    return f"{lines} longer than is shown: {key('edit')} on {how} whole ({_some(places)})"


def behind(p: Plan, commits: int, overlap: Sequence[str], *, lost: bool) -> str:
    """The branch has moved since the plan was frozen. commits: how many it gained. overlap: the plan's paths that
    changed there too. lost: the branch is gone, or no longer has what the plan was frozen on."""
    onto = branch(p)
    if lost:
        return f"!! {onto} is gone or was rewritten since this was frozen: it cannot land as it is"
    count = f"{commits} commit{'' if commits == 1 else 's'}"
    if overlap:
        return f"!! {onto} has moved on by {count}, which change {_some(overlap)} too: approving it makes it void"
    return f"! {onto} has moved on by {count} since this was frozen: approving puts it on top and judges it again"


def outside(p: Plan, spec: TicketSpec) -> str:
    """Files that the ticket did not name, where it names any; "" when there are none."""
    if not spec.paths:
        return ""
    found = [one.path for one in p.frozen.paths if not within(one.path, spec.paths)]
    if not found:
        return ""
    named = clean(", ".join(spec.paths[:NAMED]), limit=120)
    return f"! outside of the ticket's paths ({named}): {_some(found)}"


def within(path: str, globs: Iterable[str]) -> bool:
    """Whether a path fits one of the globs: `**` for any folders, `*` and `?` inside of one name; a folder's name
    stands for all below it."""
    names = path.split("/")
    return any(_fits(names, [part for part in re.split("/+", glob.strip("/")) if part != "."]) for glob in globs)


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Place by place: how many names the parts so far can have taken."""
    reached = {0}
    for part in parts:
        if part == "**":
            reached = set(range(min(reached), len(names) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if at < len(names) and fnmatchcase(names[at], part)}
    folder = not parts or not re.search(r"[*?\[]", parts[-1])
    return len(names) in reached or (folder and bool(reached))


def merged(warnings: Sequence[str], more: Iterable[str]) -> tuple[str, ...]:
    """Both, the gravest first; the order within a mark is kept."""
    extra = list(more)
    grave = [line for line in extra if line.startswith("!! ")]
    first = next((i for i, line in enumerate(warnings) if not line.startswith("!! ")), len(warnings))
    rest = [line for line in extra if line not in grave]
    return (*grave, *warnings[:first], *rest, *warnings[first:])


def _some(paths: Iterable[str]) -> str:
    named = [clean(path, limit=120) for path in paths]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return ", ".join(named[:NAMED]) + more
