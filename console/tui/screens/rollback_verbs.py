"""Going back: a session's files as they were before a turn. Lists, shows what would change, asks, sends one command."""

from __future__ import annotations

from collections.abc import Sequence

from console.core import commands as cmd
from console.core.records import Refused
from console.core.sessions import AT_WORK, Session
from console.core.snapshots import Kept
from console.present import sessionwords, wording
from console.present.text import clean
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.confirming import Preview
from console.tui.screens.sheets import Choose
from console.tui.screens.verbs import Asking

SHORT = 10
PATIENCE = 0.5
"""Seconds of comparing after which it is said."""


class RollbackVerbs(Asking):
    """Mixed into the desk."""

    _comparing: str = ""

    def rollback_keys(self) -> list[bars.Key]:
        return self.can("go-back", "put files back", "files")

    def why_not_go_back(self) -> str:
        desk = self.desk
        session = desk.state.sessions.get(desk.subject.name) if desk.subject.kind == "session" else None
        return self._no_way_back(session) if session else "no session is shown; choose one first"

    def action_roll_back(self) -> None:
        """The session's snapshots, newest first."""
        desk = self.desk
        session = desk.state.sessions.get(desk.subject.name)
        if not self.able("go-back") or session is None:
            return
        kept = tuple(reversed(session.snapshots))
        options = [(one.snapshot, row(one, desk.app.now())) for one in kept]

        def chosen(snapshot: str | None) -> None:
            if snapshot:
                self._preview(session, next(one for one in kept if one.snapshot == snapshot))

        title = f"Put back the files of {session.session} · {clean(session.label, limit=40)} as they were"
        desk.app.push_screen(Choose(title, options), chosen)

    def _no_way_back(self, s: Session) -> str:
        working = [o.session for o in self._beside(s) if _works(o) and not o.lent]
        if working:
            where = "" if working == [s.session] else f" in the worktree of {s.session}"
            how = f"interrupt it ({keys.key('interrupt')}) or stop it ({keys.key('stop')}) first"
            return f"{', '.join(working)} is at work{where}: {how}"
        if why := next((sessionwords.not_ours(o) for o in self._beside(s) if o.lent), ""):
            return f"{why}, and works in that folder"
        if s.rollback:
            return f"session {s.session} is going back to {s.rollback[:SHORT]} already"
        if not s.snapshots:
            why = f": {s.no_snapshot}" if s.no_snapshot else ""
            return f"session {s.session} has no snapshot to go back to{why}"
        return ""

    def _beside(self, s: Session) -> list[Session]:
        """Those that work in its folder, itself among them."""
        return [o for o in self.desk.state.sessions.values() if o.worktree == s.worktree]

    def _preview(self, s: Session, kept: Kept) -> None:
        """Ask git what would change, off the loop, then ask the person."""
        desk = self.desk
        self._comparing = kept.snapshot
        desk.set_timer(PATIENCE, lambda: self._still_comparing(kept.snapshot))
        desk.app.hands.read(
            lambda: desk.app.desk.snapshot_changes(s.worktree, kept.snapshot),
            lambda found: self._compared(s, kept, found),
        )

    def _still_comparing(self, snapshot: str) -> None:
        if self._comparing == snapshot:
            self.desk.notify(f"comparing with {snapshot[:SHORT]}", timeout=3)

    def _compared(self, s: Session, kept: Kept, found: Sequence[str] | Refused | Exception) -> None:
        desk = self.desk
        self._comparing = ""
        if desk.app.screen is not desk or desk.subject.id != f"session:{s.session}":
            return  # the person has gone elsewhere meanwhile
        if isinstance(found, (Refused, Exception)):
            why = found.reason if isinstance(found, Refused) else str(found)
            self.say(f"what would change cannot be told: {why}")
        elif not found:
            self.say(f"nothing differs from {kept.snapshot[:SHORT]}; there is nothing to put back")
        else:
            self._ask(s, kept, found)

    def _ask(self, s: Session, kept: Kept, changes: Sequence[str]) -> None:
        desk = self.desk

        def answered(answer: str | None) -> None:
            if answer:
                command = cmd.RollBack(session=s.session, snapshot=kept.snapshot, by=desk.app.desk.who())
                self.send(command, f"{s.session} is going back to {kept.snapshot[:SHORT]}")

        count = len(changes)
        title = f"Go back to {when(kept)}: {count} path{'' if count == 1 else 's'} of {s.session} would change"
        lines = [f"not covered: {clean(one)}" for one in kept.uncovered] + [clean(line) for line in changes]
        answers = [("back", "go back; what is there now is kept, and " + keys.key("go-back") + " can undo it")]
        desk.app.push_screen(Preview(title, lines, answers), answered)


def _works(s: Session) -> bool:
    return s.phase in AT_WORK or bool(s.prompts)


def when(kept: Kept) -> str:
    return f"{kept.snapshot[:SHORT]}, {f'before turn {kept.turn}' if kept.turn else 'before a rollback'}"


def row(kept: Kept, now: float) -> str:
    """One snapshot in a list: which, its age, and what it cannot bring back."""
    missing = ", ".join(clean(one, limit=60) for one in kept.uncovered[:3])
    more = f" and {len(kept.uncovered) - 3} more" if len(kept.uncovered) > 3 else ""
    gaps = f" · not covered: {missing}{more}" if kept.uncovered else ""
    what = f"before turn {kept.turn}" if kept.turn else "before a rollback (undoes it)"
    return f"{kept.snapshot[:SHORT]}  {what} · {wording.age(now - kept.at)} ago{gaps}"
