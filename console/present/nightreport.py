"""The morning report as Markdown: the first screen says how the night went and what waits, the rest says why. Pure.

Every text from outside stands in a code span: no markup, link or tag in it is obeyed. No colours; 100 columns.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from console.core.reporting.actions import MORNING, Action
from console.core.reporting.records import BlindSpot, Item, Merge, Report, Said, Section, Tally
from console.present import chainreport, nightchart
from console.present.glyphs import sign
from console.present.mdtext import COLUMNS, fact, plain, span, wrapped
from console.present.text import clean, cut, width
from console.present.troublereport import given_up, lasting, troubles
from console.present.wording import age

MOST = 100
"""Items that a section shows."""
FIRST_SCREEN = 24
"""Lines of a terminal: what waits is named there as far as it fits."""
TITLES: dict[Section, str] = {
    "decide": "Decide",
    "look": "Look at these",
    "blocked": "Blocked by the environment",
    "failed": "Failed",
    "under-way": "Still under way",
    "done": "Done and trustworthy",
    "since": "Moved on since",
    "not-started": "Not started",
}
LIMITS = {"question": 1000, "why": 600, "chain": 600, "findings": 1000}


def markdown(report: Report, now: float) -> str:
    """The whole report. now: Unix seconds, for ages; times are local. The same report and time, the same text."""
    parts = [_top(report, now)]
    parts += [list(_section(report, name, now)) for name in TITLES if report.section(name)]
    parts += [troubles(report, now), nightchart.night(report.night)]
    parts += [_blind(report.blind), _merges(report.merges), _run(report)]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


# -- the first screen ------------------------------------------------------------------------------------


def _top(r: Report, now: float) -> list[str]:
    lines = [f"# Night report: {span(r.run)}, {r.status or r.state}", ""]
    lines += wrapped(f"**{'!!! ' if r.loud else ''}{r.headline}**")
    if r.why:
        lines.append(f"because: {span(cut(plain(r.why), COLUMNS - 12))}")
    lines += ["", *wrapped(_spent(r, now)), "", *wrapped(sums(r.tally))]
    lines += [*(wrapped(chainreport.sums(r.chains)) if r.chains else ()), ""]
    return [*lines, *_waiting(r, now, max(3, FIRST_SCREEN - len(lines) - 2))]


def _spent(r: Report, now: float) -> str:
    s = r.spent
    end = clock(r.ended_at) if r.ended_at else f"now ({clock(now)})"
    seconds = s.seconds if r.ended_at else now - r.started_at
    unknown = s.uncosted and s.uncosted == s.turns
    cost = "cost unknown" if unknown else f"{s.cost_usd:.2f} ${' or more' if s.uncosted else ''}"
    how = "attended" if r.attended else "unattended"
    restarts = sum(len(each.times) for each in r.restarted)
    again = f", {_many(restarts, 'restart')}" if restarts else ""
    tried = f"{_many(s.attempts, 'attempt')} ({s.retries} beyond the first), {_many(s.nudges, 'nudge')}{again}"
    return f"{clock(r.started_at)} to {end}, {age(seconds)}, {how}. {cost}; {_many(s.turns, 'turn')}, {tried}."


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def sums(t: Tally) -> str:
    """Both sums of the tally, so that anybody can add them up."""
    ended = [f"{number} {outcome}" for outcome, number in t.outcomes.items() if number]
    moving = [f"{t.under_way} under way"] if t.under_way else []
    back = [f"{t.put_back} put back"] if t.put_back else []
    dealt = f"**{t.met} taken** = {', '.join([*ended, *moving, *back]) or 'none'}"
    unclaimed = f" ({t.unclaimed} before any work)" if t.unclaimed else ""
    left = [f"{number} {reason}" for reason, number in t.not_started.items()]
    whole = f"**{t.total} in all** = {', '.join([f'{t.met} taken', *left])}"
    broken = f" Also {_many(t.problems, 'problem')} in the tickets folder, see Blind spots." if t.problems else ""
    return f"{dealt}{unclaimed}. {whole}.{broken}"


def _waiting(r: Report, now: float, room: int) -> Iterator[str]:
    """What waits for a person, in numbers, then the first of it; a newest that does not fit in is named too."""
    waits = [i for i in r.items if i.section in ("decide", "look", "blocked", "failed")]
    plans = [i for i in r.section("done") if _approvable(i)]
    counted = (
        *((name, len(r.section(name))) for name in ("decide", "look", "blocked", "failed")),
        ("to approve", len(plans)),
        ("given up", given_up(r)),
    )
    words = {"decide": "to decide", "look": "to look at"}
    if standing := lasting(r):
        yield from wrapped(f"**{standing}**")
    within = {"look": chainreport.within(r.section("look"))}
    told = ", ".join(f"{number} {words.get(name, name)}{within.get(name, '')}" for name, number in counted if number)
    if not told:
        yield "**Nothing else waits for you.**" if standing else "**Nothing waits for you.**"
        return
    yield from wrapped(f"**Waits for you: {told}.** Key `m` goes through them.")
    listed = [*waits, *plans]
    chosen = _chosen(listed, room - 1)
    for item in chosen:
        yield _brief(item, now)
    if len(listed) > len(chosen):
        yield f"- and {len(listed) - len(chosen)} more below"


def _chosen(listed: Sequence[Item], room: int) -> Sequence[Item]:
    """The first ones, and the newest when it is not among them: what is new is not buried by what is old."""
    if len(listed) <= room:
        return listed
    return [*listed[: room - 1], max(listed[room - 1 :], key=lambda item: item.since)]


def _brief(item: Item, now: float) -> str:
    """One line: what, how old, the key or command."""
    old = f" {chainreport.left(item, now) or f'{age(now - item.since)} old'}" if item.since else ""
    head = f"- {', '.join(_kinds(item))}{old}: "
    tail = f": {how}" if (how := _how(item)) else ""
    room = max(10, COLUMNS - width(head) - width(tail) - 2)
    return f"{head}{span(cut(f'{_about(item)} {plain(_gist(item))}', room))}{tail}"


def _kinds(item: Item) -> Iterator[str]:
    yield _word(item)
    if item.chain:
        yield chainreport.ENDS[item.chain]
    if item.foundational and item.word != "PARKED_FOUNDATIONAL":
        yield "foundational"


def _gist(item: Item) -> str:
    """The question of a decision, unless an agent worded it; else the title."""
    asked = [said.text for said in item.facts if said.name == "question" and not said.agent]
    of = {"decision": item.about, "routine": item.title}.get(item.kind)
    return f"{of}: {asked[0]}" if asked and of else item.title


def _how(item: Item) -> str:
    """What the first screen names: the key that deals with it, else the command that does."""
    if item.kind == "decision":
        return f"key {span(MORNING)}"
    keyed = next((a for a in item.actions if a.key and a.key != "Enter"), None)
    if keyed or not item.actions:
        return f"key {span(keyed.key)}" if keyed else ""
    command = item.actions[0 if item.kind == "routine" else -1].command
    return span(command) if command else ""


def _approvable(item: Item) -> bool:
    """Its plan waits: for its own key, or for that of the plan below it."""
    return any(" --approve " in a.command for a in item.actions)


# -- the sections ----------------------------------------------------------------------------------------


def _section(r: Report, name: Section, now: float) -> Iterator[str]:
    found = r.section(name)
    yield f"## {TITLES[name]} ({len(found)})"
    draw = _short if name in ("since", "not-started") else _long
    for number, item in enumerate(found[:MOST], 1):
        yield from draw(item, number, now)
    if len(found) > MOST:
        yield ""
        yield f"and {len(found) - MOST} more: `nightdesk report --run {plain(r.run)} --json`"


def _long(item: Item, number: int, now: float) -> Iterator[str]:
    yield ""
    yield f"### {number}. {span(cut(f'{_about(item)}  {plain(item.title)}', COLUMNS - 12))}"
    yield from wrapped(", ".join(_status(item, now)))
    for said in item.facts:
        yield from _said(said)
    for todo in item.actions:
        yield from _action(todo)


def _short(item: Item, number: int, now: float) -> Iterator[str]:
    yield from fact(f"- {_word(item)}", f"{item.about} {item.title}", "  ", limit=200)
    for said in item.facts:
        yield from fact(f"  - {said.name}", said.text, "    ", limit=200)
    for todo in item.actions[:1]:
        yield from _action(todo, "  ")


def _status(item: Item, now: float) -> Iterator[str]:
    yield from _kinds(item)
    if item.section == "decide":
        yield f"{'routine' if item.kind == 'routine' else 'ticket'} {span(item.about)}"
    elif item.decision:
        yield span(item.decision)
    if item.since:
        yield f"{age(now - item.since)} ago"
    if item.until:
        yield f"until {clock(item.until)}"
    if item.seconds:
        yield f"took {age(item.seconds)}"
    if item.attempts:
        yield _many(item.attempts, "attempt")
    if item.nudges:
        yield _many(item.nudges, "nudge")


def _word(item: Item) -> str:
    return sign(item.word).word


def _about(item: Item) -> str:
    return plain(item.decision or item.about) if item.section == "decide" else plain(item.about)


def _said(said: Said) -> Iterator[str]:
    whose = " (the agent's words)" if said.agent else ""
    yield from fact(f"- {said.name}{whose}", said.text, "  ", limit=LIMITS.get(said.name, 400))


def _action(todo: Action, indent: str = "") -> Iterator[str]:
    """The command on a line of its own when both do not fit: what is to be copied is never broken."""
    key = f" (key {span(todo.key)})" if todo.key else ""
    says = f"- **do**: {plain(todo.says)}{key}"
    if not todo.command:
        yield from wrapped(says, f"{indent}  ", start=indent)
        return
    command = span(todo.command)
    if width(indent) + width(says) + width(command) + 2 <= COLUMNS:
        yield f"{indent}{says}: {command}"
        return
    yield f"{indent}{says}:"
    yield f"{indent}  {command}"


# -- the end ---------------------------------------------------------------------------------------------


def _blind(spots: Sequence[BlindSpot]) -> list[str]:
    lines = [f"## Blind spots ({len(spots)})", ""]
    for spot in spots[:MOST]:
        lines += fact(f"- {spot.what}", spot.text, "  ", limit=600)
        if spot.cure:
            lines += fact("  cure", spot.cure, "  ")
    if len(spots) > MOST:
        lines.append(f"- and {len(spots) - MOST} more")
    return lines if spots else []


def _merges(merges: Sequence[Merge]) -> list[str]:
    if not merges:
        return []
    lines = [
        "## Merge, in this order",
        "",
        "Nightdesk merges nothing; these do, on the branch that you want it on.",
        "",
    ]
    ready, later = [m for m in merges if m.ready], [m for m in merges if not m.ready]
    return [*lines, "```sh", *_commands("what has landed", ready), *_commands("once approved", later), "```"]


def _commands(title: str, merges: Iterable[Merge]) -> Iterator[str]:
    for number, m in enumerate(merges):
        if not number:
            yield f"# {title}"
        brings = f"   # brings {', '.join(map(clean, m.brings))} along" if m.brings else ""
        yield cut(f"{clean(m.command)}{brings}", max(COLUMNS, width(clean(m.command))))


def _run(r: Report) -> list[str]:
    lines = ["## The run", ""]
    told = (
        ("started by", r.by),
        ("settings, as read", f"sha256 {r.digest}" if r.digest else ""),
        ("caps", ", ".join(r.caps)),
        ("work", "handed out to workers that ask" if r.pull else "sessions of nightdesk"),
        ("bases", "; ".join(r.bases[:5]) + (f"; and {len(r.bases) - 5} more" if len(r.bases) > 5 else "")),
        ("supervisor", r.supervisor),
        ("sandbox", r.sandbox),
    )
    for name, text in told:
        if text:
            lines += fact(f"- {name}", text, "  ", limit=600)
    return lines


def clock(at: float) -> str:
    """Local date and time, `2026-11-30 06:11`."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
