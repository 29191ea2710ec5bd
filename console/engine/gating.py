"""Runs a policy's gate: in the session's worktree, or in a clean checkout of the plan; always under a shim."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from console.core.policies import Policy
from console.core.records import Frozen, Gate, GateResult, Refused, Where
from console.core.state import State
from console.engine.ports import ProcessSpec
from console.engine.running import run_limited
from console.engine.world import World


class Gating:
    def __init__(self, world: World, state: Callable[[], State]) -> None:
        self._world = world
        self._state = state

    async def in_worktree(self, p: Policy, gate: Gate) -> GateResult:
        session = self._state().sessions[p.spec.sessions[0]]
        return await self._run(p, gate, "worktree", Path(session.worktree))

    async def on_plan(self, p: Policy, gate: Gate | None, plan: Frozen) -> GateResult:
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
        return await run_limited(self._world.processes, spec, gate.timeout, where)

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
        session = self._state().sessions[p.spec.sessions[0]]
        sandbox = self._world.sandbox(session.worktree, False)
        if isinstance(sandbox, Refused):
            return sandbox
        return ProcessSpec(
            argv=(program, *gate.argv[1:]),
            cwd=cwd,
            env=env,
            output=str(self._world.places.gate_output(p.policy, p.attempt, where)),
            sandbox=sandbox,
        )


def _inside(path: str, tree: str) -> bool:
    root = os.path.realpath(tree)
    return path == root or path.startswith(root + os.sep)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
