"""How often the weakened-tests detector speaks on real history: each non-merge commit is inspected like a turn's diff.

Run by hand:  python tests/measure/base_rate.py GIT_DIR [GIT_DIR ...] [--commits 300] [--rows rows.tsv] > summary.tsv
The name of a repository is the part of its path that has a `+` (owner+name). Writes a row a repository: commits, those
that touch tests, those with any high and any medium finding, seconds in all and at most. `--rows` gets every high
finding, to be labelled by reading its diff (../data/tampering/base_rate.tsv). Nothing of the repositories is kept.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from console.core.records import Finding
from console.core.tampering import FileVersions, inspect, places

HEADER = "repo\tcommits\ttest_commits\tany_high\tany_medium\tseconds\tslowest\n"
ABSENT = "0" * 40


def git(folder: Path, *words: str, given: bytes | None = None) -> bytes:
    done = subprocess.run(["git", f"--git-dir={folder}", *words], input=given, capture_output=True, check=True)
    return done.stdout


def commits(folder: Path, count: int) -> list[str]:
    return git(folder, "rev-list", "--no-merges", "--min-parents=1", f"-n{count}", "HEAD").decode().split()


class Blobs:
    """Reads blobs through one `git cat-file --batch`."""

    def __init__(self, folder: Path) -> None:
        command = ["git", f"--git-dir={folder}", "cat-file", "--batch"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, oid: str) -> bytes | None:
        if oid == ABSENT or self._process.stdin is None or self._process.stdout is None:
            return None
        self._process.stdin.write(oid.encode() + b"\n")
        self._process.stdin.flush()
        head = self._process.stdout.readline().split()
        if len(head) != 3 or head[1] != b"blob":
            if len(head) == 3:
                self._process.stdout.read(int(head[2]) + 1)
            return None
        data = self._process.stdout.read(int(head[2]))
        self._process.stdout.read(1)
        return data

    def close(self) -> None:
        self._process.communicate()


def changes(folder: Path, commit: str, blobs: Blobs) -> list[FileVersions]:
    """What a commit changed, as the detector gets it: no rename detection."""
    raw = git(folder, "diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", commit).split(b"\0")
    found = []
    for head, path in zip(raw[0::2], raw[1::2], strict=False):
        _, _, old, new, _ = head.decode().lstrip(":").split()
        if not (head.startswith(b":160000") or b" 160000 " in head):
            found.append(FileVersions(path.decode(errors="surrogateescape"), blobs.read(old), blobs.read(new)))
    return found


def high_rows(name: str, commit: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        if finding.level == "high":
            text = finding.text.replace("\t", " ")
            yield f"{name}\t{commit[:12]}\t{finding.rule}\t{finding.path}\t{finding.line}\t{text}\n"


def measure(folder: Path, count: int) -> tuple[str, list[str]]:
    """The summary row of one repository, and a row for each high finding."""
    name = next((part.replace("+", "/") for part in folder.parts if "+" in part), folder.name)
    blobs = Blobs(folder)
    rows: list[str] = []
    totals = {"commits": 0, "tests": 0, "high": 0, "medium": 0}
    seconds = slowest = 0.0
    for commit in commits(folder, count):
        changed = changes(folder, commit, blobs)
        start = time.perf_counter()
        findings = inspect(changed)
        spent = time.perf_counter() - start
        seconds, slowest = seconds + spent, max(slowest, spent)
        levels = {finding.level for finding in findings}
        totals["commits"] += 1
        totals["tests"] += any(places.is_test_side(change.path) for change in changed)
        totals["high"] += "high" in levels
        totals["medium"] += "medium" in levels
        rows += high_rows(name, commit, findings)
    blobs.close()
    numbers = "\t".join(str(value) for value in totals.values())
    return f"{name}\t{numbers}\t{seconds:.1f}\t{slowest:.2f}\n", rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--commits", type=int, default=300)
    options.add_argument("--rows", type=Path)
    chosen = options.parse_args()
    sys.stdout.write(HEADER)
    rows: list[str] = []
    for folder in chosen.folders:
        summary, found = measure(folder, chosen.commits)
        rows += found
        sys.stdout.write(summary)
        sys.stdout.flush()
    if chosen.rows:
        chosen.rows.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
