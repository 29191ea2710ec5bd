"""`nightdesk doctor`, as a person and as a program meet it: well, ill, mended, and where hardly anything works."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine, Said, make_ground

sys.path.append(str(Path(__file__).resolve().parents[1] / "faults"))

from smalldisk import WITHOUT, small_disk

from console import wiring
from console.adapters import beat
from console.engine.ports import Worktree

NAMES = [
    *("workspace", "supervisor", "survivors", "log", "disk", "worktrees", "branches", "git locks", "scratch"),
    *("sandbox", "limits", "clock", "programs", "login", "terminal"),
]


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[CommandLine]:
    for name in ("ground", "home"):
        (tmp_path / name).mkdir()
    line = CommandLine(make_ground(tmp_path / "ground"), tmp_path / "home", monkeypatch, capsys)
    yield line
    line.close()


def findings(said: Said, check: str) -> list[dict[str, str]]:
    return [one for one in said.json["findings"] if one["check"] == check]


def lost_worktree(line: CommandLine, name: str = "T-1") -> Path:
    for one in ("T-0", name):
        made = wiring.git_of(line.here).ticket_worktree(one, f"nightdesk/{one}")
        assert isinstance(made, Worktree), made
    shutil.rmtree(made.path)
    return Path(made.path)


def of_ours(said: Said) -> list[dict[str, str]]:
    """What does not depend on the machine that the tests run on."""
    machine = ("disk", "sandbox", "limits", "clock", "programs", "login", "terminal")
    return [one for one in said.json["findings"] if one["check"] not in machine]


def test_every_check_has_a_line_also_when_all_is_well(line: CommandLine) -> None:
    said = line.run("doctor", "--json")
    assert [one["name"] for one in said.json["checks"]] == NAMES
    assert of_ours(said) == []
    text = line.run("doctor").out
    for name in NAMES:
        assert f" {name} " in text
    assert text.splitlines()[-1] == "nothing wrong" or said.code == 1


def test_keys_of_the_users_own_that_cannot_be_are_told(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "own" / "nightdesk").mkdir(parents=True)
    (tmp_path / "own" / "nightdesk" / "keys.yaml").write_text("approve: Y\nundoo: u\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    said = line.run("doctor", "--json")
    (one,) = findings(said, "keys")
    assert one["level"] == "advice" and "keys.yaml:2: there is no verb `undoo`; did you mean `undo`?" in one["what"]


def test_worst_first_and_each_with_its_command(line: CommandLine) -> None:
    place = lost_worktree(line)
    (line.here.places.state / "gates").rmdir()
    said = line.run("doctor")
    rows = said.out.splitlines()
    assert said.code == 1 and rows[0].startswith("FAULT   scratch ") and "--fix" in rows[1]
    levels = [row.split()[0] for row in rows if not row.startswith(" ")][:-1]
    assert levels == sorted(levels, key=["FAULT", "warning", "advice", "ok"].index)
    assert str(place) in said.out and "`nightdesk doctor --fix` mends some of it" in rows[-1]


def test_nothing_changes_without_fix_and_what_is_mended_is_gone_afterwards(line: CommandLine) -> None:
    lost_worktree(line)
    entry = line.here.root / ".git" / "worktrees" / "T-1"
    before = findings(line.run("doctor", "--json"), "worktrees")
    assert [one["fixed"] for one in before] == [""] and before[0]["cure"].endswith("doctor --fix") and entry.is_dir()
    after = findings(line.run("doctor", "--fix", "--json"), "worktrees")
    assert [(one["level"], one["cure"]) for one in after] == [("warning", "")] and "forgotten" in after[0]["fixed"]
    assert not entry.exists()
    (left,) = of_ours(line.run("doctor", "--json"))
    assert (left["check"], left["level"]) == ("branches", "advice")  # of no ticket: a person decides


def test_fix_says_what_it_did_and_does_not_count_it(line: CommandLine) -> None:
    (line.here.places.state / "gates").rmdir()
    said = line.run("doctor", "--fix")
    assert "fixed   scratch " in said.out and "=> made " in said.out
    assert (line.here.places.state / "gates").is_dir()
    assert said.code == 0 or "warning" in said.out or "FAULT" in said.out


def test_a_name_that_a_terminal_would_obey_is_shown_and_pasted_safely(line: CommandLine) -> None:
    lost_worktree(line)
    evil = line.here.places.data / "x\x1b[2J\n; touch pwned"
    evil.mkdir()
    (evil / "work").touch()
    said = line.run("doctor")
    assert "\x1b" not in said.out and "\u241b[2J" in said.out
    cure = next(row.split("-> ", 1)[1] for row in said.out.splitlines() if "-> mv -n" in row)
    subprocess.run(["bash", "-c", cure], check=True, cwd=line.home, timeout=5)
    assert evil.with_name(evil.name + ".kept").is_dir() and not (line.home / "pwned").exists()


# -- where hardly anything works


def bare(folder: Path, *words: str, path: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with no terminal and next to no environment."""
    env = {"PATH": path or os.environ["PATH"], "HOME": str(folder), **environ}
    command = [sys.executable, "-P", "-m", "console", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=30, check=False)


