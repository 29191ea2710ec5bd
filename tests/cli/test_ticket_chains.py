"""Reviews and repairs on the command line: under their ticket, with what they are about and what was said."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

import pytest
from commandline import ME, CommandLine

from console.adapters.store import Log
from console.core import events as ev
from console.core.records import Option, TicketSpec
from console.core.records_chains import Link, LinkKind, Review
from console.core.records_routines import RoutineSpec, Step

HEAD = "1" * 40
"""Of `waiting_plan`."""
EVIL = "slugs lose\x1b[2J their dashes\nand `more`"


@pytest.fixture
def desk(line: CommandLine) -> Iterator[CommandLine]:
    (line.root / "tickets").mkdir()
    for name in ("a", "b"):
        (line.root / "tickets" / f"{name}.md").write_text(f"# Title of {name}\n")
    line.ok("ticket", "list")
    yield line
    shutil.rmtree(line.root / "tickets")


def append(desk: CommandLine, *facts: ev.Fact) -> None:
    """What the brain itself says, which nobody can report."""
    log = Log(desk.here.places.log)
    with log.transaction():
        seq = log.last()
        log.append([ev.Logged(seq=seq + n, at=time.time(), fact=fact) for n, fact in enumerate(facts, 1)])
    log.close()


def spawned(root: str, kind: LinkKind, cycle: int) -> ev.ChainSpawned:
    link = Link(kind=kind, root=root, head=HEAD, policy="pol-1", after=root, cycle=cycle)
    name = f"{root}+{kind}-{cycle}"
    return ev.ChainSpawned(ticket=name, link=link, spec=TicketSpec(title="x"), key=f"{kind}:{cycle}", why="it is done")


def chain(desk: CommandLine) -> None:
    """BLOCK, and a repair that is queued; of a root that is done itself."""
    desk.waiting_plan()
    review = Review(verdict="BLOCK", commit=HEAD, why="its last line is BLOCK", findings=EVIL, preset="careful")
    append(
        desk,
        ev.ChainsSwitched(on=True, by=ME),
        ev.TicketEnded(ticket="a", attempt=1, outcome="DONE", why="green"),
        spawned("a", "review", 1),
        ev.ReviewJudged(ticket="a+review-1", attempt=1, review=review),
        ev.TicketEnded(ticket="a+review-1", attempt=1, outcome="DONE", why="BLOCK"),
        spawned("a", "repair", 1),
    )


def test_a_review_stands_under_its_ticket_which_is_listed_as_long_as_it_goes_on(desk: CommandLine) -> None:
    chain(desk)
    lines = desk.ok("ticket", "list").out.splitlines()[1:]
    assert [line.split("  ")[0] for line in lines] == ["a", "", "", "b"]
    assert lines[1].startswith("  a+review-1  BLOCK ") and lines[1].endswith("reviews 1111111111 of a, cycle 1")
    assert lines[2].startswith("  a+repair-1  queued ") and lines[2].endswith("repairs 1111111111 of a, cycle 1")
    listed = desk.ok("ticket", "list", "--json").json["tickets"]
    assert [t["ticket"] for t in listed] == ["a", "a+review-1", "a+repair-1", "b"]
    assert [m["word"] for m in listed[0]["members"]] == ["BLOCK", "queued"]
    append(desk, ev.ChainsSwitched(on=False, by=ME))
    assert "chains are off" in desk.ok("ticket", "show", "a+repair-1").out
    append(desk, ev.TicketDropped(ticket="a+repair-1", by=ME))
    assert [t["ticket"] for t in desk.ok("ticket", "list", "--json").json["tickets"]] == ["b"]
    assert "a+repair-1  withdrawn" in desk.ok("ticket", "list", "--all").out


def test_a_ticket_shows_its_chain_and_a_review_its_link_verdict_and_findings(desk: CommandLine) -> None:
    chain(desk)
    shown = desk.ok("ticket", "show", "a").out
    assert "review    a+review-1: BLOCK, reviews 1111111111 of a, cycle 1" in shown and "Title of a" in shown
    said = desk.ok("ticket", "show", "a+review-1").out
    assert "about     reviews 1111111111 of a, cycle 1" in said and "verdict   PROCEED" not in said
    assert "BLOCK for 1111111111: its last line is BLOCK" in said
    assert "slugs lose" in said and "and `more`" in said and "\x1b" not in said
    data = desk.ok("ticket", "show", "a+review-1", "--json").json
    assert (data["about"], data["word"], data["review"]["verdict"]) == (
        "reviews 1111111111 of a, cycle 1",
        "BLOCK",
        "BLOCK",
    )
    assert data["link"]["root"] == "a" and data["text"] is None
    assert desk.ok("ticket", "show", "a", "--json").json["members"][0]["ticket"] == "a+review-1"


def test_the_status_counts_tickets_without_their_reviews_and_names_what_calls_for_a_person(desk: CommandLine) -> None:
    chain(desk)
    until = time.time() + 300
    append(
        desk,
        ev.ChannelOpened(channel="c1", words="the hook at 127.0.0.1", since=0),
        ev.NoticeSettled(channel="c1", upto=3, outcome="failed", detail="connection refused"),
        ev.RoutineStarted(routine="rt-1", spec=RoutineSpec(name="release", steps=(Step(name="go"),)), by=ME),
        ev.RoutineStepBegun(routine="rt-1", step=0),
        ev.RoutineEscalated(
            routine="rt-1", step=0, title="Deploy?", until=until, options=(Option(id="y", name="Yes", kind="x"),)
        ),
    )
    said = desk.ok("status").out
    assert "tickets: queued 1  done 1" in said.replace("done 1  queued 1", "queued 1  done 1")
    assert "chains: on" in said and "the hook at 127.0.0.1 was not reached" in said and "connection refused" in said
    assert "Deploy?" in said and "left" in said
    data = desk.ok("status", "--json").json
    assert data["chains"]["on"] and data["routines"] == ["rt-1"]
    assert [c["channel"] for c in data["channels"]] == ["c1"] and sum(data["tickets"].values()) == 2
