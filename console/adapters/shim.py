"""The shim: runs one command in a session of its own and leaves nothing of it behind.

Started as `python -I -S shim.py LIFELINE STATUS`. It must stay single-threaded and import nothing but the standard
library (no `typing`: start-up time) and, when they are needed, `namespaces.py` and `listening.py` beside it. It signals
only its own descendants, never by name, and takes orders from the lifeline pipe alone; the end of that pipe means that
the supervisor is gone and everything has to go at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 1, 15, 36
NAME = b"nightdesk-shim"
HAVE_PROC = os.path.exists("/proc/self/stat")
"""False on macOS: no subreaper, no tree, no pidfd. What is left there is ending the leader's group."""

DRAIN = 0.5
HELD_TURN = 0.05
SETTLE = 0.1
LEFTOVER_GRACE = 0.2
HURRY_GRACE = 0.3
KILL_LIMIT = 5.0
LEFTOVERS_LISTED = 500
LACKING = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors that are ours, not an answer about a process: what cannot be seen then may well be there."""


class Proc:
    """What decisions need of /proc/PID/stat; `field` are its words after the name. start: clock ticks since boot."""

    __slots__ = ("dead", "pgid", "ppid", "session", "start", "state")

    def __init__(self, field: list[bytes]) -> None:
        self.state = field[0].decode()
        self.ppid, self.pgid, self.session = int(field[1]), int(field[2]), int(field[3])
        self.start = int(field[19])
        # A zombie leader whose other threads still run is alive.
        self.dead = self.state in "ZX" and int(field[17]) <= 1


def read_proc(path: str, short: bool = False, strict: bool = False) -> bytes:
    """A /proc file; empty when the process is gone. The kernel hands out pages: one will do for what is `short`.
    strict: raises OSError when it is we who lack what opening it takes."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        if strict and error.errno in LACKING:
            raise
        return b""
    parts = []
    try:
        while part := os.read(fd, 65536):
            parts.append(part)
            if short:
                break
    except OSError:
        return b""
    finally:
        os.close(fd)
    return b"".join(parts)


def read_stat(pid: int) -> Proc | None:
    """None when there is no such process (or the system hides it); OSError when we could not look."""
    raw = read_proc(f"/proc/{pid}/stat", short=True, strict=True)
    field = raw[raw.rfind(b")") + 2 :].split()
    return Proc(field) if len(field) >= 20 else None


