"""The tickets folder on a real disk: only what changed is read, whatever lies there never hurts, texts are kept."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
from ticketdesk import Desk

from console.adapters.tickets import folder as folder_module
from console.core.records import Refused
from console.engine.ports import FolderLook


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


def test_of_two_thousand_tickets_none_is_read_again_once_they_are_known(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("first.md")
    for i in range(2_000):
        desk.write(f"{i:04d}.md", "---\ntitle: Same text, one copy of it\ndepends_on: first\n---\nDo it.\n")
    opened = _opened(monkeypatch)
    assert len(desk.look().seen) == 2_001 == len(opened)
    opened.clear()
    desk.tickets = desk.fresh()
    assert desk.look() == FolderLook()
    assert opened == []


def test_texts_of_a_large_folder_go_to_the_disk_side_by_side(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One flush after the other made the first look at 10,000 files take half a minute."""
    changed, inside, most, real = threading.Condition(), 0, 0, os.fsync

    def flushed(fd: int) -> None:
        nonlocal inside, most
        with changed:
            inside, most = inside + 1, max(most, inside + 1)
            changed.notify_all()
            changed.wait_for(lambda: most > 1, timeout=10.0)
        real(fd)
        with changed:
            inside -= 1

    monkeypatch.setattr(os, "fsync", flushed)
    for number in range(folder_module.MANY):
        desk.write(f"t{number:02}.md", f"Do it {number}.")
    look = desk.look()
    assert [one.ticket for one in look.seen] == [f"t{number:02}" for number in range(folder_module.MANY)]
    assert most > 1
    assert all(desk.tickets.text(one.digest) == f"Do it {number}." for number, one in enumerate(look.seen))
