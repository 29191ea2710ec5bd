"""`nightdesk worktree ...`: the worktrees that nightdesk made, who uses them, and taking away those nobody needs.

Never removes work that nothing else holds, unless a person named it; what stays is listed with the reason.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from console import wiring
from console.cli import common
from console.core import tickets
from console.core.records import Refused
from console.core.state import State
from console.present import wording
from console.present.text import clean as cleaned

if TYPE_CHECKING:
    from console.adapters.git.commits import PlainGit
    from console.adapters.git.removing import Doomed, Held
    from console.core.sessions import Session
    from console.core.tickets import Ticket

YOUNG = 600.0
"""Seconds in which a worktree that nobody uses yet may be one that is just being made."""
SNAPSHOTS = 5
COUNTED = 500_000


@dataclass(frozen=True, slots=True)
class Row:
    """One worktree with what uses it. look: what is in it, or why that cannot be told. ticket: the one whose work is or
    was there; it may have gone on in another one."""

    path: str
    look: Doomed | Refused
    ticket: Ticket | None
    sessions: tuple[Session, ...]

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def branch(self) -> str:
        return "" if isinstance(self.look, Refused) else self.look.ref.removeprefix("refs/heads/")

    @property
    def current(self) -> bool:
        """Whether it is the worktree that its ticket has now."""
        return self.ticket is not None and self.ticket.worktree in ("", self.path)

    @property
    def names(self) -> set[str]:
        """What `--force` may call it."""
        own = {self.path, self.name, self.branch, *(s.session for s in self.sessions)}
        return (own | ({self.ticket.ticket} if self.ticket and self.current else set())) - {""}

    @property
    def handle(self) -> str:
        """The shortest of them that is for sure its own."""
        return self.ticket.ticket if self.ticket and self.current else self.name

    @property
    def used_by(self) -> str:
        return self.ticket.ticket if self.ticket else ", ".join(s.session for s in self.sessions) or "nobody"

    @property
    def state(self) -> str:
        if self.ticket:
            return (self.ticket.outcome or self.ticket.phase) if self.current else "an earlier attempt"
        return wording.session_phase(self.sessions[-1]) if self.sessions else "unused"

    @property
    def files(self) -> str:
        if isinstance(self.look, Refused):
            return "unknown"
        if self.look.gone:
            return "gone"
        return f"{len(self.look.changed)} changed" if self.look.changed else "clean"


@click.group()
def worktree() -> None:
    """The worktrees that nightdesk made for tickets and sessions."""


@worktree.command("list")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, json_: bool) -> None:
    """Every worktree of ours: its branch, who uses it, whether it is clean, its size and age."""
    here = common.here(ctx)
    state = common.client(here).state
    rows = _rows(wiring.git_of(here), state)
    if json_:
        common.as_json({"worktrees": [_data(row) for row in rows]})
        return
    common.table(
        ("BRANCH", "USED BY", "STATE", "FILES", "SIZE", "AGE", "FOLDER"),
        [
            (row.branch or "none", row.used_by, row.state, row.files, _size(_bytes(row.path)), _age(row), row.path)
            for row in rows
        ],
    )


@worktree.command()
@click.option("--dry-run", is_flag=True, help="Say what would be removed; remove nothing.")
@click.option("--force", multiple=True, metavar="ID", help="Remove this one although work in it would be lost.")
@click.option("--branches", is_flag=True, help="Delete their branches, too, where another branch has all of them.")
@common.json_option
@click.pass_context
def clean(ctx: click.Context, dry_run: bool, force: tuple[str, ...], branches: bool, json_: bool) -> None:
    """Remove the worktrees that nobody needs any more. What has work that nothing else holds stays, with the reason."""
    common.people_only("removing worktrees")
    here = common.here(ctx)
    client, git = common.client(here), wiring.git_of(here)
    rows = _rows(git, client.state)
    if unknown := set(force) - {name for row in rows for name in row.names}:
        listed = "`nightdesk worktree list` shows what there is"
        raise common.Fail(f"no worktree of {', '.join(sorted(unknown))}; {listed}", common.NOT_FOUND)
    removed: list[dict[str, object]] = []
    kept: list[dict[str, object]] = []
    for row in rows:
        forced = bool(row.names & set(force))
        done = _cleaned(here, git, client.state, row, forced=forced, branches=branches, dry_run=dry_run)
        (kept if "why" in done else removed).append(_data(row) | done)
        if not json_:
            click.echo(cleaned(_sentence(row, done, dry_run)))
    if json_:
        common.as_json({"removed": removed, "kept": kept, "dryRun": dry_run})
    elif not rows:
        click.echo("nightdesk has made no worktrees here")


# -- what there is ---------------------------------------------------------------------------------------


def _rows(git: PlainGit, state: State) -> list[Row]:
    return [_row(git, state, path) for path in git.owned()]


def _row(git: PlainGit, state: State, path: str) -> Row:
    used = [t for t in state.tickets.values() if t.worktree == path]
    look = git.doomed(path, _held(state, used))
    ref = "" if isinstance(look, Refused) else look.ref
    used += [t for t in state.tickets.values() if ref == f"refs/heads/{tickets.label(t.ticket)}"]
    sessions = tuple(s for s in state.sessions.values() if s.worktree == path)
    used += [state.tickets[s.ticket] for s in sessions if s.ticket in state.tickets]
    return Row(path, look, used[0] if used else None, sessions)


def _held(state: State, used: Iterable[Ticket]) -> tuple[Held, ...]:
    """The commits that work here was put on: another ticket's candidate need not be in the repository."""
    plans = [(t.base, state.plans.get(t.base)) for t in used if t.base]
    return tuple((base, (plan.frozen.store, *plan.frozen.stores) if plan else ()) for base, plan in plans)


