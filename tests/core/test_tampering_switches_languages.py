"""Ways to switch tests off from outside a test in JavaScript, Go, Ruby, Java: found, and silent beside it."""

from __future__ import annotations

import pytest
from tampering_play import change, levels

JAVASCRIPT = """
import { add } from './cart';

describe('cart', () => {
  test('adds', () => {
    expect(add(1, 2)).toBe(3);
  });
});
"""
GO = """
package cart

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}
"""
RUBY = """
class CartTest < Minitest::Test
  def test_add
    assert_equal 3, add(1, 2)
  end
end
"""
RSPEC = """
RSpec.describe Cart do
  it "adds" do
    expect(add(1, 2)).to eq(3)
  end
end
"""
JAVA = """
class CartTest {
    @Test
    void adds() {
        assertEquals(3, cart.add(1, 2));
    }
}
"""
FILES = {
    "cart.test.js": JAVASCRIPT,
    "cart_test.go": GO,
    "test/cart_test.rb": RUBY,
    "spec/cart_spec.rb": RSPEC,
    "src/test/CartTest.java": JAVA,
}


def added(path: str, place: str, text: str) -> dict[str, str]:
    """The gravest level by rule when `text` is written in front of the first `place` ("" is the end)."""
    old = FILES[path]
    assert place in old
    return levels(change(path, old, old.replace(place, text + place, 1) if place else old + text))


SWITCHES = [
    ("cart.test.js", "", "process.exit(0);\n", "run-ends", "high"),
    ("cart.test.js", "", "process.on('exit', () => { process.exitCode = 0; });\n", "run-ends", "high"),
    ("cart.test.js", "", "globalThis.expect = () => ({ toBe() {} });\n", "runner-patched", "high"),
    ("cart.test.js", "", "global['expect'] = quiet;\n", "runner-patched", "high"),
    ("cart.test.js", "describe", "const expect = (value) => ({ toBe() {} });\n", "runner-patched", "high"),
    ("cart.test.js", "describe", "function test(name, body) {}\n", "runner-patched", "high"),
    ("cart.test.js", "describe", "expect.extend({ toBe() { return { pass: true }; } });\n", "runner-patched", "high"),
    ("cart.test.js", "  test(", "  beforeEach(function () {\n    this.skip();\n  });\n", "setup-skips", "high"),
    (
        "cart.test.js",
        "  test(",
        "  beforeAll((ctx) => {\n    if (late) ctx.skip();\n  });\n",
        "setup-may-skip",
        "medium",
    ),
    (
        "cart.test.js",
        "  test(",
        "  before(function () {\n    if (l) { this.skip(); }\n  });\n",
        "setup-may-skip",
        "medium",
    ),
    ("cart_test.go", "", "\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n", "run-ends", "high"),
    ("cart_test.go", "", "\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n", "run-ends", "high"),
    ("cart_test.go", "", "\nfunc TestMain(m *testing.M) {\n}\n", "run-ends", "high"),
    ("cart_test.go", "", "\nfunc init() {\n\tos.Exit(0)\n}\n", "run-ends", "high"),
    ("cart_test.go", "", "\nfunc (s *Suite) SetupTest() {\n\ts.T().Skip()\n}\n", "setup-skips", "high"),
    ("test/cart_test.rb", "  def", "  def setup\n    skip\n  end\n\n", "setup-skips", "high"),
    ("test/cart_test.rb", "  def", "  def setup\n    skip if late\n  end\n\n", "setup-may-skip", "medium"),
    ("test/cart_test.rb", "", "\nCartTest.send(:remove_method, :test_add)\n", "test-replaced", "high"),
    ("test/cart_test.rb", "", "\nCartTest.define_method(:test_add) { }\n", "test-replaced", "high"),
    ("test/cart_test.rb", "", "\nmodule Minitest::Assertions\n  def assert(*) = true\nend\n", "runner-patched", "high"),
    ("test/cart_test.rb", "", "\nexit 0\n", "run-ends", "high"),
    ("test/cart_test.rb", "", "\nat_exit { exit! }\n", "run-ends", "high"),
    ("test/cart_test.rb", "", "\nclass CartTest\n  def test_add\n  end\nend\n", "test-emptied", "high"),
    ("spec/cart_spec.rb", "  it", "  before { skip }\n", "setup-skips", "high"),
    ("spec/cart_spec.rb", "  it", "  before(:each) do\n    skip 'later'\n  end\n", "setup-skips", "high"),
    (
        "spec/cart_spec.rb",
        "",
        "\nRSpec.configure { |c| c.filter_run_excluding slow: true }\n",
        "collection-hook",
        "high",
    ),
    (
        "src/test/CartTest.java",
        "    @Test",
        "    @BeforeEach\n    void s() { assumeTrue(false); }\n",
        "setup-skips",
        "high",
    ),
    (
        "src/test/CartTest.java",
        "    @Test",
        "    @BeforeEach\n    void s() { assumeTrue(l); }\n",
        "setup-may-skip",
        "medium",
    ),
    ("src/test/CartTest.java", "", "class Q implements ExecutionCondition {}\n", "collection-hook", "high"),
    ("src/test/CartTest.java", "    @Test", "    static { System.exit(0); }\n", "run-ends", "high"),
]


@pytest.mark.parametrize(
    ("path", "place", "text", "rule", "level"), SWITCHES, ids=[f"{s[0]}: {s[2]}" for s in SWITCHES]
)
def test_a_switch_beside_the_tests_is_found(path: str, place: str, text: str, rule: str, level: str) -> None:
    assert added(path, place, text).get(rule) == level


