"""Logs of every released version load for ever, mean the same, and go on growing."""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import msgspec
import pytest

from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import PolicySpec, Refused, Who
from console.core.state import State
from console.engine.journal import Journal

ME = Who(user="ada")
FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "log.db"


def everything(path: Path) -> list[ev.Logged]:
    journal = Journal(Log(path), time.time)
    found = journal.since(0)
    journal.close()
    return found


def old_log(path: Path, name: str) -> Log:
    path.parent.mkdir(parents=True)
    db = apsw.Connection(str(path))
    db.execute((FIXTURES / name).read_text(encoding="utf-8"))
    db.close()
    return Log(path)


def test_a_log_of_schema_1_loads_for_ever(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-1.sql"), time.time)
    state = journal.state
    entries = journal.since(0)
    assert state.seq == len(entries) == 109
    kinds = {ev.type_of(entry.fact) for entry in entries}
    assert len(kinds) == 40, "it holds every kind of event there was"
    phases = {s.session: (s.phase, s.turns) for s in state.sessions.values()}
    assert phases == {"s-1": ("suspended", 3), "s-2": ("suspended", 2), "s-3": ("exited", 2), "s-4": ("exited", 1)}
    statuses = {p.policy: p.status for p in state.policies.values()}
    assert statuses == {
        "pol-1": "awaiting-ack",
        "pol-2": "cancelled",
        "pol-3": "cancelled",
        "pol-4": "blocked",
        "pol-5": "cancelled",
    }
    assert sorted(plan.state for plan in state.plans.values()) == [
        "rejected",
        "superseded",
        "superseded",
        "void",
        "waiting",
    ]
    assert state.supervisor and (state.supervisor.pid, state.supervisor.running) == (4243, False)
    journal.close()


def test_a_log_of_schema_2_loads_for_ever(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-2.sql"), time.time)
    state = journal.state
    kinds = {ev.type_of(entry.fact) for entry in journal.since(0)}
    assert {"repository:changed", "alert:settled", "snapshot:taken", "snapshot:rolled-back"} <= kinds
    assert [plan.state for plan in state.plans.values()] == ["landed", "landed"]
    assert state.alerts["alert-1"].outcome == "restored"
    assert state.sessions["s-1"].rolled_back and not state.sessions["s-1"].ticket
    assert (state.tickets, state.runs, state.decisions) == ({}, {}, {})
    journal.close()


def test_a_log_of_schema_3_loads_for_ever(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-3.sql"), time.time)
    state = journal.state
    kinds = {ev.type_of(entry.fact) for entry in journal.since(0)}
    assert {"run:ended", "ticket:waiting", "ticket:overdue", "ticket:attempt-failed", "decision:reopened"} <= kinds
    assert {t.ticket: t.outcome or t.phase for t in state.tickets.values()} == {
        "cart-readable": "FAILED_RETRYABLE",
        "catalogue-order": "FAILED_BUG_IN_AGENT",
        "delivery-weekend": "DONE_LOW_CONFIDENCE",
        "gift-wrap": "PARKED_DECISION",
        "opening-hours": "queued",
        "orders-greeting": "queued",
        "orders-packing": "queued",
        "orders-schema": "queued",
        "readme-prose": "BLOCKED_ENV",
        "retry-last-error": "DONE",
        "search-empty": "PARKED_DECISION",
        "slugify-punctuation": "DONE",
        "stock-empty-lines": "DONE",
    }
    assert state.tickets["catalogue-order"].phase == "dropped" and state.runs["run-1"].status == "COST_CAP"
    assert {d.decision: d.state for d in state.decisions.values()} == {
        "dec-1": "answered",
        "dec-2": "open",
        "dec-3": "open",
    }
    # What is new since then says nothing: nobody was started again, nothing is short, nothing hangs.
    assert not any(s.restarts or s.restart_at or s.hung or s.given_up for s in state.sessions.values())
    assert not any(t.restarts for t in state.tickets.values())
    assert (state.lacking, state.fuse, state.runs["run-1"].fuses) == ({}, None, 0)
    journal.close()


def test_a_log_of_schema_4_loads_for_ever(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-4.sql"), time.time)
    state = journal.state
    kinds = {ev.type_of(entry.fact) for entry in journal.since(0)}
    assert {"session:suspect", "session:recovered", "session:hung", "session:restarting", "session:given-up"} <= kinds
    assert {"session:restart-due", "session:processes", "watchdog:fuse-blown", "watchdog:fuse-reset"} <= kinds
    assert {"supervisor:away", "supervisor:degraded", "supervisor:recovered"} <= kinds
    assert {s.session: (s.phase, s.turns, len(s.restarts)) for s in state.sessions.values()} == {
        "s-1": ("ready", 2, 1),
        "s-2": ("exited", 4, 3),
        "s-3": ("exited", 0, 1),
        "s-4": ("exited", 2, 0),
    }
    assert state.sessions["s-2"].given_up and state.sessions["s-1"].processes
    assert (list(state.lacking), state.fuse) == (["memory"], None)
    assert state.tickets["slugify"].outcome == "DONE" and state.runs["run-1"].status == "DRAINED"
    # What is new since then says nothing: nobody has a conversation, none rests for that.
    assert not any(s.lent or s.for_loan for s in state.sessions.values())
    journal.close()


def test_a_log_of_schema_5_loads_for_ever(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-5.sql"), time.time)
    state = journal.state
    kinds = {ev.type_of(entry.fact) for entry in journal.since(0)}
    assert {"session:lent", "session:returned", "session:restarting", "run:ended", "decision:parked"} <= kinds
    assert len(state.tickets) == 13 and len(state.sessions) == 12 and state.runs["run-1"].status == "COST_CAP"
    assert not any(s.lent for s in state.sessions.values())
    # What is new since then says nothing: no chains, no routines, nobody to tell.
    assert (state.chains_on, state.ledger, state.routines, state.outlets) == (False, {}, {}, {})
    assert not any(t.link or t.review or t.rounds for t in state.tickets.values())
    assert not any(p.reviews for p in state.plans.values())
    journal.close()


def test_an_old_log_goes_on_growing(path: Path) -> None:
    journal = Journal(old_log(path, "log-schema-1.sql"), time.time)
    result = journal.submit(cmd.AttachPolicy(spec=PolicySpec(sessions=("s-1",)), by=ME))
    assert not isinstance(result, Refused)
    journal.checkpoint()
    journal.close()
    state = State()
    for entry in everything(path):
        state.apply(entry)
    again = Journal(Log(path), time.time)
    assert (again.state, again.state.seq) == (state, 110)
    again.close()


@pytest.mark.parametrize("name", [f"log-schema-{n}.sql" for n in range(1, 6)])
def test_every_event_of_an_old_log_is_written_the_same_today(path: Path, name: str) -> None:
    log = old_log(path, name)
    rows, _ = log.find(0)
    written = [msgspec.json.decode(msgspec.json.encode(entry.fact)) for entry in log.read(0)]
    assert written == [msgspec.json.decode(row[2]) for row in rows]
    log.close()


def test_only_a_supervisor_says_that_a_log_may_hold_newer_events(path: Path) -> None:
    log = old_log(path, "log-schema-1.sql")
    written = "SELECT value FROM meta WHERE key = 'events'"
    db = apsw.Connection(str(path))
    assert db.execute(written).get == "1", "a client leaves it as it is"
    log.upgrade()
    log.close()
    assert db.execute(written).get == str(ev.SCHEMA) == "6"
    db.close()
    assert len(everything(path)) == 109
