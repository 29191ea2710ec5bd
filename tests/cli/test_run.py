"""`nightdesk run` as a real process: what it says, what it leaves, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from nightwatch import Watch

from console.adapters.lock import is_taken


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(tmp_path)
    yield watch
    watch.close()


def test_a_drained_queue_is_exit_0_with_lines_a_summary_and_a_report(watch: Watch) -> None:
    watch.ticket("one", "WRITE a.txt")
    watch.ticket("two", "WRITE b.txt")
    code, out, err = watch.run("run")
    assert code == 0, err
    assert out.startswith("run-1 DRAINED: ") and "2 DONE" in out.splitlines()[0]
    report = Path(out.splitlines()[1].removeprefix("report: "))
    assert "one" in report.read_text()
    for words in ("GO", "run starts", "one", "claimed", "ended: done", "run ended DRAINED"):
        assert words in err, words
    assert watch.latest().warnings, "the preflight's warnings are kept with the run"
    assert not is_taken(watch.here.places.lock)


def test_for_programs_the_end_is_one_object(watch: Watch) -> None:
    watch.ticket("one", "WRITE a.txt")
    watch.ticket("two", "WRITE b.txt")
    code, out, _ = watch.run("run", "--json", "--max-tickets", "1")
    data = json.loads(out)
    assert code == 0 and data["status"] == "TICKET_CAP" and len(data["outcomes"]) == 1
    assert data["tally"] == {next(iter(data["outcomes"].values())): 1}


def test_no_go_starts_nothing(watch: Watch) -> None:
    watch.configure("limits: {sessions: 1}\n", trusted=False)
    watch.ticket("one", "WRITE a.txt")
    code, out, err = watch.run("run", "--json")
    assert code == 64 and "NO-GO (" in err and json.loads(out)["verdict"] == "NO-GO"
    assert watch.run("run", "--detach")[0] == 64
    assert not watch.state().runs and not is_taken(watch.here.places.lock)


def test_settings_that_change_during_the_run_halt_it(watch: Watch) -> None:
    opened = watch.gate("never")
    watch.ticket("one", f"AWAIT {opened}")
    process = watch.start("run")
    watch.begun(opened)
    watch.configure("limits: {attempts: 1}\n")
    code, out, err = watch.end(process)
    assert code == 70 and "run-1 HALTED" in out and "changed" in out, err


def test_a_low_yield_is_71_and_the_settings_overrule_the_text(watch: Watch) -> None:
    watch.configure("low_yield: {after: 2, share: 0.6}\ndecide: {one: PARK, two: PARK}\n")
    watch.ticket("one", "WRITE a.txt")
    watch.ticket("two", "WRITE b.txt")
    code, out, err = watch.run("run")
    assert code == 71 and "run-1 LOW_YIELD" in out and "2 PARKED_DECISION" in out, err


def test_presets_that_only_some_tickets_name_block_these_tickets_only(watch: Watch) -> None:
    watch.configure(
        "  shy: {command: [sleep, '1'], protocol: command}\n"
        "  missing: {command: [no-such-program], protocol: command, autonomy_confirmed: true}\n"
    )
    watch.ticket("good", "WRITE good.txt")
    for name in ("nobody", "shy", "missing"):
        (watch.root / "tickets" / f"{name}.md").write_text(f"---\nagent: {name}\n---\n# {name}\n\nWRITE b.txt\n")
    code, out, err = watch.run("run")
    assert code == 0 and "1 DONE, 3 BLOCKED_ENV" in out, (out, err)
    assert err.count("would end as BLOCKED_ENV: ") >= 3 and "NO-GO" not in err
    assert {name: t.attempts for name, t in watch.state().tickets.items() if name != "good"} == {
        "nobody": 0,
        "shy": 0,
        "missing": 0,
    }
