"""The assessment of a frozen plan: its bytes from the sealed store, judged by the pure rules of core. Blocks."""

from __future__ import annotations

from console.core.records import Assessment, Finding, Frozen
from console.engine.ports import Plans


def assess_plan(git: Plans, plan: Frozen, hooks: tuple[Finding, ...] = ()) -> Assessment:
    """What a person should know before the key, and how much one key may do."""
    from console.core.assessing import assess
    from console.core.tampering import FileVersions, inspect

    changes = git.contents(plan)
    tests = inspect([FileVersions(change.path, change.old, change.new) for change in changes])
    return assess(changes, tests, hooks)
