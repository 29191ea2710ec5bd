"""What a customer has picked."""


def merged(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Two carts as one: of what is in both, the counts add up."""
    both = dict(one)
    for name, count in other.items():
        both[name] = count
    return both
