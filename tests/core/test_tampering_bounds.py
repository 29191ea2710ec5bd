"""What a hostile text costs: bounded time for every language, whatever it repeats, and no blind spot by sheer size."""

from __future__ import annotations

import time

import pytest
from tampering_play import levels

from console.core.tampering import FileVersions, inspect

PATHS = [
    "test_a.py",
    "a.test.ts",
    "a_test.go",
    "src/a.rs",
    "ATest.java",
    "a_spec.rb",
    "src/a.py",
    ".github/workflows/a.yml",
]
REPEATED = [
    "(",
    "{",
    '"',
    "'",
    "`",
    "/*",
    "\\",
    " ",
    "\n",
    "= /",
    "${",
    "it(",
    "it('a', () => {\n",
    "describe('a', () => {\n",
    "expect(",
    "try {",
    "#[test]\nfn a() {\n",
    "#[a]\n",
    "@Test void a() {\n",
    "@A\n",
    "it 'a' do\n",
    "begin\n",
    "def test_a():\n",
    "  def test_a():\n    assert x\n",
    "- if: false\n",
    "pytest || true \\\n",
    "a.",
    "f(a, ",
    "rgtest!(a, ",
    "a=1;",
    "-",
]
SWITCHES = {
    "test_a.py": [
        "def load_tests(a, b):\n return b\n",
        "del a.test\n",
        "a.test = ",
        "class A: pass\ndel A\n",
        "globals().pop(",
    ],
    "src/a.py": ["_getframe'/", "sys.modules'", "a.b = "],
    "a_test.go": ["func init() {", "func TestMain() {\n"],
    "a_spec.rb": ["def ==(", "before { skip\n", "before\n\n", "caller('"],
    "a.test.ts": [
        "import { a, ",
        "import a from 'a'\n",
        "expect.extend({ a",
        "beforeEach(() => { this.skip(",
        "process.on('exit' ",
    ],
    "ATest.java": ["implements A, ", "@Before void a(", "static {"],
}
"""Fragments that the rules about what stands beside the tests look for, by the language that they are of."""
SIZE = 30_000
SECONDS = 10.0


@pytest.mark.parametrize("path", PATHS)
def test_no_repeated_text_is_slow(path: str) -> None:
    """60 KB of any fragment; the time is four times what the slowest takes on a busy machine, far below a square."""
    for fragment in [*REPEATED, *SWITCHES.get(path, ())]:
        text = (fragment * (SIZE // len(fragment) + 1))[:SIZE].encode()
        start = time.process_time()
        inspect([FileVersions(path, text, text[:-3] + b"\nx\n")])
        assert time.process_time() - start < SECONDS, fragment


@pytest.mark.parametrize("path", ["test_a.py", "a.test.ts", "package.json"])
def test_five_megabytes_take_less_than_two_seconds_and_are_named(path: str) -> None:
    small, large = b"def test_a():\n    assert a == 1\n", b"def test_a():\n    assert a == 1\n" * 160_000
    start = time.process_time()
    found = inspect([FileVersions(path, small, large)])
    assert time.process_time() - start < SECONDS
    assert [(finding.rule, finding.level) for finding in found] == [("not-inspected", "high")]


def test_bulk_of_new_files_cannot_push_an_old_test_out() -> None:
    bulk = [FileVersions(f"tests/test_{n:03}.py", None, b"# nothing\n" * 70_000) for n in range(20)]
    gone = FileVersions("tests/test_zzz.py", b"def test_a():\n    assert a == 1\n", None)
    assert levels(*bulk, gone)["test-file-deleted"] == "high"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "-" * 50_000 + "1",
        "a" + ".b" * 50_000,
        "1" + "+1" * 50_000,
        "x = [" * 20_000,
        "\0",
        "if 1:\n" * 200,
    ],
)
def test_python_that_is_too_deep_is_read_as_text(text: str) -> None:
    old = "def test_a():\n    assert a == 1\n"
    assert levels(FileVersions("test_a.py", old.encode(), (old.replace("assert a == 1", "pass") + text).encode()))
