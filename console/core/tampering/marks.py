"""What marks tell in any file: silenced warnings, product code that knows of tests, files that shadow a runner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.tampering import gatefiles, places
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File
from console.core.tampering.scan import source

_SUPPRESSION = re.compile(
    r"#\s*noqa\b|#\s*type:\s*ignore|#\s*pyright:\s*ignore|#\s*pragma:\s*no\s*(?:cover|branch)"
    r"|#\s*nosec\b|pylint:\s*disable|#\s*fmt:\s*off"
    r"|@ts-(?:ignore|expect-error|nocheck)|eslint-disable|biome-ignore|(?:istanbul|c8|v8) ignore"
    r"|//\s*nolint|#!?\[\s*(?:allow|expect)\("
    r"|@SuppressWarnings|@Suppress\(|@SuppressLint|#pragma warning disable|rubocop:disable|:nocov:"
    r"|NOSONAR|@ExcludeFromCodeCoverage|shellcheck disable"
)
_KNOWS = re.compile(
    r"PYTEST_CURRENT_TEST|[\"']pytest[\"'] in sys\.modules|sys\.modules\.get\([\"'](?:pytest"
    r"|unittest)[\"']|[\"']unittest[\"'] in sys\.modules"
    r"|NODE_ENV[\"'\])]*\s*[!=]==?\s*[\"']test[\"']|[\"']test[\"']\s*[!=]==?\s*process\.env\.NODE_ENV"
    r"|\bJEST_WORKER_ID\b|process\.env\.VITEST\b"
    r"|testing\.Testing\(\)|flag\.Lookup\([\"']test\.v[\"']\)|HasSuffix\(os\.Args\[0\],\s*[\"']\.test[\"']\)"
    r"|Rails\.env\.test\?|ENV\[[\"'](?:RAILS|RACK)_ENV[\"']\]\s*[!=]=\s*[\"']test[\"']"
)
_KNOWS_MORE = re.compile(
    r"sys\.modules\b[^\n]{0,60}[\"'](?:_?pytest|unittest|nose)\b"
    r"|[\"'](?:_?pytest|unittest|nose)\b[\w.]*[\"'] not in sys\.modules"
    r"|sys\.argv[^\n]{0,60}[\"'][^\"'\n]{0,40}(?:pytest|unittest|\btest)\b|[\"'](?:py)?test[\"'](?: not)? in sys\.argv"
    r"|typeof\s+(?:jest|vi|describe|it|expect|beforeEach|mocha)\s*[!=]==?\s*[\"']"
    r"|(?<!\.)\bglobalThis\.(?:jest|__vitest\w*|describe|expect|mocha)\b|process\.argv[^\n]{0,60}(?:jest|vitest|mocha)"
    r"|npm_lifecycle_event[^\n]{0,40}test|strings\.\w+\(os\.Args\[0\],\s*\"[^\"\n]{0,40}test"
    r"|defined\?\s*\(?\s*(?:::)?(?:RSpec|Mini[tT]est)\b|\$(?:0|PROGRAM_NAME)[^\n]{0,40}(?:rspec|minitest|test)"
    r"|Class\.forName\(\s*\"(?:org\.junit|org\.testng|kotlin\.test)|\bcfg!\(\s*test\s*\)"
)
_KNOWS_CALLER = re.compile(
    r"(?:\b_getframe|\bcurrentframe\(|inspect\.stack\(|extract_stack|runtime\.Callers?\("
    r"|new Error\([^()\n]{0,40}\)\.stack|getStackTrace\("
    r"|\bcaller(?:_locations)?(?:\(\d*\)|\[|\.(?:first|any|grep|find|map)))"
    r"[^\0]{0,300}?[\"'/`][^\"'\n]{0,60}(?<![A-Za-z])(?:tests?|unittest|pytest|spec|jest|junit)(?![a-z])"
)
_CI_NAME = r"(?:CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|BUILDKITE|TOX_ENV_NAME)"
_SURROUNDINGS = re.compile(
    rf"(?:environ(?:\.get\(|\[)|get[eE]nv\(|Getenv\(|LookupEnv\(|GetEnvironmentVariable\(|env::var\(|ENV(?:\.\w+\??\(|\[)"
    rf"|process\.env\[)\s*[\"']{_CI_NAME}[\"']|[\"']{_CI_NAME}[\"'](?: not)? in os\.environ|process\.env\.{_CI_NAME}\b"
    r"|sys\._getframe\b|inspect\.(?:stack|currentframe|getouterframes)\s*\(|traceback\.extract_stack"
)
_CONFIGURES = re.compile(r"\.config\.\w+$|(?:^|/)(?:conf|setup|noxfile|tasks)\.py$|(?:^|/)(?:scripts?|tools|bin|ci)/")
_HOOK = re.compile(
    r"^[ \t]*(?:async\s+)?def\s+(pytest_(?:collection_modifyitems|collection_finish|ignore_collect"
    r"|collect_file|collect_directory|pycollect_\w+|itemcollected|"
    r"deselected|make_collect_report|runtest_(?:makereport|protocol|call|logreport)|runtestloop"
    r"|pyfunc_call|report_teststatus|sessionfinish|"
    r"exception_interact|assertrepr_compare|cmdline_main|load_initial_conftests))\b"
    r"|^(collect_ignore(?:_glob)?)\s*(?:\+?=|:)",
    re.MULTILINE,
)
_SHADOWS = frozenset(
    {
        "pytest.py",
        "_pytest.py",
        "unittest.py",
        "sitecustomize.py",
        "usercustomize.py",
        "pluggy.py",
        "pytest.pth",
        "jest.js",
        "vitest.js",
        "mocha.js",
    }
)
_SHADOW_FOLDERS = frozenset({"pytest", "_pytest", "unittest", "pluggy"})
_RAISED = re.compile(
    r"\b(retries|reruns|retry|retryTimes|max[_-]?retries|flaky|testTimeout|hookTimeout"
    r"|timeout(?:-minutes|_minutes|_seconds|Minutes|Ms)?|setTimeout|max_runs|--reruns)"
    r"[\"']?\s*(?:[=:(,]|\s)\s*(\d[\d_]{0,12})"
)
_COUNTED = frozenset({"retries", "reruns", "retry", "retryTimes", "max_retries", "flaky", "--reruns", "max_runs"})


def facts(files: Sequence[File]) -> Iterator[Fact]:
    """The marks of every file that was read."""
    for file in files:
        if file.large:
            continue
        yield from _suppressions(file)
        yield from _shadow(file)
        if places.is_product(file.path):
            yield from _knowing(file)
        if places.language(file.path) == "python":
            yield from _hooks(file)
        if places.is_test_side(file.path) and not places.is_fixture(file.path):
            yield from raised(file)
        if places.is_fixture(file.path) and file.existed and file.old != file.new:
            yield Fact("snapshot-changed", file.path, 0)


def _knowing(file: File) -> Iterator[Fact]:
    """Product code that asks for tests; else whether it asks for CI or for its callers."""
    patterns = (_KNOWS, _KNOWS_MORE, _KNOWS_CALLER)
    found = [fact for pattern in patterns for fact in _new(pattern, "test-detection", file)]
    yield from {fact.line: fact for fact in reversed(found)}.values()
    if not found and not gatefiles.is_gate(file.path) and not _CONFIGURES.search(file.path):
        yield from _new(_SURROUNDINGS, "surroundings-asked", file)


def _suppressions(file: File) -> Iterator[Fact]:
    if places.language(file.path) == "" or places.is_fixture(file.path):
        return
    yield from _new(_SUPPRESSION, "suppression-added", file)


def _new(pattern: re.Pattern[str], rule: str, file: File) -> Iterator[Fact]:
    """A fact for each match more than there were, at the lines that are new."""
    before, after = list(pattern.finditer(file.old)), list(pattern.finditer(file.new))
    more = len(after) - len(before)
    if more <= 0:
        return
    known = {_line(file.old, match) for match in before}
    fresh = [match for match in after if _line(file.new, match) not in known] or after[-1:]
    for match in fresh[: min(more, 200)]:
        yield Fact(rule, file.path, file.new.count("\n", 0, match.start()) + 1, match[0].strip())


def _line(text: str, match: re.Match[str]) -> str:
    start = text.rfind("\n", max(0, match.start() - 400), match.start()) + 1
    end = text.find("\n", match.end(), match.end() + 400)
    return text[start : end if end >= 0 else match.end()].strip()


def _shadow(file: File) -> Iterator[Fact]:
    if file.existed or not file.exists or places.is_fixture(file.path):
        return
    parts = places.parts(file.path)
    folder = len(parts) > 1 and parts[-1] == "__init__.py" and parts[-2] in _SHADOW_FOLDERS
    if (parts[-1] in _SHADOWS and len(parts) <= 3) or (folder and len(parts) <= 3) or parts[-1].endswith(".pth"):
        yield Fact("runner-shadowed", file.path, 1, file.path)


def _hooks(file: File) -> Iterator[Fact]:
    """Hooks that are new anywhere in a conftest, or in a plugin's code beside tests."""
    if places.name(file.path) != "conftest.py" and not places.is_test_side(file.path):
        return
    if places.is_fixture(file.path):
        return
    if "pytest_" not in file.new and "collect_ignore" not in file.new:
        return
    known = {match[1] or match[2] for match in _HOOK.finditer(source(file.old, "python").bare)}
    after = source(file.new, "python")
    for match in _HOOK.finditer(after.bare):
        name = match[1] or match[2]
        if name not in known:
            yield Fact("collection-hook", file.path, after.line(match.start(1 if match[1] else 2)), name)


def raised(file: File) -> Iterator[Fact]:
    """Timeouts with a larger number, and retries that are more or new, by key."""
    if not file.existed or not file.exists:
        return
    before, after = _numbers(file.old), _numbers(file.new)
    for key, value in after.items():
        if value > before.get(key, 0 if key in _COUNTED else value):
            yield Fact("timeout-raised", file.path, 0, key)


def _numbers(text: str) -> dict[str, int]:
    largest: dict[str, int] = {}
    for match in _RAISED.finditer(text):
        largest[match[1]] = max(largest.get(match[1], 0), int(match[2].replace("_", "")))
    return largest
