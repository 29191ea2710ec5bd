"""A plan in words: what a person should know, and each fact of it once."""

from __future__ import annotations

import pytest

from console.core.commits import Plan
from console.core.records import Assessment, Finding, Frozen, Identity
from console.present.wording import plan_lines, plan_warnings

REWROTE = "pre-commit rewrote a.txt"
SKIPPED = "post-commit: not run for plans"


def plan(*findings: Finding) -> Plan:
    frozen = Frozen(
        commit="c" * 40, base="b" * 40, tree="7" * 40, ref="refs/heads/main", ref_old="b" * 40, message="Fix",
        author=Identity(name="A", email="a@b"), when=1, zone="+0000", paths=(), worktree="/w", store="/s",
        notes=("a.txt: kept in LFS, 9 bytes", "rewritten by a hook: a.txt"),
    )  # fmt: skip
    assessment = Assessment(level=1, findings=findings) if findings else None
    notes = (REWROTE, SKIPPED, "gated in the worktree only")
    return Plan(
        plan="c" * 40, policy="pol-1", frozen=frozen, sessions=("s-1",), notes=notes, assessment=assessment,
        state="waiting", ready_at=1.0, changed_at=1.0, ready_seq=1,
    )  # fmt: skip


FINDINGS = tuple(
    Finding(kind="hook", level="info", rule=rule, text=text)
    for rule, text in (("hook-rewrote", REWROTE), ("hook-skipped", SKIPPED))
)


@pytest.mark.parametrize("fact", [REWROTE, SKIPPED, "gated in the worktree only", "kept in LFS"])
def test_each_fact_is_said_once(fact: str) -> None:
    for lines in (plan_lines(plan(*FINDINGS)), plan_warnings(plan(*FINDINGS))):
        assert sum(fact in line for line in lines) == 1, lines


def test_that_a_hook_rewrote_a_file_is_said_once_and_without_findings_by_the_notes() -> None:
    assert not [line for line in plan_lines(plan(*FINDINGS)) if "rewritten by a hook" in line]
    assert [line for line in plan_lines(plan()) if "rewritten by a hook: a.txt" in line]
    assert [line for line in plan_lines(plan()) if SKIPPED in line]
