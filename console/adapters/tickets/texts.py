"""The texts of tickets as they were when they were seen, kept by the SHA-256 of their bytes in the state folder, where
nothing that later happens to the files reaches them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path

from console.core.records import Refused

DIGEST = re.compile(r"[0-9a-f]{64}")


def digest_of(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


class Texts:
    """One folder of `<digest>.md` files, 0600. A name is there only with its whole content, on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, raw: bytes) -> str:
        """The digest under which these bytes are now kept. The name itself is durable after `settle`."""
        digest = digest_of(raw)
        name = self._file(digest)
        with contextlib.suppress(FileNotFoundError):
            if name.stat().st_size == len(raw):
                return digest
        self.write(name, raw)
        return digest

    def write(self, name: Path, raw: bytes) -> None:
        """A new file beside it, flushed, renamed over it."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd, made = tempfile.mkstemp(dir=self.folder, prefix=".new-")  # 0600
        try:
            with os.fdopen(fd, "wb") as out:
                out.write(raw)
                out.flush()
                os.fsync(out.fileno())
            os.replace(made, name)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(made)
            raise

    def settle(self) -> None:
        """Names that were made so far survive a power cut."""
        fd = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def raw(self, digest: str) -> bytes | Refused:
        """The bytes with this digest, proved."""
        lost = f"the text of the ticket (sha256 {digest[:12]}) in {self.folder}"
        if not DIGEST.fullmatch(digest):
            return Refused(reason=f"{digest!r} is no digest of a ticket's text")
        try:
            raw = self._file(digest).read_bytes()
        except OSError as error:
            return Refused(
                reason=f"{lost} cannot be read: {error.strerror}; save the ticket's file again to keep it anew"
            )
        if digest_of(raw) != digest:
            return Refused(reason=f"{lost} was changed; save the ticket's file again to keep it anew")
        return raw

    def _file(self, digest: str) -> Path:
        return self.folder / f"{digest}.md"
