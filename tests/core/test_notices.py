"""Which facts are worth telling, in which words, and what goes out together."""

from __future__ import annotations

from typing import Any

import pytest

from console.core import commands as cmd
from console.core import events as ev
from console.core.decide import decide
from console.core.notice_groups import STALE, id_of, moot, named_in, next_group, payload, wants
from console.core.notices import Notice, notice
from console.core.notify_settings import NAMES, Ask, Channel, for_routine, for_session, merged
from console.core.react import settle
from console.core.records import Launch, Option, PolicySpec, Refused, RunSettings, Who
from console.core.records_routines import RoutineSession, RoutineSpec, Step, Waiting
from console.core.state import State

ME = Who(user="ada")
EVIL = "\x1b]0;pwned\x07\u202eRead\u200b this\x9b31m " + "x" * 1000


class Board:
    """A log that is folded as it grows."""

    def __init__(self) -> None:
        self.state = State()
        self.log: list[ev.Logged] = []

    def do(self, command: cmd.Command) -> tuple[ev.Logged, ...]:
        facts = decide(self.state, command)
        assert not isinstance(facts, Refused), facts
        entries = settle(self.state, facts, 1000.0 + len(self.log))
        self.log += entries
        return tuple(entries)

    def report(self, *facts: ev.Fact) -> Notice | None:
        """The notice about the first of these."""
        entries = self.do(cmd.Report(facts=facts))
        return notice(entries[0], self.state)

    def session(self, label: str = "fixer", **more: Any) -> str:
        start = cmd.StartSession(
            launch=Launch(argv=("a",)), cwd="/w", worktree="/w", by=ME, prompt="go", label=label, **more
        )
        added = self.do(start)[0].fact
        assert isinstance(added, ev.SessionAdded)
        self.report(ev.SessionStarted(session=added.session, run=1, pid=1))
        self.report(ev.TurnStarted(session=added.session, turn=1))
        return added.session


def asked(session: str, question: str = "q1", title: str = "may I?") -> ev.AwaitingInput:
    options = (Option(id="y", name="yes"), Option(id="n", name="no"))
    return ev.AwaitingInput(session=session, turn=1, question=question, title=title, options=options)


def test_a_question_is_told_as_one_clean_line_until_somebody_answers() -> None:
    board = Board()
    s = board.session()
    told = board.report(asked(s, title=EVIL))
    assert told and told.name == "awaiting-input" and told.awaiting_input and told.session == s
    assert told.question.isprintable() and len(told.question) <= 300 and "\u202e" not in told.question
    assert told.text == "fixer waits for an answer" and told.show == f"nightdesk session show {s}"
    assert not moot(told, board.state)
    board.do(cmd.AnswerQuestion(session=s, question="q1", option="y", by=ME))
    assert moot(told, board.state)


def test_an_agent_s_words_are_in_no_text_of_ours() -> None:
    board = Board()
    s = board.session()
    facts: list[ev.Fact] = [
        asked(s, title=EVIL),
        ev.SessionHung(session=s, run=1, turn=1, cause="hang", why=EVIL),
        ev.Exited(session=s, run=1, how="exited", code=3, reason=EVIL),
        ev.RunEnded(run="r-1", status="DRAINED", why=EVIL),
        ev.DecisionParked(decision="d-1", ticket="T-1", foundational=False, why=EVIL, question=EVIL),
        ev.ChainEscalated(root="T-1", ticket="T-1+review-1", plan="c" * 40, why=EVIL, key="k"),
    ]
    for number, fact in enumerate(facts, 1):
        told = notice(ev.Logged(seq=number, at=1.0, fact=fact), board.state)
        assert told and told.text.isprintable() and "pwned" not in told.text and "xxx" not in told.text
        assert told.reason.isprintable() and len(told.reason) <= 300


def test_what_a_person_did_himself_or_what_its_ticket_tells_is_told_by_nobody() -> None:
    state = State()
    rejected = ev.DecisionParked(decision="d", ticket="T", foundational=False, why="w", question="q", source="rejected")
    done = ev.TicketEnded(ticket="T", attempt=1, outcome="DONE", why="green", plan="c" * 40)
    for fact in (rejected, done, ev.OperatorActive(by=ME), ev.PolicyPassed(policy="p", sessions=())):
        assert notice(ev.Logged(seq=1, at=1.0, fact=fact), state) is None
    bug = ev.TicketEnded(ticket="T", attempt=1, outcome="FAILED_BUG_IN_AGENT", why="twice")
    told = notice(ev.Logged(seq=1, at=1.0, fact=bug), state)
    assert told and told.name == "given-up" and told.status == "FAILED_BUG_IN_AGENT"


