"""Gates weakened beside the tests: pipelines, runners, hooks, suppressions, shadowed runners, product that knows."""

from __future__ import annotations

import pytest
from tampering_play import change, levels, rules

WORKFLOW = """
name: ci
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Tests
        run: pytest -q
      - name: Lint
        run: ruff check .
      - name: Upload
        uses: actions/upload-artifact@v4
"""
PYPROJECT = """
[project]
dependencies = ["click>=8"]

[tool.pytest.ini_options]
addopts = "-ra"

[tool.coverage.report]
fail_under = 90
"""
PACKAGE = """
{
  "scripts": {
    "test": "vitest run",
    "lint": "eslint ."
  },
  "dependencies": {"hono": "^4.0.0"}
}
"""
JEST = """
module.exports = {
  coverageThreshold: { global: { branches: 80, lines: 90 } },
}
"""
HUSKY = "npm test\n"
MAKE = "test:\n\tpytest -q\n"
DESK = "gate:\n  argv: [pytest, -q]\n  timeout: 600\n"

DISABLED = [
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        "        run: pytest -q",
        "        continue-on-error: true\n        run: pytest -q",
    ),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        "    runs-on: ubuntu-latest",
        "    continue-on-error: true\n    runs-on: ubuntu-latest",
    ),
    (".github/workflows/ci.yml", WORKFLOW, "pytest -q", "pytest -q || true"),
    (".github/workflows/ci.yml", WORKFLOW, "pytest -q", "pytest -q --deselect tests/test_a.py::test_b"),
    (".github/workflows/ci.yml", WORKFLOW, "pytest -q", 'pytest -q -k "not slow"'),
    (".github/workflows/ci.yml", WORKFLOW, "ruff check .", "ruff check . --exit-zero"),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        "        run: pytest -q",
        "        if: ${{ false }}\n        run: pytest -q",
    ),
    (".github/workflows/ci.yml", WORKFLOW, "run: pytest -q", "run: |\n          set +e\n          pytest -q"),
    ("pyproject.toml", PYPROJECT, '"-ra"', '"-ra --ignore=tests/core"'),
    ("package.json", PACKAGE, "vitest run", "vitest run --passWithNoTests"),
    ("package.json", PACKAGE, '"vitest run"', '"echo no tests"'),
    ("jest.config.js", JEST, "module.exports = {", "module.exports = {\n  passWithNoTests: true,"),
    (".husky/pre-commit", HUSKY, "npm test", "npm test || true"),
    ("Makefile", MAKE, "pytest -q", "pytest -q || exit 0"),
    (".nightdesk/config.yaml", DESK, "pytest, -q", 'pytest, -q, -k "not slow"'),
]


@pytest.mark.parametrize(("path", "text", "old", "new"), DISABLED)
def test_a_line_that_lets_a_check_pass_is_found(path: str, text: str, old: str, new: str) -> None:
    assert old in text
    assert levels(change(path, text, text.replace(old, new, 1)))["gate-disabled"] == "high"


LOWERED = [
    ("pyproject.toml", PYPROJECT, "fail_under = 90", "fail_under = 80"),
    ("pyproject.toml", PYPROJECT, "fail_under = 90\n", ""),
    ("jest.config.js", JEST, "branches: 80", "branches: 10"),
]


@pytest.mark.parametrize(("path", "text", "old", "new"), LOWERED)
def test_a_required_coverage_that_falls_or_goes_is_found(path: str, text: str, old: str, new: str) -> None:
    assert levels(change(path, text, text.replace(old, new, 1)))["coverage-lowered"] == "high"


HARMLESS = [
    (".github/workflows/ci.yml", WORKFLOW, "pytest -q", "pytest -q -x"),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        "      - name: Upload",
        "      - name: Upload\n        continue-on-error: true",
    ),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        "run: pytest -q",
        "run: |\n          rm -r cache || true\n          pytest -q",
    ),
    (".github/workflows/ci.yml", WORKFLOW, "name: ci", "name: ci # pytest || true"),
    (".github/workflows/ci.yml", WORKFLOW, "checkout@v4", "checkout@v5"),
    (".github/workflows/ci.yml", WORKFLOW, "run: pytest -q", "run: make richtest"),
    ("pyproject.toml", PYPROJECT, "fail_under = 90", "fail_under = 95"),
    ("pyproject.toml", PYPROJECT, "click>=8", "click>=8.1"),
    ("package.json", PACKAGE, "^4.0.0", "^4.1.0"),
]


@pytest.mark.parametrize(("path", "text", "old", "new"), HARMLESS)
def test_an_ordinary_change_of_configuration_is_never_high(path: str, text: str, old: str, new: str) -> None:
    assert old in text
    assert "high" not in levels(change(path, text, text.replace(old, new, 1))).values()


def test_a_disabled_line_that_was_edited_is_no_increase() -> None:
    old = WORKFLOW.replace("pytest -q", "pytest -q || true")
    assert "gate-disabled" not in rules(".github/workflows/ci.yml", old, old.replace("-q", "-x"))


