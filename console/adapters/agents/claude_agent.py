"""One live Claude Code process: its turns, questions and end. Reports what it says; decides nothing (see `claude`)."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace

from console.adapters.agents.claude_lines import Stream
from console.adapters.agents.claude_opening import Opening
from console.adapters.agents.claude_questions import Questions
from console.adapters.agents.claude_results import Turn, why_of
from console.adapters.agents.claude_wire import ClaudeWire
from console.adapters.agents.endings import ending, ending_with_words, last_words
from console.adapters.agents.questions import TOO_MANY, WITHDRAWN
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.wire import Pipes
from console.core import presets
from console.core.records import ProcessEnd, Refused
from console.engine.ports import AgentFact, AgentSpec, Began, Ended, Running, TurnResult, Vital

HURRY = 0.5
"""Seconds between the polite signal and the kill for an agent that gets no patience."""

SETTLE = 3.0
"""Seconds after a turn's result until it is over for us, if nothing of it is left that could be waited for."""

MOVES = 3
"""Times in one turn that it may say it is in another conversation. Each is in the log, which is for good."""

LOST = re.compile(r"\bNo conversation found\b|\bdoes not match any session\b", re.I)
_CONVERSATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,199}")


class ClaudeAgent:
    """One live process. See `ports.Agent`."""

    def __init__(
        self,
        spec: AgentSpec,
        way: Opening,
        running: Running,
        pipes: Pipes,
        *,
        transcript: Transcript,
        report: Callable[[AgentFact], None],
        patience: float,
    ) -> None:
        self._spec, self._way, self._running, self._transcript = spec, way, running, transcript
        self._report, self._patience = report, patience
        self._wire = ClaudeWire(
            pipes,
            on_event=self._on_event,
            on_request=self._on_request,
            on_withdrawn=self._on_withdrawn,
            on_noise=self._on_noise,
        )
        self._stream = Stream(transcript, spec.launch.output)
        self._questions = Questions(self._wire.answer, report, transcript)
        self._end: asyncio.Future[ProcessEnd] = asyncio.get_running_loop().create_future()
        self._turn: Turn | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._begun = self._stopping = self._cancelled = self._hushed = False
        self._conversation, self._resumed, self._detail = way.conversation, way.resumed, ""
        self._refusal = ""
        self._moves = 0
        self._following = asyncio.create_task(self._wire.follow(), name=f"follow {spec.session}")
        self._watching = asyncio.create_task(self._watch(), name=f"watch {spec.session}")

    async def begin(self) -> Refused | None:
        """Shake hands and report `Began`, or say why that failed."""
        name = self._way.argv[0]
        try:
            async with asyncio.timeout(self._spec.start_timeout):
                greeting = await self._greet()
        except TimeoutError:
            return Refused(reason=f"{name} was not ready within {self._spec.start_timeout:g} s")
        except ConnectionError:
            return Refused(reason=f"{name}: {await self._parting()} before it was ready")
        if isinstance(greeting, Refused):
            return greeting
        if self._end.done():
            return Refused(reason=f"{name}: {ending(self._end.result())} as soon as it was ready")
        self._begun = True
        self._stream.begin(resumed=self._resumed)
        self._announce("; ".join(note for note in (self._way.note, greeting) if note))
        return None

    async def _greet(self) -> str | Refused:
        """It is up when it answers. Returns what it says of itself."""
        answer = await self._wire.request("initialize")
        if answer.get("subtype") != "success":
            return Refused(reason=f"{self._way.argv[0]} refused to begin: {_error(answer)}")
        told = answer.get("response")
        told = told if isinstance(told, dict) else {}
        mode = self._spec.launch.mode
        if mode:
            answer = await self._wire.request("set_permission_mode", mode=mode)
            if answer.get("subtype") != "success":
                return Refused(reason=f"{self._way.argv[0]} has no mode {mode!r}: {_error(answer)}")
        version, mode = told.get("claude_code_version"), mode or told.get("current_permission_mode")
        known = (f"Claude Code {version}" if version else "", f"mode {mode}" if mode else "")
        return "; ".join(words[:100] for words in known if words)

    def _announce(self, detail: str) -> None:
        self._detail = detail
        self._transcript.append("began", conversation=self._conversation, resumed=self._resumed, text=detail)
        self._report(
            Began(
                conversation=self._conversation,
                pid=self._running.pid,
                shim_pid=self._running.shim_pid,
                shim_start=self._running.shim_start,
                resumed=self._resumed,
                detail=detail,
            )
        )

    def lost(self) -> str:
        """Why the conversation cannot be resumed, in the agent's words; "" when that was not the trouble."""
        if self._begun or not self._resumed:
            return ""
        marks = self._spec.launch.output.lost
        for words in (self._refusal, last_words(self._spec.stderr)):
            if LOST.search(words) or any(presets.fits(mark, words, None) for mark in marks):
                return words[:300]
        return ""

    # -- turns ------------------------------------------------------------------------------------------

    async def prompt(self, turn: int, text: str) -> TurnResult:
        """See `ports.Agent.prompt`.

        stop: end_turn; error, or the agent's own reason; cancelled, died, stopped, protocol (a line without an end).
        """
        if not self._idle.is_set():
            raise RuntimeError(f"session {self._spec.session}: a turn is already running")
        self._idle.clear()
        self._cancelled = self._hushed = False
        self._moves = 0
        self._stream.turn()
        self._questions.reopen()
        self._transcript.append("turn-start", turn=turn, text=text)
        try:
            result = await self._taken(text)
            self._transcript.append("turn-end", turn=turn, ok=result.ok, stop=result.stop, text=result.detail)
            return result
        finally:
            self._turn = None
            self._questions.close_all()
            self._idle.set()

    async def _taken(self, text: str) -> TurnResult:
        self._turn = turn = Turn(str(uuid.uuid4()))
        block = {"type": "text", "text": text.encode("utf-8", "replace").decode()}
        message = {"role": "user", "content": [block]}
        self._wire.send({"type": "user", "uuid": turn.ident, "message": message, "parent_tool_use_id": None})
        await self._wait_for(turn)
        if turn.result is None or (self._wire.closed.is_set() and not turn.over):
            return replace(await self._cut_short(), usage=self._stream.broken_off())
        result = self._stream.outcome(turn.result)
        whole = result.ok and turn.over and not turn.cut
        if whole or not (self._cancelled or self._stopping):
            return result
        # A turn that we ended is nobody's limit, whatever its agent says on the way out.
        stop = "stopped" if self._stopping else "cancelled"
        return replace(result, ok=False, stop=stop, detail="", code=None, fault="", until=0.0)

    async def _wait_for(self, turn: Turn) -> None:
        """Until it is over or nothing more can come. Once it has its result, it is not waited for without a reason."""
        while not turn.over and not self._wire.closed.is_set():
            turn.changed.clear()
            reason = turn.result is None or (turn.goes_on and not self._cancelled)
            waits = [asyncio.ensure_future(one.wait()) for one in (self._wire.closed, turn.changed)]
            try:
                limit = None if reason else SETTLE
                done, _ = await asyncio.wait(waits, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in waits:
                    one.cancel()
            if not done:
                return

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
        self._wire.request("interrupt", cancel_queued=True)
        for task in self._turn.cut_short() if self._turn else ():
            self._wire.request("stop_task", task_id=task)
        self._questions.close_all()

    async def stop(self, patience: float | None = None) -> None:
        """See `ports.Agent.stop`; returns when the process is gone. None: the driver's own patience for each step."""
        patience = self._patience if patience is None else patience
        self._stopping = True
        await self.cancel()
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
        signs = self._stream.signs
        signs.bytes_seen = self._wire.received
        return signs.vital(self._spec.stderr)

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
        self._wire.close()
        self._following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._following
        await self._idle.wait()
        if self._begun:
            self._transcript.append("ended", text=ending(end))
            self._report(Ended(end=end))
        self._transcript.close()

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

    def _on_event(self, event: dict[str, Any]) -> None:
        if not self._begun and event.get("type") == "result":
            self._refusal = why_of(event)
            return
        self._watch_conversation(event)
        self._hush(event)
        self._stream.take(event)
        ours = not (self._hushed and event.get("type") == "result")  # else it is the end of what we interrupted
        if self._turn is not None and ours:
            self._turn.take(event)
            if self._turn.over:
                self._questions.close_all()

    def _watch_conversation(self, event: dict[str, Any]) -> None:
        """The conversation that it says it is in, at the start and the end of each turn. Another one than was asked for
        is a fresh one and never taken for it."""
        if not (event.get("type") == "result" or event.get("subtype") == "init"):
            return
        ident, before = event.get("session_id"), self._conversation
        if not isinstance(ident, str) or ident == before or not _CONVERSATION.fullmatch(ident):
            return
        self._moves += 1
        if self._moves > MOVES:
            self._wire.break_off(f"the agent changed its conversation more than {MOVES} times in one turn")
            return
        self._conversation = ident
        if not before:
            self._announce(self._detail)
            return
        self._resumed = False
        self._announce(f"started a fresh conversation: the agent left {before} for {ident}")

    def _hush(self, event: dict[str, Any]) -> None:
        """Work that nobody asked for (something in the background ended after its turn) is interrupted: what the turn
        left is being judged."""
        working = event.get("type") in ("assistant", "stream_event") and event.get("parent_tool_use_id") is None
        if self._begun and working and not self._hushed and (self._turn is None or self._turn.over):
            self._hushed = True
            self._transcript.append("event", type="interrupted", text="it went on by itself after its turn had ended")
            self._wire.request("interrupt")

    def _on_request(self, ident: str, request: dict[str, Any]) -> bool:
        if request.get("subtype") != "can_use_tool":
            return False
        if self._questions.ask(ident, request):
            self._stream.signs.happened()
        return True

    def _on_withdrawn(self, ident: str) -> None:
        self._questions.withdraw(ident)
        if self._questions.withdrawn > WITHDRAWN:
            self._wire.break_off(TOO_MANY)

    def _on_noise(self, text: str) -> None:
        self._transcript.append("noise", text=text)


def _error(answer: dict[str, Any]) -> str:
    return str(answer.get("error") or "no reason was given")[:500]


async def _within(what: Awaitable[Any], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await what
    except TimeoutError:
        return False
    return True
