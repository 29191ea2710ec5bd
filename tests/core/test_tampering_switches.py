"""Ways to switch Python tests off from outside a test: each found, and silent where a change only looks like it."""

from __future__ import annotations

import pytest
from tampering_play import change, levels

from console.core.tampering import FileVersions, inspect

TESTS = """
import unittest

from shop import add, double


class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_double(self):
        self.assertEqual(double(4), 8)
"""
SHOP = "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return a * 2\n"
BROKEN = SHOP.replace("a + b", "a - b")


def with_tests(new: str | None, *more: FileVersions, path: str = "test_shop.py") -> dict[str, str]:
    """The gravest level by rule when the product code is broken and the file of tests is changed to `new`."""
    return levels(change(path, TESTS, new), change("shop.py", SHOP, BROKEN), *more)


def in_class(method: str) -> str:
    return TESTS.replace("    def test_add", method + "\n    def test_add")


APPENDED = {
    "a suite of its own": (
        "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()",
        "tests-chosen",
    ),
    "the given suite, emptied": (
        "def load_tests(loader, tests, pattern):\n    tests._tests.clear()\n    return tests",
        "tests-chosen",
    ),
    "the given suite, emptied inside": (
        "def load_tests(loader, tests, pattern):\n    for one in tests:\n        one._tests = []\n    return tests",
        "tests-chosen",
    ),
    "load_tests assigned": ("load_tests = lambda *_: unittest.TestSuite()", "tests-chosen"),
    "setUpModule": ("def setUpModule():\n    raise unittest.SkipTest('later')", "setup-skips"),
    "setUpModule that always skips": (
        "def setUpModule():\n    if True:\n        raise unittest.SkipTest",
        "setup-skips",
    ),
    "fixture of all": (
        "import pytest\n\n@pytest.fixture(autouse=True)\ndef later():\n    pytest.skip('later')",
        "setup-skips",
    ),
    "test deleted": ("del Sums.test_add", "test-replaced"),
    "test replaced": ("Sums.test_add = None", "test-replaced"),
    "test replaced by name": ("setattr(Sums, 'test_add', None)", "test-replaced"),
    "tests deleted in a loop": ("for name in list(vars(Sums)):\n    delattr(Sums, name)", "test-replaced"),
    "what runs them replaced": ("Sums.run = lambda self, result=None: result", "test-replaced"),
    "class told not to run": ("Sums.__test__ = False", "test-replaced"),
    "class marked as skipped": ("Sums.__unittest_skip__ = True", "test-replaced"),
    "class deleted": ("del Sums", "test-removed"),
    "class set to None": ("Sums = None", "test-removed"),
    "class with a type set to None": ("Sums: object = None", "test-removed"),
    "class imported over": ("from other import Sums", "test-removed"),
    "class of the same name": (
        "class Sums(unittest.TestCase):\n    def test_more(self):\n        self.assertEqual(1 + 1, 2)",
        "test-removed",
    ),
    "class of the same name without tests": ("class Sums:\n    pass", "test-removed"),
    "function of the same name": ("def Sums():\n    pass", "test-removed"),
    "the runner's assertion replaced": ("unittest.TestCase.assertEqual = lambda *_: None", "runner-patched"),
    "the runner's main replaced": ("unittest.main = print", "runner-patched"),
    "product code replaced": ("import shop\nshop.add = lambda a, b: a + b", "code-replaced"),
    "code of a function replaced": ("add.__code__ = double.__code__", "code-replaced"),
    "another module's test by a short name": ("import test_other as t\nt.Some.test_x = None", "test-replaced"),
    "another module's test by a call": ("__import__('test_other').Some.test_x = None", "test-replaced"),
    "product code by a call": ("setattr(__import__('shop'), 'add', print)", "code-replaced"),
    "product code by the table of modules": ("import sys\nsys.modules['shop'].add = print", "code-replaced"),
    "a test by a local name": ("those = Sums\nthose.test_add = None", "test-replaced"),
    "a test by the type's own setter": ("type.__setattr__(Sums, 'test_add', None)", "test-replaced"),
    "a test, behind another statement": ("x = 1; Sums.test_add = None", "test-replaced"),
    "a test, in brackets": ("(Sums) . test_add = None", "test-replaced"),
    "a test, in a tuple": ("x, Sums.test_add = 1, None", "test-replaced"),
    "the process ends": ("import os\nos._exit(0)", "run-ends"),
    "the process ends at exit": (
        "import atexit, os\n\ndef quiet():\n    os._exit(0)\n\natexit.register(quiet)",
        "run-ends",
    ),
}


