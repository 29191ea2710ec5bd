"""Drives an agent over the Agent Client Protocol: a long-lived process under a shim, JSON-RPC on its two pipes.

The end of a turn is the answer to `session/prompt` and nothing else. Decides nothing: questions and ends are
reported, the engine chooses.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, cast

import acp
from msgspec.structs import replace
from pydantic import ValidationError

from console.adapters.agents import outcomes, owntools
from console.adapters.agents.endings import ending, ending_with_words, refused_with_words
from console.adapters.agents.handshake import greet
from console.adapters.agents.modes import Keeper
from console.adapters.agents.questions import TOO_MANY, WITHDRAWN, Questions
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.updates import Updates
from console.adapters.agents.wire import Frame, Pipes, RequestId, Wire, pipes_of
from console.core.records import ProcessEnd, Refused
from console.engine.ports import (
    Agent,
    AgentFact,
    AgentSpec,
    Began,
    Ended,
    Processes,
    ProcessSpec,
    Running,
    TurnResult,
    Vital,
)

HURRY = 0.5
"""Seconds between the polite signal and the kill for an agent that gets no patience."""


async def start(
    processes: Processes, spec: AgentSpec, report: Callable[[AgentFact], None], patience: float
) -> Agent | Refused:
    """Spawn the agent and bring it to where it can be prompted, within `spec.start_timeout` seconds."""
    try:
        transcript = Transcript(spec.transcript)
    except OSError as error:
        return Refused(reason=f"the transcript {spec.transcript} cannot be written: {error.strerror}")
    process = ProcessSpec(
        argv=spec.launch.argv,
        cwd=spec.cwd,
        env=spec.env,
        output=spec.stderr,
        stdio="pipes",
        sandbox=spec.sandbox,
    )
    running = await processes.launch(process)
    if isinstance(running, ProcessEnd):
        transcript.close()
        return Refused(reason=f"{spec.launch.argv[0]} could not be started: {ending(running)}")
    agent = AcpAgent(spec, running, await pipes_of(running), transcript, report, patience=patience)
    try:
        refused = await agent.begin()
    except BaseException:
        await agent.abandon()
        raise
    if refused is None:
        return agent
    await agent.abandon()
    return refused_with_words(refused, spec.stderr)


class AcpAgent:
    """One live agent process. See `ports.Agent`."""

    def __init__(
        self,
        spec: AgentSpec,
        running: Running,
        pipes: Pipes,
        transcript: Transcript,
        report: Callable[[AgentFact], None],
        *,
        patience: float,
    ) -> None:
        self._spec, self._running, self._transcript = spec, running, transcript
        self._report, self._patience = report, patience
        self._wire = Wire(pipes, self._on_request, self._on_notice, self._on_noise)
        self._updates = Updates(transcript)
        ours = owntools.recogniser(spec.mcp)
        self._questions = Questions(self._wire.reply, report, transcript, self._updates.known, ours)
        self._connection = acp.connect_to_agent(cast(acp.Client, _Silent()), self._wire)
        self._keeper = Keeper(self._connection, transcript, spec.launch.mode or "")
        self._updates.on_mode = self._keeper.learned
        self._end: asyncio.Future[ProcessEnd] = asyncio.get_running_loop().create_future()
        self._idle = asyncio.Event()
        self._idle.set()
        self._begun = self._stopping = self._cancelled = False
        self._conversation = ""
        self._watching = asyncio.create_task(self._watch(), name=f"watch {spec.session}")

    async def begin(self) -> Refused | None:
        """Shake hands and report `Began`, or say why that failed."""
        name = self._spec.launch.argv[0]
        try:
            async with asyncio.timeout(self._spec.start_timeout):
                greeting = await greet(self._connection, self._spec, self._updates, self._transcript)
        except TimeoutError:
            return Refused(reason=f"{name} was not ready within {self._spec.start_timeout:g} s")
        except ConnectionError:
            return Refused(reason=f"{name}: {await self._parting()} before it was ready")
        if isinstance(greeting, Refused):
            return greeting
        if self._end.done():
            return Refused(reason=f"{name}: {ending(self._end.result())} as soon as it was ready")
        self._begun = True
        self._conversation = greeting.conversation
        self._updates.begin(greeting.cost)
        self._keeper.begin(greeting.conversation, greeting.offer)
        self._announce(greeting.resumed, "; ".join(greeting.notes))
        return None

    def _announce(self, resumed: bool, detail: str) -> None:
        self._transcript.append("began", conversation=self._conversation, resumed=resumed, text=detail)
        self._report(
            Began(
                conversation=self._conversation,
                pid=self._running.pid,
                shim_pid=self._running.shim_pid,
                shim_start=self._running.shim_start,
                resumed=resumed,
                detail=detail,
            )
        )

    # -- turns ------------------------------------------------------------------------------------------

    async def prompt(self, turn: int, text: str) -> TurnResult:
        """See `ports.Agent.prompt`.

        stop: the protocol's own reason, or error, system-error, protocol (malformed), died, stopped.
        """
        if not self._idle.is_set():
            raise RuntimeError(f"session {self._spec.session}: a turn is already running")
        self._idle.clear()
        self._cancelled = False
        self._updates.turn()
        self._questions.reopen()
        self._transcript.append("turn-start", turn=turn, text=text)
        try:
            await self._keeper.turn()
            done = await self._turn(text)
            result = outcomes.accounted(done, self._updates.turn_cost, ours=self._cancelled)
            if spent := outcomes.spent(result.usage):
                self._transcript.append("usage", **spent)
            self._transcript.append("turn-end", turn=turn, ok=result.ok, stop=result.stop, text=result.detail)
            return result
        finally:
            self._idle.set()

    async def _turn(self, text: str) -> TurnResult:
        block = acp.text_block(text.encode("utf-8", "replace").decode())
        try:
            reply = await self._connection.prompt(session_id=self._conversation, prompt=[block])
        except acp.RequestError as error:
            return outcomes.of_error(error)
        except ValidationError as error:
            return outcomes.of_misfit(error)
        except ConnectionError:
            return await self._cut_short()
        if reply.stop_reason == "cancelled" and not self._cancelled and await _within(asyncio.shield(self._end), HURRY):
            return await self._cut_short()  # its first process was killed, and another one said good-bye
        return outcomes.of_reply(reply, self._updates)

    async def _cut_short(self) -> TurnResult:
        if self._wire.broken:
            return TurnResult(ok=False, stop="protocol", detail=self._wire.broken)
        end = await asyncio.shield(self._end)
        if self._stopping:
            return TurnResult(ok=False, stop="stopped", detail=ending(end), code=end.code)
        return TurnResult(ok=False, stop="died", detail=ending_with_words(end, self._spec.stderr), code=end.code)

    async def _parting(self) -> str:
        """Why nothing more will come; the watch sees to it that the process ends."""
        return self._wire.broken or ending(await asyncio.shield(self._end))

    def answer(self, question: str, option: str | None) -> bool:
        """See `ports.Agent.answer`; an option that the question does not offer is refused, too."""
        return self._questions.answer(question, option)

    # -- ending -----------------------------------------------------------------------------------------

    async def cancel(self) -> None:
        """Ask the agent to end its turn: the turn then returns with stop `cancelled`."""
        if self._idle.is_set():
            return
        self._cancelled = True
        with contextlib.suppress(ConnectionError):
            await self._connection.cancel(session_id=self._conversation)
        self._questions.close_all()

    async def stop(self, patience: float | None = None) -> None:
        """See `ports.Agent.stop`; returns when the process is gone. None: the driver's own patience for each step."""
        patience = self._patience if patience is None else patience
        self._stopping = True
        await _within(self.cancel(), max(patience, HURRY))
        if patience > 0:
            await _within(self._idle.wait(), patience)
        self._wire.close_stdin()
        if patience <= 0:
            self._running.stop(HURRY)
        elif not await _within(asyncio.shield(self._end), patience):
            self._running.stop()
        await asyncio.shield(self._watching)

    def vital(self) -> Vital:
        """See `ports.Agent.vital`."""
        signs = self._updates.signs
        signs.bytes_seen = self._wire.received
        seen = signs.vital(self._spec.stderr)
        return replace(seen, progress=seen.progress + self._wire.answers)

    async def abandon(self) -> None:
        """End a process that never became a session."""
        if not self._end.done():
            self._running.stop()
        await asyncio.shield(self._watching)

    async def _watch(self) -> None:
        """See the process out: hear what it still says, let the turn end first, then report the end once."""
        end = await self._outlive()
        self._end.set_result(end)
        self._questions.close_all()
        self._keeper.close()
        await self._connection.close()
        await self._idle.wait()
        self._transcript.append("ended", text=ending(end))
        self._transcript.close()
        if self._begun:
            self._report(Ended(end=end))

    async def _outlive(self) -> ProcessEnd:
        """Wait for the process; one that closed its output is given `patience`, one that talks nonsense nothing."""
        ended = asyncio.ensure_future(self._running.wait())
        closed = asyncio.ensure_future(self._wire.closed.wait())
        await asyncio.wait({ended, closed}, return_when=asyncio.FIRST_COMPLETED)
        if not self._wire.broken:
            await asyncio.wait({ended}, timeout=self._patience if closed.done() else None)
        if not ended.done():
            self._running.stop()
        end = await ended
        await asyncio.wait({closed}, timeout=self._patience)
        closed.cancel()
        return end

    # -- what the agent sends ---------------------------------------------------------------------------

    def _on_request(self, request: RequestId, method: str, params: Frame) -> bool:
        if method != "session/request_permission":
            return False
        if self._questions.ask(request, params):
            self._updates.signs.happened()
        return True

    def _on_notice(self, method: str, params: Frame) -> None:
        if method == "session/update":
            self._updates.take(params)
        elif method == "$/cancel_request":
            self._questions.withdraw(params.get("requestId", params.get("id")))
            if self._questions.withdrawn > WITHDRAWN:
                self._wire.break_off(TOO_MANY)

    def _on_noise(self, text: str) -> None:
        self._transcript.append("noise", text=text)


class _Silent:
    """What the library calls for an agent's requests: nothing, because the wire has already dealt with them."""


async def _within(what: Awaitable[Any], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await what
    except TimeoutError:
        return False
    return True
