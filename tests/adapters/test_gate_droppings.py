"""What a gate or setup left is told from work by its bytes, with real git; nothing in the worktree is touched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from gitrepo import Repo, added, request
from msgspec.structs import replace

from console.core.records import Frozen
from console.engine.droppings import Droppings
from console.engine.ports import FreezeRequest
from console.engine.world import World


class Desk:
    """One ticket's worktree. `turn` is what its agent does, `gate` what its gate writes there."""

    def __init__(self, place: Path) -> None:
        self.repo = Repo.with_files(place)
        self.git = self.repo.plain()
        self.tree = Path(added(self.git, "T-1", "nightdesk/T-1").path)
        self.base = self.git.turn_base(str(self.tree))
        self.known: set[str] = set()
        self.record = place / "left.out"
        places = SimpleNamespace(gate_output=lambda _ticket, _attempt, _what: self.record)
        world = cast(World, SimpleNamespace(git=self.git, places=places))
        self.droppings = Droppings(world, lambda: self.known)
        self.judgements = 0

    def write(self, files: dict[str, str | None]) -> None:
        for name, text in files.items():
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if text is None else path.write_text(text)

    def request(self) -> FreezeRequest:
        return replace(request(self.git, self.tree, base=self.base), everything=True, paths=())

    def frozen(self) -> Frozen:
        plan = self.git.freeze(self.request())
        assert isinstance(plan, Frozen), plan
        return plan

    def sifted(self, judging: str = "") -> tuple[Frozen, tuple[str, ...]]:
        self.judgements += 1
        found = self.droppings.sifted(
            "T-1", judging or f"pol-{self.judgements}/1", self.request(), self.frozen(), self.git.freeze
        )
        assert isinstance(found.plan, Frozen), found.plan
        return found.plan, found.notes

    def judged(self, gate: dict[str, str | None]) -> tuple[list[str], tuple[str, ...]]:
        """A judgement whose gate writes this: the paths of its plan, and every note."""
        plan, notes = self.sifted()
        self.write(gate)
        left = self.droppings.settled("T-1", self.request(), plan)
        return paths(plan), (*notes, *left)


def paths(plan: Frozen) -> list[str]:
    return sorted(one.path for one in plan.paths)


def named(notes: Sequence[str], what: str) -> str:
    return next((note for note in notes if what in note), "")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


LEFT: dict[str, str | None] = {"junit.xml": "<ok/>", "pkg/a b.bin": "x", "a.txt": "formatted\n", "other.txt": None}
"""New files, a changed one, and one that the gate takes away."""


def test_new_changed_and_deleted_files_of_a_gate_are_in_no_later_plan(desk: Desk) -> None:
    first, notes = desk.judged(LEFT)
    assert first == [] and all(name in named(notes, "left in the worktree by the gate") for name in LEFT)
    again, notes = desk.judged({})
    assert again == [] and all(name in named(notes, "written by the gate") for name in LEFT)
    desk.write({"own.txt": "mine\n"})
    assert desk.judged({})[0] == ["own.txt"]
    assert (desk.tree / "junit.xml").read_text() == "<ok/>" and not (desk.tree / "other.txt").exists()


def test_what_an_agent_makes_of_such_a_file_is_its_work(desk: Desk) -> None:
    desk.judged(LEFT)
    desk.write({"junit.xml": "<mine/>", "other.txt": "back, and changed\n"})
    plan, notes = desk.judged({})
    assert plan == ["junit.xml", "other.txt"] and "junit.xml" not in named(notes, "written by the gate")


def test_the_work_itself_is_never_taken_for_the_gates_even_when_the_gate_rewrites_it(desk: Desk) -> None:
    desk.write({"own.txt": "mine\n"})
    assert desk.judged({"own.txt": "formatted\n"})[0] == ["own.txt"]
    assert desk.judged({})[0] == ["own.txt"], "a person has it judged again as it is now"


def test_an_earlier_version_that_a_rollback_brought_back_is_still_the_gates(desk: Desk) -> None:
    desk.judged({"junit.xml": "<first/>"})
    desk.judged({"junit.xml": "<second/>"})
    desk.write({"junit.xml": "<first/>"})
    assert desk.judged({})[0] == []


def test_a_judgement_that_was_cut_off_knows_its_own_gate_s_files_when_it_begins_again(desk: Desk) -> None:
    desk.write({"own.txt": "mine\n"})
    desk.sifted("pol-7/1")
    desk.write(LEFT)  # and then its supervisor died
    plan, _ = desk.sifted("pol-7/1")
    assert paths(plan) == ["own.txt"]


def test_what_is_there_before_the_gate_of_another_judgement_is_work(desk: Desk) -> None:
    desk.sifted("pol-7/1")
    desk.write(LEFT)
    plan, _ = desk.sifted("pol-8/1")
    assert paths(plan) == sorted(LEFT)


def test_what_setup_wrote_is_no_work_alone_and_is_named_beside_work(desk: Desk) -> None:
    desk.write({"package.lock": "1\n"})
    desk.droppings.after_setup("T-1", desk.request())
    plan, notes = desk.judged({})
    assert plan == [] and "package.lock" in named(notes, "not part of the work")
    desk.write({"own.txt": "mine\n"})
    plan, notes = desk.judged({})
    assert plan == ["own.txt", "package.lock"] and "package.lock" in named(notes, "part of the plan")


def test_nothing_that_was_only_looked_at_stays_on_the_disk_and_no_known_plan_goes(desk: Desk) -> None:
    desk.write({"own.txt": "mine\n"})
    plan, _ = desk.sifted()
    desk.known.add(plan.commit)
    desk.write(LEFT)
    desk.droppings.settled("T-1", desk.request(), plan)
    stores = Path(plan.store).parent.parent
    assert [entry.name for entry in stores.iterdir()] == [plan.commit]
    again, _ = desk.sifted()
    assert paths(again) == ["own.txt"] and {e.name for e in stores.iterdir()} == {plan.commit, again.commit}


def test_another_worktree_of_the_ticket_knows_nothing_of_this_one(desk: Desk) -> None:
    desk.judged(LEFT)
    desk.tree = Path(added(desk.git, "T-1+2", "nightdesk/T-1+2").path)
    desk.base = desk.git.turn_base(str(desk.tree))
    desk.write(LEFT)
    assert desk.judged({})[0] == sorted(LEFT)


def test_a_record_that_cannot_be_read_or_written_only_costs_the_telling_apart(desk: Desk) -> None:
    desk.judged(LEFT)
    desk.record.write_bytes(b"\xff{")
    assert desk.judged({})[0] == sorted(LEFT)
    desk.record.unlink()
    desk.record.mkdir()
    assert desk.judged({"more.xml": "x"})[0] == sorted(LEFT)
