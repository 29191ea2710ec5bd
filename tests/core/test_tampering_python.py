"""Weakened tests in Python: each rule found where it holds, and silent where a change only looks like it."""

from __future__ import annotations

import pytest
from tampering_play import change, levels, rules

TEST = """
import pytest

def test_sum():
    total = add(2, 3)
    assert total == 5
    assert total > 0

def test_other():
    assert other() == 1
"""


def edited(old: str, new: str, text: str = TEST) -> str:
    assert old in text
    return text.replace(old, new, 1)


WEAKER = {
    "test gone": (
        edited("def test_sum():\n    total = add(2, 3)\n    assert total == 5\n    assert total > 0\n", ""),
        "test-removed",
    ),
    "not collected": (edited("def test_sum", "def check_sum"), "test-removed"),
    "deleted by name": (TEST + "\ndel test_sum\n", "test-removed"),
    "replaced by name": (TEST + "\ntest_sum = None\n", "test-removed"),
    "shadowed by a later one": (TEST + "\ndef test_sum():\n    pass\n", "test-emptied"),
    "skip": (edited("def test_sum", "@pytest.mark.skip(reason='x')\ndef test_sum"), "test-skipped"),
    "skipif": (
        edited("def test_sum", "@pytest.mark.skipif(sys.platform == 'x', reason='x')\ndef test_sum"),
        "test-skipped",
    ),
    "xfail": (edited("def test_sum", "@pytest.mark.xfail\ndef test_sum"), "test-skipped"),
    "skip in body": (edited("    total = add", "    pytest.skip('x')\n    total = add"), "test-skipped"),
    "SkipTest": (edited("    total = add", "    raise unittest.SkipTest('x')\n    total = add"), "test-skipped"),
    "definition below if False": (
        edited("def test_other():\n    assert", "if False:\n  def test_other():\n    assert"),
        "test-skipped",
    ),
    "definition below a condition": (
        edited("def test_other():\n    assert", "if sys.platform == 'x':\n  def test_other():\n    assert"),
        "test-skipped",
    ),
    "pytestmark": (edited("import pytest\n", "import pytest\npytestmark = pytest.mark.skip\n"), "module-skipped"),
    "module skip call": (
        edited("import pytest\n", "import pytest\npytest.skip('x', allow_module_level=True)\n"),
        "module-skipped",
    ),
    "pass": (
        edited("    total = add(2, 3)\n    assert total == 5\n    assert total > 0\n", "    pass\n"),
        "test-emptied",
    ),
    "assert True only": (edited("    assert other() == 1", "    assert True"), "test-emptied"),
    "early return": (edited("    assert total == 5", "    return\n    assert total == 5"), "early-return"),
    "return below if True": (
        edited("    assert total == 5", "    if True:\n        return\n    assert total == 5"),
        "early-return",
    ),
    "exit": (edited("    assert total == 5", "    sys.exit(0)\n    assert total == 5"), "early-return"),
    "try": (
        edited("    assert other() == 1", "    try:\n        assert other() == 1\n    except Exception:\n        pass"),
        "assertion-swallowed",
    ),
    "suppress": (
        edited("    assert other() == 1", "    with suppress(AssertionError):\n        assert other() == 1"),
        "assertion-swallowed",
    ),
    "or True": (edited("assert total == 5", "assert total == 5 or True"), "vacuous-assertion"),
    "if False": (edited("    assert total == 5", "    if False:\n        assert total == 5"), "vacuous-assertion"),
    "assert tuple": (edited("assert total == 5", "assert (total == 5, 'x')"), "vacuous-assertion"),
    "compared with itself": (edited("assert total == 5", "assert total == total"), "vacuous-assertion"),
    "last one gone": (edited("    assert other() == 1", "    other()"), "last-assertion-removed"),
    "truthy": (edited("assert total == 5", "assert total"), "assertion-weakened"),
    "is not None": (edited("assert total == 5", "assert total is not None"), "assertion-weakened"),
    "one gone": (edited("    assert total > 0\n", ""), "assertions-reduced"),
    "operator": (edited("assert total == 5", "assert total <= 5"), "assertion-touched"),
    "value": (edited("assert total == 5", "assert total == 6"), "expected-value-edited"),
    "way out": (
        edited("    assert total == 5", "    if total:\n        return\n    assert total == 5"),
        "conditional-return",
    ),
    "noqa": (edited("import pytest", "import pytest  # noqa: F401"), "suppression-added"),
}


@pytest.mark.parametrize("name", WEAKER)
def test_what_weakens_is_found(name: str) -> None:
    new, rule = WEAKER[name]
    assert rule in rules("tests/test_sum.py", TEST, new)


