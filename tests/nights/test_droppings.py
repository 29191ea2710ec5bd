"""Nights whose gate and setup leave files in a ticket's worktree: no attempt's plan holds what its agent did not do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nightrig import NightRig

DROP = (
    "import os, pathlib, sys; top = pathlib.Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else '.'\n"
    "for name, text in (('junit.txt', 'ran\\n'), ('seen/one.bin', 'x' * 9)):\n"
    "    path = pathlib.Path(top) / name; path.parent.mkdir(exist_ok=True); path.write_text(text)\n"
    "shop = pathlib.Path(top) / 'generated.txt'; shop.write_text('made by the gate\\n')\n"
)
"""A gate that is always green and leaves two new files and a changed one; where: what its argument's file says."""
NOTHING: list[list[Any]] = [["run", "true"]]
LEFT = {"junit.txt", "seen/one.bin", "generated.txt"}


def plan_of(rig: NightRig, ticket: str) -> list[str]:
    """Paths of the latest plan of this ticket; [] for none."""
    ready = [e for e in rig.events("policy:commit-ready") if rig.shown(ticket)["plan"] == e["plan"]]
    return sorted(ready[-1]["paths"]) if ready else []


def dropping(rig: NightRig, ticket: str, *attempts: list[list[Any]], **front: Any) -> Path:
    """The ticket, a gate that writes into its worktree wherever it runs, and the worktree once there is one."""
    where = rig.room / "where"
    where.write_text(".")
    rig.write("generated.txt", "as it was\n")
    rig.ticket(ticket, *attempts, gate=["python3", "-c", DROP, str(where)], **front)
    return where


def point(rig: NightRig, where: Path, ticket: str) -> None:
    where.write_text(rig.shown(ticket)["worktree"])


def script(rig: NightRig, ticket: str, *actions: list[Any]) -> None:
    (rig.scripts / f"{ticket}.json").write_text(json.dumps([list(actions)]), encoding="utf-8")


def again(rig: NightRig, ticket: str) -> None:
    rig.ok("ticket", "requeue", ticket)
    rig.night()


def test_what_the_gate_left_is_not_the_work_of_the_next_attempt(rig: NightRig) -> None:
    rig.write(".gitignore", ".nightdesk/night-report.md\n")  # __pycache__ is not ignored
    rig.ticket("lazy", NOTHING)
    rig.configure(gate_on="worktree")
    rig.ready()
    rig.night()
    tree = Path(rig.shown("lazy")["worktree"])
    assert rig.outcomes() == {"lazy": "DONE_LOW_CONFIDENCE"} and list(tree.rglob("*.pyc")), rig.why("lazy")
    again(rig, "lazy")
    assert rig.outcomes() == {"lazy": "DONE_LOW_CONFIDENCE"}, rig.why("lazy")
    assert not plan_of(rig, "lazy") and "changed nothing" in rig.why("lazy")
    ended = rig.events("ticket:ended")
    assert any(".pyc" in flag for flag in ended[0]["flags"]) and any(".pyc" in flag for flag in ended[1]["flags"])
    assert list(tree.rglob("*.pyc")), "nothing there is deleted"


def test_the_gate_of_unchanged_work_runs_on_the_base_and_leaves_the_worktree_alone(rig: NightRig) -> None:
    rig.write(".gitignore", ".nightdesk/night-report.md\n")
    rig.ticket("lazy", NOTHING)
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"lazy": "DONE_LOW_CONFIDENCE"}, rig.why("lazy")
    assert not list(Path(rig.shown("lazy")["worktree"]).rglob("*.pyc"))
    assert [r["where"] for e in rig.events("policy:judged") for r in e["results"]] == ["base"]


@pytest.mark.slow
def test_work_beside_what_gates_left_is_planned_without_it_in_every_later_attempt(rig: NightRig) -> None:
    where = dropping(rig, "work", NOTHING)
    rig.ready()
    rig.night()
    point(rig, where, "work")  # from now on the gate writes into the worktree, also from a clean checkout
    again(rig, "work")
    tree = Path(rig.shown("work")["worktree"])
    assert (tree / "junit.txt").exists() and (tree / "generated.txt").read_text() == "made by the gate\n"
    script(rig, "work", ["write", "own.txt", "mine\n"])
    again(rig, "work")
    assert plan_of(rig, "work") == ["own.txt"], rig.why("work")
    assert rig.outcomes() == {"work": "DONE"}, rig.why("work")
    noted = " ".join(rig.events("policy:commit-ready")[-1]["notes"])
    assert all(name in noted for name in LEFT), noted
    script(rig, "work", ["write", "junit.txt", "the agent's own words\n"])  # other bytes: its work, with the old
    again(rig, "work")
    assert plan_of(rig, "work") == ["junit.txt", "own.txt"], rig.why("work")


@pytest.mark.slow
def test_what_setup_wrote_is_no_work_by_itself_and_stays_beside_work(rig: NightRig) -> None:
    rig.ticket("lazy", NOTHING)
    rig.ticket("busy", [["write", "own.txt", "mine\n"]])
    rig.configure(setup=[["python3", "-c", "open('lock.txt', 'w').write('pinned\\n')"]])
    rig.ready()
    rig.night()
    assert rig.outcomes()["lazy"] == "DONE_LOW_CONFIDENCE" and not plan_of(rig, "lazy"), rig.why("lazy")
    assert plan_of(rig, "busy") == ["lock.txt", "own.txt"]
    flags = next(e["flags"] for e in rig.events("ticket:ended") if e["ticket"] == "lazy")
    assert "written by `setup`, not part of the work: lock.txt" in flags


def test_the_agent_is_told_who_attends_and_the_report_names_what_it_was_really_handed(rig: NightRig) -> None:
    rig.settings["presets"]["bot"]["pass_env"] = ["SET_KEY", "UNSET_KEY"]
    rig.configure()
    rig.ticket("a", [["write", "a.txt", "a\n"]])
    rig.ready()
    assert rig.call("run", "--attended", SET_KEY="x").returncode == 0
    assert "A person watches this run" in rig.prompts("a")[0] and "Nobody is there" not in rig.prompts("a")[0]
    report = rig.ok("report")
    assert "handed to agents from your environment: SET_KEY" in report and "UNSET_KEY" not in report
