"""Settings from disk and whether this user trusts them: what is hashed is what is parsed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from console.adapters.agents import builtins
from console.core import settings as rules
from console.core.records import Record

CONFIG = Path(".nightdesk/config.yaml")
SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 40
"""Open brackets at once; YAML libraries take minutes over some kilobytes of nothing else."""


class Loaded(Record, frozen=True, kw_only=True):
    """The settings file as it is now. digest: SHA-256 over the canonical JSON of its data, so that comments and layout
    are free; trust goes by it. sha256: of the file's bytes, as `sha256sum` says it; "" without a file."""

    file: str
    exists: bool
    settings: rules.Settings
    problems: tuple[rules.Problem, ...]
    digest: str
    lines: dict[str, int]
    canonical: str = ""
    sha256: str = ""

    def where(self, key: str) -> str:
        """`file:line` of a key, or of where it should be added."""
        return f"{self.file}:{self.lines.get(key, 1)}"


def load(root: Path) -> Loaded:
    """Read `<root>/.nightdesk/config.yaml`; a missing file is the defaults."""
    file = root / CONFIG
    try:
        raw = _content(file)
    except FileNotFoundError:
        if file.is_symlink():
            return _broken(file, 1, "is a link to something that is not there; delete it, or put the file back")
        return _loaded(file, False, None, {})
    except OSError as error:
        return _broken(file, 1, f"cannot be read: {error.strerror}")
    return read(file, raw)


def seen(root: Path) -> tuple[str, Loaded]:
    """The text of the settings and what exactly that text says, for who is asked to trust it. ("", defaults) without a
    file."""
    file = root / CONFIG
    try:
        raw = _content(file)
    except OSError:
        return "", load(root)
    return raw.decode("utf-8-sig", "replace"), read(file, raw)


def read(file: Path, raw: bytes) -> Loaded:
    """The settings that these bytes say; file: whose they are, for problems."""
    if len(raw) > SIZE_LIMIT:
        return _broken(file, 1, "is larger than 64 KiB; that is no settings file")
    try:
        text = raw.decode("utf-8-sig")
        if deep := _too_deep(text):
            return _broken(file, deep, f"is nested deeper than {DEPTH_LIMIT} brackets")
        if alias := _alias(text):
            return _broken(file, alias, "uses a YAML alias (*name); write the value out")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except UnicodeDecodeError as error:
        return _broken(file, raw[: error.start].count(b"\n") + 1, "is not UTF-8 text")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error) or "is not YAML"
        return _broken(file, mark.line + 1 if mark else 1, f"is not valid YAML: {said}; {_cure(said)}")
    lines: dict[str, int] = {}
    twice: list[rules.Problem] = []
    _walk(node, (), lines, twice)
    return replace(_loaded(file, True, data, lines, twice), sha256=hashlib.sha256(raw).hexdigest())


def _cure(said: str) -> str:
    """What to do about what the YAML library says. Where it stumbles is often behind what is wrong."""
    told = next((cure for part, cure in YAML_CURES.items() if part in said), "")
    return told or "look at this line and the one before it: quotes and brackets that are not closed, or indentation"


YAML_CURES = {
    "'\\t'": "indent with blanks, not with tabs",
    "expected <block end>": "keys that belong together begin in the same column: look at the indentation of this line "
    "and of those before it",
    "mapping values are not allowed": "a text that holds `: ` wants quotes around it; else look at the indentation",
    "could not find expected ':'": "a key wants `: ` behind it, with the blank; a text over two lines wants quotes",
    "while scanning a quoted scalar": "close the quotes",
    "unexpected end of stream": "close the quotes",
    "expected ',' or": "close the bracket, or put a comma between its entries",
    "expected a single document": "take the line `---` out: settings are one document",
    "cannot start any token": "a text that begins with this character wants quotes around it",
    "could not determine a constructor": "take the `!` tag out: settings are plain texts, numbers, lists and mappings",
}
"""What the library says in part, and the cure."""


