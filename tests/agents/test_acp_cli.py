"""Real agent CLIs against the scripted model: what our drivers take for granted, checked on the agents themselves.

A row whose CLI is not installed is skipped and says how to install it. The product's drivers are not used here: when
one of these fails, an agent has changed.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import acp
import clis
import pytest
from acp import schema

HERE = Path(__file__).parent
TURN = 90.0
"""Seconds a turn may take on a slow machine; one to six are usual."""


# -- the world of one test -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """A model server that is up: its address and the requests it has had."""

    url: str
    log: Path

    def turns(self) -> list[dict[str, Any]]:
        """The requests of the conversation, without what the agent asked beside it."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line.get("tools") and "Change t" in line["prompt"]]

    def replies(self) -> list[str]:
        """What it answered to those, in order."""
        return [line["reply"].split("(")[0] for line in self.turns()]


@contextmanager
def model_server(folder: Path, conversations: list[dict[str, Any]]) -> Iterator[Model]:
    """The documented command, on a free port."""
    script, log = folder / "script.json", folder / "requests.jsonl"
    script.write_text(json.dumps({"conversations": conversations}))
    command = [sys.executable, str(HERE / "modelserver.py"), str(script), "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield Model(server.stdout.readline().strip(), log)
        finally:
            server.terminate()


def installed(name: str) -> str:
    """The agent's program; skips the test when there is none."""
    if reason := clis.missing(name):
        pytest.skip(reason)
    return str(clis.executable(name))


def edit(old: str, new: str) -> dict[str, Any]:
    return {"edit": {"path": "notes.txt", "old": old, "new": new}}


FIRST = {"match": "Change two", "steps": [{"read": "notes.txt"}, edit("two", "three"), {"say": "Done."}]}
SECOND = {"match": "Change three", "steps": [{"read": "notes.txt"}, edit("three", "four"), {"say": "Done."}]}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = tmp_path / "repo"
    path.mkdir()
    (path / "notes.txt").write_text("one\ntwo\n")
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-qm", "base"]):
        subprocess.run(["git", *words], cwd=path, check=True)
    return path


# -- over ACP --------------------------------------------------------------------------------------------


class Watcher(acp.Client):
    """Holds each permission request until the test answers it."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[list[schema.PermissionOption]] = asyncio.Queue()
        self.answers: asyncio.Queue[str | None] = asyncio.Queue()

    async def session_update(self, session_id: str, update: Any, **kw: Any) -> None:
        """Progress is not looked at."""

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        """Nor is what an agent tells beyond the protocol."""

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[schema.PermissionOption], **kw: Any
    ) -> schema.RequestPermissionResponse:
        self.asked.put_nowait(options)
        chosen = await self.answers.get()
        if chosen is None:
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))
        outcome = schema.AllowedOutcome(outcome="selected", option_id=chosen)
        return schema.RequestPermissionResponse(outcome=outcome)


@asynccontextmanager
async def agent(name: str, repo: Path, model: Model, watcher: Watcher) -> AsyncIterator[acp.ClientSideConnection]:
    """The agent's process; on leaving, end of input must end it with exit 0."""
    way = clis.ACP[name]
    env = clis.environment(name, model.url, repo.parent / "home") | dict(way.env)
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        installed(name),
        *way.args,
        cwd=repo,
        env=env,
        stdin=pipe,
        stdout=pipe,
        stderr=null,
        start_new_session=True,
        limit=50 << 20,
    )
    assert process.stdin is not None and process.stdout is not None
    connection = acp.connect_to_agent(watcher, process.stdin, process.stdout)
    try:
        await asyncio.wait_for(connection.initialize(protocol_version=acp.PROTOCOL_VERSION), TURN)
        yield connection
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await connection.close()


