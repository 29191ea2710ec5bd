"""Whether the machine carries the run: room on the disks, a state folder that keeps, memory, the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

from console.adapters.preflight.facts import GB, Facts, no_go, ok, size, warning
from console.core.records import Check, Refused

LEAST = 1 * GB
NEAR = 2 * GB
TIGHT = 300_000_000
ROOMY = 1 * GB
"""Bytes a session."""

REMOTE = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph", "glusterfs", "lustre", "ncpfs", "beegfs", "afpfs"}
    | {"gpfs", "orangefs", "pvfs2", "webdav", "davfs", "virtiofs", "vboxsf", "prl_fs", "vmhgfs", "fuse.sshfs"}
    | {"fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "fuse.gcsfuse", "fuse.davfs2", "fuse.vmhgfs-fuse", "fuse.cephfs"}
)
"""File systems on which a lock or shared memory of ours may not be what it seems to be from another machine."""
FLEETING = frozenset({"tmpfs", "ramfs"})


def disk(f: Facts) -> Iterator[Check]:
    """Each file system once. Worktrees stay until somebody cleans them: a long run needs more than its start."""
    if not f.machine.rooms:
        yield warning("disk", "nobody can tell how much room there is")
    sessions = 0 if f.settings.workspace == "in_place" else f.sessions
    tickets = 0 if f.settings.workspace == "in_place" else min(len(f.queue.waiting), f.settings.tickets_per_run)
    for room in f.machine.rooms:
        need = max(LEAST, f.repo.size * sessions if room.growing else 0)
        likely = max(NEAR, f.repo.size * max(tickets, sessions) + LEAST if room.growing else 0)
        text = f"{size(room.free)} free for {room.what} ({room.place})"
        if room.free < need:
            yield no_go("disk", f"{text}, at least {size(need)} is needed", "make room there")
        elif room.free < likely:
            yield warning("disk", f"{text}; {size(likely)} would be safer", "make room; `nightdesk worktree clean`")
        else:
            yield ok("disk", text)


def state(f: Facts) -> Iterator[Check]:
    m = f.machine
    if m.unwritable:
        yield no_go("state", f"{m.state} cannot be written: {m.unwritable}", "make it writable for you")
    if m.kind in REMOTE:
        cure = "point XDG_STATE_HOME to a folder on a disk of this machine"
        yield no_go("state", f"{m.state} lies on {m.kind}: its lock and log are not safe there", cure)
    elif m.kind in FLEETING:
        yield warning("state", f"{m.state} lies in memory ({m.kind}): the log is gone when the machine stops")
    elif m.kind.startswith("fuse"):
        yield warning("state", f"{m.state} lies on {m.kind}, on which locks and flushes may not hold")
    elif not m.unwritable:
        yield ok("state", f"{m.state} is writable{f', on {m.kind}' if m.kind else ''}")


def memory(f: Facts) -> Iterator[Check]:
    if f.machine.memory is None:
        yield warning("memory", "nobody can tell how much memory is free")
        return
    each = f.machine.memory / f.sessions
    text = f"{size(f.machine.memory)} free, {size(each)} for each of {f.sessions} session{'s' * (f.sessions > 1)}"
    cure = f"fewer sessions (limits.sessions, {f.where('limits.sessions', 'limits')}), or end other programs"
    if each < TIGHT:
        yield no_go("memory", text, cure)
    elif each < ROOMY:
        yield warning("memory", text, cure)
    else:
        yield ok("memory", text)


def sandbox(f: Facts) -> Iterator[Check]:
    words = f.machine.sandbox
    if isinstance(words, Refused):
        yield no_go("sandbox", words.reason)
    elif f.machine.sandboxed:
        yield ok("sandbox", words)
    else:
        yield warning("sandbox", words or "nobody can tell whether there is one")


def login(f: Facts) -> Iterator[Check]:
    """Whoever logs out in the evening must know it before the run begins."""
    for what, cure in f.login:
        yield warning("login", what, cure)
    if not f.login:
        yield ok("login", "nothing says that a run would end with this login")
