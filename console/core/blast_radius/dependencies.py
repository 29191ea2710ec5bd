"""What the project is made of: lock files, the versions in manifests, and signs that something came in with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import dirname

from console.core.blast_radius.edits import GITLINK, Edit, is_comment
from console.core.blast_radius.touches import Touch

_LOCKS: dict[str, tuple[str, ...]] = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "yarn.lock": ("package.json",),
    "pnpm-lock.yaml": ("package.json", "pnpm-workspace.yaml"),
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "poetry.lock": ("pyproject.toml",),
    "uv.lock": ("pyproject.toml",),
    "pdm.lock": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "Cargo.lock": ("Cargo.toml",),
    "go.sum": ("go.mod",),
    "Gemfile.lock": ("Gemfile", "gemspec"),
    "composer.lock": ("composer.json",),
    "mix.lock": ("mix.exs",),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "flake.lock": ("flake.nix",),
    "packages.lock.json": ("csproj",),
    "deno.lock": ("deno.json", "deno.jsonc"),
}
_MANIFEST = re.compile(
    r"(?:^|/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile|Pipfile|setup\.(?:py|cfg)|composer\.json|mix\.exs|"
    r"pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|pnpm-workspace\.yaml|deno\.jsonc?|environment\.ya?ml|"
    r"(?:[\w.-]*[_-])?requirements(?:[\w.-]*)?\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)|[\w.-]+\.(?:gemspec|csproj))$"
)
_OWN_VERSION = re.compile(r"\s{0,40}(?:[\"']?version[\"']?\s{0,4}[:=]|<version>\d|__version__|s(?:pec)?\.version|## )")
_PARENT_VERSION = re.compile(r"\s{0,40}<(?:version|[\w.-]{1,60}\.version|[\w-]{1,60}Version)>")
_NAMED_VERSION = re.compile(
    r"[\"'][@\w./-]{1,100}[\"']\s?:\s?[\"'](?:[\^~><=*]|v?\d|workspace:|catalog:|npm:|git|https?:|file:|link:|github:)|"
    r"^\s{0,40}[\"']?[A-Za-z][\w.\[\],-]{0,80}\s?(?:===?|>=|<=|~=|!=|<|>)\s?v?\d|"
    r"^\s{0,40}[\w-]{1,80}\s?=\s?(?:[\"'][\^~><=*]?\s?\d|\{[^\n]{0,100}(?:version|git|path)\s?=)|"
    r"^(?:require\s|replace\s|\s{0,8})[\w.-]{1,80}\.[\w-]{1,20}/\S{1,160}\s(?:v\d|=>)|^\s{0,8}go \d|^toolchain go|"
    r"^\s{0,40}(?:gem|s\.add_\w*dependency|spec\.add_\w*dependency)[ (][\"']|"
    r"^\s{0,40}(?:implementation|api|compileOnly|testImplementation|classpath|id)[ (][\"']|"
    r"^\s{0,40}<(?:dependency|artifactId|PackageReference)\b|"
    r"^\s{0,40}[\"'][A-Za-z][\w.\[\]-]{0,80}(?:[<>=~!]=?[^\"']{1,60})?[\"'],?\s?(?:#.*)?$|"
    r"^\s{0,40}\{:\w{1,60}, "
)
_ELSEWHERE = re.compile(
    r"git\+(?:https?|ssh|file)://|git://|[\"'](?:github|gitlab|bitbucket|git):|\bgit\s?[=:]\s?[\"']|ssh://git@|git@[\w.-]{1,100}:|"
    r"--(?:extra-)?index-url|--find-links|--trusted-host|\bregistry\s?="
)
_HOST = re.compile(r"https?://(?:[^\s/@\"']{1,100}@)?([A-Za-z0-9.-]{1,100})")
_MOST_HOSTS = 100_000
_ABOUT_ITSELF = re.compile(
    r"\s{0,8}(?:edition|rust-version|name|resolver|target-version|line-length|description|license)\b"
)
_VERSION_LINE = re.compile(r"\s{0,8}\"?(?:version|name)\"?\s?[:=]")
_SELF_IN_LOCK = frozenset(("Cargo.lock", "package-lock.json", "uv.lock", "poetry.lock"))


def touches(edits: Sequence[Edit]) -> Iterator[Touch]:
    """deps (level 2), with what is odd about it in the fact."""
    changed = {edit.path for edit in edits}
    for edit in edits:
        if GITLINK in {edit.mode, edit.old_mode}:
            yield _touch(edit, 0, "moves a submodule to another commit")
        if not edit.changes_bytes or edit.kind in {"test", "generated", "prose"}:
            continue
        lock = _LOCKS.get(edit.name)
        if lock is not None and _only_own_version(edit):
            continue
        if lock is not None:
            yield _touch(edit, 0, _lock_fact(edit, lock, changed))
        row = _version_row(edit) if lock is None and _MANIFEST.search(edit.path) else None
        if row is not None:
            yield _touch(edit, row, "changes what the project depends on")
        if lock is not None or row is not None or edit.name in {".npmrc", ".yarnrc.yml", "pip.conf"}:
            yield from _odd(edit)


def _touch(edit: Edit, line: int, text: str) -> Touch:
    return Touch(name="deps", level=2, path=edit.path, line=line, text=text)


def _only_own_version(edit: Edit) -> bool:
    """Whether a lock file merely says the project's own new version: what is fetched, it names by checksum too."""
    lines = (*edit.added.lines, *edit.removed.lines)
    whole = edit.old is not None and edit.new is not None
    return whole and edit.name in _SELF_IN_LOCK and all(_VERSION_LINE.match(line) for line in lines)


