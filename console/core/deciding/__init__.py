"""What a ticket's text says about who must decide, before a file is touched. Pure: the same text, the same verdict.

Text may only raise caution; what was really touched, the diff says afterwards (`unannounced`).
"""

from __future__ import annotations

from console.core.deciding.after import unannounced
from console.core.deciding.judging import judge, overridden

__all__ = ["judge", "overridden", "unannounced"]
