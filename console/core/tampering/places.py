"""What a path says about a file: its language, whether a runner collects it, whether it is product or material.

Only the path is looked at. Names follow the defaults of the usual runners (pytest, unittest, Django, jest, vitest,
mocha, go test, JUnit, NUnit, xUnit, minitest, RSpec).
"""

from __future__ import annotations

import re
from functools import lru_cache

_LANGUAGES = {
    "python": ("py", "pyi"),
    "javascript": ("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"),
    "go": ("go",),
    "rust": ("rs",),
    "jvm": ("java", "kt", "kts", "cs", "groovy", "scala"),
    "ruby": ("rb",),
}
_BY_EXTENSION = {extension: name for name, extensions in _LANGUAGES.items() for extension in extensions}
_OTHER_CODE = re.compile(r"c|cc|cpp|cxx|h|hpp|m|mm|swift|php|sh|bash|bats|ex|exs|erl|hs|ml|clj|dart|lua|pl|t|zig|nim")

_TEST_FOLDERS = re.compile(r"test|tests|testing|__tests__|spec|specs|e2e|test_suite|testsuite|integration_tests")
_FIXTURE_FOLDERS = re.compile(
    r"fixtures|fixture|__fixtures__|testdata|test-data|test_data|snapshots|__snapshots__|"
    r"__image_snapshots__|golden|goldens|cassettes|__cassettes__|test-fixtures|test_fixtures"
)
_ASIDE_FOLDERS = re.compile(r"doc|docs|example|examples|sample|samples|demo|demos|node_modules|vendor|third_party")
_SNAPSHOT = re.compile(r"\.(?:snap|ambr|approved\.\w+|golden|verified\.\w+)$")

_PYTHON = re.compile(r"(?:test.*|.*_tests?)\.py")
_JAVASCRIPT = re.compile(r".*[._-](?:tests?|spec|e2e|cy)(?:-d)?\.\w+|tests?\.\w+")
_JVM = re.compile(r"(?:.*[A-Za-z0-9_.](?:Tests?|TestCase|IT|Specs?|Should)|Test[A-Z].*)\.\w+")
_RUBY = re.compile(r"(?:test_.*|.*_(?:test|spec)|spec_.*)\.rb")
_OTHER = re.compile(r"(?:tests?[_.-].*|.*[_.-](?:tests?|spec)|test.*)\.\w+|.*\.(?:bats|t)|.*Tests?\.(?:php|swift)")


def parts(path: str) -> list[str]:
    """The path's components, lower case."""
    return path.lower().split("/")


def _below(path: str, folders: re.Pattern[str]) -> bool:
    return any(folders.fullmatch(part) for part in parts(path)[:-1])


def name(path: str) -> str:
    return path.rpartition("/")[2]


def stem(path: str) -> str:
    """The file's name without its extensions."""
    return name(path).lstrip(".").partition(".")[0]


@lru_cache(maxsize=4096)
def language(path: str) -> str:
    """python, javascript, go, rust, jvm, ruby, other (code that has no reader) or "" (not code)."""
    extension = name(path).rpartition(".")[2].lower()
    return _BY_EXTENSION.get(extension) or ("other" if _OTHER_CODE.fullmatch(extension) else "")


def is_snapshot(path: str) -> bool:
    """Expected output that a tool wrote."""
    return bool(_SNAPSHOT.search(path.lower())) or "__snapshots__" in parts(path)


def is_fixture(path: str) -> bool:
    """Material of tests, not tests: what lies below a folder of fixtures, snapshots or golden files."""
    return is_snapshot(path) or _below(path, _FIXTURE_FOLDERS)


def in_tests(path: str) -> bool:
    """Below a folder of tests, wherever that is."""
    return any(
        _TEST_FOLDERS.fullmatch(part) or part.endswith((".tests", ".test", "_tests")) for part in parts(path)[:-1]
    )


@lru_cache(maxsize=4096)
def is_named_test(path: str) -> bool:
    """Whether a runner would take this file for one with tests by its name alone."""
    base, kind = name(path), language(path)
    match kind:
        case "python":
            return bool(_PYTHON.fullmatch(base))
        case "javascript":
            return bool(_JAVASCRIPT.fullmatch(base)) or "__tests__" in parts(path)[:-1]
        case "go":
            return base.endswith("_test.go")
        case "jvm":
            return bool(_JVM.fullmatch(base))
        case "ruby":
            return bool(_RUBY.fullmatch(base))
        case "rust":
            return base in {"tests.rs", "test.rs"} or base.endswith(("_test.rs", "_tests.rs")) or in_tests(path)
        case "other":
            return bool(_OTHER.fullmatch(base)) and not base.endswith((".sh", ".bash"))
    return False


def may_hold_tests(path: str) -> bool:
    """Whether this file is read for tests: by name, by folder, or because the language has tests anywhere."""
    kind = language(path)
    if kind in {"", "other"}:
        return False
    if kind == "go":
        return path.endswith("_test.go")
    if kind in {"rust", "jvm"}:
        return True
    return is_named_test(path) or (in_tests(path) and name(path) not in {"conftest.py", "__init__.py"})


def is_test_side(path: str) -> bool:
    """Anything that belongs to the tests: the tests, their support code and material."""
    return is_named_test(path) or in_tests(path) or is_fixture(path) or name(path) == "conftest.py"


def is_product(path: str) -> bool:
    """Code that is neither test, nor documentation, nor an example, nor somebody else's."""
    return language(path) != "" and ".min." not in path and not is_test_side(path) and not _below(path, _ASIDE_FOLDERS)
