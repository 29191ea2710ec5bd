"""The workspace's lock: who holds it, whether that is the supervisor of the log, and whether it lives, stands still or
is silent. The lock alone decides who supervises; everything else here is only compared with it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from console.adapters import beat, shim
from console.adapters.boot import boot_id
from console.adapters.doctor import holders
from console.adapters.doctor.findings import Finding, Look, ago, some, words
from console.adapters.doctor.ground import Ground
from console.adapters.lock import trouble
from console.adapters.preflight.looking import file_system, text_of
from console.adapters.preflight.machine import REMOTE
from console.core.state import Holder, open_run

NAME = "supervisor"
SILENT = 3.0
"""Seconds in which a supervisor that lives beats several times."""
POLL = 0.05


@dataclass(frozen=True, slots=True)
class Glance:
    """The beat at one moment. sign: whose it is and its count, None where there is none."""

    sign: tuple[int, int, str, int] | None
    seen: float


def glance(g: Ground) -> Glance:
    """Made first, so that the other checks are the wait for its change."""
    return Glance(_sign(g), time.monotonic())


def _sign(g: Ground) -> tuple[int, int, str, int] | None:
    found = beat.read(g.places.beat) if g.places else None
    return (*found.process, found.count) if found else None


def look(g: Ground, before: Glance | None = None) -> Look:
    """Blocks for 3 s at most, and only when a supervisor holds the lock and has not beaten since `before`."""
    if g.places is None:
        return Look(name=NAME, well="not looked for: no workspace here")
    held = holders.holding(g.places.lock)
    alive = (*_holder(g, held, before or glance(g)), *_left_open(g, held))
    found = (*_lock_file(g, held), *alive, *_last_words(g))
    return Look(name=NAME, well=_well(g, held), findings=found)


def _well(g: Ground, held: holders.Holding) -> str:
    if not held.taken:
        return "nobody supervises, and no run is open"
    pid = held.pids[0] if held.pids else 0
    return f"pid {pid} holds the lock and is alive" if pid else "the lock is held"


# -- the file ---------------------------------------------------------------------------------------------------


def _lock_file(g: Ground, held: holders.Holding) -> Iterator[Finding]:
    assert g.places is not None
    lock, kind = g.places.lock, file_system(g.places.state, text_of("/proc/self/mounts"))
    if why := trouble(lock) or held.trouble:
        cure = words("ls", "-ld", str(lock), str(lock.parent))
        what = f"nobody can tell who supervises: {why}"
        yield Finding(check=NAME, level="fault", what=what, cure=cure)
    if kind in REMOTE:
        what = f"the lock {lock} lies on {kind}: another machine may not see it, and two supervisors may run at once"
        cure = 'export XDG_STATE_HOME="$HOME/.nightdesk-state"  # any folder on a disk of this machine'
        yield Finding(check=NAME, level="fault", what=what, cure=cure)
    elif kind.startswith("fuse"):
        what = f"the lock {lock} lies on {kind}, on which locks may not hold"
        cure = 'export XDG_STATE_HOME="$HOME/.nightdesk-state"  # any folder on a disk of this machine'
        yield Finding(check=NAME, level="warning", what=what, cure=cure)
    if (known := _named(g)) and (link := holders.leading_elsewhere(known.pid, lock)):
        what = (
            f"the supervisor pid {known.pid}, {ago(g.table.age(known.pid))} old, holds {link}, which its name does not "
            "lead to any more: a second one could start beside it"
        )
        yield Finding(check=NAME, level="fault", what=what, cure=words("kill", str(known.pid)))


def _named(g: Ground) -> Holder | None:
    """The log's supervisor, when its process is alive: pid, start time and boot are those of the log."""
    known = g.log.state.supervisor if g.log.state else None
    if known is None or not known.running:
        return None
    now = g.table.procs.get(known.pid)
    same = now is not None and not now.dead and now.start == known.start_time
    return known if same and known.boot in ("", boot_id()) and known.host in ("", os.uname().nodename) else None


# -- its holder -------------------------------------------------------------------------------------------------


