"""An earlier conversation in a new process: gemini's is not loaded within the minute in which it began."""

from __future__ import annotations

import time
from typing import Any

import pytest

from console.adapters.agents import loading
from console.adapters.agents.transcripts import Transcript
from console.engine.ports import Began

GEMINI = """
HELLO["agentInfo"] = {"name": "gemini-cli", "version": "0.61.0"}
LOADED = []
def load(params): LOADED.append(time.time()); return {}
def turn(text): say(str(LOADED[0] if LOADED else 0)); reply()
"""


@pytest.mark.parametrize(
    ("began", "now", "seconds"),
    [
        (120.0, 120.0, 60.5),
        (179.9, 179.95, 0.55),
        (125.0, 170.0, 10.5),
        (125.0, 180.4, 0.1),
        (125.0, 181.0, 0.0),
        (125.0, 7000.0, 0.0),
        (0.0, 7000.0, 0.0),
        (9999.0, 120.0, 0.0),
    ],
)
def test_how_long_until_that_minute_is_over(began: float, now: float, seconds: float) -> None:
    assert loading.pause(began, now) == pytest.approx(seconds)


def test_the_transcript_tells_when_a_conversation_began(tmp_path: Any) -> None:
    path, clock = str(tmp_path / "t.jsonl"), iter([100.0, 200.0, 300.0, 400.0])
    transcript = Transcript(path, now=lambda: next(clock))
    transcript.append("began", conversation="a", resumed=False)
    transcript.append("began", conversation="a", resumed=True)
    transcript.append("began", conversation="b", resumed=False)
    assert [loading.began_at(path, c) for c in ("a", "b", "c")] == [100.0, 300.0, 0.0]


@pytest.fixture
def short_minute(monkeypatch: Any) -> None:
    """A "minute" of half a second, which is not over within the margin."""
    monkeypatch.setattr(loading, "MINUTE", 0.5)


def begun(bench: Any, conversation: str) -> float:
    transcript = Transcript(bench.transcript)
    transcript.append("began", conversation=conversation, resumed=False)
    transcript.close()
    return time.time()


@pytest.mark.usefixtures("short_minute")
async def test_gemini_is_given_the_rest_of_the_minute(bench: Any) -> None:
    at = begun(bench, "c-0")
    agent = await bench.raw(GEMINI, conversation="c-0")
    assert (await agent.prompt(1, "go")).ok
    assert float(bench.text("text")) >= at // 0.5 * 0.5 + 1.0 and bench.facts.of(Began)[0].resumed


async def test_when_that_takes_too_long_it_starts_afresh_and_says_so(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(loading, "LONGEST", 0.0)
    monkeypatch.setattr(loading, "MINUTE", 3600.0)
    begun(bench, "c-0")
    agent = await bench.raw(GEMINI, conversation="c-0")
    began = bench.facts.of(Began)[0]
    assert not began.resumed and "loses a conversation" in began.detail
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == "0"


async def test_other_agents_load_at_once(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(loading, "LONGEST", 0.0)
    monkeypatch.setattr(loading, "MINUTE", 3600.0)
    begun(bench, "c-0")
    await bench.raw(GEMINI.replace("gemini-cli", "qwen-code"), conversation="c-0")
    assert bench.facts.of(Began)[0].resumed
