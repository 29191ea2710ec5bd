"""`nightdesk report`: printed and as JSON, of one run, and written where no link of an agent's leads it astray."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from commandline import CommandLine

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
from nightlog import Night, seven

from console.adapters.store import Log
from console.cli import report as command
from console.core.reporting.records import Report


def wrote(line: CommandLine, n: Night) -> CommandLine:
    """A log that holds this night."""
    log = Log(line.here.places.log)
    with log.transaction():
        log.append(n.log)
    log.close()
    line.journal.refresh()
    return line


@pytest.fixture
def night(line: CommandLine) -> CommandLine:
    return wrote(line, seven())


def files(line: CommandLine) -> list[str]:
    folder = line.root / ".nightdesk"
    return sorted(os.listdir(folder))


@pytest.fixture(autouse=True)
def clean_folder(line: CommandLine) -> None:
    """The repository is shared by all tests of the file."""
    written = line.root / ".nightdesk" / "night-report.md"
    if written.is_symlink() or written.is_file():
        written.unlink()


# -- printing --------------------------------------------------------------------------------------


def test_the_latest_run_is_printed_as_markdown(night: CommandLine) -> None:
    out = night.ok("report").out
    assert out.startswith("# Night report: `run-1`, DRAINED\n")
    assert "## Decide (2)" in out and "nightdesk decision answer dec-2 --choose 1" in out
    assert "\x1b" not in out


def test_as_json_it_is_the_report_with_what_only_the_log_knows(night: CommandLine) -> None:
    data = night.ok("report", "--json").json
    assert (data["run"], data["status"], data["loud"]) == ("run-1", "DRAINED", True)
    assert data["tally"]["outcomes"]["PARKED_FOUNDATIONAL"] == 1
    assert data["tally"]["claimed"] + data["tally"]["unclaimed"] == sum(data["tally"]["outcomes"].values())
    blind = {spot["what"]: spot["text"] for spot in data["blind"]}
    assert blind["processes"] == "outlived their agent and were ended: sleep 100 (s-2)"
    assert "started again 1 time(s)" in blind["supervisor"]


def test_an_older_run_is_named_and_an_unknown_one_is_not_found(line: CommandLine) -> None:
    n = seven()
    n.run()
    n.end_run("STOPPED", "stopped by ada")
    wrote(line, n)
    assert line.ok("report").out.startswith("# Night report: `run-2`, STOPPED\n")
    assert line.ok("report", "--run", "run-1").out.startswith("# Night report: `run-1`, DRAINED\n")
    said = line.run("report", "--run", "run-9")
    assert (said.code, said.out) == (3, "")
    assert said.err == "no run 'run-9'; the latest are run-1, run-2\n"


def test_before_any_run_there_is_no_report(line: CommandLine) -> None:
    said = line.run("report", "--json")
    assert (said.code, said.out) == (3, "")
    assert "no run has been started here yet" in said.err


def test_the_log_is_read_only(night: CommandLine) -> None:
    before = night.journal.state.seq
    night.ok("report")
    night.journal.refresh()
    assert night.journal.state.seq == before


# -- to a file of the operator's -------------------------------------------------------------------


def test_out_writes_the_file_and_replaces_an_older_one(night: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "morning.md"
    for _ in range(2):
        said = night.ok("report", "--out", str(file))
        assert said.out == f"written to {file}\n"
        assert file.read_text().startswith("# Night report")
    night.ok("report", "--json", "--out", str(file))
    assert file.read_text().startswith('{"run":"run-1"')
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".morning")]


def test_out_follows_no_link_and_says_what_is_wrong(night: CommandLine, tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link.md"
    victim.write_text("mine")
    link.symlink_to(victim)
    for file, why in ((link, "is no plain file"), (tmp_path / "none" / "x.md", "cannot write")):
        said = night.run("report", "--out", str(file))
        assert said.code == 2 and why in said.err
    assert victim.read_text() == "mine"


# -- when a run ends -------------------------------------------------------------------------------


def test_it_is_written_to_the_state_folder_and_beside_the_settings(night: CommandLine) -> None:
    kept, shown = night.here.places.state / "reports" / "run-1.md", night.root / ".nightdesk" / "night-report.md"
    assert command.write(night.here, "run-1") == [kept], "what git does not ignore would end in somebody's commit"
    ignores = night.root / ".nightdesk" / ".gitignore"
    ignores.write_text("night-report.md\n")
    assert command.write(night.here, "run-1") == [kept, shown]
    assert kept.read_text().split("\n")[:2] == shown.read_text().split("\n")[:2]
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert files(night) == [".gitignore", "config.yaml", "night-report.md"]
    command.write(night.here)
    assert files(night) == [".gitignore", "config.yaml", "night-report.md"]
    ignores.unlink()


def test_a_planted_link_in_place_of_the_report_is_replaced_not_followed(night: CommandLine, tmp_path: Path) -> None:
    victim, shown = tmp_path / "victim", night.root / ".nightdesk" / "night-report.md"
    victim.write_text("mine")
    shown.unlink(missing_ok=True)
    shown.symlink_to(victim)
    ignores = night.root / ".nightdesk" / ".gitignore"
    ignores.write_text("night-report.md\n")
    assert shown in command.write(night.here)
    assert victim.read_text() == "mine"
    assert shown.is_file() and not shown.is_symlink()


@pytest.mark.parametrize("trick", ["link", "file", "absent", "folder in its place"])
def test_without_a_real_folder_only_the_state_folder_is_written(night: CommandLine, tmp_path: Path, trick: str) -> None:
    folder, aside, elsewhere = night.root / ".nightdesk", night.root / "aside", tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.rename(aside)
    try:
        match trick:
            case "link":
                folder.symlink_to(elsewhere)
            case "file":
                folder.write_text("")
            case "folder in its place":
                (folder / "night-report.md").mkdir(parents=True)
        assert command.write(night.here) == [night.here.places.state / "reports" / "run-1.md"]
        assert os.listdir(elsewhere) == []
        if trick == "folder in its place":
            assert os.listdir(folder) == ["night-report.md"]  # and nothing half written beside it
    finally:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        elif folder.is_dir():
            (folder / "night-report.md").rmdir()
            folder.rmdir()
        aside.rename(folder)


def test_a_run_that_is_not_there_writes_nothing(line: CommandLine) -> None:
    assert command.write(line.here, "run-1") == []
    assert not (line.here.places.state / "reports").exists()


def test_a_long_log_is_read_page_by_page(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    wrote(line, seven())
    whole = command.build(line.here)
    monkeypatch.setattr(command, "PAGE", 3)
    assert isinstance(whole, Report)
    assert command.build(line.here) == whole
