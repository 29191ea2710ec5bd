"""What a run would decide about a ticket from its text, as the trusted settings say. Touches nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from console.core.records import Decision, TextVerdict

if TYPE_CHECKING:
    from console.adapters.tickets import Parsed


def verdict(parsed: Parsed, overrides: Mapping[str, Decision]) -> TextVerdict:
    """overrides: the `decide:` of the settings, empty while nobody trusts them."""
    from console.core.deciding import judge, overridden

    spec = parsed.spec
    found = judge(spec.title, parsed.body, spec.blast_radius, first_line=parsed.body_line)
    return overridden(found, parsed.ticket, overrides)
