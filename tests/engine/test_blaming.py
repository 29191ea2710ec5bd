"""Who a gate that was not green is down to: real gates under real shims, in real worktrees and checkouts of real git."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from night import FakeAgents, FakePlaces, FakeSigning, FakeSnapshots, FakeWatch, NoHooks, Script

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo, added, frozen

from console.adapters import junit, shim
from console.adapters.baselines import Baselines
from console.adapters.processes import ShimProcesses
from console.core.policies import Policy
from console.core.records import (
    Blame,
    CommitSpec,
    Frozen,
    Gate,
    GateResult,
    Launch,
    PolicySpec,
    Refused,
)
from console.core.sessions import Session
from console.core.state import State
from console.engine.blaming import Blaming
from console.engine.gating import Gating
from console.engine.world import World

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

SHELL = Gate(argv=("sh", "gate.sh"), timeout=30)
UNITTEST = Gate(argv=("python3", "-m", "unittest"), timeout=30)


def cases(**bodies: str) -> str:
    """A unittest module with these tests."""
    tests = [f"    def test_{name}(self): {body}" for name, body in bodies.items()]
    return "import unittest\nclass T(unittest.TestCase):\n" + "\n".join(tests) + "\n"


class Rig:
    """A ticket's worktree with a base commit, and everything that a blame needs. counter: runs a gate counted."""

    def __init__(self, place: Path, base: dict[str, str]) -> None:
        self.place = place
        self.repo = Repo.make(place)
        for name, text in base.items():
            self.repo.write(name, text)
        self.base = self.repo.commit("base")
        self.git = self.repo.plain()
        self.worktree = Path(added(self.git, "t-1", "nightdesk/t-1").path)
        self.kept = Baselines(place / "state" / "baselines.json")
        self.runs: list[str] = []
        self.spec = PolicySpec(
            sessions=("s-1",), then="commit", commit=CommitSpec(paths=("*",), message="m"), ticket="t-1", base=self.base
        )
        self.policy = self._policy()

    def _policy(self) -> Policy:
        return Policy(policy="p-1", spec=self.spec, status="gating", since=0, attached_at=0, changed_at=0, attempt=1)

    def write(self, name: str, text: str) -> None:
        self.repo.write(name, text, self.worktree)

    def world(self) -> World:
        script = Script()
        return World(
            git=self.git,
            watch=FakeWatch(),
            snapshots=FakeSnapshots(),
            hooks=NoHooks(),
            signing=FakeSigning(),
            processes=Counting(self.runs),
            agents=FakeAgents(script),
            places=FakePlaces(self.place / "out"),
            now=time.time,
            gate_on=lambda: "plan",
            session_env=lambda launch: {},
            gate_env=lambda: self.repo.environ | {"COUNTER": str(self.place / "counter")},
            find_command=_find,
        )

    def gating(self) -> Gating:
        (self.place / "out").mkdir(exist_ok=True)
        session = Session(
            session="s-1",
            label="",
            preset="",
            launch=Launch(argv=("agent",)),
            cwd=str(self.worktree),
            worktree=str(self.worktree),
        )
        return Gating(self.world(), lambda: State(sessions={"s-1": session}), junit.find)

    async def blame(
        self, gate: Gate = SHELL, *, plan: Frozen | None = None, results: Sequence[GateResult] = ()
    ) -> Blame:
        """The deciding run (in the worktree unless `results` are given), and then the blame for it."""
        gating = self.gating()
        first = tuple(results) or (await gating.in_worktree(self.policy, gate),)
        assert first[-1].verdict != "green", first[-1].output
        self.runs.clear()
        return await Blaming(self.world(), gating, self.kept).blame(self.policy, gate, plan, first)

    def count(self) -> int:
        return len((self.place / "counter").read_text().split())


class Counting(ShimProcesses):
    """Notes where each run happened, by its output file."""

    def __init__(self, runs: list[str]) -> None:
        super().__init__()
        self._noted = runs

    async def launch(self, spec: Any) -> Any:
        self._noted.append(Path(spec.output).name.removeprefix("p-1.1.").removesuffix(".out"))
        return await super().launch(spec)


def _find(name: str, env: Any) -> str | Refused:
    found = shutil.which(name, path=env["PATH"])
    return found or Refused(reason=f"{name!r} is not on the PATH")


Make = Callable[..., Rig]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda **base: Rig(tmp_path, {name.replace("__", "."): text for name, text in base.items()})


# -- introduced, pre-existing


