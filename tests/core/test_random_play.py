"""Random commands and plausible reports: whatever people and agents do, the brain keeps its promises (see play.py)."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from play import ACP, COMMIT, GATE, MAIN, ME, NUDGE, Play, result

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.records import Assessment, CommitSpec, Launch, Option, PolicySpec, Refused, RepoChange
from console.core.sessions import LIVE, Session
from console.core.state import decode, encode, open_alert

SCRIPT = Launch(argv=("script",), protocol="command", interactive=("script", "--resume", "{conversation}"))
TALKER = replace(ACP, interactive=("agent", "--resume", "{conversation}"))
VERDICTS = ("green", "green", "green", "red", "red", "timeout", "unjudged")
STEPS = {
    "start": 2,
    "attach": 4,
    "attach_everywhere": 1,
    "prompt": 4,
    "answer": 2,
    "disturb": 1,
    "cancel_or_retry": 2,
    "key": 6,
    "roll_back": 2,
    "lend": 3,
    "give_back": 3,
    "alarm": 1,
    "answer_alert": 2,
    "perform": 24,
    "agent_acts": 12,
    "new_supervisor": 1,
    "silence": 1,
    "old_report": 2,
    "restart_from_checkpoint": 1,
}
STEP = st.tuples(
    st.sampled_from([name for name, weight in STEPS.items() for _ in range(weight)]),
    st.integers(0, 63),
    st.integers(0, 63),
    st.integers(0, 63),
)


class Night:
    """Each step takes three numbers and makes of them whatever is possible now."""

    def __init__(self) -> None:
        self.play = Play()
        self.said: list[ev.Fact] = []
        self.start(0, 1, 0)
        self.attach(0, 0, 5)

    def _ask(self, command: cmd.Command) -> None:
        outcome = self.play.ask(command)
        if isinstance(outcome, Refused):
            assert outcome.reason

    def _say(self, *facts: ev.Fact) -> None:
        self.said += facts
        self.play.report(*facts)

    def _session(self, number: int) -> Session:
        found = list(self.play.state.sessions.values())
        return found[number % len(found)]

    # -- people ------------------------------------------------------------------------------------------

    def start(self, a: int, b: int, c: int) -> None:
        for _ in range((1, 1, 5)[a % 3]):
            if len(self.play.state.sessions) < 12:
                launch = (TALKER, SCRIPT, ACP)[c % 3]
                prompt = "go" if b % 4 else ""
                self.play.do(cmd.StartSession(launch=launch, cwd="/w", worktree="/w", by=ME, prompt=prompt))

    def attach(self, a: int, b: int, c: int) -> None:
        names = list(self.play.state.sessions)
        count = (1, 1, 1, 3)[b % 4]
        chosen = tuple(dict.fromkeys(names[(a + i) % len(names)] for i in range(count)))
        commits, gated, auto, chained = c & 1, c & 6, c & 24 == 24, c & 32
        spec = PolicySpec(
            sessions=chosen,
            then="commit" if commits else "emit",
            commit=CommitSpec(paths=COMMIT.paths, message=COMMIT.message, ack=not auto) if commits else None,
            gate=GATE if gated else None,
            on_fail=NUDGE if gated else None,
            next=PolicySpec(sessions=chosen, gate=GATE) if chained else None,
        )
        since = None if b < 32 else b * self.play.state.seq // 60
        self._ask(cmd.AttachPolicy(spec=spec, by=ME, since=since))

    def attach_everywhere(self, a: int, b: int, c: int) -> None:
        """Fills the slots: one more policy for each session."""
        for name in list(self.play.state.sessions):
            if len(self.play.state.policies) < 40:
                self._ask(cmd.AttachPolicy(spec=PolicySpec(sessions=(name,), gate=GATE), by=ME))

    def prompt(self, a: int, b: int, c: int) -> None:
        self._ask(cmd.SendPrompt(session=self._session(a).session, text="more" if b % 8 else " ", by=ME))

    def answer(self, a: int, b: int, c: int) -> None:
        option = ("yes", "no", "", "other")[b % 4]
        self._ask(cmd.AnswerQuestion(session=self._session(a).session, option=option, by=ME))

    def disturb(self, a: int, b: int, c: int) -> None:
        name = self._session(a).session
        self._ask(cmd.InterruptTurn(session=name, by=ME) if b % 3 else cmd.StopSession(session=name, by=ME))

    def cancel_or_retry(self, a: int, b: int, c: int) -> None:
        known = list(self.play.state.policies)
        if known:
            name = known[a % len(known)]
            self._ask(cmd.CancelPolicy(policy=name, by=ME) if b % 3 == 0 else cmd.RetryPolicy(policy=name, by=ME))

    def key(self, a: int, b: int, c: int) -> None:
        plans = list(self.play.state.plans.values())
        if not plans:
            return
        plan = plans[-1 - a % min(len(plans), 6)]
        match b % 4:
            case 0 | 1:
                confirm = plan.policy if c % 2 else ""
                before = open_alert(self.play.state)
                outcome = self.play.ask(cmd.Approve(policy=plan.policy, plan=plan.plan, by=ME, confirm=confirm))
                if not isinstance(outcome, Refused):
                    assert plan.level == 1 or confirm, "a risky plan was approved by one key"
                    assert not (before and before.blocks), "approved although an alert holds approvals"
            case 2:
                self._ask(cmd.Undo(plan=plan.plan, by=ME))
            case _:
                self._ask(cmd.Reject(policy=plan.policy, plan=plan.plan, by=ME, note="no"))

    def roll_back(self, a: int, b: int, c: int) -> None:
        s = self._session(a)
        if b % 3 == 0:
            self._say(ev.SnapshotTaken(session=s.session, turn=s.turns or 1, snapshot=f"{c % 5:x}" * 40))
        self._ask(cmd.RollBack(session=s.session, snapshot="" if b % 2 else f"{c % 5:x}" * 8, by=ME))

    def lend(self, a: int, b: int, c: int) -> None:
        """Two consoles press at once: one has it."""
        s, waiting = self._session(a), self._waiting()
        asks = [cmd.LendSession(session=s.session, by=ME, pid=pid, start_time=b) for pid in (100, 101)]
        outcomes = [self.play.ask(each) for each in asks]
        assert sum(not isinstance(outcome, Refused) for outcome in outcomes) <= 1
        assert self._waiting() == waiting, "a policy ended, or was judged, because a person took a conversation"

    def _waiting(self) -> list[str]:
        found = self.play.state.policies.values()
        return [p.policy for p in found if p.status in ("watching", "nudging", "awaiting-ack")]

    def give_back(self, a: int, b: int, c: int) -> None:
        """By who has it, by somebody else, or by a supervisor that sees him gone, perhaps a second time."""
        lent = [s for s in self.play.state.sessions.values() if s.lent]
        if not lent:
            return
        s, waiting = lent[a % len(lent)], self._waiting()
        assert s.lent
        if b % 3:
            self._ask(cmd.ReturnSession(session=s.session, pid=s.lent.pid + (b % 5 == 0), code=c % 2))
        else:
            gone = ev.SessionReturned(session=s.session, pid=s.lent.pid, start_time=s.lent.start_time, note="gone")
            self._say(gone)
            self._say(gone)
        assert self._waiting() == waiting

    def alarm(self, a: int, b: int, c: int) -> None:
        severity = ("runs", "lies", "moved", "lock")[a % 4]
        now = open_alert(self.play.state)
        alert = now.alert if now else f"alert-{len(self.play.state.alerts) + 1}"
        changes = (RepoChange(item=f"thing {b % 3}", severity=severity),)  # type: ignore[arg-type]
        self._say(ev.RepositoryChanged(alert=alert, when="turn", changes=changes, baseline="a", seen=f"f{c}"))

    def answer_alert(self, a: int, b: int, c: int) -> None:
        action = ("adopt", "restore")[b % 2]
        self._ask(cmd.AnswerAlert(alert=f"alert-{a % 3 + 1}", action=action, by=ME))  # type: ignore[arg-type]

    # -- the supervisor ----------------------------------------------------------------------------------

    def perform(self, a: int, b: int, c: int) -> None:
        """One effect that is owed, with one of the outcomes that it can have."""
        owed = list(due.due(self.play.state))
        if owed:
            self._outcome(owed[a % len(owed)], b, c % 10)

    def _outcome(self, effect: due.Effect, b: int, odd: int) -> None:
        match effect:
            case due.Start():
                gone = ev.Exited(session=effect.session, run=effect.run, how="not-started", reason="no such program")
                up = ev.SessionStarted(session=effect.session, run=effect.run, conversation="c" * (odd != 2), pid=7)
                self._say(gone if odd == 1 else up)
            case due.BeginTurn():
                head = "h1" if odd > 6 else "h0"
                self._say(ev.TurnStarted(session=effect.session, turn=effect.turn, ref=MAIN, head=head))
            case due.GiveAnswer():
                self._say(ev.InputAnswered(session=effect.session, question=effect.question, option=effect.option))
            case due.Interrupt():
                self._end_turn(self.play.state.sessions[effect.session], "cancelled", "h0")
            case due.Stop():
                asked = self.play.state.sessions[effect.session].stopped
                how = "unkillable" if odd == 9 else "signaled"
                self._say(ev.Exited(session=effect.session, run=effect.run, how=how, signal=15, stopped=asked))
            case due.Restart():
                self.play.now = max(self.play.now, effect.at)
                self._say(ev.SessionRestartDue(session=effect.session, run=effect.run))
            case due.Judge():
                self._judge(effect, VERDICTS[b % len(VERDICTS)], odd)
            case due.LandPlan():
                self._land(effect, odd)
            case due.UndoPlan():
                ids = {"policy": effect.policy, "plan": effect.plan}
                refused = ev.UndoRefused(**ids, reason="the branch went on")
                self._say(refused if odd % 2 else ev.PlanRestored(**ids, was="landed"))
            case due.SettleAlert():
                outcome = ("adopted", "restored", "failed")[odd % 3]
                self._say(ev.AlertSettled(alert=effect.alert, outcome=outcome))  # type: ignore[arg-type]
            case due.RollBackTo():
                ids = {"session": effect.session, "snapshot": effect.snapshot}
                self._say(ev.RolledBack(**ids, refused="busy") if odd == 1 else ev.RolledBack(**ids, undo="9" * 40))

    def _judge(self, effect: due.Judge, verdict: str, odd: int) -> None:
        p = self.play.state.policies[effect.policy]
        results = (result(verdict),) if p.spec.gate else ()  # type: ignore[arg-type]
        plan = None
        if p.spec.then == "commit" and (odd or p.candidate):
            plan = p.candidate or self.play.new_plan(p.base_head)
        level = Assessment(level=1 + odd % 3) if odd % 2 else None
        self._say(
            ev.PolicyJudged(
                policy=p.policy, attempt=effect.attempt, results=results, plan=plan, assessment=level
            )
        )  # fmt: skip

    def _land(self, effect: due.LandPlan, odd: int) -> None:
        plan = self.play.state.plans[effect.plan]
        ids = {"policy": effect.policy, "plan": effect.plan}
        if odd in (1, 2):
            self._say(ev.PlanRebased(**ids, fresh=self.play.new_plan("h9")))
        elif odd == 3:
            self._say(ev.PlanVoided(**ids, reason="a.txt changed on both sides"))
        elif plan.state == "approved":
            self._say(ev.PlanLanding(**ids, ref=MAIN, old=plan.frozen.ref_old))
        elif odd == 4:
            self._say(ev.LandingRefused(**ids, reason="locked"))
        else:
            self._say(ev.PolicyCommitted(**ids, sha=plan.plan, ref=MAIN))

    def agent_acts(self, a: int, b: int, c: int) -> None:
        working = [s for s in self.play.state.sessions.values() if s.turn and not s.turn.end_seq and s.phase in LIVE]
        s = working[a % len(working)] if working and b % 8 else self._session(a)
        what = ("end", "end", "end", "end", "failed", "cancelled", "ask", "exit", "hung", "killed")[c % 10]
        self._end_turn(s, what, "h1" if b > 40 else "h0")

    def _end_turn(self, s: Session, what: str, head: str) -> None:
        if what == "exit":
            self._say(ev.Exited(session=s.session, run=s.run, how="exited", code=(0, 1, 127)[s.run % 3]))
        elif what == "killed":
            self._say(ev.Exited(session=s.session, run=s.run, how="signaled", signal=9))
        elif what == "hung":
            self._say(ev.SessionHung(session=s.session, run=s.run, turn=s.turns, cause="hang", why="silent"))
        elif s.phase not in LIVE or not s.turn or s.turn.end_seq:
            return
        elif what == "ask":
            ids = {"session": s.session, "turn": s.turn.number}
            options = (Option(id="yes", name="Yes"), Option(id="no", name="No"))
            self._say(ev.AwaitingInput(**ids, question=f"q{len(self.said)}", title="May I?", options=options))
        else:
            stop = {"end": "end_turn", "failed": "error", "cancelled": "cancelled"}[what]
            self._say(
                ev.TurnEnded(session=s.session, turn=s.turn.number, ok=what == "end", stop=stop, ref=MAIN, head=head)
            )

    def new_supervisor(self, a: int, b: int, c: int) -> None:
        self._say(ev.SupervisorStarted(pid=a, start_time=1, host="h", version="0"))
        lost = [s for s in self.play.state.sessions.values() if s.phase in LIVE and (s.pid or s.phase != "starting")]
        self._say(*(ev.SessionInterrupted(session=s.session, run=s.run) for s in lost))

    def silence(self, a: int, b: int, c: int) -> None:
        blown = ev.FuseBlown(sessions=(), at_work=3, why="all silent")
        self._say(ev.FuseReset(why="they speak again") if self.play.state.fuse else blown)

    def old_report(self, a: int, b: int, c: int) -> None:
        """From a supervisor that lost its lock, or an effect that was begun twice."""
        if self.said:
            self.play.report(self.said[-1 - (a * 64 + b) % min(len(self.said), 200)])

    def restart_from_checkpoint(self, a: int, b: int, c: int) -> None:
        again = decode(encode(self.play.state))
        assert again == self.play.state
        self.play.state = again


def live(steps: Sequence[tuple[str, int, int, int]]) -> Night:
    night = Night()
    for name, a, b, c in steps:
        getattr(night, name)(a, b, c)
    return night


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEP, min_size=30, max_size=160))
def test_every_night_keeps_the_promises(steps: list[tuple[str, int, int, int]]) -> None:
    live(steps).play.check_durable()
