"""The store of snapshots: a bare git dir of our own that borrows nothing, so no loss in the repository reaches it.

New objects arrive as one pack, named by git's own index-pack; the ref is written last. Knows nothing of worktrees.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Unpack

from console.adapters.git.binary import GitFailed, How
from console.adapters.git.objects import object_id, read_proved
from console.adapters.git.shadow import Repository, View
from console.adapters.git.snapshot_record import Scene, meta_of, scene_from, trees

REFS = "refs/snap/"
_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_WRITER = "nightdesk <nightdesk@localhost>"
PACKS_AT_MOST = 20
_AT_ONCE = 64 * 1024 * 1024


class Pack:
    """A pack under construction in a folder of its own. written: ids of what is in it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "new.pack"
        self.written: set[str] = set()
        self._file = BufferedWriter(FileIO(self.path, "wb"))
        self._file.write(b"PACK\0\0\0\2\0\0\0\0")

    def add(self, kind: str, body: bytes, oid: str = "") -> str:
        """Append an object, once; its id."""
        name = oid or object_id(kind, body)
        if name not in self.written:
            self.written.add(name)
            self._file.write(_object_head(_KINDS[kind], len(body)) + zlib.compress(body, 1))
        return name

    def abandon(self) -> None:
        self._file.close()

    def close(self) -> None:
        """Complete the file: the number of objects and the checksum."""
        self._file.seek(8)
        self._file.write(len(self.written).to_bytes(4, "big"))
        self._file.close()
        with open(self.path, "r+b") as file:
            checksum = hashlib.file_digest(file, lambda: hashlib.sha1(usedforsecurity=False)).digest()
            file.seek(0, os.SEEK_END)
            file.write(checksum)
            file.flush()
            os.fsync(file.fileno())


def _object_head(kind: int, size: int) -> bytes:
    first, rest = kind << 4 | size & 15, size >> 4
    head = bytearray()
    while rest:
        head.append(first | 128)
        first, rest = rest & 127, rest >> 7
    head.append(first)
    return bytes(head)


