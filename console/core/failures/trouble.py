"""Trouble of the machine in a run's end and output, told from a failure of the work.

Output can lie: whoever prints these words is at most taken for blocked, never for green.
"""

from __future__ import annotations

from collections.abc import Callable

from console.core.failures.lines import lines_of, tidy
from console.core.records import GateResult, Record

_SHOWN = 160


class Trouble(Record, frozen=True, kw_only=True):
    """kind: a short stable name, equal when the same trouble comes again. text: one sentence. own: work can cause it
    by itself (a port that it takes twice, a program that it newly calls), so the base must show it too to count."""

    kind: str
    text: str
    own: bool = False


class _Rule(Record, frozen=True, kw_only=True):
    """A line that holds one of `words` (lower case), or that `also` takes."""

    kind: str
    says: str
    words: tuple[str, ...] = ()
    also: Callable[[str], bool] | None = None
    own: bool = False


def _tty(line: str) -> bool:
    denied = ("no such device", "cannot open", "can't open", "could not open", "failed to open", "not available")
    return "/dev/tty" in line and any(word in line for word in denied)


def _lock(line: str) -> bool:
    return ".lock'" in line and ("file exists" in line or "unable to create" in line)


def _missing(line: str) -> bool:
    """make and npm hide the shell's 126 and 127 behind an exit status of their own."""
    return line.startswith(("make", "gmake")) and line.endswith((" error 127", " error 126"))


_RULES = (
    _Rule(kind="missing", says="a program that the gate needs is missing or cannot start", also=_missing, own=True),
    _Rule(
        kind="lock",
        says="another program holds a lock, or left one",
        words=(
            "another git process seems to be running",
            "could not lock config file",
            "could not get lock /var/",
            "unable to acquire the dpkg",
            "blocking waiting for file lock",
            "timeout waiting to lock",
        ),
        also=_lock,
    ),
    _Rule(
        kind="prompt",
        says="something asks a person at a terminal, and there is none",
        words=(
            "terminal prompts disabled",
            "could not read username for",
            "could not read password for",
            "a password is required",
            "a terminal is required to read the password",
            "no tty present and no askpass",
            "host key verification failed",
            "permission denied (publickey",
            "the input device is not a tty",
        ),
        also=_tty,
        own=True,
    ),
    _Rule(
        kind="files",
        says="too many files are open or watched",
        words=("too many open files", "emfile", "enfile:", "number of file watchers reached"),
        own=True,
    ),
    _Rule(kind="disk", says="the disk is full", words=("no space left on device", "enospc", "disk quota exceeded")),
    _Rule(
        kind="network",
        says="the network does not answer",
        words=(
            "temporary failure in name resolution",
            "temporary failure resolving",
            "could not resolve host",
            "could not resolve proxy",
            "name or service not known",
            "nodename nor servname provided",
            "getaddrinfo enotfound",
            "eai_again",
            "network is unreachable",
            "no route to host",
            "proxy authentication required",
            "tunnel connection failed",
            "proxyerror",
            "tls handshake timeout",
            "no such host",
        ),
        own=True,
    ),
    _Rule(
        kind="memory",
        says="memory ran out",
        words=("out of memory", "cannot allocate memory", "oomkilled"),
        own=True,
    ),
    _Rule(
        kind="port",
        says="a network port is in use already",
        words=("address already in use", "eaddrinuse", "port is already allocated"),
        own=True,
    ),
    _Rule(
        kind="service",
        says="a service that the gate needs does not answer",
        words=("cannot connect to the docker daemon", "connection refused", "econnrefused", "database is locked"),
        own=True,
    ),
)


def trouble(result: GateResult) -> Trouble | None:
    """What of the machine went wrong in a run that was not green; None when nothing shows it."""
    if result.verdict == "green":
        return None
    if result.verdict == "unjudged":
        return Trouble(kind="unjudged", text=result.reason or "nobody could tell how the gate ended")
    lines = lines_of(result.output)
    if result.code in (126, 127):
        last = f": {_shown(lines[-1])}" if lines else ""
        text = f"exit {result.code}, a program that the gate needs is missing or cannot start{last}"
        return Trouble(kind="missing", text=text, own=True)
    if result.verdict == "red" and (result.signal == 9 or result.code == 137):
        return Trouble(kind="memory", text="killed from outside (signal 9), as when memory runs out", own=True)
    return _told(lines)


def _told(lines: list[str]) -> Trouble | None:
    """The first rule that any line meets; of its lines the last one is shown."""
    lower = [line.strip().lower() for line in lines]
    for rule in _RULES:
        for line, low in zip(reversed(lines), reversed(lower), strict=True):
            if any(word in low for word in rule.words) or (rule.also and rule.also(low)):
                return Trouble(kind=rule.kind, text=f"{rule.says}: {_shown(line)}", own=rule.own)
    return None


def environment(result: GateResult) -> str:
    """One sentence when the run shows trouble of the machine rather than of the work, else ""."""
    found = trouble(result)
    return found.text if found else ""


def _shown(line: str) -> str:
    return tidy(line)[:_SHOWN]
