"""Between a turn's end and the landed commit an agent may do anything at any moment: what lands is what was shown, or
nothing. The real flow is stopped at every step, and there one attack is made; the watch of the git dir sees nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from attacks import ATTACKS, NEVER_SHOWN, Ground, Known, falsifies_the_store
from gitrepo import Repo
from interrupted import Flow, Play, play, shown
from stops import CALLS, JUDGING, STEPS, Stop

from console.core.records import Frozen

Attack = Callable[[Ground], None]
ALL = [*product((*STEPS, *CALLS), ATTACKS)]
ALIAS = "ref: refs/heads/twin"
AFTER_THE_REF = STEPS[STEPS.index("after the ref moved") :]


def combinations() -> list[tuple[str, Attack]]:
    """All of them with NIGHTDESK_FULL=1, which takes some minutes; else a part: every step, and each attack several
    times while it is judged and while it lands."""
    if os.environ.get("NIGHTDESK_FULL"):
        return ALL
    strides = dict.fromkeys(STEPS, 4) | dict.fromkeys((*JUDGING, *CALLS), 12)
    places = {step: number for number, step in enumerate(strides)}
    return [(step, attack) for step, attack in ALL if (5 * ATTACKS.index(attack) + places[step]) % strides[step] == 0]


@dataclass
class Scene:
    """Two folders to start from, before the turn and with a plan that waits, and the one place that they are put to."""

    place: Path
    known: Known
    clean: bytes
    tally: Counter[str] = field(default_factory=Counter)

    @property
    def repo(self) -> Repo:
        return at(self.place)

    def put(self, which: str) -> Ground:
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.place.with_name(which), self.place, symlinks=True)
        return Ground(self.repo, self.known)


def at(place: Path) -> Repo:
    return Repo(Path(os.path.realpath(place / "shop")), place / "home", place / "state", place / "data")


def operators(place: Path) -> Repo:
    """A repository with a passing hook, signed commits, a twin of the branch, and the agent's objects in it."""
    place.mkdir()
    repo = Repo.with_files(place)
    if shutil.which("ssh-keygen"):
        key = repo.home / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True, capture_output=True)
        for name, value in {"gpg.format": "ssh", "user.signingkey": f"{key}.pub", "commit.gpgsign": "true"}.items():
            repo.git("config", "--global", name, value)
    shutil.rmtree(repo.root / ".git" / "hooks")
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    repo.git("branch", "twin")
    evil = repo.line("hash-object", "-w", repo.write("../evil", NEVER_SHOWN).as_posix())
    repo.git("update-ref", "refs/evil/blob", evil)
    for path in ("a.txt", "backdoor.py"):
        repo.git("update-index", "--add", "--cacheinfo", f"100644,{evil},{path}")
    tree = repo.line("write-tree")
    repo.git("update-ref", "refs/evil/commit", repo.line("commit-tree", tree, "-p", "HEAD", "-m", "evil"))
    repo.git("reset", "-q")
    return repo


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where there is such a place: every step of the log and of git waits for the disk otherwise."""
    memory = "/dev/shm"
    fit = os.access(memory, os.W_OK) and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    with tempfile.TemporaryDirectory(dir=memory if fit else None) as made:
        yield Path(made)


@pytest.fixture(scope="module")
def scene(folder: Path, request: pytest.FixtureRequest) -> Iterator[Scene]:
    place = folder / "here"
    repo = operators(place)
    shutil.copytree(place, place.with_name("before-the-turn"), symlinks=True)
    with pytest.MonkeyPatch.context() as patch:
        asyncio.run(play(Flow.on(repo, Stop()), patch, approve=False))
        shutil.copytree(place, place.with_name("the-plan-waits"), symlinks=True)
        played = asyncio.run(play(Flow.on(repo, Stop()), patch, begin=False))
    assert played.plan and played.committed and played.shown, played
    plan = played.plan.frozen
    blob = next(one.oid for one in plan.paths if one.path == "a.txt")
    known = Known(plan.base, plan.commit, played.committed.sha, plan.tree, blob, Path(plan.store))
    made = Scene(place, known, played.shown)
    yield made
    said = ", ".join(f"{count} {what}" for what, count in sorted(made.tally.items()))
    if said:
        manager = request.config.pluginmanager.getplugin("capturemanager")
        with manager.global_and_fixture_disabled():
            print(f"\n{made.tally.total()} of {len(ALL)} combinations of step and attack: {said}")


def refs(repo: Repo) -> dict[str, str]:
    """Every ref and what its file says, aliases not followed, whatever an agent did to the configuration."""
    found = {}
    plain = (repo.root / ".git" / name for name in ("HEAD", "packed-refs"))
    for path in (*plain, *(repo.root / ".git" / "refs").rglob("*")):
        if path.is_file() and path.suffix != ".lock":
            found[str(path.relative_to(repo.root / ".git"))] = path.read_text().strip()
    return found


def landed_bytes(scene: Scene, sha: str) -> bytes:
    """What a fresh clone with its own objects says that this commit changes."""
    ground, clone = Ground(scene.repo, scene.known), scene.place / "clone.git"
    ground.ref("refs/heads/proof", sha)
    environ = {"PATH": os.environ["PATH"], "HOME": str(scene.place), "GIT_CONFIG_GLOBAL": os.devnull}

    def git(*args: str | Path) -> bytes:
        return subprocess.run(["git", *args], cwd=scene.place, env=environ, check=True, capture_output=True).stdout

    git("clone", "-q", "--bare", "--no-local", "--single-branch", "--branch", "proof", scene.repo.root, clone)
    git("--git-dir", clone, "fsck", "--strict", "--full")
    assert git("--git-dir", clone, "rev-parse", "refs/heads/proof").decode().strip() == sha
    return git("--git-dir", clone, "show", "--full-index", "--no-renames", "--format=", sha)


def check(scene: Scene, played: Play, stop: Stop, then: dict[str, str]) -> str:
    """Nothing landed and no ref was moved by us, or exactly the approved commit with the bytes that were shown."""
    assert stop.done, ("the step was never reached", stop.passed)
    # A judgement that lost its store is tried again, from the freeze on; anything else would be a bug of ours.
    assert all(one.startswith("GitFailed") for one in played.troubles), played.troubles
    now = refs(scene.repo)
    ours = {name: value for name, value in now.items() if then.get(name) != value}
    gone = then.keys() - now.keys()
    assert not gone, gone
    again = " (judged twice)" if played.troubles else ""
    if played.committed is None:
        assert ours == {}, (ours, played)
        assert played.reason, "nothing landed, and nobody is told why"
        return "landed nothing" + again
    assert played.plan and played.shown is not None, "landed what nobody could see"
    sha = played.committed.sha
    assert ours in ({}, {"refs/heads/main": sha}), ours
    if ours:  # an alias counts as unmoved: what it stood for is still there, the branch became one of its own
        assert then.get("refs/heads/main") in (played.plan.frozen.ref_old, ALIAS), (
            "a commit was taken off the branch unseen"
        )
    assert landed_bytes(scene, sha) == played.shown
    return "landed what was shown" + again


async def attacked(scene: Scene, step: str, attack: Attack, monkeypatch: pytest.MonkeyPatch) -> str:
    early = step in JUDGING
    ground = scene.put("before-the-turn" if early else "the-plan-waits")
    then: dict[str, str] = {}

    def act() -> None:
        attack(ground)
        then.update(refs(ground.repo))

    stop = Stop(step, act)
    played = await play(Flow.on(ground.repo, stop), monkeypatch, begin=early)
    if step in CALLS and played.committed and not stop.done:
        return "landed before the attack came"
    if step in AFTER_THE_REF:
        assert played.committed, "the ref had moved already"
    return check(scene, played, stop, then)


@pytest.mark.parametrize(("step", "attack"), combinations(), ids=lambda one: getattr(one, "__name__", one))
async def test_what_lands_is_what_was_shown_or_nothing(
    scene: Scene, step: str, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.tally[await attacked(scene, step, attack, monkeypatch)] += 1


async def test_nearly_all_calls_of_the_landing_are_stopped_at(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop()
    played = await play(Flow.on(scene.put("the-plan-waits").repo, stop), monkeypatch, begin=False)
    assert played.committed and 12 <= len([step for step in stop.passed if step in CALLS]) <= len(CALLS)


def test_plain_git_would_land_something_else(scene: Scene) -> None:
    """The attacks are real: most of them get the better of `git add` and `git commit`."""
    fooled = set()
    for attack in ATTACKS:
        ground = scene.put("the-plan-waits")
        attack(ground)
        ground.git("add", "--", "a.txt", "src/new.py")
        ground.git("commit", "-q", "--no-verify", "--no-gpg-sign", "-m", "work", "--", "a.txt", "src/new.py")
        where = ground.git("symbolic-ref", "HEAD")
        said = ground.repo.git("show", "--full-index", "--no-renames", "--format=", "HEAD", ok=False)
        if (where, said) != ("refs/heads/main", scene.clean):
            fooled.add(attack)
    ours = {attack for attack in ATTACKS if "store" in attack.__name__ or "shadow" in attack.__name__}
    assert len(fooled) >= 16 and not fooled & ours, sorted(attack.__name__ for attack in set(ATTACKS) - fooled)


# -- what is shown


def waiting(scene: Scene) -> tuple[Ground, Flow, Frozen]:
    ground = scene.put("the-plan-waits")
    flow = Flow.on(ground.repo, Stop())
    journal = flow.journal()
    journal.refresh()
    (plan,) = journal.state.plans.values()
    journal.close()
    return ground, flow, plan.frozen


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.__name__)
def test_other_bytes_are_never_shown(scene: Scene, attack: Attack) -> None:
    """Also not for the moment in which a person reads, before the true ones are put back for the landing."""
    ground, flow, plan = waiting(scene)
    assert shown(flow, plan) == scene.clean
    attack(ground)
    assert shown(flow, plan) in (scene.clean, None)


def test_a_clean_checkout_of_a_falsified_plan_is_refused_or_is_the_plan(scene: Scene) -> None:
    ground, flow, plan = waiting(scene)
    falsifies_the_store(ground)
    into = scene.place / "checkout"
    refused = flow.git().checkout(plan, into)
    assert refused or (into / "a.txt").read_bytes() != NEVER_SHOWN
