"""A ticket of the demo's repository, taken to a landed commit: the whole product, the built-in preset, the real CLI."""

from __future__ import annotations

import time
from pathlib import Path

import clis
import pytest
from rig import FILE, NEW, OLD, TICKET, Rig, version_of

QUICK = "opencode"
"""What CI has the time for."""


@pytest.mark.parametrize("name", [n if n == QUICK else pytest.param(n, marks=pytest.mark.slow) for n in clis.NAMES])
def test_a_ticket_becomes_a_commit_on_its_branch(name: str, room: Path) -> None:
    if reason := clis.missing(name):
        pytest.skip(reason)
    began = time.monotonic()
    with Rig(room, name) as rig:
        rig.ok("trust")
        rig.ok("run")
        ended = rig.last("ticket:ended")
        assert (ended["outcome"], ended["attempt"]) == ("DONE", 1), (ended, rig.shown())
        main = rig.git("rev-parse", "main")
        policy = rig.last("policy:commit-ready")["policy"]
        rig.ok("policy", "ack", policy, "--approve", "--plan", ended["plan"])

        branch = f"nightdesk/{TICKET}"
        before = rig.git("show", f"main:{FILE}")
        assert rig.git("show", f"{branch}:{FILE}") == before.replace(OLD, NEW)
        assert rig.git("diff", "--name-only", "main", branch).split() == [FILE]
        assert rig.git("rev-parse", f"{branch}^", "main") == main * 2
        usage = rig.last("turn-end").get("usage") or {}
    seconds = time.monotonic() - began
    print(f"{name} {version_of(name)}: {seconds:.0f} s, {usage or 'no usage told'}")
