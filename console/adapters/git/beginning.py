"""The first things of a repository: made where there is none, who commits, the first commit of exactly what was shown.

Every file is added through git with the repository's own programs switched off; what would need one of them (a filter
such as LFS) is left to a shell. Never touches what exists: no ref that is there is moved, no index entry taken out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from console.adapters.git.binary import GitBinary, GitFailed, shown
from console.core.records import Identity, Refused
from console.engine.first_steps import Listing

MESSAGE = "First commit"
SLOW = 120.0
SECRETS = (
    ".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx", "*.keystore", "id_rsa*",
    "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", "credentials",
    "credentials.*", "secrets.*", "secret.*", "*service-account*.json", "*service_account*.json",
    "*.tfstate", "*.tfvars",
)  # fmt: skip
"""Names of files that usually hold secrets. They are left out of a first commit, and named."""
REMADE = (
    "node_modules", "bower_components", ".venv", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox",
    ".nox", ".gradle", ".terraform", ".next", ".nuxt", ".parcel-cache", ".turbo", ".eggs", ".ipynb_checkpoints",
)  # fmt: skip
"""Names of folders that programs fill: whoever has the rest can make them again."""
REMADE_FILES = ("*.pyc", "*.pyo", ".DS_Store", "Thumbs.db")
MARKS = ("pyvenv.cfg", "CACHEDIR.TAG")
"""A folder with one of these in it is an environment of Python's, or says itself that it is a cache."""
LARGE = 5_000_000
"""Bytes from which a file of a first commit is named: it stays in the history for good."""
HARMLESS = ("*.example", "*.sample", "*.template", "*.dist", "*.pub")


