"""The git binary, run so that a hostile repository's configuration, hooks and filters start nothing.

One door: argv lists, bytes in, bytes out, a deadline, an output cap, a session of its own, no terminal.
It knows no verb and no repository; what may be asked of the operator's repository is decided in `shadow.py`.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TypedDict, Unpack

from console.adapters import own
from console.adapters.environment import outside_path
from console.engine.ports import Unable

OLDEST = (2, 36)
MIB = 1024 * 1024
TIMEOUT = 120.0
OUTPUT_CAP = 512 * MIB
ERROR_CAP = 64 * 1024

_NOWHERE = "/dev/null"
_SETTINGS = (
    "core.fsmonitor=false",
    # A path below a device cannot exist, so no hook can ever be put there.
    f"core.hooksPath={_NOWHERE}",
    f"core.attributesFile={_NOWHERE}",
    f"core.excludesFile={_NOWHERE}",
    "core.pager=cat",
    "core.editor=:",
    "core.sshCommand=/bin/false",
    "core.gitProxy=/bin/false",
    "core.askPass=/bin/false",
    "core.untrackedCache=false",
    "core.alternateRefsCommand=/bin/false",
    # A commit-graph file says who descends from whom, and anybody can have written it.
    "core.commitGraph=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "credential.helper=",
    "diff.external=",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gpg.program=/bin/false",
    "gpg.ssh.program=/bin/false",
    "gpg.x509.program=/bin/false",
    "gpg.ssh.defaultKeyCommand=",
    "log.showSignature=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    # The caller names the git dir itself, so the owner check guards nothing here and only breaks shared checkouts.
    "safe.directory=*",
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": _NOWHERE,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    # Grafts lie about parents; this file cannot exist.
    "GIT_GRAFT_FILE": f"{_NOWHERE}/none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_ASKPASS": "/bin/false",
    "SSH_ASKPASS": "/bin/false",
    "LC_ALL": "C.UTF-8",
}
_INHERITED = ("HOME", "TMPDIR", "XDG_CONFIG_HOME")


class GitFailed(Unable):
    """Git could not do what must be possible in a sound repository. `reason` is one sentence for a person.

    It never leaves this package's plan operations as an exception where their type can say `Refused`.
    """


class GitSlow(GitFailed):
    """It did not end within its limit, and was ended."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One finished git process: exit status (negative: killed by that signal), stdout, the first 64 KiB of stderr."""

    code: int
    out: bytes
    err: bytes

    def complaint(self) -> str:
        """Git's own message in one printable line; advice lines are left out."""
        lines = (line.strip() for line in self.err.decode("utf-8", "backslashreplace").splitlines())
        text = " ".join(line for line in lines if line and not line.startswith(("hint:", "warning:")))
        return "".join(char if char.isprintable() else "?" for char in text)[:800] or f"exit status {self.code}"


class How(TypedDict, total=False):
    """The keyword arguments of `GitBinary.run`."""

    env: Mapping[str, str]
    stdin: bytes | None
    cwd: str
    timeout: float
    cap: int
    operator: bool
    hold: int


