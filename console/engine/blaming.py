"""Finds out who a gate that was not green is down to: by running it again, and on what was there before the work.

It decides nothing about the ticket and can make nothing green. Every run goes through `Gating` and can be cancelled.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from console.core import policies
from console.core.failures import Compared, Failures, Trouble, compared, flaky, observed, summed
from console.core.policies import Policy
from console.core.records import Blame, Frozen, Gate, GateResult
from console.engine.gating import Gating
from console.engine.ports import Baselines
from console.engine.world import World

READ = 4 * 1024 * 1024
"""Bytes of a run's kept output that are searched for names."""

NAMES = 200
"""Names of tests that a blame carries in each list, at most."""

KEPT = 2000
"""Characters of output that each run of a blame carries; the file beside the log has more."""

QUICK = 120.0
"""Seconds: a gate as fast as this is run a third time before few tests are taken for broken, as one that fails one
time in three fails twice in a row one time in nine."""

FEW = 5

_LINKED = ("node_modules", ".venv", "venv", "vendor")
"""Folders of a worktree that a clean checkout may get: what runs there then depends on the worktree."""


class Blaming:
    """world: the one that `gating` runs in. baselines: None asks the base anew each time."""

    def __init__(self, world: World, gating: Gating, baselines: Baselines | None = None) -> None:
        self._gating = gating
        self._baselines = baselines

    async def blame(self, p: Policy, gate: Gate, plan: Frozen | None, results: Sequence[GateResult]) -> Blame:
        """Who the last of `results` is down to. plan: the candidate it ran on, also when it ran in the worktree. None
        of them may be green in the end; a commit hook that was red judged the work's own files."""
        first = policies.deciding(results)
        if first is None or first.verdict == "unjudged":
            reason = first.reason if first else "no run of the gate could tell anything"
            return _blame(Compared(kind="environment", why=f"the gate could not be judged: {reason}"), [])
        if gate.judge:  # it was asked about the change, which the base has not; and asked again it may say anything
            why = policies.describe(first, gate)
            return Blame(kind="introduced", why=why, signature=why)
        question = _Question(self._gating, self._baselines, p, gate, plan, first)
        if first.where == "hook":
            await question.observe(first)
            return _blame(Compared(kind="introduced", why=policies.describe(first, gate)), question.work, [first])
        return await question.answer()


