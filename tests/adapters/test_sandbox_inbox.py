"""In a sandbox there is no inbox but the session's own: nothing of another session's can be read or left there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from process_rig import NAMESPACES, Driven, interpreter, kinds, patched, tier

from console.adapters import sandbox
from console.adapters.sandbox import Tier
from console.core.records import Sandbox
from console.engine.session_work import with_inbox

USERS = [None, 1000] if os.geteuid() == 0 else [None]
TRIES = """
cd "$1" && ls -A . k
touch k/s-1/mine && echo own is written
touch k/s-2/ask.json k/new x; mkdir -p k/s-3
cat k/s-2/secret
umount k/s-1; umount "$1"; mount -t tmpfs none k
cd /; mv "$1" "$1.away"; mv "$1/.." "$1/../../away"; rm -rf "$1/k/s-2"
ls -A "$1/k"
"""


def laid_out(folder: Path, user: int | None) -> tuple[str, str]:
    inboxes = Path(os.path.realpath(folder)) / "cache" / "inbox"
    for name in ("k/s-1", "k/s-2", "other/s-1"):
        (inboxes / name).mkdir(parents=True)
    (inboxes / "k/s-2/secret").write_text("hunter2")
    (folder / "locked").mkdir()
    if user is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user)
    return str(inboxes), os.path.realpath(folder / "locked")


def tried(folder: Path, inboxes: str, locked: str, inbox: str, **more: object) -> str:
    box = {"read_only": [locked], "pids": False, "inboxes": inboxes, "inbox": inbox} | more.pop("box", {})  # type: ignore[operator]
    run = Driven(folder, ["sh", "-c", TRIES, "sh", inboxes], {"PATH": os.environ["PATH"]}, sandbox=box, **more)  # type: ignore[arg-type]
    try:
        assert run.line("end")["how"] == "exited", run.lines
        return run.text().decode()
    finally:
        run.close()


@pytest.mark.skipif(not tier().mounts, reason=f"no sandbox here: {tier().reason}")
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("kind", ["now", "pids", "before 5.2", "in a read-only worktree", "none of its own"])
def test_no_inbox_but_its_own_is_seen_written_or_put_in_another_place(
    tmp_path_factory: pytest.TempPathFactory, kind: str, user: int | None, request: pytest.FixtureRequest
) -> None:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="inbox"))
    interpreter(user)
    inboxes, locked = laid_out(folder, user)
    inbox = "" if kind == "none of its own" else f"{inboxes}/k/s-1"
    more: dict[str, object] = {"user": user}
    if kind == "before 5.2":
        program = patched(folder)
        source = NAMESPACES.read_text().replace("428, 429, 442", "9998, 9999, 9999")
        (folder / "namespaces.py").write_text(source)
        more["program"] = program
    if kind == "pids":
        if "pids" not in kinds():
            pytest.skip("no process namespace here")
        more["box"] = {"pids": True}
    if kind == "in a read-only worktree":
        more["box"] = {"read_only": [os.path.dirname(os.path.dirname(inboxes))]}
        more["output"] = f"{tempfile.mkdtemp(prefix='inbox')}/out"
        os.chmod(os.path.dirname(str(more["output"])), 0o777)
    said = tried(folder, inboxes, locked, inbox, **more)
    assert "hunter2" not in said and ("own is written" in said) == bool(inbox), said
    assert sorted(os.listdir(inboxes)) == ["k", "other"] and not os.path.exists(f"{inboxes}.away"), said
    assert sorted(os.listdir(f"{inboxes}/k")) == ["s-1", "s-2"], said
    assert os.listdir(f"{inboxes}/k/s-2") == ["secret"] and os.listdir(f"{inboxes}/other/s-1") == [], said
    assert os.listdir(f"{inboxes}/k/s-1") == (["mine"] if inbox else []), said


def test_who_runs_there_sees_an_inbox_only_as_the_agent_of_a_session(tmp_path: Path) -> None:
    inboxes = tmp_path / "cache" / "inbox"
    full = Tier(mounts=True, pids=True)
    made = sandbox.plan(
        full, "auto", str(tmp_path / "g"), str(tmp_path / "w"), str(tmp_path / "s"), inboxes=str(inboxes)
    )
    assert isinstance(made, Sandbox)
    assert inboxes.is_dir() and (made.inboxes, made.inbox) == (os.path.realpath(inboxes), "")
    assert with_inbox(made, Path("elsewhere/inbox/k/s-1")).inbox == f"{os.path.realpath(inboxes)}/k/s-1"
    assert with_inbox(Sandbox(read_only=()), Path("/inbox/k/s-1")).inbox == ""
