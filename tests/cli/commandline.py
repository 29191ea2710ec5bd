"""The command line in this process, as `nightdesk` runs it: words in, exit code and both outputs out. What an earlier
supervisor would have written is appended to the log directly, so that no process is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from console import wiring
from console.adapters import trust
from console.adapters.lock import Lock
from console.cli import main
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import (
    CommitSpec,
    Frozen,
    Gate,
    GateResult,
    Identity,
    Launch,
    OnFail,
    PlanPath,
    PolicySpec,
    Refused,
    Who,
)
from console.engine.journal import Journal

ME = Who(user="ada")
CONFIG = """\
# what gates may run
gate: make check

allowed_commands: [make, python3]
"""


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """A fresh home over a repository with one linked worktree (see `make_ground`), which no command here changes.
    Somebody holds the lock, so that nothing is summoned."""

    def __init__(
        self, ground: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.home, self.place, self.root, self.other = home, ground, ground / "repo", ground / "linked"
        self.config = self.root / ".nightdesk" / "config.yaml"
        self._patch, self._capsys = monkeypatch, capsys
        for name in [name for name in os.environ if name.startswith(("XDG_", "GIT_"))]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.chdir(self.root)
        self.here = self._locate()
        self.lock = Lock(self.here.places.lock)
        assert self.lock.take("the test")
        self.journal: Journal = wiring.open_journal(self.here)
        self.settle(CONFIG)

    def _locate(self) -> wiring.Here:
        here = wiring.locate(self.root, os.environ)
        assert not isinstance(here, Refused), here
        return here

    def close(self) -> None:
        self.journal.close()
        self.lock.release()

    def settle(self, config: str, *, trusted: bool = True) -> None:
        self.config.parent.mkdir(exist_ok=True)
        self.config.write_text(config)
        if trusted:
            trust.record_trust(self.here.places.trust, self.root, trust.load(self.root).digest)

    def run(self, *words: str) -> Said:
        """One command, with its exit code. A traceback is a failure of the test."""
        self._patch.setattr(sys, "argv", ["nightdesk", *words])
        self._capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            out, err = self._capsys.readouterr()
            return Said(end.code if isinstance(end.code, int) else 0, out, err)

    def ok(self, *words: str) -> Said:
        said = self.run(*words)
        assert said.code == 0, said
        return said

    # -- what an earlier night left ----------------------------------------------------------------------

    def do(self, command: cmd.Command) -> Sequence[ev.Logged]:
        result = self.journal.submit(command)
        assert not isinstance(result, Refused), result
        return result

    def report(self, *facts: ev.Fact) -> None:
        self.do(cmd.Report(facts=facts))

    def session(self, label: str = "", prompt: str = "go", env: dict[str, str] | None = None) -> str:
        launch, folder = Launch(argv=("agent",), env=env or {}), str(self.root)
        command = cmd.StartSession(launch=launch, cwd=folder, worktree=folder, by=ME, label=label, prompt=prompt)
        added = self.do(command)[0].fact
        assert isinstance(added, ev.SessionAdded)
        self.report(ev.SessionStarted(session=added.session, run=1, conversation="c", pid=1))
        return added.session

    def turn(self, session: str, number: int = 1) -> None:
        self.report(ev.TurnStarted(session=session, turn=number, ref="refs/heads/main", head="a" * 40))
        self.report(ev.TurnEnded(session=session, turn=number, ok=True, stop="end_turn", head="a" * 40))

    def frozen(self, number: int) -> Frozen:
        return Frozen(
            commit=f"{number:x}" * 40,
            base="a" * 40,
            tree="b" * 40,
            ref="refs/heads/main",
            ref_old="a" * 40,
            message="Fix a\n\nbecause",
            author=Identity(name="Ada", email="ada@example.com"),
            when=1_700_000_000,
            zone="+0000",
            paths=(PlanPath(path="a.txt", old_mode="100644", old_oid="1" * 40, mode="100644", oid="2" * 40),),
            worktree=str(self.root),
            store="/nowhere",
            added=3,
            removed=1,
        )

    def waiting_plan(self) -> tuple[str, str, str]:
        """(session, policy, plan)"""
        session = self.session("fixer")
        spec = PolicySpec(
            sessions=(session,),
            then="commit",
            gate=Gate(argv=("make", "check")),
            on_fail=OnFail(nudge="again"),
            commit=CommitSpec(paths=("a.txt",), message="Fix a"),
        )
        attached = self.do(cmd.AttachPolicy(spec=spec, by=ME))[0].fact
        assert isinstance(attached, ev.PolicyAttached)
        self.turn(session)
        self.judge(attached.policy, 1)
        return session, attached.policy, self.frozen(1).commit

    def judge(self, policy: str, number: int) -> None:
        green = GateResult(verdict="green", where="worktree", code=0, seconds=1.5)
        self.report(ev.PolicyJudged(policy=policy, attempt=number, results=(green,), plan=self.frozen(number)))


def make_ground(place: Path) -> Path:
    """`repo` and its linked worktree `linked`, for many tests: making them takes longer than the commands."""
    git(place, "init", "-q", "-b", "main", str(place / "repo"))
    git(place / "repo", "commit", "-q", "--allow-empty", "-m", "first")
    git(place / "repo", "worktree", "add", "-q", str(place / "linked"), "-b", "linked")
    return place


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=30)
