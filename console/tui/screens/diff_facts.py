"""The diff of the plan that is shown, read and laid out on the reading thread, with what else is to know of it: drift,
a branch that has moved, conflict markers, comments that were not sent. Decides nothing about the plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from console.core.commits import Plan
from console.core.records import Frozen
from console.core.reporting.actions import approve
from console.core.state import State
from console.engine.desk import Desk
from console.present import diffwarnings
from console.present.diffoutline import read
from console.present.difftext import Diff
from console.tui import keys
from console.tui.screens import kept_comments
from console.tui.widgets.detail import Face
from console.tui.widgets.diff import LineDiff

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench

    _Base = Screen[None]
else:
    _Base = object

LAYOUT = "diff-layout"
"""What is remembered of how diffs are laid out: "split" or "unified"."""
CUT_SHORT = "git did not give the plan's whole diff; it cannot be approved here"


@dataclass(frozen=True, slots=True)
class Facts:
    """What was read of a plan. size: bytes of its diff. behind: a warning, "" for none; landed: how many plans had
    landed on its branch when that was asked."""

    plan: str
    size: int
    diff: Diff
    drifted: tuple[str, ...]
    behind: str
    landed: int


class DiffFacts(_Base):
    """Mixed into every screen that shows one thing."""

    _facts: Facts | None = None
    _loaded_diff: str = ""
    _partial: str = ""
    """The plan whose diff is not drawn as a whole: no key may approve it."""
    _asking_behind: bool = False

    @property
    def _bench(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    @property
    def drifted(self) -> tuple[str, tuple[str, ...]]:
        """The plan whose diff is shown, and its paths that are another on disk by now."""
        return (self._facts.plan, self._facts.drifted) if self._facts else ("", ())

    @property
    def outlined(self) -> str:
        """The plan whose files are listed because its diff is too big to be drawn: it can be rejected all the same."""
        return self._facts.plan if self._facts and not self._facts.diff.whole else ""

    def not_whole(self, plan: str) -> str:
        """Why this plan was not seen as a whole however long it is drawn; "" when it was, or will be."""
        if self._partial != plan:
            return ""
        facts = self._facts
        big = facts is not None and facts.plan == plan and not facts.diff.whole
        if not big:
            return CUT_SHORT
        how = f"`{approve(self._bench.state.plans[plan]).command}` lands it"
        return f"its diff is too big to be drawn: {keys.key('edit')} opens it in your pager; {how}"

    def cut_lines(self, plan: str) -> str:
        """That lines of this plan's diff are longer than is shown; "" when none is."""
        facts = self._facts
        return diffwarnings.cut_lines(facts.diff) if facts and facts.plan == plan else ""

    # -- reading -------------------------------------------------------------------------------------------

    def load_diff(self, plan: Plan | None) -> bool:
        """Read the diff of this plan unless it is there. True when it was there."""
        bench = self._bench
        if plan and self._loaded_diff == plan.plan:
            self._ask_behind(plan)
            return True
        if plan is None:
            if self._loaded_diff:
                self._loaded_diff, self._facts = "", None
                bench.detail.set_diff(b"", "")
            return False
        self._loaded_diff, self._partial, self._facts = plan.plan, "", None
        bench.detail.set_diff(b"", "")
        wanted, landed = bench.subject.id, landed_since(bench.state, plan)
        ascii = bench.app.ascii
        bench.app.hands.read(
            lambda: look(bench.app.desk, plan, landed, ascii=ascii),
            lambda found: self._diff_read(wanted, plan.plan, found),
        )
        return False

    def _diff_read(self, wanted: str, plan: str, found: object) -> None:
        bench = self._bench
        if bench.subject.id != wanted or self._loaded_diff != plan:
            return
        if not isinstance(found, Facts):
            self._loaded_diff = ""
            bench.notify(f"the diff cannot be shown: {found}", severity="error")
            return
        if found.size != bench.state.plans[plan].frozen.diff_bytes:
            self._partial = plan
            bench.notify(CUT_SHORT, severity="error")
            return
        self._facts = found
        if not found.diff.whole:
            self._partial = plan
        view = bench.detail.query_one(LineDiff)
        view.layout_wanted = "split" if bench.app.desk.memory.get(LAYOUT, "") == "split" else "unified"
        bench.detail.set_diff(found.diff, plan if bench.subject.kind == "plan" else "")
        view.set_marks(kept_comments.marks(bench.app.desk.memory_here, bench.state, plan, found.diff))
        bench.paint_detail()

    def look_again(self) -> None:
        """Ask anew whether the worktree is still as the plan has it."""
        bench, facts = self._bench, self._facts
        plan = bench.state.plans.get(facts.plan) if facts else None
        if plan:
            bench.app.hands.read(
                lambda: tuple(bench.app.desk.drift(plan.frozen)), lambda found: self._drift_read(plan.plan, found)
            )

    def _drift_read(self, plan: str, found: object) -> None:
        if self._facts and self._facts.plan == plan and isinstance(found, tuple):
            self._facts = replace(self._facts, drifted=found)
            self._bench.paint_detail()

    # -- a branch that moves -------------------------------------------------------------------------------

    def _ask_behind(self, plan: Plan) -> None:
        """Again, when another plan has landed on its branch since."""
        bench, facts = self._bench, self._facts
        if facts is None or facts.plan != plan.plan or self._asking_behind or plan.state != "waiting":
            return
        landed = landed_since(bench.state, plan)
        if landed == facts.landed:
            return
        self._asking_behind = True
        bench.app.hands.read(
            lambda: (landed, behind(bench.app.desk, plan)), lambda found: self._behind_read(plan.plan, found)
        )

    def _behind_read(self, plan: str, found: object) -> None:
        self._asking_behind = False
        if self._facts and self._facts.plan == plan and isinstance(found, tuple):
            self._facts = replace(self._facts, landed=found[0], behind=found[1])
            self._bench.paint_detail()

    # -- telling -------------------------------------------------------------------------------------------

    def with_facts(self, face: Face) -> Face:
        """The face with what was read of its plan's diff."""
        bench, facts = self._bench, self._facts
        plan = bench.state.plans.get(face.plan)
        if plan is None or facts is None or facts.plan != plan.plan:
            return face
        more = diffwarnings.of_diff(facts.diff)
        more += [facts.behind] if facts.behind and plan.state == "waiting" else []
        unsent = len(kept_comments.of_policy(bench.app.desk.memory_here, bench.state, plan.plan))
        if unsent:
            words = f"{unsent} comment{'' if unsent == 1 else 's'} of yours"
            more.append(f"! {words} not sent yet: {keys.key('comments')} shows and sends them")
        if not more:
            return face
        return replace(face, warnings=diffwarnings.merged(face.warnings, more), why=(*face.why, "", *more))


def look(desk: Desk, plan: Plan, landed: int, *, ascii: bool = False) -> Facts:
    """Everything to know of a plan's diff. Blocks: for the reading thread."""
    data = desk.diff(plan.frozen)
    drifted = tuple(desk.drift(plan.frozen))
    return Facts(plan.plan, len(data), read(data, ascii=ascii), drifted, behind(desk, plan), landed)


def behind(desk: Desk, plan: Plan) -> str:
    """A warning, "" when its branch is where it was. Blocks."""
    found = desk.files.behind(plan.frozen)
    return diffwarnings.behind(plan, found.commits, found.overlap, lost=found.lost) if found else ""


def landed_since(state: State, plan: Plan) -> int:
    """How many plans have landed on its branch: what has to be asked again when it grows."""
    return sum(p.state == "landed" and _same(p.frozen, plan.frozen) for p in state.plans.values())


def _same(one: Frozen, other: Frozen) -> bool:
    return one.ref == other.ref