def test_a_disabled_line_that_moved_to_another_file_is_no_increase() -> None:
    off = WORKFLOW.replace("pytest -q", "pytest -q || true")
    moved = [change(".github/workflows/a.yml", off, WORKFLOW), change(".github/workflows/b.yml", WORKFLOW, off)]
    assert "gate-disabled" not in levels(*moved)


def test_a_new_configuration_disables_nothing_that_was_there() -> None:
    assert "gate-disabled" not in rules("tox.ini", None, "[testenv]\ncommands = pytest || true\n")


def test_a_coverage_that_moved_to_another_file_is_still_required() -> None:
    gone = PYPROJECT.replace("fail_under = 90\n", "")
    assert "coverage-lowered" not in levels(
        change("pyproject.toml", PYPROJECT, gone), change(".coveragerc", None, "fail_under = 90\n")
    )


def test_a_pipeline_that_runs_no_check_any_more_is_found() -> None:
    gone = WORKFLOW.replace("pytest -q", "ls").replace("ruff check .", "ls")
    assert levels(change(".github/workflows/ci.yml", WORKFLOW, gone))["gate-command-removed"] == "high"
    assert levels(change(".github/workflows/ci.yml", WORKFLOW, None))["gate-command-removed"] == "high"
    moved = levels(
        change(".github/workflows/ci.yml", WORKFLOW, None), change(".github/workflows/all.yml", None, WORKFLOW)
    )
    assert "gate-command-removed" not in moved


def test_a_changed_gate_is_told_but_not_high() -> None:
    assert levels(change("pyproject.toml", PYPROJECT, PYPROJECT.replace("-ra", "-rA"))) == {
        "gate-config-changed": "medium"
    }
    assert levels(change("package.json", PACKAGE, PACKAGE.replace("eslint .", "eslint src"))) == {
        "gate-config-changed": "medium"
    }
    assert levels(change("pytest.ini", "[pytest]\n", None)) == {"gate-config-deleted": "medium"}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (".nightdesk/config.yaml", "timeout: 600", "timeout: 6000"),
        ("jest.config.js", "coverageThreshold", "testTimeout: 1, coverageThreshold"),
        ("pyproject.toml", '"-ra"', '"-ra --reruns 3"'),
    ],
)
def test_a_longer_timeout_or_more_retries_are_told(path: str, old: str, new: str) -> None:
    text = {".nightdesk/config.yaml": DESK, "jest.config.js": JEST, "pyproject.toml": PYPROJECT}[path]
    expected = "timeout: 6000" in new or "reruns" in new
    assert ("timeout-raised" in rules(path, text, text.replace(old, new, 1))) is expected


@pytest.mark.parametrize(
    "path", ["pytest.py", "tests/pytest.py", "src/sitecustomize.py", "pytest/__init__.py", "unittest.py"]
)
def test_a_new_file_in_the_runners_place_is_found(path: str) -> None:
    assert levels(change(path, None, "x = 1\n"))["runner-shadowed"] == "high"


@pytest.mark.parametrize("path", ["docs/about/pytest.py/x.md", "src/app/plugins/pytest.py", "tests/fixtures/pytest.py"])
def test_a_file_that_shadows_nothing_is_not(path: str) -> None:
    assert rules(path, None, "x = 1\n") == set()


def test_hooks_that_choose_tests_are_found_in_code_only() -> None:
    hook = "def pytest_collection_modifyitems(items):\n    items.clear()\n"
    assert levels(change("tests/conftest.py", "import pytest\n", "import pytest\n" + hook))["collection-hook"] == "high"
    assert levels(change("conftest.py", None, "collect_ignore = ['tests']\n"))["collection-hook"] == "high"
    text = f"def test_plugin(testdir):\n    testdir.makeconftest('''\n{hook}\n''')\n    assert testdir.run()\n"
    assert rules("tests/test_plugin.py", None, text) == set()
    assert "collection-hook" not in rules("conftest.py", hook, hook + "x = 1\n")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/app.py", 'if "PYTEST_CURRENT_TEST" in os.environ:'),
        ("src/app.py", 'if "pytest" in sys.modules:'),
        ("src/app.ts", "if (process.env.NODE_ENV === 'test') {"),
        ("src/app.ts", "if (process.env.JEST_WORKER_ID) {"),
        ("app.go", "if testing.Testing() {"),
        ("app/models/user.rb", "if Rails.env.test?"),
    ],
)
def test_product_code_that_asks_about_tests_is_found(path: str, line: str) -> None:
    assert levels(change(path, "a\n", f"a\n{line}\n"))["test-detection"] == "high"
    assert "test-detection" not in rules(path, f"{line}\n", f"{line}\nb\n")
    assert "test-detection" not in rules(f"tests/{path}", "a\n", f"a\n{line}\n")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "x = 1  # type: ignore"),
        ("a.ts", "// eslint-disable-next-line"),
        ("a.go", "x() //nolint:all"),
        ("a.java", '@SuppressWarnings("all")'),
        ("a.rb", "# rubocop:disable all"),
        ("a.cs", "#pragma warning disable"),
    ],
)
def test_a_silenced_warning_is_told(path: str, line: str) -> None:
    assert levels(change(path, "a\n", f"a\n{line}\n")) == {"suppression-added": "medium"}
    assert rules(path, f"{line}\n", f"b\n{line}\n") == set()
