"""A lent conversation under a supervisor, and the two ends of it in a console."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from night import ENDED, ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, RepoChange
from console.engine import borrowing, lending
from console.engine.client import Client
from console.engine.desk import Opening
from console.engine.ports import Look

TALKER = Launch(argv=("agent",), interactive=("agent", "--resume", "{conversation}"))
OPENING = Opening(argv=("/bin/agent", "--resume", "c1"), cwd="/w", env={})
HOOK = Look(baseline="b", seen="x", changes=(RepoChange(item="hook pre-commit", severity="runs"),))


class Machine:
    """Which consoles live, and what is left of the programs they opened."""

    def __init__(self, night: Night) -> None:
        self.consoles = {(50, 7)}
        self.left: Sequence[str] = ()
        night.world = replace(
            night.world, alive=lambda pid, start: (pid, start) in self.consoles, survivors=lambda _sessions: self.left
        )


@pytest.fixture
def machine(night: Night, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(lending, "PATIENCE", 0.1)
    return Machine(night)


def lend(session: str, pid: int = 50) -> cmd.LendSession:
    return cmd.LendSession(session=session, by=ME, pid=pid, start_time=7)


async def lent(night: Night) -> str:
    """A session that had a turn under this supervisor, whose agent rests for a loan."""
    session = night.session(launch=TALKER)
    await night.until(lambda state: state.sessions[session].turn and state.sessions[session].turn.end_seq)
    night.do(lend(session))
    await night.until(lambda state: state.sessions[session].phase == "suspended")
    return session


async def test_the_agent_ends_for_it_and_comes_up_with_its_conversation_when_it_is_back(
    night: Night, machine: Machine
) -> None:
    night.script.expect("start", "c1", "c1")
    night.expect_turn(ENDED, ENDED)
    async with night.supervised():
        session = await lent(night)
        night.do(cmd.SendPrompt(session=session, text="meanwhile", by=ME))
        await night.until(lambda state: state.seq >= night.sup.state.seq >= state.seq)  # type: ignore[union-attr]
        assert len(night.agents.started) == 1 and night.agents.started[0].stopped
        night.do(cmd.ReturnSession(session=session, pid=50, code=0))
        await night.until(lambda state: state.sessions[session].turns == 2 and state.sessions[session].turn.end_seq)
    again = night.agents.started[1]
    assert again.spec.conversation == "c1" and again.prompts == [(2, "meanwhile")]


async def test_a_console_that_died_is_seen_and_what_it_left_has_a_moment(night: Night, machine: Machine) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        session = await lent(night)
        machine.left = ("77 agent --resume c1",)
        machine.consoles.clear()
        await night.until(lambda state: not state.sessions[session].lent)
    (back,) = night.facts(ev.SessionReturned)
    assert (back.pid, back.start_time, back.code) == (50, 7, None)
    assert back.note == "the console that had it is gone; of its program still runs 77 agent --resume c1"
    assert night.state.sessions[session].unproven, "the next start looks for it"


async def test_the_next_supervisor_looks_too(night: Night, machine: Machine) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        session = await lent(night)
    assert night.state.sessions[session].lent
    machine.consoles.clear()
    async with night.supervised():
        await night.until(lambda state: not state.sessions[session].lent)
    assert night.facts(ev.SessionReturned)[0].note == "the console that had it is gone"


async def test_a_supervisor_that_would_leave_stays_until_it_is_back(night: Night, machine: Machine) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised(linger=0.05) as task:
        session = await lent(night)
        assert night.sup and night.sup.busy() and not task.done()
        night.do(cmd.ReturnSession(session=session, pid=50, code=0))
        assert await task == "nothing left to do"


async def test_what_its_program_did_to_the_git_dir_is_told_and_never_taken_for_the_operators(
    night: Night, machine: Machine
) -> None:
    night.script.expect("start", "c1", "c2")
    night.expect_turn(ENDED, ENDED)
    async with night.supervised():
        session = await lent(night)
        before = night.watch.did.count(("rebase",))
        other = night.session("beside it")
        await night.until(lambda state: state.sessions[other].turn and state.sessions[other].turn.end_seq)
        assert night.watch.did.count(("rebase",)) == before, "while it is open nothing becomes the baseline"
        night.watch.rest = HOOK
        night.do(cmd.ReturnSession(session=session, pid=50, code=0))
        await night.until(lambda state: state.alerts)
    (told,) = night.facts(ev.RepositoryChanged)
    assert (told.session, told.changes[0].item) == (session, "hook pre-commit")


@pytest.mark.parametrize("first", [False, True])
async def test_with_nobody_at_work_what_is_there_before_it_opens_is_the_operators(
    night: Night, machine: Machine, first: bool
) -> None:
    session = night.session(launch=TALKER, prompt="")
    night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
    night.report(ev.SessionInterrupted(session=session, run=1))
    if first:
        night.do(lend(session))
    async with night.supervised():
        await night.until(lambda state: state.supervisor)
        if not first:
            night.do(lend(session))
        await night.until(lambda _state: ("rebase",) in night.watch.did)


async def test_what_was_open_under_a_supervisor_that_broke_off_is_not_taken_for_the_operators(
    night: Night, machine: Machine
) -> None:
    session = suspended(night)
    night.report(ev.SupervisorStarted(pid=3, start_time=1, host="h", version="0"))
    night.report(ev.SessionInterrupted(session=session, run=1))
    night.do(lend(session))
    night.watch.rest = HOOK
    async with night.supervised():
        await night.until(lambda state: state.supervisor.pid == 77)
        night.do(cmd.ReturnSession(session=session, pid=50, code=0))
        await night.until(lambda state: state.alerts)
    assert ("rebase",) not in night.watch.did


# -- in a console ----------------------------------------------------------------------------------------


def desk(opening: Opening | Refused = OPENING) -> Any:
    return SimpleNamespace(opening=lambda _session: opening, me=lambda: (50, 7), who=lambda: ME)


def suspended(night: Night) -> str:
    session = night.session(launch=TALKER, prompt="")
    night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
    return session


def client(night: Night, trouble: Refused | None = None) -> Client:
    return Client(night.journal, lambda: None, lambda: trouble)


def test_what_cannot_be_opened_is_not_taken(night: Night) -> None:
    session = suspended(night)
    said = borrowing.take(client(night), desk(Refused(reason="no program")), session)
    assert said == Refused(reason="no program") and not night.facts(ev.SessionLent)


def test_one_whose_agent_does_not_end_in_time_is_given_back(night: Night) -> None:
    session = suspended(night)
    said = borrowing.take(client(night), desk(), session, patience=0.05)
    assert isinstance(said, Refused) and "did not end within 0.05 s" in said.reason
    (back,) = night.facts(ev.SessionReturned)
    assert back.code == borrowing.NOT_OPENED and not night.state.sessions[session].lent
    assert not night.state.sessions[session].unproven


def test_one_that_nobody_could_end_is_given_back(night: Night) -> None:
    session = suspended(night)
    said = borrowing.take(client(night, Refused(reason="no lock")), desk(), session)
    assert said == Refused(reason="recorded, but not done yet: no lock") and not night.state.sessions[session].lent


def test_ctrl_c_while_it_waits_gives_it_back(night: Night) -> None:
    session = suspended(night)
    impatient = client(night)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    impatient.await_effect = interrupted  # type: ignore[method-assign, assignment]
    with pytest.raises(KeyboardInterrupt):
        borrowing.take(impatient, desk(), session)
    assert not night.state.sessions[session].lent


@pytest.mark.parametrize("how", ["stuck", "taken back"])
def test_one_that_changed_while_it_was_awaited_is_not_opened(night: Night, how: str) -> None:
    session = suspended(night)
    slow = client(night)

    def meanwhile() -> Refused | None:
        if how == "taken back":
            night.report(ev.SessionReturned(session=session, pid=50, start_time=7, note="gone"))
        else:
            night.report(ev.Exited(session=session, run=1, how="unkillable", reason="pid 9 in state D"))
        return None

    slow._summon = meanwhile
    said = borrowing.take(slow, desk(), session, patience=5)
    assert isinstance(said, Refused)
    words = {"stuck": "pid 9 in state D", "taken back": "was taken back"}
    assert words[how] in said.reason and not night.state.sessions[session].lent


def test_a_conversation_that_is_not_ours_is_not_given_back(night: Night) -> None:
    session = suspended(night)
    night.do(lend(session, pid=51))
    borrowing.give_back(client(night), desk(), session, 0)
    assert night.state.sessions[session].lent
