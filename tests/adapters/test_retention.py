"""What is old and needed by nobody leaves the disk; what lives, waits, can be taken back or is not ours never does."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parent.parent / "engine"))

from night import ME, Night

from console.adapters.places import Places
from console.adapters.retention import NOTES, Limits, Swept, Tidying, sweep, usage
from console.core import commands as cmd
from console.core import events as ev
from console.core import settings
from console.core.keeping import needed, snapshots
from console.core.records import Outcome, TextVerdict, TicketSpec
from console.core.state import State
from console.core.tickets import Failure, Phase

NOW = time.time()
LONG = NOW + 40 * 86_400
"""When everything that a test makes is forty days old."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(tmp_path / "state", tmp_path / "data", tmp_path / "trust.json", tmp_path / "cache")
    made.make()
    for name in ("tickets", "plans"):
        (made.state / name).mkdir()
    return made


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    (tmp_path / "night").mkdir()
    made = Night(tmp_path / "night")
    yield made
    made.journal.close()


def file(path: Path, size: int = 10, age: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (NOW - age, NOW - age))
    return path


def all_of(places: Places, session: str, policy: str, plan: str) -> list[Path]:
    return [
        file(places.transcript(session)),
        file(places.stderr(session, 1)),
        file(places.gate_output(policy, 1, "worktree")),
        file(places.state / "plans" / plan / "objects" / "pack" / "one.pack"),
    ]


def gone(night: Night, session: str) -> None:
    night.report(ev.Exited(session=session, run=night.state.sessions[session].run, how="exited", code=0))


def test_what_is_over_and_old_goes_and_nothing_goes_before(places: Places) -> None:
    outputs = (places.stderr("s-1", 1), places.gate_output("pol-1", 1, "plan"))
    files = [file(path) for path in (places.transcript("s-1"), *outputs)]
    assert sweep(places, needed(State()), Limits(), now=NOW + 29 * 86_400).counts == {}
    swept = sweep(places, needed(State()), Limits(), now=LONG)
    assert not any(path.exists() for path in files)
    assert swept.counts == {"transcripts": 2, "gates": 1} and swept.size == 30


def test_a_session_that_lives_and_a_plan_that_waits_keep_everything_of_theirs(places: Places, night: Night) -> None:
    session, policy, plan = night.waiting_plan()
    files = all_of(places, session, policy, plan.commit)
    assert sweep(places, needed(night.state), Limits(), now=LONG).counts == {}
    assert all(path.exists() for path in files)


def test_a_plan_that_waits_keeps_the_plans_that_it_stands_on(night: Night) -> None:
    _, _, below = night.waiting_plan(1)
    _, _, above = night.waiting_plan(2)
    state = night.state
    state.plans[below.commit] = replace(state.plans[below.commit], state="void")
    assert [p.plan for p in needed(state).closed] == [below.commit]
    for stacked in (replace(above, base=below.commit), replace(above, stores=(f"/s/plans/{below.commit}/objects",))):
        state.plans[above.commit] = replace(state.plans[above.commit], frozen=stacked)
        assert needed(state).closed == ()


def test_a_rejection_that_can_be_taken_back_keeps_the_plan_and_a_later_turn_lets_it_go(
    places: Places, night: Night
) -> None:
    session, policy, plan = night.waiting_plan()
    files = all_of(places, session, policy, plan.commit)
    night.do(cmd.Reject(policy=policy, by=ME))
    gone(night, session)
    assert night.state.plans[plan.commit].state == "rejected"
    assert sweep(places, needed(night.state), Limits(), now=LONG).counts == {}
    night.do(cmd.SendPrompt(session=session, text="again", by=ME))
    run = night.state.sessions[session].run
    night.report(ev.SessionStarted(session=session, run=run, conversation="c1", pid=5))
    night.report(ev.TurnStarted(session=session, turn=2))
    night.report(ev.TurnEnded(session=session, turn=2, ok=True, stop="end_turn"))
    gone(night, session)
    swept = sweep(places, needed(night.state), Limits(), now=LONG)
    assert swept.counts == {"transcripts": 2, "gates": 1, "plans": 1}
    assert not any(path.exists() for path in files)


def test_an_approval_that_can_be_taken_back_keeps_the_plan(places: Places, night: Night) -> None:
    session, policy, plan = night.waiting_plan()
    store = all_of(places, session, policy, plan.commit)[-1]
    night.do(cmd.Approve(policy=policy, plan=plan.commit, by=ME))
    night.report(ev.PlanLanding(policy=policy, plan=plan.commit, ref=plan.ref, old=plan.ref_old))
    night.report(ev.PolicyCommitted(policy=policy, plan=plan.commit, sha=plan.commit, ref=plan.ref))
    assert night.state.plans[plan.commit].state == "landed"
    sweep(places, needed(night.state), Limits(), now=LONG, undoable=lambda p: True)
    assert store.exists()
    sweep(places, needed(night.state), Limits(), now=LONG, undoable=lambda p: False)
    assert not store.exists()


def seen(night: Night, name: str, text: bytes) -> str:
    digest = hashlib.sha256(text).hexdigest()
    verdict = TextVerdict(decision="PROCEED")
    night.report(
        ev.TicketSeen(
            ticket=name, file=f"{name}.md", digest=digest, stamp="1", spec=TicketSpec(title=name), verdict=verdict
        )
    )
    return digest


def test_the_text_of_a_ticket_stays_until_no_ticket_has_it(places: Places, night: Night) -> None:
    first, second = seen(night, "one", b"first"), seen(night, "one", b"second")
    texts = {digest: file(places.tickets / f"{digest}.md") for digest in (first, second)}
    sweep(places, needed(night.state), Limits(), now=LONG)
    assert [path.exists() for path in texts.values()] == [False, True]
    night.report(ev.TicketGone(ticket="one"))
    sweep(places, needed(night.state), Limits(), now=LONG)
    assert not texts[second].exists()


