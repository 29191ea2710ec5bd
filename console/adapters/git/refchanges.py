"""What changed in HEADs and refs between two fingerprints. Decides nothing, writes nothing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable

from console.adapters.git.fingerprint import STASH_LOG
from console.adapters.git.sides import Side
from console.core.records import RepoChange, Severity

A_KIND_AT_MOST = 40
NO_REF = ("link: ", "broken: ")
"""How the value of a ref begins whose file is none."""
_HEADS = "refs/heads/"
_HEAD = re.compile(r"(ref:\s*refs/[^\0\n]+|[0-9a-f]{40}([0-9a-f]{24})?)\s*")

Ancestor = Callable[[str, str], bool]


def head_changes(old: Side, new: Side, strict: bool) -> Iterable[RepoChange]:
    for label in sorted(old.seen.heads.keys() & new.seen.heads.keys()):
        before, after = old.seen.heads[label], new.seen.heads[label]
        if before == after:
            continue
        grave: Severity = "lies" if not sound_head(after) else "moved" if strict and not label else "note"
        item = f"HEAD of {label}" if label else "HEAD"
        yield RepoChange(item=item, severity=grave, before=before.strip(), after=after.strip())


def sound_head(content: str) -> bool:
    """False for a HEAD that is a link, is gone, or says nothing that git understands."""
    return _HEAD.fullmatch(content) is not None


def ref_changes(
    old: Side, new: Side, own_refs: frozenset[str], ancestor: Ancestor, strict: bool
) -> Iterable[RepoChange]:
    if old.seen.refs == new.seen.refs:
        return
    before, after = old.refs(), new.refs()
    differing = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
    logs = (old.seen.files.get(STASH_LOG), new.seen.files.get(STASH_LOG))
    told: dict[Severity, int] = {}
    for name in differing:
        one, two = before.get(name, ""), after.get(name, "")
        # A branch of ours may go where it wants, but not become another one or no branch at all.
        if name in own_refs and (not two.startswith((*NO_REF, "ref: ")) or one.startswith("ref: ")):
            continue
        if name == "refs/stash" and logs[0] != logs[1] and not two.startswith(NO_REF):
            continue
        grave = _severity(name, one, two, ancestor if told.get("moved", 0) < A_KIND_AT_MOST else _no, strict)
        told[grave] = told.get(grave, 0) + 1
        if told[grave] <= A_KIND_AT_MOST:
            yield RepoChange(item=f"ref {name}", severity=grave, before=one, after=two, cure=_cure(name, two))
    for grave, count in told.items():
        if count > A_KIND_AT_MOST:
            yield RepoChange(item=f"and {count - A_KIND_AT_MOST} more refs", severity=grave)


def _severity(name: str, old: str, new: str, ancestor: Ancestor, strict: bool) -> Severity:
    if name.startswith("refs/replace/") or new.startswith("link: ") or (old and new.startswith("broken: ")):
        return "lies"
    if name.startswith(_HEADS) and old and new.startswith("ref: ") and not old.startswith("ref: "):
        # What is done to this branch is done to another one from now on.
        return "lies"
    if not old or not strict or name.startswith("refs/remotes/"):
        return "note"
    if name.startswith(_HEADS):
        return "moved"
    plain = new and not old.startswith(("ref: ", *NO_REF)) and not new.startswith(("ref: ", *NO_REF))
    return "note" if plain and ancestor(old, new) else "moved"


def _no(_old: str, _new: str) -> bool:
    return False


def _cure(name: str, value: str) -> str:
    if not value.startswith("link: "):
        return ""
    return f"git takes it from where the link leads: look there before you trust {shlex.quote(name)}"


def stash_change(old: Side, new: Side, strict: bool) -> RepoChange:
    before, after = old.body(STASH_LOG) or b"", new.body(STASH_LOG) or b""
    counts = [f"{body.count(chr(10).encode())} entries" for body in (before, after)]
    grave: Severity = "note" if not strict or after.startswith(before) else "moved"
    return RepoChange(item="ref refs/stash", severity=grave, before=counts[0], after=counts[1])
