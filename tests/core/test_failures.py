"""What outputs of real test runners tell: names, signatures, trouble; and that hostile output costs little."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.core.failures import (
    Failures,
    JUnit,
    Trouble,
    compared,
    environment,
    failing,
    flaky,
    observed,
    signature,
    trouble,
)
from console.core.failures.comparing import shown
from console.core.records import GateResult

FIXTURES = Path(__file__).parent.parent / "data" / "failures"

PYTEST = {
    "test_broken.py (not loaded)",
    "test_shop.py::TestA::test_in",
    "test_shop.py::test_db",
    "test_shop.py::test_param[[z]",
    "test_shop.py::test_param[x - y]",
    "test_shop.py::test_total",
}

NAMES: dict[str, set[str]] = {
    "pytest.txt": {"test_broken.py (not loaded)"},
    "pytest-all.txt": PYTEST,
    "pytest-verbose.txt": PYTEST,
    "pytest-xdist.txt": PYTEST,
    "pytest-nosummary.txt": {
        "test_broken.py (not loaded)",
        "TestA.test_in",
        "test_db",
        "test_param[[z]",
        "test_param[x - y]",
        "test_total",
    },
    "unittest.txt": {
        "test_broken (not loaded)",
        "test_shop.TestCart.test_error",
        "test_shop.TestCart.test_sub (i=1)",
        "test_shop.TestCart.test_surprise",
        "test_shop.TestCart.test_total",
        "test_shop.TestSetup.setUpClass",
    },
    "automake.txt": {"total.sh", "later.sh"},
    "go.txt": {
        "example.com/shop/cart.TestTotal",
        "example.com/shop/cart.TestDiscount",
        "example.com/shop/cart.TestDiscount/ten_percent",
        "example.com/shop/tax.TestTotal",
        "example.com/shop/web [build failed]",
    },
    "go-json.txt": {"example.com/shop/cart.TestTotal"},
    "cargo.txt": {"tests::bad", "tests::calm", "src/lib.rs - f (line 1)"},
    "cargo-build.txt": set(),
    "nextest.txt": {"shop tests::bad", "shop::web tests::slow"},
    "jest.txt": {
        "src/cart.test.js › cart › totals › adds tax",
        "src/cart.test.js › cart › is empty",
        "src/web.test.js (not loaded)",
    },
    "vitest.txt": {
        "test/cart.test.ts > cart > totals > adds tax",
        "test/cart.test.ts > cart > is empty",
        "test/web.test.ts (not loaded)",
    },
    "mocha.txt": {"cart › adds tax", "cart › totals › is empty"},
    "playwright.txt": {"[chromium] › tests/cart.spec.ts › cart › adds tax"},
    "node-spec.txt": {"adds", "cart", "total"},
    "node-tap.txt": {"adds", "cart", "total"},
    "bun.txt": {"cart > adds tax"},
    "deno.txt": {"adds tax"},
    "rspec.txt": {
        "./spec/cart_spec.rb Cart#total adds tax",
        "./spec/tax_spec.rb Tax rounds up",
        "./spec/web_spec.rb (not loaded)",
    },
    "minitest.txt": {"TestCart#test_total", "TestCart#test_empty"},
    "phpunit.txt": {r"Tests\CartTest::testEmpty", r'Tests\CartTest::testTotal with data set "two" (2, 3)'},
    "surefire.txt": {"com.example.CartTest.total", "com.example.CartTest.empty"},
    "surefire-old.txt": {"com.example.CartTest.total"},
    "surefire-list.txt": {"CartTest.total", "CartTest.helped"},
    "gradle.txt": {"CartTest > total()", "CartTest > WhenEmpty > stays empty"},
    "dotnet.txt": {"Shop.Tests.CartTests.Total", "Shop.Tests.CartTests.Discount(percent: 10)"},
    "ctest.txt": {"bad.one", "with space"},
    "gtest.txt": {"Cart.Total", "Discounts/Discount.Applies/2"},
    "exunit.txt": {"test adds tax (Shop.CartTest)"},
    "bats.txt": {"adds tax"},
    "prove.txt": {"t/a.t", "two is right"},
}


def red(output: str = "", code: int | None = 1, signal: int | None = None) -> GateResult:
    return GateResult(verdict="red", where="worktree", code=code, signal=signal, output=output)


def run(*names: str, verdict: str = "red", **more: object) -> Failures:
    return Failures(verdict=verdict, printed=frozenset(names), code=1, **more)  # type: ignore[arg-type]


GREEN = Failures(verdict="green", code=0)

# -- names


@pytest.mark.parametrize("fixture", sorted(NAMES))
def test_the_failing_tests_of_a_real_output_are_named_and_nothing_else(fixture: str) -> None:
    assert failing((FIXTURES / fixture).read_text()) == NAMES[fixture]


def test_every_fixture_is_asked() -> None:
    assert {path.name for path in FIXTURES.glob("*.txt")} == set(NAMES)


@pytest.mark.parametrize(
    "line",
    [
        "FAILED (failures=1)",
        "ERROR    root:shop.py:5 boom",
        "ERROR: could not install",
        "1 failed, 2 passed",
        "npm ERR! Test failed.",
        "✖ 2 problems (2 errors, 0 warnings)",
        "# TODO not ok 3",
        "> Task :test FAILED",
        "test result: FAILED. 0 passed",
        '{"Action":"fail","Package":["x"]}',
        "{" * 900 + '"Action" "fail"',
    ],
)
def test_lines_that_only_speak_of_failing_name_no_test(line: str) -> None:
    assert failing(line + "\n") == frozenset()


def test_a_name_is_one_clean_line_and_equal_in_the_next_run() -> None:
    first = failing("FAILED a.py::test_x[<object at 0x7f00aa>\x1b[31m\u202e] - boom\n")
    assert first == failing("FAILED a.py::test_x[<object at 0x55bb>] - bang\n") == {"a.py::test_x[<object at 0x#>]"}


def test_windows_line_ends_and_progress_bars_hide_no_name() -> None:
    assert failing("10%\r50%\rFAILED a.py::test_x - boom\r\n") == {"a.py::test_x"}


# -- signatures


def sign(text: str) -> str:
    return signature(text, failing(text))


def test_the_same_failure_in_another_folder_at_another_speed_and_order_has_the_same_signature() -> None:
    one = (
        "File /home/ada/w/1/src/a.py:31: AssertionError: got 0x7f01 id deadbeef01\nE   expected 3\n1 failed in 0.31s\n"
    )
    two = "E   expected 4\nFile /tmp/checkouts/p-1.2/src/a.py:7: AssertionError: got 0x9 id 0badc0f\n1 failed in 12 s\n"
    assert sign(one) == sign(two) != ""
    assert len(sign(one)) == 16


def test_another_failure_has_another_signature() -> None:
    text = "FAILED a.py::test_x - KeyError\n"
    assert len({sign(text), sign(text.replace("KeyError", "ValueError")), sign(text.replace("test_x", "test_y"))}) == 3


def test_nothing_printed_means_no_signature_and_odd_output_still_has_one() -> None:
    assert signature(" \n\x1b[0m\n", frozenset()) == ""
    assert sign("hello\n") == sign("hello\n\n") != sign("goodbye\n")
    assert signature("", frozenset({"t"})) != ""


# -- trouble of the machine

TROUBLES = {
    "lock": [
        "fatal: Unable to create '/home/ada/shop/.git/index.lock': File exists.",
        "Another git process seems to be running in this repository, e.g.",
        "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12",
        "    Blocking waiting for file lock on build directory",
    ],
    "prompt": [
        "sh: 1: cannot open /dev/tty: No such device or address",
        "OSError: [Errno 6] No such device or address: '/dev/tty'",
        "head: cannot open '/dev/tty' for reading: No such device or address",
        "fatal: could not read Username for 'https://example.com': terminal prompts disabled",
        "sudo: a password is required",
    ],
    "disk": ["write error: No space left on device", "npm ERR! code ENOSPC"],
    "network": [
        "curl: (6) Could not resolve host: example.com",
        "getaddrinfo ENOTFOUND registry.example.com",
        "connect: Network is unreachable",
        "Tunnel connection failed: 407 Proxy Authentication Required",
    ],
    "memory": ["FATAL ERROR: Reached heap limit - JavaScript heap out of memory", "fork: Cannot allocate memory"],
    "port": ["Error: listen EADDRINUSE: address already in use :::3000", "OSError: [Errno 98] Address already in use"],
    "files": ["OSError: [Errno 24] Too many open files", "ENOSPC: System limit for number of file watchers reached"],
    "missing": ["make: *** [Makefile:2: check] Error 127"],
    "service": ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock"],
}


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in TROUBLES.items() for line in lines])
def test_trouble_of_the_machine_is_told_with_the_line_that_says_so(kind: str, line: str) -> None:
    found = trouble(red(f"before\n{line}\nafter\n", code=2))
    assert found and found.kind == kind
    assert line.strip()[:100] in environment(red(line, code=2))


@pytest.mark.parametrize("code", [126, 127])
def test_the_shells_own_exits_mean_a_missing_program(code: int) -> None:
    assert environment(red("sh: 1: frobnicate: not found\n", code=code)) == (
        f"exit {code}, a program that the gate needs is missing or cannot start: sh: 1: frobnicate: not found"
    )


def test_a_kill_from_outside_is_trouble_and_a_crash_of_the_work_is_not() -> None:
    assert "signal 9" in environment(red(code=None, signal=9))
    assert environment(red(code=None, signal=11)) == ""
    assert environment(GateResult(verdict="timeout", where="worktree", signal=9)) == ""
    assert environment(red("AssertionError: 1 != 2")) == ""
    assert environment(GateResult(verdict="green", where="worktree", code=0, output="index.lock': File exists")) == ""


# -- what runs on two trees say together


def kind(work: list[Failures], base: list[Failures]) -> str:
    return compared(work, base).kind


def test_the_sentence_counts_and_names_three_tests_at_most() -> None:
    old = [f"old{n}" for n in range(4)]
    said = compared([run("b", "a", *old)], [run(*old)])
    assert (said.kind, said.fresh) == ("introduced", {"a", "b"})
    assert said.why == "2 tests fail that did not before: a, b; 4 failed before too"
    assert shown(f"t{n}" for n in range(9)) == "t0, t1, t2 and 6 more"


def test_red_before_and_after_with_the_same_tests_or_fewer_is_pre_existing() -> None:
    assert compared([run("a", "b")], [run("a", "b")]).why == "2 tests fail, all of which failed before too: a, b"
    assert compared([run("a")], [run("a"), run("b")]).why == (
        "1 test fails, all of which failed before too: a; 1 more failed before"
    )


def test_a_gate_that_dies_before_it_names_all_is_not_excused_by_old_failures() -> None:
    assert kind([run("a", died=True)], [run("a")]) == "introduced"
    assert kind([run("a", died=True)], [run("a", died=True)]) == "pre-existing"


def test_a_test_that_fails_in_some_runs_only_is_flaky_and_one_that_always_does_is_introduced() -> None:
    said = compared([run("old", "odd"), run("old")], [run("old")])
    assert (said.kind, said.failing) == ("flaky", {"old", "odd"})
    assert kind([run("old", "odd", "new"), run("old", "new")], [run("old")]) == "introduced"


def test_a_file_that_is_not_loaded_is_the_same_failure_only_for_the_same_reason() -> None:
    file = "test_a.py (not loaded)"
    assert kind([run(file, signature="s")], [run(file, signature="s")]) == "pre-existing"
    said = compared([run(file, signature="s")], [run(file, signature="t")])
    assert said.kind == "introduced"
    assert said.why == "could not be loaded before either, but for another reason: test_a.py"


def test_without_names_only_the_very_same_failure_is_pre_existing() -> None:
    assert kind([run(signature="s")], [run(signature="s")]) == "pre-existing"
    assert kind([run(signature="s")], [run(signature="t")]) == "introduced"
    assert kind([run("a", signature="s")], [run(signature="t")]) == "introduced"
    other = Failures(verdict="red", code=2, signature="s")
    assert kind([run(signature="s")], [other]) == "introduced"
    assert "could not be read" in compared([run(signature="s")], [run(signature="t")]).why
    assert kind([run(signature="s", died=True)], [run(signature="s")]) == "introduced"


def test_limits_are_the_environments_when_the_base_hits_them_too() -> None:
    slow = run(verdict="timeout")
    assert kind([slow, slow], [slow]) == "environment"
    assert kind([slow, slow], [GREEN]) == "introduced"
    assert kind([slow, slow], [run("a")]) == "introduced"
    assert kind([run("a"), run("a")], [slow]) == "introduced"


def test_trouble_counts_when_the_base_shows_the_same_and_not_when_it_is_green() -> None:
    net = Trouble(kind="network", text="the network does not answer", own=True)
    assert kind([run(trouble=net)], [run(trouble=net)]) == "environment"
    assert kind([run(trouble=net)], [GREEN]) == "introduced"
    assert "the network does not answer" in compared([run(trouble=net)], [GREEN]).why
    unjudged = Failures(verdict="unjudged", trouble=Trouble(kind="unjudged", text="no such program"))
    assert kind([run(trouble=net)], [unjudged]) == "environment"
    assert kind([run("a")], [unjudged]) == "introduced"


def test_reports_beat_text_and_are_never_compared_with_it() -> None:
    text = "FAILED t.py::test_old - x\n"
    reported = observed(red(text), text, JUnit(failing=frozenset({"t.test_new"})))
    assert reported.reported == {"t.test_new"}
    base = observed(red(text), text, JUnit(failing=frozenset({"t.test_old"})))
    assert compared([reported], [base]).fresh == {"t.test_new"}
    assert kind([reported], [observed(red(text), text, None)]) == "pre-existing"
    assert observed(red(text), text, JUnit(passing=frozenset({"t.a"}))).reported is None


def test_flaky_says_in_how_many_runs_and_which_tests() -> None:
    assert flaky([run("a"), GREEN, GREEN]).why == "the same work was green in 2 of 3 runs: a"
    assert "could not be read" in flaky([run(), GREEN]).why


# -- hostile output


@pytest.mark.parametrize(
    "piece",
    [
        "\x1b[" + "1;" * 500,
        "FAILED " + "a" * 5000,
        "FAILED a.py::t[" + " - " * 2000,
        "___ " * 1000,
        "FAIL " * 1000,
        "not ok " + " # " * 1000,
        "/" + "a/" * 3000,
        "1,2.3:" * 2000,
        "  1) " + " › " * 1000,
        "(" * 4000,
        "abcdef" * 1500,
        "[  FAILED  ] a.b" + ", " * 1500,
        "  1 - a" + " (" * 1500,
        "[ERROR]   " + "a." * 2000,
        "{" * 2000 + '"Action":"fail"',
    ],
)
def test_no_output_takes_long_to_read(piece: str) -> None:
    text = (piece + "\n") * (400_000 // len(piece)) + piece * 20
    began = time.process_time()
    names = failing(text)
    signature(text, names)
    environment(red(text[-16_000:], code=2))
    assert time.process_time() - began < 3.0
    assert all(len(name) <= 300 for name in names)


def test_an_output_of_many_megabytes_is_read_at_its_ends() -> None:
    filler = "x" * 99 + "\n"
    text = "FAILED a.py::first - x\n" + filler * 60_000 + "FAILED a.py::last - x\n"
    assert failing(text) == {"a.py::first", "a.py::last"}


WORDS = "FAILED |a.py::t| - |[|]|\n|\r|not ok 1|# TODO|\x1b[|_________|●| › |FAIL |1) |::|\ud800|--- FAIL: |{"
ALPHABET = st.sampled_from(WORDS.split("|"))


@given(st.lists(ALPHABET | st.text(max_size=5), max_size=60).map("".join))
def test_any_output_gives_clean_names_and_a_signature_that_stays(text: str) -> None:
    names = failing(text)
    assert all(name and name == " ".join(name.split()) and "\x1b" not in name for name in names)
    assert signature(text, names) == signature(text, sorted(names, key=lambda _: random.random()))
    environment(red(text))