def proc_table() -> dict[int, Proc]:
    """One pass over /proc. It is no snapshot: an absent process proves nothing, only ECHILD does. Raises OSError when
    it could not be made: "nothing found" and "not looked" are never the same."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return {pid: proc for pid in pids if (proc := read_stat(pid)) is not None}


def children(pid: int) -> list[int]:
    """Direct children of a single-threaded process, dead and hidden ones included. OSError when we could not look."""
    path = f"/proc/{pid}/task/{pid}/children"
    if os.path.exists(path):
        return [int(word) for word in read_proc(path, strict=True).split()]
    return [child for child, proc in proc_table().items() if proc.ppid == pid]


def age(start: int) -> float:
    """Seconds since a process began, from its start time; 0.0 when that is not known."""
    if not start or not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return round(max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - start / os.sysconf("SC_CLK_TCK")), 1)


def command_line(pid: int) -> str:
    """What the process calls itself, at most 200 characters."""
    words = read_proc(f"/proc/{pid}/cmdline").rstrip(b"\0").replace(b"\0", b" ")
    return (words or b"[%s]" % read_proc(f"/proc/{pid}/comm").strip()).decode("utf-8", "replace")[:200]


def signal_under(pid: int, start: int, family: set[int], number: int) -> bool:
    """Signal `pid` if it still is the process that was seen (`start`) and still is below one of `family`.

    The pidfd is opened before the check, so a reused pid can only end in ESRCH. True: it was signalled, or never can be
    (EPERM: a set-uid program, left to the caller's deadline). False: look again.
    """
    if pid <= 1 or pid == os.getpid():
        return False
    fd = -1
    if hasattr(os, "pidfd_open"):
        try:
            fd = os.pidfd_open(pid)
        except OSError as error:
            if error.errno != errno.ENOSYS:
                return False
    try:
        now = read_stat(pid)
        if now is None or now.start != start or now.ppid not in family:
            return False
        os.kill(pid, number) if fd < 0 else signal.pidfd_send_signal(fd, number)
        return True
    except PermissionError:
        return True
    except OSError:  # gone, or we could not look
        return False
    finally:
        if fd >= 0:
            os.close(fd)


class Chain:
    """The processes below `me` that may be signalled, and the only way to do it.

    pins: None for all of them (a shim), or {pid: start} of the children of `me` that may be touched together with all
    below them (a supervisor that inherited the tree of a dead shim).
    """

    def __init__(self, me: int, pins: dict[int, int] | None = None) -> None:
        self.me = me
        self.pins = pins
        self.frozen: dict[int, int] = {}
        self.family = {me}

    def tree(self, table: dict[int, Proc]) -> list[int]:
        """Everything below `me` in this pass, parents before children."""
        below: dict[int, list[int]] = {}
        for pid, proc in table.items():
            below.setdefault(proc.ppid, []).append(pid)
        order = [p for p in below.get(self.me, ()) if self.pins is None or self.pins.get(p) == table[p].start]
        for pid in order:
            order.extend(below.get(pid, ()))
        return order

    def freeze(self, deadline: float) -> None:
        """STOP the tree, parents first, until a whole pass finds nothing new. OSError when we could not look."""
        self.frozen = {}
        while time.monotonic() < deadline:
            if self.pins is None:
                self.stop_children()
            table = proc_table()
            tree = self.tree(table)
            self.family = {self.me, *tree}
            new = [pid for pid in tree if self.frozen.get(pid) != table[pid].start and not table[pid].dead]
            if not new:
                return
            for pid in new:
                if signal_under(pid, table[pid].start, self.family, signal.SIGSTOP):
                    self.frozen[pid] = table[pid].start
            if self.pins is not None:
                self.pins.update(self.frozen)

    def stop_children(self) -> None:
        # A child that only we can reap keeps its pid, so a plain kill cannot miss. Done before the pass because a pass
        # over /proc easily looks past processes that fork and exit all the time.
        for pid in children(self.me):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP)

    def kill(self) -> None:
        """KILL what was frozen, children first: an orphaned group would be sent CONT by the kernel."""
        for pid, start in reversed(self.frozen.items()):
            signal_under(pid, start, self.family, signal.SIGKILL)

    def kill_hidden(self) -> None:
        """KILL direct children that no pass shows (hidepid); theirs come to us next. Only we reap them, so their pid
        cannot be another's."""
        if self.pins is None:
            for pid in children(self.me):
                if read_stat(pid) is None:
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGKILL)


class Output:
    """The capped output file: the first `head` bytes are written as they come, the last `tail` bytes at the end.

    One that is `rolling` has a reader that keeps up: when `head` bytes are written, the file is renamed to `*.old` and
    a new one begun, as soon as the reader has removed the last `*.old`. Until then it is `full`: nothing is lost, and
    the command waits.
    Writing may fail (a full disk); the bytes are counted and dropped then, and `fault` keeps the reason.
    """

    def __init__(self, path: str, head: int, tail: int, rolling: bool = False) -> None:
        self.path, self.old, self.rolling = path, path + ".old", rolling
        if rolling:
            self.unlink_old()
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self.head = self.room = head
        self.tail = tail
        self.ring = bytearray()
        self.total = self.dropped = 0
        self.fault = ""

    def add(self, data: bytes) -> None:
        self.total += len(data)
        if self.rolling and not self.ring and not self.full():
            self.add_rolling(data)
            return
        if self.room and not self.rolling:
            part = data[: self.room]
            written = self.write(part)
            self.room = self.room - written if written == len(part) else 0
            data = data[written:]
        self.ring += data
        if (excess := len(self.ring) - self.tail) > 0:
            del self.ring[:excess]
            self.dropped += excess

    def add_rolling(self, data: bytes) -> None:
        """The whole piece, a little beyond `head`, so that there is nothing left over that would have to be kept."""
        if not self.room:
            self.roll()
        self.write(data)
        self.room = max(0, self.room - len(data))

    def full(self) -> bool:
        return self.rolling and not self.room and os.path.lexists(self.old)

    def roll(self) -> None:
        """Go on in a new file; where that cannot be, in the old one."""
        self.room = self.head
        try:
            os.rename(self.path, self.old)
            fresh = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self.fault = f"output was lost: {error.strerror}"
            return
        os.close(self.fd)
        self.fd = fresh

    def unlink_old(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self.old)

    def write(self, data: bytes) -> int:
        """How many bytes reached the file."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self.fd, data[done:])
        except OSError as error:
            self.fault = f"output was lost: {error.strerror}"
        return done

    def finish(self) -> None:
        if self.dropped:
            self.write(b"\n[... %d bytes dropped ...]\n" % self.dropped)
        self.write(bytes(self.ring))
        os.close(self.fd)


# -- the child, between fork and exec ------------------------------------------------------------------------


def prctl(option: int, value: Any) -> None:
    """Nothing happens where there is no prctl (macOS)."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(option, value, *[ctypes.c_ulong(0)] * 3)


