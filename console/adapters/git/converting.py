"""Turns the bytes of files on disk into the bytes that `git add` would store, by trusted attributes only.

Git itself converts, in a git dir and a worktree of ours that hold nothing but these files under names of ours. No
filter program runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from console.adapters.git.attributes import AUTO, OFF, Attributes, Rules, ruled_git_dir
from console.adapters.git.binary import GitFailed, Ran
from console.adapters.git.indexes import index_info
from console.adapters.git.objects import Entry, object_id, proved_in, write_blob
from console.adapters.git.shadow import Repository, View

_IDENT = re.compile(rb"\$Id[:$]")
_VALUE = re.compile(r"[A-Za-z0-9_.:+/-]+", re.ASCII)
# One pattern a file, and git tries each for each file.
_AT_ONCE = 500
_COPIED = ("text", "crlf", "eol", "ident")


@dataclass(frozen=True, slots=True)
class OnDisk:
    """One regular file: its rules, its bytes, and those of the base's version (None: there is none).

    The base's decide too: git leaves CRLF alone where it has always been.
    """

    attributes: Attributes
    body: bytes
    old: bytes | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What git stores for it; `how` tells a person what differs on disk ("" when nothing does)."""

    body: bytes
    how: str = ""


def may_convert(attributes: Attributes, autocrlf: str, body: bytes) -> bool:
    """False when it is certain that git stores exactly these bytes."""
    if encoding_of(attributes) or (attributes.get("ident") == "set" and _IDENT.search(body)):
        return True
    text = attributes.get("text", "unspecified")
    if b"\r\n" not in body or text == "unset":
        return False
    named = (text, attributes.get("eol", "unspecified"), attributes.get("crlf", "unspecified"))
    return autocrlf in AUTO or any(value not in OFF for value in named)


def encoding_of(attributes: Attributes) -> str:
    """The encoding that a file has on disk, "" for UTF-8."""
    encoding = attributes.get("working-tree-encoding", "unspecified")
    return "" if encoding in (*OFF, "set") or encoding.casefold() in ("utf-8", "utf8") else encoding


def converted(repo: Repository, rules: Rules, files: Mapping[bytes, OnDisk]) -> dict[bytes, Stored | str]:
    """{path: what is stored, or why it cannot be}; the reason completes "<path> ...". Raises GitFailed."""
    found: dict[bytes, Stored | str] = {}
    todo: dict[bytes, OnDisk] = {}
    for path, file in files.items():
        encoding = encoding_of(file.attributes)
        if not may_convert(file.attributes, rules.autocrlf, file.body):
            found[path] = Stored(file.body)
        elif encoding and not _VALUE.fullmatch(encoding):
            found[path] = f"has the working-tree-encoding {encoding!r}, which is no encoding: mend .gitattributes"
        else:
            todo[path] = file
    return found | (_all(repo, rules, todo) if todo else {})


def _all(repo: Repository, rules: Rules, files: Mapping[bytes, OnDisk]) -> dict[bytes, Stored | str]:
    if len(files) > _AT_ONCE:
        rest = dict(list(files.items())[_AT_ONCE:])
        return _all(repo, rules, dict(list(files.items())[:_AT_ONCE])) | _all(repo, rules, rest)
    paths = list(files)
    bodies = _by_git(repo, rules, [files[path] for path in paths])
    if isinstance(bodies, Ran):
        # Git stops at the first file that it cannot convert: only one by one tells which.
        single = {path: _by_git(repo, rules, [files[path]]) for path in paths}
        return {
            path: _impossible(files[path], result)
            if isinstance(result, Ran)
            else _stored(rules, files[path], result[0])
            for path, result in single.items()
        }
    return {path: _stored(rules, files[path], body) for path, body in zip(paths, bodies, strict=True)}


