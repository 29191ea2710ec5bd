"""Change sets as a whole: what moved or was renamed is no removal, what goes with product code weighs less."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from tampering_play import change, levels

from console.core.tampering import FileVersions, inspect

ONE = "def test_one():\n    value = one(1)\n    assert value == 1\n    assert value != 2\n"
TWO = "def test_two():\n    value = two(2)\n    assert value == 2\n    assert value != 3\n"


def test_a_file_that_was_renamed_lost_nothing() -> None:
    assert levels(change("tests/test_a.py", ONE + TWO, None), change("tests/unit/test_b.py", None, ONE + TWO)) == {}


def test_a_test_that_moved_to_another_file_lost_nothing() -> None:
    assert levels(change("test_a.py", ONE + TWO, ONE), change("test_b.py", "", TWO)) == {}


def test_a_test_that_was_renamed_and_edited_is_compared() -> None:
    renamed = TWO.replace("test_two", "test_second").replace(
        "    assert value != 3\n", "    assert value != 3\n    assert two\n"
    )
    assert levels(change("test_a.py", ONE + TWO, ONE + renamed)) == {}
    weaker = TWO.replace("test_two", "test_second").replace("    assert value == 2\n", "")
    assert levels(change("test_a.py", ONE + TWO, ONE + weaker)) == {"assertions-reduced": "medium"}


def test_a_hollow_test_of_a_like_name_does_not_stand_in_for_the_old_one() -> None:
    hollow = "def test_two_again():\n    pass\n"
    found = levels(change("test_a.py", ONE + TWO, ONE + hollow))
    assert found.get("test-removed") == "high" or found.get("test-emptied") == "high"


def test_a_test_that_moved_out_of_collection_no_longer_exists() -> None:
    assert (
        levels(change("tests/test_a.py", ONE, None), change("tests_old/a.txt", None, ONE))["test-file-deleted"]
        == "high"
    )
    assert levels(change("test_a.py", ONE, None), change("a_helper.py", None, ONE))["test-file-deleted"] == "high"


def test_a_deleted_file_is_one_finding_with_its_count() -> None:
    finding = inspect([change("tests/test_a.py", ONE + TWO, None)])[0]
    assert (finding.rule, finding.level) == ("test-file-deleted", "high")
    assert finding.text == "a file of tests no longer exists: test_a.py with 2 tests"


def test_tests_that_go_with_their_product_code_weigh_less() -> None:
    product = change(
        "src/app.py", "def two(n):\n    return n\n\ndef one(n):\n    return n\n", "def one(n):\n    return n\n"
    )
    assert levels(product, change("test_a.py", ONE + TWO, ONE)) == {"test-removed": "high"}
    product = change("src/app.py", "def second(n):\n    return n\n", "")
    used = TWO.replace("two(2)", "second(2)")
    assert levels(product, change("test_a.py", ONE + used, ONE)) == {"test-removed-with-product": "medium"}
    moved = change("src/other.py", None, "def second(n):\n    return n\n")
    assert levels(product, moved, change("test_a.py", ONE + used, ONE)) == {"test-removed": "high"}


def test_product_code_that_goes_excuses_no_other_test() -> None:
    product = change("src/app.py", "def unrelated(n):\n    return n\n", "")
    assert levels(product, change("test_a.py", ONE + TWO, ONE)) == {"test-removed": "high"}


def test_a_test_in_rust_is_not_its_own_product_code() -> None:
    old = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds_numbers() {\n        assert_eq!(add(1), 2);\n    }\n}\n"
    assert levels(change("src/lib.rs", old, "\n")) == {"test-removed": "high"}


def test_material_of_tests_weighs_less_than_tests() -> None:
    assert levels(change("test/fixtures/test_a.py", ONE, "")) == {"test-removed": "medium", "snapshot-changed": "info"}
    assert levels(change("src/__snapshots__/a.snap", "1\n", "2\n")) == {"snapshot-changed": "info"}


def test_findings_are_gravest_first_and_in_one_order() -> None:
    changes = [change(f"tests/test_{n}.py", ONE + TWO, ONE.replace("== 1", "== 3")) for n in range(9)]
    found = inspect(changes)
    shuffled = list(changes)
    random.Random(7).shuffle(shuffled)
    assert found == inspect(shuffled)
    order = [("high", "medium", "info").index(finding.level) for finding in found]
    assert order == sorted(order) and set(order) == {0, 2}


def test_many_findings_end_in_one_that_counts_the_rest() -> None:
    found = inspect([change(f"tests/test_{n}.py", ONE, "") for n in range(150)])
    assert len(found) == 101
    assert found[-1].text == "and 50 more findings about tests" and found[-1].level == "high"


def test_names_of_tests_are_shown_printable_and_short() -> None:
    old = f"it('bad \x1b[31m name {'x' * 500}', () => {{\n  expect(a).toBe(1)\n}})\n"
    text = inspect([change("a.test.ts", old, "\n")])[0].text
    assert "\x1b" not in text and len(text) < 120


NAMES = st.sampled_from(
    [
        "test_a.py",
        "a.test.tsx",
        "a_test.go",
        "src/a.rs",
        "ATest.java",
        "a_spec.rb",
        "conftest.py",
        "package.json",
        ".github/workflows/ci.yml",
        "src/app.py",
        "test_a.unknown",
        "\udcff/test_a.py",
        "",
    ]
)
PIECES = st.sampled_from(
    [
        "def test_a():\n",
        "    assert ",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "'",
        '"',
        '"""',
        "`",
        "${",
        "\\",
        "\n",
        "    ",
        "it('a', ",
        "=> ",
        "#[test]\n",
        "fn a",
        "@Test ",
        "void a",
        "func TestA",
        "it 'a' do\n",
        "end\n",
        "/*",
        "*/",
        "//",
        "#",
        "if false",
        "\0",
        "try {",
        "catch",
        "rescue",
        "return\n",
        "é",
        "- if: false\n",
        "continue-on-error: true\n",
        "fail_under = 3\n",
        "<<~A\n",
    ]
)
BYTES = st.one_of(
    st.none(), st.binary(max_size=200), st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode())
)


@settings(max_examples=400, deadline=2_000)
@given(st.lists(st.builds(FileVersions, NAMES, BYTES, BYTES), max_size=4))
def test_no_bytes_make_it_fail(changes: list[FileVersions]) -> None:
    for finding in inspect(changes):
        assert finding.kind == "tests" and finding.text and finding.line >= 0


@settings(max_examples=150, deadline=2_000)
@given(NAMES, BYTES)
def test_what_did_not_change_has_no_findings(path: str, data: bytes | None) -> None:
    assert inspect([FileVersions(path, data, data)]) == ()
