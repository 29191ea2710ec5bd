"""Configuration of gates and hooks: lines that let a check pass, coverage that may be lower, commands that are gone.

A fact needs a net increase over the whole change set, in a file that existed: a line that was edited or moved is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from console.core.tampering import gatefiles, marks
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File

_CHECKER = (
    r"(?:pytest|py\.test|unittest|tox|nox|ruff|flake8|mypy|pyright|pylint|bandit|eslint|tsc|vitest"
    r"|jest|mocha|playwright test|cypress run|biome|prettier|"
    r"clippy|cargo\s+(?:\+\w+\s+)?(?:test|nextest|clippy|fmt)|go\s+(?:test|vet)|golangci-lint"
    r"|staticcheck|rubocop|rspec|rake\s+(?:test|spec)|mvnw?\b[^\n]*\b(?:test|verify)"
    r"|gradlew?\b[^\n]*\b(?:test|check)|"
    r"dotnet\s+test|phpunit|pre-commit|lint-staged|coverage|codespell|manage\.py\s+test|(?:npm|pnpm"
    r"|yarn|bun)\s+(?:run\s+)?(?:-\S+\s+)*(?:test|lint|check|typecheck|ci)\b|make\s+(?:test|check"
    r"|lint)|nightdesk)"
)
_RUNS = re.compile(rf"(?<![\w/.-])(?:{_CHECKER})(?![\w-]*[=:]\s*$)")
_MAY_RUN = re.compile(r"test|check|lint|verify|spec\b|build\.\w+|\bci\b", re.IGNORECASE)
_GATE_WORD = re.compile(rf"(?<![\w-])(?:tests?|lint\w*|check\w*|typecheck|{_CHECKER})\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"upload-artifact|download-artifact|publish|deploy|release|codecov|coveralls|actions/cache|notify"
    r"|slack|comment|benchmark",
    re.IGNORECASE,
)
_LINE_OFF: dict[str, re.Pattern[str]] = {
    "may fail": re.compile(
        r"^\s*-?\s*(?:continue-on-error|allow_failure|ignore_failure|soft_fail|continueOnError"
        r"|ignoreFailures|allow_failures)\s*[:=]\s*(?!.*\bfalse\b)\S"
    ),
    "always passes": re.compile(
        r"\|\|\s*(?:true\b|:(?=\s|$|[\"'])|exit\s+0|echo\b)|;\s*(?:true|exit\s+0)\s*[\"']?\s*,?$"
        r"|--exit-zero|--warn-only|--no-fail\b|--exitfirst=false"
    ),
    "ignores failing": re.compile(r"^\s*(?:-?\s*run:\s*)?set \+e\b"),
    "leaves out": re.compile(
        r"--deselect\b|--ignore(?:-glob)?[= ]|-k\s*[\"']?\s*not\b|-m\s*[\"']?\s*not\b"
        r"|testPathIgnorePatterns|collect_ignore|norecursedirs|-DskipTests|<skipTests>\s*true"
        r"|maven\.test\.skip|"
        r"\s-x\s+(?:test|check)\b|--skip[= ]|SKIP=|--no-verify|--grep\s+\S+\s+--invert|-skip[= ]"
    ),
    "passes with none": re.compile(
        r"passWithNoTests[\"']?\s*[:=]\s*true|--passWithNoTests|--pass-with-no-tests|--allow-no-tests"
        r"|failIfNoTests\W+false"
    ),
    "never runs": re.compile(
        r"^\s*-?\s*if:\s*(?:\$\{\{\s*)?[\"']?(?:false|never)\b|^\s*-?\s*when:\s*never"
        r"|^\s*stages:\s*\[\s*manual\s*\]|^\s*-?\s*enabled:\s*false"
    ),
    "does nothing": re.compile(
        r"[\"'](?:test|lint|check|typecheck|test:\w+|ci)[\"']\s*:\s*[\"'](?:echo\b[^&|;\"']*|true|:"
        r"|exit 0|node -e ['\"\\]*)[\"']"
    ),
    "ignores errors": re.compile(
        r"^\s*ignore_errors\s*=\s*(?:true|1|yes)|^\s*xfail_strict\s*=\s*false"
        r"|failOnError\s*[=:(]\s*false|isIgnoreFailures\s*=\s*true",
        re.IGNORECASE,
    ),
}
_NEEDS_GATE = frozenset({"always passes"})
_NEEDS_BLOCK = frozenset({"may fail", "never runs", "ignores failing"})
_HARMLESS = re.compile(
    r"^\s*(?:-?\s*run:\s*)?(?:grep|rm|docker|kill|pkill|git|mkdir|cat|echo|ls|cp|mv|which|command|sudo rm)\b"
)
_COVERAGE = re.compile(
    r"(fail[_-]under|cov-fail-under|minimum_coverage(?:_by_file)?|check-coverage|branches|functions"
    r"|lines|statements|threshold|target|minimum|line_coverage"
    r"|branch_coverage)[\"']?\W{1,6}(\d{1,3}(?:\.\d+)?)\b"
)
_SURE_COVERAGE = re.compile(r"fail[_-]under|minimum_coverage")


def facts(files: Sequence[File]) -> Iterator[Fact]:
    """What changed in the configuration of checks."""
    configs = [file for file in files if not file.large and gatefiles.is_gate(file.path)]
    gains: dict[str, list[tuple[File, int, str]]] = defaultdict(list)
    balance: Counter[str] = Counter()
    for file in configs:
        for kind, (before, after) in _off(file).items():
            balance[kind] += len(after) - len(before)
            if file.existed and len(after) > len(before):
                fresh = [(number, line) for number, line in after if line not in {text for _, text in before}] or after[
                    -1:
                ]
                gains[kind] += [(file, number, line) for number, line in fresh[: len(after) - len(before)]]
    for kind, places in gains.items():
        for file, number, line in places[: max(balance[kind], 0)]:
            yield Fact("gate-disabled", file.path, number, line)
    yield from _coverage(configs)
    yield from _commands(configs)
    for file in configs:
        if file.existed:
            yield from _changed(file)
            yield from marks.raised(file)


def _off(file: File) -> dict[str, tuple[list[tuple[int, str]], list[tuple[int, str]]]]:
    """For each kind of disabling, its lines before and after."""
    found: dict[str, tuple[list[tuple[int, str]], list[tuple[int, str]]]] = {}
    old, new = gatefiles.lines(file.path, file.old), gatefiles.lines(file.path, file.new)
    for kind, pattern in _LINE_OFF.items():
        before, after = _matching(kind, pattern, old), _matching(kind, pattern, new)
        if before or after:
            found[kind] = (before, after)
    return found


def _matching(kind: str, pattern: re.Pattern[str], lines: list[str]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if not pattern.search(line[:2_000]):
            continue
        if kind in _NEEDS_GATE and (not _GATE_WORD.search(line[:2_000]) or _HARMLESS.match(line)):
            continue
        if kind in _NEEDS_BLOCK and len(found) < 200:
            block = gatefiles.block(lines, number)
            name = block.partition("\n")[0] if "steps:" in block else block
            if not _GATE_WORD.search(block) or _ASIDE.search(name):
                continue
        found.append((number + 1, line.strip()))
    return found


def _coverage(configs: Sequence[File]) -> Iterator[Fact]:
    """A required number by key: lower than before, or gone without being required elsewhere in the set."""
    elsewhere: dict[str, float] = defaultdict(float)
    numbers = []
    for file in configs:
        before, after = _required(file.path, file.old), _required(file.path, file.new)
        numbers.append((file, before, after))
        for key, (value, _) in after.items():
            if key not in before:
                elsewhere[key] = max(elsewhere[key], value)
    for file, before, after in numbers:
        for key, (value, line) in before.items():
            now, where = after.get(key, (elsewhere[key], line))
            if now < value and (key in after or not _named(key, file.new)):
                yield Fact("coverage-lowered", file.path, where, key)


def _named(key: str, text: str) -> bool:
    """Whether a required number is now taken from a variable: it may be lower, which cannot be seen here."""
    return re.search(rf"{key.replace('_', '[_-]')}[\"']?\s*[=:]\s*[\"']?\$", text) is not None


def _required(path: str, text: str) -> dict[str, tuple[float, int]]:
    sure_only = not re.search(r"hreshold|codecov|nyc|c8|simplecov|jacoco", text[:200_000] + path, re.IGNORECASE)
    found: dict[str, tuple[float, int]] = {}
    for number, line in enumerate(gatefiles.lines(path, text), 1):
        for match in _COVERAGE.finditer(line[:2_000]):
            key, value = match[1].replace("-", "_").removeprefix("cov_"), float(match[2])
            if sure_only and not _SURE_COVERAGE.search(key):
                continue
            if key not in found or found[key][0] < value:
                found[key] = (value, number)
    return found


def _commands(configs: Sequence[File]) -> Iterator[Fact]:
    """A file whose commands that check something are all gone, and not found in another file of the set."""
    pipelines = [file for file in configs if gatefiles.runs_commands(file.path)]
    before = {file.path: _runs(file.path, file.old) for file in pipelines}
    after = {file.path: _runs(file.path, file.new) for file in pipelines}
    if any(len(after[path]) > len(before[path]) for path in before) or any(not file.existed for file in pipelines):
        return
    for file in pipelines:
        if before[file.path] and not after[file.path] and not _may_run(file):
            yield Fact("gate-command-removed", file.path, 0 if file.exists else before[file.path][0])


def _runs(path: str, text: str) -> list[int]:
    lines = gatefiles.lines(path, text)
    return [number for number, line in enumerate(lines, 1) if _RUNS.search(gatefiles.command(line[:2_000]))]


def _may_run(file: File) -> bool:
    """Whether a line that is new names something that may run the checks (`make richtest`)."""
    known = set(file.old.split("\n"))
    return any(_MAY_RUN.search(gatefiles.command(line[:2_000])) for line in file.new.split("\n") if line not in known)


def _changed(file: File) -> Iterator[Fact]:
    if not file.exists:
        yield Fact("gate-config-deleted", file.path, 0)
        return
    old, new = gatefiles.lines(file.path, file.old), gatefiles.lines(file.path, file.new)
    changed = gatefiles.telling(file.path, old, new)
    if changed:
        yield Fact("gate-config-changed", file.path, changed)
