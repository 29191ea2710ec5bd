"""Git LFS without its program: pointers, the objects beside a plan's store, and their way into the repository.

Pointer format: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md (version 1). Never replaces an object.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.shadow import Repository

POINTER_CAP = 1024
CHUNK = 1 << 20
_POINTER = re.compile(
    rb"version https://(?:git-lfs\.github\.com|hawser\.github\.com)/spec/v1\n"
    rb"oid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]{0,18})\n?"
)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_STOCK = re.compile(
    r"filter\.lfs\.clean\n(git-lfs|git lfs) clean (-- )?%f|"
    r"filter\.lfs\.smudge\n(git-lfs|git lfs) smudge (--skip )?(-- )?%f|"
    r"filter\.lfs\.process\n(git-lfs|git lfs) filter-process( --skip)?|filter\.lfs\.required(\n\w*)?"
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """What git holds in the place of a large file: the id (sha256) and the size in bytes of its content."""

    oid: str
    size: int

    @property
    def body(self) -> bytes:
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.oid}\nsize {self.size}\n".encode()

    @property
    def place(self) -> str:
        """Below an object folder."""
        return f"{self.oid[:2]}/{self.oid[2:4]}/{self.oid}"


def pointer_in(body: bytes) -> Pointer | None:
    """The pointer that these bytes are, or None."""
    found = _POINTER.fullmatch(body) if len(body) < POINTER_CAP else None
    return Pointer(found[1].decode(), int(found[2])) if found else None


def unusual(repo: Repository) -> str:
    """Why pointers cannot be made here as git-lfs would ("" when they can); completes "<path> ..."."""
    wanted = r"^(filter\.lfs\..*|lfs\.(storage|extension\..*))$"
    ran = repo.real("config", "--includes", "-z", "--get-regexp", wanted, operator=True, timeout=20)
    if ran.code not in (0, 1):
        raise GitFailed(f"the rules of Git LFS cannot be read: {ran.complaint()}")
    for item in filter(None, os.fsdecode(ran.out).split("\0")):
        if not _STOCK.fullmatch(item):
            key = shown(item.partition("\n")[0])
            return (
                f"is kept in Git LFS, and this repository's {key} is not the stock one: commit it by hand, or set the "
                "stock rules with `git lfs install --force`"
            )
    return ""


def store_of(plan_store: str) -> Path:
    """The LFS objects of a plan, beside its git objects."""
    return Path(plan_store).parent / "lfs"


def repository_folder(repo: Repository) -> str:
    return os.path.join(repo.workspace.common, "lfs", "objects")


def keep(source: Path, target: Path) -> None:
    """Link the objects of one folder of ours into another; what is there stays."""
    for file in sorted(source.rglob("*")) if source.is_dir() else ():
        if file.is_file():
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                os.link(file, place)


# -- into the repository


def deliver(repo: Repository, store: Path, pointers: Iterable[Pointer]) -> None:
    """Put those objects that the plan has into the repository, each whole and on the disk before it has its name.

    Raises GitFailed when the plan's are damaged, or something else has the name of one.
    """
    for pointer in pointers:
        if os.path.lexists(store / pointer.place):
            with _folder(repo.workspace.common, f"lfs/objects/{os.path.dirname(pointer.place)}") as folder:
                _put(store / pointer.place, folder, pointer)


@contextlib.contextmanager
def _folder(common: str, path: str) -> Iterator[int]:
    """A folder below the shared git dir, made where it is missing; no symbolic link is followed."""
    handle = os.open(common, _FOLDER)
    try:
        for part in path.split("/"):
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=handle)
            try:
                below = os.open(part, _FOLDER, dir_fd=handle)
            except OSError as error:
                raise GitFailed(
                    f"{shown(os.path.join(common, path))} cannot be used for Git LFS: {part} is no folder of its own "
                    f"({error.strerror}); put a plain folder there and try again"
                ) from error
            os.close(handle)
            handle = below
        yield handle
    finally:
        os.close(handle)


def _put(source: Path, folder: int, pointer: Pointer) -> None:
    if _holds(folder, pointer):
        return
    temporary = f"new-{os.getpid()}-{pointer.oid}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(temporary, flags, 0o644, dir_fd=folder), "wb") as target:
            copied(os.open(source, _FILE), target.fileno(), pointer)
            os.fsync(target.fileno())
        with contextlib.suppress(FileExistsError):
            # A link, because a rename would take the place of what somebody put there meanwhile.
            os.link(temporary, pointer.oid, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
        if not _holds(folder, pointer):
            raise GitFailed(f"the Git LFS object {pointer.oid} could not be stored: somebody put other content there")
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _holds(folder: int, pointer: Pointer) -> bool:
    """True when the object is there and sound. Raises GitFailed when something else has its name."""
    try:
        handle = os.open(pointer.oid, _FILE, dir_fd=folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise GitFailed(f"the Git LFS object {pointer.oid} cannot be read: {error.strerror}") from error
    try:
        sound = os.fstat(handle).st_size == pointer.size and _hash(handle) == pointer.oid
    finally:
        os.close(handle)
    if not sound:
        raise GitFailed(
            f"lfs/objects/{pointer.place} in the git dir does not hold what its name says: move it away "
            "(`git lfs fsck` shows it), then approve again"
        )
    return True


def _hash(handle: int) -> str:
    digest = hashlib.sha256()
    while chunk := os.read(handle, CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def copied(source: int, target: int, pointer: Pointer) -> None:
    """Copy an open object's content and close it. Raises GitFailed unless it is exactly the pointer's."""
    digest, size = hashlib.sha256(), 0
    try:
        while (chunk := os.read(source, CHUNK)) and size <= pointer.size:
            digest.update(chunk)
            size += len(chunk)
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(target, rest) :]
    finally:
        os.close(source)
    if (size, digest.hexdigest()) != (pointer.size, pointer.oid):
        raise GitFailed(f"the Git LFS object {pointer.oid} does not hold what its name says")


# -- into a checkout


def fill(
    repo: Repository, stores: Iterable[Path], into: Path, pointers: Iterable[tuple[bytes, Pointer]]
) -> list[bytes]:
    """Write the content over the pointers of a fresh checkout; the paths whose object is nowhere, or damaged.

    stores: object folders of plans, beside which their LFS objects are.
    """
    places = (*(str(store_of(str(store))) for store in stores), repository_folder(repo))
    missing = []
    for path, pointer in pointers:
        target = os.path.join(os.fsencode(into), path)
        if not any(_filled(os.path.join(place, pointer.place), target, pointer) for place in places):
            missing.append(path)
    return missing


def _filled(source: str, target: bytes, pointer: Pointer) -> bool:
    try:
        handle = os.open(source, _FILE)
    except OSError:
        return False
    if os.fstat(handle).st_size != pointer.size:
        os.close(handle)
        return False
    with open(target, "r+b") as file:
        before = file.read(POINTER_CAP)
        file.seek(0)
        try:
            copied(handle, file.fileno(), pointer)
        except GitFailed:
            file.seek(0)
            file.truncate()
            file.write(before)
            return False
        file.truncate(pointer.size)
    return True
