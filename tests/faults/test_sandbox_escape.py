"""A hostile program in the sandbox, as an ordinary user and as root: it can change nothing that is locked."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))
from process_rig import Driven, interpreter, patched, tier

from console.adapters import namespaces, sandbox
from console.core.records import Sandbox

ESCAPES = Path(__file__).parent / "escapes.py"
pytestmark = pytest.mark.skipif(not tier().mounts, reason=f"no sandbox here: {tier().reason}")
USERS = [None, 1000] if os.geteuid() == 0 else [None]
LOCKED = {"Read-only file system", "Device or resource busy", "Invalid cross-device link"}
NO_MOUNT = {"Operation not permitted", "Invalid argument", *LOCKED}
MADE = """git init -q "$1"; cd "$1"; echo one > a.txt; mkdir src; echo two > src/b; git add -A; git commit -qm first
git worktree add -q -b side "$2"
"""
NO_ACCESS = {"Permission denied", "Operation not permitted", "No such file or directory"}


@dataclass
class Place:
    """A repository with a linked worktree, a state folder, and a process outside, all of one user."""

    base: Path
    root: Path
    worktree: Path
    state: Path
    user: int | None
    outsider: int

    def run(self, argv: list[str], pids: bool = False, writable_git: bool = False, **more: Any) -> tuple[Any, bytes]:
        box = sandbox.plan(
            tier(), "require", str(self.root / ".git"), str(self.worktree), str(self.state),
            writable_git=writable_git, pids=pids,
        )  # fmt: skip
        assert isinstance(box, Sandbox) and box.pids == pids, box
        order = {"read_only": list(box.read_only), "pids": box.pids}
        env = {"PATH": os.environ["PATH"], "HOME": str(self.base)}
        run = Driven(self.worktree, argv, env, sandbox=order, user=self.user, output=f"{self.base}/out/run", **more)
        try:
            return run.line("end", 30), run.text()
        finally:
            run.close()

    def digest(self) -> dict[str, str]:
        """What must not change: every byte, mode and name of it."""
        found = {str(self.worktree / ".git"): (self.worktree / ".git").read_text()}
        for top in (self.root / ".git", self.state):
            for path in sorted(top.rglob("*")):
                stat = path.lstat()
                content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
                found[str(path)] = f"{stat.st_mode:o} {stat.st_ino} {content}"
        return found


@pytest.fixture(params=USERS, ids=lambda user: f"uid {os.geteuid() if user is None else user}")
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    interpreter(request.param)
    base = Path(os.path.realpath(tempfile.mkdtemp(prefix="sandboxed-")))
    base.chmod(0o755)
    for name in ("projects", "out", "states", "states/nightdesk", "states/nightdesk/shop"):
        (base / name).mkdir()
    (base / ".gitconfig").write_text("[user]\n name = Ada\n email = ada@example.com\n")
    root, worktree = base / "projects" / "shop", base / "projects" / "linked"
    subprocess.run(["sh", "-ec", MADE, "-", root, worktree], env=os.environ | {"HOME": str(base)}, check=True)
    state = base / "states" / "nightdesk"
    (state / "trust.json").write_text("{}")
    (state / "shop" / "log.db").write_text("log")
    as_user: dict[str, Any] = {}
    if request.param is not None:
        subprocess.run(["chown", "-R", f"{request.param}:{request.param}", base], check=True)
        as_user = {"user": request.param, "group": request.param, "extra_groups": []}
    with subprocess.Popen(["sleep", "100"], cwd="/", start_new_session=True, **as_user) as outsider:
        yield Place(base, root, worktree, state, request.param, outsider.pid)
        outsider.kill()
    shutil.rmtree(base)


def escape(place: Place, pids: bool, **more: Any) -> dict[str, Any]:
    attacks = shutil.copy(ESCAPES, place.base)
    outsider = 0 if pids else place.outsider
    about = [str(place.root), str(place.worktree), str(place.state), str(outsider)]
    end, text = place.run([interpreter(place.user), "-I", str(attacks), *about], pids, **more)
    assert end["how"] == "exited" and end["code"] == 0, (end, text)
    answer: dict[str, Any] = json.loads(text.splitlines()[-1])
    return answer


@pytest.mark.parametrize("pids", [False, *([True] if tier().pids else [])], ids=["mounts", "pids"])
def test_no_way_out_changes_what_is_locked(place: Place, pids: bool) -> None:
    before = place.digest()
    answer = escape(place, pids)
    print(json.dumps(answer, indent=1))
    assert place.digest() == before
    for name, said in answer["direct"].items():
        assert said in LOCKED or "Read-only file system" in said or "Device or resource busy" in said, (name, said)
    for name, said in answer["mounts"].items():
        assert said in NO_MOUNT, (name, said)
    for name, said in answer["processes"].items():
        assert said in NO_ACCESS or (pids and name.startswith("pid 1 ")), (name, said)
    assert set(answer["fds"]) <= {"0", "1", "2", "3"}
    assert not any(str(place.base) in target for target in answer["fds"].values()), answer["fds"]


@pytest.mark.parametrize(
    ("taken_out", "attack"),
    [
        ('    unshare(CLONE_NEWUSER | CLONE_NEWNS, "locking', ("mounts", "umount as given")),
        ("(Place.look_up, Place.anchor, Place.lock)", ("direct", "move the repository")),
    ],
)
def test_each_part_is_needed(place: Place, tmp_path: Path, taken_out: str, attack: tuple[str, str]) -> None:
    if os.geteuid() != 0 or place.user is not None:
        pytest.skip("only root keeps capabilities in its namespace")
    source = Path(namespaces.__file__).read_text()
    assert taken_out in source
    without = '    str("locking' if attack[0] == "mounts" else "(Place.lock,)"
    weak = patched(place.base)
    (place.base / "namespaces.py").write_text(source.replace(taken_out, without))
    answer = escape(place, False, program=weak)
    assert answer[attack[0]][attack[1]] == "DONE"


SEEN = "cd {0} && git status --porcelain && git diff --stat && git log --oneline | wc -l"


def test_git_reads_as_before(place: Place) -> None:
    (place.worktree / "a.txt").write_text("changed\n")
    before = place.digest()
    end, text = place.run(["sh", "-c", SEEN.format(place.worktree)])
    assert end["code"] == 0, text
    assert text.split()[:2] == [b"M", b"a.txt"] and text.split()[-1] == b"1"
    assert place.digest() == before


def test_with_a_writable_git_dir_only_our_state_is_locked(place: Place) -> None:
    script = "echo new > a.txt && git commit -qam inside && git log --oneline | wc -l"
    script += f"; echo x >> {place.state}/trust.json"
    _, text = place.run(["sh", "-c", script], writable_git=True)
    assert text.split()[0] == b"2" and b"trust.json" in text
    assert (place.state / "trust.json").read_text() == "{}"


NESTED = {
    "unshare": ["unshare", "-Ur", "sh", "-c", "id -u"],
    "bwrap": [
        "bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev",
        "--proc", "/proc", "--bind", ".", ".", "sh", "-c", "touch made && id -u && ! touch .git",
    ],
}  # fmt: skip


@pytest.mark.parametrize("pids", [False, *([True] if tier().pids else [])], ids=["mounts", "pids"])
@pytest.mark.parametrize("kind", NESTED)
def test_an_agent_can_still_make_a_sandbox_of_its_own(place: Place, kind: str, pids: bool) -> None:
    argv = NESTED[kind]
    if not shutil.which(argv[0]):
        pytest.skip(f"needs {argv[0]}")
    argv = [str(place.worktree) if word == "." else word for word in argv]
    end, text = place.run(argv, pids)
    assert end["code"] == 0, text
    assert text.split()[0] == (b"0" if kind == "unshare" or place.user is None else b"1000")
    assert kind == "unshare" or (place.worktree / "made").exists()


def test_it_gains_nothing_by_set_uid_programs_and_keeps_its_ids(place: Place) -> None:
    _, text = place.run(["sh", "-c", "id -u; id -g; grep NoNewPrivs /proc/self/status; grep CapEff /proc/self/status"])
    uid = str(os.geteuid() if place.user is None else place.user).encode()
    assert text.split()[:4] == [uid, uid, b"NoNewPrivs:", b"1"]
    assert uid == b"0" or text.split()[5] == b"0" * 16
