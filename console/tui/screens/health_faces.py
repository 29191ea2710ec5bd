"""What the right-hand pane says of a session's health and of what holds up everything. Pure; no widget."""

from __future__ import annotations

from console.core.outbox import Outlet
from console.core.sessions import Session
from console.core.state import State
from console.present import conditions, healthwords, noticewords
from console.present.ages import clock
from console.present.keytable import key
from console.present.text import clean
from console.tui.widgets.detail import Face


def around() -> str:
    """The keys to begin with."""
    return f"2 and {key('open')} watch a session. 5 is the log. {key('help')} has every key."


def waiting() -> Face:
    """Nothing is chosen, and something needs a person."""
    why = (f"What needs you is on the left, worst first; {key('next-waiting')} goes to it.", "", around())
    return Face(title="something needs you", headline="", tone="needs", why=why)


def condition(state: State, name: str, supervised: bool, silent: float = 0.0) -> Face:
    found = next((c for c in conditions.conditions(state, supervised, silent) if c.name == name), None)
    if found is None:
        what = {"fuse": "the alarm", "supervisor": "the alarm"}.get(name, name)
        return Face(title=what, headline="✓ this is over: work goes on", tone="go", why=("Nothing to do.",), wrap=True)
    return Face(
        title={
            "fuse": "alarm: agents silent together",
            "supervisor": "alarm: silent supervisor" if silent else "alarm: no supervisor",
        }.get(name, f"{name} short"),
        headline=found.headline,
        tone="broke",
        why=found.lines,
        gate=("This is about everything; it has no gate.",),
        wrap=True,
    )


def outlet(o: Outlet, now: float) -> Face:
    """A way to reach people, and whether it leads anywhere."""
    failing = noticewords.is_failing(o, now)
    return Face(
        title=f"channel {clean(o.channel, limit=60)} · {clean(o.words, limit=100)}",
        headline=f"! {noticewords.outcome(o, now)}" if failing else "✓ its latest notice was taken",
        tone="broke" if failing else "go",
        why=(
            f"told      {o.sent} taken, {o.lost} lost, everything up to {o.cursor} is dealt with",
            f"try       nightdesk notify test {clean(o.channel, limit=60)}",
            "list      nightdesk notify list shows every channel and what it hears",
            "",
            "What is lost is not told again: what needs you is in this list in any case.",
        ),
        gate=("A channel has no gate.",),
        wrap=True,
    )


def warnings(state: State, s: Session) -> tuple[str, ...]:
    """What a session's headline does not say: the evidence, how often it was started again, what runs on, what was
    ended."""
    word = healthwords.ailing(s)
    found = []
    if word == "stuck":
        found.append("! waits in the kernel for a disk or mount: Why")
    if s.evidence and word in ("hung", "crashed", "restarts", "given-up"):
        found.append(f"- seen: {clean(s.evidence, limit=300)}")
    if s.restarts and word != "restarts":
        done, most = healthwords.counted(state, s)
        when = ", ".join(clock(at) for at in s.restarts[-3:])
        found.append(f"! started again {done} of at most {most} times, last at {when}")
    found += [f"! left running: {clean(text, limit=300)}" for text in healthwords.left_running(s)]
    found += [f"- was ended: {clean(text, limit=300)}" for text in s.leftovers]
    return tuple(found)
