"""`nightdesk ticket add`: a new file for every ticket, never over another, and who added it is in the log."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine

from console.adapters import operator
from console.core import commands as cmd
from console.core import events as ev
from console.verbs import adding, queueing


@pytest.fixture
def desk(line: CommandLine) -> Iterator[CommandLine]:
    yield line
    shutil.rmtree(line.root / "tickets", ignore_errors=True)


def typed(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def files(desk: CommandLine) -> list[str]:
    folder = desk.root / "tickets"
    return sorted(os.listdir(folder)) if folder.exists() else []


def seen(desk: CommandLine) -> list[ev.TicketSeen]:
    return [entry.fact for entry in desk.journal.since(0) if isinstance(entry.fact, ev.TicketSeen)]


def add(desk: CommandLine, monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> str:
    typed(monkeypatch, text.encode())
    told = desk.ok("ticket", "add", "-", "--json", *words).json
    assert isinstance(told["ticket"], str)
    return told["ticket"]


def test_a_file_becomes_a_ticket_of_its_own(desk: CommandLine, tmp_path: Path) -> None:
    source = tmp_path / "some note.txt"
    source.write_bytes(b"\xef\xbb\xbf# Fix the Login\r\n\r\nIt breaks.\r\n")
    said = desk.ok("ticket", "add", str(source))
    assert "added fix-the-login" in said.out and files(desk) == ["fix-the-login.md"]
    assert (desk.root / "tickets" / "fix-the-login.md").read_bytes() == source.read_bytes()
    fact = seen(desk)[0]
    assert fact.by and fact.by.user and fact.by.via == "cli" and not fact.held


def test_the_same_title_again_is_another_ticket(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [add(desk, monkeypatch, "# Same\n\nx") for _ in range(3)] == ["same", "same-2", "same-3"]
    (desk.root / "tickets" / "same-2.md").unlink()
    assert add(desk, monkeypatch, "# Same\n\nx") == "same-4"  # what `same-2` was stays what it was


def test_title_and_id_are_written_into_the_file(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert add(desk, monkeypatch, "Do it.", "--title", 'Say "hi": now', "--id", "T/1") == "T-1"
    told = desk.ok("ticket", "show", "T-1", "--json").json
    assert told["title"] == 'Say "hi": now' and told["text"].strip() == "Do it."
    add(desk, monkeypatch, "---\npriority: low\n---\nDo it.", "--id", "T-2")
    told = desk.ok("ticket", "show", "T-2", "--json").json
    assert told["spec"]["priority"] == -10 and told["text"] == "Do it."


TITLES = [
    "\x1b[31mred\nline",
    "-rf",
    "--title",
    "x" * 300,
    "字" * 300,
    "🎉🎉",
    "a/../../b",
    ".hidden",
    "CON",
    "a.lock",
    "\x9b1m",
]


@pytest.mark.parametrize("title", TITLES, ids=range(len(TITLES)))
def test_any_title_gives_a_plain_file_in_the_folder(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    ticket = add(desk, monkeypatch, "Do it.", "--title", title)
    (name,) = files(desk)
    assert name == f"{ticket}.md" and name.isprintable() and len(name.encode()) < 90 and name[0] not in "-."
    assert desk.ok("ticket", "show", ticket, "--json").json["title"]


def test_everything_wrong_is_said_at_once_and_nothing_is_written(desk: CommandLine, tmp_path: Path) -> None:
    source = tmp_path / "x.md"
    source.write_text("---\ntimeout: soon\nreview: 7\n---\n")
    said = desk.run("ticket", "add", str(source))
    assert said.code == 2 and [line.rsplit(": ", 1)[0].split(": ")[0] for line in said.err.splitlines()] == [
        f"{source}:2",
        f"{source}:3",
        f"{source}:5",
    ]
    assert files(desk) == [] and seen(desk) == []


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"x" * 300_000, b"a\0b"])
def test_what_is_no_ticket_is_refused(desk: CommandLine, monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    typed(monkeypatch, raw)
    said = desk.run("ticket", "add", "-", "--title", "x")
    assert said.code == 2 and said.err.startswith("standard input:1: ") and files(desk) == []


def test_a_file_that_is_not_there_and_a_key_said_twice_are_refused(desk: CommandLine, tmp_path: Path) -> None:
    assert desk.run("ticket", "add", str(tmp_path / "none")).code == 2
    source = tmp_path / "x.md"
    source.write_text("---\nid: a\ntitle: b\n---\nx")
    said = desk.run("ticket", "add", str(source), "--id", "c", "--title", "d")
    assert said.code == 2 and len(said.err.splitlines()) == 2 and "leave --id out" in said.err and files(desk) == []


def test_an_id_that_is_taken_is_refused(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    add(desk, monkeypatch, "x", "--id", "T-1")
    typed(monkeypatch, b"y")
    said = desk.run("ticket", "add", "-", "--id", "t-1")
    assert said.code == 2 and "the id 't-1' is that of x.md already" in said.err and files(desk) == ["x.md"]


def test_what_would_close_a_circle_is_not_added(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"---\nid: a\ndepends_on: b\n---\nx")
    said = desk.ok("ticket", "add", "-")
    assert "depends on 'b', which is no ticket here" in said.err
    typed(monkeypatch, b"---\nid: b\ndepends_on: a\n---\ny")
    said = desk.run("ticket", "add", "-")
    assert said.code == 2 and "a -> b -> a" in said.err and files(desk) == ["x.md"]
    assert desk.ok("ticket", "list", "--json").json["tickets"][0]["ticket"] == "a"


def test_an_agents_ticket_is_held_and_a_persons_is_not(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(operator, "inside_a_session", lambda: True)
        typed(monkeypatch, b"Let me do this")
        said = desk.ok("ticket", "add", "-")
    assert "it is held (added from inside a session)" in said.out
    held = desk.ok("ticket", "list", "--json").json["tickets"][0]
    assert held["held"] == "added from inside a session" and seen(desk)[0].by is None
    add(desk, monkeypatch, "A person's")
    assert desk.ok("ticket", "show", "a-person-s", "--json").json["held"] is None


def test_a_persons_ticket_is_free_though_somebody_else_saw_the_file_first(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = adding.write

    def overtaken(*args: object) -> str:
        name = real(*args)  # type: ignore[arg-type]
        look = queueing.folder_of(desk.here).look({})
        desk.do(cmd.SyncTickets(seen=look.seen, held="it appeared while s-1 could write there"))
        return name

    monkeypatch.setattr(adding, "write", overtaken)
    ticket = add(desk, monkeypatch, "Mine")
    assert desk.ok("ticket", "show", ticket, "--json").json["held"] is None
    released = [entry.fact for entry in desk.journal.since(0) if isinstance(entry.fact, ev.TicketReleased)]
    assert [fact.ticket for fact in released] == [ticket]


def test_what_else_lies_in_the_folder_is_not_taken_for_the_persons(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.root / "tickets").mkdir()
    (desk.root / "tickets" / "planted.md").write_text("Planted")
    add(desk, monkeypatch, "Mine")
    assert {fact.ticket: bool(fact.by) for fact in seen(desk)} == {"planted": False, "mine": True}


def test_fourteen_at_once_and_none_is_lost(desk: CommandLine) -> None:
    command = [sys.executable, "-m", "console", "--workspace", str(desk.root), "ticket", "add", "-"]
    source = str(Path(__file__).parents[2])
    env = {**os.environ, "HOME": str(desk.home), "PYTHONPATH": source}
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        for _ in range(14)
    ]
    for number, child in enumerate(running):
        assert child.stdin
        child.stdin.write(f"# The same title\n\nnumber {number}\n".encode())
        child.stdin.close()
        child.stdin = None
    said = [child.communicate(timeout=60) for child in running]
    assert [child.returncode for child in running] == [0] * 14, said
    listed = desk.ok("ticket", "list", "--json").json
    texts = {desk.ok("ticket", "show", t["ticket"], "--json").json["text"] for t in listed["tickets"]}
    assert texts == {f"# The same title\n\nnumber {number}\n" for number in range(14)}
    assert len(files(desk)) == 14 and listed["problems"] == [] and not any(t["held"] for t in listed["tickets"])
    assert {fact.ticket for fact in seen(desk)} == {t["ticket"] for t in listed["tickets"]}
