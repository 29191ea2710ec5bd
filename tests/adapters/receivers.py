"""A receiver of webhooks on 127.0.0.1 that answers as it is told: byte for byte, slowly, or not at all."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from socket import SO_LINGER, SOL_SOCKET
from ssl import SSLContext
from typing import Any

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@dataclass
class Request:
    line: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[asyncio.StreamWriter], Coroutine[Any, Any, None]]


@dataclass
class Receiver:
    """answers: used one a request, the last for all that follow."""

    url: str = ""
    answers: list[bytes | Answer] = field(default_factory=lambda: [OK])
    requests: list[Request] = field(default_factory=list)
    busy: set[asyncio.Task[Any]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self.busy.add(task)
        task.add_done_callback(self.busy.discard)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # whoever asked has gone, or the test is over
        finally:
            writer.transport.abort() if task.cancelling() else writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.requests.append(await _request(reader))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, bytes):
            writer.write(answer)
            await writer.drain()
        else:
            await answer(writer)


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *rest = head.strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in rest)}
    return Request(line, headers, await reader.readexactly(int(headers.get("content-length", 0))))


@asynccontextmanager
async def receiving(*answers: bytes | Answer, tls: SSLContext | None = None) -> AsyncIterator[Receiver]:
    receiver = Receiver()
    if answers:
        receiver.answers = list(answers)
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, ssl=tls)
    receiver.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    try:
        yield receiver
    finally:
        server.close()
        for task in receiver.busy:
            task.cancel()
        await asyncio.gather(*receiver.busy, return_exceptions=True)


async def reset(writer: asyncio.StreamWriter) -> None:
    """The connection is torn down instead of an answer."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def silence(writer: asyncio.StreamWriter) -> None:
    """Nothing, until the test is over."""
    await asyncio.Event().wait()


async def drip(writer: asyncio.StreamWriter) -> None:
    """One header a moment, for ever."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"x: y\r\n")
        await writer.drain()
        await asyncio.sleep(0.02)
