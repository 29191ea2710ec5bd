"""Effects on tickets: make the worktree and begin, the waits with a deadline, and what workers leave in their inbox."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from console.core import commands as cmd
from console.core import due, queue
from console.core import events as ev
from console.core.commits import Plan
from console.core.drain import Run
from console.core.prompting import first_prompt
from console.core.records import Launch, Refused
from console.core.sessions import Session
from console.core.state import State, open_run, ticket_of
from console.core.tickets import Ticket, label
from console.engine.chain_work import ChainWork
from console.engine.droppings import plain
from console.engine.journal import Result
from console.engine.ports import Unable
from console.engine.pulse import OwnTime
from console.engine.setting_up import Ground, SettingUp, stores_of
from console.engine.world import Tell, World

EXTERNAL = Launch(argv=("nightdesk", "next"), protocol="external")
NAP = 1.0
"""Longest sleep of a wait, so that a clock that was set and time that we did not have are noticed."""


class TicketWork:
    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        tell: Tell,
        append: Callable[[cmd.Command], Awaitable[Result]],
        making: asyncio.Lock,
        *,
        own: OwnTime | None = None,
    ) -> None:
        """making: held while git makes a worktree, which takes locks that are nobody's trouble. own: what limits are
        measured in."""
        self._world = world
        self._state = state
        self._tell = tell
        self._append = append
        self._making = making
        self._own = own or OwnTime()
        self._setup = SettingUp(world, state)
        self._chains = ChainWork(world, state, self._setup, self._handed, making)

    # -- beginning ---------------------------------------------------------------------------------------

    async def prepare(self, effect: due.Prepare) -> None:
        """Idempotent: after a crash it takes up what it made before."""
        t = self._state().tickets[effect.ticket]
        run = self._state().runs[t.run]
        try:
            begun = await self._prepared(t, run)
        except Unable as unable:
            begun = Refused(reason=unable.reason)
        if isinstance(begun, Refused):
            blocked = ev.TicketEnded(
                ticket=t.ticket, attempt=effect.attempt, outcome="BLOCKED_ENV", why=begun.reason, run=t.run
            )
            await self._tell(blocked)
        else:
            await self._append(begun)  # refused when the claim is over meanwhile: then nothing begins

    async def _prepared(self, t: Ticket, run: Run) -> cmd.BeginWork | Refused:
        if t.link:
            return await self._chains.prepared(t, t.link, run)
        pushed = t.holder == "loop"
        preset = (t.spec.agent or run.settings.agent) if pushed else ""
        launch = run.settings.presets.get(preset) if pushed else EXTERNAL
        if launch is None:
            return Refused(reason=f"no preset {preset!r} in the settings of this run; it has {_names(run)}")
        launch = await asyncio.to_thread(self._handed, launch)
        gate = t.spec.gate or run.settings.gate
        if gate and gate.argv and gate.argv[0] not in run.settings.allowed:
            return Refused(
                reason=f"its gate {gate.argv[0]!r} is not in allowed_commands; add it there, or change the gate"
            )
        folder = self._world.folder
        text = (
            await asyncio.to_thread(folder.text, t.pinned) if folder else Refused(reason="there is no tickets folder")
        )
        if isinstance(text, Refused):
            return text
        async with self._making:  # one worktree at a time: git takes locks for it
            ground = await self._ground(t, run)
        if isinstance(ground, Refused):
            return ground
        if ground.fresh and (refused := await self._setup.run(t, run, ground)):
            return refused
        snapshot = "" if pushed else await self._snapshot(t, ground.path)
        stacked = [name for p in ground.plans if (name := self._state().policies[p.policy].spec.ticket)]
        in_place = run.settings.workspace == "in_place"
        return cmd.BeginWork(
            ticket=t.ticket,
            attempt=t.attempt,
            worktree=ground.path,
            branch=ground.branch,
            ref=ground.ref,
            head=ground.head,
            base=ground.base,
            launch=launch,
            preset=preset,
            prompt=first_prompt(t, text, gate, stacked=stacked, in_place=in_place, attended=run.attended)
            if pushed
            else "",
            place=await asyncio.to_thread(self._world.git.place, ground.base) if not ground.plans else "",
            stacked_on=tuple(p.plan for p in ground.plans),
            stores=stores_of(ground.plans),
            snapshot=snapshot,
        )

    def _handed(self, launch: Launch) -> Launch:
        """With the names only that are set now, so that the log tells what an agent was given of the environment."""
        if not launch.pass_env:
            return launch
        env = self._world.session_env(launch)
        return replace(launch, pass_env=tuple(name for name in launch.pass_env if name in env))

    async def _ground(self, t: Ticket, run: Run) -> Ground | Refused:
        plans = queue.stack(self._state(), t)
        if run.settings.workspace == "in_place":
            return await self._checkout(plans)
        again = bool(t.worktree) and t.stacked_on == tuple(p.plan for p in plans) and os.path.isdir(t.worktree)
        if again and isinstance(kept := await self._kept(t, plans), (Ground, Refused)):
            return kept
        start = await asyncio.to_thread(self._start, t, plans)
        if isinstance(start, Refused):
            return start
        # A plus is in no ticket's id, so no other ticket ever has this name.
        name = t.ticket if not t.worktree else f"{t.ticket}+{t.attempt}"
        git = self._world.git
        tree = await asyncio.to_thread(git.ticket_worktree, name, label(name), start)
        if isinstance(tree, Refused):
            return tree
        await asyncio.to_thread(self._world.watch.accept_worktree, tree.path)
        await asyncio.to_thread(self._world.watch.accept_refs, frozenset({tree.ref}))
        if plans and (refused := await asyncio.to_thread(git.stack, tree.path, plans[-1].frozen)):
            return refused
        base = plans[-1].plan if plans else tree.head
        return Ground(
            path=tree.path, branch=label(name), ref=tree.ref, head=tree.head, base=base, fresh=True, plans=plans
        )

    async def _kept(self, t: Ticket, plans: tuple[Plan, ...]) -> Ground | Refused | None:
        """The worktree of an earlier attempt, as long as its branch is where that began, or where a plan of the ticket
        landed and the operator went on. None: it starts anew beside it, and nothing there is touched."""
        folder = os.path.basename(t.worktree)
        tree = await asyncio.to_thread(self._world.git.ticket_worktree, folder, t.branch, "")
        if isinstance(tree, Refused):
            return tree
        state = self._state()
        own = {p.policy for p in state.policies.values() if p.spec.ticket == t.ticket}
        landed = any(p.policy in own and p.state == "landed" for p in state.plans.values())
        if tree.head == t.base or plans or landed:
            base = tree.head if landed else t.base
            return Ground(
                path=tree.path, branch=t.branch, ref=tree.ref, head=tree.head, base=base, fresh=False, plans=plans
            )
        return None

    def _start(self, t: Ticket, plans: tuple[Plan, ...]) -> str | Refused:
        """The commit that a new branch begins at: "" for the main worktree's. What it is stacked on is not in the
        repository yet, so its branch begins where the lowest of that does. Blocks."""
        state = self._state()
        if plans:
            lowest = plans[0].frozen
            return lowest.ref_old or lowest.base
        landed = [
            plan.to_land.commit
            for name in t.spec.depends_on
            if (dep := state.tickets.get(name)) and dep.plan in state.plans
            if (plan := queue.present(state, state.plans[dep.plan])).state == "landed"
        ]
        apart = [commit for commit in landed if not self._world.git.merged(commit)]
        if not apart:
            return ""
        if top := queue.tip(state, t):
            return queue.present(state, state.plans[top.plan]).to_land.commit
        names = " and ".join(t.spec.depends_on)
        return Refused(reason=f"{names} have landed on branches of their own: merge them into yours first")

    async def _checkout(self, plans: tuple[Plan, ...]) -> Ground | Refused:
        """In place: the operator's own checkout, one ticket at a time."""
        if plans:
            return Refused(
                reason="it builds on work that has not landed, which work in place cannot: approve that first"
            )
        here = await asyncio.to_thread(self._world.git.turn_base, self._world.root)
        if isinstance(here, Refused):
            return here
        if unsaved := await asyncio.to_thread(self._world.git.uncommitted, 5):
            names = ", ".join(unsaved)
            return Refused(
                reason=f"the checkout holds changes that nobody committed ({names}): commit or move them first"
            )
        branch = here.ref.removeprefix("refs/heads/")
        return Ground(path=self._world.root, branch=branch, ref=here.ref, head=here.head, base=here.head, fresh=False)

    async def _snapshot(self, t: Ticket, worktree: str) -> str:
        name = f"pull-{plain(t.ticket)}/{t.attempt}"
        taken = await asyncio.to_thread(self._world.snapshots.take, worktree, name, int(self._world.now()))
        return "" if isinstance(taken, Refused) else taken.snapshot

    # -- waits -------------------------------------------------------------------------------------------

    async def wait(self, effect: due.Timed) -> None:
        """Report the end of a wait. None is longer than it was when it began, whatever becomes of the clock; it is
        measured in time that passed for us: a machine that slept or a supervisor that was stopped takes nothing from a
        turn. Only the end of a usage limit is a time of day as well."""
        await self._until(effect)
        match effect:
            case due.Deadline():
                await self._tell(ev.TicketOverdue(ticket=effect.ticket, attempt=effect.attempt, limit=effect.limit))
            case due.Wake():
                await self._tell(ev.TicketWoken(ticket=effect.ticket, attempt=effect.attempt))
            case due.Patience():
                await self._tell(
                    ev.ParkRequested(
                        ticket=effect.ticket,
                        attempt=effect.attempt,
                        question=effect.title or "the agent asks for a permission",
                        options=effect.options,
                    )
                )

    async def _until(self, effect: due.Timed) -> None:
        t = self._state().tickets[effect.ticket]
        match effect:
            case due.Deadline():
                longest = effect.limit
            case due.Wake():
                longest = t.until - t.since
            case due.Patience():
                longest = due.ATTENTION
        end = self._own.now() + min(longest, effect.at - self._world.now())
        while (left := end - self._own.now()) > 0:
            if isinstance(effect, due.Wake) and t.limited:
                left = min(left, effect.at - self._world.now())
            if left <= 0:
                return
            await asyncio.sleep(min(left, NAP))

    # -- once a second -----------------------------------------------------------------------------------

    async def look(self) -> None:
        """Whether the settings are still those of the run, and whether a worker asks for a decision."""
        run = open_run(self._state())
        if run and run.state != "halting":
            changed = await asyncio.to_thread(self._world.settings_changed, run.settings.digest)
            if changed:
                await self._tell(ev.RunHalting(run=run.run, reason=changed))
        for t in queue.in_flight(self._state()):
            s = self._state().sessions.get(t.session)
            if s and t.phase == "working" and not s.external and (facts := await self.asked(s)):
                await self._tell(*facts)

    async def asked(self, session: Session) -> tuple[ev.Fact, ...]:
        """What the session's agent left in its inbox."""
        t = ticket_of(self._state(), session.session)
        if not t or t.session != session.session:
            return ()
        notes = await asyncio.to_thread(self._world.inbox, session.session)
        return tuple(
            ev.ParkRequested(
                ticket=t.ticket,
                attempt=t.attempt,
                question=note.question,
                options=note.options,
                foundational=note.foundational,
            )
            for note in notes[:1]
        )


def _names(run: Run) -> str:
    return ", ".join(sorted(run.settings.presets)) or "none"
