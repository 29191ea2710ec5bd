"""Every theme can be read: the pairs of ink and ground that real screens draw, in 24 bit and in the 256 colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from deskplay import DeskPlay, until
from hypothesis import given, settings
from hypothesis import strategies as st
from queuedesk import Queue, a_morning
from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot
from textual.theme import Theme

from console.tui.palette import READ, SEEN, contrast, in_256, ink_on, nearest, ratio, rgb_of
from console.tui.screens.appearance import Appearance
from console.tui.screens.sheets import AskText
from console.tui.theming import load_theme, themes_dir, variable_defaults

RGB = ("dark", "light", "high-contrast", "colour-blind")
LEAST = {"high-contrast": 7.0}
FRAMES = range(0x2500, 0x25A0)


def variables(name: str) -> dict[str, str]:
    theme = load_theme(themes_dir() / f"{name}.yaml")
    assert isinstance(theme, Theme), [problem.sentence() for problem in theme]
    return variable_defaults(theme) | theme.to_color_system().generate() | theme.variables


# -- what screens draw ------------------------------------------------------------------------------------


def drawn(app: Any, region: Region) -> Iterator[Segment]:
    """Segments with text, cropped to a region; frames and blanks are not text."""
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        if region.y <= y < region.bottom:
            for segment in strip.crop(region.x, region.right):
                if any(not char.isspace() and ord(char) not in FRAMES for char in segment.text):
                    yield segment


def hard_to_read(segments: list[Segment], least: float) -> dict[str, float]:
    """`text`: contrast, for whatever is below `least`, in 24 bit or in the 256 colours."""
    found: dict[str, float] = {}
    for text, style, _ in segments:
        assert style is not None and style.color is not None and style.bgcolor is not None, text
        assert style.color.triplet is not None and style.bgcolor.triplet is not None, (text, style)
        shown = in_256(style)
        fewer = ratio(rgb_of(shown.color.number), rgb_of(shown.bgcolor.number))  # type: ignore[union-attr,arg-type]
        worst = {"": ratio(tuple(style.color.triplet), tuple(style.bgcolor.triplet)), " in 256": fewer}  # type: ignore[arg-type]
        for how, seen in worst.items():
            if seen < (least if not how else READ):
                found[f"{text.strip()}{how}: {style}"] = round(seen, 2)
    return found


async def diff(pilot: Pilot[Any]) -> Region:
    at: Any = pilot.app.screen
    at.table("needs").select(next(key for key in at.table("needs")._keys if str(key).startswith("plan:")))
    await until(pilot, lambda: at.subject.id.startswith("plan:"))
    await pilot.press("enter")
    await until(pilot, lambda: at.detail.has_focus_within)
    for severity in ("information", "warning", "error"):
        pilot.app.notify(f"a {severity} with a title", title="Title", severity=severity, timeout=60)
    return at.region


async def sheet(pilot: Pilot[Any]) -> Region:
    pilot.app.clear_notifications()
    await pilot.press("comma")
    await until(pilot, lambda: isinstance(pilot.app.screen, Appearance))
    return pilot.app.screen.query_one("Vertical").region


async def field(pilot: Pilot[Any]) -> Region:
    await pilot.app.pop_screen()
    pilot.app.push_screen(AskText("What should it do?"))
    await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
    await pilot.press("h", "i", "shift+left")
    return pilot.app.screen.query_one("Vertical").region


async def palette(pilot: Pilot[Any]) -> Region:
    await pilot.app.pop_screen()
    pilot.app.action_command_palette()
    await until(pilot, lambda: len(pilot.app.screen.query("CommandList")) and pilot.app.screen.region.area)
    await pilot.press("t", "h", "e")
    listed: Any = pilot.app.screen.query_one("CommandList")
    await until(pilot, lambda: listed.option_count > 2 and listed.region.area)
    typed: Region = pilot.app.screen.query_one("CommandInput").region
    return typed.union(listed.region)


async def test_what_every_screen_draws_in_every_theme_can_be_read(play: DeskPlay) -> None:
    a_morning(play, Queue(play))
    play.asks(play.working("asker"))
    play.blocked("red")
    play.alerts()
    app = play.app()
    poor: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.screen.query("#needs"))
        for name, step in [(name, step) for step in (diff, sheet, field, palette) for name in RGB]:
            app.theme = name
            await pilot.pause()
            if name == RGB[0] or step is palette:  # which makes its colours when it opens
                region = await step(pilot)
            seen = list(drawn(app, region))
            assert len(seen) > 3
            found = hard_to_read(seen, LEAST.get(name, READ))
            poor |= {f"{name}, {step.__name__}: {what}": by for what, by in found.items()}
    assert poor == {}


# -- what screens may draw --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RGB)
def test_every_ink_can_be_read_on_every_ground_that_it_may_stand_on(name: str) -> None:
    has = variables(name)
    states = [key for key in has if key.startswith("state-") and not key.endswith("-style")]
    code = [key for key in has if key.startswith("code-")]
    plain = ["background", "surface", "panel", "block-cursor-blurred-background"]
    pairs = [(ink, ground) for ink in (*states, *code, "foreground", "diff-hazard") for ground in plain]
    pairs += [(ink, ground) for ink in ("diff-added", "diff-removed", "diff-hunk", "diff-file") for ground in plain]
    for side in ("added", "removed"):
        grounds = (f"diff-{side}-ground", f"diff-{side}-word", "diff-cursor")
        pairs += [(ink, ground) for ink in (f"diff-{side}", "foreground", "diff-hazard", *code) for ground in grounds]
    pairs += [("state-quiet", "diff-cursor"), ("diff-hunk", "diff-cursor"), ("diff-file", "diff-cursor")]
    pairs += [("block-cursor-foreground", "block-cursor-background"), ("footer-key-foreground", "panel")]
    found = {f"{ink} on {ground}": seen for ink, ground in pairs if (seen := worst(has, ink, ground)) < READ}
    assert name != "high-contrast" or all(contrast(has[ink], has[ground]) >= 7 for ink, ground in pairs[:48])
    assert found == {}


@pytest.mark.parametrize("name", RGB)
def test_the_frame_of_the_focus_the_scrollbars_thumb_and_the_marks_of_a_diff_are_seen(name: str) -> None:
    has = variables(name)
    pairs = [("border", "background"), ("border", "surface"), ("scrollbar", "scrollbar-background")]
    found = {f"{ink} on {ground}": seen for ink, ground in pairs if (seen := worst(has, ink, ground)) < SEEN}
    assert found == {}
    for word in ("diff-added-word", "diff-removed-word"):
        grounds = {nearest(rgb(has[key])) for key in ("surface", "diff-cursor", word)}
        assert len(grounds) == 3, "two of them are the same in 256 colours"


def rgb(colour: str) -> tuple[int, int, int]:
    return Color.parse(colour).rgb


def worst(has: dict[str, str], ink: str, ground: str) -> float:
    """The lower contrast of both ways to show it."""
    over, under = ink_on(rgb(has[ink]), rgb(has[ground]))
    return round(min(contrast(has[ink], has[ground]), ratio(rgb_of(over), rgb_of(under))), 2)


@pytest.mark.parametrize("name", RGB)
def test_bars_panes_and_the_ground_stay_near_themselves_in_256_colours(name: str) -> None:
    """The library's own conversion made black or blue of dark grounds; lightness and hue stay within an eye's reach."""
    has = variables(name)
    for key in ("background", "surface", "panel", "block-cursor-blurred-background"):
        wanted, shown = rgb(has[key]), rgb_of(nearest(rgb(has[key])))
        assert max(abs(a - b) for a, b in zip(wanted, shown, strict=True)) <= 24, (key, wanted, shown)
    if name != "high-contrast":
        assert nearest(rgb(has["panel"])) != nearest(rgb(has["background"]))


@settings(deadline=None)
@given(*[st.tuples(*[st.integers(0, 255)] * 3)] * 2)
def test_what_can_be_read_in_24_bit_can_be_read_in_256_colours(
    ink: tuple[int, int, int], ground: tuple[int, int, int]
) -> None:
    over, under = ink_on(ink, ground)
    assert ratio(ink, ground) < READ or ratio(rgb_of(over), rgb_of(under)) >= READ or not reachable(under)


def reachable(ground: int) -> bool:
    return any(ratio(rgb_of(each), rgb_of(ground)) >= READ for each in (16, 231))


# -- what can be said where colours are the terminal's own ------------------------------------------------


@pytest.mark.parametrize("name", ["mono", "sixteen"])
def test_no_text_stands_on_a_ground_of_its_own_and_nothing_is_told_by_colour_alone(name: str) -> None:
    """What the terminal's own colours are nobody knows: every ground is its default, on which its colours are meant to
    be read; the cursor is that reversed, the focus a heavy frame, a changed word underlined."""
    has = variables(name)
    used = ("background", "surface", "panel", "boost", "block-cursor-background", "block-cursor-blurred-background")
    grounds = {
        has[key]
        for key in (
            *used,
            *(
                key
                for key in has
                if key.startswith("diff-") and "-style" not in key and key.endswith(("ground", "word", "cursor"))
            ),
        )
    }
    assert grounds <= {"ansi_default", "transparent"}
    assert has["frame"] != has["frame-focus"] and "reverse" in has["block-cursor-text-style"]
    assert {has["diff-word-style"], has["diff-cursor-style"]}.isdisjoint({"none"})
    assert has["state-broke-style"] != has["state-needs-style"] != has["state-go-style"]
