"""What would be trusted, word for word, and that a person trusts it. Below one of our shims nobody can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console import wiring
from console.adapters import trust as store
from console.verbs.failing import Fail, people_only

if TYPE_CHECKING:
    from console.adapters.trust import Loaded


def shown(here: wiring.Here) -> tuple[str, Loaded]:
    """The text of the settings and what exactly it says. Fails while it says something wrong, or when there is none."""
    text, loaded = store.seen(here.root)
    if loaded.problems:
        raise Fail(wiring.problem_lines(loaded))
    if not loaded.exists:
        raise Fail(f"there is no {loaded.file} yet; `nightdesk init` writes one")
    return text, loaded


def record(here: wiring.Here, digest: str) -> None:
    """Trust the settings that were shown under this digest, for this user and this repository."""
    people_only("trusting settings")
    try:
        store.record_trust(here.places.trust, here.root, digest)
    except ValueError as error:
        raise Fail(str(error)) from None


def trusted(here: wiring.Here, loaded: Loaded) -> bool:
    return store.is_trusted(here.places.trust, here.root, loaded)
