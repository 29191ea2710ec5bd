"""The terminal as a channel: a bell, or a notification of the terminal's own, for what somebody is to hear of.

Only while the console is open, and only our own words, cut short. It decides when and what; the app writes it to the
terminal between two frames.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from console.core import events as ev
from console.core import notices
from console.core.notice_groups import moot, summary, wants
from console.core.notices import Notice
from console.core.notify_settings import Channel
from console.core.state import State
from console.present.text import clean

CHARACTERS = 120
"""Of what a notification says."""
AT_THE_SCREEN = 300.0
"""Seconds after a key press during which a quiet terminal says nothing."""
KEPT = 100
"""Notices that wait to be collected; of more the oldest go unsaid."""
TITLE = "nightdesk"

Between = Literal["", "through", "closed"]
"""What lies between us and the terminal: nothing, a multiplexer that hands sequences on, or one that does not."""


def between(environ: Mapping[str, str], through: Callable[[], bool]) -> Between:
    """through: whether the tmux that we are in hands sequences on; asked only there. May block."""
    if environ.get("TMUX"):
        return "through" if through() else "closed"
    if environ.get("STY") or environ.get("TERM", "").partition("-")[0] in ("screen", "tmux", "linux", "dumb", ""):
        return "closed"
    return ""


def sequence(sign: str, text: str, way: Between) -> str:
    """What to write for `bell`, `osc9` or `osc777`. Where only a bell gets through, a bell it is."""
    if sign == "bell" or way == "closed":
        return "\a"
    said = f"777;notify;{TITLE};{text}" if sign == "osc777" else f"9;{TITLE}: {text}"
    osc = f"\x1b]{said}\a"
    return f"\x1bPtmux;{osc.replace(chr(27), chr(27) * 2)}\x1b\\" if way == "through" else osc


def words(group: Sequence[Notice]) -> str:
    """One short line in which nothing ends or divides a sequence."""
    said = group[0].text if len(group) == 1 else summary(group)
    return notices.plain(clean(said).replace(";", ","), CHARACTERS)


class Ringing:
    """wanted: the terminal channels as the settings have them now; through: as in `between` (both block). write: to the
    terminal, False when it takes nothing just now. now: monotonic seconds."""

    def __init__(
        self,
        wanted: Callable[[], Sequence[Channel]],
        through: Callable[[], bool],
        environ: Mapping[str, str],
        write: Callable[[str], bool],
        now: Callable[[], float],
    ) -> None:
        self._wanted, self._through, self._environ, self._write, self._now = wanted, through, environ, write, now
        self._waiting: list[tuple[float, Notice]] = []
        self._upto: dict[str, int] = {}
        self._pressed = float("-inf")
        self._task: asyncio.Task[None] | None = None

    def pressed(self) -> None:
        """A key was pressed on this screen."""
        self._pressed = self._now()

    def heard(self, entries: Sequence[ev.Logged], state: State) -> None:
        """What is new in the log; cheap."""
        fresh = [n for entry in entries if notices.may_tell(entry.fact) and (n := notices.notice(entry, state))]
        self._waiting = [*self._waiting, *((self._now(), n) for n in fresh)][-KEPT:]

    def look(self, state: State) -> None:
        """About once a second, on the screen's loop: ring for what has been collected for long enough."""
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._ring(state))

    async def _ring(self, state: State) -> None:
        try:
            channels = await asyncio.to_thread(self._wanted)
            way = await asyncio.to_thread(between, self._environ, self._through) if channels else ""
        except Exception:  # settings that cannot be read ring nothing; whoever shows them says why
            channels, way = (), ""
        left = {n.seq for channel in channels for n in self._left(channel, way, state)}
        self._waiting = [(at, n) for at, n in self._waiting if n.seq in left]

    def _left(self, channel: Channel, way: Between, state: State) -> Sequence[Notice]:
        """Ring for one channel; what of the waiting ones it still has to say."""
        upto = self._upto.get(channel.id, 0)
        due = [(at, n) for at, n in self._waiting if n.seq > upto and wants(channel, n)]
        if due and self._now() - due[0][0] < channel.debounce:
            return [n for _, n in due]
        said = [n for _, n in due if not moot(n, state)]
        quiet = channel.quiet and self._now() - self._pressed < AT_THE_SCREEN
        if said and not quiet and not self._write(sequence(channel.where, words(said), way)):
            return [n for _, n in due]
        if due:
            self._upto[channel.id] = due[-1][1].seq
        return ()
