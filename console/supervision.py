"""The other half of the wiring: builds a supervisor with its real world, for who holds the lock. Imports are late."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.adapters import doorbell, logfile
from console.adapters.notify_systemd import Systemd
from console.core.records import Refused, Sandbox, WatchLimits
from console.wiring import Here, distrust, git_of, settings_of, version

if TYPE_CHECKING:
    from console.adapters.ballast import Ballast
    from console.adapters.lock import Lock
    from console.adapters.processes import ShimProcesses
    from console.adapters.retention import Tidying
    from console.adapters.room import Room
    from console.adapters.sandbox import Tier
    from console.core.commits import Plan
    from console.core.records_chains import ReviewLimits
    from console.core.sessions import Session
    from console.engine.ports import McpServer
    from console.engine.supervisor import Supervisor
    from console.engine.world import World

    Held = Lock


def lock_text() -> str:
    return f"pid {os.getpid()} on {os.uname().nodename} since {time.strftime('%Y-%m-%d %H:%M:%S')}\n"


def take_lock(here: Here) -> Lock | Refused | None:
    """The lock, held by this process from now on; None while somebody else has it."""
    from console.adapters.lock import Lock, LockUnusable

    lock = Lock(here.places.lock, Path(here.workspace.common))
    try:
        return lock if lock.take(lock_text()) else None
    except LockUnusable as error:
        return Refused(reason=str(error))


def holder(here: Here) -> str:
    """Who holds the lock, in words; found through the lock itself."""
    from console.adapters.holder import words

    return words(here.places.lock)


def systemd(here: Here) -> Systemd:
    return Systemd(here.environ)


def log_watch(here: Here) -> logfile.Open:
    """For who has the log open: whether it still is where everybody looks for it."""
    return logfile.Open(here.places.log)


def log_error() -> type[Exception]:
    """What is raised where the log cannot be used. Asked for late: it brings SQLite along."""
    from console.adapters.store import LogError

    return LogError


class Alone:
    """What a supervisor without a screen has around it: a deadman, and systemd to tell. Its process is its own, so that
    it may be ended when the loop hangs. `end` when nothing of the supervisor runs any more."""

    def __init__(self, here: Here) -> None:
        from console.adapters.deadman import Deadman
        from console.engine.pulse import OwnTime

        self._root = here.root
        self._systemd = Systemd(here.environ)
        self._begun = False
        try:
            self._deadman: Deadman | None = Deadman(here.places.deadman, OwnTime().now)
        except OSError:  # supervising without one is better than not supervising
            self._deadman = None

    def beat(self) -> None:
        """From the supervisor's loop."""
        if self._deadman:
            self._deadman.tick()
        if not self._begun:
            self._begun = True
            self._systemd.ready(f"supervising {self._root}")
        self._systemd.alive()

    def stopping(self, why: str) -> None:
        self._systemd.stopping(why)

    def end(self) -> None:
        if self._deadman:
            self._deadman.disarm()


def _beating(here: Here, start: int, alone: Alone | None) -> Callable[[float], None]:
    from console.adapters.beat import BeatFile

    file = BeatFile(here.places.beat, os.getpid(), start)

    def beat(worst: float) -> None:
        file.beat(worst)
        if alone:
            alone.beat()

    return beat


def supervisor(here: Here, lock: Lock, *, linger: float | None = None, alone: Alone | None = None) -> Supervisor:
    """A supervisor for a lock that is held already. alone: none while a screen is in this process."""
    from console.adapters import descriptors
    from console.adapters.ballast import Ballast
    from console.adapters.boot import boot_id
    from console.adapters.processes import ShimProcesses, prepare_supervisor, process_start_time
    from console.adapters.store import Log
    from console.engine.journal import Journal
    from console.engine.supervisor import About, Supervisor

    prepare_supervisor()
    descriptors.raise_limit()
    ballast = Ballast(here.places.state / "ballast")
    log = Log(here.places.log)
    log.upgrade()
    log.close()
    processes = ShimProcesses()
    about = About(
        pid=os.getpid(),
        start_time=process_start_time(os.getpid()) or 0,
        host=os.uname().nodename,
        version=version(),
        boot=boot_id(),
    )
    tidying = _tidying(here)

    async def upkeep() -> None:
        tidying.look(made.state)
        await processes.reap_adopted()

    made = Supervisor(
        _world(here, processes, ballast),
        lambda: Journal(Log(here.places.log, ballast.drop), time.time),
        about,
        linger=linger,
        still_ours=lock.held,
        gone=log_watch(here).gone,
        upkeep=upkeep,
        beat=_beating(here, about.start_time, alone),
    )
    return made


