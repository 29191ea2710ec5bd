"""Drives Claude Code as a long-lived peer: a process under a shim, JSON lines on its two pipes (`claude-stream`).

The end of a turn is a `result` line and nothing else. Decides nothing: questions and ends are reported, the engine
chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from console.adapters.agents.claude_agent import ClaudeAgent
from console.adapters.agents.claude_opening import Opening, fresh, opening
from console.adapters.agents.endings import ending, refused_with_words
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.wire import pipes_of
from console.core.records import ProcessEnd, Refused
from console.engine.ports import Agent, AgentFact, AgentSpec, Processes, ProcessSpec

TELLING = {"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1"}
"""Makes it say when a session is idle, which is later than a result as long as agents work in the background."""


async def start(
    processes: Processes, spec: AgentSpec, report: Callable[[AgentFact], None], patience: float
) -> Agent | Refused:
    """Spawn the agent and bring it to where it answers, within `spec.start_timeout` seconds. A conversation that is not
    there any more is replaced by a fresh one, which `Began` says."""
    first = opening(spec)
    begun = await _begin(processes, spec, first, report, patience)
    if isinstance(begun, _Lost):
        note = f"started a fresh conversation: {begun.words}"
        begun = await _begin(processes, spec, fresh(spec.launch, note, spec.mcp), report, patience)
    return Refused(reason=begun.words) if isinstance(begun, _Lost) else begun


@dataclass(slots=True, frozen=True)
class _Lost:
    words: str


async def _begin(
    processes: Processes, spec: AgentSpec, way: Opening, report: Callable[[AgentFact], None], patience: float
) -> Agent | Refused | _Lost:
    try:
        transcript = Transcript(spec.transcript)
    except OSError as error:
        return Refused(reason=f"the transcript {spec.transcript} cannot be written: {error.strerror}")
    env = TELLING | spec.env
    process = ProcessSpec(argv=way.argv, cwd=spec.cwd, env=env, output=spec.stderr, stdio="pipes", sandbox=spec.sandbox)
    running = await processes.launch(process)
    if isinstance(running, ProcessEnd):
        transcript.close()
        return Refused(reason=f"{way.argv[0]} could not be started: {ending(running)}")
    pipes = await pipes_of(running)
    agent = ClaudeAgent(spec, way, running, pipes, transcript=transcript, report=report, patience=patience)
    try:
        refused = await agent.begin()
    except BaseException:
        await agent.abandon()
        raise
    if refused is None:
        return agent
    await agent.abandon()
    if lost := agent.lost():
        return _Lost(lost)
    return refused_with_words(refused, spec.stderr)