class GitBinary:
    """Runs git. Holds only constants after construction, so any thread may call it.

    environ: the operator's environment; from it only PATH, HOME and the place of the operator's own git
    configuration are taken, every other GIT_* is dropped (an inherited GIT_DIR would redirect everything).
    worktrees: folders an agent can write; no program is taken from there, however PATH names it.
    """

    def __init__(self, environ: Mapping[str, str] | None = None, worktrees: Iterable[str] = ()) -> None:
        given = os.environ if environ is None else environ
        path = outside_path(given.get("PATH", os.defpath), worktrees)
        self.program = _program(path)
        self._environment = {name: given[name] for name in _INHERITED if name in given} | _ENVIRONMENT | {"PATH": path}
        self._own_configuration = given.get("GIT_CONFIG_GLOBAL")
        self._prefix = [part for setting in _SETTINGS for part in ("-c", setting)]

    def run(
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        stdin: bytes | None = None,
        cwd: str = "/",
        timeout: float = TIMEOUT,
        cap: int = OUTPUT_CAP,
        operator: bool = False,
        hold: int = -1,
    ) -> Ran:
        """Run `git *args`; any exit status is a result.

        hold: a descriptor that git keeps open, too, so that a lock on it outlives us as long as that git does.

        operator: read the operator's own global configuration too (only ever with `config`).
        Raises GitFailed when git is missing, cwd is gone, the deadline passes or the output exceeds `cap` bytes.
        """
        process = self._start(args, cwd, self._environment_for(env or {}, operator), stdin is not None, hold)
        own.PIDS.add(process.pid)
        with process:
            try:
                out, err = _Exchange(process, stdin or b"", cap).finish(time.monotonic() + timeout)
                return Ran(process.wait(timeout), out, err)
            except (_TooMuch, TimeoutError, subprocess.TimeoutExpired) as error:
                much = isinstance(error, _TooMuch)
                what = f"printed more than {cap // MIB} MiB" if much else "took too long"
                kind = GitFailed if much else GitSlow
                raise kind(f"git {_verb(args)} {what} and was stopped (limit {timeout:g} s)") from error
            finally:
                _end(process)
                own.PIDS.discard(process.pid)

    def check(self, args: Sequence[str], **how: Unpack[How]) -> bytes:
        """Like `run`, but returns stdout and raises GitFailed unless git exits 0."""
        ran = self.run(args, **how)
        if ran.code != 0:
            raise GitFailed(f"git {_verb(args)}: {ran.complaint()}")
        return ran.out

    def _start(
        self, args: Sequence[str], cwd: str, env: Mapping[str, str], feed: bool, hold: int
    ) -> subprocess.Popen[bytes]:
        if self.program is None:
            raise GitFailed("git is not on PATH: install git 2.36 or newer")
        try:
            return subprocess.Popen(
                [self.program, *self._prefix, *args],
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                start_new_session=True,
                pass_fds=() if hold < 0 else (hold,),
                bufsize=0,
            )
        except OSError as error:
            raise GitFailed(f"git {_verb(args)} could not start in {cwd}: {error.strerror}") from error

    def _environment_for(self, extra: Mapping[str, str], operator: bool) -> dict[str, str]:
        environment = {**self._environment, **extra}
        if operator:
            del environment["GIT_CONFIG_GLOBAL"]
            if self._own_configuration is not None:
                environment["GIT_CONFIG_GLOBAL"] = self._own_configuration
        return environment


def _program(path: str) -> str | None:
    """The first `git` on a search path of absolute folders. (`shutil` would load three compression libraries.)"""
    places = (os.path.join(folder, "git") for folder in path.split(os.pathsep) if folder)
    return next((place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)), None)


def _verb(args: Sequence[str]) -> str:
    return next((arg for arg in args if not arg.startswith("-") and "=" not in arg), "")


class _TooMuch(Exception):
    pass


class _Exchange:
    """Feeds stdin and drains stdout and stderr of one process at the same time, so that neither side can block."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, cap: int) -> None:
        self._rest = memoryview(stdin)
        self._cap = cap
        self._out = bytearray()
        self._err = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe, what in ((process.stdout, "out"), (process.stderr, "err")):
            assert pipe is not None
            self._selector.register(pipe, selectors.EVENT_READ, what)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._selector.register(process.stdin, selectors.EVENT_WRITE, "in")

    def finish(self, deadline: float) -> tuple[bytes, bytes]:
        with self._selector as selector:
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                for key, _ in selector.select(left):
                    pipe = key.fileobj
                    assert not isinstance(pipe, int)
                    if not self._step(key.data, key.fd):
                        selector.unregister(pipe)
                        _close(pipe)  # type: ignore[arg-type]
        return bytes(self._out), bytes(self._err)

    def _step(self, what: str, fd: int) -> bool:
        """Move one chunk; False when this pipe is done."""
        if what == "in":
            try:
                self._rest = self._rest[os.write(fd, self._rest[:65536]) :] if self._rest else self._rest
            except BrokenPipeError:
                return False
            return len(self._rest) > 0
        chunk = os.read(fd, 1 << 18)
        if what == "out":
            self._out += chunk
            if len(self._out) > self._cap:
                raise _TooMuch
        else:
            self._err += chunk[: ERROR_CAP - len(self._err)]
        return bool(chunk)


def _close(pipe: IO[bytes]) -> None:
    with contextlib.suppress(BrokenPipeError):
        pipe.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and what it started. The group is ours and still named by the unreaped leader."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def shown(path: str | bytes) -> str:
    """A path as a person may see it: controls, bidi marks and bytes that are no UTF-8 escaped."""
    text = path.decode("utf-8", "backslashreplace") if isinstance(path, bytes) else path
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
