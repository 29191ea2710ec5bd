"""A script of conversations, and which reply of it a request is due. It must not know dialects' formats or sockets."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from dialects.words import Asked, Call, Fail, Json, Say, instance
from toolbox import call_for, ending, in_prose

SIDE_ANSWER = "Scripted work"
"""What a request without tools gets: agents ask for titles and summaries beside the conversation."""

SIDE_PROMPTS = ("[SUGGESTION MODE", "Managed memory has")
"""How requests begin that come with tools and are still none of the conversation's (Qwen Code's)."""

LONGEST = 3600.0
"""Seconds after which any silence of ours ends."""


@dataclass(frozen=True, slots=True)
class Hang:
    """No byte of an answer for that many seconds, then the connection is dropped."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Stall:
    """The beginning of `said`, then silence for that many seconds, then the connection is dropped."""

    seconds: float
    said: Say


@dataclass(frozen=True, slots=True)
class Cut:
    """The beginning of `said`, then the connection is dropped; clean: as if the answer had been complete."""

    said: Say
    clean: bool


Trouble = Fail | Hang | Stall | Cut
Reply = Say | Call | Trouble
TROUBLES = ("status", "hang", "stall", "cut")
MORE = {
    "status": {"times", "message", "type", "retry_after", "reset", "headers"},
    "hang": {"times"},
    "stall": {"times", "say"},
    "cut": {"times", "clean"},
    "say": {"chunks", "every"},
    **{verb: set() for verb in ("read", "write", "edit", "run", "call")},
}
"""What may stand beside each verb of a step."""


class Script:
    """`{"conversations": [{"match": TEXT, "steps": [STEP, ...]}, ...]}`; the README of this folder has the steps.

    The first conversation whose `match` is part of the last prompt is played ("" fits any). A trouble comes `times`
    times (for ever without `times`) before the step after it; after the last step the turn ends.
    """

    def __init__(self, script: Json) -> None:
        self.conversations: list[Json] = script["conversations"]
        for conversation in self.conversations:
            for step in conversation["steps"]:
                _check(step)
        self._played: Counter[tuple[str, int]] = Counter()
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Reply:
        """The reply that is due. Thread-safe."""
        if (not asked.tools and not asked.prose) or asked.prompt.startswith(SIDE_PROMPTS):
            return _side(asked)
        steps: list[Json] = next((c["steps"] for c in self.conversations if c.get("match", "") in asked.prompt), [])
        answered = 0
        for place, step in enumerate(steps):
            if any(word in step for word in TROUBLES):
                if answered == (0 if asked.prose else asked.done) and self._comes_again(asked.prompt, place, step):
                    return _trouble(step)
            elif asked.prose:
                return _prose(steps[place:], asked)
            elif answered == asked.done:
                return _reply(step, asked)
            else:
                answered += 1
        return _say("Done.", asked)

    def _comes_again(self, prompt: str, place: int, step: Json) -> bool:
        with self._lock:
            self._played[prompt, place] += 1
            return "times" not in step or self._played[prompt, place] <= step["times"]


def _check(step: Json) -> None:
    """A step that nobody could play is a ValueError, before an agent waits for it."""
    verb = next((verb for verb in MORE if verb in step), None)
    if verb is None or (unknown := set(step) - MORE[verb] - {verb}):
        wrong = f"{', '.join(sorted(unknown))} beside `{verb}`" if verb else "no verb"
        raise ValueError(f"{wrong} in the step {json.dumps(step)}; README.md has the steps")


def _side(asked: Asked) -> Say | Call:
    """What an agent gets that asks beside the conversation: a title, a route, a judgement, in the shape it wants."""
    if asked.schema is None:
        return Say(SIDE_ANSWER)
    value = instance(asked.schema)
    return Call(asked.forced, value) if asked.forced else Say(json.dumps(value))


def _trouble(step: Json) -> Trouble:
    said = Say("I was about to say something longer, but", chunks=4)
    match step:
        case {"hang": seconds}:
            return Hang(min(seconds, LONGEST))
        case {"stall": seconds}:
            return Stall(min(seconds, LONGEST), Say(step["say"], chunks=2) if "say" in step else said)
        case {"cut": text}:
            return Cut(Say(text, chunks=2) if isinstance(text, str) else said, step.get("clean", False))
    return Fail(
        step["status"],
        step.get("message", "as scripted"),
        step.get("retry_after", 0),
        step.get("reset", 0),
        step.get("type", ""),
        tuple(step.get("headers", {}).items()),
    )


def _say(text: str, asked: Asked, chunks: int = 1, every: float = 0.0) -> Say | Call:
    """Words that end the turn, by whatever means the agent has for that."""
    return ending(text, asked) or Say(text, chunks, min(every, LONGEST))


def _reply(step: Json, asked: Asked) -> Say | Call:
    match step:
        case {"say": text}:
            return _say(text, asked, step.get("chunks", 1), step.get("every", 0.0))
        case {"call": {"tool": tool, "args": args}}:
            return Call(tool, args, tool in asked.freeform)
    action, given = _action(step)
    return call_for(action, given, asked) or Say(f"No tool for `{action}` was offered.")


def _action(step: Json) -> tuple[str, Json]:
    action, given = next(iter(step.items()))
    return action, given if isinstance(given, dict) else {"command" if action == "run" else "path": given}


def _prose(steps: list[Json], asked: Asked) -> Say:
    """All steps up to the next trouble as one text: an agent without tools has one answer a turn."""
    own = list(takewhile(lambda step: not any(word in step for word in TROUBLES), steps))
    said = next((step for step in own if "say" in step), {})
    blocks = [in_prose(*_action(step), asked) for step in own if "say" not in step and "call" not in step]
    text = "\n\n".join([*(block for block in blocks if block), said.get("say", "Done.")])
    return Say(text, said.get("chunks", 1), min(said.get("every", 0.0), LONGEST))
