"""A scripted agent that speaks the real Agent Client Protocol on stdin and stdout, for the demo and the tests.

It edits real files in its folder but asks no model: `--script` names a scenario beside this file or a behaviour;
`night` plays the scenario of the ticket that it is given. Needs the standard library and the `acp` package only.
Conversations outlive the process, so they can be loaded again.
"""

from __future__ import annotations

import argparse
import asyncio
import uuid
from typing import Any

import acp
from acp import schema
from acting import SCENARIOS, Conversation, Stage, play, spent
from behaviours import BEHAVIOURS

VERSION = "1.1.0"


class ScriptedAgent:
    """The agent's side of the protocol: conversations, turns, cancel."""

    def __init__(self, script: str, pace: float) -> None:
        self.script, self.pace = script, pace
        self.conversations: dict[str, Conversation] = {}
        self.playing: dict[str, asyncio.Future[None]] = {}
        self.cancelled: set[str] = set()

    def on_connect(self, client: acp.Client) -> None:
        self.client = client

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse(
            protocol_version=min(protocol_version, acp.PROTOCOL_VERSION),
            agent_capabilities=schema.AgentCapabilities(load_session=True),
            agent_info=schema.Implementation(name="scripted-agent", version=VERSION),
        )

    async def new_session(self, cwd: str, **_: Any) -> schema.NewSessionResponse:
        conversation = Conversation(uuid.uuid4().hex, cwd)
        self.conversations[conversation.ident] = conversation
        return schema.NewSessionResponse(session_id=conversation.ident)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> schema.LoadSessionResponse:
        conversation = self.conversations[session_id] = Conversation.load(session_id, cwd)
        for who, text in conversation.spoken:
            if who == "spent":
                continue
            speak = acp.update_user_message_text if who == "user" else acp.update_agent_message_text
            await self.client.session_update(session_id=session_id, update=speak(text))
        if conversation.spent:
            await self.client.session_update(session_id=session_id, update=spent(conversation))
        return schema.LoadSessionResponse()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        conversation = self.conversations[session_id]
        conversation.add("user", "\n".join(block.text for block in prompt if block.type == "text"))
        stage = Stage(self.client, conversation, self.pace)
        behaviour = BEHAVIOURS.get(self.script)
        playing = asyncio.ensure_future(behaviour(stage) if behaviour else play(stage, SCENARIOS / self.script))
        self.playing[session_id] = playing
        self.cancelled.discard(session_id)
        try:
            await playing
        except asyncio.CancelledError:
            if session_id not in self.cancelled:
                raise  # the connection is gone: there is nobody to answer
            return schema.PromptResponse(stop_reason="cancelled")
        return schema.PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        if session_id in self.playing:
            self.cancelled.add(session_id)
            self.playing[session_id].cancel()


def main() -> None:
    scenarios = [path.parent.name for path in SCENARIOS.glob("*/scenario.json")]
    parser = argparse.ArgumentParser(description="A scripted agent of the Agent Client Protocol.")
    parser.add_argument("--version", action="version", version=f"scripted-agent {VERSION}")
    parser.add_argument("--script", required=True, choices=sorted([*BEHAVIOURS, *scenarios]))
    parser.add_argument("--pace", type=float, default=0.3, help="seconds between steps")
    chosen = parser.parse_args()
    agent: Any = ScriptedAgent(chosen.script, chosen.pace)
    asyncio.run(acp.run_agent(agent))


if __name__ == "__main__":
    main()
