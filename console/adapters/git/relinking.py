"""Makes git know a linked worktree again whose git dir was taken away. Touches no file in the worktree itself, and
nothing of its git dir that is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from console.adapters.git.items import Item
from console.adapters.git.refchanges import sound_head
from console.adapters.git.refs import head_of
from console.adapters.git.replacing import put
from console.adapters.git.shadow import Repository, View
from console.adapters.git.sides import Side

_PLAIN = Item("file", 0o644)


def relink(repo: Repository, old: Side, name: str, body: Callable[[str, Item], bytes]) -> str:
    """Put back what is missing below `worktrees/<name>`; what to know of its index. body(label, item): what was in a
    file. Raises CannotReplace, OSError and GitFailed."""
    common, home = repo.workspace.common, f"worktrees/{name}"
    missing = [one for one in old.seen.files if one.startswith(f"{home}/") and not _there(common, one)]
    for label in sorted(missing):
        item = old.seen.files[label]
        put(common, label, item, body(label, item), expected=None, room=None)
    head = old.seen.heads.get(home, "")
    if sound_head(head) and not _there(common, f"{home}/HEAD"):
        put(common, f"{home}/HEAD", _PLAIN, os.fsencode(head), expected=None, room=None)
    return "" if _there(common, f"{home}/index") else _new_index(repo, home)


def _there(common: str, label: str) -> bool:
    return os.path.lexists(os.path.join(common, label))


def _new_index(repo: Repository, home: str) -> str:
    """The index itself was not kept; one that says what HEAD says hides nothing."""
    common = repo.workspace.common
    tip = head_of(common, os.path.join(common, home))
    if tip is None or not tip.oid:
        return ", without an index: nothing is staged there"
    with repo.scratch() as room:
        repo.out(View(index=room / "index"), "read-tree", tip.oid)
        put(common, f"{home}/index", _PLAIN, (room / "index").read_bytes(), expected=None, room=None)
    return "; its index is new, from its HEAD: what was staged there is in the files alone"
