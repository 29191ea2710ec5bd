"""What the engine makes of commit hooks, with a scripted git and scripted processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from console.core.records import Frozen, PlanPath, ProcessEnd, Refused, Sandbox
from console.engine.hooking import Hooked, Hooking
from console.engine.ports import HookRun
from tests.engine.night import GREEN, RED, FakePlaces, FakeProcesses, Script, frozen

NOT_FOUND = ProcessEnd(how="exited", code=127)


class Bench:
    """Hooks that are prepared and read by the script; `expect` what is asked of it, in any order a name."""

    def __init__(self, place: Path) -> None:
        self.script = Script()
        self.processes = FakeProcesses(self.script)
        self.places = FakePlaces(place)
        self.sandbox: Sandbox | Refused | None = None
        self.plan = frozen(place)
        self.rewritten = replace(
            self.plan, commit="2" * 40,
            paths=(PlanPath(path="a.txt", old_mode="100644", old_oid="1" * 40, mode="100644", oid="3" * 40),),
        )  # fmt: skip

    def answer(self, name: str) -> Callable[..., Any]:
        return lambda *args: self.script.call(name, *args)

    def prepared(self, *hooks: str, skipped: tuple[str, ...] = ()) -> HookRun:
        argv = {hook: ("/usr/bin/git", "hook", "run", hook) for hook in hooks}
        return HookRun(folder="/scratch", hooks=hooks, argv=argv, env={"A": "b"}, skipped=skipped)

    def hooking(self, limit: float = 5.0) -> Hooking:
        world: Any = SimpleNamespace(
            hooks=SimpleNamespace(prepare=self.answer("prepare"), outcome=self.answer("outcome")),
            processes=self.processes,
            places=self.places,
            sandbox=lambda worktree, writable: self.sandbox,
        )
        return Hooking(world, limit)

    async def run(self, limit: float = 5.0) -> Hooked:
        said = await self.hooking(limit).run("p-1", 1, self.plan)
        self.script.check()
        assert not self.places.hooks("p-1", 1).exists()
        return said


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def verdicts(said: Hooked) -> list[str]:
    return [result.verdict for result in said.results]


async def test_no_hooks_is_no_result(bench: Bench) -> None:
    bench.script.expect("prepare", None)
    assert await bench.run() == Hooked(plan=bench.plan)


async def test_each_hook_runs_once_in_one_scratch_repository_when_nothing_changes(bench: Bench) -> None:
    bench.sandbox = Sandbox(read_only=("/repo/.git",))
    bench.script.expect("prepare", bench.prepared("commit-msg", "pre-commit"))
    bench.script.expect("launch", GREEN, GREEN)
    bench.script.expect("outcome", bench.plan, bench.plan)
    said = await bench.run()
    assert said.plan == bench.plan and verdicts(said) == ["green", "green"]
    assert [result.where for result in said.results] == ["hook", "hook"]
    first, second = bench.processes.specs
    assert (first.argv[-1], second.argv[-1]) == ("pre-commit", "commit-msg")
    assert (first.cwd, first.env, first.sandbox) == ("/scratch", {"A": "b"}, bench.sandbox)
    assert first.output != second.output


async def test_a_red_hook_that_changed_nothing_is_not_run_again(bench: Bench) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit", "commit-msg"))
    bench.script.expect("launch", RED)
    bench.script.expect("outcome", bench.plan)
    said = await bench.run()
    assert (said.plan, said.refused, verdicts(said)) == (None, "", ["red"])


async def test_a_red_fixer_gets_its_own_changes_staged_and_one_more_run(bench: Bench) -> None:
    prepared = bench.prepared("pre-commit")
    staged: list[Frozen] = []
    bench.script.expect("prepare", prepared, lambda plan, into: staged.append(plan) or prepared)
    bench.script.expect("launch", RED, GREEN)
    bench.script.expect("outcome", bench.rewritten, bench.rewritten)
    said = await bench.run()
    assert staged == [bench.rewritten]
    assert said.plan == bench.rewritten and verdicts(said) == ["green"]
    assert said.notes == ("pre-commit rewrote a.txt",)
    assert [(one.rule, one.level) for one in said.findings] == [("hook-rewrote", "info")]


async def test_a_fixer_that_is_red_twice_is_red(bench: Bench) -> None:
    third = replace(bench.rewritten, commit="3" * 40)
    bench.script.expect("prepare", bench.prepared("pre-commit"), bench.prepared("pre-commit"))
    bench.script.expect("launch", RED, RED)
    bench.script.expect("outcome", bench.rewritten, third)
    said = await bench.run()
    assert said.plan is None and verdicts(said) == ["red"]


async def test_a_red_hook_that_staged_other_files_is_red_and_says_so(bench: Bench) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit"))
    bench.script.expect("launch", RED)
    bench.script.expect("outcome", Refused(reason="staged b.txt"))
    said = await bench.run()
    assert said.plan is None and verdicts(said) == ["red"] and said.notes == ("staged b.txt",)


async def test_a_green_hook_that_staged_other_files_is_refused(bench: Bench) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit", "commit-msg"))
    bench.script.expect("launch", GREEN)
    bench.script.expect("outcome", Refused(reason="staged b.txt"))
    said = await bench.run()
    assert (said.plan, said.refused, verdicts(said)) == (None, "staged b.txt", ["green"])


async def test_the_next_hook_judges_what_the_one_before_made(bench: Bench) -> None:
    prepared = bench.prepared("pre-commit", "commit-msg")
    bench.script.expect("prepare", prepared, prepared)
    bench.script.expect("launch", GREEN, GREEN)
    spoken = replace(bench.rewritten, commit="4" * 40, message="ABC-1: Fix a")
    asked: list[Frozen] = []
    bench.script.expect("outcome", bench.rewritten, lambda plan, run: asked.append(plan) or spoken)
    said = await bench.run()
    assert asked == [bench.rewritten] and said.plan == spoken
    assert said.notes == ("pre-commit rewrote a.txt", "commit-msg rewrote the message")


async def test_a_hook_that_hangs_is_stopped_its_half_work_is_dropped_and_it_is_no_pass(bench: Bench) -> None:
    prepared = bench.prepared("pre-commit", "commit-msg")
    bench.script.expect("prepare", prepared, prepared)
    bench.script.expect("launch", None, GREEN)
    bench.script.expect("outcome", bench.plan)
    said = await bench.run(limit=0.05)
    assert said.plan == bench.plan and verdicts(said) == ["timeout", "green"]
    (finding,) = said.findings
    assert (finding.kind, finding.level, finding.rule) == ("hook", "medium", "hook-could-not-judge")
    assert finding.text == said.notes[0] == "pre-commit did not answer within 0.05 s"
    assert bench.processes.running[0].stops


@pytest.mark.parametrize(
    "end",
    [
        NOT_FOUND,
        ProcessEnd(how="exited", code=126),
        ProcessEnd(how="not-started", reason="no such file"),
        ProcessEnd(how="lost", reason="the shim died"),
    ],
)
async def test_a_hook_that_cannot_start_or_is_lost_has_judged_nothing(bench: Bench, end: ProcessEnd) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit"))
    bench.script.expect("launch", end)
    said = await bench.run()
    assert said.plan == bench.plan and verdicts(said) == ["unjudged"]
    assert [one.rule for one in said.findings] == ["hook-could-not-judge"]
    assert said.findings[0].text.startswith("pre-commit could not judge: ")


async def test_hooks_that_cannot_be_prepared_have_judged_nothing(bench: Bench) -> None:
    bench.script.expect("prepare", Refused(reason="the disk is full"))
    said = await bench.run()
    assert said.plan == bench.plan and said.notes == ("the commit hooks could not judge: the disk is full",)
    assert said.findings[0].level == "medium"


async def test_without_the_sandbox_that_is_wanted_no_hook_runs(bench: Bench) -> None:
    bench.sandbox = Refused(reason="namespaces are off")
    bench.script.expect("prepare", bench.prepared("pre-commit"))
    said = await bench.run()
    assert verdicts(said) == ["unjudged"] and "namespaces are off" in said.findings[0].text


async def test_a_hook_that_is_gone_when_it_is_prepared_again_has_judged_nothing(bench: Bench) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit"), None)
    bench.script.expect("launch", RED)
    bench.script.expect("outcome", bench.rewritten)
    said = await bench.run()
    assert verdicts(said) == ["unjudged"] and said.notes[-1] == "pre-commit is not there any more"


async def test_what_does_not_run_is_told_by_weight(bench: Bench) -> None:
    skipped = ("post-commit: not run for plans", "pre-commit: no interpreter", "hook files: the plan changes .husky/x")
    bench.script.expect("prepare", bench.prepared(skipped=skipped))
    said = await bench.run()
    assert said.plan == bench.plan and said.notes == skipped
    told = [(one.rule, one.level) for one in said.findings]
    assert told == [("hook-skipped", "info"), ("hook-not-run", "medium"), ("hook-files", "medium")]


async def test_a_cancelled_pass_stops_its_hook_and_clears_its_folder(bench: Bench) -> None:
    bench.script.expect("prepare", bench.prepared("pre-commit"))
    bench.script.expect("launch", None)
    bench.places.hooks("p-1", 1).mkdir(parents=True)
    task = asyncio.create_task(bench.hooking().run("p-1", 1, bench.plan))
    while not bench.processes.running:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.processes.running[0].stops == [0.5]
    assert not bench.places.hooks("p-1", 1).exists()
