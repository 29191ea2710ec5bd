"""What an agent without a sandbox does to a repository and to our store while a plan is on its way: each at one stroke,
by files alone or with plain git, so that it can be done between any two steps of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo

EVIL = b"EVIL\n"
NEVER_SHOWN = b"one\nEVIL\n"


@dataclass(frozen=True)
class Known:
    """Ids that an agent can compute beforehand: it knows its own bytes. signed: the plan's commit with its signature;
    store: where the plan's objects will be kept."""

    base: str
    commit: str
    signed: str
    tree: str
    blob: str
    store: Path


@dataclass(frozen=True)
class Ground:
    repo: Repo
    known: Known

    @property
    def git_dir(self) -> Path:
        return self.repo.root / ".git"

    def git(self, *args: str, stdin: bytes | None = None) -> str:
        """Plain git of an agent that did not forget what others may have put there; never needs to succeed."""
        return self.repo.git(*args, stdin=stdin, ok=False).decode("utf-8", "replace").strip()

    def ref(self, name: str, value: str) -> None:
        path = self.git_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value + "\n")

    @property
    def objects(self) -> Path:
        return self.git_dir / "objects"

    @property
    def state(self) -> Path:
        return self.known.store.parent.parent.parent

    def evil_tree(self) -> str:
        """A tree that is the plan's with other bytes in the listed file, and a file that nobody listed."""
        return self.git("rev-parse", "refs/evil/commit^{tree}")

    def evil_commit(self) -> str:
        return self.git("rev-parse", "refs/evil/commit")


def plant(objects: Path, oid: str, kind: str, body: bytes) -> None:
    """A loose object whose bytes are not those that its name stands for."""
    path = objects / oid[:2] / oid[2:]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(b"%s %d\0" % (kind.encode(), len(body)) + body))


def _body(ground: Ground, kind: str, name: str) -> bytes:
    return ground.repo.git("cat-file", kind, name, ok=False)


def edits_a_listed_file(ground: Ground) -> None:
    ground.repo.write("a.txt", NEVER_SHOWN)


def edits_it_and_keeps_its_size_and_time(ground: Ground) -> None:
    path = ground.repo.root / "a.txt"
    if path.exists():
        seen, body = path.stat(), path.read_bytes()
        path.write_bytes(EVIL + body[len(EVIL) :])
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def swaps_a_listed_file_for_a_link(ground: Ground) -> None:
    elsewhere = ground.repo.home / "elsewhere.txt"
    elsewhere.write_bytes(NEVER_SHOWN)
    (ground.repo.root / "a.txt").unlink(missing_ok=True)
    (ground.repo.root / "a.txt").symlink_to(elsewhere)


def swaps_a_folder_for_a_link(ground: Ground) -> None:
    elsewhere = ground.repo.home / "src"
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / "new.py").write_bytes(NEVER_SHOWN)
    shutil.rmtree(ground.repo.root / "src", ignore_errors=True)
    (ground.repo.root / "src").symlink_to(elsewhere)


def deletes_a_listed_file(ground: Ground) -> None:
    (ground.repo.root / "a.txt").unlink(missing_ok=True)


def stages_other_bytes(ground: Ground) -> None:
    ground.git("update-index", "--add", "--cacheinfo", f"100644,{ground.git('rev-parse', 'refs/evil/blob')},a.txt")


def plants_the_blob(ground: Ground) -> None:
    plant(ground.objects, ground.known.blob, "blob", NEVER_SHOWN)


def plants_the_tree(ground: Ground) -> None:
    plant(ground.objects, ground.known.tree, "tree", _body(ground, "tree", ground.evil_tree()))


def plants_the_commit(ground: Ground) -> None:
    body = _body(ground, "commit", ground.evil_commit())
    for commit in (ground.known.commit, ground.known.signed):
        plant(ground.objects, commit, "commit", body)


def plants_in_our_shadow(ground: Ground) -> None:
    shadow = ground.state / "shadow.git" / "objects"
    plant(shadow, ground.known.blob, "blob", NEVER_SHOWN)
    plant(shadow, ground.known.tree, "tree", _body(ground, "tree", ground.evil_tree()))


def replaces_the_base(ground: Ground) -> None:
    tree = ground.git("rev-parse", f"{ground.known.base}^{{tree}}")
    ground.ref(f"refs/replace/{tree}", ground.evil_tree())
    ground.ref(f"refs/replace/{ground.known.base}", ground.evil_commit())


def replaces_the_plan(ground: Ground) -> None:
    ground.ref(f"refs/replace/{ground.known.blob}", ground.git("rev-parse", "refs/evil/blob"))
    ground.ref(f"refs/replace/{ground.known.tree}", ground.evil_tree())
    for commit in (ground.known.commit, ground.known.signed):
        ground.ref(f"refs/replace/{commit}", ground.evil_commit())


