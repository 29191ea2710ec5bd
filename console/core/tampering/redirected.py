"""Names that checks use and that an existing test now imports from another module, while the old one still has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.tampering import places
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File

_SCRIPT_IMPORT = re.compile(
    r"\bimport\s(?P<names>[\w$*{}\s,]{1,800}?)\sfrom\s{0,20}['\"](?P<source>[^'\"\n]{1,300})['\"]"
    r"|\b(?:const|let|var)\s(?P<bound>[\w$]{1,80}|\{[\w$\s,:]{1,800}\})\s{0,20}=\s{0,20}(?:await\s+import|require)\("
    r"['\"](?P<required>[^'\"\n]{1,300})['\"]"
)
_WORD = re.compile(r"[\w$]+")
_PARTS = re.compile(r"[/.@~]+")
_MOST = 200


def facts(files: Sequence[File]) -> Iterator[Fact]:
    """At most one fact a name; what comes from a file that is new or changed in the same set, of a file that stays."""
    changed = {_module(file.path): file for file in files if not places.is_test_side(file.path) or _is_support(file)}
    for file in files:
        if not (file.before.cases and file.after.cases) or file.old == file.new or file.large:
            continue
        before, after = _imports(file.path, file.old), _imports(file.path, file.new)
        used = _used(file)
        for name, source in list(after.items())[:_MOST]:
            was = before.get(name)
            if was is None or was == source or name not in used or _tail(was) == _tail(source):
                continue
            arrived = changed.get(_tail(source))
            if arrived is None or not arrived.exists or not _still_there(changed.get(_tail(was)), name):
                continue
            line = next(
                (n for n, text in enumerate(file.new.split("\n"), 1) if re.search(rf"\b{re.escape(name)}\b", text)), 0
            )
            yield Fact("import-redirected", file.path, line, f"{name} from {source}")


def _is_support(file: File) -> bool:
    return not places.is_named_test(file.path)


def _module(path: str) -> str:
    """The last part of the name that an import has for a file."""
    stem, parts = places.stem(path), path.split("/")
    return parts[-2] if stem in {"__init__", "index", "mod"} and len(parts) > 1 else stem


def _tail(source: str) -> str:
    """The module's own name in an import's source."""
    parts = [part for part in _PARTS.split(source) if part]
    if parts and "/" in source and parts[-1] in {"js", "ts", "mjs", "cjs", "jsx", "tsx"}:
        parts.pop()
    return parts[-1] if parts else ""


def _still_there(file: File | None, name: str) -> bool:
    """Whether the module that a name came from still has it: it is untouched, or its new text names it."""
    return file is None or (file.exists and re.search(rf"\b{re.escape(name)}\b", file.new) is not None)


def _used(file: File) -> set[str]:
    """Words of the bodies of tests that were there before."""
    return {word for case in list(file.before.cases.values())[:2_000] for word in _WORD.findall(case.body[:20_000])}


def _imports(path: str, text: str) -> dict[str, str]:
    """Each name that a file imports from a module, with the module's name as written."""
    match places.language(path):
        case "python":
            from console.core.tampering.pyswitch import imports

            return {name: source.rpartition(".")[0] for name, source in imports(text).items() if "." in source}
        case "javascript":
            return _script_imports(text)
    return {}


def _script_imports(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, match in enumerate(_SCRIPT_IMPORT.finditer(text)):
        if number == _MOST:
            break
        for name in _WORD.findall(match["names"] or match["bound"] or ""):
            found[name] = match["source"] or match["required"] or ""
    return found
