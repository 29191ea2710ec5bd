"""Times in a few cells: how long ago, and when. Pure but for the local time zone."""

from __future__ import annotations

import time


def age(seconds: float) -> str:
    """`41s`, `12m`, `3h12`, `2d`."""
    s = max(0, int(seconds))
    if s < 60:
        return f"{s}s"
    if s < 3600:
        return f"{s // 60}m"
    if s < 86400:
        return f"{s // 3600}h{s % 3600 // 60:02d}"
    return f"{s // 86400}d"


def clock(at: float) -> str:
    """Local wall time, `06:11:58`."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def moment(at: float, seen: float) -> str:
    """Local time `03:00`; `12-01 03:00` when that is on another day than `seen`."""
    there, here = time.localtime(at), time.localtime(seen)
    same = there[:3] == here[:3]
    return time.strftime("%H:%M" if same else "%m-%d %H:%M", there)
