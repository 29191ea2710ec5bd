"""An agent for the hang tests: its prompt, the last argument, says how it behaves. It ends by itself within a minute.

steady: says something new ten times a second; silent while there is a file `hush` beside it. hang: says something, then
waits on a dead line. spin: shows a spinner for ever. burn: computes without a word. tool: runs a tool that says nothing
for the seconds that follow. beat: no word, but a heartbeat. stop: stops itself. mute: an ACP agent that never answers.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path


def say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def steady() -> None:
    number = 0
    while True:
        if not Path(f"hush-{os.environ['BOT']}").exists():
            number += 1
            say(type="text", part={"text": f"step {number}"})
        time.sleep(0.1)


def hang() -> None:
    say(type="text", part={"text": "I am asking the model"})
    here, _there = socket.socketpair()
    here.recv(1)


def spin() -> None:
    say(type="text", part={"text": "I begin"})
    while True:
        for frame in "|/-\\":
            say(type="text", part={"text": frame})
            time.sleep(0.05)


def burn() -> None:
    say(type="text", part={"text": "I begin"})
    while True:
        pass


def tool(seconds: float) -> None:
    item = {"id": "i1", "type": "command_execution", "command": "pytest"}
    say(type="item.started", item=item)
    time.sleep(seconds)
    say(type="item.completed", item=item)
    say(type="result")


def beat() -> None:
    from console.adapters import inbox

    while True:
        inbox.beat(Path(os.environ["NIGHTDESK_INBOX"]))
        time.sleep(0.3)


def main() -> None:
    signal.alarm(60)
    what, _, rest = sys.argv[-1].strip().partition(" ")
    match what:
        case "tool":
            tool(float(rest))
        case "stop":
            say(type="text", part={"text": "I stop"})
            os.kill(os.getpid(), signal.SIGSTOP)
        case "mute":
            time.sleep(60)
        case _:
            {"steady": steady, "hang": hang, "spin": spin, "burn": burn, "beat": beat}[what]()


if __name__ == "__main__":
    main()
