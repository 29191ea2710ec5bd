"""Chains and routines on a desk to try, folded from facts; what the screen sends is decided for real."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from deskplay import DIFF, ME, WIDE, DeskPlay, screen, until
from queuedesk import Queue
from textual.pilot import Pilot

from console.core import events as ev
from console.core.records import CommitSpec, Launch, Option, Outcome, PolicySpec, TicketSpec
from console.core.records_chains import Link, LinkKind, Review, ReviewLimits, Verdict
from console.core.records_routines import RoutineSpec, Step
from console.tui.keyguard import ALONE, SETTLE
from console.tui.screens.board import Board

LIMITS = ReviewLimits(when="high_risk", reviewer="codex", max_cycles=5, presets=("claude", "codex"))


class Chains:
    """What happens in the chains of a desk."""

    def __init__(self, play: DeskPlay, queue: Queue) -> None:
        self.play, self.queue = play, queue
        self._last: dict[str, str] = {}

    def on(self) -> None:
        self.play.fold(ev.ChainsSwitched(on=True, by=ME), ev.ChainLimitsRead(limits=LIMITS))

    def spawned(self, kind: LinkKind, root: str, head: str, cycle: int = 1) -> str:
        """A queued review or repair of this plan; its id."""
        self.play.now += 5
        name = f"{root}+{kind}-{cycle}"
        policy = self.play.state.plans[head].policy
        link = Link(kind=kind, root=root, head=head, policy=policy, after=self._last.get(root, root), cycle=cycle)
        self._last[root] = name
        spec = TicketSpec(title=f"{kind.title()} {cycle} of {root}", agent="codex" if kind == "review" else "claude")
        key = f"{kind}:{root}:{head}"
        self.play.fold(ev.ChainSpawned(ticket=name, link=link, spec=spec, key=key, why="it is of high risk"))
        return name

    def begun(self, name: str) -> tuple[str, str]:
        """Its session and its policy."""
        self.play.now += 5
        state = self.play.state
        t = state.tickets[name]
        link = t.link
        assert link
        session, policy = f"s-{len(state.sessions) + 1}", f"pol-{len(state.policies) + 1}"
        self.queue.claimed(name)
        review = link.kind == "review"
        spec = PolicySpec(
            sessions=(session,),
            then="emit" if review else "commit",
            commit=None if review else CommitSpec(paths=(), message="Repair", everything=True),
            ticket=name,
            review=link.head if review else "",
            replaces="" if review else link.head,
        )
        launch = Launch(argv=("agent",))
        added = ev.SessionAdded(
            session=session,
            label=name,
            preset=t.spec.agent,
            launch=launch,
            cwd="/w",
            worktree="/w",
            by=ME,
            ticket=name,
            read_only=review,
        )
        self.play.fold(
            added,
            ev.PromptQueued(session=session, turn=1, text="Look at it", cause="ticket"),
            ev.PolicyAttached(policy=policy, spec=spec, since=self.play.state.seq, by=ME),
            ev.TicketBegun(
                ticket=name,
                attempt=1,
                session=session,
                policy=policy,
                worktree="/data/x",
                branch=f"nightdesk/{name}",
                base="b" * 40,
            ),
            ev.SessionStarted(session=session, run=1, pid=11, shim_pid=10),
            ev.TurnStarted(session=session, turn=1, head="b" * 40),
        )
        return session, policy

    def says(self, name: str, verdict: Verdict, findings: str = "", why: str = "") -> None:
        """The review ends with this verdict."""
        if self.play.state.tickets[name].phase == "queued":
            self.begun(name)
        t = self.play.state.tickets[name]
        assert t.link
        self.play.now += 60
        review = Review(
            verdict=verdict,
            commit=t.link.head,
            why=why or f"its last line says {verdict or 'nothing that can be read'}",
            findings=findings,
            preset=t.spec.agent,
            session=t.session,
        )
        self.play.fold(ev.ReviewJudged(ticket=name, attempt=1, review=review))
        self.play.fold(ev.TurnEnded(session=t.session, turn=1, ok=True, stop="end_turn"))
        self.queue.ends(name, "DONE" if verdict else "FAILED_BUG_IN_AGENT", review.why)

    def repaired(self, name: str) -> str:
        """The repair is done; its plan, which takes the place of the one it repairs."""
        if self.play.state.tickets[name].phase == "queued":
            self.begun(name)
        t = self.play.state.tickets[name]
        assert t.link
        frozen = self.play.frozen(f"Repair of {t.link.root}", f"nightdesk/{name}", DIFF)
        self.play.now += 60
        self.play.fold(
            ev.TurnEnded(session=t.session, turn=1, ok=True, stop="end_turn", head="b" * 40),
            ev.PolicyQueued(policy=t.policy),
            ev.PolicyGating(policy=t.policy, attempt=1, base_head="b" * 40),
            ev.PolicyJudged(policy=t.policy, attempt=1, plan=frozen),
            ev.PolicyCommitReady(
                policy=t.policy,
                plan=frozen.commit,
                cwd="/w",
                paths=("shop/cart.py",),
                message="Repair",
                frozen=frozen,
                sessions=(t.session,),
                replaced=t.link.head,
            ),
            ev.PolicyCancelled(policy=t.link.policy, reason="repaired"),
            ev.PlanSuperseded(policy=t.link.policy, plan=t.link.head, reason="its repair took its place"),
        )
        self.queue.ends(name, "DONE", "its gate is green", plan=frozen.commit)
        return frozen.commit

    def shipped(self, name: str) -> None:
        t = self.play.state.tickets[name]
        assert t.link
        key = f"ship:{t.link.root}:{t.link.head}"
        self.play.fold(ev.ChainShipped(root=t.link.root, ticket=name, plan=t.link.head, key=key))

    def escalated(self, name: str, why: str) -> None:
        t = self.play.state.tickets[name]
        assert t.link
        key = f"escalate:{t.link.root}:{t.link.head}"
        self.play.fold(ev.ChainEscalated(root=t.link.root, ticket=name, plan=t.link.head, why=why, key=key))

    # -- whole ones --------------------------------------------------------------------------------------

    def ready(self, root: str = "T-1") -> str:
        """BLOCK, repair, SHIP; the plan that waits."""
        first = self.queue.plan(root, "DONE_LOW_CONFIDENCE", flags=("nobody has reviewed it",))
        self.says(self.spawned("review", root, first), "BLOCK", "The empty cart is wrong.\nSee shop/cart.py:3.\n")
        second = self.repaired(self.spawned("repair", root, first))
        review = self.spawned("review", root, second, 2)
        self.says(review, "SHIP", "Nothing to add.\n")
        self.shipped(review)
        return second

    def stubborn(self, root: str = "T-2", findings: str = "It still rounds down.\n") -> str:
        """BLOCK at its last cycle; the plan that waits."""
        plan = self.queue.plan(root, "DONE_LOW_CONFIDENCE", flags=("the review said BLOCK",))
        review = self.spawned("review", root, plan)
        self.says(review, "BLOCK", findings)
        self.escalated(review, "1 of at most 1 reviews said BLOCK")
        return plan

    def repairing(self, root: str = "T-3") -> tuple[str, str]:
        """BLOCK, and its repair is at work; the plan, and the repair's session."""
        plan = self.queue.plan(root, "DONE_LOW_CONFIDENCE", flags=("the review said BLOCK",))
        self.says(self.spawned("review", root, plan), "BLOCK", "A test is missing.\n")
        return plan, self.begun(self.spawned("repair", root, plan))[0]

    # -- routines ----------------------------------------------------------------------------------------

    def routine(self, name: str = "deploy", *steps: Step) -> str:
        self.play.now += 5
        routine = f"rt-{len(self.play.state.routines) + 1}"
        spec = RoutineSpec(name=name, steps=steps or (Step(name="build"), Step(name="check"), Step(name="ship")))
        self.play.fold(ev.RoutineStarted(routine=routine, spec=spec, by=ME))
        return routine

    def at_step(self, routine: str, step: int, *sessions: str) -> None:
        since = dict.fromkeys(sessions, self.play.state.seq)
        self.play.fold(*(ev.RoutineStepDone(routine=routine, step=i) for i in range(step)))
        self.play.fold(ev.RoutineStepBegun(routine=routine, step=step, since=since))

    def calls(self, routine: str, title: str, until: float, *options: Option, **more: Any) -> None:
        step = self.play.state.routines[routine].step
        fact = ev.RoutineEscalated(routine=routine, step=step, title=title, until=until, options=options, **more)
        self.play.fold(fact)


def outcome(play: DeskPlay, ticket: str) -> Outcome | None:
    return play.state.tickets[ticket].outcome


def board_of(pilot: Pilot[Any]) -> Board:
    """The board, also when a dialog is over it."""
    return next(each for each in pilot.app.screen_stack if isinstance(each, Board))


@asynccontextmanager
async def board(play: DeskPlay, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Pilot[Any], Board]]:
    """The board of a desk, opened by its key."""
    async with screen(play, size) as (pilot, _):
        await pilot.press("b")
        await until(pilot, lambda: any(isinstance(each, Board) and each.is_mounted for each in pilot.app.screen_stack))
        await pilot.pause()
        yield pilot, board_of(pilot)


async def lone(pilot: Pilot[Any], shown: Any, thing: str) -> None:
    """This has been shown long enough for a key to count, and no key was pressed just now."""

    def settled() -> bool:
        quiet = time.monotonic() - shown.guard.last_key > max(ALONE * 1.5, 0.0)
        long_ago = time.monotonic() - shown._thing_drawn[1] > SETTLE
        return bool(shown.subject.id == thing and quiet and long_ago and not shown.too_soon())

    await until(pilot, settled)
