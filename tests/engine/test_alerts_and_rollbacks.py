"""The git dir and the snapshots as the supervisor sees them: when it looks, what it tells, what it then refuses."""

from __future__ import annotations

from dataclasses import replace as with_fields
from pathlib import Path

from msgspec.structs import replace
from night import ENDED, GREEN, H0, MAIN, ME, Night, NoHooks, approved, done, frozen, landed

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Frozen, Refused, RepoChange, Sandbox
from console.core.state import open_alert
from console.engine.ports import Landed, Locked, Look, Signed, TurnBase

FSMONITOR = RepoChange(item="config core.fsmonitor", severity="runs", after="/tmp/x")
TAMPERED = Look(baseline="b", seen="s", changes=(FSMONITOR, RepoChange(item="ref x", severity="note")))


async def test_the_baseline_is_taken_before_the_first_agent_starts_and_only_then(night: Night) -> None:
    night.script.expect("start", "c1", "c2")
    night.expect_turn(ENDED, ENDED)
    async with night.supervised():
        first = night.session()
        await night.until(lambda state: state.sessions[first].phase == "ready" and state.sessions[first].turns)
        assert night.watch.did == [("rebase",)]
        second = night.session()
        await night.until(lambda state: state.sessions[second].phase == "ready" and state.sessions[second].turns)
    assert night.watch.did == [("rebase",)], "with an agent alive, what is there may be its own"


async def test_a_turn_that_was_cut_off_does_not_get_its_traces_taken_for_the_operators(night: Night) -> None:
    session = night.session()
    night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
    night.report(ev.TurnStarted(session=session, turn=1, ref=MAIN, head=H0.head))
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.watch.looks.append(TAMPERED)
    async with night.supervised():
        await night.until(open_alert)
    assert ("rebase",) not in night.watch.did
    assert night.snapshots.names == [], "its files before the turn are in the snapshot of its true beginning"


async def test_what_changed_in_a_turn_is_told_before_its_end_and_holds_the_plan(night: Night) -> None:
    plan, again = frozen(night.worktree), frozen(night.worktree, 2)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.expect_judgement(plan=plan)
    night.watch.rest = TAMPERED
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "awaiting-ack"))
        kinds = [type(fact) for fact in night.facts()]
        assert kinds.index(ev.RepositoryChanged) < kinds.index(ev.TurnEnded)
        (told,) = night.facts(ev.RepositoryChanged)
        assert told.changes == (FSMONITOR,) and (told.session, told.turn) == ("s-1", 1), "a note alone is no alert"
        outcome = night.journal.submit(cmd.Approve(policy=policy, plan=plan.commit, by=ME, confirm=policy))
        assert isinstance(outcome, Refused) and "alert-1" in outcome.reason
        night.watch.answer = ("config put back",)
        night.expect_judgement(plan=again)
        night.do(cmd.AnswerAlert(alert="alert-1", action="restore", by=ME))
        await night.until(lambda state: again.commit in state.plans)
        night.expect_landing(landed(night, again))
        night.do(cmd.Approve(policy=policy, plan=again.commit, by=ME))
        await night.until(done(policy))
    assert night.watch.did == [("rebase",), ("restore", "b", "s"), ("accept", MAIN)]
    assert night.state.alerts["alert-1"].notes == ("config put back",)


async def test_no_hook_runs_while_nobody_knows_whose_it_is_and_the_work_is_judged_again_after_that(
    night: Night,
) -> None:
    plan, again = frozen(night.worktree), frozen(night.worktree, 2)
    asked: list[str] = []

    class Planted(NoHooks):
        def prepare(self, plan: Frozen, into: Path) -> None:
            asked.append(plan.commit)

    night.world = with_fields(night.world, hooks=Planted())
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.expect_judgement(plan=plan)
    night.watch.rest = TAMPERED
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "awaiting-ack"))
        (finding,) = night.state.plans[plan.commit].assessment.findings  # type: ignore[union-attr]
        assert asked == [] and "judged without commit hooks" in finding.text and "alert-1" in finding.text
        night.expect_judgement(plan=again)
        night.do(cmd.AnswerAlert(alert="alert-1", action="adopt", by=ME))
        await night.until(lambda state: again.commit in state.plans)
    assert asked == [again.commit] and night.state.plans[plan.commit].state == "superseded"
    assert night.state.plans[again.commit].level == 1


async def test_what_could_not_be_put_back_keeps_the_alert_open_and_is_named(night: Night) -> None:
    lock = RepoChange(item="lock refs/heads/x.lock", severity="lock", cure="move it away")
    night.report(ev.RepositoryChanged(alert="alert-1", when="turn", changes=(lock,), baseline="b", seen="s"))
    night.do(cmd.AnswerAlert(alert="alert-1", action="restore", by=ME))
    night.watch.looks.append(Look(baseline="b", seen="s", changes=(lock,)))
    async with night.supervised():
        await night.until(lambda state: state.alerts["alert-1"].notes)
    alert = open_alert(night.state)
    assert alert and alert.notes == ("still there: lock refs/heads/x.lock: move it away",)


