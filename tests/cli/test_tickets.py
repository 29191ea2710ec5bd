"""`nightdesk ticket`: what is in the folder is in the log, and what a person may do with it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import ME, CommandLine

from console.adapters import operator
from console.core import commands as cmd
from console.core import events as ev


@pytest.fixture
def desk(line: CommandLine) -> Iterator[CommandLine]:
    yield line
    for name in ("tickets", "elsewhere"):
        path = line.root / name
        path.unlink() if path.is_symlink() else shutil.rmtree(path, ignore_errors=True)


def put(desk: CommandLine, name: str, text: str = "Do it.\n") -> Path:
    path = desk.root / "tickets" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def seq(desk: CommandLine) -> int:
    desk.journal.refresh()
    return desk.journal.state.seq


def facts(desk: CommandLine, kind: type[ev.Event]) -> list[ev.Event]:
    return [entry.fact for entry in desk.journal.since(0) if isinstance(entry.fact, kind)]


def as_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "inside_a_session", lambda: True)


# -- the folder and the log ------------------------------------------------------------------------------


def test_a_dropped_file_is_a_ticket_and_nothing_is_written_twice(desk: CommandLine) -> None:
    put(desk, "001-login.md", "---\npriority: high\n---\n# Fix the login\n")
    said = desk.ok("ticket", "list")
    assert "001-login  queued" in said.out and "Fix the login" in said.out and "10" in said.out
    before = seq(desk)
    listed = desk.ok("ticket", "list", "--json").json
    assert [t["ticket"] for t in listed["tickets"]] == ["001-login"] and listed["problems"] == []
    assert seq(desk) == before


def test_a_changed_a_removed_and_a_returning_file_are_followed(desk: CommandLine) -> None:
    path = put(desk, "a.md")
    desk.ok("ticket", "list")
    path.write_text("# Other\n")
    assert desk.ok("ticket", "list", "--json").json["tickets"][0]["title"] == "Other"
    path.unlink()
    assert desk.ok("ticket", "list", "--json").json["tickets"] == []
    assert desk.ok("ticket", "list", "--all", "--json").json["tickets"][0]["phase"] == "gone"
    put(desk, "a.md")
    assert desk.ok("ticket", "list", "--json").json["tickets"][0]["phase"] == "queued"


def test_problems_are_told_and_go_away_and_the_good_ones_stay(desk: CommandLine) -> None:
    put(desk, "good.md")
    bad = put(desk, "bad.md", "---\ntimeout: soon\nblast_radius: big\n---\n")
    said = desk.ok("ticket", "list")
    assert "good" in said.out and [text.split(": ")[0] for text in said.err.splitlines()] == [
        "bad.md:2",
        "bad.md:3",
        "bad.md:5",
    ]
    bad.unlink()
    said = desk.ok("ticket", "list", "--json")
    assert said.json["problems"] == [] and len(facts(desk, ev.QueueProblems)) == 2


def test_tickets_come_back_when_their_circle_is_broken(desk: CommandLine) -> None:
    put(desk, "a.md")
    desk.ok("ticket", "list")
    put(desk, "a.md", "---\ndepends_on: b\n---\nx")
    b = put(desk, "b.md", "---\ndepends_on: a\n---\nx")
    said = desk.ok("ticket", "list")
    assert "a -> b -> a" in said.err and "queued" not in said.out
    b.write_text("Free now")
    listed = desk.ok("ticket", "list", "--json").json
    assert {t["ticket"]: t["phase"] for t in listed["tickets"]} == {"a": "queued", "b": "queued"}
    c = put(desk, "c.md", "---\ndepends_on: d\n---\nx")
    d = put(desk, "d.md", "Do it.")
    desk.ok("ticket", "list")
    stamp = os.stat(c)
    d.write_text("---\ndepends_on: c\n---\nx")
    assert {t["ticket"] for t in desk.ok("ticket", "list", "--json").json["tickets"]} == {"a", "b"}
    d.write_text("Do it.")
    listed = desk.ok("ticket", "list", "--json").json
    assert os.stat(c).st_ctime_ns == stamp.st_ctime_ns  # the file itself is as it was
    assert {t["ticket"] for t in listed["tickets"]} == {"a", "b", "c", "d"}


def test_the_folder_of_the_settings_is_the_one(desk: CommandLine) -> None:
    desk.settle("tickets: elsewhere\n")
    put(desk, "not-here.md")
    (desk.root / "elsewhere").mkdir()
    (desk.root / "elsewhere" / "here.md").write_text("Do it.")
    assert [t["ticket"] for t in desk.ok("ticket", "list", "--json").json["tickets"]] == ["here"]


def test_a_folder_that_leads_outside_is_refused(desk: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("Read me")
    (desk.root / "tickets").symlink_to(tmp_path)
    for words in (["list"], ["add", str(tmp_path / "x.md")], ["show", "x"]):
        said = desk.run("ticket", *words)
        assert said.code == 2 and "not below" in said.err and len(said.err.splitlines()) == 1
    assert desk.journal.state.tickets == {}


def test_hostile_names_and_texts_reach_no_terminal(desk: CommandLine) -> None:
    for name in ("a\nb.md", "\x1b[31mred.md", "-rf.md", "字" * 60 + ".md", "🎉.md"):
        put(desk, name, f"# {name} \x1b]0;title\x07 \u202eevil\n\nbody \x1b[2J\n")
    put(desk, "broken\x1b[2J\n.md", "")
    listed = desk.ok("ticket", "list")
    assert len(listed.out.splitlines()) == 6 and len(listed.err.splitlines()) == 1
    shown = [desk.ok("ticket", "show", t["ticket"]) for t in desk.ok("ticket", "list", "--json").json["tickets"]]
    for said in (listed, *shown):
        assert not set("\x1b\x07\u202e") & set(said.out + said.err)


# -- show ------------------------------------------------------------------------------------------------


def test_show_tells_a_tickets_text_and_where_it_stands(desk: CommandLine) -> None:
    put(desk, "a.md", "---\ntitle: The title\ndepends_on: b\ngate: make check\n---\nThe body\nin lines\n")
    said = desk.ok("ticket", "show", "a")
    for words in ("The title", "make check", "needs     b", "The body\nin lines", "a.md"):
        assert words in said.out
    told = desk.ok("ticket", "show", "a.md", "--json").json
    assert told["text"] == "The body\nin lines\n" and told["depends_on"] == ["b"] and told["outcome"] is None


def test_show_finds_a_ticket_by_id_case_or_file(desk: CommandLine) -> None:
    put(desk, "003 some file.md", "---\nid: T-3\n---\nx")
    for name in ("T-3", "t-3", "003 some file.md", "003 some file"):
        assert desk.ok("ticket", "show", name, "--json").json["ticket"] == "T-3"


@pytest.mark.parametrize("words", [["show"], ["requeue"], ["drop"], ["release"]])
def test_what_is_not_there_exits_3(desk: CommandLine, words: list[str]) -> None:
    said = desk.run("ticket", *words, "nope")
    assert said.code == 3 and said.err == "no ticket 'nope'; `nightdesk ticket list --all` shows what there is\n"


def test_show_keeps_the_text_of_a_file_that_is_gone(desk: CommandLine) -> None:
    path = put(desk, "a.md", "What it said\n")
    desk.ok("ticket", "list")
    path.unlink()
    said = desk.ok("ticket", "show", "a")
    assert "not there any more" in said.out and "What it said" in said.out


def test_show_tells_of_a_parked_decision(desk: CommandLine) -> None:
    put(desk, "a.md")
    desk.ok("ticket", "list")
    desk.do(cmd.ParkTicket(ticket="a", question="Which column stays?", options=("old", "new"), by=ME))
    told = desk.ok("ticket", "show", "a", "--json").json
    assert told["outcome"] == "PARKED_DECISION" and told["decision"]["question"] == "Which column stays?"
    assert "Which column stays?" in desk.ok("ticket", "show", "a").out


# -- requeue, drop, release ------------------------------------------------------------------------------


def test_drop_and_requeue(desk: CommandLine) -> None:
    path = put(desk, "a.md")
    assert "dropped" in desk.ok("ticket", "drop", "a", "--note", "not now").out
    assert path.exists() and desk.ok("ticket", "list", "--json").json["tickets"] == []
    assert desk.run("ticket", "drop", "a").code == 2
    desk.ok("ticket", "requeue", "a", "--note", "now it is")
    told = desk.ok("ticket", "show", "a", "--json").json
    assert told["phase"] == "queued" and told["answers"] == ["now it is"]
    by = [fact.by.user for fact in facts(desk, ev.TicketRequeued) if isinstance(fact, ev.TicketRequeued)]
    assert by and by[0]


def test_a_held_ticket_is_released_with_the_text_that_was_seen(desk: CommandLine) -> None:
    path = put(desk, "a.md")
    desk.ok("ticket", "list")
    digest = desk.ok("ticket", "show", "a", "--json").json["digest"]
    path.write_text("Do something else")
    hold(desk, "a")
    said = desk.run("ticket", "release", "a", "--digest", digest[:12])
    assert said.code == 2 and "has changed since you saw it" in said.err
    assert desk.ok("ticket", "show", "a", "--json").json["held"] == "for a test"
    desk.ok("ticket", "release", "a")
    assert desk.ok("ticket", "show", "a", "--json").json["held"] is None
    assert desk.run("ticket", "release", "a").code == 2


def hold(desk: CommandLine, name: str) -> None:
    """Somebody else's look found the file, and holds it."""
    from console.verbs import queueing

    desk.journal.refresh()
    look = queueing.folder_of(desk.here).look(queueing.known(desk.journal.state))
    assert [one.ticket for one in look.seen] == [name]
    desk.do(cmd.SyncTickets(seen=look.seen, held="for a test"))


@pytest.mark.parametrize("words", [["requeue", "a"], ["drop", "a"], ["release", "a"]])
def test_these_are_for_people(desk: CommandLine, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    put(desk, "a.md")
    as_agent(monkeypatch)
    said = desk.run("ticket", *words)
    assert said.code == 2 and "is for the operator" in said.err and seq(desk) == 0


def test_an_agent_may_look(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(desk, "a.md")
    as_agent(monkeypatch)
    assert "a" in desk.ok("ticket", "list").out and "Do it." in desk.ok("ticket", "show", "a").out


def test_a_pipe_in_the_folder_hangs_no_command(desk: CommandLine) -> None:
    put(desk, "a.md")
    os.mkfifo(desk.root / "tickets" / "pipe.md")
    said = desk.ok("ticket", "list")
    assert "pipe.md:1: is a pipe" in said.err and "a" in said.out
