"""An agent that pulls its work: `next`, `complete`, `park`, each a process of its own over the same log."""

from __future__ import annotations

import json
from pathlib import Path

from nightrig import NightRig


def next_(rig: NightRig, name: str = "w1", *more: str) -> dict[str, object]:
    return dict(rig.json("next", "--as", name, *more))


def test_one_worker_drains_the_queue_by_next_and_complete(rig: NightRig) -> None:
    rig.ticket("a")
    rig.ticket("b", text="Either keep or remove the old flag; not decided yet, TBD.")
    rig.ticket("c", depends_on="a")
    rig.ready()
    first = next_(rig)
    assert (first["status"], first["ticket"]["id"], first["attempt"]) == ("PROCEED", "a", 1)  # type: ignore[index]
    assert next_(rig) == first, "asked again, its holder gets the same ticket and attempt"
    (Path(str(first["workdir"])) / "a.txt").write_text("a\n")
    done = rig.json("complete", "a", "--as", "w1")
    assert (done["outcome"], done["gate"]["verdict"]) == ("DONE", "green")
    parked = next_(rig)
    assert (parked["status"], parked["ticket"]["id"], parked["decision"]) == ("PARK", "b", "dec-1")  # type: ignore[index]
    third = next_(rig)
    assert third["ticket"]["id"] == "c" and (Path(str(third["workdir"])) / "a.txt").is_file()  # type: ignore[index]
    (Path(str(third["workdir"])) / "shop.py").write_text(
        "def add(a, b):\n    return 0\n\n\ndef double(a):\n    return 0\n"
    )
    failed = rig.json("complete", "c", "--as", "w1", "--claim", "DONE", "--note", "all green, I promise")
    assert (failed["outcome"], failed["final"]) == ("FAILED_RETRYABLE", False)
    again = next_(rig)
    assert (again["ticket"]["id"], again["attempt"]) == ("c", 2)  # type: ignore[index]
    assert "test_add" in json.dumps(again["failures"])
    assert "return a + b" in (Path(str(again["workdir"])) / "shop.py").read_text(), "rolled back"
    (Path(str(again["workdir"])) / "c.txt").write_text("c\n")
    assert rig.json("complete", "c", "--as", "w1")["outcome"] == "DONE"
    over = next_(rig)
    assert (over["status"], over["run"]) == ("DRAINED", "run-1")
    assert rig.outcomes() == {"a": "DONE", "b": "PARKED_DECISION", "c": "DONE"}


def test_two_workers_never_hold_the_same_ticket(rig: NightRig) -> None:
    rig.ticket("a")
    rig.ticket("b", depends_on="a")
    rig.ready()
    assert next_(rig, "w1")["ticket"]["id"] == "a"  # type: ignore[index]
    waits = next_(rig, "w2")
    assert waits["status"] == "WAIT" and "ask again" in str(waits["why"])
    refused = rig.call("complete", "b", "--as", "w1")
    assert refused.returncode == 2 and "not being worked on" in refused.stderr


def test_a_worker_can_park_and_can_say_that_it_is_blocked(rig: NightRig) -> None:
    rig.ticket("a")
    rig.ticket("b")
    rig.ready()
    next_(rig)
    parked = rig.json("park", "a", "--question", "Which side?", "--option", "left", "--foundational")
    assert parked == {"ticket": "a", "outcome": "PARKED_FOUNDATIONAL", "decision": "dec-1"}
    next_(rig)
    assert (
        rig.json("complete", "b", "--as", "w1", "--claim", "BLOCKED", "--note", "no network")["outcome"]
        == "BLOCKED_ENV"
    )
    assert next_(rig)["status"] == "DRAINED"


def test_nothing_is_handed_out_before_the_settings_are_trusted(rig: NightRig) -> None:
    rig.ticket("a")
    rig.commit()
    refused = rig.call("next", "--as", "w1")
    assert refused.returncode == 64 and "nightdesk trust" in refused.stderr
    assert not rig.events("ticket:claimed")


def test_settings_that_change_while_a_worker_is_at_work_halt_its_run(rig: NightRig) -> None:
    rig.ticket("a")
    rig.ticket("b")
    rig.ready()
    next_(rig)
    rig.configure(gate="python3 -c pass")
    rig.ok("trust")
    said = next_(rig)  # the supervisor looks by itself, too, and may have halted the run before this call does
    assert rig.events("run:ended")[0]["status"] == "HALTED"
    assert rig.events("ticket:ended")[0]["outcome"] == "FAILED_RETRYABLE"
    assert said["status"] == "HALTED" or said["run"] == "run-2"
    if said["status"] == "HALTED":
        said = next_(rig)
    assert said["run"] == "run-2", "the next call starts a run with the settings that are trusted now"
