"""What changed between two fingerprints, worded for a person: each change with its severity and, where adopting or
restoring is not all, a cure. Decides nothing, writes nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable

from console.adapters.git.fingerprint import GONE, STASH_LOG
from console.adapters.git.gitconfig import differences
from console.adapters.git.items import Item
from console.adapters.git.refchanges import A_KIND_AT_MOST, Ancestor, head_changes, ref_changes, stash_change
from console.adapters.git.sides import TREES, Side, expected, headless, ids, is_new, kind_of, lost, text
from console.core.records import RepoChange, Severity

CHANGES_AT_MOST = 200
_RANK: dict[Severity, int] = {"runs": 0, "lies": 1, "moved": 2, "lock": 3, "note": 4}
_RUNS_FILES = ("commondir", ".git")


def compare(
    old: Side,
    new: Side,
    own_refs: frozenset[str],
    *,
    ancestor: Ancestor,
    lock_cure: Callable[[str], str],
    strict: bool,
) -> tuple[RepoChange, ...]:
    """The gravest first. ancestor(old, new): a fast-forward; lock_cure(label): what to do about a lock; strict: as in
    `GitDirWatch.look`."""
    changes = [
        *_configs(old, new), *_files(old, new, strict), *_trees(old, new), *_places(old, new),
        *head_changes(old, new, strict), *ref_changes(old, new, own_refs, ancestor, strict),
        *_flags(old, new), *_locks(old, new, lock_cure), *_cut(old, new),
    ]  # fmt: skip
    changes.sort(key=lambda one: (_RANK[one.severity], one.item))
    changes = [_texts(one) for one in changes]
    rest = len(changes) - CHANGES_AT_MOST
    if rest <= 0:
        return tuple(changes)
    dropped = changes[CHANGES_AT_MOST:]
    return (*changes[:CHANGES_AT_MOST], RepoChange(item=f"and {rest} more changes", severity=dropped[0].severity))


def _texts(one: RepoChange) -> RepoChange:
    return RepoChange(
        item=text(one.item), severity=one.severity, before=text(one.before)[:200], after=text(one.after)[:200],
        cure=text(one.cure),
    )  # fmt: skip


# -- files


def _configs(old: Side, new: Side) -> Iterable[RepoChange]:
    for label in sorted({*old.seen.configs, *new.seen.configs}):
        if old.seen.files.get(label) != new.seen.files.get(label):
            yield from _config(label, old, new)


def _config(label: str, old: Side, new: Side) -> Iterable[RepoChange]:
    before, after = old.seen.files.get(label), new.seen.files.get(label)
    found = differences(old.settings(label), new.settings(label), label, old.remotes())
    if is_new(label, old, new, "modules"):
        yield from (one for one in found if one.severity == "runs")
    elif found:
        yield from found
    else:
        grave: Severity = "lies" if (before and before.kind) != (after and after.kind) else "note"
        yield RepoChange(item=f"file {label}", severity=grave, before=kind_of(before), after=kind_of(after))


def _files(old: Side, new: Side, strict: bool) -> Iterable[RepoChange]:
    configs = {*old.seen.configs, *new.seen.configs}
    for label in sorted(old.seen.files.keys() | new.seen.files.keys()):
        if old.seen.files.get(label) == new.seen.files.get(label) or label in configs:
            continue
        if label == STASH_LOG:
            yield stash_change(old, new, strict)
        else:
            yield from _plain_file(label, old, new)
    for label in headless(old, new):
        cure = f"a new worktree that is a repository of its own: its {os.path.basename(label)} must say ../.."
        yield RepoChange(item=f"file {label}", severity="lies", cure=cure)


def _plain_file(label: str, old: Side, new: Side) -> Iterable[RepoChange]:
    if expected(label, old, new):
        return
    before, after = old.seen.files.get(label), new.seen.files.get(label)
    one = _file(label, before, after, {*old.seen.hooks, *new.seen.hooks})
    if after and after.kind == GONE:
        # Measured: named, the folder is repaired as well, but git then says that it could not and exits 1.
        cure = f"git -C {shlex.quote(new.root)} worktree repair"
        one = RepoChange(item=one.item, severity="lies", before=one.before, cure=cure)
    yield one


def _trees(old: Side, new: Side) -> Iterable[RepoChange]:
    missed = lost(old, new)
    for kind in TREES:
        before, after = ids(old.seen, kind), ids(new.seen, kind)
        what = "submodule" if kind == "modules" else "worktree"
        for name in sorted(before ^ after):
            word = "added" if name in after else "gone"
            item = f"{what} {name} {word}"
            if kind == "worktrees" and name in missed and word == "gone":
                folder = os.path.dirname(missed[name])
                cure = f"git knows nothing of {folder} any more, its files are there: restoring makes it known again"
                yield RepoChange(item=item, severity="lies", before=folder, cure=cure)
            else:
                yield RepoChange(item=item, severity="note")


def _file(label: str, before: Item | None, after: Item | None, hooks: set[str]) -> RepoChange:
    home = next((one for one in hooks if label.startswith(f"{one}/")), "")
    name = os.path.basename(label)
    grave: Severity = "lies"
    if home:
        ours = label[len(home) + 1 :]
        item = f"hook {ours}" if home == "hooks" else f"hook {ours} ({home})"
        grave = _hook_severity(name, before, after)
    else:
        item = f"file {label}"
        if name in _RUNS_FILES or label in hooks or (after and after.kind == "link" and label in ("info", *TREES)):
            grave = "runs"
        elif name == "locked":
            grave = "note"
    return RepoChange(item=item, severity=grave, before=kind_of(before), after=kind_of(after))


def _hook_severity(name: str, before: Item | None, after: Item | None) -> Severity:
    if name.endswith(".sample"):
        return "note"
    if after is None:
        return "lies"
    # Git runs no hook that is not executable, but a helper that a hook calls needs no such bit.
    return "runs" if after.kind != "file" or after.mode & 0o111 or "." in name or before else "note"


# -- places, heads, refs


def _places(old: Side, new: Side) -> Iterable[RepoChange]:
    for path in sorted(old.seen.places.keys() & new.seen.places.keys()):
        before, after = old.seen.places[path], new.seen.places[path]
        if before != after:
            cure = "somebody put another folder in its place: what is shown is what is there now"
            yield RepoChange(item=f"place {path}", severity="lies", before=before, after=after, cure=cure)


# -- the index, locks, bounds


def _flags(old: Side, new: Side) -> Iterable[RepoChange]:
    for folder in sorted(old.seen.flags.keys() & new.seen.flags.keys()):
        if old.seen.flags[folder] == new.seen.flags[folder]:
            continue
        before, after = old.flags(folder), new.flags(folder)
        rows = sorted(before ^ after)
        for row in rows[:A_KIND_AT_MOST]:
            what = "assume-unchanged" if row[0] == "a" else "skip-worktree"
            option = f"--{'no-' if row in after else ''}{what}"
            yield RepoChange(
                item=f"index flag {what} {row[2:]} ({folder})", severity="lies",
                before="set" if row in before else "", after="set" if row in after else "",
                cure=f"git -C {shlex.quote(folder)} update-index {option} -- {shlex.quote(row[2:])}",
            )  # fmt: skip
        if len(rows) > A_KIND_AT_MOST:
            yield RepoChange(item=f"and {len(rows) - A_KIND_AT_MOST} more index flags ({folder})", severity="lies")


def _locks(old: Side, new: Side, lock_cure: Callable[[str], str]) -> Iterable[RepoChange]:
    for label in sorted(set(new.seen.locks) - set(old.seen.locks)):
        yield RepoChange(item=f"lock {label}", severity="lock", after="there", cure=lock_cure(label))


def _cut(old: Side, new: Side) -> Iterable[RepoChange]:
    for label in sorted(set(new.seen.cut) - set(old.seen.cut)):
        yield RepoChange(item=f"more in {label} than can be watched", severity="lies")


def grave_files(old: Side, new: Side) -> dict[str, list[str]]:
    """{label of a file whose difference runs something or lies: the items that say so}, folders' links before what is
    below them. Worktrees that are lost as a whole are not among them."""
    configs = {*old.seen.configs, *new.seen.configs}
    found = {label: [f"file {label}"] for label in headless(old, new)}
    for label in old.seen.files.keys() | new.seen.files.keys():
        before, after = old.seen.files.get(label), new.seen.files.get(label)
        if before == after or label == STASH_LOG:
            continue
        rows = _config(label, old, new) if label in configs else _plain_file(label, old, new)
        items = [row.item for row in rows if row.severity in ("runs", "lies")]
        if items:
            found[label] = items
    return dict(sorted(found.items(), key=lambda one: (one[0].count("/"), one[0])))
