"""A worker for nights with chains: writes the files and says the words that a script has for its ticket.

Argument 1: a JSON file, {ticket: {"files": {path: text}, "says": words}}. The prompt is the last argument. It speaks
the protocol of the command driver: plain lines, a JSON line for its end, exit 0.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
import time
from pathlib import Path


def main() -> None:
    named = re.search(r"^Ticket (\S+): ", sys.argv[-1], re.M)
    assert named, sys.argv[-1][:200]
    part = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))[named[1]]
    print("I look around.", flush=True)
    time.sleep(0.15)  # so that it can be killed at work
    for path, text in part.get("files", {}).items():
        with contextlib.suppress(OSError):  # who only reads may be unable to
            Path(path).write_text(text, encoding="utf-8")
    print(part["says"])
    print(json.dumps({"type": "result", "session_id": f"c-{named[1]}"}))


if __name__ == "__main__":
    main()
