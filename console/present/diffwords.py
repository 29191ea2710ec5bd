"""Words for what happened to a file as a whole: renamed, another mode, a submodule. Pure; every word is ours."""

from __future__ import annotations

SUBMODULE = "160000"
_KIND = {"100644": "plain", "100755": "executable", "120000": "a symlink", SUBMODULE: "a submodule"}
_MOVED = {"R": "renamed", "C": "copied"}


def note(status: str, old_mode: str, new_mode: str) -> str:
    """For the head of a file, "" when there is nothing to say. Modes are as git writes them, "" for none told."""
    parts = [_MOVED[status]] if status in _MOVED else []
    if old_mode and new_mode and old_mode != new_mode:
        parts.append(f"mode {old_mode} \u2192 {new_mode}: {_KIND.get(new_mode, 'unusual')} now")
    elif new_mode not in ("", "100644", SUBMODULE) and status in ("A", "D"):
        parts.append(f"mode {new_mode}, {_KIND.get(new_mode, 'unusual')}")
    elif new_mode == "120000":
        parts.append("a symlink: its line is where it points to")
    return ", ".join(parts)


def submodule(status: str, mode: str, old_id: str, new_id: str) -> str:
    """What a changed submodule is in a line; "" for any other file."""
    if mode != SUBMODULE:
        return ""
    old, new = old_id[:7] or "?", new_id[:7] or "?"
    if status == "A":
        return f"submodule added at {new}: what is in it is not shown here"
    if status == "D":
        return f"submodule removed, was {old}"
    return f"submodule {old}..{new}: the commits between are not shown here"
