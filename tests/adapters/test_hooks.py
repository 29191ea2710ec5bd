"""Real hooks on real plans: what they see, what they may change, and that the operator's files stay as they were."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from console.adapters.environment import gate_env
from console.adapters.git.binary import GitBinary
from console.adapters.git.commits import PlainGit
from console.adapters.git.hooks import CommitHooks
from console.adapters.git.shadow import Repository
from console.adapters.processes import ShimProcesses
from console.core.records import Frozen, Refused
from console.engine.hooking import Hooked, Hooking
from console.engine.ports import HookRun
from tests.adapters.gitrepo import AUTHOR, Repo, added, canary, frozen

PASSES = "exit 0"


class Desk:
    """A repository whose operator is in the middle of something, and the hooks run on plans of it."""

    def __init__(self, place: Path) -> None:
        self.repo = Repo.with_files(place)
        self.cache = place / "cache"
        self.cache.mkdir()
        self.marks = place / "marks"
        self.marks.mkdir()
        self.workspace = self.repo.workspace()
        self.git: PlainGit = self.repo.plain()

    def busy(self) -> None:
        """Dirty, staged, untracked and stashed work that is none of the plan's business."""
        self.repo.write("src/app.py", "print('stashed')\n")
        self.repo.git("stash")
        self.repo.write("other.txt", "unsaved work\r\n")
        self.repo.write("staged.txt", "staged\n")
        self.repo.git("add", "staged.txt")
        self.repo.write("staged.txt", "staged, and more\n").chmod(0o600)
        self.repo.write("notes/untracked.txt", "notes")

    def hook(self, name: str, script: str, folder: str = ".git/hooks") -> Path:
        path = self.repo.write(f"{folder}/{name}", f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def plan(self, *paths: str, worktree: Path | None = None, message: str = "work") -> Frozen:
        return frozen(self.git, worktree or self.repo.root, *(paths or ("a.txt",)), message=message)

    def changed(self, text: str = "one\nchanged\n") -> Frozen:
        self.repo.write("a.txt", text)
        return self.plan()

    def hooks(self) -> CommitHooks:
        environ = self.repo.environ
        repo = Repository(self.workspace, self.repo.state, GitBinary(environ), environ)
        return CommitHooks(repo, lambda: gate_env(environ | {"GIT_DIR": "/nowhere"}, [str(self.repo.root)]))

    def prepared(self, plan: Frozen) -> HookRun:
        run = self.hooks().prepare(plan, self.cache / "prepared")
        assert isinstance(run, HookRun), run
        return run

    def hooking(self, limit: float = 20.0) -> Hooking:
        places = SimpleNamespace(
            hooks=lambda policy, attempt: self.cache / f"{policy}.{attempt}",
            gate_output=lambda policy, attempt, where: self.cache / f"{policy}.{attempt}.{where}.out",
        )
        world: Any = SimpleNamespace(
            hooks=self.hooks(), processes=ShimProcesses(), places=places, sandbox=lambda worktree, writable: None
        )
        return Hooking(world, limit)

    async def judged(self, plan: Frozen, limit: float = 20.0) -> Hooked:
        """What the hooks say; that the operator's files are byte for byte as before is checked every time."""
        before = everything(self.repo.root)
        said = await self.hooking(limit).run("p-1", 1, plan)
        assert everything(self.repo.root) == before
        assert not (self.cache / "p-1.1").exists()
        return said

    def body(self, plan: Frozen, path: str) -> bytes:
        oid = next(one.oid for one in plan.paths if one.path == path)
        env = self.repo.environ | {"GIT_ALTERNATE_OBJECT_DIRECTORIES": plan.store}
        shown = ["git", "cat-file", "blob", oid]
        return subprocess.run(shown, cwd=self.repo.root, env=env, check=True, capture_output=True).stdout

    def mark(self, name: str) -> Path:
        return self.marks / name


def everything(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Mode, time and bytes of all there is, git's own folder with its index, refs, logs and objects included.

    The time of an object is no fact: git renews it when the same bytes are staged anywhere that borrows it.
    """
    found = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(folder, name)
            status = path.lstat()
            body = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            when = 0 if "/.git/objects/" in str(path) else status.st_mtime_ns
            found[str(path)] = (status.st_mode, when, body)
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def busy(desk: Desk) -> Desk:
    desk.busy()
    return desk


def went_on(said: Hooked) -> Frozen:
    assert said.plan is not None, said
    return said.plan


def rules(said: Hooked) -> list[str]:
    return [finding.rule for finding in said.findings]


# -- what hooks see


async def test_without_hooks_the_plan_goes_on_as_it_is(busy: Desk) -> None:
    plan = busy.changed()
    assert busy.hooks().prepare(plan, busy.cache / "x") is None
    assert await busy.judged(plan) == Hooked(plan=plan)


async def test_a_hook_sees_the_plan_staged_on_its_base_and_nothing_of_ours(busy: Desk) -> None:
    seen = busy.mark("seen")
    look = "git status --porcelain -uall; git rev-parse HEAD; cat a.txt other.txt; env; git config --list --show-scope"
    busy.hook("pre-commit", f"{{ {look}; }} > {shlex.quote(str(seen))} 2>&1")
    plan = busy.changed("only this\n")
    said = await busy.judged(plan)
    assert said.plan == plan and [result.verdict for result in said.results] == ["green"]
    text = seen.read_text()
    assert text.startswith(f"M  a.txt\n{plan.base}\nonly this\nother\n"), text
    assert f"GIT_AUTHOR_NAME={AUTHOR.name}" in text and "GIT_COMMITTER_DATE=@1700000000 +0100" in text
    for leaked in (
        "GIT_LITERAL_PATHSPECS",
        "GIT_CONFIG_GLOBAL",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_DIR=",
        "core.fsmonitor",
    ):
        assert leaked not in text


async def test_a_hook_is_on_the_plan_s_branch(busy: Desk) -> None:
    busy.repo.git("switch", "-q", "-c", "nightdesk/t-1")
    busy.hook(
        "pre-commit", f"git symbolic-ref HEAD > '{busy.mark('branch')}'; git rev-parse HEAD >> '{busy.mark('branch')}'"
    )
    plan = busy.changed()
    assert went_on(await busy.judged(plan)) == plan
    assert busy.mark("branch").read_text().split() == ["refs/heads/nightdesk/t-1", plan.base]


async def test_a_failing_hook_is_red_with_its_output(busy: Desk) -> None:
    busy.hook("pre-commit", "echo 'line 3 is too long' >&2; exit 1")
    said = await busy.judged(busy.changed())
    assert said.plan is None and not said.refused
    (result,) = said.results
    assert (result.verdict, result.where, result.code) == ("red", "hook", 1)
    assert "line 3 is too long" in result.output


async def test_only_the_two_judging_hooks_run(busy: Desk) -> None:
    for name in ("prepare-commit-msg", "post-commit", "pre-commit", "commit-msg"):
        busy.hook(name, f": > '{busy.mark(name)}'")
    said = await busy.judged(busy.changed())
    assert sorted(os.listdir(busy.marks)) == ["commit-msg", "pre-commit"]
    assert [result.reason for result in said.results] == ["pre-commit", "commit-msg"]
    assert said.notes == ("prepare-commit-msg, post-commit: not run for plans",)


async def test_a_hook_that_git_would_not_run_is_named(busy: Desk) -> None:
    busy.hook("pre-commit", "exit 1").chmod(0o644)
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and said.results == ()
    assert "not executable" in said.notes[0]


async def test_hooks_in_the_operator_s_own_folder_run(busy: Desk) -> None:
    folder = busy.repo.home / "my hooks"
    folder.mkdir()
    (folder / "pre-commit").write_text("#!/bin/sh\nexit 3\n")
    (folder / "pre-commit").chmod(0o755)
    busy.repo.git("config", "--global", "core.hooksPath", "~/my hooks")
    busy.hook("pre-commit", PASSES)
    said = await busy.judged(busy.changed())
    assert said.results[0].code == 3


async def test_an_unborn_branch_has_hooks_too(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.repo.git("switch", "-q", "--orphan", "fresh")
    desk.hook("pre-commit", "git rev-parse -q --verify HEAD && exit 9; cat a.txt; exit 1")
    said = await desk.judged(desk.changed("new\n"))
    assert said.results[0].output == "new\n"


# -- what hooks change


REWRITES = "sed -i 's/changed/fixed/' a.txt"


async def test_files_that_a_hook_rewrote_and_staged_are_a_new_candidate(busy: Desk) -> None:
    busy.hook("pre-commit", f"{REWRITES}; git add a.txt")
    plan = busy.changed()
    said = await busy.judged(plan)
    new = went_on(said)
    assert new.commit != plan.commit and new.base == plan.base
    assert busy.body(new, "a.txt") == b"one\nfixed\n"
    assert rules(said) == ["hook-rewrote"] and "pre-commit rewrote a.txt" in said.notes


async def test_a_fixer_that_fails_the_first_time_gets_a_second_one(busy: Desk) -> None:
    busy.hook("pre-commit", f"grep -q changed a.txt || exit 0; {REWRITES}; exit 1")
    said = await busy.judged(busy.changed())
    assert busy.body(went_on(said), "a.txt") == b"one\nfixed\n"
    assert [result.verdict for result in said.results] == ["green"]


async def test_a_fixer_that_never_has_enough_is_red(busy: Desk) -> None:
    runs = busy.mark("runs")
    busy.hook("pre-commit", f"echo run >> '{runs}'; echo more >> a.txt; exit 1")
    said = await busy.judged(busy.changed())
    assert said.plan is None and [result.verdict for result in said.results] == ["red"]
    assert runs.read_text() == "run\nrun\n"


async def test_names_of_any_bytes_are_rewritten_too(busy: Desk) -> None:
    (busy.repo.root / os.fsdecode(b'caf\xe9 "x".txt')).write_text("changed\n")
    busy.hook("pre-commit", "sed -i 's/changed/fixed/' caf*; git add -u")
    name = '"caf\\351 \\"x\\".txt"'
    new = went_on(await busy.judged(busy.plan(name)))
    assert [one.path for one in new.paths] == [name] and busy.body(new, name) == b"fixed\n"


async def test_what_is_only_staged_counts_as_well(busy: Desk) -> None:
    stage = 'git update-index --cacheinfo "100755,$(echo staged | git hash-object -w --stdin),a.txt"'
    busy.hook("pre-commit", stage)
    new = went_on(await busy.judged(busy.changed()))
    assert busy.body(new, "a.txt") == b"staged\n"
    assert new.paths[0].mode == "100755"


async def test_other_files_that_a_hook_stages_are_refused_by_name(busy: Desk) -> None:
    busy.hook("pre-commit", "echo built > 'built file.txt'; echo x >> other.txt; git add -A")
    said = await busy.judged(busy.changed())
    assert said.plan is None
    assert "built file.txt, other.txt" in said.refused and "policy's paths" in said.refused


async def test_a_tracked_file_that_a_hook_changes_beside_the_plan_is_refused(busy: Desk) -> None:
    busy.hook("pre-commit", "echo x >> other.txt")
    assert "other.txt" in (await busy.judged(busy.changed())).refused


async def test_untracked_droppings_of_a_hook_are_nobody_s_business(busy: Desk) -> None:
    busy.hook("pre-commit", "mkdir .cache; echo x > .cache/x")
    plan = busy.changed()
    assert (await busy.judged(plan)).plan == plan


async def test_a_hook_that_commits_moves_nothing_of_ours(busy: Desk) -> None:
    busy.hook("pre-commit", '[ -n "$INNER" ] || INNER=1 git commit -q -m inner')
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and said.results[0].verdict == "green"


async def test_a_message_that_commit_msg_rewrites_is_a_new_candidate(busy: Desk) -> None:
    busy.hook("commit-msg", 'sed -i \'1s/^/ABC-1: /\' "$1"; [ "$1" = .git/COMMIT_EDITMSG ]')
    said = await busy.judged(busy.changed())
    assert went_on(said).message == "ABC-1: work"
    assert said.notes == ("commit-msg rewrote the message",)


async def test_commit_msg_follows_on_what_pre_commit_made(busy: Desk) -> None:
    busy.hook("pre-commit", f"{REWRITES}; git add a.txt")
    busy.hook("commit-msg", "git diff --cached | grep -q +fixed && echo '!' >> \"$1\"")
    new = went_on(await busy.judged(busy.changed()))
    assert new.message == "work\n!" and busy.body(new, "a.txt") == b"one\nfixed\n"


async def test_a_commit_msg_that_refuses_is_red(busy: Desk) -> None:
    busy.hook("commit-msg", "echo no ticket id; exit 1")
    said = await busy.judged(busy.changed())
    assert said.plan is None and "no ticket id" in said.results[0].output


# -- hooks that cannot judge


async def test_a_hook_that_hangs_has_judged_nothing_and_blocks_nothing(busy: Desk) -> None:
    pid = busy.mark("pid")
    busy.hook("pre-commit", f"echo $$ > '{pid}'; echo half >> a.txt; sleep 600 & wait")
    busy.hook("commit-msg", "grep -q half a.txt && exit 1 || exit 0")
    plan = busy.changed()
    said = await busy.judged(plan, limit=1.0)
    assert said.plan == plan
    assert [result.verdict for result in said.results] == ["timeout", "green"]
    (finding,) = said.findings
    assert (finding.level, finding.rule) == ("medium", "hook-could-not-judge")
    assert finding.text == "pre-commit did not answer within 1 s"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


async def test_a_hook_has_the_ignored_dependencies_and_cannot_stage_them(busy: Desk) -> None:
    lint = busy.repo.write("node_modules/.bin/lint", "#!/bin/sh\ngrep -q changed a.txt\n")
    lint.chmod(0o755)
    busy.hook("pre-commit", "node_modules/.bin/lint && git add -A")
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and said.results[0].verdict == "green", said


async def test_a_hook_whose_dependency_is_missing_could_not_judge(busy: Desk) -> None:
    busy.hook("pre-commit", "node_modules/.bin/lint")
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and rules(said) == ["hook-could-not-judge"]
    assert said.results[0].verdict == "unjudged" and "127" in said.results[0].reason


async def test_a_hook_whose_interpreter_is_missing_does_not_run(busy: Desk) -> None:
    busy.repo.write(".git/hooks/pre-commit", "#!/no/such/thing\n").chmod(0o755)
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and rules(said) == ["hook-not-run"] and "/no/such/thing" in said.notes[0]


async def test_a_run_that_is_cut_off_in_the_middle_leaves_nothing_and_can_be_run_again(busy: Desk) -> None:
    begun = busy.mark("begun")
    busy.hook(
        "pre-commit",
        f"echo half > a.txt; git add a.txt; echo $$ > '{begun}.new'; mv '{begun}.new' '{begun}'; sleep 600",
    )
    plan = busy.changed()
    before = everything(busy.repo.root)
    task = asyncio.create_task(busy.hooking().run("p-1", 1, plan))
    deadline = time.monotonic() + 20
    while not begun.exists():
        assert time.monotonic() < deadline and not task.done()
        await asyncio.sleep(0.01)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)
    assert everything(busy.repo.root) == before
    busy.hook("pre-commit", PASSES)
    assert (await busy.judged(plan)).plan == plan


async def test_a_scratch_folder_that_a_crash_left_is_replaced(busy: Desk) -> None:
    busy.hook("pre-commit", "exit 0")
    plan = busy.changed()
    assert isinstance(busy.hooks().prepare(plan, busy.cache / "p-1.1"), HookRun)
    assert (await busy.judged(plan)).results[0].verdict == "green"


# -- hooks in the repository, and what they read


def husky(desk: Desk, script: str) -> None:
    """As husky 9 installs itself: runners for all hooks in an ignored folder, the scripts beside it."""
    run = """n=$(basename "$0"); s=$(dirname "$(dirname "$0")")/$n
[ -f "$s" ] || exit 0
PATH="node_modules/.bin:$PATH" sh -e "$s" "$@\""""
    desk.repo.write(".husky/_/.gitignore", "*")
    desk.hook("h", run, ".husky/_")
    for name in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg"):
        desk.hook(name, '. "$(dirname "$0")/h"', ".husky/_")
    desk.repo.write(".husky/pre-commit", f"{script}\n")
    desk.repo.commit("husky")
    desk.repo.git("config", "core.hooksPath", ".husky/_")


async def test_husky_runs_from_the_base(desk: Desk) -> None:
    husky(desk, "echo linting; grep -q changed a.txt && exit 7")
    desk.busy()
    said = await desk.judged(desk.changed())
    assert said.plan is None and said.results[0].code == 7 and "linting" in said.results[0].output
    assert said.notes == ()


async def test_husky_runs_for_a_linked_worktree_that_has_no_runners(desk: Desk) -> None:
    husky(desk, "exit 7")
    worktree = Path(added(desk.git, "t-1", "nightdesk/t-1").path)
    desk.busy()
    desk.repo.write("a.txt", "one\nchanged\n", cwd=worktree)
    assert not (worktree / ".husky/_").exists()
    said = await desk.judged(desk.plan("a.txt", worktree=worktree))
    assert said.results[0].code == 7


async def test_a_plan_does_not_choose_its_own_hooks(desk: Desk) -> None:
    husky(desk, "exit 7")
    desk.repo.write(".husky/pre-commit", "exit 0\n")
    desk.repo.write("a.txt", "one\nchanged\n")
    said = await desk.judged(desk.plan("a.txt", ".husky/pre-commit"))
    assert said.plan is None and said.results[0].code == 7
    assert said.notes == ("hook files: the plan changes .husky/pre-commit; the base's version ran",)
    assert rules(said) == ["hook-files"]


async def test_a_plan_that_changes_hooks_keeps_its_own_version_when_they_rewrite_other_files(desk: Desk) -> None:
    husky(desk, f"{REWRITES}; git add a.txt")
    desk.repo.write(".husky/pre-commit", "exit 0\n")
    desk.repo.write("a.txt", "one\nchanged\n")
    new = went_on(await desk.judged(desk.plan("a.txt", ".husky/pre-commit")))
    assert desk.body(new, "a.txt") == b"one\nfixed\n"
    assert desk.body(new, ".husky/pre-commit") == b"exit 0\n"


async def test_hooks_that_the_plan_brings_do_not_run(desk: Desk) -> None:
    desk.repo.git("config", "core.hooksPath", ".husky")
    desk.hook("pre-commit", f": > '{desk.mark('ran')}'", ".husky")
    plan = desk.plan(".husky/pre-commit")
    said = await desk.judged(plan)
    assert said.plan == plan and not desk.mark("ran").exists()
    assert "no hook of the base ran" in said.notes[0]


async def test_hooks_that_lie_untracked_in_a_worktree_beside_tracked_ones_do_not_run(desk: Desk) -> None:
    husky(desk, "exit 0")
    desk.hook("commit-msg", f": > '{desk.mark('ran')}'", ".husky")
    said = await desk.judged(desk.changed())
    assert not desk.mark("ran").exists() and [result.reason for result in said.results] == ["pre-commit"]
    assert "the worktree has other versions of .husky/commit-msg" in said.notes[0]


async def test_a_hook_that_is_a_link_into_the_worktree_is_the_base_s_file(desk: Desk) -> None:
    desk.repo.write("tools/check", "#!/bin/sh\nexit 7\n").chmod(0o755)
    desk.repo.commit("check")
    (desk.repo.root / ".git/hooks/pre-commit").symlink_to("../../tools/check")
    desk.repo.write("tools/check", "#!/bin/sh\nexit 0\n")
    desk.repo.write("a.txt", "one\nchanged\n")
    assert (await desk.judged(desk.plan("a.txt"))).results[0].code == 7
    assert (await desk.judged(desk.plan("a.txt", "tools/check"))).results[0].code == 7


async def test_package_json_is_the_base_s_only_where_hooks_read_it(desk: Desk) -> None:
    desk.repo.write("package.json", '{"lint-staged": {"*": "eslint"}, "version": "1"}\n')
    desk.repo.commit("package")
    desk.hook("pre-commit", "cat package.json; exit 1")
    desk.repo.write("package.json", '{"lint-staged": {"*": "eslint"}, "version": "2"}\n')
    said = await desk.judged(desk.plan("package.json"))
    assert '"version": "2"' in said.results[0].output and said.notes == ()
    desk.repo.write("package.json", '{"lint-staged": {"*": "true"}, "version": "2"}\n')
    said = await desk.judged(desk.plan("package.json"))
    assert '"version": "1"' in said.results[0].output and "package.json" in said.notes[0]


async def test_hooks_of_a_folder_that_is_not_there_are_missed_aloud(busy: Desk) -> None:
    busy.repo.git("config", "core.hooksPath", ".githooks")
    plan = busy.changed()
    said = await busy.judged(plan)
    assert said.plan == plan and "no such folder" in said.notes[0]


# -- the real pre-commit framework


def pre_commit(desk: Desk, *hooks: tuple[str, str]) -> None:
    """Install it as an operator does, with local hooks that need no network."""
    pytest.importorskip("pre_commit", reason="the pre-commit framework is not installed")
    rows = "".join(
        f"      - {{id: {name}, name: {name}, language: system, entry: {entry}, files: '\\.txt$'}}\n"
        for name, entry in hooks
    )
    desk.repo.write(".pre-commit-config.yaml", f"repos:\n  - repo: local\n    hooks:\n{rows}")
    desk.repo.commit("pre-commit")
    install = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(install, cwd=desk.repo.root, env=desk.repo.environ, check=True, capture_output=True)


def tool(desk: Desk, name: str, text: str) -> str:
    path = desk.repo.home / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


async def test_pre_commit_fixes_passes_the_second_time_and_leaves_dirty_files_alone(desk: Desk) -> None:
    pre_commit(desk, ("strip", tool(desk, "strip", "grep -q ' $' \"$@\" || exit 0; sed -i 's/ *$//' \"$@\"")))
    desk.busy()
    said = await desk.judged(desk.changed("spaces   \n"))
    assert desk.body(went_on(said), "a.txt") == b"spaces\n"
    assert [result.verdict for result in said.results] == ["green"] and "Passed" in said.results[0].output


async def test_pre_commit_fails_with_its_output(desk: Desk) -> None:
    pre_commit(desk, ("never", tool(desk, "never", "echo not good; exit 1")))
    desk.busy()
    said = await desk.judged(desk.changed())
    assert said.plan is None and "not good" in said.results[0].output


async def test_a_plan_does_not_choose_pre_commit_s_configuration(desk: Desk) -> None:
    pre_commit(desk, ("never", tool(desk, "never", "exit 1")))
    desk.repo.write(".pre-commit-config.yaml", "repos: []\n")
    desk.repo.write("a.txt", "one\nchanged\n")
    said = await desk.judged(desk.plan("a.txt", ".pre-commit-config.yaml"))
    assert said.plan is None and said.results[0].verdict == "red"
    assert "the plan changes .pre-commit-config.yaml; the base's version ran" in said.notes[0]


async def test_pre_commit_whose_configuration_is_new_in_the_plan_does_not_run(desk: Desk) -> None:
    desk.hook("pre-commit", f": > '{desk.mark('ran')}'; exec python3 -mpre_commit hook-impl")
    desk.repo.write(".pre-commit-config.yaml", "repos: []\n")
    plan = desk.plan(".pre-commit-config.yaml")
    said = await desk.judged(plan)
    assert said.plan == plan and not desk.mark("ran").exists()
    assert "hook-not-run" in rules(said) and "new in this plan" in said.notes[0]


# -- a scratch repository that turned hostile


async def test_nothing_that_a_hook_wrote_into_the_scratch_repository_runs_in_us(busy: Desk) -> None:
    evil, mark = canary(busy.marks, "fsmonitor")
    traps = [
        f"git config {name} '{evil}'"
        for name in ("core.fsmonitor", "filter.x.clean", "filter.x.smudge", "diff.external", "core.hooksPath")
    ]
    traps += ["echo '* filter=x' > .git/info/attributes", f"cp '{evil}' .git/hooks/post-index-change 2>/dev/null"]
    busy.hook("pre-commit", "mkdir -p .git/hooks .git/info\n" + "\n".join(traps) + f"\n{REWRITES}\nrm -f '{mark}'")
    plan = busy.changed()
    run = busy.prepared(plan)
    subprocess.run(run.argv["pre-commit"], cwd=run.folder, env=run.env, check=True, capture_output=True)
    assert not mark.exists()
    made = busy.hooks().outcome(plan, run)
    assert isinstance(made, Frozen) and busy.body(made, "a.txt") == b"one\nfixed\n"
    assert not mark.exists()
    subprocess.run(["git", "status"], cwd=run.folder, env=busy.repo.environ, check=False, capture_output=True)
    assert mark.exists(), "the canary proves nothing"


@pytest.mark.parametrize(
    "vandal",
    [
        'cd ..; rm -rf repo; ln -s "{root}" repo',
        "rm -rf .git/index; mkdir .git/index",
        "rm .git/index; mkfifo .git/index",
        "echo garbage > .git/index",
        "rm a.txt; mkfifo a.txt",
        "rm -rf .git",
    ],
)
async def test_a_vandal_is_refused_and_nothing_hangs(busy: Desk, vandal: str) -> None:
    busy.hook("pre-commit", vandal.replace("{root}", str(busy.repo.root)) + "; exit 0")
    said = await busy.judged(busy.changed())
    assert said.plan is None and said.refused, said


async def test_a_link_in_the_place_of_a_folder_is_not_followed(busy: Desk) -> None:
    busy.repo.write("src/app.py", "print('changed')\n")
    plan = busy.plan("src/app.py")
    secret = busy.repo.home / "src"
    secret.mkdir()
    (secret / "app.py").write_text("secret\n")
    busy.hook("pre-commit", f"rm -rf src; ln -s '{secret}' src")
    assert "src/app.py so that it is behind src" in (await busy.judged(plan)).refused


async def test_a_plan_cannot_lead_the_hooks_folder_away(desk: Desk) -> None:
    desk.repo.write(".gitignore", "hooks/\n")
    desk.repo.commit("ignored hooks")
    desk.repo.git("config", "core.hooksPath", "tools/hooks")
    desk.hook("pre-commit", "exit 7", "tools/hooks")
    desk.busy()
    assert (await desk.judged(desk.changed())).results[0].code == 7
    evil = desk.marks / "hooks"
    desk.hook("pre-commit", f": > '{desk.mark('ran')}'", str(evil))
    worktree = Path(added(desk.git, "t-1", "nightdesk/t-1").path)
    (worktree / "tools").symlink_to(desk.marks)
    said = await desk.judged(desk.plan("tools", worktree=worktree))
    assert "a link leads from tools/hooks to somewhere else" in said.notes[0]
    assert os.listdir(evil) == ["pre-commit"] and not desk.mark("ran").exists()


async def test_a_hook_that_is_killed_is_red(busy: Desk) -> None:
    busy.hook("pre-commit", f"{REWRITES}; kill -9 $$")
    said = await busy.judged(busy.changed())
    assert said.plan is None and said.results[0].verdict == "red"


def test_the_outcome_does_not_depend_on_who_else_may_read(desk: Desk) -> None:
    desk.hook("pre-commit", PASSES)
    run = desk.prepared(desk.changed())
    assert stat.S_IMODE(os.stat(Path(run.folder).parent).st_mode) == 0o700


def test_a_folder_that_is_not_empty_is_not_filled(desk: Desk) -> None:
    desk.hook("pre-commit", PASSES)
    (desk.cache / "x").write_text("")
    assert isinstance(desk.hooks().prepare(desk.changed(), desk.cache), Refused)