@pytest.mark.parametrize("name", APPENDED)
def test_a_statement_at_the_end_of_a_test_file_is_found(name: str) -> None:
    text, rule = APPENDED[name]
    assert with_tests(f"{TESTS}\n\n{text}\n").get(rule) == "high"


METHODS = {
    "setUp": ("    def setUp(self):\n        self.skipTest('later')\n", "setup-skips", "high"),
    "setUpClass": (
        "    @classmethod\n    def setUpClass(cls):\n        raise unittest.SkipTest\n",
        "setup-skips",
        "high",
    ),
    "setUp with a condition": (
        "    def setUp(self):\n        if late:\n            self.skipTest('later')\n",
        "setup-may-skip",
        "medium",
    ),
    "run": ("    def run(self, result=None):\n        return result\n", "runner-patched", "high"),
    "an assertion": ("    def assertEqual(self, one, two):\n        pass\n", "runner-patched", "medium"),
    "a patch in setUp": (
        "    def setUp(self):\n        import shop\n        shop.add = lambda a, b: 3\n",
        "product-patched",
        "medium",
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_beside_the_tests_is_found(name: str) -> None:
    text, rule, level = METHODS[name]
    assert with_tests(in_class(text)).get(rule) == level


def test_other_arguments_with_the_same_expected_value_are_told() -> None:
    assert with_tests(TESTS.replace("add(1, 2), 3", "add(3, 0), 3"))["arguments-edited"] == "medium"
    assert with_tests(TESTS.replace("add(1, 2), 3", "add(1, 2), 4")) == {"expected-value-edited": "info"}
    assert with_tests(TESTS.replace("add(1, 2), 3", "add(2, 2), 4")) == {"expected-value-edited": "info"}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("assert add(1, 2) == 3", "assert add(3, 0) == 3", True),
        ("assert 3 == add(1, 2)", "assert 3 == add(3, 0)", True),
        ("assert add(1, 2) == Decimal('3')", "assert add(1, 2) == Decimal('4')", False),
        ("assert add(1, 2) == approx(3)", "assert add(1, 2) == approx(4)", False),
        ("self.assertEqual(shop.add(a, 'x'), [3, 4])", "self.assertEqual(shop.add(a, 'y'), [3, 4])", True),
    ],
)
def test_arguments_are_told_from_expected_values(old: str, new: str, told: bool) -> None:
    found = levels(change("test_a.py", f"def test_a():\n    {old}\n", f"def test_a():\n    {new}\n"))
    assert ("arguments-edited" in found) is told


def test_a_name_that_checks_use_and_that_comes_from_a_new_module_is_told() -> None:
    new = TESTS.replace("from shop import add, double", "from shop import double\nfrom shop_fix import add")
    fix = change("shop_fix.py", None, SHOP)
    assert with_tests(new, fix)["import-redirected"] == "medium"


def test_a_name_whose_module_went_comes_from_another_one_without_a_word() -> None:
    new = TESTS.replace("from shop import", "from store import")
    assert levels(change("test_a.py", TESTS, new), change("shop.py", SHOP, None), change("store.py", None, SHOP)) == {}


def test_a_new_file_of_tests_that_reaches_into_another_is_found() -> None:
    new = "import unittest, test_shop\n\ntest_shop.Sums.test_add = lambda self: None\n"
    assert levels(change("test_aaa.py", None, new)) == {"test-replaced": "high"}


def test_a_new_module_that_replaces_product_code_at_import_is_found() -> None:
    assert levels(change("helpers.py", None, "import shop\n\nshop.add = lambda a, b: 3\n")) == {"code-replaced": "high"}


