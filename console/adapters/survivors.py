"""Processes that sessions of ours left behind and that no shim of ours holds, known by a token in their environment.

For words only, in a report: a token proves nothing (it is inherited by who was meant to leave, and lost by who wants to
hide), so nothing here is ever signalled (facts: "fit for a report, not for a kill decision"; DESIGN.md rulings 21-23).
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection

from console.adapters import proctree, shim
from console.adapters.environment import TOKEN
from console.core.records import Leftover, Record, Refused

ENVIRONMENT_READ = 256 * 1024
"""Bytes of each environment that are looked at."""
LIMIT = 2.0
"""Seconds that a look may take."""
LISTED = 100
PROGRAMS = {shim.NAME: b"shim.py", b"nightdesk-loan": b"borrower.py"}
"""Name -> program of ours that stands above an agent."""


class Survivor(Record, frozen=True, kw_only=True):
    """A process and the session (of this workspace) that began it: "s-1", or "gate"."""

    session: str
    process: Leftover
    start: int

    @property
    def text(self) -> str:
        """`123 node server.js, port 8080, 42 s old (of s-1)`"""
        return f"{self.process.text} (of {self.session})"


def find(
    workspace: str, sessions: Collection[str] | None = None, shims: Collection[int] | None = None
) -> tuple[Survivor, ...] | Refused:
    """Who carries a token of this workspace (its key) and lives below none of `shims`; at most 100, oldest first.

    sessions: only of these (None: of all). shims: pids of living shims of ours; None: whatever looks like one, which is
    good enough for a report from another process than the supervisor's. Only processes of our own user. Blocking, at
    most about 2 s. Refused says why it is not known who is there.
    """
    if not shim.HAVE_PROC:
        return ()
    try:
        table = shim.proc_table()
        below = _below(table, shims if shims is not None else [pid for pid in table if looks_like_a_shim(pid)])
        deadline = time.monotonic() + LIMIT
        found: dict[int, str] = {}
        for pid in [pid for pid, proc in table.items() if not proc.dead and pid not in below and _is_ours(pid)]:
            if time.monotonic() > deadline:
                return Refused(reason=f"looking for survivors took more than {LIMIT:g} s; look again when it is calmer")
            session = session_of(pid, workspace)
            if session and (sessions is None or session in sessions):
                found[pid] = session
    except OSError as error:
        return Refused(
            reason=f"/proc could not be read ({error.strerror}), so it is not known what survived; look again"
        )
    return _described(table, found)


def lines(workspace: str, sessions: Collection[str], shims: Collection[int]) -> tuple[str, ...]:
    """`find` as one line a process; when it is not known who is there, that is the one line."""
    found = find(workspace, sessions, shims)
    return (found.reason,) if isinstance(found, Refused) else tuple(one.text for one in found)


def looks_like_a_shim(pid: int) -> bool:
    """By its name and command line, which anybody can give himself: for reports. Who lends a conversation to a person
    stands above an agent in the same way."""
    words = shim.read_proc(f"/proc/{pid}/cmdline").split(b"\0")
    program = PROGRAMS.get(shim.read_proc(f"/proc/{pid}/comm").strip())
    return bool(program) and len(words) > 5 and words[1:3] == [b"-I", b"-S"] and words[3].endswith(program or b"?")


def session_of(pid: int, workspace: str) -> str:
    """The session that its environment names, "" when none of this workspace."""
    prefix = f"{TOKEN}={workspace}/".encode()
    for word in _environment(pid).split(b"\0"):
        if word.startswith(prefix):
            return word[len(prefix) :].decode("utf-8", "replace")
    return ""


def _environment(pid: int) -> bytes:
    try:
        fd = os.open(f"/proc/{pid}/environ", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in shim.LACKING:
            raise
        return b""
    try:
        with os.fdopen(fd, "rb") as file:
            return file.read(ENVIRONMENT_READ)
    except OSError:
        return b""  # it has just ended


def _is_ours(pid: int) -> bool:
    try:
        return pid != os.getpid() and os.stat(f"/proc/{pid}").st_uid == os.geteuid()
    except OSError:
        return False


def _below(table: dict[int, shim.Proc], shims: Collection[int]) -> set[int]:
    """The shims and everything below them. A shim carries no token itself, but one that was started by hand may."""
    found = set(shims)
    for pid in shims:
        found |= set(shim.Chain(pid).tree(table))
    return found


def _described(table: dict[int, shim.Proc], found: dict[int, str]) -> tuple[Survivor, ...]:
    oldest = sorted(found, key=lambda pid: (table[pid].start, pid))[:LISTED]
    processes = proctree.described(table, oldest)
    return tuple(Survivor(session=found[one.pid], start=table[one.pid].start, process=one) for one in processes)


def beside(worktree: str, since: int) -> tuple[Leftover, ...]:
    """Orphans of our user without a terminal that work in a worktree and began at `since` (clock ticks) or later: what
    a lost shim may have left, also when it shed its token. Oldest first, at most 100; raises OSError. Blocking."""
    if not shim.HAVE_PROC or not since:
        return ()
    table = shim.proc_table()
    young = [pid for pid, proc in table.items() if not proc.dead and proc.start >= since and _is_ours(pid)]
    found = [pid for pid in young if _works_in(pid, worktree) and _is_orphan(pid, table) and not _has_terminal(pid)]
    return proctree.described(table, sorted(found, key=lambda pid: (table[pid].start, pid))[:LISTED])


def lines_beside(worktree: str, since: int) -> tuple[str, ...]:
    """`beside` as one line a process; when it is not known who is there, that is the one line."""
    try:
        return tuple(one.text for one in beside(worktree, since))
    except OSError as error:
        return (f"something that cannot be seen (/proc could not be read: {error.strerror})",)


def _works_in(pid: int, folder: str) -> bool:
    try:
        where = os.readlink(f"/proc/{pid}/cwd").removesuffix(" (deleted)")
    except OSError:
        return False
    return where == folder or where.startswith(f"{folder}/")


def _is_orphan(pid: int, table: dict[int, shim.Proc]) -> bool:
    """A service manager of the user takes orphans as pid 1 does."""
    parent = table[pid].ppid
    return parent <= 1 or shim.read_proc(f"/proc/{parent}/comm").strip() == b"systemd"


def _has_terminal(pid: int) -> bool:
    raw = shim.read_proc(f"/proc/{pid}/stat")
    field = raw[raw.rfind(b")") + 2 :].split()
    return len(field) > 4 and field[4] != b"0"


def left_running(shim_pid: int, agent: int) -> tuple[Leftover, ...]:
    """What runs below a shim right now except the agent's own first process and what belongs to its sandbox.

    agent: its pid as the shim reports it. At most 100. Empty when the shim is gone; when we could not look, one entry
    under the shim's pid says so. Blocking.
    """
    try:
        table = shim.proc_table()
        own = _agent_itself(table, agent)
        left = [pid for pid in shim.Chain(shim_pid).tree(table) if not table[pid].dead and pid not in own]
        return proctree.described(table, left[:LISTED])
    except OSError as error:
        return (Leftover(pid=shim_pid, command=f"(below it nothing could be seen: {error.strerror})"),)


def _agent_itself(table: dict[int, shim.Proc], agent: int) -> set[int]:
    """The agent; in a process namespace also what stands for it, its pid 1 and the command, the first child of that."""
    own = {agent}
    inits = [pid for pid, proc in table.items() if proc.ppid == agent and _inner_pid(pid) == 1]
    for init in inits:
        own.add(init)
        own |= {pid for pid, proc in table.items() if proc.ppid == init and _inner_pid(pid) == 2}
    return own


def _inner_pid(pid: int) -> int:
    """Its pid in its innermost process namespace, 0 when unknown."""
    for line in shim.read_proc(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"NSpid:"):
            words = line.split()
            return int(words[-1]) if len(words) > 2 else 0
    return 0
