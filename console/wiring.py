"""The one place that builds real adapters and hands them to the engine. Imports are late: commands start fast."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from console.adapters import doorbell
from console.adapters.lock import is_taken, trouble
from console.adapters.notify_systemd import OURS as SYSTEMD_OURS
from console.adapters.places import Places, places
from console.core.records import Refused, Who
from console.engine.ports import Workspace

if TYPE_CHECKING:
    from console.adapters.git.commits import PlainGit
    from console.adapters.logwatch import LogWatch
    from console.adapters.trust import Loaded
    from console.core.records import Frozen, Launch
    from console.core.state import State
    from console.engine.checks import Ground
    from console.engine.client import Client, Watch
    from console.engine.desk import Desk, Memory
    from console.engine.journal import Journal
    from console.engine.planfiles import Editing, PlanFiles
    from console.engine.ports import Snapshots

SUMMON_SECONDS = 15.0
LINGER_SECONDS = 60.0
"""How long a supervisor that was started for one command stays after its last work."""


@dataclass(frozen=True, slots=True)
class Here:
    """The workspace a command is about. trouble: why git cannot tell of it any more, "" usually. program: that is a
    fault of the program git, and none of the repository."""

    workspace: Workspace
    places: Places
    environ: Mapping[str, str]
    trouble: str = ""
    program: bool = False

    @property
    def root(self) -> Path:
        return Path(self.workspace.root)


def locate(start: Path, environ: Mapping[str, str]) -> Here | Refused:
    """Find the workspace around `start` and make its state folder."""
    from console.adapters.git.worktrees import discover

    workspace = discover(start)
    if isinstance(workspace, Refused):
        known = _known(start, environ)
        program = "program" in workspace.paths
        return replace(known, trouble=workspace.reason, program=program) if known else workspace
    here = Here(workspace=workspace, places=places(workspace, environ), environ=environ)
    try:
        here.places.make()
    except OSError as error:
        return Refused(reason=f"cannot use the state folder {here.places.state}: {error.strerror}")
    unfit = trouble(here.places.lock)
    return Refused(reason=unfit) if unfit else here


def _known(start: Path, environ: Mapping[str, str]) -> Here | None:
    """The workspace that a folder belonged to when git could still tell: the log is there, so `stop` and `status` work
    whatever an agent did to the git dir."""
    from console.adapters.git.finding import named

    real = Path(os.path.realpath(start))
    for folder in (real, *real.parents):
        workspace = named(str(folder), str(folder / ".git"))
        if not isinstance(workspace, Refused):
            here = Here(workspace=workspace, places=places(workspace, environ), environ=environ)
            if here.places.log.is_file():
                return here
    return None


def open_journal(here: Here) -> Journal:
    from console.adapters.store import Log
    from console.engine.journal import Journal

    return Journal(Log(here.places.log), time.time)


def client(here: Here, through: Callable[[Watch], Watch] = lambda made: made) -> Client:
    """through: what its waits make of the watch on the log."""
    from console.engine.client import Client

    ring = lambda: doorbell.ring(here.places.doorbell)  # noqa: E731
    return Client(open_journal(here), ring, lambda: summon(here), lambda: through(watch(here)))


def watch(here: Here) -> LogWatch:
    """For who has the log open and waits for what comes next."""
    from console.adapters import logfile
    from console.adapters.logwatch import LogWatch

    return LogWatch(here.places.log, logfile.Open(here.places.log))


def rows(here: Here, session: str, kind: str, since: int) -> list[tuple[int, float, str]]:
    """The first 1000 facts of one kind about a session after a cursor, as they lie in the log."""
    from console.adapters.store import Log

    log = Log(here.places.log)
    try:
        return log.find(since, types=[kind], sessions=[session], limit=1000)[0]
    finally:
        log.close()


def supervised(here: Here) -> bool:
    """Whether somebody holds the lock."""
    return is_taken(here.places.lock)


def version() -> str:
    from importlib import metadata

    return metadata.version("nightdesk")


def who(here: Here, via: str = "cli") -> Who:
    from console.adapters.operator import who as ask

    return ask(here.environ, via)


def git_of(here: Here) -> PlainGit:
    """Raises GitFailed when the repository is not there any more."""
    from console.adapters.git.binary import GitFailed
    from console.adapters.git.commits import PlainGit

    if here.trouble:
        raise GitFailed(gone(here))
    return PlainGit(here.workspace, here.places.state, here.places.data)


def gone(here: Here) -> str:
    """What to know when git cannot tell of a workspace of ours any more."""
    if here.program:
        return f"nothing can be done with {here.root}: {here.trouble}; what runs goes on, `nightdesk stop` ends it"
    return (
        f"the git dir of {here.root} is gone or broken ({here.trouble}). Your files and the log of nightdesk are still "
        f"there, frozen plans too ({here.places.state}); `nightdesk stop` ends what runs. Put the git dir back (a "
        "backup, a clone), do not make a new one over it"
    )


def ignored(here: Here, name: str) -> bool:
    """Whether git ignores this path of the main worktree, there or not; False when git cannot tell."""
    from console.adapters.git.binary import GitFailed
    from console.adapters.git.checkouts import ignored as told

    try:
        return bool(told(git_of(here).repository, str(here.root), [name]))
    except (GitFailed, OSError):
        return False


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
        judge=lambda adapter, model: _judge_launch(loaded, adapter, model),
        allowed=loaded.settings.allowed,
        where_allowed=loaded.where("allowed_commands"),
        trusted=distrust(here, loaded),
        worktrees=git_of(here).worktrees(),
    )


def _judge_launch(loaded: Loaded, adapter: str, model: str) -> Launch | Refused:
    import json

    from console.adapters.agents import builtins
    from console.core.judgelaunch import judge_launch

    known, where = loaded.settings.presets, loaded.where("presets")
    raw = (json.loads(loaded.canonical) or {}).get("presets") if loaded.canonical else None
    return judge_launch(known, raw or {}, adapter, model, builtin=builtins.raw, where=where)


# -- the supervisor --------------------------------------------------------------------------------------


def summon(here: Here) -> Refused | None:
    """Make sure that a supervisor holds the lock: start a detached, idle one when none does."""
    if is_taken(here.places.lock):
        return None
    words = here.places.state / "supervisor.err"
    # -P: the folder we are in may hold a package of our name, which must not be what is started.
    command = [sys.executable, "-P", "-m", "console", "--workspace", str(here.root), "run", "--idle"]
    with open(words, "ab") as log:
        child = subprocess.Popen(
            [*command, "--linger", str(LINGER_SECONDS)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=environment_for_ours(here),
        )
    return _await_lock(here, child, words)


def environment_for_ours(here: Here) -> dict[str, str]:
    """Of another process of nightdesk: ours, without what systemd means for this very process."""
    return {name: value for name, value in here.environ.items() if name not in SYSTEMD_OURS}


def _await_lock(here: Here, child: subprocess.Popen[bytes], words: Path) -> Refused | None:
    deadline = time.monotonic() + SUMMON_SECONDS
    while time.monotonic() < deadline:
        if is_taken(here.places.lock):
            return None
        if child.poll() is not None and not is_taken(here.places.lock):
            return Refused(reason=f"the supervisor did not start (exit {child.returncode}); {words} has its words")
        time.sleep(0.02)
    return Refused(reason=f"no supervisor took the lock within {SUMMON_SECONDS:g} s; {words} may say why")


# -- what a screen reads ---------------------------------------------------------------------------------


def memory_of(environ: Mapping[str, str]) -> Memory:
    """What this user's screens remember, in whatever workspace."""
    from console.adapters.places import state_root
    from console.adapters.remembered import Remembered

    return Remembered(state_root(environ) / "screen.json")