def _data(row: Row) -> dict[str, object]:
    changed = () if isinstance(row.look, Refused) else row.look.changed
    return {
        "path": row.path,
        "branch": row.branch,
        "ticket": row.ticket.ticket if row.ticket else None,
        "sessions": [s.session for s in row.sessions],
        "state": row.state,
        "clean": row.files == "clean",
        "changed": len(changed),
        "bytes": _bytes(row.path),
        "age": round(time.time() - _made_at(row.path)),
    }


def _made_at(path: str) -> float:
    try:
        return os.lstat(os.path.join(path, ".git")).st_mtime
    except OSError:
        return time.time()


def _age(row: Row) -> str:
    return wording.age(time.time() - _made_at(row.path))


def _bytes(path: str) -> int:
    """On disk, no link followed; at least so much when there are very many files."""
    total, todo, seen = 0, [path], 0
    while todo and seen < COUNTED:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            continue
        for entry in entries:
            seen += 1
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            total += status.st_blocks * 512
            if stat.S_ISDIR(status.st_mode):
                todo.append(entry.path)
    return total


def _size(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


# -- what goes -------------------------------------------------------------------------------------------


def _cleaned(
    here: wiring.Here, git: PlainGit, state: State, row: Row, *, forced: bool, branches: bool, dry_run: bool
) -> dict[str, object]:
    """{"why"} it stays, or what was removed with it: {"branch", "lost", "snapshot", "left"}."""
    if why := in_use(state, row, time.time(), forced=forced):
        return {"why": why}
    if isinstance(row.look, Refused):
        return {"why": row.look.reason}
    lost = row.look.why_kept
    held = _in_a_snapshot(here, row.sessions) if row.look.changed and lost else ""
    if lost and not held and not forced:
        return {"why": f"{lost}; `nightdesk worktree clean --force {row.handle}` removes it all the same"}
    done: dict[str, object] = {"branch": "", "lost": "" if held else lost, "snapshot": held, "left": ""}
    if dry_run:
        return done
    if lost and not held:
        click.echo(cleaned(f"{row.handle}: this is lost with it: {lost}"), err=True)
    of_it = (row.ticket,) if row.ticket else ()
    result = git.remove_worktree(row.path, _held(state, of_it), force=forced or bool(held), branch=branches)
    if isinstance(result, Refused):
        return {"why": result.reason}
    return done | {"branch": result.branch, "left": result.left}


def in_use(state: State, row: Row, now: float, *, forced: bool) -> str:
    """Why somebody still needs a worktree, "" when nobody does. forced: a person named it."""
    for s in row.sessions:
        if s.phase != "exited":
            return f"session {s.session} is {wording.session_phase(s)}"
    for plan in state.plans.values():
        if plan.frozen.worktree == row.path and plan.state in ("waiting", "approved", "landing", "undoing"):
            return f"plan {plan.plan[:10]} is {plan.state}"
    t = row.ticket
    if t and t.in_flight:
        return f"ticket {t.ticket} is {t.phase}"
    if forced:
        return ""
    if t and t.phase == "queued" and t.worktree == row.path:
        return f"ticket {t.ticket} is queued again and goes on there"
    if t and t.phase == "ended" and t.outcome in tickets.PARKED and row.current:
        return f"ticket {t.ticket} waits for a decision and goes on there"
    if not t and not row.sessions and now - _made_at(row.path) < YOUNG:
        return "it was made just now"
    return ""


def _in_a_snapshot(here: wiring.Here, sessions: Iterable[Session]) -> str:
    """A snapshot that has every file of the worktree as it is, "" when none has."""
    kept = [(one, s.worktree) for s in sessions for one in s.snapshots if not one.uncovered]
    kept.sort(key=lambda row: row[0].at, reverse=True)
    snapshots = wiring.snapshots_of(here) if kept else None
    for one, path in kept[:SNAPSHOTS]:
        if snapshots and snapshots.changes(path, one.snapshot) == ():
            return one.snapshot
    return ""


def _sentence(row: Row, done: dict[str, object], dry_run: bool) -> str:
    who = row.handle
    if "why" in done:
        return f"kept {who} ({row.path}): {done['why']}"
    notes: Sequence[str] = [
        f"branch {done['branch']} deleted" if done["branch"] else "",
        f"lost: {done['lost']}" if done["lost"] else "",
        f"its files are in snapshot {str(done['snapshot'])[:10]} (kept 14 days)" if done["snapshot"] else "",
        f"could not be deleted: {done['left']}" if done["left"] else "",
    ]
    verb = "would remove" if dry_run else "removed"
    return f"{verb} {who} ({row.path})" + "".join(f"; {note}" for note in notes if note)
