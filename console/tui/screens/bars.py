"""The two lines of the desk that are only text: the header's facts and the footer's keys, fitted to a width. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from console.core.state import State
from console.core.tickets import of_chain
from console.present import conditions, queueing, wording
from console.present.ages import age
from console.present.attention import Item
from console.present.glyphs import sign
from console.present.text import clean, cut, width

Part = tuple[str, str]
"""Text and its style ("" for none)."""
Key = tuple[str, str, str]
"""Key, what it does, and the same in fewer words."""

QUIET, NEEDS, BROKE, GO = "$state-quiet", "bold $state-needs", "bold $state-broke", "$state-go"
TONES = {"go": GO, "needs": NEEDS, "broke": BROKE, "quiet": QUIET}
GAP = "   "
LOUD_CELLS = 60
"""Of the reason why a run is not well."""


IDLE = "idle: nobody supervises, nothing waits for one"


def holder(state: State, *, hosted: bool, failed: str, running: bool, silent: float = 0.0) -> Part:
    """Who supervises. failed: what ended the supervisor of this process ("" while all is well). silent: seconds since
    it gave a sign of life, 0 while all is well."""
    if failed:
        return f"! SUPERVISOR FAILED: {clean(failed, limit=200)}", BROKE
    if silent and running:
        return f"! supervisor silent for {age(silent)}", BROKE
    if hosted:
        return "supervising here", QUIET
    if not running:
        waiting = conditions.held_up(state)
        return (f"! nobody supervises: {waiting}", NEEDS) if waiting else (IDLE, QUIET)
    return f"attached to pid {state.supervisor.pid}" if state.supervisor else "attached", QUIET


ENDS = {"DRAINED": "run done", "TICKET_CAP": "ticket cap", "COST_CAP": "cost cap", "STOPPED": "run stopped"}
"""How a run ended, for the header; what is loud there keeps its name, with the reason beside it."""


def run_parts(state: State, now: float) -> list[Part]:
    """The run: its state in a word (loud when something is wrong with it), since when, ended of claimed and the cap;
    how they ended; the cost."""
    run = queueing.latest_run(state)
    if run is None:
        return []
    (head, tone), _, *tally, (cost, _) = queueing.run_cells(state, now)
    ended, claimed = (sum(not of_chain(name) for name in names) for names in (run.outcomes, run.claimed))
    numbers = f"{ended}/{claimed} of {run.settings.tickets}"
    head = head.replace(f" {run.status} ", f" {ENDS.get(run.status or '', run.status)} ", 1)
    loud = run.status in ("LOW_YIELD", "HALTED") or run.state == "halting"
    why = f": {cut(clean(run.reason), LOUD_CELLS)}" if loud and run.reason else ""
    loudly = f"! {head.partition(' ')[2]} {numbers}{why}"
    first = (loudly, BROKE) if loud else (f"{head} {numbers}", TONES.get(tone, ""))
    return [first, (" ".join(text for text, _ in tally), ""), (cost, QUIET)]


def facts(state: State, needs: Sequence[Item], now: float = 0.0) -> list[Part]:
    """The run's state, then what needs a person, then what goes by itself; what there is none of is left out."""
    run, needed = run_parts(state, now), _needed(needs)
    chains = [("chains on", QUIET)] if state.chains_on else []
    return [*_standing(needs), *run[:2], *needed[:1], *chains, *run[2:], *needed[1:], *_going(state)]


def fitted(state: State, needs: Sequence[Item], now: float, frame: tuple[str, Part, str], cells: int) -> list[Part]:
    """The header's line. All that needs a person is in it: in full, else first and in a word each, or in signs where
    that leaves no room for the run. frame: what the line is of, who supervises, the clock."""
    name, who, clock = frame
    parts, needed = facts(state, needs, now), _needed(needs)
    shown = header(name, parts, who, clock, cells)
    if all(part in shown for part in needed):
        return shown
    rest = [part for part in parts if part not in needed]
    standing = min(1, len(_standing(needs)))
    style = BROKE if any(style == BROKE for _, style in needed) else NEEDS
    run = run_parts(state, now)[:1]
    lines = [
        ((brief, style), header(name, [*rest[:standing], (brief, style), *rest[standing:]], who, clock, cells))
        for brief in _briefly(needs)
    ]
    whole = [line for part, line in lines if part in line]
    told = whole[: len(whole) - 1] or whole or [shown]  # the last one only counts
    return next((line for line in told if all(part in line for part in run)), told[-1])


SHORT = {"question": "asks", "exited": "broke off", "given-up": "given up"}
KNOWN = {"plan": "waiting", "exited": "failed", "routine": "question", "channel": "look"}
"""Signs of words that have none of their own."""


