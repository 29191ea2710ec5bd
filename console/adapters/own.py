"""Children that this process started in a session of their own without a shim: our gits. Who looks for what came to us
by adoption has to know them. A room of its own: what starts git must not load what looks at /proc."""

from __future__ import annotations

PIDS: set[int] = set()
"""Entered as soon as they run, taken out when they have been waited for; from any thread, in operations of one step."""
