"""The judgement of a turn: freeze, gate in the worktree, gate on the plan when they differ. Ends in `policy:judged`."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from console.core import due
from console.core import events as ev
from console.core.policies import Policy
from console.core.records import CommitSpec, Frozen, Gate, GateResult, ProcessEnd, Refused, Verdict, Where
from console.core.state import State
from console.engine.ports import FreezeRequest, ProcessSpec, TurnBase
from console.engine.session_work import Tell
from console.engine.world import World

OUTPUT_KEPT = 16_000
"""Characters of a gate's output that its result carries (the end); the file beside the log has more."""


class Judging:
    def __init__(self, world: World, state: Callable[[], State], tell: Tell) -> None:
        self._world = world
        self._state = state
        self._tell = tell

    async def judge(self, effect: due.Judge) -> None:
        policy = self._state().policies[effect.policy]
        if policy.candidate:
            judged = await self._judge_candidate(policy, policy.candidate)
        else:
            judged = await self._judge_work(policy)
        await self._tell(judged)

    async def _judge_candidate(self, p: Policy, plan: Frozen) -> ev.PolicyJudged:
        """A rebased plan: only objects count, so its gate runs in a clean checkout of it and nowhere else."""
        results = (await self._on_plan(p, p.spec.gate, plan),) if p.spec.gate else ()
        note = f"the branch moved to {plan.base[:10]}; same changes, gated again there"
        return ev.PolicyJudged(policy=p.policy, attempt=p.attempt, results=results, plan=plan, notes=(note,))

    async def _judge_work(self, p: Policy) -> ev.PolicyJudged:
        commit = p.spec.commit
        plan = await self._freeze(p, commit) if commit else None
        refused = plan.reason if isinstance(plan, Refused) else ""
        frozen = plan if isinstance(plan, Frozen) else None
        results: list[GateResult] = []
        notes: list[str] = []
        only_worktree = False
        if p.spec.gate:
            results.append(await self._in_worktree(p, p.spec.gate))
            if frozen and results[-1].verdict == "green":
                changed = await asyncio.to_thread(self._world.git.drift, frozen)
                if changed:
                    refused, frozen = _changed_by_gate(changed), None
                differs = await asyncio.to_thread(self._world.git.same_bytes, frozen) if frozen else ()
                if frozen and differs and await asyncio.to_thread(self._world.gate_on) == "plan":
                    results.append(await self._on_plan(p, p.spec.gate, frozen))
                    only_worktree = results[-1].verdict != "green"
                elif differs:
                    notes.append("gated in the worktree, which holds other changes than the plan")
        return ev.PolicyJudged(
            policy=p.policy,
            attempt=p.attempt,
            results=tuple(results),
            plan=frozen,
            refused=refused,
            only_worktree=only_worktree,
            notes=tuple(notes),
        )

    async def _freeze(self, p: Policy, commit: CommitSpec) -> Frozen | Refused:
        session = self._state().sessions[p.spec.sessions[0]]
        turn = session.turn
        if turn and turn.problem:
            return Refused(reason=turn.problem)
        base = TurnBase(ref=p.base_ref, head=p.base_head)
        moved = await self._moved_after_turn(p, session.worktree, base)
        if isinstance(moved, Refused):
            return moved
        author = await asyncio.to_thread(self._world.git.identity)
        if isinstance(author, Refused):
            return author
        when = int(self._world.now())
        request = FreezeRequest(
            worktree=session.worktree,
            paths=commit.paths,
            message=commit.message,
            base=moved,
            author=author,
            when=when,
            zone=time.strftime("%z", time.localtime(when)) or "+0000",
        )
        plan = await asyncio.to_thread(self._world.git.freeze, request)
        known = self._state().plans
        while isinstance(plan, Frozen) and plan.commit in known:  # same bytes, same second: another id all the same
            when += 1
            request = replace(request, when=when)
            plan = await asyncio.to_thread(self._world.git.freeze, request)
        return plan

    async def _moved_after_turn(self, p: Policy, worktree: str, base: TurnBase) -> TurnBase | Refused:
        """The branch may have moved between the turn's end and now: that was not the agent's turn."""
        now = await asyncio.to_thread(self._world.git.turn_base, worktree)
        session = self._state().sessions[p.spec.sessions[0]]
        end = session.turn.end_head if session.turn else ""
        if isinstance(now, Refused) or now == base or not end or now.head == end:
            return now if isinstance(now, Refused) else base
        if end == base.head and now.ref == base.ref:
            return now
        return Refused(
            reason=f"the branch moved to {now.head[:10]} after the turn had ended at {end[:10]} with commits of its "
            "own; settle the branch, then judge again"
        )

    # -- the gate itself ---------------------------------------------------------------------------------

    async def _in_worktree(self, p: Policy, gate: Gate) -> GateResult:
        session = self._state().sessions[p.spec.sessions[0]]
        return await self._run(p, gate, "worktree", Path(session.worktree))

    async def _on_plan(self, p: Policy, gate: Gate | None, plan: Frozen) -> GateResult:
        assert gate
        into = self._world.places.checkout(p.policy, p.attempt)
        try:
            await asyncio.to_thread(_empty, into)
            refused = await asyncio.to_thread(self._world.git.checkout, plan, into)
            if refused:
                return GateResult(verdict="unjudged", where="plan", reason=refused.reason)
            return await self._run(p, gate, "plan", into)
        finally:
            await asyncio.to_thread(shutil.rmtree, into, True)

    async def _run(self, p: Policy, gate: Gate, where: Where, root: Path) -> GateResult:
        spec = await asyncio.to_thread(self._spec, p, gate, where, root)
        if isinstance(spec, Refused):
            return GateResult(verdict="unjudged", where=where, reason=spec.reason)
        running = await self._world.processes.launch(spec)
        if isinstance(running, ProcessEnd):
            return _result(running, False, where, spec.output)
        timed_out = False
        waiting = asyncio.ensure_future(running.wait())
        try:
            done, _ = await asyncio.wait({waiting}, timeout=gate.timeout)
            if not done:
                timed_out = True
                running.stop()
            return _result(await waiting, timed_out, where, spec.output)
        except asyncio.CancelledError:
            running.stop(0.5)
            await asyncio.shield(waiting)
            raise

    def _spec(self, p: Policy, gate: Gate, where: Where, root: Path) -> ProcessSpec | Refused:
        cwd = os.path.realpath(root / gate.cwd)
        trees = [str(root)]
        if where == "worktree" and not p.spec.commit:
            trees += [tree.path for tree in self._world.git.worktrees()]
        if not any(_inside(cwd, tree) for tree in trees):
            return Refused(reason=f"the gate's folder {gate.cwd!r} leads out of {root}")
        if not os.path.isdir(cwd):
            return Refused(reason=f"the gate's folder {gate.cwd!r} does not exist in {root}")
        env = self._world.gate_env()
        program = self._world.find_command(gate.argv[0], env)
        if isinstance(program, Refused):
            return program
        return ProcessSpec(
            argv=(program, *gate.argv[1:]),
            cwd=cwd,
            env=env,
            output=str(self._world.places.gate_output(p.policy, p.attempt, where)),
        )


