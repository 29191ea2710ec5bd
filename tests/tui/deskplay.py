"""A desk to try: the real brain over a log in memory, and a hand that plays the supervisor. No git, no process.

What the screen reads (diffs, transcripts) a test puts here; what it sends is decided for real and kept in `sent`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from textual import events
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import (
    Assessment,
    Check,
    CommitSpec,
    Finding,
    Frozen,
    Gate,
    GateResult,
    Identity,
    Launch,
    OnFail,
    Option,
    PlanPath,
    PolicySpec,
    Refused,
    RepoChange,
    Who,
)
from console.core.state import State
from console.engine.client import Client
from console.engine.desk import Desk
from console.engine.journal import Journal, Result
from console.tui.app import NightdeskApp
from console.tui.keyguard import ALONE, SETTLE
from console.tui.screens.desk import DeskScreen

WIDE, STACKED, SINGLE = (120, 40), (80, 24), (50, 20)
NOW = 1_750_000_000.0
ME = Who(user="ada", tty="/dev/pts/1", via="test")
GATE = Gate(argv=("pytest", "-q"), timeout=60)
RUNS = (
    RepoChange(item="config core.fsmonitor", severity="runs", after="/tmp/x", cure="git config --unset core.fsmonitor"),
    RepoChange(item="hook pre-commit", severity="runs", before="", after="#!/bin/sh"),
)
DIFF = b"""diff --git a/shop/cart.py b/shop/cart.py
index 1111111..2222222 100644
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,3 +1,4 @@
 def total(items):
