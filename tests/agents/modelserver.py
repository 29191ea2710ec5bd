"""A scripted model on 127.0.0.1: real agent CLIs talk to it as if it were a model, and it plays the steps of a script.

It speaks OpenAI Chat Completions and Gemini generateContent, streamed or not, and needs only the standard library.
It keeps no conversation: where a script stands is read from the history that each request carries, so an agent may
retry, resume or be killed. It must not import the product.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dialects import Asked, Call, Dialect, Json, Say, dialect_of

SIDE_ANSWER = "Scripted work"
"""What a request without tools gets: agents ask for titles and summaries beside the conversation."""

TOOLS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "read": (("read", {"filePath": "path"}), ("read_file", {"file_path": "path"})),
    "write": (
        ("write", {"filePath": "path", "content": "content"}),
        ("write_file", {"file_path": "path", "content": "content"}),
    ),
    "edit": (
        ("edit", {"filePath": "path", "oldString": "old", "newString": "new"}),
        ("replace", {"file_path": "path", "old_string": "old", "new_string": "new", "instruction": "why"}),
    ),
    "run": (
        ("bash", {"command": "command", "description": "why"}),
        ("run_shell_command", {"command": "command", "description": "why"}),
    ),
}
"""Neutral action -> (tool name, {its argument: our argument}); the first that the request offers is called."""


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error. retry_after in seconds, 0 for no such header."""

    status: int
    retry_after: int


@dataclass(frozen=True, slots=True)
class Hang:
    """No byte of an answer for that many seconds, then the connection is dropped."""

    seconds: float


Reply = Say | Call | Fail | Hang


# -- the script ------------------------------------------------------------------------------------------


class Script:
    """`{"conversations": [{"match": TEXT, "steps": [STEP, ...]}, ...]}`.

    The first conversation whose `match` is part of the last prompt is played ("" fits any). A step is one of
    {"say": TEXT}, {"read": PATH}, {"write": {path, content}}, {"edit": {path, old, new}}, {"run": COMMAND},
    {"call": {"tool": NAME, "args": {...}}}, {"status": 529, "times": 2, "retry_after": 1}, {"hang": SECONDS}.
    `status` comes `times` times before the step after it (for ever without `times`); after the last step the turn ends.
    """

    def __init__(self, script: Json) -> None:
        self.conversations: list[Json] = script["conversations"]
        self._failed: Counter[tuple[str, int]] = Counter()
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Reply:
        """The reply that is due. Thread-safe."""
        if not asked.tools:
            return Say(SIDE_ANSWER)
        steps: list[Json] = next((c["steps"] for c in self.conversations if c.get("match", "") in asked.prompt), [])
        answered = 0
        for place, step in enumerate(steps):
            if "status" in step:
                if answered == asked.done and self._fails_again(asked.prompt, place, step):
                    return Fail(step["status"], step.get("retry_after", 0))
            elif answered == asked.done:
                return self._reply(step, asked.tools)
            else:
                answered += 1
        return Say("Done.")

    def _fails_again(self, prompt: str, place: int, step: Json) -> bool:
        with self._lock:
            self._failed[prompt, place] += 1
            return "times" not in step or self._failed[prompt, place] <= step["times"]

    @staticmethod
    def _reply(step: Json, tools: frozenset[str]) -> Reply:
        match step:
            case {"say": text}:
                return Say(text)
            case {"hang": seconds}:
                return Hang(seconds)
            case {"call": {"tool": tool, "args": args}}:
                return Call(tool, args)
        action, given = next(iter(step.items()))
        if not isinstance(given, dict):
            given = {"command" if action == "run" else "path": given}
        given = {"why": "as scripted", **given}
        for tool, names in TOOLS[action]:
            if tool in tools:
                return Call(tool, {theirs: given[ours] for theirs, ours in names.items()})
        return Say(f"No tool for `{action}` was offered.")


# -- the server ------------------------------------------------------------------------------------------


class ModelServer(ThreadingHTTPServer):
    """`with ModelServer(script, log) as server: ... server.url ...`; port 0 takes a free one.

    log: a JSONL file, one line a request: n, seconds since the start, path, prompt, done, tools, reply, body.
    """

    daemon_threads = True

    def __init__(self, script: Json, log: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Request)
        self.script = Script(script)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.closing = threading.Event()
        self._log = log
        self._log_lock = threading.Lock()
        self._count = 0
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that was killed drops its connection: no noise about that, everything else is a bug."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def record(self, path: str, body: Json, asked: Asked | None, reply: Reply | None) -> None:
        """Append one request to the log."""
        facts = {} if asked is None else {"prompt": asked.prompt, "done": asked.done, "tools": sorted(asked.tools)}
        with self._log_lock:
            self._count += 1
            line = {"n": self._count, "at": round(time.monotonic() - self._began, 3), "path": path, **facts}
            line |= {"reply": repr(reply), "body": body}
            with self._log.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")


class _Request(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """The log file has it; stderr stays empty."""

    def do_GET(self) -> None:
        self.server.record(self.path, {}, None, None)
        self._send(404, {"error": {"message": "this model only answers POST"}})

    def do_POST(self) -> None:
        body: Json = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        dialect = dialect_of(self.path)
        if dialect is None:
            self.server.record(self.path, body, None, None)
            return self._send(404, {"error": {"message": f"unknown path {self.path}"}})
        asked = dialect.read(body)
        reply = self.server.script.answer(asked)
        self.server.record(self.path, body, asked, reply)
        self._play(dialect, reply, body)

    def _play(self, dialect: Dialect, reply: Reply, body: Json) -> None:
        if isinstance(reply, Hang):
            self.close_connection = True
            self.server.closing.wait(reply.seconds)
        elif isinstance(reply, Fail):
            error = {"code": reply.status, "message": "as scripted", "status": "UNAVAILABLE", "type": "scripted"}
            self._send(reply.status, {"error": error}, reply.retry_after)
        elif dialect.streams(self.path, body):
            self._stream(dialect.stream(reply))
        else:
            self._send(200, dialect.whole(reply))

    def _send(self, status: int, body: Json, retry_after: int = 0) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        if retry_after:
            self.send_header("Retry-After", str(retry_after))
        self.end_headers()
        self.wfile.write(payload)

    def _stream(self, payloads: Iterator[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for payload in payloads:
            self.wfile.write(f"data: {payload}\n\n".encode())
            self.wfile.flush()


def main() -> None:
    """Serve one script until interrupted; the URL is the one line on stdout."""
    parser = argparse.ArgumentParser(description="A scripted model server on 127.0.0.1.")
    parser.add_argument("script", type=Path, help="the script, a JSON file")
    parser.add_argument("--log", type=Path, default=Path("model-requests.jsonl"))
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    options = parser.parse_args()
    server = ModelServer(json.loads(options.script.read_text(encoding="utf-8")), options.log, options.port)
    sys.stdout.write(server.url + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