def test_a_policy_that_is_blocked_is_told_with_the_sessions_it_concerns() -> None:
    board = Board()
    one, two = board.session("one"), board.session("two")
    attached = board.do(cmd.AttachPolicy(spec=PolicySpec(sessions=(one, two)), by=ME))[0].fact
    assert isinstance(attached, ev.PolicyAttached)
    fact = ev.PolicyBlocked(policy=attached.policy, reason="no way")
    told = notice(ev.Logged(seq=99, at=1.0, fact=fact), board.state)
    assert told and told.name == "blocked" and told.sessions == (one, two) and told.reason == "no way"
    assert wants(for_session(two, "http://h/", ""), told) and not wants(for_session("s-9", "http://h/", ""), told)


def test_a_channel_hears_what_it_asked_for_only() -> None:
    told = Notice(seq=1, at=1.0, name="turn-end", text="t", show="s", session="s-1", sessions=("s-1",))
    assert not wants(Channel(kind="url", where="http://h/"), told)
    assert wants(Channel(kind="url", where="http://h/", asks=(Ask(events=frozenset({"turn-end"})),)), told)
    escalated = Notice(seq=2, at=1.0, name="routine-escalated", text="t", show="s", webhook="http://H:80/x")
    assert wants(for_routine("http://h/x"), escalated) and not wants(for_routine("http://h/y"), escalated)


def test_sessions_and_routines_bring_their_addresses_along_until_they_are_over() -> None:
    board = Board()
    s = board.session(notify_url="http://h/s", notify_secret="env:X")
    session = RoutineSession(name="a", preset="", launch=Launch(argv=("a",)), cwd="/w", worktree="/w")
    step = Step(name="one", start=(session,), wait_for=("a",), on_wait=Waiting(webhook="http://h/r"))
    board.do(cmd.Report(facts=(ev.RoutineStarted(routine="ro-9", spec=RoutineSpec(name="r", steps=(step,)), by=ME),)))
    assert {c.where for c in named_in(board.state)} >= {"http://h/s", "http://h/r"}
    board.report(ev.Exited(session=s, run=1, how="exited", code=0))
    assert "http://h/s" not in {c.where for c in merged(named_in(board.state))}
    assert "http://h/s" in {c.where for c in named_in(board.state, over=True)}


def test_the_end_of_a_run_says_what_waits() -> None:
    board = Board()
    board.report(ev.RunStarted(run="r-1", settings=RunSettings(digest="d"), by=ME))
    fact = ev.RunEnded(run="r-1", status="HALTED", why="the settings were changed")
    told = notice(ev.Logged(seq=99, at=1.0, fact=fact), board.state)
    assert told and told.text == "the run has ended: HALTED; 0 plan(s) and 0 decision(s) then waited for you"
    assert payload([told], "msg_1", "shop")["reason"] == "the settings were changed"


def test_the_numbers_of_a_run_s_end_are_those_of_then_however_late_they_are_told() -> None:
    board = Board()
    board.report(ev.DecisionParked(decision="d-1", ticket="T-1", foundational=False, why="w", question="q"))
    board.report(ev.RunStarted(run="r-1", settings=RunSettings(digest="d"), by=ME))
    if board.state.runs["r-1"].open:
        board.report(ev.RunEnded(run="r-1", status="DRAINED", why="w"))
    end = next(e for e in board.log if isinstance(e.fact, ev.RunEnded))
    board.report(ev.DecisionClosed(decision="d-1", ticket="T-1", reason="requeued"))
    late = notice(end, board.state)
    assert late and late.text.endswith("; 0 plan(s) and 1 decision(s) then waited for you")


# -- together --------------------------------------------------------------------------------------------


def told(seq: int, at: float) -> Notice:
    return Notice(seq=seq, at=at, name="parked", text=f"T-{seq} is parked", show="s", ticket=f"T-{seq}")


def test_without_debounce_one_goes_out_after_the_other() -> None:
    pending = [told(1, 10_000.0), told(2, 10_000.1)]
    assert next_group(pending, 0.0, 10_001.0) == ((pending[0],), 0.0)
    assert next_group([], 0.0, 10_001.0) == ((), 0.0)


