"""Random nights with judges beside the tickets: they share the run's slots, neither waits for the other for ever."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace
from play import ACP, MAIN, ME
from queueplay import SETTINGS
from test_random_queue import Random

from console.core import commands as cmd
from console.core import events as ev
from console.core import policies, queue
from console.core.records import Gate, Judge, OnFail, PolicySpec
from console.core.state import open_run

JUDGED = Gate(judge=Judge(adapter="bot", prompt="Is it right?", launch=ACP))


class Judged(Random):
    waited = 0

    def watched(self) -> None:
        """Somebody's own session has ended a turn that a judge is to look at."""
        tree = f"/own/{len(self.state.sessions)}"
        session = self.session(worktree=tree)
        nudge = self.dice.choice((None, OnFail(nudge="{output}", retries=1)))
        self.do(cmd.AttachPolicy(spec=PolicySpec(sessions=(session,), gate=JUDGED, on_fail=nudge), by=ME))
        self.report(ev.TurnStarted(session=session, turn=1, ref=MAIN, head="h0"))
        self.report(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn", ref=MAIN, head="h0"))

    def verdict(self, policy: str) -> None:
        if self.state.policies[policy].spec.ticket:
            super().verdict(policy)
        else:
            self.judge(policy, self.dice.choice(("green", "red", "timeout", "unjudged")))

    def check(self) -> None:
        super().check()
        self.waited += any(queue.no_room(self.state, p) for p in self.state.policies.values() if p.status == "queued")

    def rest(self) -> None:
        """A nudged session that belongs to no ticket has no agent in this play: its turn ends here."""
        super().rest()
        for _ in range(200):
            working = [s for s in self.state.sessions.values() if s.phase == "working" and not s.ticket]
            if not working:
                break
            self.turn_over(working[0].session)
            super().rest()


@pytest.mark.parametrize("block", range(2))
def test_random_nights_with_judges_end_and_leave_no_policy_waiting(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * 5, block * 5 + 5):
        night = Judged(seed)
        settings = replace(SETTINGS, sessions=night.dice.choice((1, 2)))
        for _ in range(4):
            night.folder()
        for _ in range(120):
            kind = night.dice.random()
            if kind < 0.05:
                night.folder()
            elif kind < 0.11:
                night.watched()
            elif kind < 0.2:
                night.person()
            elif kind < 0.23:
                night.disturb()
            elif not night.perform() and not open_run(night.state):
                night.go(settings)
        night.rest()
        assert open_run(night.state) is None, (seed, night.flying(), open_run(night.state))
        waiting = [p for p in night.state.policies.values() if p.status in ("queued", "gating")]
        assert not waiting and not queue.judging(night.state, waiting=True), (seed, waiting)
        night.check_durable()
        seen["waited"] += night.waited
        judged = [p for p in night.state.policies.values() if p.spec.gate == JUDGED]
        seen["judged"] += sum(p.status in policies.CLOSED for p in judged)
    assert seen["waited"] > 5 and seen["judged"] > 10, seen
