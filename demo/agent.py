"""A scripted agent that speaks the real Agent Client Protocol on stdin and stdout, for the demo and the tests.

It edits real files in its folder but asks no model: `--script` names a scenario beside this file or a behaviour below.
Needs the standard library and the `acp` package only. Conversations outlive the process, so they can be loaded again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import acp
from acp import schema

SCENARIOS = Path(__file__).resolve().parent / "scenarios"


class Conversation:
    """What was said in one session: enough to go on with it in a new process. Kept outside the worktree."""

    def __init__(self, ident: str, cwd: str) -> None:
        self.ident, self.cwd = ident, Path(cwd)
        self.spoken: list[tuple[str, str]] = []

    @property
    def heard(self) -> str:
        return "\n".join(text for who, text in self.spoken if who == "user")

    def add(self, who: str, text: str) -> None:
        self.spoken.append((who, text))
        path = conversation_file(self.ident)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(self.spoken))
        draft.replace(path)

    @classmethod
    def load(cls, ident: str, cwd: str) -> Conversation:
        conversation = cls(ident, cwd)
        if not re.fullmatch(r"[0-9a-f]{32}", ident) or not conversation_file(ident).exists():
            raise acp.RequestError.resource_not_found(ident)
        conversation.spoken = [(who, text) for who, text in json.loads(conversation_file(ident).read_text())]
        return conversation


def conversation_file(ident: str) -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    folder = Path(state) / "nightdesk-demo" if state else Path(tempfile.gettempdir()) / f"nightdesk-demo-{os.getuid()}"
    return folder / f"{ident}.json"


class Stage:
    """What a script can do: talk, show tools, edit files, ask. One for each turn."""

    def __init__(self, client: acp.Client, conversation: Conversation, pace: float) -> None:
        self.client, self.conversation, self.pace = client, conversation, pace
        self.tools = 0

    async def rest(self) -> None:
        await asyncio.sleep(self.pace)

    async def update(self, update: Any) -> None:
        await self.client.session_update(session_id=self.conversation.ident, update=update)

    async def say(self, text: str, speak: Callable[[str], Any] = acp.update_agent_message_text) -> None:
        """In a few pieces, as a model would."""
        words = text.split(" ")
        for at in range(0, len(words), 6):
            await self.update(speak(" ".join(words[at : at + 6]) + (" " if at + 6 < len(words) else "\n")))
            await asyncio.sleep(self.pace / 6)
        self.conversation.add("agent", text)
        await self.rest()

    async def think(self, text: str) -> None:
        await self.update(acp.update_agent_thought_text(text + "\n"))
        await self.rest()

    async def tool(self, title: str, kind: Any, path: str, work: Callable[[str], Awaitable[None]]) -> None:
        self.tools += 1
        ident = f"call-{self.tools}"
        places = [schema.ToolCallLocation(path=str(self.conversation.cwd / path))] if path else None
        started = acp.start_tool_call(ident, title, kind=kind, status="in_progress", locations=places)
        await self.update(started)
        await self.rest()
        await work(ident)
        await self.update(acp.update_tool_call(ident, status="completed"))

    async def read(self, path: str) -> None:
        async def look(ident: str) -> None:
            text = (self.conversation.cwd / path).read_text()
            shown = acp.tool_content(acp.text_block(text))
            await self.update(acp.update_tool_call(ident, content=[shown]))

        await self.tool(f"Read {path}", "read", path, look)

    async def edit(self, path: str, versions: list[str]) -> None:
        """Write each version as a whole, so that a turn that was cut anywhere can be played again."""

        async def write(ident: str) -> None:
            target = self.conversation.cwd / path
            for text in versions:
                old = target.read_text() if target.exists() else None
                target.write_text(text)
                await self.update(acp.update_tool_call(ident, content=[acp.tool_diff_content(str(target), text, old)]))
                await self.rest()

        await self.tool(f"Edit {path}", "edit", path, write)

    async def ask(self, title: str) -> bool:
        """True when a person allowed it."""
        options = [
            schema.PermissionOption(option_id="allow", name="Allow once", kind="allow_once"),
            schema.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
        ]
        reply = await self.client.request_permission(
            session_id=self.conversation.ident,
            tool_call=schema.ToolCallUpdate(tool_call_id="asked", title=title, kind="edit", status="pending"),
            options=options,
        )
        return isinstance(reply.outcome, schema.AllowedOutcome) and reply.outcome.option_id == "allow"


# -- scripts -------------------------------------------------------------------------------------------------


async def play(stage: Stage, scenario: Path) -> None:
    """The first take whose `when` is found in what was said so far (all turns of the conversation)."""
    takes = json.loads((scenario / "scenario.json").read_text())["takes"]
    found = ((take, re.search(take.get("when", ""), stage.conversation.heard)) for take in takes)
    take, match = next((take, match) for take, match in found if match)
    for step in take["steps"]:
        match step:
            case {"say": text}:
                await stage.say(text.format_map(match.groupdict()))
            case {"think": text}:
                await stage.think(text)
            case {"read": path}:
                await stage.read(path)
            case {"edit": path, "with": names}:
                await stage.edit(path, [(scenario / name).read_text() for name in names])


async def echo(stage: Stage) -> None:
    await stage.say("I will write what I was told.")
    await stage.edit("hello.txt", [stage.conversation.heard + "\n"])


async def ask(stage: Stage) -> None:
    if await stage.ask("Write allowed.txt"):
        await stage.edit("allowed.txt", ["allowed\n"])
    else:
        await stage.say("Then I will leave it.")


async def hang(stage: Stage) -> None:
    await stage.say("This will take a while.")
    await asyncio.Event().wait()


async def deaf(stage: Stage) -> None:
    """Neither a cancel nor the end of stdin nor TERM ends this one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    await stage.say("Nothing stops me.")
    while True:
        try:
            await asyncio.shield(asyncio.Event().wait())
        except asyncio.CancelledError:
            continue


