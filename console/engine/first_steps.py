"""What a screen may do for a newcomer, as a record of functions: the wiring fills it, tests fill it with less.

Each blocks, so it is called beside the screen's loop. What is written is said before (an offer) and named afterwards (a
sentence); an expected failure is a `Refused`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from console.core.first_steps import Look
from console.core.records import Record, Refused, TextVerdict

Said = str | Refused


class Listing(Record, frozen=True, kw_only=True):
    """What a first commit would hold. files: paths, sorted. left: path and why it is left out. staged: files are what
    somebody has put into the index already, and nothing else. size: bytes of all files. large: path and bytes of those
    that are much for a file of a project's."""

    files: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    staged: bool = False
    size: int = 0
    large: tuple[tuple[str, int], ...] = ()


class Draft(Record, frozen=True, kw_only=True):
    """Settings that are not written yet. gate: in words, "" for none. guesses: every gate that the project's files
    speak for, and the file. files: names below the root and their texts, of those that would be written. kept: those
    that are there already. trouble: why this gate could not start here, "" when it could."""

    gate: str = ""
    guesses: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    trouble: str = ""


class Candidate(Record, frozen=True, kw_only=True):
    """An agent that can be chosen. path: "" when it is not installed; install: how to get it; login: how to sign in.
    tried: the release that its preset was tried with, "" for none. levels: of autonomy, each with what it may then do,
    the least first; usual: the one of the preset. may: what it may do where it has no levels. own: the settings define
    or change it; command: what starts it then."""

    name: str
    title: str
    path: str = ""
    install: str = ""
    login: str = ""
    tried: str = ""
    levels: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    may: str = ""
    own: bool = False
    command: str = ""


class Change(Record, frozen=True, kw_only=True):
    """One change of the settings' text, to be seen before it is written. before, after: the whole text."""

    before: str
    after: str
    source: str


class Shown(Record, frozen=True, kw_only=True):
    """The settings as they would be trusted. text: all of the file. digest: SHA-256 over what it says. sha256: of the
    file, as `sha256sum` says it."""

    source: str
    text: str
    digest: str
    sha256: str = ""


class Tried(Record, frozen=True, kw_only=True):
    """A gate that was run once. verdict: as of a gate. words: how it ended. where: in which files."""

    argv: tuple[str, ...]
    verdict: str
    words: str
    where: str
    output: str = ""


class Written(Record, frozen=True, kw_only=True):
    """A ticket that is not in the queue yet. problems: why it could not be, else the verdict of its text."""

    problems: tuple[str, ...] = ()
    verdict: TextVerdict | None = None


NOT_YET = Refused(reason="there is no repository with a first commit yet: that comes first")


def _nothing() -> Refused:
    return NOT_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSteps:
    """look: what there is now. branch: of a repository that would be made. make: it. listing, commit: of the first
    commit, exactly what was listed. identify(name, email): for this repository only. draft(gate): settings with this
    gate, "" for the best guess; settle: writes that draft, and nothing that is there already. candidates: agents, those
    installed first. change(path, value, ...): of the settings' text; write: it, unless the text is another one by now.
    shown: what would be trusted; trust(digest): exactly that. attempt(gate, stop): runs a gate (words; "" for the
    settings') once, as tickets see the project. weigh(title, text): what a run would decide. add(title, text): a ticket
    of its own file. editor: its argv, on the settings' file. compose(text): its argv on a file that holds this text,
    and the file; composed(file): the text that came of it, which is gone from the disk then."""

    look: Callable[[], Look]
    branch: Callable[[], str] = lambda: "main"
    make: Callable[[], Said] = _nothing
    identify: Callable[[str, str], Said] = lambda _name, _email: NOT_YET
    listing: Callable[[], Listing | Refused] = _nothing
    commit: Callable[[Listing], Said] = lambda _listing: NOT_YET
    draft: Callable[[str], Draft | Refused] = lambda _gate: NOT_YET
    settle: Callable[[Draft], Said] = lambda _draft: NOT_YET
    candidates: Callable[[], tuple[Candidate, ...]] = tuple
    change: Callable[[tuple[tuple[tuple[str, ...], object], ...]], Change | Refused] = lambda _changes: NOT_YET
    write: Callable[[Change], Said] = lambda _change: NOT_YET
    shown: Callable[[], Shown | Refused] = _nothing
    trust: Callable[[str], Said] = lambda _digest: NOT_YET
    attempt: Callable[[str, threading.Event], Tried | Refused] = lambda _gate, _stop: NOT_YET
    weigh: Callable[[str, str], Written] = lambda _title, _text: Written(problems=(NOT_YET.reason,))
    add: Callable[[str, str], Said] = lambda _title, _text: NOT_YET
    editor: Callable[[], tuple[str, ...] | Refused] = _nothing
    compose: Callable[[str], tuple[tuple[str, ...], str] | Refused] = lambda _text: NOT_YET
    composed: Callable[[str], Said] = lambda _file: NOT_YET
