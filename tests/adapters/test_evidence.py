"""What is seen of real processes from outside. Every process here ends by itself within a minute."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from process_rig import Driven, boxed, python

from console.adapters import evidence as ev
from console.adapters.evidence import ProcEvidence
from console.engine.ports import Tree

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="this system has no /proc")

LEASH = "import signal; signal.alarm(60)\n"
AGENT = (
    LEASH
    + """
import os, socket, subprocess, sys, time
kept = []
for line in sys.stdin:
    what, _, rest = line.strip().partition(" ")
    if what == "burn":
        end = time.process_time() + 0.1
        while time.process_time() < end: pass
    elif what == "write":
        with open(rest, "wb") as file: file.write(b"x" * 100_000)
    elif what == "child":
        kept.append(subprocess.Popen([sys.executable, "-c", "import signal; signal.alarm(60); signal.pause()", rest]))
    elif what == "connect":
        kept.append(socket.create_connection(("127.0.0.1", int(rest))))
    print("done", flush=True)
"""
)
SHIM = LEASH + "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


class Shimmed:
    """A stand-in for a shim with an agent below it that does as it is told."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SHIM, AGENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.shim = self.process.pid
        self.order("hello")
        self.agent = int(Path(f"/proc/{self.shim}/task/{self.shim}/children").read_text().split()[0])

    def order(self, text: str) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def tree(self, evidence: ProcEvidence | None = None) -> Tree:
        return (evidence or ProcEvidence()).trees({"s": (self.shim, self.agent)})["s"]

    def detail(self) -> str:
        return ProcEvidence().detail(self.shim, self.agent)

    def close(self) -> None:
        for pid in [*self.below(), self.shim]:
            os.kill(pid, signal.SIGKILL)
        self.process.communicate()

    def below(self) -> list[int]:
        table, _ = ProcEvidence()._pass()
        return list(ev._descendants(ev._children(table), self.shim))


@pytest.fixture
def shimmed() -> Iterator[Shimmed]:
    made = Shimmed()
    yield made
    made.close()


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_waiting_tree_shows_the_same_twice(shimmed: Shimmed) -> None:
    until(lambda: shimmed.tree().state == "S")
    first, second = shimmed.tree(), shimmed.tree()
    assert first == second
    assert (first.count, first.complete) == (1, True)
    assert first.words.startswith("python")


def test_cpu_time_bytes_and_children_show(shimmed: Shimmed, tmp_path: Path) -> None:
    before = shimmed.tree()
    shimmed.order("burn")
    burnt = shimmed.tree()
    assert burnt.ticks - before.ticks >= 8
    shimmed.order(f"write {tmp_path / 'out'}")
    written = shimmed.tree()
    assert written.moved - burnt.moved >= 100_000
    shimmed.order("child")
    assert (shimmed.tree().count, shimmed.tree().members != written.members) == (2, True)


def test_a_stopped_agent_shows_its_state(shimmed: Shimmed) -> None:
    os.kill(shimmed.agent, signal.SIGSTOP)
    until(lambda: shimmed.tree().state == "T")
    assert "stopped by a signal (state T)" in shimmed.detail()
    os.kill(shimmed.agent, signal.SIGCONT)


def test_a_session_whose_shim_is_gone_is_left_out_and_others_are_seen(shimmed: Shimmed) -> None:
    over = subprocess.Popen([sys.executable, "-c", ""])
    over.wait()
    seen = ProcEvidence().trees({"gone": (over.pid, over.pid), "here": (shimmed.shim, shimmed.agent)})
    assert list(seen) == ["here"]


def test_where_proc_cannot_be_read_nothing_is_complete_and_nobody_is_left_out(tmp_path: Path) -> None:
    seen = ProcEvidence(str(tmp_path / "none")).trees({"a": (1, 2), "b": (3, 4)})
    assert [tree.complete for tree in seen.values()] == [False, False]


