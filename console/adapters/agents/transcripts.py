"""The record of what an agent said and did: a capped JSONL file a session, written by the drivers, tailed by anybody.

One entry a line: `{"n": 12, "at": 1732920000.5, "kind": "tool", ...}`; `n` counts up over the whole file. Kinds: began,
turn-start, turn-end, text, thought, user, tool, plan, ask, answer, retry, usage, update, event, line, noise, ended,
capped, beat. tool: `tool`, `status`, `id`, `type`, `paths`, `text`. plan: `text` with one "status: step" a line. retry:
the agent tries again by itself: `text` (why), `attempt`, `of`, `until` (Unix seconds, 0 for unknown). usage: what the
turn has cost so far: `input`, `output` (tokens), `usd`, `used` and `window` (tokens of the model's context), as far as
it is known; `total` is what the agent says that the whole conversation has cost. ask: `question`, `title`, `options`,
and of what is asked for `type`, `paths`, `command` and `text` (command, diff or input, to decide on).
Text is kept as the agent sent it, controls included: whoever shows it cleans it. A full disk costs entries only.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from typing import Any

from console.core.records import Record

Entry = dict[str, Any]

ENTRY_BYTES = 64 * 1024
FILE_BYTES = 16 * 1024 * 1024
BEAT_SECONDS = 30.0
SAY_CHARS = 2048
SAY_SECONDS = 1.0
PULSE_BYTES = 8 * 1024
MARKS = frozenset({"began", "turn-start", "turn-end", "ask", "answer", "ended"})
"""Kinds that are still written after the cap: without them nobody can tell one turn from the next."""
CAUSED = frozenset({"began", "ask", "answer"})
"""Those of them that an agent can cause as often as it likes: they have as much room again, and no more."""
BETWEEN = frozenset({"thought", "tool", "user", "plan", "ask", "answer"})
"""Kinds that end a message: what is said after them is another one."""
LAST_WORDS = 256 * 1024
"""Characters that the end of a turn may have, to be read as a whole."""


class Pulse(Record, frozen=True, kw_only=True):
    """The last signs of life. entries: the count so far; at: Unix seconds of the last entry (0 when there is none).

    tool_status is `pending` or `in_progress` while a tool runs; both are empty when no tool is among the last entries.
    """

    last_tool: str = ""
    tool_status: str = ""
    last_text_line: str = ""
    entries: int = 0
    at: float = 0.0


class Transcript:
    """Appends to one file. Opening raises OSError; after that a failed write only costs its entry (`lost` counts)."""

    def __init__(self, path: str, *, cap: int = FILE_BYTES, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._cap = cap
        flags = os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
        self._fd: int | None = os.open(path, flags, 0o600)
        self._size = os.fstat(self._fd).st_size
        self._n = pulse(path).entries
        self._torn = not _ends_whole(path)
        self._capped = self._size >= cap
        self._beat_at = 0.0
        self._saying: tuple[str, str, float] | None = None
        self._last: Entry = {}
        self.lost = 0

    def append(self, kind: str, **fields: Any) -> None:
        """Write one entry; text that was being streamed is written before it."""
        self.flush()
        self._write(kind, fields)

    def say(self, kind: str, text: str) -> None:
        """Add a piece of streamed text. Whole lines are written together, so that few escape sequences are cut in two.

        The texts of consecutive entries of a kind, put together, are what was streamed.
        """
        if self._saying and self._saying[0] != kind:
            self.flush()
        held, since = (self._saying[1], self._saying[2]) if self._saying else ("", self._now())
        held += text
        whole, newline, rest = held.rpartition("\n")
        if newline:
            self._write(kind, {"text": whole + newline})
            held, since = rest, self._now()
        self._saying = (kind, held, since) if held else None
        if len(held) > SAY_CHARS or self._now() - since > SAY_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is held back of a streamed line."""
        if self._saying:
            kind, text, _ = self._saying
            self._saying = None
            self._write(kind, {"text": text})

    def close(self) -> None:
        """Flush and close; later calls are ignored."""
        self.flush()
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None

    def _write(self, kind: str, fields: Entry) -> None:
        self._n += 1
        self._last = {"kind": kind, **fields}
        if self._capped and (kind not in MARKS or (kind in CAUSED and self._size >= 2 * self._cap)):
            self._beat()
            return
        self._put(self._entry(kind, fields))
        if not self._capped and self._size >= self._cap:
            self._capped = True
            self._beat_at = self._now()
            self._put(self._entry("capped", {"text": f"capped at {self._cap} bytes"}))

    def _beat(self) -> None:
        """Past the cap: one short line every half minute, so that a talking agent does not look dead."""
        if self._now() - self._beat_at < BEAT_SECONDS:
            return
        self._beat_at = self._now()
        kept = {key: str(self._last[key])[:200] for key in ("tool", "status", "text") if self._last.get(key)}
        self._put(self._entry("beat", {"of": self._last["kind"], **kept}))

    def _entry(self, kind: str, fields: Entry) -> Entry:
        return {"n": self._n, "at": round(self._now(), 3), "kind": kind, **fields}

    def _put(self, entry: Entry) -> None:
        if self._fd is None:
            return
        line = (b"\n" if self._torn else b"") + encode(entry)
        try:
            written = os.write(self._fd, line)
        except OSError:
            self.lost += 1
            return
        self._size += written
        self._torn = written < len(line)
        self.lost += self._torn


