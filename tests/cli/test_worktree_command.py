"""`nightdesk worktree`: what is listed, what goes, and what stays with which reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import ME, CommandLine, git, make_ground

from console import wiring
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Gate, Launch, PolicySpec, Refused, TextVerdict, TicketSpec
from console.engine.ports import Snapshot, Worktree

pytestmark = pytest.mark.usefixtures("line")


class Night(CommandLine):
    """A command line with a repository of its own, and what tickets and sessions left there."""

    def tree(self, ticket: str, *, old: bool = True) -> Path:
        made = wiring.git_of(self.here).ticket_worktree(ticket, f"nightdesk/{ticket}")
        assert isinstance(made, Worktree), made
        if old:
            os.utime(Path(made.path) / ".git", (1e9, 1e9))
        return Path(made.path)

    def agent(self, place: Path) -> str:
        command = cmd.StartSession(
            launch=Launch(argv=("agent",)), cwd=str(place), worktree=str(place), by=ME, label="x", prompt="go"
        )
        added = self.do(command)[0].fact
        assert isinstance(added, ev.SessionAdded)
        self.report(ev.SessionStarted(session=added.session, run=1, conversation="", pid=1))
        return added.session

    def gone(self, session: str) -> None:
        self.report(ev.Exited(session=session, run=1, how="exited", code=0))

    def ticket(self, name: str) -> Path:
        """Seen, and at work in a worktree of its own, as far as the log tells."""
        place = self.tree(name)
        verdict = TextVerdict()
        spec = TicketSpec(title=name)
        self.report(ev.TicketSeen(ticket=name, file=f"{name}.md", digest="d", stamp="s", spec=spec, verdict=verdict))
        self.report(ev.TicketClaimed(ticket=name, run="", attempt=1, digest="d", verdict=verdict))
        self.report(
            ev.TicketBegun(
                ticket=name, attempt=1, session="", policy="", worktree=str(place), branch=f"nightdesk/{name}", base="b"
            )
        )
        return place

    def ended(self, name: str, outcome: str) -> None:
        self.report(ev.TicketEnded(ticket=name, attempt=1, outcome=outcome, why="because"))  # type: ignore[arg-type]

    def cleaned(self, *words: str) -> dict[str, str]:
        """{folder's name: "" when it went, or why it stayed}."""
        said = self.ok("worktree", "clean", "--json", *words).json
        gone = {os.path.basename(one["path"]): "" for one in said["removed"]}
        return gone | {os.path.basename(one["path"]): one["why"] for one in said["kept"]}


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Night]:
    (tmp_path / "ground").mkdir()
    (tmp_path / "home").mkdir()
    line = Night(make_ground(tmp_path / "ground"), tmp_path / "home", monkeypatch, capsys)
    yield line
    line.close()


def test_nothing_of_ours_is_listed_where_there_is_nothing(line: Night) -> None:
    assert line.ok("worktree", "list", "--json").json == {"worktrees": []}
    assert "made no worktrees" in line.ok("worktree", "clean").out
    assert line.other.is_dir()


def test_list_says_who_uses_what(line: Night) -> None:
    place = line.ticket("T-1")
    (place / "new.txt").write_text("x")
    line.tree("T-2")
    one, two = line.ok("worktree", "list", "--json").json["worktrees"]
    assert (one["path"], one["branch"], one["ticket"], one["state"]) == (str(place), "nightdesk/T-1", "T-1", "working")
    assert (one["clean"], one["changed"], one["bytes"] > 0, one["age"] > 0) == (False, 1, True, True)
    assert (two["ticket"], two["state"], two["clean"], two["sessions"]) == (None, "unused", True, [])
    table = line.ok("worktree", "list").out
    assert "nightdesk/T-1" in table and "1 changed" in table and str(line.other) not in table


def test_what_is_in_use_stays_also_when_forced(line: Night) -> None:
    place = line.ticket("T-1")
    assert "T-1 is working" in line.cleaned("--force", "T-1")["T-1"]
    other = line.tree("T-2")
    session = line.agent(other)
    assert f"session {session} is" in line.cleaned("--force", session)["T-2"]
    assert place.is_dir() and other.is_dir()


def test_what_ended_clean_goes_and_its_branch_only_when_asked(line: Night) -> None:
    for name in ("T-1", "T-2"):
        line.ticket(name)
        line.ended(name, "FAILED_BUG_IN_AGENT")
    assert line.cleaned("--dry-run") == {"T-1": "", "T-2": ""}
    assert line.cleaned() == {"T-1": "", "T-2": ""}
    assert line.ok("worktree", "list", "--json").json == {"worktrees": []}
    branches = line.here.root / ".git/refs/heads/nightdesk"
    assert sorted(one.name for one in branches.iterdir()) == ["T-1", "T-2"]
    line.tree("T-1")
    assert line.cleaned("--branches") == {"T-1": ""}
    assert [one.name for one in branches.iterdir()] == ["T-2"]