@asynccontextmanager
async def acp_turn(
    name: str, repo: Path, model: Model
) -> AsyncIterator[tuple[Watcher, acp.ClientSideConnection, str, asyncio.Task[schema.PromptResponse]]]:
    """A session in `repo`, in the mode in which edits ask first, with one prompt under way."""
    watcher = Watcher()  # type: ignore[abstract]  # a client need not offer files or terminals
    async with agent(name, repo, model, watcher) as connection:
        session = (await asyncio.wait_for(connection.new_session(cwd=str(repo), mcp_servers=[]), TURN)).session_id
        if mode := clis.ACP[name].mode:
            await asyncio.wait_for(connection.set_session_mode(session_id=session, mode_id=mode), TURN)
        prompt = [acp.text_block("Change two to three.")]
        turn = asyncio.ensure_future(connection.prompt(session_id=session, prompt=prompt))
        yield watcher, connection, session, turn


@pytest.mark.parametrize("name", clis.ACP)
async def test_acp_edit_waits_for_permission_and_the_turn_ends(name: str, repo: Path, tmp_path: Path) -> None:
    installed(name)
    with model_server(tmp_path, [FIRST]) as model:
        async with acp_turn(name, repo, model) as (watcher, _, _, turn):
            options = await asyncio.wait_for(watcher.asked.get(), TURN)
            assert (repo / "notes.txt").read_text() == "one\ntwo\n"
            assert {"allow_once", "reject_once"} <= {option.kind for option in options}
            watcher.answers.put_nowait(next(o.option_id for o in options if o.kind == "allow_once"))
            assert (await asyncio.wait_for(turn, TURN)).stop_reason == "end_turn"
        assert model.replies() == ["Call", "Call", "Say"]
    assert (repo / "notes.txt").read_text() == "one\nthree\n"


@pytest.mark.parametrize("name", clis.ACP)
async def test_acp_cancel_while_a_permission_is_open_ends_the_turn_and_edits_nothing(
    name: str, repo: Path, tmp_path: Path
) -> None:
    installed(name)
    with model_server(tmp_path, [FIRST]) as model:
        async with acp_turn(name, repo, model) as (watcher, connection, session, turn):
            await asyncio.wait_for(watcher.asked.get(), TURN)
            await connection.cancel(session_id=session)
            watcher.answers.put_nowait(None)
            assert (await asyncio.wait_for(turn, 20)).stop_reason == "cancelled"
    assert (repo / "notes.txt").read_text() == "one\ntwo\n"


# -- headless --------------------------------------------------------------------------------------------


def headless(name: str, model: Model, repo: Path, args: tuple[str, ...], **words: str) -> str:
    """One turn: all its output. Exit 0 is required."""
    home = repo.parent / "home"
    command = [installed(name), *(arg.format(home=home, **words) for arg in args)]
    done = subprocess.run(
        command,
        cwd=repo,
        env=clis.environment(name, model.url, home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TURN,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lines_of(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def has(line: Any, facts: Mapping[str, Any]) -> bool:
    return all(has(line[k], v) if isinstance(v, dict) else line[k] == v for k, v in facts.items())


def ended_well(name: str, output: str) -> bool:
    ended = clis.HEADLESS[name].ended
    return ended in output if isinstance(ended, str) else has(lines_of(output)[-1], ended)


@pytest.mark.slow
@pytest.mark.parametrize("name", clis.HEADLESS)
def test_headless_turn_edits_says_its_end_and_can_be_resumed(name: str, repo: Path, tmp_path: Path) -> None:
    installed(name)
    way = clis.HEADLESS[name]
    with model_server(tmp_path, [FIRST, SECOND]) as model:
        first = headless(name, model, repo, way.first, prompt="Change two to three in notes.txt.")
        assert ended_well(name, first), first
        assert (repo / "notes.txt").read_text() == "one\nthree\n"
        if not way.again:
            return
        key = next(line[way.key] for line in lines_of(first) if way.key in line)
        second = headless(name, model, repo, way.again, prompt="Change three to four in notes.txt.", id=key)
        assert ended_well(name, second), second
        assert {line[way.key] for line in lines_of(second) if way.key in line} <= {key}
        last = json.dumps(model.turns()[-1]["body"])
        assert "Change two to three" in last, "the first turn is not in the resumed conversation"
    assert (repo / "notes.txt").read_text() == "one\nfour\n"
