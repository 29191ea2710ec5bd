"""A worker for the tests: does to its worktree what a script beside the repository says for its ticket.

Argument 1: the folder with `<ticket>.json`, a list of attempts, each a list of actions; the last one is repeated. The
prompt is the last argument. It speaks the command driver's protocol: JSON lines, exit 0.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path


def act(what: str, *rest: object) -> None:
    match what, rest:
        case "write", (str(path), str(text)):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, encoding="utf-8")
        case "append", (str(path), str(text)):
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)
        case "replace", (str(path), str(old), str(new)):
            source = Path(path).read_text(encoding="utf-8")
            assert old in source, (path, old)
            Path(path).write_text(source.replace(old, new), encoding="utf-8")
        case "delete", (str(path),):
            os.unlink(path)
        case "sleep", (float() | int() as seconds,):
            time.sleep(float(seconds))
        case "run", argv:
            subprocess.run([str(part) for part in argv], check=False)
        case "park", argv:
            command = [sys.executable, "-m", "console", "park", os.environ["NIGHTDESK_TICKET"]]
            subprocess.run([*command, *map(str, argv)], check=True)
        case "exit", (int(code),):
            sys.exit(code)
        case "die", ():
            os.kill(os.getpid(), signal.SIGKILL)
        case "once", (str(mark), *action) if not Path(mark).exists():
            Path(mark).touch()
            act(*action)
        case "once", _:
            pass
        case _:
            raise ValueError(f"no such action: {what} {rest}")


def main() -> None:
    folder, prompt = Path(sys.argv[1]), sys.argv[-1]
    found = re.search(r"^Ticket (\S+): ", prompt, re.MULTILINE)
    assert found, prompt[:200]
    attempts = json.loads((folder / f"{found[1]}.json").read_text(encoding="utf-8"))
    number = 1 if "An earlier attempt failed" in prompt else 0
    (folder / f"{found[1]}.prompts").open("a", encoding="utf-8").write(prompt + "\n=====\n")
    for action in attempts[min(number, len(attempts) - 1)]:
        act(*action)
    print(json.dumps({"type": "result", "session_id": f"c-{found[1]}"}))


if __name__ == "__main__":
    main()
