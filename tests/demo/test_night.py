"""The demo's night, piece by piece: its tickets say what they are meant to say, and its agent does what it is meant to.

Prompts are those of the queue itself (`core.prompting`); the night as a whole is in tests/cli/test_demo.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from console.adapters.agents import RealAgents
from console.adapters.demo import demo_dir, expected, make_repository
from console.adapters.processes import ShimProcesses
from console.adapters.tickets.parsing import Parsed, parse
from console.adapters.trust import load
from console.core.deciding import judge
from console.core.prompting import first_prompt
from console.core.records import Gate, Launch, Refused, TextVerdict
from console.core.tickets import Failure, Ticket
from console.engine.ports import AgentSpec, Asked

STEPS = {"say", "think", "read", "edit", "wait", "ask", "park", "spend", "limit", "crash", "hang"}
NIGHT = expected("night").tickets
PARKED_BY_TEXT = {"search-empty": "ambiguity", "orders-schema": "schema"}
DECIDED = {"tax-refund": "money"}
"""What its text would park and the demo's settings decide beforehand."""
NO_SCRIPT = {"orders-packing", "orders-greeting", *PARKED_BY_TEXT}


def tickets(*folders: str) -> dict[str, Parsed]:
    found = {}
    for folder in folders:
        for path in sorted((demo_dir() / folder).iterdir()):
            parsed = parse(path.read_bytes(), path.name)
            assert isinstance(parsed, Parsed), parsed
            found[parsed.ticket] = parsed
    return found


TICKETS = tickets("tickets")


# -- tickets -------------------------------------------------------------------------------------------------


def test_the_night_is_about_exactly_its_tickets_and_reaches_every_outcome() -> None:
    assert set(TICKETS) == {name for name in NIGHT if "+" not in name}
    assert {name.partition("+")[0] for name in NIGHT if "+" in name} == {"tax-refund", "delivery-weekend"}
    assert set(NIGHT.values()) == {
        "DONE",
        "DONE_LOW_CONFIDENCE",
        "PARKED_DECISION",
        "PARKED_FOUNDATIONAL",
        "BLOCKED_ENV",
        "FAILED_RETRYABLE",
        "FAILED_BUG_IN_AGENT",
        "quarantined",
    }


def test_the_text_parks_what_it_is_meant_to_park() -> None:
    verdicts = {name: judge(t.spec.title, t.body, t.spec.blast_radius) for name, t in TICKETS.items()}
    assert {name: v.category for name, v in verdicts.items() if v.decision != "PROCEED"} == PARKED_BY_TEXT | DECIDED


def test_the_settings_decide_what_the_night_needs_and_name_another_reviewer(tmp_path: Path) -> None:
    assert make_repository(tmp_path / "shop", kind="night") is None
    settings = load(tmp_path / "shop").settings
    assert settings.decide == dict.fromkeys(DECIDED, "PROCEED")
    assert settings.review.reviewer == "second-look" != settings.agent and settings.review.max_cycles == 2


def test_every_ticket_of_the_low_yield_parks_by_its_text_and_comes_first() -> None:
    more = tickets("low-yield")
    assert set(expected("low-yield").tickets) == set(more) and len(more) >= 8
    verdicts = {judge(t.spec.title, t.body) for t in more.values()}
    assert {(v.decision, v.category) for v in verdicts} == {("PARK", "ambiguity")}
    assert min(t.spec.priority for t in more.values()) > max(t.spec.priority for t in TICKETS.values())


def test_the_files_are_as_different_as_those_of_different_people() -> None:
    raw = {path.name: path.read_bytes() for path in (demo_dir() / "tickets").iterdir()}
    assert raw["readme-prose.md"].startswith(b"\xef\xbb\xbf---\r\n") and TICKETS["readme-prose"].spec.gate
    assert not raw["opening-hours.md"].startswith(b"---")
    assert TICKETS["opening-hours"].spec.title == "Say in the README when the shop is open"
    assert b"estimate: 2h" in raw["stock-empty-lines.md"] and TICKETS["stock-empty-lines"].spec.timeout == 8
    assert TICKETS["orders-greeting"].spec.depends_on == ("orders-packing",)


