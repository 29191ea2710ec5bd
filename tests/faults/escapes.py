"""A hostile program for inside a sandbox: it tries every way out that it knows and prints what came of each, as JSON.

Run as `python escapes.py REPOSITORY WORKTREE STATE OUTSIDE`: OUTSIDE is the pid of a process of the same user outside
every sandbox, 0 when it cannot be seen; otherwise our parent is our shim. It imports the standard library only.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

REPOSITORY, WORKTREE, STATE, OUTSIDE = sys.argv[1:]
SHIM = str(os.getppid())
GIT = f"{REPOSITORY}/.git"
LIBC = ctypes.CDLL(None, use_errno=True)
BIND, REC, REMOUNT, MOVE = 4096, 16384, 32, 8192


def c(name: str, *args: object) -> None:
    """A call of the C library; raises what it answers."""
    words = [ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in args]
    words = [word.encode() if isinstance(word, str) else word for word in words]
    if getattr(LIBC, name)(*words) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def write(path: str, text: str = "hostile\n") -> None:
    with open(path, "a") as file:
        file.write(text)


def read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(16)


def nested(*then: Callable[[], None]) -> None:
    """A user and mount namespace of our own, where we may mount, and then a write that must still fail."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            uid, gid = os.getuid(), os.getgid()
            c("unshare", 0x10020000)
            for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
            for one in then:
                one()
            code = 0
        except OSError as error:
            code = error.errno or 98
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, os.strerror(code))


def mount(source: str | None, target: str, flags: int, kind: str | None = None, options: str | None = None) -> None:
    c("mount", source, target, kind, flags, options)


def at_mnt() -> None:
    mount("none", "/mnt", 0, "tmpfs")
    for name in ("view", "upper", "work", "root"):
        os.mkdir(f"/mnt/{name}")


def view(source: str, flags: int) -> Callable[[], None]:
    return lambda: (at_mnt(), mount(source, "/mnt/view", flags))[0]  # type: ignore[func-returns-value]


def overlay() -> None:
    at_mnt()
    work = f"{os.path.dirname(REPOSITORY)}/work"
    os.makedirs(work, exist_ok=True)
    mount("overlay", "/mnt/view", 0, "overlay", f"lowerdir=/mnt/upper,upperdir={REPOSITORY},workdir={work},userxattr")


def open_tree(flags: int) -> None:
    fd = LIBC.syscall(428, -100, REPOSITORY.encode(), ctypes.c_ulong(flags))
    if fd < 0:
        raise OSError(ctypes.get_errno(), "open_tree")
    with open(os.open(".git/config", os.O_WRONLY | os.O_APPEND, dir_fd=fd), "a") as file:
        file.write("hostile")


def clear_read_only() -> None:
    attributes = (ctypes.c_uint64 * 4)(0, 1, 0, 0)
    c("syscall", 442, -100 % 2**64, GIT, 0x8000, ctypes.byref(attributes), 32)


def beneath() -> None:
    at_mnt()
    fd = LIBC.syscall(428, -100, b"/mnt/upper", ctypes.c_ulong(1))
    if LIBC.syscall(429, fd, b"", -100, GIT.encode(), ctypes.c_ulong(0x4 | 0x200)) < 0:
        raise OSError(ctypes.get_errno(), "move_mount beneath")


def pivot() -> None:
    """A root of our own with the repository in it, and everything else let go of."""
    at_mnt()
    mount(os.path.dirname(REPOSITORY), "/mnt/root", BIND | REC)
    os.chdir("/mnt/root")
    os.mkdir("old") if not os.path.isdir("old") else None
    c("syscall", 155, ".", "old")
    c("umount2", "/old", 2)
    name = os.path.basename(REPOSITORY)
    try:
        os.rename(f"/{name}", "/elsewhere")
    except OSError:
        write(f"/{name}/.git/config")
    else:
        os.rename("/elsewhere", f"/{name}")
        os._exit(97)


def jail() -> None:
    os.chroot(os.path.dirname(REPOSITORY))
    write(f"/{os.path.basename(REPOSITORY)}/.git/config")


def steal_descriptor() -> None:
    pidfd = os.pidfd_open(int(SHIM))
    for number in range(64):
        try:
            c("syscall", 438, pidfd, number, 0)
        except OSError as error:
            if error.errno == 9:
                continue
            raise
        return


def attach(pid: str) -> None:
    c("ptrace", 16, int(pid), 0, 0)
    c("ptrace", 17, int(pid), 0, 0)


def run(*argv: str) -> None:
    ran = subprocess.run(argv, cwd=WORKTREE, capture_output=True, check=False)
    if ran.returncode:
        raise OSError(0, ran.stderr.decode("utf-8", "replace").strip()[-200:])


def replace_root(place: str) -> None:
    """Move a folder above away, so that a copy of ours could lie in its place."""
    os.rename(place, f"{place}.away")
    os.rename(f"{place}.away", place)


