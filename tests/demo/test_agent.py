"""The demo really works: its repository has two bugs, its agents fix them, one of them only when told what failed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from console.adapters.agents import RealAgents
from console.adapters.demo import DemoSession, demo_dir, demo_sessions, make_repository
from console.adapters.processes import ShimProcesses
from console.core.records import Launch, Refused
from console.engine.ports import AgentSpec, Began

SESSIONS = {session.preset: session for session in demo_sessions()}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    assert make_repository(made) is None
    return made


def gate(repository: Path, session: DemoSession) -> tuple[int, str]:
    argv = [sys.executable, *session.gate[1:]]
    done = subprocess.run(argv, cwd=repository, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def changed(repository: Path) -> list[str]:
    done = subprocess.run(["git", "status", "--porcelain"], cwd=repository, capture_output=True, text=True, check=True)
    return [line[3:] for line in done.stdout.splitlines()]


class Actor:
    """Starts the demo's agent for a session in the repository, as its preset says, only faster."""

    def __init__(self, repository: Path, session: DemoSession, state: Path) -> None:
        self.repository, self.state = repository, state
        settings = yaml.safe_load((repository / ".nightdesk" / "config.yaml").read_text())
        preset = settings["presets"][session.preset]
        assert preset["protocol"] == "acp"
        self.launch = Launch(argv=(*preset["command"], "--pace", "0.02"))
        self.facts: list[Any] = []
        self.agents = RealAgents(ShimProcesses(), patience=0.5)

    async def start(self, conversation: str = "") -> Any:
        agent = await self.agents.start(
            AgentSpec(
                session="s1",
                run=1,
                launch=self.launch,
                cwd=str(self.repository),
                env={"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(self.state)},
                transcript=str(self.state / "t.jsonl"),
                stderr=str(self.state / "e.log"),
                conversation=conversation,
            ),
            self.facts.append,
        )
        assert not isinstance(agent, Refused), agent
        return agent


@pytest.fixture
async def act(repository: Path, tmp_path: Path) -> Any:
    (tmp_path / "state").mkdir()
    agents: list[Any] = []

    async def start(preset: str, conversation: str = "") -> Any:
        actor = Actor(repository, SESSIONS[preset], tmp_path / "state")
        agents.append(await actor.start(conversation))
        agents[-1].conversation = next(f.conversation for f in actor.facts if isinstance(f, Began))
        return agents[-1]

    yield start
    for agent in agents:
        await agent.stop()


def nudged(session: DemoSession, code: int, output: str) -> str:
    return session.nudge.format(code=code, output=output)


def test_the_repository_is_clean_and_has_one_bug_a_session(repository: Path) -> None:
    assert changed(repository) == []
    log = subprocess.run(
        ["git", "log", "--format=%an %s%n%D"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert log.stdout.split("\n")[:2] == ["Nightdesk Demo A small shop with a few bugs", "HEAD -> main"]
    outputs = [gate(repository, session)[1] for session in SESSIONS.values()]
    assert [output.count("FAIL:") for output in outputs] == [1, 1] and not any("ERROR:" in out for out in outputs)
    settings = yaml.safe_load((repository / ".nightdesk" / "config.yaml").read_text())
    assert settings["allowed_commands"] == ["python3"] and list(settings["presets"]) == list(SESSIONS)


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    refused = make_repository(tmp_path)
    assert isinstance(refused, Refused) and "not empty" in refused.reason
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert isinstance(make_repository(tmp_path / "mine.txt"), Refused)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert make_repository(empty) is None


def test_the_operators_git_setup_stays_out(tmp_path: Path, monkeypatch: Any) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text('#!/bin/sh\ntouch "$HOME/hook-ran"\nexit 1\n')
    (hooks / "pre-commit").chmod(0o755)
    (tmp_path / ".gitconfig").write_text(f"[core]\n hooksPath = {hooks}\n[user]\n name = Me\n email = me@x\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert make_repository(tmp_path / "shop") is None
    assert (tmp_path / "shop" / ".git").is_dir() and not (tmp_path / "hook-ran").exists()


async def test_fix_slugify_is_right_the_first_time(act: Callable[..., Any], repository: Path) -> None:
    session = SESSIONS["fix-slugify"]
    agent = await act("fix-slugify")
    assert (await agent.prompt(1, session.prompt)).ok
    assert gate(repository, session)[0] == 0 and changed(repository) == list(session.paths)


async def test_fix_retry_needs_to_be_told_what_failed(act: Callable[..., Any], repository: Path) -> None:
    session = SESSIONS["fix-retry"]
    agent = await act("fix-retry")
    assert (await agent.prompt(1, session.prompt)).ok
    code, output = gate(repository, session)
    assert code == 1 and changed(repository) == list(session.paths)
    wrong = (repository / session.paths[0]).read_text()

    assert (await agent.prompt(2, nudged(session, code, "(output withheld)"))).ok
    assert (repository / session.paths[0]).read_text() == wrong and gate(repository, session)[0] == 1

    assert (await agent.prompt(3, nudged(session, code, output))).ok
    assert gate(repository, session)[0] == 0 and changed(repository) == list(session.paths)


async def test_a_turn_that_was_killed_in_the_middle_can_be_played_again(
    act: Callable[..., Any], repository: Path
) -> None:
    session = SESSIONS["fix-retry"]
    before = (repository / session.paths[0]).read_text()
    agent = await act("fix-retry")
    turn = asyncio.ensure_future(agent.prompt(1, session.prompt))
    async with asyncio.timeout(20):
        while (repository / session.paths[0]).read_text() == before:
            await asyncio.sleep(0.005)
    await agent.stop()
    assert not (await turn).ok

    agent = await act("fix-retry", agent.conversation)
    assert (await agent.prompt(2, session.prompt)).ok
    code, output = gate(repository, session)
    assert code == 1
    assert (await agent.prompt(3, nudged(session, code, output))).ok
    assert gate(repository, session)[0] == 0


def test_every_script_is_offered() -> None:
    argv = [sys.executable, str(demo_dir() / "agent.py"), "--help"]
    shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    for name in ("ask", "crash", "deaf", "echo", "fix-retry", "fix-slugify", "hang", "hostile", "leftover", "night"):
        assert name in shown
