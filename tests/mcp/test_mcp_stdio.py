"""The server as a process: it ends with its client or at a signal, whatever waits, and answers whatever it is sent."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from mcprig import Desk, Refused

from console.mcp import verb
from console.mcp.lines import DEEP, DEEPEST, LONE, fit

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "x", "version": "1"},
}


class Raw:
    """A server and the two ends of its wire."""

    def __init__(self, desk: Desk) -> None:
        argv = [sys.executable, "-P", "-m", "console", "--workspace", str(desk.repo), "mcp"]
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=desk.env, cwd=desk.repo, text=True
        )
        self.sent = 0
        self.send("initialize", HELLO)
        self.heard(1)
        self.line('{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def line(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any]) -> int:
        self.sent += 1
        self.line(json.dumps({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}))
        return self.sent

    def call(self, tool: str, **arguments: Any) -> int:
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def heard(self, ident: int) -> Any:
        """The answer to this request; what else comes is passed over."""
        assert self.process.stdout
        while line := self.process.stdout.readline():
            if (told := json.loads(line)).get("id") == ident:
                return told.get("result") or told["error"]
        raise AssertionError("it has ended")

    def text(self, ident: int) -> str:
        return str(self.heard(ident)["content"][0]["text"])

    def ended(self) -> tuple[int, float]:
        began = time.monotonic()
        assert self.process.stdout
        code = self.process.wait(20)
        self.process.stdout.close()
        return code, time.monotonic() - began


def test_what_the_reader_of_the_sdk_leaves_without_an_answer_becomes_a_line_that_is_answered() -> None:
    nested = '{"id": 7, "a": ' * DEEPEST + "1" + "}" * DEEPEST
    deep = fit(b'{"method":"tools/call","params":{"id":3,"arguments":%s},"id":12}\n' % nested.encode())
    told = json.loads(deep)
    assert (told["id"], told["params"]["arguments"]) == (12, {"unreadable": DEEP})
    lone = json.loads(fit(b'{"id":"a\\"b","method":"ping","params":{"x":"\\ud800"}}\n'))
    assert (lone["id"], lone["method"]) == ('a"b', f"unreadable: {LONE}")
    for whole in (
        b'{"id":1,"x":"\\ud83d\\ude00"}\n',
        b'{"id":1,"x":[%s]}\n' % (b"[]," * 500 + b"1"),
        b"not json \\ud800\n",
    ):
        assert fit(whole) == whole
    assert fit(b'{"method":"x","params":{"id":1,"x":"\\udfff"}}\n') == b"\n", "nobody waits for an answer"


async def test_short_calls_do_not_stand_behind_those_that_wait_and_one_too_many_is_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = desk.here()
    monkeypatch.setattr(verb, "WAITS", 2)
    policy = (await call("attach_policy", sessionId="s-1", noGate=True))["policyId"]
    waits = [asyncio.create_task(call("wait_for_any", policyIds=[policy], timeoutMs=50_000)) for _ in range(2)]
    while len(verb.waiting) < 2:
        await asyncio.sleep(0)
    with pytest.raises(Refused, match="2 calls wait already"):
        await call("wait_for_any", policyIds=[policy], timeoutMs=0)
    assert (await call("get_status"))["cursor"]
    await call("cancel_policy", policyId=policy)
    assert [(await one)["ended"] for one in waits] == [[policy]] * 2
    assert not verb.waiting


def test_it_ends_with_its_client_whatever_waits(desk: Desk) -> None:
    desk.here()
    raw = Raw(desk)
    policy = json.loads(raw.text(raw.call("attach_policy", sessionId="s-1", noGate=True)))["policyId"]
    raw.call("wait_for_any", policyIds=[policy], timeoutMs=50_000)
    get = '{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"get_session","arguments":{"a":"\\ud800"}}}'
    raw.line(get)
    assert raw.text(900) == LONE
    assert raw.process.stdin
    raw.process.stdin.close()
    code, seconds = raw.ended()
    assert code == 0 and seconds < 5


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once(desk: Desk, number: signal.Signals) -> None:
    desk.here()
    raw = Raw(desk)
    raw.call("wait_for_any", sessionIds=["s-1"], timeoutMs=50_000)
    raw.process.send_signal(number)
    code, seconds = raw.ended()
    assert code == -number and seconds < 5
    assert raw.process.stdin
    raw.process.stdin.close()
