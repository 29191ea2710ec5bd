"""One command of ours under a shim: launched, waited for, stopped when its time is over, and what its end means.

It knows nothing about policies; a cancelled caller leaves no process behind.
"""

from __future__ import annotations

import asyncio
import os

from console.core.records import GateResult, ProcessEnd, Verdict, Where
from console.engine.ports import Processes, ProcessSpec

OUTPUT_KEPT = 16_000
"""Characters of a command's output that its result carries (the end); the file beside the log has more."""


async def run_limited(processes: Processes, spec: ProcessSpec, limit: float, where: Where) -> GateResult:
    """Run it for at most `limit` seconds. Cancelling stops the command, waits for its end and goes on cancelling."""
    running = await processes.launch(spec)
    if isinstance(running, ProcessEnd):
        return _result(running, False, where, spec.output)
    timed_out = False
    waiting = asyncio.ensure_future(running.wait())
    try:
        done, _ = await asyncio.wait({waiting}, timeout=limit)
        if not done:
            timed_out = True
            running.stop()
        return _result(await waiting, timed_out, where, spec.output)
    except asyncio.CancelledError:
        running.stop(0.5)
        await asyncio.shield(waiting)
        raise


def _result(end: ProcessEnd, timed_out: bool, where: Where, output: str) -> GateResult:
    """Only an exit 0 that was seen, in time and unasked, with its output kept, is green."""
    verdict: Verdict = "unjudged"
    reason = end.reason or f"its process was {end.how}"
    # One that ended by itself, and whose shim was still clearing up at the limit, was in time.
    if timed_out and (end.stopped or end.how not in ("exited", "signaled")):
        verdict, reason = "timeout", ""
    elif end.how in ("exited", "signaled") and not end.stopped and not end.reason:
        verdict, reason = ("green" if end.how == "exited" and end.code == 0 else "red"), ""
    return GateResult(
        verdict=verdict,
        reason=reason,
        where=where,
        code=end.code,
        signal=end.signal,
        seconds=round(end.seconds, 3),
        output=_tail(output),
        output_file=output,
        output_bytes=end.output_bytes,
        leftovers=len(end.leftovers),
    )


def _tail(output: str) -> str:
    try:
        with open(output, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 4 * OUTPUT_KEPT))
            return file.read().decode("utf-8", "replace")[-OUTPUT_KEPT:]
    except OSError:
        return ""