def _world(here: Here, processes: ShimProcesses, ballast: Ballast) -> World:
    from console.adapters import asknotes, inbox, junit, sandbox, survivors
    from console.adapters.agents import RealAgents
    from console.adapters.agents.transcripts import last_words
    from console.adapters.baselines import Baselines
    from console.adapters.environment import gate_env, session_env, token
    from console.adapters.evidence import evidence
    from console.adapters.git.dependencies import changed_since
    from console.adapters.git.hooks import CommitHooks
    from console.adapters.git.signing import CommitSigning
    from console.adapters.git.snapshots import ShadowSnapshots
    from console.adapters.git.watching import Watch
    from console.adapters.tickets import TicketFolder
    from console.adapters.tickets.watch import watch
    from console.engine.assessment import assess_plan
    from console.engine.world import World
    from console.telling import reaching

    git = git_of(here)
    tier = sandbox.probe(here.environ)
    pinned = _Pinned(here)
    tickets = _tickets_folder(here)

    def gates_see() -> dict[str, str]:
        return gate_env(here.environ, [tree.path for tree in git.worktrees()]) | token(here.workspace.key)

    return World(
        git=git,
        watch=Watch(git.repository),
        snapshots=ShadowSnapshots(git.repository),
        hooks=CommitHooks(git.repository, gates_see),
        signing=CommitSigning(git.repository, here.environ),
        processes=processes,
        agents=RealAgents(processes, workspace=here.workspace.key),
        places=here.places,
        now=time.time,
        gate_on=lambda: _gate_on(here),
        session_env=lambda launch: session_env(here.environ, launch),
        gate_env=gates_see,
        find_command=find_command,
        alive=processes.alive,
        sandbox=lambda worktree, writable: _sandbox(here, tier, worktree, writable),
        sandbox_read_only=lambda worktree: _sandbox(here, tier, worktree, False, whole=True),
        last_words=lambda session, turn: last_words(str(here.places.transcript(session)), turn),
        review_limits=_ReviewLimits(here).now,
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
        evidence=evidence(),
        limits=_Limits(here).now,
        heartbeat=lambda session: inbox.heartbeat(here.places.inbox(session)),
        mcp_servers=lambda session: handed(here, session),
        asks=lambda session: asknotes.read(here.places.inbox(session)),
        reply=lambda session, question, said: asknotes.answer(here.places.inbox(session), question, said),
        forget_asked=lambda session: asknotes.clear(here.places.inbox(session)),
        survivors=lambda sessions: survivors.lines(here.workspace.key, sessions, processes.shims()),
        left_running=survivors.left_running,
        beside=survivors.lines_beside,
        shortage=_room(here, ballast).look,
        reaching=reaching(here, processes),
    )


