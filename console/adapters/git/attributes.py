"""Trusted attributes: the base commit's .gitattributes, the repository's info/attributes and the operator's own file.

Never the worktree's, which an agent writes. Decides which rules a path has; converts nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.binary import shown
from console.adapters.git.indexes import index_info
from console.adapters.git.objects import Entry, proved_in, write_blob
from console.adapters.git.plainfiles import read_small
from console.adapters.git.shadow import Repository, View
from console.core.paths import quoted

NAMES = ("text", "crlf", "eol", "ident", "filter", "working-tree-encoding")
FILE = b".gitattributes"
OFF = ("unspecified", "unset")
AUTO = ("true", "input", "1", "yes", "on")
_RESET = b"* " + b" ".join(b"!%s" % name.encode() for name in NAMES) + b"\n"
_SHIELD = b"[attr]%s\n"
_BINARY = b"[attr]binary -diff -merge -text\n"
_LINE = re.compile(rb'("(?:[^"\\]|\\.)*"|[^ \t\r\n]+)([^\n]*)')
_STATE = re.compile(rb"[-!]?([A-Za-z0-9_.][A-Za-z0-9_.-]*)(?:=[^ \t\r\n]*)?")
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_LONGEST = 2048

Attributes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """One file of attributes: the folder it rules ("" or with a final slash) and its content."""

    folder: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides how files are stored. sources: the weakest first. files: (path, content) of the commit's
    .gitattributes; local: the repository's info/attributes; own: the operator's file."""

    sources: tuple[Source, ...] = ()
    files: tuple[tuple[bytes, bytes], ...] = ()
    local: bytes = b""
    own: str = ""
    autocrlf: str = ""

    @property
    def any(self) -> bool:
        """False: every path is stored as it is."""
        return bool(self.sources) or self.autocrlf in AUTO

    @property
    def lfs(self) -> bool:
        return any(b"lfs" in source.content for source in self.sources)


def trusted(repo: Repository, files: Mapping[bytes, Entry], view: View | None = None) -> Rules:
    """The rules of a commit with these files. Raises GitFailed when a .gitattributes of it is not what it was."""
    settings = repo.operator_settings()
    found = {
        path: entry
        for path, entry in files.items()
        if path.endswith(FILE) and path[: -len(FILE)][-1:] in (b"", b"/") and entry.mode.startswith("100")
    }
    bodies = proved_in(repo, view or View(), (entry.oid for entry in found.values())) if found else {}
    by_depth = sorted(found, key=lambda path: (path.count(b"/"), path))
    committed = tuple((path, bodies[found[path].oid][1]) for path in by_depth)
    local = _small(os.path.join(repo.workspace.common, "info", "attributes"))
    sources = (
        Source(b"", _small(settings.attributes)),
        *(Source(path[: -len(FILE)], content) for path, content in committed),
        Source(b"", local),
    )
    some = tuple(source for source in sources if source.content.strip())
    return Rules(some, committed, local, settings.attributes, settings.autocrlf)


def attribute_files(repo: Repository, treeish: str, view: View | None = None) -> dict[bytes, Entry]:
    """A tree's .gitattributes files; "" is the empty tree."""
    if not treeish:
        return {}
    found = {}
    for row in repo.out(view or View(), "ls-tree", "-r", "-z", "--full-tree", treeish).split(b"\0"):
        if row.endswith(FILE):
            head, _, path = row.partition(b"\t")
            mode, _, oid = head.decode().split(" ")
            found[path] = Entry(mode, oid)
    return found


def _small(path: str) -> bytes:
    return read_small(path) or b""