class SnapshotStore:
    """Callers hold the store's lock: shared to read or write, alone to `collect`."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self.place = repo.state / "snapshots.git"
        self._objects = self.place / "objects"

    def prepare(self) -> None:
        """Create the store. Idempotent, safe against a second process doing the same."""
        if not self.place.exists():
            with self._repo.scratch() as room:
                self._repo.git.check(["init", "--bare", "--quiet", "--template=", str(room / "new.git")])
                with contextlib.suppress(OSError):
                    (room / "new.git").rename(self.place)
        for folder in ("new", "stamps", "rollbacks", "objects/pack"):
            (self.place / folder).mkdir(mode=0o700, parents=True, exist_ok=True)

    def _out(self, *args: str, borrow: bool = False, **how: Unpack[How]) -> bytes:
        how["env"] = {"GIT_DIR": str(self.place)}
        return self._repo.out(self._view(borrow), *args, **how)

    def _view(self, borrow: bool = False) -> View:
        more = (Path(self._repo.workspace.common, "objects"),) if borrow else ()
        return View(store=self._objects, sealed=True, more=more)

    def known(self) -> set[str]:
        """Ids of all objects here."""
        args = ("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        return set(self._out(*args).decode().split())

    # -- writing

    @contextlib.contextmanager
    def packing(self) -> Iterator[Pack]:
        """A pack that is thrown away unless `save` took it."""
        with tempfile.TemporaryDirectory(dir=self.place / "new", ignore_cleanup_errors=True) as room:
            pack = Pack(Path(room))
            try:
                yield pack
            finally:
                pack.abandon()

    def save(self, pack: Pack, known: set[str], scene: Scene, name: str, when: int) -> str:
        """Write the record of a scene whose blobs are in the pack or known; the commit's id, under refs/snap/<name>."""

        def put(kind: str, body: bytes) -> str:
            oid = object_id(kind, body)
            return oid if oid in known else pack.add(kind, body, oid)

        worktree, bodies = trees({path: (item.mode, item.oid) for path, item in scene.files.items()})
        for body in bodies.values():
            put("tree", body)
        parts = {"meta.json": meta_of(scene), "ignored": os.fsencode("\0".join(sorted(scene.ignored)))}
        parts |= {"exclude": scene.exclude, "excludes": scene.excludes, "index": scene.index or b""}
        parts |= {f"shared-{one}": body for one, body in scene.shared.items()}
        rows = {path: ("100644", put("blob", body)) for path, body in parts.items()}
        rules, bodies = trees({path: ("100644", oid) for path, oid in scene.rules.items()})
        root, tops = trees({**rows, "rules": ("40000", rules), "worktree": ("40000", worktree)})
        for body in (*bodies.values(), *tops.values()):
            put("tree", body)
        who = f"{_WRITER} {when} +0000"
        text = f"tree {root}\nauthor {who}\ncommitter {who}\n\nsnapshot {name}\n"
        commit = put("commit", text.encode())
        self._settle(pack)
        # A git that was killed leaves its lock; whoever else writes this ref is kept out by our own.
        (self.place / f"{REFS}{name}.lock").unlink(missing_ok=True)
        self._out("update-ref", f"{REFS}{name}", commit)
        return commit

    def _settle(self, pack: Pack) -> None:
        if not pack.written:
            return
        pack.close()
        name = self._out("index-pack", str(pack.path)).decode().split()[-1]
        target = self._objects / "pack" / f"pack-{name}"
        # Git looks for the .idx, so that one comes last.
        os.replace(pack.path, f"{target}.pack")
        os.replace(pack.path.with_suffix(".idx"), f"{target}.idx")

    # -- reading

    def load(self, commit: str) -> Scene | None:
        """The record of a snapshot; None when there is no such snapshot (any more). Raises GitFailed."""
        kind = self._out("cat-file", "--batch-check=%(objecttype)", stdin=f"{commit}\n".encode()).decode().split()
        if kind != ["commit"]:
            return None
        rows = dict(self._rows("ls-tree", "-z", commit))
        body = self.blobs(oid for mode, oid in rows.values() if mode != "040000")
        scene = scene_from(body[rows["meta.json"][1]], self._files(f"{commit}:worktree"), body[rows["ignored"][1]])
        scene.rules = {path: oid for path, (_, oid) in self._files(f"{commit}:rules").items()}
        scene.exclude, scene.excludes = body[rows["exclude"][1]], body[rows["excludes"][1]]
        scene.index = body[rows["index"][1]] if scene.index is not None else None
        scene.shared = {one[7:]: body[oid] for one, (_, oid) in rows.items() if one.startswith("shared-")}
        return scene

    def _rows(self, *args: str) -> Iterator[tuple[str, tuple[str, str]]]:
        for row in self._out(*args).split(b"\0")[:-1]:
            head, _, path = row.partition(b"\t")
            mode, _, oid = head.decode().split(" ")
            yield os.fsdecode(path), (mode, oid)

    def _files(self, tree: str) -> dict[str, tuple[str, str]]:
        return dict(self._rows("ls-tree", "-r", "-z", "--full-tree", tree))

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """{id: bytes}, each proved; what is not here is looked for in the repository. Raises GitFailed."""

        def cat_file(names: bytes) -> bytes:
            return self._out("cat-file", "--batch", stdin=names, borrow=True)

        return {oid: body for oid, (_, body) in read_proved(cat_file, oids).items()}

    def batches(self, oids: Iterable[str]) -> Iterator[dict[str, bytes]]:
        """Like `blobs` in portions of about 64 MiB, but what is lost or was planted is left out."""
        wanted = "".join(f"{oid}\n" for oid in dict.fromkeys(oids)).encode()
        rows = self._out("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=wanted, borrow=True)
        portion: list[str] = []
        size = 0
        for row in rows.decode().splitlines():
            oid, _, figure = row.partition(" ")
            size += int(figure) if figure.isdigit() else 0
            if figure.isdigit():
                portion.append(oid)
            if size > _AT_ONCE:
                yield self._sound(portion)
                portion, size = [], 0
        if portion:
            yield self._sound(portion)

    def _sound(self, oids: list[str]) -> dict[str, bytes]:
        """Those of the objects that can be proved."""
        with contextlib.suppress(GitFailed):
            return self.blobs(oids)
        found: dict[str, bytes] = {}
        for oid in oids:
            with contextlib.suppress(GitFailed):
                found |= self.blobs([oid])
        return found

    # -- forgetting

    def collect(self, keep: frozenset[str], before: int) -> int:
        """Drop refs to snapshots not in `keep` made before that time; bytes freed."""
        size = self._size()
        self._clean()
        rows = self._out("for-each-ref", "--format=%(objectname) %(committerdate:unix) %(refname)", REFS)
        old = [row.split(" ", 2) for row in rows.decode().splitlines()]
        dropped = "".join(f"delete {ref} {oid}\n" for oid, when, ref in old if oid not in keep and int(when) < before)
        if dropped:
            self._out("update-ref", "--stdin", stdin=dropped.encode())
        if dropped or len(list((self._objects / "pack").glob("*.pack"))) > PACKS_AT_MOST:
            self._repack()
        return max(0, size - self._size())

    def _clean(self) -> None:
        """What killed processes left; nobody else is here now."""
        for leftover in (self.place / "new").iterdir():
            shutil.rmtree(leftover, ignore_errors=True)
        for leftover in (*(self._objects / "pack").glob("tmp_*"), *self.place.glob("refs/**/*.lock")):
            leftover.unlink(missing_ok=True)
        (self.place / "packed-refs.lock").unlink(missing_ok=True)

    def _repack(self) -> None:
        listed = self._out("rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--all")
        known = self.known()
        wanted = "".join(f"{oid}\n" for oid in listed.decode().split() if oid in known).encode()
        old = {one for one in (self._objects / "pack").iterdir() if one.suffix in (".pack", ".idx", ".rev")}
        fresh = ""
        if wanted:
            base = str(self._objects / "pack" / "pack")
            how = ("-c", "core.bigFileThreshold=1m", "pack-objects", "-q", "--threads=1", base)
            fresh = self._out(*how, stdin=wanted, timeout=900).decode().strip()
        for one in sorted(old):  # .idx before .pack
            if one.stem != f"pack-{fresh}":
                one.unlink()

    def _size(self) -> int:
        return sum(one.stat().st_size for one in self._objects.rglob("*") if one.is_file())
