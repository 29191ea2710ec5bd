"""Many live sessions whose state changes all the time: what a held key waits for, what goes over the wire, and how late
the picture is for somebody whose line takes 2 kB a second. Beside the naive table in the same run."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pyte
from rawterm import _PRIVATE

from bench import crowds
from bench.ground import USUAL, Ground, locked
from bench.idling import fed, files_of
from bench.measure import Figure, Sample, interleaved
from bench.wire import Wire, cpu_seconds
from console.adapters.agents.transcripts import Transcript

EVERY = 0.2
"""Seconds between two updates of a session."""
HELD = 30.0
"""A held key's repeats, a second."""
SLOW = 2000
"""Bytes a second of a bad line."""
GIVEN_UP = 60.0
"""Seconds after which nobody waits for a picture any more: the least that its lateness is."""
LAST = "last9"
_SESSION = re.compile(r"\bs-(\d+)\b")


@dataclass(frozen=True, slots=True)
class App:
    """One of the two that are compared. opening: keys that bring it to its sessions. prefix: columns in which the
    selected session is named."""

    name: str
    argv: Sequence[str]
    opening: str
    prefix: int


def _apps(ground: Ground, count: int, every: float) -> tuple[App, App]:
    here = crowds.crowd(ground, count)
    naive = ground.python("naive_table.py", f"every={every}", *files_of(here))
    return (
        App(f"console, {count} live", ground.nightdesk(here), "2", 50),
        App(f"DataTable, {count} live", naive, "", USUAL[0]),
    )


@contextmanager
def _busy(ground: Ground, count: int, every: float, *, told: bool) -> Iterator[None]:
    """Every session's transcript grows; told: each update is an event in the log, too."""
    here = crowds.crowd(ground, count)
    log = [f"log={here.root}"] if told else []
    with locked(here), fed(ground, [f"every={every}", *log, *files_of(here)]):
        yield


# -- a held key ------------------------------------------------------------------------------------------


def held_key(ground: Ground) -> list[Figure]:
    """`j`, then `k`, 30 times a second, while every session changes five times a second."""
    found: list[Figure] = []
    for count in ground.scale.crowd[-1:]:
        ours, naive = _apps(ground, count, EVERY)
        with _busy(ground, count, EVERY, told=False):
            plain = _pressed(ground, ours, count), _pressed(ground, naive, count)
        with _busy(ground, count, EVERY, told=True):
            told = _pressed(ground, ours, count)
        found += _compared(f"held j, {count} sessions at {1 / EVERY:.0f}/s", plain[0], plain[1])
        found += _compared("same, each update an event", told, plain[1])
    return found


def _compared(what: str, mine: tuple[list[float], Sample], other: tuple[list[float], Sample]) -> list[Figure]:
    naive = "DataTable"
    late = [Figure(f"{what}: key to paint", "ms", tuple(mine[0]), naive, tuple(other[0]))]
    return late + [Figure(f"{what}", unit, (mine[1][unit],), naive, (other[1][unit],)) for unit in mine[1]]


