"""The verbs of the desk: what each key asks for. A verb names the thing that is drawn and sends one command."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.binding import Binding

from console.core import commands as cmd
from console.core.commits import Plan, approvable, short
from console.core.records import Refused
from console.core.sessions import LIVE, Session
from console.engine.journal import Result
from console.present import wording
from console.present.text import clean
from console.tui.keyguard import ALONE
from console.tui.screens.sheets import AskText, Choose, Help

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.desk import DeskScreen

    _Base = Screen[None]
else:
    _Base = object

TWICE = 3.0
"""Seconds within which a second press confirms."""


@dataclass(frozen=True, slots=True)
class Verb:
    title: str
    why: str
    run: Callable[[], Any]


HELP = (
    "Move      j k, arrows, g G, PgUp PgDn   1..5 or Tab: panes   Enter: open   Esc: back",
    "Detail    [ ] tabs   } { next, previous hunk   > < next, previous file   h l sideways",
    "",
    "a         approve: land exactly the plan that is drawn, as the commit whose id is shown",
    "r         reject the plan that is drawn; the work stays (on a blocked policy: dismiss it)",
    "u         undo the approval or rejection that is shown, else your last one (press twice)",
    "w         next thing that waits for you",
    "R         judge a blocked policy again, on the work as it is now",
    "n         send a prompt to the session that is shown",
    "y         answer the question a session waits with",
    "i         interrupt the running turn     x  stop the session (press twice)",
    "/         filter the list        :  or Ctrl+P  palette        ?  this help",
    "q         leave: the screen ends, what runs goes on; `nightdesk` opens it again",
    "Q         stop every session and the supervisor (asks)",
    "",
    "An approval names the plan and commit that were drawn. It does not count within 0.4 s of the plan",
    "appearing, nor in a burst of keys (a paste, or keys typed while the line stood still).",
)


class Verbs(_Base):
    """Mixed into the desk."""

    KEYS = (
        Binding("a", "approve", "Approve", show=False),
        Binding("r", "reject", "Reject", show=False),
        Binding("u", "undo", "Undo", show=False),
        Binding("w", "next_waiting", "Next waiting", show=False),
        Binding("R", "retry", "Judge again", show=False),
        Binding("n", "prompt", "Prompt", show=False),
        Binding("y", "answer", "Answer", show=False),
        Binding("i", "interrupt", "Interrupt", show=False),
        Binding("x", "stop", "Stop session", show=False),
        Binding("question_mark,f1", "help", "Help", show=False),
        Binding("q", "leave", "Leave", show=False),
        Binding("Q", "stop_all", "Stop everything", show=False),
    )

    _armed: tuple[str, float] = ("", 0.0)
    _gap: float = 10.0
    _mine: tuple[str, ...] = ()

    @property
    def desk(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def key_pressed(self, now: float, typed: float) -> None:
        """Every key passes here first (see the app), also those that other widgets take."""
        self._gap = self.desk.guard.key(now, typed)

    def verbs(self) -> list[Verb]:
        """What the palette offers."""
        return [
            Verb("Next waiting", "The next thing that needs you (w)", self.action_next_waiting),
            Verb("Reject plan", "Reject the plan that is drawn (r)", self.action_reject),
            Verb("Undo", "Take back the approval or rejection that is shown (u)", self.action_undo),
            Verb("Judge again", "Judge a blocked policy again (R)", self.action_retry),
            Verb("Prompt session", "Send a prompt to the session that is shown (n)", self.action_prompt),
            Verb("Answer question", "Answer what the session asks (y)", self.action_answer),
            Verb("Interrupt turn", "Cancel the running turn (i)", self.action_interrupt),
            Verb("Stop everything", "Stop every session and the supervisor (Q)", self.action_stop_all),
            Verb("Filter list", "Show only matching rows (/)", self.desk.action_filter),
            Verb("Keys", "Every key (?)", self.action_help),
            Verb("Leave", "Leave the screen, runs go on (q)", self.action_leave),
        ]

    def keys_here(self) -> str:
        """The footer: the keys that do something now."""
        desk, parts = self.desk, []
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        policy = desk.subject.policy(desk.state)
        session = desk.state.sessions.get(desk.subject.session(desk.state))
        if plan and plan.state == "waiting":
            parts += ["a approve", "r reject"]
        if plan and plan.state in ("landed", "rejected"):
            parts.append("u undo")
        if policy and policy.status == "blocked":
            parts += ["R judge again", "r dismiss"]
        if session and session.question:
            parts.append("y answer")
        if len(desk.needs) > 0:
            parts.append("w next waiting")
        if desk.subject.kind == "session" and session and session.phase in LIVE:
            parts += ["n prompt", "x stop"]
        return "  ".join([*parts, "/ filter", ": palette", "? help", "q leave (runs go on)"])

    # -- sending -----------------------------------------------------------------------------------------

    def _send(self, command: cmd.Command, done: str, *, needs_hands: bool = True) -> None:
        def outcome(result: Result) -> None:
            if isinstance(result, Refused):
                self.desk.notify(result.reason, severity="warning", timeout=8)
            elif done:
                self.desk.notify(done, timeout=3)

        self.desk.app.hands.send(command, outcome, needs_hands=needs_hands)

    def _say(self, text: str) -> None:
        self.desk.app.clear_notifications()
        self.desk.notify(text, severity="warning", timeout=5)

    def _second_press(self, what: str, question: str) -> bool:
        """True on the second press within TWICE of the first for the same thing."""
        armed, until = self._armed
        now = time.monotonic()
        if armed == what and now < until:
            self._armed = ("", 0.0)
            return True
        self._armed = (what, now + TWICE)
        self._say(question)
        return False

    # -- plans -------------------------------------------------------------------------------------------

    def _drawn_plan(self) -> Plan | None:
        return self.desk.state.plans.get(self.desk.guard.shown)

    def action_approve(self) -> None:
        desk, now = self.desk, time.monotonic()
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        refused = approvable(plan) if plan else None
        why = refused.reason if refused else desk.guard.refusal(now, self._gap)
        if why:
            self._say(why)
            return
        pressed = desk.guard.last_key
        shown = desk.guard.shown
        desk.set_timer(ALONE, lambda: self._approve(shown, pressed))

    def _approve(self, shown: str, pressed: float) -> None:
        """The key stood alone: approve what was drawn when it was pressed, if that is still what is drawn."""
        desk = self.desk
        plan = desk.state.plans.get(shown)
        if desk.guard.last_key != pressed:
            self._say("keys came too fast (pasted?); nothing was approved")
            return
        if plan is None or desk.guard.shown != shown:
            self._say("another plan is drawn now; nothing was approved")
            return
        desk.guard.spent = shown
        self._mine = (*self._mine, shown)
        command = cmd.Approve(policy=plan.policy, plan=plan.plan, by=desk.app.desk.who())

        def outcome(result: Result) -> None:
            if isinstance(result, Refused):
                desk.guard.spent = ""
                self._say(result.reason)

        desk.app.hands.send(command, outcome)

    def action_reject(self) -> None:
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if desk.subject.kind == "policy" and policy and policy.status == "blocked":
            note = cmd.CancelPolicy(policy=policy.policy, by=desk.app.desk.who(), note="dismissed by a person")
            self._send(note, f"{policy.policy} is dismissed", needs_hands=False)
            return
        plan = self._drawn_plan()
        if plan is None or desk.subject.id != f"plan:{plan.plan}":
            self._say("no plan is drawn; open one first")
            return
        if self._gap < ALONE:
            self._say("keys came too fast (pasted?); nothing was rejected")
            return
        self._mine = (*self._mine, plan.plan)
        command = cmd.Reject(policy=plan.policy, plan=plan.plan, by=desk.app.desk.who())
        self._send(command, f"rejected plan {short(plan.plan)}; u takes it back", needs_hands=False)

    def action_undo(self) -> None:
        desk = self.desk
        shown = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        candidates = [shown.plan] if shown and shown.state in ("landed", "rejected") else list(reversed(self._mine))
        plans = [desk.state.plans[name] for name in candidates if name in desk.state.plans]
        plan = next((p for p in plans if p.state in ("landed", "rejected")), None)
        if plan is None:
            self._say("there is nothing to take back: open a landed or rejected plan first")
            return
        what = "approval" if plan.state == "landed" else "rejection"
        question = f"press u again to take back the {what} of {short(plan.plan)}: {wording.title(plan)}"
        if self._second_press(f"undo:{plan.plan}", question):
            self._send(cmd.Undo(plan=plan.plan, by=desk.app.desk.who()), "", needs_hands=plan.state == "landed")

    def action_next_waiting(self) -> None:
        """To the next thing that needs a person, from the one that is selected."""
        desk = self.desk
        if not desk.needs:
            self._say("nothing needs you")
            return
        ids = [item.id for item in desk.needs]
        at = ids.index(desk.subject.id) + 1 if desk.subject.id in ids else 0
        desk.filters["needs"] = ""
        desk.action_list("needs")
        desk.show_state()
        desk.table("needs").select(ids[at % len(ids)])
        desk.look_at(ids[at % len(ids)])

    def action_retry(self) -> None:
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if policy is None:
            self._say("no policy is shown")
            return
        self._send(cmd.RetryPolicy(policy=policy.policy, by=desk.app.desk.who()), f"{policy.policy} is judged again")

    # -- sessions ----------------------------------------------------------------------------------------

    def _session(self) -> Session | None:
        session = self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))
        if session is None:
            self._say("no session is shown; choose one first")
        return session

    def action_prompt(self) -> None:
        session = self._session()
        if session is None:
            return

        def send(text: str | None) -> None:
            if text:
                command = cmd.SendPrompt(session=session.session, text=text, by=self.desk.app.desk.who())
                self._send(command, f"queued for {session.session}")

        self.desk.app.push_screen(AskText(f"Prompt for {session.session} · {clean(session.label)}"), send)

    def offer_answer(self) -> None:
        """Enter on a question opens it."""
        session = self.desk.state.sessions.get(self.desk.subject.session(self.desk.state))
        if self.desk.subject.kind == "session" and session and session.question:
            self.action_answer()

    def action_answer(self) -> None:
        session = self._session()
        if session is None:
            return
        question = session.question
        if question is None:
            self._say(f"session {session.session} asks nothing")
            return
        options = [(o.id, f"{clean(o.name)} ({clean(o.kind or o.id)})") for o in question.options]

        def send(option: str | None) -> None:
            if option:
                command = cmd.AnswerQuestion(
                    session=session.session, option=option, question=question.id, by=self.desk.app.desk.who()
                )
                self._send(command, f"answered {session.session}")

        self.desk.app.push_screen(Choose(f"{session.session} asks: {clean(question.title)}", options), send)

    def action_interrupt(self) -> None:
        session = self._session()
        if session:
            command = cmd.InterruptTurn(session=session.session, by=self.desk.app.desk.who())
            self._send(command, f"interrupting {session.session}")

    def action_stop(self) -> None:
        desk = self.desk
        if desk.subject.kind != "session":
            self._say("choose a session first")
            return
        session = self._session()
        if session and self._second_press(
            f"stop:{session.session}", f"press x again to stop session {session.session}"
        ):
            self._send(cmd.StopSession(session=session.session, by=desk.app.desk.who()), f"stopping {session.session}")

    # -- the whole ---------------------------------------------------------------------------------------

    def action_help(self) -> None:
        self.desk.app.push_screen(Help(HELP))

    def action_leave(self) -> None:
        self.desk.app.action_leave()

    def action_stop_all(self) -> None:
        live = [s for s in self.desk.state.sessions.values() if s.phase in LIVE]

        def stop(answer: str | None) -> None:
            if answer != "stop":
                return
            for session in live:
                self._send(cmd.StopSession(session=session.session, by=self.desk.app.desk.who()), "")
            self.desk.app.stop_when_quiet()

        text = f"Stop {len(live)} running session(s) and the supervisor?"
        self.desk.app.push_screen(Choose(text, [("stop", "stop everything")]), stop)