async def crash(stage: Stage) -> None:
    await stage.edit("half.txt", ["half done\n"])
    print("scripted agent: out of luck", file=sys.stderr, flush=True)
    os._exit(3)


def start_server() -> int:
    return subprocess.Popen(["sleep", "600"], start_new_session=True).pid


async def leftover(stage: Stage) -> None:
    await stage.say(f"I started a server as process {start_server()} and leave it running.")


HOSTILE = (
    "\x1b[2J\x1b[31mred",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]0;owned\x1b\\",
    "\x9b31m\x9d52;c;ZXZpbA==\x9c",
    "abc\u202etxt.exe\u2066\u200b",
    "[bold]markup[/] [/] [@click=app.quit]click[/]",
    "\x00\x07\x08\r\x7f bells",
)


async def hostile(stage: Stage) -> None:
    """Terminal escapes, bidi and markup in every place that a person will look at."""
    for number, payload in enumerate(HOSTILE):
        await stage.update(acp.update_agent_message_text(payload + "\n"))
        name = f"h{number} {payload}".replace("\x00", "").replace("/", "_")
        await stage.edit(name, [payload + "\n"])
    await stage.ask("".join(HOSTILE))


BEHAVIOURS = {
    "echo": echo,
    "ask": ask,
    "hang": hang,
    "deaf": deaf,
    "crash": crash,
    "leftover": leftover,
    "hostile": hostile,
}


# -- the protocol --------------------------------------------------------------------------------------------


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
            agent_info=schema.Implementation(name="scripted-agent", version="1"),
        )

    async def new_session(self, cwd: str, **_: Any) -> schema.NewSessionResponse:
        conversation = Conversation(uuid.uuid4().hex, cwd)
        self.conversations[conversation.ident] = conversation
        return schema.NewSessionResponse(session_id=conversation.ident)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> schema.LoadSessionResponse:
        conversation = self.conversations[session_id] = Conversation.load(session_id, cwd)
        for who, text in conversation.spoken:
            speak = acp.update_user_message_text if who == "user" else acp.update_agent_message_text
            await self.client.session_update(session_id=session_id, update=speak(text))
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
    parser.add_argument("--script", required=True, choices=sorted([*BEHAVIOURS, *scenarios]))
    parser.add_argument("--pace", type=float, default=0.3, help="seconds between steps")
    chosen = parser.parse_args()
    agent: Any = ScriptedAgent(chosen.script, chosen.pace)
    asyncio.run(acp.run_agent(agent))


if __name__ == "__main__":
    main()
