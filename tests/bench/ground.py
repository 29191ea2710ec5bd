"""Where measurements stand: a temporary home and repositories, logs written through the real brain, the commands."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rawterm import Size

from console import wiring
from console.adapters.lock import Lock
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, Who
from console.engine.journal import Journal

BENCH = Path(__file__).resolve().parent
ME = Who(user="bench", via="bench")
IDLE = Launch(argv=("true",), protocol="command")
PROMPT = "Fix the rounding of prices in shop/prices.py; leave the tests alone, and say what you changed."


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: by hand for figures, in CI only to see that figures come out.

    warm: rounds before those that count. sizes: terminals in which fifty working sessions are watched. sleepers, forks:
    processes of the trees that are ended. waiters: processes that wait for the log at once. million, tickets, files:
    events, tickets and ticket files of the large workspaces. crowd: live sessions in each of the crowded ones. presses:
    keys in a crowd.
    """

    rounds: int
    warm: int
    seconds: float
    settle: float
    events: int
    landings: int
    appends: int
    sizes: tuple[Size, ...]
    sleepers: int = 500
    forks: int = 300
    waiters: int = 20
    million: int = 1_000_000
    tickets: int = 10_000
    files: int = 20_000
    crowd: tuple[int, ...] = (50, 200)
    presses: int = 300


USUAL: Size = (120, 40)
TALL: Size = (120, 240)
"""Tall enough that all fifty rows are on the screen."""
FULL = Scale(rounds=15, warm=1, seconds=20.0, settle=3.0, events=100_000, landings=7, appends=200, sizes=(USUAL, TALL))
TINY = Scale(
    rounds=1,
    warm=0,
    seconds=0.5,
    settle=0.1,
    events=600,
    landings=1,
    appends=20,
    sizes=(USUAL,),
    sleepers=12,
    forks=12,
    waiters=1,
    million=2_000,
    tickets=40,
    files=40,
    crowd=(12,),
    presses=6,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder of its own. environ: for every process that is measured."""

    place: Path
    scale: Scale
    environ: dict[str, str]

    @classmethod
    def make(cls, place: Path, scale: Scale) -> Ground:
        """Byte code is kept in `place` for the full scale, so that starts are warm whatever this environment says."""
        dropped = ("GIT_", "NIGHTDESK_", "XDG_", "TEXTUAL", "PYTHONDONTWRITEBYTECODE", "NO_COLOR", "COLUMNS", "LINES")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        home = place / "home"
        home.mkdir(parents=True)
        home.joinpath(".gitconfig").write_text(
            "[user]\n name = Bench\n email = bench@nightdesk.invalid\n[init]\n defaultBranch = main\n"
        )
        environ = kept | {"HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        if scale is FULL:
            environ["PYTHONPYCACHEPREFIX"] = str(place / "bytecode")
        return cls(place, scale, environ)

    def workspace(self, name: str) -> wiring.Here:
        """A new repository with one commit."""
        root = self.place / name
        root.mkdir()
        root.joinpath("note.txt").write_text("one line\n")
        self.git(root, "init", "-q")
        self.git(root, "add", "--all")
        self.git(root, "commit", "-q", "-m", "first")
        here = wiring.locate(root, self.environ)
        assert not isinstance(here, Refused), here
        return here

    def desk(self, name: str) -> wiring.Here:
        """One in which something was worked on and nothing is left: a console shows its desk, not the first steps."""
        here = self.workspace(name)
        journal = wiring.open_journal(here)
        session = add_session(journal, "over")
        journal.submit(report(ev.Exited(session=session, run=1, how="stopped", code=0, stopped=True)))
        journal.close()
        return here

    def git(self, cwd: Path, *args: str) -> str:
        ran = subprocess.run(["git", *args], cwd=cwd, env=self.environ, capture_output=True, text=True, check=True)
        return ran.stdout.strip()

    def nightdesk(self, here: wiring.Here, *args: str) -> list[str]:
        """The installed command; without one, what its entry point does."""
        script = Path(sys.executable).parent / "nightdesk"
        start = [str(script)] if script.exists() else [sys.executable, "-c", "from console.front import main; main()"]
        return [*start, "--workspace", str(here.root), *args]

    def python(self, program: str, *args: str) -> list[str]:
        """One of the programs beside this file."""
        return [sys.executable, str(BENCH / program), *args]


@contextmanager
def locked(here: wiring.Here) -> Iterator[None]:
    """Hold the workspace's lock, as a supervisor elsewhere would: consoles attach, and nothing acts."""
    lock = Lock(here.places.lock)
    assert lock.take("bench")
    try:
        yield
    finally:
        lock.release()


def report(*facts: ev.Fact) -> cmd.Report:
    return cmd.Report(facts=facts)


def add_session(journal: Journal, label: str, prompt: str = "") -> str:
    result = journal.submit(cmd.StartSession(launch=IDLE, cwd="/w", worktree="/w", by=ME, label=label, prompt=prompt))
    assert not isinstance(result, Refused), result
    added = result[0].fact
    assert isinstance(added, ev.SessionAdded)
    journal.submit(report(ev.SessionStarted(session=added.session, run=1, conversation="c", pid=1, shim_pid=1)))
    return added.session


def working_sessions(here: wiring.Here, count: int) -> list[str]:
    """So many sessions in the middle of their first turn."""
    journal = wiring.open_journal(here)
    names = [add_session(journal, f"agent-{number:02}", PROMPT) for number in range(1, count + 1)]
    for name in names:
        journal.submit(report(ev.TurnStarted(session=name, turn=1, ref="refs/heads/main", head="0" * 40)))
    journal.close()
    return names


def long_log(here: wiring.Here, events: int) -> None:
    """About so many events: fifty sessions that take turns, three events each. No checkpoint."""
    journal = wiring.open_journal(here)
    names = [add_session(journal, f"agent-{number:02}") for number in range(1, 51)]
    turn = 0
    while journal.state.seq < events:
        turn += 1
        commands: list[cmd.Command] = []
        for name in names:
            commands += [
                cmd.SendPrompt(session=name, text=PROMPT, by=ME),
                report(ev.TurnStarted(session=name, turn=turn, ref="refs/heads/main", head="0" * 40)),
                report(ev.TurnEnded(session=name, turn=turn, ok=True, stop="end_turn", head="0" * 40)),
            ]
        journal.submit_all(commands)
    journal.close()


def until(found: Callable[[], bool], timeout: float, what: str, every: float = 0.001) -> float:
    """Look until it is there; the monotonic time at which it was."""
    deadline = time.monotonic() + timeout
    while not found():
        assert time.monotonic() < deadline, f"{what} did not come within {timeout:g} s"
        time.sleep(every)
    return time.monotonic()
