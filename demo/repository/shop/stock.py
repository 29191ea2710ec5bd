"""Counting what is on the shelves."""


def read_counts(text: str) -> dict[str, int]:
    """`mug;12` lines, one a product -> {"mug": 12}."""
    counts = {}
    for line in text.splitlines():
        name, count = line.split(";")
        counts[name.strip()] = int(count)
    return counts
