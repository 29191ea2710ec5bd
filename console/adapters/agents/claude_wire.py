"""The lines of a Claude Code process that is driven over stdin and stdout: one JSON object a line, both ways.

Sorts what comes into events, control requests of theirs and answers to ours. Knows nothing of turns. Half lines and
noise are told and harmless; only a line without end breaks it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable
from typing import Any

from console.adapters.agents import wire
from console.adapters.agents.pacing import Pace
from console.adapters.agents.wire import NOISE_SHOWN, CountingReader, Pipes

Line = dict[str, Any]
NOISE = 500


class ClaudeWire:
    """`follow` reads until the output ends and then sets `closed`; `broken` says why it cannot be followed any more.

    on_event(event): every line that is not about control. on_request(id, request) returns True when it took the request
    (it then answers with `answer`); any other is refused. on_withdrawn(id): no answer is wanted any more.
    """

    def __init__(
        self,
        pipes: Pipes,
        *,
        on_event: Callable[[Line], None],
        on_request: Callable[[str, Line], bool],
        on_withdrawn: Callable[[str], None],
        on_noise: Callable[[str], None],
    ) -> None:
        self._reader, self._read_pipe, self._writer = pipes
        self._on_event, self._on_request = on_event, on_request
        self._on_withdrawn, self._on_noise = on_withdrawn, on_noise
        self._asked: dict[str, asyncio.Future[Line]] = {}
        self._noise = 0
        self._ids = itertools.count(1)
        self.closed = asyncio.Event()
        self.broken = ""

    # -- to the agent -----------------------------------------------------------------------------------

    def send(self, line: Line) -> bool:
        """Hand a line to the pipe. Never waits; False when the agent no longer reads."""
        if self._writer.is_closing():
            return False
        self._writer.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        return True

    def request(self, subtype: str, **fields: Any) -> asyncio.Future[Line]:
        """Ask the agent for something. The future gets its `response` (subtype `success` or `error`), or a
        ConnectionError when none can come any more."""
        ident = f"nd-{next(self._ids)}"
        answer: asyncio.Future[Line] = asyncio.get_running_loop().create_future()
        if self.closed.is_set() or not self._put_request(ident, subtype, fields):
            answer.set_exception(ConnectionError("the agent is gone"))
        else:
            self._asked[ident] = answer
        answer.add_done_callback(_seen)
        return answer

    def _put_request(self, ident: str, subtype: str, fields: Line) -> bool:
        return self.send({"type": "control_request", "request_id": ident, "request": {"subtype": subtype, **fields}})

    def answer(self, ident: str, response: Line) -> None:
        """Answer a request of the agent."""
        self._respond({"subtype": "success", "request_id": ident, "response": response})

    def _refuse(self, ident: str, request: Line) -> None:
        error = f"Unsupported control request subtype: {str(request.get('subtype'))[:100]}"
        self._respond({"subtype": "error", "request_id": ident, "error": error})

    def _respond(self, response: Line) -> None:
        self.send({"type": "control_response", "response": response})
        if self._writer.transport.get_write_buffer_size() > wire.BACKLOG:
            self.break_off("the agent asks on and on and does not read what it is answered")

    # -- from the agent ---------------------------------------------------------------------------------

    @property
    def received(self) -> int:
        """Bytes that came, whole lines or not."""
        return self._reader.fed if isinstance(self._reader, CountingReader) else 0

    async def follow(self) -> None:
        pace = Pace()
        try:
            while not self.broken and (raw := await self._line()):
                pace.begins()
                self._take(raw.strip())
                await pace.done()
        finally:
            self._over()

    def break_off(self, why: str) -> None:
        """What it sends is within the letter of the protocol and cannot be followed all the same: `why`."""
        self.broken = self.broken or why

    def _over(self) -> None:
        self.closed.set()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ConnectionError("the agent is gone"))
        self._asked.clear()

    async def _line(self) -> bytes:
        line, broken = await wire.next_line(self._reader)
        self.broken = broken or self.broken
        return line

    def _take(self, raw: bytes) -> None:
        line = _parse(raw)
        if line is None:
            self._noise += bool(raw)
            if raw and self._noise <= NOISE_SHOWN:
                self._on_noise(raw[:NOISE].decode("utf-8", "replace"))
            return
        self._noise = 0
        match line.get("type"):
            case "control_request":
                self._take_request(line)
            case "control_response":
                self._take_answer(line.get("response"))
            case "control_cancel_request":
                self._on_withdrawn(str(line.get("request_id", "")))
            case _:
                self._on_event(line)

    def _take_request(self, line: Line) -> None:
        ident, request = line.get("request_id"), line.get("request")
        request = request if isinstance(request, dict) else {}
        if isinstance(ident, str) and not self._on_request(ident, request):
            self._refuse(ident, request)

    def _take_answer(self, response: Any) -> None:
        ident = response.get("request_id") if isinstance(response, dict) else None
        answer = self._asked.pop(ident, None) if isinstance(ident, str) else None
        if answer is not None and not answer.done():
            answer.set_result(response)

    # -- the end ----------------------------------------------------------------------------------------

    def close_stdin(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._writer.close()

    def close(self) -> None:
        if self._writer.transport.get_write_buffer_size():
            self._writer.transport.abort()  # nobody will read the rest; a plain close would wait for that
        self.close_stdin()
        self._read_pipe.close()


def _seen(answer: asyncio.Future[Line]) -> None:
    """An answer that nobody waits for is no unheard error."""
    if not answer.cancelled():
        answer.exception()


def _parse(raw: bytes) -> Line | None:
    if not raw.startswith(b"{"):
        return None
    try:
        line = wire.loads(raw)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None
