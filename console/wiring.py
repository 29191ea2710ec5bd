"""The one place that builds real adapters and hands them to the engine. Imports are late: commands start fast."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.adapters import doorbell
from console.adapters.lock import Lock, is_taken
from console.adapters.places import Places, places
from console.core.records import Refused, Sandbox, Who
from console.engine.ports import Workspace

if TYPE_CHECKING:
    from console.adapters.git.commits import PlainGit
    from console.adapters.sandbox import Tier
    from console.adapters.trust import Loaded
    from console.engine.checks import Ground
    from console.engine.client import Client
    from console.engine.desk import Desk
    from console.engine.journal import Journal
    from console.engine.ports import Processes, Snapshots
    from console.engine.supervisor import Supervisor
    from console.engine.world import World

SUMMON_SECONDS = 15.0
LINGER_SECONDS = 60.0
"""How long a supervisor that was started for one command stays after its last work."""


@dataclass(frozen=True, slots=True)
class Here:
    """The workspace a command is about."""

    workspace: Workspace
    places: Places
    environ: Mapping[str, str]

    @property
    def root(self) -> Path:
        return Path(self.workspace.root)


def locate(start: Path, environ: Mapping[str, str]) -> Here | Refused:
    """Find the workspace around `start` and make its state folder."""
    from console.adapters.git.worktrees import discover

    workspace = discover(start)
    if isinstance(workspace, Refused):
        return workspace
    here = Here(workspace=workspace, places=places(workspace, environ), environ=environ)
    try:
        here.places.make()
    except OSError as error:
        return Refused(reason=f"cannot use the state folder {here.places.state}: {error.strerror}")
    return here


def open_journal(here: Here) -> Journal:
    from console.adapters.store import Log
    from console.engine.journal import Journal

    return Journal(Log(here.places.log), time.time)


def client(here: Here) -> Client:
    from console.engine.client import Client

    return Client(open_journal(here), lambda: doorbell.ring(here.places.doorbell), lambda: summon(here))


def version() -> str:
    from importlib import metadata

    return metadata.version("nightdesk")


def who(here: Here, via: str = "cli") -> Who:
    from console.adapters.operator import who as ask

    return ask(here.environ, via)


def git_of(here: Here) -> PlainGit:
    from console.adapters.git.commits import PlainGit

    return PlainGit(here.workspace, here.places.state, here.places.data)


def snapshots_of(here: Here) -> Snapshots:
    from console.adapters.git.snapshots import ShadowSnapshots

    return ShadowSnapshots(git_of(here).repository)


def settings_of(here: Here) -> Loaded:
    from console.adapters import trust

    return trust.load(here.root)


def distrust(here: Here, loaded: Loaded) -> str:
    """Why commands that the repository supplies may not run now; "" when they may."""
    from console.adapters import trust

    if loaded.problems:
        return problem_lines(loaded)
    if trust.is_trusted(here.places.trust, here.root, loaded):
        return ""
    return f"{loaded.file} is not trusted as it is now: read it, then run `nightdesk trust`"


def problem_lines(loaded: Loaded) -> str:
    return "\n".join(f"{loaded.file}:{p.line}: {p.key}: {p.message}" for p in loaded.problems)


def ground(here: Here) -> Ground:
    from console.engine.checks import Ground

    loaded = settings_of(here)
    return Ground(
        allowed=loaded.settings.allowed,
        where_allowed=loaded.where("allowed_commands"),
        trusted=distrust(here, loaded),
        worktrees=git_of(here).worktrees(),
    )


# -- the supervisor --------------------------------------------------------------------------------------


def lock_text() -> str:
    return f"pid {os.getpid()} on {os.uname().nodename} since {time.strftime('%Y-%m-%d %H:%M:%S')}\n"


def supervisor(here: Here, lock: Lock, *, linger: float | None = None) -> Supervisor:
    """A supervisor for a lock that is held already."""
    from console.adapters.processes import ShimProcesses, prepare_supervisor, process_start_time
    from console.adapters.store import Log
    from console.engine.supervisor import About, Supervisor

    prepare_supervisor()
    log = Log(here.places.log)
    log.upgrade()
    log.close()
    processes = ShimProcesses()
    about = About(
        pid=os.getpid(),
        start_time=process_start_time(os.getpid()) or 0,
        host=os.uname().nodename,
        version=version(),
    )
    return Supervisor(
        _world(here, processes),
        lambda: open_journal(here),
        about,
        linger=linger,
        still_ours=lock.held,
        upkeep=processes.reap_adopted,
    )


def _world(here: Here, processes: Processes) -> World:
    from console.adapters import sandbox
    from console.adapters.agents import RealAgents
    from console.adapters.environment import gate_env, session_env
    from console.adapters.git.hooks import CommitHooks
    from console.adapters.git.signing import CommitSigning
    from console.adapters.git.snapshots import ShadowSnapshots
    from console.adapters.git.watching import Watch
    from console.adapters.processes import process_start_time
    from console.engine.assessment import assess_plan
    from console.engine.world import World

    git = git_of(here)
    tier = sandbox.probe(here.environ)

    def gates_see() -> dict[str, str]:
        return gate_env(here.environ, [tree.path for tree in git.worktrees()])

    return World(
        git=git,
        watch=Watch(git.repository),
        snapshots=ShadowSnapshots(git.repository),
        hooks=CommitHooks(git.repository, gates_see),
        signing=CommitSigning(git.repository, here.environ),
        processes=processes,
        agents=RealAgents(processes),
        places=here.places,
        now=time.time,
        gate_on=lambda: _gate_on(here),
        session_env=lambda launch: session_env(here.environ, launch),
        gate_env=gates_see,
        find_command=find_command,
        alive=lambda pid, start: process_start_time(pid) == start,
        sandbox=lambda worktree, writable: _sandbox(here, tier, worktree, writable),
        sandbox_words=lambda made: sandbox.words(tier, made),
        tier=_tier_words(here, tier),
        assess=lambda plan, hooks: assess_plan(git, plan, hooks),
        root=str(here.root),
        own_refs=lambda worktrees: frozenset(
            tree.ref for tree in git.worktrees() if tree.ref and not tree.main and tree.path in worktrees
        ),
    )


def _sandbox(here: Here, tier: Tier, worktree: str, writable: bool) -> Sandbox | Refused | None:
    """As the settings want it; settings that nobody trusts cannot relax it."""
    from console.adapters import sandbox

    loaded = settings_of(here)
    trusted = not distrust(here, loaded)
    return sandbox.plan(
        tier,
        loaded.settings.sandbox_tier if trusted else "auto",
        here.workspace.common,
        worktree,
        str(here.places.state.parent),
        writable_git=writable,
        pids=trusted and loaded.settings.sandbox_pids,
    )


def _tier_words(here: Here, tier: Tier) -> str:
    """What a session in the main worktree would get, in words."""
    from console.adapters import sandbox

    made = _sandbox(here, tier, str(here.root), False)
    return made.reason if isinstance(made, Refused) else sandbox.words(tier, made)


def _gate_on(here: Here) -> str:
    """Where green must be seen. Settings that nobody trusts cannot relax it."""
    loaded = settings_of(here)
    return "plan" if distrust(here, loaded) else loaded.settings.gate_on


def find_command(name: str, env: Mapping[str, str]) -> str | Refused:
    import shutil

    found = shutil.which(name, path=env.get("PATH", ""))
    if found and os.path.isabs(found):
        return found
    return Refused(reason=f"{name!r} is not on the PATH (folders of this workspace are left out)")


async def serve(here: Here, sup: Supervisor) -> str:
    """Run a supervisor with its doorbell until it ends."""
    import asyncio

    fd = doorbell.listen(here.places.doorbell)

    def rang() -> None:
        doorbell.drain(fd)
        sup.look()

    loop = asyncio.get_running_loop()
    loop.add_reader(fd, rang)
    try:
        return await sup.main()
    finally:
        loop.remove_reader(fd)
        os.close(fd)


def serve_on(here: Here) -> Callable[[Supervisor], Coroutine[Any, Any, str]]:
    return lambda sup: serve(here, sup)


def summon(here: Here) -> Refused | None:
    """Make sure that a supervisor holds the lock: start a detached, idle one when none does."""
    if is_taken(here.places.lock):
        return None
    trouble = here.places.state / "supervisor.err"
    command = [sys.executable, "-m", "console", "--workspace", str(here.root), "run", "--idle"]
    with open(trouble, "ab") as log:
        child = subprocess.Popen(
            [*command, "--linger", str(LINGER_SECONDS)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=dict(here.environ),
        )
    return _await_lock(here, child, trouble)


def _await_lock(here: Here, child: subprocess.Popen[bytes], trouble: Path) -> Refused | None:
    deadline = time.monotonic() + SUMMON_SECONDS
    while time.monotonic() < deadline:
        if is_taken(here.places.lock):
            return None
        if child.poll() is not None and not is_taken(here.places.lock):
            return Refused(reason=f"the supervisor did not start (exit {child.returncode}); {trouble} has its words")
        time.sleep(0.02)
    return Refused(reason=f"no supervisor took the lock within {SUMMON_SECONDS:g} s; {trouble} may say why")


# -- what a screen reads ---------------------------------------------------------------------------------


def desk(here: Here) -> Desk:
    from console.adapters.agents import transcripts
    from console.adapters.store import Log
    from console.engine.desk import Desk

    git = git_of(here)

    def pulse(session: str) -> str:
        beat = transcripts.pulse(str(here.places.transcript(session)))
        return beat.last_tool if beat.tool_status else beat.last_text_line

    return Desk(
        name=here.root.name,
        root=str(here.root),
        new_client=lambda: client(here),
        who=lambda: who(here, "screen"),
        diff=git.diff,
        drift=git.drift,
        transcript=lambda session: transcripts.tail(str(here.places.transcript(session))),
        pulse=pulse,
        read_output=read_output,
        open_events=lambda: Log(here.places.log).span,
        open_version=lambda: Log(here.places.log).version,
        supervised=lambda: is_taken(here.places.lock),
        snapshot_changes=lambda worktree, snapshot: snapshots_of(here).changes(worktree, snapshot),
    )


OUTPUT_SHOWN = 512 * 1024


def read_output(path: str) -> str:
    """The kept output of a gate, at most its last 512 KiB; "" when there is none."""
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - OUTPUT_SHOWN))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
