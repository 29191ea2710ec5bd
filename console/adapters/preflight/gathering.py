"""Collects the facts of one preflight. The only place that knows where each of them comes from."""

from __future__ import annotations

import functools
import os
import pwd
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from console.adapters import beat, holder, sandbox
from console.adapters.agents import builtins
from console.adapters.doctor import login
from console.adapters.doctor.asking import ask
from console.adapters.doctor.ground import Ground
from console.adapters.environment import gate_env
from console.adapters.git.commits import PlainGit
from console.adapters.lock import is_taken
from console.adapters.places import Places
from console.adapters.preflight import drift, looking, probing
from console.adapters.preflight.facts import Facts, Machine, Queue, Repo
from console.adapters.trust import Loaded, is_trusted
from console.core.records import Refused
from console.core.state import State, open_run
from console.engine.ports import FolderLook, Workspace

Look = Callable[[Mapping[str, str]], FolderLook]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the facts come from. git None: it cannot tell, `trouble` says why. look: at the tickets folder, or why
    nobody can. sessions: as asked for, 0 for the settings'."""

    workspace: Workspace
    places: Places
    environ: Mapping[str, str]
    loaded: Loaded
    state: State
    git: PlainGit | None
    look: Look | Refused
    trouble: str = ""
    sessions: int = 0
    agent: str = ""
    pull: bool = False


def gather(s: Source) -> Facts:
    """Blocks for as long as the slowest agent takes to answer, at most some 25 s; not for a thread with a running
    loop."""
    root = Path(s.workspace.root)
    trees = tuple(looking.worktree_folders(s.git, s.places.data)) if s.git else (s.workspace.root, str(s.places.data))
    trusted = is_trusted(s.places.trust, root, s.loaded)
    env = gate_env(s.environ, trees)
    facts = Facts(
        loaded=s.loaded,
        trusted=trusted,
        uid=os.geteuid(),
        user=_user(),
        environ=s.environ,
        sessions=s.sessions or (1 if s.loaded.settings.workspace == "in_place" else s.loaded.settings.sessions),
        agent=s.agent,
        pull=s.pull,
        supervised=(taken := is_taken(s.places.lock)),
        holder=holder.words(s.places.lock) if taken else "",
        silent=_silent(s) if taken else 0.0,
        run=open_run(s.state),
        repo=looking.repository(s.git, s.state) if s.git else Repo(trouble=s.trouble),
        machine=_machine(s, trusted),
        queue=_queue(s),
        credentials=looking.credentials(s.environ.get("HOME", "")),
        login=_login(s),
        command=lambda name: _command(name, env["PATH"]),
        is_folder=looking.within(root),
        builtin=builtins.names(),
        chains=s.state.chains_on,
    )
    return _asked(facts, trees)


def _silent(s: Source) -> float:
    last = beat.read(s.places.beat)
    known = last and s.state.supervisor and last.pid == s.state.supervisor.pid
    return time.monotonic() - last.monotonic if last and known else 0.0


def _login(s: Source) -> tuple[tuple[str, str], ...]:
    """Advice is the doctor's business: here only what is known to end a run."""
    brief = functools.partial(ask, limit=0.5)  # it is asked twice, and who starts a run waits for it
    found = login.look(Ground(environ=s.environ, workspace=s.workspace, places=s.places), brief).findings
    return tuple((one.what, one.cure) for one in found if one.level != "advice")


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _asked(facts: Facts, worktrees: tuple[str, ...]) -> Facts:
    """With what the agents say of themselves."""
    if facts.pull or facts.loaded.problems:
        return facts
    presets = facts.presets()
    found = probing.programs(presets, facts.environ, worktrees)
    if not facts.trusted or not presets:  # what nobody trusts starts nothing, not even to say its version
        return replace(facts, probes=found)
    probes, drifts = drift.asked(presets, found, facts.environ, worktrees)
    return replace(facts, probes=probes, drifts=drifts)


def _queue(s: Source) -> Queue:
    if isinstance(s.look, Refused):
        return replace(looking.queue(s.state, None), trouble=s.look.reason)
    return looking.queue(s.state, s.look)


def _machine(s: Source, trusted: bool) -> Machine:
    tier = sandbox.probe(s.environ)
    settings = s.loaded.settings
    made = sandbox.plan(
        tier,
        settings.sandbox_tier if trusted else "auto",
        s.workspace.common,
        s.workspace.root,
        str(s.places.state.parent),
        pids=trusted and settings.sandbox_pids,
    )
    return Machine(
        rooms=looking.rooms(s.places),
        kind=looking.file_system(s.places.state, looking.text_of("/proc/self/mounts")),
        state=str(s.places.state),
        unwritable=looking.unwritable(s.places.state),
        memory=looking.memory(),
        sandbox=made if isinstance(made, Refused) else sandbox.words(tier, made),
        sandboxed=made is not None,
    )


def _command(name: str, path: str) -> str | Refused:
    found = shutil.which(name, path=path)
    if found and os.path.isabs(found):
        return found
    return Refused(reason=f"{name!r} is not on the PATH (folders of this workspace are left out)")
