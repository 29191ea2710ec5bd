"""What a scripted agent can do on its stage: talk, show tools, edit real files, ask, park, spend, fail; and its script.

A script is data (`scenario.json`): the first take that fits what was said so far is played, step by step. What is
played depends on the conversation alone, so a turn that was cut, or whose process was killed, can be played again.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import acp
from acp import schema

SCENARIOS = Path(__file__).resolve().parent / "scenarios"
TICKET = re.compile(r"^Ticket ([^\s:]+)(?::|$)", re.M)
"""The line of a prompt that says which ticket it is about."""


class Conversation:
    """What was said in one session: enough to go on with it in a new process. Kept outside the worktree."""

    def __init__(self, ident: str, cwd: str) -> None:
        self.ident, self.cwd = ident, Path(cwd)
        self.spoken: list[tuple[str, str]] = []

    @property
    def heard(self) -> str:
        return "\n".join(text for who, text in self.spoken if who == "user")

    @property
    def prompts(self) -> int:
        return sum(who == "user" for who, _ in self.spoken)

    @property
    def spent(self) -> float:
        """Dollars so far, of all turns."""
        return sum(float(text) for who, text in self.spoken if who == "spent")

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

    async def spend(self, cost: float) -> None:
        """Report what the conversation has cost by now, as the protocol wants it: a running total."""
        self.conversation.add("spent", str(cost))
        await self.update(spent(self.conversation))

    async def park(self, question: str, options: list[str], *, foundational: bool) -> None:
        """Ask a person by the command that every agent has; this one is driven by the same interpreter."""
        ticket = os.environ.get("NIGHTDESK_TICKET") or TICKET.findall(self.conversation.heard)[0]
        argv = ["-P", "-m", "console", "park", ticket, "--question", question]
        argv += [word for option in options for word in ("--option", option)]
        argv += ["--foundational"] if foundational else []

        async def run(ident: str) -> None:
            pipe = asyncio.subprocess.PIPE
            done = await asyncio.create_subprocess_exec(
                sys.executable,
                *argv,
                cwd=self.conversation.cwd,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=pipe,
                stderr=asyncio.subprocess.STDOUT,
            )
            text = (await done.communicate())[0].decode("utf-8", "replace")
            shown = acp.tool_content(acp.text_block(f"exit {done.returncode}\n{text}"))
            await self.update(acp.update_tool_call(ident, content=[shown]))

        await self.tool(f"nightdesk park {ticket}", "execute", "", run)

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


def spent(conversation: Conversation) -> schema.UsageUpdate:
    """What the conversation has cost, all turns together."""
    cost = schema.Cost(amount=round(conversation.spent, 6), currency="USD")
    return schema.UsageUpdate(session_update="usage_update", used=1000, size=200_000, cost=cost)


# -- scripts -------------------------------------------------------------------------------------------------


async def play(stage: Stage, scenario: Path) -> None:
    """The first take that fits: `when` is found in all that was said to the agent in this conversation, `prompt` is the
    number of prompts there were at least."""
    conversation = stage.conversation
    takes = json.loads((scenario / "scenario.json").read_text())["takes"]
    fitting = (take for take in takes if conversation.prompts >= take.get("prompt", 1))
    found = ((take, re.search(take.get("when", ""), conversation.heard, re.M)) for take in fitting)
    take, match = next((take, match) for take, match in found if match)
    for step in take["steps"]:
        await perform(stage, step, scenario, {key: text or "" for key, text in match.groupdict().items()})


async def perform(stage: Stage, step: dict[str, Any], scenario: Path, said: dict[str, str]) -> None:
    """One step of a take. said: the named groups of its `when`, for its texts."""
    match step:
        case {"say": text}:
            await stage.say(text.format_map(said))
        case {"think": text}:
            await stage.think(text)
        case {"read": path}:
            await stage.read(path)
        case {"edit": path, "with": names}:
            await stage.edit(path, [(scenario / name).read_text() for name in names])
        case {"wait": seconds}:
            await asyncio.sleep(seconds)
        case {"ask": title}:
            await stage.ask(title)
        case {"park": question, **more}:
            await stage.park(question, more.get("options", []), foundational=more.get("foundational", False))
        case {"spend": cost}:
            await stage.spend(cost)
        case {"limit": seconds}:
            raise usage_limit(time.time() + seconds)
        case {"crash": words}:
            print(f"scripted agent: {words}", file=sys.stderr, flush=True)
            os._exit(3)
        case {"hang": words}:
            await stage.say(words)
            await asyncio.Event().wait()
        case _:
            raise ValueError(f"{scenario.name}: no such step: {step}")


def usage_limit(reset: float) -> acp.RequestError:
    """As a real agent's: the reset is in the data of the error, not in its words."""
    return acp.RequestError(-32603, "Usage limit reached", {"errorKind": "rate_limit", "resetsAt": reset})


async def night(stage: Stage) -> None:
    """The script of the ticket that the conversation is about; of its reviews and repairs, which are takes of it."""
    named = TICKET.search(stage.conversation.heard)
    name = named[1].partition("+")[0] if named else ""
    scenario = SCENARIOS / name
    if re.fullmatch(r"[\w.-]+", name) and (scenario / "scenario.json").exists():
        await play(stage, scenario)
    else:
        await stage.say("I have no script for this ticket and change nothing.")