def config_dir(environ: Mapping[str, str]) -> Path:
    """The user's own folder; it may be missing."""
    from console.adapters.places import config_root

    return config_root(environ)


def plan_files(here: Here, git: PlainGit) -> PlanFiles:
    """The files of plans, for a screen."""
    from console.adapters import editing
    from console.engine.planfiles import PlanFiles
    from console.present.text import clean

    env = here.environ

    def missing(plan: Frozen, path: str) -> str:
        found = editing.in_worktree(plan.worktree, os.fsencode(path))
        return found.reason if isinstance(found, Refused) else ""

    def page(plan: Frozen) -> Editing | Refused:
        lines = (clean(line.decode("utf-8", "surrogateescape")) for line in git.diff(plan).split(b"\n"))
        return editing.page(plan, "\n".join(lines).encode("utf-8", "replace"), env)

    return PlanFiles(
        behind=git.behind,
        missing=missing,
        edit=lambda plan, path, line: editing.edit(plan, path, line, env),
        copy=lambda plan, path, line: editing.copy(plan, path, line, git.contents(plan), env),
        page=page,
        stays=git.stays,
    )


def desk(here: Here) -> Desk:
    from console import beginning, opening, starting, telling
    from console.adapters.agents import transcripts
    from console.adapters.beat import Silence
    from console.adapters.logsearch import Backwards
    from console.adapters.processes import process_start_time
    from console.adapters.remembered import Remembered
    from console.adapters.store import Log
    from console.engine.desk import Desk
    from console.engine.pulse import OwnTime

    git = git_of(here)
    ringers, passes_through = telling.terminal_of(here)

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
        open_search=lambda: Backwards(here.places.log),
        supervised=lambda: is_taken(here.places.lock),
        snapshot_changes=lambda worktree, snapshot: snapshots_of(here).changes(worktree, snapshot),
        preflight=lambda: starting.preflight(here, settings_of(here)).checks,
        start_run=lambda checks, attended: starting.start_run(here, checks, attended),
        ticket_text=lambda digest: _ticket_text(here, digest),
        silence=Silence(here.places.beat, OwnTime().now).seconds,
        opening=lambda session: opening.opening(here, session),
        me=lambda: (os.getpid(), process_start_time(os.getpid()) or 0),
        ringers=ringers,
        passes_through=passes_through,
        memory=memory_of(here.environ),
        memory_here=Remembered(here.places.state / "screen.json"),
        config_dir=config_dir(here.environ),
        first_steps=None if here.trouble else beginning.steps(here),
        files=plan_files(here, git),
    )


def silence(here: Here, state: State) -> float:
    """Seconds since the supervisor that the log knows of and that holds the lock gave its last sign of life, by the
    clock that all processes of a machine share: for who looks only once. 0 as long as that is not worth a word, or
    nobody can tell."""
    from console.adapters import beat
    from console.engine.desk import SILENT

    last = beat.read(here.places.beat)
    if not last or not state.supervisor or last.pid != state.supervisor.pid or not is_taken(here.places.lock):
        return 0.0
    age = time.monotonic() - last.monotonic
    return age if age > SILENT else 0.0


def _ticket_text(here: Here, digest: str) -> str:
    from console.adapters.tickets.texts import Texts

    raw = Texts(here.places.tickets).raw(digest)
    return "" if isinstance(raw, Refused) else raw.decode("utf-8-sig", "replace")


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
