"""A hostile repository with canaries in it: arming writes files only, so that nothing sings too early."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo


@dataclass(frozen=True)
class Armed:
    """A hostile repository and where its canaries leave their marks."""

    repo: Repo
    marks: Path

    def program(self, name: str) -> str:
        path = self.marks / f"{plain(name)}.sh"
        mark = self.mark(name)
        # A driver passes its content on; one that git talks with (a transport) ends at once, or git waits for it.
        last = "printf '\\0/\\0'" if "fsmonitor" in name else "exec cat" if name.startswith("filter") else ":"
        path.write_text(f"#!/bin/sh\n: > '{mark}'\n{last}\n")
        path.chmod(0o755)
        return str(path)

    def mark(self, name: str) -> Path:
        return self.marks / f"{plain(name)}.ran"

    def sung(self) -> list[str]:
        return sorted(path.name for path in self.marks.glob("*.ran"))

    def config(self, key: str, value: str, form: str = "direct", git_dir: str = ".git") -> None:
        home = self.repo.root / git_dir
        own = home / "config"
        place = {"direct": own, "config.worktree": home / "config.worktree"}.get(form, home / f"more-{form}")
        self.set(place, key, value)
        if form == "include":
            self.set(own, "include.path", place.name)
        elif form == "includeIf":
            self.set(own, f"includeIf.gitdir:{home}.path", place.name)
        elif form == "config.worktree":
            self.set(own, "extensions.worktreeConfig", "true")

    def set(self, file: Path, key: str, value: str) -> None:
        subprocess.run(["git", "config", "--file", file, key, value], cwd="/", env=self.repo.environ, check=True)

    def attribute(self, line: str, source: str) -> None:
        names = {"tree": ".gitattributes", "info/attributes": ".git/info/attributes"}
        place = self.repo.root / names.get(source, ".git/more-attributes")
        place.parent.mkdir(exist_ok=True)
        with place.open("a") as file:
            file.write(line + "\n")
        if source == "core.attributesFile":
            self.config("core.attributesFile", str(place))

    def run(self, *args: str, stdin: bytes = b"", cwd: Path | None = None) -> bytes:
        """Plain git, as the operator would; what it answers does not matter."""
        done = subprocess.run(
            ["git", *args], cwd=cwd or self.repo.root, input=stdin, capture_output=True, env=self.repo.environ,
            timeout=30, check=False,
        )  # fmt: skip
        return done.stdout


@dataclass(frozen=True)
class Vector:
    """arm: put it there; fire: the plain use that sets it off. slots: what it needs for itself in a repository,
    {setting: value}; two vectors that want the same slot otherwise cannot share one."""

    name: str
    arm: Callable[[Armed], None]
    fire: Callable[[Armed], object]
    slots: dict[str, str] = field(default_factory=dict)


def plain(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-_" else "-" for char in name)


def data(name: str) -> str:
    """The tracked file that a vector works on."""
    return f"{plain(name)}.dat"


def dirty(armed: Armed, *names: str) -> None:
    for name in names:
        with (armed.repo.root / name).open("a") as file:
            file.write("dirty\n")
