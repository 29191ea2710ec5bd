"""A real terminal for tests: a pty, its raw bytes, and (with pyte) the screen that those bytes draw.

`violations` checks the raw bytes against what the console may send. Nothing here waits by sleeping: every wait is for a
condition, with a deadline. Processes are ended by their own pid only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte
from wcwidth import wcwidth

Size = tuple[int, int]
"""Columns, rows."""

_PRIVATE = re.compile(rb"\x1b\[[>=<?][0-9;]*(?:\$p|[a-zA-Z])|\x1b\]22;[^\x07\x1b]*(?:\x07|\x1b\\)")
"""What pyte 0.8 chokes on: private CSI and the pointer shape."""

_PARTIAL = re.compile(rb"\x1b(?:\[[>=<?0-9;]*\$?|\][^\x07\x1b]*)?$|[\xc2-\xf4][\x80-\xbf]{0,2}$")

_CONTROLLING = "import fcntl,os,sys,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "f10": "\x1b[21~",
    "ctrl+c": "\x03",
    "ctrl+p": "\x10",
    "ctrl+q": "\x11",
    "ctrl+z": "\x1a",
}
"""Names that `Screen.press` knows, as a terminal sends them."""


class Screen:
    """A process under a pty of its own. Use it as a context manager; it ends the process on the way out."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        size: Size = (120, 40),
        cwd: str | None = None,
    ) -> None:
        self.size = size
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._raw = bytearray()
        self._fed = 0
        self._shown: tuple[tuple[int, Size], list[str]] | None = None
        self._eof = False
        self._changed = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._master, slave = pty.openpty()
        self._resize_tty(size)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _CONTROLLING, *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=dict(env) if env is not None else terminal_env(),
            cwd=cwd,
            start_new_session=True,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read, name="pty-reader", daemon=True)
        self._reader.start()

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- bytes ---------------------------------------------------------------------------------------------

    def _read(self) -> None:
        while True:
            self._reading.wait()
            try:
                data = os.read(self._master, 65536)
            except OSError:
                data = b""
            with self._changed:
                self._raw += data
                self._eof = not data
                self._changed.notify_all()
            if not data:
                return

    def raw(self) -> bytes:
        """Every byte that the process has written so far."""
        with self._changed:
            return bytes(self._raw)

    def stall(self) -> None:
        """Stop reading, as a hung SSH line does; at most one buffer more is taken."""
        self._reading.clear()

    def unstall(self) -> None:
        self._reading.set()

    def send(self, keys: str | bytes) -> None:
        """Type these characters as they are."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def press(self, *names: str) -> None:
        """Type keys by name (`enter`, `pagedown`), or a character as itself."""
        for name in names:
            self.send(KEYS.get(name, name))

    def tty_modes(self) -> list[object]:
        """The line modes of the terminal now."""
        return termios.tcgetattr(self._master)

    def paste(self, text: str) -> None:
        """Paste as a terminal with bracketed paste does."""
        self.send(f"\x1b[200~{text}\x1b[201~")

    # -- picture -------------------------------------------------------------------------------------------

    def _feed(self) -> None:
        """Give pyte what has come, but no half of an escape or of a character."""
        data = bytes(self._raw[self._fed :])
        partial = _PARTIAL.search(data[-64:])
        whole = data[: len(data) - (len(partial.group()) if partial else 0)]
        self._stream.feed(_PRIVATE.sub(b"", whole))
        self._fed += len(whole)

    def lines(self) -> list[str]:
        """The screen now, one string a row, trailing blanks removed."""
        with self._changed:
            self._feed()
            now = (self._fed, self.size)
            if self._shown is None or self._shown[0] != now:
                self._shown = (now, [self._line(row) for row in range(self.size[1])])
            return list(self._shown[1])

    def _line(self, row: int) -> str:
        """One row of pyte's buffer; half of a wide character that was written over is a blank, as in a terminal."""
        cells = self._screen.buffer[row]
        shown: list[str] = []
        wide = False
        for column in range(self.size[0]):
            data = cells[column].data
            if not (wide and data == ""):
                shown.append(data or " ")
            wide = bool(data) and wcwidth(data[0]) == 2
        return "".join(shown).rstrip()

    def text(self) -> str:
        return "\n".join(self.lines())

    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor, from 0."""
        with self._changed:
            self._feed()
            return self._screen.cursor.x, self._screen.cursor.y

    def wait_until(self, condition: Callable[[], bool], timeout: float = 30.0, what: str = "condition") -> None:
        """Wait until `condition()` holds, looking again whenever output comes; else fail and show the screen."""
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{what} did not hold within {timeout} s; the screen:\n{self.text()}")
            with self._changed:
                self._changed.wait(min(left, 0.05))

    def wait_for(self, text: str, timeout: float = 30.0) -> str:
        """Wait until `text` is on the screen; the whole screen's text."""
        self.wait_until(lambda: text in self.text(), timeout, f"{text!r} on the screen")
        return self.text()

    def wait_gone(self, text: str, timeout: float = 30.0) -> None:
        self.wait_until(lambda: text not in self.text(), timeout, f"{text!r} off the screen")

    def resize(self, size: Size) -> None:
        """Change the terminal's size; the process gets its SIGWINCH."""
        with self._changed:
            self._feed()
            self.size = size
            self._screen.resize(lines=size[1], columns=size[0])
        self._resize_tty(size)

    def _resize_tty(self, size: Size) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    # -- end -----------------------------------------------------------------------------------------------

    def wait_exit(self, timeout: float = 30.0) -> int:
        """The exit status once the process has ended by itself; negative is a signal."""
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {timeout} s; the screen:\n{self.text()}") from None
        self._reader.join(2.0)
        return status

    def hang_up(self) -> None:
        """Close the terminal, as a dropped connection does; the session's leader gets SIGHUP."""
        if self._master >= 0:
            self.unstall()
            master, self._master = self._master, -1
            os.close(master)

    def close(self) -> None:
        """End the process if it still runs, and the terminal."""
        self.unstall()
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self._reader.join(2.0)
        if self._master >= 0:
            os.close(self._master)
            self._master = -1


