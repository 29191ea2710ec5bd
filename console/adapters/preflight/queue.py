"""What the run would work on: the gates that judge it, and the tickets that are there."""

from __future__ import annotations

import os
from collections.abc import Iterator

from console.adapters.preflight.facts import Facts, Waiting, no_go, ok, some, warning
from console.core.records import Check, Refused
from console.core.swallowing import swallowed
from console.core.tickets import of_chain


def gate(f: Facts) -> Iterator[Check]:
    if f.loaded.problems:
        return
    if not f.settings.gate:
        yield warning("gate", "there is none: green means only that the turn ended", f"set `gate:` ({f.where('gate')})")
    elif (name := f.settings.gate[0]) not in f.settings.allowed:
        cure = f"add it to allowed_commands ({f.where('allowed_commands', 'gate')}), then `nightdesk trust`"
        yield no_go("gate", f"{name!r} is not on the list of allowed commands", cure)
    elif isinstance(found := f.command(name), Refused):
        yield no_go("gate", found.reason, f"install it, or set another gate ({f.where('gate')})")
    else:
        yield ok("gate", f"{' '.join(f.settings.gate)} ({found})")
    if hidden := swallowed(f.settings.gate):
        cure = 'write bash -o pipefail -c "...", and nothing behind it that always succeeds'
        yield warning("gate", f"its green would say little: {hidden}; no ticket would be plain DONE", cure)


def ticket_gates(f: Facts) -> Iterator[Check]:
    """A ticket's own gate that cannot run blocks that ticket, not the run."""
    refused, missing, nowhere = [], [], []
    for one in f.queue.waiting:
        if not (own := one.spec.gate):
            continue
        if own.argv[0] not in f.settings.allowed:
            refused.append(f"{one.ticket} ({own.argv[0]})")
        elif isinstance(f.command(own.argv[0]), Refused):
            missing.append(f"{one.ticket} ({own.argv[0]})")
        if os.path.normpath(own.cwd) != "." and not f.is_folder(own.cwd):
            nowhere.append(f"{one.ticket} ({own.cwd})")
    at = f.where("allowed_commands")
    if refused:
        yield warning("gate", f"not on the list of allowed commands: {some(refused)}", f"add them to it ({at})")
    if missing:
        yield warning("gate", f"gates of tickets that are not on the PATH: {some(missing)}", "install them")
    if nowhere:
        yield warning("gate", f"gates of tickets in folders that are not there: {some(nowhere)}", "correct the tickets")


def tickets(f: Facts) -> Iterator[Check]:
    if f.queue.trouble:
        yield no_go("tickets", f.queue.trouble)
        return
    held = [one for one in f.queue.waiting if one.held]
    chained = [one for one in f.queue.waiting if of_chain(one.ticket)]
    ready = len(f.queue.waiting) - len(held) - len(chained)
    taken = bool(chained) and not f.pull
    text = f"{ready} to work on, {len(held)} held, {len(f.queue.problems)} with problems"
    if taken:
        text += f"; of finished work: {some([one.ticket for one in chained])}"
    if f.queue.stopped:
        text += f"; {len(f.queue.stopped)} that you stopped, which `nightdesk ticket requeue` would queue again"
    under_way = f.queue.at_work if f.run else ()
    if under_way:
        text = f"the open run is at {some(under_way)}; {text}"
    if ready or under_way or taken:
        yield ok("tickets", text)
    else:
        cure = f"put Markdown files into {f.settings.tickets}/, or `nightdesk ticket add FILE`"
        yield warning("tickets", f"{text}: a run would end at once", "" if f.queue.waiting else cure)
    if held:
        yield _held(held)
    if f.queue.problems:
        yield warning("tickets", f"not read: {some(f.queue.problems, 3)}", "correct them; the others still run")


def _held(held: list[Waiting]) -> Check:
    names = [one.ticket for one in held]
    return warning("tickets", f"held until you have looked: {some(names)}", "`nightdesk ticket list` shows why")