HARMLESS = {
    "another test": TEST + "\ndef test_new():\n    assert new() == 1\n",
    "another check": edited("    assert total > 0\n", "    assert total > 0\n    assert total < 9\n"),
    "stronger": edited("assert total > 0", "assert total > 0 and total != 7"),
    "comment": edited("    assert total == 5", "    # five\n    assert total == 5"),
    "renamed": edited("def test_sum", "def test_sum_of_two"),
    "return at the end": edited("    assert total > 0\n", "    assert total > 0\n    return\n"),
    "return in a helper inside": edited(
        "    total = add(2, 3)", "    def two():\n        return 2\n        print()\n    total = add(two(), 3)"
    ),
    "handler that fails": edited(
        "    assert other() == 1",
        "    try:\n        assert other() == 1\n    except ValueError:\n        pytest.fail('x')",
    ),
    "text about skipping": TEST + "\nTEXT = '''\n@pytest.mark.skip\ndef test_sum(): pass\n'''\n",
    "moved below": "import pytest\n"
    + TEST.partition("def test_other")[1]
    + TEST.partition("def test_other")[2]
    + "\n"
    + TEST[TEST.index("def test_sum") : TEST.index("def test_other")],
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_does_not_weaken_is_never_high(name: str) -> None:
    assert "high" not in levels(change("tests/test_sum.py", TEST, HARMLESS[name])).values()


UNITTEST = """
import unittest

class SumTest(unittest.TestCase):
    def test_sum(self):
        with self.assertRaises(ValueError):
            add(None)
        self.assertEqual(add(2, 3), 5)
"""


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("class SumTest", "@unittest.skip('x')\nclass SumTest", "test-skipped"),
        ("        with", "        self.skipTest('x')\n        with", "test-skipped"),
        ("self.assertEqual(add(2, 3), 5)", "self.assertTrue(add(2, 3))", "assertion-weakened"),
        ("self.assertEqual(add(2, 3), 5)", "self.assertTrue(True)", "vacuous-assertion"),
        ("assertRaises(ValueError)", "assertRaises(Exception)", "assertion-weakened"),
        ("(unittest.TestCase)", "", "test-removed"),
        (
            "class SumTest(unittest.TestCase):",
            "class SumTest(unittest.TestCase):\n    __test__ = False",
            "test-removed",
        ),
    ],
)
def test_unittest_classes_are_read_like_functions(old: str, new: str, rule: str) -> None:
    assert rule in rules("tests/test_sum.py", UNITTEST, edited(old, new, UNITTEST))


ROWS = """
@pytest.mark.parametrize(("a", "b"), [
    (1, 2),
    (3, 4),
    pytest.param(5, 6),
])
def test_rows(a, b):
    assert f(a) == b
"""


@pytest.mark.parametrize("new", ["", "    pytest.param(3, 4, marks=pytest.mark.skip),\n"])
def test_a_parameter_set_that_no_longer_runs_is_told(new: str) -> None:
    assert levels(change("test_rows.py", ROWS, edited("    (3, 4),\n", new, ROWS))) == {"cases-reduced": "medium"}


def test_a_new_test_that_is_skipped_is_no_existing_one() -> None:
    new = TEST + "\n@pytest.mark.skip\ndef test_later():\n    assert False\n"
    assert levels(change("test_sum.py", TEST, new)) == {"new-test-skipped": "medium"}


def test_removing_a_test_that_was_skipped_takes_no_check_away() -> None:
    skipped = edited("def test_other", "@pytest.mark.skip\ndef test_other")
    gone = TEST[: TEST.index("def test_other")]
    assert levels(change("test_sum.py", skipped, gone)) == {"test-removed": "medium"}


def test_a_changed_condition_of_a_skip_is_no_new_skip() -> None:
    old = edited("def test_other", "@pytest.mark.skipif(A, reason='a')\ndef test_other")
    assert levels(change("test_sum.py", old, old.replace("skipif(A", "skipif(B"))) == {}
    assert levels(change("test_sum.py", old, old.replace("skipif(A", "skipif(True"))) == {"test-skipped": "high"}


def test_broken_syntax_hides_nothing() -> None:
    broken = "def broken(:\n\n" + edited("    assert other() == 1", "    other()")
    assert "last-assertion-removed" in rules("test_sum.py", TEST, broken)
    assert "test-removed" in rules("test_sum.py", TEST, "def broken(:\n")


def test_checks_that_went_to_a_helper_of_the_file_are_only_fewer() -> None:
    new = edited("    assert other() == 1", "    same(other(), 1)") + "\ndef same(a, b):\n    assert a == b\n"
    assert levels(change("test_sum.py", TEST, new)) == {"assertions-reduced": "medium"}
    hollow = edited("    assert other() == 1", "    same(other(), 1)") + "\ndef same(a, b):\n    return True\n"
    assert levels(change("test_sum.py", TEST, hollow))["last-assertion-removed"] == "high"