async def test_a_failure_that_the_green_base_has_not_is_introduced(make: Make) -> None:
    rig = make(test_shop__py=cases(old="pass"))
    rig.write("test_shop.py", cases(old="pass", new="self.fail()"))
    blame = await rig.blame(UNITTEST)
    assert (blame.kind, blame.fresh) == ("introduced", ("test_shop.T.test_new",))
    assert blame.why == f"1 test fails: test_shop.T.test_new; its base {rig.base[:10]} is green"
    assert rig.runs == ["worktree.2", "base", "worktree.3"]
    assert [run.where for run in blame.runs] == ["worktree", "base", "worktree"]
    assert len(blame.signature) == 16


async def test_the_same_failures_before_and_after_are_pre_existing(make: Make) -> None:
    rig = make(test_shop__py=cases(a="self.fail()", b="self.fail()"))
    rig.write("other.py", "x = 1\n")
    blame = await rig.blame(UNITTEST)
    assert (blame.kind, blame.fresh) == ("pre-existing", ())
    assert blame.why == "2 tests fail, all of which failed before too: test_shop.T.test_a, test_shop.T.test_b"
    assert rig.runs == ["worktree.2", "base", "base.2"]


async def test_a_new_failure_on_a_red_base_is_introduced(make: Make) -> None:
    rig = make(test_shop__py=cases(a="self.fail()", b="pass"))
    rig.write("test_shop.py", cases(a="self.fail()", b="self.fail()"))
    blame = await rig.blame(UNITTEST)
    assert (blame.kind, blame.fresh) == ("introduced", ("test_shop.T.test_b",))
    assert blame.failing == ("test_shop.T.test_a", "test_shop.T.test_b")
    assert blame.why == "1 test fails that did not before: test_shop.T.test_b; 1 failed before too"


async def test_without_names_the_same_words_are_pre_existing_and_others_are_introduced(make: Make) -> None:
    rig = make(gate__sh='echo "$PWD/lib.c:3: error: widget is broken" >&2; exit 2')
    assert (await rig.blame()).kind == "pre-existing"
    rig.write("gate.sh", "echo 'lib.c:3: error: gadget is broken' >&2; exit 2")
    blame = await rig.blame()
    assert blame.kind == "introduced" and "names could not be read" in blame.why


async def test_a_red_base_is_asked_once_for_all_attempts_and_restarts(make: Make) -> None:
    rig = make(test_shop__py=cases(a="self.fail()"))
    assert (await rig.blame(UNITTEST)).kind == "pre-existing"
    rig.kept = Baselines(rig.place / "state" / "baselines.json")
    assert (await rig.blame(UNITTEST)).kind == "pre-existing"
    assert rig.runs == ["worktree.2"]
    await rig.blame(Gate(argv=UNITTEST.argv, timeout=29))
    assert "base" in rig.runs


async def test_what_the_worktree_links_into_the_base_is_not_believed_for_another_worktree(make: Make) -> None:
    rig = make(gate__sh="test -e node_modules/ok || { echo error: no dependency; exit 1; }", **{"__gitignore": "node_modules"})
    (rig.worktree / "node_modules").mkdir()
    assert (await rig.blame()).kind == "pre-existing"
    other = added(rig.git, "t-2", "nightdesk/t-2")
    rig.worktree = Path(other.path)
    (rig.worktree / "node_modules").mkdir()
    await rig.blame()
    assert "base" in rig.runs


async def test_the_base_sees_nothing_of_the_work(make: Make) -> None:
    rig = make(gate__sh="test ! -e planted || { echo error: planted; exit 1; }")
    rig.write("planted", "x")
    blame = await rig.blame()
    assert blame.kind == "introduced"
    assert not list((rig.place / "out" / "checkouts").iterdir())


async def test_a_branch_without_a_commit_has_nothing_to_compare_with(make: Make) -> None:
    rig = make(gate__sh="exit 1")
    rig.spec = PolicySpec(sessions=("s-1",))
    rig.policy = rig._policy()
    blame = await rig.blame()
    assert blame.kind == "introduced" and "no commit yet" in blame.why
    assert rig.runs == ["worktree.2"]


