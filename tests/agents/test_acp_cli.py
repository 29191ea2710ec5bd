"""Real agent CLIs against the scripted model: what our drivers take for granted, checked on the agents themselves.

A row whose CLI is not installed is skipped and says how to install it. The product's drivers are not used here: when
one of these fails, an agent has changed.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import acp
import pytest
from acp import schema

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = Path(os.environ.get("NIGHTDESK_AGENTS_DIR") or CACHE / "nightdesk-agents")
TURN = 90.0
"""Seconds a turn may take on a slow machine; two to six are usual."""


# -- the agents ------------------------------------------------------------------------------------------


def opencode_env(url: str, home: Path) -> dict[str, str]:
    models = {"scripted": {"name": "scripted", "tool_call": True}}
    options = {"baseURL": f"{url}/v1", "apiKey": "none"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": options, "models": models}
    return {
        "OPENCODE_CONFIG_CONTENT": json.dumps({"model": "scripted/scripted", "provider": {"scripted": provider}}),
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "npm_config_offline": "true",
    }


def gemini_env(url: str, home: Path) -> dict[str, str]:
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))
    return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}


@dataclass(frozen=True, slots=True)
class Cli:
    """One agent. ask: environment that makes ACP edits ask first. ended: is this output line its positive end?"""

    env: Callable[[str, Path], dict[str, str]]
    acp: tuple[str, ...]
    ask: dict[str, str]
    run: tuple[str, ...]
    resume: str
    key: str
    ended: Callable[[dict[str, Any]], bool]


MODEL = ("-m", "gemini-2.5-pro")
CLIS = {
    "opencode": Cli(
        env=opencode_env,
        acp=("acp",),
        ask={"OPENCODE_PERMISSION": '{"edit":"ask"}'},
        run=("run", "--format", "json"),
        resume="-s",
        key="sessionID",
        ended=lambda line: line["type"] == "step_finish" and line["part"]["reason"] == "stop",
    ),
    "gemini": Cli(
        env=gemini_env,
        acp=("--acp", *MODEL),
        ask={},
        run=(*MODEL, "--approval-mode", "auto_edit", "--skip-trust", "-o", "stream-json"),
        resume="--resume",
        key="session_id",
        ended=lambda line: line["type"] == "result" and line["status"] == "success",
    ),
}


def installed(name: str) -> str:
    """The agent's binary; skips the test when there is none."""
    if shutil.which("node") is None:
        pytest.skip("node is not on PATH")
    binary = FOLDER / "node_modules" / ".bin" / name
    if not binary.exists():
        pytest.skip(f"{name} is not in {FOLDER}: python tests/agents/install.py FOLDER, NIGHTDESK_AGENTS_DIR=FOLDER")
    return str(binary)


# -- the world of one test -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """A model server that is up: its address and the requests it has had."""

    url: str
    log: Path

    def replies(self) -> list[str]:
        """What it answered to requests that offered tools, in order."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line["reply"].split("(")[0] for line in lines if line.get("tools")]


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


@pytest.fixture
def base_env(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own: no account, no history, no configuration of the person who runs this."""
    home = tmp_path / "home"
    home.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


# -- over ACP --------------------------------------------------------------------------------------------


