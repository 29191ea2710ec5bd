"""An MCP server on stdio that starts a program in a session of its own, as real ones do: `mcp_sleeper.py SECONDS`.

Standard library only. It answers initialize, ping, tools/list and tools/call; its one tool says how long the program
sleeps.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

Json = dict[str, Any]
TOOL = {"name": "nap", "description": "How long the nap is.", "inputSchema": {"type": "object", "properties": {}}}


def answer(message: Json, seconds: str) -> Json | None:
    """The reply to a request; None to a notification."""
    if "id" not in message:
        return None
    results: dict[str, Json] = {
        "initialize": {
            "protocolVersion": (message.get("params") or {}).get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "sleeper", "version": "1.0.0"},
        },
        "ping": {},
        "tools/list": {"tools": [TOOL]},
        "tools/call": {"content": [{"type": "text", "text": seconds}]},
    }
    head = {"jsonrpc": "2.0", "id": message["id"]}
    found = results.get(str(message.get("method")))
    return head | ({"result": found} if found is not None else {"error": {"code": -32601, "message": "not known"}})


def main() -> None:
    quiet = subprocess.DEVNULL
    nap = subprocess.Popen(["sleep", sys.argv[1]], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    for line in sys.stdin:
        if reply := answer(json.loads(line), sys.argv[1]):
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
    assert nap.poll() is None, "the nap ended early"


if __name__ == "__main__":
    main()