def _pressed(ground: Ground, app: App, count: int) -> tuple[list[float], Sample]:
    """(ms from each key to the picture that shows it, what it cost meanwhile)"""
    with Wire(app.argv, ground.environ) as wire:
        wire.wait_until(lambda: len(wire.raw()) > 2000, 30.0, "a first paint")
        time.sleep(ground.scale.settle + 0.3)
        if app.opening:
            wire.press(app.opening)
            time.sleep(0.3)
        process = wire.main()
        before, began = (cpu_seconds(process), len(wire.raw())), time.monotonic()
        keys = _hold(wire, min(ground.scale.presses // 2, count - 2))
        time.sleep(min(1.0, ground.scale.seconds))
        took, after = time.monotonic() - began, (cpu_seconds(process), len(wire.raw()))
        sample = {"B/s": (after[1] - before[1]) / took, "% CPU": 100 * (after[0] - before[0]) / took}
        pieces = wire.pieces()
        wire.leave()
    return _lateness(keys, list(_selected(pieces, app.prefix)), began), sample


def _hold(wire: Wire, each: int) -> list[tuple[float, int, int]]:
    """(when, rows below the first that it leads to, direction) of each key, down and up again."""
    keys: list[tuple[float, int, int]] = []
    due = time.monotonic()
    for key, step in (("j", 1), ("k", -1)):
        for _ in range(each):
            time.sleep(max(0.0, due - time.monotonic()))
            due += 1 / HELD
            at = keys[-1][1] + step if keys else 1
            keys.append((time.monotonic(), at, step))
            wire.send(key)
    return keys


def _selected(pieces: Sequence[tuple[float, bytes]], prefix: int) -> Iterator[tuple[float, int]]:
    """(when, which session is selected) after each piece that drew one, by drawing all of it again."""
    screen = pyte.Screen(*USUAL)
    stream = pyte.ByteStream(screen)
    for at, piece in pieces:
        stream.feed(_PRIVATE.sub(b"", piece))
        if (number := _number(screen, prefix)) is not None:
            yield at, number


def _number(screen: pyte.Screen, prefix: int) -> int | None:
    """Of the session in the marked row of the left part, or (the naive table) in the cell of another ground."""
    grounds: dict[str, list[int]] = {}
    for row in range(screen.lines):
        cells = screen.buffer[row]
        text = "".join(cells[column].data for column in range(prefix))
        found = _SESSION.search(text)
        if found and "\u203a" in text:
            return int(found[1])
        if found:
            grounds.setdefault(cells[found.start()].bg, []).append(int(found[1]))
    alone = [rows[0] for rows in grounds.values() if len(rows) == 1]
    return alone[0] if len(alone) == 1 and len(grounds) == 2 else None


def _lateness(keys: Sequence[tuple[float, int, int]], seen: Sequence[tuple[float, int]], began: float) -> list[float]:
    """ms from each key to the first picture that is as far; one that never came counts until the last picture."""
    first = [number for at, number in seen if at < began][-1]
    found = []
    for pressed, rows, step in keys:
        shown = (at for at, number in seen if at >= pressed and (number - first - rows) * step >= 0)
        found.append(1000 * (next(shown, seen[-1][0]) - pressed))
    return found


# -- nobody touches it -----------------------------------------------------------------------------------


def untouched(ground: Ground) -> list[Figure]:
    """Live sessions that change five times a second; nobody presses a key."""
    found = []
    for count in ground.scale.crowd:
        apps = _apps(ground, count, EVERY)
        with _busy(ground, count, EVERY, told=False):
            samples = interleaved(1, {app.name: partial(_watched, ground, app) for app in apps}, 0)
        mine, other = (samples[app.name][0] for app in apps)
        found += [
            Figure(
                f"untouched, {count} sessions at {1 / EVERY:.0f}/s", unit, (mine[unit],), "DataTable", (other[unit],)
            )
            for unit in mine
        ]
    return found


def _watched(ground: Ground, app: App) -> Sample:
    with Wire(app.argv, ground.environ) as wire:
        wire.wait_until(lambda: len(wire.raw()) > 2000, 30.0, "a first paint")
        time.sleep(ground.scale.settle)
        process = wire.main()
        before, began = (cpu_seconds(process), len(wire.raw())), time.monotonic()
        time.sleep(ground.scale.seconds / 2)
        took = time.monotonic() - began
        sample = {
            "B/s": (len(wire.raw()) - before[1]) / took,
            "% CPU": 100 * (cpu_seconds(process) - before[0]) / took,
        }
        wire.leave()
        return sample


# -- a slow line -----------------------------------------------------------------------------------------


def slow_reader(ground: Ground) -> list[Figure]:
    """How long after the last change its picture is there, on a line of 2 kB a second that was behind for a while; then
    the line takes everything, and the picture must be right."""
    count = ground.scale.crowd[-1]
    results: Mapping[str, Sample] = {app.name: _slowly(ground, app, count) for app in _apps(ground, count, EVERY)}
    mine, other = results.values()
    what = f"line of {SLOW / 1000:g} kB/s, {count} sessions at {1 / EVERY:.0f}/s"
    return [Figure(f"{what}: {unit}", "s", (mine[unit],), "DataTable", (other[unit],)) for unit in mine]


def _slowly(ground: Ground, app: App, count: int) -> Sample:
    with Wire(app.argv, ground.environ) as wire:
        with _busy(ground, count, EVERY, told=False):
            wire.wait_until(lambda: len(wire.raw()) > 2000, 30.0, "a first paint")
            time.sleep(ground.scale.settle + 0.3)
            wire.rate = SLOW
            time.sleep(ground.scale.seconds / 2)
        for file in files_of(crowds.crowd(ground, count)):
            Transcript(file).append("tool", tool=LAST, status="in_progress", id="last")
        said = time.monotonic()
        late = _late(wire, said)
        wire.rate = 0
        if app.opening:  # the naive table draws all the time and is never settled
            assert late < GIVEN_UP
            wire.settle()
            _right(ground, app, wire)
            wire.leave()
        return {"last picture": late}


def _late(wire: Wire, said: float) -> float:
    """Seconds until the last word is there, GIVEN_UP when it was not by then."""
    try:
        return wire.arrival(LAST.encode(), GIVEN_UP) - said
    except AssertionError:
        return GIVEN_UP


def _right(ground: Ground, app: App, wire: Wire) -> None:
    """What is left on the slow line's screen is what a new one shows, but for ages, clock and holder in the header."""
    with Wire(app.argv, ground.environ) as fresh:
        fresh.arrival(LAST.encode(), 60.0)
        fresh.settle()
        mine, other = (_timeless(each.lines()[1:]) for each in (wire, fresh))
        assert mine == other, "\n".join(f"{a}\n{b}" for a, b in zip(mine, other, strict=True) if a != b)
        fresh.leave()


def _timeless(lines: Sequence[str]) -> list[str]:
    return [re.sub(r"\d+:\d\d|\d+[smhd]\b|\s+", " ", line).strip() for line in lines]