-    return 0
+    # the sum of the prices
+    return sum(item.price for item in items)
@@ -9,2 +10,2 @@ def tax(items):
-    return 1
+    return 2
diff --git a/shop/tax.py b/shop/tax.py
index 3333333..4444444 100644
--- a/shop/tax.py
+++ b/shop/tax.py
@@ -1 +1 @@
-RATE = 0
+RATE = 19
"""


def risk(level: int, *findings: Finding) -> Assessment:
    """An assessment; without findings it has one of each gravity, on the lines of DIFF."""
    return Assessment(level=level, findings=findings or FINDINGS, classes=("auth-security",))


FINDINGS = (
    Finding(kind="tests", level="high", rule="gone", text="2 tests no longer exist", path="shop/tax.py", line=1),
    Finding(kind="risk", level="medium", rule="auth", text="touches how people log in", path="shop/cart.py", line=3),
    Finding(kind="risk", level="info", rule="size", text="adds 4 lines"),
)


class MemoryLog:
    """The log as a list; one lock for everybody."""

    def __init__(self) -> None:
        self.entries: list[ev.Logged] = []
        self._lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            yield

    def append(self, entries: Sequence[ev.Logged]) -> None:
        self.entries += entries

    def read(self, since: int, limit: int = 500) -> list[ev.Logged]:
        return self.entries[since : since + limit]

    def span(self, first: int, count: int) -> list[ev.Logged]:
        return self.entries[first - 1 : first - 1 + count]

    def version(self) -> int:
        return len(self.entries)

    def load_checkpoint(self, layout: int) -> None:
        return None

    def save_checkpoint(self, seq: int, layout: int, body: bytes) -> None: ...

    def checkpoint_wal(self) -> None: ...

    def close(self) -> None: ...


class Noting(Client):
    """A client that keeps what it was asked to send; `refuse` answers instead of the brain."""

    def __init__(self, play: DeskPlay) -> None:
        super().__init__(Journal(play.log, lambda: play.now), lambda: None)  # type: ignore[arg-type]
        self.play = play

    def send(self, command: cmd.Command, *, needs_hands: bool = True) -> Result:
        self.play.sent.append(command)
        if self.play.refuse:
            return Refused(reason=self.play.refuse)
        return super().send(command, needs_hands=needs_hands)


class DeskPlay:
    """Makes sessions, policies, plans and questions; `app()` is a screen on them."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.now = NOW - 600
        self.sent: list[cmd.Command] = []
        self.refuse = ""
        self.diffs: dict[str, bytes] = {}
        self.drifted: tuple[str, ...] = ()
        self.changes: dict[str, Sequence[str] | Refused] = {}
        self.transcripts: dict[str, list[dict[str, Any]]] = {}
        self.texts: dict[str, str] = {}
        self.checks: Sequence[Check] | Exception = (Check(name="git", level="ok", text="a first commit is there"),)
        self.started: list[tuple[Sequence[Check], bool]] = []
        self.unstartable = ""
        self.journal = Journal(self.log, lambda: self.now)  # type: ignore[arg-type]

    @property
    def state(self) -> State:
        self.journal.refresh()
        return self.journal.state

    def fold(self, *facts: ev.Fact) -> None:
        """These facts and nothing that follows from them: for states that would take a whole night to play."""
        with self.log.transaction():
            first = len(self.log.entries) + 1
            self.log.append([ev.Logged(seq=first + i, at=self.now, fact=fact) for i, fact in enumerate(facts)])

    def ask(self, command: cmd.Command) -> tuple[ev.Logged, ...]:
        result = self.journal.submit(command)
        assert not isinstance(result, Refused), result.reason
        return result

    def report(self, *facts: ev.Fact) -> None:
        assert self.ask(cmd.Report(facts=facts)), "the report does not fit the state"

    # -- the supervisor's part -----------------------------------------------------------------------------

    def working(self, label: str, prompt: str = "Fix it") -> str:
        """A session in its first turn; its id."""
        self.now += 10
        launch = Launch(argv=("agent",))
        start = cmd.StartSession(
            launch=launch, cwd="/w", worktree="/w", by=ME, preset="demo", label=label, prompt=prompt
        )
        added = self.ask(start)[0].fact
        assert isinstance(added, ev.SessionAdded)
        self.report(ev.SessionStarted(session=added.session, run=1, conversation="c", pid=11, shim_pid=10))
        self.report(ev.TurnStarted(session=added.session, turn=1, ref="refs/heads/main", head="b" * 40))
        return added.session

    def ends_turn(self, session: str, turn: int = 1) -> None:
        self.now += 10
        self.report(ev.TurnEnded(session=session, turn=turn, ok=True, stop="end_turn", head="b" * 40))

    def asks(self, session: str, title: str = "Write outside the folder?") -> None:
        self.now += 10
        options = (Option(id="allow", name="Allow once", kind="allow_once"), Option(id="no", name="Reject"))
        self.report(ev.AwaitingInput(session=session, turn=1, question=f"q-{session}", title=title, options=options))

    def attach(self, session: str, message: str = "Fix the cart", on_fail: OnFail | None = None) -> str:
        commit = CommitSpec(paths=("shop/cart.py",), message=message)
        spec = PolicySpec(sessions=(session,), then="commit", gate=GATE, commit=commit, on_fail=on_fail)
        attached = self.ask(cmd.AttachPolicy(spec=spec, by=ME))[0].fact
        assert isinstance(attached, ev.PolicyAttached)
        return attached.policy

    def plan(self, label: str, message: str = "Fix the cart", diff: bytes = DIFF, **more: Any) -> str:
        """A session whose green work waits for a person; the plan's commit id."""
        session = self.working(label)
        policy = self.attach(session, message)
        self.ends_turn(session)
        return self.judged_green(policy, message, label, diff, **more)

    def judged_green(
        self,
        policy: str,
        message: str,
        branch: str,
        diff: bytes = DIFF,
        assessment: Assessment | None = None,
        **more: Any,
    ) -> str:
        frozen = self.frozen(message, branch, diff, **more)
        result = GateResult(verdict="green", where="worktree", code=0, seconds=1.5, output="5 passed\n")
        attempt = self.state.policies[policy].attempt
        self.report(
            ev.PolicyJudged(policy=policy, attempt=attempt, results=(result,), plan=frozen, assessment=assessment)
        )
        return frozen.commit

    def frozen(self, message: str, branch: str, diff: bytes, **more: Any) -> Frozen:
        commit = f"{0xC0FFEE00 + len(self.diffs):x}".ljust(40, "0")
        self.diffs[commit] = diff
        path = PlanPath(path="shop/cart.py", old_mode="100644", old_oid="1" * 40, mode="100644", oid="2" * 40)
        fields: dict[str, Any] = {"added": 4, "removed": 3, "paths": (path,), "diff_bytes": len(diff)}
        return Frozen(
            commit=commit,
            base="b" * 40,
            tree="7" * 40,
            ref=f"refs/heads/{branch}",
            ref_old="b" * 40,
            message=message,
            author=Identity(name="Ada", email="ada@example.com"),
            when=int(NOW),
            zone="+0000",
            worktree="/w",
            store="/store",
            **(fields | more),
        )

    def blocked(self, label: str, output: str = "1 failed\n") -> str:
        session = self.working(label)
        policy = self.attach(session)
        self.ends_turn(session)
        red = GateResult(verdict="red", where="worktree", code=1, seconds=2.0, output=output)
        self.report(ev.PolicyJudged(policy=policy, attempt=1, results=(red,)))
        return policy

    def broke_off(self, label: str) -> str:
        session = self.working(label)
        self.report(ev.Exited(session=session, run=1, how="exited", code=0))
        return session

    def lands(self, plan: str) -> None:
        p = self.state.plans[plan]
        self.report(ev.PlanLanding(policy=p.policy, plan=plan, ref=p.frozen.ref, old=p.frozen.ref_old))
        self.report(ev.PolicyCommitted(policy=p.policy, plan=plan, sha=plan, ref=p.frozen.ref))

    def approved(self, plan: str) -> None:
        self.ask(cmd.Approve(policy=self.state.plans[plan].policy, plan=plan, by=ME))

    def alerts(self, *changes: RepoChange, alert: str = "alert-1") -> str:
        """Something in the git dir changed; the alert's id."""
        self.now += 10
        self.report(
            ev.RepositoryChanged(alert=alert, when="start", changes=changes or RUNS, baseline="base", seen="seen")
        )
        return alert

    def took_snapshot(self, session: str, turn: int, name: str, uncovered: tuple[str, ...] = ()) -> str:
        snapshot = name.ljust(40, "0")
        self.now += 1
        self.report(ev.SnapshotTaken(session=session, turn=turn, snapshot=snapshot, uncovered=uncovered))
        return snapshot

    def locked(self, plan: str, unlock: tuple[str, ...]) -> None:
        """The plan was approved, and the signing key turned out to be locked."""
        p = self.state.plans[plan]
        self.ask(cmd.Approve(policy=p.policy, plan=plan, by=ME, confirm=p.policy))
        reason = "the GPG key of Ada is locked: unlock it, then press again"
        self.report(ev.LandingRefused(policy=p.policy, plan=plan, reason=reason, unlock=unlock))

    # -- the screen ----------------------------------------------------------------------------------------

    def desk(self) -> Desk:
        return Desk(
            name="shop",
            root="/w",
            new_client=lambda: Noting(self),
            who=lambda: ME,
            diff=lambda frozen: self.diffs[frozen.commit],
            drift=lambda frozen: self.drifted,
            transcript=lambda session: self.transcripts.get(session, []),
            pulse=lambda session: "Edit shop/cart.py",
            read_output=lambda path: "",
            open_events=lambda: self.log.span,
            open_version=lambda: self.log.version,
            supervised=lambda: True,
            snapshot_changes=lambda worktree, snapshot: self.changes[snapshot],
            preflight=self._preflight,
            start_run=self._start,
            ticket_text=lambda digest: self.texts.get(digest, ""),
        )

    def _preflight(self) -> Sequence[Check]:
        if isinstance(self.checks, Exception):
            raise self.checks
        return self.checks

    def _start(self, checks: Sequence[Check], attended: bool) -> str:
        self.started.append((checks, attended))
        return self.unstartable

    def app(self, now: float = NOW) -> NightdeskApp:
        return NightdeskApp(client=Noting(self), desk=self.desk(), hosted=None, environ={}, now=lambda: now)


