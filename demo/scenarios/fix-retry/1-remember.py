"""Calls that may fail for a moment: payment, stock, mail."""

import time
from collections.abc import Callable


def retry(
    call: Callable[[], object], attempts: int = 3, delay: float = 0.1, pause: Callable[[float], object] = time.sleep
) -> object:
    """Call until it works, at most `attempts` times, with doubling pauses in between; raises the last error."""
    failure: OSError | None = None
    for attempt in range(attempts):
        try:
            return call()
        except OSError as error:
            failure = error
            pause(delay * 2**attempt)
    return failure
