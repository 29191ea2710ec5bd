"""What the doctor says of the machine, its disks and the log: each check once well and once ill; commands to paste."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from console.adapters import boot, store
from console.adapters.doctor import asking, disk, findings, machine, peeking, proc
from console.adapters.doctor.findings import Finding, Look
from console.adapters.doctor.ground import Ground
from console.adapters.git.finding import named
from console.adapters.places import places
from console.adapters.sandbox import Tier
from console.core import events as ev
from console.core.records import Who
from console.core.state import Holder, State
from console.engine.ports import Workspace

HERE = Ground(environ=os.environ)


def one(look: Look) -> Finding:
    assert len(look.findings) == 1, look
    return look.findings[0]


# -- commands to paste


@pytest.mark.parametrize(
    "name", ["plain", "a b", "it's", "-rf", "$(id)", "new\nline", "tab\tbell\x07", "ünï", "\u202eevil"]
)
def test_a_cure_means_exactly_the_name_it_was_made_for(name: str) -> None:
    quoted = findings.words("printf", "%s", name)
    assert all(char.isprintable() for char in quoted)
    ran = subprocess.run(["bash", "-c", quoted], capture_output=True, check=True, timeout=5)
    assert ran.stdout.decode() == name


def test_a_name_that_is_not_text_is_pasted_byte_for_byte() -> None:
    quoted = findings.words("printf", "%s", os.fsdecode(b"caf\xe9 \\'"))
    assert subprocess.run(["bash", "-c", quoted], capture_output=True, check=True).stdout == b"caf\xe9 \\'"


def test_a_program_that_hangs_is_missing_or_lies_in_a_worktree_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LIMIT", 0.2)
    (tmp_path / "slow").write_text("#!/bin/sh\nexec sleep 30\n")
    (tmp_path / "quick").write_text("#!/bin/sh\necho yes\n")
    (tmp_path / "bad").write_text("#!/bin/sh\necho yes; exit 1\n")
    for name in ("slow", "quick", "bad"):
        (tmp_path / name).chmod(0o755)
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert asking.ask(("quick",), environ) == "yes"
    assert [asking.ask((name,), environ) for name in ("slow", "bad", "none-such")] == [None, None, None]
    assert asking.ask(("quick",), environ, [str(tmp_path)]) is None


# -- the machine


def test_the_sandbox_is_told_and_how_to_get_one() -> None:
    assert machine.tier(HERE, Tier(mounts=True, pids=True)).findings == ()
    reason = "user namespaces are off (kernel.unprivileged_userns_clone=0)"
    found = one(machine.tier(HERE, Tier(mounts=False, pids=False, reason=reason)))
    assert found.level == "advice" and reason in found.what
    assert found.cure == "sudo sysctl -w kernel.unprivileged_userns_clone=1"


def test_limits_well_and_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"fs/inotify/max_user_instances": 100_000, "fs/inotify/max_user_watches": 65_536}
    monkeypatch.setattr(machine, "_setting", lambda name: numbers[name])
    monkeypatch.setattr(machine, "free_memory", lambda: 4_000_000_000)
    monkeypatch.setattr(machine.resource, "getrlimit", lambda _: (20_000, 20_000))
    assert machine.limits(HERE).findings == ()
    numbers.update({"fs/inotify/max_user_instances": 5, "fs/inotify/max_user_watches": 100})
    monkeypatch.setattr(machine, "free_memory", lambda: 1_000_000)
    monkeypatch.setattr(machine.resource, "getrlimit", lambda _: (256, 4096))
    found = machine.limits(HERE).findings
    assert [one.level for one in found] == ["warning"] * 4
    assert found[0].cure == "ulimit -n 1024" and "inotify instances" in found[2].what
    assert found[2].cure == "sudo sysctl -w fs.inotify.max_user_instances=512"


def test_the_clock_well_behind_and_after_a_new_boot() -> None:
    state = State()
    g = Ground(environ=os.environ)
    g.__dict__["log"] = peeking.Read(state)
    assert machine.clock(g).findings == ()
    state.at = g.now + 7200
    assert "2 h behind" in one(machine.clock(g)).what
    state.at = 0.0
    state.supervisor = Holder(pid=1, start_time=1, host="h", version="1", at=1.0, running=True, boot="another")
    expected = 1 if boot.boot_id() else 0
    assert len(machine.clock(g).findings) == expected
    old = replace(g, now=1.0)
    old.__dict__["log"] = peeking.Read()
    assert one(machine.clock(old)).cure == "sudo timedatectl set-ntp true"


def test_git_missing_is_a_fault_and_git_here_is_named() -> None:
    look = machine.programs(HERE)
    assert look.findings == () and "git version" in look.well and "Python 3." in look.well
    assert "git is not on PATH" in one(machine.programs(Ground(environ={"PATH": "/nowhere"}))).what


def test_a_disk_that_runs_no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = workspace(tmp_path)
    assert machine.programs(g).findings == ()

    class Flags:
        f_flag = os.ST_NOEXEC

    monkeypatch.setattr(machine.os, "statvfs", lambda _path: Flags)
    found = machine.programs(g).findings
    assert len(found) == 2 and all("noexec" in one.what and one.cure.startswith("findmnt -T ") for one in found)


# -- the disk and the log


def workspace(folder: Path) -> Ground:
    found = named(str(folder / "shop"), str(folder / "shop" / ".git"))
    assert isinstance(found, Workspace)
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    return Ground(environ=environ, workspace=found, places=places(found, environ))


def again(g: Ground) -> Ground:
    return Ground(environ=g.environ, workspace=g.workspace, places=g.places)


def made(g: Ground) -> Path:
    assert g.places is not None
    g.places.make()
    log = store.Log(g.places.log)
    with log.transaction():
        log.append([ev.Logged(seq=1, at=5.0, fact=ev.OperatorActive(by=Who(user="ada")))])
    log.close()
    return g.places.log


def test_room_is_told_and_the_lack_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = workspace(tmp_path)
    made(g)
    look = disk.disk(again(g))
    assert "free for the log, worktrees, checkouts" in look.well and "log " in look.well
    monkeypatch.setattr(disk, "LOW", 1 << 62)
    found = [one for one in disk.disk(again(g)).findings if "are free" in one.what]
    assert found[0].level == "warning" and "worktree clean" in found[0].cure
    monkeypatch.setattr(disk, "EMPTY", 1 << 62)
    assert disk.disk(again(g)).findings[0].level == "fault"


def test_few_files_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [
        disk._Room("the log", tmp_path, 1 << 40, 10, False),
        disk._Room("worktrees", tmp_path, 1 << 40, None, False),
    ]
    monkeypatch.setattr(disk, "_rooms", lambda _g: rooms)
    found = one(disk.disk(workspace(tmp_path)))
    assert found.level == "fault" and "10 more files" in found.what and found.cure == f"df -i {tmp_path}"


def test_a_log_is_read_without_changing_a_byte(tmp_path: Path) -> None:
    g = workspace(tmp_path)
    assert disk.log(g).well == "none yet" and not (tmp_path / "state").exists()
    path = made(g)
    before = {one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file() and "-shm" not in one.name}
    look = disk.log(again(g))
    assert look.findings == () and "1 event," in look.well and "sound" in look.well
    assert before == {
        one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file() and "-shm" not in one.name
    }


def test_a_log_that_is_gone_rubbish_or_newer(tmp_path: Path) -> None:
    g = workspace(tmp_path)
    path = made(g)
    db = apsw.Connection(str(path))
    db.execute("UPDATE meta SET value = '99' WHERE key = 'events'")
    db.close()
    found = one(disk.log(again(g)))
    assert found.level == "fault" and "newer nightdesk" in found.what and "upgrade" in found.cure
    path.write_bytes(b"rubbish" * 1000)
    assert "not a readable event log" in one(disk.log(again(g))).what
    path.unlink()
    gone = one(disk.log(again(g)))
    assert "is gone" in gone.what and shlex.split(gone.cure)[:2] == ["cp", "-a"]


def test_a_log_with_a_damaged_page_is_told_by_the_check(tmp_path: Path) -> None:
    g = workspace(tmp_path)
    path = made(g)
    db = apsw.Connection(str(path))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_session'").get
    db.close()
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    read = again(g).log
    assert read.damage
    assert any("is damaged" in one.what for one in disk.log(again(g)).findings)


def test_a_check_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = peeking.Peek(made(workspace(tmp_path)))
    monkeypatch.setattr(peeking, "STEPS", 1)
    assert log.damage(-1.0) is None and log.damage(5.0) == ""
    log.close()


def test_a_log_whose_index_cannot_be_made_is_read_without_its_last_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(workspace(tmp_path))
    db = apsw.Connection(str(path))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    real = peeking.Peek._read_only

    def full(self: peeking.Peek, how: str) -> apsw.Connection:
        if how == "mode=ro":
            raise apsw.CantOpenError("no room")
        return real(self, how)

    monkeypatch.setattr(peeking.Peek, "_read_only", full)
    read = peeking.read(path)
    assert read.old and read.state is not None and read.state.seq == 1


def test_a_table_of_processes_knows_ages() -> None:
    table = proc.table()
    assert os.getpid() in table.procs and 0 <= table.age(os.getpid()) < time.monotonic() + 1e6
    assert os.getppid() in list(table.above(os.getpid()))