@pytest.mark.row("A16")
def test_without_a_free_descriptor_the_look_says_that_it_is_not_complete(shimmed: Shimmed) -> None:
    program = f"""
import json, resource
from console.adapters.evidence import ProcEvidence
agents = {{"s": ({shimmed.shim}, {shimmed.agent})}}
full = ProcEvidence().trees(agents)["s"].complete
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
blind = ProcEvidence().trees(agents)
said = ProcEvidence().detail({shimmed.shim}, {shimmed.agent})
print(json.dumps([full, "s" in blind and blind["s"].complete, said]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    full, blind, said = json.loads(done.stdout)
    assert (full, blind) == (True, False)
    assert "not everything could be seen" in said


def test_a_suspect_s_connection_and_youngest_child_are_named(shimmed: Shimmed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        shimmed.order(f"connect {port}")
        shimmed.order("child marker")
        asleep = f"pid {shimmed.agent} is sleeping (state S)"
        deadline = time.monotonic() + 10
        while asleep not in (said := shimmed.detail()):
            assert time.monotonic() < deadline, said
    assert f"connected to 127.0.0.1:{port}" in said
    assert "youngest child" in said and " s old" in said


def test_hostile_names_come_out_as_one_plain_line(shimmed: Shimmed) -> None:
    shimmed.order("child \x1b[2J\x1b]0;owned\x07\u202e" + "x" * 500)
    said = shimmed.detail()
    assert said.isprintable() and "\u202e" not in said and len(said) <= ev.DETAIL


def test_a_name_that_looks_like_fields_is_a_name() -> None:
    rest = b"R 7 1 1 0 -1 0 0 0 0 0 3 4 1 2 20 0 1 0 4242 0 0"
    seen = ev.parse_stat(b"12 (a) S 99 (b) " + rest)
    assert seen == ev.Seen(ppid=7, state="R", start=4242, ticks=10, name="a) S 99 (b")
    assert ev.parse_stat(b"") is None and ev.parse_stat(b"12 (cut) R 1") is None


def test_connections_are_read_from_the_kernel_s_table() -> None:
    table = (
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000 0 0 111 1\n"
        "   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 112 1\n"
        "   2: junk\n"
        "   3: 0:0 0000000000000000FFFF00000100007F:0050 01 0:0 0:0 0 0 0 113 1\n"
        "   4: 0:0 B80D0120000000000000000001000000:01BB 01 0:0 0:0 0 0 0 114 1\n"
    )
    if sys.byteorder == "little":
        found = [(111, "127.0.0.1:50000"), (113, "127.0.0.1:80"), (114, "[2001:db8::1]:443")]
        assert list(ev.established(table)) == found


def test_a_ring_of_parents_is_walked_once() -> None:
    assert sorted(ev._descendants({1: [2], 2: [3], 3: [1]}, 1)) == [2, 3]


@pytest.mark.parametrize("kind", ["bare", "mounts", "pids"])
def test_an_agent_in_a_sandbox_of_its_own_is_seen_from_outside(tmp_path: Path, kind: str) -> None:
    code = (
        LEASH
        + "import os, subprocess, sys, time\n"
        + "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.alarm(60); signal.pause()'])\n"
        + "print('ready', flush=True)\n"
        + "end = time.process_time() + 0.3\n"
        + "while time.process_time() < end: pass\n"
        + "os.write(1, b'x' * 50_000)\n"
        + "print('done', flush=True)\n"
        + "signal.pause()\n"
    )
    box = boxed(kind, tmp_path / "locked")
    driven = Driven(tmp_path, python(code), dict(os.environ), **({"sandbox": box} if box else {}))
    try:
        agent = driven.line("started")
        driven.ready()
        evidence, agents = ProcEvidence(), {"s": (driven.shim.pid, agent)}
        before = evidence.trees(agents)["s"]
        until(lambda: b"done" in driven.text())
        until(lambda: evidence.trees(agents)["s"].ticks - before.ticks >= 10)
        after = evidence.trees(agents)["s"]
        assert before.complete and after.complete
        assert after.moved - before.moved >= 50_000
        assert after.count >= 2
        said = evidence.detail(driven.shim.pid, agent)
        assert "youngest child" in said
        named = re.match(r"pid (\d+) is ", said)
        assert named and Path(f"/proc/{named[1]}/comm").read_text().startswith("python"), "the agent, not its keeper"
    finally:
        driven.close()