def test_every_ticket_that_an_agent_gets_has_a_script_and_every_script_can_be_played() -> None:
    scripted = {path.parent.name: path for path in (demo_dir() / "scenarios").glob("*/scenario.json")}
    assert set(TICKETS) - set(scripted) == NO_SCRIPT
    for path in scripted.values():
        takes = json.loads(path.read_text())["takes"]
        assert "when" not in takes[-1] and "prompt" not in takes[-1], f"{path}: no take for everything else"
        steps = [step for take in takes for step in take["steps"]]
        assert all(STEPS & set(step) for step in steps), path
        assert all((path.parent / name).is_file() for step in steps for name in step.get("with", ())), path


# -- the agent -----------------------------------------------------------------------------------------------


class Shop:
    """The sample repository, and the demo's agent at work in it as its settings start it, only faster."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "shop", folder / "state"
        self.state.mkdir()
        assert make_repository(self.root, kind="night") is None
        settings = yaml.safe_load((self.root / ".nightdesk" / "config.yaml").read_text())
        self.gate_all = Gate(argv=tuple(settings["gate"].split()))
        command = settings["presets"]["night"]["command"]
        self.launch = Launch(argv=(*command, "--pace", "0.01"))
        self.facts: list[Any] = []
        self.agents: list[Any] = []

    async def agent(self) -> Any:
        spec = AgentSpec(
            session="s1",
            run=1,
            launch=self.launch,
            cwd=str(self.root),
            env={"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(self.state)},
            transcript=str(self.state / "t.jsonl"),
            stderr=str(self.state / "e.log"),
        )
        started = await RealAgents(ShimProcesses(), patience=0.5).start(spec, self.facts.append)
        assert not isinstance(started, Refused), started
        self.agents.append(started)
        return started

    async def work(self, name: str, *failures: Failure) -> Any:
        """One attempt at a ticket: a fresh agent, one prompt."""
        return await (await self.agent()).prompt(1, self.prompt(name, *failures))

    def prompt(self, name: str, *failures: Failure) -> str:
        t = TICKETS[name]
        ticket = Ticket(
            ticket=name, file=f"{name}.md", digest="d", stamp="s", spec=t.spec, verdict=TextVerdict(), failures=failures
        )
        return first_prompt(ticket, t.body, t.spec.gate or self.gate_all)

    def judged(self, name: str) -> tuple[int, str]:
        gate = TICKETS[name].spec.gate or self.gate_all
        done = subprocess.run(
            [sys.executable, *gate.argv[1:]], cwd=self.root, capture_output=True, text=True, check=False, timeout=60
        )
        return done.returncode, done.stderr

    def failing(self, name: str) -> set[str]:
        lines = self.judged(name)[1].splitlines()
        return {line.split()[1] for line in lines if line.startswith(("FAIL:", "ERROR:"))}

    def changed(self) -> list[str]:
        done = subprocess.run(
            ["git", "status", "--porcelain"], cwd=self.root, capture_output=True, text=True, check=True
        )
        return [line[3:] for line in done.stdout.splitlines()]

    def roll_back(self) -> None:
        subprocess.run(["git", "checkout", "-q", "."], cwd=self.root, check=True)


@pytest.fixture
async def shop(tmp_path: Path) -> Any:
    made = Shop(tmp_path)
    yield made
    for agent in made.agents:
        await agent.stop()


def failed(cause: str = "gate", output: str = "") -> Failure:
    return Failure(attempt=1, cause=cause, why="as the log says", output=output)


def test_four_tests_are_red_before_anybody_works(tmp_path: Path) -> None:
    assert Shop(tmp_path).failing("opening-hours") == {
        "test_leaves_no_punctuation",
        "test_gives_up_with_the_last_error",
        "test_passes_over_empty_lines",
        "test_passes_over_the_weekend",
    }


async def test_a_usage_limit_with_its_reset_then_the_work(shop: Shop) -> None:
    name, agent = "slugify-punctuation", await shop.agent()
    limited = await agent.prompt(1, shop.prompt(name))
    assert (limited.ok, limited.fault) == (False, "limit") and 0 < limited.until - time.time() <= 2
    assert shop.changed() == []
    done = await agent.prompt(2, "The usage limit is over. Go on.")
    assert done.ok and shop.judged(name)[0] == 0 and shop.changed() == ["shop/slugify.py"]
    assert done.usage.cost_usd == 0.04


async def test_the_first_attempt_breaks_another_test_the_second_is_told_of_it(shop: Shop) -> None:
    name = "retry-last-error"
    before = shop.failing(name)
    assert (await shop.work(name)).ok
    assert shop.failing(name) - before == {"test_returns_what_works_at_last"}
    output = shop.judged(name)[1]
    shop.roll_back()
    assert (await shop.work(name, failed(output=output))).ok
    assert shop.judged(name)[0] == 0 and shop.changed() == ["shop/retry.py"]


async def test_a_hang_until_it_is_cancelled_then_the_work(shop: Shop) -> None:
    name, agent = "stock-empty-lines", await shop.agent()
    turn = asyncio.ensure_future(agent.prompt(1, shop.prompt(name)))
    async with asyncio.timeout(20):
        while "take a while" not in Path(shop.state, "t.jsonl").read_text():
            await asyncio.sleep(0.02)
    assert not turn.done()
    await agent.cancel()
    assert (await turn).stop == "cancelled" and shop.changed() == []
    assert (await shop.work(name, failed("timeout"))).ok
    assert shop.judged(name)[0] == 0 and shop.changed() == ["shop/stock.py"]


async def test_a_crash_leaves_half_of_the_work_then_all_of_it(shop: Shop) -> None:
    name, before = "opening-hours", shop.failing("opening-hours")
    died = await shop.work(name)
    assert (died.ok, died.stop, died.code) == (False, "died", 3) and "out of luck" in died.detail
    assert shop.changed() == ["README.md"]
    shop.roll_back()
    assert (await shop.work(name, failed("crash"))).ok
    assert shop.changed() == ["README.md"] and "until noon" in (shop.root / "README.md").read_text()
    assert shop.failing(name) == before, "the gate was red before, for the same reasons"


async def test_a_worker_that_skips_the_failing_test(shop: Shop) -> None:
    name = "delivery-weekend"
    assert shop.judged(name)[0] == 1
    assert (await shop.work(name)).ok
    assert shop.judged(name)[0] == 0 and shop.changed() == ["tests/test_dates.py"]


async def test_the_same_failure_however_often(shop: Shop) -> None:
    name = "catalogue-order"
    seen = []
    for failures in ((), (failed(),), (failed(), failed(output="AssertionError"))):
        assert shop.judged(name)[0] == 0
        assert (await shop.work(name, *failures)).ok
        seen.append(shop.failing(name))
        shop.roll_back()
    assert seen == [{"test_ignores_the_case"}] * 3


async def test_an_expensive_attempt_that_breaks_what_was_green(shop: Shop) -> None:
    name = "cart-readable"
    assert shop.judged(name)[0] == 0
    result = await shop.work(name)
    assert result.ok and result.usage.cost_usd == 1.2 and shop.failing(name) == {"test_counts_add_up"}


async def test_a_gate_that_nobody_has_and_a_ticket_without_a_script(shop: Shop) -> None:
    assert TICKETS["readme-prose"].spec.gate.argv[0] == "shop-prose"
    assert (await shop.work("readme-prose")).ok and shop.changed() == ["README.md"]
    shop.roll_back()
    assert (await shop.work("orders-packing")).ok and shop.changed() == []


async def test_a_permission_is_asked_for_as_the_protocol_wants_it(shop: Shop) -> None:
    shop.launch = Launch(argv=tuple("ask" if word == "night" else word for word in shop.launch.argv))
    turn = asyncio.ensure_future((await shop.agent()).prompt(1, "go"))
    async with asyncio.timeout(20):
        while not any(isinstance(fact, Asked) for fact in shop.facts):
            await asyncio.sleep(0.02)
    assert shop.agents[0].answer("q-1", None)
    assert (await turn).ok and shop.changed() == []


async def test_what_a_conversation_cost_is_known_when_it_is_resumed(shop: Shop) -> None:
    first = await shop.agent()
    assert (await first.prompt(1, shop.prompt("readme-prose"))).usage.cost_usd == 0.01
    conversation = next(fact.conversation for fact in shop.facts if getattr(fact, "conversation", ""))
    await first.stop()
    spec = AgentSpec(
        session="s1",
        run=2,
        launch=shop.launch,
        cwd=str(shop.root),
        env={"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(shop.state)},
        transcript=str(shop.state / "t.jsonl"),
        stderr=str(shop.state / "e.log"),
        conversation=conversation,
    )
    again: Any = await RealAgents(ShimProcesses(), patience=0.5).start(spec, shop.facts.append)
    shop.agents.append(again)
    assert (await again.prompt(2, "once more")).usage.cost_usd == pytest.approx(0.01)