def test_what_comes_within_the_debounce_goes_out_as_one_and_the_rest_later() -> None:
    pending = [told(1, 10_000.0), told(2, 10_004.0), told(3, 10_005.5)]
    assert next_group(pending, 5.0, 10_004.5) == ((), 0.5)
    assert next_group(pending, 5.0, 10_005.0)[0] == (pending[0], pending[1])
    assert next_group(pending, 5.0, 10_001.0, hurry=True)[0] == (pending[0], pending[1])


def test_a_backlog_after_a_long_outage_is_one_notice_and_what_is_fresh_comes_on_its_own() -> None:
    day = 100 * STALE
    pending = [told(n, day + n) for n in range(1, 41)] + [told(41, day + 20 * STALE)]
    now = day + 20 * STALE + 1
    group, _ = next_group(pending, 0.0, now)
    assert group == tuple(pending[:40])
    body = payload(group, "msg_1", "shop", 7)
    assert body["event"] == "several" and body["counts"] == {"parked": 40} and body["lost"] == 7
    assert [n["ticket"] for n in body["notices"]][:2] == ["T-40", "T-39"] and body["leftOut"] == 20
    assert next_group(pending[40:], 0.0, now)[0] == (pending[40],)
    assert len(next_group(pending[:3], 0.0, now)[0]) == 1  # a few are told one by one, however old


def test_the_same_notices_have_the_same_id_and_another_channel_log_or_notice_has_another() -> None:
    a, b = told(1, 10.0), told(2, 11.0)
    ids = {
        id_of("ws", "c", [a]),
        id_of("ws", "c", [b]),
        id_of("ws", "d", [a]),
        id_of("other", "c", [a]),
        id_of("ws", "c", [told(1, 10.5)]),
        id_of("ws", "c", [a, b]),
    }
    assert len(ids) == 6 and id_of("ws", "c", [told(1, 10.0)]) in ids


def test_a_payload_holds_what_there_is_to_know_and_nothing_empty() -> None:
    body = payload([told(1, 0.25)], "msg_1", "shop")
    assert body == {
        "id": "msg_1",
        "workspace": "shop",
        "type": "parked",
        "event": "parked",
        "ts": "1970-01-01T00:00:00.250+00:00",
        "seq": 1,
        "text": "T-1 is parked",
        "ticket": "T-1",
        "console": "s",
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_name_that_the_settings_may_ask_for_is_told_by_some_fact(name: str) -> None:
    from console.core import notices

    board = Board()
    s = board.session()
    facts: dict[str, ev.Fact] = {
        "turn-end": ev.TurnEnded(session=s, turn=1, ok=True, stop="end_turn"),
        "awaiting-input": asked(s),
        "exited": ev.Exited(session=s, run=1, how="exited", code=0),
        "blocked": ev.TicketEnded(ticket="T", attempt=1, outcome="BLOCKED_ENV", why="w"),
        "parked": ev.DecisionParked(decision="d", ticket="T", foundational=True, why="w", question="q"),
        "hung": ev.SessionHung(session=s, run=1, turn=1, cause="hang", why="w"),
        "given-up": ev.SessionGivenUp(session=s, turn=1, cause="hang", why="w"),
        "fuse": ev.FuseBlown(sessions=(s,), at_work=3, why="w"),
        "escalated": ev.ChainEscalated(root="T", ticket="T", plan="c" * 40, why="w", key="k"),
        "shipped": ev.ChainShipped(root="T", ticket="T", plan="c" * 40, key="k"),
        "alert": ev.RepositoryChanged(alert="a-1", when="turn", changes=(), baseline="b", seen="s"),
        "degraded": ev.SupervisorDegraded(kind="disk", why="w"),
        "run-started": ev.RunStarted(run="r-1", settings=RunSettings(digest="d"), by=ME),
        "run-ended": ev.RunEnded(run="r-1", status="DRAINED", why="w"),
        "routine-escalated": ev.RoutineEscalated(routine="ro", step=0, title="t", until=1.0),
        "routine-ended": ev.RoutineEnded(routine="ro", status="failed"),
    }
    if name == "awaiting-ack":  # tests/engine tells it of a real plan
        assert ev.PolicyCommitReady in notices._SAYS
        return
    said = notice(ev.Logged(seq=50, at=1.0, fact=facts[name]), board.state)
    assert said and said.name == name and said.text and said.show.startswith("nightdesk ")
