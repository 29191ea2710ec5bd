"""The real product with a fresh home, and its tool server spoken to by the SDK's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import warm
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver.exceptions import ToolError

from console import wiring
from console.adapters.demo import demo_dir
from console.mcp.scope import scope
from console.mcp.server import build

AGENT = Path(__file__).with_name("toolagent.py")
CONFIG = """\
agent: tools
allowed_commands: [ls, git]
gate: [git, --version]
presets:
  echo: {{command: [{python}, {demo}, --script, echo, --pace, "0"], mcp: false}}
  tools: {{command: [{python}, {agent}], autonomy_confirmed: true, version: [{python}, --version],
           env: {{TOOLAGENT_ROOT: {root}}}}}
identity: {{allow_root: true}}
"""


class Refused(Exception):
    """A tool error, in its words."""


class Tools:
    """One connection."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        result = await self.session.call_tool(tool, arguments)
        if result.is_error:
            raise Refused(result.content[0].text)  # type: ignore[union-attr]
        assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
        return result.structured_content

    async def names(self) -> list[str]:
        return [tool.name for tool in (await self.session.list_tools()).tools]


class Here:
    """The same tools without a process and a wire between: for what does not depend on these."""

    def __init__(self, repo: Path, env: dict[str, str], session: str = "") -> None:
        here = wiring.locate(repo, env)
        assert isinstance(here, wiring.Here), here
        self.scope = scope(here, session, {})
        self.server = build(self.scope)

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        try:
            result: Any = await self.server.call_tool(tool, arguments)
        except ToolError as error:
            raise Refused(str(error)) from None
        return result.structured_content


class Desk:
    """A home and a repository."""

    def __init__(self, folder: Path) -> None:
        self.home, self.repo = folder / "home", folder / "repo"
        keep = ("PATH", "LANG", "VIRTUAL_ENV")
        self.env = {k: os.environ[k] for k in keep if k in os.environ} | {"HOME": str(self.home)}
        self.home.mkdir()
        (self.repo / ".nightdesk").mkdir(parents=True)
        config = CONFIG.format(python=sys.executable, agent=AGENT, demo=demo_dir() / "agent.py", root=self.repo)
        (self.repo / ".nightdesk" / "config.yaml").write_text(config)
        (self.repo / ".gitignore").write_text(".nightdesk/\ntickets/\ncalls.jsonl\n")
        self.git("config", "--global", "user.name", "Operator")
        self.git("config", "--global", "user.email", "operator@example.org")
        self.git("init", "-q", "-b", "main")
        self.git("add", ".gitignore")
        self.git("commit", "-q", "-m", "first")
        self.cli("trust")

    def git(self, *args: str) -> str:
        ran = subprocess.run(["git", *args], cwd=self.repo, env=self.env, capture_output=True, text=True, check=True)
        return ran.stdout

    def cli(self, *args: str) -> str:
        ran = self.run(*args)
        assert ran.returncode == 0, (args, ran.stdout, ran.stderr)
        return ran.stdout

    def failing(self, *args: str) -> str:
        """What it says to who asks for what cannot be."""
        ran = self.run(*args)
        assert ran.returncode == 2, (args, ran.stdout, ran.stderr)
        return ran.stderr

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        return warm.run("--workspace", str(self.repo), *args, cwd=self.repo, env=self.env)

    @asynccontextmanager
    async def tools(self, *args: str, wrapper: tuple[str, ...] = (), **more: str) -> AsyncIterator[Tools]:
        """A server that this test's process started; `wrapper` stands before its command."""
        argv = [*wrapper, sys.executable, "-P", "-m", "console", "--workspace", str(self.repo), "mcp", *args]
        where = StdioServerParameters(command=argv[0], args=argv[1:], env=self.env | more, cwd=self.repo)
        async with stdio_client(where) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            yield Tools(session)

    def here(self) -> Here:
        """With a supervisor that is no child of this process, as whoever started it has to wait for it."""
        found = Here(self.repo, self.env)
        if not wiring.supervised(found.scope.here):
            self.cli("session", "start", "--preset", "echo", "--idle")
        return found

    def stop(self) -> None:
        self.cli("stop")


def until(look: Callable[[], Any], seconds: float, what: str) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.02)
    return found