@dataclass(frozen=True, slots=True)
class _Place:
    """A working tree with its own git dir (`.git` in it), before anything of ours knows it as a workspace."""

    root: str
    git: GitBinary
    excludes: str

    def run(self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> bytes:
        where = {"GIT_DIR": os.path.join(self.root, ".git"), "GIT_WORK_TREE": self.root}
        settings = ("-c", f"core.excludesFile={self.excludes}", "-c", "core.bare=false")
        return self.git.check([*settings, *args], cwd=self.root, env=where | dict(env or {}), stdin=stdin, timeout=SLOW)


def _place(root: str, environ: Mapping[str, str]) -> _Place:
    git = GitBinary(environ, (root,))
    return _Place(root, git, _excludes(git, environ))


def _excludes(git: GitBinary, environ: Mapping[str, str]) -> str:
    """The operator's own list of what is never committed."""
    ran = git.run(["config", "--global", "--type=path", "--get", "core.excludesFile"], operator=True)
    if named := os.fsdecode(ran.out).rstrip("\n"):
        return named
    base = environ.get("XDG_CONFIG_HOME") or os.path.join(environ.get("HOME", "/"), ".config")
    return os.path.join(base, "git", "ignore")


# -- a repository --------------------------------------------------------------------------------------------


def unfit(folder: str, environ: Mapping[str, str]) -> str:
    """Why no repository should be made of this folder; "" when one can be."""
    real = os.path.realpath(folder)
    if real in ("/", os.path.realpath(environ.get("HOME") or "/")):
        return f"{shown(real)} is no project's folder: make one, change into it, then start nightdesk there"
    if os.path.lexists(os.path.join(real, ".git")):
        return f"{shown(os.path.join(real, '.git'))} is there, but git cannot read it as a repository: look at it first"
    return "" if os.access(real, os.W_OK | os.X_OK) else f"{shown(real)} cannot be written by you"


def branch_for(environ: Mapping[str, str]) -> str:
    """The name of a new repository's branch, as the operator's git would choose it."""
    ran = GitBinary(environ).run(["config", "--get", "init.defaultBranch"], operator=True)
    name = os.fsdecode(ran.out).strip()
    return name if name and not name.startswith("-") else "main"


def make(folder: str, environ: Mapping[str, str]) -> str | Refused:
    """An empty repository in `folder`: no template, no hook. What was made."""
    if why := unfit(folder, environ):
        return Refused(reason=why)
    git, branch = GitBinary(environ, (folder,)), branch_for(environ)
    try:
        git.check(["init", "--quiet", "--template=", f"--initial-branch={branch}", folder], cwd=folder)
    except GitFailed as failed:
        return Refused(reason=failed.reason)
    return f"made {shown(os.path.join(folder, '.git'))}, on branch {branch}"


# -- who commits ---------------------------------------------------------------------------------------------


def identity(folder: str, git_dir: str, environ: Mapping[str, str]) -> Identity | None:
    """As git would find it for the repository (there or not); None when a name or an address is missing."""
    git = GitBinary(environ, (folder,))
    found = []
    for key in ("user.name", "user.email"):
        ran = git.run(["config", "--get", key], operator=True, cwd=folder, env=_dir(git_dir))
        found.append(os.fsdecode(ran.out).strip() if ran.code == 0 else "")
    return Identity(name=found[0], email=found[1]) if all(found) else None


def _dir(git_dir: str) -> dict[str, str]:
    return {"GIT_DIR": git_dir} if os.path.isdir(git_dir) else {}


def set_identity(folder: str, git_dir: str, who: Identity, environ: Mapping[str, str]) -> str | Refused:
    """Into this repository's own configuration, never the operator's. Only what is missing is written."""
    git, file = GitBinary(environ, (folder,)), os.path.join(git_dir, "config")
    if why := _not_a_person(who):
        return Refused(reason=why)
    written = []
    try:
        for key, value in (("user.name", who.name), ("user.email", who.email)):
            if git.run(["config", "--get", key], operator=True, cwd=folder, env=_dir(git_dir)).code != 0:
                git.check(["config", "--file", file, key, value], cwd=folder)
                written.append(f"{key} = {value}")
    except GitFailed as failed:
        return Refused(reason=failed.reason)
    return f"wrote {', '.join(written) or 'nothing (it was there already)'} into {shown(file)}"


def _not_a_person(who: Identity) -> str:
    """Why git would not take this identity; "" when it would."""
    if not who.name.strip(" .,:;<>\"\\'") or not who.email.strip(" .,:;<>\"\\'"):
        return "git needs a name and an address for its commits; neither can be empty"
    if any(char in "<>\n\0" or not char.isprintable() for char in who.name + who.email):
        return "a name and an address for git hold no <, > or control characters"
    return ""


# -- the first commit ----------------------------------------------------------------------------------------


def listing(folder: str, environ: Mapping[str, str]) -> Listing | Refused:
    """What a first commit would hold: what is staged, else all that git does not ignore, without likely secrets."""
    place = _place(folder, environ)
    try:
        staged = _names(place.run("ls-files", "-z"))
        names = staged or _names(place.run("ls-files", "-z", "--others", "--exclude-standard"))
        left, rest = ((), names) if staged else _left_out(folder, names)
        files = tuple(sorted(rest))
        if filtered := _filtered(place, files):
            return _needs_filter(filtered)
    except GitFailed as failed:
        return Refused(reason=failed.reason)
    sizes = [(name, _size(folder, name)) for name in files]
    large = sorted((one for one in sizes if one[1] >= LARGE), key=lambda one: -one[1])
    return Listing(files=files, left=left, staged=bool(staged), size=sum(size for _, size in sizes), large=tuple(large))


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _size(folder: str, name: str) -> int:
    try:
        return os.lstat(os.path.join(folder, name)).st_size
    except OSError:
        return 0


def _left_out(folder: str, names: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """What is left out and why, a folder that can be made again as one; and the names that stay."""
    found: list[tuple[str, str]] = []
    rest: list[str] = []
    made = Counter[str]()
    known: dict[str, bool] = {}
    for name in sorted(names):
        if above := _made_again(folder, name, known):
            made[above] += 1
        elif name.endswith("/"):
            found.append((name, "a repository of its own"))
        elif _is_secret(name):
            found.append((name, "its name says that it may hold a secret"))
        else:
            rest.append(name)
    for above, count in made.items():
        files = f"{count} file{'s' * (count != 1)}, " if above.endswith("/") else ""
        what = f"{files}usually made again: "
        found.append((above, f"{what}put it into .gitignore, or take it in with `git add` in a shell"))
    return tuple(sorted(found)), rest


def _made_again(folder: str, name: str, known: dict[str, bool]) -> str:
    """The outermost folder above this file that programs fill, with a `/` behind it, or the file itself; "" when a
    person may have made it. known: of folders that were looked at already."""
    parts = name.split("/")
    for end in range(1, len(parts)):
        above = "/".join(parts[:end])
        if above not in known:
            known[above] = parts[end - 1] in REMADE or any(
                os.path.lexists(os.path.join(folder, above, mark)) for mark in MARKS
            )
        if known[above]:
            return above + "/"
    return name if any(fnmatch(parts[-1], rule) for rule in REMADE_FILES) else ""


def _is_secret(name: str) -> bool:
    last = os.path.basename(name).lower()
    return any(fnmatch(last, rule) for rule in SECRETS) and not any(fnmatch(last, rule) for rule in HARMLESS)


def _filtered(place: _Place, files: Sequence[str]) -> str:
    """The first file that a program of the repository's would have to convert, "" for none."""
    if not files:
        return ""
    asked = b"\0".join(os.fsencode(name) for name in files) + b"\0"
    fields = _names(place.run("check-attr", "-z", "--stdin", "filter", stdin=asked))
    triples = zip(fields[::3], fields[2::3], strict=False)
    return next((name for name, value in triples if value not in ("unspecified", "unset")), "")


def _needs_filter(name: str) -> Refused:
    return Refused(
        reason=f"{shown(name)} goes through a filter of .gitattributes (LFS?), which nightdesk does not run: make the "
        "first commit in a shell (`git add`, `git commit`)"
    )


def commit(folder: str, wanted: Listing, who: Identity, environ: Mapping[str, str]) -> str | Refused:
    """The first commit, of exactly the files that were shown. Refused when they are others by now, or there is one."""
    now = listing(folder, environ)
    if isinstance(now, Refused):
        return now
    if (now.files, now.staged) != (wanted.files, wanted.staged):
        return Refused(reason="the files are not those that were shown any more: look again")
    place = _place(folder, environ)
    try:
        return _committed(place, now, who)
    except GitFailed as failed:
        return Refused(reason=failed.reason)


def _committed(place: _Place, now: Listing, who: Identity) -> str | Refused:
    if not now.staged and now.files:
        names = b"\0".join(os.fsencode(name) for name in now.files) + b"\0"
        place.run("add", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=names)
        if tuple(sorted(_names(place.run("ls-files", "-z")))) != now.files:
            return Refused(
                reason="git has added other files than those that were shown: see `git status`; not committed"
            )
    tree = place.run("write-tree").decode().strip()
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _fields(who)}
    oid = place.run("commit-tree", "-m", MESSAGE, tree, env=env).decode().strip()
    place.run("update-ref", "-m", f"commit (initial): {MESSAGE}", "HEAD", oid, "0" * len(oid))
    count = len(now.files)
    return f'committed {oid[:10]} "{MESSAGE}": {count} file{"s" * (count != 1)}'


def _fields(who: Identity) -> tuple[tuple[str, str], ...]:
    return (("NAME", who.name), ("EMAIL", who.email))


def nearest(start: Path) -> str:
    """The folder that a `.git` lies in, upwards from `start`; `start` itself where there is none."""
    real = os.path.realpath(start)
    folder = real
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return real
        folder = above
    return folder
