"""The program between the screen and one that borrows the terminal: `python -I -S borrower.py [SPEC] PROGRAM ARG...`.

It makes itself and the program the terminal's foreground group, so that Ctrl+C is theirs and not the console's, and
kills a program that does not heed it. It ends only when nobody else who came meanwhile still has the terminal open: a
pinentry belongs to the key's agent, survives the program, and would fight the console for keys. That one is never
signalled; a person leaves it (Esc), or goes back without it by another Ctrl+C.

SPEC makes it patient with an agent's interactive mode (`--agent=` and JSON, see `Patience`), or with an editor or a
pager (`--editor`): for all of these Ctrl+C is a key of their own (it stops a search, a command, or nothing), as it is
below `git commit`. `--told=FD` names a pipe for what no exit code says: NOT_STARTED, ENDED. Standard library only, and
from our own folder what a shim is made of: its kill of everything below it, and its sandbox.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import Any

AGENT, EDITOR, TOLD = "--agent=", "--editor", "--told="
NOT_STARTED, ENDED = b"n", b"k"
"""Told when the program could not be run, and when it was killed here because it did not end."""
PATIENCE = 2
"""Seconds after Ctrl+C, or after being told to end, until the whole group is killed."""

EDITOR_PATIENCE = 10
"""The same for an editor that was told to end: it writes what was not saved to a file of its own first."""

LOOK = 0.1
"""Seconds between looks at who has the terminal open."""
GRACE = 1.0
"""Seconds that what an agent's program leaves behind has to end by itself, once it was asked to."""
KILL_LIMIT = 5.0
"""Seconds after which what withstands a kill is left to whoever inherits it."""
NAME = b"nightdesk-loan"


def main(argv: list[str]) -> int:
    """Run it on the terminal at stdin. The program's exit code, 128 + its signal, or 127 when it cannot be started."""
    patience = Patience(json.loads(argv.pop(0).removeprefix(AGENT))) if argv[0].startswith(AGENT) else None
    if argv[0] == EDITOR:
        _patience[0] = EDITOR_PATIENCE
        del argv[0]
    own_keys = patience is not None or _patience[0] == EDITOR_PATIENCE
    if argv[0].startswith(TOLD):
        _teller.append(int(argv.pop(0).removeprefix(TOLD)))
        os.set_inheritable(_teller[0], False)
    os.setpgid(0, 0)  # first: what is handed on to our group must never reach the console's
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _ignore if own_keys and number in (signal.SIGINT, signal.SIGQUIT) else _heed)
    signal.signal(signal.SIGALRM, patience.lost if patience else _kill_all)
    for number in (signal.SIGTTOU, signal.SIGTTIN, signal.SIGTSTP):  # nobody here could continue us
        signal.signal(number, signal.SIG_IGN)
    tty = os.ttyname(0)
    before = _holders(tty)
    os.tcsetpgrp(0, os.getpgrp())
    if patience:
        patience.begin()
    child = os.fork()
    if child == 0:
        _become(argv, patience)
    code = _outcome(child, tty)
    signal.alarm(0)
    if patience:
        patience.clear()
    _await_others(tty, before)
    return code


class Patience:
    """With an agent's interactive mode: Ctrl+C is one of its keys, not a wish to end it; whatever it leaves behind ends
    with it, by parent chain; and it ends when the console that waits for it does.

    spec: `parent`, the pid of that console; `beside`, the folder of `shim.py`; `sandbox`, paths that are read-only for
    the program, or null; `cwd`.
    """

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.shim = self._beside("shim")
        self.chain = self.shim.Chain(os.getpid())

    def _beside(self, name: str) -> Any:
        """A module of the shim's; its folder is searched last, so that none of its files replaces a standard one."""
        sys.path.append(self.spec["beside"])
        try:
            return __import__(name)
        finally:
            sys.path.pop()

    def begin(self) -> None:
        self.shim.prctl(self.shim.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
        self.shim.prctl(self.shim.PR_SET_NAME, ctypes.c_char_p(NAME))  # a `pkill python` of the agent shall not hit us
        self.shim.prctl(self.shim.PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGTERM))
        if os.getppid() != self.spec["parent"]:
            sys.exit(128 + signal.SIGTERM)

    def confine(self) -> None:
        """In the child. Raises when its sandbox or its folder cannot be had."""
        if self.spec["sandbox"] is not None:
            self._beside("namespaces").enter(self.spec["sandbox"], False, -1)
        self.shim.prctl(self.shim.PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))  # nobody else could end it then
        if os.getppid() != self.chain.me:
            os._exit(127)
        os.chdir(self.spec["cwd"])

    def lost(self, _number: int, _frame: FrameType | None) -> None:
        """It was told to end and has not."""
        _tell(ENDED)
        with suppress(OSError):
            self.strike()
        signal.alarm(1)

    def clear(self) -> None:
        """End what the program has left: asked first, then frozen and killed, until the system says nobody is left."""
        asked, deadline = time.monotonic() + GRACE, time.monotonic() + GRACE + KILL_LIMIT
        with suppress(OSError):
            self._ask()
        while not self._alone() and time.monotonic() < deadline:
            if time.monotonic() > asked:
                with suppress(OSError):
                    self.strike()
            time.sleep(0.01)

    def strike(self) -> None:
        try:
            self.chain.freeze(time.monotonic() + 1.0)
        finally:
            self.chain.kill()
            self.chain.kill_hidden()

    def _ask(self) -> None:
        table = self.shim.proc_table() if self.shim.HAVE_PROC else {}
        family = {os.getpid(), *self.chain.tree(table)}
        for pid in family - {os.getpid()}:
            for number in (signal.SIGTERM, signal.SIGCONT):
                self.shim.signal_under(pid, table[pid].start, family, number)

    @staticmethod
    def _alone() -> bool:
        """Reaps; only the end of all children proves that nothing is left."""
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        return False


