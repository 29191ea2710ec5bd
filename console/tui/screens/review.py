"""The morning review: a walk through everything that waits, one thing at a time, with the same keys and the same guards
as the desk. What is drawn never changes by itself: only a key goes on, or what the key did."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from console.core import commands as cmd
from console.core.state import State
from console.present import reviewing
from console.present.text import clean, cut
from console.tui import keys
from console.tui.screens import bars, walk
from console.tui.screens.bench import Bench
from console.tui.screens.undoing import not_undoable
from console.tui.widgets.detail import Detail, Face

END = "the end"


class Review(Bench):
    """here: the thing that is drawn, END for the summary."""

    here_is = "review"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.digits("choose"), *keys.bindings("review")]

    def __init__(self) -> None:
        super().__init__()
        self.walk = walk.Walk([])
        self.here = ""
        self._known: dict[str, reviewing.Thing] = {}
        self._under_way: set[str] = set()
        """Things that a key was pressed for, until the log says so."""
        self._settling: dict[str, object] = {}
        """Things dealt with here and how they looked then: until they look different, the state does not know yet."""
        self._note = ""
        self._undoing: walk.Deed | None = None

    @staticmethod
    def things(state: State, supervised: bool = True, silent: float = 0.0) -> list[reviewing.Thing]:
        return reviewing.things(state, supervised, silent)

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        yield Static(id="step", markup=False)
        yield Detail()
        yield Static(id="footer", markup=False)

    def on_mount(self) -> None:
        self._learn()
        self.walk.todo = [thing.id for thing in self.things(self.state, self.supervised, self.silent)]
        self.set_interval(1.0, self._tick)
        self.detail.current.focus()
        self._go(self.walk.next)

    def on_resize(self) -> None:
        self._paint_head()
        self.call_after_refresh(self.paint_detail)

    # -- where we are ------------------------------------------------------------------------------------

    def _learn(self) -> list[str]:
        """What waits now; its names are kept for when it does no more."""
        waiting = self.things(self.state, self.supervised, self.silent)
        self._known |= {thing.id: thing for thing in waiting}
        return [thing.id for thing in waiting]

    def _go(self, thing: str) -> None:
        """Draw this thing; from now on keys are about it, after a moment."""
        self.here, self._note = thing or END, ""
        self.disarm()
        self._thing_drawn = (None, 0.0)  # also when the same thing comes again: it must be seen anew
        self.guard.renewed(time.monotonic())
        self.look_at(thing or END)
        if not thing:
            self.unseen()
            self.detail.show("why")
        self.detail.current.focus()
        self.paint_detail()
        self._paint_head()

    def show_state(self) -> None:
        """The state has changed: what is drawn stays, what is new comes later, what is gone is said."""
        waiting = self._learn()
        self._settling = {each: was for each, was in self._settling.items() if self._record(each) == was}
        gone = [each for each in (*self.walk.todo, *self.walk.again) if each not in waiting and each != self.here]
        for each in gone:
            self.walk.vanish(each, reviewing.gone(self.state, each))
        self.walk.come(each for each in waiting if each not in (*self._settling, self.here))
        busy = self._under_way | self._settling.keys()
        if self.here != END and self.here not in waiting and self.here not in busy:
            self._note = f"{reviewing.gone(self.state, self.here)}; {keys.key('skip')} goes on"
        elif self.here in waiting:
            self._note = ""
        self.paint_detail()
        self._paint_head()

    def _record(self, thing: str) -> object:
        """What the state has of a thing."""
        kind, _, name = thing.partition(":")
        state = self.state
        known: dict[str, Mapping[str, object]] = {
            "plan": state.plans,
            "decision": state.decisions,
            "ticket": state.tickets,
            "alert": state.alerts,
            "session": state.sessions,
            "policy": state.policies,
            "routine": state.routines,
        }
        return known.get(kind, {}).get(name)

    @property
    def waits(self) -> bool:
        """Whether what is drawn still waits for a person."""
        return self.here != END and not self._note

    # -- painting ----------------------------------------------------------------------------------------

    def paint_detail(self) -> None:
        if self.here != END:
            super().paint_detail()
            return
        self.detail.head(END, Face(title="the review is over", headline=self._over(), tone="go"))
        self.detail.set_lines("why", self._fitted(walk.summary(self.walk)))
        self.paint_footer()

    def _over(self) -> str:
        more = len(self.walk.todo) + len(self.walk.again)
        came = f"✓ {more} more came meanwhile: {keys.key('skip')} shows them"
        return came if more else "✓ nothing is left to go through"

    def _tick(self) -> None:
        """Ages and the clock move; nothing else does."""
        self._paint_head()
        if self.here != END:
            self.tell_doing()

    def _paint_head(self) -> None:
        clock = time.strftime("%H:%M", time.localtime(self.app.now()))
        done = sum(1 for deed in self.walk.deeds if deed.command)
        left = len(self.walk.again) + len(self.walk.left)
        parts = [(self._place(), "bold"), (f"{done} done", bars.GO if done else bars.QUIET)]
        parts += [(f"{left} skipped", bars.QUIET)] if left else []
        line = bars.header("morning review", parts, ("", bars.QUIET), clock, max(0, self.size.width - 2))
        self._static("header", line)
        self._paint_step()
        self.paint_footer()

    def _place(self) -> str:
        if self.here == END:
            return "the end"
        number, total = self.walk.place(self.here)
        return f"{number} of {total}"

    def _paint_step(self) -> None:
        thing = self._known.get(self.here)
        again = "skipped before · " if self.here in self.walk.again else ""
        said = f"{again}{reviewing.SAYS.get(thing.word, thing.word)} · {thing.name}" if thing else ""
        text = f"! {clean(self._note)}" if self._note else said
        style = "$state-needs" if self._note else ""
        cells = max(8, self.size.width - 2)
        if self._differs("step", f"{text}{style}{cells}"):
            self.query_one("#step", Static).update(Content.assemble((cut(text, 2 * cells - 2), style)))

    def keys_here(self) -> list[bars.Key]:
        undo = self.can("undo", "undo the last", "undo")
        skip = keys.key("skip")
        if self.here == END:
            more = [(skip, "go on", "go on")] if self.walk.next else []
            return [*more, *undo, (keys.key("go-on"), "leave the review", "leave"), *self.can("help", "help")]
        on = (skip, "skip", "skip") if self.waits else (skip, "go on", "go on")
        mine = [key for key in self.subject_keys() if key[0] != keys.key("undo")] if self.waits else []
        leave = keys.key("leave-review").replace("Esc", "q")
        tail = [(leave, "leave the review", "leave"), *self.can("help", "help"), (self.tabs, "tabs", "tabs")]
        return [*mine, *self.exited_keys(), on, *undo, *tail]

    def exited_keys(self) -> list[bars.Key]:
        """Of a session that broke off; what else can be done with it is done on the desk."""
        if not self.waits or self.subject.kind != "session":
            return []
        return [key for key in self.session_keys() if key[0] == keys.key("stop")]

    def why_not_go_on(self) -> str:
        d = self.decision()
        if self.here == END or (d and d.state == "open") or not self.waits:
            return ""
        return f"it does nothing here: the keys below do; {keys.key('skip')} skips"

    @property
    def digits_choose(self) -> bool:
        return self.decision() is not None

    # -- going on ----------------------------------------------------------------------------------------

    def action_skip(self) -> None:
        """Later; what vanished is just left."""
        if self.here == END:
            if self.walk.next:
                self._go(self.walk.next)
            return
        if why := self.too_soon():
            self.say(why)
            return
        if self.waits:
            self.walk.skip(self.here, self._called(self.here))
        else:
            self.walk.vanish(self.here, reviewing.gone(self.state, self.here))
        self._go(self.walk.next)

    def action_go_on(self) -> None:
        """Enter: answers in words where that is asked, leaves at the end, and else is no key."""
        d = self.decision()
        if self.here == END:
            self.action_leave_review()
        elif d and d.state == "open":
            self.action_type()
        elif not self.waits:
            self.action_skip()
        else:
            self.able("go-on")

    def action_leave_review(self) -> None:
        self.dismiss(None)

    def action_tab(self, step: int) -> None:
        self.detail.step_tab(step)
        self.detail.current.focus()
        self.paint_detail()

    def _called(self, thing: str) -> str:
        known = self._known.get(thing)
        return cut(known.name, 160) if known else thing

    # -- what was done -----------------------------------------------------------------------------------

    def sending(self, command: cmd.Command) -> None:
        super().sending(command)
        thing, _ = walk.about(command)
        if thing:
            self._under_way.add(thing)

    def sent(self, command: cmd.Command, refused: str) -> None:
        """In the log: go on to the next thing; what was taken back comes again."""
        undone, self._undoing = self._undoing, None
        if undone and isinstance(command, (cmd.Undo, cmd.ReopenDecision, cmd.RequeueTicket)):
            if not refused:
                self._return(undone)
            return
        thing, what = walk.about(command)
        self._under_way.discard(thing)
        if refused or not thing:
            self.show_state()
            return
        self._settling[thing] = self._record(thing)
        self.walk.done(walk.Deed(thing, self._called(thing), what, command))
        if thing == self.here:
            self._go(self.walk.next)

    def _return(self, deed: walk.Deed) -> None:
        self._settling[deed.thing] = self._record(deed.thing)  # it waits again as soon as the state says so
        self.walk.back(deed)
        self._go(deed.thing)

    def why_not_undo(self) -> str:
        if not self.walk.deeds:
            return "nothing has been done here yet"
        deed = self.walk.deeds[-1]
        if deed.command is None:
            return ""
        what = self.deed_of(deed.command)
        if what is None:
            return f"that cannot be taken back here ({deed.what}: {deed.name})"
        return not_undoable(self.state, what)

    def action_undo(self) -> None:
        """Take back the last thing done here, one press: it is shown again and wants its key again."""
        if not self.able("undo"):
            return
        deed = self.walk.deeds[-1]
        if deed.command is None:
            self.walk.back(deed)
            self._go(deed.thing)
            return
        self.when_alone("taken back", lambda: self._take_back(deed))

    def _take_back(self, deed: walk.Deed) -> None:
        what = self.deed_of(deed.command) if deed.command else None
        if what and self.able("undo"):
            self._undoing = deed
            self.take_back(what)
