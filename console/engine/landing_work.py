"""Effects on plans: land an approved one, take a landed one back. The intent is in the log before a ref moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from console.core import due, queue
from console.core import events as ev
from console.core.commits import Plan, short
from console.core.records import Frozen, Refused
from console.core.state import State
from console.engine.ports import Landed, Locked, Moved, Unable
from console.engine.repository_work import RepositoryWork
from console.engine.world import Tell, World


class LandingWork:
    def __init__(self, world: World, state: Callable[[], State], tell: Tell, repository: RepositoryWork) -> None:
        self._world = world
        self._state = state
        self._tell = tell
        self._repository = repository

    async def land(self, effect: due.LandPlan) -> None:
        """Check, write the intent, move the ref, write the outcome. Begins wherever a crash left it."""
        plan = self._state().plans[effect.plan]
        found = False
        if plan.state == "landing":
            found = await asyncio.to_thread(self._world.git.landed, plan.to_land)
        elif not await self._may_land(plan):
            return
        plan = self._state().plans[effect.plan]
        result = await asyncio.to_thread(self._world.git.land, plan.to_land)
        if isinstance(result, Moved) and await asyncio.to_thread(self._world.git.landed, plan.to_land):
            # The git of a supervisor that was killed got there first.
            found, result = True, await asyncio.to_thread(self._world.git.land, plan.to_land)
        match result:
            case Landed():
                notes = ("found landed after a restart" if found else "", result.index_note, await self._written(plan))
                await self._committed(plan, "; ".join(note for note in notes if note))
            case Moved():
                await self._moved(plan, result)
            case Refused():
                await self._stays(plan, result.reason)

    async def _may_land(self, plan: Plan) -> bool:
        """Checked and written down as an intent. False: it was told why not."""
        try:
            return await self._ready(plan) and await self._intend(plan)
        except Unable as unable:  # nothing was touched yet
            await self._stays(plan, unable.reason)
            return False

    async def _intend(self, plan: Plan) -> bool:
        """Sign where a signature is asked for, then write the intent. False: the plan waits again, with the reason."""
        signed = await asyncio.to_thread(self._world.signing.sign, plan.frozen)
        if isinstance(signed, (Locked, Refused)):
            await self._stays(plan, signed.reason, signed.unlock if isinstance(signed, Locked) else ())
            return False
        await self._tell(
            ev.PlanLanding(
                policy=plan.policy,
                plan=plan.plan,
                ref=plan.frozen.ref,
                old=plan.frozen.ref_old,
                commit=signed.commit if signed else "",
            )
        )
        return self._state().plans[plan.plan].state == "landing"

    async def _stays(self, plan: Plan, reason: str, unlock: tuple[str, ...] = ()) -> None:
        await self._tell(ev.LandingRefused(policy=plan.policy, plan=plan.plan, reason=reason, unlock=unlock))

    async def _ready(self, plan: Plan) -> bool:
        """The world at the key press: an unmoved ref, unchanged bytes and an untouched git dir, or it does not land."""
        facts, held = await self._repository.trusted("approval")
        if facts:
            await self._tell(*facts)
        if held:
            await self._stays(plan, held)
            return False
        moved = await asyncio.to_thread(self._world.git.moved, plan.frozen)
        if moved and not await asyncio.to_thread(self._world.git.landed, plan.frozen):
            await self._moved(plan, moved)
            return False
        if fresh := await self._on_what_landed(plan):
            await self._tell(fresh)
            return False
        check = self._world.git.unlike_base if self._in_place(plan) else self._world.git.drift
        changed = await asyncio.to_thread(check, plan.frozen)
        if changed:
            names = ", ".join(changed)
            reason = f"changed on disk after the plan was frozen: {names}; `policy retry` freezes what is there now"
            await self._tell(ev.PlanVoided(policy=plan.policy, plan=plan.plan, reason=reason, paths=changed))
            return False
        return True

    async def _on_what_landed(self, plan: Plan) -> ev.Fact | None:
        """A plan that builds on another one whose commit landed under another id (signed, rebased) follows it."""
        state = self._state()
        ticket = state.tickets.get(state.policies[plan.policy].spec.ticket)
        if not ticket or not ticket.stacked_on or ticket.plan != plan.plan:
            return None
        below = queue.present(state, state.plans[ticket.stacked_on[-1]]).to_land.commit
        if below == plan.frozen.base or await asyncio.to_thread(self._world.git.landed, plan.frozen):
            return None
        when = int(self._world.now())
        fresh = await asyncio.to_thread(self._world.git.rebase, plan.frozen, below, when)
        if isinstance(fresh, Refused):
            reason = f"what it builds on landed as {below[:10]}, and {fresh.reason}"
            return ev.PlanVoided(policy=plan.policy, plan=plan.plan, reason=reason)
        return ev.PlanRebased(policy=plan.policy, plan=plan.plan, fresh=fresh)

    def _in_place(self, plan: Plan) -> bool:
        commit = self._state().policies[plan.policy].spec.commit
        return bool(commit and commit.in_place)

    async def _written(self, plan: Plan) -> str:
        """Work in place left the checkout when it was frozen; with its commit it comes back (ruling 7)."""
        if not self._in_place(plan):
            return ""
        written = await asyncio.to_thread(self._world.git.write_back, plan.to_land)
        return f"its files were not written into the checkout: {written.reason}" if isinstance(written, Refused) else ""

    async def _committed(self, plan: Plan, note: str) -> None:
        await self._repository.landed(plan.frozen.ref)
        await self._tell(
            ev.PolicyCommitted(
                policy=plan.policy, plan=plan.plan, sha=plan.to_land.commit, ref=plan.frozen.ref, note=note
            )
        )

    async def _moved(self, plan: Plan, moved: Moved) -> None:
        branch = plan.frozen.ref.removeprefix("refs/heads/")
        fresh: Frozen | Refused = Refused(reason=f"{branch} is gone or was rewritten")
        if not moved.overlap and moved.now:
            when = int(self._world.now())
            fresh = await asyncio.to_thread(self._world.git.rebase, plan.frozen, moved.now, when)
        if isinstance(fresh, Frozen):
            await self._tell(ev.PlanRebased(policy=plan.policy, plan=plan.plan, fresh=fresh))
            return
        what = f"both it and the plan change {', '.join(moved.overlap)}" if moved.overlap else fresh.reason
        reason = f"{branch} moved to {moved.now[:10] or 'nothing'} after the plan was frozen, and {what}"
        await self._tell(ev.PlanVoided(policy=plan.policy, plan=plan.plan, reason=reason, paths=moved.overlap))

    async def undo(self, effect: due.UndoPlan) -> None:
        plan = self._state().plans[effect.plan]
        back = await asyncio.to_thread(self._world.git.moved, plan.frozen) is None
        result = await asyncio.to_thread(self._world.git.undo, plan.to_land)
        if isinstance(result, Landed):
            notes = ("the branch was back already" if back else "", result.index_note)
            await self._restored(plan, "; ".join(note for note in notes if note))
        elif await asyncio.to_thread(self._world.git.moved, plan.frozen) is None:
            # The git of a supervisor that was killed got there first.
            await self._restored(plan, "the branch was back already")
        else:
            await self._tell(
                ev.UndoRefused(
                    policy=plan.policy,
                    plan=plan.plan,
                    reason=f"plan {short(plan.plan)} stays landed: {result.reason}",
                )
            )

    async def _restored(self, plan: Plan, note: str) -> None:
        await self._repository.landed(plan.frozen.ref)
        await self._tell(ev.PlanRestored(policy=plan.policy, plan=plan.plan, was="landed", note=note))
