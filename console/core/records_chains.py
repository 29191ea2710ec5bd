"""What reviews and repairs are made of: limits, links of a chain, and what a reviewer said. Pure data."""

from __future__ import annotations

from typing import Literal

from console.core.records import Record

ReviewWhen = Literal["never", "high_risk", "always"]
LinkKind = Literal["review", "repair"]
Verdict = Literal["SHIP", "BLOCK", ""]
"""What a reviewer's last line says; "": nothing that can be read, which never ships."""


class ReviewLimits(Record, frozen=True, kw_only=True):
    """`review` of the settings, as it was last read. when: which finished tickets get a review while chains are on;
    a ticket's own `review` counts first. reviewer, repairer: presets, "" for a choice (a review by another preset than
    the work, where there is one; a repair by the one that did the work). max_cycles: reviews of one chain, the first
    one included. max_chains: chains under way at once. interval: seconds between two looks at the settings. presets:
    those that may be started."""

    when: ReviewWhen = "high_risk"
    reviewer: str = ""
    repairer: str = ""
    max_cycles: int = 5
    max_chains: int = 20
    interval: float = 30.0
    presets: tuple[str, ...] = ()


class Link(Record, frozen=True, kw_only=True):
    """Where a review or repair stands in its chain. root: the ticket that was implemented. head: the plan (candidate
    commit) that it reviews or repairs; policy: that plan's. after: the ticket that it follows. cycle: from 1; a repair
    has that of the review it answers. round: of the root in the queue, so that work that a person sent back begins a
    chain anew."""

    kind: LinkKind
    root: str
    head: str
    policy: str
    after: str
    cycle: int = 1
    round: int = 0


class Review(Record, frozen=True, kw_only=True):
    """What a reviewer said about one candidate. findings: its words before the verdict, cut; hostile text. why: for
    people, in our words: what was read, or why nothing could be."""

    verdict: Verdict
    commit: str
    why: str
    findings: str = ""
    preset: str = ""
    session: str = ""
