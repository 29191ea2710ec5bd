"""The list of what the shop sells."""


def by_name(names: list[str]) -> list[str]:
    """Names in the order of a dictionary, whatever their case."""
    return sorted(names)
