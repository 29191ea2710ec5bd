"""What the watchdog sees of processes: one pass over /proc for all agents, and for a suspect what it waits for.

Looks only, signals nobody. What could not be read as a whole is `complete=False`, never "nothing there". Without /proc
(macOS) nothing is ever complete, so that no agent is ended for its silence.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.engine.ports import Tree

GONE = (FileNotFoundError, ProcessLookupError)
PAGE = 4096
STATES = {
    "R": "running",
    "S": "sleeping",
    "D": "in a system call that cannot be interrupted",
    "T": "stopped by a signal",
}
STATES |= {"t": "stopped by a debugger", "Z": "dead, not collected", "I": "idle"}
DETAIL = 300
"""Characters of what is said of a suspect."""
NAMED = 5
DESCRIPTORS, PEERS, NET_BYTES = 2000, 4, 1 << 20
"""How much of a suspect's descriptors and of the connections' table is read."""
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\u00a1-\u024f]+")


@dataclass(slots=True, frozen=True)
class Seen:
    """One process in one pass. start: clock ticks since boot; ticks: CPU time that it and its dead children took."""

    ppid: int
    state: str
    start: int
    ticks: int
    name: str


class ProcEvidence:
    """The port `Evidence`."""

    def __init__(self, proc: str = "/proc") -> None:
        self._proc = proc

    def trees(self, agents: Mapping[str, tuple[int, int]]) -> Mapping[str, Tree]:
        """See `ports.Evidence.trees`."""
        if not agents:
            return {}
        table, complete = self._pass()
        below = _children(table)
        return {
            session: self._tree(table, below, shim, agent, complete)
            for session, (shim, agent) in agents.items()
            if shim in table or not complete
        }

    def _pass(self) -> tuple[dict[int, Seen], bool]:
        """Every process, and whether none was hidden from us by an error of our own."""
        table: dict[int, Seen] = {}
        complete = True
        try:
            pids = [int(name) for name in os.listdir(self._proc) if name.isdigit()]
        except OSError:
            return table, False
        for pid in pids:
            try:
                seen = parse_stat(_read(f"{self._proc}/{pid}/stat"))
            except (*GONE, PermissionError):
                continue  # over, or hidden from our user
            except OSError:
                complete = False
                continue
            if seen:
                table[pid] = seen
        return table, complete and bool(table)

    def _tree(self, table: dict[int, Seen], below: dict[int, list[int]], shim: int, agent: int, complete: bool) -> Tree:
        members = list(_descendants(below, shim))
        ticks = sum(table[pid].ticks for pid in members)
        moved, readable = 0, True
        for pid in members:
            try:
                moved += parse_io(_read(f"{self._proc}/{pid}/io"))
            except (*GONE, PermissionError):
                continue  # gone meanwhile, or of another user: what may not be seen is no fault of ours
            except OSError:
                readable = False
        first = table.get(agent)
        return Tree(
            state=first.state if first else "",
            ticks=ticks,
            moved=moved,
            members=hash(tuple(sorted((pid, table[pid].start) for pid in members))),
            count=len(members),
            words=words(table[pid].name for pid in members),
            complete=complete and readable,
        )

    # -- one suspect -------------------------------------------------------------------------------------

    def detail(self, shim: int, agent: int) -> str:
        """See `ports.Evidence.detail`; at most `DETAIL` characters without anything that a terminal would obey."""
        table, complete = self._pass()
        members = list(_descendants(_children(table), shim))
        first = self._command(_children(table), agent)
        said = [self._waiting(first, table.get(first))]
        if peers := self._peers(agent or shim, members):
            said.append("connected to " + ", ".join(peers))
        if child := self._youngest(table, [pid for pid in members if pid not in (agent, first)]):
            said.append(child)
        if len(members) > 1:
            said.append(f"{len(members)} processes: {words(table[pid].name for pid in members)}")
        if not complete:
            said.append("not everything could be seen")
        return plain("; ".join(said))[:DETAIL]

    def _command(self, below: Mapping[int, list[int]], agent: int) -> int:
        """The agent itself: in a process namespace of its own it is below that one's pid 1, which is below `agent`."""
        for child in below.get(agent, ()):
            inside = re.search(r"^NSpid:\s+\d+(?:\s+\d+)*\s+1$", self._word(child, "status"), re.MULTILINE)
            if inside and below.get(child):
                return min(below[child])
        return agent

    def _waiting(self, pid: int, seen: Seen | None) -> str:
        if seen is None:
            return "its first process is gone"
        said = f"pid {pid} is {STATES.get(seen.state, seen.state)} (state {seen.state})"
        if (wchan := self._word(pid, "wchan")) not in ("", "0"):
            said += f" in {wchan}"
        number = self._word(pid, "syscall").split(" ")[0]
        return f"{said}, system call {number}" if number.isdigit() else said

    def _word(self, pid: int, file: str) -> str:
        try:
            return _read(f"{self._proc}/{pid}/{file}").decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def _peers(self, pid: int, members: Iterable[int]) -> list[str]:
        """Remote ends of the established TCP connections of these processes, as the namespace of `pid` sees them."""
        inodes = self._sockets(members)
        found: dict[str, None] = {}
        for file in ("tcp", "tcp6") if inodes else ():
            try:
                text = _read(f"{self._proc}/{pid}/net/{file}", NET_BYTES).decode("ascii", "replace")
            except OSError:
                continue
            found |= dict.fromkeys(peer for inode, peer in established(text) if inode in inodes)
        return [*list(found)[:PEERS], *(["more"] if len(found) > PEERS else [])]

    def _sockets(self, members: Iterable[int]) -> set[int]:
        found: set[int] = set()
        left = DESCRIPTORS
        for pid in members:
            folder = f"{self._proc}/{pid}/fd"
            try:
                names = os.listdir(folder)[:left]
            except OSError:
                continue
            left -= len(names)
            for name in names:
                try:
                    target = os.readlink(f"{folder}/{name}")
                except OSError:
                    continue
                if match := re.fullmatch(r"socket:\[(\d+)\]", target):
                    found.add(int(match[1]))
        return found

    def _youngest(self, table: dict[int, Seen], pids: list[int]) -> str:
        if not pids:
            return ""
        pid = max(pids, key=lambda pid: table[pid].start)
        try:
            argv = _read(f"{self._proc}/{pid}/cmdline", 200).replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except OSError:
            argv = ""
        age = max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - table[pid].start / os.sysconf("SC_CLK_TCK"))
        return f"youngest child {pid} ({(argv or table[pid].name)[:60]}) is {age:.0f} s old"


