"""A question of a session's agent, and the answer to it: two small files in its inbox, one question at a time.

The folder is the agent's to write, so the supervisor follows no link in it, reads little, and replaces whatever stands
where an answer goes. The agent's side (`ask`, `wait`) trusts nothing but the name of its own question.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from console.core.records import Refused
from console.core.records_asking import Answer, AskNote

ASK = "ask.json"
SIZE = 32 * 1024
QUESTION, OPTION, OPTIONS = 2000, 200, 9
"""Characters of a question and of one reading, and how many of these there can be."""
LOOK, SLOW = 0.1, 1.0
"""Seconds between looks for an answer: the first ones, and later ones."""
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
IDENT = re.compile(r"[0-9a-f]{16}")


# -- the supervisor's side -------------------------------------------------------------------------------


def read(folder: Path) -> AskNote | None:
    """The question that lies there, cut to what anybody would read; None for none that makes sense."""
    try:
        with _opened(folder) as place:
            raw = _content(place, ASK)
    except OSError:
        return None
    return _note(raw)


def answer(folder: Path, ident: str, said: Answer) -> Refused | None:
    """Put the answer there, whole or not at all; no link is followed, and a folder that is in its way is moved away."""
    draft = f".{secrets.token_hex(8)}"
    try:
        with _opened(folder) as place:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=place)
            try:
                os.write(file, msgspec.json.encode(said))
            finally:
                os.close(file)
            try:
                _put(place, draft, _name(ident))
            except OSError:
                os.unlink(draft, dir_fd=place)
                raise
    except OSError as error:
        return Refused(reason=f"the answer could not be left in {folder}: {error.strerror}")
    return None


def _put(place: int, draft: str, name: str) -> None:
    try:
        os.replace(draft, name, src_dir_fd=place, dst_dir_fd=place)
    except OSError:
        os.rename(name, f".{secrets.token_hex(8)}", src_dir_fd=place, dst_dir_fd=place)
        os.replace(draft, name, src_dir_fd=place, dst_dir_fd=place)


def clear(folder: Path) -> None:
    """What was asked and answered before its agent was started: nobody waits for that any more."""
    with suppress(OSError), _opened(folder) as place:
        for name in os.listdir(place):
            if name == ASK or name.startswith("answer-"):
                with suppress(OSError):
                    os.unlink(name, dir_fd=place)


# -- the agent's side ------------------------------------------------------------------------------------


def ask(folder: Path, question: str, options: tuple[str, ...] = ()) -> AskNote | Refused:
    """Leave a question, or take up the same one that was left before. Raises OSError."""
    wanted = AskNote(
        ident=secrets.token_hex(8), question=question[:QUESTION], options=tuple(o[:OPTION] for o in options[:OPTIONS])
    )
    with _opened(folder) as place:
        before = _note(_content(place, ASK))
        if before and not (_over(said := _answer(place, before.ident)) or (said and not _same(before, wanted))):
            if _same(before, wanted):
                return before
            return Refused(reason=f"one question at a time: {before.question[:100]!r} is not answered yet")
        if before:
            _forget(place, before.ident)
        else:
            with suppress(FileNotFoundError):
                os.unlink(ASK, dir_fd=place)
        file = os.open(ASK, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=place)
        try:
            os.write(file, msgspec.json.encode(wanted))
        finally:
            os.close(file)
    return wanted


def wait(folder: Path, ident: str, seconds: float, leave: Callable[[], bool] = lambda: False) -> Answer | None:
    """The answer, which is then taken away; None after `seconds`, or when `leave` says so: the question stays, and the
    same one asked again goes on waiting. Raises OSError."""
    deadline, pause = time.monotonic() + seconds, LOOK
    with _opened(folder) as place:
        while True:
            if said := _answer(place, ident):
                _forget(place, ident)
                return said
            left = deadline - time.monotonic()
            if left <= 0 or leave():
                return None
            time.sleep(min(pause, left))
            pause = min(SLOW, pause * 1.1)


def _over(said: Answer | None) -> bool:
    """An end that says nothing to who asks again: it becomes a new question."""
    return said is not None and said.status == "closed"


def _same(one: AskNote, other: AskNote) -> bool:
    return (one.question.strip(), one.options) == (other.question.strip(), other.options)


def _forget(place: int, ident: str) -> None:
    for name in (ASK, _name(ident)):
        with suppress(OSError):
            os.unlink(name, dir_fd=place)


# -- both ------------------------------------------------------------------------------------------------


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """The folder itself, and not what a link of its name or its parent's leads to. Raises OSError."""
    parent = os.open(folder.parent, FOLDER)
    try:
        place = os.open(folder.name, FOLDER, dir_fd=parent)
    finally:
        os.close(parent)
    try:
        yield place
    finally:
        os.close(place)


def _name(ident: str) -> str:
    return f"answer-{ident}.json"


def _content(place: int, name: str) -> bytes:
    """The bytes of a small plain file; nothing of anything else that may have been put there."""
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place)
    except OSError:
        return b""
    try:
        raw = os.read(file, SIZE + 1) if stat.S_ISREG(os.fstat(file).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(file)
    return raw if len(raw) <= SIZE else b""


def _note(raw: bytes) -> AskNote | None:
    try:
        note = msgspec.json.decode(raw, type=AskNote) if raw else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if note is None or not IDENT.fullmatch(note.ident) or not note.question.strip():
        return None
    options = tuple(text[:OPTION] for text in note.options[:OPTIONS])
    return AskNote(ident=note.ident, question=note.question[:QUESTION], options=options)


def _answer(place: int, ident: str) -> Answer | None:
    raw = _content(place, _name(ident))
    try:
        return msgspec.json.decode(raw, type=Answer) if raw else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
