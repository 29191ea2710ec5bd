"""The judgement of a turn: freeze, gate in the worktree, gate on the plan when they differ. Ends in `policy:judged`.

What a ticket's gate leaves in its worktree is no work: `droppings` keeps it out of the plans that follow.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from console.core import alerts, due, policies
from console.core import events as ev
from console.core.failures import counted
from console.core.policies import Policy
from console.core.records import Blame, CommitSpec, Finding, Frozen, Gate, GateResult, Refused
from console.core.state import State
from console.engine.blaming import Blaming
from console.engine.droppings import Droppings
from console.engine.gating import Gating
from console.engine.hooking import Hooked, Hooking
from console.engine.judge_work import JudgeWork
from console.engine.ports import FreezeRequest, TurnBase, Unable
from console.engine.repository_work import RepositoryWork
from console.engine.reviewing import Reviewing
from console.engine.world import Tell, World


@dataclass(slots=True)
class _Judged:
    """What a judgement has found so far."""

    plan: Frozen | None
    refused: str
    results: list[GateResult]
    notes: list[str]
    only_worktree: bool = False


class Judging:
    def __init__(self, world: World, state: Callable[[], State], tell: Tell, repository: RepositoryWork) -> None:
        self._world = world
        self._state = state
        self._tell = tell
        self._repository = repository
        self._gating = Gating(world, state, world.reports, JudgeWork(world, state, tell))
        self._hooking = Hooking(world)
        self._blaming = Blaming(world, self._gating, world.baselines)
        self._droppings = Droppings(world, lambda: self._state().plans)
        self._reviewing = Reviewing(world, state)

    async def judge(self, effect: due.Judge) -> None:
        policy = self._state().policies[effect.policy]
        try:
            if policy.spec.review:
                judged = await self._reviewing.judged(policy)
            elif policy.candidate:
                judged = await self._judge_candidate(policy, policy.candidate)
            else:
                judged = await self._judge_work(policy)
        except Unable as unable:  # a repository that git cannot read is no fault of ours, and no green
            judged = ev.PolicyJudged(policy=policy.policy, attempt=policy.attempt, refused=unable.reason)
        await self._tell(judged)

    async def _judge_candidate(self, p: Policy, plan: Frozen) -> ev.PolicyJudged:
        """A rebased plan: only objects count, so its gate runs in a clean checkout of it and nowhere else."""
        results = (await self._gating.on_plan(p, p.spec.gate, plan),) if p.spec.gate else ()
        note = f"the branch moved to {plan.base[:10]}; same changes, gated again there"
        assessment = await asyncio.to_thread(self._world.assess, plan, ())
        return ev.PolicyJudged(
            policy=p.policy,
            attempt=p.attempt,
            results=results,
            plan=plan,
            notes=(note,),
            assessment=assessment,
            blame=await self._blamed(p, plan, results),
        )

    async def _judge_work(self, p: Policy) -> ev.PolicyJudged:
        commit = p.spec.commit
        request = await self._request(p, commit) if commit else None
        if not isinstance(request, FreezeRequest):
            return await self._judge_plan(p, request)
        plan = await asyncio.to_thread(self._frozen, request)
        if not p.spec.ticket or not isinstance(plan, Frozen):
            return await self._judge_plan(p, plan)
        return await self._judge_ticket(p, request, plan)

    async def _judge_ticket(self, p: Policy, request: FreezeRequest, plan: Frozen) -> ev.PolicyJudged:
        name, judging = p.spec.ticket, f"{p.policy}/{p.attempt}"
        sifted = await asyncio.to_thread(self._droppings.sifted, name, judging, request, plan, self._frozen)
        left: tuple[str, ...] = ()
        try:
            judged = await self._judge_plan(p, sifted.plan)
        finally:  # also when it is given up: what its gate left is there all the same
            if isinstance(sifted.plan, Frozen) and p.spec.gate:
                left = await asyncio.to_thread(self._droppings.settled, name, request, sifted.plan)
        return replace(judged, notes=(*sifted.notes, *judged.notes, *left))

    async def _judge_plan(self, p: Policy, plan: Frozen | Refused | None) -> ev.PolicyJudged:
        if not isinstance(plan, Frozen) or not plan.paths:
            return await self._judge_unfrozen(p, plan)
        hooked = await self._hooked(p, plan)
        judged = _Judged(hooked.plan, hooked.refused, list(hooked.results), list(hooked.notes))
        if p.spec.gate and not any(result.verdict == "red" for result in hooked.results):
            await self._gate(p, p.spec.gate, judged)
        blame = await self._blamed(p, judged.plan, judged.results)
        kept = policies.passed(judged.results) or (blame and blame.kind in ("pre-existing", "flaky"))
        if judged.plan and blame and kept and (changed := await asyncio.to_thread(self._world.git.drift, judged.plan)):
            judged.refused, judged.plan = _changed_by_gate(changed), None
        assessment = None
        if judged.plan and kept:
            findings = (*hooked.findings, *await self._findings(p, judged.results))
            assessment = await asyncio.to_thread(self._world.assess, judged.plan, findings)
        return ev.PolicyJudged(
            policy=p.policy,
            attempt=p.attempt,
            results=tuple(judged.results),
            plan=judged.plan,
            refused=judged.refused,
            only_worktree=judged.only_worktree,
            notes=tuple(judged.notes),
            assessment=assessment,
            blame=blame,
        )

    async def _judge_unfrozen(self, p: Policy, plan: Frozen | Refused | None) -> ev.PolicyJudged:
        """Nothing is to be committed, nothing differs, or it cannot be frozen: the gate speaks about the worktree. Of a
        ticket it speaks about what nothing differs from; without a list of its work nobody could tell that from what
        the gate leaves there, so none is run."""
        results = []
        if p.spec.gate and isinstance(plan, Frozen) and plan.base and self._on_plan_only(p):
            results = [await self._gating.unchanged(p, p.spec.gate, plan.base)]
        elif p.spec.gate and not (p.spec.ticket and isinstance(plan, Refused)):
            results = [await self._gating.in_worktree(p, p.spec.gate)]
        return ev.PolicyJudged(
            policy=p.policy,
            attempt=p.attempt,
            results=tuple(results),
            refused=plan.reason if isinstance(plan, Refused) else "",
            unchanged=isinstance(plan, Frozen),
            blame=await self._blamed(p, None, results),
        )

    async def _blamed(self, p: Policy, plan: Frozen | None, results: Sequence[GateResult]) -> Blame | None:
        """Who a gate that was not green is down to; asked for tickets only, whose work is rolled back for it."""
        result = policies.deciding(results)
        if not p.spec.ticket or not p.spec.gate or not result or result.verdict == "green" or result.where == "hook":
            return None
        return await self._blaming.blame(p, p.spec.gate, plan, results)

    async def _hooked(self, p: Policy, plan: Frozen) -> Hooked:
        """What the operator's hooks say. With an alert open nobody knows whose hooks they are, and none is run."""
        facts, held = await self._repository.trusted("judging")
        if facts:
            await self._tell(*facts)
        if not held:
            return await self._hooking.run(p.policy, p.attempt, plan)
        text = f"judged without commit hooks, as {held}; it is judged again after that"
        finding = Finding(kind="hook", level="medium", rule=alerts.UNDER_ALERT, text=text)
        return Hooked(plan=plan, findings=(finding,))

    async def _gate(self, p: Policy, gate: Gate, judged: _Judged) -> None:
        """Green in the worktree, and green on what would be committed when that is something else (ruling 3). A
        ticket's work is only gated as what would be committed: what its agent left beside it proves nothing."""
        if judged.plan and (gate.judge or self._on_plan_only(p)):
            judged.results.append(await self._gating.on_plan(p, gate, judged.plan))
            if gate.judge:  # it is asked once, about exactly the plan; what is there must still be that
                await self._still(judged)
            return
        judged.results.append(await self._gating.in_worktree(p, gate))
        if not judged.plan or not await self._still(judged):
            return
        differs = await asyncio.to_thread(self._world.git.same_bytes, judged.plan)
        if differs and await asyncio.to_thread(self._world.gate_on) == "plan":
            judged.results.append(await self._gating.on_plan(p, gate, judged.plan))
            judged.only_worktree = judged.results[-1].verdict != "green"
        elif differs:
            judged.notes.append("gated in the worktree, which holds other changes than the plan")

    async def _still(self, judged: _Judged) -> bool:
        """Whether the last run was green on a plan whose files are as they were frozen."""
        if not judged.plan or judged.results[-1].verdict != "green":
            return False
        changed = await asyncio.to_thread(self._world.git.drift, judged.plan)
        if changed:
            judged.refused, judged.plan = _changed_by_gate(changed), None
        return not changed

    def _on_plan_only(self, p: Policy) -> bool:
        state = self._state()
        t = state.tickets.get(p.spec.ticket)
        run = state.runs.get(t.run) if t else None
        return bool(run and run.settings.gate_on == "plan")

    async def _findings(self, p: Policy, results: Sequence[GateResult]) -> tuple[Finding, ...]:
        """What makes a ticket's green worth less, beside what its diff shows."""
        t = self._state().tickets.get(p.spec.ticket)
        if not t:
            return ()
        worktree = self._state().sessions[p.spec.sessions[0]].worktree
        changed = await asyncio.to_thread(self._world.dependencies_changed, worktree, t.begun_at)
        green = policies.deciding(results)
        tests = green is not None and not (p.spec.gate and p.spec.gate.judge)
        none = tests and green is not None and green.verdict == "green" and counted(green.output) == 0
        empty = Finding(
            kind="gate", level="high", rule="no-tests", text="the gate is green and says that it ran no test"
        )
        return (empty,) * none + tuple(
            Finding(
                kind="gate",
                level="medium",
                rule="dependencies",
                text=f"{name} was changed during the work, and the gate ran with it",
                path=name,
            )
            for name in changed
        )

    async def _request(self, p: Policy, commit: CommitSpec) -> FreezeRequest | Refused:
        session = self._state().sessions[p.spec.sessions[0]]
        turn = session.turn
        if turn and turn.problem:
            return Refused(reason=turn.problem)
        base = TurnBase(ref=p.base_ref, head=p.base_head)
        if turn and _adopted(self._state(), session.session, turn.number, base.ref):
            now = await asyncio.to_thread(self._world.git.turn_base, session.worktree)
            if isinstance(now, Refused):
                return now
            base = now
        if p.spec.base:  # of a ticket: its branch is its own, and whatever is on it came from its attempts
            moved: TurnBase | Refused = TurnBase(ref=base.ref, head=p.spec.base)
        else:
            moved = await self._moved_after_turn(p, session.worktree, base)
        if isinstance(moved, Refused):
            return moved
        author = await asyncio.to_thread(self._world.git.identity)
        if isinstance(author, Refused):
            return author
        when = int(self._world.now())
        return FreezeRequest(
            worktree=session.worktree,
            paths=commit.paths,
            message=commit.message,
            base=moved,
            author=author,
            when=when,
            zone=time.strftime("%z", time.localtime(when)) or "+0000",
            everything=commit.everything,
            stores=p.spec.stores,
        )

    def _frozen(self, request: FreezeRequest) -> Frozen | Refused:
        """Blocks. The same bytes in the same second are another plan all the same."""
        while True:
            plan = self._world.git.freeze(request)
            if not isinstance(plan, Frozen) or not plan.paths or plan.commit not in self._state().plans:
                return plan
            request = replace(request, when=request.when + 1)

    async def _moved_after_turn(self, p: Policy, worktree: str, base: TurnBase) -> TurnBase | Refused:
        """The branch may have moved between the turn's end and now: that was not the agent's turn."""
        now = await asyncio.to_thread(self._world.git.turn_base, worktree)
        session = self._state().sessions[p.spec.sessions[0]]
        end = session.turn.end_head if session.turn else ""
        if isinstance(now, Refused) or now == base or not end or now.head == end:
            return now if isinstance(now, Refused) else base
        if not now.head:  # never a first commit on a branch that had some
            name = base.ref.removeprefix("refs/heads/")
            return Refused(
                reason=f"the branch {name} is gone: make it again with `git branch {name} {end[:10]}`, then judge again"
            )
        if end == base.head and now.ref == base.ref:
            return now
        return Refused(
            reason=f"the branch moved to {now.head[:10]} after the turn had ended at {end[:10]} with commits of its "
            "own; settle the branch, then judge again"
        )


def _adopted(state: State, session: str, turn: int, ref: str) -> bool:
    """Whether a person took the commits that this turn made on `ref` as they are: then the work begins after them."""
    return any(
        (a.session, a.turn, a.outcome) == (session, turn, "adopted") and any(c.item == f"ref {ref}" for c in a.changes)
        for a in state.alerts.values()
    )


def _changed_by_gate(paths: Sequence[str]) -> str:
    return (
        f"changed while the gate ran: {', '.join(paths)}; what was judged is not what is there now. "
        "`policy retry` freezes and judges what is there"
    )
