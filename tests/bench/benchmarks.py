"""Every benchmark by name."""

from __future__ import annotations

from collections.abc import Callable

from bench import appending, crowding, idling, keys, large, painting, reaping, starting, waiting
from bench.ground import Ground
from bench.measure import Figure

ALL: dict[str, Callable[[Ground], list[Figure]]] = {
    "commands": starting.commands,
    "long-history": starting.long_history,
    "first-paint": painting.first_paint,
    "supervisor-memory": painting.supervisor_memory,
    "key-to-commit": keys.key_to_commit,
    "event-to-screen": keys.event_to_screen,
    "nothing-running": idling.nothing_running,
    "fifty-working": idling.fifty_working,
    "one-by-one": appending.one_by_one,
    "queued": appending.queued,
    "opening": appending.opening,
    "reaping": reaping.reaping,
    "looking": reaping.looking,
    "waiting": waiting.waiting,
    "large-workspaces": large.large_workspaces,
    "many-files": large.many_files,
    "held-key": crowding.held_key,
    "untouched": crowding.untouched,
    "slow-reader": crowding.slow_reader,
}
