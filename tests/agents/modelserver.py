"""A scripted model on 127.0.0.1: real agent CLIs talk to it as if it were a model, and it plays the steps of a script.

It speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini generateContent, streamed or not, and
needs only the standard library. It keeps no conversation: where a script stands is read from the history that each
request carries, so an agent may retry, resume or be killed. It must not import the product.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dialects import dialect_of
from dialects.anthropic import Messages
from dialects.words import Asked, Dialect, Fail, Frame, Json, Say
from playscript import Cut, Hang, Reply, Script, Stall

LARGEST = 64 << 20
"""Bytes of a request's body that are read at most."""

LOGGED = 256 << 20
"""Bytes of log after which requests are logged without their bodies."""


class ModelServer(ThreadingHTTPServer):
    """`with ModelServer(script, log) as server: ... server.url ...`; port 0 takes a free one.

    log: a JSONL file, one line a request: n, seconds since the start, method, path, prompt, done, tools, reply, body.
    """

    daemon_threads = True
    request_queue_size = 64
    block_on_close = False

    def __init__(self, script: Json, log: Path, port: int = 0) -> None:
        self.script = Script(script)
        super().__init__(("127.0.0.1", port), _Request)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.closing = threading.Event()
        self._log = log
        self._log_lock = threading.Lock()
        self._count = self._logged = 0
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that was killed drops its connection: no noise about that, everything else is a bug."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def record(self, method: str, path: str, body: Json, asked: Asked | None, reply: Reply | None) -> None:
        """Append one request to the log."""
        facts = {} if asked is None else {"prompt": asked.prompt, "done": asked.done, "tools": sorted(asked.tools)}
        with self._log_lock:
            self._count += 1
            line = {"n": self._count, "at": round(time.monotonic() - self._began, 3), "method": method, "path": path}
            line |= {**facts, "reply": repr(reply), "body": body if self._logged < LOGGED else {}}
            with self._log.open("a", encoding="utf-8") as out:
                self._logged += out.write(json.dumps(line) + "\n")


class _Request(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"
    timeout = 600
    """Seconds a kept connection may be idle."""

    def log_message(self, format: str, *args: object) -> None:
        """The log file has it; stderr stays empty."""

    def do_HEAD(self) -> None:
        """A probe whether anybody is there."""
        self.server.record("HEAD", self.path, {}, None, None)
        self._send(200, {})

    def do_GET(self) -> None:
        self.server.record("GET", self.path, {}, None, None)
        self._send(404, {"error": {"message": "this model only answers POST"}})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if size > LARGEST:
            self.close_connection = True
            return self._send(413, {"error": {"message": "larger than this server reads"}})
        try:
            body: Json = json.loads(self.rfile.read(size) or b"{}")
        except ValueError:
            return self._send(400, {"error": {"message": "the body is not JSON"}})
        path = self.path.split("?")[0]
        dialect = dialect_of(path)
        if dialect is None:
            self.server.record("POST", self.path, body, None, None)
            if path.endswith("/messages/count_tokens"):
                return self._send(200, Messages.count(body))
            return self._send(404, {"error": {"message": f"unknown path {self.path}"}})
        asked = dialect.read(body)
        reply = self.server.script.answer(asked)
        self.server.record("POST", self.path, body, asked, reply)
        self._play(dialect, reply, body)

    # -- replies ---------------------------------------------------------------------------------------------

    def _play(self, dialect: Dialect, reply: Reply, body: Json) -> None:
        match reply:
            case Hang(seconds):
                self.close_connection = True
                self.server.closing.wait(seconds)
            case Fail():
                self._refuse(dialect, reply)
            case Stall(seconds, said):
                self._begin(dialect, said, body)
                self.server.closing.wait(seconds)
            case Cut(said, clean):
                self._begin(dialect, said, body)
                if clean and dialect.streams(self.path, body):
                    self._chunk(b"")
            case _ if dialect.streams(self.path, body):
                self._stream(dialect.stream(reply, body), getattr(reply, "every", 0.0))
            case Say(every=every):
                self.server.closing.wait(len(reply.pieces()) * every)
                self._send(200, dialect.whole(reply, body))
            case _:
                self._send(200, dialect.whole(reply, body))

    def _refuse(self, dialect: Dialect, fail: Fail) -> None:
        body, headers = dialect.error(fail, time.time())
        if fail.retry_after:
            headers["Retry-After"] = f"{fail.retry_after:g}"
        self._send(fail.status, body, headers | dict(fail.headers))

    def _send(self, status: int, body: Json, headers: dict[str, str] | None = None) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)

    # -- streaming: chunked, as the real services do, so that a client sees a cut for what it is --------------

    def _open(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _stream(self, frames: Iterator[Frame], every: float) -> None:
        self._open()
        for frame in frames:
            self._chunk(frame.wire.encode())
            if every and frame.delta:
                self.server.closing.wait(every)
        self._chunk(b"")

    def _begin(self, dialect: Dialect, said: Say, body: Json) -> None:
        """The head of an answer, up to its first content; the connection is dropped after it."""
        self.close_connection = True
        if not dialect.streams(self.path, body):
            payload = json.dumps(dialect.whole(said, body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload[: len(payload) // 2])
            return
        self._open()
        for frame in dialect.stream(said, body):
            self._chunk(frame.wire.encode())
            if frame.delta:
                return


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
    with suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
