"""Looks at the machine and the repository for the preflight. Whatever cannot be seen becomes a fact of its own."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from console.adapters.git.binary import GitFailed
from console.adapters.git.commits import PlainGit
from console.adapters.places import Places
from console.adapters.preflight.facts import Queue, Repo, Room, Waiting
from console.core import queue as queues
from console.core.records import Refused
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.engine.ports import FolderLook

UNSEEN = 1_000_000
"""All of them: the tickets themselves are among them, and what is not one must not hide behind them."""
Read = Callable[[str], str]


def text_of(path: str) -> str:
    """A small file of the kernel; "" when it has none of that name."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


# -- the machine -----------------------------------------------------------------------------------------


def rooms(places: Places) -> tuple[Room, ...]:
    """Free bytes of each file system that we write to, each once; worktrees first, they need the most."""
    found: dict[int, Room] = {}
    for what, folder, growing in (
        ("worktrees", places.data, True),
        ("the log", places.state, False),
        ("checkouts", places.cache, False),
    ):
        place = _existing(folder)
        try:
            device, fs = os.stat(place).st_dev, os.statvfs(place)
        except OSError:
            continue
        known = found.get(device)
        if known is None:
            found[device] = Room(what=what, place=str(place), free=fs.f_bavail * fs.f_frsize, growing=growing)
        else:
            found[device] = Room(
                what=f"{known.what}, {what}", place=known.place, free=known.free, growing=known.growing or growing
            )
    return tuple(found.values())


def _existing(folder: Path) -> Path:
    return next((place for place in (folder, *folder.parents) if place.is_dir()), Path("/"))


def file_system(place: Path, mounts: str) -> str:
    """The type of the file system that a place is on, "" when nobody can tell. mounts: as in /proc/self/mounts."""
    real = os.path.realpath(place)
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[1])
        holds = point in ("/", real) or real.startswith(point + "/")
        if holds and len(point) >= len(best):  # a later mount on the same point hides the earlier one
            best, kind = point, fields[2]
    return kind


def unwritable(state: Path) -> str:
    """Why nothing can be written and flushed there, "" when it can."""
    try:
        with tempfile.NamedTemporaryFile(dir=state, prefix=".preflight-") as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


def memory(read: Read = text_of) -> int | None:
    """Bytes that could be had now: of the machine, or of the control group that we are in where that has less."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", read("/proc/meminfo"), re.M)
    if not found:
        return None
    group = re.search(r"^0::(/.*)$", read("/proc/self/cgroup"), re.M)
    left = _left_in_group(read, group[1].rstrip("/") if group else "")
    machine = int(found[1]) * 1024
    return machine if left is None else min(machine, left)


def _left_in_group(read: Read, group: str) -> int | None:
    folder = f"/sys/fs/cgroup{group}"
    limit, used = read(f"{folder}/memory.max").strip(), read(f"{folder}/memory.current").strip()
    if not (limit.isdigit() and used.isdigit()):
        return None
    cache = re.search(r"^inactive_file (\d+)$", read(f"{folder}/memory.stat"), re.M)
    return max(0, int(limit) - int(used) + (int(cache[1]) if cache else 0))


CREDENTIALS = (".git-credentials", ".netrc", ".pypirc", ".config/gh/hosts.yml", ".config/glab-cli/config.yml")


def credentials(home: str) -> tuple[str, ...]:
    """Files below HOME that can push somewhere; nothing is read."""
    names = [f"~/{name}" for name in CREDENTIALS if os.path.lexists(os.path.join(home, name))]
    try:
        keys = sorted(os.listdir(os.path.join(home, ".ssh")))
    except OSError:
        keys = []
    return (*names, *(f"~/.ssh/{key}" for key in keys if key.startswith("id_") and not key.endswith(".pub")))


# -- the repository --------------------------------------------------------------------------------------


def repository(git: PlainGit, state: State) -> Repo:
    """What git says. Raises nothing: a git that cannot answer is the trouble itself."""
    alert = next((a.alert for a in state.alerts.values() if a.blocks), "")
    try:
        repo = git.repository
        base = git.turn_base(repo.workspace.root)
        if isinstance(base, Refused):
            return Repo(trouble=base.reason, alert=alert)
        unseen, unsure = _unseen(git)
        return Repo(
            version=repo.git.check(["--version"]).decode("utf-8", "replace").strip(),
            head=base.head,
            ref=base.ref,
            operation=repo.operation(repo.workspace.common),
            identity=git.identity(),
            unseen=unseen,
            unsure=unsure,
            size=_size(git) if base.head else 0,
            alert=alert,
            submodules=os.path.isfile(os.path.join(repo.workspace.root, ".gitmodules")),
        )
    except GitFailed as failed:
        return Repo(trouble=failed.reason, alert=alert)
    except OSError as error:
        return Repo(trouble=f"{error.filename or 'a file'}: {error.strerror}", alert=alert)


def _unseen(git: PlainGit) -> tuple[tuple[str, ...] | None, str]:
    try:
        return git.uncommitted(UNSEEN), ""
    except GitFailed as failed:
        return None, failed.reason


def _size(git: PlainGit) -> int:
    """Bytes of the files that a new worktree would hold."""
    listed = git.repository.real_out("ls-tree", "-r", "-l", "-z", "HEAD")
    sizes = (entry.split(b"\t", 1)[0].split()[-1] for entry in listed.split(b"\0") if entry)
    return sum(int(one) for one in sizes if one.isdigit())


# -- the tickets -----------------------------------------------------------------------------------------


def queue(state: State, look: Callable[[Mapping[str, str]], FolderLook] | None, trouble: str = "") -> Queue:
    """The tickets of the log, brought up to date by a look at the folder: there may be no supervisor that does."""
    known = {t.ticket: t.stamp for t in state.tickets.values() if t.phase != "gone" and not t.link}
    found = look(known) if look else FolderLook(problems=state.problems)
    waiting = {
        t.ticket: Waiting(ticket=t.ticket, file=t.file, spec=t.spec, held=t.held)
        for t in state.tickets.values()
        if _takes(state, t) and t.ticket not in found.gone
    }
    for seen in found.seen:
        before = state.tickets.get(seen.ticket)
        if before is None or before.phase == "gone" or _takes(state, before):
            held = seen.held or (before.held if before else "")
            waiting[seen.ticket] = Waiting(ticket=seen.ticket, file=seen.file, spec=seen.spec, held=held)
    at_work = tuple(t.ticket for t in state.tickets.values() if t.in_flight)
    stopped = tuple(t.ticket for t in state.tickets.values() if t.phase == "ended" and t.why in queues.BY_A_PERSON)
    return Queue(
        waiting=tuple(waiting.values()), at_work=at_work, stopped=stopped, problems=found.problems, trouble=trouble
    )


def _takes(state: State, t: Ticket) -> bool:
    """Whether it is queued, or will be as a run starts; one that is open goes on with what it has. Reviews and repairs
    begin only while chains are on, and about a plan that waits."""
    plan = state.plans.get(t.link.head) if t.link else None
    if t.link and not (state.chains_on and plan and plan.state == "waiting"):
        return False
    return t.phase == "queued" or (queues.taken_again(t) and not open_run(state))


def within(root: Path) -> Callable[[str], bool]:
    """Whether a folder below the root is there."""
    return lambda name: (root / name).is_dir()


def worktree_folders(git: PlainGit, data: Path) -> Iterable[str]:
    return [*(tree.path for tree in git.worktrees()), str(data)]
