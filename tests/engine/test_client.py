"""How a command waits: a supervisor that dies meanwhile is replaced; what stands in the way is not left standing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from night import ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.state import State
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


class Told:
    """A watch that says what a test has it say, and remembers what it was asked."""

    def __init__(self, made: Callable[[], object], changed: Callable[[], object]) -> None:
        made()
        self._changed, self.asked, self.closed = changed, 0, 0

    def changed(self, timeout: float) -> bool:
        self.asked += 1
        self._changed()
        return True

    def close(self) -> None:
        self.closed += 1


def test_what_is_committed_while_the_watch_is_made_is_seen_without_being_told_of(night: Night) -> None:
    told: list[Told] = []

    def never() -> None:
        raise AssertionError("it waited although it was there")

    def watch() -> Told:
        told.append(Told(lambda: night.session("go"), never))
        return told[-1]

    client = Client(night.open_journal(), lambda: None, watch=watch)
    assert client.wait(lambda state: len(state.sessions) or None, 20.0) == 1
    assert client.wait(lambda state: len(state.sessions) or None, 20.0) == 1, "there already: no other watch"
    client.close()
    assert (len(told), told[0].asked, told[0].closed) == (1, 0, 1)


def several(wanted: int) -> Callable[[State], bool | None]:
    return lambda state: True if len(state.sessions) >= wanted else None


def test_one_watch_serves_every_wait_of_a_client_and_each_look_follows_a_change(night: Night) -> None:
    told: list[Told] = []

    def watch() -> Told:
        told.append(Told(lambda: None, lambda: night.session("go")))
        return told[-1]

    client = Client(night.open_journal(), lambda: None, watch=watch)
    for wanted in (1, 2, 4):
        assert client.wait(several(wanted), 20.0)
    assert (len(told), told[0].asked) == (1, 4)
    client.close()


def test_a_look_without_patience_makes_no_watch(night: Night) -> None:
    def watch() -> Told:
        raise AssertionError("for a look that does not wait")

    client = Client(night.open_journal(), lambda: None, watch=watch)
    assert client.wait(lambda state: None, 0.0) is None
    client.close()
