"""A judge: an agent of its own that looks at the work of a policy and says PASS or FAIL. Always ended, its end awaited.

It is started for one turn, may change nothing, asks nobody (every permission is refused) and is no session: no ticket,
no inbox, no tools of ours. What it says decides by `core.judgements` only.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from console.core import events as ev
from console.core.judgements import judgement
from console.core.judgeprompts import judge_prompt
from console.core.policies import Policy
from console.core.records import Frozen, GateResult, Judge, Option, ProcessEnd, Refused, Sandbox, Where
from console.core.state import State
from console.engine.ports import Agent, AgentFact, AgentSpec, Asked, Began, Ended, TurnResult
from console.engine.running import OUTPUT_KEPT
from console.engine.world import Tell, World

TURN = 1
START = 120.0
"""Seconds that a judge has to come up, before its own limit begins to count."""
PATIENCE = 2.0
"""Seconds that it has to leave by itself after its turn."""
LAST_WORDS = 3.0
"""Seconds that the log has for the news of its end, and a driver for what is left to say."""
TROUBLE = {"limit": "is at its usage limit", "overload": "is overloaded", "auth": "is not logged in"}
"""Faults that are nobody's work: the judge has not judged."""
Ground = tuple[str, str]
"""The folder that the judge stands in, and the root of the tree around it."""


@dataclass(slots=True)
class _Heard:
    """What one judge reported so far."""

    began: Began | None = None
    ended: asyncio.Future[ProcessEnd] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    agent: Agent | None = None
    refused: int = 0

    def report(self, fact: AgentFact) -> None:
        match fact:
            case Began():
                self.began = fact
            case Asked():
                asyncio.get_running_loop().call_soon(self._refuse, fact)
            case Ended() if not self.ended.done():
                self.ended.set_result(fact.end)

    def _refuse(self, asked: Asked) -> None:
        self.refused += 1
        if self.agent:
            self.agent.answer(asked.question, _refusal(asked.options))


