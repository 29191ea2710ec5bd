"""Between a turn's end and the landed commit an agent may do anything at any moment: what lands is what was shown, or
nothing. The real flow is stopped at every step, and there one attack is made; the watch of the git dir sees nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

from console.engine.ports import Landed
from tests.adapters.gitrepo import Repo, frozen
from tests.faults.attacks import ATTACKS, NEVER_SHOWN, Ground, Known, falsifies_the_store, plants_the_blob
from tests.faults.interrupted import APPROVING, JUDGING, STEPS, Flow, Play, Stop, play, shown

Attack = Callable[[Ground], None]
ALL = [*product(STEPS, ATTACKS)]
AFTER_THE_REF = STEPS[STEPS.index("after the ref moved") :]


def sampled() -> list[tuple[str, Attack]]:
    """Every attack, every step, and every attack both while it is judged and while it lands; `slow` has them all."""
    places = {step: number for number, step in enumerate(STEPS)}
    chosen = []
    for number, attack in enumerate(ATTACKS):
        for step in STEPS:
            stride = 4 if step in APPROVING else 12
            if (5 * number + places[step]) % stride == 0:
                chosen.append((step, attack))
    return chosen


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
def scene(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Scene]:
    place = tmp_path_factory.mktemp("bytes") / "here"
    repo = operators(place)
    shutil.copytree(place, place.with_name("before-the-turn"), symlinks=True)
    with pytest.MonkeyPatch.context() as patch:
        flow = Flow.on(repo, Stop())
        asyncio_run(play(flow, patch, approve=False))
        shutil.copytree(place, place.with_name("the-plan-waits"), symlinks=True)
        played = asyncio_run(play(Flow.on(repo, Stop()), patch, begin=False))
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


def asyncio_run(work: object) -> Play:
    import asyncio

    return asyncio.run(work)  # type: ignore[arg-type]


def refs(repo: Repo) -> dict[str, str]:
    """Every ref and what its file says, aliases not followed, whatever an agent did to the configuration."""
    found = {}
    for path in [repo.root / ".git" / "HEAD", *(repo.root / ".git" / "refs").rglob("*")]:
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
    assert not played.troubles, played.troubles
    now = refs(scene.repo)
    ours = {name: value for name, value in now.items() if then.get(name) != value}
    gone = then.keys() - now.keys()
    assert not gone, gone
    if played.committed is None:
        assert ours == {}, (ours, played)
        assert played.reason, "nothing landed, and nobody is told why"
        return "landed nothing"
    assert played.plan and played.shown is not None, "landed what nobody could see"
    sha = played.committed.sha
    assert ours in ({}, {"refs/heads/main": sha}), ours
    assert landed_bytes(scene, sha) == played.shown
    return "landed what was shown"


async def attacked(scene: Scene, step: str, attack: Attack, monkeypatch: pytest.MonkeyPatch) -> str:
    early = step in JUDGING
    ground = scene.put("before-the-turn" if early else "the-plan-waits")
    then: dict[str, str] = {}

    def act() -> None:
        attack(ground)
        then.update(refs(ground.repo))

    stop = Stop(step, act)
    played = await play(Flow.on(ground.repo, stop), monkeypatch, begin=early)
    if step in AFTER_THE_REF:
        assert played.committed, "the ref had moved already"
    return check(scene, played, stop, then)


@pytest.mark.parametrize(("step", "attack"), sampled(), ids=lambda one: getattr(one, "__name__", one))
async def test_what_lands_is_what_was_shown_or_nothing(
    scene: Scene, step: str, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.tally[await attacked(scene, step, attack, monkeypatch)] += 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "attack"), [one for one in ALL if one not in sampled()], ids=lambda one: getattr(one, "__name__", one)
)
async def test_every_other_combination(
    scene: Scene, step: str, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.tally[await attacked(scene, step, attack, monkeypatch)] += 1
