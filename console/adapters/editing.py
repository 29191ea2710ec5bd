"""A file of a plan for the operator's own editor or pager: finds the program, checks the path, makes read-only copies.

Starts nothing. The worktree is an agent's: no link in it is followed, and no program is looked for or run inside of it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from console.core.paths import text_of
from console.core.records import Frozen, Refused
from console.engine.planfiles import Editing
from console.engine.ports import FileChange

_TAKE_PLUS = (
    "vi vim vim.basic vim.tiny vim.nox vim.gtk3 nvi nvim elvis ex view vile nano pico rnano emacs emacs-nox emacs-gtk "
    "emacsclient mg zile jed jmacs joe jstar jpico kak micro ne mcedit less more most"
)
_PLUS = frozenset(_TAKE_PLUS.split())
"""Programs that take `+LINE` before a file."""
_COLON = frozenset({"hx", "helix"})
"""Programs that take `FILE:LINE`."""
EDITORS, PAGERS = ("editor", "nano", "vim", "vi"), ("less", "more")
"""What is looked for where no variable names a program."""
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


def in_worktree(worktree: str, path: bytes) -> str | Refused:
    """The full name of a plain file there. Refused: no link is followed, nothing outside or of git's own is opened."""
    parts = path.split(b"/")
    if not path or any(part in (b"", b".", b"..") or part.lower() == b".git" for part in parts) or b"\0" in path:
        return Refused(reason=f"{_shown(path)} is no path inside of a worktree")
    try:
        folder = os.open(os.path.realpath(worktree), _FOLDER)
    except OSError:
        return Refused(reason=f"its worktree {worktree} is gone")
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        return _plain(os.stat(parts[-1], dir_fd=folder, follow_symlinks=False), path) or os.path.join(
            os.path.realpath(worktree), os.fsdecode(path)
        )
    except FileNotFoundError:
        return Refused(reason=f"{_shown(path)} is not in the worktree any more")
    except OSError as error:
        return Refused(reason=f"{_shown(path)} is not opened: a folder of it is a link or no folder ({error.strerror})")
    finally:
        os.close(folder)


def _plain(status: os.stat_result, path: bytes) -> Refused | None:
    if stat.S_ISLNK(status.st_mode):
        return Refused(reason=f"{_shown(path)} is a symbolic link in the worktree; links are not followed")
    if not stat.S_ISREG(status.st_mode):
        return Refused(reason=f"{_shown(path)} is no plain file in the worktree")
    if status.st_nlink > 1:
        return Refused(reason=f"{_shown(path)} has other names, too, which may be outside of the worktree")
    return None


def edit(plan: Frozen, path: str, line: int, environ: Mapping[str, str]) -> Editing | Refused:
    """The file where the agent works; what is changed there is changed for good."""
    found = in_worktree(plan.worktree, os.fsencode(path))
    return found if isinstance(found, Refused) else _with_editor(found, line, environ)


def copy(
    plan: Frozen, path: str, line: int, contents: Iterable[FileChange], environ: Mapping[str, str]
) -> Editing | Refused:
    """What the plan has of it, in a folder of its own that is thrown away afterwards; what was there before, for a
    file that the plan deletes. contents: of all its paths, proved by their ids."""
    name = text_of(os.fsencode(path))
    found = next((one for one in contents if one.path == name), None)
    body = (found.new if found.mode != "000000" and found.new is not None else found.old) if found else None
    if body is None:
        return Refused(
            reason=f"{_shown(os.fsencode(path))} has no text here: a submodule, too large, or not in this plan"
        )
    return _thrown_away(_plain_name(path), body, lambda file: _with_editor(file, line, environ))


def page(plan: Frozen, text: bytes, environ: Mapping[str, str]) -> Editing | Refused:
    """The whole diff in a pager. text: made safe already."""
    return _thrown_away(f"plan-{plan.commit[:10]}.diff", text, lambda file: _with_pager(file, environ))


def _thrown_away(name: str, body: bytes, opened: Callable[[str], Editing | Refused]) -> Editing | Refused:
    room = tempfile.mkdtemp(prefix="nightdesk-")
    try:
        file = Path(room, name)
        file.write_bytes(body)
        file.chmod(0o400)
        found = opened(str(file))
    except OSError as error:
        found = Refused(reason=f"no copy could be written: {error.strerror or error}")
    if isinstance(found, Refused):
        shutil.rmtree(room, ignore_errors=True)
        return found
    return Editing(found.argv, found.cwd, lambda: shutil.rmtree(room, ignore_errors=True))


def _plain_name(path: str) -> str:
    """The last name of a path, which is the agent's, made of letters that no shell or editor minds; with its ending,
    for its colours."""
    return _ODD.sub("_", path.rpartition("/")[2])[-100:].lstrip("-") or "file"


# -- the program -------------------------------------------------------------------------------------------


def _with_editor(file: str, line: int, environ: Mapping[str, str]) -> Editing | Refused:
    found = _program(environ, ("VISUAL", "EDITOR"), EDITORS)
    if isinstance(found, Refused):
        return found
    names = {os.path.basename(found[0]), os.path.basename(os.path.realpath(found[0]))}
    if line > 0 and names & _PLUS:
        return Editing((*found, f"+{line}", file), _home(environ))
    return Editing((*found, f"{file}:{line}" if line > 0 and names & _COLON else file), _home(environ))


def _with_pager(file: str, environ: Mapping[str, str]) -> Editing | Refused:
    found = _program(environ, ("PAGER",), PAGERS)
    if isinstance(found, Refused):
        return found if environ.get("PAGER", "").strip() else _with_editor(file, 0, environ)
    return Editing((*found, file), _home(environ))


def _home(environ: Mapping[str, str]) -> str:
    """Where it is started: never in the worktree, whose folder some editors read settings from."""
    home = environ.get("HOME", "")
    return home if os.path.isabs(home) and os.path.isdir(home) else "/"


def _program(environ: Mapping[str, str], variables: tuple[str, ...], known: tuple[str, ...]) -> list[str] | Refused:
    """With its full name and its arguments. No shell takes part, and no folder that is not absolute is looked into."""
    for name in variables:
        if not (said := environ.get(name, "").strip()):
            continue
        try:
            argv = shlex.split(said)
        except ValueError as error:
            return Refused(reason=f"${name} cannot be read ({error}): {said[:80]!r}")
        found = _found(argv[0], environ) if argv else None
        return [found, *argv[1:]] if found else Refused(reason=f"${name} names no program that is here: {said[:80]!r}")
    first = next((found for each in known if (found := _found(each, environ))), None)
    return [first] if first else Refused(reason=f"no program is known for it: set ${variables[-1]}")


def _found(name: str, environ: Mapping[str, str]) -> str | None:
    folders = [each for each in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(each)]
    if os.sep in name and not os.path.isabs(name):
        return None
    return shutil.which(name, path=os.pathsep.join(folders))


def _shown(path: bytes) -> str:
    return text_of(path)[:200]