DIRECT: dict[str, Callable[[], None]] = {
    "config": lambda: write(f"{GIT}/config"),
    "hook": lambda: write(f"{GIT}/hooks/pre-commit"),
    "index.lock": lambda: write(f"{GIT}/index.lock"),
    "ref": lambda: write(f"{GIT}/refs/heads/planted"),
    "object": lambda: write(f"{GIT}/objects/planted"),
    "worktree config": lambda: write(f"{GIT}/worktrees/{os.path.basename(WORKTREE)}/config.worktree"),
    "chmod": lambda: os.chmod(f"{GIT}/config", 0o777),
    "times": lambda: os.utime(f"{GIT}/config"),
    "rm -rf .git": lambda: shutil.rmtree(GIT),
    "mv .git": lambda: os.rename(GIT, f"{GIT}.away"),
    "exchange .git": lambda: c("syscall", 316, -100 % 2**64, GIT, -100 % 2**64, f"{REPOSITORY}/src", 2),
    "hard link out": lambda: os.link(f"{GIT}/config", f"{REPOSITORY}/config"),
    "move the repository": lambda: replace_root(REPOSITORY),
    "move what holds it": lambda: replace_root(os.path.dirname(REPOSITORY)),
    "move the state's folder": lambda: replace_root(os.path.dirname(STATE)),
    "git config": lambda: run("git", "config", "core.fsmonitor", "/bin/false"),
    "git commit": lambda: run("git", "commit", "-m", "x", "--allow-empty"),
    "git add": lambda: run("git", "add", "a.txt"),
    ".git file": lambda: write(f"{WORKTREE}/.git"),
    "rm .git file": lambda: os.unlink(f"{WORKTREE}/.git"),
    "replace .git file": lambda: os.replace(f"{WORKTREE}/a.txt", f"{WORKTREE}/.git"),
    "move the worktree": lambda: replace_root(WORKTREE),
    "log": lambda: write(f"{STATE}/shop/log.db"),
    "trust": lambda: write(f"{STATE}/trust.json"),
    "rm trust": lambda: os.unlink(f"{STATE}/trust.json"),
    "move the state": lambda: os.rename(STATE, f"{STATE}.away"),
}
MOUNTS: dict[str, Callable[[], None]] = {
    "remount": lambda: nested(lambda: mount(None, GIT, REMOUNT | BIND), lambda: write(f"{GIT}/config")),
    "clear read-only": lambda: nested(clear_read_only, lambda: write(f"{GIT}/config")),
    "umount": lambda: nested(lambda: c("umount2", GIT, 0)),
    "umount lazily": lambda: nested(lambda: c("umount2", GIT, 2), lambda: write(f"{GIT}/config")),
    "move the mount": lambda: nested(at_mnt, lambda: mount(GIT, "/mnt/view", MOVE)),
    "mount over": lambda: nested(
        lambda: mount("none", GIT, 0, "tmpfs"), lambda: c("umount2", GIT, 0), lambda: write(f"{GIT}/config")
    ),
    "mount beneath": lambda: nested(beneath),
    "bind the parent": lambda: nested(view(REPOSITORY, BIND), lambda: write("/mnt/view/.git/config")),
    "bind the parent and all": lambda: nested(view(REPOSITORY, BIND | REC), lambda: write("/mnt/view/.git/config")),
    "bind the root": lambda: nested(view("/", BIND), lambda: write(f"/mnt/view{GIT}/config")),
    "umount in a view": lambda: nested(view(REPOSITORY, BIND | REC), lambda: c("umount2", "/mnt/view/.git", 2)),
    "rename in a view": lambda: nested(
        view(os.path.dirname(REPOSITORY), BIND | REC),
        lambda: replace_root(f"/mnt/view/{os.path.basename(REPOSITORY)}"),
    ),
    "overlay": lambda: nested(overlay, lambda: write("/mnt/view/.git/config")),
    "open_tree": lambda: nested(lambda: open_tree(1)),
    "open_tree, all": lambda: nested(lambda: open_tree(1 | 0x8000)),
    "pivot_root": lambda: nested(pivot),
    "chroot": lambda: nested(jail),
}
if os.getuid() == 0:  # root has capabilities in the namespace it is given, without one of its own
    MOUNTS |= {
        "remount as given": lambda: mount(None, GIT, REMOUNT | BIND),
        "clear read-only as given": clear_read_only,
        "umount as given": lambda: c("umount2", GIT, 2),
        "move the mount as given": lambda: mount(GIT, "/mnt", MOVE),
    }


def outside(pid: str) -> dict[str, Callable[[], None]]:
    join = lambda kind: c("setns", os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY), 0)  # noqa: E731
    return {
        "root": lambda: write(f"/proc/{pid}/root{GIT}/config"),
        "cwd": lambda: write(f"/proc/{pid}/cwd/../{GIT}/config"),
        "fd": lambda: read(f"/proc/{pid}/fd/0"),
        "mem": lambda: os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR)),
        "environ": lambda: read(f"/proc/{pid}/environ"),
        "map_files": lambda: os.listdir(f"/proc/{pid}/map_files") and None,
        "ptrace": lambda: attach(pid),
        "setns mnt": lambda: join("mnt"),
        "setns user": lambda: join("user"),
    }


def tried(table: dict[str, Callable[[], None]], prefix: str = "") -> dict[str, str]:
    results = {}
    for name, attack in table.items():
        try:
            attack()
        except OSError as error:
            results[prefix + name] = os.strerror(error.errno) if error.errno else str(error)
        except Exception as error:
            results[prefix + name] = f"{type(error).__name__}: {error}"
        else:
            results[prefix + name] = "DONE"
    return results


def descriptors() -> dict[str, str]:
    found = {}
    for fd in os.listdir("/proc/self/fd"):
        try:
            found[fd] = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
    return found


if __name__ == "__main__":
    answer: dict[str, object] = {"fds": descriptors(), "direct": tried(DIRECT), "mounts": tried(MOUNTS)}
    reached = tried(outside("1"), "pid 1 ")
    if OUTSIDE != "0":
        reached |= tried(outside(OUTSIDE), "outside ") | tried(outside(SHIM), "shim ")
        reached |= tried({"steal": steal_descriptor})
    answer["processes"] = reached
    print(json.dumps(answer))
