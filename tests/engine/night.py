"""A supervisor on a real log with a faked world. The fakes fail on calls nobody expected and on expected ones that
never came, and they keep the order of what touched the world."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import (
    Assessment,
    CommitSpec,
    Frozen,
    Gate,
    Identity,
    Launch,
    Leftover,
    OnFail,
    PlanPath,
    PolicySpec,
    ProcessEnd,
    Refused,
    Who,
)
from console.core.state import State
from console.engine.journal import Journal
from console.engine.ports import (
    AgentFact,
    AgentSpec,
    Began,
    Ended,
    HookRun,
    Landed,
    Locked,
    Look,
    ProcessSpec,
    RolledBack,
    Signed,
    Snapshot,
    TurnBase,
    TurnResult,
    Vital,
)
from console.engine.supervisor import About, Supervisor
from console.engine.world import World

ME = Who(user="ada")
MAIN = "refs/heads/main"
H0 = TurnBase(ref=MAIN, head="a" * 40)
GREEN = ProcessEnd(how="exited", code=0, leftovers=(Leftover(pid=1, command="sleep"),))
RED = ProcessEnd(how="exited", code=1)
ENDED = TurnResult(ok=True, stop="end_turn")
PATIENCE = 20.0


def frozen(worktree: Path, number: int = 1) -> Frozen:
    return Frozen(
        commit=f"{number:040x}",
        base=H0.head,
        tree="f" * 40,
        ref=MAIN,
        ref_old=H0.head,
        message="Fix a",
        author=Identity(name="Ada", email="ada@example.com"),
        when=1_700_000_000,
        zone="+0000",
        paths=(PlanPath(path="a.txt", old_mode="100644", old_oid="1" * 40, mode="100644", oid="2" * 40),),
        worktree=str(worktree),
        store="/store",
    )


class Script:
    """Answers, one a call, by the name of what is called. An answer that is an exception is raised; a function is
    called with the arguments."""

    def __init__(self) -> None:
        self.answers: dict[str, deque[Any]] = defaultdict(deque)
        self.calls: list[str] = []
        self.surprises: list[str] = []
        self._lock = threading.Lock()

    def expect(self, name: str, *answers: Any) -> None:
        self.answers[name].extend(answers)

    def call(self, name: str, *args: Any) -> Any:
        with self._lock:
            self.calls.append(name)
            if not self.answers[name]:
                self.surprises.append(f"{name}{args}")
                raise AssertionError(f"nobody expected {name}{args}")
            answer = self.answers[name].popleft()
        if isinstance(answer, BaseException):
            raise answer
        return answer(*args) if callable(answer) else answer

    def check(self) -> None:
        assert not self.surprises, self.surprises
        missing = {name: len(left) for name, left in self.answers.items() if left}
        assert not missing, f"expected, but never called: {missing}"


class FakeGit:
    """Every method that the engine may call, answered by the script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args: self._script.call(name, *args)


class FakeRunning:
    """A process under a shim. end None: it runs until it is stopped."""

    stdin_fd = stdout_fd = None
    pid = start_time = shim_pid = shim_start = 1

    def __init__(self, end: ProcessEnd | None) -> None:
        self.stops: list[float | None] = []
        self._over: asyncio.Future[ProcessEnd] = asyncio.get_running_loop().create_future()
        if end:
            self._over.set_result(end)

    async def wait(self) -> ProcessEnd:
        return await asyncio.shield(self._over)

    def stop(self, grace: float | None = None) -> None:
        self.stops.append(grace)
        if not self._over.done():
            self._over.set_result(ProcessEnd(how="signaled", signal=15, stopped=True))


class FakeProcesses:
    def __init__(self, script: Script) -> None:
        self._script = script
        self.running: list[FakeRunning] = []
        self.specs: list[ProcessSpec] = []

    async def launch(self, spec: ProcessSpec) -> FakeRunning | ProcessEnd:
        end = self._script.call("launch", spec)
        if isinstance(end, ProcessEnd) and end.how == "not-started":
            return end
        self.specs.append(spec)
        self.running.append(FakeRunning(end))
        return self.running[-1]