class Watcher(acp.Client):
    """Holds each permission request until the test answers it."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[list[schema.PermissionOption]] = asyncio.Queue()
        self.answers: asyncio.Queue[str | None] = asyncio.Queue()

    async def session_update(self, session_id: str, update: Any, **kw: Any) -> None:
        """Progress is not looked at."""

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
async def acp_turn(
    name: str, repo: Path, env: dict[str, str], prompt: str
) -> AsyncIterator[tuple[Watcher, acp.ClientSideConnection, str, asyncio.Task[schema.PromptResponse]]]:
    """A session in `repo` with one prompt under way; on leaving, end of input must end the agent with exit 0."""
    command = [installed(name), *CLIS[name].acp]
    watcher = Watcher()
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, cwd=repo, env=env, stdin=pipe, stdout=pipe, stderr=null, start_new_session=True, limit=50 << 20
    )
    assert process.stdin is not None and process.stdout is not None
    connection = acp.connect_to_agent(watcher, process.stdin, process.stdout)
    try:
        await asyncio.wait_for(connection.initialize(protocol_version=acp.PROTOCOL_VERSION), TURN)
        session = (await asyncio.wait_for(connection.new_session(cwd=str(repo), mcp_servers=[]), TURN)).session_id
        turn = asyncio.ensure_future(connection.prompt(session_id=session, prompt=[acp.text_block(prompt)]))
        yield watcher, connection, session, turn
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await connection.close()


@pytest.mark.parametrize("name", CLIS)
async def test_acp_edit_waits_for_permission_and_the_turn_ends(
    name: str, repo: Path, tmp_path: Path, base_env: dict[str, str]
) -> None:
    installed(name)
    with model_server(tmp_path, [FIRST]) as model:
        env = base_env | CLIS[name].env(model.url, tmp_path / "home") | CLIS[name].ask
        async with acp_turn(name, repo, env, "Change two to three.") as (watcher, _, _, turn):
            options = await asyncio.wait_for(watcher.asked.get(), TURN)
            assert (repo / "notes.txt").read_text() == "one\ntwo\n"
            assert {"allow_once", "reject_once"} <= {option.kind for option in options}
            watcher.answers.put_nowait(next(o.option_id for o in options if o.kind == "allow_once"))
            assert (await asyncio.wait_for(turn, TURN)).stop_reason == "end_turn"
        assert model.replies() == ["Call", "Call", "Say"]
    assert (repo / "notes.txt").read_text() == "one\nthree\n"


@pytest.mark.parametrize("name", CLIS)
async def test_acp_cancel_while_a_permission_is_open_ends_the_turn_and_edits_nothing(
    name: str, repo: Path, tmp_path: Path, base_env: dict[str, str]
) -> None:
    installed(name)
    with model_server(tmp_path, [FIRST]) as model:
        env = base_env | CLIS[name].env(model.url, tmp_path / "home") | CLIS[name].ask
        async with acp_turn(name, repo, env, "Change two to three.") as (watcher, connection, session, turn):
            await asyncio.wait_for(watcher.asked.get(), TURN)
            await connection.cancel(session_id=session)
            watcher.answers.put_nowait(None)
            assert (await asyncio.wait_for(turn, 20)).stop_reason == "cancelled"
    assert (repo / "notes.txt").read_text() == "one\ntwo\n"


# -- headless --------------------------------------------------------------------------------------------


def headless(command: list[str], repo: Path, env: dict[str, str], prompt: str) -> list[dict[str, Any]]:
    """One turn, the prompt by stdin: its JSON lines. Exit 0 is required."""
    done = subprocess.run(
        command, cwd=repo, env=env, input=prompt, capture_output=True, text=True, timeout=TURN, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", CLIS)
def test_headless_turn_edits_says_its_end_and_can_be_resumed(
    name: str, repo: Path, tmp_path: Path, base_env: dict[str, str]
) -> None:
    cli = CLIS[name]
    command = [installed(name), *cli.run]
    with model_server(tmp_path, [FIRST, SECOND]) as model:
        env = base_env | cli.env(model.url, tmp_path / "home")
        first = headless(command, repo, env, "Change two to three.")
        assert cli.ended(first[-1])
        assert (repo / "notes.txt").read_text() == "one\nthree\n"
        conversation = next(line[cli.key] for line in first if cli.key in line)
        second = headless([*command, cli.resume, conversation], repo, env, "Change three to four.")
        assert cli.ended(second[-1])
        assert {line[cli.key] for line in second if cli.key in line} == {conversation}
        last = json.loads(model.log.read_text().splitlines()[-1])
        assert "Change two to three." in json.dumps(last["body"]), "the first turn is not in the resumed conversation"
    assert (repo / "notes.txt").read_text() == "one\nfour\n"


# -- the model server itself, which needs no CLI ---------------------------------------------------------


def ask(model: Model, history: list[dict[str, Any]], tools: tuple[str, ...] = ("edit",)) -> dict[str, Any]:
    body = {"messages": history, "tools": [{"type": "function", "function": {"name": tool}} for tool in tools]}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{model.url}/v1/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        message: dict[str, Any] = json.load(answer)["choices"][0]["message"]
    return message


def test_model_finds_its_place_in_the_history_it_is_sent(tmp_path: Path) -> None:
    prompt = {"role": "user", "content": "Change two, please."}
    with model_server(
        tmp_path, [{"match": "Change two", "steps": [edit("two", "three"), {"say": "Finished."}]}]
    ) as model:
        call = ask(model, [prompt])
        assert ask(model, [prompt])["tool_calls"][0]["function"] == call["tool_calls"][0]["function"]
        result = {"role": "tool", "content": "ok", "tool_call_id": call["tool_calls"][0]["id"]}
        assert ask(model, [prompt, call, result])["content"] == "Finished."
        assert ask(model, [prompt], tools=())["content"] == "Scripted work"
        assert "No tool" in ask(model, [prompt], tools=("other",))["content"]
    arguments = json.loads(call["tool_calls"][0]["function"]["arguments"])
    assert arguments == {"filePath": "notes.txt", "oldString": "two", "newString": "three"}


def test_model_is_overloaded_as_often_as_the_script_says(tmp_path: Path) -> None:
    steps = [{"status": 529, "times": 2, "retry_after": 7}, {"say": "Back again."}]
    prompt = {"role": "user", "content": "Hello"}
    with model_server(tmp_path, [{"match": "", "steps": steps}]) as model:
        for _ in range(2):
            with pytest.raises(urllib.error.HTTPError) as refused:
                ask(model, [prompt])
            with refused.value as error:
                assert (error.code, error.headers["Retry-After"]) == (529, "7")
        assert ask(model, [prompt])["content"] == "Back again."
