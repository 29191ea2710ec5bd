"""What the preflight sees of a real machine and a real repository, and that a version probe is bounded and alone."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from gitrepo import Repo as Ground
from gitrepo import refused

from console.adapters.places import places
from console.adapters.preflight import looking, probing
from console.adapters.preflight.facts import Probe, Waiting
from console.core import queue
from console.core.commits import Plan
from console.core.drain import Run
from console.core.records import Identity, Launch, RunSettings, TextVerdict, TicketSpec, Who
from console.core.records_chains import Link
from console.core.settings import Preset
from console.core.state import State
from console.core.tickets import Ticket
from console.engine.ports import FolderLook, TicketSeen

# -- the machine -----------------------------------------------------------------------------------------

MOUNTS = """\
overlay / overlay rw 0 0
/dev/sda1 /home ext4 rw 0 0
server:/x /home/ada/far nfs4 rw 0 0
/dev/sdb1 /mnt/my\\040disk btrfs rw 0 0
tmpfs /home/ada/far/near tmpfs rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/sdc1 /run ext4 rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/srv/state", "overlay"),
        ("/home/ada/state", "ext4"),
        ("/home/ada/far", "nfs4"),
        ("/home/ada/far/state", "nfs4"),
        ("/home/ada/farther", "ext4"),
        ("/home/ada/far/near/x", "tmpfs"),
        ("/mnt/my disk/state", "btrfs"),
        ("/run/x", "ext4"),
    ],
)
def test_the_file_system_of_a_place_is_that_of_the_nearest_mount(place: str, kind: str) -> None:
    assert looking.file_system(Path(place), MOUNTS) == kind


def test_without_mounts_nobody_can_tell() -> None:
    assert looking.file_system(Path("/x"), "") == ""


def files(**texts: str) -> Callable[[str], str]:
    known = {
        "/proc/meminfo": texts.get("meminfo", ""),
        "/proc/self/cgroup": texts.get("cgroup", ""),
        "/sys/fs/cgroup/night/memory.max": texts.get("most", ""),
        "/sys/fs/cgroup/night/memory.current": texts.get("used", ""),
        "/sys/fs/cgroup/night/memory.stat": texts.get("stat", ""),
    }
    return lambda path: known.get(path, "")


def test_memory_is_what_the_machine_or_our_control_group_has_left() -> None:
    machine = "MemTotal: 9 kB\nMemAvailable:   2000 kB\n"
    assert looking.memory(files()) is None
    assert looking.memory(files(meminfo=machine)) == 2000 * 1024
    group = {"meminfo": machine, "cgroup": "0::/night\n", "used": "600000"}
    assert looking.memory(files(**group, most="1000000", stat="inactive_file 100000\n")) == 500_000
    assert looking.memory(files(**group, most="max")) == 2000 * 1024
    assert looking.memory(files(**group, most="1")) == 0


def test_each_file_system_is_looked_at_once_also_before_its_folders_exist(tmp_path: Path) -> None:
    made = Ground.with_files(tmp_path)
    here = places(made.workspace(), {"HOME": str(tmp_path / "not" / "yet")})
    (room,) = looking.rooms(here)
    assert room.growing and room.free > 0 and "worktrees" in room.what and "the log" in room.what