class FakeAgent:
    """One live agent. A turn is answered by the script; None: it goes on until it is cancelled or stopped."""

    def __init__(self, script: Script, spec: AgentSpec, report: Callable[[AgentFact], None]) -> None:
        self._script = script
        self.spec = spec
        self.report = report
        self.prompts: list[tuple[int, str]] = []
        self.stopped = False
        self.patience = -1.0
        self.shows = Vital()
        self.ends: ProcessEnd | None = None
        self._break: asyncio.Future[TurnResult] = asyncio.get_running_loop().create_future()

    async def prompt(self, turn: int, text: str) -> TurnResult:
        self.prompts.append((turn, text))
        result = self._script.call("prompt", turn, text)
        return result or await asyncio.shield(self._break)

    def answer(self, question: str, option: str | None) -> bool:
        return bool(self._script.call("answer", question, option))

    async def cancel(self) -> None:
        self._script.call("cancel")
        self._break.set_result(TurnResult(ok=False, stop="cancelled"))

    async def stop(self, patience: float = 5.0) -> None:
        self.patience = patience
        self.end(self.ends or ProcessEnd(how="signaled", signal=15, stopped=True))

    def vital(self) -> Vital:
        return self.shows

    def end(self, end: ProcessEnd) -> None:
        """The process is gone, which also ends the turn that ran."""
        if not self.stopped:
            self.stopped = True
            if not self._break.done():
                self._break.set_result(TurnResult(ok=False, stop="died"))
            self.report(Ended(end=end))


class FakeAgents:
    def __init__(self, script: Script) -> None:
        self._script = script
        self.started: list[FakeAgent] = []
        self.dies_at_start: ProcessEnd | None = None

    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> FakeAgent | Refused:
        answer = self._script.call("start", spec)
        if asyncio.isfuture(answer):  # its agent takes its time
            answer = await answer
        if isinstance(answer, Refused):
            return answer
        agent = FakeAgent(self._script, spec, report)
        self.started.append(agent)
        report(Began(conversation=answer, pid=11, shim_pid=10, shim_start=5, resumed=bool(spec.conversation)))
        if self.dies_at_start:
            agent.end(self.dies_at_start)
        return agent


class FakePlaces:
    def __init__(self, root: Path) -> None:
        self._root = root

    def transcript(self, session: str) -> Path:
        return self._root / f"{session}.jsonl"

    def stderr(self, session: str, run: int) -> Path:
        return self._root / f"{session}.{run}.err"

    def gate_output(self, policy: str, attempt: int, where: str) -> Path:
        return self._root / f"{policy}.{attempt}.{where}.out"

    def checkout(self, policy: str, attempt: int) -> Path:
        return self._root / "checkouts" / f"{policy}.{attempt}"

    def hooks(self, policy: str, attempt: int) -> Path:
        return self._root / "hooks" / f"{policy}.{attempt}"

    def inbox(self, session: str) -> Path:
        return self._root / "inbox" / session


