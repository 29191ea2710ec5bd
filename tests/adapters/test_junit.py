"""JUnit reports in a folder that a hostile agent fills: what is read, and what must not be."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import pytest

from console.adapters import junit
from console.adapters.baselines import AGE, KEPT, Baselines
from console.core.failures import Failures, JUnit, Trouble
from console.core.records import Refused

PYTEST_XML = Path(__file__).parent.parent / "data" / "failures" / "pytest.xml"


def report(*failing: str, passing: tuple[str, ...] = ()) -> str:
    cases = [f'<testcase classname="s" name="{name}"><failure message="m">t</failure></testcase>' for name in failing]
    cases += [f'<testcase classname="s" name="{name}"/>' for name in passing]
    return f'<?xml version="1.0"?><testsuites><testsuite name="s">{"".join(cases)}</testsuite></testsuites>'


def write(path: Path, text: str | bytes, age: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    when = time.time() - age
    os.utime(path, (when, when))
    return path


def found(root: Path, *argv: str, cwd: Path | None = None, age: float = 60.0) -> set[str] | None:
    report = junit.find(("pytest", *argv), root, cwd or root, time.time() - age)
    return set(report.failing) if report else None


# -- what a report says


def test_a_report_of_pytest_names_what_failed_and_what_passed() -> None:
    said = junit.read(PYTEST_XML)
    assert isinstance(said, JUnit)
    assert said.passing == {"test_shop.test_ok"}
    assert said.failing == {
        "test_broken (not loaded)",
        "test_shop.TestA.test_in",
        "test_shop.test_db",
        "test_shop.test_param[[z]",
        "test_shop.test_param[x - y]",
        "test_shop.test_total",
    }


def test_skipped_flaky_and_retried_cases_are_what_they_are() -> None:
    said = junit.parse(
        b'<testsuite><testcase name="a"><skipped/></testcase><testcase name="b"><flakyFailure/></testcase>'
        b'<testcase name="c"><error/></testcase><testcase name="c"/>'
        b'<testcase name="d"><system-out>x</system-out></testcase><properties><failure/></properties></testsuite>'
    )
    assert said == JUnit(failing=frozenset({"c"}), passing=frozenset({"b", "d"}))


def test_namespaces_and_other_encodings_hide_nothing() -> None:
    case = '<j:testcase name="ä"><j:failure/></j:testcase>'
    text = f'<?xml version="1.0" encoding="utf-16"?><j:testsuite xmlns:j="u">{case}</j:testsuite>'
    assert junit.parse(text.encode("utf-16")) == JUnit(failing=frozenset({"ä"}))


# -- what is refused

LOL = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(12))


@pytest.mark.parametrize(
    "raw",
    [
        f"<!DOCTYPE x [{LOL}]><testsuite><testcase name='&l11;'><failure/></testcase></testsuite>".encode(),
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite/>',
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&e;"/></testsuite>',
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x><testsuite/>'.encode("utf-16"),
        b"<a>" * 100 + b"</a>" * 100,
        b"<testsuite>",
        b"",
        b"\xff\xfe\x00garbage",
        b'<?xml version="1.0" encoding="no-such"?><testsuite/>',
    ],
)
def test_bombs_outside_entities_and_no_xml_are_refused_with_a_reason(raw: bytes) -> None:
    began = time.process_time()
    said = junit.parse(raw, "junit.xml")
    assert isinstance(said, Refused) and said.reason.startswith("junit.xml ")
    assert time.process_time() - began < 1.0


def test_a_report_above_the_cap_and_one_that_is_no_file_are_refused(tmp_path: Path) -> None:
    big = write(tmp_path / "junit.xml", b"<testsuite>" + b" " * junit.LARGEST + b"</testsuite>")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "link.xml").symlink_to(PYTEST_XML)
    for path in (big, tmp_path / "pipe.xml", tmp_path / "link.xml", tmp_path, tmp_path / "none.xml"):
        assert isinstance(junit.read(path), Refused), path
    assert found(tmp_path) is None


# -- where reports are found


@pytest.mark.parametrize(
    "option",
    [
        ("--junitxml=out/r.xml",),
        ("--junitxml", "out/r.xml"),
        ("--junit-xml", "./out/../out/r.xml"),
        ("--output-junit", "out/r.xml"),
    ],
)
def test_the_report_that_the_gate_was_told_to_write_is_read_and_no_other(
    tmp_path: Path, option: tuple[str, ...]
) -> None:
    write(tmp_path / "pkg" / "out" / "r.xml", report("told"))
    write(tmp_path / "pkg" / "junit.xml", report("usual"))
    assert found(tmp_path, *option, cwd=tmp_path / "pkg") == {"s.told"}


@pytest.mark.parametrize(
    "place",
    [
        "target/surefire-reports/TEST-a.B.xml",
        "deep/module/target/failsafe-reports/TEST-a.B.xml",
        "build/test-results/test/TEST-a.B.xml",
        "app/build/test-results/x.xml",
        "junit.xml",
        "test-results.xml",
        "reports/junit-unit.xml",
    ],
)
def test_reports_in_the_usual_places_are_found(tmp_path: Path, place: str) -> None:
    write(tmp_path / place, report("x", passing=("y",)))
    assert found(tmp_path) == {"s.x"}


def test_several_reports_are_one_and_a_test_that_failed_in_any_failed(tmp_path: Path) -> None:
    write(tmp_path / "target/surefire-reports/TEST-a.xml", report("x", passing=("y",)))
    write(tmp_path / "target/surefire-reports/TEST-b.xml", report("y", passing=("z",)))
    assert junit.find(("mvn",), tmp_path, tmp_path, 0.0) == JUnit(
        failing=frozenset({"s.x", "s.y"}), passing=frozenset({"s.z"})
    )


def test_reports_of_an_earlier_run_and_of_other_things_are_not_read(tmp_path: Path) -> None:
    write(tmp_path / "junit.xml", report("old"), age=600)
    write(tmp_path / "told.xml", report("old"), age=600)
    write(tmp_path / "data.xml", report("other"))
    write(tmp_path / "target/surefire-reports/testng.xml", report("other"))
    write(tmp_path / "node_modules/p/junit.xml", report("theirs"))
    assert found(tmp_path, "--junitxml=told.xml") is None


def test_no_link_leads_to_a_report_outside_or_inside(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside / "junit.xml", report("secret"))
    root = tmp_path / "root"
    root.mkdir()
    (root / "reports").symlink_to(outside)
    (root / "junit.xml").symlink_to(outside / "junit.xml")
    assert found(root, "--junitxml=reports/junit.xml") is None
    assert found(root, "--junitxml=../outside/junit.xml") is None
    assert found(root, f"--junitxml={outside}/junit.xml") is None
    (root / "pkg").symlink_to(outside)  # the gate's own folder, swapped while it ran
    assert found(root, cwd=root / "pkg") is None


def test_pipes_loops_depth_and_missing_folders_end_the_search_quietly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "junit.xml")
    (tmp_path / "loop").symlink_to(tmp_path)
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    os.makedirs(deep)
    write(tmp_path.joinpath(*"d" * (junit.LEVELS + 2)) / "junit.xml", report("far"))
    write(tmp_path / "d" / "junit.xml", report("near"))
    assert found(tmp_path) == {"s.near"}
    assert found(tmp_path, cwd=tmp_path / "gone") is None
    assert found(tmp_path, "--junitxml") == {"s.near"}
    assert found(tmp_path, "--junitxml=") == {"s.near"}


def test_many_reports_are_read_up_to_a_bound_and_no_descriptor_is_left_open(tmp_path: Path) -> None:
    for number in range(junit.FILES + 20):
        write(tmp_path / "surefire-reports" / f"TEST-{number:04}.xml", report(f"t{number}"))
    before = len(os.listdir("/dev/fd"))
    names = found(tmp_path)
    assert names is not None and len(names) == junit.FILES
    assert len(os.listdir("/dev/fd")) == before < resource.getrlimit(resource.RLIMIT_NOFILE)[0]


# -- what bases said, kept

RED = Failures(
    verdict="red",
    code=1,
    printed=frozenset({"a", "b"}),
    signature="s",
    trouble=Trouble(kind="port", text="t", own=True),
)


def test_what_a_base_said_is_known_to_the_next_supervisor_for_a_day(tmp_path: Path) -> None:
    clock = [1000.0]
    kept = Baselines(tmp_path / "state" / "baselines.json", lambda: clock[0])
    assert kept.get("k") == ()
    kept.put("k", (RED, RED))
    kept.put("j", (Failures(verdict="green", code=0, reported=frozenset()),))
    again = Baselines(tmp_path / "state" / "baselines.json", lambda: clock[0])
    assert again.get("k") == (RED, RED)
    assert again.get("j")[0].reported == frozenset()
    assert oct((tmp_path / "state" / "baselines.json").stat().st_mode)[-3:] == "600"
    clock[0] += AGE + 1
    assert again.get("k") == ()


def test_a_broken_file_is_an_empty_one_and_the_oldest_go_first(tmp_path: Path) -> None:
    path = write(tmp_path / "b.json", b'{"k": nonsense')
    clock = [1000.0]
    kept = Baselines(path, lambda: clock[0])
    assert kept.get("k") == ()
    for number in range(KEPT + 3):
        clock[0] += 1
        kept.put(f"k{number}", (RED,))
    assert kept.get("k2") == () and kept.get("k3") == (RED,) == kept.get(f"k{KEPT + 2}")


def test_a_folder_that_cannot_be_written_only_forgets(tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    kept = Baselines(tmp_path / "file" / "b.json")
    kept.put("k", (RED,))
    assert kept.get("k") == ()
