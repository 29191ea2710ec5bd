"""`nightdesk decide`: what a run would decide about ticket files, without touching anything."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import CONFIG, CommandLine

PARKS = "---\nid: purge\ntitle: Purge old accounts on production\n---\n\nDelete those older than two years, for good.\n"
PROCEEDS = "# Tooltip overlaps the icon\n\n8px to the left, css only. Firefox.\n"


def ticket(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def lines(out: str) -> list[Any]:
    return [json.loads(line) for line in out.splitlines()]


def everything(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*")}


def test_one_json_line_a_file(line: CommandLine, tmp_path: Path) -> None:
    one, two = ticket(tmp_path, "one.md", PARKS), ticket(tmp_path, "two.md", PROCEEDS)
    first, second = lines(line.ok("decide", "--json", one, two).out)
    assert (first["file"], first["decision"], first["category"]) == (one, "PARK", "destructive")
    assert first["rule"] and first["why"] and first["question"] and len(first["options"]) >= 2
    assert first["evidence"][-1].startswith("line 6: ")
    assert (second["file"], second["decision"], second["category"], second["question"]) == (two, "PROCEED", "", "")


def test_people_read_sentences(line: CommandLine, tmp_path: Path) -> None:
    said = line.ok("decide", ticket(tmp_path, "one.md", PARKS), ticket(tmp_path, "two.md", PROCEEDS)).out
    assert "PARK" in said and "to decide: May this be deleted for good" in said and "1 write it so" in said
    assert "PROCEED" in said and "{" not in said


def test_standard_input(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PARKS.encode())))
    (row,) = lines(line.ok("decide", "--json", "-").out)
    assert (row["file"], row["ticket"], row["decision"]) == ("-", "purge", "PARK")


def test_all_problems_are_told_and_the_good_files_still_judged(line: CommandLine, tmp_path: Path) -> None:
    good = ticket(tmp_path, "good.md", PROCEEDS)
    bad = ticket(tmp_path, "bad.md", "---\npriority: [\n---\nx\n")
    absent, folder = str(tmp_path / "absent.md"), str(tmp_path)
    said = line.run("decide", "--json", bad, good, absent, folder)
    assert said.code == 2
    assert [row["file"] for row in lines(said.out)] == [good]
    assert "bad.md:2" in said.err and "absent.md" in said.err and "no ordinary file" in said.err
    assert "Traceback" not in said.err


def test_a_pipe_that_nobody_writes_to_does_not_hang(line: CommandLine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    said = line.run("decide", str(tmp_path / "pipe.md"))
    assert said.code == 2 and "no ordinary file" in said.err


def test_without_a_file_it_is_a_usage_error(line: CommandLine) -> None:
    assert line.run("decide").code == 2


def test_no_workspace_is_needed_and_nothing_is_left_behind(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, home = tmp_path / "nowhere", tmp_path / "fresh-home"
    place.mkdir()
    home.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(home))
    name = ticket(place, "a.md", PARKS)
    before = everything(place) | everything(home)
    assert lines(line.ok("decide", "--json", name).out)[0]["decision"] == "PARK"
    assert everything(place) | everything(home) == before


def test_trusted_overrides_count_and_the_ticket_beats_its_category(line: CommandLine, tmp_path: Path) -> None:
    line.settle(CONFIG + "decide: {destructive: PROCEED, halted: HALT}\n")
    one = ticket(tmp_path, "one.md", PARKS)
    two = ticket(tmp_path, "two.md", PARKS.replace("id: purge", "id: halted"))
    first, second = lines(line.ok("decide", "--json", one, two).out)
    assert (first["decision"], first["rule"]) == ("PROCEED", "override")
    assert (second["decision"], second["rule"]) == ("HALT", "override")


def test_overrides_that_nobody_trusts_are_left_out_with_the_reason(line: CommandLine, tmp_path: Path) -> None:
    line.settle(CONFIG + "decide: {destructive: PROCEED}\n", trusted=False)
    said = line.ok("decide", "--json", ticket(tmp_path, "one.md", PARKS))
    assert lines(said.out)[0]["decision"] == "PARK"
    assert "nightdesk trust" in said.err


def test_the_front_matter_s_hint_raises_caution(line: CommandLine, tmp_path: Path) -> None:
    text = "---\nblast_radius: foundational\n---\n" + PROCEEDS
    (row,) = lines(line.ok("decide", "--json", ticket(tmp_path, "a.md", text)).out)
    assert (row["decision"], row["rule"]) == ("PARK", "hint")


def test_a_hostile_title_does_not_reach_the_terminal_raw(line: CommandLine, tmp_path: Path) -> None:
    name = ticket(
        tmp_path, "a.md", "# Purge \x1b[31m accounts on production for good\n\nDelete all users\x1b]0;x\x07.\n"
    )
    assert "\x1b" not in line.ok("decide", name).out