@pytest.mark.parametrize("path", FILES)
def test_other_arguments_with_the_same_expected_value_are_told(path: str) -> None:
    old = FILES[path]
    found = levels(change(path, old, old.replace("dd(1, 2)", "dd(3, 0)")))
    assert found == {"arguments-edited": "medium"}


@pytest.mark.parametrize("path", FILES)
def test_another_expected_value_is_no_other_argument(path: str) -> None:
    old = FILES[path]
    new = old.replace("toBe(3)", "toBe(4)").replace("!= 3", "!= 4").replace("eq(3)", "eq(4)").replace(" 3, ", " 4, ")
    new = new.replace("(3, ", "(4, ")
    assert levels(change(path, old, new)) == {"expected-value-edited": "info"}


def test_a_mock_of_the_changed_module_in_an_existing_file_of_tests_is_told() -> None:
    product = change("cart.js", "export const add = (a, b) => a + b;\n", "export const add = (a, b) => a - b;\n")
    mocked = change("cart.test.js", JAVASCRIPT, "jest.mock('./cart', () => ({ add: () => 3 }));\n" + JAVASCRIPT)
    assert levels(product, mocked) == {"product-patched": "medium"}
    other = change("cart.test.js", JAVASCRIPT, "jest.mock('./mail');\n" + JAVASCRIPT)
    assert levels(product, other) == {}


def test_a_tested_name_from_a_new_module_is_told() -> None:
    moved = change("cart.test.js", JAVASCRIPT, JAVASCRIPT.replace("'./cart'", "'./cart2'"))
    assert levels(moved, change("cart2.js", None, "export const add = 1;\n")) == {"import-redirected": "medium"}
    renamed = (change("cart.js", "export const add = 1;\n", None), change("cart2.js", None, "export const add = 1;\n"))
    assert levels(moved, *renamed) == {}


PRODUCT = [
    ("src/a.js", "process.exit(0);\n", "run-ends", "high"),
    ("src/a.js", "globalThis.expect = quiet;\n", "runner-patched", "high"),
    ("src/a.js", "const a = { asymmetricMatch() { return true; } };\n", "always-equal", "high"),
    ("src/a.js", "if (typeof jest !== 'undefined') a = 1;\n", "test-detection", "high"),
    ("src/a.js", "if (process.env.CI) a = 1;\n", "surroundings-asked", "medium"),
    ("a.go", "func init() {\n\tos.Exit(0)\n}\n", "run-ends", "high"),
    ("a.go", 'var a = strings.Contains(os.Args[0], "/_test/")\n', "test-detection", "high"),
    ("a.go", 'var a = os.Getenv("CI")\n', "surroundings-asked", "medium"),
    ("lib/a.rb", "a = 1 if defined?(RSpec)\n", "test-detection", "high"),
    ("lib/a.rb", "class A\n  def ==(other)\n    true\n  end\nend\n", "always-equal", "high"),
    ("lib/a.rb", "a = 1 if ENV['CI']\n", "surroundings-asked", "medium"),
    ("src/main/A.java", "class A { public boolean equals(Object o) { return true; } }\n", "always-equal", "high"),
    ("src/main/A.kt", "class A { override fun equals(other: Any?): Boolean = true }\n", "always-equal", "high"),
    ("A.cs", "class A { public override bool Equals(object o) => true; }\n", "always-equal", "high"),
    ("src/main/A.java", 'class A { boolean t = System.getenv("CI") != null; }\n', "surroundings-asked", "medium"),
    ("src/main/A.java", "class A { void a() { Runtime.getRuntime().halt(0); } }\n", "run-ends", "high"),
    ("src/a.rs", "fn a() -> bool { cfg!(test) }\n", "test-detection", "high"),
]


@pytest.mark.parametrize(("path", "text", "rule", "level"), PRODUCT, ids=[f"{one[0]}: {one[1]}" for one in PRODUCT])
def test_product_code_that_reaches_for_the_run_is_found(path: str, text: str, rule: str, level: str) -> None:
    assert levels(change(path, "\n", text)).get(rule) == level


HARMLESS = [
    ("cart.test.js", "describe", "const test = require('ava');\n"),
    ("cart.test.js", "describe", "const expect = chai.expect;\n"),
    ("cart.test.js", "describe", "expect.extend({ toBeSold(cart) { return { pass: cart.sold }; } });\n"),
    ("cart.test.js", "  test(", "  beforeEach(() => {\n    cart = new Cart();\n  });\n"),
    ("cart_test.go", "", "\nfunc TestMain(m *testing.M) {\n\tsetup()\n\tos.Exit(m.Run())\n}\n"),
    ("cart_test.go", "", "\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tclose()\n\tos.Exit(code)\n}\n"),
    ("test/cart_test.rb", "  def", "  def setup\n    @cart = Cart.new\n  end\n\n"),
    ("spec/cart_spec.rb", "", "\nRSpec.configure { |c| c.filter_run focus: true }\n"),
    ("spec/cart_spec.rb", "  it", "  before { @cart = Cart.new }\n"),
    ("src/test/CartTest.java", "    @Test", "    @BeforeEach\n    void s() { cart = new Cart(); }\n"),
]


@pytest.mark.parametrize(("path", "place", "text"), HARMLESS, ids=[f"{one[0]}: {one[2]}" for one in HARMLESS])
def test_what_only_looks_like_it_is_silent(path: str, place: str, text: str) -> None:
    assert added(path, place, text) == {}
