"""What a supervisor has to cope with: agents that ask, hang, crash, ignore signals, leave servers, write escapes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable

import acp
from acting import Stage, night
from judging import JUDGES


async def echo(stage: Stage) -> None:
    await stage.say("I will write what I was told.")
    await stage.edit("hello.txt", [stage.conversation.heard + "\n"])


async def ask(stage: Stage) -> None:
    if await stage.ask("Write allowed.txt"):
        await stage.edit("allowed.txt", ["allowed\n"])
    else:
        await stage.say("Then I will leave it.")


async def hang(stage: Stage) -> None:
    await stage.say("This will take a while.")
    await asyncio.Event().wait()


async def steady(stage: Stage) -> None:
    """Works for ever, and shows it; silent as long as there is a file `hush` in its folder."""
    step = 0
    while True:
        if not (stage.conversation.cwd / "hush").exists():
            step += 1
            await stage.update(acp.update_agent_message_text(f"Step {step}.\n"))
        await asyncio.sleep(max(stage.pace, 0.05))


async def stalls_once(stage: Stage) -> None:
    """Waits in its first turn for a line that is dead; steady when it is prompted again."""
    if stage.conversation.prompts > 1:
        await steady(stage)
    await stage.say("I am asking the model.")
    here, _there = socket.socketpair()
    here.recv(1)


async def deaf(stage: Stage) -> None:
    """Neither a cancel nor the end of stdin nor TERM ends this one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    await stage.say("Nothing stops me.")
    while True:
        try:
            await asyncio.shield(asyncio.Event().wait())
        except asyncio.CancelledError:
            continue


async def crash(stage: Stage) -> None:
    await stage.edit("half.txt", ["half done\n"])
    print("scripted agent: out of luck", file=sys.stderr, flush=True)
    os._exit(3)


def start_server() -> int:
    return subprocess.Popen(["sleep", "600"], start_new_session=True).pid


async def leftover(stage: Stage) -> None:
    await stage.say(f"I started a server as process {start_server()} and leave it running.")


HOSTILE = (
    "\x1b[2J\x1b[31mred",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]0;owned\x1b\\",
    "\x9b31m\x9d52;c;ZXZpbA==\x9c",
    "abc\u202etxt.exe\u2066\u200b",
    "[bold]markup[/] [/] [@click=app.quit]click[/]",
    "\x00\x07\x08\r\x7f bells",
)


async def hostile(stage: Stage) -> None:
    """Terminal escapes, bidi and markup in every place that a person will look at."""
    for number, payload in enumerate(HOSTILE):
        await stage.update(acp.update_agent_message_text(payload + "\n"))
        name = f"h{number} {payload}".replace("\x00", "").replace("/", "_")
        await stage.edit(name, [payload + "\n"])
    await stage.ask("".join(HOSTILE))


BEHAVIOURS: dict[str, Callable[[Stage], Awaitable[None]]] = {
    "echo": echo,
    "ask": ask,
    "hang": hang,
    "steady": steady,
    "stalls-once": stalls_once,
    "deaf": deaf,
    "crash": crash,
    "leftover": leftover,
    "hostile": hostile,
    "night": night,
    **JUDGES,
}
