"""Takes the fingerprint of a git dir: everything in it that runs programs or says what is so, as files and as digests.

Reads only, never blocks on what it finds, follows no link out of a folder it walks, and stops at stated bounds.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from console.adapters.git.gitconfig import Parsed
from console.adapters.git.items import Item, digest_of, item_at
from console.adapters.git.plainfiles import read_small
from console.adapters.git.refs import all_refs, link_of

TOTAL_CAP = 64 << 20
ITEMS_AT_MOST = 3000
FOLDER_AT_MOST = 500
LOCKS_AT_MOST = 50
STASH_LOG = "logs/refs/stash"
GONE = "gone"
"""The kind of the item that stands for the `.git` file of a linked worktree whose folder is there without one."""
_FIXED = (
    "config", "config.worktree", "info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout",
    "objects/info/alternates", "objects/info/http-alternates", "shallow", "commondir", "gitdir", STASH_LOG,
)  # fmt: skip
_FOLDERS = ("hooks", "info", "refs", "refs/heads", "objects", "objects/info", "logs", "modules", "worktrees")
_OF_WORKTREE = ("commondir", "gitdir", "config.worktree", "info/sparse-checkout", "locked")
_OF_MODULE = ("config", "config.worktree", "info/attributes", "commondir", "objects/info/alternates")
_WITH_LOCKS = ("", "info", "objects/info")


@dataclass(frozen=True, slots=True)
class Print:
    """A whole fingerprint. Labels are paths from the shared git dir, or absolute ones.

    refs: digest of the text that `ref_text` makes; flags: {worktree: digest of its flagged index entries}; heads:
    {git dir's label: what HEAD says}; hooks: folders that hold hooks; cut: what was too much to look at.
    """

    files: dict[str, Item]
    configs: tuple[str, ...]
    hooks: tuple[str, ...]
    heads: dict[str, str]
    places: dict[str, str]
    refs: str
    flags: dict[str, str]
    locks: tuple[str, ...]
    cut: tuple[str, ...]

    def dumped(self) -> bytes:
        """Canonical bytes; equal fingerprints are equal bytes."""
        rows = {name: [one.kind, one.mode, one.digest, one.target] for name, one in self.files.items()}
        made = {name: getattr(self, name) for name in self.__slots__} | {"files": rows}
        return json.dumps(made, sort_keys=True).encode()

    @classmethod
    def loaded(cls, text: bytes) -> Print:
        """Raises ValueError, KeyError or TypeError when these are no such bytes."""
        given = json.loads(text)
        files = {name: Item(*row) for name, row in given.pop("files").items()}
        tuples = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        return cls(files=files, **{**given, **tuples})

    def digests(self) -> set[str]:
        """The content that belongs to this fingerprint."""
        kept = {one.digest for one in self.files.values() if one.kind in ("file", "link") and one.digest}
        return kept | {self.refs} | set(self.flags.values())


def ref_text(values: dict[str, str]) -> bytes:
    return os.fsencode("".join(f"{name}\0{value}\0" for name, value in sorted(values.items())))


def refs_from(text: bytes) -> dict[str, str]:
    parts = os.fsdecode(text).split("\0")
    return dict(zip(parts[::2], parts[1::2], strict=False))


@dataclass(slots=True)
class Taking:
    """One fingerprint being taken. linked: (git dir, folder) of the linked worktrees; home: for `~/` in includes;
    known: the `.git` files of worktrees that were linked before.
    content: everything that was hashed and is small enough to keep, by digest."""

    root: str
    common: str
    linked: Iterable[tuple[str, str]]
    home: str
    parse: Callable[[bytes], Parsed]
    flags_of: Callable[[str, str], bytes]
    known: frozenset[str] = frozenset()
    content: dict[str, bytes] = field(default_factory=dict)
    files: dict[str, Item] = field(default_factory=dict)
    configs: list[str] = field(default_factory=list)
    hooks: list[str] = field(default_factory=lambda: ["hooks"])
    locks: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    size: int = 0

    def take(self) -> Print:
        linked = list(self.linked)
        for name in _FOLDERS:
            self._link_only(name)
        self._each(_FIXED)
        self._tree("hooks", 3)
        for git_dir, folder in linked:
            label = os.path.relpath(git_dir, self.common)
            self._each(f"{label}/{name}" for name in _OF_WORKTREE)
            self._pointer(os.path.join(folder, ".git"))
            self._locks_in(label)
        for label in sorted(self.known):
            self._pointer(label)
        self._modules("modules", 4)
        for label in [one for one in self.files if os.path.basename(one) in ("config", "config.worktree")]:
            self._config(label, 0)
        refs = all_refs(self.common)
        self.locks += [os.path.relpath(path, self.common) for path in refs.locks]
        self.cut += ["refs"] if refs.cut else []
        for name in _WITH_LOCKS:
            self._locks_in(name)
        trees = [(self.common, self.root), *linked]
        return Print(
            files=self.files, configs=tuple(sorted(set(self.configs))), hooks=tuple(sorted(set(self.hooks))),
            heads={self._label(git_dir): _head(git_dir) for git_dir, _ in trees}, places=self._places(),
            refs=self._kept(ref_text(refs.values)),
            flags={folder: self._kept(self.flags_of(git_dir, folder)) for git_dir, folder in trees},
            locks=tuple(sorted(set(self.locks))[:LOCKS_AT_MOST]), cut=tuple(sorted(set(self.cut))),
        )  # fmt: skip

    def _label(self, path: str) -> str:
        inside = path.startswith(self.common + "/")
        return "" if path == self.common else path[len(self.common) + 1 :] if inside else path

    def _kept(self, body: bytes) -> str:
        digest = digest_of(body)
        self.content[digest] = body
        return digest

    def _take_in(self, body: bytes) -> None:
        self.size += len(body)
        self._kept(body)

    def _add(self, label: str) -> Item | None:
        """Note what is at a label; None for nothing there, or when it is too much by now."""
        if label in self.files:
            return self.files[label]
        if len(self.files) >= ITEMS_AT_MOST or self.size > TOTAL_CAP:
            self.cut.append("files")
            return None
        item = item_at(os.path.join(self.common, label), self._take_in)
        if item is not None:
            self.files[label] = item
        return item

    def _pointer(self, label: str) -> None:
        folder = os.path.dirname(label)
        if self._add(label) is None and os.path.isdir(folder) and not os.path.lexists(label):
            self.files.setdefault(label, Item(GONE))

    def _each(self, labels: Iterable[str]) -> None:
        for label in labels:
            self._add(label)

    def _link_only(self, label: str) -> None:
        if os.path.islink(os.path.join(self.common, label)):
            self._add(label)

    def _tree(self, label: str, depth: int) -> None:
        """Everything below a folder, a link to a folder read through only where it is the label itself."""
        names = _names(os.path.join(self.common, label))
        if len(names) > FOLDER_AT_MOST:
            self.cut.append(label)
        for name in names[:FOLDER_AT_MOST]:
            below = f"{label}/{name}"
            item = self._add(below)
            if item is not None and item.kind == "folder":
                del self.files[below]
                if depth:
                    self._tree(below, depth - 1)
                else:
                    self.cut.append(below)

    def _modules(self, label: str, depth: int) -> None:
        """The git dirs of submodules, and of theirs."""
        path = os.path.join(self.common, label)
        if os.path.lexists(os.path.join(path, "HEAD")):
            self._each(f"{label}/{name}" for name in _OF_MODULE)
            self._submodule_pointer(label)
            self._link_only(f"{label}/hooks")
            self.hooks.append(f"{label}/hooks")
            self._tree(f"{label}/hooks", 1)
            label, path = f"{label}/modules", os.path.join(path, "modules")
        for name in _names(path)[:FOLDER_AT_MOST]:
            below = f"{label}/{name}"
            if os.path.islink(os.path.join(path, name)):
                self._add(below)
            elif os.path.isdir(os.path.join(path, name)):
                if depth:
                    self._modules(below, depth - 1)
                else:
                    self.cut.append(below)

    def _submodule_pointer(self, label: str) -> None:
        """The `.git` file in a submodule's folder, which says whose configuration counts there."""
        item = self.files.get(f"{label}/config")
        if item is None or item.digest not in self.content:
            return
        for value in self.parse(self.content[item.digest]).values.get("core.worktree", ()):
            place = os.path.normpath(os.path.join(self.common, label, value))
            if value and "\0" not in value and place.startswith(self.root + "/"):
                self._add(self._label(os.path.join(place, ".git")))

    def _config(self, label: str, depth: int) -> None:
        """A configuration file with all that it includes, whatever the conditions, and the hooks it names."""
        item = self._add(label)
        if label in self.configs or item is None:
            return
        self.configs.append(label)
        parsed = self.parse(self.content[item.digest]) if item.digest in self.content else Parsed()
        for key, values in parsed.values.items():
            name = key.lower()
            for value in values:
                if name == "include.path" or (name.startswith("includeif.") and name.endswith(".path")):
                    if depth < 8 and value and "\0" not in value:
                        self._config(self._included(label, value), depth + 1)
                elif name == "core.hookspath" and value and "\0" not in value:
                    self._hooks_path(value)

    def _included(self, label: str, value: str) -> str:
        if value.startswith("~/"):
            value = os.path.join(self.home, value[2:])
        beside = os.path.dirname(os.path.join(self.common, label))
        return self._label(os.path.normpath(os.path.join(beside, value)))

    def _hooks_path(self, value: str) -> None:
        place = os.path.normpath(os.path.join(self.root, value))
        if place.startswith((self.root + "/", self.common + "/")) and place != self.common:
            label = self._label(place)
            if label not in self.hooks:
                self.hooks.append(label)
                self._link_only(label)
                self._tree(label, 2)

    def _locks_in(self, label: str) -> None:
        names = _names(os.path.join(self.common, label))
        self.locks += [os.path.join(label, name) for name in names if name.endswith(".lock")]

    def _places(self) -> dict[str, str]:
        found = {}
        for path in (self.root, os.path.join(self.root, ".git"), self.common):
            try:
                status = os.lstat(path)
                found[path] = f"{stat.S_IFMT(status.st_mode):o} {status.st_dev}:{status.st_ino}"
            except OSError as error:
                found[path] = error.strerror or "unreadable"
        return found


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _head(git_dir: str) -> str:
    path = os.path.join(git_dir, "HEAD")
    if target := link_of(path):
        return f"link: {target}"
    content = read_small(path, 4096)
    return "unreadable" if content is None else os.fsdecode(content)
