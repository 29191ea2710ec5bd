"""The other half of the wiring: builds a supervisor with its real world, for who holds the lock. Imports are late."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.adapters import doorbell, logfile
from console.core.records import Refused, Sandbox
from console.wiring import Here, distrust, git_of, open_journal, settings_of, version

if TYPE_CHECKING:
    from console.adapters.lock import Lock
    from console.adapters.sandbox import Tier
    from console.engine.ports import Processes
    from console.engine.supervisor import Supervisor
    from console.engine.world import World


def lock_text() -> str:
    return f"pid {os.getpid()} on {os.uname().nodename} since {time.strftime('%Y-%m-%d %H:%M:%S')}\n"


def log_watch(here: Here) -> logfile.Open:
    """For who has the log open: whether it still is where everybody looks for it."""
    return logfile.Open(here.places.log)


def log_error() -> type[Exception]:
    """What is raised where the log cannot be used. Asked for late: it brings SQLite along."""
    from console.adapters.store import LogError

    return LogError


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
        gone=log_watch(here).gone,
        upkeep=processes.reap_adopted,
    )


def _world(here: Here, processes: Processes) -> World:
    from console.adapters import inbox, junit, sandbox
    from console.adapters.agents import RealAgents
    from console.adapters.baselines import Baselines
    from console.adapters.environment import gate_env, session_env
    from console.adapters.git.dependencies import changed_since
    from console.adapters.git.hooks import CommitHooks
    from console.adapters.git.signing import CommitSigning
    from console.adapters.git.snapshots import ShadowSnapshots
    from console.adapters.git.watching import Watch
    from console.adapters.processes import process_start_time
    from console.adapters.tickets import TicketFolder
    from console.adapters.tickets.watch import watch
    from console.engine.assessment import assess_plan
    from console.engine.world import World

    git = git_of(here)
    tier = sandbox.probe(here.environ)
    pinned = _Pinned(here)
    tickets = _tickets_folder(here)

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
        git_dir=os.path.realpath(here.workspace.common),
        own_refs=lambda worktrees: frozenset(
            tree.ref for tree in git.worktrees() if tree.ref and not tree.main and tree.path in worktrees
        ),
        tickets=tickets,
        folder=TicketFolder(Path(tickets), here.places.tickets) if tickets else None,
        watch_tickets=(lambda stop: watch(Path(tickets), stop)) if tickets else None,
        settings_changed=pinned.changed,
        inbox=lambda session: inbox.read(here.places.inbox(session)),
        write_report=lambda run: _write_report(here, run),
        reports=junit.find,
        dependencies_changed=changed_since,
        baselines=Baselines(here.places.state / "baselines.json"),
    )


class _Pinned:
    """Whether the settings are still those that a run was started with; the file is read only when its stat changed."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self._stat: tuple[int, ...] = ()
        self._digest = ""

    def changed(self, digest: str) -> str:
        from console.adapters.trust import CONFIG

        try:
            seen = os.stat(self._here.root / CONFIG)
            now: tuple[int, ...] = (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)
        except OSError:
            now = (0,)
        if now != self._stat:
            loaded = settings_of(self._here)
            self._stat, self._digest = now, "" if loaded.problems else loaded.digest
        if self._digest == digest:
            return ""
        return f"{CONFIG} was changed during the run; read it, trust it (`nightdesk trust`), then start a run again"


def _tickets_folder(here: Here) -> str:
    """The folder as the kernel names it, "" when there is none to speak of."""
    from console.adapters.tickets import tickets_folder

    folder = tickets_folder(here.root, settings_of(here).settings.tickets)
    return "" if isinstance(folder, Refused) else os.path.realpath(folder)


def _write_report(here: Here, run: str) -> None:
    from console.cli.report import write

    write(here, run)


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
        tickets=_tickets_folder(here),
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