@dataclass(slots=True)
class _Question:
    """One blame as it comes about. work: every run on the work's bytes; runs: all that were made for it."""

    gating: Gating
    baselines: Baselines | None
    p: Policy
    gate: Gate
    plan: Frozen | None
    first: GateResult
    work: list[Failures] = field(default_factory=list)
    runs: list[GateResult] = field(default_factory=list)

    async def answer(self) -> Blame:
        await self.observe(self.first)
        if self.first.verdict == "timeout":
            return _blame(await self._of_timeout(), self.work, self.runs)
        return _blame(await self._of_red(), self.work, self.runs)

    async def observe(self, result: GateResult) -> Failures:
        seen = await self._seen(result)
        self.work.append(seen)
        return seen

    async def _seen(self, result: GateResult) -> Failures:
        output = await asyncio.to_thread(kept_output, result)
        return observed(result, output, self.gating.report(result))

    async def _of_timeout(self) -> Compared:
        """Where the base hits the limit too nobody waits for it a third time."""
        base = tuple(self.work) if self._unchanged() else await self._base()
        if base and any(run.verdict == "timeout" for run in base):
            return compared(self.work, base, self._place())
        again = await self._again()
        if again.verdict == "green":
            return await self._flickering()
        if again.verdict == "unjudged":
            return _environment(again)
        return self._of_machine() or compared(self.work, base, self._place())

    async def _of_red(self) -> Compared:
        again = await self._again()
        if again.verdict == "green":
            return await self._flickering()
        if again.verdict == "unjudged":
            return _environment(again)
        if of_machine := self._of_machine():
            return of_machine
        base = tuple(self.work) if self._unchanged() else await self._base()
        said = compared(self.work, base, self._place())
        if said.kind == "introduced" and self._worth_a_third(said):
            await self._more()
            said = flaky(self.work) if self.work[-1].verdict == "green" else compared(self.work, base, self._place())
        return said

    def _unchanged(self) -> bool:
        """Whether the work differs from its base in nothing, so that its runs are runs of the base."""
        return self.first.where == "base"

    def _of_machine(self) -> Compared | None:
        """Trouble that every run of the work showed, of a kind that work cannot cause and with no test to compare."""
        trouble, failing = _lasting(self.work), summed(self.work)
        if trouble and (not self._base_commit() or not (trouble.own or failing)):
            why = f"{trouble.text} (in each of {len(self.work)} runs)"
            return Compared(kind="environment", why=why, failing=failing)
        return None

    def _worth_a_third(self, said: Compared) -> bool:
        return 0 < len(said.fresh) <= FEW and all(run.seconds <= QUICK for run in (self.first, *self.runs))

    async def _flickering(self) -> Compared:
        """Two more runs, so that the tests which flicker are seen; the verdict stands already."""
        for _ in range(2):
            await self._more()
        return flaky(self.work)

    async def _more(self) -> None:
        """One more run that counts only when it tells something of the tests."""
        if (await self._again()).verdict not in ("green", "red"):
            self.work.pop()

    async def _again(self) -> Failures:
        number = 2 + sum(run.where == self.first.where for run in self.runs)
        result = await self.gating.again(self.p, self.gate, self.first.where, self.plan, number)
        self.runs.append(result)
        return await self.observe(result)

    # -- the base ----------------------------------------------------------------------------------------

    def _base_commit(self) -> str:
        """What the deciding run's work is measured against; "" on a branch without a commit."""
        return self.plan.base if self.plan else self.p.spec.base or self.p.base_head

    def _place(self) -> str:
        return f"its base {self._base_commit()[:10]}"

    async def _base(self) -> tuple[Failures, ...]:
        """Runs on the base, kept when they say something of the commit rather than of the moment; a red base is run
        twice, so that what flickers there is known."""
        base = self._base_commit()
        if not base:
            return ()
        key = await asyncio.to_thread(self._key, base)
        known = await asyncio.to_thread(self.baselines.get, key) if self.baselines else ()
        if known:
            return known
        seen = [await self._on_base(base, 1)]
        if seen[0].verdict == "red" and not seen[0].trouble:
            seen.append(await self._on_base(base, 2))
        if self.baselines and all(run.verdict in ("green", "red") and not run.trouble for run in seen):
            await asyncio.to_thread(self.baselines.put, key, tuple(seen))
        return tuple(seen)

    async def _on_base(self, base: str, number: int) -> Failures:
        result = await self.gating.on_base(self.p, self.gate, base, number)
        self.runs.append(result)
        return await self._seen(result)

    def _key(self, base: str) -> str:
        """The same commit, the same command; and the same worktree where its own files go into the checkout."""
        worktree, include = self.gating.worktree(self.p), self.gating.included(self.p)
        linked = [name for name in _LINKED if os.path.isdir(os.path.join(worktree, name))]
        own = worktree if linked or include else ""
        parts = (base, self.gate.cwd, f"{self.gate.timeout:g}", own, *include, "", *self.gate.argv)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _lasting(work: Sequence[Failures]) -> Trouble | None:
    """The trouble that every run of the work showed."""
    kinds = {run.trouble.kind if run.trouble else "" for run in work}
    return work[-1].trouble if len(kinds) == 1 else None


def _environment(run: Failures) -> Compared:
    text = run.trouble.text if run.trouble else "nobody could tell how it ended"
    return Compared(kind="environment", why=f"run again, the gate could not be judged: {text}")


def _blame(said: Compared, work: Sequence[Failures], runs: Sequence[GateResult] = ()) -> Blame:
    red = [run for run in work if run.verdict != "green"]
    return Blame(
        kind=said.kind,
        why=said.why,
        failing=tuple(sorted(said.failing)[:NAMES]),
        fresh=tuple(sorted(said.fresh)[:NAMES]),
        signature=red[-1].signature if red else "",
        runs=tuple(replace(run, output=run.output[-KEPT:]) for run in runs),
    )


def kept_output(result: GateResult) -> str:
    """The output that was kept of a run; what its result carries when the file cannot be read as one of ours."""
    try:
        descriptor = os.open(result.output_file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if stat.S_ISREG(about.st_mode):
                head = b"" if about.st_size <= READ else file.read(READ // 4) + b"\n"
                file.seek(max(0, about.st_size - (READ - len(head))))
                return (head + file.read(READ)).decode("utf-8", "replace")
    except (OSError, ValueError):
        pass
    return result.output
