"""Themes: the ones we ship work and can be read; a bad file is a sentence and never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.app import ComposeResult
from textual.color import Color
from textual.theme import Theme

from console.tui.guard import ConsoleApp
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


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two opaque colours."""

    def luminance(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("name", "least"), [("dark", 4.5), ("light", 4.5), ("colour-blind", 4.5), ("high-contrast", 7.0)]
)
def test_every_colour_of_text_can_be_read_on_every_ground(name: str, least: float) -> None:
    theme = loaded(name)
    inks = {key: value for key, value in theme.variables.items() if key.split("-")[0] in ("state", "diff", "code")}
    inks = {key: value for key, value in inks.items() if not key.endswith("-style")} | {"text": str(theme.foreground)}
    grounds = {str(theme.background), str(theme.surface), theme.variables["block-cursor-blurred-background"]}
    poor = {
        key: contrast(ink, ground) for key, ink in inks.items() for ground in grounds if contrast(ink, ground) < least
    }
    assert poor == {}
    assert contrast(theme.variables["block-cursor-foreground"], theme.variables["block-cursor-background"]) >= 4.5


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
        assert problem.sentence().startswith("bad.yaml: primary: cannot be 7")
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