class FakeWatch:
    """A git dir as the operator left it, until `looks` says otherwise."""

    def __init__(self) -> None:
        self.looks: deque[Look | Refused] = deque()
        self.rest: Look | Refused = Look(baseline="b", seen="b")
        self.strict = False
        self.did: list[tuple[str, ...]] = []
        self.answer: tuple[str, ...] | Refused = ()

    def rebase(self) -> None:
        self.did.append(("rebase",))

    def look(self, own_refs: frozenset[str] = frozenset(), *, strict: bool = False) -> Look | Refused:
        self.strict = strict
        return self.looks.popleft() if self.looks else self.rest

    def accept_worktree(self, worktree: str) -> None:
        self.did.append(("new", worktree))

    def accept_refs(self, refs: frozenset[str]) -> None:
        self.did.append(("accept", *refs))

    def adopt(self, seen: str, own_refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        self.did.append(("adopt", seen))
        return self._answered()

    def restore(self, baseline: str, seen: str, refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        self.did.append(("restore", baseline, seen, *sorted(refs)))
        return self._answered()

    def _answered(self) -> tuple[str, ...] | Refused:
        if not isinstance(self.answer, Refused):
            self.rest = Look(baseline="b", seen="b")
        return self.answer


class FakeSnapshots:
    """Takes and restores what it is told; `refuses` is its answer to both when set."""

    def __init__(self) -> None:
        self.refuses: Refused | None = None
        self.names: list[str] = []
        self.restored: list[str] = []
        self.kept: list[frozenset[str]] = []

    def take(self, worktree: str, name: str, when: int) -> Snapshot | Refused:
        self.names.append(name)
        number = len(self.names)
        return self.refuses or Snapshot(snapshot=f"5{number:039x}", worktree=worktree, when=when)

    def changes(self, worktree: str, snapshot: str) -> tuple[str, ...] | Refused:
        return self.refuses or ("M a.txt",)

    def restore(self, worktree: str, snapshot: str, when: int) -> RolledBack | Refused:
        self.restored.append(snapshot)
        undo = Snapshot(snapshot=f"6{len(self.restored):039x}", worktree=worktree, when=when)
        return self.refuses or RolledBack(undo=undo, changed=("M a.txt",), count=1)

    def collect(self, keep: frozenset[str], now: int) -> int:
        self.kept.append(keep)
        return 0


class NoHooks:
    def prepare(self, plan: Frozen, into: Path) -> None:
        return None

    def outcome(self, plan: Frozen, run: HookRun) -> Frozen | Refused:
        raise AssertionError("there are no hooks")


class FakeSigning:
    """Nobody asks for a signature, until `answers` says otherwise."""

    def __init__(self) -> None:
        self.answers: deque[Signed | Locked | Refused] = deque()

    def sign(self, plan: Frozen) -> Signed | Locked | Refused | None:
        return self.answers.popleft() if self.answers else None


class Night:
    """The log, the world and a client's view of it. `do` is what a person or another process appends."""

    def __init__(self, place: Path) -> None:
        self.path = place / "log.db"
        self.worktree = place / "w"
        self.worktree.mkdir()
        self.script = Script()
        self.processes = FakeProcesses(self.script)
        self.agents = FakeAgents(self.script)
        self.journal = Journal(Log(self.path), time.time)
        self.gate_on = "plan"
        self.watch = FakeWatch()
        self.snapshots = FakeSnapshots()
        self.signing = FakeSigning()
        self.assessment: Assessment | None = None
        self.world = World(
            git=FakeGit(self.script),  # type: ignore[arg-type]
            watch=self.watch,
            snapshots=self.snapshots,
            hooks=NoHooks(),
            signing=self.signing,
            assess=lambda plan, hooks: self.assessment or (Assessment(level=2, findings=hooks) if hooks else None),
            root=str(self.worktree),
            processes=self.processes,
            agents=self.agents,
            places=FakePlaces(place),
            now=lambda: 1_700_000_000.0,
            gate_on=lambda: self.gate_on,
            session_env=lambda launch: {},
            gate_env=lambda: {"PATH": "/bin"},
            find_command=lambda name, env: f"/bin/{name}",
        )
        self.sup: Supervisor | None = None

    @property
    def state(self) -> State:
        self.journal.refresh()
        return self.journal.state

    @property
    def prompted(self) -> bool:
        """An agent has got a prompt; by then the supervisor itself knows that the turn began."""
        return any(agent.prompts for agent in self.agents.started)

    def do(self, command: cmd.Command) -> tuple[ev.Logged, ...]:
        result = self.journal.submit(command)
        assert not isinstance(result, Refused), result
        if self.sup:
            self.sup.look()
        return result

    def report(self, *facts: ev.Fact) -> None:
        self.do(cmd.Report(facts=facts))

    def facts(self, kind: type[ev.Event] = ev.Event) -> list[Any]:
        return [entry.fact for entry in self.journal.since(0) if isinstance(entry.fact, kind)]

    def open_journal(self) -> Journal:
        return Journal(Log(self.path), time.time)

    async def until(self, look: Callable[[State], object]) -> None:
        """Until the log says so; a surprise of a fake or a dead supervisor ends the wait at once."""
        deadline = time.monotonic() + PATIENCE
        while not look(self.state):
            assert not self.script.surprises, self.script.surprises
            assert time.monotonic() < deadline, (self.facts(), self.script.calls)
            await asyncio.sleep(0.002)

    @asynccontextmanager
    async def supervised(
        self, *, open_journal: Callable[[], Journal] | None = None, **options: Any
    ) -> AsyncIterator[asyncio.Task[str]]:
        """A supervisor in this loop. Leaving stops it and checks that the world saw exactly what was expected."""
        about = About(pid=77, start_time=1, host="h", version="0")
        self.sup = Supervisor(self.world, open_journal or self.open_journal, about, **options)
        task = asyncio.create_task(self.sup.main())
        try:
            yield task
        finally:
            self.sup.request_stop("the test is over")
            await asyncio.wait({task}, timeout=PATIENCE)
            assert task.done(), "the supervisor did not end"
            self.sup = None
        self.script.check()

    # -- shorthand ---------------------------------------------------------------------------------------

    def session(self, prompt: str = "go", launch: Launch | None = None) -> str:
        folder = str(self.worktree)
        launch = launch or Launch(argv=("agent",))
        added = self.do(cmd.StartSession(launch=launch, cwd=folder, worktree=folder, by=ME, prompt=prompt))[0].fact
        assert isinstance(added, ev.SessionAdded)
        return added.session

    def attach(self, session: str, *, commits: bool = False, nudge: bool = False) -> str:
        spec = PolicySpec(
            sessions=(session,),
            then="commit" if commits else "emit",
            gate=Gate(argv=("make", "check"), timeout=30),
            commit=CommitSpec(paths=("a.txt",), message="Fix a") if commits else None,
            on_fail=OnFail(nudge="fix: {code}") if nudge else None,
        )
        attached = self.do(cmd.AttachPolicy(spec=spec, by=ME))[0].fact
        assert isinstance(attached, ev.PolicyAttached)
        return attached.policy

    def expect_turn(self, *results: TurnResult | None) -> None:
        """Turns of an agent; each looks where the worktree stands before and after."""
        self.script.expect("prompt", *results)
        for result in results:
            self.script.expect("turn_base", *([H0, H0] if result else [H0]))

    def expect_judgement(self, *, plan: Frozen | None = None, differs: Sequence[str] = ()) -> None:
        """A green judgement; with a plan, its freezing and the look whether the worktree is more than it."""
        self.script.expect("launch", GREEN)
        if plan:
            self.script.expect("turn_base", H0)
            self.script.expect("identity", plan.author)
            self.script.expect("freeze", plan)
            self.script.expect("drift", ())
            self.script.expect("same_bytes", tuple(differs))
        else:
            self.script.expect("worktrees", ())

    def expect_landing(self, landed: Callable[[Frozen], Landed] | Landed) -> None:
        self.script.expect("moved", None)
        self.script.expect("drift", ())
        self.script.expect("land", landed)

    def waiting_plan(self, number: int = 1) -> tuple[str, str, Frozen]:
        """(session, policy, plan), from an earlier supervisor; the session's processes are gone."""
        session = self.session()
        policy = self.attach(session, commits=True)
        self.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
        self.report(ev.TurnStarted(session=session, turn=1, ref=H0.ref, head=H0.head))
        self.report(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn", ref=H0.ref, head=H0.head))
        plan = frozen(self.worktree, number)
        green = ev.GateResult(verdict="green", where="worktree", code=0)
        self.report(ev.PolicyJudged(policy=policy, attempt=1, results=(green,), plan=plan))
        return session, policy, plan


def landed(night: Night, plan: Frozen) -> Callable[[Frozen], Landed]:
    """What git does when it is told to land: by then the intent must be in the log, on disk."""

    def land(frozen: Frozen) -> Landed:
        log = Log(night.path)
        intents = [e.fact for e in log.read(0) if isinstance(e.fact, ev.PlanLanding) and e.fact.plan == plan.commit]
        log.close()
        assert intents and frozen == plan
        return Landed(commit=plan.commit)

    return land


def done(policy: str, status: str = "done") -> Callable[..., bool]:
    return lambda state: state.policies[policy].status == status


def approved(night: Night) -> tuple[str, Frozen]:
    _, policy, plan = night.waiting_plan()
    night.do(cmd.Approve(policy=policy, plan=plan.commit, by=ME))
    return policy, plan


def intent(night: Night, policy: str, plan: Frozen) -> None:
    night.report(ev.PlanLanding(policy=policy, plan=plan.commit, ref=MAIN, old=H0.head))