@pytest.mark.parametrize(
    "text",
    [
        "@unittest.mock.patch('shop.add')\n    def test_add",
        "@unittest.mock.patch.object(shop, 'add')\n    def test_add",
    ],
)
def test_an_existing_test_that_now_replaces_changed_product_code_is_told(text: str) -> None:
    new = "import shop\n" + TESTS.replace("def test_add", text)
    assert with_tests(new).get("product-patched") == "medium"


def test_a_new_test_may_replace_product_code() -> None:
    new = TESTS + "\n    @unittest.mock.patch('shop.add')\n    def test_new(self, add):\n        self.assertTrue(add)\n"
    assert with_tests(new) == {}


PRODUCT = {
    "equal to everything": (
        "class N(int):\n    def __eq__(self, other):\n        return True\n",
        "always-equal",
        "high",
    ),
    "equal by a lambda": ("class N(int):\n    __eq__ = lambda self, other: True\n", "always-equal", "high"),
    "exit at import": ("import sys\nsys.exit(0)\n", "run-ends", "high"),
    "SystemExit at import": ("raise SystemExit\n", "run-ends", "high"),
    "exit at exit": ("import atexit, os\natexit.register(lambda: os._exit(0))\n", "run-ends", "high"),
    "hard exit in a function": ("import os\ndef leave():\n    os._exit(0)\n", "run-ends", "medium"),
    "runner replaced later": (
        "import unittest\ndef go():\n    unittest.TestCase.run = None\n",
        "runner-patched",
        "high",
    ),
    "loaded modules": ("import sys\nif 'unittest' in sys.modules:\n    add = 1\n", "test-detection", "high"),
    "arguments": ("import sys\nif 'test' in sys.argv:\n    add = 1\n", "test-detection", "high"),
    "caller's file": (
        "import sys\ndef add(a, b):\n    code = sys._getframe(1).f_code\n"
        "    return 3 if 'test' in code.co_filename else 0\n",
        "test-detection",
        "high",
    ),
    "caller": ("import inspect\ndef add(a, b):\n    return inspect.stack()[1]\n", "surroundings-asked", "medium"),
    "CI": ("import os\nif os.environ.get('CI'):\n    add = 1\n", "surroundings-asked", "medium"),
    "CI by getenv": ("import os\nif os.getenv('GITHUB_ACTIONS'):\n    add = 1\n", "surroundings-asked", "medium"),
}


@pytest.mark.parametrize("name", PRODUCT)
def test_product_code_that_reaches_for_the_run_is_found(name: str) -> None:
    text, rule, level = PRODUCT[name]
    assert levels(change("shop.py", SHOP, SHOP + text)).get(rule) == level


