"""What a gate or `setup` wrote into a ticket's worktree: nobody's work, so no plan holds it (DESIGN.md, ruling 2).

Nothing is deleted there: a file is left out of a plan as long as its bytes are exactly those that were left. What is
known is kept in one small file a ticket, in the state folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from console.core.records import Frozen, PlanPath, Record, Refused
from console.engine.ports import FreezeRequest, Unable
from console.engine.world import World

NAMED = 5
"""Paths that a note names; of the rest it says how many."""
VERSIONS = 20
"""Versions of one file that are remembered: a rollback can bring an earlier one back."""
RECORD_BYTES = 16 * 1024 * 1024

Freeze = Callable[[FreezeRequest], Frozen | Refused]
Seen = dict[str, tuple[str, ...]]
"""path -> the versions that were left there, "mode id", the latest last."""


class Wrote(Record, frozen=True, kw_only=True):
    """What is known of one worktree. judging: the judgement whose gate has not ended yet; work: what it judges."""

    worktree: str = ""
    gate: Seen = {}
    setup: Seen = {}
    judging: str = ""
    work: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sifted:
    """plan: without what was left there before; notes: what that was."""

    plan: Frozen | Refused
    notes: tuple[str, ...] = ()


class Droppings:
    """Blocks: every method is called in a thread. known: ids of the plans that are in the log."""

    def __init__(self, world: World, known: Callable[[], Collection[str]]) -> None:
        self._world = world
        self._known = known

    def after_setup(self, ticket: str, request: FreezeRequest) -> None:
        """Nobody has worked in this worktree yet: all that differs there comes from `setup`."""
        plan = self._looked(request)
        if isinstance(plan, Frozen):
            self._keep(ticket, Wrote(worktree=request.worktree, setup=_added({}, plan.paths)))
            self._discard(plan)

    def sifted(self, ticket: str, judging: str, request: FreezeRequest, plan: Frozen, freeze: Freeze) -> Sifted:
        """The plan without what gates left, and whose gate begins now. What `setup` wrote alone is no work either;
        beside work it stays, as that may need it. judging: names the judgement; the same one again was cut off."""
        wrote = self._read(ticket, request.worktree)
        if wrote.judging == judging:
            late = [one for one in plan.paths if one.path not in wrote.work]
            wrote = replace(wrote, gate=_added(wrote.gate, late))
        work = [one for one in plan.paths if not _known(wrote.gate, one)]
        notes = [_listed("written by the gate, not part of the work", set(_names(plan.paths)) - set(_names(work)))]
        ready = [one for one in work if _known(wrote.setup, one)]
        if ready:
            alone = len(ready) == len(work)
            what = "written by `setup`, not part of the work" if alone else "written by `setup`, and part of the plan"
            notes.append(_listed(what, _names(ready)))
            work = [] if alone else work
        sifted = self._without(plan, work, request, freeze)
        self._keep(ticket, replace(wrote, judging=judging, work=tuple(_names(work))))
        return Sifted(sifted, tuple(note for note in notes if note))

    def settled(self, ticket: str, request: FreezeRequest, judged: Frozen) -> tuple[str, ...]:
        """The gate has ended: what is there beside the work comes from it, or from whoever wrote there meanwhile."""
        wrote = self._read(ticket, request.worktree)
        plan = self._looked(replace(request, when=judged.when))  # the same files give the same candidate again
        if not isinstance(plan, Frozen):
            self._keep(ticket, replace(wrote, judging="", work=()))
            return ()
        beside = [one for one in plan.paths if one.path not in wrote.work and not _known(wrote.setup, one)]
        fresh = [one for one in beside if not _known(wrote.gate, one)]
        self._keep(ticket, replace(wrote, gate=_added(wrote.gate, beside), judging="", work=()))
        if plan.commit != judged.commit:
            self._discard(plan)
        note = _listed("left in the worktree by the gate, not part of the work", _names(fresh))
        return (note,) if note else ()

    def _looked(self, request: FreezeRequest) -> Frozen | Refused:
        try:
            return self._world.git.freeze(replace(request, everything=True, paths=()))
        except Unable as unable:
            return Refused(reason=unable.reason)

    def _without(
        self, plan: Frozen, work: Sequence[PlanPath], request: FreezeRequest, freeze: Freeze
    ) -> Frozen | Refused:
        if len(work) == len(plan.paths):
            return plan
        self._discard(plan)
        if not work:
            return replace(plan, commit=plan.base, paths=(), store="")
        return freeze(replace(request, everything=False, paths=tuple(_names(work))))

    def _discard(self, plan: Frozen) -> None:
        """The objects of a candidate that was only looked at."""
        folder = Path(plan.store).parent
        if plan.store and folder.name == plan.commit and plan.commit not in self._known():
            shutil.rmtree(folder, ignore_errors=True)

    # -- the record

    def _file(self, ticket: str) -> Path:
        return self._world.places.gate_output(plain(ticket), 0, "left")

    def _read(self, ticket: str, worktree: str) -> Wrote:
        """Nothing is known of another worktree than the one that was written of, or when the file is gone."""
        try:
            with self._file(ticket).open("rb") as file:
                wrote = msgspec.json.decode(file.read(RECORD_BYTES), type=Wrote)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            wrote = Wrote()
        return wrote if wrote.worktree == worktree else Wrote(worktree=worktree)

    def _keep(self, ticket: str, wrote: Wrote) -> None:
        """As well as it can be: without room on the disk the next plan only holds more than it should."""
        path = self._file(ticket)
        fresh = path.with_suffix(".new")
        with contextlib.suppress(OSError):
            fresh.write_bytes(msgspec.json.encode(wrote))
            os.replace(fresh, path)


def plain(ticket: str) -> str:
    """A name for files and snapshots, whatever the ticket's id is."""
    return hashlib.sha256(ticket.encode()).hexdigest()[:12]


def _version(one: PlanPath) -> str:
    return f"{one.mode} {one.oid}"


def _known(seen: Seen, one: PlanPath) -> bool:
    return _version(one) in seen.get(one.path, ())


def _added(seen: Seen, paths: Sequence[PlanPath]) -> Seen:
    made = dict(seen)
    for one in paths:
        version = _version(one)
        made[one.path] = (*(v for v in made.get(one.path, ()) if v != version), version)[-VERSIONS:]
    return made


def _names(paths: Sequence[PlanPath]) -> list[str]:
    return [one.path for one in paths]


def _listed(what: str, names: Collection[str]) -> str:
    some = sorted(names)[:NAMED]
    more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
    return f"{what}: {', '.join(some)}{more}" if some else ""
