"""A table to play the brain on: commands and reports go in, every fact is checked as it is folded.

`Play` holds the state that the brain made and a second one, replayed from the log fact by fact; they must agree.
"""

from __future__ import annotations

from collections import Counter

from console.core import commands as cmd
from console.core import commits, policies, queue, sessions
from console.core import events as ev
from console.core.decide import decide
from console.core.due import Stop, due
from console.core.react import settle
from console.core.records import (
    CommitSpec,
    Frozen,
    Gate,
    GateResult,
    Identity,
    Launch,
    OnFail,
    PlanPath,
    PolicySpec,
    Refused,
    Verdict,
    Where,
    Who,
)
from console.core.state import State, decode, encode

ME = Who(user="ada", tty="/dev/pts/1", via="test")
ACP = Launch(argv=("agent",))
MAIN = "refs/heads/main"
GATE = Gate(argv=("make", "check"))
NUDGE = OnFail(nudge="exit {code}: {output}")
COMMIT = CommitSpec(paths=("a.txt",), message="Fix a")


def commit_id(number: int) -> str:
    return f"{number:040x}"


def frozen(number: int, base: str = "h0", worktree: str = "/w", ref: str = MAIN) -> Frozen:
    """A candidate whose commit id is `number` in hex."""
    return Frozen(
        commit=commit_id(number),
        base=base,
        tree=f"{number:039x}f",
        ref=ref,
        ref_old=base,
        message="Fix a",
        author=Identity(name="Ada", email="ada@example.com"),
        when=1_700_000_000,
        zone="+0000",
        paths=(PlanPath(path="a.txt", old_mode="100644", old_oid="1" * 40, mode="100644", oid="2" * 40),),
        worktree=worktree,
        store="/store",
    )


def result(verdict: Verdict, where: Where = "worktree", output: str = "said so") -> GateResult:
    code = {"green": 0, "red": 1}.get(verdict)
    return GateResult(
        verdict=verdict, where=where, code=code, reason="no such file" * (verdict == "unjudged"), output=output
    )


