#!/usr/bin/env python3
"""Snapshots and rollbacks killed at random points: `tests/faults/rollbacks.py [--files N] [--kills N] [--seed N]`.

A repository of N files with the operator's work in it, a vandal turn, a child process that rolls it back and is killed;
the same call again has to complete it, and its undo has to bring the vandal's state back. Prints times. Exit 0: exact.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "adapters"))

from gitrepo import Repo
from vandal import WHEN, Picture, operator_at_work, picture, rolled_back, snapshots, taken, vandal_turn

CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from gitrepo import Repo
from vandal import snapshots
place, verb, name, when = Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
repo = Repo(place / "shop", place / "home", place / "state", place / "data")
shots = snapshots(repo)
print("ready", flush=True)
sys.stdin.readline()
print(shots.take(str(repo.root), name, when) if verb == "take" else shots.restore(str(repo.root), name, when))
"""
INNER = "inner"


def killed(place: Path, verb: str, name: str, when: int, seconds: float) -> bool:
    """Do it in a child process and kill that after some time; True when it was still at it."""
    here = str(Path(__file__).resolve().parent.parent / "adapters")
    argv = [sys.executable, "-c", CHILD, here, str(place), verb, name, str(when)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdin and child.stdout
        assert child.stdout.readline() == b"ready\n"
        child.stdin.write(b"\n")
        child.stdin.flush()
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGKILL)
        return child.wait() == -signal.SIGKILL


def many_files(repo: Repo, number: int, pick: random.Random) -> None:
    """Committed files of 200 to 4,000 bytes in folders of fifty."""
    for one in range(number):
        text = "".join(f"line {pick.randrange(10**6)}\n" for _ in range(pick.randrange(15, 300)))
        repo.write(f"many/{one // 1000:02}/{one // 50 % 20:02}/file{one:05}.txt", text)
    repo.git("add", "many")
    repo.git("-c", "gc.auto=0", "commit", "-q", "-m", "many", "--", "many")
    repo.git("gc", "-q")


def dirty_many(repo: Repo, number: int, dirty: int, new: int) -> None:
    """The operator's own work: some files edited, some new."""
    for one in range(dirty):
        at = one * number // dirty
        with open(repo.root / path_of(at), "a", encoding="utf-8") as file:
            file.write("the operator's line\n")
    for one in range(new):
        repo.write(f"fresh/{one % 7}/file{one:03}.txt", f"new {one}\n")


def path_of(one: int) -> str:
    return f"many/{one // 1000:02}/{one // 50 % 20:02}/file{one:05}.txt"


