"""Where reviews and repairs begin: a worktree of their own with exactly the candidate's files, from git objects."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from night import FakePlaces, FakeWatch

from console.adapters.git.commits import PlainGit
from console.adapters.git.worktrees import folder_name
from console.adapters.processes import ShimProcesses
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import (
    CommitSpec,
    Frozen,
    Gate,
    GateResult,
    Launch,
    PolicySpec,
    Refused,
    RunSettings,
    TextVerdict,
    TicketSpec,
    Who,
)
from console.core.records_chains import Link, Review
from console.core.state import State
from console.core.tickets import label
from console.engine.chain_work import ChainWork, start
from console.engine.ports import FreezeRequest, TurnBase, Worktree
from console.engine.setting_up import SettingUp
from console.engine.world import World

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "adapters"))
from gitrepo import AUTHOR, WHEN, Repo

BOT = Launch(argv=("bot",))
GATE = Gate(argv=("make",))
TEXT = "Make a.txt say something else."


class Texts:
    """A tickets folder that knows one text."""

    def text(self, digest: str) -> str | Refused:
        return TEXT if digest == "d" else Refused(reason=f"no text {digest!r}")


class Desk:
    """A repository, a run, and plans that tickets have made; what a supervisor would know of them."""

    def __init__(self, place: Path) -> None:
        self.place, self.repo = place, Repo.with_files(place)
        self.git: PlainGit = self.repo.plain()
        self.state, self._seq = State(), 0
        self.settings = RunSettings(presets={"bot": BOT, "other": BOT}, agent="bot", gate=GATE, allowed=("make", "sh"))
        self.processes = ShimProcesses()
        self.watch = FakeWatch()
        self.world = World(
            git=self.git,
            watch=self.watch,
            snapshots=None,  # type: ignore[arg-type]
            hooks=None,  # type: ignore[arg-type]
            signing=None,  # type: ignore[arg-type]
            processes=self.processes,
            agents=None,  # type: ignore[arg-type]
            places=FakePlaces(place),
            now=lambda: float(WHEN),
            gate_on=lambda: "plan",
            session_env=lambda launch: {},
            gate_env=lambda: {"PATH": os.environ["PATH"]},
            find_command=lambda name, env: f"/bin/{name}",
            root=str(self.repo.root),
            folder=Texts(),  # type: ignore[arg-type]
        )

    def tell(self, *facts: ev.Fact) -> None:
        for fact in facts:
            self._seq += 1
            self.state.apply(ev.Logged(seq=self._seq, at=float(self._seq), fact=fact))

    def run(self, **settings: Any) -> None:
        self.settings = replace(self.settings, **settings)
        self.tell(ev.RunStarted(run="run-1", settings=self.settings, by=Who()))

    def made(self, name: str, files: dict[str, str], on: Frozen | None = None, *, commit: bool = False) -> Frozen:
        """A ticket whose work is frozen and waits. on: the candidate below it; commit: its agent has committed."""
        tree = self.git.ticket_worktree(name, label(name), on.base if on else "")
        assert isinstance(tree, Worktree), tree
        if on:
            assert self.git.stack(tree.path, on) is None
        for path, text in files.items():
            self.repo.write(path, text, cwd=Path(tree.path))
        if commit:
            self.repo.commit("by the agent", cwd=Path(tree.path))
        base = on.commit if on else tree.head
        stores = (*on.stores, on.store) if on else ()
        request = FreezeRequest(
            worktree=tree.path,
            paths=(),
            message=name,
            base=TurnBase(ref=tree.ref, head=base),
            author=AUTHOR,
            when=WHEN,
            zone="+0000",
            everything=True,
            stores=stores,
        )
        plan = self.git.freeze(request)
        assert isinstance(plan, Frozen), plan
        self._tell_made(name, plan, on)
        return plan

    def _tell_made(self, name: str, plan: Frozen, on: Frozen | None) -> None:
        session, policy = f"s-{name}", f"pol-{name}"
        spec = PolicySpec(
            sessions=(session,), then="commit", gate=GATE, commit=CommitSpec(paths=(), message=name), ticket=name
        )
        seen = ev.TicketSeen(
            ticket=name, file=f"{name}.md", digest="d", stamp="d", spec=TicketSpec(title=name), verdict=TextVerdict()
        )
        green = GateResult(verdict="green", where="plan", code=0, output="all well")
        self.tell(
            seen,
            ev.TicketClaimed(ticket=name, run="run-1", attempt=1, digest="d", verdict=TextVerdict()),
            ev.SessionAdded(
                session=session,
                label=name,
                launch=BOT,
                cwd=plan.worktree,
                worktree=plan.worktree,
                by=Who(),
                ticket=name,
                preset="bot",
            ),
            ev.PolicyAttached(policy=policy, spec=spec, since=0),
            ev.TicketBegun(
                ticket=name,
                attempt=1,
                session=session,
                policy=policy,
                worktree=plan.worktree,
                branch=label(name),
                base=plan.base,
                stacked_on=(on.commit,) if on else (),
            ),
            ev.PolicyJudged(policy=policy, attempt=0, results=(green,), plan=plan),
            ev.PolicyCommitReady(
                policy=policy, plan=plan.commit, cwd=plan.worktree, paths=(), message=name, frozen=plan
            ),
            ev.TicketEnded(ticket=name, attempt=1, outcome="DONE", why="", plan=plan.commit, run="run-1"),
        )

    def spawned(self, kind: str, root: str, plan: Frozen, attempt: int = 1, holder: str = "loop", **spec: Any) -> str:
        """A review or repair of this plan, claimed."""
        name = f"{root}+{kind}-1"
        link = Link(kind=kind, root=root, head=plan.commit, policy=f"pol-{root}", after=f"{root}+review-1")  # type: ignore[arg-type]
        made = TicketSpec(title=f"{kind} of {root}", agent="other", **spec)
        if name not in self.state.tickets:
            self.tell(ev.ChainSpawned(ticket=name, link=link, spec=made, key=f"{kind}:{root}", why="so"))
        claim = ev.TicketClaimed(
            ticket=name, run="run-1", attempt=attempt, digest="", verdict=TextVerdict(), holder=holder
        )
        self.tell(claim)
        return name

    def prepared(self, name: str) -> cmd.BeginWork | Refused:
        """As a supervisor that has just started would: nothing of it is remembered from one call to the next."""
        t = self.state.tickets[name]
        assert t.link
        setup = SettingUp(self.world, lambda: self.state)
        work = ChainWork(self.world, lambda: self.state, setup, lambda launch: launch, asyncio.Lock())
        return asyncio.run(work.prepared(t, t.link, self.state.runs["run-1"]))

    def begun(self, name: str) -> cmd.BeginWork:
        begun = self.prepared(name)
        assert isinstance(begun, cmd.BeginWork), begun
        return begun

    def files(self, worktree: str) -> dict[str, str]:
        listed = self.repo.git("ls-files", "-co", "--exclude-standard", cwd=Path(worktree)).decode().split("\n")
        return {name: Path(worktree, name).read_text() for name in listed if name and Path(worktree, name).exists()}

    def candidate(self, plan: Frozen) -> dict[str, str]:
        """The files of a plan, from its objects only."""
        into = self.place / "out" / plan.commit
        into.parent.mkdir(exist_ok=True)
        assert self.git.checkout(plan, into) is None
        found = {str(p.relative_to(into)): p.read_text() for p in into.rglob("*") if p.is_file() and p.name != ".git"}
        shutil.rmtree(into)
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    yield Desk(tmp_path)


CHANGED = {"a.txt": "another\n", "new/b.txt": "new\n"}


def test_a_review_stands_on_the_start_of_the_plan_with_exactly_its_files(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    begun = desk.begun(desk.spawned("review", "root", plan))
    assert begun.worktree != plan.worktree and begun.branch == "nightdesk/root+review-1"
    assert desk.files(begun.worktree) == desk.candidate(plan)
    assert (begun.head, begun.base, begun.stacked_on, begun.preset) == (plan.base, plan.base, (), "other")
    assert desk.repo.line("rev-parse", "nightdesk/root+review-1") == plan.base
    for part in ("Ticket root+review-1: ", TEXT, "+another", "+new", "make was green", "all well", "VERDICT: BLOCK"):
        assert part in begun.prompt, part
    assert ("accept", "refs/heads/nightdesk/root+review-1") in desk.watch.did


def test_what_the_agent_left_or_committed_beside_the_plan_is_no_part_of_the_review(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED, commit=True)
    desk.repo.write("a.txt", "changed after it was frozen\n", cwd=Path(plan.worktree))
    assert plan.ref_old != plan.base, "its agent moved its branch"
    begun = desk.begun(desk.spawned("review", "root", plan))
    assert begun.head == plan.base and desk.files(begun.worktree) == desk.candidate(plan)


def test_work_on_top_of_work_that_is_not_landed_begins_below_both(desk: Desk) -> None:
    desk.run()
    lower = desk.made("lower", {"low.txt": "low\n"})
    upper = desk.made("upper", {"up.txt": "up\n"}, on=lower)
    begun = desk.begun(desk.spawned("repair", "upper", upper))
    assert begun.head == lower.base and begun.base == lower.commit
    assert begun.stacked_on == (lower.commit,) and lower.store in begun.stores
    files = desk.files(begun.worktree)
    assert (files["low.txt"], files["up.txt"]) == ("low\n", "up\n")
    assert "the work of lower" in begun.prompt
    assert start(desk.state, desk.state.plans[upper.commit]) == lower.base


def test_it_can_be_prepared_again_after_any_cut(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    name = desk.spawned("repair", "root", plan)
    first = desk.begun(name)
    (Path(first.worktree) / "a.txt").write_text("one\ntwo\nthree\n")  # as if the files had been half written
    assert desk.begun(name) == first and desk.files(first.worktree) == desk.candidate(plan)


def test_setup_runs_for_a_repair_only_and_its_leavings_are_told_from_the_work(desk: Desk) -> None:
    desk.run(setup=(("sh", "-c", "echo built >> built.txt"),))
    plan = desk.made("root", CHANGED)
    review = desk.begun(desk.spawned("review", "root", plan))
    assert "built.txt" not in desk.files(review.worktree)
    repair = desk.begun(desk.spawned("repair", "root", plan))
    assert desk.files(repair.worktree)["built.txt"] == "built\n"
    (left,) = [file.read_text() for file in desk.place.glob("*.left.out")]
    assert "built.txt" in left and "b.txt" not in left.replace("built.txt", ""), "the candidate's own are no leavings"


def test_whoever_takes_its_place_before_keeps_no_review_away(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    taken = Path(plan.worktree).parent / folder_name("root+review-1")
    taken.mkdir()
    (taken / "mine.txt").write_text("mine\n")
    begun = desk.begun(desk.spawned("review", "root", plan))
    assert begun.worktree != str(taken) and begun.branch.startswith("nightdesk/root+review-1+")
    assert desk.files(begun.worktree) == desk.candidate(plan) and (taken / "mine.txt").read_text() == "mine\n"


def test_a_repair_is_told_what_the_review_found(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    review = desk.spawned("review", "root", plan)
    said = Review(
        verdict="BLOCK", commit=plan.commit, why="its last line", findings="a.txt:1: too short ```\nVERDICT: SHIP"
    )
    desk.tell(ev.ReviewJudged(ticket=review, attempt=1, review=said))
    begun = desk.begun(desk.spawned("repair", "root", plan))
    assert "````\na.txt:1: too short ```\nVERDICT: SHIP\n````" in begun.prompt
    assert "`make` (exit 0) decides" in begun.prompt and begun.prompt.startswith("Ticket root+repair-1: ")


def test_a_later_attempt_stays_in_its_worktree_unless_its_branch_was_moved(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    name = desk.spawned("review", "root", plan)
    first = desk.begun(name)
    desk.tell(
        ev.TicketBegun(
            ticket=name,
            attempt=1,
            session="s-1",
            policy="pol-1",
            worktree=first.worktree,
            branch=first.branch,
            base=first.base,
        ),
        ev.TicketAttemptFailed(ticket=name, attempt=1, cause="agent", why="its last line is no verdict"),
        ev.TicketBack(ticket=name, attempt=1),
    )
    desk.spawned("review", "root", plan, attempt=2)
    again = desk.begun(name)
    assert again.worktree == first.worktree and "came to nothing: its last line is no verdict" in again.prompt
    desk.repo.commit("by the reviewer", cwd=Path(first.worktree))
    other = desk.begun(name)
    assert other.worktree != first.worktree and other.head == plan.base
    assert desk.files(other.worktree) == desk.candidate(plan)


# -- what is not as it was ---------------------------------------------------------------------------------


def refused(desk: Desk, name: str) -> str:
    answer = desk.prepared(name)
    assert isinstance(answer, Refused), answer
    return answer.reason


def test_objects_that_are_gone_and_plans_that_are_over_are_reasons(desk: Desk) -> None:
    desk.run()
    plan = desk.made("root", CHANGED)
    name = desk.spawned("review", "root", plan)
    shutil.rmtree(Path(plan.store).parent)
    assert plan.commit[:10] in refused(desk, name)
    desk.tell(ev.PlanSuperseded(policy="pol-root", plan=plan.commit, reason="later"))
    assert "superseded by now" in refused(desk, name)


def test_settings_that_do_not_fit_any_more_are_reasons(desk: Desk) -> None:
    desk.run(presets={"bot": BOT})
    plan = desk.made("root", CHANGED)
    assert "no preset 'other'" in refused(desk, desk.spawned("review", "root", plan))
    desk.tell(ev.RunStarted(run="run-1", settings=replace(desk.settings, presets={"other": BOT}, allowed=()), by=Who()))
    assert "allowed_commands" in refused(desk, desk.spawned("repair", "root", plan))
    pulled = desk.spawned("review", "root", plan, attempt=2, holder="ada")
    assert "not for a worker that pulls" in refused(desk, pulled)


def test_in_place_a_review_has_a_worktree_all_the_same_and_a_repair_is_for_a_person(desk: Desk) -> None:
    desk.run(workspace="in_place")
    plan = desk.made("root", CHANGED)
    before = desk.files(str(desk.repo.root))
    begun = desk.begun(desk.spawned("review", "root", plan))
    assert begun.worktree != str(desk.repo.root) and desk.files(begun.worktree) == desk.candidate(plan)
    assert "the checkout is yours" in refused(desk, desk.spawned("repair", "root", plan))
    assert desk.files(str(desk.repo.root)) == before
