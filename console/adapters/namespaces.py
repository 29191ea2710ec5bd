"""Puts the calling process into namespaces where some folders cannot be written. Linux; for a forked child only.

The shim imports it by its path between fork and exec, so it must stay single-threaded, import nothing but the standard
library and need no `site`. Every step that fails raises `Failed`: there is no half of a sandbox, nothing is started.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import select
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_SLAVE = 4096, 16384, 1 << 19
MOUNT_FLAGS = {"nodev": MS_NODEV, "noexec": MS_NOEXEC, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
SYS_OPEN_TREE, SYS_MOVE_MOUNT, SYS_MOUNT_SETATTR = 428, 429, 442
AT_EMPTY_PATH, AT_RECURSIVE, OPEN_TREE_CLONE, MOVE_MOUNT_EMPTY_PATHS = 0x1000, 0x8000, 1, 0x44
PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_NO_NEW_PRIVS = 1, 15, 38
O_PATH: int = getattr(os, "O_PATH", 0)
LIBC = ctypes.CDLL(None, use_errno=True)


class Failed(Exception):
    """A step that did not work. step: what was tried, in words; number: its errno."""

    def __init__(self, step: str, number: int) -> None:
        super().__init__(f"its sandbox could not be made: {step}: {os.strerror(number)} (errno {number})")
        self.step, self.number = step, number


def call(step: str, name: str, *args: Any) -> None:
    """A function of the C library that returns 0 when it worked. Whole numbers are passed as unsigned long."""
    function = getattr(LIBC, name, None)
    if function is None:
        raise Failed(step, errno.ENOSYS)
    if function(*(ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in args)) != 0:
        raise Failed(step, ctypes.get_errno())


def system(step: str, number: int, *args: Any) -> int:
    """A system call that the C library may not know; -1 when the kernel does not know it either."""
    LIBC.syscall.restype = ctypes.c_long
    whole = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    result: int = LIBC.syscall(ctypes.c_long(number), *whole)
    if result < 0 and (error := ctypes.get_errno()) != errno.ENOSYS:
        raise Failed(step, error)
    return result


def enter(read_only: Iterable[str], pids: bool, verdict: int, emptied: str = "", kept: str = "") -> None:
    """Make each of `read_only` (absolute, no symbolic link in it) read-only with all mounted below it. The folder
    `emptied` ("" for none) shows nothing but the folder `kept` in it ("" for nothing), which stays as it is.

    The mounts are made in one user namespace and then locked by a second one inside: no capability of the second can
    unmount them, make them writable or move what they cover. Ids stay what they are outside: all of them where we may
    map them (root), else our own, and files of anybody else seem to be `nobody`'s.

    pids: a process namespace too. This function then returns in a grandchild, the command-to-be. Its pid 1 writes
    `exited CODE` or `signaled NUMBER` to `verdict` when the command has ended and stays, for what the command left;
    the caller itself stays as the parent of pid 1, and takes everything along when it dies.
    """
    unshare(CLONE_NEWUSER | CLONE_NEWNS | (CLONE_NEWPID if pids else 0), "making a user namespace")
    # What is mounted outside later shall still appear inside; nothing of ours may appear outside.
    call("leaving the mounts of the system alone", "mount", None, b"/", None, MS_REC | MS_SLAVE, None)
    protect(list(read_only), emptied, kept)
    if pids:
        start_init(verdict)
    unshare(CLONE_NEWUSER | CLONE_NEWNS, "locking the mounts in a second user namespace")
    call("forbidding new privileges", "prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


# -- user namespaces


def unshare(flags: int, step: str) -> None:
    """unshare(2). A helper that stays where we were maps our ids as they are: only from there all may be mapped."""
    me = os.getpid()
    wait, go = os.pipe()
    helper = os.fork()
    if not helper:
        os.close(go)
        os._exit(map_ids(me) if os.read(wait, 1) else 0)
    os.close(wait)
    try:
        call(step, "unshare", flags)
        os.write(go, b"1")
    finally:
        os.close(go)
        code = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
    if code:
        raise Failed(f"{step}: mapping our ids", code if code > 0 else errno.EINTR)


def map_ids(pid: int) -> int:
    """Map our ids into the new user namespace of `pid`, each to itself; 0 or the errno."""
    try:
        for kind, own in (("uid", os.geteuid()), ("gid", os.getegid())):
            with open(f"/proc/self/{kind}_map") as file:
                ranges = [line.split() for line in file]
            try:
                put(f"/proc/{pid}/{kind}_map", "".join(f"{first} {first} {count}\n" for first, _, count in ranges))
            except OSError:
                if kind == "gid":
                    put(f"/proc/{pid}/setgroups", "deny")  # the kernel's condition for a single group
                put(f"/proc/{pid}/{kind}_map", f"{own} {own} 1\n")
    except OSError as error:
        return error.errno or errno.EIO
    return 0


def put(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


# -- mounts


class Place:
    """One path to protect. fd: what lies there, identity: its (device, inode), tree: a copy of its mounts or -1."""

    def __init__(self, path: str) -> None:
        self.path, self.step = path, f"making {path!r} read-only"
        self.fd, self.identity = hold(path, self.step)
        self.folder = os.path.isdir(path)
        self.tree = copy_mounts(self.step, self.fd, b"")
        self.above: set[str] = set()
        self.views: list[tuple[str, int]] = []

    def look_up(self) -> None:
        """Copy the mounts of each folder in `above`, for `anchor`."""
        for folder in sorted(self.above):
            step = f"copying the mounts of {folder!r}"
            self.views.append((folder, copy_mounts(step, -1, os.fsencode(folder))))

    def anchor(self) -> None:
        """Keep the folders `above` from being moved away, with what is protected in them, and replaced.

        The kernel lets nobody rename or remove what anything in his namespace is mounted on, by whichever way that is
        reached. So those folders get a mount in a second view of them that lies where our own mount will hide it: seen
        from outside the view they stay parts of one mount, and hard links between them go on working. Each view begins
        at its folder, none at `/`: Codex's own sandbox takes a mount of `/` for another way to what it has to hide, and
        runs nothing where it cannot hide it there.
        """
        for folder, view in self.views:
            system(self.step, SYS_MOVE_MOUNT, view, b"", self.fd, b"", MOVE_MOUNT_EMPTY_PATHS)
            os.close(view)
            flags = MS_RDONLY | MS_NOSUID | MS_NODEV
            where = os.fsencode(self.path)
            call(f"keeping {folder!r} in its place", "mount", b"none", where, b"tmpfs", flags, b"size=4k")

    def lock(self) -> None:
        """Mount it on itself, on top of whatever is mounted there, and check what came of it."""
        if self.tree < 0:
            here = b"/proc/self/fd/%d" % self.fd
            call(self.step, "mount", here, here, None, MS_BIND | MS_REC, None)
        else:
            system(self.step, SYS_MOVE_MOUNT, self.tree, b"", self.fd, b"", MOVE_MOUNT_EMPTY_PATHS)
            os.close(self.tree)
        top, identity = hold(self.path, self.step)
        if identity != self.identity:
            raise Failed(f"{self.step}: it was exchanged meanwhile", errno.ESTALE)
        attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID)  # the same bits as MOUNT_ATTR_RDONLY and _NOSUID
        flags = AT_EMPTY_PATH | AT_RECURSIVE
        if system(self.step, SYS_MOUNT_SETATTR, top, b"", flags, ctypes.byref(attributes), 32) < 0:
            remount(top, self.step)
        flags = os.fstatvfs(top).f_flag
        if not flags & os.ST_RDONLY or not flags & os.ST_NOSUID:
            raise Failed(f"{self.step}: it did not become so", errno.EINVAL)
        os.close(top)
        os.close(self.fd)


class Emptied(Place):
    """A folder of which nothing is seen but one folder in it."""

    def __init__(self, path: str, kept: str) -> None:
        super().__init__(path)
        self.kept = kept
        self.held = hold(kept, self.step)[0] if kept else -1
        if kept and self.tree >= 0:
            os.close(self.tree)
            self.tree = copy_mounts(self.step, self.held, b"")

    def lock(self) -> None:
        """Mount an empty folder over it, whatever lies over it by now, and put into that what is kept."""
        flags, path = MS_NOSUID | MS_NODEV, os.fsencode(self.path)
        call(self.step, "mount", b"none", path, b"tmpfs", flags, b"size=64k,mode=700")
        top, identity = hold(self.path, self.step)
        os.close(top)
        if identity[0] == self.identity[0] or os.listdir(path):
            raise Failed(f"{self.step}: it was exchanged meanwhile", errno.ESTALE)
        if self.kept:
            os.makedirs(self.kept, 0o700)
            where = hold(self.kept, self.step)[0]
            if self.tree < 0:
                here, there = (b"/proc/self/fd/%d" % fd for fd in (self.held, where))
                call(self.step, "mount", here, there, None, MS_BIND | MS_REC, None)
            else:
                system(self.step, SYS_MOVE_MOUNT, self.tree, b"", where, b"", MOVE_MOUNT_EMPTY_PATHS)
            os.close(where)
        call(self.step, "mount", None, path, None, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, None)
        for fd in {self.fd, self.tree, self.held} - {-1}:
            os.close(fd)


def protect(paths: list[str], emptied: str, kept: str) -> None:
    """Make all of `paths` read-only, without set-uid programs, in the place where they are; and empty one."""
    places = [Place(path) for path in paths]
    if emptied:
        places.append(Emptied(emptied, kept))  # the last one: it may lie in one of the others
    folders = [place for place in places if place.folder]
    for place in places:
        # Hidden below what it protects wherever that is a folder, so that no view of the one is without the other.
        cover = place if place.folder else folders[-1] if folders else None
        inside = isinstance(place, Emptied) and any(place.path.startswith(f"{other.path}/") for other in places)
        if cover and cover.tree >= 0 and not inside:  # inside a place nothing can be moved, and that one is anchored
            cover.above |= set(movable(place.path))
    for step in (Place.look_up, Place.anchor, Place.lock):  # all copies first: none may hold another
        for place in places:
            getattr(place, step.__name__)()


def movable(path: str) -> list[str]:
    """The folders above `path` that we could rename."""
    above = [path := os.path.dirname(path) for _ in range(path.count("/"))]
    return [folder for folder in above if folder != "/" and ours(os.path.dirname(folder))]


def ours(folder: str) -> bool:
    """Whether we can rename what lies in it, now or after a chmod."""
    return os.access(folder, os.W_OK) or os.stat(folder).st_uid == os.geteuid()


def copy_mounts(step: str, folder: int, path: bytes) -> int:
    """A descriptor of a copy of what is mounted at `path` and below, lying nowhere yet; -1 before Linux 5.2."""
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | AT_RECURSIVE | (0 if path else AT_EMPTY_PATH)
    return system(step, SYS_OPEN_TREE, folder, path, flags)


def hold(path: str, step: str) -> tuple[int, tuple[int, int]]:
    """A descriptor of what lies at `path` without following a symbolic link anywhere, and (device, inode) of it."""
    try:
        fd = os.open(path, O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        if os.readlink(f"/proc/self/fd/{fd}") != path:
            raise Failed(f"{step}: its path leads through a symbolic link", errno.ELOOP)
    except OSError as error:
        raise Failed(step, error.errno or errno.EIO) from None
    stat = os.fstat(fd)
    if stat.st_mode & 0o170000 == 0o120000:
        raise Failed(f"{step}: it is a symbolic link", errno.ELOOP)
    return fd, (stat.st_dev, stat.st_ino)


def remount(top: int, step: str) -> None:
    """For kernels before 5.12, which cannot change a whole tree of mounts at once: the one that `top` is open on and
    all below it, one by one. Flags that are set have to stay."""
    with open(f"/proc/self/fdinfo/{top}", "rb") as file:
        tree = [line.split()[1] for line in file if line.startswith(b"mnt_id:")]
    with open("/proc/self/mountinfo", "rb") as file:
        lines = [line.split() for line in file]
    for parent in tree:
        tree += [field[0] for field in lines if field[1] == parent]
    for field in lines:
        if field[0] in tree:
            flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID
            for word in field[5].decode().split(","):
                flags |= MOUNT_FLAGS.get(word, 0)
            point = field[4].decode("unicode_escape").encode("latin-1")  # a blank is written as \040
            call(step, "mount", None, point, None, flags, None)


# -- process namespace


def start_init(verdict: int) -> None:
    """Fork pid 1 of the new process namespace, which forks the command-to-be: only there this function returns."""
    last = max(map(int, os.listdir("/proc/self/fd")), default=1024) + 8
    watched, held = os.pipe()  # its end tells pid 1 that its parent died before the prctl below
    init = os.fork()
    if init:
        stand_for(init, held, last)
    os.close(held)
    call("tying the process namespace to its parent", "prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if select.select([watched], [], [], 0)[0]:
        os._exit(127)
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    call("mounting /proc of the process namespace", "mount", b"proc", b"/proc", b"proc", flags, None)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM])
    command = os.fork()
    if command:
        reign(command, verdict, last)
    os.setsid()
    os.close(verdict)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def stand_for(init: int, held: int, last: int) -> NoReturn:
    """The shim's child: it lives as long as pid 1 does and ends as that did."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # for the command; pid 1 passes it on
    retire(b"nightdesk-outer", held, last)
    code = os.waitstatus_to_exitcode(os.waitpid(init, 0)[1])
    if code < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(code)