def test_a_state_folder_that_takes_nothing_is_told_with_the_reason(tmp_path: Path) -> None:
    assert looking.unwritable(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []
    assert "No such file" in looking.unwritable(tmp_path / "gone")


def test_credentials_are_found_by_name_and_not_read(tmp_path: Path) -> None:
    for name in (".ssh/id_ed25519", ".ssh/id_ed25519.pub", ".ssh/config", ".netrc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(0)
    assert looking.credentials(str(tmp_path)) == ("~/.netrc", "~/.ssh/id_ed25519")
    assert looking.credentials(str(tmp_path / "nobody")) == ()


# -- the repository --------------------------------------------------------------------------------------


def test_a_sound_repository(tmp_path: Path) -> None:
    ground = Ground.with_files(tmp_path)
    ground.write("a.txt", "changed\n")
    found = looking.repository(ground.plain(), State())
    assert (found.trouble, found.ref, found.operation, found.alert) == ("", "refs/heads/main", "", "")
    assert found.head == ground.line("rev-parse", "HEAD") and found.version.startswith("git version")
    assert found.identity == Identity(name="Ada Operator", email="ada@example.com")
    assert found.unseen == ("a.txt",)
    assert found.size == sum(
        len(ground.git("show", f"HEAD:{name}")) for name in ("a.txt", "src/app.py", "other.txt", ".gitignore")
    )


def test_a_change_hides_behind_no_crowd_of_tickets(tmp_path: Path) -> None:
    ground = Ground.with_files(tmp_path)
    for number in range(300):
        ground.write(f"tickets/{number}.md", "Do it\n")
    ground.write("zebra.txt", "new\n")
    found = looking.repository(ground.plain(), State())
    assert found.unseen is not None and found.unseen[-1] == "zebra.txt" and len(found.unseen) == 301


def test_a_merge_that_waits_and_a_head_on_no_branch_are_seen(tmp_path: Path) -> None:
    ground = Ground.with_files(tmp_path)
    ground.git("checkout", "-q", "--detach")
    (ground.root / ".git" / "MERGE_HEAD").write_text(ground.line("rev-parse", "HEAD") + "\n")
    found = looking.repository(ground.plain(), State())
    assert (found.ref, found.operation) == ("", "a merge")


def test_nobody_to_commit_as_is_seen(tmp_path: Path) -> None:
    ground = Ground.with_files(tmp_path)
    (ground.home / ".gitconfig").write_text("")
    assert "user.name" in refused(looking.repository(ground.plain(), State()).identity).reason


def test_a_broken_configuration_is_the_trouble_and_no_exception(tmp_path: Path) -> None:
    ground = Ground.with_files(tmp_path)
    git = ground.plain()
    (ground.root / ".git" / "config").write_text("[core\n")
    assert "configuration" in looking.repository(git, State()).trouble


# -- tickets ---------------------------------------------------------------------------------------------


def ticket(name: str, **more: object) -> Ticket:
    known = {
        "file": f"{name}.md",
        "digest": "d",
        "stamp": "s",
        "spec": TicketSpec(title=name),
        "verdict": TextVerdict(),
    }
    return Ticket(ticket=name, **{**known, **more})  # type: ignore[arg-type]


def test_the_queue_is_the_log_brought_up_to_date_by_the_folder() -> None:
    state = State()
    for one in (ticket("old"), ticket("done", phase="ended"), ticket("away"), ticket("held", held="found")):
        state.tickets[one.ticket] = one
    fresh = TicketSeen(
        ticket="new", file="new.md", digest="n", stamp="n", spec=TicketSpec(title="new"), verdict=TextVerdict()
    )
    asked: list[dict[str, str]] = []

    def look(known: object) -> FolderLook:
        asked.append(dict(known))  # type: ignore[call-overload]
        return FolderLook(seen=(fresh,), gone=("away",), problems=("x.md:1: bad",))

    found = looking.queue(state, look)
    assert asked == [{"old": "s", "done": "s", "away": "s", "held": "s"}]
    assert {one.ticket: one.held for one in found.waiting} == {"old": "", "held": "found", "new": ""}
    assert all(isinstance(one, Waiting) for one in found.waiting) and found.problems == ("x.md:1: bad",)


def test_what_a_run_takes_again_by_itself_is_counted_and_what_a_person_has_stopped_is_not() -> None:
    state, failed = State(), {"phase": "ended", "outcome": "FAILED_RETRYABLE"}
    for one in (
        ticket("left", why="tests fail; 2 attempt(s) were left as the run ended", **failed),
        ticket("stopped", why=queue.STOPPED, **failed),
        ticket("interrupted", why=queue.INTERRUPTED, **failed),
        ticket("planned", why="its base is gone", plan="p", **failed),
    ):
        state.tickets[one.ticket] = one
    found = looking.queue(state, None)
    assert [one.ticket for one in found.waiting] == ["left"]
    assert found.stopped == ("stopped", "interrupted")
    state.runs["run-1"] = Run(run="run-1", settings=RunSettings(digest="d"), by=Who(), started_at=1.0, seq=1)
    assert not looking.queue(state, None).waiting, "an open run goes on with what it has"


def test_reviews_and_repairs_that_a_run_would_take_are_counted_and_have_no_file_that_could_be_gone() -> None:
    state, head = State(), "c" * 40
    link = Link(kind="review", root="t", head=head, policy="pol-1", after="t")
    state.tickets["t+review-1"] = ticket("t+review-1", link=link)
    times = {"ready_at": 0.0, "changed_at": 0.0, "ready_seq": 1}
    plan = Plan(plan=head, policy="pol-1", sessions=(), frozen=None, state="waiting", **times)  # type: ignore[arg-type]
    state.plans[head] = plan
    asked: list[object] = []

    def look(known: object) -> FolderLook:
        asked.append(known)
        return FolderLook()

    assert not looking.queue(state, look).waiting, "chains are off"
    state.chains_on = True
    found = looking.queue(state, look)
    assert [one.ticket for one in found.waiting] == ["t+review-1"] and asked == [{}, {}]
    state.plans[head] = msgspec.structs.replace(plan, state="landed")
    assert not looking.queue(state, look).waiting, "it is about nothing any more"


# -- programs --------------------------------------------------------------------------------------------


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def preset(*argv: str, **more: object) -> Preset:
    return Preset(launch=Launch(argv=argv, env=dict(more.get("env") or {})), version=tuple(more.get("version") or ()))  # type: ignore[call-overload]


def ask(tmp_path: Path, body: str, environ: dict[str, str] | None = None) -> Probe:
    program(tmp_path / "bin", "agent", body)
    known, env = {"a": preset("agent")}, {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", **(environ or {})}
    found = probing.programs(known, env, [])
    return probing.versions(known, found, env, [])["a"]


def test_a_version_is_the_first_line_of_either_output(tmp_path: Path) -> None:
    assert ask(tmp_path, "echo; echo agent 1.2.3; echo more").said == "agent 1.2.3"
    assert ask(tmp_path, "printf '\\033[1mpi 0.7\\033[0m\\n' >&2").said == "pi 0.7"
    assert len(ask(tmp_path, "head -c 100000 /dev/zero | tr '\\0' x").said) == probing.SHOWN + 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("exit 3", "exit 3"),
        ("echo no such option; exit 2", "exit 2: no such option"),
        ("exit 0", "said nothing"),
        ("kill -9 $$", "signal 9"),
    ],
)
def test_a_probe_that_fails_says_how(tmp_path: Path, body: str, words: str) -> None:
    probe = ask(tmp_path, body)
    assert probe.asked and words in probe.failed


def test_a_probe_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "LIMIT", 2.0)
    mark = tmp_path / "pid"
    began = time.monotonic()
    probe = ask(tmp_path, f"setsid sleep 600 & echo $! > {mark}; sleep 600")
    assert "no answer within 2 s" in probe.failed and time.monotonic() - began < 20
    assert not os.path.exists(f"/proc/{mark.read_text().strip()}")