def encode(entry: Entry) -> bytes:
    """One line of at most ENTRY_BYTES: the longest text is halved until it fits, `cut` says how long it was."""
    long = {k: v for k, v in entry.items() if isinstance(v, str) and len(v) > ENTRY_BYTES}
    if long:
        entry = {**entry, **{k: v[:ENTRY_BYTES] for k, v in long.items()}, "cut": max(map(len, long.values()))}
    line = _dump(entry)
    while len(line) > ENTRY_BYTES:
        key = max((k for k, v in entry.items() if isinstance(v, str)), key=lambda k: len(entry[k]), default="")
        if not key or len(entry[key]) < 64:
            return _dump({key: entry.get(key) for key in ("n", "at", "kind")} | {"cut": len(line)})
        entry = {**entry, key: entry[key][: len(entry[key]) // 2], "cut": entry.get("cut", len(entry[key]))}
        line = _dump(entry)
    return line


def tail(path: str, max_bytes: int = 256 * 1024) -> list[Entry]:
    """The entries within the last `max_bytes`, oldest first; half lines at either end and foreign ones are left out."""
    raw, from_start = _read_end(path, max_bytes)
    lines = raw.split(b"\n")
    lines = lines[:-1] if from_start else lines[1:-1]
    return [entry for line in lines if (entry := _decode(line)) is not None]


def pulse(path: str) -> Pulse:
    """The last signs of life, from the last 8 KB (more only when a single entry is longer than that)."""
    entries = tail(path, PULSE_BYTES) or tail(path, 2 * ENTRY_BYTES)
    if not entries:
        return Pulse()
    tool: Entry = next((e for e in reversed(entries) if e.get("tool")), {})
    said = (_last_line(e.get("text")) for e in reversed(entries) if _speaks(e))
    return Pulse(
        last_tool=str(tool.get("tool", "")),
        tool_status=str(tool.get("status", "")),
        last_text_line=next((line for line in said if line), ""),
        entries=max(e["n"] for e in entries),
        at=float(entries[-1]["at"]),
    )


def last_words(path: str, turn: int) -> str:
    """What the agent said in a turn after its last tool; its last message when it said nothing after that. Plain lines
    count where it has no other text. "" when any of the turn is missing (capped, cut, lost): half a message may say the
    opposite of the whole one. Blocks."""
    entries = _of_turn(tail(path), turn) or _of_turn(tail(path, 4 * FILE_BYTES), turn)
    whole = all(entry["n"] == number for number, entry in enumerate(entries, entries[0]["n"] if entries else 0))
    if not whole or any(_cut(entry) for entry in entries):
        return ""
    words = _said(entries, "text") or _said(entries, "line")
    return words if len(words) <= LAST_WORDS else ""


def _cut(entry: Entry) -> bool:
    """Words that are not all there; a long diff or output of a tool says nothing about the agent's own."""
    return (entry["kind"] in ("text", "line") and "cut" in entry) or entry.get("type") == "cut"


def _of_turn(entries: list[Entry], turn: int) -> list[Entry]:
    """From the last start of this turn to its end, both included; nothing when that start is not among them."""
    kinds = [(entry["kind"], entry.get("turn")) for entry in entries]
    if ("turn-start", turn) not in kinds:
        return []
    begin = len(kinds) - 1 - kinds[::-1].index(("turn-start", turn))
    end = next((at for at in range(begin + 1, len(kinds)) if kinds[at][0] in ("turn-start", "turn-end")), len(kinds))
    return entries[begin : end + 1] if kinds[end : end + 1] == [("turn-end", turn)] else entries[begin:end]


def _said(entries: list[Entry], kind: str) -> str:
    messages: list[tuple[int, list[str]]] = []
    tools, open_ = 0, False
    for entry in entries:
        if entry["kind"] == kind:
            if not open_:
                messages.append((tools, []))
            messages[-1][1].append(str(entry.get("text") or ""))
            open_ = True
        elif entry["kind"] in BETWEEN:
            tools += entry["kind"] == "tool"
            open_ = False
    whole = [(after, "".join(pieces)) for after, pieces in messages]
    spoken = [(after, text if text.endswith("\n") else text + "\n") for after, text in whole if text.strip()]
    return "".join(text for after, text in spoken if after == tools) or (spoken[-1][1] if spoken else "")


def _speaks(entry: Entry) -> bool:
    return entry["kind"] in ("text", "line") or entry.get("of") in ("text", "line")


def _last_line(text: object) -> str:
    lines = [line for line in str(text or "").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _read_end(path: str, max_bytes: int) -> tuple[bytes, bool]:
    """The file's last bytes, and whether they are all of it. A missing file is empty."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - max_bytes)
            file.seek(start)
            return file.read(max_bytes), start == 0
    except OSError:
        return b"", True


def _ends_whole(path: str) -> bool:
    return _read_end(path, 1)[0] in (b"", b"\n")


def _decode(line: bytes) -> Entry | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        return None
    numbers = isinstance(entry.get("n"), int) and isinstance(entry.get("at"), int | float)
    return entry if numbers else None


def _dump(entry: Entry) -> bytes:
    """Lone surrogates become JSON escapes; what JSON does not know is written as text."""
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"
