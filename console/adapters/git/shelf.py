"""Keeps fingerprints and the content they speak of in the state folder, so that it can be put back. Content is named
by its hash and proved when it is read; what no kept fingerprint speaks of is dropped.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from console.adapters.git.fingerprint import Print
from console.adapters.git.items import digest_of

KEPT = 20


class Shelf:
    """`<state>/fingerprints/`: `baseline` (a name), `<name>/print.json`, `content/<sha256>`, `removed/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self) -> None:
        """Make the folders (0700). Raises OSError."""
        for folder in (self.folder, self.folder / "content", self.folder / "removed"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def baseline(self) -> str:
        """The baseline's name, "" when there is none."""
        try:
            return (self.folder / "baseline").read_text().strip()
        except OSError:
            return ""

    def set_baseline(self, name: str) -> None:
        self._write(self.folder / "baseline", f"{name}\n".encode())

    def keep(self, seen: Print, content: Mapping[str, bytes]) -> str:
        """Store it whole and return its name. Raises OSError."""
        text = seen.dumped()
        name = digest_of(text)[:20]
        for digest in seen.digests():
            place = self.folder / "content" / digest
            if digest in content and not place.exists():
                self._write(place, content[digest])
        (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        self._write(self.folder / name / "print.json", text)
        self._drop_old(name)
        return name

    def load(self, name: str) -> Print | None:
        """A fingerprint by name; None when it is gone or is not what its name says."""
        if not name.isalnum():
            return None
        try:
            text = (self.folder / name / "print.json").read_bytes()
            return Print.loaded(text) if digest_of(text)[:20] == name else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def content(self, digest: str) -> bytes | None:
        """Content by its hash; None when it is gone or damaged."""
        try:
            body = (self.folder / "content" / digest).read_bytes()
        except OSError:
            return None
        return body if digest_of(body) == digest else None

    def room(self) -> Path:
        """A fresh folder for what is moved away. Raises OSError."""
        return Path(tempfile.mkdtemp(prefix="from-", dir=self.folder / "removed"))

    def _write(self, path: Path, body: bytes) -> None:
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".new-", delete=False) as file:
            file.write(body)
        os.replace(file.name, path)

    def _drop_old(self, newest: str) -> None:
        """Forget all but the baseline and the last 20, and the content that only they had."""
        names = [one for one in self.folder.iterdir() if (one / "print.json").is_file()]
        if len(names) <= KEPT + 2:
            return
        names.sort(key=lambda one: (one / "print.json").stat().st_mtime_ns, reverse=True)
        kept = {self.baseline(), newest, *(one.name for one in names[:KEPT])}
        for one in names:
            if one.name not in kept:
                shutil.rmtree(one, ignore_errors=True)
        prints = [self.load(name) for name in kept if name]
        wanted = {digest for one in prints if one is not None for digest in one.digests()}
        for body in (self.folder / "content").iterdir():
            if body.name not in wanted:
                with contextlib.suppress(OSError):
                    body.unlink()
