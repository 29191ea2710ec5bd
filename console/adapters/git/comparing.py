"""What changed between two fingerprints, worded for a person: each change with its severity and, where adopting or
restoring is not all, a cure. Decides nothing, writes nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from console.adapters.git.fingerprint import STASH_LOG, Print, refs_from
from console.adapters.git.gitconfig import Parsed, differences
from console.adapters.git.items import Item
from console.core.records import RepoChange, Severity

CHANGES_AT_MOST = 200
_A_KIND_AT_MOST = 40
_RANK: dict[Severity, int] = {"runs": 0, "lies": 1, "moved": 2, "lock": 3, "note": 4}
_RUNS_FILES = ("commondir", ".git")
_TREES = ("modules", "worktrees")


@dataclass(frozen=True, slots=True)
class Side:
    """One fingerprint with the means to read what it speaks of. content: bytes by digest, None when not kept."""

    seen: Print
    content: Callable[[str], bytes | None]
    parse: Callable[[bytes], Parsed]

    def body(self, label: str) -> bytes | None:
        item = self.seen.files.get(label)
        return self.content(item.digest) if item and item.kind in ("file", "link") else None

    def settings(self, label: str) -> Parsed:
        """A configuration file's meaning; one that git could not read at all is broken."""
        item = self.seen.files.get(label)
        if item is None:
            return Parsed()
        body = self.body(label)
        if body is not None:
            return self.parse(body)
        return Parsed(broken=f"it is {kind_of(item)}")

    def refs(self) -> dict[str, str]:
        return refs_from(self.content(self.seen.refs) or b"")

    def flags(self, worktree: str) -> set[str]:
        """ "a path" (assume-unchanged) and "s path" (skip-worktree)."""
        text = self.content(self.seen.flags.get(worktree, "")) or b""
        return set(os.fsdecode(text).split("\0")) - {""}


def compare(
    old: Side,
    new: Side,
    own_refs: frozenset[str],
    ancestor: Callable[[str, str], bool],
    lock_cure: Callable[[str], str],
) -> tuple[RepoChange, ...]:
    """The gravest first. ancestor(old, new): a fast-forward; lock_cure(label): what to do about a lock."""
    changes = [
        *_configs(old, new), *_files(old, new), *_places(old, new), *_heads(old, new),
        *_refs(old, new, own_refs, ancestor), *_flags(old, new), *_locks(old, new, lock_cure), *_cut(old, new),
    ]  # fmt: skip
    changes.sort(key=lambda one: (_RANK[one.severity], one.item))
    changes = [_texts(one) for one in changes]
    rest = len(changes) - CHANGES_AT_MOST
    if rest <= 0:
        return tuple(changes)
    dropped = changes[CHANGES_AT_MOST:]
    return (*changes[:CHANGES_AT_MOST], RepoChange(item=f"and {rest} more changes", severity=dropped[0].severity))


