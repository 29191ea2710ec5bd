"""Every vector sings with plain git, and none does over everything that we do to the same repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from canaries import Armed, Vector, dirty
from gitrepo import Repo, added, frozen, request
from vectors import SILENT, VECTORS, copied, template

from console.adapters.git.snapshots import ShadowSnapshots
from console.adapters.git.watching import Watch
from console.adapters.git.worktrees import discover
from console.core.records import Frozen, Refused
from console.engine.ports import Landed, Look, Snapshot, Workspace


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return template(tmp_path_factory.mktemp("canaries") / "template")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_it_sings_with_plain_git(vector: Vector, hostile: Repo, tmp_path: Path) -> None:
    armed = copied(hostile, tmp_path / "copy")
    vector.arm(armed)
    assert armed.sung() == []
    vector.fire(armed)
    assert armed.mark(vector.name).exists()


@pytest.mark.parametrize(("vector", "reason"), SILENT, ids=lambda part: getattr(part, "name", ""))
def test_it_is_silent_even_with_plain_git(vector: Vector, reason: str, hostile: Repo, tmp_path: Path) -> None:
    armed = copied(hostile, tmp_path / "copy")
    vector.arm(armed)
    vector.fire(armed)
    assert reason and armed.sung() == []


def crowds() -> list[list[Vector]]:
    """All vectors in as few repositories as their slots allow."""
    found: list[tuple[dict[str, str], list[Vector]]] = []
    for vector in (*VECTORS, *(one for one, _ in SILENT)):
        for slots, members in found:
            if all(slots.get(name, value) == value for name, value in vector.slots.items()):
                slots.update(vector.slots)
                members.append(vector)
                break
        else:
            found.append((dict(vector.slots), [vector]))
    return [members for _, members in found]


def test_the_count_is_honest(capsys: pytest.CaptureFixture[str]) -> None:
    names = [vector.name for vector in VECTORS]
    assert len(names) == len(set(names)) >= 58
    with capsys.disabled():
        print(f"\n{len(names)} vectors sing, {len(SILENT)} silent ones, in {len(crowds())} hostile repositories")


@pytest.mark.parametrize("number", range(len(crowds())))
def test_none_sings_over_our_operations(number: int, hostile: Repo, tmp_path: Path) -> None:
    armed = copied(hostile, tmp_path / "copy")
    watch = Watch(armed.repo.plain().repository)
    assert watch.rebase() is None
    for vector in crowds()[number]:
        vector.arm(armed)
    armed.run("config", "--list")
    assert armed.sung() == []
    dirty(armed, "a.txt", *(path.name for path in armed.repo.root.glob("*.dat")))
    armed.repo.write("new.dat", "new\n")
    _everything(armed, tmp_path)
    assert armed.sung() == []
    look = watch.look(frozenset({"refs/heads/nightdesk/t"}))
    assert isinstance(look, Look) and any(one.severity in ("runs", "lies") for one in look.changes)
    assert isinstance(watch.restore(look.baseline, look.seen, frozenset({"HEAD", "refs/heads/main"})), tuple)
    assert isinstance(watch.adopt(look.seen), tuple)
    assert armed.sung() == []


def _everything(armed: Armed, place: Path) -> None:
    repo = armed.repo
    git = repo.plain()
    assert isinstance(discover(repo.root / "src", repo.environ), Workspace)
    git.identity()
    ticket = Path(added(git, "t", "nightdesk/t").path)
    dirty(Armed(Repo(ticket, repo.home, repo.state, repo.data), armed.marks), "a.txt")
    assert len(git.worktrees()) == 2 and git.worktree_of(str(ticket / "src")) is not None
    for tree in (repo.root, ticket):
        plan = frozen(git, tree, "a.txt")
        assert b"+dirty" in git.diff(plan)
        _snapshots(repo, tree)
        for path in sorted(tree.glob("*.dat"))[:5]:
            assert isinstance(git.freeze(request(git, tree, path.name)), Frozen | Refused)
        if hasattr(git, "contents"):
            git.contents(plan)
        git.same_bytes(plan)
        assert git.drift(plan) == ()
        assert git.checkout(plan, place / f"out-{tree.name}") is None
        assert git.moved(plan) is None
        assert isinstance(git.land(plan), Landed) and git.landed(plan)
        assert isinstance(git.undo(plan), Landed)


def _snapshots(repo: Repo, tree: Path) -> None:
    snapshots = ShadowSnapshots(repo.plain().repository)
    taken = snapshots.take(str(tree), f"s-{tree.name}/1", 1_700_000_000)
    assert isinstance(taken, Snapshot), taken
    before = (tree / "a.txt").read_bytes()
    (tree / "a.txt").write_text("vandal\n")
    assert not isinstance(snapshots.changes(str(tree), taken.snapshot), Refused)
    restored = snapshots.restore(str(tree), taken.snapshot, 1_700_000_001)
    assert not isinstance(restored, Refused), restored
    assert (tree / "a.txt").read_bytes() == before