def _holder(g: Ground, held: holders.Holding, before: Glance) -> Iterator[Finding]:
    if not held.taken:
        return
    if not held.pids:
        what = "somebody holds the lock who cannot be seen from here (another user or another container)"
        yield Finding(check=NAME, level="warning", what=what, cure=words("sudo", "lslocks"))
        return
    if len(held.pids) > 1:
        what = f"pids {some(map(str, held.pids))} have the lock's file open: the lock is free only when all have ended"
        yield Finding(check=NAME, level="warning", what=what, cure=words("ps", "-fp", ",".join(map(str, held.pids))))
    pid = held.pids[0]
    yield from _other_than_named(g, pid)
    stat = shim.read_stat(pid)
    if stat is not None and stat.state in "Tt":
        what = f"pid {_who(g, pid)} holds the lock and is stopped: nothing is watched, gated or ended meanwhile"
        yield Finding(check=NAME, level="fault", what=what, cure=words("kill", "-CONT", str(pid)))
    elif before.sign is not None and _silent(g, before):
        what = (
            f"pid {_who(g, pid)} holds the lock and has not beaten for {SILENT:g} s (state "
            f"{stat.state if stat else 'unknown'}): it may watch nothing any more"
        )
        yield Finding(check=NAME, level="fault", what=what, cure=_takeover(g, pid))
    elif before.sign is None and _is_named(g, pid) and g.table.age(pid) > SILENT and _sign(g) is None:
        assert g.places is not None
        what = (
            f"pid {_who(g, pid)} holds the lock, but {g.places.beat} has no beat: no standby can tell whether it lives"
        )
        yield Finding(check=NAME, level="warning", what=what, cure=words("ls", "-l", str(g.places.beat)))


def _takeover(g: Ground, pid: int) -> str:
    """A standby decides by itself; without one a person does."""
    return f"{g.command('standby')}  # takes over by itself; or end it: {words('kill', str(pid))}"


def _who(g: Ground, pid: int) -> str:
    age = f", {ago(g.table.age(pid))} old" if pid in g.table.procs else ""
    return f"{pid} ({shim.command_line(pid)[:120]}{age})"


def _silent(g: Ground, before: Glance) -> bool:
    while _sign(g) == before.sign:
        if time.monotonic() - before.seen >= SILENT:
            return True
        time.sleep(POLL)
    return False


def _other_than_named(g: Ground, pid: int) -> Iterator[Finding]:
    known = g.log.state.supervisor if g.log.state else None
    now = g.table.procs.get(pid)
    if known is None or now is None:
        return
    if _is_named(g, pid):
        return
    said = f"the log names pid {known.pid}" if known.running else "the log says that the last one has stopped"
    if g.table.age(pid) < SILENT:
        return  # it is starting, and will say so
    what = f"pid {_who(g, pid)} holds the lock, but {said}: what is asked of a supervisor may get no answer"
    yield Finding(check=NAME, level="warning", what=what, cure=words("ps", "-fp", str(pid)))


def _is_named(g: Ground, pid: int) -> bool:
    """Whether it is the supervisor that the log names."""
    named = _named(g)
    return named is not None and named.pid == pid


def _left_open(g: Ground, held: holders.Holding) -> Iterator[Finding]:
    state = g.log.state
    if held.taken or held.trouble or state is None:
        return
    at_work = [s.session for s in state.sessions.values() if s.phase != "exited" and not s.external]
    if run := open_run(state):
        since = ago(g.now - run.started_at)
        what = f"the run {run.run}, begun {since} ago, is open and nobody supervises it: no ticket goes on"
        cure = f"{g.command('run')}  # or, to have it always taken over: {g.command('standby')}"
        yield Finding(check=NAME, level="fault", what=what, cure=cure)
    elif at_work and (known := state.supervisor) and known.running:
        began = f"since {ago(g.now - known.at)}" if known.at else ""
        what = (
            f"the supervisor pid {known.pid} of {known.host} ({began}) ended without a word, with the sessions "
            f"{some(at_work)} at work: they are closed as interrupted when the next one starts"
        )
        yield Finding(check=NAME, level="warning", what=what, cure=g.command("run", "--idle"))


def _last_words(g: Ground) -> Iterator[Finding]:
    """The stacks of a supervisor that was ended by its deadman."""
    assert g.places is not None
    file = g.places.deadman
    try:
        status = file.stat()
    except OSError:
        return
    if status.st_size:
        what = (
            f"a supervisor was ended {ago(g.now - status.st_mtime)} ago because its loop stood still: where is "
            f"in {file}, which is worth a bug report"
        )
        yield Finding(check=NAME, level="advice", what=what, cure=words("less", "--", str(file)))
