"""What the machine allows: the sandbox, watches, descriptors, memory, the clock, programs in our folders, versions."""

from __future__ import annotations

import os
import platform
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from console.adapters import sandbox
from console.adapters.boot import boot_id
from console.adapters.doctor import proc
from console.adapters.doctor.findings import Finding, Look, ago, size, words
from console.adapters.doctor.ground import Ground
from console.adapters.git.binary import OLDEST, GitBinary, GitFailed
from console.adapters.preflight.looking import memory as free_memory
from console.adapters.sandbox import Tier
from console.core.records import Sandbox

SANDBOX, LIMITS, CLOCK, PROGRAMS = "sandbox", "limits", "clock", "programs"
FEW_FILES = 1024
"""Descriptors of a process: about eight a session, and what is kept back for bad moments."""
INSTANCES_LEFT = 8
TIGHT = 300_000_000
SKEW = 60.0
BUILT = 1_700_000_000.0
"""No clock that is right shows a time before this (November 2023)."""


def tier(g: Ground, found: Tier | None = None) -> Look:
    """found: instead of trying, which takes 50 ms."""
    found = sandbox.probe(g.environ) if found is None else found
    if found.mounts:
        kept = Sandbox(read_only=("", ""), pids=found.pids)
        return Look(name=SANDBOX, well=sandbox.words(found, kept))
    cure = _allow_namespaces(found.reason)
    one = Finding(check=SANDBOX, level="advice", what=sandbox.words(found, None), cure=cure)
    return Look(name=SANDBOX, well="", findings=(one,))


def _allow_namespaces(reason: str) -> str:
    """The setting that the reason names, set so that they work."""
    named = re.search(r"\(((?:kernel|user)\.[a-z_]+)=\d+\)", reason)
    values = {
        "kernel.unprivileged_userns_clone": "1",
        "user.max_user_namespaces": "15000",
        "kernel.apparmor_restrict_unprivileged_userns": "0",
    }
    return words("sudo", "sysctl", "-w", f"{named[1]}={values[named[1]]}") if named and named[1] in values else ""


# -- limits -----------------------------------------------------------------------------------------------------


def limits(g: Ground) -> Look:
    """Raises OSError when /proc cannot be looked at."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free, allowed, used = free_memory(), _setting("fs/inotify/max_user_instances"), _instances(g)
    watching = f", {used} of {allowed} inotify instances in use" if allowed else ""
    well = f"{_count(soft)} descriptors, {'unknown' if free is None else size(free)} of memory free{watching}"
    found = (*_descriptors(soft, hard), *_memory(free), *_inotify(allowed, used))
    return Look(name=LIMITS, well=well, findings=found)


def _count(number: int) -> str:
    return "no limit on" if number == resource.RLIM_INFINITY else str(number)


def _descriptors(soft: int, hard: int) -> Iterator[Finding]:
    if soft != resource.RLIM_INFINITY and soft < FEW_FILES:
        what = f"a process may have only {soft} files open (RLIMIT_NOFILE): many sessions at once will not fit"
        enough = hard == resource.RLIM_INFINITY or hard >= FEW_FILES
        cure = f"ulimit -n {FEW_FILES}" if enough else "sudo prlimit --nofile=4096:4096 --pid $$"
        yield Finding(check=LIMITS, level="warning", what=what, cure=cure)


def _memory(free: int | None) -> Iterator[Finding]:
    if free is not None and free < TIGHT:
        what = f"only {size(free)} of memory can be had: an agent that starts now may be ended by the kernel"
        yield Finding(check=LIMITS, level="warning", what=what, cure="ps -eo pid,rss,comm --sort=-rss | head")


def _setting(name: str) -> int:
    """A number among the kernel's settings, 0 where there is none of that name."""
    found = proc.text(f"/proc/sys/{name}").strip()
    return int(found) if found.isdigit() else 0


def _inotify(allowed: int, used: int) -> Iterator[Finding]:
    if allowed and allowed - used < INSTANCES_LEFT:
        what = f"{used} of {allowed} inotify instances are in use: changes of tickets are seen late without one"
        cure = words("sudo", "sysctl", "-w", f"fs.inotify.max_user_instances={max(512, 2 * allowed)}")
        yield Finding(check=LIMITS, level="warning", what=what, cure=cure)
    watches = _setting("fs/inotify/max_user_watches")
    if watches and watches < 8192:
        what = f"only {watches} inotify watches are allowed: changes of tickets are seen late without one"
        cure = words("sudo", "sysctl", "-w", "fs.inotify.max_user_watches=65536")
        yield Finding(check=LIMITS, level="warning", what=what, cure=cure)