def terminal_env(**more: str) -> dict[str, str]:
    """The environment for a process under test: this one's, with a colour terminal of UTF-8 and few surprises."""
    dropped = {"NO_COLOR", "TERM_PROGRAM", "LC_TERMINAL", "MOSH_CONNECTION", "TEXTUAL", "COLUMNS", "LINES"}
    kept = {
        name: value for name, value in os.environ.items() if name not in dropped and not name.startswith("TEXTUAL_")
    }
    return kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"} | more


def run_in_pty(
    argv: Sequence[str],
    env: Mapping[str, str] | None = None,
    size: Size = (120, 40),
    keys: Sequence[tuple[str, str]] = (),
    timeout: float = 30.0,
) -> bytes:
    """Run a program in a terminal until it ends; every byte that it wrote.

    keys: pairs (text to wait for on the screen, characters to type then).
    """
    with Screen(argv, env=env, size=size) as screen:
        for awaited, typed in keys:
            screen.wait_for(awaited, timeout)
            screen.send(typed)
        screen.wait_exit(timeout)
        return screen.raw()


_SWITCH = re.compile(rb"\x1b\[\?([0-9;]+)([hl])|\x1b\[([<>])[0-9]*u")
NORMAL = frozenset({b"7", b"25"})
"""What a shell's terminal has switched on: lines wrap, the cursor is shown."""


def switched_on(raw: bytes) -> set[bytes]:
    """The private modes that are on after these bytes, for a terminal that began with NORMAL; `kitty` for a keyboard
    protocol that was pushed and not popped."""
    on, kitty = set(NORMAL), 0
    for modes, how, keys in _SWITCH.findall(raw):
        if keys:
            kitty = max(0, kitty + (1 if keys == b">" else -1))
        for mode in modes.split(b";") if modes else ():
            (on.add if how == b"h" else on.discard)(mode)
    return on | ({b"kitty"} if kitty else set())


_ALLOWED = re.compile(
    "|".join(
        (
            r"\x1b\[[0-9;:]*m",  # colours and attributes
            r"\x1b\[[0-9]+;[0-9]+H",  # cursor position
            r"\x1b\[H",
            r"\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]",  # modes
            r"\x1b\[\?(?:2026|2048)\$p",  # asks what the terminal can do
            r"\x1b\[>[0-9]+u|\x1b\[<u",  # kitty keys on and off
            r"\x1b\]22;[a-z-]*(?:\x07|\x1b\\)",  # pointer shape
            r"\r?\n",
        )
    )
)
_FORBIDDEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0000-\U000e0fff\u115f\u1160\u3164\uffa0]")


def violations(raw: bytes) -> list[str]:
    """Whatever in a terminal's output is neither visible text nor a sequence that the console itself uses.

    Each entry names the offset and what is there. An empty list means: no title, no clipboard, no clearing, no links,
    no bells, no reordering, nothing invisible.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"{error.start}: not UTF-8: {raw[error.start : error.start + 8]!r}"]
    found: list[str] = []
    position = 0
    for token in _ALLOWED.finditer(text):
        found.extend(_hidden(text, position, token.start()))
        position = token.end()
    return found + _hidden(text, position, len(text))


def _hidden(text: str, start: int, end: int) -> list[str]:
    piece = text[start:end]
    if piece.isprintable() and not _SELECTORS.search(piece):
        return []
    bad = (
        at
        for at in range(start, end)
        if unicodedata.category(text[at]) in _FORBIDDEN_KINDS or _SELECTORS.match(text[at])
    )
    return [f"{at}: {text[at : at + 16]!r}" for at in bad]
