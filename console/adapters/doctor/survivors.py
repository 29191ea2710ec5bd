"""What outlived a supervisor: processes of sessions that no shim watches any more, and shims that nobody watches.

They are named, never signalled: what is not below us may be anybody's (an environment is inherited, not proved).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from console.adapters import shim, survivors
from console.adapters.doctor import holders, proc
from console.adapters.doctor.findings import LISTED, Finding, Look, ago, some, words
from console.adapters.doctor.ground import Ground
from console.core.records import Leftover, Refused

NAME = "survivors"
GIT_LIMIT = 150.0
"""Seconds. A git of the supervisor's own is ended before it is so old."""


def look(g: Ground) -> Look:
    """Raises OSError when /proc cannot be looked at."""
    if g.workspace is None:
        return Look(name=NAME, well="not looked for: no workspace here")
    if not g.table.procs:
        blind = Finding(check=NAME, level="warning", what="there is no /proc: nobody can tell what is left running")
        return Look(name=NAME, well="", findings=(blind,))
    kept = _kept(g, g.workspace.key)
    left = (*_alone(g, g.workspace.key), *_unmarked(g, g.workspace.key))
    found = (*left, *_unwatched(g, kept), *_stuck(g, kept), *_hidden(g))
    return Look(name=NAME, well="no process of a session is left without its shim", findings=found)


def _alone(g: Ground, key: str) -> Iterator[Finding]:
    found = survivors.find(key)
    if isinstance(found, Refused):
        yield Finding(check=NAME, level="warning", what=found.reason, cure=g.command("doctor"))
        return
    mine = {os.getpid(), *g.table.above(os.getpid())}
    alone = [one for one in found if one.process.pid not in mine and one.process.pid in g.table.procs]
    for one in alone[:LISTED]:
        what = _words(g, one.process, one.session)
        yield Finding(check=NAME, level="fault", what=what, cure=_kill(g, [one.process.pid]))
    if more := [one.process.pid for one in alone[LISTED:]]:
        what = f"{len(more)} more processes of sessions without a shim: {some(map(str, more))}"
        yield Finding(check=NAME, level="fault", what=what, cure=_kill(g, more))


def _unmarked(g: Ground, key: str) -> Iterator[Finding]:
    """What shed its token, and is known by its place alone: a child of a supervisor, or an orphan in a worktree that an
    agent was lost in."""
    found = {pid: f"the supervisor (pid {boss}) had it from a shim that was lost" for pid, boss in _heirs(g).items()}
    for s in g.log.state.sessions.values() if g.log.state else ():
        if s.unproven and s.shim_start:
            beside = survivors.beside(s.worktree, s.shim_start)
            why = f"it works where an agent of {_origin(g, s.session)} was lost and is younger"
            found |= {one.pid: why for one in beside}
    yield from _placed(g, {pid: why for pid, why in found.items() if not survivors.session_of(pid, key)})


def _heirs(g: Ground) -> dict[int, int]:
    """{pid: its supervisor} of what came to one of ours by adoption: all but its shims are in its own session."""
    procs = g.table.procs
    bosses = {pid: procs[pid].session for pid in holders.of_lock(g) if pid in procs}
    found = {pid: one.ppid for pid, one in procs.items() if one.ppid in bosses and one.session != bosses[one.ppid]}
    return {pid: boss for pid, boss in found.items() if not procs[pid].dead and not _is_its_own(g, pid)}


def _is_its_own(g: Ground, pid: int) -> bool:
    git = proc.text(f"/proc/{pid}/comm").strip() == b"git"
    return pid == os.getpid() or survivors.looks_like_a_shim(pid) or (git and g.table.age(pid) < GIT_LIMIT)


def _placed(g: Ground, found: Mapping[int, str]) -> Iterator[Finding]:
    mine = {os.getpid(), *g.table.above(os.getpid())}
    for pid in [pid for pid in found if pid in g.table.procs and pid not in mine][:LISTED]:
        what = (
            f"pid {pid} ({shim.command_line(pid)[:120]}), {ago(g.table.age(pid))} old, in "
            f"{proc.folder(pid) or 'an unknown folder'} may be left of an agent: {found[pid]}; nothing proves whose it "
            "is, so nobody ends it; it may still write there"
        )
        yield Finding(check=NAME, level="fault", what=what, cure=_kill(g, [pid]))


def _words(g: Ground, process: Leftover, session: str) -> str:
    pid, ports, state = process.pid, process.ports, g.table.procs[process.pid].state
    parts = [
        f"pid {pid} ({process.command[:120]})",
        f"{ago(process.age)} old",
        *(["stopped"] if state in "Tt" else ["stuck in the kernel"] if state == "D" else []),
        *([f"listens on port {some(map(str, ports))}"] if ports else []),
        f"of {_origin(g, session)}",
        f"in {_place(g, pid, session)}",
    ]
    keeper = _supervisor_above(g, pid)
    end = f"; the supervisor (pid {keeper}) has it but may not end it" if keeper else ""
    return ", ".join(parts) + f": its shim is gone, so nothing ends it; it may still write there{end}"


