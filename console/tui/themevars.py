"""The variables of our own stylesheets: which there are, and what they are for a theme that does not set them.

DIFF panes, lists and frames take their colours from here; nothing here reads a file or knows an app.
"""

from __future__ import annotations

import math
from functools import lru_cache

from textual.theme import Theme

from console.tui.palette import contrast, readable, solid

TONES = ("go", "needs", "broke", "quiet")
"""The colours of states: `state-go` and so on, each with a text style `state-go-style`."""

FRAMES = ("frame", "frame-focus")
"""The kinds of line around a pane, and around the one that has the focus."""

FRAME_KINDS = ("round", "solid", "heavy", "double", "dashed", "ascii")

TEXT = 4.5
"""WCAG 2 contrast that text needs; what is no text needs 3."""


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Our own stylesheet variables, derived from `theme` for all that it does not set itself."""
    base = theme.to_color_system().generate()
    colours = _inks(theme, base)
    colours |= _grounds(theme, base | colours | theme.variables)
    return dict.fromkeys(_ordinary_variables() - base.keys(), "ansi_default") | colours | _styles(theme)


def _inks(theme: Theme, base: dict[str, str]) -> dict[str, str]:
    quiet = "ansi_default" if theme.ansi else _between(base["foreground"], base["background"])
    inks = {
        "state-go": base["text-success"],
        "state-needs": base["text-warning"],
        "state-broke": base["text-error"],
        "state-quiet": quiet,
        "diff-added": base["text-success"],
        "diff-removed": base["text-error"],
        "diff-hunk": base["text-primary"],
        "diff-file": base["foreground"],
        "diff-hazard": base["text-warning"],
        "code-string": base["text-accent"],
        "code-comment": quiet,
        "code-keyword": base["text-primary"],
        "code-number": base["text-warning"],
    }
    if theme.ansi:
        return inks
    grounds = [base["background"], base["surface"]]
    return {name: readable(ink, grounds, TEXT) for name, ink in inks.items()}


def _grounds(theme: Theme, given: dict[str, str]) -> dict[str, str]:
    """What lies under lines and words of a diff. `given`: the theme's own variables over the library's."""
    names = ("diff-added-ground", "diff-removed-ground", "diff-added-word", "diff-removed-word", "diff-cursor")
    if theme.ansi:
        return dict.fromkeys(names, "ansi_default")
    surface, ink = given["surface"], given["foreground"]
    code = [ink, *(given[name] for name in given if name.startswith("code-")), given["diff-hazard"]]
    added, removed = given["diff-added"], given["diff-removed"]
    shares = ((added, 0.10), (removed, 0.10), (added, 0.24), (removed, 0.24), (ink, 0.12))
    every = [*code, added, removed, given["state-quiet"]]
    return {
        name: _tinted(surface, hue, share, every if name == "diff-cursor" else [*code, hue])
        for name, (hue, share) in zip(names, shares, strict=True)
    }


def _styles(theme: Theme) -> dict[str, str]:
    plain = (*(f"state-{tone}-style" for tone in TONES), "diff-added-style", "diff-removed-style")
    styles = dict.fromkeys(plain, "none") | {"diff-hazard-style": "reverse"}
    styles |= {"state-needs-style": "bold", "diff-file-style": "bold"}
    styles["state-quiet-style"] = "dim" if theme.ansi else "none"
    styles["diff-word-style"] = "underline" if theme.ansi else "none"
    styles["diff-cursor-style"] = "reverse" if theme.ansi else "none"
    return styles | {"frame": "round", "frame-focus": "heavy" if theme.ansi else "round"}


def _between(ink: str, ground: str) -> str:
    """A quieter ink without alpha, which styles of single cells do not have."""
    return solid(ink, ground).blend(solid(ground), 0.35).hex


def _tinted(ground: str, hue: str, share: float, inks: list[str]) -> str:
    """`ground` with a `share` of `hue`, less of it where one of the `inks` could not be read on it."""
    below, colour = solid(ground), solid(hue, ground)
    while share > 0.02:
        tint = below.blend(colour, share).hex
        if min(contrast(ink, tint) for ink in inks) >= TEXT:
            return tint
        share -= 0.02
    return below.hex


def poor_inks(theme: Theme) -> list[str]:
    """What of a theme is hard to read, `name 3.1:1`, worst first, at most three; nothing is known of ansi colours."""
    if theme.ansi:
        return []
    given = theme.to_color_system().generate()
    given = variable_defaults(theme) | given | theme.variables
    inks = [name for name in given if name.split("-")[0] in ("state", "diff", "code") and _is_ink(name)]
    grounds = [given[name] for name in ("background", "surface", "panel")]
    pairs = [(min(contrast(given[ink], ground) for ground in grounds), ink) for ink in (*inks, "foreground")]
    pairs.append((contrast(given["block-cursor-foreground"], given["block-cursor-background"]), "block-cursor"))
    return [f"{ink} {math.floor(worst * 10) / 10}:1" for worst, ink in sorted(pairs) if worst < TEXT][:3]


def _is_ink(name: str) -> bool:
    return not name.endswith(("-style", "-ground", "-word", "-cursor"))


@lru_cache(maxsize=1)
def _ordinary_variables() -> frozenset[str]:
    """What the library's stylesheets take for granted; its generator for ansi themes leaves some of it out."""
    return frozenset(Theme(name="plain", primary="#808080").to_color_system().generate())


@lru_cache(maxsize=1)
def known_variables() -> frozenset[str]:
    """Every variable that a theme file may set: the screen library's and our own."""
    plain = Theme(name="plain", primary="#808080")
    return _ordinary_variables() | frozenset(variable_defaults(plain))
