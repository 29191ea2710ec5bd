"""How a command waits: a supervisor that dies meanwhile is replaced; what stands in the way is not left standing."""

from __future__ import annotations

import pytest
from night import ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.engine import client as room
from console.engine.client import Client


class Summons:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


@pytest.fixture
def summons() -> Summons:
    return Summons()


@pytest.fixture
def client(night: Night, summons: Summons, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(room, "LOOK", 0.001)
    monkeypatch.setattr(room, "REVIVE", 0.01)
    return Client(night.open_journal(), lambda: None, summons)


def rolling_back(night: Night) -> str:
    session = night.session("")
    night.report(ev.SnapshotTaken(session=session, turn=1, snapshot="7" * 40))
    night.report(ev.SessionStarted(session=session, run=1, conversation="c", pid=5))
    night.do(cmd.RollBack(session=session, by=ME))
    return session


def test_whoever_waits_for_an_effect_replaces_a_supervisor_that_died(
    night: Night, client: Client, summons: Summons
) -> None:
    session = rolling_back(night)

    def done(state: object) -> str | None:
        if summons.count == 3:
            night.report(ev.RolledBack(session=session, snapshot="7" * 40, undo="8" * 40, count=1))
        return client.state.sessions[session].rolled_back or None

    said = client.await_effect(done, 20.0)
    assert said and "1 path(s)" in said and summons.count == 3


def test_waiting_ends_with_its_time(client: Client, summons: Summons) -> None:
    assert client.await_effect(lambda state: None, 0.05) is None
    assert client.await_effect(lambda state: None, 0.0) is None


def test_a_refusal_by_something_unfinished_starts_who_can_finish_it(
    night: Night, client: Client, summons: Summons
) -> None:
    session = rolling_back(night)
    refused = client.send(cmd.RollBack(session=session, by=ME))
    assert isinstance(refused, Refused) and "already" in refused.reason and summons.count == 1
    assert isinstance(client.send(cmd.RollBack(session="s-9", by=ME), needs_hands=False), Refused)
    assert summons.count == 1
