"""The sandbox of who only reads: the worktree and its .git cannot be written, the rest is as in any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from process_rig import Driven, Mark, tier

from console.adapters import sandbox
from console.adapters.sandbox import Tier
from console.core.records import Refused, Sandbox

needed = pytest.mark.skipif(not tier().mounts, reason=f"no sandbox here: {tier().reason}")
FULL, NONE = Tier(mounts=True, pids=True), Tier(mounts=False, pids=False, reason="user namespaces are off")


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A worktree beside its repository, with what else belongs to a session."""
    for folder in ("repo/.git/worktrees/w", "w/src", "home", "state"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "w" / ".git").write_text(f"gitdir: {tmp_path}/repo/.git/worktrees/w\n")
    return tmp_path


def planned(place: Path, found: Tier, wanted: str = "auto", *, whole: bool = True) -> Sandbox | Refused | None:
    return sandbox.plan(found, wanted, str(place / "repo/.git"), str(place / "w"), str(place / "state"), whole=whole)


def test_it_holds_the_worktree_beside_what_every_session_has(linked: Path) -> None:
    made, usual = planned(linked, FULL), planned(linked, FULL, whole=False)
    assert isinstance(made, Sandbox) and isinstance(usual, Sandbox)
    assert str(linked / "w") in made.read_only and made.read_only[-1] == str(linked / "state")
    assert {path for path in usual.read_only if not path.startswith(str(linked / "w"))} < set(made.read_only)
    assert "its worktree, .git" in sandbox.words(FULL, made) and "its worktree" not in sandbox.words(FULL, usual)


def test_a_machine_without_one_says_so_and_one_that_must_have_it_refuses(linked: Path) -> None:
    assert planned(linked, NONE) is None and "no sandbox" in sandbox.words(NONE, None)
    assert planned(linked, FULL, "off") is None
    refused = planned(linked, NONE, "require")
    assert isinstance(refused, Refused) and "require" in refused.reason


SCRIPT = """
import sys
for path in sys.argv[1:]:
    try:
        open(path, "a").write("x")
        print("wrote", path.rsplit("/", 1)[1])
    except OSError:
        print("could not", path.rsplit("/", 1)[1])
print(open("src/seen").read(), end="")
"""


@needed
def test_nothing_in_the_worktree_can_be_written_and_home_can(linked: Path) -> None:
    (linked / "w" / "src" / "seen").write_text("read me\n")
    made = planned(linked, tier())
    assert isinstance(made, Sandbox)
    mark = Mark()
    tries = ["./src/seen", "./fresh", str(linked / "w/deep"), str(linked / "w/.git"), str(linked / "repo/.git/HEAD")]
    argv = ["python3", "-c", SCRIPT, *tries, str(linked / "home/mine"), "/dev/null"]
    driven = Driven(
        linked, argv, mark.env, sandbox={"read_only": list(made.read_only), "pids": False}, cwd=str(linked / "w")
    )
    try:
        driven.line("end")
        out = driven.text().decode()
    finally:
        driven.close()
        mark.sweep()
    assert "could not seen" in out and "could not fresh" in out and "could not deep" in out
    assert "could not .git" in out and "could not HEAD" in out
    assert "wrote mine" in out and "read me" in out
