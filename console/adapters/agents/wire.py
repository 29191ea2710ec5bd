"""The frames of an ACP agent: newline-delimited JSON-RPC over two pipes, as a transport for the ACP library.

Everything the agent asks or tells is taken here, in order and before the library sees it; only answers to our own
requests go on to it. What is no frame is noise; a frame that is broken costs only itself, as far as it can be told
whose it was. Too much noise, and what cannot be followed at all, ends the wire with a reason in `broken`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from console.adapters.agents.pacing import Pace
from console.engine.ports import Running

LINE_BYTES = 50 * 1024 * 1024
ANSWER_BYTES = 4 * 1024 * 1024
"""Of an answer to us: all of it is checked against the protocol at once, which takes seconds for tens of MB."""
PARTS = 3_000_000
"""Objects, lists and items of one frame: each takes much more room than it has bytes."""
BACKLOG = 16 * 1024 * 1024
"""Bytes of answers that wait for an agent which asks and does not read."""
NOISE_LINES, NOISE_BYTES = 5000, 32 * 1024 * 1024
"""So much without a single frame in between is no agent that speaks the protocol."""
NOISE_SHOWN = 50
"""Lines of one stretch of noise that are passed on."""
LOST = -32700
"""The error code of an answer that came broken: ours, told to whoever asked."""

_ID = re.compile(r'"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*[,}]')
_METHOD = re.compile(r'"method"\s*:')

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
        self._pace = Pace()
        self._noise = self._noise_bytes = 0
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
            self._pace.begins()
            frame = self._parse(line)
            ours = frame is not None and not self._taken(frame)
            await self._pace.done()
            if frame is not None and ours:
                self._count(frame)
                return frame
        self.closed.set()
        return None

    def break_off(self, why: str) -> None:
        """What it sends is within the letter of the protocol and cannot be followed all the same: `why`."""
        self.broken = self.broken or why

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
        if self._writer.transport.get_write_buffer_size() > BACKLOG:
            self.break_off("the agent asks on and on and does not read what it is answered")

    async def _line(self) -> bytes:
        line, broken = await next_line(self._reader)
        self.broken = broken or self.broken
        return line

    def _parse(self, line: bytes) -> Frame | None:
        """A frame; None for noise. Bytes that are no UTF-8 are replaced: agents pass on what their tools print."""
        text = line.strip()
        if not text:
            return None
        try:
            frame = loads(text)
        except (ValueError, RecursionError) as error:
            frame = self._salvaged(text, type(error).__name__) if text.startswith(b"{") else None
        if isinstance(frame, dict) and len(text) > ANSWER_BYTES and "method" not in frame:
            frame = self._salvaged(text, "too long for an answer") or {}
        if isinstance(frame, dict):
            self._noise = self._noise_bytes = 0
            return frame
        self._noisy(text)
        return None

    def _salvaged(self, text: bytes, why: str) -> Frame | None:
        """Of a broken frame: the answer that we wait for fails at once, and who asks us is told."""
        start = text[:2000].decode("utf-8", "replace")
        found, asks = _ID.search(start), _METHOD.search(start)
        if found is None:
            return None
        said = {"code": LOST, "message": f"the agent sent a broken message ({why}): {_start(text)}"}
        ident = int(found[1]) if found[1] else found[2]
        if asks:
            self.reply(ident, error={"code": LOST, "message": "Parse error"})
        elif ident in self._owed:
            return {"jsonrpc": "2.0", "id": ident, "error": said}
        return None

    def _noisy(self, text: bytes) -> None:
        self._noise += 1
        self._noise_bytes += len(text)
        if self._noise <= NOISE_SHOWN:
            self._on_noise(_start(text))
        if self._noise > NOISE_LINES or self._noise_bytes > NOISE_BYTES:
            self.broken = f"the agent sent {self._noise} lines in a row that are no message, the last: {_start(text)}"

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


def loads(text: bytes) -> Any:
    """JSON with bytes that are no UTF-8 replaced; ValueError also for what would take too much room."""
    if text.count(b"{") + text.count(b"[") + text.count(b",") > PARTS:
        raise ValueError("too many parts")
    return json.loads(text.decode("utf-8", "replace"))


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


async def pipes_of(running: Running) -> Pipes:
    """Our ends of a process that was launched with pipes; it is stopped when they cannot be had."""
    stdin, stdout = running.stdin_fd, running.stdout_fd
    try:
        if stdin is None or stdout is None:
            raise RuntimeError("a process launched with pipes has none")
        return await open_pipes(stdin, stdout)
    except BaseException:
        running.stop()
        raise


async def next_line(reader: asyncio.StreamReader) -> tuple[bytes, str]:
    """(the next line with its end, or what is left of one at the end of output; why nothing can be read any more)."""
    try:
        return await reader.readuntil(b"\n"), ""
    except asyncio.IncompleteReadError as short:
        return short.partial, ""
    except asyncio.LimitOverrunError:
        return b"", f"the agent sent a line of more than {LINE_BYTES // 1024 // 1024} MB"
    except OSError as error:
        return b"", f"reading from the agent failed: {error}"
