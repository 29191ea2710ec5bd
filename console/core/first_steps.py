"""What stands between a folder and the first commit of a ticket of one's own: the steps, in their order, and which of
them are done. Pure: what was looked at comes in, and no step is decided by what somebody remembers of it.
"""

from __future__ import annotations

from typing import Literal

from console.core.records import Record
from console.core.state import State, open_run

StepName = Literal["repository", "identity", "commit", "settings", "root", "agent", "trust", "ticket", "run", "landed"]
Standing = Literal["done", "open", "trouble", "later"]
"""done: it is there. open: nothing is in its way. trouble: it is there, and wrong. later: an earlier step is first."""


class Look(Record, frozen=True, kw_only=True):
    """What a folder has. folder: the root of its repository, else the folder itself. repository: there is one; unfit:
    why none can be made here. who: `Name <email>`, "" for nobody. head: branch and first commit's id in words, "" for
    no commit. config: the settings' file is there; problems: what is wrong in it, as `file:line: key: what`. gate: its
    words; gate_trouble: why that could not start. root: this is root; rooted: and the settings do not allow that.
    agent: preset that works, "" for none; agent_title: its name for people; agent_path: its program, "" when that is
    not here; may: what it could do without asking; confirmed: a person has agreed to that. installed: names of the
    agents that are here. digest: of the settings, "" while they have problems; trusted: this user trusts exactly these.
    source: the path of the settings' file."""

    folder: str
    repository: bool = False
    unfit: str = ""
    who: str = ""
    head: str = ""
    source: str = ""
    config: bool = False
    problems: tuple[str, ...] = ()
    gate: str = ""
    gate_trouble: str = ""
    root: bool = False
    rooted: bool = False
    agent: str = ""
    agent_title: str = ""
    agent_path: str = ""
    may: str = ""
    confirmed: bool = False
    installed: tuple[str, ...] = ()
    digest: str = ""
    trusted: bool = False


class Progress(Record, frozen=True, kw_only=True):
    """What the log has of it. tickets: there are; ticket: the first of them, as `id: title`. run: the one that is open,
    "" for none; ran: there was one. waiting: a plan waits. landed: `commit on branch` of the first plan that landed;
    branch: that branch, short."""

    tickets: int = 0
    ticket: str = ""
    run: str = ""
    ran: bool = False
    waiting: bool = False
    landed: str = ""
    branch: str = ""


class Step(Record, frozen=True, kw_only=True):
    name: StepName
    standing: Standing


def progress(state: State) -> Progress:
    """What the log says, as of now."""
    mine = [t for t in state.tickets.values() if not t.link and t.phase != "gone"]
    run = open_run(state)
    first = next((p for p in state.plans.values() if p.state == "landed"), None)
    branch = first.frozen.ref.removeprefix("refs/heads/") if first else ""
    return Progress(
        tickets=len(mine),
        ticket=f"{mine[0].ticket}: {mine[0].spec.title}" if mine else "",
        run=run.run if run else "",
        ran=bool(state.runs),
        waiting=any(p.state == "waiting" for p in state.plans.values()),
        landed=f"{first.plan[:10]} on {branch}" if first else "",
        branch=branch,
    )


def steps(look: Look, done: Progress = Progress()) -> tuple[Step, ...]:  # noqa: B008  (frozen)
    """Every step, in order. One that cannot be taken before another is done stands at `later`."""
    names: tuple[StepName, ...] = ("repository", "identity", "commit", "settings", "agent", "trust", "ticket", "run")
    standings = {name: _standing(name, look, done) for name in (*names, "landed")}
    if look.root and look.head:
        standings["root"] = _after(look.config and not look.problems, "open" if look.rooted else "done")
    order = sorted(standings, key=ORDER.index)
    return tuple(Step(name=name, standing=standings[name]) for name in order)


ORDER: tuple[StepName, ...] = (
    "repository",
    "identity",
    "commit",
    "settings",
    "root",
    "agent",
    "trust",
    "ticket",
    "run",
    "landed",
)


def _standing(name: StepName, look: Look, done: Progress) -> Standing:
    ready = bool(look.head)
    sound = look.config and not look.problems
    match name:
        case "repository":
            return "done" if look.repository else "trouble" if look.unfit else "open"
        case "identity":
            return "done" if look.who else _after(look.repository, "open")
        case "commit":
            return "done" if ready else _after(bool(look.repository and look.who), "open")
        case "settings":
            return _settings(look)
        case "agent":
            return _agent(look) if sound else "later"
        case "trust":
            settled = sound and not look.rooted and _agent(look) == "done"
            return "done" if look.config and look.trusted else _after(settled, "open")
        case "ticket":
            return "done" if done.tickets else _after(ready, "open")
        case "run":
            able = look.trusted and settled_agent(look) and bool(done.tickets)
            return "done" if done.run or done.ran else _after(able, "open")
        case _:
            return "done" if done.landed else _after(done.waiting, "open")


def _settings(look: Look) -> Standing:
    if not look.config:
        return _after(bool(look.head), "open")
    return "trouble" if look.problems or look.gate_trouble else "done"


def _agent(look: Look) -> Standing:
    if not look.agent:
        return "open"
    if not look.agent_path:
        return "trouble"
    return "done" if look.confirmed else "open"


def settled_agent(look: Look) -> bool:
    return bool(look.config and not look.problems) and _agent(look) == "done"


def _after(able: bool, then: Standing) -> Standing:
    return then if able else "later"


def next_step(found: tuple[Step, ...]) -> StepName | None:
    """The first that can be taken now; None when everything is done, or what is left waits for something else."""
    return next((step.name for step in found if step.standing in ("open", "trouble")), None)


def newcomer(look: Look, state: State) -> bool:
    """Whether the steps are shown by themselves: nothing was ever worked on here, and nothing can be."""
    if state.tickets or state.sessions or state.runs or state.policies:
        return False
    mine = steps(look)
    return any(s.standing != "done" for s in mine if s.name not in ("ticket", "run", "landed"))