async def test_looks_are_strict_while_something_of_ours_can_write_the_git_dir(night: Night) -> None:
    for box, strict in ((Sandbox(read_only=("/r/.git",)), False), (Sandbox(read_only=("/state",)), True), (None, True)):
        night.world = with_fields(night.world, git_dir="/r/.git", sandbox=lambda tree, writable, box=box: box)
        night.script.expect("start", "c1")
        night.expect_turn(ENDED)
        async with night.supervised():
            session = night.session()
            await night.until(lambda state, s=session: state.sessions[s].phase == "ready" and state.sessions[s].turns)
            assert night.watch.strict is strict
            night.do(cmd.StopSession(session=session, by=ME))
            await night.until(lambda state, s=session: state.sessions[s].phase == "exited")


async def test_tampering_between_the_key_and_the_landing_is_seen_at_the_key(night: Night) -> None:
    policy, plan = approved(night)
    night.watch.looks.append(TAMPERED)
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert "config core.fsmonitor" in night.state.plans[plan.commit].reason
    assert "land" not in night.script.calls and night.facts(ev.PlanLanding) == []
    assert open_alert(night.state)


async def test_a_watch_that_cannot_tell_is_no_green_light(night: Night) -> None:
    policy, plan = approved(night)
    night.watch.looks.append(Refused(reason="the git dir is gone"))
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert "the git dir is gone" in night.state.plans[plan.commit].reason


async def test_what_the_operator_put_right_himself_settles_the_alert(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED, ENDED)
    night.watch.looks.append(TAMPERED)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: open_alert(state) and state.sessions[session].phase == "ready")
        night.do(cmd.SendPrompt(session=session, text="more", by=ME))
        await night.until(lambda state: not open_alert(state))
    assert night.state.alerts["alert-1"].outcome == "gone"


async def test_an_answer_that_fails_leaves_the_alert_open(night: Night) -> None:
    night.report(
        ev.RepositoryChanged(alert="alert-1", when="turn", changes=(FSMONITOR,), baseline="b", seen="s")
    )  # fmt: skip
    night.do(cmd.AnswerAlert(alert="alert-1", action="adopt", by=ME))
    night.watch.answer = Refused(reason="it changed again")
    async with night.supervised():
        await night.until(lambda state: state.alerts["alert-1"].notes)
    alert = open_alert(night.state)
    assert alert and alert.notes == ("it changed again",) and night.watch.did == [("adopt", "s")]


async def test_the_agents_commits_on_the_operators_own_branch_are_an_alert_that_restores_the_branch(
    night: Night,
) -> None:
    night.script.expect("start", "c1")
    night.script.expect("prompt", ENDED)
    night.script.expect("turn_base", H0, TurnBase(ref=MAIN, head="b" * 40))
    async with night.supervised():
        night.session()
        await night.until(open_alert)
        alert = open_alert(night.state)
        assert alert and not alert.blocks
        (change,) = alert.changes
        assert (change.item, change.before, change.after) == (f"ref {MAIN}", H0.head, "b" * 40)
        night.do(cmd.AnswerAlert(alert=alert.alert, action="restore", by=ME))
        await night.until(lambda state: not open_alert(state))
    assert night.watch.did[-1] == ("restore", "b", "b", MAIN)


async def test_adopted_commits_are_where_the_work_begins(night: Night) -> None:
    after = TurnBase(ref=MAIN, head="b" * 40)
    night.script.expect("start", "c1")
    night.script.expect("prompt", ENDED)
    night.script.expect("turn_base", H0, after, H0, after, after)
    night.script.expect("identity", frozen(night.worktree).author, frozen(night.worktree).author)
    seen: list[str] = []

    def freeze(request: object) -> Frozen | Refused:
        seen.append(request.base.head)  # type: ignore[attr-defined]
        return Refused(reason="commits appeared on main")

    night.script.expect("freeze", freeze, freeze)
    night.script.expect("launch", GREEN, GREEN)
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "blocked"))
        night.do(cmd.AnswerAlert(alert="alert-1", action="adopt", by=ME))
        await night.until(lambda state: not open_alert(state))
        night.do(cmd.RetryPolicy(policy=policy, by=ME))
        await night.until(lambda state: len(seen) == 2 and state.policies[policy].status == "blocked")
    assert seen == [H0.head, after.head]


