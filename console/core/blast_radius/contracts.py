"""What others build on: descriptions of an API, and names that other code can import."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.blast_radius.edits import Edit
from console.core.blast_radius.touches import Touch

_API = re.compile(
    r"(?:^|/)[^/]*(?:openapi|swagger|asyncapi)[^/]*\.(?:ya?ml|json)$|\.(?:proto|graphqls?|gql|avsc|avdl|thrift|wsdl|xsd|smithy|raml)$|"
    r"(?:^|/)api/(?:[^/]+/)*[^/]+\.ya?ml$"
)
_CLIENT_SIDE = re.compile(r"(?:^|/)(?:client|queries|mutations|fragments)/[^/]*\.(?:graphql|gql)$")
_INSIDE = re.compile(
    r"(?:^|/)(?:internal|cmd|scripts?|tools?|bin|migrations?|migrate|hack|ci|build|dist|pages|app|routes|private|\.[\w-]+)/",
    re.I,
)
_PYTHON = re.compile(r"(?:async def|def|class) ([A-Za-z]\w*)")
_GO = re.compile(r"(?:func (?:\([^)]{1,80}\) )?|type )([A-Z]\w*)")
_SCRIPT = re.compile(
    r"export (?:declare )?(?:default )?(?:async )?(?:abstract )?"
    r"(?:function\*?|class|const|let|interface|type|enum) ([A-Za-z_$][\w$]*)"
)
_RUST = re.compile(
    r"\s{0,40}pub (?:async )?(?:unsafe )?(?:const )?(?:fn|struct|enum|trait|type|static|mod) ([A-Za-z]\w*)"
)
_JAVA = re.compile(
    r"\s{0,8}public (?:(?:static|final|abstract|sealed) ){0,3}(?:class|interface|enum|record|@interface) (\w+)"
)
_JAVA_METHOD = re.compile(
    r"(?:    |\t)public (?:(?:static|final|abstract|synchronized) ){0,3}[\w<>\[\], ?.]{1,80} (\w+)\("
)
_RUBY = re.compile(r"\s{0,12}(?:class|module) ([A-Z]\w*)")
_LANGUAGES: dict[str, tuple[re.Pattern[str], ...]] = {
    "py": (_PYTHON,),
    "go": (_GO,),
    "ts": (_SCRIPT,),
    "tsx": (_SCRIPT,),
    "js": (_SCRIPT,),
    "jsx": (_SCRIPT,),
    "mjs": (_SCRIPT,),
    "rs": (_RUST,),
    "java": (_JAVA, _JAVA_METHOD),
    "kt": (_JAVA,),
    "rb": (_RUBY,),
}
_NAMED = 3


def touches(edits: Sequence[Edit]) -> Iterator[Touch]:
    """api-contract (level 2), public-symbol-removed (level 2)."""
    for edit in edits:
        listed = edit.kind in {"code", "generated"} and _API.search(edit.path) and not _CLIENT_SIDE.search(edit.path)
        if listed and edit.changes_bytes:
            verb = "adds" if edit.old is None else "deletes" if edit.new is None else "edits"
            text = f"{verb} a description of an API"
            yield Touch(name="api-contract", level=2, path=edit.path, line=0, text=text)
    yield from _removed(edits)


def _removed(edits: Sequence[Edit]) -> Iterator[Touch]:
    there: set[str] = set()
    lost: list[tuple[Edit, dict[str, int]]] = []
    for edit in edits:
        patterns = _LANGUAGES.get(edit.name.rsplit(".", 1)[-1])
        if patterns is None:
            continue
        there |= _symbols(edit.added.lines, patterns).keys()
        if edit.old is None or edit.kind != "code" or _INSIDE.search(edit.path) or _is_program(edit):
            continue
        names = _symbols(edit.removed.lines, patterns)
        if edit.new is not None and names:
            still = _symbols(edit.new_lines, patterns)
            names = {name: row for name, row in names.items() if name not in still}
        lost.append((edit, names))
    for edit, names in lost:
        rows = {name: row for name, row in names.items() if name not in there}
        if rows:
            line = edit.removed.numbers[min(rows.values())]
            yield Touch(name="public-symbol-removed", level=2, path=edit.path, line=line, text=_lost(list(rows)))


def _lost(names: list[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"removes what others can import: {shown}{more}"


def _is_program(edit: Edit) -> bool:
    return edit.path.endswith(".go") and "package main" in edit.old_lines[:40]


def _symbols(lines: Sequence[str], patterns: Sequence[re.Pattern[str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row, line in enumerate(lines):
        for pattern in patterns:
            match = pattern.match(line[:400])
            if match:
                found.setdefault(match[1], row)
    return found