class JudgeWork:
    def __init__(self, world: World, state: Callable[[], State], tell: Tell) -> None:
        self._world = world
        self._state = state
        self._tell = tell

    async def judge(self, p: Policy, judge: Judge, where: Where, ground: Ground, plan: Frozen | None) -> GateResult:
        """Its verdict about what is in `ground`. plan: what would be committed, when it is that."""
        sandbox = await asyncio.to_thread(self._sandbox, p, ground[1])
        if isinstance(sandbox, Refused):
            return _unjudged(where, sandbox.reason)
        before = await self._before(p) if where == "worktree" and sandbox is None else ""
        if isinstance(before, Refused):
            return _unjudged(where, before.reason)
        if where == "plan":
            await asyncio.to_thread(_as_repository, ground[1])
        text = await asyncio.to_thread(self._prompt, p, judge, ground[0], plan if where == "plan" else None)
        result = await self._ask(p, judge, where, self._spec(p, judge, ground[0], sandbox), text)
        if before and result.verdict == "green" and (why := await self._changed(p, before)):
            return replace(result, verdict="unjudged", reason=why)
        return result

    # -- before it ---------------------------------------------------------------------------------------

    def _sandbox(self, p: Policy, root: str) -> Sandbox | Refused | None:
        """That of its session's worktree, in which neither that nor the tree that is judged can be written. Blocks."""
        made = self._world.sandbox_read_only(self._worktree(p))
        tree = os.path.realpath(root)
        if not isinstance(made, Sandbox) or tree in made.read_only:
            return made
        return replace(made, read_only=(tree, *made.read_only))

    def _prompt(self, p: Policy, judge: Judge, folder: str, plan: Frozen | None) -> str:
        state = self._state()
        said = [(name, self._world.last_words(name, state.sessions[name].turns)) for name in p.spec.sessions]
        diff = self._world.git.diff(plan).decode("utf-8", "replace") if plan else None
        paths = [path.path for path in plan.paths] if plan else []
        return judge_prompt(judge.prompt, said=said, diff=diff, paths=paths, folder=folder, frozen=plan is not None)

    def _spec(self, p: Policy, judge: Judge, folder: str, sandbox: Sandbox | None) -> AgentSpec:
        name = f"judge-{p.policy}-{p.attempt}"
        return AgentSpec(
            session=name,
            run=1,
            launch=judge.launch,
            cwd=folder,
            env=self._world.session_env(judge.launch),
            transcript=str(self._world.places.transcript(name)),
            stderr=str(self._world.places.stderr(name, 1)),
            start_timeout=START,
            sandbox=sandbox,
        )

    async def _before(self, p: Policy) -> str | Refused:
        """Nothing keeps it from writing the worktree: a snapshot to compare that with."""
        worktree, name = self._worktree(p), f"judge/{p.policy}/{p.attempt}"
        taken = await asyncio.to_thread(self._world.snapshots.take, worktree, name, int(self._world.now()))
        return taken if isinstance(taken, Refused) else taken.snapshot

    async def _changed(self, p: Policy, before: str) -> str:
        changed = await asyncio.to_thread(self._world.snapshots.changes, self._worktree(p), before)
        if isinstance(changed, Refused):
            return changed.reason
        named = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        return f"changed while the gate ran: {named}" if changed else ""

    def _worktree(self, p: Policy) -> str:
        return self._state().sessions[p.spec.sessions[0]].worktree

    # -- the judge itself --------------------------------------------------------------------------------

    async def _ask(self, p: Policy, judge: Judge, where: Where, spec: AgentSpec, text: str) -> GateResult:
        heard, since = _Heard(), time.monotonic()
        agent = await self._world.agents.start(spec, heard.report)
        if isinstance(agent, Refused):
            return _unjudged(where, f"it could not be started: {agent.reason}")
        heard.agent = agent
        turn: asyncio.Task[TurnResult] | None = None
        try:
            await self._tell(self._started(p, judge, spec, heard))
            turn = asyncio.ensure_future(agent.prompt(TURN, text))
            await asyncio.wait({turn}, timeout=judge.timeout)
            said = turn.result() if turn.done() else None
        finally:  # also when it is given up, and after a fault of ours
            end = await _through(self._end(p, spec, heard, agent, turn))
        words = await asyncio.to_thread(self._world.last_words, spec.session, TURN)
        kept = await asyncio.to_thread(self._keep, p, words)
        result = await asyncio.to_thread(_result, judge, where, said, words)
        return replace(
            result,
            seconds=round(time.monotonic() - since, 3),
            output_file=kept,
            output_bytes=len(words.encode("utf-8", "replace")),
            leftovers=len(end.leftovers),
        )

    def _started(self, p: Policy, judge: Judge, spec: AgentSpec, heard: _Heard) -> ev.JudgeStarted:
        began = heard.began
        return ev.JudgeStarted(
            policy=p.policy,
            attempt=p.attempt,
            session=spec.session,
            preset=judge.adapter,
            pid=began.pid if began else 0,
            start_time=began.start_time if began else 0,
        )

    async def _end(
        self, p: Policy, spec: AgentSpec, heard: _Heard, agent: Agent, turn: asyncio.Task[TurnResult] | None
    ) -> ProcessEnd:
        """It is gone when this returns: ended at once in the middle of a turn, else after a moment to leave."""
        await agent.stop(PATIENCE if turn and turn.done() else 0.0)
        if turn:
            await asyncio.wait({turn}, timeout=LAST_WORDS)
            if not turn.cancel() and not turn.cancelled():
                turn.exception()  # a fault of ours was raised already, or comes after an end that counts more
        await asyncio.wait({heard.ended}, timeout=LAST_WORDS)
        end = heard.ended.result() if heard.ended.done() else ProcessEnd(how="lost", reason="nobody saw its end")
        gone = ev.JudgeEnded(
            policy=p.policy,
            attempt=p.attempt,
            session=spec.session,
            how=end.reason or end.how,
            leftovers=tuple(left.text for left in end.leftovers),
        )
        with suppress(Exception):  # a log that takes nothing more keeps nobody from going on
            await asyncio.wait_for(self._tell(gone), LAST_WORDS)
        return end

    def _keep(self, p: Policy, words: str) -> str:
        """Its words, beside the output of gates; "" when they cannot be kept."""
        path = str(self._world.places.gate_output(p.policy, p.attempt, "judge"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with open(os.open(path, flags, 0o600), "wb") as file:
                file.write(words.encode("utf-8", "replace"))
        except OSError:
            return ""
        return path


def _as_repository(root: str) -> None:
    """A clean checkout gets a git dir without anything in it: some agents work in a repository only (codex), and `git`
    there finds none of a folder further up."""
    git = os.path.join(root, ".git")
    for folder in ("objects", os.path.join("refs", "heads")):
        os.makedirs(os.path.join(git, folder), exist_ok=True)
    with open(os.path.join(git, "HEAD"), "w", encoding="ascii") as head:
        head.write("ref: refs/heads/plan\n")


def _result(judge: Judge, where: Where, said: TurnResult | None, words: str) -> GateResult:
    """said: None when its time was over."""
    found = judgement(words)
    output = (found.findings or words)[-OUTPUT_KEPT:]
    if said is None:
        return GateResult(verdict="timeout", where=where, output=output)
    detail = f": {said.detail}"[:300] if said.detail else ""
    if said.fault:
        return GateResult(verdict="unjudged", where=where, reason=f"it {TROUBLE[said.fault]}{detail}", output=output)
    if said.stop == "not-started":
        return GateResult(verdict="unjudged", where=where, reason=f"it could not be started{detail}", output=output)
    if not said.ok:  # whatever it said before: it did not come to its end
        return GateResult(verdict="red", where=where, reason=f"its turn ended with {said.stop}{detail}", output=output)
    if found.passed:
        return GateResult(verdict="green", where=where, output=output)
    return GateResult(verdict="red", where=where, reason=found.why, output=output)


def _unjudged(where: Where, reason: str) -> GateResult:
    return GateResult(verdict="unjudged", where=where, reason=reason)


def _refusal(options: tuple[Option, ...]) -> str | None:
    """The option that says no, for once where there is one; None takes the question back."""
    kinds = {option.kind: option.id for option in reversed(options)}
    return kinds.get("reject_once") or kinds.get("reject_always")


async def _through(work: Coroutine[Any, Any, ProcessEnd]) -> ProcessEnd:
    """Done to its end, however often its caller is cancelled meanwhile; then that goes on."""
    task = asyncio.ensure_future(work)
    given_up: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            given_up = error
    if given_up:
        raise given_up
    return task.result()
