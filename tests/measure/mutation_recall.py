"""Recall of the weakened-tests detector on real test files that are mutated, one mutation a file and kind.

Run by hand:
    python tests/measure/mutation_recall.py FOLDER [FOLDER ...] [--files 150] [--seed 1] [--misses] > table.tsv
Each folder is a checkout of a project (`git archive HEAD | tar -x -C FOLDER`). Writes one row a language and mutation:
how many files, and in how many the detector's gravest finding reached high, medium, info. Nothing of the files is kept.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from catalogue import CATALOGUE
from mutations import EXTENSIONS, Mutation, blocks

from console.core.tampering import FileVersions, inspect

LEVELS = ("high", "medium", "info")
HEADER = "language\tmutation\texpected\tfiles\thigh\tmedium_or_better\tany\n"


def test_files(folders: list[Path], language: str, limit: int, chance: random.Random) -> list[tuple[str, str]]:
    """Path and text of real files that have a test that can be mutated, the same number from each folder."""
    found: list[tuple[str, str]] = []
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in EXTENSIONS[language] and path.is_file())
        chance.shuffle(paths)
        found += list(_usable(paths, folder, language))[:limit]
    chance.shuffle(found)
    return found[:limit]


def _usable(paths: list[Path], folder: Path, language: str) -> Iterator[tuple[str, str]]:
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.stat().st_size > 300_000 or "/fixtures/" in f"/{name}" or "node_modules" in name:
            continue
        if language == "python" and not path.name.startswith("test"):
            continue
        if language in {"javascript", "jvm", "ruby"} and not any(word in name.lower() for word in ("test", "spec")):
            continue
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        if any(True for _ in blocks(text.split("\n"), language)):
            yield name, text


def mutated(text: str, language: str, mutation: Mutation, chance: random.Random) -> str | None:
    """The text with one test weakened; None where no test of it takes this mutation."""
    lines = text.split("\n")
    shuffled = list(blocks(lines, language))
    chance.shuffle(shuffled)
    for block in shuffled:
        new = mutation.apply(lines, block, chance)
        if new is not None:
            return "\n".join(new)
    return None


def gravest(path: str, old: str, new: str | None) -> str:
    """The highest level of the findings about one changed file, "" for none."""
    data = None if new is None else new.encode()
    levels = {finding.level for finding in inspect([FileVersions(path, old.encode(), data)])}
    return next((level for level in LEVELS if level in levels), "")


def measure(files: list[tuple[str, str]], language: str, seed: int, misses: bool) -> Iterator[str]:
    """One row a mutation."""
    reached: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for mutation in CATALOGUE:
        if language not in mutation.languages:
            continue
        for path, text in files:
            new = mutated(text, language, mutation, random.Random(f"{seed}{path}{mutation.name}"))
            if new is None:
                continue
            level = gravest(path, text, new)
            reached[mutation.name, mutation.level][level] += 1
            if misses and (level == "" or LEVELS.index(level) > LEVELS.index(mutation.level)):
                print(f"missed\t{language}\t{mutation.name}\t{path}\t{level}", file=sys.stderr)
    for path, text in files:
        if "test" not in path and "spec" not in path:
            continue
        reached["delete file", "high"][gravest(path, text, None)] += 1
    for (name, expected), counts in reached.items():
        yield row(language, name, expected, counts)


def row(language: str, name: str, expected: str, counts: Counter[str]) -> str:
    total = sum(counts.values())
    high, medium = counts["high"], counts["high"] + counts["medium"]
    return f"{language}\t{name}\t{expected}\t{total}\t{high}\t{medium}\t{medium + counts['info']}\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--files", type=int, default=150)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--misses", action="store_true")
    options.add_argument("--language", choices=sorted(EXTENSIONS))
    chosen = options.parse_args()
    sys.stdout.write(HEADER)
    for language in [chosen.language] if chosen.language else EXTENSIONS:
        files = test_files(chosen.folders, language, chosen.files, random.Random(chosen.seed))
        sys.stdout.writelines(measure(files, language, chosen.seed, chosen.misses))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
