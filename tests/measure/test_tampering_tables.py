"""The kept figures of the weakened-tests detector: complete, consistent with each other, and at least the targets."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

from catalogue import CATALOGUE

from console.core.tampering.facts import RULES

TABLES = Path(__file__).parents[1] / "data/tampering"
MEANT_HIGH = 0.93
MEANT_ANY_RATE = 0.02


def rows(name: str) -> list[dict[str, str]]:
    with (TABLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_recall_covers_the_catalogue_on_real_files_and_meets_the_targets() -> None:
    table = rows("recall.tsv")
    wanted = {(language, mutation.name, mutation.level) for mutation in CATALOGUE for language in mutation.languages}
    measured = {(row["language"], row["mutation"], row["expected"]): row for row in table}
    assert len(wanted - set(measured)) <= 3, "a mutation that no real file takes may be missing"
    column = {"high": "high", "medium": "medium_or_better", "info": "any"}
    for (language, mutation, expected), row in measured.items():
        high, medium, seen, files = (int(row[name]) for name in ("high", "medium_or_better", "any", "files"))
        assert 0 <= high <= medium <= seen <= files
        if files >= 15:
            assert int(row[column[expected]]) >= MEANT_HIGH * files, (language, mutation)


def test_the_base_rate_is_of_a_thousand_commits_of_five_projects_or_more() -> None:
    table = rows("base_rate_summary.tsv")
    commits, high = sum(int(row["commits"]) for row in table), sum(int(row["any_high"]) for row in table)
    assert commits >= 1_000 and len(table) >= 5
    assert high <= MEANT_ANY_RATE * commits


def test_every_high_finding_is_kept_and_labelled() -> None:
    table = rows("base_rate.tsv")
    found: dict[str, set[str]] = defaultdict(set)
    for row in table:
        found[row["repo"]].add(row["commit"])
        assert row["fact"] in {"right", "wrong"} and row["reason"].isalpha(), row
        assert RULES[row["rule"]][0] == "high" and int(row["line"]) >= 0
    expected = {row["repo"]: int(row["any_high"]) for row in rows("base_rate_summary.tsv") if int(row["any_high"])}
    assert {repo: len(commits) for repo, commits in found.items()} == expected


def test_most_high_findings_are_facts() -> None:
    labels = Counter(row["fact"] for row in rows("base_rate.tsv"))
    assert labels["right"] >= 0.9 * labels.total()
