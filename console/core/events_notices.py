"""Facts about reaching people: the outbox. A notice is due for every event that a channel wants and that lies behind
the channel's cursor; no text of it is kept here."""

from __future__ import annotations

from typing import Literal

from console.core.event import Event

NoticeOutcome = Literal["sent", "refused", "failed", "skipped"]
"""sent: taken. refused: the receiver said no (3xx, 4xx, 5xx; exit status). failed: not reached, after the retry, or
unusable as it is configured. skipped: nobody was to be told (debounced, or the operator was at the screen)."""


class ChannelOpened(Event, frozen=True, kw_only=True, tag="notify:opened"):
    """A way to reach somebody is known from here on; what happened before is not told there. channel: a digest of where
    it leads, without secrets. words: for people, without what an address may hold of secrets."""

    channel: str
    words: str
    since: int


class ChannelClosed(Event, frozen=True, kw_only=True, tag="notify:closed"):
    """This supervisor tells nobody there any more: nothing names the channel now."""

    channel: str


class NoticeSending(Event, frozen=True, kw_only=True, tag="notify:sending"):
    """Intent, before the first try: this notice is about to go out on this channel. Whether it did nobody knows until
    it is settled, so that what is sent after a crash keeps its id and what it is about. about: positions of the events
    that it tells."""

    channel: str
    id: str
    about: tuple[int, ...]


class NoticeSettled(Event, frozen=True, kw_only=True, tag="notify:settled"):
    """Everything up to log position `upto` has been dealt with on this channel. about: positions of the events that
    were told in it (or were to be). id: the notice's own, the same whenever it is sent again. detail: in words of ours
    alone, whatever the receiver said: it may quote the address, which is a secret."""

    channel: str
    upto: int
    outcome: NoticeOutcome
    about: tuple[int, ...] = ()
    id: str = ""
    tries: int = 0
    status: int = 0
    detail: str = ""
