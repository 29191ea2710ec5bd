"""Tickets, runs and decisions on a desk to try: folded from facts; what the screen sends is decided for real."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from deskplay import DIFF, GATE, ME, WIDE, DeskPlay, risk, screen, until
from textual.pilot import Pilot

from console.core import events as ev
from console.core.records import (
    Assessment,
    CommitSpec,
    Interpretation,
    Launch,
    Outcome,
    PolicySpec,
    RunSettings,
    TextVerdict,
    TicketSpec,
)
from console.tui.keyguard import ALONE, SETTLE
from console.tui.screens.review import Review


class Queue:
    """What happens in the queue of a desk."""

    def __init__(self, play: DeskPlay) -> None:
        self.play = play

    def ticket(
        self,
        name: str,
        title: str = "",
        text: str = "",
        *,
        held: str = "",
        verdict: TextVerdict | None = None,
        **spec: Any,
    ) -> str:
        digest = f"sha-{name}"
        self.play.now += 1
        self.play.texts[digest] = text or f"# {title or name}\n\nDo it well.\n"
        self.play.fold(
            ev.TicketSeen(
                ticket=name,
                file=f"{name}.md",
                digest=digest,
                stamp="1",
                spec=TicketSpec(title=title or f"Title of {name}", **spec),
                verdict=verdict or TextVerdict(rule="none", why="no word of caution"),
                held=held,
            )
        )
        return name

    def run(self, *, attended: bool = False, **settings: Any) -> str:
        run = f"run-{len(self.play.state.runs) + 1}"
        self.play.fold(ev.RunStarted(run=run, settings=RunSettings(**settings), by=ME, attended=attended))
        return run

    def claimed(self, name: str, attempt: int = 1) -> None:
        run = next(reversed(self.play.state.runs), "")
        self.play.fold(
            ev.TicketClaimed(ticket=name, run=run, attempt=attempt, digest=f"sha-{name}", verdict=TextVerdict())
        )

    def begun(self, name: str, attempt: int = 1, stacked_on: tuple[str, ...] = ()) -> tuple[str, str]:
        """Its session and its policy."""
        self.play.now += 5
        self.claimed(name, attempt)
        session = f"s-{len(self.play.state.sessions) + 1}"
        policy = f"pol-{len(self.play.state.policies) + 1}"
        spec = PolicySpec(
            sessions=(session,),
            then="commit",
            gate=GATE,
            commit=CommitSpec(paths=(), message=f"Title of {name}", everything=True),
            ticket=name,
        )
        added = ev.SessionAdded(
            session=session,
            label=name,
            preset="demo",
            launch=Launch(argv=("agent",)),
            cwd="/w",
            worktree="/w",
            by=ME,
            ticket=name,
        )
        self.play.fold(
            added,
            ev.PromptQueued(session=session, turn=1, text="Work on it", cause="ticket"),
            ev.PolicyAttached(policy=policy, spec=spec, since=self.play.state.seq, by=ME),
            ev.TicketBegun(
                ticket=name,
                attempt=attempt,
                session=session,
                policy=policy,
                worktree=f"/data/{name}",
                branch=f"nightdesk/{name}",
                base="b" * 40,
                place="main as it is",
                stacked_on=stacked_on,
            ),
            ev.SessionStarted(session=session, run=1, pid=11, shim_pid=10),
            ev.TurnStarted(session=session, turn=1, head="b" * 40),
        )
        return session, policy

    def ends(self, name: str, outcome: Outcome, why: str = "because", **more: Any) -> None:
        self.play.now += 5
        t = self.play.state.tickets[name]
        self.play.fold(ev.TicketEnded(ticket=name, attempt=t.attempt, outcome=outcome, why=why, run=t.run, **more))

    def parks(
        self,
        name: str,
        question: str = "Which way?",
        *options: str,
        foundational: bool = False,
        evidence: tuple[str, ...] = ("line 3: tenant",),
        why: str = "the text speaks of tenants",
    ) -> str:
        """The decision's id."""
        self.play.now += 5
        d = f"dec-{len(self.play.state.decisions) + 1}"
        readings = tuple(Interpretation(text=text, source="rule") for text in options)
        self.play.fold(
            ev.DecisionParked(
                decision=d,
                ticket=name,
                foundational=foundational,
                why=why,
                question=question,
                options=readings,
                evidence=evidence,
                category="security" if foundational else "ambiguity",
            )
        )
        self.ends(name, "PARKED_FOUNDATIONAL" if foundational else "PARKED_DECISION", "a person decides", decision=d)
        return d

    def plan(
        self,
        name: str,
        outcome: Outcome = "DONE",
        *,
        assessment: Assessment | None = None,
        flags: tuple[str, ...] = (),
        stacked_on: tuple[str, ...] = (),
        why: str = "its gate is green",
    ) -> str:
        """The ticket's work waits as a plan; its commit id."""
        if name not in self.play.state.tickets:
            self.ticket(name)
        session, policy = self.begun(name, stacked_on=stacked_on)
        frozen = self.play.frozen(f"Title of {name}", f"nightdesk/{name}", DIFF)
        self.play.now += 5
        self.play.fold(
            ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn", head="b" * 40),
            ev.PolicyQueued(policy=policy),
            ev.PolicyGating(policy=policy, attempt=1, base_head="b" * 40),
            ev.PolicyJudged(policy=policy, attempt=1, plan=frozen, assessment=assessment),
            ev.PolicyCommitReady(
                policy=policy,
                plan=frozen.commit,
                cwd="/w",
                paths=("shop/cart.py",),
                message=f"Title of {name}",
                frozen=frozen,
                sessions=(session,),
                assessment=assessment,
            ),
        )
        self.ends(name, outcome, why, plan=frozen.commit, flags=flags)
        return frozen.commit


