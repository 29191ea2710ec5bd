"""Whatever a ticket is called, its id names a branch that git takes, a folder, and one thing on every file system."""

from __future__ import annotations

import subprocess
import unicodedata
from pathlib import Path

import pytest
from gitrepo import Repo
from hypothesis import given, settings
from hypothesis import strategies as st

from console.adapters.tickets.ids import BYTES, sameness, ticket_id

HOSTILE = [
    "plain-name",
    "../../etc/passwd",
    "..",
    ".",
    "-rf",
    "--upload-pack=x",
    ".hidden",
    "a..b",
    "a.lock",
    "a.lock.lock",
    "a.LOCK",
    "a.md.md",
    "a@{1}",
    "@",
    "HEAD",
    "a b\tc\nd",
    "\x1b[31mred\x1b[0m",
    "\x00\x07",
    "x~1^2:3?4*5[6\\7",
    "refs/heads/main",
    "修复登录页面",
    "исправить вход",
    "🎉🎉",
    "fix 🎉 party",
    "e\u0301e\u0301",
    "e\u034f\u0301",
    "\u202egnp.exe",
    "\u3164\u115f",
    "a\u200bb",
    "z" + "\u0301" * 40,
    "हिन्दी में टिकट",
    "ﷺ" * 60,
    "字" * 300,
    "x" * 300,
    "\ud83d",
    "trailing.",
    "trailing-",
    "",
]


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo.with_files(tmp_path_factory.mktemp("ids"))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_git_makes_a_branch_and_a_worktree_of_any_id(repo: Repo, tmp_path: Path, text: str) -> None:
    ticket = ticket_id(text)
    repo.git("branch", "-f", f"nightdesk/{ticket}")
    folder = tmp_path / ticket
    repo.git("worktree", "add", "-q", "--detach", str(folder))
    assert folder.is_dir() and folder.parent == tmp_path


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_an_id_is_printable_short_and_stands_for_itself(text: str) -> None:
    ticket = ticket_id(text)
    assert ticket.isprintable() and 0 < len(ticket.encode()) <= BYTES
    assert ticket_id(ticket) == ticket == unicodedata.normalize("NFC", ticket)


def _git_takes(names: list[str], folder: Path) -> bool:
    return all(
        subprocess.run(["git", "check-ref-format", f"refs/heads/nightdesk/{n}"], cwd=folder, check=False).returncode
        == 0
        for n in names
    )


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=120))
def test_any_text_gives_an_id_that_stands_for_itself(text: str) -> None:
    ticket = ticket_id(text)
    assert ticket and ticket.isprintable() and len(ticket.encode()) <= BYTES
    assert ticket_id(ticket) == ticket
    assert not ticket.startswith((".", "-")) and not ticket.endswith((".", "-", ".lock"))
    assert ".." not in ticket and "@" not in ticket and "/" not in ticket


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(alphabet=st.sampled_from("a.-_@{}/~^: lock\\md"), max_size=16), min_size=3, max_size=3))
def test_git_itself_agrees_on_what_is_a_branch(texts: list[str]) -> None:
    assert _git_takes([ticket_id(text) for text in texts], Path("/"))


def test_words_stay_readable() -> None:
    assert ticket_id("Fix: the login/page (again)") == "Fix-the-login-page-again"
    assert ticket_id("修复登录 页面.md") == "修复登录-页面"
    assert ticket_id("a.lock") == "a-lock"
    assert ticket_id("fix 🎉 party") == "fix-party"


def test_long_names_that_begin_alike_stay_apart() -> None:
    one, two = ticket_id("x" * 300 + "1"), ticket_id("x" * 300 + "2")
    assert one != two and one.startswith("xxxx")


def test_nothing_left_still_names_different_things() -> None:
    assert ticket_id("🎉") != ticket_id("🔥") and ticket_id("🎉").startswith("ticket-")


def test_case_and_composition_make_no_second_ticket() -> None:
    assert sameness(ticket_id("CAFE\u0301")) == sameness(ticket_id("café"))
    assert sameness("a") != sameness("b")
