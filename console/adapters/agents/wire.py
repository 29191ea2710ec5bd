"""The frames of an ACP agent: newline-delimited JSON-RPC over two pipes, as a transport for the ACP library.

Everything the agent asks or tells is taken here, in order and before the library sees it; only answers to our own
requests go on to it. Malformed input ends the wire with a reason in `broken`; text that is no frame is noise.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple

LINE_BYTES = 50 * 1024 * 1024
BREATHE_EVERY = 64

Frame = dict[str, Any]
RequestId = int | str


class CountingReader(asyncio.StreamReader):
    """Knows how many bytes came, also of a line that never ends."""

    fed = 0

    def feed_data(self, data: Any) -> None:
        self.fed += len(data)
        super().feed_data(data)


class Pipes(NamedTuple):
    """Our ends of an agent's stdout (reader and its transport) and stdin (writer)."""

    reader: asyncio.StreamReader
    read_pipe: asyncio.ReadTransport
    writer: asyncio.StreamWriter


class Wire:
    """A message transport (`send`, `receive`, `close`) that hands requests and notifications to two callbacks.

    on_request(id, method, params) returns True when it took the request (it then answers with `reply`); every other
    request is refused with -32601. on_notice(method, params) may ignore what it does not know. on_noise(text): a line
    that is no JSON object. closed: set when nothing more will arrive. broken: why the output cannot be followed.
    """

    def __init__(
        self,
        pipes: Pipes,
        on_request: Callable[[RequestId, str, Frame], bool],
        on_notice: Callable[[str, Frame], None],
        on_noise: Callable[[str], None],
    ) -> None:
        self._reader, self._read_pipe, self._writer = pipes
        self._on_request, self._on_notice, self._on_noise = on_request, on_notice, on_noise
        self._frames = 0
        self._owed: set[int] = set()
        self.answers = 0
        """Answers to requests of ours that came; one that nobody asked for is none."""
        self.closed = asyncio.Event()
        self.broken = ""

    async def send(self, message: Frame) -> None:
        """Hand a frame to the pipe. Never waits: an agent that has stopped reading must not hold us."""
        if self._writer.is_closing():
            raise ConnectionError("the agent no longer reads")
        ident = message.get("id")
        if "method" in message and type(ident) is int:
            self._owed.add(ident)
        self._writer.write(_encode(message))

    async def receive(self) -> Frame | None:
        """The next answer to a request of ours; None when the agent's output has ended or is broken."""
        while not self.broken:
            line = await self._line()
            if not line:
                break
            frame = self._parse(line)
            if frame is not None and not self._taken(frame):
                self._count(frame)
                return frame
            self._frames += 1
            if self._frames % BREATHE_EVERY == 0:
                await asyncio.sleep(0)
        self.closed.set()
        return None

    def _count(self, answer: Frame) -> None:
        ident = answer.get("id")
        if type(ident) is int and ident in self._owed:
            self._owed.remove(ident)
            self.answers += 1

    @property
    def received(self) -> int:
        """Bytes that came, whole lines or not."""
        return self._reader.fed if isinstance(self._reader, CountingReader) else 0

    async def close(self) -> None:
        if self._writer.transport.get_write_buffer_size():
            self._writer.transport.abort()  # nobody will read the rest; a plain close would wait for that
        self.close_stdin()
        self._read_pipe.close()
        self.closed.set()

    def close_stdin(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._writer.close()

    def reply(self, request: RequestId, result: Frame | None = None, error: Frame | None = None) -> None:
        """Answer a request of the agent; one that no longer reads gets no answer."""
        if self._writer.is_closing():
            return
        body = {"error": error} if error else {"result": result}
        self._writer.write(_encode({"jsonrpc": "2.0", "id": request, **body}))

    async def _line(self) -> bytes:
        try:
            return await self._reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as short:
            return short.partial
        except asyncio.LimitOverrunError:
            self.broken = f"the agent sent a line of more than {LINE_BYTES // 1024 // 1024} MB"
        except OSError as error:
            self.broken = f"reading from the agent failed: {error}"
        return b""

    def _parse(self, line: bytes) -> Frame | None:
        text = line.strip()
        try:
            frame = json.loads(text) if text else None
        except (ValueError, RecursionError) as error:
            if text.startswith(b"{"):
                self.broken = f"the agent sent a broken message ({type(error).__name__}): {_start(text)}"
                return None
            frame = None
        if isinstance(frame, dict):
            return frame
        if text:
            self._on_noise(_start(text))
        return None

    def _taken(self, frame: Frame) -> bool:
        """Deal with everything that is no well-formed answer to a request of ours."""
        method, ident = frame.get("method"), frame.get("id")
        if method is None:
            if type(ident) is int and not _is_answer(frame):
                said = {"code": -32603, "message": "the agent's answer is malformed"}
                frame.clear()
                frame.update({"jsonrpc": "2.0", "id": ident, "error": said})
            return type(ident) is not int
        params = frame.get("params")
        params = params if isinstance(params, dict) else {}
        if not isinstance(method, str):
            return True
        if not isinstance(ident, int | str):
            self._on_notice(method, params)
        elif not self._on_request(ident, method, params):
            self.reply(ident, error={"code": -32601, "message": "Method not found", "data": {"method": method[:200]}})
        return True


def _is_answer(frame: Frame) -> bool:
    error = frame.get("error")
    fits = error is None or (isinstance(error, dict) and isinstance(error.get("code", 0), int))
    return type(frame.get("id")) is int and fits and ("result" in frame or error is not None)


def _encode(frame: Frame) -> bytes:
    return json.dumps(frame, separators=(",", ":")).encode() + b"\n"


def _start(text: bytes) -> str:
    return text[:500].decode("utf-8", "replace")


async def open_pipes(stdin_fd: int, stdout_fd: int) -> Pipes:
    """Our ends of an agent's stdin and stdout as streams; the descriptors are closed with them."""
    loop = asyncio.get_running_loop()
    reader = CountingReader(limit=LINE_BYTES)
    read_pipe, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(stdout_fd, "rb", buffering=0)
    )
    write_pipe, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(stdin_fd, "wb", buffering=0)
    )
    return Pipes(reader, read_pipe, asyncio.StreamWriter(write_pipe, protocol, None, loop))
