"""How precise the risk rules are on real commits. Run by hand: it needs clones of public repositories, CI does not.

    python tests/measure/risk_precision.py scan --last 250 --out hits.jsonl NAME=path/to/clone.git ...
    python tests/measure/risk_precision.py sample --seed 1 --each 16 hits.jsonl > sample.tsv
    python tests/measure/risk_precision.py show NAME=path/to/clone.git ... < sample.tsv     (reads: label by hand)
    python tests/measure/risk_precision.py figures tests/data/risk/labelled.tsv hits.jsonl

`scan` runs the classifier and the secret scanner over the last non-merge commits of each clone; `sample` draws hits, at
most one a commit and class, seeded; `show` prints the diff of each row around its line; a person adds `label` (right or
wrong: does the commit really touch that class?) and `note`; `figures` prints precision a class, the share of commits a
level, and how fast it was. Only ids, paths and labels are kept: no line of what was measured.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from console.core.blast_radius import CLASSES, classify
from console.core.secrets import find

COLUMNS = ("repo", "commit", "class", "path", "line", "text")
LARGEST = 5_000_000


@dataclass(frozen=True)
class Changed:
    """One path of a commit, as the classifier wants it."""

    path: str
    old: bytes | None
    new: bytes | None
    old_mode: str
    mode: str


class Clone:
    """A repository that is only read: commits, and contents through one `cat-file`."""

    def __init__(self, name: str, folder: str) -> None:
        self.name, self.folder = name, folder
        self.cat = subprocess.Popen(
            ["git", "--git-dir", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def git(self, *words: str) -> bytes:
        return subprocess.run(["git", "--git-dir", self.folder, *words], check=True, capture_output=True).stdout

    def commits(self, last: int) -> list[str]:
        return self.git("rev-list", "--no-merges", f"-n{last}", "HEAD").decode().split()

    def blob(self, oid: str) -> bytes | None:
        if not oid.strip("0"):
            return None
        assert self.cat.stdin and self.cat.stdout
        self.cat.stdin.write(f"{oid}\n".encode())
        self.cat.stdin.flush()
        head = self.cat.stdout.readline().split()
        if head[-1] == b"missing":
            return b""
        content = self.cat.stdout.read(int(head[2]))
        self.cat.stdout.read(1)
        return content if len(content) <= LARGEST else b""

    def changes(self, commit: str) -> list[Changed]:
        raw = self.git("diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", commit)
        parts = iter(raw.decode("utf-8", "surrogateescape").split("\0"))
        found = []
        for head in parts:
            if head:
                old_mode, mode, old, new, _ = head.lstrip(":").split()
                gitlinks = {old_mode, mode} & {"160000"}
                blobs = (b"", b"") if gitlinks else (self.blob(old), self.blob(new))
                found.append(Changed(next(parts), *blobs, old_mode, mode))
        return found


def clones(pairs: list[str]) -> dict[str, Clone]:
    return {name: Clone(name, folder) for name, _, folder in (pair.partition("=") for pair in pairs)}


def rows_of(clone: Clone, last: int) -> Iterator[dict[str, object]]:
    for commit in clone.commits(last):
        changes = clone.changes(commit)
        start = time.perf_counter()
        touches = classify(changes)
        middle = time.perf_counter()
        secrets = [found for change in changes for found in find(change.path, change.old, change.new)]
        end = time.perf_counter()
        hits = [(touch.name, touch.path, touch.line, touch.text) for touch in touches]
        hits += [(f"secret-{found.level}", found.path, found.line, found.text) for found in secrets]
        levels = [touch.level for touch in touches] + [3 if found.level == "high" else 2 for found in secrets]
        yield {
            "repo": clone.name,
            "commit": commit[:12],
            "level": max(levels, default=1),
            "hits": hits,
            "risk_ms": (middle - start) * 1000,
            "secret_ms": (end - middle) * 1000,
        }


def scan(arguments: argparse.Namespace) -> None:
    with open(arguments.out, "w", encoding="utf-8") as out:
        for clone in clones(arguments.clones).values():
            rows = list(rows_of(clone, arguments.last))
            out.writelines(json.dumps(row) + "\n" for row in rows)
            levels = Counter(row["level"] for row in rows)
            print(clone.name, len(rows), *(f"L{level} {levels[level] / len(rows):.0%}" for level in (1, 2, 3)))


def read(path: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def sample(arguments: argparse.Namespace) -> None:
    by_class: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    chance = random.Random(arguments.seed)
    for row in read(arguments.hits):
        seen: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        for name, path, line, text in row["hits"]:
            seen[name].append((row["repo"], row["commit"], name, path, line, text))
        for name, hits in seen.items():
            by_class[name].append(chance.choice(hits))
    out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    out.writerow(COLUMNS)
    for name in sorted(by_class):
        if not arguments.only or name in arguments.only:
            chosen = spread(by_class[name], arguments.each, chance)
            out.writerows(sorted(chosen, key=str))


def spread(hits: list[tuple[object, ...]], count: int, chance: random.Random) -> list[tuple[object, ...]]:
    """At random, but no repository has more than its share while another has some left."""
    chance.shuffle(hits)
    taken: Counter[object] = Counter()
    queue = sorted(hits, key=lambda hit: (taken.update([hit[0]]), taken[hit[0]])[1])
    return queue[:count]


def show(arguments: argparse.Namespace) -> None:
    known = clones(arguments.clones)
    for number, row in enumerate(csv.DictReader(sys.stdin, delimiter="\t")):
        clone = known[row["repo"]]
        subject = clone.git("log", "-1", "--format=%s", row["commit"]).decode("utf-8", "replace").strip()
        print(f"=== {number} {row['class']} | {row['repo']} {row['commit']} | {subject[:100]}")
        print(f"    {row['path']}:{row['line']}  {row['text']}")
        options = ("--no-commit-id", "-p", "-U1", "--root", "--no-ext-diff", row["commit"])
        paths = ("--", row["path"]) if row["path"] else ("--stat=100",)
        diff = clone.git("diff-tree", *options, *paths).decode("utf-8", "replace").splitlines()
        changed = [line for line in diff if line[:1] in "+-@ " and not line.startswith(("+++", "---"))]
        print("\n".join(f"    {line[:150]}" for line in changed[: arguments.lines]))


def figures(arguments: argparse.Namespace) -> None:
    with open(arguments.labelled, encoding="utf-8", newline="") as file:
        labelled = list(csv.DictReader(file, delimiter="\t"))
    for name in [*CLASSES, "secret-high", "secret-medium"]:
        mine = [row for row in labelled if row["class"] == name]
        last = max((row["round"] for row in mine), default="")
        mine = [row for row in mine if row["round"] == last]
        right = sum(row["label"] == "right" for row in mine)
        print(f"{name}: {right}/{len(mine)}")
    rows = read(arguments.hits)
    hit = {(row["repo"], row["commit"], name, path) for row in rows for name, path, *_ in row["hits"]}
    wrong = [row for row in labelled if row["label"] == "wrong"]
    still = [row for row in wrong if (row["repo"], row["commit"], row["class"], row["path"]) in hit]
    print(f"rows labelled wrong in any round: {len(wrong)}, still hit by the rules as they are: {len(still)}")
    times = sorted(float(str(row["risk_ms"])) for row in rows)
    print(
        f"risk: median {times[len(times) // 2]:.2f} ms, 99 % {times[len(times) * 99 // 100]:.1f}, most {times[-1]:.0f}"
    )
    for repo in dict.fromkeys(row["repo"] for row in rows):
        mine_rows = [row for row in rows if row["repo"] == repo]
        levels = Counter(row["level"] for row in mine_rows)
        names = Counter(name for row in mine_rows for name in {hit[0] for hit in row["hits"]})
        shares = " ".join(f"L{level} {levels[level] / len(mine_rows):.0%}" for level in (1, 2, 3))
        classes = ", ".join(f"{name} {count / len(mine_rows):.0%}" for name, count in names.most_common())
        print(f"{repo}: {len(mine_rows)} commits, {shares}; {classes}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    scanning = verbs.add_parser("scan")
    scanning.add_argument("clones", nargs="+")
    scanning.add_argument("--last", type=int, default=250)
    scanning.add_argument("--out", required=True)
    scanning.set_defaults(run=scan)
    sampling = verbs.add_parser("sample")
    sampling.add_argument("hits")
    sampling.add_argument("--seed", type=int, default=1)
    sampling.add_argument("--each", type=int, default=16)
    sampling.add_argument("--only", nargs="*")
    sampling.set_defaults(run=sample)
    showing = verbs.add_parser("show")
    showing.add_argument("clones", nargs="+")
    showing.add_argument("--lines", type=int, default=30)
    showing.set_defaults(run=show)
    counting = verbs.add_parser("figures")
    counting.add_argument("labelled")
    counting.add_argument("hits")
    counting.set_defaults(run=figures)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
