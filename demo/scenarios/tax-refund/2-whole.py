"""Prices are whole cents; nothing here ever sees a float."""


def show(cents: int, currency: str = "EUR") -> str:
    """`123456` -> `1,234.56 EUR`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d} {currency}"


def with_tax(cents: int, percent: int) -> int:
    """The price with tax, rounded half away from zero to the cent."""
    sign = -1 if cents < 0 else 1
    return sign * ((abs(cents) * (100 + percent) + 50) // 100)
