"""What a session does right now, from the end of its transcript: for the head of its pane, on any console. Pure.

`glance` reads the entries and costs something; `tell` makes words of that for a moment, so that ages tick for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from console.core.sessions import Session
from console.present.ages import age, clock
from console.present.glyphs import Tone
from console.present.keytable import key
from console.present.pieces import Entry, Piece, Step, call_name, number_of, steps_of, text_of, together
from console.present.text import clean

SILENT = 30.0
"""Seconds without an entry from which that is said."""
BRIEFLY = 3.0
"""Seconds up to which an age is no news."""
NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and dollars; None for what nobody told."""

    input: int | None = None
    output: int | None = None
    usd: float | None = None

    def plus(self, other: Spent) -> Spent:
        return Spent(
            _sum(self.input, other.input),
            _sum(self.output, other.output),
            None if self.usd is None and other.usd is None else (self.usd or 0.0) + (other.usd or 0.0),
        )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that runs. since: Unix seconds; limit: seconds that its own input allows it, 0 for not said."""

    name: str
    since: float
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class Retry:
    """The agent tries again by itself. until: when, Unix seconds, 0 for unknown; of: at most, 0 for unknown."""

    why: str
    attempt: int
    of: int
    until: float


@dataclass(frozen=True, slots=True)
class Glance:
    """What the entries of the latest turn say. saying: the kind of the last entry, since `since`; at: of its last sign
    of life. used, window: tokens of the model's context."""

    turn: int = 0
    saying: str = ""
    since: float = 0.0
    at: float = 0.0
    calls: tuple[Call, ...] = ()
    retry: Retry | None = None
    steps: tuple[Step, ...] = ()
    spent: Spent = Spent()
    over: bool = False
    used: int = 0
    window: int = 0


@dataclass(frozen=True, slots=True)
class Doing:
    """In words, clean. line: what it does; tone: its colour; what: the part of the line that may be cut; steps: its
    plan; spent, total: of the turn and of the session; context: in words, "" for unknown."""

    line: str
    tone: Tone = "plain"
    what: str = ""
    steps: tuple[Step, ...] = ()
    spent: Spent = Spent()
    total: Spent = Spent()
    context: str = ""


def doing(entries: Sequence[Entry], now: float, session: Session, before: Spent = Spent()) -> Doing:
    """now: Unix seconds. before: what the turns that have ended cost."""
    return tell(glance(together(entries)), now, session, before)


# -- reading -----------------------------------------------------------------------------------------------


def glance(pieces: Sequence[Piece]) -> Glance:
    """Only the latest turn counts, but for the context, which outlives turns."""
    start = next((i for i in range(len(pieces) - 1, -1, -1) if pieces[i].kind == "turn-start"), -1)
    mine = pieces[max(0, start) :]
    lasting = [p for p in mine if p.kind not in ("usage", "update", "event", "noise")]
    last = lasting[-1] if lasting else None
    seen = Glance(
        turn=int(number_of(mine[0].fields.get("turn")) or 0) if start >= 0 else 0,
        saying=_kind(last) if last else "",
        since=last.at if last else 0.0,
        at=max((p.upto for p in mine), default=0.0),
        calls=tuple(Call(call_name(p), p.at, p.limit) for p in mine if p.kind == "tool" and p.state == "open"),
        retry=_retry(last) if last else None,
        steps=next((steps for p in reversed(mine) if p.kind == "plan" and (steps := steps_of(p.text))), ()),
        over=any(p.kind in ("turn-end", "ended") for p in mine),
    )
    return _accounted(seen, pieces, mine)


def _kind(piece: Piece) -> str:
    return text_of(piece.fields.get("of")) if piece.kind == "beat" else piece.kind


def _retry(piece: Piece) -> Retry | None:
    if piece.kind != "retry":
        return None
    attempt, most, until = (number_of(piece.fields.get(key)) or 0 for key in ("attempt", "of", "until"))
    return Retry(piece.text, int(attempt), int(most), until)


def _accounted(seen: Glance, pieces: Sequence[Piece], mine: Sequence[Piece]) -> Glance:
    """Each field of a `usage` entry says what it is by now: the last one that has it counts."""
    read, wrote = (_latest(mine, key) for key in ("input", "output"))
    spent = Spent(None if read is None else int(read), None if wrote is None else int(wrote), _latest(mine, "usd"))
    used, window = (int(_latest(pieces, key) or 0) for key in ("used", "window"))
    return replace(seen, spent=spent, used=used, window=window)


def _latest(pieces: Sequence[Piece], key: str) -> float | None:
    told = (number_of(p.fields.get(key)) for p in reversed(pieces) if p.kind == "usage")
    return next((value for value in told if value is not None), None)


# -- telling -----------------------------------------------------------------------------------------------


