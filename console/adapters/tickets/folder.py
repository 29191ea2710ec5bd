"""The tickets folder compared with what is known of it. Reads what has changed, keeps its bytes, and judges who is who
over all files. Decides nothing about the queue."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from console.adapters.tickets import relations
from console.adapters.tickets.ids import sameness
from console.adapters.tickets.parsing import parse, problem
from console.adapters.tickets.reading import Entry, is_ticket_name, read_entry, stamp
from console.adapters.tickets.texts import Texts
from console.core.events import TicketSeen
from console.core.records import Refused, TextVerdict
from console.engine.ports import FolderLook

Judge = Callable[[str, str, str], TextVerdict]
"""(title, body, hint) -> what the text says about who must decide."""

INDEX = "index.json"
LAYOUT = 1
"""Of the index, and of the rules by which its entries were read. Another one is read anew from the files."""
TICK = 0.02
"""Seconds within which two writes may leave one and the same time stamp (the kernel's clock tick, generously)."""
MOST_PROBLEMS = 200
MANY, AT_ONCE = 16, 16
"""Files from which on they are read and kept side by side, and how many of them."""


class Index(msgspec.Struct, frozen=True):
    layout: int
    entries: list[Entry]


class TicketFolder:
    """`folder`: where it really is now, which need not exist; a link that leads elsewhere later is not followed.
    `store`: a folder of our own in the state folder.

    What was read is remembered by name and stamp, in this object and in the store, so that a fresh process reads no
    file that has not changed. One look at a time.
    """

    def __init__(self, folder: Path, store: Path, judge: Judge | None = None) -> None:
        self.folder = Path(os.path.realpath(folder))
        self._texts = Texts(store)
        self._judge = judge
        self._entries: dict[str, Entry] | None = None

    def look(self, known: Mapping[str, str]) -> FolderLook:
        """Only direct `*.md` files count; a README.md only with front matter. A known ticket is gone when its file is
        not there or is no ticket any more; when that cannot be told, it is not."""
        try:
            fd = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return FolderLook(gone=tuple(sorted(known)))
        except OSError as error:
            said = f"cannot be opened as a folder: {error.strerror}; put the folder of the tickets there"
            return FolderLook(problems=(problem(str(self.folder), 1, said),))
        before = self._remembered() if self._entries is None else self._entries
        try:
            if _place(fd, self.folder) != str(self.folder):
                said = "is a link to another place now; put the folder of the tickets there"
                return FolderLook(problems=(problem(str(self.folder), 1, said),))
            entries, bodies = self._entries_now(fd, before)
        except OSError as error:
            said = f"cannot be read: {error.strerror}; look at the rights of the folder"
            return FolderLook(problems=(problem(str(self.folder), 1, said),))
        finally:
            os.close(fd)
        holders = frozenset(file for file, e in entries.items() if _holds(e, before.get(file), known))
        return self._compared(entries, bodies, known, holders)

    def text(self, digest: str) -> str | Refused:
        raw = self._texts.raw(digest)
        if isinstance(raw, Refused):
            return raw
        parsed = parse(raw, f"{digest}.md")
        return parsed.body if not isinstance(parsed, list) else Refused(reason=parsed[0])

    # -- reading -----------------------------------------------------------------------------------------

    def _entries_now(self, fd: int, before: Mapping[str, Entry]) -> tuple[dict[str, Entry], dict[str, str]]:
        """Every file that there is, by name, and the bodies of those that were read just now."""
        stats = _listed(fd)
        changed = [name for name, seen in stats.items() if name not in before or before[name].stamp != stamp(seen)]
        _settle(max((stats[name].st_ctime for name in changed), default=0.0))
        entries = {name: before[name] for name in stats.keys() - set(changed)}
        bodies: dict[str, str] = {}
        read = _each(lambda name: read_entry(fd, name, stats[name], self._texts), changed)
        for name, (entry, body) in zip(changed, read, strict=True):
            known = before[name].ticket if entry.trouble and name in before else ""
            entries[name] = msgspec.structs.replace(entry, ticket=known) if known else entry
            bodies[name] = body
        self._entries = {name: entry for name, entry in entries.items() if not entry.trouble}
        if changed or stats.keys() != before.keys():
            self._remember()
        return dict(sorted(entries.items())), bodies

    def _remembered(self) -> dict[str, Entry]:
        """What an earlier process read, as far as the texts are still there."""
        try:
            index = msgspec.json.decode((self._texts.folder / INDEX).read_bytes(), type=Index)
            kept = set(os.listdir(self._texts.folder))
        except (OSError, msgspec.DecodeError):
            return {}
        if index.layout != LAYOUT:
            return {}
        return {e.file: e for e in index.entries if not e.spec or f"{e.digest}.md" in kept}

    def _remember(self) -> None:
        """Not being able to costs the next process some reading and nothing else."""
        sayable = [entry for entry in (self._entries or {}).values() if _is_text(entry.file)]
        with contextlib.suppress(OSError):
            self._texts.write(self._texts.folder / INDEX, msgspec.json.encode(Index(LAYOUT, sayable)))
            self._texts.settle()

    # -- comparing ---------------------------------------------------------------------------------------

    def _compared(
        self,
        entries: Mapping[str, Entry],
        bodies: Mapping[str, str],
        known: Mapping[str, str],
        holders: frozenset[str],
    ) -> FolderLook:
        nodes, taken = relations.one_each((_node(entry) for entry in entries.values() if entry.spec), holders)
        broken = {sameness(e.ticket): e.file for e in entries.values() if e.problems}
        circular, circles = relations.circles(nodes)
        problems = [text for entry in entries.values() for text in entry.problems]
        problems += [*taken, *circles, *relations.unknown(nodes, broken)]
        seen: list[TicketSeen] = []
        good = {node.file for node in nodes.values() if node.ticket not in circular}
        for entry in entries.values():
            if entry.file in good and known.get(entry.ticket) != entry.stamp:
                found = self._seen(entry, bodies.get(entry.file))
                problems += [found] if isinstance(found, str) else []
                seen += [found] if isinstance(found, TicketSeen) else []
        there = {entries[file].ticket for file in good} | {e.ticket for e in entries.values() if e.trouble}
        return FolderLook(seen=tuple(seen), gone=tuple(sorted(set(known) - there)), problems=_capped(problems))

    def _seen(self, entry: Entry, body: str | None) -> TicketSeen | str:
        assert entry.spec
        text = self.text(entry.digest) if body is None else body
        if isinstance(text, Refused):
            assert self._entries is not None
            self._entries.pop(entry.file, None)  # read again at the next look
            return problem(entry.file, 1, text.reason)
        return TicketSeen(
            ticket=entry.ticket,
            file=entry.file,
            digest=entry.digest,
            stamp=entry.stamp,
            spec=entry.spec,
            verdict=self._judged(entry.spec.title, text, entry.spec.blast_radius),
        )

    def _judged(self, title: str, body: str, hint: str) -> TextVerdict:
        if self._judge is None:
            from console.core.deciding import judge

            self._judge = judge
        return self._judge(title, body, hint)


def _place(fd: int, folder: Path) -> str:
    """Where an open folder is: nothing on the way to it may have become a link since it was named."""
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return os.path.realpath(folder)


def _holds(entry: Entry, before: Entry | None, known: Mapping[str, str]) -> bool:
    """Whether this file is the one that the known ticket of its id was seen in, also when it has changed since."""
    if not entry.spec or entry.ticket not in known:
        return False
    held = known[entry.ticket]
    return entry.stamp == held or bool(before and before.ticket == entry.ticket and before.stamp == held)


def _each(read: Callable[[str], tuple[Entry, str]], names: Sequence[str]) -> Iterable[tuple[Entry, str]]:
    """Each text is on the disk before the next step, so a folder of thousands waits for as many flushes: side by side
    they share the disk's."""
    if len(names) < MANY:
        return map(read, names)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(read, names))


def _listed(fd: int) -> dict[str, os.stat_result]:
    """Candidates by name, in order. One that vanishes meanwhile was not there."""
    found: dict[str, os.stat_result] = {}
    with os.scandir(fd) as listing:
        for entry in listing:
            if is_ticket_name(entry.name):
                with contextlib.suppress(FileNotFoundError):
                    found[entry.name] = entry.stat(follow_symlinks=False)
    return dict(sorted(found.items()))


def _settle(youngest: float) -> None:
    """A file that is read within the clock tick of its last write could be written again under the same stamp."""
    wait = youngest + TICK - time.time()
    if 0 < wait <= TICK:
        time.sleep(wait)


def _node(entry: Entry) -> relations.Node:
    assert entry.spec
    needs = entry.spec.depends_on
    return relations.Node(
        ticket=entry.ticket, file=entry.file, needs=needs, id_line=entry.id_line, needs_line=entry.needs_line
    )


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _capped(problems: list[str]) -> tuple[str, ...]:
    told = list(dict.fromkeys(problems))
    rest = len(told) - MOST_PROBLEMS
    return tuple(told if rest <= 0 else [*told[:MOST_PROBLEMS], f"and {rest} more like these"])
