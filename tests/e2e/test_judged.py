"""Gates that are judges, through the real command line and real agents: findings reach the nudge, no judge stays."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console import wiring
from console.adapters.demo import demo_dir
from console.core import events as ev
from console.core.state import State
from tests.e2e.product import Product

COMMIT = ("--then", "commit", "--commit-path", "hello.txt", "--commit-message", "say hello")
PRESETS = """\
  writer: {{command: [bash, -c, 'echo "$1" > hello.txt', writer], protocol: command}}
  strict:
    command: [{python}, {agent}, --script, judge-strict, --pace, '0']
    autonomy_confirmed: true
  slow:
    command: [bash, -c, 'sleep 600 & echo "VERDICT: PASS"; wait', slow]
    protocol: command
    autonomy_confirmed: true
"""


@pytest.fixture
def judged(product: Product) -> Product:
    """A workspace whose judges are confirmed."""
    config = product.repo / ".nightdesk" / "config.yaml"
    config.write_text(config.read_text() + PRESETS.format(python=sys.executable, agent=demo_dir() / "agent.py"))
    product.ok("trust")
    return product


def policy(product: Product, judge: str, *words: str) -> str:
    """A session that has been told to greet, and a policy with this judge."""
    words = (*COMMIT, *words, "--judge", judge, "--judge-prompt", "Is the greeting fit for a person?")
    start = ("session", "start", "--preset", "writer", "--worktree", "hello", "--prompt", "Hello", "--json")
    return product.attach(str(product.ok(*start).json["sessionId"]), *words)


class Seen:
    """The log of a workspace, read in this process."""

    def __init__(self, product: Product) -> None:
        here = wiring.locate(product.repo, product.env)
        assert isinstance(here, wiring.Here)
        self.here, self._journal = here, wiring.open_journal(here)

    @property
    def state(self) -> State:
        self._journal.refresh()
        return self._journal.state

    def facts(self, kind: type[ev.Event]) -> list[Any]:
        return [entry.fact for entry in self._journal.since(0) if isinstance(entry.fact, kind)]

    def close(self) -> None:
        self._journal.close()


@pytest.fixture
def seen(judged: Product) -> Iterator[Seen]:
    made = Seen(judged)
    yield made
    made.close()


def until(look: Callable[[], Any], why: str) -> Any:
    deadline = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < deadline, why
        time.sleep(0.05)
    return found


def of_judges(product: Product) -> list[int]:
    """Processes whose environment says that they belong to a judge."""
    found = []
    for pid in product.processes():
        try:
            environ = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if re.search(rb"NIGHTDESK_SESSION=[^\0]*/judge-", environ):
            found.append(pid)
    return found


def test_what_a_judge_finds_is_told_to_the_session_and_what_it_passes_waits_for_a_person(
    judged: Product, seen: Seen
) -> None:
    name = policy(judged, "strict", "--nudge", "Verdict {code}. Repair this: {output}")
    assert judged.wait(name).code == 0, judged.status(name)
    told = [fact.text for fact in seen.facts(ev.PromptQueued) if fact.cause == "nudge"]
    assert len(told) == 1 and told[0].startswith("Verdict FAIL. Repair this: - high hello.txt: it says no name")
    status = judged.status(name)
    assert (status["status"], status["retries"], status["lastGate"]["verdict"]) == ("awaiting-ack", 1, "green")
    assert (status["lastGate"]["where"], status["lastGate"]["exitCode"]) == ("plan", None)
    assert "It greets somebody now." in status["lastGate"]["output"]
    assert "VERDICT: PASS" in Path(status["lastGate"]["output_file"]).read_text()
    shown = judged.ok("policy", "status", name).out
    assert "judge strict: green on the plan" in shown and "said      It greets somebody now." in shown
    judges = [fact.session for fact in seen.facts(ev.JudgeStarted)]
    assert judges == [f"judge-{name}-1", f"judge-{name}-2"]
    assert [fact.session for fact in seen.facts(ev.JudgeEnded)] == judges and not of_judges(judged)


def test_a_judge_is_gone_with_its_supervisor_begins_once_more_under_the_next_and_is_gone_when_its_time_is_over(
    judged: Product, seen: Seen
) -> None:
    name = policy(judged, "slow", "--judge-timeout", "4s")
    until(lambda: seen.facts(ev.JudgeStarted), "no judge was started")
    old = until(lambda: of_judges(judged), "no judge runs")
    assert seen.state.supervisor
    os.kill(seen.state.supervisor.pid, signal.SIGKILL)
    until(lambda: not set(old) & set(of_judges(judged)), "the judge outlived its supervisor")
    assert not seen.facts(ev.JudgeEnded) and judged.run("session", "prompt", "s-1", "x").code == 0
    until(lambda: len(seen.facts(ev.JudgeStarted)) == 2, "it was not judged again")
    until(lambda: of_judges(judged), "no judge runs again")
    until(lambda: seen.state.policies[name].status == "blocked", "its time is over")
    [judgement] = seen.facts(ev.PolicyJudged)
    assert judgement.results[-1].verdict == "timeout", "its PASS came before its end"
    assert "gave no verdict within 4 s" in seen.state.policies[name].reason
    [gone] = seen.facts(ev.JudgeEnded)
    assert gone.session == f"judge-{name}-1" and not of_judges(judged)