def _instances(g: Ground) -> int:
    """Of our own user, as far as they can be seen."""
    me, count = os.geteuid(), 0
    for pid in g.table.procs:
        if proc.owner(pid) != me:
            continue
        try:
            count += sum(link == "anon_inode:inotify" for link in proc.links(pid))
        except OSError:
            continue
    return count


# -- the clock --------------------------------------------------------------------------------------------------


def clock(g: Ground) -> Look:
    state = g.log.state
    last = state.at if state else 0.0
    well = f"{time.strftime('%Y-%m-%d %H:%M %Z', time.localtime(g.now))}, up for {ago(_uptime(g))}"
    return Look(name=CLOCK, well=well, findings=(*_skewed(g.now, last), *_booted(g)))


def _uptime(g: Ground) -> float:
    return g.table.uptime


def _skewed(now: float, last: float) -> Iterator[Finding]:
    cure = words("sudo", "timedatectl", "set-ntp", "true")
    if now < BUILT:
        what = f"the clock shows {time.strftime('%Y-%m-%d', time.localtime(now))}: times in the log would be wrong"
        yield Finding(check=CLOCK, level="warning", what=what, cure=cure)
    elif last - now > SKEW:
        what = f"the clock is {ago(last - now)} behind the log's last event: ages and waits are wrong until it is set"
        yield Finding(check=CLOCK, level="warning", what=what, cure=cure)


def _booted(g: Ground) -> Iterator[Finding]:
    known = g.log.state.supervisor if g.log.state else None
    if known and known.running and known.boot and boot_id() and known.boot != boot_id():
        what = f"the machine was started again {ago(_uptime(g))} ago, while the supervisor pid {known.pid} ran"
        ask = f"{what}: what was at work then is closed as interrupted when the next one starts"
        yield Finding(check=CLOCK, level="advice", what=ask, cure=g.command("run", "--idle", "--linger", "1"))


# -- programs ---------------------------------------------------------------------------------------------------


def programs(g: Ground) -> Look:
    version, found = _git(g)
    well = f"{version}, Python {platform.python_version()} ({sys.executable})"
    return Look(name=PROGRAMS, well=well, findings=(*found, *_noexec(g)))


def _git(g: Ground) -> tuple[str, tuple[Finding, ...]]:
    try:
        said = GitBinary(g.environ, g.worktrees).check(["--version"], timeout=5).decode("utf-8", "replace").strip()
    except GitFailed as failed:
        return "", (Finding(check=PROGRAMS, level="fault", what=failed.reason, cure=_install("git")),)
    numbers = re.search(r"(\d+)\.(\d+)", said)
    if numbers and (int(numbers[1]), int(numbers[2])) < OLDEST:
        what = f"{said} is too old, {'.'.join(map(str, OLDEST))} or newer is needed"
        return said, (Finding(check=PROGRAMS, level="fault", what=what, cure=_install("git")),)
    return said, ()


def _install(program: str) -> str:
    for manager, how in (
        ("apt-get", "install"),
        ("dnf", "install"),
        ("pacman", "-S"),
        ("apk", "add"),
        ("brew", "install"),
    ):
        if any(os.access(f"{folder}/{manager}", os.X_OK) for folder in ("/usr/bin", "/sbin", "/opt/homebrew/bin")):
            root = [] if manager == "brew" else ["sudo"]
            return words(*root, manager, how, program)
    return ""


def _noexec(g: Ground) -> Iterator[Finding]:
    """Gates run programs of a worktree and of a checkout, hooks run in the cache."""
    if g.places is None:
        return
    for what, folder in (("worktrees", g.places.data), ("checkouts and hooks", g.places.cache)):
        place = next((one for one in (folder, *folder.parents) if one.is_dir()), Path("/"))
        try:
            flags = os.statvfs(place).f_flag
        except OSError:
            continue
        if flags & os.ST_NOEXEC:
            text = f"no program may run on the disk of the {what} ({place}, mounted noexec): gates there fail"
            yield Finding(check=PROGRAMS, level="fault", what=text, cure=words("findmnt", "-T", str(place)))
