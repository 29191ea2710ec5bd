"""Begins a review or a repair: a worktree of its own that holds the candidate's files, and the prompt.

It is made from git objects that are in the log, never from what lies in the implementer's worktree; whatever is not as
it was is a reason not to begin. Decides nothing about the chain.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from console.core import commands as cmd
from console.core.commits import Plan
from console.core.drain import Run
from console.core.records import Launch, Refused
from console.core.records_chains import Link
from console.core.reviewprompts import repair_prompt, review_prompt
from console.core.state import State
from console.core.tickets import Ticket, label
from console.engine.setting_up import Ground, SettingUp
from console.engine.world import World

OPEN = ("waiting", "approved", "landing", "undoing")
"""States of a plan about which something can still be said."""


@dataclass(frozen=True, slots=True)
class Task:
    """One review or repair. plan: that it is about; below: the plans that this is stacked on, the lowest first."""

    t: Ticket
    link: Link
    root: Ticket
    plan: Plan
    below: tuple[Plan, ...]
    run: Run


class ChainWork:
    """handed: a preset's launch with the environment names that are set now."""

    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        setup: SettingUp,
        handed: Callable[[Launch], Launch],
        making: asyncio.Lock,
    ) -> None:
        self._world = world
        self._state = state
        self._setup = setup
        self._handed = handed
        self._making = making

    async def prepared(self, t: Ticket, link: Link, run: Run) -> cmd.BeginWork | Refused:
        """Idempotent: after a crash it takes up what it made before."""
        task = self._task(t, link, run)
        if isinstance(task, Refused):
            return task
        name = t.spec.agent or run.settings.agent
        launch = run.settings.presets.get(name)
        if launch is None:
            names = ", ".join(sorted(run.settings.presets)) or "none"
            return Refused(reason=f"no preset {name!r} in the settings of this run; it has {names}")
        gate = t.spec.gate or run.settings.gate
        if link.kind == "repair" and gate and gate.argv and gate.argv[0] not in run.settings.allowed:
            return Refused(
                reason=f"its gate {gate.argv[0]!r} is not in allowed_commands; add it there, or change the gate"
            )
        text = await self._text(task.root)
        if isinstance(text, Refused):
            return text
        async with self._making:  # one worktree at a time: git takes locks for it
            ground = await asyncio.to_thread(self._ground, task)
        if isinstance(ground, Refused):
            return ground
        if link.kind == "repair" and ground.fresh and (refused := await self._setup.run(t, run, ground)):
            return refused
        return await self._begun(task, ground, name, await asyncio.to_thread(self._handed, launch), text)

    def _task(self, t: Ticket, link: Link, run: Run) -> Task | Refused:
        state = self._state()
        root, plan = state.tickets.get(link.root), state.plans.get(link.head)
        if t.holder != "loop":
            return Refused(reason=f"a {link.kind} is for the run's own sessions, not for a worker that pulls tickets")
        if link.kind == "repair" and run.settings.workspace == "in_place":
            return Refused(
                reason="work in place is not repaired by itself, as the checkout is yours: send the ticket back with "
                "what the review found, or reject its plan"
            )
        if root is None or plan is None:
            return Refused(reason=f"{link.root}, or its plan {link.head[:10]}, is not in the log any more")
        if plan.state not in OPEN:
            return Refused(reason=f"the plan {link.head[:10]} that it is about is {plan.state} by now")
        return Task(t, link, root, plan, below(state, plan), run)

    async def _text(self, root: Ticket) -> str | Refused:
        if not self._world.folder:
            return Refused(reason="there is no tickets folder")
        return await asyncio.to_thread(self._world.folder.text, root.pinned)

    # -- the worktree ------------------------------------------------------------------------------------

    def _ground(self, task: Task) -> Ground | Refused:
        """Blocks."""
        t, git = task.t, self._world.git
        begin = start(self._state(), task.plan)
        if t.worktree and os.path.isdir(t.worktree):
            kept = git.ticket_worktree(os.path.basename(t.worktree), t.branch, "")
            if not isinstance(kept, Refused) and kept.head == begin:
                return self._as_ground(task, kept.path, t.branch, kept.ref, kept.head, fresh=False)
        name = t.ticket if not t.worktree else f"{t.ticket}+{t.attempt}"
        tree = git.ticket_worktree(name, label(name), begin)
        if isinstance(tree, Refused):  # whoever knew the name and took the place before keeps no review away
            name = f"{name}+{secrets.token_hex(6)}"
            tree = git.ticket_worktree(name, label(name), begin)
        if isinstance(tree, Refused):
            return tree
        self._world.watch.accept_worktree(tree.path)
        self._world.watch.accept_refs(frozenset({tree.ref}))
        if refused := git.stack(tree.path, task.plan.frozen):
            return refused
        return self._as_ground(task, tree.path, label(name), tree.ref, tree.head, fresh=True)

    def _as_ground(self, task: Task, path: str, branch: str, ref: str, head: str, *, fresh: bool) -> Ground:
        """What is there beside the candidate's own files comes from `setup`, so that is measured against the
        candidate."""
        return Ground(
            path=path,
            branch=branch,
            ref=ref,
            head=head,
            base=task.plan.plan,
            fresh=fresh,
            plans=(*task.below, task.plan),
        )

    # -- the session -------------------------------------------------------------------------------------

    async def _begun(
        self, task: Task, ground: Ground, preset: str, launch: Launch, text: str
    ) -> cmd.BeginWork | Refused:
        """The work is measured against what the candidate was measured against."""
        base = task.plan.frozen.base
        prompt = await asyncio.to_thread(self._prompt, task, text)
        place = await asyncio.to_thread(self._world.git.place, base) if not task.plan.frozen.stores else ""
        return cmd.BeginWork(
            ticket=task.t.ticket,
            attempt=task.t.attempt,
            worktree=ground.path,
            branch=ground.branch,
            ref=ground.ref,
            head=ground.head,
            base=base,
            launch=launch,
            preset=preset,
            prompt=prompt,
            place=place,
            stacked_on=tuple(p.plan for p in task.below),
            stores=task.plan.frozen.stores,
        )

    def _prompt(self, task: Task, text: str) -> str:
        """Blocks."""
        state, plan = self._state(), task.plan
        names = [name for p in task.below if (name := state.policies[p.policy].spec.ticket)]
        judged = state.policies[plan.policy]
        if task.link.kind == "review":
            diff = self._world.git.diff(plan.frozen).decode("utf-8", "replace")
            return review_prompt(
                task.t,
                task.root,
                text,
                plan,
                diff=diff,
                gate=judged.spec.gate,
                result=judged.result,
                stacked=names,
            )
        return repair_prompt(
            task.t,
            task.root,
            text,
            plan,
            findings=found(state, task.link, plan),
            gate=task.t.spec.gate or task.run.settings.gate,
            stacked=names,
            attended=task.run.attended,
        )


def found(state: State, link: Link, plan: Plan) -> str:
    """What the review said that this repair answers."""
    review = state.tickets[link.after].review if link.after in state.tickets else None
    if review is None or review.commit != plan.plan:
        review = next((one for one in reversed(plan.reviews) if one.verdict == "BLOCK"), None)
    return (review.findings.strip() or review.why) if review else "The reviewer named no findings."


def below(state: State, plan: Plan) -> tuple[Plan, ...]:
    """The plans that a plan's work was stacked on when it was made, the lowest first; also landed ones."""
    maker = state.tickets.get(state.policies[plan.policy].spec.ticket)
    if not maker or not plan.frozen.stores:
        return ()
    return tuple(state.plans[name] for name in maker.stacked_on if name in state.plans)


def start(state: State, plan: Plan) -> str:
    """The commit that a branch for its files begins at: one that the repository holds, and that the candidate descends
    from. What its maker committed meanwhile is no part of that."""
    seen = {plan.plan}
    while plan.frozen.stores:  # its base is a candidate itself
        lower = below(state, plan)
        if not lower or lower[0].plan in seen:
            return plan.frozen.ref_old or plan.frozen.base
        plan = lower[0]
        seen.add(plan.plan)
    return plan.frozen.base
