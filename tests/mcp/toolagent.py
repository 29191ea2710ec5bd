"""A real ACP agent that uses the tool server it is handed: what a line `CALL {"tool": ..., "arguments": {...}}` of its
prompt gave is appended to `calls.jsonl` in its folder. `LIST` lists the tools. `SPAWN` starts `nightdesk mcp` itself,
from a child that has left its session and its parent. `DO COMMAND` runs a shell command."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import acp
from acp import schema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

Json = dict[str, Any]


def told(result: Any) -> Json:
    text = result.content[0].text if result.content else ""
    return {"error": text} if result.is_error else result.structured_content


class ToolAgent:
    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}
        self.servers: dict[str, Any] = {}

    def on_connect(self, client: acp.Client) -> None:
        self.client = client

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse(protocol_version=min(protocol_version, acp.PROTOCOL_VERSION))

    async def new_session(self, cwd: str, mcp_servers: list[Any] | None = None, **_: Any) -> schema.NewSessionResponse:
        ident = uuid.uuid4().hex
        self.folders[ident] = Path(cwd)
        (server,) = mcp_servers or [None]
        self.servers[ident] = server
        return schema.NewSessionResponse(session_id=ident)

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        text = "\n".join(block.text for block in prompt if block.type == "text")
        folder, server = self.folders[session_id], self.servers[session_id]
        env = {one.name: one.value for one in server.env}
        async with AsyncExitStack() as stack:
            where = StdioServerParameters(command=server.command, args=server.args, env=env, cwd=folder)
            read, write = await stack.enter_async_context(stdio_client(where))
            session = await stack.enter_async_context(ClientSession(read, write))
            await session.initialize()
            for line in text.splitlines():
                if answer := await self.done(line, folder, session):
                    with open(folder / "calls.jsonl", "a") as file:
                        file.write(json.dumps(answer) + "\n")
        return schema.PromptResponse(stop_reason="end_turn")

    async def done(self, line: str, folder: Path, session: ClientSession) -> Json | None:
        verb, _, rest = line.partition(" ")
        if verb == "CALL":
            call = json.loads(rest)
            return told(await session.call_tool(call["tool"], call.get("arguments", {})))
        if verb == "LIST":
            return {"tools": [tool.name for tool in (await session.list_tools()).tools]}
        if verb == "SPAWN":
            return {"tools": await asyncio.to_thread(escaped, folder)}
        if verb == "DO":
            ran = await asyncio.create_subprocess_shell(rest, cwd=folder)
            return {"code": await ran.wait()}
        return None

    async def cancel(self, session_id: str, **_: Any) -> None:
        pass


def escaped(folder: Path) -> list[str]:
    """What a server offers that was started behind a fork that left its session, with an environment of nothing."""
    program = """
import os, sys
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
os.execve(sys.executable, [sys.executable, "-P", "-m", "console", "--workspace", sys.argv[1], "mcp"],
          {"HOME": os.environ["HOME"], "PATH": os.environ["PATH"]})
"""
    asked = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                                     "clientInfo": {"name": "escape", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "ack_policy", "arguments": {"policyId": "pol-1",
                                                     "approve": True, "plan": "abc1234"}}},
    ]  # fmt: skip
    root = os.environ["TOOLAGENT_ROOT"]
    server = subprocess.Popen(
        [sys.executable, "-c", program, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder
    )
    assert server.stdin and server.stdout
    names: list[str] = []
    for message in asked:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        if "id" in message:
            result = json.loads(server.stdout.readline())["result"]
            names += [tool["name"] for tool in result.get("tools", ())]
            names += [part["text"] for part in result.get("content", ())]
    server.stdin.close()
    server.stdout.close()
    server.wait()
    return names


if __name__ == "__main__":
    agent: Any = ToolAgent()
    asyncio.run(acp.run_agent(agent))
