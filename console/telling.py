"""The part of the wiring that reaches people: which channels there are, and the real ways to tell. Imports are late."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from console.core.addresses import url_problem
from console.core.notify_settings import URL, Channel, with_environment
from console.core.records import Refused
from console.wiring import Here, distrust, git_of, settings_of, version

if TYPE_CHECKING:
    from console.adapters.store import Log
    from console.core.events import Logged
    from console.core.notice_groups import Told
    from console.engine.ports import Processes
    from console.engine.reaching import Reaching


class Channels:
    """The channels of the settings and of the environment; the settings are read only when their stat changed, or trust
    did. distrusted: why those of the settings are not what is told now, "" when they are."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self._stat: tuple[tuple[int, ...], ...] = ()
        self._trusted: tuple[Channel, ...] = ()
        self.distrusted = ""

    def now(self) -> tuple[Channel, ...]:
        """Settings that nobody trusts tell nobody anything: what was trusted last goes on, so that a change of the file
        cannot silence us either."""
        from console.adapters.trust import CONFIG

        seen = (_stat(self._here.root / CONFIG), _stat(self._here.places.trust))
        if seen != self._stat:
            loaded = settings_of(self._here)
            self.distrusted = distrust(self._here, loaded)
            if not self.distrusted:
                self._trusted = loaded.settings.notify
            self._stat = seen
        return with_environment(self._trusted, self._here.environ)


def _stat(path: Path) -> tuple[int, ...]:
    try:
        seen = os.stat(path)
    except OSError:
        return (0,)
    return (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)


class Ways:
    """The real ways to tell, by the kind of a channel. A terminal is rung by the console that has it."""

    def __init__(self, here: Here, processes: Processes) -> None:
        from console.adapters.environment import gate_env
        from console.adapters.notify_command import Commands
        from console.adapters.webhooks import Webhooks
        from console.supervision import find_command

        self.webhooks = Webhooks(here.environ, agent=f"nightdesk/{version()}")
        self._commands = Commands(
            processes,
            here.places.cache / "notify",
            env=lambda: gate_env(here.environ, worktrees(here)),
            find=find_command,
            worktrees=lambda: worktrees(here),
            environ=here.environ,
        )

    async def tell(self, channel: Channel, id: str, body: bytes) -> Told:
        way = self._commands.tell if channel.kind == "command" else self.webhooks.tell
        return await way(channel, id, body)


def worktrees(here: Here) -> list[str]:
    """Folders where agents may write. Also when git cannot tell, the main worktree is one."""
    from console.adapters.git.binary import GitFailed

    try:
        return [str(here.root), *(tree.path for tree in git_of(here).worktrees()), str(here.places.data)]
    except (GitFailed, OSError):
        return [str(here.root), str(here.places.data)]


def reaching(here: Here, processes: Processes) -> Reaching:
    """For a supervisor."""
    from console.engine.reaching import Reaching

    ways, log = Ways(here, processes), _Reader(here)

    def close() -> None:
        ways.webhooks.close()
        log.close()

    return Reaching(
        channels=Channels(here).now,
        tell=ways.tell,
        read=log.read,
        workspace=here.root.name,
        key=here.workspace.key,
        close=close,
    )


class _Reader:
    """Reads the log over a connection of its own, from whichever thread, one at a time."""

    def __init__(self, here: Here) -> None:
        self._path = here.places.log
        self._lock = threading.Lock()
        self._log: Log | None = None

    def read(self, since: int, count: int) -> Sequence[Logged]:
        from console.adapters.store import Log

        with self._lock:
            self._log = self._log or Log(self._path)
            return self._log.read(since, count)

    def close(self) -> None:
        with self._lock:
            if self._log:
                self._log.close()
                self._log = None


# -- what a command line and a screen ask ----------------------------------------------------------------


def send_tests(here: Here, tests: Sequence[tuple[Channel, str, bytes]]) -> Sequence[Told]:
    """One notice each (channel, id, body), now and all at once, from this process. Blocks for as long as the slowest of
    the channels may take."""
    import asyncio

    from console.adapters.processes import ShimProcesses

    async def send() -> Sequence[Told]:
        ways = Ways(here, ShimProcesses())
        try:
            return await asyncio.gather(*(ways.tell(*test) for test in tests))
        finally:
            ways.webhooks.close()

    return asyncio.run(send())


def passes_through(environ: Mapping[str, str], path: str) -> bool:
    """Whether the tmux that we are in hands escape sequences on to its terminal. Blocks for a second at most.
    path: where the program is looked for."""
    import shutil
    import subprocess

    program = shutil.which("tmux", path=path)
    if not program or not environ.get("TMUX"):
        return False
    ask = [program, "show-options", "-Apv", "allow-passthrough"]
    try:
        said = subprocess.run(ask, capture_output=True, timeout=1, check=True, text=True, env=dict(environ))
    except (OSError, subprocess.SubprocessError):
        return False
    return said.stdout.strip() in ("on", "all")


def terminal_of(here: Here) -> tuple[Callable[[], Sequence[Channel]], Callable[[], bool]]:
    """For a console: the terminal channels of the settings as they are now, and whether its tmux hands sequences on."""
    from console.adapters.environment import outside_path

    known = Channels(here)

    def wanted() -> Sequence[Channel]:
        return [channel for channel in known.now() if channel.kind == "terminal"]

    def through() -> bool:
        return passes_through(here.environ, outside_path(here.environ.get("PATH", ""), worktrees(here)))

    return wanted, through


def supervised(here: Here) -> bool:
    """Whether somebody tells people now."""
    from console.adapters.lock import is_taken

    return is_taken(here.places.lock)


def address_problem(environ: Mapping[str, str]) -> str:
    """What is wrong with the address of the environment, and the cure; "" when nothing is, or there is none."""
    url = environ.get(URL, "").strip()
    problem = url_problem(url) if url else ""
    cure = (
        f"set it to an address as in https://hooks.example.org/x, or unset {URL}: then `notify` of the settings counts"
    )
    return f"{URL} {problem}; nobody is told by webhook until it is mended: {cure}" if problem else ""


def usable(secret: str, environ: Mapping[str, str]) -> str:
    """Why a secret that is named cannot be used, "" when it can or none is named."""
    from console.adapters.webhooks import secret_key

    key = secret_key(secret, environ) if secret else b""
    return key.reason if isinstance(key, Refused) else ""