async def test_a_base_that_cannot_be_checked_out_excuses_nothing(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo assertion failed; exit 1")
    rig.spec = PolicySpec(sessions=("s-1",), base="0" * 39 + "1")
    rig.policy = rig._policy()
    blame = await rig.blame()
    assert blame.kind == "introduced" and "could not be judged" in blame.why


async def test_what_only_the_plan_fails_is_judged_on_the_plan(make: Make) -> None:
    rig = make(gate__sh="cat needed || { echo error: needed is missing; exit 1; }", needed="x", **{"__gitignore": "local"})
    rig.write("gate.sh", "cat local || { echo error: local is missing; exit 1; }")
    rig.write("local", "ignored, so that no plan holds it")
    plan = frozen(rig.git, rig.worktree, "gate.sh")
    gating = rig.gating()
    green = await gating.in_worktree(rig.policy, SHELL)
    red = await gating.on_plan(rig.policy, SHELL, plan)
    assert (green.verdict, red.verdict) == ("green", "red")
    blame = await rig.blame(plan=plan, results=(green, red))
    assert blame.kind == "introduced"
    assert rig.runs[0] == "plan.2"
    assert [run.where for run in blame.runs] == ["plan", "base"]


async def test_a_red_hook_judged_the_work_itself(make: Make) -> None:
    rig = make(gate__sh="true")
    hook = GateResult(verdict="red", where="hook", code=1, reason="pre-commit", output="lint error\n")
    blame = await rig.blame(results=(hook,))
    assert (blame.kind, blame.why) == ("introduced", "pre-commit failed as a commit hook: exit 1")
    assert blame.signature and rig.runs == []


# -- flaky

EVERY_THIRD = """
echo x >> "$COUNTER"
[ $(( $(wc -l < "$COUNTER") % 3 )) -eq {turn} ] || exit 0
echo 'FAILED test_a.py::test_odd - boom'; exit 1
"""


async def test_a_test_that_fails_one_time_in_three_is_flaky_and_named(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", EVERY_THIRD.format(turn=1))
    blame = await rig.blame()
    assert (blame.kind, blame.failing) == ("flaky", ("test_a.py::test_odd",))
    assert blame.why == "the same work was green in 2 of 4 runs: test_a.py::test_odd"
    assert rig.runs == ["worktree.2", "worktree.3", "worktree.4"] and rig.count() == 4


async def test_a_test_that_fails_twice_in_a_row_is_given_a_third_run(make: Make) -> None:
    rig = make(gate__sh="true")
    third = '[ $(wc -l < "$COUNTER") -ge 3 ] && exit 0'
    rig.write("gate.sh", f'echo x >> "$COUNTER"; {third}; echo "FAILED test_a.py::test_odd - boom"; exit 1')
    blame = await rig.blame()
    assert (blame.kind, blame.why) == ("flaky", "the same work was green in 1 of 3 runs: test_a.py::test_odd")


async def test_a_test_that_flickers_on_a_red_base_is_flaky(make: Make) -> None:
    old = "echo 'FAILED test_a.py::test_old - boom'"
    rig = make(gate__sh=f"{old}; exit 1")
    odd = '[ $(wc -l < "$COUNTER") -eq 1 ] && echo "FAILED test_a.py::test_odd - boom"'
    rig.write("gate.sh", f'echo x >> "$COUNTER"; {old}; {odd}; exit 1')
    blame = await rig.blame()
    assert blame.kind == "flaky" and "test_a.py::test_odd" in blame.why


async def test_what_flickers_on_the_base_is_known_from_its_second_run(make: Make) -> None:
    both = 'echo "FAILED test_a.py::test_a - x"; [ $(( $(wc -l < "$COUNTER") % 4 )) -eq 3 ] || echo "FAILED test_a.py::test_b - x"'
    rig = make(gate__sh=f'echo x >> "$COUNTER"; {both}; exit 1')
    assert (await rig.blame()).kind == "pre-existing"
    assert rig.count() == 4


# -- the machine


async def test_a_gate_whose_program_is_missing_is_the_machines_and_is_not_run_again(make: Make) -> None:
    rig = make(gate__sh="true")
    blame = await rig.blame(Gate(argv=("no-such-program",)))
    assert blame.kind == "environment" and "'no-such-program' is not on the PATH" in blame.why
    assert rig.runs == []


async def test_a_program_that_the_gates_script_misses_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="no-such-program --check")
    blame = await rig.blame()
    assert blame.kind == "environment"
    assert "exit 127" in blame.why and "no-such-program" in blame.why and rig.runs == ["worktree.2"]


async def test_a_lock_that_git_finds_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="git add -A && git commit -qm x")
    lock = Path(rig.repo.line("rev-parse", "--git-path", "index.lock", cwd=rig.worktree))
    (lock if lock.is_absolute() else rig.worktree / lock).write_text("")
    rig.write("a.txt", "new")
    blame = await rig.blame()
    assert blame.kind == "environment" and "lock" in blame.why


async def test_a_gate_that_asks_at_the_terminal_is_the_machines_and_ends_at_once(make: Make) -> None:
    rig = make(gate__sh="head -1 < /dev/tty || exit 1")
    began = time.monotonic()
    blame = await rig.blame()
    assert blame.kind == "environment" and "/dev/tty" in blame.why
    assert time.monotonic() - began < 15


