"""When a limit ends, as the fields of an error tell it: numbers, headers, ISO times, "resets 3:45pm (Europe/Paris)".

Pure but for the machine's time zone, which a clock time without one is meant in. Reads errors only, never prose.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

LONGEST = 8 * 86400.0
"""Seconds: weekly limits are the longest known, and a wrong clock must not put a ticket to sleep for a year."""

PASSED = 60.0
"""Seconds to wait for a reset that is said to be over already: clocks differ, and nobody should be asked in a loop."""

JUST = 600.0
MILLISECONDS = 1e11

_EPOCH = re.compile(r"(?:\||reset\w*[\"':\s=]+(?:at\s+)?)(\d{10}(?:\d{3})?)(?:\.\d+)?\b", re.I)
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?\s?(?:Z|[+-]\d\d:?\d\d)?)(?=\W|$)", re.I)
_CUE = r"(?:resets?|resetting|try(?:ing)? again|retry(?:ing)?|available(?: again)?|wait|until)"
_SPAN = (
    r"\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)(?![a-z])"
)
_IN = re.compile(
    _CUE + r"[\s\-_]*(?:in|after|for)?[\s\"':=]+(?:about |~)?((?:" + _SPAN + r"[\s,]*(?:and\s+)?)+)"
    r"|retry[\s\-_]?after[\s\"':=]+(\d+(?:\.\d+)?)(?![\w.:])",
    re.I,
)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.I)
_UNIT = {"ms": 0.001, "mi": 60.0, "m": 60.0, "s": 1.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CLOCK = re.compile(
    _CUE + r"\s+(?:on\s+|at\s+)?"
    r"(?:(?P<day>mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+(?:at\s+)?)?"
    r"(?:(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?P<date>\d{1,2})(?:st|nd|rd|th)?"
    r"(?:,?\s+(?P<year>20\d\d))?,?\s+(?:at\s+)?)?"
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::\d\d)?\s*(?P<half>[ap]\.?m\b\.?)?"
    r"(?:\s*\(?\s*(?P<zone>[A-Z][A-Za-z_]+/[A-Za-z_+\-/0-9]+|UTC|GMT)\s*\)?)?",
    re.I,
)


def sane(until: float, now: float) -> float:
    """A reset as it may be waited for: soon when it is over already, at most `LONGEST` ahead; 0 when it is no time."""
    if not math.isfinite(until) or until <= 0:
        return 0.0
    if until > MILLISECONDS:
        until /= 1000.0
    return now + PASSED if until <= now else min(until, now + LONGEST)


def at(value: object, now: float, zone: tzinfo | None = None) -> float:
    """Of a field that names a moment (`resetsAt`): Unix seconds or milliseconds, an ISO time, or text; 0 if none."""
    if isinstance(value, bool):
        return 0.0
    if isinstance(value, int | float):
        return sane(_float(value), now)
    text = str(value or "").strip()[:400]
    if re.fullmatch(r"\d{10}(\d{3})?(\.\d+)?", text):
        return sane(float(text), now)
    if moment := _iso(text, zone):
        return sane(moment, now)
    return within(text, now) or stated(f"resets {text}", now, zone)


def within(value: object, now: float, unit: float = 1.0) -> float:
    """Of a field that names a wait (`retry-after`): a number of `unit` seconds, "17s", "6m0s"; 0 if none."""
    if isinstance(value, bool):
        return 0.0
    if isinstance(value, int | float):
        return _after(_float(value) * unit, now)
    text = str(value or "").strip()[:100]
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return _after(float(text) * unit, now)
    seconds = _duration(text) if re.fullmatch(rf"(?:{_SPAN}[\s,]*)+", text, re.I) else 0.0
    return _after(seconds, now) if seconds else sane(_iso(text, None) or 0.0, now)


def stated(text: str, now: float, zone: tzinfo | None = None) -> float:
    """What the message of an error says about the end of its limit; 0 when it says nothing.

    Known: "reached|1749924000"; "resets 3:45pm (Europe/Paris)"; "try again at Dec 3rd, 2026 3:45 PM"; "try again in
    5 days 3 hours 20 minutes"; "retry after 7 seconds"; an ISO time after such a word.
    """
    text = text[:4000]
    if found := _EPOCH.search(text):
        return sane(float(found[1]), now)
    if re.search(_CUE, text, re.I) and (iso := _ISO.search(text)):
        return sane(_iso(iso[1], zone) or 0.0, now)
    waits = (_duration(found[1]) if found[1] else float(found[2]) for found in _IN.finditer(text))
    if seconds := next((wait for wait in waits if wait), 0.0):
        return _after(seconds, now)
    clocks = (_clock(found, now, zone) for found in _CLOCK.finditer(text))
    return next((moment for moment in clocks if moment), 0.0)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _after(seconds: float, now: float) -> float:
    return now + min(seconds, LONGEST) if math.isfinite(seconds) and seconds > 0 else 0.0


def _duration(text: str) -> float:
    """Seconds of "5 days 3 hours", "1h2m", "17.5s"."""
    return sum(float(count) * _unit(unit) for count, unit in _PART.findall(text))


def _unit(word: str) -> float:
    word = word.lower()
    return 0.001 if word.startswith(("ms", "milli")) else _UNIT[word[0]]


def _iso(text: str, zone: tzinfo | None) -> float | None:
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00").replace("z", "+00:00"))
        return (moment if moment.tzinfo else _placed(moment, zone)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _placed(naive: datetime, zone: tzinfo | None) -> datetime:
    """In the zone that was named, else in the machine's own: that is what a command line prints in."""
    return naive.replace(tzinfo=zone) if zone else naive.astimezone()


def _clock(found: re.Match[str], now: float, local: tzinfo | None) -> float:
    """The next moment at which a clock shows that time."""
    if not (found["half"] or found["minute"]):
        return 0.0
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        hour = hour % 12 + (12 if found["half"][0].lower() == "p" else 0)
    zone = _zone(found["zone"]) or local
    here = datetime.fromtimestamp(now, UTC).astimezone(zone).replace(tzinfo=None)
    try:
        moments = [_placed(day.replace(hour=hour, minute=minute), zone).timestamp() for day in _days(found, here)]
    except (ValueError, OverflowError, OSError):
        return 0.0
    return next((sane(moment, now) for moment in moments if moment > now - JUST), 0.0)


def _days(found: re.Match[str], here: datetime) -> Iterable[datetime]:
    """The days that may be meant, the nearest first."""
    today = here.replace(minute=0, second=0, microsecond=0)
    if found["month"]:
        month = _MONTHS.index(found["month"].lower()) + 1
        years = [int(found["year"])] if found["year"] else [here.year, here.year + 1]
        return [today.replace(year=year, month=month, day=int(found["date"])) for year in years]
    ahead = [today + timedelta(days=days) for days in range(8)]
    if found["day"]:
        weekday = _DAYS.index(found["day"].lower())
        return [day for day in ahead if day.weekday() == weekday]
    return ahead


def _zone(name: str | None) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, KeyError, OSError):
        return None