def test_a_parked_ticket_keeps_its_place(line: Night) -> None:
    line.ticket("T-1")
    line.ended("T-1", "PARKED_DECISION")
    assert "waits for a decision" in line.cleaned()["T-1"]


def test_an_earlier_attempts_place_goes_while_the_present_one_stays(line: Night) -> None:
    line.ticket("T-1")
    again = line.tree("T-1-2")
    verdict = TextVerdict()
    line.ended("T-1", "PARKED_DECISION")
    line.report(ev.TicketClaimed(ticket="T-1", run="", attempt=2, digest="d", verdict=verdict))
    line.report(
        ev.TicketBegun(
            ticket="T-1", attempt=2, session="", policy="", worktree=str(again), branch="nightdesk/T-1-2", base="b"
        )
    )
    assert set(line.cleaned()) == {"T-1", "T-1-2"} and again.is_dir()
    assert line.ok("worktree", "list", "--json").json["worktrees"][0]["state"] == "an earlier attempt"
    line.report(ev.TicketEnded(ticket="T-1", attempt=2, outcome="PARKED_DECISION", why="because"))
    assert line.cleaned() == {"T-1": "", "T-1-2": "ticket T-1 waits for a decision and goes on there"}


def test_work_stays_until_a_person_names_it_and_is_told_what_is_lost(line: Night) -> None:
    place = line.ticket("T-1")
    line.ended("T-1", "FAILED_BUG_IN_AGENT")
    (place / "new.txt").write_text("work")
    why = line.cleaned()["T-1"]
    assert "1 not committed: new.txt" in why and "clean --force T-1" in why
    assert (place / "new.txt").exists()
    assert line.run("worktree", "clean", "--force", "T-9").code == 3
    said = line.ok("worktree", "clean", "--force", "T-1")
    assert "lost" in said.err and "new.txt" in said.err and "removed T-1" in said.out
    assert not place.exists()


def test_work_that_a_snapshot_has_may_go(line: Night) -> None:
    place = line.tree("T-1")
    session = line.agent(place)
    (place / "new.txt").write_text("work")
    taken = wiring.snapshots_of(line.here).take(str(place), f"{session}/1", 1_700_000_000)
    assert isinstance(taken, Snapshot), taken
    line.report(ev.SnapshotTaken(session=session, turn=1, snapshot=taken.snapshot))
    line.gone(session)
    (place / "later.txt").write_text("not in it")
    assert "not committed" in line.cleaned()["T-1"]
    (place / "later.txt").unlink()
    said = line.ok("worktree", "clean").out
    assert f"snapshot {taken.snapshot[:10]}" in said and not place.exists()


def test_what_a_failed_start_left_goes_once_it_is_old(line: Night) -> None:
    made = wiring.git_of(line.here).add_worktree("fix/x", "fix/x")
    assert isinstance(made, Worktree)
    name = os.path.basename(made.path)
    assert "made just now" in line.cleaned()[name]
    os.utime(Path(made.path) / ".git", (1e9, 1e9))
    assert line.cleaned("--branches")[name] == ""
    assert not (line.here.root / ".git/refs/heads/fix/x").exists()


def test_a_waiting_plan_keeps_the_place_it_was_made_in(line: Night) -> None:
    from msgspec.structs import replace

    place = line.tree("T-1")
    session = line.agent(place)
    line.turn(session)
    attached = line.do(cmd.AttachPolicy(spec=PolicySpec(sessions=(session,), gate=Gate(argv=("true",))), by=ME))
    policy = attached[0].fact
    assert isinstance(policy, ev.PolicyAttached)
    plan = replace(line.frozen(1), worktree=str(place))
    line.report(
        ev.PolicyCommitReady(
            policy=policy.policy, plan=plan.commit, cwd=str(place), paths=("a.txt",), message="m", frozen=plan
        )
    )
    line.gone(session)
    assert f"plan {plan.commit[:10]} is waiting" in line.cleaned("--force", "T-1")["T-1"]


def test_an_agent_may_not_clean(line: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    from console.adapters import operator

    monkeypatch.setattr(operator, "inside_a_session", lambda: True)
    said = line.run("worktree", "clean")
    assert said.code != 0 and "for the operator" in said.err


def test_the_linked_worktree_of_the_operator_is_never_looked_at(line: Night) -> None:
    git(line.other, "commit", "-q", "--allow-empty", "-m", "own")
    assert line.cleaned("--branches") == {}
    assert line.other.is_dir()
    assert isinstance(wiring.git_of(line.here).remove_worktree(str(line.other), force=True), Refused)
