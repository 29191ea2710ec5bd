"""`nightdesk demo` as anybody would run it: a whole night, one that stops by itself, and the two policies.

Real processes, real git, in a home of its own. The night takes half a minute: it is the product's shortest whole story.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from console.adapters.demo import Expected, expected
from console.cli.demo import differences
from console.core import events as ev
from console.core.records import RunSettings, TextVerdict, TicketSpec, Who
from console.core.state import State
from console.core.tickets import of_chain


def nightdesk(folder: Path, *arguments: str, seconds: float = 110) -> subprocess.CompletedProcess[str]:
    """The command in a home below `folder`."""
    homes = {"HOME": "home", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **{key: str(folder / name) for key, name in homes.items()}}
    (folder / "home").mkdir(exist_ok=True)
    argv = [sys.executable, "-m", "console", *arguments]
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=seconds)


def git(repo: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repo, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow  # `.ci/run` plays the same night from an installed program
def test_a_night_reaches_every_outcome_and_its_report_counts_what_the_log_says(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    done = nightdesk(tmp_path, "demo", "--headless", "--dir", str(shop))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "all 14 tickets and their 6 reviews and repairs ended as the demo is meant to end" in done.stdout
    assert "# Night report: `run-1`" in done.stdout

    ran = nightdesk(tmp_path, "--workspace", str(shop), "events", "--json", "--limit", "10000")
    facts = json.loads(ran.stdout)["events"]
    ends = {fact["ticket"]: fact for fact in facts if fact["type"] == "ticket:ended"}
    hoped = {name: outcome for name, outcome in expected("night").tickets.items() if outcome != "quarantined"}
    assert {name: fact["outcome"] for name, fact in ends.items()} == hoped
    roots = [outcome for name, outcome in hoped.items() if not of_chain(name)]
    for outcome in set(roots):
        assert f"{roots.count(outcome)} {outcome}" in done.stdout

    waited = [fact["ticket"] for fact in facts if fact["type"] == "ticket:waiting"]
    failed = [(fact["ticket"], fact["cause"]) for fact in facts if fact["type"] == "ticket:attempt-failed"]
    assert waited == ["slugify-punctuation"] and "attempt" not in ends["slugify-punctuation"]["why"]
    assert sorted(set(failed)) == [
        ("cart-readable", "gate"),
        ("catalogue-order", "gate"),
        ("retry-last-error", "gate"),
        ("stock-empty-lines", "timeout"),
    ]
    (again,) = (fact for fact in facts if fact["type"] == "session:restarting")
    assert (again["cause"], again["count"]) == ("crash", 1), "a crash is no attempt: its agent is started again"
    assert (
        any("skipped" in flag for flag in ends["delivery-weekend"]["flags"])
        and "pre-existing" in ends["opening-hours"]["why"]
    )
    assert "shop-prose" in ends["readme-prose"]["why"] and "the same failure twice" in ends["catalogue-order"]["why"]
    assert "left as the run ended" in ends["cart-readable"]["why"]
    (shipped,) = (fact for fact in facts if fact["type"] == "chain:shipped")
    (escalated,) = (fact for fact in facts if fact["type"] == "chain:escalated")
    assert (shipped["root"], shipped["ticket"]) == ("tax-refund", "tax-refund+review-2")
    assert escalated["root"] == "delivery-weekend" and "BLOCK" in escalated["why"]
    reviewers = {fact["preset"] for fact in facts if fact["type"] == "session:added" and "+review" in fact["ticket"]}
    assert reviewers == {"second-look"}
    assert git(shop, "status", "--porcelain") == "" and git(shop, "rev-list", "--count", "main") == "1\n"


def test_a_queue_that_nobody_can_decide_stops_by_itself(tmp_path: Path) -> None:
    done = nightdesk(tmp_path, "demo", "--headless", "--low-yield", "--dir", str(tmp_path / "shop"))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "LOW YIELD" in done.stdout and "8 PARKED_DECISION" in done.stdout


def test_two_policies_are_approved_by_their_ids(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    done = nightdesk(tmp_path, "demo", "--headless", "--policies", "--dir", str(shop))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (shop / "tickets").exists()
    for branch in ("fix-slugify", "fix-retry"):
        assert git(shop, "rev-list", "--count", f"main..{branch}") == "1\n"


def test_a_folder_in_use_and_flags_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    used = nightdesk(tmp_path, "demo", "--headless", "--dir", str(tmp_path))
    assert used.returncode != 0 and "is not empty" in used.stderr
    both = nightdesk(tmp_path, "demo", "--headless", "--policies", "--low-yield", "--dir", str(tmp_path / "shop"))
    assert both.returncode != 0 and "--low-yield" in both.stderr and not (tmp_path / "shop").exists()


# -- what was hoped for --------------------------------------------------------------------------------------

HOPED = Expected(status=("DRAINED",), tickets={"a": "DONE", "b": "PARKED_DECISION"})


def seen(name: str) -> ev.TicketSeen:
    spec = TicketSpec(title=name)
    return ev.TicketSeen(ticket=name, file=f"{name}.md", digest="d", stamp="s", spec=spec, verdict=TextVerdict())


def played(*facts: ev.Fact) -> State:
    state = State()
    for number, fact in enumerate(facts, 1):
        state.apply(ev.Logged(seq=number, at=float(number), fact=fact))
    return state


STARTED = ev.RunStarted(run="run-1", settings=RunSettings(), by=Who())
ENDED = ev.RunEnded(run="run-1", status="DRAINED", why="nothing is left")


def ended(name: str, outcome: str) -> ev.TicketEnded:
    return ev.TicketEnded(ticket=name, attempt=1, outcome=outcome, why="so it was", run="run-1")  # type: ignore[arg-type]


def test_what_came_as_hoped_makes_no_difference() -> None:
    state = played(STARTED, seen("a"), seen("b"), ended("a", "DONE"), ended("b", "PARKED_DECISION"), ENDED)
    assert differences(state, HOPED) == []


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        ((), ["the run: none, not DRAINED", "a: no such ticket, not DONE", "b: no such ticket, not PARKED_DECISION"]),
        (
            (STARTED, seen("a"), seen("b"), ended("b", "PARKED_DECISION")),
            ["the run: active, not DRAINED", "a: queued, not DONE"],
        ),
        (
            (STARTED, seen("a"), seen("b"), ended("a", "BLOCKED_ENV"), ended("b", "PARKED_DECISION"), ENDED),
            ["a: BLOCKED_ENV, not DONE (so it was)"],
        ),
    ],
)
def test_every_difference_is_told(facts: tuple[ev.Fact, ...], wrong: list[str]) -> None:
    assert differences(played(*facts), HOPED) == wrong
