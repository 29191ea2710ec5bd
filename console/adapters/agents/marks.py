"""What the marks of a preset find in the output of one turn (`Launch.output`). Pure.

They can fail a turn and name its trouble, and make one wait for its positive end; they never make a failure a success.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from console.adapters.agents import faults, resets, retries
from console.adapters.agents.faults import Fault
from console.adapters.agents.payloads import brief, clean
from console.core.presets import fits
from console.core.records import Output

LOOKED_AT, KEPT = 4096, 500
WRAPPED = 5
"""Lines over which an error message may be spread: agents wrap at 80 columns, and the time stands at its end."""
KINDS: tuple[Literal["limit", "overload", "auth"], ...] = ("limit", "overload", "auth")

_ESCAPE = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]")


class Marks:
    """Of one turn. ended: its positive end was seen. failed, asked, lost, trouble (a limit, an overload, a
    login): the line that said so, "" for none. A positive end takes back a failure and a trouble before it: agents
    whose request fails try again. A trouble behind it takes it back: what ended well was one request of several."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._any = output != Output()
        self._trouble = faults.NONE
        self._told: list[str] = []
        self.ended = False
        self.failed = self.asked = self.lost = self.trouble = ""

    @property
    def needs_end(self) -> bool:
        """Whether a turn without a positive end has failed."""
        return bool(self._output.ended)

    @property
    def fault(self) -> Fault:
        """The last trouble that was marked since the last positive end."""
        return self._trouble

    def take(self, line: str, event: Mapping[str, Any] | None, now: float) -> bool:
        """Look at one line; True when it says that the agent tries again."""
        if not self._any:
            return False
        line = _ESCAPE.sub("", line[:LOOKED_AT]).strip()
        fit = {
            kind for kind in Output.__struct_fields__ if any(fits(m, line, event) for m in getattr(self._output, kind))
        }
        said = brief(event, KEPT) if event is not None else clean(line)[:KEPT]
        if "ended" in fit:
            self.ended, self.failed, self.trouble, self._trouble = True, "", "", faults.NONE
        elif fit & {"failed", *KINDS}:
            self.ended = False
        self.failed = said if "failed" in fit else self.failed
        self.asked = self.asked or (said if "asked" in fit else "")
        self.lost = self.lost or (said if "lost" in fit else "")
        self.trouble = said if fit & {*KINDS} else self.trouble
        self._watch_trouble(fit, line, event, now)
        return "retrying" in fit

    def _watch_trouble(self, fit: set[str], line: str, event: Mapping[str, Any] | None, now: float) -> None:
        kind = next((kind for kind in KINDS if kind in fit), None)
        if kind:
            self._trouble, self._told = _fault(kind, line, event, now), [] if event is not None else [line]
        elif event is not None or not line or "retrying" in fit or retries.is_plain(line):
            self._told = []
        elif self._told and len(self._told) < WRAPPED and self._trouble.kind in ("limit", "overload"):
            self._told.append(line)
            until = self._trouble.until or resets.stated(" ".join(self._told), now)
            self._trouble = Fault(kind=self._trouble.kind, until=until)


def _fault(kind: Literal["limit", "overload", "auth"], line: str, event: Mapping[str, Any] | None, now: float) -> Fault:
    if kind == "auth":
        return Fault(kind=kind)
    return Fault(kind=kind, until=resets.stated(line, now) if event is None else faults.until_of(event, now))
