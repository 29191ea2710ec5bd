"""Agents that are killed in the middle of their turns, with real processes: the work is done once, or parked."""

from __future__ import annotations

from pathlib import Path

from nightrig import NightRig


def test_a_killed_agent_goes_on_and_one_that_always_dies_is_parked_at_the_cap(tmp_path: Path) -> None:
    rig = NightRig(
        tmp_path,
        limits={"sessions": 2, "attempts": 3},
        watchdog={"restarts": 1, "window": "5m", "total_restarts": 1},
    )
    try:
        mark = str(rig.room / "died")
        rig.ticket("once", [["append", "once.txt", "half\n"], ["once", mark, "die"], ["append", "once.txt", "done\n"]])
        rig.ticket("always", [["write", "always.txt", "half\n"], ["die"]])
        rig.ready()
        rig.night()
        assert rig.outcomes() == {"once": "DONE", "always": "PARKED_DECISION"}, rig.outcomes()

        # The turn that broke off was rolled back and told again as a whole: its work is there once, and counted once.
        assert (Path(rig.shown("once")["worktree"]) / "once.txt").read_text(encoding="utf-8") == "half\ndone\n"
        first, second = rig.prompts("once")
        assert second.endswith(first) and "crashed and was started again. The files were put back" in second
        assert [e["attempt"] for e in rig.events("ticket:claimed") if e["ticket"] == "once"] == [1]
        assert not rig.events("ticket:attempt-failed")
        again = rig.events("session:restarting")
        assert [e["count"] for e in again] == [1, 1] and {e["cause"] for e in again} == {"crash"}

        # At the cap a person decides; what there was of the work is not lost.
        shown = rig.shown("always")
        assert shown["attempts"] == 0 and len(rig.events("session:given-up")) == 1
        decision = rig.json("decision", "list", "--json")["decisions"][0]
        assert decision["ticket"] == "always" and "started again 1 time" in decision["question"]
        assert (Path(shown["worktree"]) / "always.txt").is_file()
    finally:
        rig.close()