def reign(command: int, verdict: int, last: int) -> NoReturn:
    """Pid 1: reaps, tells how the command ended, and passes TERM from outside on to the command's group."""
    retire(b"nightdesk-init", verdict, last)
    while True:
        heard = signal.sigwaitinfo([signal.SIGCHLD, signal.SIGTERM])
        if heard.si_signo == signal.SIGTERM and heard.si_pid == 0:  # 0: a sender that has no pid in here
            for number in (signal.SIGTERM, signal.SIGCONT):
                try:
                    os.killpg(command, number)
                except ProcessLookupError:
                    with contextlib.suppress(OSError):
                        os.kill(command, number)  # forked, but not yet the leader of its session
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == command:
                    code = os.waitstatus_to_exitcode(found[1])
                    told = b"exited %d\n" % code if code >= 0 else b"signaled %d\n" % -code
                    with contextlib.suppress(OSError):
                        os.write(verdict, told)


def retire(name: bytes, keep: int, last: int) -> None:
    """Let go of every descriptor but one: whoever waits for the end of a pipe waits for the command, not for us."""
    with contextlib.suppress(Failed):
        call("", "prctl", PR_SET_NAME, ctypes.c_char_p(name), 0, 0, 0)
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.closerange(3, keep)
    os.closerange(keep + 1, last)


def probe(path: str, pids: bool) -> None:
    """Make a sandbox in a child and print `made` or `ERRNO STEP`. For a process of its own."""
    told, verdict = os.pipe()
    child = os.fork()
    if child:
        os.close(verdict)
        os.read(told, 1)  # the verdict, or the end of the child
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return
    word = "made"
    try:
        call("probing", "prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        enter([path], pids, verdict)
    except Failed as failed:
        word = f"{failed.number} {failed.step}"
    except OSError as error:
        word = f"{error.errno} making a sandbox"
    os.write(1, word.encode("utf-8", "replace") + b"\n")
    os._exit(0)


if __name__ == "__main__":
    probe(sys.argv[1], sys.argv[2] == "pids")
    os._exit(0)
