"""Judges, played: each looks at its folder and says what it thinks, or fails to. What they say is read by `policy`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from acting import Stage


async def strict(stage: Stage) -> None:
    """Wants the finding that it has to be dealt with in the file: passes what was written after its own words."""
    text = (stage.conversation.cwd / "hello.txt").read_text()
    if "says no name" in text:
        await stage.say("It greets somebody now.\n\nVERDICT: PASS")
    else:
        await stage.say("- high hello.txt: it says no name\n- low hello.txt: no full stop\n\nVERDICT: FAIL")


async def lenient(stage: Stage) -> None:
    await stage.say("I have nothing against it.\nVERDICT: PASS")


async def structured(stage: Stage) -> None:
    found = {"severity": "medium", "file": "hello.txt", "note": "too short"}
    await stage.say(json.dumps({"decision": "fail", "summary": "Not yet.", "findings": [found]}))


async def mute(stage: Stage) -> None:
    await stage.say("It is hard to say.")


async def slow(stage: Stage) -> None:
    """Starts something, and never comes to its end."""
    await asyncio.create_subprocess_exec("sleep", "600", start_new_session=True)
    await stage.say("Let me think.\nVERDICT: PASS")
    await asyncio.Event().wait()


async def asking(stage: Stage) -> None:
    allowed = await stage.ask("Run the tests")
    await stage.say("I was let do that.\nVERDICT: FAIL" if allowed else "I only read, then.\nVERDICT: PASS")


async def meddling(stage: Stage) -> None:
    """Changes what it judges, where nothing keeps it from that."""
    try:
        (stage.conversation.cwd / "hello.txt").write_text("Much better.\n")
    except OSError:
        await stage.say("I could not improve it.")
    await stage.say("VERDICT: PASS")


JUDGES: dict[str, Callable[[Stage], Awaitable[None]]] = {
    f"judge-{judge.__name__}": judge for judge in (strict, lenient, structured, mute, slow, asking, meddling)
}