async def test_a_port_that_is_taken_counts_when_the_base_finds_it_taken_too(make: Make) -> None:
    words = "echo 'OSError: [Errno 98] Address already in use'; exit 1"
    rig = make(gate__sh=words)
    assert (await rig.blame()).kind == "environment"


async def test_a_port_that_only_the_work_takes_twice_is_introduced(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'OSError: [Errno 98] Address already in use'; exit 1")
    blame = await rig.blame()
    assert blame.kind == "introduced" and "Address already in use" in blame.why


async def test_trouble_is_never_kept_as_what_the_base_says(make: Make) -> None:
    rig = make(gate__sh='[ -e "$COUNTER" ] && exit 0; echo "Error: Address already in use"; exit 1')
    assert (await rig.blame()).kind == "environment"
    (rig.place / "counter").write_text("")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; exit 1")
    assert (await rig.blame()).kind == "introduced"


async def test_a_limit_that_the_base_hits_too_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="exec sleep 60")
    blame = await rig.blame(Gate(argv=("sh", "gate.sh"), timeout=0.7))
    assert (blame.kind, blame.why) == ("environment", "the gate hits its limit before the work too")
    assert rig.runs == ["base"]


async def test_a_limit_that_only_the_work_hits_is_introduced(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "exec sleep 60")
    blame = await rig.blame(Gate(argv=("sh", "gate.sh"), timeout=0.7))
    assert blame.kind == "introduced" and blame.why.startswith("the gate hits its limit; its base")
    assert rig.runs == ["base", "worktree.2"]


# -- reports


async def test_a_junit_report_beats_what_the_output_says(make: Make) -> None:
    report = '<testsuite><testcase classname="T" name="{}"><failure/></testcase></testsuite>'
    script = "echo '{}' > r.xml; echo 'FAILED a.py::test_same - boom'; exit 1"
    rig = make(gate__sh=script.format(report.format("old")))
    rig.write("gate.sh", script.format(report.format("new")))
    gate = Gate(argv=("sh", "gate.sh", "--junitxml=r.xml"), timeout=30)
    blame = await rig.blame(gate)
    assert (blame.kind, blame.fresh) == ("introduced", ("T.new",))
    blame = await rig.blame(SHELL)
    assert blame.kind == "pre-existing"


async def test_pytest_itself_is_understood_with_its_report(make: Make) -> None:
    rig = make(test_a__py="def test_a(): assert 0\ndef test_b(): pass\n")
    rig.write("test_a.py", "def test_a(): assert 0\ndef test_b(): assert 0\n")
    argv = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir=.")
    blame = await rig.blame(Gate(argv=(*argv, "--junit-xml=r.xml", "test_a.py"), timeout=60))
    assert (blame.kind, blame.fresh) == ("introduced", ("test_a.test_b",))


# -- lies, ends


async def test_no_lie_in_the_output_makes_anything_green(make: Make) -> None:
    rig = make(gate__sh="true")
    for words, kinds in {
        "OK\\n1 passed in 0.01s\\nVERDICT: PASS": {"introduced"},
        "fatal: Unable to create x/index.lock: File exists. Another git process seems to be running": {"environment"},
        "FAILED made.py::up - x": {"introduced"},
        "FAILED made.py::up - Another git process seems to be running": {"introduced"},
    }.items():
        rig.write("gate.sh", f"printf '{words}\\n'; exit 1")
        assert (await rig.blame()).kind in kinds, words


async def test_a_link_or_a_pipe_in_the_place_of_the_output_is_not_read(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; exit 1")
    gating = rig.gating()
    red = await gating.in_worktree(rig.policy, SHELL)
    output = Path(red.output_file)
    output.unlink()
    output.symlink_to("/dev/zero")
    blame = await rig.blame(results=(red,))
    assert blame.failing == ("a.py::test_x",)


async def test_names_far_from_the_end_of_a_long_output_are_found_and_the_blame_stays_small(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; seq 1 9000; exit 1")
    blame = await rig.blame()
    assert blame.failing == ("a.py::test_x",)
    assert all(len(run.output) <= 2000 for run in blame.runs)


async def test_a_cancelled_blame_leaves_no_process_and_no_checkout(make: Make) -> None:
    rig = make(gate__sh='touch "$COUNTER"; exec sleep 60')
    rig.write("gate.sh", "exit 1")
    asking = asyncio.create_task(rig.blame())
    async with asyncio.timeout(20):
        while not (rig.place / "counter").exists():
            await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not list((rig.place / "out" / "checkouts").iterdir())
    async with asyncio.timeout(5):
        while any(proc.ppid == os.getpid() and not proc.dead for proc in shim.proc_table().values()):
            await asyncio.sleep(0.01)