def _changed_by_gate(paths: Sequence[str]) -> str:
    return (
        f"changed while the gate ran: {', '.join(paths)}; what was judged is not what is there now. "
        "`policy retry` freezes and judges what is there"
    )


def _inside(path: str, tree: str) -> bool:
    root = os.path.realpath(tree)
    return path == root or path.startswith(root + os.sep)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


def _result(end: ProcessEnd, timed_out: bool, where: Where, output: str) -> GateResult:
    """Only an exit 0 that was seen, in time and unasked, with its output kept, is green."""
    verdict: Verdict = "unjudged"
    reason = end.reason or f"its process was {end.how}"
    if timed_out:
        verdict, reason = "timeout", ""
    elif end.how in ("exited", "signaled") and not end.stopped and not end.reason:
        verdict, reason = ("green" if end.how == "exited" and end.code == 0 else "red"), ""
    return GateResult(
        verdict=verdict,
        reason=reason,
        where=where,
        code=end.code,
        signal=end.signal,
        seconds=round(end.seconds, 3),
        output=_tail(output),
        output_file=output,
        output_bytes=end.output_bytes,
        leftovers=len(end.leftovers),
    )


def _tail(output: str) -> str:
    try:
        with open(output, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 4 * OUTPUT_KEPT))
            return file.read().decode("utf-8", "replace")[-OUTPUT_KEPT:]
    except OSError:
        return ""
