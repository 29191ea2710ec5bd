"""What a customer has picked."""


def merged(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Two carts as one: of what is in both, the counts add up."""
    names = [*one, *(name for name in other if name not in one)]
    return {name: one.get(name, 0) + other.get(name, 0) for name in names}
