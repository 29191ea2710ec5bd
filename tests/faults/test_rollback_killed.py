"""A rollback or snapshot that is killed is completed by the same call, to the byte. (Many more: `rollbacks.py`.)"""

from __future__ import annotations

import random
from pathlib import Path

from rollbacks import kill_rollbacks, kill_snapshots, staged, timed
from vandal import rolled_back, snapshots


def test_killed_rollbacks_complete_and_are_undone_exactly(tmp_path: Path) -> None:
    stage = staged(tmp_path, 300, 1, 30, 20)
    shots, undo = snapshots(stage.repo), []
    timed(stage.times, "rollback", lambda: undo.append(rolled_back(shots, stage.repo.root, stage.shot).undo))
    rolled_back(shots, stage.repo.root, undo[0].snapshot)
    hits = kill_rollbacks(stage, 3, random.Random(7), stage.times["rollback"])
    assert hits > 0


def test_killed_snapshots_leave_nothing_half_done(tmp_path: Path) -> None:
    stage = staged(tmp_path, 100, 2, 30, 20)
    assert kill_snapshots(stage, 4, random.Random(3), stage.times["first snapshot"] / 2) > 0
