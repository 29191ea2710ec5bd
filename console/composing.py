"""A ticket written by hand: what a run would decide about it, put into the queue, or taken to the operator's editor and
back. Imports are late."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from console.core.records import Refused
from console.engine.first_steps import Said, Written
from console.verbs.failing import Fail

if TYPE_CHECKING:
    from console.wiring import Here

EDITORS = ("nano", "vim", "vi", "emacs", "ed")
"""Tried in this order where neither VISUAL nor EDITOR is set."""
TEXT_LIMIT = 1024 * 1024


# -- a ticket ------------------------------------------------------------------------------------------------


def _raw(title: str, text: str) -> tuple[bytes, dict[str, str]]:
    """A text of nothing is its title: one line is a ticket, too."""
    body = text if text.strip() else title
    return body.rstrip().encode() + b"\n", {"title": title.strip(), "id": ""}


def weigh(here: Here, title: str, text: str) -> Written:
    from console import wiring
    from console.verbs import adding, deciding

    raw, options = _raw(title, text)
    try:
        _, parsed = adding.validated(raw, options, "your ticket")
    except Fail as failed:
        return Written(problems=tuple(failed.reason.splitlines()))
    loaded = wiring.settings_of(here)
    overrides = {} if wiring.distrust(here, loaded) else loaded.settings.decide
    return Written(verdict=deciding.verdict(parsed, overrides))


def add(here: Here, title: str, text: str) -> str:
    from console import wiring
    from console.verbs import adding

    raw, options = _raw(title, text)
    mine = wiring.client(here)
    try:
        made = adding.add(here, mine, raw, options, "your ticket")
    finally:
        mine.close()
    held = f"; it is held: {made.held}" if made.held else ""
    return f"added {made.ticket}: {made.spec.title}{held}"


# -- an editor -----------------------------------------------------------------------------------------------


def compose(here: Here, text: str) -> tuple[tuple[str, ...], str] | Refused:
    import tempfile

    try:
        fd, file = tempfile.mkstemp(prefix="ticket-", suffix=".md", dir=here.places.state)
        with os.fdopen(fd, "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        return Refused(reason=f"no file for your editor can be made in {here.places.state}: {error.strerror}")
    argv = editor(here, file)
    if isinstance(argv, Refused):
        os.unlink(file)
        return argv
    return argv, file


def composed(file: str) -> Said:
    try:
        text = Path(file).read_bytes()[:TEXT_LIMIT].decode("utf-8", "replace")
        os.unlink(file)
    except OSError as error:
        return Refused(reason=f"{file} cannot be read: {error.strerror}")
    return text


def editor(here: Here, file: str) -> tuple[str, ...] | Refused:
    """The operator's editor on a file. No program out of a worktree is taken, and nothing opened that an editor could
    wait for without end."""
    import shlex
    import shutil

    from console import wiring
    from console.adapters.environment import outside_path

    if os.path.exists(file) and not os.path.isfile(file):
        return Refused(reason=f"{file} is no plain file; move it away and put the file there again")
    trees = [tree.path for tree in wiring.git_of(here).worktrees()]
    path = outside_path(here.environ.get("PATH", os.defpath), trees)
    named = here.environ.get("VISUAL") or here.environ.get("EDITOR")
    try:
        wishes = [shlex.split(named)] if named else [[name] for name in EDITORS]
    except ValueError as error:
        return Refused(reason=f"EDITOR is no command: {error}")
    for words in wishes:
        if words and (found := shutil.which(words[0], path=path)):
            return (found, *words[1:], file)
    return Refused(reason=f"no editor was found ({named or ', '.join(EDITORS)}): set EDITOR")