def _briefly(needs: Sequence[Item]) -> Sequence[str]:
    """`8 need you: ? 2 decide  ◐ 1 plan`, `8 need you: ?2 ◐1`, `8 need you`."""
    found = list(Counter(item.word for item in needs).items())
    head = f"{len(needs)} need{'s' * (len(needs) == 1)} you"
    glyphs = {word: sign(KNOWN.get(word, word)).glyph for word, _ in found}
    words = "  ".join(f"{glyphs[word]} {count} {SHORT.get(word, word)}" for word, count in found)
    return f"{head}: {words}", f"{head}: {' '.join(f'{glyphs[word]}{count}' for word, count in found)}", head


def _standing(needs: Sequence[Item]) -> list[Part]:
    """What holds up everything; that nobody supervises, or is silent, is said by `holder`."""
    silent = next((item.text for item in needs if item.id == "health:fuse"), "")
    short = [item.about for item in needs if item.word == "short"]
    found = [(f"{sign('alarm').glyph} {silent.partition(' at once')[0]}", BROKE)] if silent else []
    return found + ([(f"{sign('short').glyph} {', '.join(short)} short", BROKE)] if short else [])


def _needed(needs: Sequence[Item]) -> list[Part]:
    found = Counter(item.word for item in needs)
    plans, asks, alerts, routines = found["plan"], found["question"], found["alert"], found["routine"]
    listed = [
        (found["given-up"], f"{sign('given-up').glyph} {found['given-up']} given up", BROKE),
        (found["stuck"], f"{sign('stuck').glyph} {found['stuck']} cannot be killed", BROKE),
        (alerts, f"{sign('alert').glyph} {alerts} alert{'s' * (alerts > 1)}", BROKE),
        (routines, routines_ask(routines), NEEDS),
        (found["decide"], f"{sign('decide').glyph} {found['decide']} to decide", NEEDS),
        (found["look"], f"{sign('look').glyph} {found['look']} doubtful", NEEDS),
        (plans, f"{sign('waiting').glyph} {plans} wait{'s' * (plans == 1)} for you", NEEDS),
        (asks, f"{sign('question').glyph} {asks} ask{'s' * (asks == 1)}", NEEDS),
        (found["blocked"], f"{sign('blocked').glyph} {found['blocked']} blocked", BROKE),
        (found["failed"], f"{sign('failed').glyph} {found['failed']} failed", BROKE),
        (found["exited"], f"{sign('failed').glyph} {found['exited']} broke off", BROKE),
        (found["channel"], f"! {found['channel']} channel{'s fail' if found['channel'] > 1 else ' fails'}", NEEDS),
        (not needs, f"{sign('done').glyph} nothing needs you", GO),
    ]
    return [(text, style) for count, text, style in listed if count]


def routines_ask(count: int) -> str:
    """`? 2 routines ask`."""
    return f"{sign('question').glyph} {count} routine{'s ask' if count > 1 else ' asks'}"


def _going(state: State) -> list[Part]:
    counts = wording.counts(state)
    working = counts["working"] - counts["suspect"]
    listed = [
        (counts["suspect"], f"{sign('suspect').glyph} {counts['suspect']} suspect", NEEDS),
        (counts["ending"], f"{sign('hung').glyph} {counts['ending']} hung", BROKE),
        (
            counts["restarting"],
            f"{sign('restarts').glyph} {counts['restarting']} restart{'s' * (counts['restarting'] == 1)}",
            NEEDS,
        ),
        (working, f"{sign('working').glyph} {working} working", GO),
        (counts["landed"], f"{sign('landed').glyph} {counts['landed']} landed", ""),
    ]
    return [(text, style) for count, text, style in listed if count]


def tier(words: str) -> str:
    """The sandbox tier in two words, "" when nobody has said which; the Why tab and the help have the sentence."""
    if not words:
        return ""
    return "no sandbox" if words.casefold().startswith(("no ", "not ", "off", "without")) else "sandbox on"


def header(name: str, parts: Sequence[Part], who: Part, clock: str, cells: int) -> list[Part]:
    """One line of exactly `cells`: as many parts as fit whole, the clock at the right end."""
    alarming = who[1] != QUIET
    wanted = [who, *parts] if alarming else [*parts, who]
    room = cells - width(clock) - 1
    shown: list[Part] = [(cut(clean(name), max(0, room)), "bold")]
    used = width(shown[0][0])
    for text, style in wanted:
        left = room - used - len(GAP)
        if width(text) > left and not (alarming and text == who[0] and left > 0):
            break
        fitted = cut(text, left)
        shown += [(GAP, ""), (fitted, style)]
        used += len(GAP) + width(fitted)
    return [*shown, (" " * max(1, cells - used - width(clock)), ""), (clock, "")]


def footer(keys: Sequence[Key], cells: int) -> str:
    """As many keys as fit whole, the most important first; in full words where all of them fit."""
    full = "  ".join(f"{key} {does}" for key, does, _ in keys)
    if width(full) <= cells:
        return full
    line = ""
    for key, _, brief in keys:
        longer = f"{line}  {key} {brief}".lstrip()
        if width(longer) > cells:
            break
        line = longer
    return line