def hides_an_edit_with_index_flags(ground: Ground) -> None:
    ground.git("update-index", "--assume-unchanged", "--skip-worktree", "a.txt")
    edits_a_listed_file(ground)


def points_core_worktree_elsewhere(ground: Ground) -> None:
    elsewhere = ground.repo.home / "other-tree"
    (elsewhere / "src").mkdir(parents=True, exist_ok=True)
    (elsewhere / "a.txt").write_bytes(NEVER_SHOWN)
    (elsewhere / "src" / "new.py").write_bytes(NEVER_SHOWN)
    ground.git("config", "core.worktree", str(elsewhere))


def rewrites_by_attributes(ground: Ground) -> None:
    ground.git("config", "filter.evil.clean", "sed s/agent/EVIL/")
    (ground.git_dir / "info").mkdir(exist_ok=True)
    (ground.git_dir / "info" / "attributes").write_text("* filter=evil ident eol=crlf -diff\n")
    (ground.repo.root / ".gitattributes").write_text("* filter=evil ident eol=crlf -diff\n")


def switches_head_to_a_twin(ground: Ground) -> None:
    ground.ref("HEAD", "ref: refs/heads/twin")


def makes_the_branch_an_alias_of_a_twin(ground: Ground) -> None:
    ground.ref("refs/heads/main", "ref: refs/heads/twin")


def commits_beside_the_plan(ground: Ground) -> None:
    tip = ground.git("rev-parse", "refs/heads/main")
    made = ground.git("commit-tree", f"{tip}^{{tree}}", "-p", tip, "-m", "empty, by the agent")
    ground.git("update-ref", "refs/heads/main", made)


def commits_over_the_plan(ground: Ground) -> None:
    ground.git("update-ref", "refs/heads/main", ground.evil_commit())


def deletes_the_branch(ground: Ground) -> None:
    ground.git("update-ref", "-d", "refs/heads/main")


def cuts_the_store_short(ground: Ground) -> None:
    for pack in ground.known.store.rglob("*.pack"):
        body = pack.read_bytes()
        pack.chmod(0o600)
        pack.write_bytes(body[: len(body) // 2])


def falsifies_the_store(ground: Ground) -> None:
    """All of its objects loose, under their names, and other bytes under one of them; also before there is a store."""
    store = ground.known.store
    packs = [path.read_bytes() for path in store.rglob("*.pack")]
    shutil.rmtree(store, ignore_errors=True)
    subprocess.run(["git", "init", "-q", "--bare", store.parent], env=ground.repo.environ, check=True)
    shutil.rmtree(store.parent / "hooks", ignore_errors=True)
    for pack in packs:
        unpack = ["git", "--git-dir", str(store.parent), "unpack-objects", "-q"]
        subprocess.run(unpack, input=pack, env=ground.repo.environ, check=False, capture_output=True)
    plant(store, ground.known.blob, "blob", NEVER_SHOWN)


def lends_the_store_other_objects(ground: Ground) -> None:
    """No pack any more, but an alternate that answers for it, with the evil tree under the tree's name."""
    lent = ground.repo.home / "lent"
    shutil.rmtree(lent, ignore_errors=True)
    lent.mkdir()
    plant(lent, ground.known.tree, "tree", _body(ground, "tree", ground.evil_tree()))
    plant(lent, ground.known.blob, "blob", NEVER_SHOWN)
    info = ground.known.store / "info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "alternates").write_text(f"{lent}\n{ground.objects}\n")
    shutil.rmtree(ground.known.store / "pack", ignore_errors=True)


def takes_the_store_away(ground: Ground) -> None:
    shutil.rmtree(ground.known.store.parent, ignore_errors=True)


ATTACKS: tuple[Callable[[Ground], None], ...] = (
    edits_a_listed_file,
    edits_it_and_keeps_its_size_and_time,
    swaps_a_listed_file_for_a_link,
    swaps_a_folder_for_a_link,
    deletes_a_listed_file,
    stages_other_bytes,
    plants_the_blob,
    plants_the_tree,
    plants_the_commit,
    plants_in_our_shadow,
    replaces_the_base,
    replaces_the_plan,
    hides_an_edit_with_index_flags,
    points_core_worktree_elsewhere,
    rewrites_by_attributes,
    switches_head_to_a_twin,
    makes_the_branch_an_alias_of_a_twin,
    commits_beside_the_plan,
    commits_over_the_plan,
    deletes_the_branch,
    cuts_the_store_short,
    falsifies_the_store,
    lends_the_store_other_objects,
    takes_the_store_away,
)
