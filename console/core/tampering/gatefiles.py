"""Which files configure gates and hooks, and their lines as they matter: without comments, continued ones joined."""

from __future__ import annotations

import re
from functools import lru_cache

_CI = re.compile(
    r"(?:^|/)\.github/(?:workflows|actions)/.*\.ya?ml$|(?:^|/)\.gitlab-ci\.ya?ml$|(?:^"
    r"|/)\.gitlab/ci/.*\.ya?ml$|(?:^|/)\.circleci/.*\.ya?ml$|(?:^|/)\.travis\.ya?ml$|(?:^"
    r"|/)azure-pipelines.*\.ya?ml$"
    r"|(?:^|/)Jenkinsfile$|(?:^|/)\.(?:drone|cirrus|woodpecker)\.ya?ml$|(?:^|/)\.(?:buildkite"
    r"|woodpecker)/.*\.ya?ml$|(?:^|/)bitbucket-pipelines\.ya?ml$|(?:^|/)\.?appveyor\.ya?ml$"
)
_HOOKS = re.compile(
    r"(?:^|/)\.pre-commit-config\.ya?ml$|(?:^|/)\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$|(?:^"
    r"|/)\.husky/(?!_/)[\w.-]+$|(?:^|/)\.githooks/|(?:^"
    r"|/)\.?lint-?staged(?:rc)?(?:\.config)?(?:\.\w+)?$"
)
_RUNNERS = re.compile(
    r"(?:^|/)(?:pytest\.ini|\.pytest\.ini|tox\.ini|\.coveragerc|noxfile\.py|mypy\.ini|\.mypy\.ini"
    r"|\.flake8|\.?ruff\.toml|\.pylintrc|pyrightconfig\.json|"
    r"jest\.config[\w.-]*\.\w+|vitest\.(?:config|workspace)[\w.-]*\.\w+|\.mocharc(?:\.\w+)?"
    r"|karma\.conf\.\w+|playwright\.config\.\w+|cypress\.config\.\w+|\.eslintrc(?:\.\w+)?"
    r"|eslint\.config\.\w+|\.eslintignore|biome\.jsonc?|"
    r"\.nycrc(?:\.\w+)?|\.c8rc(?:\.json)?|\.?codecov\.ya?ml|\.golangci\.(?:ya?ml|toml|json)"
    r"|\.?nextest\.toml|clippy\.toml|\.rspec|\.rubocop\.ya?ml|\.simplecov|sonar-project\.properties"
    r"|detekt\.ya?ml|phpunit\.xml(?:\.dist)?)$"
    r"|(?:^|/)\.nightdesk/config\.ya?ml$"
)
_MIXED = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.cfg|package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile"
    r"|Taskfile\.ya?ml|vite\.config\.\w+|build\.gradle(?:\.kts)?|pom\.xml|Rakefile|Cargo\.toml"
    r"|deno\.jsonc?|composer\.json|tsconfig[\w.]*\.json)$"
)
_TELLING = re.compile(
    r"test|lint|cover|ruff|mypy|pyright|flake8|pylint|eslint|jest|vitest|mocha|playwright|cypress|nyc"
    r"|\bc8\b|husky|hook|pre-?commit|\bcheck|strict|spec\b|clippy|tox|nox|addopts|filterwarnings"
    r"|surefire|jacoco|rubocop",
    re.IGNORECASE,
)
_VERSION = re.compile(r"^\W*[@\w./-]+\W*[=:~^<>]*\W*\"?[\^~<>=]*v?\d[\w.,<>=~^ *-]*\"?\W*$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_SLASHES = re.compile(r"(?:^|\s)//.*$")
_INDENT = re.compile(r"[ ]*(?:- )?[ ]*")
_NAME = re.compile(
    r"^\s*-?\s*(?:name|id|uses|description)\s*:.*$|^\s*[\w.-]+:\s*$|^\s*install\b.*$|.*\b(?:pip|npm"
    r"|apt|apt-get|gem|brew)\s+(?:install|i|ci)\b.*$|^\s*\[.*\]\s*$"
)


@lru_cache(maxsize=4096)
def is_gate(path: str) -> bool:
    """Whether this file decides what checks run and when they count."""
    return any(pattern.search(path) for pattern in (_CI, _HOOKS, _RUNNERS, _MIXED))


def runs_commands(path: str) -> bool:
    """Whether the file lists commands to run: pipelines and hooks."""
    return bool(_CI.search(path) or _HOOKS.search(path)) and not path.endswith(".pre-commit-config.yaml")


def lines(path: str, text: str) -> list[str]:
    """The lines without comments; one that goes on in the next is joined to it, which leaves an empty line there."""
    comment = _SLASHES if re.search(r"\.(?:[cm]?[jt]s|jsonc?|gradle|kts)$", path) else _COMMENT
    found = [comment.sub("", line) if len(line) < 4_000 else line[:4_000] for line in text.split("\n")]
    number = len(found) - 2
    while number >= 0:
        if found[number].endswith("\\") and len(found[number + 1]) < 4_000:
            found[number] = found[number][:-1] + found[number + 1].strip()
            found[number + 1] = ""
        number -= 1
    return found


def command(line: str) -> str:
    """The line as far as it may run something: "" for names, headings and installations."""
    return "" if _NAME.match(line) else line


def block(lines: list[str], number: int) -> str:
    """The step or job that a line of YAML stands in: its neighbours and what is below them (60 lines each way)."""
    depth = len(_INDENT.match(lines[number])[0])  # type: ignore[index]
    first = number
    while first > 0 and number - first < 60:
        above = lines[first - 1]
        if lines[first].lstrip().startswith("- ") and len(_INDENT.match(lines[first])[0]) <= depth:  # type: ignore[index]
            break
        if above.strip() and len(_INDENT.match(above)[0]) < depth:  # type: ignore[index]
            first -= 1
            break
        first -= 1
    last = number + 1
    while last < len(lines) and last - number < 60:
        text = lines[last]
        indent = len(_INDENT.match(text)[0])  # type: ignore[index]
        if text.strip() and (indent < depth or (indent <= depth and text.lstrip().startswith("- "))):
            break
        last += 1
    return "\n".join(line[:500] for line in lines[first:last])


def telling(path: str, old: list[str], new: list[str]) -> int:
    """The first line (from 1) that changed and concerns checks; 0 when none does.

    In files that are only about checks every changed line does; a changed version number alone does not.
    """
    before, after = set(map(str.strip, old)), set(map(str.strip, new))
    only = bool(_CI.search(path) or _HOOKS.search(path) or _RUNNERS.search(path))
    for number, line in [*enumerate(new, 1), *enumerate(old, 1)]:
        bare = line.strip()
        if not bare or (bare in before and bare in after):
            continue
        if _VERSION.match(bare) or "uses:" in bare or bare.startswith("rev:"):
            continue
        if only or _TELLING.search(bare[:2_000]):
            return number
    return 0
