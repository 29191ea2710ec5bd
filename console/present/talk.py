"""A transcript as lines for a pane of so many cells: turns under rules, text as paragraphs, one line a tool call. Pure;
every line is clean. It decides nothing and shows no age: what moves by itself is in the pane's head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from console.present.ages import clock
from console.present.folding import folded
from console.present.glyphs import Tone, sign
from console.present.keytable import key
from console.present.pieces import Piece, call_name, number_of, output_of, steps_of, text_of
from console.present.text import clean, cut, width

Look = Tone | str
"""A tone, or `strong` for what a person said."""

PROMPT_LINES, OUTPUT_LINES, TEXT_LINES = 6, 60, 2000
"""Of a prompt unless all is wanted, of a tool's output when all is wanted, and of one text in any case."""
THEIRS = "┆ "
"""In front of every line of an agent's own words: none of what the console says begins so, so that nobody's words pass
for a turn, a prompt, a tool call or an answer."""
HIDDEN = frozenset({"usage", "beat", "update", "event"})
"""Kinds that only a person who wants everything sees."""
SHORT = 600
"""Characters of what stands in one line."""


class Line(NamedTuple):
    """key: the piece it is of and the place in that, so that a place in the text survives more text above it."""

    text: str
    look: Look
    key: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who or what made a prompt. policy, ticket, user: as far as they are known."""

    cause: str
    policy: str = ""
    ticket: str = ""
    user: str = ""


def lines(
    pieces: Sequence[Piece], cells: int, origins: Mapping[int, Origin] | None = None, *, whole: bool = False
) -> list[Line]:
    """origins: of the prompt of each turn, as far as it is known. whole: outputs and prompts in full, and kinds that
    are noise to most."""
    page = _page(pieces, max(12, cells), origins or {}, whole)
    shown: list[Line] = []
    for piece in pieces:
        if piece.kind in HIDDEN and not whole:
            continue
        told = list(_told(piece, page))
        if piece.kind == "turn-start" and shown:
            told.insert(0, ("", "plain"))
        shown += [Line(text, look, (piece.key, place)) for place, (text, look) in enumerate(told)]
    return shown


Said = tuple[str, Look]


@dataclass(frozen=True, slots=True)
class _Page:
    """What a piece needs to know of the others. ends: of turns; answers: question -> answer; asked: question -> the
    names of its options; last: the key of the last piece; over: of the last that ended a turn or the processes."""

    cells: int
    origins: Mapping[int, Origin]
    whole: bool
    ends: Mapping[int, Piece]
    answers: frozenset[str]
    asked: Mapping[str, Mapping[str, str]]
    last: int
    over: int


def _page(pieces: Sequence[Piece], cells: int, origins: Mapping[int, Origin], whole: bool) -> _Page:
    return _Page(
        cells,
        origins,
        whole,
        ends={_turn(p): p for p in pieces if p.kind == "turn-end"},
        answers=frozenset(_question(p) for p in pieces if p.kind == "answer"),
        asked={_question(p): _options(p) for p in pieces if p.kind == "ask"},
        last=next((p.key for p in reversed(pieces) if p.kind not in HIDDEN), -1),
        over=next((p.key for p in reversed(pieces) if p.kind in ("turn-end", "ended")), -1),
    )


def _question(p: Piece) -> str:
    return text_of(p.fields.get("question"))


def _options(p: Piece) -> dict[str, str]:
    """Option id -> its name, from one "id: name" a line."""
    pairs = (line.partition(": ") for line in text_of(p.fields.get("options")).split("\n"))
    return {ident: name for ident, _, name in pairs if name}


def _turn(piece: Piece) -> int:
    return int(number_of(piece.fields.get("turn")) or 0)


def _told(p: Piece, page: _Page) -> list[Said]:
    cells, whole = page.cells, page.whole
    match p.kind:
        case "turn-start":
            return _turn_start(p, cells, page.origins.get(_turn(p)), page.ends.get(_turn(p)), whole)
        case "turn-end":
            return _turn_end(p, cells)
        case "text" | "line":
            return _paragraphs(p.text, cells, "plain", THEIRS)
        case "thought":
            return _paragraphs(p.text, cells, "quiet", "~ ")
        case "user":
            return _paragraphs(p.text, cells, "quiet", f"{THEIRS}> ")
        case "tool":
            return _tool(p, cells, whole)
        case "plan":
            return _plan(p, cells, whole, over=p.key < page.over)
        case "ask":
            return _ask(p, cells, whole, "plain" if _question(p) in page.answers else "needs")
        case "answer":
            option = text_of(p.fields.get("option"))
            said = page.asked.get(_question(p), {}).get(option, option) or "withdrawn"
            return [(cut(f"> answered: {clean(said, limit=100)}", cells), "strong")]
        case "retry":
            return [(_retry(p, cells), "needs" if p.key == page.last else "quiet")]
        case _:
            return _event(p, cells)


def _paragraphs(text: str, cells: int, look: Look, before: str) -> list[Said]:
    """Folded; of blank lines in a row one is left."""
    out: list[Said] = []
    for raw in text.strip("\n").split("\n")[:TEXT_LINES]:
        if not raw.strip() and (not out or not out[-1][0].removeprefix(before).strip()):
            continue
        out += [(f"{before}{line}", look) for line in folded(raw, cells - len(before), "", sgr="strip")]
    while out and not out[-1][0].removeprefix(before).strip():
        out.pop()
    return out


# -- turns -------------------------------------------------------------------------------------------------


def _turn_start(p: Piece, cells: int, origin: Origin | None, end: Piece | None, whole: bool) -> list[Said]:
    took = f" · {_took(end.at - p.at)}" if end else ""
    rule = f"── turn {_turn(p)} · {clock(p.at)}{took} "
    said = [raw for raw in p.text.strip("\n").split("\n") if whole or raw.strip()]
    asked = [line for raw in said for line in folded(raw, cells - 2, "", sgr="strip")]
    shown = asked if whole else asked[:PROMPT_LINES]
    rest = len(asked) - len(shown)
    more = [(cut(f"  … {rest} more lines: {key('whole')} shows all", cells), "quiet")] if rest else []
    return [
        (rule + "─" * max(0, cells - width(rule)), "quiet"),
        (cut(f"> {_from(origin)}", cells), "strong"),
        *((f"  {line}", "plain") for line in shown),
        *more,
    ]


def _from(origin: Origin | None) -> str:
    """Who says it."""
    if origin is None:
        return "prompt:"
    match origin.cause:
        case "nudge":
            return f"nudge{f' of {clean(origin.policy, limit=60)}' if origin.policy else ''}, its gate said no:"
        case "ticket":
            return f"ticket{f' {clean(origin.ticket, limit=60)}' if origin.ticket else ''}:"
        case "restart":
            return "begun again after a restart:"
        case "resume":
            return "begun again after its supervisor ended:"
        case _:
            return f"{clean(origin.user, limit=60) or 'operator'} prompts:"


def _turn_end(p: Piece, cells: int) -> list[Said]:
    """Only what went wrong; the rule above the turn has its duration."""
    if p.fields.get("ok"):
        return []
    stop, why = clean(text_of(p.fields.get("stop")), limit=100), clean(p.text, limit=SHORT)
    look: Look = "quiet" if stop in ("cancelled", "stopped") else "broke"
    said = f"{sign('failed').glyph} turn {_turn(p)} ended: {stop or 'not well'}{f': {why}' if why else ''}"
    return [(line, look) for line in folded(said, cells, "  ")]


# -- tools, plans, questions -------------------------------------------------------------------------------

_STATES: dict[str, tuple[str, Look]] = {
    "open": ("●", "go"),
    "done": ("✓", "quiet"),
    "failed": ("✕", "broke"),
    "left": ("·", "quiet"),
}


def _tool(p: Piece, cells: int, whole: bool) -> list[Said]:
    """Its state, name, duration and the first line of what it showed; all of that below when everything is wanted."""
    glyph, look = _STATES[p.state or "left"]
    name = clean(call_name(p).split("\n")[0].strip("`"), limit=300)
    when = {"open": f"since {clock(p.at)}", "left": "nobody said how it ended"}.get(p.state, _took(p.seconds))
    shown = output_of(p)
    first = next((line for line in shown if line.strip()), "")
    tail = f" · {when}"
    head = cut(f"{glyph} {name}", max(8, cells - width(tail))) + tail
    room = cells - width(head) - 3
    said = cut(clean(first.strip(), sgr="strip", limit=SHORT), room) if room > 8 and not whole else ""
    brief = f" · {said}" if said else ""
    return [(cut(head + brief, cells), look), *(_output(p, shown, cells) if whole else ())]


def _output(p: Piece, shown: Sequence[str], cells: int) -> list[Said]:
    listed = [*(["in " + path for path in p.paths.split("\n")] if p.paths else []), *shown]
    kept = [(line, "quiet") for raw in listed[:OUTPUT_LINES] for line in folded(f"  │ {raw}", cells, "  │ ", "strip")]
    left = len(listed) - OUTPUT_LINES
    return [*kept, *([(f"  │ … {left} more lines", "quiet")] if left > 0 else [])]


def _took(seconds: float) -> str:
    """`0.4s`, `42s`, `3m12s`."""
    if seconds < 10:
        return f"{max(0.0, seconds):.1f}s"
    if seconds < 60:
        return f"{seconds:.0f}s"
    return f"{seconds // 60:.0f}m{seconds % 60:02.0f}s" if seconds < 3600 else f"{seconds // 3600:.0f}h"


def _plan(p: Piece, cells: int, whole: bool, *, over: bool) -> list[Said]:
    """How far it is, or was when its turn ended (`over`); the steps stand in the head of the pane meanwhile."""
    steps = steps_of(p.text)
    if not steps:
        return []
    done = sum(step.mark == "done" for step in steps)
    now = next((step.text for step in steps if step.mark == "doing"), "")
    at = f", {'then' if over else 'now'}: {clean(now, limit=SHORT)}" if now else ""
    said = f"{'·' if over else '▸'} plan {done}/{len(steps)} done{at}"
    marks = {"done": "✓", "doing": "▸", "todo": "·"}
    listed = [(cut(f"  {marks[s.mark]} {clean(s.text, limit=SHORT)}", cells), "quiet") for s in steps if whole]
    return [(cut(said, cells), "quiet"), *listed]


def _ask(p: Piece, cells: int, whole: bool, look: Look) -> list[Said]:
    title = f"? asks: {clean(text_of(p.fields.get('title')), limit=SHORT)}"
    found: list[Said] = [(line, look) for line in folded(title, cells, "  │ ")]
    if whole:
        found += [(line, "quiet") for raw in p.text.split("\n")[:OUTPUT_LINES] for line in folded(f"  │ {raw}", cells)]
    return found


def _retry(p: Piece, cells: int) -> str:
    """The agent's own next try."""
    attempt, most = (int(number_of(p.fields.get(key)) or 0) for key in ("attempt", "of"))
    count = f" {attempt}{f' of {most}' if most else ''}" if attempt else ""
    why = clean(p.text.strip(), sgr="strip", limit=SHORT) or "its model did not answer"
    return cut(f"{sign('restarts').glyph} {clock(p.at)} tries again{count}: {why}", cells)


def _event(p: Piece, cells: int) -> list[Said]:
    """Everything else is one line."""
    text = clean(p.text.strip(), sgr="strip", limit=SHORT)
    match p.kind:
        case "began":
            how = "goes on with its conversation" if p.fields.get("resumed") else "begins a conversation"
            said, look = f"· {clock(p.at)} {how}{f': {text}' if text else ''}", "quiet"
        case "ended":
            said, look = f"· {clock(p.at)} its processes have ended: {text}", "quiet"
        case "capped":
            said, look = f"! the record is full, from here on only turns, questions and ends are in it: {text}", "needs"
        case _:
            about = clean(text_of(p.fields.get("type")), limit=60)
            said, look = f"· {clean(p.kind, limit=30)}{f' {about}' if about else ''}: {text}", "quiet"
    return [(cut(said, cells), look)]
