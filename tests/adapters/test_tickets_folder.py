"""The tickets folder on a real disk: only what changed is read, whatever lies there never hurts, texts are kept."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from console.adapters.tickets import TicketFolder, tickets_folder
from console.adapters.tickets import folder as folder_module
from console.core.records import Refused, TextVerdict
from console.engine.ports import FolderLook


class Desk:
    """A tickets folder with its store; `known` is what a state would remember."""

    def __init__(self, place: Path) -> None:
        self.folder, self.store = place / "tickets", place / "state" / "tickets"
        self.folder.mkdir()
        self.judged: list[tuple[str, str, str]] = []
        self.known: dict[str, str] = {}
        self.tickets = self.fresh()

    def fresh(self) -> TicketFolder:
        return TicketFolder(self.folder, self.store, self.judge)

    def judge(self, title: str, body: str, hint: str) -> TextVerdict:
        self.judged.append((title, body, hint))
        return TextVerdict(rule="test")

    def write(self, name: str, text: str = "Do it.") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def look(self) -> FolderLook:
        """A look whose findings are remembered, as the log does."""
        look = self.tickets.look(self.known)
        self.known |= {one.ticket: one.stamp for one in look.seen}
        self.known = {ticket: at for ticket, at in self.known.items() if ticket not in look.gone}
        return look

    def names(self) -> list[str]:
        return [one.ticket for one in self.look().seen]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_new_changed_and_gone_tickets_are_told_once_each(desk: Desk) -> None:
    desk.write("b.md", "---\ntitle: B\nblast_radius: high\n---\nbody b")
    a = desk.write("a.md")
    look = desk.look()
    assert [(one.ticket, one.file) for one in look.seen] == [("a", "a.md"), ("b", "b.md")]
    assert desk.judged == [("Do it.", "Do it.", ""), ("B", "body b", "high")]
    assert desk.look() == FolderLook()
    a.write_text("Do that")
    look = desk.look()
    assert [one.spec.title for one in look.seen] == ["Do that"] and not look.gone
    a.unlink()
    assert desk.look() == FolderLook(gone=("a",))


def test_a_change_of_the_same_size_right_after_a_look_is_not_missed(desk: Desk) -> None:
    for round_ in range(20):
        desk.write("a.md", f"text {round_:04d}")
        assert desk.look().seen[0].spec.title == f"text {round_:04d}"


def test_only_direct_md_files_count(desk: Desk) -> None:
    (desk.folder / "sub").mkdir()
    desk.write("sub/x.md")
    for name in ("notes.txt", ".hidden.md", ".md", "x.md.tmp", "README.md", "readme.MD"):
        desk.write(name)
    desk.write("UPPER.MD")
    assert desk.names() == ["UPPER"]
    desk.write("README.md", "---\ntitle: Write a readme\n---\nIt is missing.")
    assert desk.names() == ["README"]


def test_a_fresh_process_reads_nothing_that_has_not_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(5):
        desk.write(f"t{i}.md", f"---\ndepends_on: t{i + 1}\n---\nx")
    problems = desk.look().problems
    assert len(problems) == 1 and problems[0].startswith("t4.md:2: ")
    desk.tickets = desk.fresh()
    opened = _opened(monkeypatch)
    assert desk.look() == FolderLook(problems=problems)
    desk.write("t2.md", "changed")
    assert desk.names() == ["t2"] and opened == ["t2.md"]


def _opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    opened: list[str] = []
    real = folder_module.read_entry
    monkeypatch.setattr(
        folder_module, "read_entry", lambda fd, name, *rest: (opened.append(name), real(fd, name, *rest))[1]
    )
    return opened


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff", b'{"layout":0,"entries":[]}'])
def test_a_broken_or_older_index_only_costs_reading(desk: Desk, broken: bytes) -> None:
    desk.write("a.md")
    desk.look()
    (desk.store / "index.json").write_bytes(broken)
    desk.tickets = desk.fresh()
    assert desk.look() == FolderLook()


def test_texts_are_kept_as_they_were_and_proved(desk: Desk) -> None:
    path = desk.write("a.md", "---\ntitle: x\n---\nFirst\n")
    first = desk.look().seen[0].digest
    path.write_text("---\ntitle: x\n---\nSecond\n")
    second = desk.look().seen[0].digest
    path.unlink()
    assert (desk.tickets.text(first), desk.fresh().text(second)) == ("First\n", "Second\n")
    kept = desk.store / f"{first}.md"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and stat.S_IMODE(desk.store.stat().st_mode) == 0o700
    kept.write_bytes(kept.read_bytes().replace(b"First", b"Worst"))
    assert isinstance(desk.tickets.text(first), Refused)
    for digest in ("0" * 64, "../../etc/passwd", ""):
        assert isinstance(desk.tickets.text(digest), Refused)


def test_a_store_that_was_cleared_is_filled_again(desk: Desk) -> None:
    desk.write("a.md")
    digest = desk.look().seen[0].digest
    (desk.store / f"{digest}.md").unlink()
    desk.tickets = desk.fresh()
    desk.look()
    assert desk.tickets.text(digest) == "Do it."


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


def test_tickets_in_a_circle_are_left_out_until_it_is_broken(desk: Desk) -> None:
    desk.write("a.md", "---\ndepends_on: b\n---\nx")
    b = desk.write("b.md", "---\ndepends_on: a\n---\nx")
    desk.write("c.md", "---\ndepends_on: [a]\n---\nx")
    look = desk.look()
    assert [one.ticket for one in look.seen] == ["c"] and len(look.problems) == 1
    b.write_text("free now")
    look = desk.look()
    assert [one.ticket for one in look.seen] == ["a", "b"] and not look.problems
    b.write_text("---\ndepends_on: a\n---\nx")
    assert desk.look().gone == ("a", "b")


def test_an_unknown_dependency_is_told_and_its_ticket_kept(desk: Desk) -> None:
    desk.write("a.md", "---\ntitle: x\ndepends_on: nobody\n---\nx")
    look = desk.look()
    assert [one.spec.depends_on for one in look.seen] == [("nobody",)] and look.problems[0].startswith("a.md:3: ")
    desk.write("nobody.md")
    assert desk.look().problems == ()


def test_a_broken_file_takes_only_its_own_ticket_away(desk: Desk) -> None:
    desk.write("a.md")
    b = desk.write("b.md")
    desk.look()
    b.write_text("---\nid: [\n---\nx")
    look = desk.look()
    assert look.gone == ("b",) and look.problems[0].startswith("b.md:")
    b.write_text("well again")
    assert [one.ticket for one in desk.look().seen] == ["b"]


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_just_now_takes_no_ticket_away(desk: Desk) -> None:
    path = desk.write("a.md", "---\nid: other\n---\nx")
    desk.look()
    path.chmod(0)
    look = desk.look()
    assert not look.gone and "cannot be read" in look.problems[0]
    path.chmod(0o644)
    assert not desk.look().problems


def test_bytes_that_cannot_be_kept_make_no_ticket_and_take_none_away(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.write("a.md", "---\nid: other\n---\nx")
    desk.look()
    path.write_text("---\nid: other\n---\nmore")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", _full)
        look = desk.look()
    assert not look.seen and not look.gone and "No space left" in look.problems[0]
    assert [one.ticket for one in desk.look().seen] == ["other"]


def _full(*_paths: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_missing_folder_has_no_tickets_and_a_file_in_its_place_takes_none_away(desk: Desk) -> None:
    desk.write("a.md").unlink()
    desk.write("a.md")
    desk.look()
    (desk.folder / "a.md").rename(desk.folder.parent / "a.md")
    desk.folder.rmdir()
    desk.folder.write_text("no folder")
    look = desk.tickets.look(desk.known)
    assert not look.gone and "cannot be opened as a folder" in look.problems[0]
    desk.folder.unlink()
    assert desk.look() == FolderLook(gone=("a",))


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


def test_two_thousand_tickets_are_looked_at_in_no_time_once_they_are_known(desk: Desk) -> None:
    for i in range(2_000):
        desk.write(f"{i:04d}.md", f"---\ntitle: T {i}\ndepends_on: [{max(0, i - 1):04d}]\n---\nDo it.\n" if i else "x")
    assert len(desk.look().seen) == 2_000
    desk.tickets = desk.fresh()
    began = time.perf_counter()
    assert desk.look() == FolderLook()
    assert time.perf_counter() - began < 1.0


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