def reviewing(pilot: Pilot[Any]) -> Review:
    """The review, also when a dialog is over it."""
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Review))


async def drawn(pilot: Pilot[Any], thing: str) -> Review:
    """The review shows this, has shown it long enough, and no key was pressed just now."""
    shown = reviewing(pilot)

    def settled() -> bool:
        now = time.monotonic()
        quiet = now - shown.guard.last_key > ALONE * 1.2
        long_ago = now - shown._thing_drawn[1] > SETTLE and shown._thing() == shown._thing_drawn[0]
        plan = thing.removeprefix("plan:") if thing.startswith("plan:") else ""
        seen = not plan or (shown.guard.shown == plan and now - shown.guard.since > SETTLE)
        return shown.here == thing and quiet and long_ago and seen

    await until(pilot, settled)
    return shown


@asynccontextmanager
async def review(play: DeskPlay, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Pilot[Any], Review]]:
    """The review of a desk, opened by its key."""
    async with screen(play, size) as (pilot, _):
        await pilot.press("m")
        await until(pilot, lambda: any(isinstance(s, Review) for s in pilot.app.screen_stack))
        await pilot.pause()
        yield pilot, reviewing(pilot)


async def ready(pilot: Pilot[Any], desk: Any, thing: str) -> None:
    """The desk has shown this thing long enough for a key to count, and no key was pressed just now."""

    def settled() -> bool:
        lone = time.monotonic() - desk.guard.last_key > ALONE * 1.5
        return bool(lone and desk.subject.id == thing and not desk.too_soon())

    await until(pilot, settled)


def decision(queue: Queue, name: str = "T-1", question: str = "", *, foundational: bool = False) -> str:
    queue.ticket(name)
    return queue.parks(name, question or f"Which way for {name}?", "Left", "Right", foundational=foundational)


def failed(queue: Queue, name: str, outcome: Any = "FAILED_BUG_IN_AGENT") -> str:
    queue.ticket(name)
    queue.begun(name)
    queue.ends(name, outcome, "twice the same failure")
    return name


def a_morning(play: DeskPlay, queue: Queue, question: str = "") -> list[str]:
    """Twelve things that wait; their subjects in the order of the review. question: of the first decision."""
    queue.run()
    one = queue.plan("P-1", assessment=risk(1))
    plain = decision(queue, "D-1")
    root = decision(queue, "D-2", question, foundational=True)
    three = queue.plan("P-3", assessment=risk(3))
    doubt = queue.plan("P-4", "DONE_LOW_CONFIDENCE", flags=("a test was skipped",))
    two = queue.plan("P-2", assessment=risk(2))
    on_top = queue.plan("P-5", assessment=risk(3), stacked_on=(one,))
    failed(queue, "F-1")
    failed(queue, "F-2", "BLOCKED_ENV")
    failed(queue, "F-3", "FAILED_RETRYABLE")
    queue.ticket("H-1", held="an agent could have put it there")
    queue.ticket("H-2", held="the same")
    plans = (three, two, one, on_top)
    return [
        f"decision:{root}",
        f"decision:{plain}",
        f"plan:{doubt}",
        *(f"plan:{plan}" for plan in plans),
        *(f"ticket:{name}" for name in ("F-1", "F-2", "F-3", "H-1", "H-2")),
    ]