def _origin(g: Ground, session: str) -> str:
    known = g.log.state.sessions.get(session) if g.log.state else None
    label = f" ({known.label})" if known and known.label else ""
    return f"session {session}{label}" if session != "gate" else "a gate"


def _place(g: Ground, pid: int, session: str) -> str:
    known = g.log.state.sessions.get(session) if g.log.state else None
    return (known.worktree if known else "") or proc.folder(pid) or "an unknown folder"


def _supervisor_above(g: Ground, pid: int) -> int:
    keepers = holders.of_lock(g)
    return next((one for one in g.table.above(pid) if one in keepers), 0)


def _kill(g: Ground, pids: list[int]) -> str:
    """Stopped processes obey only when they go on; others' are for root."""
    names = [str(pid) for pid in pids]
    by = ["sudo"] if any(proc.owner(pid) not in (os.geteuid(), -1) for pid in pids) and os.geteuid() else []
    stopped = [str(pid) for pid in pids if g.table.procs[pid].state in "Tt"]
    end = words(*by, "kill", *names)
    return f"{end}; {words(*by, 'kill', '-CONT', *stopped)}" if stopped else end


# -- shims ----------------------------------------------------------------------------------------------------


Kept = dict[int, dict[int, str]]
"""{shim: {pid below it: session}}"""


def _kept(g: Ground, key: str) -> Kept:
    """What carries a token of this workspace and has a living shim above it."""
    found: Kept = {}
    for pid, one in g.table.procs.items():
        session = "" if one.dead or pid == os.getpid() else survivors.session_of(pid, key)
        if session and (above := _shim_above(g, pid)):
            found.setdefault(above, {})[pid] = session
    return found


def _unwatched(g: Ground, kept: Kept) -> Iterator[Finding]:
    """Shims with a session of ours below them and no supervisor above: they clear it away, or cannot."""
    for keeper, marked in sorted(kept.items()):
        if not _supervisor_above(g, keeper) and not _is_ours_above(g, keeper):
            what = _clearing(g, keeper, marked)
            yield Finding(check=NAME, level="warning", what=what, cure=g.command("doctor"))


def _stuck(g: Ground, kept: Kept) -> Iterator[Finding]:
    """What the log says could not be killed, as long as it is there."""
    sessions = g.log.state.sessions if g.log.state else {}
    for marked in kept.values():
        for pid, session in marked.items():
            if (known := sessions.get(session)) and known.stuck:
                cure = words("findmnt", "-T", _place(g, pid, session))
                yield Finding(check=NAME, level="warning", what=_waiting(g, pid, session), cure=cure)


def _waiting(g: Ground, pid: int, session: str) -> str:
    point = proc.text(f"/proc/{pid}/wchan").decode("ascii", "replace").strip("0 ") or "nobody knows what"
    return (
        f"pid {pid} ({shim.command_line(pid)[:120]}), {ago(g.table.age(pid))} old, of {_origin(g, session)} could not "
        f"be killed: it waits in the kernel for {point}, usually a disk or a mount. Bring that back and it ends by "
        "itself; its worktree is not used meanwhile"
    )


def _shim_above(g: Ground, pid: int) -> int:
    """The nearest living shim above it, 0 when there is none."""
    return next((one for one in g.table.above(pid) if survivors.looks_like_a_shim(one)), 0)


def _is_ours_above(g: Ground, pid: int) -> bool:
    """Whether the supervisor that the log names is above it, whoever holds the lock."""
    known = g.log.state.supervisor if g.log.state else None
    return known is not None and any(
        one == known.pid and g.table.procs[one].start == known.start_time for one in g.table.above(pid)
    )


def _clearing(g: Ground, keeper: int, marked: dict[int, str]) -> str:
    stuck = [pid for pid in marked if g.table.procs[pid].state == "D"]
    state = f"{some(map(str, stuck))} cannot be killed (stuck in the kernel)" if stuck else "it is clearing up"
    whose = some(sorted({_origin(g, one) for one in marked.values()}))
    return (
        f"shim pid {keeper}, {ago(g.table.age(keeper))} old, of {whose} has no supervisor any more and "
        f"{len(marked)} below it; {state}: look again in 10 s"
    )


def _hidden(g: Ground) -> Iterator[Finding]:
    if g.table.hidden:
        what = "/proc hides processes of other users (hidepid): a survivor that changed its user would not be seen"
        yield Finding(check=NAME, level="advice", what=what, cure="sudo mount -o remount,hidepid=0 /proc")
