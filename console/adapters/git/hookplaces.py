"""Where the operator's commit hooks are, which of them a commit would run, and which files decide what they do.

Reads only; nothing here runs. Hooks that live in a worktree are the agent's to edit, so they are told apart.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from console.adapters.git.objects import proved_in
from console.adapters.git.shadow import Repository, View
from console.core.paths import bytes_of
from console.core.records import Frozen, PlanPath

RUN = ("pre-commit", "commit-msg")
NOT_RUN = ("prepare-commit-msg", "post-commit", "reference-transaction", "post-index-change")

_READ_BY_HOOKS = re.compile(
    r"(\.pre-commit-config\.ya?ml|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.overcommit\.yml|\.huskyrc(\..+)?"
    r"|\.?simple-git-hooks\..+)"
    r"|(.+/)?(\.lintstagedrc(\..+)?|lint-staged\.config\..+|\.commitlintrc(\..+)?|commitlint\.config\..+)"
)
_PACKAGE_PARTS = ("husky", "lint-staged", "pre-commit", "simple-git-hooks", "commitlint")
_SCRIPT_CAP = 1 << 20
_CONFIGURED_BY = (
    (re.compile(rb"pre[-_]commit"), re.compile(r"\.pre-commit-config\.ya?ml")),
    (re.compile(rb"lefthook"), re.compile(r"\.?lefthook\..+")),
)


@dataclass(frozen=True, slots=True)
class HookPlace:
    """The hooks folder. outside: its absolute path when it is in no worktree. inside: its path relative to the
    worktree's root otherwise. configured: core.hooksPath as git reads it, "" for the default. links: names in an
    `outside` folder that are links to files of a worktree, with the path there."""

    outside: str = ""
    inside: str = ""
    configured: str = ""
    links: Mapping[str, str] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The folder in the worktree that belongs to the hooks as a whole (husky keeps its runners in `<root>/_`)."""
        parent, name = os.path.split(self.inside)
        return parent if name == "_" and parent else self.inside

    def covers(self, path: str) -> bool:
        """True when a hook is at this path of the worktree, or reads its configuration from it."""
        roots = [root for root in (self.root, ".husky") if root and root != "."]
        if any(path == root or path.startswith(f"{root}/") for root in roots) or path in self.links.values():
            return True
        return (self.inside == "." and path in RUN) or bool(_READ_BY_HOOKS.fullmatch(path))


def hook_place(repo: Repository, worktree: str) -> HookPlace | None:
    """The effective hooks folder for commits in this worktree; None when git would find none. Raises GitFailed."""
    root, main = os.path.realpath(worktree), os.path.realpath(repo.workspace.root)
    common = os.path.realpath(repo.workspace.common)
    configured = _configured(repo, repo.git_dir_of(worktree))
    if configured is None:
        return _outside(Path(common, "hooks"), (root, main), common, "")
    if not configured:
        return None
    # As written first: a link on the way may be the agent's, and must not turn its own folder into somebody else's.
    written = os.path.normpath(os.path.join(root, configured))
    for path in (written, os.path.realpath(written)):
        if below(path, common):
            return _outside(Path(path), (root, main), common, configured)
        for tree in (root, main):
            if below(path, tree):
                inside = os.path.relpath(path, tree)
                return None if inside.split("/")[0] == ".git" else HookPlace(inside=inside, configured=configured)
    return _outside(Path(written), (root, main), common, configured)


def _outside(folder: Path, trees: tuple[str, ...], common: str, configured: str) -> HookPlace:
    links: dict[str, str] = {}
    for name in os.listdir(folder) if folder.is_dir() else ():
        target = os.path.realpath(folder / name)
        tree = next((tree for tree in trees if below(target, tree) and not below(target, common)), "")
        if tree:
            links[name] = os.path.relpath(target, tree)
    return HookPlace(outside=str(folder), configured=configured, links=links)


def _configured(repo: Repository, git_dir: str) -> str | None:
    """core.hooksPath as git would take it, `~` expanded; None when it is not set."""
    wanted = ("--type=path", "--get-regexp", r"^core\.hookspath$")
    args = ("config", "--show-scope", "--includes", "-z", *wanted)
    out = repo.real_out(*args, git_dir=git_dir, operator=True, timeout=10.0, env={"GIT_CONFIG_NOSYSTEM": "0"})
    fields = os.fsdecode(out).split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    values = [item.partition("\n")[2] for scope, item in pairs if scope != "command"]
    return values[-1] if values else None


def below(path: str, folder: str) -> bool:
    """True for the folder itself too. Both are absolute."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


# -- what hooks read


def guarded(repo: Repository, plan: Frozen, place: HookPlace) -> tuple[PlanPath, ...]:
    """The plan's paths that decide what the hooks do: for these the hooks get the base's version. Raises GitFailed."""
    return tuple(
        one for one in plan.paths if place.covers(os.fsdecode(bytes_of(one.path))) or _package_changed(repo, plan, one)
    )


def _package_changed(repo: Repository, plan: Frozen, one: PlanPath) -> bool:
    if one.path.rpartition("/")[2] != "package.json" or not one.old_oid:
        return False
    oids = [oid for oid in (one.old_oid, one.oid) if oid]
    bodies = proved_in(repo, View(store=Path(plan.store), sealed=True), oids)
    parts = [_parts(bodies[oid][1]) if oid else None for oid in (one.old_oid, one.oid)]
    return parts[0] is None or parts[0] != parts[1]


def _parts(body: bytes) -> tuple[object, ...] | None:
    try:
        package = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return tuple(package.get(name) for name in _PACKAGE_PARTS) if isinstance(package, dict) else None


# -- which hooks there are


def there(folder: Path, name: str) -> bool:
    """True when git would run this hook. A runner of husky stands for the script of that name beside its folder."""
    if not (os.path.isfile(folder / name) and os.access(folder / name, os.X_OK)):
        return False
    return not _is_runners(folder) or os.path.isfile(folder.parent / name)


def not_executable(folder: Path, name: str) -> bool:
    return os.path.isfile(folder / name) and not os.access(folder / name, os.X_OK)


def _is_runners(folder: Path) -> bool:
    return folder.name == "_" and (folder / "h").is_file()


def unable(folder: Path, name: str, new: tuple[PlanPath, ...]) -> str:
    """Why a hook that is there cannot judge this plan ("" when it can); completes "<hook>: ...".

    new: guarded paths that the base does not have.
    """
    try:
        with open(folder / name, "rb") as file:
            script = file.read(_SCRIPT_CAP)
    except OSError as error:
        return f"it cannot be read ({error.strerror}), so it did not run"
    if interpreter := _missing_interpreter(script):
        return f"its interpreter {interpreter} does not exist here, so it did not run"
    for path in _needed(script, new):
        return f"its configuration {path} is new in this plan, so it did not run"
    return ""


def _needed(script: bytes, new: tuple[PlanPath, ...]) -> Iterator[str]:
    for marker, name in _CONFIGURED_BY:
        if marker.search(script):
            yield from (one.path for one in new if name.fullmatch(one.path))


def _missing_interpreter(script: bytes) -> str:
    line = script.split(b"\n", 1)[0]
    words = os.fsdecode(line[2:]).split() if line.startswith(b"#!") else []
    return words[0] if words and not os.path.exists(words[0]) else ""
