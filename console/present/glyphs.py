"""The sign of every state: glyph, ASCII glyph, word and colour class, always shown together.

One table for the screen and the command line. It decides nothing: an unknown word shows as itself, quietly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["go", "needs", "broke", "quiet", "plain"]
"""go: moves by itself. needs: waits for a person. broke: failed. quiet: nothing to do. plain: no colour of its own."""


@dataclass(frozen=True, slots=True)
class Sign:
    """How one state looks: one cell of glyph, the word, and the name of its style."""

    glyph: str
    ascii: str
    word: str
    tone: Tone

    def mark(self, *, ascii_only: bool = False) -> str:
        """The glyph alone, one cell."""
        return self.ascii if ascii_only else self.glyph

    def text(self, *, ascii_only: bool = False) -> str:
        """Glyph and word, `● working`."""
        return f"{self.mark(ascii_only=ascii_only)} {self.word}"


_SHAPES: dict[str, tuple[str, str, Tone]] = {
    "runs": ("●", "*", "go"),
    "waits": ("◐", "%", "needs"),
    "idle": ("○", "o", "quiet"),
    "starts": ("⟳", "~", "go"),
    "again": ("⟳", "~", "needs"),
    "done": ("✓", "+", "go"),
    "failed": ("✕", "x", "broke"),
    "held": ("⊘", "#", "quiet"),
    "parked": ("⊘", "#", "needs"),
    "blocked": ("⊘", "#", "broke"),
    "asks": ("?", "?", "needs"),
    "look": ("!", "!", "needs"),
    "alarm": ("!", "!", "broke"),
    "over": ("·", ".", "quiet"),
}

_WORDS: dict[str, str] = {
    "runs": "running working gating acting landing undoing draining reviewing busy",
    "waits": "waiting awaiting-ack ready-for-you review",
    "idle": "idle queued watching ready pending paused quiet stopped suspended waiting-for-dependency",
    "starts": "starting restarting nudging resuming stopping retrying approved",
    "again": "restarts",
    "done": "done landed green drained passed shipped",
    "failed": "failed red crashed hung lost failed_retryable failed_bug_in_agent timeout error halted given-up",
    "held": "held quarantined superseded void cancelled rejected skipped dropped",
    "parked": "parked parked_decision parked_foundational",
    "blocked": "blocked blocked_env unjudged",
    "asks": "question awaiting-input decide decision",
    "look": "look done_low_confidence low_yield doubtful flaky usage-limit slow suspect",
    "alarm": "alert alarm short stuck escalated stalled",
    "over": "exited ended unknown log",
}

_SPOKEN = {
    "awaiting-ack": "waits for you",
    "waiting": "waits for you",
    "awaiting-input": "asks",
    "done_low_confidence": "low confidence",
    "parked_decision": "parked",
    "parked_foundational": "parked, foundational",
    "blocked_env": "blocked, environment",
    "failed_retryable": "failed, may retry",
    "failed_bug_in_agent": "failed, agent",
    "unjudged": "could not judge",
    "low_yield": "low yield",
    "waiting-for-dependency": "waits for another",
    "given-up": "given up",
}


def _table() -> dict[str, Sign]:
    return {
        word: Sign(*_SHAPES[shape][:2], _SPOKEN.get(word, word), _SHAPES[shape][2])
        for shape, words in _WORDS.items()
        for word in words.split()
    }


def shapes() -> list[tuple[str, str]]:
    """Every glyph with its ASCII form."""
    return [(glyph, plain) for glyph, plain, _ in _SHAPES.values()]


SIGNS = _table()
"""State word in lower case -> its sign. The seven outcomes are here in lower case."""


def sign(state: str) -> Sign:
    """The sign of a state word in any case; an unknown word is shown as it is, with a quiet dot."""
    return SIGNS.get(state.lower()) or Sign("·", ".", state, "quiet")
