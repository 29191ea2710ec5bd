"""When a parcel arrives."""

from datetime import date, timedelta


def arrives(ordered: date, days: int = 2) -> date:
    """The day a parcel arrives: `days` working days after the order."""
    return ordered + timedelta(days=days)