HARMLESS = {
    "docstrings beside the tests": (
        "test_shop.py",
        TESTS,
        TESTS + "\ndef load_tests(loader, tests, pattern):\n    tests.addTests(doctests())\n    return tests\n",
    ),
    "a setUp that sets up": ("test_shop.py", TESTS, in_class("    def setUp(self):\n        self.basket = Basket()\n")),
    "a decorated class": ("test_shop.py", TESTS, TESTS + "\nSums = registered(Sums)\n"),
    "a class of another name": (
        "test_shop.py",
        TESTS,
        TESTS + "\nclass More(unittest.TestCase):\n    def test_more(self):\n        self.assertEqual(1 + 1, 2)\n",
    ),
    "an attribute of the test": (
        "test_shop.py",
        TESTS,
        TESTS.replace("        self.assertEqual(add", "        self.test_value = 1\n        self.assertEqual(add"),
    ),
    "a script's start": ("shop.py", SHOP, SHOP + "import sys\nif __name__ == '__main__':\n    sys.exit(0)\n"),
    "an exit with failure": (
        "shop.py",
        SHOP,
        SHOP + "import sys\nif sys.version_info < (3, 11):\n    sys.exit('old')\n",
    ),
    "a start file": ("src/shop/__main__.py", None, "import sys\nfrom shop import main\nsys.exit(main())\n"),
    "an exit in a function": ("shop.py", SHOP, SHOP + "import sys\ndef leave():\n    sys.exit(0)\n"),
    "an honest __eq__": (
        "shop.py",
        SHOP,
        SHOP + "class N:\n    def __eq__(self, other):\n        return self.n == other.n\n",
    ),
    "where a class says it is from": (
        "shop.py",
        SHOP,
        SHOP + "from basket import Empty\nEmpty.__module__ = __name__\n",
    ),
    "a setting": ("shop.py", SHOP, SHOP + "import logging\nlogging.raiseExceptions = False\n"),
    "its own name": ("shop.py", SHOP, SHOP + "add.cost = 1\n"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_like_it_is_silent(name: str) -> None:
    assert levels(change(*HARMLESS[name])) == {}


def test_what_was_there_before_is_silent_and_other_words_weigh_less() -> None:
    old = TESTS + "\ndef load_tests(loader, tests, pattern):\n    return chosen(tests)\n"
    assert levels(change("test_a.py", old, old + "\n# more\n")) == {}
    assert levels(change("test_a.py", old, old.replace("chosen(tests)", "other(tests)"))) == {"tests-chosen": "medium"}


def test_broken_syntax_does_not_hide_a_switch() -> None:
    new = TESTS + "\nx = 1if 1else 0\ndef load_tests(loader, tests, pattern):\n    return None\ndel Sums.test_add\n"
    found = with_tests(new)
    assert (found["tests-chosen"], found["test-replaced"]) == ("high", "high")


def test_unittest_tests_that_moved_to_a_folder_which_is_no_package_are_told() -> None:
    gone, came = change("test_shop.py", TESTS, None), change("tests/test_shop.py", None, TESTS)
    assert levels(gone, came) == {"test-moved": "medium"}
    assert levels(gone, came, change("tests/__init__.py", None, "")) == {}
    asked = TESTS.replace("import unittest\n", "import unittest\nimport pytest\n")
    assert levels(change("test_shop.py", asked, None), change("tests/test_shop.py", None, asked)) == {}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("test_shop.py", "build/test_shop.py", TESTS),
        ("tests/test_shop.py", "tests/.old/test_shop.py", TESTS),
        (
            "cart_test.go",
            "testdata/cart_test.go",
            'func TestCart(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Error("x")\n\t}\n}\n',
        ),
        (
            "cart/cart_test.go",
            "_cart/cart_test.go",
            'func TestCart(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Error("x")\n\t}\n}\n',
        ),
        ("a.test.js", "node_modules/a.test.js", "test('a', () => {\n  expect(f(1)).toBe(2);\n});\n"),
    ],
)
def test_tests_that_moved_to_where_no_runner_looks_are_found(old: str, new: str, text: str) -> None:
    assert levels(change(old, text, None), change(new, None, text)) == {"test-moved-aside": "high"}


def test_a_package_or_binary_in_front_of_a_module_is_found() -> None:
    shop = change("shop.py", SHOP, BROKEN)
    assert levels(shop, change("shop/__init__.py", None, SHOP)) == {"module-shadowed": "high"}
    assert levels(shop, change("shop.cpython-311-x86_64-linux-gnu.so", None, "\0")) == {"module-shadowed": "high"}
    assert levels(change("shop.py", SHOP, None), change("shop/__init__.py", None, SHOP)) == {}


@pytest.mark.parametrize("path", ["usercustomize.py", "sitecustomize.py", "shop.pth", "src/shop.pth"])
def test_files_that_every_python_reads_first_are_found(path: str) -> None:
    assert levels(change(path, None, "import os\n"))["runner-shadowed"] == "high"


def test_the_finding_names_the_statement_and_its_line() -> None:
    finding = inspect([change("test_shop.py", TESTS, TESTS + "\ndel Sums.test_add\n")])[0]
    assert (finding.line, finding.path) == (14, "test_shop.py")
    assert finding.text == "a statement now replaces or deletes a test or what runs it: Sums.test_add"
