"""Every mutation of the catalogue on the samples: found at the level it is to reach, in every language.

Thresholds are those of facts 4.2; the same mutations on real projects are in ../data/tampering/recall.tsv.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from catalogue import CATALOGUE
from mutation_recall import LEVELS, gravest, mutated
from mutations import EXTENSIONS, Mutation, blocks

SAMPLES = sorted((Path(__file__).parents[1] / "data/tampering/samples").iterdir())
ALL = [(mutation, language) for mutation in CATALOGUE for language in mutation.languages]


def language_of(path: Path) -> str:
    return next(language for language, endings in EXTENSIONS.items() if path.suffix in endings)


def where(path: Path) -> str:
    """The place in a project that a sample stands for: Rust's tests are part of product code."""
    return f"src/{path.name}" if path.suffix == ".rs" else f"tests/{'test_' if path.suffix == '.py' else ''}{path.name}"


def mutants(mutation: Mutation, language: str) -> list[tuple[str, str, str]]:
    found = []
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        for seed in range(4):
            if language_of(path) == language:
                new = mutated(text, language, mutation, random.Random(seed))
                found += [(where(path), text, new)] if new is not None else []
    return found


def test_every_language_has_samples_with_tests() -> None:
    seen = {language_of(path) for path in SAMPLES if list(blocks(path.read_text().split("\n"), language_of(path)))}
    assert seen == set(EXTENSIONS)


@pytest.mark.parametrize(("mutation", "language"), ALL, ids=[f"{language}: {one.name}" for one, language in ALL])
def test_a_mutation_is_found_at_its_level(mutation: Mutation, language: str) -> None:
    found = mutants(mutation, language)
    assert found, "no sample takes this mutation"
    for path, old, new in found:
        level = gravest(path, old, new)
        assert level and LEVELS.index(level) <= LEVELS.index(mutation.level), new


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_that_is_deleted_or_empty_is_found(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    name = where(path).replace("src/", "tests/")
    assert gravest(name, text, None) == "high"
    assert gravest(name, text, "\n") == "high"
    assert gravest(name, text, text) == ""