def raise_oom_score() -> None:
    """When memory runs out the kernel shall take the agent, not its supervisor."""
    with contextlib.suppress(OSError, ValueError):
        score = min(1000, int(read_proc("/proc/self/oom_score_adj")) + 500)
        fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(fd, b"%d" % score)
        os.close(fd)


def reset_signals() -> None:
    # Ignored signals survive exec: the agent must not inherit what we, or a `nohup` above us, ignore.
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)


def execute(argv: list[str], env: dict[str, str]) -> str:
    """Only returns, with the reason, when nothing could be started. Relative entries of PATH do not count."""
    name = argv[0]
    where = [f"{d}/{name}" for d in env.get("PATH", os.defpath).split(":") if d.startswith("/")]
    reason = "not found on PATH"
    for path in [name] if name.startswith("/") else where:
        try:
            os.execve(path, argv, env)
        except (FileNotFoundError, NotADirectoryError) as error:
            if os.path.isfile(path):
                reason = "the interpreter it names is missing"
            elif path == name:
                reason = error.strerror or reason
        except OSError as error:
            reason = error.strerror or reason
            if error.errno not in (errno.EACCES, errno.EPERM):
                break
    return f"cannot start {name!r}: {reason}"


def beside(name: str) -> Any:
    """A module from our own folder, which is searched last, so that none of its files can take the place of a standard
    one."""
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    try:
        return __import__(name)
    finally:
        sys.path.pop()


def confine(sandbox: dict[str, Any], verdict: int) -> None:
    """Enter the namespaces of a `Sandbox`; raises when any step fails."""
    beside("namespaces").enter(
        sandbox["read_only"], sandbox["pids"], verdict, sandbox.get("inboxes", ""), sandbox.get("inbox", "")
    )


def become(spec: dict[str, Any], shim: int, stdio: tuple[int, int, int], report: int, verdict: int) -> NoReturn:
    """Turn the forked child into the command, or write the reason to `report` and exit."""
    reason = ""
    try:
        reset_signals()
        os.setsid()
        prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
        if os.getppid() != shim:
            os._exit(127)  # the shim died before the line above could take effect
        raise_oom_score()
        for target, fd in enumerate(stdio):
            os.dup2(fd, target)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if spec.get("sandbox"):
            confine(spec["sandbox"], verdict)
        try:
            os.chdir(spec["cwd"])  # now, not before: the folder may lie in a mount of the sandbox
        except OSError as error:
            reason = f"cannot start {spec['argv'][0]!r} in {spec['cwd']!r}: {error.strerror}"
        else:
            reason = execute(spec["argv"], spec["env"])
    except Exception as error:
        reason = f"cannot start {spec['argv'][0]!r}: {error}"
    finally:
        with contextlib.suppress(OSError):
            os.write(report, reason.encode("utf-8", "replace")[:4096])
        os._exit(127)


def check(spec: dict[str, Any]) -> str:
    argv, cwd = spec["argv"], spec["cwd"]
    if not argv or not argv[0]:
        return "cannot start: the command is empty"
    if "/" in argv[0] and not argv[0].startswith("/"):
        return f"cannot start {argv[0]!r}: it must be a bare name or an absolute path"
    if spec.get("sandbox") and not HAVE_PROC:
        return f"cannot start {argv[0]!r}: a sandbox needs the namespaces of Linux"
    return "" if cwd.startswith("/") else f"cannot start {argv[0]!r}: its directory {cwd!r} must be an absolute path"


