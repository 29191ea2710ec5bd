"""Where a person is in the morning review: what is left, what was skipped, what was done and can be undone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from console.core import commands as cmd
from console.present.keytable import key


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that was dealt with here. what: in words. command: None for a skip."""

    thing: str
    name: str
    what: str
    command: cmd.Command | None = None


@dataclass(slots=True)
class Walk:
    """todo: not seen yet. again: skipped once, they come at the end. left: skipped twice. Ids are subjects."""

    todo: list[str]
    again: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    vanished: dict[str, str] = field(default_factory=dict)

    @property
    def next(self) -> str:
        """What comes now; "" at the end."""
        return next(iter([*self.todo, *self.again]), "")

    @property
    def total(self) -> int:
        return len({*self.todo, *self.again, *self.left, *self.vanished, *(d.thing for d in self.deeds if d.command)})

    def place(self, thing: str) -> tuple[int, int]:
        """`3 of 12`: how many are behind this one, itself included, and how many there are."""
        ahead = [each for each in self.todo if each != thing]
        skipped = [each for each in self.again if each != thing] if thing in self.again else []
        return self.total - len(ahead) - len(skipped), self.total

    def come(self, things: Iterable[str]) -> list[str]:
        """Things that were not there before, or are there again; they follow what is left."""
        fresh = [each for each in things if each not in (*self.todo, *self.again, *self.left)]
        self.todo += fresh
        for each in fresh:
            self.vanished.pop(each, None)
        return fresh

    def skip(self, thing: str, name: str) -> None:
        """Later; a second time: not today."""
        second = thing in self.again
        self._drop(thing)
        (self.left if second else self.again).append(thing)
        self.deeds.append(Deed(thing, name, "skipped"))

    def done(self, deed: Deed) -> None:
        self._drop(deed.thing)
        self.vanished.pop(deed.thing, None)
        self.deeds.append(deed)

    def vanish(self, thing: str, why: str) -> None:
        """It was dealt with elsewhere."""
        self._drop(thing)
        self.vanished[thing] = why

    def back(self, deed: Deed) -> None:
        """That deed is taken back: its thing comes first again."""
        if deed in self.deeds:
            self.deeds.remove(deed)
        self._drop(deed.thing)
        self.todo.insert(0, deed.thing)

    def _drop(self, thing: str) -> None:
        for names in (self.todo, self.again, self.left):
            if thing in names:
                names.remove(thing)


def about(command: cmd.Command) -> tuple[str, str]:
    """What a command is about, as a subject, and what it did in words; ("", "") when it deals with nothing here."""
    match command:
        case cmd.Approve():
            return f"plan:{command.plan}", "approved"
        case cmd.Reject():
            return f"plan:{command.plan}", "rejected"
        case cmd.AnswerDecision():
            return f"decision:{command.decision}", f"reading {command.choice}" if command.choice else "answered"
        case cmd.RequeueTicket():
            return f"ticket:{command.ticket}", "queued again"
        case cmd.DropTicket():
            return f"ticket:{command.ticket}", "dropped"
        case cmd.ReleaseTicket():
            return f"ticket:{command.ticket}", "released"
        case cmd.AnswerAlert():
            return f"alert:{command.alert}", "adopted" if command.action == "adopt" else "restored"
        case cmd.AnswerQuestion() | cmd.StopSession() | cmd.SendPrompt():
            what = {"AnswerQuestion": "answered", "StopSession": "stopped", "SendPrompt": "prompted"}
            return f"session:{command.session}", what[type(command).__name__]
        case cmd.ResolveRoutine():
            return f"routine:{command.routine}", "answered" if command.approve else "stopped"
        case cmd.CancelRoutine():
            return f"routine:{command.routine}", "cancelled"
        case cmd.RetryPolicy():
            return f"policy:{command.policy}", "judged again"
        case cmd.CancelPolicy():
            return f"policy:{command.policy}", "dismissed"
        case _:
            return "", ""


def summary(walk: Walk) -> Sequence[str]:
    """What was decided, what was not, and how to go on; names are clean already."""
    done = [d for d in walk.deeds if d.command]
    lines = [f"{len(done)} dealt with, {len(walk.left)} left, {len(walk.vanished)} settled elsewhere", ""]
    lines += [f"✓ {d.what}: {d.name}" for d in done]
    names = {d.thing: d.name for d in walk.deeds}
    lines += [f"○ skipped: {names.get(each, each)}" for each in walk.left]
    lines += [f"· {why}" for why in walk.vanished.values()]
    return [
        *lines,
        "",
        "`nightdesk report` prints the night with the merge commands for what has landed, in the order they depend.",
        f"{key('undo')} takes the last one back; {key('go-on')} or {key('leave-review')} leaves the review; "
        f"{key('next-waiting')} on the desk finds what is left.",
    ]
