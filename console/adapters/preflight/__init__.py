"""Every check before a run, GO or NO-GO, from facts that `gather` collects. Nothing here starts, changes or trusts
anything; the only programs that run are git and, once the settings are trusted, the presets' version probes."""

from __future__ import annotations

from console.adapters.preflight import agents, machine, queue, reaching, repository, reviews, standing
from console.adapters.preflight.facts import Facts
from console.core.records import Check, Record

CHECKS = (
    standing.settings,
    standing.trust,
    standing.identity,
    standing.workspace,
    agents.agents,
    repository.git,
    repository.unseen,
    machine.disk,
    machine.state,
    queue.gate,
    queue.ticket_gates,
    machine.memory,
    machine.sandbox,
    machine.login,
    agents.credentials,
    queue.tickets,
    reviews.reviews,
    reaching.notices,
)
"""Every one is always made."""


class Preflight(Record, frozen=True, kw_only=True):
    """busy: why a run cannot start although nothing is wrong, "" when it can. left: the run that nobody supervises any
    more and that `run` would go on with, "" for none. unfit: presets that only some tickets name and that cannot work
    as they are: no run should be given them, so that these tickets end before anything is started for them."""

    checks: tuple[Check, ...]
    busy: str = ""
    left: str = ""
    unfit: frozenset[str] = frozenset()

    @property
    def refusals(self) -> int:
        return sum(check.level == "no-go" for check in self.checks)

    @property
    def go(self) -> bool:
        return not self.refusals and not self.busy

    @property
    def warnings(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.level == "warning")


def preflight(facts: Facts) -> Preflight:
    checks = tuple(one for look in CHECKS for one in look(facts))
    busy = standing.busy(facts)
    left = facts.run.run if facts.run and not busy else ""
    return Preflight(checks=checks, busy=busy, left=left, unfit=agents.unfit(facts))
