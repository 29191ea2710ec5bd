"""Which names can be in a plan at all. Looks at the name only, never at the disk."""

from __future__ import annotations

from console.core.paths import bytes_of

# Code points that HFS+ drops from names, so that ".g\u200cit" means ".git" there.
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def path_problem(path: str) -> str:
    """Why a path (text of `core.paths`) can never be part of a plan ("" when it can); completes "<path> ..."."""
    if not path:
        return "is empty"
    try:
        raw = bytes_of(path)
    except ValueError:
        return 'is no name: one that is not UTF-8 or begins with " is written as git quotes it'
    if b"\0" in raw:
        return "contains a NUL"
    if raw.startswith(b"/"):
        return "is absolute: paths are relative to the worktree"
    parts = raw.split(b"/")
    if any(part in (b"", b".", b"..") for part in parts):
        return 'has an empty, "." or ".." component'
    if any(_is_dot_git(part) for part in parts):
        return "reaches into git's own folder, which no commit holds: take it off the list"
    return ""


def _is_dot_git(part: bytes) -> bool:
    """True for every spelling some file system takes for `.git`."""
    text = part.decode("utf-8", "surrogateescape").translate(_IGNORED).replace("\\", "/")
    plain = text.split("/")[0].split(":")[0].rstrip(" .").casefold()
    return plain in (".git", "git~1")
