"""What an agent can put into the tickets folder: names, links, pipes, ids of others. None of it hurts or takes over."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest
from ticketdesk import Desk

from console.adapters.tickets import folder as folder_module
from console.adapters.tickets import tickets_folder
from console.core.records import Refused
from console.engine.ports import FolderLook


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_links_pipes_sockets_and_folders_are_told_and_never_read(desk: Desk, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    (desk.folder / "link.md").symlink_to(secret)
    (desk.folder / "dangling.md").symlink_to(tmp_path / "nowhere")
    os.mkfifo(desk.folder / "pipe.md")
    (desk.folder / "dir.md").mkdir()
    with socket.socket(socket.AF_UNIX) as sock:
        here = os.getcwd()
        os.chdir(desk.folder)  # the path may be too long for a socket
        try:
            sock.bind("sock.md")
        finally:
            os.chdir(here)
    desk.write("good.md")
    began = time.monotonic()
    look = desk.look()
    assert time.monotonic() - began < 2
    assert [one.ticket for one in look.seen] == ["good"]
    assert [line.split(":1: is ")[0] for line in look.problems] == [
        "dangling.md",
        "dir.md",
        "link.md",
        "pipe.md",
        "sock.md",
    ]
    assert "a symbolic link" in look.problems[0] and "a pipe" in look.problems[3]
    assert "a secret" not in "".join(path.read_text() for path in desk.store.iterdir())


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_file_that_is_swapped_between_listing_and_opening_is_not_followed(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = desk.write("a.md")
    (tmp_path / "secret").write_text("a secret")

    def swap(_youngest: float) -> None:
        path.unlink()
        path.symlink_to(tmp_path / "secret") if kind == "link" else os.mkfifo(path)

    monkeypatch.setattr(folder_module, "_settle", swap)
    look = desk.look()
    assert not look.seen and look.problems[0].startswith("a.md:1: is ")


def test_a_file_that_vanishes_between_listing_and_opening_is_no_problem_and_its_ticket_not_gone_yet(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.write("a.md")
    desk.write("b.md")
    first = desk.look()
    path.write_text("another text\n")
    with monkeypatch.context() as patch:
        patch.setattr(folder_module, "_settle", lambda _youngest: path.unlink())
        look = desk.look()
    assert not look.problems and not look.gone and not look.seen
    assert desk.look().gone == ("a",), "the next look tells"
    assert {one.ticket for one in first.seen} == {"a", "b"}


def test_hostile_names_are_tickets_or_problems_but_never_trouble(desk: Desk) -> None:
    names = ["a\nb.md", "\x1b[31m.md", "-rf.md", "字" * 80 + ".md", "🎉.md", "c\\d.md", "x" * 252 + ".md", "\u202ex.md"]
    for name in names:
        desk.write(name)
    with open(os.fsencode(desk.folder) + b"/caf\xe9.md", "wb") as out:
        out.write(b"x")
    look = desk.look()
    assert len(look.seen) == len(names) and all(one.ticket.isprintable() for one in look.seen)
    assert len(look.problems) == 1 and "not UTF-8; rename it" in look.problems[0] and look.problems[0].isprintable()
    desk.tickets = desk.fresh()
    assert desk.look() == FolderLook(problems=look.problems)


def test_a_second_file_with_the_same_id_is_a_problem_and_the_first_still_runs(desk: Desk) -> None:
    desk.write("b.md", "---\nid: One\n---\nb")
    desk.write("one.md", "a")
    look = desk.look()
    assert [(one.ticket, one.file) for one in look.seen] == [("One", "b.md")]
    assert look.problems == ("one.md:1: the id 'one' is that of b.md already; give one of the two another `id`",)
    assert desk.look().seen == ()


def test_a_planted_file_does_not_take_the_id_of_a_known_ticket(desk: Desk) -> None:
    desk.write("real.md", "the real work")
    desk.look()
    desk.write("0.md", "---\nid: real\n---\nother work")
    look = desk.look()
    assert not look.seen and not look.gone and look.problems[0].startswith("0.md:2: the id 'real' is that of real.md")


def test_a_planted_file_does_not_take_the_id_of_a_ticket_that_is_being_edited(desk: Desk) -> None:
    real = desk.write("real.md", "the real work")
    desk.look()
    desk.tickets = desk.fresh()
    real.write_text("the real work, better said")
    desk.write("0.md", "---\nid: real\n---\nother work")
    assert [(one.file, one.spec.title) for one in desk.look().seen] == [("real.md", "the real work, better said")]


def test_two_names_of_one_file_are_two_tickets(desk: Desk) -> None:
    os.link(desk.write("a.md"), desk.folder / "b.md")
    assert desk.names() == ["a", "b"] and desk.look() == FolderLook()


def test_a_folder_above_that_becomes_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    desk = Desk(tmp_path / "docs")
    desk.write("a.md")
    desk.look()
    (tmp_path / "docs").rename(tmp_path / "elsewhere")
    (tmp_path / "docs").symlink_to("elsewhere")
    desk.write("b.md")
    look = desk.tickets.look(desk.known)
    assert not look.seen and not look.gone and "is a link to another place now" in look.problems[0]


def test_thousands_of_broken_files_fill_no_log(desk: Desk) -> None:
    for i in range(300):
        desk.write(f"{i:03d}.md", "")
    problems = desk.look().problems
    assert len(problems) == 201 and problems[-1] == "and 100 more like these"


@pytest.mark.parametrize("name", ["", "  ", "..", ".", "/etc", "../other", "out", ".git", ".git/x", "a\0b"])
def test_a_folder_outside_the_repository_is_refused(tmp_path: Path, name: str) -> None:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (root / "out").symlink_to(tmp_path / "other")
    assert isinstance(tickets_folder(root, name), Refused)


def test_a_folder_inside_is_its_real_path_also_behind_a_link(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    (root / "docs" / "todo").mkdir(parents=True)
    (root / "tickets").symlink_to("docs/todo")
    real = Path(os.path.realpath(root))
    assert tickets_folder(root, "tickets") == real / "docs" / "todo"
    assert tickets_folder(root, "none/yet") == real / "none" / "yet"
