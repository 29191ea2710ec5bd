"""What a diff is judged to be before a person may press a key: its findings, its classes, and the level of that key.

Composes the blast radius, the secrets, what was found about tests and what hooks did; it adds nothing but levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from console.core import blast_radius, secrets
from console.core.blast_radius import Change, Touch
from console.core.records import Assessment, Finding, FindingLevel

MOST = 60
"""Findings that an assessment keeps; how many more there are is its last one."""

GATE_CHANGED = "gate-config-changed"
_LEVELS: dict[int, FindingLevel] = {3: "high", 2: "medium", 1: "info"}
_RANK = {"high": 0, "medium": 1, "info": 2}
_FIRST = {"gate": 0, "tests": 1, "secret": 2, "hook": 3, "ticket": 4, "repository": 5, "risk": 6}


def assess(changes: Iterable[Change], tests: tuple[Finding, ...], hooks: tuple[Finding, ...]) -> Assessment:
    """Everything known about a diff. tests: of the detector of weakened tests. hooks: of the commit hooks' run.

    The level (ruling 11) is the highest of: each class's own; 3 for a high finding and for any secret; 2 for a medium
    finding of a hook, and for a changed gate. Other medium findings about tests do not raise it. Findings are ordered
    gravest first, and within a level tests, secrets, hooks, risk. Never raises for any content.
    """
    listed = tuple(changes)
    touches = blast_radius.classify(listed)
    leaks = [found for change in listed for found in secrets.find(change.path, change.old, change.new)]
    others = (*tests, *leaks, *hooks)
    level = max([1, *(touch.level for touch in touches), *map(_raises_to, others)])
    findings = _ordered([*others, *map(_finding, touches)])
    return Assessment(level=level, findings=_capped(findings), classes=_classes(touches, others))


def _raises_to(finding: Finding) -> int:
    """The level that one finding about tests, secrets or hooks asks for."""
    if finding.level == "high" or finding.kind == "secret":
        return 3
    weighs = finding.kind in ("hook", "gate") or finding.rule == GATE_CHANGED
    return 2 if finding.level == "medium" and weighs else 1


def _finding(touch: Touch) -> Finding:
    level = _LEVELS[touch.level]
    return Finding(kind="risk", level=level, rule=touch.name, text=touch.text, path=touch.path, line=touch.line)


def _ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Gravest first; the order in which each source gave them is kept."""
    return sorted(findings, key=lambda finding: (_RANK[finding.level], _FIRST[finding.kind]))


def _capped(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    if len(findings) <= MOST:
        return tuple(findings)
    left = findings[MOST:]
    text = f"and {len(left)} more"
    return (*findings[:MOST], Finding(kind=left[0].kind, level=left[0].level, rule="more", text=text))


def _classes(touches: Iterable[Touch], others: Iterable[Finding]) -> tuple[str, ...]:
    """The classes, the gravest first: what weakens the gate, secrets, then the touched ones."""
    names = dict.fromkeys(touch.name for touch in touches)
    weakened = any(found.kind == "tests" and found.level == "high" for found in others)
    leaked = any(found.kind == "secret" for found in others)
    return (*(["gate-weakened"] if weakened else []), *(["secrets"] if leaked else []), *names)
