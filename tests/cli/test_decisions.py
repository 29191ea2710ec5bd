"""`nightdesk decision ...`: what waits, in which order, answering it, and taking the answer back."""

from __future__ import annotations

import pytest
from commandline import ME, CommandLine

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import RunSettings, TextVerdict, TicketSpec

EVIL = "drop\x1b[2J\x9b31m\u202e the table?"


def add(line: CommandLine, *names: str, after: tuple[str, ...] = ()) -> None:
    """Tickets as a look into the folder reports them."""
    seen = tuple(
        ev.TicketSeen(
            ticket=name,
            file=f"{name}.md",
            digest="d" * 64,
            stamp="1",
            spec=TicketSpec(title=f"Title of {name}", depends_on=after),
            verdict=TextVerdict(),
        )
        for name in names
    )
    line.do(cmd.SyncTickets(seen=seen, by=ME))


def park(line: CommandLine, name: str, *options: str, foundational: bool = False, question: str = "Which way?") -> str:
    command = cmd.ParkTicket(ticket=name, question=question, by=ME, options=options, foundational=foundational)
    line.do(command)
    return next(d.decision for d in line.journal.state.decisions.values() if d.ticket == name and d.state == "open")


def night(line: CommandLine) -> tuple[str, str]:
    """A plain decision and a younger foundational one with two tickets behind it."""
    add(line, "plain", "root")
    add(line, "child", after=("root",))
    add(line, "grandchild", after=("child",))
    plain = park(line, "plain", "left", "right")
    return plain, park(line, "root", "forwards", "both ways", foundational=True)


def phase(line: CommandLine, name: str) -> str:
    line.journal.refresh()
    return line.journal.state.tickets[name].phase


# -- looking ---------------------------------------------------------------------------------------


def test_the_list_has_foundational_ones_first_and_what_they_hold_back(line: CommandLine) -> None:
    plain, root = night(line)
    head, first, second = line.ok("decision", "list").out.splitlines()
    assert head.split() == ["DECISION", "TICKET", "STATE", "KIND", "FOR", "BEHIND", "QUESTION"]
    assert first.split()[:4] == [root, "root", "open", "foundational"]
    assert second.split()[:3] == [plain, "plain", "open"]
    listed = line.ok("decision", "list", "--json").json["decisions"]
    assert [(d["decision"], d["behind"]) for d in listed] == [(root, ["child", "grandchild"]), (plain, [])]


def test_an_empty_list_says_so(line: CommandLine) -> None:
    assert line.ok("decision", "list").out == "no decision waits for you\n"
    assert line.ok("decision", "list", "--json").json == {"decisions": []}


def test_one_decision_has_its_readings_and_the_command_for_each(line: CommandLine) -> None:
    _, root = night(line)
    out = line.ok("decision", "show", root).out
    assert "Which way?" in out and "behind    child, grandchild (quarantined)" in out
    assert f"nightdesk decision answer {root} --choose 2" in out
    data = line.ok("decision", "show", root, "--json").json
    assert [o["text"] for o in data["options"]] == ["forwards", "both ways"]
    assert (data["state"], data["answer"], data["foundational"]) == ("open", None, True)


def test_a_question_cannot_drive_the_terminal(line: CommandLine) -> None:
    add(line, "t")
    found = park(line, "t", EVIL, question=EVIL)
    for words in (["decision", "list"], ["decision", "show", found]):
        out = line.ok(*words).out
        assert "drop" in out
        assert not [c for c in out if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c == "\u202e"], words


# -- answering -------------------------------------------------------------------------------------


def test_answering_queues_the_ticket_again_and_releases_what_was_behind_it(line: CommandLine) -> None:
    _, root = night(line)
    out = line.ok("decision", "answer", root, "--choose", "2").out.splitlines()
    assert out[0] == "root is queued again; 2 tickets that wait for it are released: child, grandchild"
    assert out[1] == "no run is under way; `nightdesk run` takes it"
    assert out[2] == f"until work on it begins, `nightdesk decision reopen {root}` takes the answer back"
    assert phase(line, "root") == "queued"
    assert line.journal.state.tickets["root"].answers == ("Which way? -> both ways",)