_patience = [PATIENCE]
_told_to_end: list[int] = []
_teller: list[int] = []


def _tell(what: bytes) -> None:
    for fd in _teller:
        with suppress(OSError):
            os.write(fd, what)


def _heed(number: int, _frame: FrameType | None) -> None:
    """The program got the key's signal itself; what comes from outside is handed on, to an editor as a line that drops:
    at that all of them keep what was not saved, at a wish to end only some do."""
    signal.alarm(_patience[0])
    if number in (signal.SIGTERM, signal.SIGHUP):
        _told_to_end.append(number)
        told = signal.SIGHUP if _patience[0] == EDITOR_PATIENCE else number
        for mine in (number, told):
            signal.signal(mine, signal.SIG_IGN)
        os.killpg(0, told)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """The program got it itself, and knows what it means there."""


def _kill_all(_number: int, _frame: FrameType | None) -> None:
    _tell(ENDED)
    os.killpg(0, signal.SIGKILL)


def _holders(tty: str) -> set[int]:
    """Processes that have this terminal open, as far as they can be seen; none where there is no /proc."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self/fd") else ():
        with suppress(OSError):
            if name.isdigit() and any(
                os.readlink(f"/proc/{name}/fd/{fd}") == tty for fd in os.listdir(f"/proc/{name}/fd")
            ):
                found.add(int(name))
    return found


def _await_others(tty: str, before: set[int]) -> None:
    """Until those who came since have left the terminal, or a signal says that nobody wants to wait."""
    tired = _told_to_end
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: tired.append(number))
    while not tired and _holders(tty) - before - {os.getpid()}:
        time.sleep(LOOK)


_ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


def _become(argv: list[str], patience: Patience | None) -> None:
    for number in (*_ENDING, signal.SIGALRM, signal.SIGTTOU, signal.SIGTTIN):
        signal.signal(number, signal.SIG_DFL)
    why = ""
    try:
        if patience:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            patience.confine()
        os.execvp(argv[0], argv)
    except OSError as error:
        why = error.strerror or str(error)
    except Exception as error:
        why = str(error)
    _tell(NOT_STARTED)
    with suppress(OSError):
        os.write(2, f"cannot run it: {why}\n".encode("utf-8", "replace"))
    os._exit(127)


def _outcome(child: int, tty: str) -> int:
    """How the child ended; what it left meanwhile, and came to us, is reaped. One that is stopped goes on: there is no
    shell that would do that. It may have been stopped for want of the terminal, which a group that is gone had last, or
    because it left our group: then it gets it."""
    while True:
        pid, status = os.waitpid(-1, os.WUNTRACED)
        if pid != child:
            continue
        if not os.WIFSTOPPED(status):
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        if os.WSTOPSIG(status) in (signal.SIGTTIN, signal.SIGTTOU):
            _give_terminal(child, tty)
            time.sleep(0.01)  # whatever it does, it is not continued in a busy loop
        with suppress(OSError):  # with all that was stopped beside it
            os.killpg(os.getpgid(child), signal.SIGCONT)


def _give_terminal(child: int, tty: str) -> None:
    """To the group that the child is in, unless another one that lives has it. By a descriptor of our own: the program
    may have closed or replaced what it inherited, and so may we have."""
    with suppress(OSError):
        front, group = os.tcgetpgrp(0), os.getpgid(child)
        if front in (group, 0) or (front != os.getpgrp() and _lives(front)):
            return
        os.tcsetpgrp(0, group)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