def words(names: Iterable[str]) -> str:
    """`3 node, bash`: the names of processes, the most frequent first."""
    counted = Counter(plain(name) for name in names).most_common()
    said = [f"{count} {name}" if count > 1 else name for name, count in counted[:NAMED]]
    return ", ".join([*said, *([f"{len(counted) - NAMED} more names"] if len(counted) > NAMED else [])])


def plain(text: str) -> str:
    """One line of printable characters: names and arguments are the agent's."""
    return _UNPRINTABLE.sub("?", text)


def parse_stat(raw: bytes) -> Seen | None:
    """What /proc/PID/stat says; None for what is no such line."""
    front, back = raw.find(b"("), raw.rfind(b")")
    field = raw[back + 2 :].split()
    if front < 0 or len(field) < 20:
        return None
    return Seen(
        ppid=int(field[1]),
        state=field[0].decode("ascii", "replace"),
        start=int(field[19]),
        ticks=sum(map(int, field[11:15])),
        name=raw[front + 1 : back].decode("utf-8", "replace"),
    )


def parse_io(raw: bytes) -> int:
    """Bytes read and written, sockets that are not read like files left out by the kernel itself."""
    return sum(int(number) for number in re.findall(rb"^[rw]char: (\d+)$", raw, re.MULTILINE))


def established(text: str) -> Iterator[tuple[int, str]]:
    """(inode, remote address:port) of each established connection in /proc/net/tcp or tcp6."""
    for line in text.splitlines()[1:]:
        field = line.split()
        if len(field) >= 10 and field[3] == "01" and field[9].isdigit():
            host, _, port = field[2].partition(":")
            try:
                yield int(field[9]), f"{_address(host)}:{int(port, 16)}"
            except (ValueError, struct.error):
                continue


def _address(digits: str) -> str:
    """The kernel prints words of four bytes in the byte order of the machine."""
    raw = b"".join(struct.pack("=I", int(digits[at : at + 8], 16)) for at in range(0, len(digits), 8))
    if len(raw) == 4:
        return socket.inet_ntop(socket.AF_INET, raw)
    if raw[:12] == b"\0" * 10 + b"\xff\xff":
        return socket.inet_ntop(socket.AF_INET, raw[12:])
    return f"[{socket.inet_ntop(socket.AF_INET6, raw)}]"


def _children(table: Mapping[int, Seen]) -> dict[int, list[int]]:
    below: dict[int, list[int]] = {}
    for pid, seen in table.items():
        below.setdefault(seen.ppid, []).append(pid)
    return below


def _descendants(below: Mapping[int, list[int]], root: int) -> Iterator[int]:
    """Everything below `root`; a pass is no snapshot, so a parent chain may be a ring."""
    waiting, met = [root], {root}
    while waiting:
        for child in below.get(waiting.pop(), ()):
            if child not in met:
                met.add(child)
                waiting.append(child)
                yield child


def _read(path: str, most: int = PAGE) -> bytes:
    """The first bytes of a /proc file. Raises OSError, also one of `GONE`."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        raw = os.read(fd, most)
        while most > PAGE and len(raw) < most and (more := os.read(fd, most - len(raw))):
            raw += more
        return raw
    finally:
        os.close(fd)


def evidence() -> ProcEvidence | None:
    """None where there is no /proc."""
    return ProcEvidence() if Path("/proc/self/stat").exists() else None
