"""The table of verbs and the user's own keys: nobody gets lost, nothing means two things, a bad line is harmless."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from deskplay import ME, DeskPlay, alone, picture, screen, seen, toasts, until
from textual.keys import _character_to_key
from textual.widgets import Input

from console.core import commands as cmd
from console.present import finding, keytable
from console.present.keytable import NO_KEY, PARTS, ROWS, SCREENS
from console.tui import keymap, keys
from console.tui.app import NightdeskApp
from console.tui.screens import health_faces, night, splitting, subject
from console.tui.screens.board import Board
from console.tui.screens.desk import DeskScreen
from console.tui.screens.night import NightScreen
from console.tui.screens.review import Review
from console.tui.screens.sheets import KeyHelp
from console.tui.screens.welcome import Welcome
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LinePane
from console.tui.widgets.table import VTable

OWNERS: dict[str, type] = {
    "desk": DeskScreen,
    "review": Review,
    "board": Board,
    "night": NightScreen,
    "welcome": Welcome,
    "app": NightdeskApp,
    "list": VTable,
    "text": LinePane,
    "diff": LineDiff,
}


# -- the table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", OWNERS)
def test_every_verb_of_a_place_has_its_action_and_no_key_has_two(where: str) -> None:
    rows = keytable.rows(where)
    owner = OWNERS[where]
    taken = [key for row in rows if row.action for key in row.keys.split(",") if key]
    assert len(taken) == len(set(taken))
    assert len({row.id for row in rows}) == len(rows)
    for row in rows:
        assert not row.action or hasattr(owner, f"action_{row.action.partition('(')[0]}"), row.id
        assert row.does and not row.does.endswith(".") and row.title
    bound = {binding.id for binding in owner.BINDINGS if getattr(binding, "id", None)}  # type: ignore[attr-defined]
    assert {row.id for row in rows if row.action and not row.fixed} == bound


def test_no_verb_is_only_on_what_a_terminal_swallows_and_every_screen_has_help_and_a_way_out() -> None:
    for row in ROWS:
        arrives = [key for key in row.keys.split(",") if key and not keymap._swallowed(key)]
        assert arrives or not row.keys, row.id
        assert set(row.where) <= {*SCREENS, *PARTS, "app"}
    for place in SCREENS:
        kept = {row.id for row in keytable.rows(place) if row.kept}
        assert "help" in kept and any(name.startswith(("leave", "back")) for name in kept)


def test_keys_are_named_as_people_write_them() -> None:
    named = {"question_mark": "?", "ctrl+p": "Ctrl+P", "escape": "Esc", "f1": "F1", "shift+tab": "Shift+Tab", "G": "G"}
    assert {key: keytable.label(key) for key in named} == named
    for char, name in keytable.SIGNS.items():
        assert _character_to_key(char) == name and keytable.label(name) == char == keytable.label(
            keymap.textual_name(char)
        )


# -- keys.yaml --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("", {}),
        ("# nothing\n", {}),
        ("approve: Y\n", {"approve": "Y"}),
        ("reject: [X, f5]\n", {"reject": "X,f5"}),
        ("interrupt: none\n", {"interrupt": NO_KEY}),
        ("stop: null\n", {"stop": NO_KEY}),
        ("help: [h, '?']\nleft: none\n", {"help": "h,question_mark", "left": NO_KEY}),
        ("approve: r\nreject: a\n", {"approve": "r", "reject": "a"}),
        ("palette: ';'\n", {"palette": "semicolon"}),
        ("timeline: Ctrl+T\n", {"timeline": "ctrl+t"}),
        ("leave: [C-q, q]\n", {"leave": "ctrl+q,q"}),
        ("board: PgDn\npage-down: none\n", {"board": "pagedown", "page-down": NO_KEY}),
        ("chains: K\n", {"chains": "K"}),
    ],
)
def test_lines_that_are_right_are_taken(text: str, own: dict[str, str]) -> None:
    assert keymap.read(text) == keymap.Keymap(own, ())


@pytest.mark.parametrize(
    ("text", "line", "what", "cure"),
    [
        ("approve: a\nundoo: u\n", 2, "no verb `undoo`", "did you mean `undo`?"),
        ("Next Waiting: w\n", 1, "no verb", "did you mean `next-waiting`?"),
        ("stop: banana\n", 1, "`banana` is no key", "a letter"),
        ("stop: entr\n", 1, "no key", "did you mean `enter`?"),
        ("help: none\n", 1, "cannot be switched off", "another key"),
        ("leave: off\n", 1, "cannot be switched off", "another key"),
        ("back: []\n", 1, "cannot be switched off", "another key"),
        ("open: ~\n", 1, "cannot be switched off", "another key"),
        ("palette-always: x\n", 1, "cannot be moved", "remove"),
        ("leave-at-once: q\n", 1, "cannot be moved", "remove"),
        ("approve: 3\n", 1, "digits choose", "another key"),
        ("approve: r\n", 1, "is the key of `reject`", "move `reject`, too"),
        ("approve: Y\nreject: Y\n", 2, "line 1 gives it to `approve`", "move"),
        ("approve: ctrl+p\n", 1, "is the key of `palette-always`", "another key"),
        ("approve: j\n", 1, "is the key of `down`", "move"),
        ("approve: enter\n", 1, "is the key of `open`", "move"),
        ("stop: escape\n", 1, "is the key of `back`", "move"),
        ("leave: C-q\n", 1, "never arrives", "add a second key"),
        ("approve: [alt+a, ctrl+s]\n", 1, "never arrives", "add a second key"),
        ("board: ctrl+m\n", 1, "sends enter", "another key"),
        ("board: ctrl+1\n", 1, "do not send", "another key"),
        ("board: shift+k\n", 1, "arrives as a character", "write `K`"),
        ("next-pane: P\n", 1, "taken from the fields", "types nothing"),
        ("alert: !\n", 1, "no key is given", "quotes"),
        ("pause: {a: b}\n", 1, "neither a key nor a list", "pause: F5"),
        ("undo: X\n\nundo: Y\n", 3, "there twice", "line 1 counts"),
        ("- a\n", 1, "no list of names", "approve: a"),
        ("help: ?\n", 1, "it is not YAML", "quotes"),
        ("a: [\n", 2, "it is not YAML", "quotes"),
    ],
)
def test_a_bad_line_is_told_with_its_place_and_cure_and_changes_nothing(
    text: str, line: int, what: str, cure: str
) -> None:
    found = keymap.read(text, "/home/ada/keys.yaml")
    (problem,) = found.problems
    assert problem.line == line and what in problem.what and cure in problem.cure, problem
    assert problem.sentence().startswith(f"/home/ada/keys.yaml:{line}: ")
    bad = text.splitlines()[line - 1].partition(":")[0] if line <= len(text.splitlines()) else ""
    assert bad not in found.own or "twice" in problem.what


def test_all_that_is_wrong_is_told_at_once_and_the_good_lines_count() -> None:
    found = keymap.read("foo: a\napprove: Y\nhelp: none\nreject: Y\nstop: banana\nundo: U\n")
    assert [problem.line for problem in found.problems] == [1, 3, 4, 5, 6]
    assert found.own == {"approve": "Y"}
    assert keymap.told(found.problems).count("\n") == 1 and "and 4 more" in keymap.told(found.problems)


def test_a_line_that_falls_takes_along_what_relied_on_it() -> None:
    found = keymap.read("reject: a\napprove: banana\n")
    assert found.own == {} and len(found.problems) == 2, "a stays approve's, so reject cannot have it"


def test_whatever_a_file_says_there_is_a_key_for_help_leaving_and_one_step_back() -> None:
    hostile = "".join(f"{row.id}: [f9]\n{row.id}: none\n" for row in ROWS) + "help: C-b\nleave: none\nback: [M-x]\n"
    found = keymap.read(hostile)
    keytable.use(found.own)
    try:
        for row in ROWS:
            assert not row.kept or any(not keymap._swallowed(key) for key in keytable.keys_of(row)), row.id
    finally:
        keytable.use({})


def test_a_file_that_cannot_be_read_is_told_and_one_that_is_not_there_is_not(tmp_path: Path) -> None:
    assert keymap.load(tmp_path) == keymap.Keymap({}, ())
    file = tmp_path / keymap.NAME
    for data, what in ((b"\xff\xfe", "not UTF-8"), (b"#" * (keymap.LARGEST + 1), "more than")):
        file.write_bytes(data)
        (problem,) = keymap.load(tmp_path).problems
        assert what in problem.what and not problem.line
    file.unlink()
    file.mkdir()
    assert "cannot be read" in keymap.load(tmp_path).problems[0].what


async def test_the_keys_of_the_user_act_are_shown_and_are_named_in_sentences(
    play: DeskPlay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "reject: X\nundo: 'none'\nstop: a\napprove: Y\nhelp: [h, '?']\nleft: none\nfoo: z\n"
    (tmp_path / keymap.NAME).write_text(text)
    desk_of_play = play.desk
    monkeypatch.setattr(play, "desk", lambda: dataclasses.replace(desk_of_play(), config_dir=tmp_path))
    plan = play.plan("fix-cart")
    try:
        async with screen(play) as (pilot, desk):
            await until(pilot, lambda: any("there is no verb `foo`" in toast for toast in toasts(pilot)))
            await seen(pilot, plan)
            await until(pilot, lambda: "Y approve  X reject" in picture(pilot))
            await pilot.press("r", "u")
            await alone(pilot)
            await pilot.press("a")
            await until(pilot, lambda: "choose a session first" in toasts(pilot)[-1])
            await alone(pilot)
            await pilot.press("h")
            await until(pilot, lambda: isinstance(pilot.app.screen, KeyHelp))
            lines = pilot.app.screen.lines(70)  # type: ignore[attr-defined]
            assert any(line.startswith("Y         Approve") for line in lines)
            assert any("On no key" in line for line in lines) and any("`foo`" in line for line in lines)
            await pilot.press("escape", "slash", *"Xr")
            await until(pilot, lambda: desk.query_one("#filter", Input).value == "Xr")
            await pilot.press("escape")
            await seen(pilot, plan)
            await pilot.press("X")
            await until(pilot, lambda: play.sent)
            assert play.sent == [cmd.Reject(policy=play.state.plans[plan].policy, plan=plan, by=ME)]
            assert keys.key("undo") == ": undo"
    finally:
        keytable.use({})


@pytest.mark.parametrize("owner", [DeskScreen, Review, Board, NightScreen])
def test_no_two_parts_of_a_screen_have_a_private_function_of_one_name(owner: type) -> None:
    """A screen is made of parts that do not know each other: one would be called in place of the other."""
    parts = [each for each in owner.__mro__ if each.__module__.startswith("console.")]
    twice = []
    for i, upper in enumerate(parts):
        for lower in parts[i + 1 :]:
            strangers = not issubclass(upper, lower)
            mine = {n: each for n, each in vars(upper).items() if n.startswith("_") and not n.startswith("__")}
            names = {n for n, each in mine.items() if callable(each)}
            twice += [f"{upper.__name__}.{n} hides {lower.__name__}.{n}" for n in names & set(vars(lower)) if strangers]
    assert twice == []


def test_sentences_of_empty_lists_and_waiting_work_name_the_keys_that_are_in_force_now(play: DeskPlay) -> None:
    keytable.use({"start-run": "f5", "next-waiting": "f6", "stop": "f7", "back": "f8"})
    try:
        asked = play.working("ask-me")
        assert "F7 stops it" in finding.over(play.state, f"session:{asked}")
        assert "F5 on the desk" in night.empty() and "and F8 go between" in splitting.no_room()
        assert any("F6 goes to it" in line for line in (*subject.quiet(), *health_faces.waiting().why))
    finally:
        keytable.use({})
