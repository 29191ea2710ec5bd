"""The borders of a list in words: its name and counts above; below where one is in it, the other lists, and what there
is to know of it. Pure; clean text, fitted to a number of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from console.present.text import clean, cut, width

BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class Counts:
    """all: rows without those in the archive. shown: those that pass. archived: those in the archive, shown_too: they
    are shown as well. words, waiting, order: what the list is filtered and ordered by, "" or False for nothing."""

    all: int
    shown: int
    archived: int = 0
    shown_too: bool = False
    words: str = ""
    waiting: bool = False
    order: str = ""


def count(c: Counts) -> str:
    """`6`, `3 of 40 · /fix`, `2 of 12 · waiting`, `12 (+30 archived)`, `42, 30 archived`."""
    parts = ["waiting"] if c.waiting else []
    parts += [f"/{clean(c.words, limit=20)}"] if c.words else []
    whole = c.all + (c.archived if c.shown_too else 0)
    said = BETWEEN.join([f"{c.shown} of {whole}", *parts]) if parts else str(whole)
    if c.archived and not c.shown_too:
        said += f" (+{c.archived} archived)"
    elif c.archived:
        said += f", {c.archived} archived"
    return said


def upper(number: int, name: str, c: Counts, more: str = "", *, counted: bool = True) -> str:
    """`1 Needs you (5)`, `2 Sessions 12 (+30 archived)`. counted: False where `more` says how many, and nothing is
    left out."""
    said = count(c)
    plain = not counted and more and said == str(c.all)
    shown = "" if plain else f" {said}" if "(" in said else f" ({said})"
    order = f"{BETWEEN}{c.order}" if c.order else ""
    return f"{number} {name}{shown}{order}{more}"


def others(names: Sequence[tuple[int, str, str]]) -> Sequence[str]:
    """The lists that are not seen, in full and shorter and shorter: `2 Sessions 6  5 Log`, `2 Sess 6  5 Log`,
    `2:6 5:Log`, `25`. names: number, name and count ("" for none) of each."""
    return (
        "  ".join(f"{number} {name} {count}".rstrip() for number, name, count in names),
        "  ".join(f"{number} {name[:4]} {count}".rstrip() for number, name, count in names),
        " ".join(f"{number}:{count}" if count else f"{number}:{name[:3]}" for number, name, count in names),
        "".join(str(number) for number, _, _ in names),
    )


def lower(
    place: tuple[int, int] | None, parts: Sequence[str], elsewhere: Sequence[tuple[int, str, str]], cells: int
) -> str:
    """`newest 2m: ... · 2 Sessions 6  3 Policies 3 · 3 of 31`: the place always, the other lists at least in short;
    then the parts, the first the most important, shorter where they do not fit."""
    where = f"{place[0] or '-'} of {place[1]}" if place and place[1] else ""
    forms = others(elsewhere) if elsewhere else ("",)
    room = cells - _cost(where)
    strip = next((form for form in forms[-2:] if width(form) <= room), "")
    shown = [where] if where else []
    said: list[str] = []
    for part in parts:
        left = room - _cost(strip) - sum(_cost(each) for each in said)
        said += [found] if (found := _shortened(part, left)) else []
    left = room - sum(_cost(each) for each in said)
    strip = next((form for form in forms if width(form) <= left), "")
    return BETWEEN.join([*said, *([strip] if strip else []), *shown])


def _cost(part: str) -> int:
    """Cells of a part and what stands between it and the next."""
    return width(part) + len(BETWEEN) if part else 0


def _shortened(part: str, cells: int) -> str:
    """Counts lose the last ones, a sentence behind a colon its end; "" for what does not fit at all."""
    if width(part) <= cells:
        return part
    counts = part.split("  ")
    while len(counts) > 1:
        counts.pop()
        if width("  ".join(counts)) <= cells:
            return "  ".join(counts)
    head = part.partition(": ")[0]
    return cut(part, cells) if head != part and width(head) + 8 <= cells else ""
