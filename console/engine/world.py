"""Everything outside that the supervisor acts on, in one record. Built by the wiring, replaced by fakes in tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from console.core.events import Lack
from console.core.failures import JUnit
from console.core.records import Assessment, Finding, Frozen, Launch, Leftover, Refused, Sandbox, WatchLimits
from console.core.records_asking import Answer, AskNote
from console.core.records_chains import ReviewLimits
from console.core.sessions import Session
from console.engine.ports import (
    Agents,
    Baselines,
    Evidence,
    Folder,
    Git,
    GitDirWatch,
    Hooks,
    McpServer,
    Processes,
    Signing,
    Snapshots,
)
from console.engine.reaching import Reaching

Tell = Callable[..., Awaitable[None]]
"""Report facts and wait until they are in the log."""


class Places(Protocol):
    """Where files of ours lie."""

    def transcript(self, session: str) -> Path: ...
    def stderr(self, session: str, run: int) -> Path: ...
    def gate_output(self, policy: str, attempt: int, where: str) -> Path: ...
    def checkout(self, policy: str, attempt: int) -> Path: ...
    def hooks(self, policy: str, attempt: int) -> Path: ...
    def inbox(self, session: str) -> Path: ...


class Note(Protocol):
    """What an agent left for us: a wish to park its ticket."""

    @property
    def question(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def foundational(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class World:
    """gate_on: whether green must be seen on the plan's own tree. session_env/gate_env: the environment policy.
    find_command: resolves a bare gate command on a PATH without worktree folders, or says why not.
    alive: whether the process with this pid and start time still runs. sandbox(worktree, writable git dir): the
    namespaces for what runs there, None for none, or why it must not run. tier: which sandbox there is, in words.
    assess: what a plan touches (blocks). root, git_dir: the main worktree, the operator's own, and the shared git dir.
    own_refs(worktrees): the branches that sessions in these worktrees may move. tickets: the folder of the tickets;
    folder reads it (None: there is none), watch_tickets tells when it may have changed. settings_changed(digest): why a
    run that was started with these settings must not go on, "" when they are the same. inbox(session): what its agent
    asks for. write_report(run): the report of a run that has ended (blocks). reports(gate's argv, the tree it ran in,
    its folder there, its start): what its JUnit files say. baselines: what gates said of base commits.
    dependencies_changed(worktree, Unix time): folders of installed dependencies in which something changed since.
    evidence: what the watchdog sees of processes (None: nothing, then it ends none). limits: of sessions outside a run.
    heartbeat(session): what its agent last wrote as a sign of life, "" for none. shortage(): what the machine lacks,
    with the reason; frees what was kept for that moment. survivors(sessions): processes that these sessions
    left although no shim of ours holds them, one line each. left_running(shim, agent): what runs below an agent,
    one line a process. beside(worktree, clock ticks): orphans
    that work there and began then or later, one line each. sandbox_read_only(worktree): as `sandbox`, where the
    worktree itself cannot be written either. last_words(session, turn): what its agent said at the end of that turn, ""
    when any of it is missing. review_limits(): as the settings say, None when nobody trusts them.
    mcp_servers(session): tool servers that its agent is handed. asks(session): what its agent wants a person to say;
    reply(session, question, answer): leaves the answer there, or says why not; forget_asked(session): what was asked
    before its agent started (these four block). reaching: how people are told (None: they are not)."""

    git: Git
    watch: GitDirWatch
    snapshots: Snapshots
    hooks: Hooks
    signing: Signing
    processes: Processes
    agents: Agents
    places: Places
    now: Callable[[], float]
    gate_on: Callable[[], str]
    session_env: Callable[[Launch], dict[str, str]]
    gate_env: Callable[[], dict[str, str]]
    find_command: Callable[[str, Mapping[str, str]], str | Refused]
    alive: Callable[[int, int], bool] = lambda _pid, _start: False
    sandbox: Callable[[str, bool], Sandbox | Refused | None] = lambda _worktree, _writable: None
    sandbox_words: Callable[[Sandbox | None], str] = lambda _sandbox: ""
    tier: str = ""
    assess: Callable[[Frozen, tuple[Finding, ...]], Assessment | None] = lambda _plan, _hooks: None
    root: str = ""
    git_dir: str = ""
    own_refs: Callable[[frozenset[str]], frozenset[str]] = lambda _worktrees: frozenset()
    tickets: str = ""
    folder: Folder | None = None
    watch_tickets: Callable[[asyncio.Event], AsyncGenerator[None, None]] | None = None
    settings_changed: Callable[[str], str] = lambda _digest: ""
    inbox: Callable[[str], Sequence[Note]] = lambda _session: ()
    write_report: Callable[[str], None] = lambda _run: None
    reports: Callable[[Sequence[str], Path, Path, float], JUnit | None] | None = None
    baselines: Baselines | None = None
    dependencies_changed: Callable[[str, float], Sequence[str]] = lambda _worktree, _since: ()
    evidence: Evidence | None = None
    limits: Callable[[], WatchLimits] = WatchLimits
    heartbeat: Callable[[str], str] = lambda _session: ""
    shortage: Callable[[], Mapping[Lack, str]] = dict
    survivors: Callable[[Sequence[str]], Sequence[str]] = lambda _sessions: ()
    left_running: Callable[[int, int], Sequence[Leftover]] = lambda _shim, _agent: ()
    beside: Callable[[str, int], Sequence[str]] = lambda _worktree, _since: ()
    sandbox_read_only: Callable[[str], Sandbox | Refused | None] = lambda _worktree: None
    last_words: Callable[[str, int], str] = lambda _session, _turn: ""
    review_limits: Callable[[], ReviewLimits | None] = lambda: None
    mcp_servers: Callable[[Session], tuple[McpServer, ...]] = lambda _session: ()
    asks: Callable[[str], AskNote | None] = lambda _session: None
    reply: Callable[[str, str, Answer], Refused | None] = lambda _session, _question, _answer: None
    forget_asked: Callable[[str], None] = lambda _session: None
    reaching: Reaching | None = None