def test_a_reading_and_a_text_are_taken_together(line: CommandLine) -> None:
    plain, _ = night(line)
    data = line.ok("decision", "answer", plain, "--choose", "1", "--text", "mind the index", "--json").json
    assert (data["state"], data["answer"], data["released"]) == ("answered", "left; mind the index", [])
    listed = line.ok("decision", "list", "--all", "--json").json["decisions"]
    assert [d["state"] for d in listed] == ["open", "answered"]
    assert len(line.ok("decision", "list").out.splitlines()) == 2


def test_a_text_alone_is_an_answer(line: CommandLine) -> None:
    plain, _ = night(line)
    line.ok("decision", "answer", plain, "--text", "neither: leave it")
    shown = line.ok("decision", "show", plain).out
    assert "answered  neither: leave it" in shown


def test_while_a_run_is_under_way_nobody_is_told_to_start_one(line: CommandLine) -> None:
    plain, _ = night(line)
    add(line, "other")  # without it the run has nothing to do and ends
    line.do(cmd.StartRun(settings=RunSettings(), by=ME))
    assert "nightdesk run" not in line.ok("decision", "answer", plain, "--choose", "1").out


def test_an_answer_is_taken_back_until_work_begins(line: CommandLine) -> None:
    _, root = night(line)
    line.ok("decision", "answer", root, "--choose", "1")
    out = line.ok("decision", "reopen", root).out
    assert out == f"{root} is open again, root is parked; 2 tickets are quarantined again: child, grandchild\n"
    assert phase(line, "root") == "ended"
    again = line.run("decision", "reopen", root)
    assert (again.code, again.out) == (2, "")
    assert "open" in again.err


def test_an_answer_stays_once_work_has_begun(line: CommandLine) -> None:
    plain, _ = night(line)
    line.ok("decision", "answer", plain, "--choose", "1")
    line.do(cmd.StartRun(settings=RunSettings(), by=ME, pull=True))
    line.do(cmd.NextTicket(holder="worker", by=ME))
    assert phase(line, "plain") == "claimed"
    said = line.run("decision", "reopen", plain)
    assert said.code == 2 and "work on plain has begun" in said.err


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["show", "dec-9"], ["answer", "dec-9", "--choose", "1"], ["reopen", "dec-9"], ["show", "dec-9", "--json"]]
)
def test_an_unknown_decision_is_not_found(line: CommandLine, words: list[str]) -> None:
    said = line.run("decision", *words)
    assert (said.code, said.out) == (3, "")
    assert said.err == "no decision 'dec-9'; `nightdesk decision list` shows what there is\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "wants an answer: one of its 2 readings, or a text"),
        (["--text", "  "], "wants an answer"),
        (["--choose", "3"], "has no reading 3; there is 1 to 2"),
        (["--choose", "0"], "0 is not in the range"),
    ],
)
def test_no_answer_and_a_wrong_number_are_refused(line: CommandLine, words: list[str], why: str) -> None:
    plain, _ = night(line)
    said = line.run("decision", "answer", plain, *words)
    assert said.code == 2 and why in said.err
    assert phase(line, "plain") == "ended"


def test_a_second_answer_is_refused(line: CommandLine) -> None:
    plain, _ = night(line)
    line.ok("decision", "answer", plain, "--choose", "1")
    said = line.run("decision", "answer", plain, "--choose", "2")
    assert said.code == 2 and "answered already" in said.err


@pytest.mark.parametrize("words", [["answer", "dec-1", "--choose", "1"], ["reopen", "dec-1"]])
def test_a_session_answers_nothing(line: CommandLine, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    night(line)
    monkeypatch.setattr("console.adapters.operator.inside_a_session", lambda: True)
    before = line.journal.state.seq
    said = line.run("decision", *words)
    line.journal.refresh()
    assert said.code == 2 and "is for the operator" in said.err
    assert line.journal.state.seq == before
