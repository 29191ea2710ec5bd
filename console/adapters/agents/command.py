"""Drives any headless command: one process a turn, its output file read while it grows.

Between turns there is no process; the session is up as long as nobody stops it. Decides nothing: a turn is ok when the
process exited with 0, no line of its output was an error result, and its positive end was seen if the preset marks one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from console.adapters.agents import costs, faults, prompts
from console.adapters.agents.endings import NOT_STARTED, ending, ending_with_words, exit_code, last_words
from console.adapters.agents.growing import Growing
from console.adapters.agents.lines import Lines
from console.adapters.agents.pacing import Pace
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.vitals import Signs
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

POLL = 0.2
HEAD = 16 * 1024 * 1024
"""Bytes of the file that takes the output; two of them are kept. An agent that repeats its message with every piece of
it prints more in a turn, so all of it is read as it comes."""
TAIL = 1024 * 1024
GRACE, HURRY = 2.0, 0.5
"""Seconds between the polite signal and the kill at most, and for an agent that gets no patience."""

NO_END = "it exited with 0, but nothing said that the turn had ended well"
HOLE = "a part of its output was lost, so that nobody knows how the turn ended"
STREAMED = frozenset({"text", "thought", "user", "line"})


async def start(
    processes: Processes, spec: AgentSpec, report: Callable[[AgentFact], None], patience: float
) -> Agent | Refused:
    """Check what can be checked without a process. `patience` is the shim's grace when a turn is stopped."""
    program = spec.launch.argv[0]
    if shutil.which(program, path=spec.env.get("PATH", os.defpath)) is None:
        return Refused(reason=f"{program} is not installed: no executable of that name on the session's PATH")
    if not os.path.isdir(spec.cwd):
        return Refused(reason=f"the session's folder {spec.cwd} does not exist")
    try:
        transcript = Transcript(spec.transcript)
    except OSError as error:
        return Refused(reason=f"the transcript {spec.transcript} cannot be written: {error.strerror}")
    agent = CommandAgent(processes, spec, transcript, report, patience)
    agent.begin()
    return agent