async def until(pilot: Pilot[Any], holds: Callable[[], object], timeout: float = 8.0) -> None:
    """Wait until `holds()`; else fail with what is on the screen."""
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            seen_now = f"the screen:\n{picture(pilot)}\ntoasts: {toasts(pilot)}"
            raise AssertionError(f"did not come true within {timeout} s; {seen_now}")
        await asyncio.sleep(0.01)
        await pilot.pause()


def picture(pilot: Pilot[Any]) -> str:
    """What is on the screen, as text."""
    return "\n".join(strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips())


def toasts(pilot: Pilot[Any]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


def desk_of(pilot: Pilot[Any]) -> DeskScreen:
    """The desk, also when a dialog is over it."""
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, DeskScreen))


async def started(pilot: Pilot[Any]) -> DeskScreen:
    await until(pilot, lambda: any(isinstance(s, DeskScreen) and s.is_mounted for s in pilot.app.screen_stack))
    await pilot.pause()
    return desk_of(pilot)


async def seen(pilot: Pilot[Any], plan: str) -> DeskScreen:
    """The plan has been before the eye long enough for a key to count, and no key was pressed just now."""
    desk = desk_of(pilot)

    def settled() -> bool:
        now, guard = time.monotonic(), desk.guard
        return guard.shown == plan and now - guard.since > SETTLE and now - guard.last_key > ALONE

    await until(pilot, settled)
    return desk


def burst(pilot: Pilot[Any], text: str) -> None:
    """Keys that come all at once, as an unbracketed paste or a line that stood still delivers them."""
    for char in text:
        pilot.app.post_message(events.Key("space" if char == " " else char, char))


async def alone(pilot: Pilot[Any]) -> None:
    """The last key is long enough ago for the next one not to look like a burst."""
    desk = desk_of(pilot)
    await until(pilot, lambda: time.monotonic() - desk.guard.last_key > ALONE * 1.5)


@asynccontextmanager
async def screen(play: DeskPlay, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Pilot[Any], DeskScreen]]:
    """The desk of `play`, started."""
    async with play.app().run_test(size=size, notifications=True) as pilot:
        yield pilot, await started(pilot)


def full(play: DeskPlay) -> dict[str, str]:
    """Something of everything that can need a person, and one session that needs nobody."""
    made = {"plan": play.plan("fix-cart"), "asking": play.working("ask-me")}
    play.asks(made["asking"])
    made["blocked"] = play.blocked("flaky")
    made["broke"] = play.broke_off("gone")
    made["later"] = play.plan("fix-tax", "Raise the tax")
    made["busy"] = play.working("busy")
    play.transcripts[made["asking"]] = [{"at": NOW - 60, "kind": "text", "text": "May I?"}]
    return made