def test_over_the_cap_the_oldest_goes_first_and_what_is_needed_never_and_counts_for_nothing(
    places: Places, night: Night
) -> None:
    session, *_ = night.waiting_plan()
    mine = file(places.transcript(session), 30_000_000, age=900)
    old = [file(places.transcript(f"s-9{n}"), 1_000_000, age=800 - n) for n in range(4)]
    swept = sweep(places, needed(night.state), Limits(megabytes=2), now=NOW)
    assert [path.exists() for path in old] == [False, False, True, True] and mine.exists()
    assert swept.counts == {"transcripts": 2}
    sweep(places, needed(night.state), Limits(megabytes=0.5), now=NOW)
    assert mine.exists() and not any(path.exists() for path in old)


@pytest.mark.parametrize(
    ("outcome", "phase", "stays"),
    [
        ("FAILED_BUG_IN_AGENT", "ended", True),
        ("FAILED_RETRYABLE", "ended", True),
        ("BLOCKED_ENV", "ended", True),
        ("PARKED_DECISION", "ended", True),
        ("DONE", "ended", False),
        ("FAILED_BUG_IN_AGENT", "dropped", False),
        ("FAILED_BUG_IN_AGENT", "gone", False),
    ],
)
def test_what_did_not_end_well_keeps_its_evidence_until_a_person_has_decided(
    places: Places, night: Night, outcome: Outcome, phase: Phase, stays: bool
) -> None:
    session, policy, _ = night.waiting_plan()
    seen(night, "bad", b"text")
    state = night.state
    attempt = night.state.policies[policy]
    state.policies[policy] = replace(attempt, status="done", spec=replace(attempt.spec, ticket="bad"))
    state.plans.clear()
    state.sessions[session] = replace(state.sessions[session], phase="exited", stopped=True, first_snapshot="abc")
    failure = Failure(attempt=1, cause="gate", why="red", kept="def")
    state.tickets["bad"] = replace(
        state.tickets["bad"], phase=phase, outcome=outcome, sessions=(session,), failures=(failure,)
    )
    setup = places.gate_output(hashlib.sha256(b"bad").hexdigest()[:12], 1, "setup1")
    paths = [places.gate_output(policy, 1, "plan"), places.transcript(session), places.stderr(session, 2), setup]
    files = [file(path, 3_000_000) for path in paths]
    sweep(places, needed(state), Limits(megabytes=1), now=LONG)
    assert [path.exists() for path in files] == [stays] * 4
    assert ({"abc", "def"} <= snapshots(state)) == stays


def test_only_files_with_names_of_ours_ever_go(places: Places) -> None:
    strange = ("transcripts/notes.jsonl", "transcripts/s-1.txt", "gates/pol-1.out", "gates/make.log")
    live = [file(places.tickets / name, 3_000_000) for name in ("index.json", ".new-abc", "README.md", "a" * 64)]
    live += [file(places.state / name, 3_000_000) for name in strange]
    text = file(places.tickets / f"{'a' * 64}.md")
    sweep(places, needed(State()), Limits(megabytes=1), now=LONG)
    assert all(path.exists() for path in live) and not text.exists()


def test_links_and_what_lies_outside_are_left_alone(places: Places, tmp_path: Path) -> None:
    victim = file(tmp_path / "precious" / "notes.txt")
    (places.state / "transcripts" / "s-1.jsonl").symlink_to(victim)
    (places.state / "transcripts" / "s-2.jsonl").mkdir()
    (places.state / "plans" / ("a" * 40)).symlink_to(victim.parent)
    log = file(places.log, age=90 * 86_400)
    sweep(places, needed(State()), Limits(), now=LONG)
    assert victim.exists() and log.exists() and (places.state / "transcripts" / "s-2.jsonl").is_dir()


def test_it_says_how_much_there_is_of_each_kind(places: Places) -> None:
    file(places.transcript("s-1"), 100_000)
    file(places.state / "plans" / "p" / "objects" / "x", 50_000)
    file(places.log, 20_000)
    found = usage(places)
    assert found["transcripts"] >= 100_000 and found["plans"] >= 50_000 and found["log"] >= 20_000
    assert list(found.values()) == sorted(found.values(), reverse=True)


async def test_it_tidies_at_the_start_and_then_not_before_a_day_and_leaves_one_line(places: Places) -> None:
    file(places.transcript("s-1"), 2_000_000)
    tidying = Tidying(places, Limits, undoable=lambda plan: True, forget_tip=lambda tip: None, now=lambda: LONG)
    for _ in range(3):
        tidying.look(State())
        assert tidying._task
        await asyncio.wait_for(tidying._task, 20)
        file(places.transcript("s-2"), 10)
    assert not places.transcript("s-1").exists() and places.transcript("s-2").exists()
    assert (places.state / NOTES).read_text().endswith("removed 1 transcripts; 2.0 MB\n")
    assert Swept().text()


def test_the_settings_say_how_long_and_how_much() -> None:
    read = settings.read({"retention": {"days": 7, "megabytes": 100}}, lambda path: 1)
    assert isinstance(read, settings.Settings) and (read.keep_days, read.keep_megabytes) == (7, 100)
    plain = settings.read({}, lambda path: 1)
    assert isinstance(plain, settings.Settings) and (plain.keep_days, plain.keep_megabytes) == (30, 2048)
    assert not isinstance(settings.read({"retention": {"days": 0, "weeks": 1}}, lambda path: 1), settings.Settings)
