"""Weakened tests in JavaScript, Go, Rust, Java, Kotlin, C# and Ruby: one table a language, both ways."""

from __future__ import annotations

import pytest
from tampering_play import change, levels, rules

JAVASCRIPT = """
describe('sum', () => {
  it('adds', async () => {
    const total = add(2, 3)
    expect(total).toBe(5)
    expect(total).toBeGreaterThan(0)
  })

  it('fails', () => {
    expect(() => add(null)).toThrow('no number')
  })
})
"""
GO = """
package sum

func TestAdds(t *testing.T) {
	total := Add(2, 3)
	if total != 5 {
		t.Errorf("got %d", total)
	}
	assert.Equal(t, 5, total)
}

func TestOther(t *testing.T) {
	require.Equal(t, 1, Other())
}
"""
RUST = """
pub fn add(a: u8, b: u8) -> u8 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        let total = add(2, 3);
        assert_eq!(total, 5);
        assert!(total > 0);
    }
}
"""
JAVA = """
class SumTest {
    @Test
    void adds() {
        int total = sum.add(2, 3);
        assertEquals(5, total);
        assertThat(total).isGreaterThan(0);
    }
}
"""
KOTLIN = """
class SumTest {
    @Test
    fun `adds two`() {
        val total = add(2, 3)
        assertEquals(5, total)
    }
}
"""
CSHARP = """
public class SumTests
{
    [Fact]
    public void Adds()
    {
        var total = Sum.Add(2, 3);
        Assert.Equal(5, total);
        Assert.True(total > 0);
    }
}
"""
RUBY = """
RSpec.describe Sum do
  it "adds" do
    total = Sum.add(2, 3)
    expect(total).to eq 5
    expect(total).to be > 0
  end
end
"""
MINITEST = """
class SumTest < Minitest::Test
  def test_adds
    total = Sum.add(2, 3)
    assert_equal 5, total
  end
end
"""