def text_file(text: str) -> int:
    """A nameless file that holds `text`: unlike a pipe it never makes anybody wait. Nothing to say is /dev/null."""
    if not text:
        return os.open(os.devnull, os.O_RDONLY)
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("stdin", os.MFD_CLOEXEC)
    else:
        import tempfile

        made, path = tempfile.mkstemp()
        fd = os.dup(made)
        os.close(made)
        os.unlink(path)
    with open(os.dup(fd), "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


# -- the shim itself -----------------------------------------------------------------------------------------


class Shim:
    """One command from its start to the proof that nothing of it is left.

    leader: the command's pid. It stays a zombie until its tree is gone, so that its group id cannot be reused.
    until: when the polite part of the end is over; None while nobody wants an end.

    With a process namespace the leader only stands for the command. Pid 1 of the namespace, its child, tells by
    `verdict_fd` how the command ended; both stay until they are killed, and nothing in there outlives either of them.
    keepers: those two. groups: the process groups that are asked politely.

    leftovers: (pid, start) -> [pid, command, ports, age in seconds]. blind: why the last look at /proc failed.
    """

    def __init__(self, lifeline: int, status: int) -> None:
        self.lifeline, self.status = lifeline, status
        self.me = os.getpid()
        self.chain = Chain(self.me)
        self.inbox = b""
        self.on: dict[int, Callable[[int], None]] = {}
        self.poll = select.poll()
        self.leader = self.exec_fd = self.output_fd = self.verdict_fd = self.held_fd = 0
        self.keepers: set[int] = set()
        self.groups: set[int] = set()
        self.result: tuple[str, int] | None = None
        self.fault = ""
        self.until: float | None = None
        self.hurry = self.ending = False
        self.leftovers: dict[tuple[int, int], list[Any]] = {}
        self.blind = ""
        self.began = self.ended = time.monotonic()

    # -- start

    def run(self) -> None:
        spec = self.read_spec()
        if spec is None:
            return
        self.grace = float(spec["grace"])
        self.fault = check(spec) or self.start(spec)
        if not self.leader:
            self.report(end={"how": "not-started", "reason": self.fault})
            return
        self.orders()
        while self.result is None and self.until is None:
            self.turn(1.0)
        self.end()

    def read_spec(self) -> dict[str, Any] | None:
        """The first line of the lifeline; None when it closes before: then nothing may be started."""
        while b"\n" not in self.inbox:
            chunk = os.read(self.lifeline, 65536)
            if not chunk:
                return None
            self.inbox += chunk
        line, _, self.inbox = self.inbox.partition(b"\n")
        spec: dict[str, Any] = json.loads(line)
        return spec

    def start(self, spec: dict[str, Any]) -> str:
        """Fork; the reason when even that failed. Whether exec worked is told by the end of `exec_fd`."""
        pipes = spec["stdio"] == "pipes"
        try:
            self.output = Output(spec["output"], spec["head"], spec["tail"], bool(spec.get("rolling")))
        except OSError as error:
            return f"cannot write {spec['output']!r}: {error.strerror}"
        try:
            self.output_fd, sink = os.pipe()
            self.exec_fd, report = os.pipe()
            told, verdict = os.pipe()
            stdin = spec["stdin_fd"] if pipes else text_file(spec["stdin"])
            stdout = spec["stdout_fd"] if pipes else sink
            os.set_inheritable(stdin, False)
            os.set_inheritable(stdout, False)
            wake, waker = os.pipe()
            os.set_blocking(waker, False)
            signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            # No signal may reach the child while it still has our handlers and our wake-up pipe.
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            self.began = time.monotonic()
            self.leader = os.fork()
        except OSError as error:
            return f"cannot start {spec['argv'][0]!r}: {error.strerror}"
        if not self.leader:
            become(spec, self.me, (stdin, stdout, sink), report, verdict)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for fd in {stdin, stdout, sink, report, verdict}:  # only the command may keep them open
            os.close(fd)
        self.groups = {self.leader}
        self.follow(told, bool((spec.get("sandbox") or {}).get("pids")))
        self.watch(self.lifeline, self.on_lifeline)
        self.watch(wake, self.on_wake)
        self.watch(self.output_fd, self.on_output)
        self.watch(self.exec_fd, self.on_exec)
        return ""

    def follow(self, told: int, pids: bool) -> None:
        if pids:
            self.keepers = {self.leader}
            self.verdict_fd = told
            self.watch(told, self.on_verdict)
        else:
            os.close(told)

    # -- one round of the loop

    def watch(self, fd: int, handler: Callable[[int], None]) -> None:
        self.on[fd] = handler
        self.poll.register(fd, select.POLLIN)

    def forget(self, fd: int) -> None:
        del self.on[fd]
        self.poll.unregister(fd)
        os.close(fd)

    def hold(self) -> None:
        """The reader of the output has to catch up: what the command writes stays in its pipe."""
        self.held_fd = self.output_fd
        self.poll.unregister(self.held_fd)

    def release(self) -> None:
        if self.held_fd:
            self.poll.register(self.held_fd, select.POLLIN)
            self.held_fd = 0

    def turn(self, seconds: float) -> None:
        """Wait at most `seconds` for something to happen and deal with it."""
        if self.held_fd and not self.output.full():
            self.release()
        for fd, _ in self.poll.poll(max(0, int(min(seconds, HELD_TURN if self.held_fd else seconds) * 1000))):
            self.on[fd](fd)
        self.reap()

    def on_lifeline(self, fd: int) -> None:
        chunk = os.read(fd, 65536)
        self.inbox += chunk
        self.orders()
        if not chunk:
            self.forget(fd)
            self.hurry = True
            self.hasten(HURRY_GRACE)

    def orders(self) -> None:
        """`stop GRACE` is the only order there is; a second one can only shorten the first."""
        *lines, self.inbox = self.inbox.split(b"\n")
        for line in lines:
            word, _, grace = line.partition(b" ")
            if word == b"stop":
                self.hasten(float(grace or self.grace))

    def on_wake(self, fd: int) -> None:
        os.read(fd, 4096)

    def on_output(self, fd: int) -> None:
        chunk = os.read(fd, 65536)
        if chunk:
            self.output.add(chunk)
            if not self.ending and self.output.full():
                self.hold()
        else:
            self.output_fd = 0
            self.forget(fd)

    def on_exec(self, fd: int) -> None:
        chunk = os.read(fd, 4096)
        self.fault += chunk.decode("utf-8", "replace")
        if chunk:
            return
        self.exec_fd = 0
        self.forget(fd)
        if self.keepers:
            self.keepers |= (inits := set(children(self.leader)))
            self.groups.update(*(children(init) for init in inits))
        if not self.fault:
            stat = read_stat(self.leader)
            self.report(started=self.leader, start_time=stat.start if stat else 0)

    def on_verdict(self, fd: int) -> None:
        chunk = os.read(fd, 4096)
        if chunk and self.result is None:
            how, number = chunk.split()
            self.settle_result(how.decode(), int(number))
        if not chunk:
            self.verdict_fd = 0
            self.forget(fd)

    def hasten(self, grace: float) -> None:
        until = time.monotonic() + grace
        self.until = until if self.until is None else min(self.until, until)

    # -- children

    def reap(self) -> None:
        """Collect every dead child except the leader, whose status is only looked at."""
        if not hasattr(os, "waitid"):
            return self.reap_plainly()
        while self.result is None:
            seen = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if seen is None:
                return None
            if seen.si_pid == self.leader:
                if self.verdict_fd and select.select([self.verdict_fd], [], [], 0)[0]:
                    self.on_verdict(self.verdict_fd)
                if self.result is None:
                    self.settle_result("exited" if seen.si_code == os.CLD_EXITED else "signaled", seen.si_status)
            else:
                os.waitpid(seen.si_pid, os.WNOHANG)
        # P_ALL would now find the dead leader for ever, so the others are asked one by one.
        with contextlib.suppress(OSError):
            for pid in self.others():
                os.waitpid(pid, os.WNOHANG)
        return None

    def reap_plainly(self) -> None:
        """Without waitid (macOS before Python 3.13) the leader cannot be kept; its group is ended at once instead."""
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self.leader:
                    code = os.waitstatus_to_exitcode(found[1])
                    self.settle_result("exited" if code >= 0 else "signaled", abs(code))

    def settle_result(self, how: str, number: int) -> None:
        self.result = (how, number)
        self.ended = time.monotonic()

    def others(self) -> list[int]:
        return [pid for pid in children(self.me) if pid != self.leader]

    def busy(self) -> bool:
        """Whether a child of ours is left beside a leader that is dead; yes as long as we cannot look."""
        try:
            others = self.others()
        except OSError as error:
            self.blind = str(error)
            return True
        return bool(others) or (self.leader > 0 and self.leader in self.keepers and not self.leader_died())

    def leader_died(self) -> bool:
        seen = os.waitid(os.P_PID, self.leader, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return seen is not None

    def ours(self) -> set[int]:
        """What lives below us and is no part of the command. While that runs, the leader stands for it."""
        return self.keepers if self.result else self.keepers - {self.leader}

    def live(self) -> dict[int, Proc]:
        """What runs below us in one pass over /proc, the leader included."""
        if not HAVE_PROC:
            return {} if self.result else {self.leader: self.unseen()}
        if self.result and not self.busy():
            return {}
        ours = self.ours()
        try:
            table = proc_table()
            seen = {pid: table[pid] for pid in self.chain.tree(table) if not table[pid].dead and pid not in ours}
            return seen | {pid: self.unseen() for pid in self.hidden(table) - ours}
        except OSError as error:
            self.blind = str(error)
            return {self.leader: self.unseen()}

    def unseen(self) -> Proc:
        """A process of which we know only that it is there."""
        return Proc([b"?", b"0", b"%d" % self.leader, *[b"0"] * 17])

    def hidden(self, table: dict[int, Proc]) -> set[int]:
        """Children of ours that the system does not show us (hidepid)."""
        missing = {pid for pid in children(self.me) if pid not in table} - ({self.leader} if self.result else set())
        return {pid for pid in missing if read_stat(pid) is None}

    def gone(self) -> bool:
        """True once the kernel says ECHILD: no scan can prove that nothing is left, this does."""
        self.reap()
        if self.result is None or self.busy():
            return False
        if self.leader:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.leader, 0)
            self.leader = 0
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        return False

    # -- end

    def end(self) -> None:
        stopped = self.result is None
        self.ending = True  # what comes from here on is little: the last of it is kept, whatever the reader does
        self.release()
        if not stopped:
            self.drain(DRAIN)
            self.describe()
            self.hasten(min(self.grace, LEFTOVER_GRACE))
        self.polite()
        stuck = self.clear()
        while self.exec_fd and self.result:
            self.on_exec(self.exec_fd)
        self.drain(SETTLE)
        self.output.finish()
        self.report(end=self.verdict(stopped, stuck))
        while stuck and not self.gone():
            # Its parent has to stay, also when the supervisor is gone: whoever comes next sees by our pid that the
            # worktree is still in use, and only a living shim can tell when a process in D state is gone at last.
            self.turn(1.0)
            self.clear(0.0)

    def drain(self, seconds: float) -> None:
        """Take what is still in the pipe. Never wait for its end: anybody may hold the other side."""
        deadline = time.monotonic() + (SETTLE if self.hurry else seconds)
        while self.output_fd and time.monotonic() < deadline:
            self.turn(0.05)
        # A reader behind the command (`> >(tee log)`) closed the pipe because it is about to exit; let it.
        deadline = min(deadline, time.monotonic() + SETTLE)
        while self.leader and self.live() and time.monotonic() < deadline:
            self.turn(0.01)

    def describe(self) -> None:
        """Remember what runs now as leftovers, with ports and age. Not between STOP and KILL: it may take a moment."""
        if seen := {pid: proc.start for pid, proc in self.live().items()}:
            self.note(seen)
            with contextlib.suppress(Exception):  # a word less about a leftover is no reason to let it live
                beside("listening").add_to(self.leftovers)

    def note(self, seen: dict[int, int]) -> None:
        """Remember {pid: start} as leftovers, under the name they have now."""
        for pid, start in seen.items():
            known = pid == self.leader or pid in self.keepers or (pid, start) in self.leftovers
            if not known and len(self.leftovers) < LEFTOVERS_LISTED:
                self.leftovers[pid, start] = [pid, command_line(pid), [], age(start)]

    def polite(self) -> None:
        """TERM the leader's group, then CONT so that a stopped member can obey; wait as long as that can help."""
        if not self.leader or (self.result and not self.busy()):
            return  # a group may be another's as soon as its leader is reaped
        for number in (signal.SIGTERM, signal.SIGCONT):
            try:
                os.killpg(self.leader, number)
            except ProcessLookupError:
                os.kill(self.leader, number)  # forked, but not yet the leader of its session
            except PermissionError:
                pass
        while self.until is not None and (left := self.until - time.monotonic()) > 0 and (live := self.live()):
            if not any(proc.pgid in self.groups for proc in live.values()):
                self.hasten(LEFTOVER_GRACE)
            self.turn(min(left, 0.05))

    def clear(self, limit: float = KILL_LIMIT) -> str:
        """Freeze and kill until nothing is left, at least once; otherwise say what withstood for `limit` seconds."""
        deadline = time.monotonic() + limit
        if limit and HAVE_PROC and not self.gone():
            self.describe()
        while not self.gone():
            self.strike(max(deadline, time.monotonic() + SETTLE))
            for _ in range(10):
                if self.gone():
                    return ""
                self.turn(0.005)
            if time.monotonic() > deadline:
                return self.survivors()
        return ""

    def strike(self, deadline: float) -> None:
        """One freeze and kill. A look that failed kills nobody and is repeated by the caller."""
        if not HAVE_PROC:
            with contextlib.suppress(OSError):
                if self.leader:
                    os.killpg(self.leader, signal.SIGKILL)
            return
        try:
            self.chain.freeze(deadline)
            self.note(self.chain.frozen)
        except OSError as error:
            self.blind = str(error)
        self.chain.kill()  # also what a look that broke off had frozen: nothing may stay stopped
        with contextlib.suppress(OSError):
            self.chain.kill_hidden()

    def survivors(self) -> str:
        found = [f"{pid} ({self.trouble(pid, proc)}: {command_line(pid)})" for pid, proc in self.live().items() if pid]
        words = ", ".join(found[:10]) or "a process that cannot be seen"
        return f"could not be killed: {words}" + (f"; /proc could not be read: {self.blind}" if self.blind else "")

    def trouble(self, pid: int, proc: Proc) -> str:
        """Its state, what it waits for, and whose it is when it is not ours to signal."""
        words = [proc.state, read_proc(f"/proc/{pid}/wchan").decode() or "-"]
        with contextlib.suppress(OSError):
            if (owner := os.stat(f"/proc/{pid}").st_uid) != os.geteuid() and os.geteuid():
                words.append(f"of user {owner}")
        return " ".join(words)

    def verdict(self, stopped: bool, stuck: str) -> dict[str, Any]:
        end: dict[str, Any] = {"stopped": stopped, "output_bytes": self.output.total, "reason": self.output.fault}
        end["leftovers"] = list(self.leftovers.values())
        end["seconds"] = round((self.ended if self.result else time.monotonic()) - self.began, 3)
        if self.result:
            end["how"], number = self.result
            end["code" if end["how"] == "exited" else "signal"] = number
        if self.fault:
            end.update(how="not-started", reason=self.fault, code=None)
        if stuck:
            end.update(how="unkillable", reason=stuck)
        return end

    def report(self, **line: Any) -> None:
        """A supervisor that is gone must not keep us from finishing, so errors end the report and nothing else."""
        data = json.dumps(line).encode() + b"\n"
        with contextlib.suppress(OSError):
            while data:
                data = data[os.write(self.status, data) :]


def prepare(*fds: int) -> None:
    """Deaf to everything but the lifeline, heir of every orphan below, and none of `fds` for the command."""
    for fd in fds:
        os.set_inheritable(fd, False)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    prctl(PR_SET_NAME, ctypes.c_char_p(NAME))  # an agent's `pkill python` shall not hit us


def main(lifeline: int, status: int) -> None:
    prepare(lifeline, status)
    shim = Shim(lifeline, status)
    try:
        shim.run()
    except Exception as error:
        shim.report(crash=f"{type(error).__name__}: {error}")
        shim.clear()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
    os._exit(0)