def handed(here: Here, s: Session) -> tuple[McpServer, ...]:
    """The tool server that a session's agent is handed: the smaller set, for this session. None when its preset says
    so. Many clients pass a server few variables of their own environment, so it is told every one that it needs."""
    from console.adapters.environment import token
    from console.engine.ports import McpServer

    preset = settings_of(here).settings.presets.get(s.preset)
    if preset and not preset.mcp:
        return ()
    names = ("HOME", "PATH", "USER", "LANG", "LC_ALL", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    env = {name: here.environ[name] for name in (*names, "XDG_CACHE_HOME") if name in here.environ}
    env |= token(here.workspace.key, s.session) | {"NIGHTDESK_INBOX": str(here.places.inbox(s.session))}
    if s.ticket:
        env["NIGHTDESK_TICKET"] = s.ticket
    # -P: the folder that the agent works in may hold a package of our name.
    argv = (sys.executable, "-P", "-m", "console", "--workspace", str(here.root), "mcp", "--session", s.session)
    return (McpServer(name="nightdesk", argv=argv, env=env),)


def _tidying(here: Here) -> Tidying:
    from console.adapters.git.binary import GitFailed
    from console.adapters.git.freezing import kept_ref
    from console.adapters.git.shadow import View
    from console.adapters.retention import Limits, Tidying

    repository = git_of(here).repository

    def limits() -> Limits:
        """As the settings say; ones that nobody trusts, or that cannot be read, make nothing go sooner."""
        loaded = settings_of(here)
        return Limits() if distrust(here, loaded) else Limits(loaded.settings.keep_days, loaded.settings.keep_megabytes)

    def undoable(plan: Plan) -> bool:
        try:
            return repository.value(plan.frozen.ref) in (plan.plan, plan.signed)
        except GitFailed:
            return True

    return Tidying(
        here.places,
        limits,
        undoable=undoable,
        forget_tip=lambda tip: repository.ran(View(), "update-ref", "-d", kept_ref(tip)),
    )


def _room(here: Here, ballast: Ballast) -> Room:
    from console.adapters.descriptors import Reserve
    from console.adapters.room import Places, Room

    others = {"worktrees": here.places.data, "checkouts": here.places.cache}
    return Room(Places(here.places.state, others), ballast, Reserve())


class _Limits:
    """The watchdog's limits of the present settings; the file is read only when its stat changed, or trust did."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self._stat: tuple[tuple[int, ...], ...] = ()
        self._limits = WatchLimits()

    def now(self) -> WatchLimits:
        """Settings that nobody trusts change nothing about them."""
        from console.adapters.trust import CONFIG

        seen = (_stat(self._here.root / CONFIG), _stat(self._here.places.trust))
        if seen != self._stat:
            loaded = settings_of(self._here)
            trusted = not loaded.problems and not distrust(self._here, loaded)
            self._stat, self._limits = seen, loaded.settings.watchdog if trusted else WatchLimits()
        return self._limits


class _ReviewLimits:
    """`review` of the present settings; the file is read only when its stat changed, or trust did."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self._stat: tuple[tuple[int, ...], ...] = ()
        self._limits: ReviewLimits | None = None

    def now(self) -> ReviewLimits | None:
        """None: nobody trusts the settings as they are, or they have problems."""
        from console.adapters.trust import CONFIG
        from console.core.settings import review_limits

        seen = (_stat(self._here.root / CONFIG), _stat(self._here.places.trust))
        if seen != self._stat:
            loaded = settings_of(self._here)
            trusted = not loaded.problems and not distrust(self._here, loaded)
            self._stat, self._limits = seen, review_limits(loaded.settings) if trusted else None
        return self._limits


def _stat(path: Path) -> tuple[int, ...]:
    try:
        seen = os.stat(path)
    except OSError:
        return (0,)
    return (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)


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


def _sandbox(here: Here, tier: Tier, worktree: str, writable: bool, *, whole: bool = False) -> Sandbox | Refused | None:
    """As the settings want it; settings that nobody trusts cannot relax it. whole: the worktree is read-only too."""
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
        inboxes=str(here.places.inboxes),
        whole=whole,
    )


def sandbox_of(here: Here, worktree: str, writable: bool) -> tuple[Sandbox | Refused | None, str]:
    """What a program in this worktree would get now, for who has no supervisor at hand; with the words for it."""
    from console.adapters import sandbox

    tier = sandbox.probe(here.environ)
    made = _sandbox(here, tier, worktree, writable)
    return made, made.reason if isinstance(made, Refused) else sandbox.words(tier, made)


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
