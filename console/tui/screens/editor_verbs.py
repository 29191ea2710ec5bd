"""The verb that opens the file under the cursor of a diff in the operator's own editor, or all of a diff in a pager:
asks where, lends the terminal, and looks again afterwards whether the worktree is still as the plan has it."""

from __future__ import annotations

from collections.abc import Callable

from console.core.commits import Plan
from console.core.records import Refused
from console.engine.planfiles import Editing
from console.present.difftext import Diff
from console.present.text import clean
from console.terminal.lending import Loan
from console.tui.screens.diff_verbs import DiffVerbs
from console.tui.screens.sheets import Choose

WORKTREE, COPY, PAGE = "worktree", "copy", "page"
PAGER = "the whole diff; leave the pager as always and you are back here"
NEAR = 400
"""Lines around one that the new version does not have, among which its neighbour is looked for."""


class EditorVerbs(DiffVerbs):
    """Mixed into every screen that shows one thing."""

    _file_opening: bool = False

    def why_not_edit(self) -> str:
        if why := self.not_drawn():
            return why
        view = self.diff_view
        if self._file_opening:
            return "a program is being opened already"
        return "" if view.current_file is not None or not view.diff.whole else "this line belongs to no file"

    def action_edit(self) -> None:
        plan = self.desk.subject.plan(self.desk.state)
        if not self.able("edit") or plan is None:
            return
        view, files = self.diff_view, self.desk.app.desk.files
        if not view.diff.whole:
            self._open_file(lambda: files.page(plan.frozen), PAGER)
            return
        at = view.current_file
        assert at is not None
        entry, line, frozen = view.diff.files[at], line_near(view.diff, view.line), plan.frozen
        self._file_opening = True
        self.desk.app.hands.aside(
            lambda: files.missing(frozen, entry.path), lambda found: self._ask_where(plan, entry.path, line, found)
        )

    def _ask_where(self, plan: Plan, path: str, line: int, missing: object) -> None:
        self._file_opening = False
        desk, files, frozen = self.desk, self.desk.app.desk.files, plan.frozen
        if desk.app.screen is not desk:
            return  # another dialog has come up meanwhile
        name = clean(path, limit=200)
        title = f"Open {name}{f':{line}' if line else ''} in your editor"
        why = "" if missing == "" else str(missing)

        def chosen(where: str | None) -> None:
            if where == WORKTREE:
                self._open_file(lambda: files.edit(frozen, path, line), f"{name} in {frozen.worktree}")
            elif where == COPY:
                self._open_file(
                    lambda: files.copy(frozen, path, line), f"{name}, a read-only copy of what the plan has"
                )
            elif where == PAGE:
                self._open_file(lambda: files.page(frozen), PAGER)

        looks = [(COPY, "look at a read-only copy of what the plan has")]
        if self.diff_view.diff.cut:  # a removed line is in no file
            looks.append((PAGE, "look at the whole diff, long lines and all, in your pager"))
        if why:
            title += f". Not in its worktree: {clean(why, limit=300)}"
        voids = "; a change there voids the plan that waits" if plan.state == "waiting" else ""
        there = [(WORKTREE, f"edit it in its worktree{voids}")]
        more = f" (its worktree is {clean(frozen.worktree, limit=200)})" if not why else ""
        desk.app.push_screen(Choose(title + more, [*([] if why else there), *looks]), chosen)

    def _open_file(self, find: Callable[[], Editing | Refused], what: str) -> None:
        self._file_opening = True
        self.desk.app.hands.offer(find, lambda found: self._lend_file(found, what), _dropped)

    def _lend_file(self, found: object, what: str) -> None:
        self._file_opening = False
        desk = self.desk
        if not isinstance(found, Editing):
            self.say(found.reason if isinstance(found, Refused) else f"it cannot be opened: {found}", 10)
            return
        if desk.app.on_loan:
            _dropped(found)
            return
        loan = Loan(found.argv, f"nightdesk: {what}", cwd=found.cwd, editor=True)

        def over(said: int | str) -> None:
            if why := said if isinstance(said, str) else loan.outcome(said):
                self.say(why, 10)
            desk.look_again()

        desk.app.lend(loan, over, lambda _: found.done())


def _dropped(found: object) -> None:
    """Nobody is there any more to look at it."""
    if isinstance(found, Editing):
        found.done()


def line_near(diff: Diff, index: int) -> int:
    """The line of the new file to go to: that of the diff line, or of its nearest neighbour in the file; 0 for none."""
    file = diff.file_at(index)
    if file is None:
        return 0
    entry = diff.files[file]
    for step in range(NEAR):
        for at in (index + step, index - step):
            if entry.line <= at < entry.end and (number := diff.news[at]):
                return number
    return 0
