"""Titles of articles as parts of a URL."""

import re

WORD = re.compile(r"[a-z0-9]+")


def slugify(title: str) -> str:
    """Lower-case words of letters and digits, joined by single dashes: `Blue Mug` -> `blue-mug`."""
    return "-".join(WORD.findall(title.lower()))
