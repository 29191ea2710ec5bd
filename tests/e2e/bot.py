"""What the agents of a Product do in a turn: a script for tests/adapters/agents/raw_agent.py, which starts in no time.

Its last argument names one of: echo (writes all it was told to hello.txt), ask, crash, leftover.
"""
# ruff: noqa: F821

import os
import subprocess
import sys
from pathlib import Path

heard: list[str] = []


def edit(path: str, text: str) -> None:
    call = {"toolCallId": f"edit-{len(heard)}", "title": f"Edit {path}", "kind": "edit"}
    note({"sessionUpdate": "tool_call", "status": "in_progress", "locations": [{"path": path}], **call})
    Path(path).write_text(text)
    note({"sessionUpdate": "tool_call_update", "status": "completed", "toolCallId": call["toolCallId"]})


def echo() -> None:
    say("I will write what I was told.\n")
    edit("hello.txt", "\n".join(heard) + "\n")


def ask() -> None:
    options = [
        {"optionId": "allow", "name": "Allow once", "kind": "allow_once"},
        {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
    ]
    call = {"toolCallId": "asked", "title": "Write allowed.txt", "kind": "edit", "status": "pending"}
    answer = request("session/request_permission", {"sessionId": "c-1", "toolCall": call, "options": options})
    if answer["result"]["outcome"].get("optionId") == "allow":
        edit("allowed.txt", "allowed\n")


def crash() -> None:
    edit("half.txt", "half done\n")
    print("out of luck", file=sys.stderr, flush=True)
    os._exit(3)


def leftover() -> None:
    server = subprocess.Popen(["sleep", "600"], start_new_session=True)
    say(f"I started a server as process {server.pid} and leave it running.")


def turn(text: str) -> None:
    heard.append(text)
    {"echo": echo, "ask": ask, "crash": crash, "leftover": leftover}[sys.argv[-1]]()
    reply()
