"""Runs the operator's commit hooks on a plan, once, as a gate of its own: under a shim, in a scratch repository.

A hook that rewrites the plan's files makes a new candidate; one that hangs or cannot start has judged nothing, which is
a finding and never a pass.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from console.core.records import Finding, FindingLevel, Frozen, GateResult, Record, Refused
from console.engine.ports import HookRun, ProcessSpec
from console.engine.running import run_limited
from console.engine.world import World

LIMIT = 120.0
"""Seconds for one run of one hook."""

_IN_ORDER = ("pre-commit", "commit-msg")
_CANNOT_START = (126, 127)


class Hooked(Record, frozen=True, kw_only=True):
    """What the hooks said. plan: the plan, or the candidate that they made of it; None when there is none to go on
    with: then `refused` says why, or one of `results` is red. results: the last run of each hook; `timeout` and
    `unjudged` block nothing, there is a finding for each. notes: how it came about, for the plan's page."""

    plan: Frozen | None
    refused: str = ""
    results: tuple[GateResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


class Hooking:
    def __init__(self, world: World, limit: float = LIMIT) -> None:
        self._world = world
        self._limit = limit

    async def run(self, policy: str, attempt: int, plan: Frozen) -> Hooked:
        """Needs nothing but the plan's objects; the scratch folder is gone afterwards."""
        folder = self._world.places.hooks(policy, attempt)
        try:
            return await _Pass(self._world, self._limit, policy, attempt, folder, plan).run()
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, True)


@dataclass(slots=True)
class _Pass:
    """One plan's way through its hooks. scratch: the prepared repository while it holds `plan` and nothing else."""

    world: World
    limit: float
    policy: str
    attempt: int
    folder: Path
    plan: Frozen
    scratch: HookRun | None = None
    runs: int = 0
    results: list[GateResult] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    async def run(self) -> Hooked:
        prepared = await self._prepare()
        if isinstance(prepared, HookRun):
            for line in prepared.skipped:
                self._skipped(line)
            for hook in _IN_ORDER:
                stop = await self._judged_by(hook) if hook in prepared.hooks else None
                if stop is not None:
                    return self._end(None, stop)
        elif prepared:
            self._could_not_judge("the commit hooks", prepared.reason)
        return self._end(self.plan)

    def _end(self, plan: Frozen | None, refused: str = "") -> Hooked:
        return Hooked(
            plan=plan,
            refused=refused,
            results=tuple(self.results),
            findings=tuple(self.findings),
            notes=tuple(self.notes),
        )

    async def _judged_by(self, hook: str) -> str | None:
        """Run one hook on the plan as it is by now. None: go on; else stop here, with this refusal or "" for red."""
        result = await self._once(hook)
        changed = await self._outcome() if result.verdict in ("green", "red") else self.plan
        if result.verdict == "red" and isinstance(changed, Frozen) and changed != self.plan:
            self._rewritten(hook, changed)
            result = await self._once(hook)
            changed = await self._outcome() if result.verdict in ("green", "red") else self.plan
        self.results.append(replace(result, reason=": ".join(part for part in (hook, result.reason) if part)))
        if result.verdict == "red":
            self.notes += [changed.reason] if isinstance(changed, Refused) else []
            return ""
        if result.verdict != "green":
            self._could_not_judge(hook, result.reason or f"did not answer within {self.limit:g} s")
            self.scratch = None
        elif isinstance(changed, Refused):
            return changed.reason
        elif changed != self.plan:
            self._rewritten(hook, changed)
        return None

    # -- one run -----------------------------------------------------------------------------------------

    async def _prepare(self) -> HookRun | Refused | None:
        await asyncio.to_thread(shutil.rmtree, self.folder, True)
        prepared = await asyncio.to_thread(self.world.hooks.prepare, self.plan, self.folder)
        self.scratch = prepared if isinstance(prepared, HookRun) else None
        return prepared

    async def _once(self, hook: str) -> GateResult:
        if self.scratch is None and isinstance(again := await self._prepare(), Refused):
            return GateResult(verdict="unjudged", where="hook", reason=again.reason)
        scratch = self.scratch
        if scratch is None or hook not in scratch.hooks:
            return GateResult(verdict="unjudged", where="hook", reason="is not there any more")
        sandbox = await asyncio.to_thread(self.world.sandbox, self.plan.worktree, False)
        if isinstance(sandbox, Refused):
            return GateResult(verdict="unjudged", where="hook", reason=sandbox.reason)
        self.runs += 1
        spec = ProcessSpec(
            argv=scratch.argv[hook],
            cwd=scratch.folder,
            env=scratch.env,
            output=str(self.world.places.gate_output(self.policy, self.attempt, f"hook-{self.runs}-{hook}")),
            sandbox=sandbox,
        )
        return _judged(await run_limited(self.world.processes, spec, self.limit, "hook"))

    async def _outcome(self) -> Frozen | Refused:
        assert self.scratch
        return await asyncio.to_thread(self.world.hooks.outcome, self.plan, self.scratch)

    # -- what is told ------------------------------------------------------------------------------------

    def _rewritten(self, hook: str, changed: Frozen) -> None:
        """From here on the new candidate is the plan; the next hook gets a scratch repository that holds it."""
        text = f"{hook} rewrote {_what(self.plan, changed)}"
        self.findings.append(Finding(kind="hook", level="info", rule="hook-rewrote", text=text))
        self.notes.append(text)
        self.plan, self.scratch = changed, None

    def _could_not_judge(self, who: str, why: str) -> None:
        text = f"{who} {why}" if why.startswith(("did not", "is not")) else f"{who} could not judge: {why}"
        self.findings.append(Finding(kind="hook", level="medium", rule="hook-could-not-judge", text=text))
        self.notes.append(text)

    def _skipped(self, line: str) -> None:
        about = line.partition(":")[0]
        rule = "hook-not-run" if about in _IN_ORDER else "hook-files" if about == "hook files" else "hook-skipped"
        level: FindingLevel = "info" if rule == "hook-skipped" else "medium"
        self.findings.append(Finding(kind="hook", level=level, rule=rule, text=line))
        self.notes.append(line)


def _judged(result: GateResult) -> GateResult:
    """A shell's exit 126 or 127 says that something could not be started, not that the work is wrong."""
    if result.verdict == "red" and result.code in _CANNOT_START:
        return replace(
            result, verdict="unjudged", reason=f"exit {result.code}: a program that it needs is missing or cannot start"
        )
    return result


def _what(old: Frozen, new: Frozen) -> str:
    before = {one.path: one for one in old.paths}
    after = {one.path: one for one in new.paths}
    names = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    parts = [", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")] if names else []
    return " and ".join([*parts, *(["the message"] if old.message != new.message else [])]) or "the plan"
