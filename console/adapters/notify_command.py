"""Hands notices to a command of the operator's: under a shim, JSON on its stdin, in an empty folder, for 10 seconds."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from console.core.notice_groups import Told
from console.core.notices import plain
from console.core.notify_settings import Channel
from console.core.records import ProcessEnd, Refused
from console.engine.ports import Processes, ProcessSpec

LIMIT = 10.0
GRACE = 0.5
OUTPUT = 4096
DETAIL = 200
DESKTOP = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
"""What a program that shows something on a desktop needs besides what a gate sees."""


class Commands:
    """folder: of ours, for what it prints and to run in. env: what gates see. find: a bare name on its PATH. worktrees:
    where agents write; a program in there may be theirs. environ: of this process. limit: seconds."""

    def __init__(
        self,
        processes: Processes,
        folder: Path,
        *,
        env: Callable[[], dict[str, str]],
        find: Callable[[str, Mapping[str, str]], str | Refused],
        worktrees: Callable[[], Sequence[str]],
        environ: Mapping[str, str],
        limit: float = LIMIT,
    ) -> None:
        self._processes, self._folder, self._limit = processes, folder, limit
        self._env, self._find, self._worktrees, self._environ = env, find, worktrees, environ

    async def tell(self, channel: Channel, id: str, body: bytes) -> Told:
        """Exit 0: sent. Another status: refused; the end of what it printed is `said`. What it leaves is ended."""
        try:
            return await self._told(channel, id, body)
        except OSError as error:
            return Told(outcome="failed", tries=0, detail=plain(f"it could not be started: {error}", DETAIL))

    async def _told(self, channel: Channel, id: str, body: bytes) -> Told:
        with await asyncio.to_thread(self._place) as place:
            spec = await asyncio.to_thread(self._spec, channel, id, body, Path(place))
            if isinstance(spec, Refused):
                return Told(outcome="failed", tries=0, detail=plain(spec.reason, DETAIL))
            running = await self._processes.launch(spec)
            if isinstance(running, ProcessEnd):
                return Told(outcome="failed", tries=0, detail=plain(running.reason, DETAIL))
            waiting = asyncio.ensure_future(running.wait())
            try:
                done, _ = await asyncio.wait({waiting}, timeout=self._limit)
            finally:
                if not waiting.done():
                    running.stop(GRACE)
            end = await asyncio.shield(waiting)
            return self._meaning(end, bool(done), await asyncio.to_thread(_tail, spec.output))

    def _place(self) -> tempfile.TemporaryDirectory[str]:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True)

    def _spec(self, channel: Channel, id: str, body: bytes, place: Path) -> ProcessSpec | Refused:
        env = self._env() | {name: self._environ[name] for name in DESKTOP if name in self._environ}
        program = self._program(channel.command[0], env)
        if isinstance(program, Refused):
            return program
        work = place / "work"
        work.mkdir(mode=0o700)
        return ProcessSpec(
            argv=(program, *channel.command[1:]),
            cwd=str(work),
            env=env | {"NIGHTDESK_NOTICE_ID": id},
            output=str(place / "out"),
            stdin=body.decode() + "\n",
            grace=GRACE,
            head=OUTPUT,
            tail=OUTPUT,
        )

    def _program(self, name: str, env: Mapping[str, str]) -> str | Refused:
        found = name if os.path.isabs(name) else self._find(name, env)
        if isinstance(found, Refused):
            return found
        real = os.path.realpath(found)
        for tree in map(os.path.realpath, self._worktrees()):
            if real == tree or real.startswith(tree + os.sep):
                return Refused(reason=f"{name} lies in {tree}, where agents write; keep it outside")
        return found

    def _meaning(self, end: ProcessEnd, in_time: bool, output: str) -> Told:
        said = plain(output, DETAIL)
        if not in_time and (end.stopped or end.how not in ("exited", "signaled")):
            return Told(outcome="failed", detail=f"it took longer than {self._limit:g} s and was ended")
        if end.how == "exited" and not end.reason:
            code = end.code or 0
            if code:
                return Told(outcome="refused", status=code, detail=f"exit {code}", said=said)
            return Told(outcome="sent")
        return Told(outcome="failed", detail=plain(end.reason or f"its process was {end.how}", DETAIL))


def _tail(output: str) -> str:
    try:
        with open(output, "rb") as file:
            return file.read(4 * OUTPUT).decode("utf-8", "replace")[-DETAIL:]
    except OSError:
        return ""