def _content(file: Path) -> bytes:
    """As much as settings may have and one byte more. An agent may have put anything in its place: what is no plain
    file is neither waited for nor read. Raises OSError."""
    fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file; put the settings there again")
        return os.read(fd, SIZE_LIMIT + 1)
    finally:
        os.close(fd)


def _broken(file: Path, line: int, message: str) -> Loaded:
    problem = rules.Problem(line=line, key="(file)", message=message)
    return Loaded(file=str(file), exists=True, settings=rules.Settings(), problems=(problem,), digest="", lines={})


def _loaded(
    file: Path, exists: bool, data: Any, lines: dict[str, int], twice: list[rules.Problem] | None = None
) -> Loaded:
    line_of: Callable[[rules.Path], int] = lambda path: _line(lines, path)  # noqa: E731
    result = rules.read(data, line_of, builtins.raw)
    problems = tuple(sorted((*(twice or ()), *(result if isinstance(result, list) else ())), key=lambda p: p.line))
    canonical = "" if problems else json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return Loaded(
        file=str(file),
        exists=exists,
        settings=result if isinstance(result, rules.Settings) else rules.Settings(),
        problems=problems,
        digest=hashlib.sha256(canonical.encode()).hexdigest() if canonical else "",
        lines=lines,
        canonical=canonical,
    )


def _too_deep(text: str) -> int:
    """The line on which more than DEPTH_LIMIT brackets are open, 0 for none. Quoting is not looked at."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        for char in line:
            depth += (char in "[{") - (char in "]}" and depth > 0)
            if depth > DEPTH_LIMIT:
                return number
    return 0


def _alias(text: str) -> int:
    """The line of the first alias, 0 for none. An alias lets a small file expand without bound."""
    found = (token for token in yaml.scan(text, Loader=yaml.SafeLoader) if isinstance(token, yaml.AliasToken))
    token = next(found, None)
    return token.start_mark.line + 1 if token else 0


def _line(lines: dict[str, int], path: rules.Path) -> int:
    while path:
        if found := lines.get(".".join(map(str, path))):
            return found
        path = path[:-1]
    return 1


def _walk(node: yaml.Node | None, path: rules.Path, lines: dict[str, int], twice: list[rules.Problem]) -> None:
    if path and node is not None:
        lines.setdefault(".".join(map(str, path)), node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            name = str(key.value)
            line = key.start_mark.line + 1
            if name in seen:
                dotted = ".".join(map(str, (*path, name)))
                twice.append(rules.Problem(line=line, key=dotted, message="is written twice"))
            seen.add(name)
            lines[".".join(map(str, (*path, name)))] = line
            _walk(value, (*path, name), lines, twice)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*path, index), lines, twice)


# -- who trusts what -------------------------------------------------------------------------------------


def trusted_digest(store: Path, root: Path) -> str:
    """The digest this user trusts for this repository, "" for none."""
    try:
        known = json.loads(store.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    value = known.get(os.path.realpath(root), "") if isinstance(known, dict) else ""
    return value if isinstance(value, str) else ""


def is_trusted(store: Path, root: Path, loaded: Loaded) -> bool:
    """Whether exactly these settings are trusted. Defaults (no file) supply no command and need no trust."""
    if not loaded.exists:
        return True
    return bool(loaded.digest) and trusted_digest(store, root) == loaded.digest


def record_trust(store: Path, root: Path, digest: str) -> None:
    """Trust `digest` for this repository: written to a new file, flushed, renamed over the old one. Raises ValueError
    when what is there is no trust file: nothing is written over it."""
    store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        known = json.loads(store.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = {}
    except ValueError:
        known = None
    if not isinstance(known, dict):
        raise ValueError(f"{store} is no trust file (cut short?): move it away, then trust your repositories again")
    known[os.path.realpath(root)] = digest
    fd, name = tempfile.mkstemp(dir=store.parent, prefix=".trust-")
    with os.fdopen(fd, "w", encoding="utf-8") as out:
        json.dump(known, out, indent=1, sort_keys=True)
        out.flush()
        os.fsync(out.fileno())
    os.replace(name, store)