def text(name: str) -> str:
    """A name as it can be written down: bytes that are no UTF-8 escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def kind_of(item: Item | None) -> str:
    if item is None:
        return ""
    if item.kind == "odd":
        return item.digest.rpartition(" ")[0]
    words = {"link": f"link to {item.target}", "file": f"file {item.digest[:10]}, mode {item.mode:o}"}
    return words.get(item.kind, {"unreadable": "unreadable", "large": "larger than 8 MiB"}.get(item.kind, "a folder"))


def _texts(one: RepoChange) -> RepoChange:
    return RepoChange(
        item=text(one.item), severity=one.severity, before=text(one.before)[:200], after=text(one.after)[:200],
        cure=text(one.cure),
    )  # fmt: skip


# -- files


def _configs(old: Side, new: Side) -> Iterable[RepoChange]:
    for label in sorted({*old.seen.configs, *new.seen.configs}):
        before, after = old.seen.files.get(label), new.seen.files.get(label)
        if before == after:
            continue
        found = differences(old.settings(label), new.settings(label), label)
        if _is_new(label, old, new, "modules"):
            yield from (one for one in found if one.severity == "runs")
        elif found:
            yield from found
        else:
            grave: Severity = "lies" if (before and before.kind) != (after and after.kind) else "note"
            yield RepoChange(item=f"file {label}", severity=grave, before=kind_of(before), after=kind_of(after))


def _files(old: Side, new: Side) -> Iterable[RepoChange]:
    configs = {*old.seen.configs, *new.seen.configs}
    for label in sorted(old.seen.files.keys() | new.seen.files.keys()):
        before, after = old.seen.files.get(label), new.seen.files.get(label)
        if before == after or label in configs:
            continue
        if label == STASH_LOG:
            yield _stash(old, new)
        elif not _expected(label, old, new):
            yield _file(label, before, after, {*old.seen.hooks, *new.seen.hooks})
    for kind in _TREES:
        before_ids, after_ids = _ids(old.seen, kind), _ids(new.seen, kind)
        what = "submodule" if kind == "modules" else "worktree"
        for name in sorted(before_ids ^ after_ids):
            word = "added" if name in after_ids else "gone"
            yield RepoChange(item=f"{what} {name} {word}", severity="note")


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
        if name in _RUNS_FILES or label in hooks or (after and after.kind == "link" and label in ("info", *_TREES)):
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


def _ids(seen: Print, kind: str) -> set[str]:
    """The git dirs below `modules` or `worktrees`, by a file that each of them has."""
    name = "/config" if kind == "modules" else "/gitdir"
    found = (label[len(kind) + 1 : -len(name)] for label in seen.files if label.startswith(f"{kind}/"))
    return {one for one in found if f"{kind}/{one}{name}" in seen.files}


def _is_new(label: str, old: Side, new: Side, kind: str) -> bool:
    fresh = _ids(new.seen, kind) ^ _ids(old.seen, kind)
    return any(label.startswith(f"{kind}/{one}/") for one in fresh)


def _expected(label: str, old: Side, new: Side) -> bool:
    """True for what belongs to a worktree or submodule that came or went as a whole, and is as git makes it."""
    name = os.path.basename(label)
    if _is_new(label, old, new, "modules"):
        return name.endswith(".sample")
    if name == ".git" and os.path.isabs(label):
        return label not in new.seen.files or (label not in old.seen.files and _points_home(label, old, new))
    if not _is_new(label, old, new, "worktrees"):
        return False
    return name != "commondir" or label not in new.seen.files or (new.body(label) or b"").strip() == b"../.."


def _points_home(label: str, old: Side, new: Side) -> bool:
    """True for the `.git` file of a worktree or submodule that is new, when it names just that."""
    body = (new.body(label) or b"").removeprefix(b"gitdir: ").strip()
    target = os.path.normpath(os.path.join(os.path.dirname(label), os.fsdecode(body)))
    fresh = (f"/{kind}/{one}" for kind in _TREES for one in _ids(new.seen, kind) - _ids(old.seen, kind))
    return any(target.endswith(one) for one in fresh)


def _stash(old: Side, new: Side) -> RepoChange:
    before, after = old.body(STASH_LOG) or b"", new.body(STASH_LOG) or b""
    counts = [f"{body.count(chr(10).encode())} entries" for body in (before, after)]
    grave: Severity = "note" if after.startswith(before) else "moved"
    return RepoChange(item="ref refs/stash", severity=grave, before=counts[0], after=counts[1])


# -- places, heads, refs


def _places(old: Side, new: Side) -> Iterable[RepoChange]:
    for path in sorted(old.seen.places.keys() & new.seen.places.keys()):
        before, after = old.seen.places[path], new.seen.places[path]
        if before != after:
            cure = "somebody put another folder in its place: what is shown is what is there now"
            yield RepoChange(item=f"place {path}", severity="lies", before=before, after=after, cure=cure)


def _heads(old: Side, new: Side) -> Iterable[RepoChange]:
    for label in sorted(old.seen.heads.keys() & new.seen.heads.keys()):
        before, after = old.seen.heads[label], new.seen.heads[label]
        if before != after:
            item = f"HEAD of {label}" if label else "HEAD"
            yield RepoChange(
                item=item, severity="note" if label else "moved", before=before.strip(), after=after.strip()
            )


def _refs(old: Side, new: Side, own_refs: frozenset[str], ancestor: Callable[[str, str], bool]) -> Iterable[RepoChange]:
    if old.seen.refs == new.seen.refs:
        return
    before, after = old.refs(), new.refs()
    differing = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
    logs = (old.seen.files.get(STASH_LOG), new.seen.files.get(STASH_LOG))
    told: dict[Severity, int] = {}
    for name in differing:
        if name in own_refs or (name == "refs/stash" and logs[0] != logs[1]):
            continue
        one, two = before.get(name, ""), after.get(name, "")
        grave = _ref_severity(name, one, two, ancestor if told.get("moved", 0) < _A_KIND_AT_MOST else _no)
        told[grave] = told.get(grave, 0) + 1
        if told[grave] <= _A_KIND_AT_MOST:
            yield RepoChange(item=f"ref {name}", severity=grave, before=one, after=two)
    for grave, count in told.items():
        if count > _A_KIND_AT_MOST:
            yield RepoChange(item=f"and {count - _A_KIND_AT_MOST} more refs", severity=grave)


def _no(_old: str, _new: str) -> bool:
    return False


def _ref_severity(name: str, old: str, new: str, ancestor: Callable[[str, str], bool]) -> Severity:
    if name.startswith("refs/replace/") or new.startswith("link: "):
        return "lies"
    if not old or name.startswith("refs/remotes/"):
        return "note"
    plain = new and not old.startswith(("ref: ", "link: ")) and not new.startswith("ref: ")
    return "note" if plain and ancestor(old, new) else "moved"


# -- the index, locks, bounds


def _flags(old: Side, new: Side) -> Iterable[RepoChange]:
    for folder in sorted(old.seen.flags.keys() & new.seen.flags.keys()):
        if old.seen.flags[folder] == new.seen.flags[folder]:
            continue
        before, after = old.flags(folder), new.flags(folder)
        rows = sorted(before ^ after)
        for row in rows[:_A_KIND_AT_MOST]:
            what = "assume-unchanged" if row[0] == "a" else "skip-worktree"
            option = f"--{'no-' if row in after else ''}{what}"
            yield RepoChange(
                item=f"index flag {what} {row[2:]} ({folder})", severity="lies",
                before="set" if row in before else "", after="set" if row in after else "",
                cure=f"git -C {shlex.quote(folder)} update-index {option} -- {shlex.quote(row[2:])}",
            )  # fmt: skip
        if len(rows) > _A_KIND_AT_MOST:
            yield RepoChange(item=f"and {len(rows) - _A_KIND_AT_MOST} more index flags ({folder})", severity="lies")


def _locks(old: Side, new: Side, lock_cure: Callable[[str], str]) -> Iterable[RepoChange]:
    for label in sorted(set(new.seen.locks) - set(old.seen.locks)):
        yield RepoChange(item=f"lock {label}", severity="lock", after="there", cure=lock_cure(label))


def _cut(old: Side, new: Side) -> Iterable[RepoChange]:
    for label in sorted(set(new.seen.cut) - set(old.seen.cut)):
        yield RepoChange(item=f"more in {label} than can be watched", severity="lies")


def grave_labels(old: Side, new: Side) -> list[str]:
    """The files whose difference runs something or lies, folders' links before what is below them."""
    configs = {*old.seen.configs, *new.seen.configs}
    hooks = {*old.seen.hooks, *new.seen.hooks}
    found = []
    for label in old.seen.files.keys() | new.seen.files.keys():
        before, after = old.seen.files.get(label), new.seen.files.get(label)
        if before == after or label == STASH_LOG:
            continue
        if label in configs:
            rows = differences(old.settings(label), new.settings(label), label)
            odd = (before and before.kind) != (after and after.kind) and not _is_new(label, old, new, "modules")
            grave = odd or any(row.severity in ("runs", "lies") for row in rows)
        else:
            grave = not _expected(label, old, new) and _file(label, before, after, hooks).severity in ("runs", "lies")
        found += [label] if grave else []
    return sorted(found, key=lambda one: (one.count("/"), one))