def attributes_of(repo: Repository, rules: Rules, paths: Iterable[bytes]) -> dict[bytes, Attributes]:
    """{path: {attribute: value}} as git itself answers. Raises GitFailed."""
    names = b"".join(path + b"\0" for path in paths)
    if not names or not rules.any:
        return {}
    with repo.scratch() as room:
        git_dir = ruled_git_dir(repo, room / "git", rules.local)
        view, env = View(index=room / "index"), {"GIT_DIR": str(git_dir)}
        repo.out(view, "read-tree", "--empty", env=env)
        stored = {path: Entry("100644", write_blob(git_dir / "objects", content)) for path, content in rules.files}
        repo.out(view, "update-index", "-z", "--index-info", stdin=index_info(stored), env=env)
        own = ("-c", f"core.attributesFile={rules.own}")
        output = repo.out(view, *own, "check-attr", "-z", "--cached", "--stdin", *NAMES, stdin=names, env=env)
    fields = output.split(b"\0")
    found: dict[bytes, Attributes] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        found.setdefault(path, {})[name.decode()] = value.decode("utf-8", "surrogateescape")
    return found


# -- all rules as one file that outranks the worktree's


def flattened(rules: Rules) -> bytes:
    """The rules as an info/attributes file under which no .gitattributes of a worktree decides anything we ask for.

    It begins with every attribute name as a macro that means nothing, so that a worktree cannot make one of it.
    """
    lines = [line for source in rules.sources for line in _moved(source)]
    names = {name.encode() for name in NAMES}
    for line in lines:
        states = line[6:] if line.startswith(b"[attr]") else line
        names |= set(_STATE.findall(states))
    shields = b"".join(_SHIELD % name for name in sorted(names - {b"binary"}))
    return shields + _BINARY + _RESET + b"".join(line + b"\n" for line in lines)


def _moved(source: Source) -> Iterator[bytes]:
    """The lines of a file as they read from the top folder; what git ignores in it is left out."""
    for line in source.content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip(b" \t\r")
        found = _LINE.fullmatch(text)
        if not found or text.startswith(b"#") or len(line) >= _LONGEST:
            continue
        pattern, states = found[1], found[2]
        if pattern.startswith(b"[attr]"):
            if not source.folder:
                yield text
            continue
        plain = _unquoted(pattern) if pattern.startswith(b'"') else pattern
        if plain.startswith(b"!") or plain.endswith(b"/"):
            continue
        yield _placed(source.folder, plain) + b" " + states.strip(b" \t\r")


def _placed(folder: bytes, pattern: bytes) -> bytes:
    if not folder:
        return _attribute_quoted(pattern)
    where = re.sub(rb"([\\*?\[])", rb"\\\1", folder)
    below = pattern.removeprefix(b"/") if b"/" in pattern else b"**/" + pattern
    return _attribute_quoted(b"/" + where + below)


def _attribute_quoted(pattern: bytes) -> bytes:
    return quoted(pattern).encode() if pattern[:1] in (b'"', b"#") or re.search(rb'[\s"]', pattern) else pattern


def _unquoted(pattern: bytes) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        what = match[1]
        return bytes([int(what, 8)]) if len(what) == 3 else _LETTERS.get(what, what)

    return _ESCAPE.sub(one, pattern[1:-1])


# -- a git dir of our own in which the rules hold


def ruled_git_dir(repo: Repository, place: Path, attributes: bytes) -> Path:
    """A git dir without configuration whose info/attributes are `attributes`; ignore rules as in the repository."""
    for folder in ("objects", "refs", "info"):
        (place / folder).mkdir(parents=True)
    (place / "HEAD").write_bytes(b"ref: refs/heads/none\n")
    (place / "info" / "attributes").write_bytes(attributes)
    (place / "info" / "exclude").symlink_to(Path(repo.workspace.common, "info", "exclude"))
    return place


def odd_driver(attributes: Attributes) -> str:
    """The filter driver of a path that is neither off nor LFS, or ""."""
    driver = attributes.get("filter", "unspecified")
    return "" if driver in (*OFF, "lfs", "set") else driver


def refuse_driver(driver: str, path: str) -> str:
    """Why such a file is not frozen; completes "<path> ..."."""
    return (
        f"goes through the filter {shown(driver)!r}, and no program of a repository is run here: commit it by hand "
        f"(`git add -- {shown(path)} && git commit`), or take its filter off in .gitattributes"
    )