class Play:
    def __init__(self) -> None:
        self.state = State()
        self.replayed = State()
        self.log: list[ev.Logged] = []
        self.now = 1_700_000_000.0
        self._plans = 0xABCDEF0
        self._committed: Counter[str] = Counter()
        self._approved: Counter[str] = Counter()

    # -- commands ----------------------------------------------------------------------------------------

    def ask(self, command: cmd.Command) -> tuple[ev.Fact, ...] | Refused:
        """What a command leads to, with everything that follows from it; a refusal changes nothing."""
        before = encode(self.state)
        facts = decide(self.state, command)
        assert encode(self.state) == before, "deciding must not change the state"
        if isinstance(facts, Refused):
            return facts
        self.now += 1.0
        entries = settle(self.state, facts, self.now)
        for entry in entries:
            self._fold(entry)
        self.check()
        return tuple(entry.fact for entry in entries)

    def do(self, command: cmd.Command) -> tuple[ev.Fact, ...]:
        facts = self.ask(command)
        assert not isinstance(facts, Refused), facts.reason
        return facts

    def refused(self, command: cmd.Command) -> str:
        facts = self.ask(command)
        assert isinstance(facts, Refused), facts
        return facts.reason

    def report(self, *facts: ev.Fact) -> tuple[ev.Fact, ...]:
        return self.do(cmd.Report(facts=facts))

    # -- the checks --------------------------------------------------------------------------------------

    def _fold(self, entry: ev.Logged) -> None:
        before = self.replayed
        policies_before, plans_before, phases = dict(before.policies), dict(before.plans), self._phases()
        slots = sum(p.status in policies.IN_A_SLOT for p in policies_before.values())
        before.apply(entry)
        self.log.append(entry)
        for p in before.policies.values():
            old = policies_before.get(p.policy)
            legal = old is None or old.status == p.status or p.status in policies.NEXT_STATES[old.status]
            assert legal, f"{p.policy}: {old and old.status} -> {p.status} by {entry.fact}"
        for plan in before.plans.values():
            was = plans_before.get(plan.plan)
            legal = was is None or was.state == plan.state or plan.state in commits.NEXT_STATES[was.state]
            assert legal, f"{plan.plan}: {was and was.state} -> {plan.state} by {entry.fact}"
        if not isinstance(entry.fact, (ev.PromptQueued, ev.SessionRestartDue)):
            risen = [s for s, phase in self._phases().items() if phases.get(s) == "exited" != phase]
            assert not risen, f"{risen} came back without a prompt by {entry.fact}"
        self._check_fact(entry.fact, policies_before, slots)

    def _phases(self) -> dict[str, str]:
        return {s.session: s.phase for s in self.replayed.sessions.values()}

    def _check_fact(self, fact: ev.Fact, before: dict[str, policies.Policy], slots: int) -> None:
        match fact:
            case ev.PolicyGating():
                assert before[fact.policy].status == "queued", fact
                assert slots < policies.CONCURRENCY, "a gate was started without a free slot"
            case ev.PolicyQueued():
                assert before[fact.policy].status in ("watching", "nudging", "acting", "blocked"), "queued twice"
            case ev.PolicyPassed():
                ungated = self.replayed.policies[fact.policy].spec.gate is None
                assert ungated or (fact.gate and fact.gate.verdict == "green"), fact
            case ev.PolicyNudged():
                spec = self.replayed.policies[fact.policy].spec
                assert spec.on_fail and fact.retry <= spec.on_fail.retries
            case ev.ApprovalRequested():
                self._approved[fact.plan] += 1
            case ev.PolicyCommitted():
                self._committed[fact.plan] += 1
                assert self._committed[fact.plan] <= self._approved[fact.plan], "landed without a key of its own"
            case _:
                pass

    def check(self) -> None:
        """What is true whenever a command has settled."""
        state = self.state
        assert self.replayed == state
        busy = sum(p.status in policies.IN_A_SLOT for p in state.policies.values())
        gating = sum(p.status == "gating" for p in state.policies.values())
        assert gating <= policies.CONCURRENCY
        for p in state.policies.values():
            self._check_policy(p, busy)
        for plan in state.plans.values():
            owner = state.policies[plan.policy]
            if plan.state == "waiting":
                assert owner.status == "awaiting-ack" and owner.plan == plan.plan, (owner, plan)
            if plan.state in ("approved", "landing", "undoing"):
                assert owner.status == "acting" and owner.plan == plan.plan, (owner, plan)
        assert len(set(due(state))) == len(list(due(state)))
        for s in state.sessions.values():
            owed = [e for e in due(state) if getattr(e, "session", "") == s.session and not isinstance(e, Stop)]
            assert not s.lent or not owed, f"{s.session} is lent, but owed are {owed}"
            assert not s.restart_at or (s.phase == "exited" and not s.stopped and not s.prompts), s

    def _check_policy(self, p: policies.Policy, busy: int) -> None:
        waits = queue.no_room(self.state, p)  # a judge, for an agent of the run
        # A run has a limit of its own for its tickets' gates.
        if p.status == "queued" and not p.spec.ticket and not waits:
            assert busy >= policies.CONCURRENCY, f"{p.policy} waits for a slot while one is free"
        if p.status in policies.WAITING_FOR_TURN:
            ends = [sessions.finished_since(self.state.sessions[name], p.since) for name in p.spec.sessions]
            told = [end for end in ends if end != "turn"] if p.spec.ticket else []  # the queue decides what these mean
            assert "" in ends or told, f"{p.policy} still {p.status} although every session has finished: {ends}"
        if p.status == "awaiting-ack":
            assert self.state.plans[p.plan].state == "waiting"
        if p.status == "blocked":
            assert p.reason

    def check_durable(self) -> None:
        """The log and a checkpoint both lead to the same state."""
        again = State()
        for entry in self.log:
            again.apply(entry)
        assert again == self.state
        assert decode(encode(self.state)) == self.state

    # -- shorthand ---------------------------------------------------------------------------------------

    def session(self, prompt: str = "go", launch: Launch = ACP, worktree: str = "/w") -> str:
        """A session that is up; with a prompt, its first turn is about to begin."""
        facts = self.do(cmd.StartSession(launch=launch, cwd=worktree, worktree=worktree, by=ME, prompt=prompt))
        assert isinstance(facts[0], ev.SessionAdded)
        self.up(facts[0].session)
        return facts[0].session

    def up(self, name: str, conversation: str = "c") -> None:
        run = self.state.sessions[name].run
        self.report(ev.SessionStarted(session=name, run=run, conversation=conversation, pid=10, shim_pid=9))

    def prompt(self, name: str, text: str = "more") -> None:
        self.do(cmd.SendPrompt(session=name, text=text, by=ME))

    def begin(self, name: str, head: str = "h0", ref: str = MAIN) -> None:
        turn = self.state.sessions[name].prompts[0].turn
        self.report(ev.TurnStarted(session=name, turn=turn, ref=ref, head=head))

    def end(self, name: str, *, ok: bool = True, stop: str = "end_turn", head: str = "h0") -> tuple[ev.Fact, ...]:
        turn = self.state.sessions[name].turn
        assert turn
        return self.report(ev.TurnEnded(session=name, turn=turn.number, ok=ok, stop=stop, ref=MAIN, head=head))

    def turn(self, name: str, head: str = "h0", end_head: str = "") -> tuple[ev.Fact, ...]:
        self.begin(name, head)
        return self.end(name, head=end_head or head)

    def exit(self, name: str, code: int = 0) -> tuple[ev.Fact, ...]:
        return self.report(ev.Exited(session=name, run=self.state.sessions[name].run, how="exited", code=code))

    def attach(self, *names: str, since: int | None = None, **spec: object) -> str:
        facts = self.do(cmd.AttachPolicy(spec=PolicySpec(sessions=names, **spec), by=ME, since=since))  # type: ignore[arg-type]
        assert isinstance(facts[0], ev.PolicyAttached)
        return facts[0].policy

    def new_plan(self, base: str = "h0") -> Frozen:
        self._plans += 0x10000000
        return frozen(self._plans << 100, base)

    def judge(self, policy: str, verdict: Verdict | None = "green", plan: Frozen | None = None) -> tuple[ev.Fact, ...]:
        """Report a judgement as the supervisor does. verdict None: a policy without a gate."""
        p = self.state.policies[policy]
        if p.spec.then == "commit" and plan is None:
            plan = p.candidate or self.new_plan(p.base_head)
        results = (result(verdict),) if verdict else ()
        return self.report(ev.PolicyJudged(policy=policy, attempt=p.attempt, results=results, plan=plan))

    def waiting_plan(self, name: str = "", **spec: object) -> tuple[str, str, str]:
        """(session, policy, plan): a green commit policy whose plan waits for a person."""
        name = name or self.session()
        fields = {"then": "commit", "gate": GATE, "commit": COMMIT} | spec
        policy = self.attach(name, **fields)
        self.turn(name)
        self.judge(policy)
        return name, policy, self.state.policies[policy].plan

    def approve(self, policy: str, plan: str = "") -> tuple[ev.Fact, ...]:
        return self.do(cmd.Approve(policy=policy, plan=plan or self.state.policies[policy].plan, by=ME))

    def land(self, policy: str) -> tuple[ev.Fact, ...]:
        """What the supervisor reports when everything is well after the key press."""
        plan = self.state.plans[self.state.policies[policy].plan]
        ids = {"policy": policy, "plan": plan.plan}
        self.report(ev.PlanLanding(**ids, ref=plan.frozen.ref, old=plan.frozen.ref_old))
        return self.report(ev.PolicyCommitted(**ids, sha=plan.plan, ref=plan.frozen.ref))

    def status(self, policy: str) -> str:
        return self.state.policies[policy].status

    def plan_state(self, plan: str) -> str:
        return self.state.plans[plan].state


def kinds(facts: tuple[ev.Fact, ...]) -> list[str]:
    return [ev.type_of(fact) for fact in facts]