def wreck_many(repo: Repo, number: int, share: int) -> None:
    """The vandal among the many: edits, deletions and new files, `share` of each."""
    for one in range(share):
        at = (one * number // share + 3) % number
        (repo.root / path_of(at)).write_text(f"vandal {one}\n")
        (repo.root / path_of((at + 1) % number)).unlink(missing_ok=True)
        repo.write(f"junk/{one % 5}/{one}.txt", f"junk {one}\n")


@dataclass
class Stage:
    """A repository with a snapshot `shot` of the state `before`, and now in the state `wrecked`."""

    place: Path
    repo: Repo
    shot: str
    before: Picture
    wrecked: Picture
    index: bytes
    their_index: bytes
    times: dict[str, float] = field(default_factory=dict)

    def index_now(self) -> bytes:
        return (self.repo.root / ".git" / "index").read_bytes()

    def exact(self) -> None:
        now = picture(self.repo.root, INNER, "build")
        now.pop("later.log")
        assert now == self.before, _difference(now, self.before)
        assert self.index_now() == self.index

    def exactly_wrecked(self) -> None:
        now = picture(self.repo.root)
        assert now == self.wrecked, _difference(now, self.wrecked)
        assert self.index_now() == self.their_index


def _difference(one: Picture, other: Picture) -> str:
    odd = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    return "; ".join(f"{path!r}: {_short(one.get(path))} not {_short(other.get(path))}" for path in odd[:20])


def _short(found: tuple[str, int, bytes] | None) -> str:
    return f"{found[0]} {found[1]:o} {found[2][:30]!r}" if found else "nothing"


def timed(times: dict[str, float], what: str, work: Callable[[], object]) -> None:
    began = time.monotonic()
    work()
    times[what] = time.monotonic() - began


def staged(place: Path, files: int, seed: int, dirty: int = 300, new: int = 200) -> Stage:
    """The operator's state, its snapshot, then the vandal's. Times of the snapshots on the way."""
    repo, times = operator_at_work(place), {}
    if files:
        many_files(repo, files, random.Random(seed))
        dirty_many(repo, files, dirty, new)
    shots = snapshots(repo)
    timed(times, "first snapshot", lambda: taken(shots, repo.root, "s-1/1"))
    time.sleep(2.1 if files > 1000 else 0)  # a file younger than two seconds is read again: time it without that
    taken(shots, repo.root, "s-1/2")
    timed(times, "snapshot, no change", lambda: taken(shots, repo.root, "s-1/3"))
    shot = taken(shots, repo.root, "s-1/4").snapshot
    before, index = picture(repo.root), (repo.root / ".git" / "index").read_bytes()
    vandal_turn(repo)
    if files:
        wreck_many(repo, files, min(170, files // 4))
    timed(times, "snapshot, 500 changed", lambda: taken(shots, repo.root, "s-1/5"))
    wrecked, their_index = picture(repo.root), (repo.root / ".git" / "index").read_bytes()
    return Stage(place, repo, shot, before, wrecked, index, their_index, times)


def kill_rollbacks(stage: Stage, number: int, pick: random.Random, longest: float) -> int:
    """From wrecked to exact with a kill on the way, and back by the undo; how many kills came before the end."""
    shots, hits = snapshots(stage.repo), 0
    for round_ in range(number):
        hits += killed(stage.place, "restore", stage.shot, WHEN + round_, pick.uniform(0, longest))
        undo = rolled_back(shots, stage.repo.root, stage.shot, WHEN + round_).undo
        stage.exact()
        hits += killed(stage.place, "restore", undo.snapshot, WHEN + round_, pick.uniform(0, longest))
        rolled_back(shots, stage.repo.root, undo.snapshot, WHEN + round_)
        stage.exactly_wrecked()
    return hits


def kill_snapshots(stage: Stage, number: int, pick: random.Random, longest: float) -> int:
    """Snapshots of the wrecked state killed on the way; the next one has to be good."""
    shots, hits = snapshots(stage.repo), 0
    for round_ in range(number):
        stage.repo.write("junk/again.dat", f"{round_} {pick.random()}\n" * 1000)
        want = picture(stage.repo.root)
        hits += killed(stage.place, "take", f"s-2/{round_}", WHEN, pick.uniform(0, longest))
        shot = taken(shots, stage.repo.root, f"s-2/{round_}").snapshot
        (stage.repo.root / "junk" / "again.dat").unlink()
        (stage.repo.root / "app.py").write_text("something else\n")
        rolled_back(shots, stage.repo.root, shot)
        now = picture(stage.repo.root)
        assert now == want, _difference(now, want)
    return hits


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    pick = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="nightdesk-rollbacks-") as name:
        stage = staged(Path(name), given.files, given.seed)
        shots, root, store = snapshots(stage.repo), stage.repo.root, stage.repo.state / "snapshots.git"
        undo: list[str] = []
        timed(stage.times, "rollback", lambda: undo.append(rolled_back(shots, root, stage.shot).undo.snapshot))
        stage.exact()
        timed(stage.times, "undo", lambda: rolled_back(shots, root, undo[0]))
        stage.exactly_wrecked()
        hits = kill_rollbacks(stage, given.kills, pick, 1.2 * stage.times["rollback"])
        taking = kill_snapshots(stage, 12, pick, 1.2 * stage.times["snapshot, no change"])
        before = size_of(store)
        timed(stage.times, "collect", lambda: shots.collect(frozenset((stage.shot,)), WHEN + 10**7))
        after = size_of(store)
        rolled_back(shots, root, stage.shot)
        print(f"seed {given.seed}, {given.files} files")
        for what, seconds in stage.times.items():
            print(f"  {what}: {seconds:.2f} s")
        print(f"  store: {before / 1e6:.1f} MB, after collect {after / 1e6:.1f} MB")
        print(f"  {2 * given.kills} rollbacks, {hits} killed before their end: all exact, all undone exactly")
        print(f"  12 snapshots, {taking} killed before their end: all good the next time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
