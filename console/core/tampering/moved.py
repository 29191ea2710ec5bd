"""Where tests went: folders in which runners do not look, and packages that hide a module of the same name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from console.core.tampering import places
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File

_ASIDE = {
    "python": re.compile(r"\..+|build|dist|venv|node_modules|.+\.egg|CVS|_darcs"),
    "javascript": re.compile(r"\..+|node_modules|dist|build"),
    "go": re.compile(r"[._].+|testdata|vendor"),
    "rust": re.compile(r"\..+|target"),
    "jvm": re.compile(r"\..+|build|target|bin|obj"),
    "ruby": re.compile(r"\..+|vendor|tmp"),
}
_TELLING_NAME = re.compile(r"[._-](?:tests?|spec)\.")
_BINARY = re.compile(r"(?P<module>[^/.]+)(?:\.[\w-]+)?\.(?:so|pyd)")


def facts(old: File, new: File, files: Sequence[File]) -> Iterator[Fact]:
    """What the move of at least one test from the file `old` to `new` means for who collects it."""
    before, after = _folders(old.path), _folders(new.path)
    if before == after:
        return
    kind = places.language(new.path)
    if _is_aside(kind, after) and not _is_aside(kind, before):
        yield Fact("test-moved-aside", old.path, 0, new.path)
    elif _may_be_lost(kind, old, new, files):
        yield Fact("test-moved", old.path, 0, new.path)


def _folders(path: str) -> list[str]:
    return path.split("/")[:-1]


def _is_aside(kind: str, folders: list[str]) -> bool:
    """Whether a runner passes over what lies there, or the build takes it for the product."""
    aside = _ASIDE.get(kind)
    if aside is None:
        return False
    return any(aside.fullmatch(part) for part in folders) or (kind == "jvm" and ("src", "main") in pairwise(folders))


def _may_be_lost(kind: str, old: File, new: File, files: Sequence[File]) -> bool:
    """Whether a usual runner goes by folders here: unittest wants packages, mocha and cargo do not go deeper."""
    folder = "/".join(_folders(new.path))
    match kind:
        case "python":
            package = f"{folder}/__init__.py"
            known = any(file.path == package and file.exists for file in files)
            return bool(folder) and not known and "unittest" in old.old and "pytest" not in old.old
        case "javascript":
            deeper = new.path.startswith("/".join(_folders(old.path)) + "/")
            return deeper and not _TELLING_NAME.search(new.path)
        case "rust":
            return _folders(old.path)[-1:] == ["tests"] and "tests" in _folders(new.path)[:-1]
        case "ruby":
            return places.in_tests(old.path) and not places.in_tests(new.path)
    return False


def shadowed(files: Sequence[File]) -> Iterator[Fact]:
    """A new package or binary module beside a Python module of its name, which then is no longer imported."""
    modules = {file.path for file in files if file.exists}
    for file in files:
        if file.existed or not file.exists:
            continue
        folder, _, name = file.path.rpartition("/")
        if name == "__init__.py" and folder:
            hidden = f"{folder}.py"
        elif binary := _BINARY.fullmatch(name):
            hidden = f"{folder}/{binary['module']}.py".lstrip("/")
        else:
            continue
        if hidden in modules:
            yield Fact("module-shadowed", file.path, 0, hidden)