WEAKER = [
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "it.skip('adds'", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "xit('adds'", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "it.todo('adds'", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "it.skipIf(ci)('adds'", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "it('adds', ", "it('adds', { skip: true }, ", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "describe(", "describe.skip(", "test-skipped"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "it.only('adds'", "focus-added"),
    ("sum.test.ts", JAVASCRIPT, "describe(", "fdescribe(", "focus-added"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "later('adds'", "test-removed"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    return;\n    const total", "early-return"),
    ("sum.test.ts", JAVASCRIPT, "    expect(() => add(null)).toThrow('no number')\n", "", "test-emptied"),
    (
        "sum.test.ts",
        JAVASCRIPT,
        "    expect(() => add(null)).toThrow('no number')\n",
        "    add(1)\n",
        "last-assertion-removed",
    ),
    (
        "sum.test.ts",
        JAVASCRIPT,
        "expect(total).toBe(5)",
        "try { expect(total).toBe(5) } catch {}",
        "assertion-swallowed",
    ),
    ("sum.test.ts", JAVASCRIPT, "expect(total).toBe(5)", "expect(true).toBe(true)", "vacuous-assertion"),
    ("sum.test.ts", JAVASCRIPT, "expect(total).toBe(5)", "if (false) { expect(total).toBe(5) }", "vacuous-assertion"),
    ("sum.test.ts", JAVASCRIPT, "expect(total).toBe(5)", "expect(total).toBeTruthy()", "assertion-weakened"),
    ("sum.test.ts", JAVASCRIPT, ".toThrow('no number')", ".toThrow()", "assertion-weakened"),
    ("sum.test.ts", JAVASCRIPT, "    expect(total).toBe(5)\n", "", "assertions-reduced"),
    ("sum.test.ts", JAVASCRIPT, "toBe(5)", "toBe(6)", "expected-value-edited"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    // @ts-ignore\n    const total", "suppression-added"),
    ("sum_test.go", GO, "	total := Add", '	t.Skip("x")\n	total := Add', "test-skipped"),
    (
        "sum_test.go",
        GO,
        "	total := Add",
        "	if short() {\n		t.SkipNow()\n	}\n	total := Add",
        "test-skipped",
    ),
    ("sum_test.go", GO, "func TestAdds", "func testAdds", "test-removed"),
    ("sum_test.go", GO, "	assert.Equal", "	return\n	assert.Equal", "early-return"),
    ("sum_test.go", GO, "	require.Equal(t, 1, Other())\n", "", "test-emptied"),
    ("sum_test.go", GO, "require.Equal(t, 1, Other())", "Other()", "last-assertion-removed"),
    ("sum_test.go", GO, "assert.Equal(t, 5, total)", "assert.NotNil(t, total)", "assertion-weakened"),
    ("sum_test.go", GO, "assert.Equal(t, 5, total)", "assert.True(t, true)", "vacuous-assertion"),
    ("sum_test.go", GO, "if total != 5 {", "if false && total != 5 {", "vacuous-assertion"),
    ("sum_test.go", GO, "t.Errorf", "t.Logf", "assertions-reduced"),
    ("sum_test.go", GO, "package sum", "//go:build ignore\n\npackage sum", "module-skipped"),
    ("src/lib.rs", RUST, "    #[test]", "    #[test]\n    #[ignore]", "test-skipped"),
    ("src/lib.rs", RUST, "    #[test]", "    #[cfg(any())]\n    #[test]", "test-skipped"),
    ("src/lib.rs", RUST, "    #[test]\n", "", "test-removed"),
    ("src/lib.rs", RUST, "        let total", "        return;\n        let total", "early-return"),
    ("src/lib.rs", RUST, "assert_eq!(total, 5)", "assert!(true)", "vacuous-assertion"),
    ("src/lib.rs", RUST, "        assert!(total > 0);\n", "", "assertions-reduced"),
    ("src/lib.rs", RUST, "pub fn add", "#[allow(dead_code)]\npub fn add", "suppression-added"),
    ("SumTest.java", JAVA, "    @Test", "    @Test\n    @Disabled", "test-skipped"),
    ("SumTest.java", JAVA, "class SumTest", "@Disabled\nclass SumTest", "test-skipped"),
    ("SumTest.java", JAVA, "    @Test\n", "", "test-removed"),
    ("SumTest.java", JAVA, "        int total", "        return;\n        int total", "early-return"),
    ("SumTest.java", JAVA, "assertEquals(5, total)", "assertTrue(true)", "vacuous-assertion"),
    ("SumTest.java", JAVA, "assertEquals(5, total)", "assertNotNull(total)", "assertion-weakened"),
    (
        "SumTest.java",
        JAVA,
        "assertEquals(5, total);",
        "try { assertEquals(5, total); } catch (Throwable e) { }",
        "assertion-swallowed",
    ),
    ("SumTest.kt", KOTLIN, "    @Test", "    @Ignore\n    @Test", "test-skipped"),
    ("SumTest.kt", KOTLIN, "        assertEquals(5, total)\n", "", "last-assertion-removed"),
    ("SumTests.cs", CSHARP, "[Fact]", '[Fact(Skip = "x")]', "test-skipped"),
    ("SumTests.cs", CSHARP, "    [Fact]\n", "", "test-removed"),
    ("SumTests.cs", CSHARP, "Assert.Equal(5, total)", "Assert.NotNull(total)", "assertion-weakened"),
    ("sum_spec.rb", RUBY, '  it "adds"', '  xit "adds"', "test-skipped"),
    ("sum_spec.rb", RUBY, '  it "adds" do', '  it "adds", skip: "x" do', "test-skipped"),
    ("sum_spec.rb", RUBY, "    total", '    skip "x"\n    total', "test-skipped"),
    ("sum_spec.rb", RUBY, '  it "adds"', '  fit "adds"', "focus-added"),
    ("sum_spec.rb", RUBY, "    total", "    return\n    total", "early-return"),
    ("sum_spec.rb", RUBY, "expect(total).to eq 5", "expect(total).to be_truthy", "assertion-weakened"),
    ("sum_spec.rb", RUBY, "    expect(total).to eq 5", "    expect(total).to eq(5) if false", "vacuous-assertion"),
    ("sum_test.rb", MINITEST, "    assert_equal 5, total", "    assert total", "assertion-weakened"),
    ("sum_test.rb", MINITEST, "    assert_equal 5, total\n", "", "last-assertion-removed"),
    ("sum_test.rb", MINITEST, "def test_adds", "def no_test_adds", "test-removed"),
    (
        "sum_test.rb",
        MINITEST,
        "    assert_equal 5, total",
        "    begin\n      assert_equal 5, total\n    rescue Exception\n    end",
        "assertion-swallowed",
    ),
]


@pytest.mark.parametrize(("path", "text", "old", "new", "rule"), WEAKER, ids=lambda value: str(value)[:24])
def test_what_weakens_is_found(path: str, text: str, old: str, new: str, rule: str) -> None:
    assert old in text
    assert rule in rules(path, text, text.replace(old, new, 1))


HARMLESS = [
    ("sum.test.ts", JAVASCRIPT, "describe('sum'", "describe('sums'"),
    ("sum.test.ts", JAVASCRIPT, "it('adds'", "it('adds two numbers'"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    await close().catch(() => {})\n    const total"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    const text = `it.only('x', () => {${`a`}})`\n    const total"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    const map = [1].map(() => { return 2; })\n    const total"),
    ("sum.test.ts", JAVASCRIPT, "    const total", "    // it.skip('x')\n    /* xit('x') */\n    const total"),
    (
        "sum_test.go",
        GO,
        "func TestOther",
        "func TestMore(t *testing.T) {\n	require.Equal(t, 2, More())\n}\n\nfunc TestOther",
    ),
    ("sum_test.go", GO, "	total := Add", '	t.Log("t.Skip()")\n	total := Add'),
    (
        "sum_test.go",
        GO,
        "	total := Add",
        "	for range xs {\n		f := func() int { return 1 }\n		_ = f\n	}\n	total := Add",
    ),
    ("src/lib.rs", RUST, "    #[test]", "    // #[ignore]\n    #[test]"),
    ("src/lib.rs", RUST, "fn adds()", "fn adds_two()"),
    ("SumTest.java", JAVA, "    @Test", '    @DisplayName("adds @Disabled")\n    @Test'),
    ("SumTest.java", JAVA, "void adds()", "void addsTwo()"),
    ("SumTests.cs", CSHARP, "Assert.True(total > 0);", "Assert.True(total > 0);\n        Assert.True(total < 9);"),
    ("sum_spec.rb", RUBY, "    total", "    # skip it\n    total"),
    ("sum_test.rb", MINITEST, "    total", "    text = 'skip'\n    total"),
]


@pytest.mark.parametrize(("path", "text", "old", "new"), HARMLESS, ids=lambda value: str(value)[:24])
def test_what_does_not_weaken_is_never_high(path: str, text: str, old: str, new: str) -> None:
    assert old in text
    assert "high" not in levels(change(path, text, text.replace(old, new, 1))).values()


def test_a_macro_that_declares_a_test_is_one() -> None:
    old = 'rgtest!(finds, |dir: Dir, mut cmd: Cmd| {\n    eqnice!("a", cmd.stdout());\n});\n'
    assert "test-removed" in rules("tests/feature.rs", old, "\n")


def test_an_annotation_with_a_class_inside_still_marks_a_test() -> None:
    old = "class T {\n  @Test(expected = Error.class)\n  public void fails() {\n    run(One.class);\n  }\n}\n"
    assert "test-removed" in rules("src/test/java/TTest.java", old, "class T {\n}\n")


def test_fewer_rows_of_a_table_are_told() -> None:
    old = "it.each([[1, 2], [3, 4]])('adds %i', (a, b) => {\n  expect(f(a)).toBe(b)\n})\n"
    assert levels(change("a.test.ts", old, old.replace(", [3, 4]", ""))) == {"cases-reduced": "medium"}
    rows = "[Theory]\n[InlineData(1)]\n[InlineData(2)]\npublic void Adds(int a)\n{\n    Assert.Equal(a, F(a));\n}\n"
    assert levels(change("ATests.cs", rows, rows.replace("[InlineData(2)]\n", ""))) == {"cases-reduced": "medium"}