def tell(seen: Glance, now: float, s: Session, before: Spent = Spent()) -> Doing:
    """The words for this moment."""
    line, tone = _line(seen, now, s)
    turn = seen.spent if seen.turn in (0, s.turns) else Spent()
    running = s.phase in ("working", "awaiting-input")
    return Doing(
        line=line,
        tone=tone,
        what=_what(seen, line),
        steps=seen.steps if running and not seen.over else (),
        spent=turn,
        total=before.plus(turn) if running and not seen.over else before,
        context=_context(seen),
    )


def span(seconds: float) -> str:
    """`42s`, `2m05s`, `3h12`: an age that is seen to move."""
    whole = max(0, int(seconds))
    return f"{whole // 60}m{whole % 60:02d}s" if 60 <= whole < 3600 else age(whole)


def _context(seen: Glance) -> str:
    if seen.used and seen.window:
        return f"{100 * seen.used / seen.window:.0f}% of {tokens(seen.window)}"
    return tokens(seen.used) if seen.used else ""


def tokens(count: int) -> str:
    """`840`, `12.3k`, `1.2M`."""
    if count < 1000:
        return str(count)
    if count < 100_000:
        return f"{count / 1000:.1f}k"
    return f"{count / 1000:.0f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


def _line(seen: Glance, now: float, s: Session) -> tuple[str, Tone]:
    if s.lent:
        return lent_words(s), "needs"
    match s.phase:
        case "awaiting-input" if s.question:
            given = ", answered" if s.question.answer is not None else ""
            title = clean(s.question.title, limit=300)
            return f"waits for you for {span(now - s.question.at)}{given}: {title}", "needs"
        case "working" if s.cancel:
            return f"is being interrupted for {span(now - s.since)}", "needs"
        case "working" if s.turn:
            fresh = seen if not seen.over and seen.turn in (0, s.turn.number) else Glance(at=s.turn.started_at)
            return _working(fresh, now, s.turn.started_at)
        case "starting":
            return f"starts its processes, {span(now - s.since)}", "go"
        case "stopping":
            return f"its processes are being ended, {span(now - s.since)}", "quiet"
        case "ready" if s.prompts:
            return "a prompt is on its way", "go"
        case "ready":
            return f"idle for {span(now - s.since)}: {key('prompt')} sends a prompt", "quiet"
        case _:
            return "", "quiet"


_WORDS = {"text": "writing", "line": "writing", "plan": "planning"}


def _working(seen: Glance, now: float, began: float) -> tuple[str, Tone]:
    quiet = now - max(seen.at, began)
    if seen.retry:
        return _retrying(seen.retry, now), "needs"
    if seen.calls:
        return _running(seen.calls, now)
    if seen.saying in ("", "turn-start"):
        return f"asked its model {span(now - began)} ago, nothing came yet", "needs" if quiet >= SILENT else "go"
    word = _WORDS.get(seen.saying, "thinking")
    if quiet >= SILENT:
        return f"silent for {span(quiet)}, was {word} before", "needs"
    long = now - seen.since
    return (f"{word} for {span(long)}" if long >= BRIEFLY else word), "go"


def _running(calls: Sequence[Call], now: float) -> tuple[str, Tone]:
    """The one that has run longest."""
    call = min(calls, key=lambda each: each.since)
    over = bool(call.limit) and now - call.since > call.limit
    most = f" of at most {span(call.limit)}" if call.limit else ""
    more = f" (and {len(calls) - 1} more)" if len(calls) > 1 else ""
    return f"running {_name(call.name)} for {span(now - call.since)}{most}{more}", "needs" if over else "go"


def _what(seen: Glance, line: str) -> str:
    """The words in `line` that somebody else chose, in front of an age."""
    others = [seen.retry.why] if seen.retry else [call.name for call in seen.calls]
    return next((name for name in map(_name, others) if name and name in line), "")


def _name(text: str) -> str:
    """One line of it."""
    return clean(text.strip("`").split("\n")[0], limit=NAME_CHARS)


def _retrying(retry: Retry, now: float) -> str:
    """Its own tries, as its agent counts them."""
    count = f", attempt {retry.attempt}" if retry.attempt else ""
    most = f" of {retry.of}" if retry.attempt and retry.of else ""
    when = f", next in {span(retry.until - now)}" if retry.until > now else ""
    return f"retrying: {_name(retry.why) or 'its model did not answer'}{count}{most}{when}"


def lent_words(s: Session) -> str:
    """Who has its conversation, where and since when; "" for nobody."""
    if not s.lent:
        return ""
    by = s.lent.by
    where = f" on {clean(by.tty.removeprefix('/dev/'), limit=60)}" if by.tty else ""
    agent = clean(s.preset or s.launch.argv[0].rpartition("/")[2], limit=60)
    how = "being opened" if s.phase == "stopping" else "open"
    return f"{how} in {agent}'s own program by {clean(by.user or 'somebody', limit=60)}{where} since {clock(s.lent.at)}"


def usage(record: Any) -> Spent:
    """A `records.Usage`, None for a turn that did not say."""
    return Spent(record.input_tokens, record.output_tokens, record.cost_usd) if record else Spent()
