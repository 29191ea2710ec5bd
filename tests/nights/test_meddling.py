"""A person meddles with tickets at work, with real processes: an interrupt with a further prompt, and a stop."""

from __future__ import annotations

import sys
from pathlib import Path

from nightrig import NightRig, until

from console.adapters.demo import demo_dir

PATIENT = f"""\
import asyncio, subprocess, sys

sys.path.insert(0, {str(demo_dir())!r})
import agent, behaviours


async def patient(stage):
    if stage.conversation.prompts == 1:
        subprocess.Popen(["sleep", "611"], start_new_session=True)
        await stage.say("I have begun.")
        await asyncio.Event().wait()
    await behaviours.echo(stage)


behaviours.BEHAVIOURS["patient"] = patient
agent.main()
"""


def test_an_interrupted_turn_goes_on_with_what_was_said_and_a_stop_is_over_when_its_processes_are(
    tmp_path: Path,
) -> None:
    agent = tmp_path / "patient.py"
    agent.write_text(PATIENT)
    preset = {"command": [sys.executable, str(agent), "--script", "patient"], "protocol": "acp"}
    rig = NightRig(
        tmp_path / "night", limits={"sessions": 2}, presets={"bot": {**preset, "autonomy_confirmed": True}}
    )  # fmt: skip
    try:
        rig.ticket("more")
        rig.ticket("stopped")
        rig.ready()
        run = rig.start("run")
        until(lambda: len(rig.events("turn-start")) == 2)
        more, stopped = (rig.shown(name)["session"] for name in ("more", "stopped"))
        rig.ok("session", "prompt", more, "write this instead")
        rig.ok("session", "interrupt", more)
        until(lambda: [e["turn"] for e in rig.events("turn-start") if e["session"] == more] == [1, 2])
        assert "is stopped" in rig.ok("session", "stop", stopped)
        said, _ = run.communicate(timeout=60)
        assert run.returncode == 0, said
        assert rig.outcomes() == {"more": "DONE", "stopped": "FAILED_RETRYABLE"}, said
        heard = (Path(rig.shown("more")["worktree"]) / "hello.txt").read_text()
        assert heard.startswith("Ticket more:") and heard.endswith("write this instead\n"), "one conversation"
        told = rig.events("exited", "run:ended", "ticket:claimed")
        assert told[-1]["type"] == "run:ended" and len([e for e in told if e["type"] == "ticket:claimed"]) == 2
        (left,) = [e["leftovers"] for e in told if e["type"] == "exited" and e["session"] == stopped]
        assert "sleep 611" in str(left) and "sleep 611" in rig.ok("report")
    finally:
        rig.close()
