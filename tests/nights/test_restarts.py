"""Agents that are killed in the middle of their turns, with real processes: the work is done once, or parked."""

from __future__ import annotations

from pathlib import Path

from nightrig import NightRig


def test_a_killed_and_a_hung_agent_go_on_and_one_that_always_dies_is_parked_at_the_cap(tmp_path: Path) -> None:
    rig = NightRig(
        tmp_path,
        limits={"sessions": 3, "attempts": 3},
        watchdog={"quiet": "2s", "hung": "5s", "restarts": 1, "window": "5m", "total_restarts": 1},
    )
    try:
        mark = str(rig.room / "died")
        rig.ticket("once", [["append", "once.txt", "half\n"], ["once", mark, "die"], ["append", "once.txt", "done\n"]])
        hung = [["append", "hangs.txt", "half\n"], ["once", f"{mark}2", "sleep", 50], ["append", "hangs.txt", "done\n"]]
        rig.ticket("hangs", hung)
        rig.ticket("always", [["write", "always.txt", "half\n"], ["die"]])
        rig.ready()
        rig.night()
        assert rig.outcomes() == {"once": "DONE", "hangs": "DONE", "always": "PARKED_DECISION"}, rig.outcomes()

        # The turn that broke off was rolled back and told again as a whole: its work is there once, and counted once.
        for name, what in (("once", "crashed"), ("hangs", "hung")):
            text = (Path(rig.shown(name)["worktree"]) / f"{name}.txt").read_text(encoding="utf-8")
            first, second = rig.prompts(name)
            assert text == "half\ndone\n" and second.endswith(first)
            assert f"{what} and was started again. The files were put back" in second
        told = rig.events("ticket:claimed", "ticket:attempt-failed", "session:restarting", "session:given-up")
        assert [e["attempt"] for e in told if e["type"] == "ticket:claimed"] == [1, 1, 1]
        assert not [e for e in told if e["type"] == "ticket:attempt-failed"]
        again = [e for e in told if e["type"] == "session:restarting"]
        assert [e["count"] for e in again] == [1, 1, 1]
        assert sorted(e["cause"] for e in again) == ["crash", "crash", "hang"]

        # At the cap a person decides; what there was of the work is not lost.
        shown = rig.shown("always")
        assert shown["attempts"] == 0 and [e["cause"] for e in told if e["type"] == "session:given-up"] == ["crash"]
        decision = rig.json("decision", "list", "--json")["decisions"][0]
        assert decision["ticket"] == "always" and "started again 1 time" in decision["question"]
        assert (Path(shown["worktree"]) / "always.txt").is_file()
    finally:
        rig.close()