def _impossible(file: OnDisk, ran: Ran) -> str:
    encoding = encoding_of(file.attributes)
    if encoding:
        return (
            f"is {encoding} on disk by its working-tree-encoding, but its bytes are not: save it as {encoding}, or "
            "mend .gitattributes"
        )
    return f"cannot be converted by its attributes ({ran.complaint()[:200]}): mend .gitattributes, or commit it by hand"


def _stored(rules: Rules, file: OnDisk, body: bytes) -> Stored:
    if body == file.body:
        return Stored(body)
    parts = []
    where = "core.autocrlf"
    if encoding := encoding_of(file.attributes):
        parts.append(f"{encoding} on disk, UTF-8 in git")
        where = ".gitattributes"
    if not encoding and file.body.count(b"\r\n") != body.count(b"\r\n"):
        parts.append("CRLF on disk, LF in git")
    if file.attributes.get("ident") == "set" and _IDENT.search(body):
        parts.append("$Id$ filled in on disk, empty in git")
        where = ".gitattributes"
    if any(file.attributes.get(name, "unspecified") not in OFF for name in ("text", "eol", "crlf")):
        where = ".gitattributes"
    return Stored(body, f"{', '.join(parts) or 'other bytes on disk than in git'} ({where})")


def _by_git(repo: Repository, rules: Rules, files: list[OnDisk]) -> list[bytes] | Ran:
    """The stored bytes of all the files, or git's refusal."""
    with repo.scratch() as room:
        tree = room / "tree"
        tree.mkdir()
        lines, old = [], {}
        git_dir = ruled_git_dir(repo, room / "git", b"")
        for number, file in enumerate(files):
            name = f"f{number}".encode()
            (tree / f"f{number}").write_bytes(file.body)
            lines.append(name + b" " + _states(file.attributes).encode() + b"\n")
            if file.old is not None:
                old[name] = Entry("100644", write_blob(git_dir / "objects", file.old))
        (git_dir / "info" / "attributes").write_bytes(b"".join(lines))
        view = View(store=git_dir / "objects", sealed=True, index=room / "index", worktree=str(tree))
        env = {"GIT_DIR": str(git_dir)}
        repo.out(view, "read-tree", "--empty", env=env)
        repo.out(view, "update-index", "-z", "--index-info", stdin=index_info(old), env=env)
        names = b"".join(b"f%d\0" % number for number in range(len(files)))
        settings = ("-c", f"core.autocrlf={rules.autocrlf or 'false'}", "-c", "core.safecrlf=false")
        ran = repo.ran(view, *settings, "update-index", "--add", "-z", "--stdin", stdin=names, env=env)
        return _read_back(repo, view, len(files), env) if ran.code == 0 else ran


def _states(attributes: Attributes) -> str:
    states = [_state(name, attributes.get(name, "unspecified")) for name in _COPIED]
    encoding = encoding_of(attributes)
    return " ".join([*states, "-filter", f"working-tree-encoding={encoding}" if encoding else "-working-tree-encoding"])


def _state(name: str, value: str) -> str:
    plain = {"set": name, "unset": f"-{name}", "unspecified": f"!{name}"}
    return plain.get(value) or (f"{name}={value}" if _VALUE.fullmatch(value) else f"!{name}")


def _read_back(repo: Repository, view: View, count: int, env: Mapping[str, str]) -> list[bytes]:
    oids: dict[bytes, str] = {}
    for row in repo.out(view, "ls-files", "--stage", "-z", env=env).split(b"\0")[:-1]:
        head, _, name = row.partition(b"\t")
        oids[name] = head.decode().split(" ")[1]
    if len(oids) != count:
        raise GitFailed(f"git converted {len(oids)} of {count} files")
    bodies = proved_in(repo, view, oids.values())
    return [bodies[oids[b"f%d" % number]][1] for number in range(count)]


def disk_id(raw: bytes, stored: bytes) -> str:
    """For `PlanPath.disk`."""
    return object_id("blob", raw) if raw != stored else ""