def test_outside_a_repository_the_machine_is_looked_at(tmp_path: Path) -> None:
    said = bare(tmp_path, "doctor")
    assert said.stderr == "" and "only the machine was looked at" in said.stdout and "programs" in said.stdout
    assert list(tmp_path.iterdir()) == []  # nothing is made, not even a state folder
    skipped = [row for row in said.stdout.splitlines() if row.startswith("not looked at, as there is no workspace: ")]
    assert len(skipped) == 1 and "git locks" in skipped[0] and "ok      git locks" not in said.stdout
    checks = {one["name"]: one["level"] for one in json.loads(bare(tmp_path, "doctor", "--json").stdout)["checks"]}
    assert (checks["log"], checks["branches"]) == ("skipped", "skipped") and list(checks) == NAMES


def test_a_named_folder_that_is_no_repository_is_a_fault_with_what_makes_it_one(tmp_path: Path) -> None:
    named = bare(tmp_path, "--workspace", str(tmp_path), "doctor")
    assert named.returncode == 1 and "FAULT   workspace" in named.stdout and named.stderr == ""
    assert f"-> git init {tmp_path}" in named.stdout
    nowhere = bare(tmp_path, "--workspace", str(tmp_path / "x"), "doctor").stdout
    assert "name a folder in a git repository" in nowhere and "git init" not in nowhere


def test_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    script = f"rmdir {gone}; exec {sys.executable} -P -m console doctor"
    said = subprocess.run(
        ["sh", "-c", script], cwd=gone, env=env, capture_output=True, text=True, timeout=30, check=False
    )
    assert "the current folder is gone" in said.stdout and "Traceback" not in said.stderr, said


def test_without_git_on_the_path(line: CommandLine, tmp_path: Path) -> None:
    said = bare(line.root, "doctor", path=str(tmp_path / "none"))
    assert said.returncode == 1 and "git is not on PATH" in said.stdout and said.stderr == ""


def test_on_a_log_that_cannot_be_read_and_one_that_is_gone(line: CommandLine) -> None:
    line.journal.close()
    log = line.here.places.log
    for name in ("log.db-wal", "log.db-shm"):
        log.with_name(name).unlink(missing_ok=True)
    log.write_bytes(b"no database" * 999)
    said = line.run("doctor", "--json")
    assert said.code == 1 and [one["level"] for one in findings(said, "log")] == ["fault"]
    assert log.read_bytes() == b"no database" * 999
    log.unlink()
    said = line.run("doctor", "--json")
    assert "is gone" in findings(said, "log")[0]["what"] and not log.exists()
    line.journal = None  # type: ignore[assignment]
    line.close = line.lock.release  # type: ignore[method-assign]


