"""Themes: the ones we ship work and can be read; a bad file is a sentence and never a crash."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from deskplay import NOW, DeskPlay, Noting, picture, toasts, until
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.app import ComposeResult
from textual.theme import Theme

from console.tui.app import NightdeskApp
from console.tui.guard import ConsoleApp
from console.tui.screens.appearance import Appearance
from console.tui.themefile import KEYS, STYLE_WORDS
from console.tui.themevars import FRAME_KINDS, poor_inks
from console.tui.theming import (
    TONES,
    known_variables,
    load_theme,
    load_themes,
    register_themes,
    themes_dir,
    use_theme,
    variable_defaults,
)
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.table import Column, VTable

OURS = ("dark", "light", "high-contrast", "colour-blind", "mono", "sixteen")


class Themed(ConsoleApp):
    def compose(self) -> ComposeResult:
        yield VTable([Column(4), Column(9)])
        yield LineDiff(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\x1b\n")

    def on_mount(self) -> None:
        tones = [*TONES, "plain"]
        self.query_one(VTable).set_rows(range(5), lambda index: [("●", tones[index]), tones[index]])


def loaded(name: str) -> Theme:
    theme = load_theme(themes_dir() / f"{name}.yaml")
    assert isinstance(theme, Theme), [problem.sentence() for problem in theme]
    return theme


def test_the_themes_that_we_ship_are_these_and_all_are_good() -> None:
    themes, bad = load_themes([themes_dir()])
    assert bad == []
    assert set(themes) == set(OURS)


async def test_every_theme_and_the_built_in_ones_can_be_switched_to_while_running() -> None:
    app = Themed()
    async with app.run_test(size=(60, 20)) as pilot:
        assert register_themes(app) == []
        for name in sorted(app.available_themes):
            assert use_theme(app, name) is None
            await pilot.pause()
            assert app.theme == name
            assert "›" in app.query_one(VTable).render_line(0).text
        assert app.is_running


def test_mono_has_no_colour_at_all_and_shows_states_and_the_cursor_by_attributes() -> None:
    theme = loaded("mono")
    variables = variable_defaults(theme) | theme.to_color_system().generate() | theme.variables
    colours = {value.split(" ")[0] for value in variables.values() if "ansi_" in value or value.startswith("#")}
    assert colours == {"ansi_default"}
    assert variables["block-cursor-text-style"] == "reverse"
    assert variables["state-broke-style"] != variables["state-needs-style"] != "none"


def test_sixteen_uses_the_terminals_own_colours_only() -> None:
    theme = loaded("sixteen")
    variables = theme.to_color_system().generate() | theme.variables
    assert not [value for value in variables.values() if value.startswith("#")]


@pytest.mark.parametrize(
    ("text", "key", "cure"),
    [
        ('primary: "red; } Screen { display: none"', "primary", "write a colour"),
        ('primary: "red"\nprimry: "red"', "primry", "did you mean `primary`"),
        ('primary: "red"\nvariables: {state-gone: "red"}', "variables.state-gone", "did you mean `state-go`"),
        ('primary: "red"\nvariables: {state-go: "red\\n}"}', "variables.state-go", "write a colour"),
        (
            'primary: "red"\nvariables: {block-cursor-text-style: "red"}',
            "variables.block-cursor-text-style",
            "use words",
        ),
        ('primary: "red"\ndark: "yes"', "dark", "write true or false"),
        ('primary: "red"\ntext-alpha: 7', "text-alpha", "between 0 and 1"),
        ('primary: "red"\nname: "No Name; }"', "name", "lower-case"),
        ("dark: true", "primary", "write a colour"),
        ("- a\n- b", "", "write `key: value`"),
        ("a: [", "", "write `key: value`"),
        ("x" * 70_000, "", "keep only theme settings"),
        ("primary: red\nvariables: [1]", "variables", "under it"),
    ],
)
def test_a_bad_file_names_file_key_and_cure(tmp_path: Path, text: str, key: str, cure: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    problems = load_theme(file)
    assert isinstance(problems, tuple)
    match = [problem for problem in problems if problem.key == key and cure in problem.cure]
    assert match, [problem.sentence() for problem in problems]
    assert match[0].sentence().startswith("mine.yaml:")
    assert match[0].sentence().isprintable()


def test_every_problem_of_a_file_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text('primary: "nope"\ndark: 3\nsize: 4')
    problems = load_theme(tmp_path / "mine.yaml")
    assert isinstance(problems, tuple) and {problem.key for problem in problems} == {"primary", "dark", "size"}


def test_bytes_that_are_no_text_and_a_missing_file_are_sentences_too(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes(b"\xff\xfe\0")
    assert "is not UTF-8" in load_theme(tmp_path / "mine.yaml")[0].sentence()  # type: ignore[index]
    assert "cannot be read" in load_theme(tmp_path / "none.yaml")[0].sentence()  # type: ignore[index]


async def test_the_users_folder_comes_last_and_its_bad_files_do_not_stop_the_good(tmp_path: Path) -> None:
    (tmp_path / "dark.yaml").write_text('name: dark\nprimary: "#123456"')
    (tmp_path / "bad.yaml").write_text("primary: 7")
    app = Themed()
    async with app.run_test():
        (problem,) = register_themes(app, tmp_path)
        assert problem.sentence().startswith("bad.yaml:1: primary: cannot be 7")
        assert app.available_themes["dark"].primary == "#123456"
        assert register_themes(app, tmp_path / "missing") == []


async def test_a_theme_that_breaks_the_stylesheet_is_refused_and_the_old_one_stays() -> None:
    app = Themed()
    async with app.run_test() as pilot:
        before = app.theme
        app.register_theme(Theme(name="evil", primary="red", variables={"state-go": "red; } Screen { display: none"}))
        problem = use_theme(app, "evil")
        await pilot.pause()
        assert problem is not None and "does not fit the stylesheet" in problem.sentence()
        assert "did you mean" not in (use_theme(app, "zzz") or problem).cure
        assert app.theme == before and app.is_running


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(sorted(known_variables())),
        st.text(st.sampled_from("red#1a;{}$ %()\n\"'\\ansi_greenbold123"), max_size=20)
        | st.sampled_from(["bold", "red 40%", "#123", "none none", "ansi_red", "rgb(1,2,3)", "hsl(1,2%,3%)", "auto"]),
        max_size=4,
    )
)
def test_whatever_passes_the_check_fits_the_stylesheet(tmp_path: Path, variables: dict[str, str]) -> None:
    import yaml
    from textual.css.stylesheet import Stylesheet

    file = tmp_path / "any.yaml"
    file.write_text(yaml.safe_dump({"name": "any", "primary": "#808080", "variables": variables}))
    theme = load_theme(file)
    if not isinstance(theme, Theme):
        return
    sheet = Stylesheet(variables=variable_defaults(theme) | theme.to_color_system().generate() | theme.variables)
    rules = "\n".join(
        f"X{n} {{ {'text-style' if '-style' in key else 'color'}: ${key}; }}" for n, key in enumerate(variables)
    )
    for css in (VTable.DEFAULT_CSS, LineDiff.DEFAULT_CSS, rules):
        sheet.add_source(css)
    sheet.parse()


def test_a_problem_names_its_line_and_one_file_may_have_many(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('# mine\nprimary: "red"\n\nvariables:\n  state-go: 7\n  frame: "none"\n  frame-focus: "heavy"\n')
    problems = load_theme(file)
    assert isinstance(problems, tuple)
    assert [(problem.key, problem.line) for problem in problems] == [("variables.state-go", 5), ("variables.frame", 6)]
    assert problems[0].sentence().startswith("mine.yaml:5: variables.state-go: cannot be 7; write a colour")
    file.write_text("primary: red\nbad: [\n")
    assert load_theme(file)[0].line >= 2  # type: ignore[index]


def test_a_pipe_in_the_folder_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "is not a file" in load_theme(tmp_path / "pipe.yaml")[0].sentence()  # type: ignore[index]


# -- the settings of the screen ---------------------------------------------------------------------------


MINE = '# My own\nname: mine\nprimary: "#5aa9e6"\nvariables: {state-go: "%s"}\n'


async def test_the_users_theme_is_seen_when_moved_over_kept_by_enter_and_follows_its_file(
    play: DeskPlay, tmp_path: Path
) -> None:
    (tmp_path / "themes").mkdir()
    file = tmp_path / "themes" / "mine.yaml"
    file.write_text(MINE % "#00ff00")
    (tmp_path / "themes" / "bad.yaml").write_text("primary: 7\ndark: 3\n")
    desk = replace(play.desk(), config_dir=tmp_path)
    app = NightdeskApp(client=Noting(play), desk=desk, hosted=None, environ={}, now=lambda: NOW)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.screen.query("#needs"))
        (told,) = toasts(pilot)
        assert "bad.yaml:1: primary" in told and "bad.yaml:2: dark" in told
        await pilot.press("comma")
        await until(pilot, lambda: isinstance(app.screen, Appearance) and app.screen.query_one(VTable).cursor_key)
        table = app.screen.query_one(VTable)
        assert table.cursor_key == "theme dark"
        table.select("theme mine")
        await until(pilot, lambda: app.theme == "mine")
        await pilot.press("escape")
        await until(pilot, lambda: app.theme == "dark" and not isinstance(app.screen, Appearance))
        assert desk.memory.get("theme") is None

        await pilot.press("comma")
        await until(pilot, lambda: isinstance(app.screen, Appearance) and app.screen.query_one(VTable).cursor_key)
        table = app.screen.query_one(VTable)
        table.select("theme mine")
        await pilot.press("enter")
        await until(pilot, lambda: desk.memory.get("theme") == "mine")
        assert app.theme == "mine"

        file.write_text(MINE % "#ff00ff ")
        assert app.looks.look() and not app.looks.look()
        await until(pilot, lambda: "mine.yaml:4: variables.state-go" in " ".join(toasts(pilot)))
        assert app.current_theme.variables["state-go"] == "#00ff00", "a bad file leaves what is shown"
        file.write_text(MINE % "#ff00aa")
        os.utime(file, ns=(1, 1))
        assert app.looks.look()
        await pilot.pause()
        assert app.get_css_variables()["state-go"] == "#ff00aa"
        assert str(table.get_component_styles("vtable--go").color.hex).lower() == "#ff00aa"
        file.unlink()
        assert app.looks.look() and app.theme == "mine", "a theme in use stays when its file goes"


async def test_glyphs_change_at_once_and_are_remembered_and_so_is_the_mouse(play: DeskPlay) -> None:
    play.plan("fix-cart")
    app = play.app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "◐" in picture(pilot))
        await pilot.press("comma")
        await until(pilot, lambda: isinstance(app.screen, Appearance) and app.screen.query_one(VTable).cursor_key)
        table = app.screen.query_one(VTable)
        table.select("glyphs ascii")
        await until(pilot, lambda: app.ascii and picture(pilot).isascii())
        table.select("theme dark")
        await until(pilot, lambda: not app.ascii and not picture(pilot).isascii())
        table.select("glyphs ascii")
        await pilot.press("enter")
        table.select("mouse off")
        await pilot.press("enter", "escape")
        await until(pilot, lambda: picture(pilot).isascii() and not isinstance(app.screen, Appearance))
        memory = app.desk.memory
        assert (memory.get("glyphs"), memory.get("mouse"), memory.get("theme")) == ("ascii", False, None)
        commands = {command.title for command in app.get_system_commands(app.screen)}
        assert {f"Theme: {name}" for name in OURS} <= commands


async def test_a_theme_asked_for_that_is_not_there_is_told_and_the_remembered_one_is_used(play: DeskPlay) -> None:
    desk = play.desk()
    desk.memory.set("theme", "light")
    app = NightdeskApp(client=Noting(play), desk=desk, hosted=None, environ={}, theme="lihgt", now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query("#needs"))
        assert app.theme == "light" and "did you mean `light`" in toasts(pilot)[0]


def test_what_a_users_theme_leaves_hard_to_read_is_known_and_ours_leave_nothing() -> None:
    assert all(poor_inks(loaded(name)) == [] for name in OURS)
    poor = poor_inks(Theme(name="mine", primary="#5aa9e6", variables={"state-go": "#203020"}))
    assert poor[0].startswith("state-go 1.")


def test_the_page_about_themes_names_every_key_and_its_example_is_good(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "themes.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "dusk.yaml").write_text(example, encoding="utf-8")
    theme = load_theme(tmp_path / "dusk.yaml")
    assert isinstance(theme, Theme) and poor_inks(theme) == []
    missing = [name for name in (*KEYS, *OURS, *STYLE_WORDS, *FRAME_KINDS) if f"`{name}`" not in page]
    plain = Theme(name="plain", primary="#808080")
    own = set(variable_defaults(plain)) - plain.to_color_system().generate().keys()
    suffixes = ("-style", "-ground", "-word")
    missing += [name for name in own if not any(f"`{name.removesuffix(end)}`" in page for end in ("", *suffixes))]
    assert missing == []


@pytest.mark.parametrize(
    "text, said",
    [
        ("primary: red\ndark: !!bool maybe\n", "is not YAML"),
        ("primary: red\nx: !!int ''\n", "is not YAML"),
        ("primary: red\nx: !!float ''\n", "is not YAML"),
        ("primary: red\nx: !!timestamp xx\n", "is not YAML"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nname: *b\nprimary: red\n", "refers to another value"),
        ("primary: red\nname: mine\nprimary: blue\n", "primary: is there twice"),
        ("primary: red\nvariables:\n  border: red\n  border: blue\n", "variables.border: is there twice"),
    ],
)
def test_no_yaml_keeps_the_console_from_starting(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    problems = load_theme(tmp_path / "mine.yaml")
    assert isinstance(problems, tuple) and said in problems[0].sentence()
