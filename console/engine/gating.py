"""Runs a policy's gate: in the session's worktree, in a clean checkout of the plan or of the base; always under a shim.

A gate that is a judge is an agent in the same places (`judge_work`). Every run has an output file of its own; the
reports of one that was not green are read before its folder goes.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from console.core.failures import JUnit
from console.core.policies import Policy
from console.core.records import Frozen, Gate, GateResult, Refused, Where
from console.core.state import State
from console.engine.judge_work import JudgeWork
from console.engine.ports import ProcessSpec
from console.engine.running import run_limited
from console.engine.world import World

Reports = Callable[[Sequence[str], Path, Path, float], JUnit | None]
"""(a gate's argv, the tree that it ran in, its folder there, its start in Unix seconds) -> what its JUnit files say."""

REMEMBERED = 64
"""Reports of runs that nobody asked for yet."""


class Gating:
    """reports: how to read the JUnit files of a run; None: nobody reads them. Blocking, called in a thread. judges:
    who starts a gate that is a judge."""

    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        reports: Reports | None = None,
        judges: JudgeWork | None = None,
    ) -> None:
        self._judges = judges
        self._world = world
        self._state = state
        self._reports = reports
        self._read: dict[str, JUnit] = {}

    async def in_worktree(self, p: Policy, gate: Gate) -> GateResult:
        return await self._run(p, gate, "worktree", Path(self.worktree(p)), "worktree")

    async def on_plan(self, p: Policy, gate: Gate | None, plan: Frozen) -> GateResult:
        assert gate
        return await self._on_plan(p, gate, plan, "plan")

    async def again(self, p: Policy, gate: Gate, where: Where, plan: Frozen | None, number: int) -> GateResult:
        """The same bytes in the same place once more; number counts from 2 and names the output file."""
        if where == "base":
            return await self.unchanged(p, gate, p.spec.base, number)
        if where == "plan" and plan:
            return await self._on_plan(p, gate, plan, f"plan.{number}")
        return await self._run(p, gate, "worktree", Path(self.worktree(p)), f"worktree.{number}")

    async def on_base(self, p: Policy, gate: Gate, base: str, number: int = 1) -> GateResult:
        """The gate on the commit that the work began from, in a clean checkout of it with what the worktree got."""
        return await self._on_commit(p, gate, base, "base" if number == 1 else f"base.{number}")

    async def _on_commit(self, p: Policy, gate: Gate, base: str, name: str) -> GateResult:
        worktree, include = self.worktree(p), self.included(p)

        def fill(into: Path) -> Refused | None:
            return self._world.git.checkout_commit(base, p.spec.stores, worktree, into, include)

        return await self._in_checkout(p, gate, "base", fill, name)

    async def unchanged(self, p: Policy, gate: Gate, base: str, number: int = 1) -> GateResult:
        """The gate on work that differs from its base in nothing: on the base itself, as the worktree may hold what an
        earlier gate left."""
        return await self._on_commit(p, gate, base, "unchanged" if number == 1 else f"unchanged.{number}")

    def included(self, p: Policy) -> tuple[str, ...]:
        """Patterns of the ignored files that the ticket's worktree was given."""
        state = self._state()
        ticket = state.tickets.get(p.spec.ticket)
        run = state.runs.get(ticket.run) if ticket else None
        return run.settings.include if run else ()

    def report(self, result: GateResult) -> JUnit | None:
        """What the JUnit files of this run said, once."""
        return self._read.pop(result.output_file, None)

    def worktree(self, p: Policy) -> str:
        """Where its session works."""
        return self._state().sessions[p.spec.sessions[0]].worktree

    async def _on_plan(self, p: Policy, gate: Gate, plan: Frozen, name: str) -> GateResult:
        worktree, include = self.worktree(p), self.included(p)

        def fill(into: Path) -> Refused | None:
            if not include:
                return self._world.git.checkout(plan, into)
            stores = (*plan.stores, plan.store)
            return self._world.git.checkout_commit(plan.commit, stores, worktree, into, include)

        return await self._in_checkout(p, gate, "plan", fill, name, plan=plan)

    async def _in_checkout(
        self,
        p: Policy,
        gate: Gate,
        where: Where,
        fill: Callable[[Path], Refused | None],
        name: str,
        *,
        plan: Frozen | None = None,
    ) -> GateResult:
        into = self._world.places.checkout(p.policy, p.attempt)
        try:
            await asyncio.to_thread(_empty, into)
            refused = await asyncio.to_thread(fill, into)
            if refused:
                return GateResult(verdict="unjudged", where=where, reason=refused.reason)
            return await self._run(p, gate, where, into, name, plan=plan)
        finally:
            await asyncio.to_thread(shutil.rmtree, into, True)

    async def _run(
        self, p: Policy, gate: Gate, where: Where, root: Path, name: str, *, plan: Frozen | None = None
    ) -> GateResult:
        if gate.judge:
            return await self._judged(p, gate, where, root, plan)
        spec = await asyncio.to_thread(self._spec, p, gate, where, root, name)
        if isinstance(spec, Refused):
            return GateResult(verdict="unjudged", where=where, reason=spec.reason)
        began = self._world.now()
        result = await run_limited(self._world.processes, spec, gate.timeout, where)
        if self._reports and result.verdict in ("red", "timeout"):
            report = await asyncio.to_thread(self._reports, gate.argv, root, Path(spec.cwd), began)
            self._remember(spec.output, report)
        return result

    async def _judged(self, p: Policy, gate: Gate, where: Where, root: Path, plan: Frozen | None) -> GateResult:
        assert gate.judge and self._judges
        cwd = await asyncio.to_thread(self._folder, p, gate, where, root)
        if isinstance(cwd, Refused):
            return GateResult(verdict="unjudged", where=where, reason=cwd.reason)
        return await self._judges.judge(p, gate.judge, where, (cwd, str(root)), plan)

    def _remember(self, output: str, report: JUnit | None) -> None:
        self._read.pop(output, None)
        if report:
            self._read[output] = report
        while len(self._read) > REMEMBERED:
            self._read.pop(next(iter(self._read)))

    def _folder(self, p: Policy, gate: Gate, where: Where, root: Path) -> str | Refused:
        """Where in `root` it runs."""
        cwd = os.path.realpath(root / gate.cwd)
        trees = [str(root)]
        if where == "worktree" and not p.spec.commit:
            trees += [tree.path for tree in self._world.git.worktrees()]
        if not any(_inside(cwd, tree) for tree in trees):
            return Refused(reason=f"the gate's folder {gate.cwd!r} leads out of {root}")
        if not os.path.isdir(root):
            return Refused(reason=f"the worktree {root} is gone")
        if not os.path.isdir(cwd):
            return Refused(reason=f"the gate's folder {gate.cwd!r} does not exist in {root}")
        return cwd

    def _spec(self, p: Policy, gate: Gate, where: Where, root: Path, name: str) -> ProcessSpec | Refused:
        cwd = self._folder(p, gate, where, root)
        if isinstance(cwd, Refused):
            return cwd
        env = self._world.gate_env()
        program = self._world.find_command(gate.argv[0], env)
        if isinstance(program, Refused):
            return program
        sandbox = self._world.sandbox(self.worktree(p), False)
        if isinstance(sandbox, Refused):
            return sandbox
        return ProcessSpec(
            argv=(program, *gate.argv[1:]),
            cwd=cwd,
            env=env,
            output=str(self._world.places.gate_output(p.policy, p.attempt, name)),
            sandbox=sandbox,
        )


def _inside(path: str, tree: str) -> bool:
    root = os.path.realpath(tree)
    return path == root or path.startswith(root + os.sep)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