def test_a_probe_reads_nothing_from_us_and_sees_the_agents_environment_only(tmp_path: Path) -> None:
    assert ask(tmp_path, "read line && echo got || echo 1.0 eof").said == "1.0 eof"
    probe = ask(tmp_path, 'echo "v1 $SECRET-$LANG"', {"SECRET": "s", "LANG": "C"})
    assert probe.said == "v1 -C"


def test_several_are_asked_at_once(tmp_path: Path) -> None:
    """Each waits for the other."""
    for name, other in (("one", "two"), ("two", "one")):
        wait = f"until [ -e {tmp_path / other} ]; do sleep 0.02; done"
        program(tmp_path / "bin", name, f": > {tmp_path / name}; {wait}; echo {name} 1")
    known = {name: preset(name) for name in ("one", "two")}
    env = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    found = probing.versions(known, probing.programs(known, env, []), env, [])
    assert [found[name].said for name in known] == ["one 1", "two 1"]


def test_the_preset_says_how_to_ask(tmp_path: Path) -> None:
    program(tmp_path / "bin", "mini", 'test "$1" = version && echo mini 2.4 || exit 2')
    env = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    for version, said in (((), ""), (("mini", "version"), "mini 2.4")):
        known = {"m": preset("mini", version=version)}
        assert probing.versions(known, probing.programs(known, env, []), env, [])["m"].said == said


def test_no_program_is_taken_from_a_worktree(tmp_path: Path) -> None:
    inside = program(tmp_path / "work", "agent", ": > $0.ran; echo 6.6.6")
    env = {"PATH": f"{tmp_path / 'work'}:{tmp_path / 'bin'}:/usr/bin:/bin"}
    known = {"bare": preset("agent"), "whole": preset(str(inside)), "relative": preset("./agent")}
    found = probing.versions(
        known, probing.programs(known, env, [str(tmp_path / "work")]), env, [str(tmp_path / "work")]
    )
    assert "not on the PATH" in refused(found["bare"].found).reason
    assert found["whole"].elsewhere == str(inside)
    assert "can write" in refused(found["relative"].found).reason
    program(tmp_path / "bin", "agent", "echo 1.0.0")
    found = probing.versions(
        known, probing.programs(known, env, [str(tmp_path / "work")]), env, [str(tmp_path / "work")]
    )
    assert found["bare"].found == str(tmp_path / "bin" / "agent") and found["bare"].elsewhere == str(inside)
    assert not any(probe.asked for probe in found.values()) and not inside.with_suffix(".ran").exists()