class CommandAgent:
    """One session of a headless command. See `ports.Agent`.

    `Began` is reported when it starts (pid 0), at each turn's process, and when the conversation's id becomes known.
    """

    def __init__(
        self,
        processes: Processes,
        spec: AgentSpec,
        transcript: Transcript,
        report: Callable[[AgentFact], None],
        patience: float,
    ) -> None:
        self._processes, self._spec, self._transcript = processes, spec, transcript
        self._report, self._patience = report, patience
        self._conversation = spec.conversation
        self._running: Running | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._signs = Signs()
        self._prompt_file = Path(spec.transcript).with_suffix(".prompt")
        self._halt = self._fresh = ""
        self._spent = None if spec.conversation else costs.NOTHING
        self._over = False
        self._end = ProcessEnd(how="exited", code=0, stopped=True, reason="no turn was running")

    def begin(self) -> None:
        """Report that the session is up."""
        resumed = bool(self._conversation and self._spec.launch.resume)
        lost = "started a fresh conversation: the preset does not say how to resume one"
        detail = lost if self._conversation and not resumed else ""
        self._transcript.append("began", conversation=self._conversation, resumed=resumed, text=detail)
        self._announce(resumed=resumed, detail=detail)

    def _announce(self, *, resumed: bool = False, detail: str = "") -> None:
        running = self._running
        self._report(
            Began(
                conversation=self._conversation,
                pid=running.pid if running else 0,
                shim_pid=running.shim_pid if running else 0,
                shim_start=running.shim_start if running else 0,
                resumed=resumed,
                detail=detail or self._fresh,
            )
        )
        self._fresh = ""

    # -- turns ------------------------------------------------------------------------------------------

    async def prompt(self, turn: int, text: str) -> TurnResult:
        """See `ports.Agent.prompt`. stop: exit, error (an error result), no-end (exit 0 without the end that the preset
        waits for), died, cancelled, stopped, not-started, lost.

        code: the exit status; 128 + the signal; 127 when it was not started; -1 when nobody saw it end.
        """
        if not self._idle.is_set():
            raise RuntimeError(f"session {self._spec.session}: a turn is already running")
        if self._over:
            return TurnResult(ok=False, stop="stopped", detail="the session has ended", code=NOT_STARTED)
        self._idle.clear()
        self._halt = ""
        self._signs.turn()
        self._transcript.append("turn-start", turn=turn, text=text)
        try:
            result = await self._turn(text)
            fields = {"ok": result.ok, "stop": result.stop, "code": result.code, "text": result.detail}
            self._transcript.append("turn-end", turn=turn, **fields)
            return result
        finally:
            self._running = None
            if prompts.by_file(self._spec.launch.argv):
                prompts.forget(self._prompt_file)
            self._idle.set()

    async def _turn(self, text: str) -> TurnResult:
        """One process, or two when the first one could not find the conversation and had done nothing yet."""
        lines = self._lines()
        result = await self._attempt(text, lines)
        why = lines.marks.lost
        if result.ok or self._halt or not why or lines.spoke or not self._resume():
            return result
        self._conversation = ""
        self._begin_afresh(why)
        return await self._attempt(text, self._lines())

    def _lines(self) -> Lines:
        launch = self._spec.launch
        before = self._spent if self._resume() else costs.NOTHING
        return Lines(launch.conversation_key, signs=self._signs, output=launch.output, before=before)

    def _begin_afresh(self, why: str) -> None:
        """The next `Began` says it."""
        self._fresh = f"started a fresh conversation: {why}"
        self._transcript.append("began", conversation=self._conversation, resumed=False, text=self._fresh)

    def _resume(self) -> tuple[str, ...]:
        words = self._spec.launch.resume if self._conversation else ()
        return tuple(word.replace("{conversation}", self._conversation) for word in words)

    async def _attempt(self, text: str, lines: Lines) -> TurnResult:
        process = self._process(text)
        if isinstance(process, Refused):
            return TurnResult(ok=False, stop="not-started", detail=process.reason, code=NOT_STARTED)
        running = await self._processes.launch(process)
        if isinstance(running, ProcessEnd):
            return TurnResult(ok=False, stop="not-started", detail=ending(running), code=NOT_STARTED)
        self._running = running
        if self._halt:
            running.stop()
        self._announce()
        try:
            self._end = await self._follow(running, lines)
        except BaseException:
            running.stop()
            raise
        self._spent = lines.total or self._spent
        return self._judge(self._end, lines)

    def _process(self, text: str) -> ProcessSpec | Refused:
        launch, argv = self._spec.launch, (*self._spec.launch.argv, *self._resume())
        stdin, words = "", argv
        if prompts.by_file(argv):
            filled = prompts.as_file(argv, self._prompt_file, text)
            if isinstance(filled, Refused):
                return filled
            words = filled
        elif launch.prompt_by == "argument":
            last = prompts.as_argument(text)
            if isinstance(last, Refused):
                return last
            words = (*argv, last)
        else:
            stdin = prompts.plain_prompt(text)
        return ProcessSpec(
            argv=words,
            cwd=self._spec.cwd,
            env=self._spec.env,
            output=self._spec.stderr,
            stdin=stdin,
            head=HEAD,
            tail=TAIL,
            rolling=True,
            grace=min(self._patience, GRACE),
            sandbox=self._spec.sandbox,
        )

    async def _follow(self, running: Running, lines: Lines) -> ProcessEnd:
        """Record the output while the process runs, and what is left of it afterwards."""
        output = Growing(self._spec.stderr)
        ended = asyncio.ensure_future(running.wait())
        try:
            while not ended.done():
                await asyncio.wait({ended}, timeout=POLL)
                await self._record(output.lines(), lines)
            await self._record(output.lines(last=True), lines)
        finally:
            ended.cancel()
            output.close()
        self._transcript.flush()
        return ended.result()

    async def _record(self, read: Iterator[str], lines: Lines) -> None:
        pace = Pace()
        pace.begins()
        for line in read:
            for kind, fields in lines.read(line):
                if kind in STREAMED:
                    self._transcript.say(kind, fields["text"])
                else:
                    self._transcript.append(kind, **fields)
            if lines.conversation and lines.conversation != self._conversation:
                self._take_conversation(lines.conversation)
            await pace.done()
            pace.begins()

    def _take_conversation(self, found: str) -> None:
        """The id that the agent tells. Another one than it was asked for is never passed over in silence."""
        asked, resumed = self._conversation, bool(self._resume())
        self._conversation = found
        if resumed:
            self._begin_afresh(f"the agent went on in {found} when it was asked for {asked}")
        self._announce()

    def _judge(self, end: ProcessEnd, lines: Lines) -> TurnResult:
        result = replace(self._verdict(end, lines), usage=lines.usage)
        # A turn that we ended is nobody's limit, whatever its agent says on the way out.
        if self._halt or end.how != "exited":
            return result
        if lines.marks.asked:
            asked = f"it wanted something that it was refused: {lines.marks.asked}"
            result = replace(result, detail=f"{result.detail}; {asked}" if result.detail else asked)
        if result.ok:
            return result
        fault = lines.fault or faults.of_exit(self._spec.launch.argv[0], end.code, time.time())
        if not fault and not lines.spoke:
            fault = faults.of_words(result.detail)
        return replace(result, detail=faults.hinted(result.detail, fault), fault=fault.kind, until=fault.until)

    def _verdict(self, end: ProcessEnd, lines: Lines) -> TurnResult:
        code = exit_code(end)
        if self._halt and end.stopped:
            return TurnResult(ok=False, stop=self._halt, detail=ending(end), code=code)
        if end.how != "exited":
            stop = "died" if end.how == "signaled" else end.how
            return TurnResult(ok=False, stop=stop, detail=ending_with_words(end, self._spec.stderr), code=code)
        if failure := lines.failure or lines.marks.failed:
            return TurnResult(ok=False, stop="error", detail=failure, code=code)
        if not code and (lines.hole or end.reason.startswith("output was lost")):
            return TurnResult(ok=False, stop="lost-output", detail=end.reason or HOLE, code=code)
        if code:
            detail = lines.marks.trouble or last_words(self._spec.stderr)
            return TurnResult(ok=False, stop=f"exit {code}", detail=detail, code=code)
        if lines.marks.needs_end and not lines.marks.ended:
            detail = f"{NO_END}: {lines.marks.trouble}" if lines.marks.trouble else NO_END
            return TurnResult(ok=False, stop="no-end", detail=detail, code=code)
        return TurnResult(ok=True, stop="exit", code=code)

    def answer(self, question: str, option: str | None) -> bool:
        """A headless command asks nothing."""
        return False

    # -- ending -----------------------------------------------------------------------------------------

    async def cancel(self) -> None:
        """End the turn's process; the session stays up."""
        self._stop_process("cancelled")

    async def stop(self, patience: float | None = None) -> None:
        """See `ports.Agent.stop`; returns when the process, if there is one, is gone. There is nobody to ask: patience
        is the time between the polite signal and the kill, None for the usual one."""
        self._stop_process("stopped", None if patience is None else max(HURRY, min(patience, GRACE)))
        await self._idle.wait()
        if self._over:
            return
        self._over = True
        self._transcript.append("ended", text=ending(self._end))
        self._transcript.close()
        self._report(Ended(end=self._end))

    def vital(self) -> Vital:
        """See `ports.Agent.vital`. Plain text is output and never progress: nobody can tell it from a spinner."""
        return self._signs.vital(self._spec.stderr)

    def _stop_process(self, why: str, grace: float | None = None) -> None:
        if self._idle.is_set():
            return
        self._halt = why
        if self._running is not None:
            self._running.stop(grace)
