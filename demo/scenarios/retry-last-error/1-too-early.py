"""Calls that may fail for a moment: payment, stock, mail."""

import time
from collections.abc import Callable


def retry(
    call: Callable[[], object], attempts: int = 3, delay: float = 0.1, pause: Callable[[float], object] = time.sleep
) -> object:
    """Call until it works, at most `attempts` times, with doubling pauses in between; raises the last error."""
    for attempt in range(1, attempts):
        try:
            return call()
        except OSError:
            if attempt == attempts - 1:
                raise
            pause(delay * 2 ** (attempt - 1))
    return call()
