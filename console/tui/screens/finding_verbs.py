"""From one finding to the next: moves the diff to the file and line that a finding names, and says which it is."""

from __future__ import annotations

from collections.abc import Sequence

from console.core.commits import Plan
from console.core.records import Finding
from console.present.alerting import finding_line
from console.present.difftext import Diff
from console.tui import keys
from console.tui.screens.verbs import Asking
from console.tui.widgets.diff import LineDiff

ABOVE = 2
"""Lines shown above the one that a finding is about."""
NO_DIFF = "no diff is drawn; open a plan first"
MARKS = {"high": "!!", "medium": "!", "info": "-"}


class FindingVerbs(Asking):
    """Mixed into the desk."""

    _visited: tuple[str, int] = ("", -1)

    def findings(self, plan: Plan) -> Sequence[Finding]:
        """Those that name a file, the gravest first."""
        return [f for f in plan.assessment.findings if f.path] if plan.assessment else []

    def why_not_next_finding(self) -> str:
        desk = self.desk
        plan = desk.state.plans.get(desk.subject.name) if desk.subject.kind == "plan" else None
        if plan is None or desk.detail_hidden or not desk.detail.query_one(LineDiff).count:
            return NO_DIFF
        return "" if self.findings(plan) else "no finding names a place in this diff"

    def why_not_next_hunk(self) -> str:
        desk = self.desk
        drawn = not desk.detail_hidden and desk.detail.tab == "diff" and desk.detail.query_one(LineDiff).count
        return "" if drawn else NO_DIFF

    why_not_previous_hunk = why_not_next_file = why_not_previous_file = why_not_next_hunk

    def action_jump(self, what: str, step: int) -> None:
        """The keys of the diff work wherever the focus is, as long as a diff is drawn."""
        diff = self.desk.detail.query_one(LineDiff)
        if not self.able("next-hunk"):
            return
        if what == "hunk":
            diff.action_jump_hunk(step)
        else:
            diff.action_jump_file(step)

    def why_not_next_tab(self) -> str:
        return f"open something first ({keys.key('open')})" if self.desk.detail_hidden else ""

    why_not_previous_tab = why_not_next_tab

    def action_next_finding(self) -> None:
        desk = self.desk
        plan = desk.state.plans.get(desk.subject.name)
        if not self.able("next-finding") or plan is None:
            return
        view, found = desk.detail.query_one(LineDiff), self.findings(plan)
        if desk.detail.tab != "diff":
            desk.detail.show("diff")
        at = (self._visited[1] + 1) % len(found) if self._visited[0] == plan.plan else 0
        self._visited = (plan.plan, at)
        finding = found[at]
        line = place(view.diff, finding)
        where = "" if line is not None else "; that file is not in this diff"
        if line is not None:
            view.show_line(line, ABOVE)
        desk.app.clear_notifications()
        desk.notify(
            f"finding {at + 1} of {len(found)}: {MARKS[finding.level]} {finding_line(finding)}{where}", timeout=6
        )


def place(diff: Diff, finding: Finding) -> int | None:
    """Index of the line to go to; None when the file is not in the diff.

    The line in the new version, else in the old one, else the nearest hunk, else the file's head.
    """
    entry = next((e for e in diff.files if finding.path in (e.path, e.old_path)), None)
    if entry is None:
        return None
    places = [(i, p) for i in range(entry.line, entry.end) if (p := diff.position(i))]
    exact = [i for i, p in places if p.new == finding.line] or [i for i, p in places if p.old == finding.line]
    if not finding.line or not places:
        return entry.line
    near = exact or [min(places, key=lambda each: abs((each[1].new or each[1].old or 0) - finding.line))[0]]
    return near[0]