def _lock_fact(edit: Edit, manifests: tuple[str, ...], changed: set[str]) -> str:
    if edit.old is None or edit.new is None:
        return f"{'adds' if edit.old is None else 'deletes'} a lock file"
    here = dirname(edit.path)
    near = any(path.endswith(manifests) and dirname(path).startswith(here) for path in changed)
    return "changes a lock file with its manifest" if near else "changes a lock file, but not its manifest"


def _version_row(edit: Edit) -> int | None:
    """The line of the first changed dependency; a manifest that goes or comes whole counts as its first one."""
    for lines in (edit.added, edit.removed):
        for row, line in enumerate(lines.lines):
            head = line[:400]
            own = _ABOUT_ITSELF.match(head) or (_OWN_VERSION.match(head) and not _in_pom(edit, head))
            if not own and not is_comment(head) and (_NAMED_VERSION.search(head) or _bare(edit, head)):
                return lines.numbers[row]
    return None


def _in_pom(edit: Edit, line: str) -> bool:
    return edit.name == "pom.xml" and _PARENT_VERSION.match(line) is not None


def _bare(edit: Edit, line: str) -> bool:
    """A line of a requirements file names a package whatever else it holds; so does a version line of a pom.xml."""
    if edit.name == "pom.xml":
        return _in_pom(edit, line)
    return edit.name.endswith((".txt", ".in")) and bool(line.strip())


def _odd(edit: Edit) -> Iterator[Touch]:
    added = edit.added
    match = _ELSEWHERE.search(added.text) if added.lines else None
    if match:
        yield _touch(
            edit,
            added.numbers[added.row_at(match.start())],
            "takes a dependency from a repository or registry of its own",
        )
    if edit.old is None or not added.lines:
        return
    known = {host.lower() for lines in (edit.old_lines,) for line in lines for host in _HOST.findall(line[:2000])}
    for count, found in enumerate(_HOST.finditer(added.text)):
        if count > _MOST_HOSTS:
            return
        if known and found[1].lower() not in known:
            yield _touch(
                edit, added.numbers[added.row_at(found.start())], f"names a host that was not there: {found[1].lower()}"
            )
            return