async def test_each_turn_has_a_snapshot_of_what_was_before_it(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED, ENDED)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: state.sessions[session].phase == "ready" and state.sessions[session].turns)
        night.do(cmd.SendPrompt(session=session, text="more", by=ME))
        await night.until(lambda state: state.sessions[session].turns == 2 and state.sessions[session].phase == "ready")
        night.do(cmd.RollBack(session=session, by=ME))
        await night.until(lambda state: state.sessions[session].rolled_back)
    assert night.snapshots.names == ["s-1/1", "s-1/2"]
    kept = [(one.snapshot, one.turn) for one in night.state.sessions[session].snapshots]
    assert night.snapshots.restored == [kept[1][0]] and [turn for _, turn in kept] == [1, 2, 0]
    kinds = [type(fact) for fact in night.facts()]
    assert kinds.index(ev.SnapshotTaken) < kinds.index(ev.TurnStarted)


async def test_a_turn_begins_without_a_snapshot_when_none_can_be_taken_and_says_so(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.snapshots.refuses = Refused(reason="60,000 untracked files")
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: state.sessions[session].phase == "ready" and state.sessions[session].turns)
    assert night.state.sessions[session].no_snapshot == "60,000 untracked files"


async def test_a_rollback_that_git_refuses_says_why_and_frees_the_session(night: Night) -> None:
    session = night.session("")
    night.report(ev.SnapshotTaken(session=session, turn=1, snapshot="7" * 40))
    night.report(ev.SessionStarted(session=session, run=1, conversation="c", pid=5))
    night.do(cmd.RollBack(session=session, by=ME))
    night.snapshots.refuses = Refused(reason="the worktree is gone")
    async with night.supervised():
        await night.until(lambda state: state.sessions[session].rolled_back)
    assert "the worktree is gone" in night.state.sessions[session].rolled_back


async def test_what_lands_is_the_signed_commit_and_its_id_is_in_the_log_before_the_ref_moves(night: Night) -> None:
    policy, plan = approved(night)
    signed = "5" * 40
    night.signing.answers.append(Signed(commit=signed, by="ABCD"))
    night.script.expect("moved", None)
    night.script.expect("drift", ())

    def land(given: Frozen) -> Landed:
        (intent,) = night.facts(ev.PlanLanding)
        assert intent.commit == signed and given == replace(plan, commit=signed)
        return Landed(commit=signed)

    night.script.expect("land", land)
    async with night.supervised():
        await night.until(done(policy))
    (committed,) = night.facts(ev.PolicyCommitted)
    assert (committed.plan, committed.sha) == (plan.commit, signed)


async def test_a_signed_landing_that_was_cut_off_is_found_by_its_signed_id(night: Night) -> None:
    policy, plan = approved(night)
    signed = "5" * 40
    night.report(ev.PlanLanding(policy=policy, plan=plan.commit, ref=MAIN, old=H0.head, commit=signed))
    night.script.expect("landed", lambda given: given.commit == signed)
    night.script.expect("land", Landed(commit=signed))
    async with night.supervised():
        await night.until(done(policy))
    (committed,) = night.facts(ev.PolicyCommitted)
    assert committed.sha == signed and "after a restart" in committed.note


async def test_a_locked_key_moves_nothing_and_leaves_the_plan_waiting_with_the_cure(night: Night) -> None:
    policy, plan = approved(night)
    night.signing.answers.append(Locked(reason="the key ABCD is locked", unlock=("gpg", "--sign")))
    night.script.expect("moved", None)
    night.script.expect("drift", ())
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    kept = night.state.plans[plan.commit]
    assert (kept.state, kept.reason, kept.unlock) == ("waiting", "the key ABCD is locked", ("gpg", "--sign"))
    assert night.facts(ev.PlanLanding) == [] and "land" not in night.script.calls


async def test_what_runs_in_a_worktree_runs_in_its_sandbox_and_nothing_runs_where_it_is_required_but_off(
    night: Night,
) -> None:
    box = Sandbox(read_only=("/r/.git",))
    answers: list[Sandbox | Refused] = [Refused(reason="user namespaces are off"), box, box]
    asked: list[tuple[str, bool]] = []

    def sandbox(worktree: str, writable: bool) -> Sandbox | Refused:
        asked.append((worktree, writable))
        return answers.pop(0)

    night.world = with_fields(night.world, sandbox=sandbox, sandbox_words=lambda made: "boxed")
    specs: list[object] = []

    def start(spec: object) -> str:
        specs.append(spec)
        return "c1"

    night.script.expect("start", start)
    night.expect_turn(ENDED)
    night.expect_judgement()
    async with night.supervised():
        first = night.session()
        await night.until(lambda state: state.sessions[first].phase == "exited")
        assert "user namespaces are off" in night.state.sessions[first].exit
        second = night.session()
        policy = night.attach(second)
        await night.until(done(policy))
    assert [spec.sandbox for spec in specs] == [box]  # type: ignore[attr-defined]
    assert [spec.sandbox for spec in night.processes.specs] == [box]
    assert asked == 3 * [(str(night.worktree), False)]
    assert night.state.sessions[second].sandbox == "boxed"
