"""An ACP agent in plain JSON lines, to send what the library never would. argv[1]: a script that defines `turn`.

The script sees: send(**frame), note(update), request(method, params), receive(), reply(stop), out(bytes), HELLO, NEW.
"""

import json
import os
import sys
import time
from typing import Any

HELLO: dict[str, Any] = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
NEW: dict[str, Any] = {"sessionId": "c-1"}
current: list[Any] = [None]


def out(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def send(**frame: Any) -> None:
    out(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def note(update: dict[str, Any], **more: Any) -> None:
    send(method="session/update", params={"sessionId": "c-1", "update": update, **more})


def say(text: str) -> None:
    note({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})


def request(method: str, params: Any, ident: Any = "r1") -> dict[str, Any]:
    send(id=ident, method=method, params=params)
    while True:
        frame = receive()
        if frame.get("id") == ident and "method" not in frame:
            return frame


def reply(stop: str = "end_turn", **more: Any) -> None:
    send(id=current[0], result={"stopReason": stop, **more})


def fail(code: int, message: str, data: Any = None) -> None:
    send(id=current[0], error={"code": code, "message": message, "data": data})


def load(params: dict[str, Any]) -> Any:
    return {}


def new(params: dict[str, Any]) -> Any:
    return NEW


def set_mode(params: dict[str, Any]) -> Any:
    return {}


def set_option(params: dict[str, Any]) -> Any:
    return {"configOptions": []}


def turn(text: str) -> None:
    reply()


def main() -> None:
    with open(sys.argv[1]) as file:
        exec(file.read(), globals())  # noqa: S102
    handlers = {"session/new": new, "session/load": load, "session/set_mode": set_mode}
    handlers["session/set_config_option"] = set_option
    handlers["initialize"] = lambda params: HELLO
    while True:
        frame = receive()
        current[0] = frame.get("id")
        method = frame.get("method")
        if method == "session/prompt":
            turn(frame["params"]["prompt"][0]["text"])
        elif method in handlers:
            result = handlers[method](frame["params"])
            if isinstance(result, Exception):
                fail(*result.args)
            elif result is not None:
                send(id=frame["id"], result=result)


if __name__ == "__main__":
    assert time
    main()
