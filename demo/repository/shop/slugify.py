"""Titles of articles as parts of a URL."""


def slugify(title: str) -> str:
    """Lower-case words of letters and digits, joined by single dashes: `Blue Mug` -> `blue-mug`."""
    return "-".join(title.lower().split(" "))
