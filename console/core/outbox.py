"""One way to reach people, and how far it has been told. Pure; what is told is the log itself."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Record


class Outlet(Record, frozen=True, kw_only=True):
    """cursor: everything up to this log position has been dealt with. sent, lost: notices that were taken, and those
    that were not. last, detail: how the latest one went, and when (Unix seconds). open: the supervisor that came last
    tells it. sending, flight: id and positions of what was about to go out and is not settled: perhaps it did."""

    channel: str
    words: str = ""
    cursor: int = 0
    sent: int = 0
    lost: int = 0
    last: str = ""
    detail: str = ""
    at: float = 0.0
    open: bool = False
    sending: str = ""
    flight: tuple[int, ...] = ()


Fact = ev.ChannelOpened | ev.ChannelClosed | ev.NoticeSending | ev.NoticeSettled


def fold(outlet: Outlet | None, fact: Fact, at: float) -> Outlet:
    known = outlet or Outlet(channel=fact.channel)
    match fact:
        case ev.ChannelOpened():
            now = replace(known, words=fact.words, cursor=max(known.cursor, fact.since), at=at, open=True)
            return now if any(seq > now.cursor for seq in now.flight) else replace(now, sending="", flight=())
        case ev.ChannelClosed():
            return replace(known, open=False)
        case ev.NoticeSending():
            return replace(known, sending=fact.id, flight=fact.about)
    told = replace(known, cursor=max(known.cursor, fact.upto), last=fact.outcome, detail=fact.detail, at=at)
    told = replace(told, sending="", flight=())
    if fact.outcome == "sent":
        return replace(told, sent=told.sent + 1)
    return told if fact.outcome == "skipped" else replace(told, lost=told.lost + 1)
