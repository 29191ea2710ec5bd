"""A git dir made to break the one who looks at it: every look ends, says what is there, and restoring stays inside."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from gitrepo import Repo, refused
from test_git_dir_watch import looked, only, restored, rows

from console.adapters.git.watching import Watch


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def watch(repo: Repo) -> Watch:
    made = Watch(repo.plain().repository)
    assert made.rebase() is None
    return made


def test_a_fifo_as_configuration_stops_nobody(repo: Repo, watch: Watch) -> None:
    config = repo.root / ".git/config"
    before = config.read_bytes()
    config.unlink()
    os.mkfifo(config)
    began = time.monotonic()
    look = looked(watch)
    assert (only(look).item, only(look).severity, only(look).after) == (
        "config file config is broken", "lies", "it is a fifo",
    )  # fmt: skip
    assert "no regular file" in refused(repo.plain().turn_base(str(repo.root))).reason
    restored(watch, look)
    assert time.monotonic() - began < 10
    assert config.read_bytes() == before and looked(watch).changes == ()


def test_a_link_in_the_place_of_the_hooks_is_moved_away(repo: Repo, watch: Watch, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "pre-commit").write_text("#!/bin/sh\nevil\n")
    (outside / "pre-commit").chmod(0o755)
    hooks = repo.root / ".git/hooks"
    names = sorted(path.name for path in hooks.iterdir())
    hooks.rename(tmp_path / "hooks-of-old")
    hooks.symlink_to(outside)
    look = looked(watch)
    assert {("file hooks", "runs"), ("hook pre-commit", "runs")} <= set(rows(look))
    restored(watch, look)
    assert not hooks.is_symlink() and (outside / "pre-commit").exists()
    assert [row for row in rows(looked(watch)) if row[1] != "note"] == []
    assert names


def test_a_link_that_appears_on_the_way_is_never_followed(repo: Repo, watch: Watch, tmp_path: Path) -> None:
    repo.write(".git/info/attributes", "a.txt text\n")
    watch.rebase()
    repo.write(".git/info/attributes", "* filter=evil\n")
    look = looked(watch)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "attributes").write_text("* filter=evil\n")
    (repo.root / ".git/info").rename(tmp_path / "info-of-old")
    (repo.root / ".git/info").symlink_to(outside)
    assert "is a link or a file now" in restored(watch, look)
    assert (outside / "attributes").read_text() == "* filter=evil\n" and os.listdir(outside) == ["attributes"]


def test_a_configuration_that_is_a_link_is_replaced_and_its_target_untouched(
    repo: Repo, watch: Watch, tmp_path: Path
) -> None:
    config, target = repo.root / ".git/config", tmp_path / "target"
    before = config.read_bytes()
    target.write_text("[core]\n fsmonitor = evil\n")
    config.unlink()
    config.symlink_to(target)
    look = looked(watch)
    assert ("config core.fsmonitor", "runs") in rows(look)
    restored(watch, look)
    assert not config.is_symlink() and config.read_bytes() == before
    assert target.read_text() == "[core]\n fsmonitor = evil\n"


def test_an_include_of_any_file_is_told_without_its_content(repo: Repo, watch: Watch) -> None:
    repo.git("config", "include.path", "/etc/passwd")
    look = looked(watch)
    assert ("config include.path", "runs") in rows(look)
    assert any(one.item == "config file /etc/passwd is broken" for one in look.changes)
    assert "root:" not in repr(look)
    notes = restored(watch, look)
    assert "put config back" in notes and Path("/etc/passwd").exists()


def test_ten_thousand_refs(repo: Repo, watch: Watch) -> None:
    head = repo.line("rev-parse", "HEAD")
    lines = "".join(f"create refs/heads/many/{number} {head}\n" for number in range(10_000))
    repo.git("update-ref", "--stdin", stdin=lines.encode())
    began = time.monotonic()
    look = looked(watch)
    assert time.monotonic() - began < 10
    assert len(look.changes) == 41 and look.changes[0].item == "and 9960 more refs"
    watch.rebase()
    repo.git("pack-refs", "--all")
    assert looked(watch).changes == ()
    lines = "".join(f"delete refs/heads/many/{number}\n" for number in range(10_000))
    repo.git("update-ref", "--stdin", stdin=lines.encode())
    look = looked(watch)
    assert ("and 9960 more refs", "moved") in rows(look)
    restored(watch, look, "refs/heads/many/7")
    assert repo.line("branch", "--list", "many/*") == "many/7"


def test_a_configuration_of_five_megabytes(repo: Repo, watch: Watch) -> None:
    before = (repo.root / ".git/config").read_bytes()
    with (repo.root / ".git/config").open("a") as file:
        file.write("[x]\n" + "".join(f"k{number} = {'v' * 80}\n" for number in range(60_000)))
        file.write("[core]\n fsmonitor = /tmp/evil\n")
    began = time.monotonic()
    look = looked(watch)
    assert time.monotonic() - began < 20
    assert rows(look)[0] == ("config core.fsmonitor", "runs") and len(look.changes) == 201
    restored(watch, look)
    assert (repo.root / ".git/config").read_bytes() == before


def test_more_than_can_be_kept_is_said(repo: Repo, watch: Watch) -> None:
    with (repo.root / ".git/config").open("ab") as file:
        file.write(b"# " + b"x" * (9 << 20))
    assert only(looked(watch)).after == "it is larger than 8 MiB"
    for number in range(600):
        repo.write(f".git/hooks/{number}", "")
    assert ("more in hooks than can be watched", "lies") in rows(looked(watch))


def test_names_of_any_bytes(repo: Repo, watch: Watch) -> None:
    odd = os.fsencode(repo.root / ".git/hooks") + b"/pre\n\xff\x1b[31m.sh"
    Path(os.fsdecode(odd)).write_text("evil\n")
    ref = repo.root / ".git/refs/heads" / os.fsdecode(b"br\xffnch")
    ref.write_text((repo.root / ".git/refs/heads/main").read_text())
    look = looked(watch)
    assert rows(look) == [("hook pre\n\\xff\x1b[31m.sh", "runs"), ("ref refs/heads/br\\xffnch", "note")]
    watch.rebase()
    ref.unlink()
    Path(os.fsdecode(odd)).unlink()
    look = looked(watch)
    notes = restored(watch, look, "refs/heads/br\\xffnch")
    assert "\x1b" not in notes and "\n\xff" not in notes
    assert ref.exists() and Path(os.fsdecode(odd)).read_text() == "evil\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_files_are_told(repo: Repo, watch: Watch) -> None:
    (repo.root / ".git/config").chmod(0)
    look = looked(watch)
    assert only(look).after == "it is unreadable"
    restored(watch, look)
    assert looked(watch).changes == ()


def test_special_files_everywhere(repo: Repo, watch: Watch) -> None:
    for name in ("hooks/post-merge", "info/grafts", "HEAD.lock", "shallow", "commondir"):
        os.mkfifo(repo.root / ".git" / name)
    (repo.root / ".git/logs/refs").mkdir(parents=True, exist_ok=True)
    (repo.root / ".git/logs/refs/stash").symlink_to("/dev/zero")
    (repo.root / ".git/refs/heads/zero").symlink_to("/dev/zero")
    (repo.root / ".git/worktrees/x").mkdir(parents=True)
    os.mkfifo(repo.root / ".git/worktrees/x/gitdir")
    began = time.monotonic()
    look = looked(watch)
    assert time.monotonic() - began < 10
    found = dict(rows(look))
    assert found["hook post-merge"] == found["file commondir"] == "runs"
    assert found["file info/grafts"] == found["file shallow"] == found["ref refs/heads/zero"] == "lies"
    restored(watch, look)
    assert sorted(dict(rows(looked(watch)))) == ["lock HEAD.lock", "ref refs/stash"]


def test_head_and_index_that_are_no_files(repo: Repo, watch: Watch) -> None:
    (repo.root / ".git/index").unlink()
    os.mkfifo(repo.root / ".git/index")
    (repo.root / ".git/HEAD").write_bytes(b"\xff\0garbage")
    look = looked(watch)
    assert dict(rows(look))["HEAD"] == "lies"
    assert any("the whole index is no file" in one.item for one in look.changes)
    restored(watch, look)
    assert (repo.root / ".git/HEAD").read_text() == "ref: refs/heads/main\n"


def test_our_copies_are_private_proved_and_bounded(repo: Repo, watch: Watch) -> None:
    for number in range(30):
        repo.git("config", "core.pager", f"evil-{number}")
        look = looked(watch)
    folder = repo.state / "fingerprints"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert 20 <= len(list(folder.glob("*/print.json"))) <= 23
    assert len(list((folder / "content").iterdir())) < 60
    before = watch.look()
    for path in (folder / "content").iterdir():
        path.write_bytes(b"[core]\n\tfsmonitor = evil\n")
    assert "earlier content was not kept" in restored(watch, look)
    (folder / look.baseline / "print.json").write_text("{}")
    assert "gone or damaged" in refused(watch.look()).reason
    assert watch.rebase() is None and before != looked(watch)
