"""A failure of the work told from one that was there before and from one that comes and goes: real gates, real git."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from blame_rig import SHELL, UNITTEST, Make, Rig, cases
from gitrepo import added, frozen

from console.adapters import shim
from console.adapters.baselines import Baselines
from console.core.records import Gate, GateResult, PolicySpec

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")


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


async def test_tests_that_cannot_be_loaded_are_excused_only_when_the_reason_was_there_before(make: Make) -> None:
    rig = make(test_shop__py="import no_such_module\n")
    assert (await rig.blame(UNITTEST)).kind == "pre-existing"
    rig.write("test_shop.py", "def broken(:\n")
    blame = await rig.blame(UNITTEST)
    assert (blame.kind, blame.failing) == ("introduced", ("test_shop (not loaded)",))


async def test_without_names_the_same_words_are_pre_existing_and_others_are_introduced(make: Make) -> None:
    rig = make(gate__sh='echo "$PWD/lib.c:3: error: widget is broken" >&2; exit 2')
    assert (await rig.blame()).kind == "pre-existing"
    rig.write("gate.sh", "echo 'lib.c:3: error: gadget is broken' >&2; exit 2")
    blame = await rig.blame()
    assert blame.kind == "introduced" and "names could not be read" in blame.why


async def test_a_red_base_is_asked_once_for_all_attempts_and_restarts(make: Make) -> None:
    rig = make(gate__sh="echo 'FAILED a.py::test_x - boom'; exit 1")
    assert (await rig.blame()).kind == "pre-existing"
    rig.kept = Baselines(rig.place / "state" / "baselines.json")
    assert (await rig.blame()).kind == "pre-existing"
    assert rig.runs == ["worktree.2"]
    await rig.blame(Gate(argv=SHELL.argv, timeout=29))
    assert "base" in rig.runs


async def test_what_the_worktree_links_into_the_base_is_not_believed_for_another_worktree(make: Make) -> None:
    rig = make(
        gate__sh="test -e node_modules/ok || { echo error: no dependency; exit 1; }", **{"__gitignore": "node_modules"}
    )
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
    rig.attach(PolicySpec(sessions=("s-1",)))
    blame = await rig.blame()
    assert blame.kind == "introduced" and "no commit yet" in blame.why
    assert rig.runs == ["worktree.2"]


async def test_a_base_that_cannot_be_checked_out_excuses_nothing(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo assertion failed; exit 1")
    rig.attach(PolicySpec(sessions=("s-1",), base="0" * 39 + "1"))
    blame = await rig.blame()
    assert blame.kind == "introduced" and "could not be judged" in blame.why


async def test_what_only_the_plan_fails_is_judged_on_the_plan(make: Make) -> None:
    rig = make(
        gate__sh="cat needed || { echo error: needed is missing; exit 1; }", needed="x", **{"__gitignore": "local"}
    )
    rig.write("gate.sh", "cat local || { echo error: local is missing; exit 1; }")
    rig.write("local", "ignored, so that no plan holds it")
    plan = frozen(rig.git, rig.worktree, "gate.sh")
    rig.attach(PolicySpec(sessions=("s-1",)))  # what the plan is based on is the plan's to say
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
    odd = '[ $(wc -l < "$COUNTER") -eq 3 ] || echo "FAILED test_a.py::test_odd - x"'
    rig = make(gate__sh=f'echo x >> "$COUNTER"; echo "FAILED test_a.py::test_old - x"; {odd}; exit 1')
    assert (await rig.blame()).kind == "pre-existing"
    assert rig.count() == 4


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
