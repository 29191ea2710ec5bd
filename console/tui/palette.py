"""Colours as numbers: how well one is read on another, and what they become where a terminal shows fewer, or none.

The library's own conversion to 256 colours turns dark grounds with a tint into black or into colours that are loud;
here the nearest colour to the eye is taken, and an ink that could be read stays one that can.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

Rgb = tuple[int, int, int]
Lab = tuple[float, float, float]

READ = 4.5
"""WCAG 2 contrast of text on its ground, at least."""

SEEN = 3.0
"""The same of what is no text: frames, the thumb of a scrollbar."""

CUBE = (0, 95, 135, 175, 215, 255)
FIRST, LAST = 16, 255
"""The 256 colours without the first sixteen, which are the terminal's own and may be anything."""


def rgb_of(number: int) -> Rgb:
    """Red, green, blue (0 to 255) of one of the colours 16 to 255, the same in every terminal."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return grey, grey, grey
    red, rest = divmod(number - FIRST, 36)
    green, blue = divmod(rest, 6)
    return CUBE[red], CUBE[green], CUBE[blue]


@lru_cache(maxsize=4096)
def luminance(rgb: Rgb) -> float:
    """WCAG 2 relative luminance, 0 to 1."""
    red, green, blue = (_linear(part) for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def ratio(one: Rgb, other: Rgb) -> float:
    """WCAG 2 contrast, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def solid(value: str, ground: str = "#000000") -> Color:
    """A stylesheet's colour as it looks on `ground`: `auto` is black or white, a share behind it is how much of it."""
    name, _, share = value.rpartition(" ") if value.endswith("%") else (value, "", "100%")
    below = Color.parse(ground)
    colour = below.get_contrast_text(1.0) if name == "auto" else Color.parse(name)
    shown = colour.a * float(share.rstrip("%")) / 100
    return Color(*below.blend(colour, shown, 1.0).rgb)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of an ink on a ground, in any notation that a theme may use."""
    ground = solid(other)
    return ratio(solid(one, ground.hex).rgb, ground.rgb)


def readable(ink: str, grounds: list[str], least: float) -> str:
    """`ink`, or as little of black or white mixed into it as makes it readable on all `grounds`; without alpha."""
    below = [solid(ground).rgb for ground in grounds]
    colour = solid(ink, solid(grounds[0]).hex)
    goal = Color(255, 255, 255) if luminance(below[0]) < 0.18 else Color(0, 0, 0)
    for step in range(11):
        mixed = colour.blend(goal, step / 10)
        if min(ratio(mixed.rgb, ground) for ground in below) >= least:
            return mixed.hex
    return goal.hex


@lru_cache(maxsize=4096)
def _lab(rgb: Rgb) -> Lab:
    """OKLab (B. Ottosson, 2020): equal distances look equally far."""
    red, green, blue = (_linear(part) for part in rgb)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _distance(one: Lab, other: Lab) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=4096)
def nearest(rgb: Rgb) -> int:
    """The one of the colours 16 to 255 that looks most like `rgb`."""
    wanted = _lab(rgb)
    return min(range(FIRST, LAST + 1), key=lambda number: _distance(_lab(rgb_of(number)), wanted))


@lru_cache(maxsize=4096)
def ink_on(ink: Rgb, ground: Rgb) -> tuple[int, int]:
    """Both as numbers of 16 to 255. What could be read, or seen, before can be afterwards: the ground stays nearest,
    the ink is the nearest that is far enough from it."""
    number, below = nearest(ink), nearest(ground)
    was = ratio(ink, ground)
    least = READ if was >= READ else SEEN if was >= SEEN else 1.0
    if ratio(rgb_of(number), rgb_of(below)) >= least:
        return number, below
    far = [each for each in range(FIRST, LAST + 1) if ratio(rgb_of(each), rgb_of(below)) >= least]
    wanted = _lab(ink)
    return min(far, key=lambda each: _distance(_lab(rgb_of(each)), wanted), default=number), below


@lru_cache(maxsize=2048)
def in_256(style: Style) -> Style:
    """`style` with its 24-bit colours as numbers of the 256; every other colour as it is."""
    ink, ground = style.color, style.bgcolor
    over, under = _triplet(ink), _triplet(ground)
    if over and under:
        front, back = ink_on(over, under)
    else:
        front, back = nearest(over) if over else 0, nearest(under) if under else 0
    return style + Style.from_color(_numbered(front) if over else None, _numbered(back) if under else None)


def _triplet(colour: RichColor | None) -> Rgb | None:
    if colour is None or colour.triplet is None:
        return None
    red, green, blue = colour.triplet
    return red, green, blue


def _numbered(number: int) -> RichColor:
    return RichColor(f"color({number})", ColorType.EIGHT_BIT, number=number)


class In256(LineFilter):
    """24-bit colours as the 256, for terminals that do not say that they show more."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, in_256(style) if style else style, control) for text, style, control in segments]


@lru_cache(maxsize=2048)
def colourless(style: Style) -> Style:
    """The attributes of a style alone: nothing of it becomes a colour on the way to the terminal."""
    return style.without_color


class Colourless(LineFilter):
    """No colour at all, also not the terminal's default ones by number: attributes only."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, colourless(style) if style else style, control) for text, style, control in segments]
