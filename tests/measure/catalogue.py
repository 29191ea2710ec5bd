"""The mutations by language: facts 4.2, and what the other languages have in their place."""

from __future__ import annotations

from mutations import (
    Mutate,
    Mutation,
    at_top,
    before,
    delete,
    emptied,
    fewer_rows,
    group,
    having_checks,
    head,
    inside,
    literal,
    on_check,
    unmark,
    without_check,
    wrapped,
)

HIGH, MEDIUM, INFO = "high", "medium", "info"
ALL = ("python", "javascript", "go", "rust", "jvm", "ruby")


def _every() -> list[Mutation]:
    found = [Mutation("delete test", HIGH, ALL, delete)]
    for language in ALL:
        found.append(Mutation("remove one assertion", MEDIUM, (language,), without_check(language, comment=False)))
        found.append(Mutation("comment one assertion", MEDIUM, (language,), without_check(language, comment=True)))
        found.append(Mutation("change expected literal", INFO, (language,), literal(language)))
    return found


def _of(language: str, rows: list[tuple[str, str, Mutate]]) -> list[Mutation]:
    return [Mutation(name, level, (language,), apply) for name, level, apply in rows]


PYTHON = [
    ("@skip", HIGH, before("@pytest.mark.skip")),
    ("@xfail", HIGH, before("@pytest.mark.xfail")),
    ("@skipif", HIGH, before("@pytest.mark.skipif(sys.platform != 'x', reason='')")),
    ("@unittest.skip", HIGH, before("@unittest.skip('later')")),
    ("pytest.skip in body", HIGH, inside("pytest.skip('later')")),
    ("pytestmark", HIGH, at_top("pytestmark = pytest.mark.skip")),
    ("early return", HIGH, having_checks("python", inside("return"))),
    ("body to pass", HIGH, emptied("pass")),
    ("body to assert True", HIGH, emptied("assert True")),
    ("try/except", HIGH, having_checks("python", wrapped("try:", ("except Exception:", "    pass")))),
    ("if False", HIGH, having_checks("python", wrapped("if False:", ()))),
    ("or True", HIGH, on_check("python", r"^(assert [^,#]*)$", r"\1 or True")),
    ("assert True for one", HIGH, on_check("python", r"^assert .*$", "assert True")),
    ("rename so not collected", HIGH, head(r"def test", "def no_test")),
    ("== to truthy", MEDIUM, on_check("python", r"^assert ([^=!<>]+?) == .*$", r"assert \1")),
    ("== to is not None", MEDIUM, on_check("python", r"^assert ([^=!<>]+?) == .*$", r"assert \1 is not None")),
    (
        "assertEqual to assertTrue",
        MEDIUM,
        on_check("python", r"^self\.assertEqual\(([^,()]+), .*$", r"self.assertTrue(\1)"),
    ),
    ("drop a parametrize case", MEDIUM, fewer_rows),
]
JAVASCRIPT = [
    ("it.skip", HIGH, head(r"\b(it|test)\(", r"\1.skip(")),
    ("it.only", HIGH, head(r"\b(it|test)\(", r"\1.only(")),
    ("xit", HIGH, head(r"\b(it|test)\(", r"x\1(")),
    ("it.todo", HIGH, head(r"\b(it|test)\(", r"\1.todo(")),
    ("describe.skip", HIGH, group(r"\bdescribe\(", "describe.skip(")),
    ("early return", HIGH, having_checks("javascript", inside("return;"))),
    ("body emptied", HIGH, emptied(None)),
    ("try/catch", HIGH, having_checks("javascript", wrapped("try {", ("} catch (error) {", "}")))),
    ("if (false)", HIGH, having_checks("javascript", wrapped("if (false) {", ("}",)))),
    ("expect(true)", HIGH, on_check("javascript", r"^(?:await )?expect\(.*$", "expect(true).toBe(true);")),
    (
        "toBe to toBeTruthy",
        HIGH,
        on_check("javascript", r"\.(?:toBe|toEqual|toStrictEqual)\([^()]+\)", ".toBeTruthy()"),
    ),
    (
        "assert.equal to assert.ok",
        HIGH,
        on_check("javascript", r"assert\.(?:strictEqual|equal)\(([^,()]+), .*\)", r"assert.ok(\1)"),
    ),
    ("rename so not collected", HIGH, head(r"\b(it|test)\(", "later(")),
]
GO = [
    ("t.Skip", HIGH, inside('t.Skip("later")')),
    ("early return", HIGH, having_checks("go", inside("return"))),
    ("body emptied", HIGH, emptied(None)),
    ("if false", HIGH, having_checks("go", wrapped("if false {", ("}",)))),
    ("rename so not collected", HIGH, head(r"func Test", "func noTest")),
    (
        "Equal to NotNil",
        MEDIUM,
        on_check("go", r"(assert|require)\.Equal\((\w+), [^,()]+, ([^,]+)\)$", r"\1.NotNil(\2, \3)"),
    ),
    ("Equal to True(true)", HIGH, on_check("go", r"(assert|require)\.\w+\((\w+), .*\)$", r"\1.True(\2, true)")),
]
RUST = [
    ("#[ignore]", HIGH, before("#[ignore]")),
    ("remove #[test]", HIGH, unmark("rust")),
    ("cfg(any())", HIGH, before("#[cfg(any())]")),
    ("early return", HIGH, having_checks("rust", inside("return;"))),
    ("body emptied", HIGH, emptied(None)),
    ("if false", HIGH, having_checks("rust", wrapped("if false {", ("}",)))),
    ("assert!(true)", HIGH, on_check("rust", r"^assert(?:_eq|_ne)?!\(.*\);$", "assert!(true);")),
    ("assert_eq to assert_ne", MEDIUM, on_check("rust", r"^assert_eq!", "assert_ne!")),
]
JVM = [
    ("@Disabled", HIGH, before("@Disabled")),
    ("remove @Test", HIGH, unmark("jvm")),
    ("early return", HIGH, having_checks("jvm", inside("return;"))),
    ("body emptied", HIGH, emptied(None)),
    ("try/catch", HIGH, having_checks("jvm", wrapped("try {", ("} catch (Throwable error) {", "}")))),
    ("if (false)", HIGH, having_checks("jvm", wrapped("if (false) {", ("}",)))),
    ("assertTrue(true)", HIGH, on_check("jvm", r"^assert(?:Equals|That|True|Same)\(.*$", "assertTrue(true);")),
    (
        "assertEquals to assertNotNull",
        MEDIUM,
        on_check("jvm", r"assertEquals\([^,()]+, ([^,()]+)\)", r"assertNotNull(\1)"),
    ),
    (
        "Assert.Equal to Assert.NotNull",
        MEDIUM,
        on_check("jvm", r"Assert\.Equal\([^,()]+, ([^,()]+)\)", r"Assert.NotNull(\1)"),
    ),
]
RUBY = [
    ("xit", HIGH, head(r"\b(it|specify)\b", r"x\1")),
    ("fit", HIGH, head(r"\bit\b", "fit")),
    ("skip in body", HIGH, inside('skip "later"')),
    ("early return", HIGH, having_checks("ruby", inside("return"))),
    ("body emptied", HIGH, emptied(None)),
    ("begin/rescue", HIGH, having_checks("ruby", wrapped("begin", ("rescue Exception", "end")))),
    ("if false", HIGH, having_checks("ruby", wrapped("if false", ("end",)))),
    ("rename so not collected", HIGH, head(r"def test_", "def no_test_")),
    ("assert_equal to assert", MEDIUM, on_check("ruby", r"^assert_equal [^,()]+, (.+)$", r"assert \1")),
    ("eq to be_truthy", MEDIUM, on_check("ruby", r"\.to eq\(?[^()]+\)?$", ".to be_truthy")),
]

CATALOGUE = [
    *_every(),
    *_of("python", PYTHON),
    *_of("javascript", JAVASCRIPT),
    *_of("go", GO),
    *_of("rust", RUST),
    *_of("jvm", JVM),
    *_of("ruby", RUBY),
]