def test_with_a_git_dir_that_is_broken_the_rest_is_still_told(line: CommandLine) -> None:
    (line.root / ".git" / "HEAD").unlink()
    said = line.run("doctor", "--json")
    assert said.code == 1 and findings(said, "workspace")[0]["level"] == "fault"
    assert [one["name"] for one in said.json["checks"]] == NAMES


def test_a_check_that_breaks_does_not_hide_the_others(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from console.adapters.doctor import machine

    def broken(_g: object) -> None:
        raise TypeError("boom")

    monkeypatch.setattr(machine, "limits", broken)
    said = line.run("doctor", "--json")
    assert findings(said, "limits")[0]["what"].startswith("could not be looked at: TypeError: boom")
    assert [one["name"] for one in said.json["checks"]] == NAMES


def test_an_agent_may_look_but_not_mend(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.adapters.operator.inside_a_session", lambda: True)
    said = line.run("doctor", "--fix")
    assert said.code == 2 and "for the operator" in said.err and said.out == ""
    assert line.run("doctor", "--json").json["checks"]


def on_the_disk(line: CommandLine, state: Path, disk: list[str]) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(line.home), "XDG_STATE_HOME": str(state)}
    command = [*disk, sys.executable, "-P", "-m", "console", "--workspace", str(line.root), "doctor", "--json"]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=30, check=False)


def test_on_a_full_disk_and_on_one_that_nobody_may_write(line: CommandLine, tmp_path: Path) -> None:
    place = tmp_path / "small"
    with small_disk(place) as disk:
        state = disk.seen / "nightdesk" / line.here.places.state.name
        shutil.copytree(line.here.places.state, state, ignore=shutil.ignore_patterns("doorbell", "*-shm"))
        for change in (lambda: disk.resize(0), lambda: disk.remount("ro")):
            change()
            said = on_the_disk(line, place, disk.inside(sys.executable, "-c", WITHOUT))
            assert said.returncode == 1 and said.stderr == "", said
            found = json.loads(said.stdout)["findings"]
            assert "fault" in [one["level"] for one in found if one["check"] == "disk"]
            assert not [one for one in found if "bug in nightdesk" in one["what"]], found


def test_beside_a_living_supervisor(tmp_path: Path, line: CommandLine) -> None:
    line.lock.release()
    env = {"PATH": os.environ["PATH"], "HOME": str(line.home)}
    command = [sys.executable, "-P", "-m", "console", "--workspace", str(line.root)]
    quiet = subprocess.DEVNULL
    boss = subprocess.Popen([*command, "run", "--idle", "--linger", "20"], env=env, stdout=quiet, stderr=quiet)
    try:
        deadline = time.monotonic() + 20
        while not beat.read(line.here.places.beat):
            assert time.monotonic() < deadline and boss.poll() is None
            time.sleep(0.02)
        said = bare(line.root, "doctor", "--json", HOME=str(line.home))
        assert said.stderr == "" and not [
            one for one in json.loads(said.stdout)["findings"] if one["check"] == "supervisor"
        ]
        assert f"pid {boss.pid} holds the lock" in said.stdout
    finally:
        boss.terminate()
        assert boss.wait(20) is not None


def test_where_the_locale_has_no_letter_for_a_name(line: CommandLine) -> None:
    lost_worktree(line)
    (line.here.places.data / "\u65e5\u672c").mkdir()
    (line.here.places.data / "\u65e5\u672c" / "work").touch()
    said = bare(line.root, "doctor", PYTHONIOENCODING="latin-1", HOME=str(line.home))
    assert said.stderr == "" and "\\u65e5\\u672c" in said.stdout


def test_for_a_user_without_a_name_and_without_a_home(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs as a bare number."""

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.delenv("HOME")
    said = line.run("doctor")
    assert said.err == "" and "there is no HOME" in said.out and " programs " in said.out
