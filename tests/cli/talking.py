"""A stand-in for an agent's interactive mode: `talking.py CONVERSATION`. It lives on its terminal and heeds a few
words: leave, server (one that outlives it, if it can), run WORD... (a program, as its tools do), hook, stop, deaf,
chatty."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

SERVER = """
import os, signal, time
signal.alarm(60)
if os.fork():
    os._exit(0)
os.setsid()
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
print("server", os.getpid(), flush=True)
time.sleep(60)
"""


def main(conversation: str) -> int:
    signal.alarm(60)
    signal.signal(signal.SIGINT, lambda *_: os.write(1, b"Ctrl+C is a key of mine\n"))
    front = os.tcgetpgrp(0) == os.getpgrp()
    print(f"talking {conversation} pid={os.getpid()} front={front} in={os.path.basename(os.getcwd())}", flush=True)
    print(
        f"token={os.environ.get('NIGHTDESK_SESSION', '').rpartition('/')[2]} secret={os.environ.get('SECRET')}.",
        flush=True,
    )
    for line in sys.stdin:
        word, *more = line.split()
        if word == "leave":
            return int(more[0]) if more else 0
        obey(word, more)
    return 3


def obey(word: str, more: list[str]) -> None:
    match word:
        case "server":
            subprocess.run([sys.executable, "-c", SERVER], check=True)
        case "run":
            argv = [sys.executable, "-m", "console", *more]
            ran = subprocess.run(argv, capture_output=True, text=True, check=False)
            print(f"exit {ran.returncode}: {ran.stderr.strip()}", flush=True)
        case "hook":
            try:
                path = os.path.join(more[0], "hooks", "pre-commit")
                with open(path, "w") as file:
                    file.write("#!/bin/sh\n")
                os.chmod(path, 0o755)
                print("wrote it", flush=True)
            except OSError as error:
                print(f"kept out: {error.strerror}", flush=True)
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
            print("continued", flush=True)
        case "shell":  # a job-control shell takes the terminal and dies with it
            subprocess.run(["bash", "-ic", "kill -9 $$"], check=False)
            print("shell over", flush=True)
        case "away":  # out of our group, so that nobody gave it the terminal
            os.setpgid(0, 0)
            print("away now", flush=True)
        case "chatty":  # a line that has dropped is noticed by who writes to it
            while True:
                print(".", end="", flush=True)
                time.sleep(0.05)
        case "deaf":
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            print("deaf now", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
