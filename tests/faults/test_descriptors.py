"""Row F5: a supervisor with hardly any descriptors. What is new waits, ending and recording still work, and it goes on
by itself."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "nights"))

from nightrig import NightRig, until

from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, Who
from console.core.state import State
from console.engine.journal import Journal

ME = Who(user="ada")
LIMIT = 64
WITH_LIMIT = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({LIMIT}, {LIMIT}))
os.execvp(sys.argv[1], sys.argv[1:])
"""
WORK = ("sh", "-c", "i=0; while [ $i -lt 500 ]; do i=$((i+1)); sleep 0.1; done")
"""Less than a minute, whatever happens."""


class NarrowRig(NightRig):
    """Supervisors have `LIMIT` descriptors; the log is read and written here. What another process asks for."""

    warm = False
    journal: Journal

    def argv(self, *args: str) -> list[str]:
        limited = [sys.executable, "-c", WITH_LIMIT] if args[:1] == ("run",) else []
        return [*limited, *super().argv(*args)]

    def open(self) -> None:
        (log,) = (self.home / ".local/state/nightdesk").glob("*/log.db")
        self.journal = Journal(Log(log), time.time)

    @property
    def state(self) -> State:
        self.journal.refresh()
        return self.journal.state

    def told(self, kind: type[ev.Event]) -> list[ev.Fact]:
        return [entry.fact for entry in self.journal.since(0) if isinstance(entry.fact, kind)]

    def do(self, command: cmd.Command) -> None:
        assert not isinstance(self.journal.submit(command), Refused)

    def begin(self) -> str:
        launch = Launch(argv=WORK, protocol="command")
        self.do(cmd.StartSession(launch=launch, cwd=str(self.repo), worktree=str(self.repo), by=ME, prompt="go"))
        return list(self.state.sessions)[-1]

    def at_work(self) -> set[str]:
        return {s.session for s in self.state.sessions.values() if s.phase == "working"}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[NarrowRig]:
    made = NarrowRig(tmp_path)
    yield made
    made.journal.close()
    made.close()


@pytest.mark.row("F5", "A16")
def test_with_hardly_any_descriptors_ending_and_recording_work_and_the_rest_waits(rig: NarrowRig) -> None:
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > LIMIT
    rig.ready()
    rig.ok("ticket", "list")
    rig.open()
    supervisor = rig.start("run", "--idle")
    until(lambda: rig.state.supervisor, 20)
    while not rig.state.lacking:
        assert len(rig.state.sessions) < 15, "it never ran out"
        one = rig.begin()
        until(lambda one=one: rig.state.lacking or one in rig.at_work(), 20)  # type: ignore[misc]
    said = rig.state.lacking["descriptors"]
    assert f"of {LIMIT} descriptors are open" in said.why
    late = rig.begin()
    before = rig.at_work()
    assert len(before) >= 2 and late not in before
    for session in before:
        rig.do(cmd.StopSession(session=session, by=ME))
    until(lambda: all(rig.state.sessions[session].phase == "exited" for session in before), 30)
    assert all(rig.state.sessions[session].stopped for session in before)
    until(lambda: not rig.state.lacking and late in rig.at_work(), 20)
    assert supervisor.poll() is None and rig.told(ev.SupervisorTrouble) == []
    rig.ok("stop")
    supervisor.communicate(timeout=30)
    assert rig.told(ev.SupervisorStopped), "the end is recorded too"
